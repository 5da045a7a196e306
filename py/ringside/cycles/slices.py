# SPDX-License-Identifier: Apache-2.0
"""A transform of slices, several small polynomials in one group, in RTL simulation: compared with its definition, cycles counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..designs import Design
from ..devices.simulated import SimulatedDevice, open_simulated
from ..errors import DeviceError, ParameterError
from ..native.library import ffi, lib, span
from ..progress import Progress
from ..sim.core import ProgramRun
from ..sim.options import Simulated
from .programs import LINE, BusMemory, wrong

Polynomials = NDArray[np.uint64]

# (q, psi, whose ring) by log2 of a polynomial: psi^N = -1 mod q. ML-KEM's 3329 times 769 is 1 mod 2^11, which word-level Montgomery needs, and
# psi is 17 modulo 3329 as in FIPS 203; 1753 is that of FIPS 204; 7 and 49 are the smallest roots
RINGS = {
    7: (2560001, 186441, "ML-KEM"),
    8: (8380417, 1753, "ML-DSA"),
    9: (12289, 49, "BLISS and Falcon-512"),
    10: (12289, 7, "NewHope-1024"),
}
NARROW = (12289, pow(7, 8, 12289), "q = 12289")  # where words have less than 22 bits


@dataclass(frozen=True)
class SliceRun:
    """cycles: from doorbell to interrupt, with loads and stores. transform: of the one instruction, until lanes and groups are free for the next.

    bound: N/2 log2 N butterflies of each slice over lanes.
    """

    design: str
    lanes: int
    op: str
    log_size: int
    slices: int
    log_n: int
    modulus: int
    ring: str
    instructions: int
    cycles: int
    transform: int
    bound: int


def ring_of(design: Design, log_size: int) -> tuple[int, int, str]:
    """q, psi, whose it is. ParameterError: no such ring is known, or its words are too long."""
    if log_size not in RINGS:
        message = f"No ring of 2^{log_size} coefficients is known."
        raise ParameterError("LOG_SIZE", message, f"Known: {', '.join(map(str, RINGS))}.")
    ring = NARROW if log_size == 7 and design.word_bits < 22 else RINGS[log_size]
    if ring[0].bit_length() > design.word_bits:
        raise ParameterError("LOG_SIZE", f"q = {ring[0]} has more than the {design.word_bits} bits of {design.name}.")
    return ring


def check(design: Design, log_size: int, slices: int) -> None:
    if design.slices == 1 and (slices > 1 or log_size < design.log_n_min):
        hint = "newhope and bliss do, and designs with slices of 2 or more."
        raise DeviceError("DESIGN", f"{design.name} does not work on slices.", hint)
    most = min(design.slices, 1 << max(0, design.log_n_max - log_size))
    if log_size > design.log_n_max or slices > most:
        room = f"{design.name} has {1 << design.log_n_max} words in a group and takes {design.slices} slices at most"
        raise ParameterError("SLICES", f"{slices} polynomials of {1 << log_size} words do not fit: {room}.")


def evaluated(rows: Polynomials, log_size: int, q: int, psi: int) -> Polynomials:
    """Each row's values at psi^(2 brv(j) + 1), by the definition; q is below 2^24, so that no sum of products overflows."""
    size = 1 << log_size
    reverse = [int(f"{j:0{log_size}b}"[::-1], 2) for j in range(size)]
    power = np.array([pow(psi, k, q) for k in range(2 * size)], np.uint64)
    exponents = np.outer(np.arange(size), 2 * np.array(reverse) + 1) % (2 * size)
    found: Polynomials = rows @ power[exponents] % np.uint64(q)
    return found


def measure(wanted: Simulated, op: str, log_size: int, slices: int, progress: Progress | None = None) -> SliceRun:
    """NTT or INTT of so many polynomials by one instruction. DeviceError: the design cannot, or the result is not that of the definition."""
    design = wanted.design
    check(design, log_size, slices)
    q, psi, ring = ring_of(design, log_size)
    rows = np.random.default_rng(1).integers(0, q, (slices, 1 << log_size)).astype(np.uint64)
    values = evaluated(rows, log_size, q, psi)
    given, expected = (values, rows) if op == "intt" else (rows, values)
    with open_simulated(wanted, progress=progress) as device:
        instructions, job, found = _run(device, design, op, log_size, q, psi, given)
    if not np.array_equal(found, expected):
        raise wrong(device, f"another {op} than its definition")
    return SliceRun(
        design=design.name,
        lanes=design.lanes,
        op=op,
        log_size=log_size,
        slices=slices,
        log_n=design.log_n_max,
        modulus=q,
        ring=ring,
        instructions=instructions,
        cycles=job.cycles,
        transform=job.busy["COMPUTE"],
        bound=slices * (log_size << log_size) // (2 * design.lanes),
    )


def context_image(native: Any, log_size: int, q: int, psi: int, constant: int = 1, factor: int = 1) -> bytes:
    size = lib.rs_plan_size(log_size)
    memory, plan = ffi.new("uint64_t[]", size // 8 + 1), ffi.new("rs_plan_t const **")
    if lib.rs_plan_init(plan, span(memory), log_size, q, psi) != lib.RS_OK:
        raise ParameterError("MODULUS", f"{psi} is no root of order {2 << log_size} modulo {q}.")
    image = ffi.new("uint8_t[]", lib.rs_design_context_bytes(native, log_size))
    lib.rs_image_context(native, plan[0], constant, factor, image)
    return bytes(ffi.buffer(image))


def program_text(design: Design, op: str, log_size: int, count: int, first: int) -> str:
    """Loads so many polynomials, transforms them by one instruction and stores them. first: where they are, behind the context."""
    octets = 8 if design.word_bits > 32 else 4
    step = octets << log_size
    wide = " wide" if octets == 8 else ""
    ahead, behind = (" ntt", "") if op == "intt" else ("", " ntt")
    size = f" log_size{log_size}" if design.slices > 1 else ""

    def slice_of(i: int) -> str:
        return size + (f" slice_dst{i}" if i else "")

    several = f" slices{count - 1}" if count > 1 else ""
    return "\n".join(
        [
            f"CONTEXT ctx0 [p0 + 0x0]{size}",
            *(f"LOAD g0 ctx0 [p0 + {first + i * step:#x}]{wide}{ahead}{slice_of(i)}" for i in range(count)),
            f"{op.upper()} g0 ctx0{size}{several}",
            *(f"STORE g0 [p0 + {first + i * step:#x}]{wide}{behind}{slice_of(i)}" for i in range(count)),
            "END",
        ]
    )


def _run(
    device: SimulatedDevice, design: Design, op: str, log_size: int, q: int, psi: int, rows: Polynomials
) -> tuple[int, ProgramRun, Polynomials]:
    """Instructions of the program, its run, and what it stored."""
    bench = BusMemory(device)
    octets = 8 if design.word_bits > 32 else 4
    context = context_image(lib.rs_device_design(device._device), log_size, q, psi)
    first = -(-len(context) // LINE) * LINE
    text = program_text(design, op, log_size, len(rows), first)
    data = rows.astype(f"<u{octets}").tobytes()
    bench.put(0, context)
    bench.put(first, data)
    job = bench.run(text, design.log_n_max if design.slices > 1 else log_size)
    stored = np.frombuffer(bench.get(first, len(data)), f"<u{octets}").astype(np.uint64)
    return len(text.split("\n")), job, stored.reshape(rows.shape)
