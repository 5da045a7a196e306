# SPDX-License-Identifier: Apache-2.0
"""ML-KEM, ML-DSA and NewHope on a core with fields in RTL simulation: cycles of each program, results compared with the library's. And Keccak alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..designs import Design
from ..errors import DeviceError, SecretKeyError
from ..executors.accelerator import Accelerator
from ..executors.silent import SilentCore
from ..executors.simulated import SimulatedDevice, open_simulated
from ..native.library import ffi, lib
from ..pqc import KEM_SETS, MLDSA, MLKEM, SIGNATURE_SETS, NewHope
from ..pqc.on_core import SchemeCore
from ..progress import Progress
from ..sim.asm import assemble
from ..sim.core import ProgramRun
from ..sim.options import Simulated

SEALED, SIGN_SEALED = "decaps-sealed", "sign-sealed"  # operations of a core that keeps the key
KEM_OPS = ("keygen", "encaps", "decaps", SEALED)
SIGNATURE_OPS = ("keygen", "sign", "verify", SIGN_SEALED)
KECCAK = "keccak"
BLOCKS = 9  # blocks of the longer message by which a permutation is timed
RATE = 136  # the rate of SHAKE256
OPERATIONS = (
    *(f"{name.lower()}-{op}" for name in KEM_SETS for op in KEM_OPS),
    *(f"{name.lower()}-{op}" for name in SIGNATURE_SETS for op in SIGNATURE_OPS),
    KECCAK,
)
# whole; on cores without fields the first two are products in its ring (cycles.rings)
NEWHOPE = "newhope"
EXCHANGE = tuple(f"{NEWHOPE}-{op}" for op in ("server", "client", "finish"))
SEED, MESSAGE = bytes(range(64)), b"a message of some bytes"
# programs of a signature: a set-up, then for each round what comes before the challenge and after it; of a verification
# the hash after the hints
SIGN_SET_UP, ROUND_PROGRAMS = 1, 2


OnCore = MLKEM | MLDSA | NewHope
Called = tuple[Callable[[], Any], Any]  # what the device does, and what the library says to that


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


def _on_core(scheme: OnCore, call: Callable[[], Any], expected: Any, design: Design) -> tuple[list[ProgramRun], int]:
    """The programs of a call, and instructions of the last one. DeviceError: another result than the library's."""
    core = scheme._core
    assert isinstance(core, SchemeCore)
    assert isinstance(core.device, SimulatedDevice)
    core.device.core.forget()
    found = call()
    if found != expected:
        raise DeviceError("SIMULATION", f"{design.name} computes other bytes than the library: a fault of the RTL.")
    return list(core.device.core.jobs()), int(lib.rs_device_report(core.device._device).instructions)


def _kem(scheme: MLKEM, plain: MLKEM, op: str) -> Called:
    ek, dk = plain.keygen(SEED)
    shared, ct = plain.encaps(ek, SEED[:32])
    if op == "keygen":
        return lambda: scheme.keygen(SEED), (ek, dk)
    if op == "encaps":
        return lambda: scheme.encaps(ek, SEED[:32]), (shared, ct)
    if op == SEALED:
        scheme.seal(SEED)
        return lambda: scheme.decaps_sealed(ct), shared
    return lambda: scheme.decaps(dk, ct), shared


def _signature(scheme: MLDSA, plain: MLDSA, op: str) -> Called:
    pk, sk = plain.keygen(SEED[:32])
    if op == "keygen":
        return lambda: scheme.keygen(SEED[:32]), (pk, sk)
    signature = plain.sign(sk, MESSAGE, deterministic=True)
    if op == "sign":
        return lambda: scheme.sign(sk, MESSAGE, deterministic=True), signature
    if op == SIGN_SEALED:
        scheme.seal(SEED[:32])
        return lambda: scheme.sign_sealed(MESSAGE, deterministic=True), signature
    return lambda: scheme.verify(pk, MESSAGE, signature), True


