# SPDX-License-Identifier: Apache-2.0
"""How many cycles a program takes behind a bus that is slow and far away: what the scoreboard starts when (docs/core.md), and how words arrive.

Instructions start in order, when their unit, groups and context are free. LOAD runs three: their words follow one another without a pause, as fast as
bus and banks allow, and begin a latency after the addresses. STORE is done a latency after its last word. Times of COMPUTE are those of the schedule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from ringside.designs import Design
from ringside.explore.model.columns import Columns
from ringside.sim.asm import field_of, instruction, unit_of

LINE, CONTEXT_BURST, MODULUS_BITS = 64, 1024, 31
LOADS = 3  # instructions that LOAD runs
# Cycles from traces of the RTL: from one instruction's start to the next one's, from a unit's end to the start of what waits for it, of an
# elementwise pass besides its words and the lane's latency, and around the words of LOAD, CONTEXT and STORE
ISSUE, RELEASE, PASS, LOAD_MORE, CONTEXT_MORE, STORE_MORE, BEGIN, END = 4, 3, 2, 10, 8, 12, 12, 6


@dataclass(frozen=True)
class Bus:
    """bandwidth: bytes per cycle in each direction; latency: cycles; overhead: bytes besides its data that a burst takes of the bandwidth."""

    bandwidth: float
    latency: int
    overhead: int = 0

    def rate(self, design: Design, burst: int) -> float:
        """Bytes per cycle of bursts of so many bytes."""
        fast = min(self.bandwidth * burst / (burst + self.overhead), design.bus_bits / 8)
        return min(fast, design.outstanding * burst / (self.latency + burst * 8 / design.bus_bits + 4))


@dataclass(frozen=True)
class Counted:
    """cycles: from doorbell to interrupt. busy: cycles in which each unit runs an instruction that COMPUTE is, or moves words."""

    cycles: int
    busy: dict[str, int]
    read_bytes: int
    write_bytes: int


@dataclass
class _Loads:
    """LOAD's instructions: done in order, words one behind the other."""

    ends: list[float] = field(default_factory=lambda: [0.0] * LOADS)
    data: float = 0  # the last one's last word
    asks: float = 0  # the last one begins to ask for its words
    asked: float = 0  # and has asked for all


class _Board:
    def __init__(self, design: Design, log_n: int, bus: Bus) -> None:
        self.design, self.n, self.bus = design, 1 << log_n, bus
        columns = Columns(asdict(design) | {"latency": bus.latency}, log_n, MODULUS_BITS)
        self.transform = int(columns.transform)
        self.lane, self.chunks = int(columns.lane), self.n // design.chunk
        self.places = 16 * design.burst_lines  # columns that LOAD and STORE turn into rows at a time
        self.now, self.free = float(BEGIN), dict[str, float]()
        self.groups, self.contexts = dict[int, float](), dict[int, float]()
        self.loads = _Loads()
        self.busy: dict[str, float] = {"LOAD": 0, "STORE": 0, "COMPUTE": 0}
        self.bytes = {"LOAD": 0, "STORE": 0}

    def start(self, *waits: float) -> float:
        self.now = max(self.now + ISSUE, *waits)
        return self.now

    def load(self, word: int) -> None:
        half, narrow = field_of(word, "half"), field_of(word, "narrow")
        size = (2 if narrow else 4) * (self.n >> half)
        burst = LINE * self.design.burst_lines // (2 if narrow else 1)
        group, context = field_of(word, "dst"), field_of(word, "ctx")
        end = self._read(size, burst, self.chunks, self.places + LOAD_MORE, self.groups.get(group, 0))
        self.groups[group] = end + RELEASE
        self.contexts[context] = max(self.contexts.get(context, 0), end)

    def context(self, word: int) -> None:
        size, number = LINE + 4 * self.n, field_of(word, "dst")
        end = self._read(size, CONTEXT_BURST, self.chunks, CONTEXT_MORE, self.contexts.get(number, 0))
        self.contexts[-1 - number] = self.contexts[number] = end + RELEASE  # its twiddles are there

    def _read(self, size: int, burst: int, chunks: int, more: int, free: float) -> float:
        loads, rate = self.loads, self.bus.rate(self.design, burst)
        begin = self.start(loads.ends[-LOADS], loads.asks, free)
        asks = max(begin, loads.asked) + 4
        data = max(asks + self.bus.latency, loads.data) + max(size / rate, chunks)
        ahead = min(size, self.design.outstanding * burst) / rate  # addresses are so far ahead of their words
        loads.asks, loads.asked = asks, max(asks + size / burst, data - ahead - self.bus.latency)
        self.busy["LOAD"] += data - max(asks + self.bus.latency, loads.data)
        self.bytes["LOAD"] += size
        loads.data = data
        loads.ends.append(max(data + more, loads.ends[-1] + 1))
        return loads.ends[-1]

    def store(self, word: int) -> None:
        size, group = 4 * (self.n >> field_of(word, "half")), field_of(word, "a")
        duration = max(size / self.bus.rate(self.design, LINE * self.design.burst_lines), self.chunks)
        begin = self.start(self.free.get("STORE", 0), self.groups.get(group, 0))
        end = begin + duration + self.places + STORE_MORE + self.bus.latency
        self.free["STORE"] = self.groups[group] = end + RELEASE
        self.busy["STORE"] += duration
        self.bytes["STORE"] += size

    def compute(self, word: int, name: str) -> None:
        operands = ("dst",) if name in ("NTT", "INTT") else ("dst", "a", "b")
        groups, context = {field_of(word, operand) for operand in operands}, field_of(word, "ctx")
        ready = self.contexts.get(-1 - context, 0)
        begin = self.start(self.free.get("COMPUTE", 0), ready, *(self.groups.get(group, 0) for group in groups))
        duration = self.transform if name in ("NTT", "INTT") else self.n // self.design.lanes + self.lane + PASS
        end = begin + duration
        for group in groups:
            self.groups[group] = end + RELEASE
        self.free["COMPUTE"] = end + RELEASE
        self.contexts[context] = max(self.contexts.get(context, 0), end + RELEASE)
        self.busy["COMPUTE"] += duration

    def run(self, words: Sequence[int]) -> Counted:
        names = {instruction(name): name for name in ("LOAD", "CONTEXT", "STORE", "NTT", "INTT", "MUL", "MAC", "END")}
        for word in words:
            name = names[field_of(word, "op")]
            if name == "LOAD":
                self.load(word)
            elif name == "CONTEXT":
                self.context(word)
            elif name == "STORE":
                self.store(word)
            elif unit_of(word) == "COMPUTE":
                self.compute(word, name)
        last = max(self.now, self.loads.ends[-1], *self.free.values())
        busy = {unit: math.ceil(cycles) for unit, cycles in self.busy.items()}
        return Counted(math.ceil(last + END), busy, self.bytes["LOAD"], self.bytes["STORE"])


def count(design: Design, log_n: int, words: Sequence[int], bus: Bus) -> Counted:
    return _Board(design, log_n, bus).run(words)
