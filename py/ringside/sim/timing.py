# SPDX-License-Identifier: Apache-2.0
"""How many cycles programs take on designs, without running them: the library's model (ringside/timing.h)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..designs import Design
from ..designs.units import UNITS
from ..native.library import CData, check, ffi, lib
from .asm import disassemble
from .program import dtype_of, fill_design

LATENCY = 40  # cycles, usual of the simulator's memory
ROW = dtype_of("rs_timing_t")
_BUILD = tuple(name for name in ROW["build"].names or () if name != "keccak_shared")


_KINDS = {
    "COMPUTE": "arithmetic", "LOAD": "memory bus", "STORE": "memory bus", "SAMPLE": "Keccak", "EXPAND": "Keccak",
    "LIFT": "lifting", "PIPE": "streaming", "SPONGE": "Keccak", "PACK": "memory bus",
}  # fmt: skip


class NotModelledError(Exception):
    """An instruction that the model has no time for."""


@dataclass(frozen=True)
class ProgramTime:
    """cycles: from doorbell to interrupt; active: those in which each unit works; spans: start and end of every instruction.

    least: cycles that each unit needs if every lane, beat of the bus and Keccak core is busy in all of them; chain: those of the longest chain of
    instructions that need each other's groups, slots or contexts. Neither includes the other. The rest: rs_timed_t.
    """

    cycles: int
    active: dict[str, int]
    spans: Sequence[tuple[int, int]]
    least: dict[str, int]
    chain: int
    transforms: int
    passes: int
    fixed_transforms: int
    read_beats: int
    write_beats: int
    permutations: int

    @property
    def bound(self) -> int:
        return self.least[self._slowest]

    @property
    def bound_by(self) -> str:
        return _KINDS[self._slowest]

    @property
    def _slowest(self) -> str:
        return max(_KINDS, key=lambda unit: self.least[unit])


def rows(fields: Mapping[str, Any], count: int, log_n: int, modulus_bits: int) -> NDArray[Any]:
    """rs_timing_t of designs. fields: arrays or values by the names of a design's fields, and those of `memory`."""
    found = np.zeros(count, ROW)
    fill_design(found["design"], fields)
    for name in _BUILD:
        found["build"][name] = fields[name]
    found["build"]["keccak_shared"] = np.equal(fields["keccak"], "shared")
    for name in ROW["memory"].names or ():
        found["memory"][name] = fields.get(name, 0)
    found["log_n"], found["modulus_bits"] = log_n, modulus_bits
    return found


def row_of(
    design: Design, log_n: int, modulus_bits: int = 0, latency: int = LATENCY, bandwidth: float = 0, overhead: int = 0
) -> NDArray[Any]:
    """modulus_bits: 0: those of a word. bandwidth, overhead: as sim.core.Memory has them."""
    memory = {"latency": latency, "bandwidth": round(1000 * bandwidth), "overhead": overhead}
    return rows(asdict(design) | memory, 1, log_n, modulus_bits or design.word_bits)


def program_time(row: NDArray[Any], words: Sequence[int]) -> ProgramTime:
    """A program on the design of `row_of`. NotModelledError."""
    array, found = np.array(words, np.uint64), ffi.new("rs_timed_t *")
    spans = np.zeros((len(array), 2), np.uint32)
    timing = ffi.from_buffer("rs_timing_t[]", row)
    status = lib.rs_program_time(timing, _words(array), len(array), found, ffi.from_buffer("rs_span_t[]", spans))
    if status == lib.RS_ERR_TIME:
        raise NotModelledError(f"{disassemble(words[found.index])} has no model of its time")
    check(status)
    active, least = (dict(zip(UNITS, cycles, strict=True)) for cycles in (found.active, found.least))
    counts = found.chain, found.transforms, found.passes, found.fixed_transforms
    beats = found.read_beats, found.write_beats, found.permutations
    return ProgramTime(found.cycles, active, [(start, end) for start, end in spans.tolist()], least, *counts, *beats)


def program_times(found: NDArray[Any], words: bytes) -> tuple[NDArray[np.uint64], dict[str, NDArray[np.uint32]]]:
    """Cycles of a program on the designs of `rows`, and those in which each unit works. words: of 8 bytes. NotModelledError."""
    program = np.frombuffer(words, np.uint64)
    cycles, active = np.zeros(len(found), np.uint64), np.zeros((len(UNITS), len(found)), np.uint32)
    designs, places = ffi.from_buffer("rs_timing_t[]", found), ffi.from_buffer("uint64_t[]", cycles)
    status = lib.rs_program_times(designs, len(found), _words(program), len(program), places, ffi.from_buffer("uint32_t[]", active))  # fmt: skip
    if status == lib.RS_ERR_TIME:
        program_time(found[:1], program.tolist())  # says which instruction it is
    check(status)
    return cycles, dict(zip(UNITS, active, strict=True))


def _words(array: NDArray[np.uint64]) -> CData:
    return ffi.from_buffer("uint64_t[]", array)
