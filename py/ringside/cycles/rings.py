# SPDX-License-Identifier: Apache-2.0
"""What a ring's transforms do for NewHope-1024 and BLISS-BI: their products on a design's RTL, compared with those of the library's plans.

Noise, reconciliation, challenges and codes are the processor's (`ringside soc profile`): polynomials come from memory and go there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..designs import Design
from ..devices.simulated import SimulatedDevice, open_simulated
from ..errors import DeviceError
from ..native.handles import PlanHandle
from ..native.library import ffi, lib
from ..progress import Progress
from ..sim.core import ProgramRun
from ..sim.options import Simulated
from .programs import LINE, BusMemory, SchemeRun, figures, wrong
from .slices import RINGS, Polynomials, context_image


@dataclass(frozen=True)
class RingProgram:
    """inputs: polynomials at 0, 1, …: "c" coefficients, "v" values, "f" values that are factors, times R. text: its instructions, G for a group's
    context and size. outputs: which polynomials it writes."""

    log_size: int
    inputs: str
    text: str
    outputs: tuple[int, ...]
    groups: int


# s, e, a; b = a s + e
_KEYS = """
LOAD g0 @0
NTT g0
LOAD g1 @1
NTT g1
LOAD g2 @2 ntt
MAC g1 g2 g0
STORE g1 @{b} ntt
"""
# u s
_SHARED = """
LOAD g0 @0 ntt
LOAD g1 @1 ntt
MUL g1 g1 g0
INTT g1
STORE g1 @2
"""
# t, e, a, b, e2; u = a t + e, v = b t + e2
_CLIENT = """
LOAD g0 @0
NTT g0
LOAD g1 @1
NTT g1
LOAD g2 @2 ntt
MAC g1 g2 g0
STORE g1 @5 ntt
LOAD g2 @3 ntt
MUL g2 g2 g0
INTT g2
LOAD g1 @4
ADD g2 g1
STORE g2 @6
"""
# y, a, y2: a y + y2
_BLISS = """
LOAD g0 @0
NTT g0
LOAD g1 @1 ntt
MUL g0 g0 g1
LOAD g1 @2
INTT g0
ADD g0 g1
STORE g0 @3
"""
PROGRAMS: dict[str, tuple[RingProgram, ...]] = {
    "newhope-server-ring": (
        RingProgram(10, "ccf", _KEYS.format(b=3), (3,), 3),
        RingProgram(10, "fv", _SHARED, (2,), 2),
    ),
    "newhope-client-ring": (RingProgram(10, "ccffc", _CLIENT, (5, 6), 3),),
    "bliss-sign-ring": (RingProgram(9, "cfc", _BLISS, (3,), 2),),
    "bliss-verify-ring": (RingProgram(9, "cfc", _BLISS, (3,), 2),),
}


class RingPlan(PlanHandle):
    """The library's transforms."""

    def turned(self, poly: Polynomials, *, inverse: bool = False) -> Polynomials:
        found = np.ascontiguousarray(poly, np.uint64).copy()
        words = ffi.cast("uint64_t *", ffi.from_buffer(found))
        (lib.rs_plan_inverse if inverse else lib.rs_plan_forward)(self.pointer, words)
        return found


def _expected(plan: RingPlan, op: str, step: int, polys: list[Polynomials]) -> list[Polynomials]:
    q = np.uint64(plan.q)
    if op == "newhope-server-ring" and step == 1:
        return [plan.turned(polys[0] * polys[1] % q, inverse=True)]
    if op.startswith("bliss"):
        return [(plan.turned(plan.turned(polys[0]) * polys[1] % q, inverse=True) + polys[2]) % q]
    t = plan.turned(polys[0])
    found = [(polys[2] * t + plan.turned(polys[1])) % q]
    if op == "newhope-client-ring":
        found.append((plan.turned(polys[3] * t % q, inverse=True) + polys[4]) % q)
    return found


def text_of(program: RingProgram, design: Design, first: int) -> str:
    """With contexts, places and sizes."""
    octets = 8 if design.word_bits > 32 else 4
    size = f" log_size{program.log_size}" if design.slices > 1 else ""
    wide = " wide" if octets == 8 else ""
    lines = [f"CONTEXT ctx0 [p0 + 0x0]{size}"]
    for line in program.text.split("\n"):
        name, *operands = line.split() or [""]
        if not name:
            continue
        groups = " ".join(operand for operand in operands if operand.startswith("g"))
        place = next((int(operand[1:]) for operand in operands if operand.startswith("@")), None)
        address = "" if place is None else f" [p0 + {first + place * (octets << program.log_size):#x}]{wide}"
        form = " ntt" if "ntt" in operands else ""
        lines.append(f"{name} {groups}{'' if name == 'STORE' else ' ctx0'}{address}{form}{size}")
    return "\n".join([*lines, "END"])


def _run(
    device: SimulatedDevice, design: Design, program: RingProgram, polys: list[Polynomials], plan: RingPlan, psi: int
) -> tuple[ProgramRun, list[Polynomials]]:
    native, bench = lib.rs_device_design(device._device), BusMemory(device)
    octets = 8 if design.word_bits > 32 else 4
    step = octets << program.log_size
    context = context_image(native, program.log_size, plan.q, psi)
    first = -(-len(context) // LINE) * LINE
    bench.put(0, context)
    for i, (kind, poly) in enumerate(zip(program.inputs, polys, strict=True)):
        row = np.ascontiguousarray(poly, np.uint64)
        pointer = ffi.cast("uint64_t *", ffi.from_buffer(row))
        lib.rs_image_write(native, plan.pointer, bench.memory + first + i * step, pointer, int(kind == "f"))
    log_n = design.log_n_max if design.slices > 1 else program.log_size
    job = bench.run(text_of(program, design, first), log_n)
    stored = [np.frombuffer(bench.get(first + place * step, step), f"<u{octets}") for place in program.outputs]
    return job, [words.astype(np.uint64) for words in stored]


def check_design(design: Design, op: str) -> None:
    """DeviceError: it has too few groups, or no such ring."""
    programs = PROGRAMS[op]
    log_size = programs[0].log_size
    least = min(design.log_n_min, 7) if design.slices > 1 else design.log_n_min
    fits = least <= log_size <= design.log_n_max and RINGS[log_size][0].bit_length() <= design.word_bits
    if not fits or design.bank_groups < max(program.groups for program in programs):
        hint = "newhope and bliss do, each for its scheme, and pqc-4 for both."
        raise DeviceError("DESIGN", f"{design.name} cannot compute {op}.", hint)


def measure(wanted: Simulated, op: str, progress: Progress | None = None) -> SchemeRun:
    """One of PROGRAMS, loads and stores included. DeviceError: the design has too few groups or no such ring, or computes something else than the library."""
    design, programs = wanted.design, PROGRAMS[op]
    log_size = programs[0].log_size
    q, psi, ring = RINGS[log_size]
    check_design(design, op)
    rng, plan = np.random.default_rng(1), RingPlan(1 << log_size, q, psi)
    jobs = []
    with open_simulated(wanted, progress=progress) as device:
        for step, program in enumerate(programs):
            polys = [rng.integers(0, q, 1 << log_size).astype(np.uint64) for _ in program.inputs]
            job, found = _run(device, design, program, polys, plan, psi)
            expected = _expected(plan, op, step, polys)
            if not all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True)):
                raise wrong(device, "other products than the library")
            jobs.append(job)
    instructions = len(text_of(programs[-1], design, 0).split("\n"))
    return SchemeRun(design.name, op, ring, sum(job.cycles for job in jobs), 0, 0, instructions, figures(jobs))
