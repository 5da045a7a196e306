# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA on a core with fields in RTL simulation: cycles of each program, results compared with the library's. And Keccak alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..designs import Design
from ..errors import DeviceError
from ..executors.simulated import SimulatedDevice, open_simulated
from ..native.library import ffi, lib
from ..pqc import KEM_SETS, MLDSA, MLKEM, SIGNATURE_SETS
from ..pqc.on_core import SchemeCore
from ..progress import Progress
from ..sim.asm import assemble
from ..sim.core import ProgramRun
from ..sim.options import Simulated

SEALED = "decaps-sealed"  # of a core that keeps the key
KEM_OPS = ("keygen", "encaps", "decaps", SEALED)
SIGNATURE_OPS = ("keygen", "sign", "verify")
KECCAK = "keccak"
BLOCKS = 9  # of the longer message by which a permutation is timed
RATE = 136  # of SHAKE256
OPERATIONS = (
    *(f"{name.lower()}-{op}" for name in KEM_SETS for op in KEM_OPS),
    *(f"{name.lower()}-{op}" for name in SIGNATURE_SETS for op in SIGNATURE_OPS),
    KECCAK,
)
SEED, MESSAGE = bytes(range(64)), b"a message of some bytes"
# of a signature: a set-up, then for each round what comes before the challenge and after it; of a verification the hash after the hints
SIGN_SET_UP, ROUND_PROGRAMS = 1, 2


@dataclass(frozen=True)
class ProgramFigures:
    """One program, from doorbell to interrupt. busy: cycles in which each unit ran an instruction."""

    cycles: int
    busy: dict[str, int]
    read_beats: int
    write_beats: int


@dataclass(frozen=True)
class SchemeRun:
    """cycles: of all programs of an operation; of a signature those of one round that is not refused, and its set-up apart. instructions: of the last one."""

    design: str
    op: str
    set: str
    cycles: int
    set_up: int
    rounds: int
    instructions: int
    programs: tuple[ProgramFigures, ...]

    def busy(self, unit: str) -> int:
        """Cycles in which a unit ran an instruction, in all programs."""
        return sum(one.busy[unit] for one in self.programs)


def _figures(jobs: list[ProgramRun]) -> tuple[ProgramFigures, ...]:
    return tuple(ProgramFigures(job.cycles, dict(job.busy), job.read_beats, job.write_beats) for job in jobs)


def _on_core(
    scheme: MLKEM | MLDSA, call: Callable[[], Any], expected: Any, design: Design
) -> tuple[list[ProgramRun], int]:
    """The programs of a call, and instructions of the last one. DeviceError: another result than the library's."""
    core = scheme._core
    assert isinstance(core, SchemeCore)
    assert isinstance(core.device, SimulatedDevice)
    core.device.core.forget()
    found = call()
    if found != expected:
        raise DeviceError("SIMULATION", f"{design.name} computes other bytes than the library: a fault of the RTL.")
    return list(core.device.core.jobs()), int(lib.rs_device_report(core.device._device).instructions)


def _kem(scheme: MLKEM, plain: MLKEM, op: str, design: Design) -> tuple[list[ProgramRun], int]:
    ek, dk = plain.keygen(SEED)
    shared, ct = plain.encaps(ek, SEED[:32])
    if op == "keygen":
        return _on_core(scheme, lambda: scheme.keygen(SEED), (ek, dk), design)
    if op == "encaps":
        return _on_core(scheme, lambda: scheme.encaps(ek, SEED[:32]), (shared, ct), design)
    if op == SEALED:
        scheme.seal(SEED)
        return _on_core(scheme, lambda: scheme.decaps_sealed(ct), shared, design)
    return _on_core(scheme, lambda: scheme.decaps(dk, ct), shared, design)


def _signature(scheme: MLDSA, plain: MLDSA, op: str, design: Design) -> tuple[list[ProgramRun], int]:
    pk, sk = plain.keygen(SEED[:32])
    if op == "keygen":
        return _on_core(scheme, lambda: scheme.keygen(SEED[:32]), (pk, sk), design)
    signature = plain.sign(sk, MESSAGE, deterministic=True)
    if op == "sign":
        return _on_core(scheme, lambda: scheme.sign(sk, MESSAGE, deterministic=True), signature, design)
    return _on_core(scheme, lambda: scheme.verify(pk, MESSAGE, signature), True, design)


def measure(wanted: Simulated, op: str, progress: Progress | None = None) -> SchemeRun:
    """One of OPERATIONS. DeviceError: the design has no fields, or computes something else than the library."""
    design = wanted.design
    if not design.fields:
        raise DeviceError(
            "DESIGN", f"{design.name} cannot compute {op}.", "Take a design with [fields], such as pqc-4."
        )
    device = open_simulated(wanted, progress=progress)
    if op == KECCAK:
        return _keccak(device, design)
    name = next(name for name in (*KEM_SETS, *SIGNATURE_SETS) if op.startswith(f"{name.lower()}-"))
    what = op.removeprefix(f"{name.lower()}-")
    try:
        if name in KEM_SETS:
            kem = MLKEM._on(name, device)
            jobs, instructions = _kem(kem, MLKEM(name), what, design)
        else:
            dsa = MLDSA._on(name, device)
            jobs, instructions = _signature(dsa, MLDSA(name), what, design)
    finally:
        device.close()
    programs = _figures(jobs)
    set_up = rounds = 0
    cycles = sum(one.cycles for one in programs)
    if what == "sign":
        rounds = (len(programs) - SIGN_SET_UP) // ROUND_PROGRAMS
        set_up, cycles = programs[0].cycles, sum(one.cycles for one in programs[-ROUND_PROGRAMS:])
    return SchemeRun(design.name, what, name, cycles, set_up, rounds, instructions, programs)


def _hash(device: SimulatedDevice, message: bytes) -> ProgramRun:
    """HASH of a message by SHAKE256, and STORED of its digest."""
    text = f"HASH d0 [p0 + 0x0] hash1 halves1 bytes{len(message)}\nSTORED d0 [p0 + 0x1000]\nEND"
    words = assemble(text.replace("d0 [", "d0 d0 [", 1))
    room, address = ffi.new("size_t *"), ffi.new("uint64_t *")
    memory = lib.rs_device_memory(device._device, room, address)
    ffi.memmove(memory, message, len(message))
    program, pointers = ffi.new("uint64_t[]", words), ffi.new("uint64_t[]", [address[0]])
    run = ffi.new("rs_run_t *", {"words": program, "length": len(words), "pointers": pointers, "pointer_count": 1})
    run.log_n = int(device.design.log_n_max)
    device.core.forget()
    device.check(lib.rs_device_run(device._device, run))
    if bytes(ffi.buffer(memory + 0x1000, 64)) != hashlib.shake_256(message).digest(64):
        raise DeviceError("SIMULATION", f"{device.name} computes another SHAKE256: a fault of the RTL.")
    return device.core.jobs()[-1]


def _keccak(device: SimulatedDevice, design: Design) -> SchemeRun:
    """cycles: of one permutation, with its block's way from memory. programs: a message of one block, and a longer one."""
    try:
        one, more = _hash(device, bytes(RATE - 1)), _hash(device, bytes(RATE * BLOCKS - 1))
    finally:
        device.close()
    cycles = (more.cycles - one.cycles) // (BLOCKS - 1)
    return SchemeRun(design.name, KECCAK, "SHAKE256", cycles, 0, 0, 3, _figures([one, more]))
