# SPDX-License-Identifier: Apache-2.0
"""An operation on a whole simulated SoC (soc/): every stage from values to ciphertext, compared with the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..engines.core import CoreDesign
from ..errors import DeviceError, ParameterError
from ..executors.accelerator import UNITS, fits
from ..executors.cpu import CPU
from ..executors.simulated import POLYS
from ..native.library import CData, ffi, get_bytes, lib
from ..native.rng import DeterministicRng
from ..objects.ciphertext import Ciphertext
from ..objects.context import Context
from ..objects.keys import PublicKey, SecretKey
from ..objects.params import Parameters
from ..objects.plaintext import Plaintext
from ..progress import Progress
from ..sim.program import native_design
from ..sim.verilate import SimulationError
from ..soc import build
from ..soc.job import STAGES, Given, Memory
from ..soc.run import Cycles, Ran, run
from .operation import SEED, parameters

ALONE = "none"  # the processor without a core
DECRYPT = 3  # OP_DECRYPT of soc/firmware/job.h; encryptions have the library's numbers
OPS = {
    "encrypt-pk": int(lib.RS_ENCRYPT_PK),
    "encrypt-pk-direct": int(lib.RS_ENCRYPT_PK_DIRECT),
    "encrypt-sk": int(lib.RS_ENCRYPT_SK),
    "decrypt": DECRYPT,
}
SLACK_BYTES = 1 << 16
_ENCRYPTING = {"software": "encrypt", "in": "message in", "out": "ciphertext out"}
_DECRYPTING = {"software": "decrypt", "in": "ciphertext in", "out": "plaintext out"}


@dataclass(frozen=True)
class Count:
    """On the processor. Instructions that wait for the core are not counted."""

    cycles: int
    instructions: int


@dataclass(frozen=True)
class System:
    """cycles, instructions: sums of the stages, from the values to the ciphertext, or back. setup: opening the core, loading context and
    keys, once. units: cycles that each unit of the core ran an instruction. calls: the last one is measured. simulated: all cycles."""

    design: str
    op: str
    n: int
    limbs: int
    moduli: list[int]
    latency: int
    calls: int
    cycles: int
    instructions: int
    stages: dict[str, Count]
    setup: Count
    units: dict[str, int]
    program_instructions: int
    register_accesses: int
    simulated: int
    bit_exact: bool


@dataclass(frozen=True)
class _Case:
    """given: for the firmware; check: whether what came out is the library's."""

    given: Given
    check: Callable[[Ran], bool]


def check(design: CoreDesign | None, op: str, n: int, limbs: int, bits: int) -> Parameters:
    """The parameters. ParameterError: no such operation or primes. DeviceError: the design cannot compute with them."""
    if op not in OPS:
        raise ParameterError("OP", f"There is no operation {op!r}.", f"Operations: {', '.join(OPS)}.")
    params = parameters(op, n, limbs, bits)
    if design is not None:
        fits(native_design(design), params._native, design.name)
    return params


def build_soc(design: CoreDesign | None, progress: Progress | None = None) -> tuple[Path, Path]:
    """Simulator and firmware, from the cache or built. DeviceError: something is missing, or does not compile."""
    try:
        return build.program(design, progress), build.firmware()
    except SimulationError as error:
        raise DeviceError("SIMULATION", f"The SoC cannot be built: {error}") from error


def measure(
    design: CoreDesign | None,
    op: str,
    n: int,
    limbs: int,
    bits: int,
    *,
    latency: int = 20,
    stall: int = 0,
    calls: int = 1,
    progress: Cycles | None = None,
) -> System:
    """One operation on a SoC. design None: by software. Builds what is not in the cache (build_soc).

    ParameterError: no such operation or primes. DeviceError: the design cannot do it, the SoC cannot be built, the run failed.
    """
    params = check(design, op, n, limbs, bits)
    context = Context(params)
    case = _case(context, design, op, limbs, calls)
    program, elf = build_soc(design)
    memory = Memory(case.given, _arena_bytes(params, op, limbs))
    try:
        ran = run(program, elf, memory, latency=latency, stall=stall, progress=progress)
    except SimulationError as error:
        raise DeviceError("SIMULATION", f"The simulation of the SoC failed: {error}") from error
    return _system(ran, case, design, op, params, limbs, latency, calls)