def exchange(what: str, scheme: NewHope, plain: NewHope) -> tuple[tuple[bytes, ...], tuple[bytes, ...], Called]:
    """Inputs of an operation of NewHope, its outputs by the library, and the call. plain: of the same stream, on this machine's processor."""
    seeds, noise = (SEED[:32], SEED[32:]), SEED[16:48]
    message, secret = plain.server(seeds)
    if what == "server":
        return seeds, (message, secret), (lambda: scheme.server(seeds), (message, secret))
    answer, shared = plain.client(message, noise)
    if what == "client":
        return (message, noise), (answer, shared), (lambda: scheme.client(message, noise), (answer, shared))
    return (answer, secret), (shared,), (lambda: scheme.shared(secret, answer), shared)


def _set_of(op: str) -> tuple[str, str]:
    """ML-KEM-768 and encaps, of ml-kem-768-encaps."""
    if op in EXCHANGE:
        return NewHope.name, op.removeprefix(f"{NEWHOPE}-")
    name = next(name for name in (*KEM_SETS, *SIGNATURE_SETS) if op.startswith(f"{name.lower()}-"))
    return name, op.removeprefix(f"{name.lower()}-")


def _call(device: Accelerator, op: str) -> tuple[OnCore, Called]:
    """A scheme on the device, and one of OPERATIONS but Keccak, or of EXCHANGE."""
    name, what = _set_of(op)
    if name == NewHope.name:
        hope = NewHope._on(device)
        return hope, exchange(what, hope, NewHope(research=True, noise="shake256"))[2]
    if name in KEM_SETS:
        kem = MLKEM._on(name, device)
        return kem, _kem(kem, MLKEM(name), what)
    dsa = MLDSA._on(name, device)
    return dsa, _signature(dsa, MLDSA(name), what)


def silent_programs(device: SilentCore, op: str) -> list[tuple[int, ...]]:
    """Words of the programs of an operation, on a core that computes nothing: results are wrong, and nobody sees them."""
    _, (call, _) = _call(device, op)
    before = len(device.programs)
    with suppress(SecretKeyError):  # a key of zeros
        call()
    return device.programs[before:]


def measure(wanted: Simulated, op: str, progress: Progress | None = None) -> SchemeRun:
    """One of OPERATIONS or EXCHANGE. DeviceError: the design has no fields, or computes something else than the library."""
    design = wanted.design
    if not design.fields:
        raise DeviceError(
            "DESIGN", f"{design.name} cannot compute {op}.", "Take a design with [fields], such as pqc-4."
        )
    device = open_simulated(wanted, progress=progress)
    if op == KECCAK:
        return _keccak(device, design)
    name, what = _set_of(op)
    try:
        scheme, (call, expected) = _call(device, op)
        jobs, instructions = _on_core(scheme, call, expected, design)
    finally:
        device.close()
    programs = _figures(jobs)
    set_up = rounds = 0
    cycles = sum(one.cycles for one in programs)
    if what == "sign":
        rounds = (len(programs) - SIGN_SET_UP) // ROUND_PROGRAMS
        set_up, cycles = programs[0].cycles, sum(one.cycles for one in programs[-ROUND_PROGRAMS:])
    elif what == SIGN_SEALED:  # each round is a program
        rounds, cycles = len(programs), programs[-1].cycles
    return SchemeRun(design.name, what, name, cycles, set_up, rounds, instructions, programs)


def hash_text(size: int) -> str:
    """SHAKE256 of a message of so many bytes, 64 bytes of it."""
    return f"HASH d0 d0 [p0 + 0x0] hash1 halves1 bytes{size}\nSTORED d0 [p0 + 0x1000]\nEND"


def _hash(device: SimulatedDevice, message: bytes) -> ProgramRun:
    """HASH of a message by SHAKE256, and STORED of its digest."""
    words = assemble(hash_text(len(message)))
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
