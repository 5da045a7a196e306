# SPDX-License-Identifier: Apache-2.0
"""Cycles of a program on many designs at once: the sequencer's scoreboard (hw/sequencer/README.md), walked instruction by instruction.

Every time is an array over designs. Groups and slots are held by one instruction, contexts are shared, LOAD runs three instructions that end in their
order, and a STREAM ends with the LIFT or MSUBS that takes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .columns import LINE, Columns, up

Times = Any  # NDArray[np.int32], or a number that is broadcast
# hw/sequencer/README.md, Time
START, ISSUE, WAKE, END = 8, 4, 3, 3
LOADS_AT_ONCE = 3
# cycles of an instruction beside its work: set on traces of rise-1, rise-4 and aloha-he, whose errors are therefore no test
LOAD, LOAD_TAIL, LOAD_TAIL_ONE = 1, 17, -1  # a tail is what rs_transpose still holds; ONE: a word a cycle
TAIL_OF_TWO = 4  # less, with two words a cycle
CONTEXT, NUMBERS, SIGNED = 4, 10, 45
STORE, STORE_ONE, STORES = 20, 2, 12
TRANSFORM, FIXED, VECTOR, SUM_OF_WORDS = -4, 3, 1, 4
STREAM_SUB, STREAM_ADD, QUEUE = 2, 2, 19
READERS = (
    "ROUND",
    "LIFTW",
    "CENTRE",
)  # of LIFT: they read groups through the port of STORE, which goes first (rs_poly_memory)
LIFTS = {"LIFT": 5, "ROUND": 4, "LIFTW": 10, "CENTRE": 8}
READ_MORE, READ_LAST, WRITE_MORE, WRITE_LAST = 2, 30, 3, 40

UNITS = ("LOAD", "STORE", "COMPUTE", "SAMPLE", "EXPAND", "LIFT")
_CONTEXTS = ("CONTEXT", "CONSTANTS", "TWIDDLES", "ROOTS")
_UNIT = (
    dict.fromkeys((*_CONTEXTS, "LOAD", "STREAM", "LOADS"), "LOAD")
    | dict.fromkeys(("STORE", "STORES"), "STORE")
    | dict.fromkeys(LIFTS, "LIFT")
    | {"SAMPLE": "SAMPLE", "EXPAND": "EXPAND"}
)
COMPUTES = (
    "NTT",
    "INTT",
    "FFT",
    "IFFT",
    "MUL",
    "MAC",
    "MSUB",
    "ADD",
    "SUB",
    "SCALE",
    "MSUBC",
    "MSUBS",
    "SCALEW",
    "MACW",
)


class NotModelledError(Exception):
    """An instruction that the model has no time for."""


@dataclass(frozen=True)
class Op:
    """An instruction as the walk needs it."""

    name: str
    unit: str
    held: tuple[str, ...]  # groups and slots
    contexts: tuple[str, ...]
    flags: frozenset[str]
    part: int

    @property
    def loads_context(self) -> bool:
        return self.name in _CONTEXTS

    @property
    def signed(self) -> bool:
        return self.name == "STREAM" and "signed" in self.flags


def ops_of(text: Iterable[str]) -> list[Op]:
    """Of a disassembled program, without its END. NotModelledError."""
    found = []
    for line in text:
        name, *words = line.split()
        if name == "END":
            break
        if name not in _UNIT and name not in COMPUTES:
            raise NotModelledError(f"{name} has no model of its time")
        if any(word.startswith(("log_size", "slices", "slice_")) for word in words):
            raise NotModelledError("instructions on slices have no model of their time")
        held = tuple(w for w in words if w[0] in "gs" and w[1:].isdigit())
        contexts = tuple(w for w in words if w.startswith("ctx") and w[3:].isdigit())
        part = next((int(w[4:]) for w in words if w.startswith("part")), 0)
        found.append(Op(name, _UNIT.get(name, "COMPUTE"), held, contexts, frozenset(words), part))
    return found


@dataclass
class _Passing:
    """A STREAM that waits for who takes it."""

    ready: Times
    work: Times
    end: Times
    signed: bool


@dataclass
class Walked:
    """cycles: from doorbell to interrupt; active: of each unit, in which it works; log: start and end of instructions."""

    cycles: Times
    active: dict[str, Times]
    log: list[tuple[str, Times, Times]] = field(default_factory=list)


class _Walk:
    def __init__(self, columns: Columns) -> None:
        self.c = columns
        self.zero = np.zeros(columns.shape, np.int32)
        self.free: dict[str, Times] = {}  # units
        self.until: dict[str, Times] = {}  # groups and slots: when they are free; contexts: when they are there
        self.users: dict[str, Times] = {}  # contexts: when their last user ends
        self.pieces: Times = self.zero  # when the last context or piece of one is there
        self.by_load: set[str] = set()  # contexts that LOAD itself may follow
        self.loads: list[Times] = []
        self.bus_free = self.load_alone = self.asked = self.keccak = self.zero
        self.passing: _Passing | None = None
        self.stored = (self.zero, self.zero)  # when STORE began and ceased to read
        self.reader: tuple[Op, Times] | None = None  # of LIFT, with its end
        self.last: Times = self.zero
        self.active = dict.fromkeys(UNITS, self.zero)

    # ---- when an instruction may start
    def start(self, op: Op, issue: Times) -> Times:
        wait = self.zero
        for name in op.held:
            wait = np.maximum(wait, self.until.get(name, self.zero))
        for name in op.contexts:
            if op.loads_context:
                wait = np.maximum(wait, np.maximum(self.until.get(name, self.zero), self.users.get(name, self.zero)))
            elif not (op.unit == "LOAD" and name in self.by_load):
                wait = np.maximum(wait, self.until.get(name, self.zero))
        if op.unit == "LOAD":
            wait = np.maximum(wait, np.maximum(self.load_alone, self.asked))
            if len(self.loads) >= LOADS_AT_ONCE:
                wait = np.maximum(wait, self.loads[-LOADS_AT_ONCE])
            if self.loads and (op.signed or op.name == "LOADS"):
                wait = np.maximum(wait, self.loads[-1])
            if op.loads_context:
                wait = np.maximum(wait, self.pieces)
        else:
            wait = np.maximum(wait, self.free.get(op.unit, self.zero))
        return np.maximum(issue, np.where(wait > 0, wait + WAKE, 0))

    # ---- when it ends
    def load(self, op: Op, start: Times) -> Times:
        c = self.c
        if op.loads_context:
            beats, work = self._context(op)
            more, tail = CONTEXT, self.zero
        elif op.name == "LOADS":
            beats = up(c.n // 2 * 4, c.bus)
            work = np.maximum(beats, np.where(c.lanes == 1, c.n, c.n // 2))
            more, tail = NUMBERS, self.zero
        elif op.signed:
            beats = up(c.n * 8, c.bus)
            work, more, tail = (
                np.maximum(beats, c.n // np.maximum(c.reducers, 1)),
                SIGNED,
                self._tail(LOAD_TAIL, LOAD_TAIL_ONE),
            )
        else:
            beats, work = c.beats, np.maximum(c.beats, c.chunks)
            more, tail = LOAD, self._tail(LOAD_TAIL, LOAD_TAIL_ONE)
        if not op.loads_context:
            work = np.maximum(work, c.in_flight(beats, READ_MORE, READ_LAST))
        ready = np.maximum(start + c.latency + more, self.bus_free)
        self.bus_free = ready + work
        self.asked = start + WAKE
        end = self.bus_free + tail
        if self.loads:
            end = np.maximum(end, self.loads[-1] + 1)
        if op.name == "STREAM":
            self.passing = _Passing(ready, work, end, op.signed)
        if op.signed or op.name == "LOADS":
            self.load_alone = end
        self.loads.append(end)
        self._works("LOAD", work)
        return end

    def _tail(self, usual: int, one: int) -> Times:
        return np.where(self.c.chunk > 2, usual, np.where(self.c.chunk == 2, usual - TAIL_OF_TWO, one))

    def _context(self, op: Op) -> tuple[Any, Any]:
        c = self.c
        header = 0 if op.name == "TWIDDLES" else LINE // c.bus
        if op.name == "CONSTANTS":
            words: Any = self.zero
        elif op.name == "ROOTS":
            words = c.n // 2 + self.zero
        elif op.name == "TWIDDLES":
            words = (c.n >> min(op.part, 2)) + self.zero
        else:
            words = c.twiddle_words()
        lines = up((header * c.bus + words * c.word_bytes), LINE)
        beats = lines * LINE // c.bus
        return beats, np.maximum(beats, header + up(words, np.minimum(c.chunk, c.lanes)))

    def store(self, op: Op, start: Times) -> Times:
        c = self.c
        if op.name == "STORES":
            work = np.maximum(up(c.n // 2 * 4, c.bus), c.n // 2)
            end = start + work + c.latency + STORES
        else:
            work = np.maximum(c.beats, c.chunks)
            bound = np.maximum(work, c.in_flight(c.beats, WRITE_MORE, WRITE_LAST))
            end = start + bound + c.latency + self._tail(STORE, STORE_ONE)
        self._works("STORE", work)
        self.stored = (start, start + work)
        self._delay(start, work)
        return end

    def _delay(self, start: Times, work: Times) -> None:
        """The LIFT that reads waits for a STORE that began meanwhile."""
        if self.reader is None:
            return
        op, before = self.reader
        end = np.where(start < before, before + work, before)
        for name in op.held:
            if self.until[name] is before:
                self.until[name] = end
        for name in op.contexts:
            self.users[name] = np.maximum(self.users[name], end)
        self.free["LIFT"] = end
        self.last = np.maximum(self.last, end)
        self.reader = (op, end)

    def compute(self, op: Op, start: Times) -> Times:
        c = self.c
        if op.name in ("NTT", "INTT"):
            stages = c.log_n if op.part == 0 else c.log_n - 2 if op.part == 3 else 1
            work = c.transform - (c.log_n - stages) * c.stage
            end = start + work + TRANSFORM
        elif op.name in ("FFT", "IFFT"):
            work = c.fixed_transform
            end = start + work + FIXED
        else:
            work = c.n // c.lanes + self.zero
            end = start + work + c.lane + VECTOR + c.encode + (SUM_OF_WORDS if op.name == "MACW" else 0)
            if op.name == "MSUBS" and self.passing is not None:
                end = np.maximum(end, self.passing.end + STREAM_SUB)
                self._passed(np.maximum(self.passing.end, end - 2))
        self._works("COMPUTE", work)
        return end

    def keccak_unit(self, op: Op, start: Times) -> Times:
        work = self.c.expand() if op.name == "EXPAND" else self.c.sample("ternary" in op.flags)
        end = np.where(self.c.shared, np.maximum(start, self.keccak), start) + work
        self.keccak = np.where(self.c.shared, end, self.keccak)
        self._works(op.name, work)
        return end

    def lift(self, op: Op, start: Times) -> Times:
        c = self.c
        work = c.chunks * (2 if op.name == "ROUND" else 1)
        full = (c.chunk == 4 * c.lanes) & (c.lanes > 1)
        early = full if op.name in ("LIFTW", "CENTRE") else 0
        end = start + work + LIFTS[op.name] - early
        if op.name in READERS:
            began, ceased = self.stored
            end = end + np.where(began <= start, np.maximum(ceased - start, 0), 0)
            self.reader = (op, end)
        else:
            self.reader = None
        if op.name == "LIFT" and "add" in op.flags and self.passing is not None:
            # what came before waits in a short queue, so the rest takes its time from here on
            p = self.passing
            end = np.maximum(np.maximum(end, start + p.work - QUEUE), p.end + STREAM_ADD)
            self._passed(end - 2)
            if p.signed:
                self.load_alone = end - 2
        self._works("LIFT", work)
        return end

    def _passed(self, end: Times) -> None:
        self.loads[-1] = self.bus_free = end
        self.passing = None

    def _works(self, unit: str, work: Any) -> None:
        self.active[unit] = self.active[unit] + work

    # ---- who holds what then
    def hold(self, op: Op, end: Times) -> None:
        for name in op.held:
            self.until[name] = end
        for name in op.contexts:
            if op.loads_context:
                self.until[name] = end
                self.pieces = np.maximum(self.pieces, end)
                self.by_load.add(name)
            else:
                self.users[name] = np.maximum(self.users.get(name, self.zero), end)
        self.free[op.unit] = end


def walk(ops: Iterable[Op], columns: Columns, *, log: bool = False) -> Walked:
    """log: with the times of every instruction."""
    state = _Walk(columns)
    ends = {
        "LOAD": state.load,
        "STORE": state.store,
        "COMPUTE": state.compute,
        "LIFT": state.lift,
        "SAMPLE": state.keccak_unit,
        "EXPAND": state.keccak_unit,
    }
    issue = state.zero + START
    found: list[tuple[str, Times, Times]] = []
    for op in ops:
        start = state.start(op, issue)
        end = ends[op.unit](op, start)
        state.hold(op, end)
        state.last = np.maximum(state.last, end)
        issue = start + ISSUE
        if log:
            found.append((op.name, start, end))
    return Walked(np.maximum(state.last, issue) + END, state.active, found)
