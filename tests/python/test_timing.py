# SPDX-License-Identifier: Apache-2.0
"""The model of time: programs with every operation on designs of every kind, whose cycles are known answers of its first form, a walk by NumPy that was compared
with RTL; tests/explore/test_model.py compares with RTL."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from asserting import raises
from ringside import designs
from ringside.designs.design import Design
from ringside.sim.asm import assemble
from ringside.sim.timing import NotModelledError, program_time, program_times, row_of

ENCRYPTION = """
CONTEXT ctx0 [p0 + 0x0]
SAMPLE s0 1 ternary
SAMPLE s1 2
EXPAND g1 ctx0 1 first
LIFT g0 s0 ctx0
NTT g0 ctx0
LOAD g2 ctx0 [p1 + 0x0] ntt
MUL g2 g2 g0 ctx0
INTT g2 ctx0
ROUND s1 g2 ctx0
CONTEXT ctx1 [p0 + 0x4000]
STREAM ctx1 [p2 + 0x0]
LIFT g2 s1 ctx1 add factor
NTT g2 ctx1
MAC g2 g0 g1 ctx1
STREAM ctx1 [p2 + 0x1000] wide signed
LIFT g1 s1 ctx1 add
MSUB g1 g2 g0 ctx1
SCALE g1 g1 ctx1
MSUBC g2 g1 ctx0
STREAM ctx0 [p3 + 0x0] secret
MSUBS g2 g1 ctx0
STORE g2 [p3 + 0x0] ntt
ADD g0 g1 ctx0
SUB g0 g1 ctx1
STORE g0 [p3 + 0x8000] ntt
"""
ONTO = """
CONTEXT ctx0 [p0 + 0x0]
SAMPLE s0 2
LOAD g0 ctx0 [p1 + 0x0] wide secret
LOAD g1 ctx0 [p1 + 0x0] wide
MUL g0 g0 g1 ctx0
STREAM ctx0 [p2 + 0x0] wide
LIFTON g2 s0 g0 ctx0 add
STORE g2 [p3 + 0x0] wide
SAMPLE s1 3
MUL g0 g0 g1 ctx0
STORE g1 [p3 + 0x8000] wide
LIFTON g3 s1 g0 ctx0
STORE g3 [p3 + 0x10000] wide
"""
ENCODING = """
ROOTS ctx1 [p5 + 0x0]
LOADS g0 p7 0x3ff009
IFFT g0 ctx1
SAMPLE s0 2
SCALEW g1 g0 ctx1
CONSTANTS ctx0 [p0 + 0x0]
LIFTW g2 s0 g1 ctx0 3
TWIDDLES ctx0 [p0 + 0x40] part1
STORE g1 [p3 + 0x0]
INTT g2 ctx0 part1
TWIDDLES ctx0 [p0 + 0x4040] part2
CENTRE g1 g2 ctx0 7
INTT g2 ctx0 part2
TWIDDLES ctx0 [p0 + 0x8040] part3
INTT g2 ctx0 part3
MACW g1 g2 ctx1
FFT g1 ctx1
STORES g1 p6 0x3ff009
"""
STREAM = """
SAMPLE s0 1 ternary
SAMPLE s1 2
SAMPLE s2 3
PIPEKEY [p1 + 0x0]
PIPED s0 2
SAMPLE s3 1 ternary frame1
PIPED s3 2 frame1
PIPE s0 g0 g1 1
PIPEKEY [p1 + 0x100000]
PIPE s3 g2 g3 2
DRAIN
"""
SLICES = """
CONTEXT ctx0 [p0 + 0x0] log_size8
LOAD g0 ctx0 [p1 + 0x0] log_size8
LOAD g0 ctx0 [p1 + 0x400] log_size8 slice_dst1
NTT g0 ctx0 log_size8 slices1
LOAD g1 ctx0 [p1 + 0x800] log_size9
MUL g1 g0 g0 ctx0 log_size8 slices1
INTT g1 ctx0 log_size8 slices3
STORE g1 [p2 + 0x0] log_size8
"""
FIELDS = """
CONTEXT ctx0 [p0 + 0x0] log_size8
HASH d0 d0 [p1 + 0x0] hash1 halves1 bytes200
HASH d1 d0 [p1 + 0x40] skip append hash3 halves3 bytes64
LOADD d2 [p1 + 0x80]
DRAW g0 ctx0 draw1 seed_digest1 number_bytes2 log_size8 draws3
DRAW g1 ctx0 long_seed draw13 log_size8
LOAD g2 ctx0 [p1 + 0x400] log_size8
LOADF g3 ctx0 [p1 + 0x100] field_width7 log_size8 polys2
NTT g0 ctx0 log_size8 slices3
NORM g0 ctx0 norm1 log_size8 polys1 power5
STOREF g0 ctx0 [p2 + 0x0] field_width_out1 log_size8 polys3
STORED d1 [p2 + 0x200]
LOADF g3 ctx0 [p2 + 0x300] field_width11 log_size8
STOREF g3 ctx0 [p2 + 0x0] field_width_out9 log_size8 polys1
HASH d0 d0 [p2 + 0x0] hash4 halves1
"""
ALONE = """
LOADS g0 p7 0x3ff009
LOAD g1 ctx0 [p1 + 0x0] ntt
STREAM ctx0 [p2 + 0x1000] wide signed
LIFT g2 s0 ctx0 add
LOAD g3 ctx0 [p1 + 0x8000] ntt
LOADF g4 ctx0 [p1 + 0x100] field_width7 log_size8 polys2
LOAD g0 ctx0 [p1 + 0x400] log_size8
LOADF g4 ctx0 [p1 + 0x100] field_width7 log_size8 polys2
STOREF g4 ctx0 [p2 + 0x0] field_width_out9 log_size8
"""
SERVER = """
CONTEXT ctx0 [p0 + 0x0]
LOAD g0 ctx0 [p1 + 0x0] half
LOAD g1 ctx0 [p2 + 0x0] half narrow
NTT g0 ctx0
NTT g1 ctx0
MUL g0 g0 g1 ctx0
LOAD g2 ctx0 [p1 + 0x10000] ntt
INTT g0 ctx0
STORE g0 [p3 + 0x0] half
STORE g2 [p3 + 0x10000]
"""
# program, design, what is changed of it, log2 N, latency: cycles from doorbell to interrupt
KNOWN: list[tuple[str, str, dict[str, Any], int, int, int]] = [
    (ENCRYPTION, "rise-1", {}, 10, 40, 28587),
    (ENCRYPTION, "rise-4", {}, 12, 40, 35532),
    (ENCRYPTION, "rise-4", {}, 10, 100, 9197),
    (ENCRYPTION, "rise-4", {"outstanding": 8}, 12, 400, 111835),
    (ENCRYPTION, "rise-4", {"bus_bits": 512, "keccak": "shared"}, 10, 160, 9758),
    (ENCRYPTION, "aloha-he", {}, 12, 40, 44129),
    (ENCRYPTION, "aloha-he", {"expand_steps": 8, "keccak_slices": 64}, 10, 20, 10995),
    (ENCRYPTION, "rise-1", {"twiddles": "on_the_fly", "outstanding": 4}, 12, 250, 199117),
    (ENCRYPTION, "ringside-8e", {"reducers": 4}, 10, 40, 9137),
    (ENCRYPTION, "rise-32", {}, 12, 40, 6256),
    (ENCRYPTION, "ringside-stream", {}, 10, 40, 3464),
    (ONTO, "aloha-he", {}, 11, 40, 9037),
    (ENCODING, "aloha-he", {}, 11, 40, 21308),
    (ENCODING, "aloha-he", {"fixed_words": 1}, 11, 40, 23358),
    (ENCODING, "aloha-he", {}, 13, 40, 90684),
    (ENCODING, "ringside-8e", {}, 11, 40, 14332),
    (ENCODING, "ringside-8e", {"slot_words": 2}, 11, 40, 13308),
    (ENCODING, "ringside-8e", {}, 13, 40, 57852),
    (ENCODING, "ringside-8e", {"lanes": 2, "outstanding": 8}, 11, 160, 39853),
    (ENCODING, "ringside-8e", {"lanes": 2, "outstanding": 8}, 13, 160, 173901),
    (STREAM, "stream-12", {}, 12, 40, 35431),
    (STREAM, "stream-12", {"outstanding": 12}, 12, 250, 363723),
    (STREAM, "ringside-stream", {}, 12, 40, 16150),
    (STREAM, "ringside-stream", {"outstanding": 16}, 12, 100, 66348),
    (SLICES, "newhope", {}, 10, 40, 2238),
    (SLICES, "bliss", {"lanes": 2}, 10, 20, 3849),
    (SLICES, "pqc-4", {"outstanding": 4}, 10, 160, 4876),
    (FIELDS, "pqc-4", {}, 11, 40, 2729),
    (FIELDS, "pqc-4", {"field_rounds": 1, "field_words": 2}, 11, 20, 3613),
    (FIELDS, "pqc-4", {"bus_bits": 256}, 11, 160, 3569),
    (ALONE, "aloha-he", {}, 10, 40, 6019),
    (ALONE, "ringside-8e", {}, 11, 40, 8067),
    (ALONE, "rise-4e", {"outstanding": 8}, 10, 160, 8927),
    (ALONE, "pqc-4", {}, 11, 40, 6238),
]


def time_of(program: str, design: Design, log_n: int, latency: int = 40) -> Any:
    return program_time(row_of(design, log_n, 30, latency), assemble(program + "END"))


@pytest.mark.parametrize(("program", "name", "changes", "log_n", "latency", "cycles"), KNOWN)
def test_known_cycles(program: str, name: str, changes: dict[str, Any], log_n: int, latency: int, cycles: int) -> None:
    assert time_of(program, replace(designs.load(name), **changes), log_n, latency).cycles == cycles


# latency, bandwidth, overhead, lines of a burst: cycles of SERVER on doroz2015
BEHIND_A_BUS = [
    (40, 0, 0, 4, 5099), (40, 0, 0, 1, 4964), (250, 28, 0, 4, 7196), (250, 28, 24, 4, 7523), (250, 28, 24, 1, 9325),
    (250, 12.5, 24, 2, 13542),
]  # fmt: skip


@pytest.mark.parametrize(("latency", "bandwidth", "overhead", "lines", "cycles"), BEHIND_A_BUS)
def test_a_bus_that_is_far_away(latency: int, bandwidth: float, overhead: int, lines: int, cycles: int) -> None:
    design = replace(designs.load("doroz2015"), burst_lines=lines)
    assert program_time(row_of(design, 13, 31, latency, bandwidth, overhead), assemble(SERVER)).cycles == cycles


# program, design, log2 N: the slowest unit's bound; it, the longest chain, transforms, passes, transforms of fixed point, permutations; units' bounds
BOUNDS = [
    (ENCRYPTION, "rise-4", 12, "arithmetic", (26624, 33792, 3, 8, 0, 430), (4168, 2048, 26624, 5368, 5120, 5952, 0)),
    (ENCRYPTION, "rise-32", 12, "arithmetic", (3328, 5376, 3, 8, 0, 430), (1066, 512, 3328, 1055, 1280, 2976, 0)),
    (ENCODING, "aloha-he", 13, "arithmetic", (66560, 81924, 1, 2, 2, 362), (7176, 5120, 66560, 8688, 8192, 0, 0)),
    (STREAM, "stream-12", 12, "streaming", (22528, 14584, 0, 0, 0, 378), (0, 0, 0, 10736, 0, 0, 22528)),
]


@pytest.mark.parametrize(("program", "name", "log_n", "kind", "counts", "units"), BOUNDS)
def test_known_bounds(
    program: str, name: str, log_n: int, kind: str, counts: tuple[int, ...], units: tuple[int, ...]
) -> None:
    found = time_of(program, designs.load(name), log_n)
    assert found.bound_by == kind
    assert tuple(found.least.values()) == (*units, 0, 0)
    names = ("bound", "chain", "transforms", "passes", "fixed_transforms", "permutations")
    assert tuple(getattr(found, name) for name in names) == counts


@pytest.mark.parametrize("latency", [40, 1 << 24])
def test_many_are_as_one(latency: int) -> None:
    """Also those whose times do not fit the batch's integers, and beyond a whole group of the batch."""
    words = assemble(ENCRYPTION)
    rows = np.concatenate([row_of(designs.load(name), 12, 30, latency) for name in designs.names()])
    cycles, active = program_times(rows, np.array(words, np.uint64).tobytes())
    assert latency == 40 or cycles.max() > np.iinfo(np.int32).max
    for i, alone in enumerate(program_time(rows[i : i + 1], words) for i in range(len(rows))):
        assert (cycles[i], {unit: used[i] for unit, used in active.items()}) == (alone.cycles, alone.active)


def test_spans_and_work() -> None:
    timed = time_of(ENCRYPTION, designs.load("rise-4"), 12)
    assert len(timed.spans) == len(ENCRYPTION.split("\n")[1:])
    assert timed.spans[-1] == (0, 0)  # END takes no time of a unit
    assert timed.cycles == max(end for _, end in timed.spans) + 4
    assert all(0 < used < timed.cycles for unit, used in timed.active.items() if unit not in ("PIPE", "SPONGE", "PACK"))


@pytest.mark.parametrize("line", ["DRAW g0 ctx0 draw4 log_size8", "HASH d0 d0 [p1 + 0x0] hash13", ".word 0x3f"])
def test_what_nobody_has_measured_is_refused(line: str) -> None:
    raises(NotModelledError, line.partition(" ")[0], time_of, line + "\n", designs.load("pqc-4"), 11)
