# SPDX-License-Identifier: Apache-2.0
"""Counts of Verilator's models: its files of coverage, read and added up, and those of each form of a module apart.

A form of a module is what elaboration made of it: the statements and arms that are there, and the widths of its signals. Modules of two models, or with
two sets of parameters, that have the same points have one form.
"""

import functools
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# A line of Verilator's file: keys of one letter or more, each with a value, and a count.
LINE = re.compile(r"C '(.*)' (\d+)")
COUNT = re.compile(r"^C '.*' (\d+)$", re.MULTILINE)
PAIR = re.compile("\x01([^\x02]*)\x02([^\x01]*)")


@dataclass(frozen=True)
class Point:
    """Something that is counted. kind: toggle, line, branch. what: an edge such as `q[3]:0->1`, or the sort of block.

    lines: of the block, such as 4-5,8. A module with several sets of parameters has one point for all of them.
    """

    file: str
    line: int
    column: int
    kind: str
    module: str
    what: str
    lines: str

    @property
    def is_toggle(self) -> bool:
        return self.kind == "toggle"


Counts = dict[Point, int]
Form = str  # module:hash
Forms = dict[Form, Counts]


def point_of(data: str) -> tuple[Point, str, str]:
    """A point, the file that it is in and its module with its parameters."""
    keys = dict(PAIR.findall(data))
    page = keys["page"].partition("/")[2]
    place = (keys["f"].rpartition("/")[2], int(keys["l"]), int(keys["n"]))
    point = Point(*place, keys["t"], page.partition("__")[0], keys["o"], keys.get("S", ""))
    return point, keys["f"], page


def read(text: str) -> Iterator[tuple[Point, int]]:
    """The points of a file of Verilator, those of instances and parameters one after the other."""
    for data, count in LINE.findall(text):
        yield point_of(data)[0], int(count)


def merge(counts: Counts, found: Iterable[tuple[Point, int]]) -> None:
    for point, count in found:
        counts[point] = counts.get(point, 0) + count


def take(folder: Path, counts: Counts) -> None:
    """The files that models have written since the last time; they are deleted."""
    for path in sorted(folder.glob("*.dat")):
        merge(counts, read(path.read_text(encoding="utf-8")))
        path.unlink()


@dataclass
class Piled:
    """Files of one model: they have the same points in the same order, so only the first one is read whole."""

    points: list[str]
    counts: list[int]


@dataclass
class Pile:
    """What models have counted. forms: those that are kept."""

    forms: Collection[Form] = ()
    models: dict[str, Piled] = field(default_factory=dict)

    def take(self, folder: Path) -> None:
        """The files that models have written since the last time; they are deleted. Their names say which ones are of one model: sim/model.h."""
        for path in sorted(folder.glob("*.dat")):
            text = path.read_text(encoding="utf-8")
            counts = [int(count) for count in COUNT.findall(text)]
            name = f"{path.stem.rpartition('-')[0] or path.stem} {len(counts)}"
            if name not in self.models:
                self.models[name] = Piled([data for data, _ in LINE.findall(text)], counts)
            else:
                piled = self.models[name]
                piled.counts = [a + b for a, b in zip(piled.counts, counts, strict=True)]
            path.unlink()

    def sums(self) -> tuple[Counts, Forms]:
        """Sums over all models, and over the forms that are kept."""
        counts: Counts = {}
        forms: Forms = {}
        for piled in self.models.values():
            of_model = forms_of(piled)
            for form, found in of_model.items():
                merge(counts, found.items())
                if form in self.forms:
                    merge(forms.setdefault(form, {}), found.items())
        return counts, forms


@functools.cache
def of_simulation(path: str) -> frozenset[int]:
    """Lines that are not for synthesis."""
    found, inside = set(), False
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        inside = (inside or line.startswith("`ifndef SYNTHESIS")) and not line.startswith("`endif")
        found |= {number} if inside else set()
    return frozenset(found)


def _pages(piled: Piled) -> dict[str, Counts]:
    """The points of each page, a module with its parameters."""
    pages: defaultdict[str, Counts] = defaultdict(dict)
    for data, count in zip(piled.points, piled.counts, strict=True):
        point, path, page = point_of(data)
        if point.line not in of_simulation(path):
            merge(pages[page], [(point, count)])
    return pages


def forms_and_pages(piled: Piled) -> dict[Form, list[str]]:
    """The modules with their parameters that have each form of a model."""
    found: defaultdict[Form, list[str]] = defaultdict(list)
    for page, counts in _pages(piled).items():
        found[form_of(page.partition("__")[0], counts)].append(page)
    return found


def forms_of(piled: Piled) -> Forms:
    """The forms of a model."""
    forms: Forms = {}
    for page, counts in _pages(piled).items():
        merge(forms.setdefault(form_of(page.partition("__")[0], counts), {}), counts.items())
    return forms


def form_of(module: str, counts: Iterable[Point]) -> Form:
    places = sorted((point.line, point.column, point.kind, point.what) for point in counts)
    return f"{module}:{hashlib.sha256(repr(places).encode()).hexdigest()[:16]}"


def save_forms(path: Path, forms: Mapping[Form, Counts]) -> None:
    path.write_text(
        json.dumps(
            {form: [[*vars(point).values(), n] for point, n in counts.items()] for form, counts in forms.items()}
        ),
        encoding="utf-8",
    )


def load_forms(paths: Iterable[Path]) -> Forms:
    forms: Forms = {}
    for path in paths:
        for form, rows in json.loads(path.read_text(encoding="utf-8")).items():
            merge(forms.setdefault(form, {}), ((Point(*row[:-1]), row[-1]) for row in rows))
    return forms


def save(path: Path, counts: Counts) -> None:
    """Of all modules together."""
    save_forms(path, {"": counts})


def load(paths: Iterable[Path]) -> Counts:
    return load_forms(paths).get("", {})
