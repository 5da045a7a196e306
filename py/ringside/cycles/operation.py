# SPDX-License-Identifier: Apache-2.0
"""An operation on a design in RTL simulation: compared with the library, cycles counted and explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..designs import Design
from ..designs.units import UNITS
from ..devices.accelerator import Accelerator
from ..devices.calls import Plaintexts, SwitchRow, Transform
from ..devices.cpu import CPU
from ..devices.silent import SilentCore
from ..devices.simulated import SimulatedDevice, open_simulated
from ..errors import DeviceError, ParameterError
from ..native.library import aligned, ffi, words_of
from ..native.rng import DeterministicRng
from ..notebook import facts_html
from ..objects.ckks.context import Context
from ..objects.common.evaluation_keys import SEAL_GENERATOR
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import Parameters
from ..objects.common.plaintext import Plaintext
from ..objects.common.tables import PLAIN_MODULUS
from ..objects.exact.context import ExactContext
from ..objects.keydir import AnyContext, context_for
from ..operations import CLIENT, EXACT, SWITCH_KEY, TABLE, find, names
from ..progress import Progress
from ..sim.asm import disassemble
from ..sim.core import ProgramRun
from ..sim.options import Simulated
from ..sim.timing import program_time, row_of

SEED = bytes(range(64))  # a seed of keys and noise; cycles do not depend on it
SLOT = 1 << 30  # one, as a number in memory
SLOT_EXPONENT, SLOT_BOUND = -30, 1
SCALE_BITS = 40  # at most; below the moduli otherwise
RESCALED = 1.2345  # times a scale, which is no power of two then
BEYOND_BITS = 6  # by so many the coefficients of decrypt-decode-two are longer than the first modulus


@dataclass(frozen=True)
class UnitUse:
    """bound: cycles it needs at least; busy: cycles it ran instructions; active: cycles it moved data."""

    bound: int
    busy: int
    active: int
    utilisation: float  # busy / cycles of the program


@dataclass(frozen=True)
class OperationRun:
    """cycles: from doorbell to interrupt, of the first frame; bound: of the slowest unit if it never waited; ratio: of the two.

    cycles_per_frame: of one frame: its cycles. Of operations that encode or decode, of those of a streaming unit, and of decryption beside one: what
    each further frame adds to `cycles`, which are those of a frame alone, when all go in one call, up to eight or sixteen in a program. Else from the call of the driver for the second frame to its return for the
    last one, over their number, register writes included.
    batch_cycles: of all frames, from doorbells to interrupts.

    chain: of the instructions that need each other's groups, if no unit were ever busy (rs_timed_t).
    """

    design: str
    lanes: int
    op: str
    n: int
    limbs: int
    moduli: list[int]
    instructions: int
    cycles: int
    frames: int
    cycles_per_frame: float
    batch_cycles: int
    bound: int
    bound_by: str
    chain: int
    ratio: float
    transforms: int
    passes: int
    fixed_transforms: int
    read_beats: int
    write_beats: int
    keccak_permutations: int
    idle: int
    overlap: int
    units: dict[str, UnitUse]

    def _repr_html_(self) -> str:
        facts: list[tuple[str, object]] = [("N", self.n), ("limbs", self.limbs), ("cycles", f"{self.cycles:,}")]
        facts += [("bound", f"{self.bound:,} ({self.bound_by})"), ("ratio", f"{self.ratio:.3f}")]
        facts += [(f"{unit} busy", f"{use.utilisation:.0%}") for unit, use in self.units.items() if use.busy]
        return facts_html(f"{self.op} on {self.design}", facts)


@dataclass(frozen=True)
class Recording:
    """A measurement, and what ran when: job and the program's text."""

    measurement: OperationRun
    job: ProgramRun
    program: list[str]


def program(design: Design, op: str, n: int, limbs: int, bits: int) -> list[int]:
    """The words of the program that the driver runs, END included. ParameterError, DeviceError: as record."""
    return program_of(design, op, _parameters(design, op, n, limbs, bits), limbs)


def program_of(design: Design, op: str, params: Parameters, limbs: int) -> list[int]:
    with SilentCore(design, params._native) as device:
        for _ in compute(context_for(params), op, limbs, device):
            pass
        return device.program


