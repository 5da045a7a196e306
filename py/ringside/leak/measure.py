# SPDX-License-Identifier: Apache-2.0
"""Whole operations of a core, trace by trace: Welch's t of each channel in each cycle."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cycles.schemes import check as check_design
from ..devices.simulated import model
from ..errors import DeviceError, ParameterError
from ..notebook import facts_html
from ..operations import OperationRow
from ..progress import Progress
from ..sim.options import Simulated
from .operations import Decapsulation, Fixed, check
from .toggles import FlipFlops, library, opened
from .welch import FIXED, RANDOM, Statistics, Sums

BAR = 4.5
LEAST = 20  # traces before t is looked at: of fewer it is large by chance
STEP = 1.05  # from one look to the next
ALL = "all"  # the sum of all channels
TRACES_MIN, CYCLES_MAX = 4, 1 << 20


@dataclass(frozen=True)
class Channel:
    """t: its largest amount, in `cycle`; above: cycles in which it passes the bar. passed: traces from which on it was above the bar, to a twentieth;
    None: it is not. toggling: cycles in which the number of toggles varied at all."""

    channel: str
    flip_flops: int
    t: float
    cycle: int
    above: int
    passed: int | None
    toggling: int


@dataclass(frozen=True)
class LeakRun:
    """cycles: of a trace, in which programs ran. lengths: how many traces had each number of cycles; more than one says that time varies.
    channels: `all` first, then by t."""

    design: str
    op: str
    fixed: str
    seed: int
    traces: int
    cycles: int
    lengths: Mapping[int, int]
    flip_flops: int
    seconds: float
    channels: Sequence[Channel]

    def _repr_html_(self) -> str:
        return facts_html(f"{self.op} on {self.design}", [(one.channel, f"{one.t:.1f}") for one in self.channels])


@dataclass(frozen=True)
class Course:
    """t in each cycle: a column for each name."""

    names: Sequence[str]
    t: Statistics


class Tally:
    """The sums of all traces, and from which trace on each channel is above the bar."""

    def __init__(self, cycles: int, channels: int) -> None:
        self.sums = Sums((cycles, channels + 1))
        self.passed: list[int | None] = [None] * (channels + 1)
        self._next = LEAST

    def add(self, of_class: int, counts: np.ndarray[tuple[int, int], np.dtype[np.uint32]]) -> None:
        """counts: [cycles, channels]."""
        values = np.concatenate([counts.sum(axis=1, keepdims=True), counts], axis=1)
        self.sums.add(of_class, values[None])
        if self.sums.traces >= self._next and self.sums.count.min() >= 2:
            self.look()
            self._next = max(self._next + 1, int(self._next * STEP))

    def look(self) -> Statistics:
        t = self.sums.t()
        for i, largest in enumerate(np.abs(t).max(axis=0)):
            self.passed[i] = (self.passed[i] or self.sums.traces) if largest > BAR else None
        return t

    def varies(self) -> NDArray[np.int64]:
        """Channels' cycles in which not all traces have the same number of toggles."""
        total, squares = self.sums.total.sum(axis=0), self.sums.squares.sum(axis=0)
        cycles: NDArray[np.int64] = (squares * self.sums.traces != total * total).sum(axis=0)
        return cycles


def classes(traces: int, rng: np.random.Generator) -> list[int]:
    """A random order; each class at least twice, about half of the traces each."""
    order = [FIXED, FIXED, RANDOM, RANDOM, *map(int, rng.integers(0, 2, traces - 4))]
    return [order[i] for i in rng.permutation(traces)]


def row_of(wanted: Simulated, op: str, fixed: str) -> OperationRow:
    """DeviceError: the design or the bench cannot."""
    row = check(op, fixed)
    check_design(wanted.design, op)
    return row


def prepare(wanted: Simulated, op: str, fixed: str, progress: Progress | None = None) -> None:
    """The model is in the cache then. DeviceError: as row_of, or it cannot be built."""
    row_of(wanted, op, fixed)
    model(wanted, progress, library)


def measure(
    wanted: Simulated, op: str, traces: int, fixed: Fixed = "message", seed: int = 1, progress: Progress | None = None
) -> tuple[LeakRun, Course, Sequence[FlipFlops]]:
    """ParameterError: too few traces. DeviceError: as prepare, or another result than the library's."""
    if traces < TRACES_MIN:
        raise ParameterError("TRACES", f"A t-test needs {TRACES_MIN} traces, {traces} are wanted.", "Take 500.")
    row = row_of(wanted, op, fixed)
    rng, begin = np.random.default_rng(seed), time.perf_counter()
    with opened(wanted) as (device, bench):
        operation = Decapsulation(row, device, bench, fixed)
        lengths: dict[int, int] = {}
        counts = np.zeros((0, len(bench.channels)), np.uint32)

        def trace(of_class: int) -> int:
            call, result = operation.prepared(of_class == FIXED, rng)
            found = list[bytes]()
            cycles = bench.record(lambda: found.append(call()), counts)
            if found != [result]:
                raise DeviceError("SIMULATION", f"{device.name} computes another {op} than the library.")
            return cycles

        trace(FIXED)  # what the first call alone has: a hash of what is bound to the key, tables
        cycles = trace(FIXED)
        if not 0 < cycles <= CYCLES_MAX:
            raise DeviceError("CYCLES", f"{op} takes {cycles:,} cycles, the bench counts {CYCLES_MAX:,}.")
        counts = np.zeros((cycles, len(bench.channels)), np.uint32)
        tally = Tally(*counts.shape)
        for done, of_class in enumerate(classes(traces, rng), 1):
            length = trace(of_class)
            lengths[length] = lengths.get(length, 0) + 1
            tally.add(of_class, counts)
            if progress is not None:
                progress(done, traces)
        t, varies = tally.look(), tally.varies()
        names = [ALL, *bench.channels]
        bits = [sum(one.bits for one in bench.flip_flops), *map(bench.bits, bench.channels)]
        found = [
            Channel(name, bits[i], float(np.abs(t[:, i]).max()), int(np.abs(t[:, i]).argmax()),
                    int((np.abs(t[:, i]) > BAR).sum()), tally.passed[i], int(varies[i]))
            for i, name in enumerate(names)
        ]  # fmt: skip
    found = [found[0], *sorted(found[1:], key=lambda one: (-one.t, one.channel))]
    seconds = time.perf_counter() - begin
    run = LeakRun(wanted.design.name, op, fixed, seed, traces, cycles, lengths, bits[0], seconds, found)
    return run, Course(names, t), bench.flip_flops
