# SPDX-License-Identifier: Apache-2.0
"""ML-KEM, ML-DSA and NewHope on a core with fields in RTL simulation: cycles of each program, results compared with the library's. And Keccak alone."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any

from ..designs import Design
from ..devices.silent import SilentCore
from ..devices.simulated import SimulatedDevice, open_simulated
from ..errors import DeviceError, SecretKeyError
from ..native.library import lib
from ..operations import BLISS, KECCAK, NEWHOPE, RING, TABLE
from ..progress import Progress
from ..sim.core import ProgramRun
from ..sim.options import Simulated
from . import rings
from .known import KnownCall, known, scheme_on
from .programs import BusMemory, SchemeRun, figures, wrong

BLOCKS = 9  # blocks of the longer message by which a permutation is timed
RATE = 136  # the rate of SHAKE256
# programs of a signature: a set-up, then for each round what comes before the challenge and after it; of a verification
# the hash after the hints
SIGN_SET_UP, ROUND_PROGRAMS = 1, 2
DECAPS_SEALED = "decaps-sealed"


def _begun(device: SilentCore | SimulatedDevice, op: str) -> tuple[KnownCall, Any]:
    """An operation, and its scheme on the device, where the call that comes before it was made."""
    wanted, scheme = known(TABLE[op]), scheme_on(TABLE[op], device)
    wanted.before(scheme)
    return wanted, scheme


def silent_programs(device: SilentCore, op: str) -> list[tuple[int, ...]]:
    """Words of the programs of an operation, on a core that computes nothing: results are wrong, and nobody sees them."""
    wanted, scheme = _begun(device, op)
    before = len(device.programs)
    with suppress(SecretKeyError):  # a key of zeros
        wanted.call(scheme)
    return device.programs[before:]


def _programs(device: SimulatedDevice, op: str, times: int = 1) -> list[ProgramRun]:
    """Those of an operation, done so many times. DeviceError: another result than the library's."""
    wanted, scheme = _begun(device, op)
    jobs = list[ProgramRun]()
    device.finished = jobs.append
    for _ in range(times):
        if wanted.call(scheme) != wanted.result:
            raise wrong(device, "other bytes than the library")
    return jobs


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
    with open_simulated(wanted, progress=progress) as device:
        if row.scheme == KECCAK:
            return _keccak(device, design)
        programs = figures(_programs(device, op, 2 if row.what == DECAPS_SEALED else 1))
        instructions = int(lib.rs_device_report(device._device).instructions)
    set_up = rounds = 0
    cycles = sum(one.cycles for one in programs)
    if row.what == "sign":
        rounds = (len(programs) - SIGN_SET_UP) // ROUND_PROGRAMS
        set_up, cycles = programs[0].cycles, sum(one.cycles for one in programs[-ROUND_PROGRAMS:])
    elif row.what == "sign-sealed":  # each round is a program
        rounds, cycles = len(programs), programs[-1].cycles
    elif row.what == DECAPS_SEALED:  # the first one hashes what is bound to the key
        cycles = programs[-1].cycles
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
