# SPDX-License-Identifier: Apache-2.0
"""An operation on a whole simulated SoC (soc/): every stage from values to ciphertext, compared with the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..designs import Design
from ..designs.units import UNITS
from ..devices.accelerator import fits
from ..devices.calls import Decryption, Encryption, FixedRows, Messages, Plaintexts, Rows, Slots
from ..devices.cpu import CPU
from ..devices.on_chip import arena_bytes, build_soc, frames_of, given_of, row_of, shared_bytes
from ..errors import DeviceError
from ..native.library import CData, get_bytes, lib
from ..native.rng import SEEDS_DRAWN, RngInTurn
from ..objects.ckks.context import Context
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.keys import SecretKey
from ..objects.common.params import Parameters
from ..objects.common.plaintext import Plaintext
from ..objects.exact.context import ExactContext
from ..objects.keydir import AnyContext, context_for
from ..operations import FRAMES, SWITCH_KEY, TABLE, find
from ..progress import Progress
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES
from ..sim.program import native_design
from ..sim.verilate import reported
from ..soc.job import DECRYPT, KEY_ROW, REAL, STAGES, Given, MemoryImage, NativeFrame
from ..soc.run import Beside, Ran, Waves, run
from .operation import SEED, SLOT, fixed_meaning, frame_seeds, key_row, parameters

# operations of the firmware: rs_encryption_t, or its number for decryption
OPS = {
    name: DECRYPT if row.job == "RS_JOB_DECRYPT" else int(getattr(lib, row.job.replace("_JOB", "")))
    for name, row in TABLE.items()
    if row.on_chip == FRAMES
} | {SWITCH_KEY: KEY_ROW}
_ENCRYPTING = {"software": "encrypt", "in": "message in", "wait": "interrupt", "out": "ciphertext out"}
_DECRYPTING = {"software": "decrypt", "in": "ciphertext in", "wait": "interrupt", "out": "plaintext out"}
_MAKING = {"software": "make row", "in": "secret in", "wait": "interrupt", "out": "row out"}
_DECODING = _DECRYPTING | {"out": "values out"}
_NUMBER = np.dtype(np.int32)
SINGLES = 2  # frames that come before those that share a program: the second has its own


@dataclass(frozen=True)
class Count:
    """Work of the processor. Instructions that wait for the core are not counted."""

    cycles: int
    instructions: int


@dataclass(frozen=True)
class System:
    """cycles, instructions: sums of the stages, from the values to the ciphertext, or back. setup: opening the core, loading context and
    keys, once. units: cycles that each unit of the core ran an instruction. frames: the last one is measured. simulated: all cycles.
    waves: first and last cycle in their file, if there is one.

    overlap: the processor encodes a frame while the core encrypts the one before. Then cycles are those from one frame to the next, on
    average, without the first and the last, which overlap with nothing on one side; stages are only the processor's encode or decode and the core, and instructions are not known (0).

    Where the core itself encodes or decodes, frames share a program if they overlap: program_frames of them, whose program is there. Cycles, instructions and stages are theirs divided by
    their number, units theirs together. single_cycles: of a frame alone, cycles_per_frame: what each further one adds to that.
    """

    design: str
    op: str
    n: int
    limbs: int
    moduli: list[int]
    latency: int
    frames: int
    overlap: bool
    cycles: int
    instructions: int
    stages: dict[str, Count]
    setup: Count
    units: dict[str, int]
    program_instructions: int
    register_accesses: int
    simulated: int
    bit_exact: bool
    waves: tuple[int, int] | None = None
    program_frames: int | None = None
    single_cycles: int | None = None
    cycles_per_frame: int | None = None


@dataclass(frozen=True)
class _Case:
    """given: for the firmware; check: whether what came out is the library's."""

    given: Given
    check: Callable[[Ran], bool]


Check = Callable[[Ran, NativeFrame], bool]


def check(design: Design | None, op: str, n: int, limbs: int, bits: int) -> Parameters:
    """The parameters. ParameterError: no such operation or primes. DeviceError: the design cannot compute with them."""
    find(op, OPS)
    params = parameters(op, n, limbs, bits)
    if TABLE[op].fixed and (design is None or not design.encode):
        raise DeviceError(
            "DESIGN",
            f"{design.name if design else 'Software'} does not encode with the core.",
            "rise-4e does, and designs with encode = true. Without it the processor encodes: --op encrypt-pk-direct, decrypt.",
        )
    if design is not None:
        fits(native_design(design), params._native, design.name)
    return params


