# SPDX-License-Identifier: Apache-2.0
"""A report as a directory, from papers and a provider: index.html, report.json, and CSV, SVG and PNG per paper."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import FileError
from ..native.files import check_directory, write_directory
from ..notebook import facts_html
from ..progress import Progress
from . import charts, own, page, published
from .layout import Bars, Grid, Ours, Page, PageItem, Pareto
from .measurement import Kind, Measurement, Status, derive
from .papers import page as page_of
from .provider import NoAnswer, Provider, Questions

JSON = "report.json"
FORMAT = "ringside report 1"
UNRECORDED = (Status.by_command, Status.not_measured)
SUFFIXES = {".html", ".json", ".csv", ".svg", ".png"}  # suffixes of all files that a report has
CSV_COLUMNS = ("row", "column", "value", "unit", "kind", "status", "command", "source", "detail", "caveat", "recorded")


@dataclass(frozen=True)
class Report:
    """unrecorded: commands of figures that nobody recorded, and why."""

    pages: Sequence[Page]
    command: str
    clock: float
    unrecorded: Sequence[Mapping[str, str]] = ()

    @property
    def numbers(self) -> list[Measurement]:
        """All that tables show; a chart's are in them or made from them."""
        return [
            cell for one in self.pages for item in _items(one) if isinstance(item, Grid) for _, _, cell in _cells(item)
        ]

    @property
    def failures(self) -> list[Measurement]:
        """Figures that could not be measured, one per command; without what is made from it."""
        every = (cell for paper in self.pages for item in _items(paper) for _, _, cell in _cells(item))
        failed = {one.command: one for one in every if one.status is Status.failed and one.kind is Kind.measured}
        return list(failed.values())

    def _repr_html_(self) -> str:
        counts = [(one.key, self.counts()[one.key]) for one in self.pages]
        facts: list[tuple[str, object]] = [
            (key, ", ".join(f"{number} {kind}" for kind, number in found.items() if number)) for key, found in counts
        ]
        return facts_html("Report", [*facts, ("failed", len(self.failures))])

    def as_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "command": self.command,
            "clock_mhz": self.clock,
            "counts": self.counts(),
            "unrecorded": list(self.unrecorded),
            "papers": {
                one.key: {
                    "title": one.title,
                    "headlines": [asdict(line) for line in one.headlines],
                    "tables": {
                        item.key: [{"row": row, "column": column, **asdict(cell)} for row, column, cell in _cells(item)]
                        for item in _items(one)
                    },
                }
                for one in self.pages
            },
        }

    def counts(self) -> dict[str, dict[str, int]]:
        """Numbers in the tables, per paper: present ones by kind, absent ones by reason."""
        found = {}
        for one in self.pages:
            cells = [cell for item in _items(one) if isinstance(item, Grid) for _, _, cell in _cells(item)]
            counts = {str(kind): sum(cell.kind is kind and cell.value is not None for cell in cells) for kind in Kind}
            reasons = [status for status in Status if status is not Status.present]
            counts |= {str(status): sum(cell.status is status for cell in cells) for status in reasons}
            found[one.key] = counts
        return found


def make(
    papers: Sequence[str], provider: Provider, *, command: str, clock: float = 500, progress: Progress | None = None
) -> Report:
    """papers: their names, or "designs" for ours alone; none: all. progress(done, total) counts questions to the provider."""
    published.verify()
    wanted = papers or [*published.names(), own.KEY]
    loaded = {name: published.load(name) for name in wanted if name != own.KEY}
    questions = Questions()
    ours = Ours(questions.ask, clock)

    def pages() -> list[Page]:
        return [own.page(ours) if name == own.KEY else page_of(loaded[name], ours) for name in wanted]

    pages()  # to learn what they ask for
    questions.measure(provider, progress)
    return Report(pages(), command, clock, _unrecorded(questions))


def _unrecorded(questions: Questions) -> list[Mapping[str, str]]:
    return [
        {"command": command, "why": answer.phrase or answer.status}
        for command, answer in questions.commands.items()
        if isinstance(answer, NoAnswer) and answer.status in UNRECORDED
    ]


# ---- files ----------------------------------------------------------------------------------------------------------
def _items(one: Page) -> Iterator[PageItem]:
    for section in one.sections:
        yield from section.items


def _cells(item: PageItem) -> Iterator[tuple[str, str, Measurement]]:
    """(row, column, number)."""
    if isinstance(item, Bars):
        for series, values in item.series:
            for group, found in zip(item.groups, values, strict=True):
                yield group, series, found
        return
    if isinstance(item, Pareto):
        front = item.front
        for point in item.points:
            yield point.name, item.x, point.x
            yield point.name, item.y, point.y
            beaten = f"1: no other design has less {item.x} and not more {item.y}, or the reverse"
            yield (
                point.name,
                "on the front",
                derive("", beaten, lambda *_, one=point: float(one in front), point.x, point.y),
            )
        return
    for row in item.rows:
        # a row is known by its texts and sizes in front of the first number with a unit
        name = []
        for cell in row:
            if isinstance(cell, Measurement) and cell.unit:
                break
            name.append(cell if isinstance(cell, str) else str(cell.value))
        for column, cell in zip(item.columns, row, strict=True):
            if isinstance(cell, Measurement):
                yield ", ".join(name), column, cell


def _csv(item: PageItem) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row, column, cell in _cells(item):
        value = "" if cell.value is None else repr(cell.value)
        writer.writerow(
            [
                row, column, value, cell.unit, cell.kind, cell.status, cell.command, cell.source, cell.detail,
                cell.caveat, cell.recorded,
            ]
        )  # fmt: skip
    return out.getvalue()


def files(report: Report) -> Iterator[tuple[str, bytes]]:
    """(path, content) of everything in the directory."""
    html = page.render(report.pages, report.numbers, report.command, report.failures, len(report.unrecorded))
    yield "index.html", html.encode()
    yield JSON, (json.dumps(report.as_dict(), indent=1, ensure_ascii=False) + "\n").encode()
    for one in report.pages:
        for item in _items(one):
            place = f"{one.key}/{item.key}"
            yield f"{place}.csv", _csv(item).encode()
            if not isinstance(item, Grid):
                yield f"{place}.svg", charts.draw(item).file().encode()
                yield f"{place}.png", charts.draw(item).png()


def check_place(place: Path) -> None:
    """FileError: nothing can be written there, or something is there that is not a report of ours."""
    check_directory(place)
    if not place.exists() and not place.is_symlink():
        return
    hint = "Give --output another directory: it is replaced as a whole."
    if not place.is_dir() or (any(place.iterdir()) and not _is_report(place)):
        raise FileError("FILE_EXISTS", f"{place} exists and is not a report.", hint)
    for file in place.rglob("*"):
        if not file.is_dir() and file.suffix not in SUFFIXES:
            message = f"{file} is not part of a report, and would be lost."
            raise FileError("FILE_EXISTS", message, f"Move it away. {hint}")


def _is_report(place: Path) -> bool:
    try:
        return bool(json.loads((place / JSON).read_text(encoding="utf-8"))["format"] == FORMAT)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write(report: Report, place: Path) -> None:
    """The whole directory, or what was there before. FileError: it cannot be written."""
    check_place(place)
    write_directory(place, files(report))
