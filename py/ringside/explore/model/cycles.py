# SPDX-License-Identifier: Apache-2.0
"""Cycles of a workload on all points: one batch for each program."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...designs import Design
from ...designs.design import table
from ...designs.units import UNITS
from ...errors import RingsideError
from ...sim.timing import NotModelledError, program_times, rows
from .. import scope
from ..space.points import Points
from ..space.reader import LATENCY, Workload
from .programs import REGISTERS, ProgramPart, frames_in, programs_of

REFUSED = 0  # in place of cycles
PORTION = 64  # programs that a process makes at a time
KEYS_MAX = 1 << 62  # combinations of codes in a word
BLOCK = 1 << 16  # points that are timed at a time, so that arrays stay in a cache

HowFar = Callable[[int, int], None]
Text = tuple[tuple[ProgramPart, ...], int] | str  # programs and their frames, or why there are none


@dataclass(frozen=True)
class Timed:
    """cycles: per frame, REFUSED where the design cannot do it; active: per frame, of each unit; refused: reasons with their number of points."""

    cycles: NDArray[np.int64]
    active: dict[str, NDArray[np.int32]]
    refused: dict[str, int]
    texts: int


def timed(points: Points, workload: Workload, executor: Executor | None = None, tell: HowFar | None = None) -> Timed:
    """executor: makes the programs, which takes longer than walking them."""
    known = np.ones(len(points), bool)
    refused: dict[str, int] = {}
    for where, reason in scope.unknown(scope.TIME_KNOWN, _fields_of(points), "time"):
        refused[reason] = int(np.count_nonzero(known & where))
        known &= ~where
    if not refused:
        return _timed(points, workload, executor, tell)
    index = np.flatnonzero(known)
    cycles = np.full(len(points), REFUSED, np.int64)
    active = {unit: np.zeros(len(points), np.int32) for unit in UNITS}
    if not len(index):
        return Timed(cycles, active, refused, 0)
    found = _timed(points.take(index), workload, executor, tell)
    cycles[index] = found.cycles
    for unit, used in found.active.items():
        active[unit][index] = used
    return Timed(cycles, active, refused | found.refused, found.texts)


def _fields_of(points: Points) -> dict[str, Any]:
    return {name: points.column(name) for name in scope.TIME_KNOWN}


def _timed(points: Points, workload: Workload, executor: Executor | None, tell: HowFar | None) -> Timed:
    first, group = grouped(points)
    texts = _texts([points.design(int(i)) for i in first], workload, executor, tell)
    members: defaultdict[Text, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        members[text].append(number)
    cycles = np.zeros(len(points), np.int64)
    active = {unit: np.zeros(len(points), np.int32) for unit in UNITS}
    refused: dict[str, int] = {}
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], np.arange(len(first) + 1))
    for text, numbers in members.items():
        index = np.concatenate([order[bounds[k] : bounds[k + 1]] for k in numbers])
        if isinstance(text, str):
            refused[text] = refused.get(text, 0) + len(index)
            continue
        parts, frames = text
        try:
            for begin in range(0, len(index), BLOCK):
                part = index[begin : begin + BLOCK]
                found, used = _timed_all(parts, rows_of(points, part, workload))
                cycles[part] = np.maximum(np.rint(found / frames), 1)
                for unit, busy in used.items():
                    active[unit][part] = busy // frames
        except NotModelledError as error:
            refused[str(error)] = refused.get(str(error), 0) + len(index)
            cycles[index] = REFUSED
    return Timed(cycles, active, refused, sum(not isinstance(text, str) for text in members))


def _timed_all(programs: Sequence[ProgramPart], designs: NDArray[Any]) -> tuple[Any, dict[str, Any]]:
    """Cycles of all programs by their shares, and active cycles of units."""
    cycles: Any = 0.0
    active: dict[str, Any] = dict.fromkeys(UNITS, 0.0)
    for words, share in programs:
        found, used = program_times(designs, words)
        cycles = cycles + share * found
        active = {unit: active[unit] + share * used[unit] for unit in UNITS}
    return cycles, active


def grouped(points: Points) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first point of each set of points that the driver cannot tell apart, and the set of every point."""
    key, size = np.zeros(len(points), np.int64), 1
    for name in REGISTERS:
        if name in points.codes:
            size *= len(points.choices[name])
            if size >= KEYS_MAX:  # points of many axes are few of all that there could be
                different, key = np.unique(key, return_inverse=True)
                size = len(different) * len(points.choices[name])
            key = key * len(points.choices[name]) + points.codes[name]
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


def rows_of(points: Points, index: NDArray[Any], workload: Workload) -> NDArray[Any]:
    def column(name: str) -> Any:
        if name not in points.codes:
            return points.column(name)
        return points.choices[name][points.codes[name][index]]

    fields = {name: column(name) for name in table()} | {"latency": column(LATENCY)}
    return rows(fields, len(index), workload.log_n, workload.modulus_bits)


def _texts(designs: list[Design], workload: Workload, executor: Executor | None, tell: HowFar | None) -> list[Text]:
    portions = [designs[i : i + PORTION] for i in range(0, len(designs), PORTION)]
    make = partial(make_texts, workload)
    found: list[Text] = []
    for texts in executor.map(make, portions) if executor is not None else map(make, portions):
        found += texts
        if tell is not None:
            tell(len(found), len(designs))
    return found


def make_texts(workload: Workload, designs: list[Design]) -> list[Text]:
    """In a process of its own, perhaps on another machine."""
    return [_text(design, workload) for design in designs]


def _text(design: Design, workload: Workload) -> Text:
    try:
        return programs_of(design, workload), frames_in(design, workload)
    except RingsideError as error:
        return error.message.replace(design.name, "the design")