def _system(
    ran: Ran, case: _Case, design: CoreDesign | None, op: str, params: Parameters, limbs: int, latency: int, calls: int
) -> System:
    job = ran.job
    names = _DECRYPTING if op == "decrypt" else _ENCRYPTING
    counts = {
        names.get(stage, stage): Count(int(count.cycles), int(count.instructions))
        for stage, count in zip(STAGES, job.stages, strict=True)
        if count.cycles
    }
    return System(
        design=design.name if design else ALONE,
        op=op,
        n=params.n,
        limbs=limbs,
        moduli=list(params.moduli),
        latency=latency,
        calls=calls,
        cycles=sum(count.cycles for count in counts.values()),
        instructions=sum(count.instructions for count in counts.values()),
        stages=counts,
        setup=Count(int(job.setup.cycles), int(job.setup.instructions)),
        units=dict(zip(UNITS, map(int, job.unit_cycles), strict=True)) if design else {},
        program_instructions=int(job.program_words),
        register_accesses=int(job.accesses),
        simulated=ran.cycles,
        bit_exact=case.check(ran),
    )


def _arena_bytes(params: Parameters, op: str, limbs: int) -> int:
    """What the firmware takes: context, workspace, a copy of a plaintext. Both machines have 64 bits and the same structs."""
    context = Context(params)._pointer
    kinds = (lib.RS_ENCRYPT_SK, lib.RS_ENCRYPT_PK, lib.RS_ENCRYPT_PK_DIRECT)
    sizes = [int(lib.rs_encrypt_workspace(context, kind)) for kind in kinds]
    sizes += [int(getattr(lib, f"rs_{name}_workspace")(context)) for name in ("decrypt", "decode", "device")]
    return int(lib.rs_context_size(params._native)) + max(sizes) + 8 * params.n * limbs + SLACK_BYTES


def _seed() -> DeterministicRng:
    return DeterministicRng(ffi.new("rs_seed_t *", {"bytes": SEED}))


def _case(context: Context, design: CoreDesign | None, op: str, limbs: int, calls: int) -> _Case:
    """Keys, a message and the library's result."""
    values = np.random.default_rng(1).normal(size=context.slots)
    scale = context.params.default_scale
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        public = context.public_key(secret, insecure_deterministic_seed=SEED)
        kind = int(lib.RS_ENCRYPT_SK) if op == "decrypt" else OPS[op]
        key = secret if kind == lib.RS_ENCRYPT_SK else public
        ciphertext = _encrypted(context, key, kind, values, scale, limbs)
        given = ciphertext.expand().data.tobytes() if op == "decrypt" else b""
        check = _decryption(context, ciphertext, secret, limbs) if op == "decrypt" else _encryption(ciphertext)
        stream = _seed()
        shared = 0
        if design is not None:
            shared = int(lib.rs_device_memory_bytes(native_design(design), context.params._native, POLYS))
        words = 8 * context.n * len(context.params.moduli)
        with secret._handle.borrow() as native_key:
            secret_words = bytes(ffi.buffer(native_key.ntt, words))
        return _Case(
            Given(
                op=OPS[op],
                device=design is not None,
                calls=calls,
                log_n=context.params.log_n,
                moduli=list(context.params.moduli),
                limbs=limbs,
                scale=scale,
                values=values.tobytes(),
                public_key=bytes(ffi.buffer(_expanded(public), 2 * words)),
                secret_key=secret_words,
                ciphertext=given,
                entropy=(stream.draw(), stream.draw()),
                shared_bytes=shared,
            ),
            check,
        )


def _expanded(public: PublicKey) -> CData:
    return public._handle.expanded().data


def _encrypted(
    context: Context, key: SecretKey | PublicKey, kind: int, values: np.ndarray, scale: float, limbs: int
) -> Ciphertext:
    """With the seeds that the firmware gets."""
    ciphertext = Ciphertext._new(context, limbs, kind == lib.RS_ENCRYPT_SK, "shake256")
    with context.encode(values, scale=scale, level=limbs - 1) as plaintext:
        CPU.encrypt(context._handle, key._handle, plaintext._native, kind, ciphertext._native, _seed())
    return ciphertext


def _encryption(wanted: Ciphertext) -> Callable[[Ran], bool]:
    words = wanted.data.tobytes()
    seed = get_bytes(wanted._native.seed.bytes, len(SEED)) if wanted._native.seeded else None

    def check(ran: Ran) -> bool:
        same = ran.at(ran.job.ciphertext, len(words)) == words
        return same and (seed is None or bytes(ran.job.seed) == seed)

    return check


def _decryption(context: Context, ciphertext: Ciphertext, secret: SecretKey, limbs: int) -> Callable[[Ran], bool]:
    plaintext: Plaintext = context.decrypt(ciphertext, secret, limbs=limbs)
    words = plaintext.data.tobytes()
    values = context.decode(plaintext).tobytes()

    def check(ran: Ran) -> bool:
        return ran.at(ran.job.plaintext, len(words)) == words and ran.at(ran.job.decoded, len(values)) == values

    return check
