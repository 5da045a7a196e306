# SPDX-License-Identifier: Apache-2.0
"""An operation on a design in RTL simulation: compared with the library, cycles counted and explained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engines.core import ENGINE
from ..errors import DeviceError, ParameterError
from ..executors.accelerator import UNITS, Accelerator
from ..executors.simulated import SimulatedDevice, open_simulated
from ..native.library import lib, words_of
from ..objects.context import Context
from ..objects.params import Parameters
from ..progress import Progress
from ..sim.asm import disassemble
from ..sim.core import Job
from ..sim.options import Simulated
from ..sim.program import bound

SEED = bytes(range(64))  # of keys and noise; cycles do not depend on them


@dataclass(frozen=True)
class Unit:
    """bound: cycles it needs at least; busy: cycles it ran instructions; active: cycles it moved data."""

    bound: int
    busy: int
    active: int
    utilisation: float  # busy / cycles of the program


@dataclass(frozen=True)
class Measurement:
    """cycles: from doorbell to interrupt; bound: of the slowest unit if it never waited; ratio: of the two.

    chain: of the instructions that need each other's groups, if no unit were ever busy (ringside.sim.program.Bound).
    """

    design: str
    lanes: int
    op: str
    n: int
    limbs: int
    moduli: list[int]
    instructions: int
    cycles: int
    bound: int
    bound_by: str
    chain: int
    ratio: float
    transforms: int
    passes: int
    read_beats: int
    write_beats: int
    keccak_permutations: int
    idle: int
    overlap: int
    units: dict[str, Unit]


@dataclass(frozen=True)
class Recording:
    """A measurement, and what ran when: job and the program's text."""

    measurement: Measurement
    job: Job
    program: list[str]


def parameters(op: str, n: int, limbs: int, bits: int) -> Parameters:
    """Moduli of that size; encryption has a special prime of the same size behind them."""
    if op not in ENGINE.operations:
        raise ParameterError("OP", f"There is no operation {op!r}.", f"Operations: {', '.join(ENGINE.operations)}.")
    special = 0 if op in ("ntt", "intt") else 1
    return Parameters.from_bits(n, [bits] * (limbs + special), security=0)


def record(wanted: Simulated, op: str, n: int, limbs: int, bits: int, progress: Progress | None = None) -> Recording:
    """Runs one operation on random data.

    ParameterError: no such primes. DeviceError: the design cannot do it, the simulation failed, or its result is not the library's.
    """
    params = parameters(op, n, limbs, bits)
    device = open_simulated(wanted, params._native, progress)
    try:
        context = Context(params)
        run_operation(device, context, op, limbs)
        words = device.program
        job = device.job
    finally:
        device.close()
    design, run = wanted.design, device.runs[-1]
    least = bound(design, params.log_n, words)
    units = {
        unit: Unit(least.units[unit], job.busy[unit], job.active[unit], job.busy[unit] / job.cycles) for unit in UNITS
    }
    measurement = Measurement(
        design=design.name,
        lanes=design.lanes,
        op=op,
        n=n,
        limbs=limbs,
        moduli=list(params.moduli),
        instructions=len(words),
        cycles=run.cycles,
        bound=least.cycles,
        bound_by=least.by,
        chain=least.chain,
        ratio=run.cycles / least.cycles,
        transforms=least.transforms,
        passes=least.passes,
        read_beats=job.read_beats,
        write_beats=job.write_beats,
        keccak_permutations=least.keccak_permutations,
        idle=job.idle,
        overlap=job.overlap,
        units=units,
    )
    return Recording(measurement, job, [disassemble(word) for word in words])


def run_operation(device: SimulatedDevice, context: Context, op: str, limbs: int) -> None:
    """The operation on the device and by the library. DeviceError if they differ."""
    on_device, by_library = (compute(context, op, limbs, use) for use in (device, None))
    if not np.array_equal(on_device, by_library):
        raise DeviceError("SIMULATION", f"{device.name} computes another {op} than the library: a fault of the RTL.")


def compute(context: Context, op: str, limbs: int, device: Accelerator | None) -> NDArray[np.uint64]:
    """The result's words for fixed random data, computed by the device or, without one, by the library."""
    if op not in ("ntt", "intt"):
        return _crypto(context, op, limbs, device)
    words = np.random.default_rng(1).integers(0, context.params.moduli[0], context.n, np.uint64)
    inverse = op == "intt"
    if device is None:
        (lib.rs_ntt_inverse if inverse else lib.rs_ntt_forward)(context._pointer, 0, words_of(words))
    else:
        device.transform(context._handle, 0, words_of(words), inverse=inverse)
    return words


def _crypto(context: Context, op: str, limbs: int, device: Accelerator | None) -> NDArray[np.uint64]:
    values = np.random.default_rng(1).normal(size=context.slots)
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        key = (
            secret if op in ("encrypt-sk", "decrypt") else context.public_key(secret, insecure_deterministic_seed=SEED)
        )
        context.accelerator = None if op == "decrypt" else device
        ciphertext = context.encrypt(
            values,
            key,
            scale=context.params.default_scale,
            level=limbs - 1,
            special_prime=op == "encrypt-pk",
            insecure_deterministic_seed=SEED,
        )
        if op != "decrypt":
            return ciphertext.data.copy()
        context.accelerator = device
        with context.decrypt(ciphertext.expand(), secret) as plaintext:
            return plaintext.data.copy()