def _parameters(design: Design, op: str, n: int, limbs: int, bits: int, given: Parameters | None = None) -> Parameters:
    if find(op, names(*CLIENT)).fixed and not design.encode:
        message = "aloha-he and rise-4e do, and designs with encode = true."
        raise DeviceError("DESIGN", f"{design.name} does not encode.", message)
    params = given or parameters(op, n, limbs, bits)
    if TABLE[op].limbs_read > (limbs if given is None else given.data_limbs):
        raise ParameterError("LIMBS", f"{op} reads two limbs, {limbs} is given.", "Give at least --limbs 2.")
    return params


def parameters(op: str, n: int, limbs: int, bits: int) -> Parameters:
    """Moduli of that size; encryption has a special prime of the same size behind them."""
    find(op, names(*CLIENT))
    special = 0 if op in ("ntt", "intt") else 1
    return Parameters.from_bits(n, [bits] * (limbs + special), security=0, **of_scheme(op))


def of_scheme(op: str) -> dict[str, Any]:
    """The operation's scheme, as Parameters are made for it."""
    scheme = TABLE[op].scheme
    return {"scheme": scheme.lower(), "plain_modulus": PLAIN_MODULUS} if scheme in EXACT else {}


def record(
    wanted: Simulated,
    op: str,
    n: int,
    limbs: int,
    bits: int,
    progress: Progress | None = None,
    frames: int = 1,
    given: Parameters | None = None,
    watched: Callable[[SimulatedDevice], AbstractContextManager[None]] = lambda device: nullcontext(),
) -> Recording:
    """Runs one operation on random data, for each frame. given: these parameters, at their highest level, instead of n, limbs, bits.
    watched: around what the device does.

    ParameterError: no such primes. DeviceError: the design cannot do it, the simulation failed, or its result is not the library's.
    """
    params = _parameters(wanted.design, op, n, limbs, bits, given)
    if given is not None:
        n, limbs = given.n, 1 if op in ("ntt", "intt") else given.data_limbs
    with open_simulated(wanted, params._native, progress) as device:
        context = context_for(params)
        later: float
        jobs: list[ProgramRun] = []
        device.finished = jobs.append
        batches = frames > 1 and takes_batches(wanted.design, op)
        with watched(device):
            times = run_operation(device, context, op, limbs, 1 if batches else frames)
            words, job = device.program, jobs[0]
            total = sum(one.cycles for one in jobs)
            if batches:
                jobs.clear()
                run_operation(device, context, op, limbs, frames, at_once=True)
                total = sum(one.cycles for one in jobs)
                later = (total - job.cycles) / (frames - 1)
    design = wanted.design
    if not batches:
        later = (times[-1][1] - times[1][0]) / (frames - 1) if frames > 1 else job.cycles
    least = program_time(row_of(design, params.log_n), words)
    units = {
        unit: UnitUse(least.least[unit], job.busy[unit], job.active[unit], job.busy[unit] / job.cycles)
        for unit in UNITS
    }
    measurement = OperationRun(
        design=design.name,
        lanes=design.lanes,
        op=op,
        n=n,
        limbs=limbs,
        moduli=list(params.moduli),
        instructions=len(words),
        cycles=job.cycles,
        frames=frames,
        cycles_per_frame=later,
        batch_cycles=total,
        bound=least.bound,
        bound_by=least.bound_by,
        chain=least.chain,
        ratio=job.cycles / least.bound,
        transforms=least.transforms,
        passes=least.passes,
        fixed_transforms=least.fixed_transforms,
        read_beats=job.read_beats,
        write_beats=job.write_beats,
        keccak_permutations=least.permutations,
        idle=job.idle,
        overlap=job.overlap,
        units=units,
    )
    return Recording(measurement, job, [disassemble(word) for word in words])


def streams(design: Design, op: str) -> bool:
    """Whether the streaming unit does it."""
    row = TABLE[op]
    in_ntt = row.scheme != "BFV"  # usual ciphertexts of BFV are not
    encoded = not row.fixed or row.job == "RS_JOB_ENCRYPT_PK_DIRECT"  # slots stream without special prime
    return design.stream_lanes > 0 and row.job.startswith("RS_JOB_ENCRYPT_PK") and in_ntt and encoded


