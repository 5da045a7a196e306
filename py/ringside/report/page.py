# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page: what report.html shows of pages, tables, charts and numbers."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from . import charts, kit
from .layout import Bars, Grid, Headline, Page, PageItem, Pareto, Terms
from .measurement import Kind, Measurement, Status
from .published import TableCell

MEANING = {
    Terms.equal: "the same task, size and means on both sides",
    Terms.near: "the same task; what differs stands beside it",
    Terms.other: "other machines or assumptions: a hint, no proof",
}
TEMPLATE = Path(__file__).with_name("report.html")


def _cell(cell: TableCell) -> dict[str, Any]:
    if isinstance(cell, str):
        return {"text": cell, "attributes": False}
    kind = f"{cell.kind}, {cell.unit}" if cell.unit else str(cell.kind)
    command = f"$ {cell.command}" if cell.command and cell.kind is Kind.measured else cell.command
    title = "\n".join([kind, *filter(None, (cell.source, command, cell.when, cell.detail, cell.caveat))])
    shown = {"attributes": True, "title": title, "command": cell.command, "exact": "", "mark": False}
    if cell.value is not None:
        text = charts.value_text(cell)
        return shown | {"kind": cell.kind, "text": text, "exact": repr(cell.value), "mark": bool(cell.caveat)}
    if cell.status is Status.failed:
        return shown | {"kind": "failed", "text": f"{cell.status}: {cell.detail}"}
    return shown | {"kind": "missing", "text": cell.absence}


def _with_unit(cell: Measurement) -> dict[str, Any]:
    shown = _cell(cell)
    return shown | {"text": f"{shown['text']} {cell.unit}".rstrip()} if cell.value is not None else shown


def _headline(one: Headline) -> dict[str, Any]:
    better = one.better.value
    verdict = "" if better is None else "good" if better >= 1 else "bad"
    times = {"text": "", "title": ""} if better is None else _cell(one.better) | {"text": f"{better:.3g} ×"}
    return {
        "what": one.what,
        "printed": _with_unit(one.printed),
        "ours": _with_unit(one.ours),
        "better": times,
        "verdict": verdict,
        "terms": str(one.terms) if better is not None else "no comparison",
        "level": one.terms.name if better is not None else "none",
        "why": one.why,
    }


def _heads(grid: Grid) -> list[str]:
    """Column titles, with the unit where all numbers of a column have one and its title does not say it."""
    titles = []
    for index, title in enumerate(grid.columns):
        units = {cell.unit for row in grid.rows if isinstance(cell := row[index], Measurement)}
        said = "[" in title or any(unit in title.split() for unit in units)
        of_rows = any("[" in row[0] for row in grid.rows if isinstance(row[0], str))
        unit = next(iter(units)) if len(units) == 1 else ""
        title = f"{title} [{unit}]" if unit and not said and not of_rows else title
        # a unit stays in one line
        titles.append(re.sub(r"\[.*?\]", lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), title))
    return titles


def _item(item: PageItem) -> dict[str, Any]:
    shown: dict[str, Any] = {"title": item.title, "note": item.note}
    if isinstance(item, Grid):
        rows = [[_cell(cell) for cell in row] for row in item.rows]
        return shown | {"what": "grid", "folded": item.folded, "columns": _heads(item), "rows": rows}
    absent = _absent(item)
    if absent:
        return shown | {"what": "nothing", "reasons": ", ".join(absent)}
    shown["note"] = charts.drawn(item).note
    wide, narrow = (Markup(charts.draw(item, width).in_page()) for width in (charts.WIDTH, charts.NARROW))
    return shown | {"what": "chart", "picture": wide, "narrow": narrow}


def _absent(chart: Bars | Pareto) -> list[str]:
    """Why there is nothing to draw; empty if there is something."""
    if isinstance(chart, Pareto):
        numbers = [one for point in chart.points for one in (point.x, point.y)]
        drawn = bool(chart.front)
    else:
        numbers = [one for _, column in chart.series for one in column]
        drawn = any(one.value is not None for one in numbers)
    return [] if drawn else sorted({one.absence for one in numbers if one.value is None})


def _page(page: Page) -> dict[str, Any]:
    sections = [
        {"title": one.title, "text": one.text, "contents": [_item(item) for item in one.items]} for one in page.sections
    ]
    headlines = [_headline(one) for one in page.headlines]
    return {"key": page.key, "short": page.short, "text": page.text, "sections": sections, "headlines": headlines}


def _counts(numbers: Sequence[Measurement]) -> dict[str, int]:
    counts = {str(kind): sum(one.kind is kind and one.value is not None for one in numbers) for kind in Kind}
    absent = [status for status in Status if status is not Status.present]
    missing = {str(status): sum(one.status is status for one in numbers) for status in absent}
    return counts | {status: count for status, count in missing.items() if count}


def render(
    pages: Sequence[Page],
    numbers: Sequence[Measurement],
    command: str,
    failures: Iterable[Measurement],
    unrecorded: int,
) -> str:
    """unrecorded: figures, by their commands."""
    return kit.render(
        TEMPLATE,
        pages=[_page(page) for page in pages],
        kinds=[str(kind) for kind in Kind],
        terms=[(one.name, str(one), MEANING[one]) for one in Terms],
        counts=list(_counts(numbers).items()),
        failures=list(failures),
        unrecorded=unrecorded,
        command=command,
    )
