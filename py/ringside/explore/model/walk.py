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

from ...sim.timing import NotModelledError
from . import fields
from .columns import LINE, Columns, up

Times = Any  # NDArray[np.int32], or a number that is broadcast
# hw/sequencer/README.md, Time
START, ISSUE, WAKE, END = 8, 4, 3, 4
LOADS_AT_ONCE = 3
# cycles of an instruction beside its work: set on traces of rise-1, rise-4 and aloha-he, whose errors are therefore no test
LOAD = 1
TAILS = {1: -1, 2: 13, 4: 17, 8: 19, 16: 20}  # what rs_transpose still holds, by words of a chunk
CONTEXT, NUMBERS, SIGNED = 3, 10, 45  # CONTEXT: behind its last beat
STORE, STORES = 3, 12
TRANSFORM, FIXED, VECTOR, SUM_OF_WORDS = -4, 3, 1, 4
STREAM_SUB, STREAM_ADD, QUEUE = 2, 2, 19
READERS = (
    "ROUND",
    "LIFTW",
    "CENTRE",
)  # instructions of LIFT: they read groups through the port of STORE, which goes first (rs_poly_memory)
LIFTS = {"LIFT": 5, "ROUND": 4, "LIFTW": 10, "CENTRE": 8}
READ_MORE, WRITE_MORE = 2, 3
# PIPE: behind the memory's first answer, of its key, of the end of a program that used it; slots of a frame (hw/pipe/README.md)
PIPE_MORE, PIPE_KEY, PIPE_END, FRAME_SLOTS = 11, 2, 3, 3

