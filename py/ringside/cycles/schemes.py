# SPDX-License-Identifier: Apache-2.0
"""ML-KEM, ML-DSA and NewHope on a core with fields in RTL simulation: cycles of each program, results compared with the library's. And Keccak alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..designs import Design
from ..errors import DeviceError, SecretKeyError
from ..devices.accelerator import Accelerator
from ..devices.silent import SilentCore
from ..devices.simulated import SimulatedDevice, open_simulated
from ..native.library import lib
from ..operations import BLISS, KECCAK, KEMS, NEWHOPE, RING, TABLE
from ..pqc import MLDSA, MLKEM, NewHope
from ..pqc.on_core import SchemeCore
from ..progress import Progress
from ..sim.core import ProgramRun
from ..sim.options import Simulated
from . import rings
from .programs import BusMemory, SchemeRun, figures, wrong

BLOCKS = 9  # blocks of the longer message by which a permutation is timed
RATE = 136  # the rate of SHAKE256
SEED, MESSAGE = bytes(range(64)), b"a message of some bytes"
# programs of a signature: a set-up, then for each round what comes before the challenge and after it; of a verification
# the hash after the hints
SIGN_SET_UP, ROUND_PROGRAMS = 1, 2


OnCore = MLKEM | MLDSA | NewHope
Called = tuple[Callable[[], Any], Any]  # what the device does, and what the library says to that


def _on_core(scheme: OnCore, call: Callable[[], Any], expected: Any) -> tuple[list[ProgramRun], int]:
    """The programs of a call, and instructions of the last one. DeviceError: another result than the library's."""
    core = scheme._core
    assert isinstance(core, SchemeCore)
    assert isinstance(core.device, SimulatedDevice)
    core.device.core.forget()
    found = call()
    if found != expected:
        raise wrong(core.device, "other bytes than the library")
    return list(core.device.core.jobs()), int(lib.rs_device_report(core.device._device).instructions)


def _kem(scheme: MLKEM, plain: MLKEM, op: str) -> Called:
    ek, dk = plain.keygen(SEED)
    shared, ct = plain.encaps(ek, SEED[:32])
    if op == "keygen":
        return lambda: scheme.keygen(SEED), (ek, dk)
    if op == "encaps":
        return lambda: scheme.encaps(ek, SEED[:32]), (shared, ct)
    if op == "decaps-sealed":
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
    if op == "sign-sealed":
        scheme.seal(SEED[:32])
        return lambda: scheme.sign_sealed(MESSAGE, deterministic=True), signature
    return lambda: scheme.verify(pk, MESSAGE, signature), True


def exchange(what: str, scheme: NewHope, plain: NewHope) -> tuple[tuple[bytes, ...], tuple[bytes, ...], Called]:
    """Inputs of an operation of NewHope, its outputs by the library, and the call. plain: of the same stream, on this machine's processor."""
    seeds, noise = (SEED[:32], SEED[32:]), SEED[16:48]
    message, secret = plain.server(seeds)
    answer, shared = plain.client(message, noise)
    if what == "begin":
        return seeds, (message, secret), (lambda: scheme.server(seeds), (message, secret))
    if what == "finish":
        return (answer, secret), (shared,), (lambda: scheme.shared(secret, answer), shared)
    if what == "client":
        return (message, noise), (answer, shared), (lambda: scheme.client(message, noise), (answer, shared))
    both = (message, secret), shared
    return seeds, (message, shared), (lambda: (scheme.server(seeds), scheme.shared(secret, answer)), both)


def _call(device: Accelerator, op: str) -> tuple[OnCore, Called]:
    """A scheme on the device, and one of its operations."""
    row = TABLE[op]
    if row.scheme == NEWHOPE:
        hope = NewHope._on(device)
        return hope, exchange(row.what, hope, NewHope(research=True, noise="shake256"))[2]
    if row.scheme in KEMS:
        kem = MLKEM._on(row.scheme, device)
        return kem, _kem(kem, MLKEM(row.scheme), row.what)
    dsa = MLDSA._on(row.scheme, device)
    return dsa, _signature(dsa, MLDSA(row.scheme), row.what)


def silent_programs(device: SilentCore, op: str) -> list[tuple[int, ...]]:
    """Words of the programs of an operation, on a core that computes nothing: results are wrong, and nobody sees them."""
    _, (call, _) = _call(device, op)
    before = len(device.programs)
    with suppress(SecretKeyError):  # a key of zeros
        call()
    return device.programs[before:]


def check(design: Design, op: str) -> None:
    """DeviceError: the design cannot."""
    row = TABLE[op]
    if row.scheme == RING:
        rings.check_design(design, op)
    elif row.scheme == BLISS:
        message = f"{op} is the processor's, for the most part: no core does it whole."
        raise DeviceError("DESIGN", message, f"`ringside soc profile {op}` measures it, --op {op}-ring its products.")
    elif not design.fields:
        hint = "Take a design with [fields], such as pqc-4."
        if row.scheme == NEWHOPE:
            hint += " --op newhope-server-ring and newhope-client-ring measure products alone."
        raise DeviceError("DESIGN", f"{design.name} cannot compute {op}.", hint)


def measure(wanted: Simulated, op: str, progress: Progress | None = None) -> SchemeRun:
    """An operation of a scheme beside CKKS. DeviceError: the design cannot, or computes something else than the library."""
    design, row = wanted.design, TABLE[op]
    check(design, op)
    if row.scheme == RING:
        return rings.measure(wanted, op, progress)
    device = open_simulated(wanted, progress=progress)
    try:
        if row.scheme == KECCAK:
            return _keccak(device, design)
        scheme, (call, expected) = _call(device, op)
        jobs, instructions = _on_core(scheme, call, expected)
    finally:
        device.close()
    programs = figures(jobs)
    set_up = rounds = 0
    cycles = sum(one.cycles for one in programs)
    if row.what == "sign":
        rounds = (len(programs) - SIGN_SET_UP) // ROUND_PROGRAMS
        set_up, cycles = programs[0].cycles, sum(one.cycles for one in programs[-ROUND_PROGRAMS:])
    elif row.what == "sign-sealed":  # each round is a program
        rounds, cycles = len(programs), programs[-1].cycles
    return SchemeRun(design.name, op, row.scheme, cycles, set_up, rounds, instructions, programs)


def hash_text(size: int) -> str:
    """SHAKE256 of a message of so many bytes, 64 bytes of it."""
    return f"HASH d0 d0 [p0 + 0x0] hash1 halves1 bytes{size}\nSTORED d0 [p0 + 0x1000]\nEND"


def _hash(device: SimulatedDevice, message: bytes) -> ProgramRun:
    """HASH of a message by SHAKE256, and STORED of its digest."""
    bench = BusMemory(device)
    bench.put(0, message)
    job = bench.run(hash_text(len(message)), int(device.design.log_n_max))
    if bench.get(0x1000, 64) != hashlib.shake_256(message).digest(64):
        raise wrong(device, "another SHAKE256")
    return job


def _keccak(device: SimulatedDevice, design: Design) -> SchemeRun:
    """cycles: of one permutation, with its block's way from memory. programs: a message of one block, and a longer one."""
    one, more = _hash(device, bytes(RATE - 1)), _hash(device, bytes(RATE * BLOCKS - 1))
    cycles = (more.cycles - one.cycles) // (BLOCKS - 1)
    return SchemeRun(design.name, "keccak", "SHAKE256", cycles, 0, 0, 3, figures([one, more]))