def measure(
    design: Design | None,
    op: str,
    n: int,
    limbs: int,
    bits: int,
    *,
    latency: int = CHIP_LATENCY_CYCLES,
    stall: int = 0,
    frames: int = 1,
    overlap: bool = False,
    limit: int | None = None,
    faults: Mapping[str, int] | None = None,
    waves: Waves | None = None,
    beside: Beside | None = None,
    progress: Progress | None = None,
) -> System:
    """An operation on some frames on a SoC; those of a core that encodes share a program if they overlap. design None: by software. Builds what is not in the cache (build_soc). limit: of cycles (soc.run). faults: for tests.
    beside: gates that are simulated. waves: what of them is written. The run may end before they begin: then System.waves is None, and the file is empty.

    ParameterError: no such operation or primes. DeviceError: the design cannot do it, the SoC cannot be built, the run failed.
    """
    params = check(design, op, n, limbs, bits)
    context = context_for(params)
    case = (
        _row_case(context, design, op, frames, overlap)
        if op == SWITCH_KEY
        else _exact_case(context, design, op, limbs, frames, overlap)
        if isinstance(context, ExactContext)
        else _case(context, design, op, limbs, frames, overlap)
    )
    program, elf = build_soc(design, waves=waves is not None, probes=beside.probes if beside else None)
    memory = MemoryImage(case.given, arena_bytes(context._pointer, params._native, encodes=bool(case.given.layout)))
    how: Any = {"latency": latency, "stall": stall, "limit": limit, "faults": faults, "waves": waves, "beside": beside}
    with reported("The simulation of the SoC failed"):
        ran = run(program, elf, memory, **how, progress=progress)
    return _system(ran, case, design, op, params, limbs, latency, frames)