UNITS = ("LOAD", "STORE", "COMPUTE", "SAMPLE", "EXPAND", "LIFT", "PIPE", "SPONGE", "PACK")
_CONTEXTS = ("CONTEXT", "CONSTANTS", "TWIDDLES", "ROOTS")
_UNIT = (
    dict.fromkeys((*_CONTEXTS, "LOAD", "STREAM", "LOADS"), "LOAD")
    | dict.fromkeys(("STORE", "STORES"), "STORE")
    | dict.fromkeys(LIFTS, "LIFT")
    | dict.fromkeys(("PIPEKEY", "PIPE", "PIPED", "DRAIN"), "PIPE")
    | dict.fromkeys(("HASH", "LOADD", "STORED", "DRAW"), "SPONGE")
    | dict.fromkeys(("LOADF", "STOREF", "NORM"), "PACK")
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


@dataclass(frozen=True)
class Op:
    """An instruction as the walk needs it."""

    name: str
    unit: str
    held: tuple[str, ...]  # groups and slots
    contexts: tuple[str, ...]
    flags: frozenset[str]
    part: int
    log_size: int = 0  # log2 of the size of a polynomial, 0: the ring
    slices: int = 1
    limbs: int = 1  # limbs of a frame of PIPE

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
        held = tuple(w for w in words if w[0] in "gs" and w[1:].isdigit())
        if name in ("PIPE", "PIPED"):
            first = int(held[0][1:])
            held = (*(f"s{first + i}" for i in range(FRAME_SLOTS)), *held[1:])
        contexts = tuple(w for w in words if w.startswith("ctx") and w[3:].isdigit())
        part, log_size, slices = (fields.number(words, field) for field in ("part", "log_size", "slices"))
        limbs = next((int(w) + 1 for w in words if w.isdigit()), 1)
        unit = _UNIT.get(name, "COMPUTE")
        found.append(Op(name, unit, held, contexts, frozenset(words), part, log_size, slices + 1, limbs))
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
        self.tail: Times = sum(np.where(columns.chunk == words, cycles, 0) for words, cycles in TAILS.items())
        self.free: dict[str, Times] = {}  # units
        self.until: dict[str, Times] = {}  # groups and slots: when they are free; contexts: when they are there
        self.users: dict[str, Times] = {}  # contexts: when their last user ends
        self.pieces: Times = self.zero  # when the last context or piece of one is there
        self.by_load: set[str] = set()  # contexts that LOAD itself may follow
        self.loads: list[Times] = []
        self.bus_free = self.load_alone = self.asked = self.keccak = self.zero
        self.round: Times = self.zero  # bursts of LOAD's last round trip
        self.passing: _Passing | None = None
        self.stored = (self.zero, self.zero)  # when STORE began and ceased to read
        self.reader: tuple[Op, Times] | None = None  # LIFT's newest operation, with its end
        self.key_here = False  # PIPE has a frame with this key behind it
        self.latest: tuple[Op, Times] | None = None  # LOAD's newest operation, with its end
        self.digest_there: Times = self.zero  # the last STORED's, in memory
        self.drained = 0  # what the end of the program waits for PIPE
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
        if op.name in ("HASH", "LOADD"):  # what STOREF wrote has to be in memory, and what STORED did
            wait = np.maximum(wait, self.free.get("PACK", self.zero))
        elif op.name in ("LOADF", "STOREF"):
            wait = np.maximum(wait, self.digest_there)
        return np.maximum(issue, np.where(wait > 0, wait + WAKE, 0))

    # ---- when it ends
    def load(self, op: Op, start: Times) -> Times:
        c = self.c.sized(op.log_size)
        tail: Times
        if op.loads_context:
            beats, work = self._context(op)
            more, tail = LOAD, CONTEXT + self.zero
        elif op.name == "LOADS":
            beats = up(c.n // 2 * 4, c.bus)
            work = np.maximum(beats, np.where(c.lanes == 1, c.n, c.n // 2))
            more, tail = NUMBERS, self.zero
        elif op.signed:
            beats = up(c.n * 8, c.bus)
            work = np.maximum(beats, c.n // np.maximum(c.reducers, 1))
            more, tail = SIGNED, self.tail
        else:
            beats, work = c.beats, np.maximum(c.beats, c.chunks)
            more, tail = LOAD, self.tail
        ready = np.maximum(start + c.latency + c.has_fields + more, self.bus_free)
        after = np.where(self.bus_free >= start + c.latency, self.round, 0)  # bursts follow those that are under way
        if not op.loads_context:
            work = np.maximum(work, c.in_flight(beats, READ_MORE, after))
        self.round = c.round_after(beats, after)
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
        self.latest = (op, end)
        self._works("LOAD", work)
        return end

    def _context(self, op: Op) -> tuple[Any, Any]:
        c = self.c.sized(op.log_size)
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
        c = self.c.sized(op.log_size)
        if op.name == "STORES":
            work = np.maximum(up(c.n // 2 * 4, c.bus), c.n // 2)
            end = start + work + c.latency + STORES
        else:
            work = np.maximum(c.beats, c.chunks)
            bound = np.maximum(work, c.in_flight(c.beats, WRITE_MORE))
            end = start + bound + c.latency + c.has_fields + self.tail + STORE
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
        c = self.c.sized(op.log_size)
        if op.name in ("NTT", "INTT"):
            stages = c.log_n if op.part == 0 else c.log_n - 2 if op.part == 3 else 1
            work = c.transform_of(op.slices) - (c.log_n - stages) * c.stage
            end = start + work + TRANSFORM
        elif op.name in ("FFT", "IFFT"):
            work = c.fixed_transform
            end = start + work + FIXED
        else:
            work = op.slices * c.n // c.lanes + self.zero
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
            queue = c.reduced_ahead() if p.signed else QUEUE
            end = np.maximum(np.maximum(end, start + p.work - queue), p.end + STREAM_ADD)
            self._passed(end - 2)
            if p.signed:
                self.load_alone = end - 2
        self._works("LIFT", work)
        return end

    def pipe(self, op: Op, start: Times) -> Times:
        c = self.c
        if op.name == "PIPEKEY":
            self.key_here = False
            return start + PIPE_KEY
        if op.name == "DRAIN":
            self.drained = PIPE_END
            work = c.stream_latency()
        else:
            work = c.stream(op.limbs, PIPE_MORE, behind=self.key_here)
            self.key_here = True
            self._works("PIPE", op.limbs * c.n // np.maximum(c.stream_lanes, 1) + self.zero)
        return start + work

    def fields_unit(self, op: Op, start: Times) -> Times:
        c = self.c.sized(op.log_size)
        try:
            work = (fields.sponge if op.unit == "SPONGE" else fields.pack)(op.name, op.flags, c)
        except fields.NoTimeError as error:
            raise NotModelledError(str(error)) from None
        self._works(op.unit, work)
        if op.name == "STORED":
            self.digest_there = start + work
        elif op.name == "LOADF":
            self._share(start + c.latency, work - c.latency - c.n // c.field_words)
        return start + work

    def _share(self, first: Times, work: Times) -> None:
        """Memory answers in order: a LOAD that still has lines to ask waits for those of a LOADF that began meanwhile, and so does the next one."""
        behind = first + work
        if self.latest is not None:
            op, before = self.latest
            end = np.where(before > first + self.tail, before + work, before)
            for name in op.held:
                if self.until[name] is before:
                    self.until[name] = end
            self.loads[-1] = end
            self.last = np.maximum(self.last, end)
            self.latest = (op, end)
        self.bus_free = np.maximum(self.bus_free, behind)

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
        "PIPE": state.pipe,
        "SPONGE": state.fields_unit,
        "PACK": state.fields_unit,
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
    return Walked(np.maximum(state.last, issue) + END + state.drained, state.active, found)
