# SPDX-License-Identifier: Apache-2.0
"""Cycles of a workload on all points: one walk for each text of a program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...designs import Design
from ...errors import RingsideError
from ..space.points import Points
from ..space.reader import LATENCY, Workload
from .columns import Columns
from .programs import REGISTERS, frames_in, text_of
from .walk import UNITS, NotModelledError, ops_of, walk

REFUSED = 0  # in place of cycles
PORTION = 64  # programs that a process makes at a time
BLOCK = 1 << 16  # points that are walked at a time, so that arrays stay in a cache
TIMED = ("fields", "field_rounds", "field_words", "stream_lanes", "ports", "log_n_max", "lanes", "word_bits", "reduction", "twiddles", "encode", "bus_bits", "outstanding", "reducers", "sample_lanes", "ternary_bytes", "keccak_cores", "keccak_slices", "sample_rounds", "expand_rounds", "expand_words", "expand_steps", "keccak")  # fmt: skip

HowFar = Callable[[int, int], None]
Text = tuple[tuple[str, ...], int] | str  # a program and its frames, or why there is none


@dataclass(frozen=True)
class Timed:
    """cycles: per frame, REFUSED where the design cannot do it; active: per frame, of each unit; refused: reasons with their number of points."""

    cycles: NDArray[np.int64]
    active: dict[str, NDArray[np.int32]]
    refused: dict[str, int]
    texts: int


def timed(points: Points, workload: Workload, executor: Executor | None = None, tell: HowFar | None = None) -> Timed:
    """executor: makes the programs, which takes longer than walking them."""
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
        lines, frames = text
        try:
            ops = ops_of(lines)
        except NotModelledError as error:
            refused[str(error)] = refused.get(str(error), 0) + len(index)
            continue
        for begin in range(0, len(index), BLOCK):
            part = index[begin : begin + BLOCK]
            found = walk(ops, columns_of(points, part, workload))
            cycles[part] = np.maximum(np.rint(found.cycles / frames), 1)
            for unit, used in found.active.items():
                active[unit][part] = used // frames
    return Timed(cycles, active, refused, sum(not isinstance(text, str) for text in members))


def grouped(points: Points) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first point of each set of points that the driver cannot tell apart, and the set of every point."""
    key = np.zeros(len(points), np.int64)
    for name in REGISTERS:
        if name in points.codes:
            key = key * len(points.choices[name]) + points.codes[name]
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


def columns_of(points: Points, index: NDArray[Any], workload: Workload) -> Columns:
    def column(name: str) -> Any:
        if name not in points.codes:
            return np.broadcast_to(np.asarray(points.column(name)), len(index))
        return points.choices[name][points.codes[name][index]]

    fields = {name: column(name) for name in TIMED} | {"latency": column(LATENCY)}
    return Columns(fields, workload.log_n, workload.modulus_bits)


def cycles_of(design: Design, latency: int, workload: Workload) -> int:
    """Of one design. DeviceError, ParameterError: it cannot do it. NotModelledError."""
    fields = {name: np.array([value]) for name, value in asdict(design).items()} | {"latency": np.array([latency])}
    found = walk(ops_of(text_of(design, workload)), Columns(fields, workload.log_n, workload.modulus_bits))
    return round(int(found.cycles[0]) / frames_in(design, workload))


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
        return text_of(design, workload), frames_in(design, workload)
    except RingsideError as error:
        return error.message.replace(design.name, "the design")