def _system(
    ran: Ran, case: _Case, design: Design | None, op: str, params: Parameters, limbs: int, latency: int, frames: int
) -> System:
    job = ran.job
    share = bool(case.given.overlap) and TABLE[op].fixed  # a program
    overlap = bool(case.given.overlap) and not share
    together = int(job.program_frames) if share else 1
    names = {"decrypt": _DECRYPTING, "decrypt-decode": _DECODING, SWITCH_KEY: _MAKING}.get(TABLE[op].what, _ENCRYPTING)
    counts = {
        names.get(stage, stage): Count(int(count.cycles) // together, int(count.instructions) // together)
        for stage, count in zip(STAGES, job.stages, strict=True)
        if count.cycles and (not overlap or stage in ("encode", "decode", "core"))
    }
    cycles = sum(count.cycles for count in counts.values())
    if overlap:
        cycles = (int(job.before_last_cycles) - int(job.first_cycles)) // (frames - 2)
    shared: dict[str, int] = {}
    if share:
        whole, single = sum(int(count.cycles) for count in job.stages), int(job.single_cycles)
        further = (whole - single) // (together - 1) if together > 1 else single
        shared = {"program_frames": together, "single_cycles": single, "cycles_per_frame": further}
    return System(
        design=design.name if design else ALONE,
        op=op,
        n=params.n,
        limbs=limbs,
        moduli=list(params.moduli),
        latency=latency,
        frames=frames,
        overlap=bool(case.given.overlap),
        cycles=cycles,
        instructions=0 if overlap else sum(count.instructions for count in counts.values()),
        stages=counts,
        setup=Count(int(job.setup.cycles), int(job.setup.instructions)),
        units=dict(zip(UNITS, map(int, job.unit_cycles), strict=True)) if design else {},
        program_instructions=int(job.program_words),
        register_accesses=int(job.accesses),
        simulated=ran.cycles,
        bit_exact=case.check(ran),
        waves=ran.waves,
        **shared,
    )


def _row_case(context: AnyContext, design: Design | None, op: str, frames: int, overlap: bool) -> _Case:
    """Likewise, of a switching key."""
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        made = [key_row(context, secret, index) for index in range(frames)]
        sent = [row_of(key_row(context, secret, index)[0]) for index in range(frames)]
        for row, _ in made:
            CPU.run(row)
        given = given_of(made[0][0], OPS[op], sent, design, overlap=int(overlap))
    same = [_encryption(row.row, words) for row, words in made]

    def check(ran: Ran) -> bool:
        return all(one(ran, frame) for frame, one in zip(ran.frames, same, strict=True))

    return _Case(given, check)


def _exact_case(context: ExactContext, design: Design | None, op: str, limbs: int, frames: int, overlap: bool) -> _Case:
    """Likewise, of integers."""
    decrypts, half = OPS[op] == DECRYPT, context.plain_modulus // 2
    values = [np.random.default_rng(1 + index).integers(-half, half, context.n) for index in range(frames)]
    kind = int(lib.RS_ENCRYPT_SK) if decrypts else OPS[op]
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        key = secret if kind == lib.RS_ENCRYPT_SK else context.public_key(secret, insecure_deterministic_seed=SEED)
        ciphertexts = [Ciphertext._new(context, limbs, key is secret, "shake256") for _ in values]
        natives = [ciphertext._native for ciphertext in ciphertexts]

        def encryption() -> Encryption:
            seeds = RngInTurn([frame_seeds(index) for index in range(frames)], SEEDS_DRAWN[kind])
            return Encryption(context._handle, key._handle, Rows(values), natives, kind, limbs, seeds)

        CPU.run(encryption())
        call: Encryption | Decryption = encryption()
        same = [_encryption(one._native, one.data) for one in ciphertexts]
        if decrypts:
            read = [one.expand() for one in ciphertexts]
            natives = [one._native for one in read]
            call = Decryption(context._handle, secret._handle, Rows(values), natives, [limbs] * frames)
            same = [_values(one.tobytes()) for one in values]
        given = given_of(call, OPS[op], frames_of(call), design, overlap=int(overlap))

    def check(ran: Ran) -> bool:
        return all(one(ran, frame) for frame, one in zip(ran.frames, same, strict=True))

    return _Case(given, check)


def _values(wanted: bytes) -> Check:
    return lambda ran, frame: ran.at(frame.values, len(wanted)) == wanted


def _case(context: Context, design: Design | None, op: str, limbs: int, frames: int, overlap: bool) -> _Case:
    """Keys, messages and the library's results."""
    fixed, decrypts = TABLE[op].fixed, OPS[op] == DECRYPT
    singles = SINGLES if overlap and fixed else 0
    count = singles + 2 * frames if singles else frames  # those of the first program make it
    kind = int(lib.RS_ENCRYPT_SK) if decrypts else OPS[op]
    numbers = [np.random.default_rng(1 + index) for index in range(count)]
    meaning: dict[str, Any] = {}
    scale = context.params.default_scale
    if fixed:
        assert design is not None
        meaning, scale = fixed_meaning(context, op, design.word_bits)
    with context.keygen(insecure_deterministic_seed=SEED) as secret, ExitStack() as stack:
        key = secret if kind == lib.RS_ENCRYPT_SK else context.public_key(secret, insecure_deterministic_seed=SEED)
        if fixed:
            values = [one.integers(-SLOT, SLOT, context.slots, _NUMBER) for one in numbers]
            encoded = [context.encode_fixed(one, scale=scale, level=limbs - 1, **meaning) for one in values]
        else:
            values = [one.normal(size=context.slots) for one in numbers]
            encoded = [context.encode(one, scale=scale, level=limbs - 1) for one in values]
        plaintexts = Plaintexts([stack.enter_context(plaintext)._native for plaintext in encoded])
        ciphertexts = [Ciphertext._new(context, limbs, key is secret, "shake256") for _ in values]

        def encryption(messages: Messages) -> Encryption:
            natives = [ciphertext._native for ciphertext in ciphertexts]
            seeds = RngInTurn([frame_seeds(index) for index in range(count)], SEEDS_DRAWN[kind])
            return Encryption(context._handle, key._handle, messages, natives, kind, limbs, seeds)

        CPU.run(encryption(plaintexts))

        def slots(one: np.ndarray, limbs: int) -> Slots:
            roots = context._fixed[meaning["word_bits"]]
            return Slots(roots, one, meaning["exponent"], meaning["bound"], scale, limbs)

        messages: Messages
        call: Encryption | Decryption
        if decrypts:
            messages = FixedRows([slots(np.zeros_like(one), 1) for one in values]) if fixed else Rows(values)
            read = [one.expand() for one in ciphertexts]
            natives, some = [one._native for one in read], [1 if fixed else limbs] * count
            call = Decryption(context._handle, secret._handle, messages, natives, some)
            same = [_decryption(context, one, secret, limbs, meaning) for one in ciphertexts]
        else:
            messages = FixedRows([slots(one, limbs) for one in values]) if fixed else Rows(values, scale)
            call = encryption(messages)
            same = [_encryption(one._native, one.data) for one in ciphertexts]
        sent = frames_of(call)
        if op == "decrypt":
            sent = [replace(frame, form=REAL, kept=True) for frame in sent]
        given = given_of(
            call,
            OPS[op],
            sent,
            design,
            overlap=frames if singles else int(overlap),
            singles=singles,
            shared_bytes=shared_bytes(design, context.params._native, frames=bool(singles)),
        )

    def check(ran: Ran) -> bool:
        return all(one(ran, frame) for frame, one in zip(ran.frames, same, strict=True))

    return _Case(given, check)


def _encryption(native: CData, data: np.ndarray) -> Check:
    words = data.tobytes()
    seed = get_bytes(native.seed.bytes, len(SEED)) if native.seeded else None

    def check(ran: Ran, frame: NativeFrame) -> bool:
        same = ran.at(frame.ciphertext, len(words)) == words
        return same and (seed is None or bytes(frame.seed) == seed)

    return check


def _decryption(
    context: Context, ciphertext: Ciphertext, secret: SecretKey, limbs: int, meaning: dict[str, Any]
) -> Check:
    """meaning: of numbers that the core decodes."""
    if meaning:
        decoded = context.decrypt_fixed(ciphertext, secret, dtype=_NUMBER, **meaning).tobytes()
        return _values(decoded)
    plaintext: Plaintext = context.decrypt(ciphertext, secret, limbs=limbs)
    words = plaintext.data.tobytes()
    values = context.decode(plaintext).tobytes()

    def check(ran: Ran, frame: NativeFrame) -> bool:
        return ran.at(frame.kept, len(words)) == words and ran.at(frame.values, len(values)) == values

    return check
