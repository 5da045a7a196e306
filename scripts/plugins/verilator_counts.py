# SPDX-License-Identifier: Apache-2.0
"""Counts of Verilator's models: its files of coverage, read and added up."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# A line of Verilator's file: keys of one letter or more, each with a value, and a count.
LINE = re.compile(r"C '(.*)' (\d+)")
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


def read(text: str) -> Iterator[tuple[Point, int]]:
    """The points of a file of Verilator, those of instances and parameters one after the other."""
    for data, count in LINE.findall(text):
        keys = dict(PAIR.findall(data))
        module = keys["page"].partition("/")[2].partition("__")[0]
        place = (Path(keys["f"]).name, int(keys["l"]), int(keys["n"]))
        yield Point(*place, keys["t"], module, keys["o"], keys.get("S", "")), int(count)


def merge(counts: Counts, found: Iterable[tuple[Point, int]]) -> None:
    for point, count in found:
        counts[point] = counts.get(point, 0) + count


def take(folder: Path, counts: Counts) -> None:
    """The files that models have written since the last time; they are deleted."""
    for path in sorted(folder.glob("*.dat")):
        merge(counts, read(path.read_text(encoding="utf-8")))
        path.unlink()


def save(path: Path, counts: Counts) -> None:
    rows = [[*vars(point).values(), count] for point, count in counts.items()]
    path.write_text(json.dumps(rows), encoding="utf-8")


def load(paths: Iterable[Path]) -> Counts:
    counts: Counts = {}
    for path in paths:
        merge(counts, ((Point(*row[:-1]), row[-1]) for row in json.loads(path.read_text(encoding="utf-8"))))
    return counts