def takes_batches(design: Design, op: str) -> bool:
    """Whether frames go in one call. Decryptions do where there is memory for a stream's frames; the lanes do them."""
    return TABLE[op].fixed or streams(design, op) or (design.stream_lanes > 0 and op == "decrypt")


def run_operation(
    device: SimulatedDevice, context: AnyContext, op: str, limbs: int, frames: int = 1, at_once: bool = False
) -> list[tuple[int, int]]:
    """The operation on the device, once for each frame or for all at once, and by the library. DeviceError if they differ.

    The cycle in which each frame's call began, and in which it returned.
    """
    on_device, times = [], []
    begin = 0

    def started() -> None:
        nonlocal begin
        begin = device.core.cycles

    for words in compute(context, op, limbs, device, frames, started, at_once=at_once):
        times.append((begin, device.core.cycles))
        on_device.append(words)
    by_library = list(compute(context, op, limbs, None, frames, fixed_bits=device.fixed_bits))
    if not all(map(np.array_equal, on_device, by_library)):
        raise DeviceError("SIMULATION", f"{device.name} computes another {op} than the library: a fault of the RTL.")
    return times


def _idle() -> None:
    pass


def compute(
    context: AnyContext,
    op: str,
    limbs: int,
    device: Accelerator | None,
    frames: int = 1,
    started: Callable[[], None] = _idle,
    fixed_bits: int = 0,
    at_once: bool = False,
) -> Iterator[NDArray[Any]]:
    """The results' words for fixed random data, computed by the device or, without one, by the library.

    started: called when a frame's operation begins, or that of all. fixed_bits: of the words with which the library encodes and decodes. at_once: all frames go in one call.
    """
    if op == SWITCH_KEY:
        with context.keygen(insecure_deterministic_seed=SEED) as secret:
            for frame in range(frames):
                row, made = key_row(context, secret, frame)
                started()
                (device or CPU).run(row)
                yield made
        return
    calls = [range(frames)] if at_once else [range(frame, frame + 1) for frame in range(frames)]
    if isinstance(context, ExactContext):
        yield from _exact(context, op, limbs, device, calls, started)
        return
    if op not in ("ntt", "intt"):
        bits = fixed_bits if device is None else device.fixed_bits
        yield from _crypto(context, op, limbs, device, calls, started, bits)
        return
    for frame in range(frames):
        words = np.random.default_rng(1 + frame).integers(0, context.params.moduli[0], context.n, np.uint64)
        started()
        (device or CPU).run(Transform(context._handle, 0, words_of(words), op == "intt"))
        yield words


def frame_seeds(index: int) -> DeterministicRng:
    """The seeds of a frame."""
    return DeterministicRng(ffi.new("rs_seed_t *", {"bytes": SEED[:-1] + bytes([SEED[-1] ^ index])}))


def key_row(context: AnyContext, secret: SecretKey, frame: int) -> tuple[SwitchRow, NDArray[np.uint64]]:
    """Row `frame` modulo their number of a key for a rotation, seeded, and room for its words."""
    handle, words = context._handle, aligned(context._handle.limb_count * context.n)
    native = ffi.new("rs_ciphertext_t *", {"seeded": 1, "data": ffi.cast("uint64_t *", words_of(words))})
    index = frame % context.params.data_limbs
    return SwitchRow(handle, secret._handle, SEAL_GENERATOR, index, native, frame_seeds(frame)), words


def _keys(context: AnyContext, op: str, stack: ExitStack) -> tuple[SecretKey, SecretKey | PublicKey]:
    """The secret key, and that of the operation."""
    secret = stack.enter_context(context.keygen(insecure_deterministic_seed=SEED))
    by_secret = TABLE[op].job in ("RS_JOB_ENCRYPT_SK", "RS_JOB_DECRYPT")
    return secret, secret if by_secret else context.public_key(secret, insecure_deterministic_seed=SEED)


def _options(op: str, limbs: int) -> dict[str, Any]:
    options: dict[str, Any] = {"level": limbs - 1, "insecure_deterministic_seed": SEED}
    if TABLE[op].job != "RS_JOB_DECRYPT":
        options["special_prime"] = TABLE[op].job == "RS_JOB_ENCRYPT_PK"
    return options


def fixed_meaning(context: Context, op: str, bits: int) -> tuple[dict[str, Any], float]:
    """The meaning of the numbers, and the scale of the operation."""
    scale = 2.0 ** min(SCALE_BITS, min(q.bit_length() for q in context.params.moduli) - 4)
    if TABLE[op].limbs_read > 1:
        scale = 2.0 ** (context.params.moduli[0].bit_length() + BEYOND_BITS)
    scale *= RESCALED if op.endswith("-rescaled") else 1
    return {"word_bits": bits, "exponent": SLOT_EXPONENT, "bound": SLOT_BOUND}, scale


def _exact(
    context: ExactContext,
    op: str,
    limbs: int,
    device: Accelerator | None,
    frames: Sequence[range],
    started: Callable[[], None],
) -> Iterator[NDArray[Any]]:
    """frames: those that go in one call."""
    on_device, decrypts, half = (
        context if device is None else context.on(device),
        op.endswith("decrypt"),
        context.plain_modulus // 2,
    )
    with ExitStack() as stack:
        secret, key = _keys(context, op, stack)
        for together in frames:
            options = {**_options(op, limbs), "insecure_deterministic_index": together.start}
            values = [np.random.default_rng(1 + frame).integers(-half, half, context.n) for frame in together]
            if decrypts:
                ciphertexts = [one.expand() for one in context.encrypt_batch(values, key, **options)]
                started()
                yield from on_device.decrypt_batch(ciphertexts, secret)
            elif TABLE[op].what.startswith("encode-"):
                started()
                yield from (one.data.copy() for one in on_device.encrypt_batch(values, key, **options))
            else:
                plaintexts = [stack.enter_context(context.encode(one)) for one in values]
                given: Any = {"packing": "slots", "form": None, "seeded": None, "seed_type": "shake256"}
                messages, contents = Plaintexts([one._native for one in plaintexts]), [one.data for one in plaintexts]
                started()
                found = on_device._encrypted_integers(messages, contents, key, given | options)
                yield from (one.data.copy() for one in found)


def _crypto(
    context: Context,
    op: str,
    limbs: int,
    device: Accelerator | None,
    frames: Sequence[range],
    started: Callable[[], None],
    fixed_bits: int,
) -> Iterator[NDArray[Any]]:
    """frames: those that go in one call."""
    decrypts, is_fixed = op.startswith("decrypt"), TABLE[op].fixed
    on_device = context if device is None else context.on(device)
    encrypting, begins = (context, _idle) if decrypts else (on_device, started)
    meaning, scale = fixed_meaning(context, op, fixed_bits) if is_fixed else ({}, context.params.default_scale)
    with ExitStack() as stack:
        secret, key = _keys(context, op, stack)
        for together in frames:
            options = {"scale": scale, **_options(op, limbs), "insecure_deterministic_index": together.start}
            numbers = [np.random.default_rng(1 + frame) for frame in together]
            if is_fixed:
                slots = [one.integers(-SLOT, SLOT, context.slots, np.int32) for one in numbers]
                begins()
                ciphertexts = encrypting.encrypt_fixed_batch(slots, key, **meaning, **options)
            else:
                values = [one.normal(size=context.slots) for one in numbers]
                begins()
                ciphertexts = encrypting.encrypt_batch(values, key, **options)
            if not decrypts:
                yield from (ciphertext.data.copy() for ciphertext in ciphertexts)
                continue
            given = [ciphertext.expand() for ciphertext in ciphertexts]
            started()
            if is_fixed:
                read = TABLE[op].limbs_read
                yield from on_device.decrypt_fixed_batch(given, secret, dtype=np.int32, limbs=read, **meaning)
                continue
            plaintexts = [stack.enter_context(Plaintext._new_ntt(context, limbs)) for _ in given]
            on_device._decrypted(Plaintexts([one._native for one in plaintexts]), given, secret, [limbs] * len(given))
            yield from (plaintext.data.copy() for plaintext in plaintexts)
