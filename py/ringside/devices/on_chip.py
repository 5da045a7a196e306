# SPDX-License-Identifier: Apache-2.0
"""The devices `soc:DESIGN`: frames and calls of schemes through the firmware of a simulated SoC (soc/), frames encoded and decoded there too.

A call starts a SoC: the host lays keys, frames and fresh seeds into its memory, the firmware computes, and the memory holds the results. Of a
batch, a frame is encoded while the core encrypts the one before, or decoded while it decrypts the one after. Where the core encodes, it reads
slots of integers itself. Tables and keys are made by the firmware outside of the simulation, as on a device that has started long before.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..designs import Design
from ..designs.units import UNITS
from ..errors import DeviceError, RingsideError, of_frame
from ..native.encoding import encode_error
from ..native.fixed import encode_detail, layout_of
from ..native.handles import ContextHandle, PublicHandle
from ..native.library import PARMS_ID_BYTES, SEED_BYTES, CData, check, error_of, ffi, get_bytes, lib, request
from ..native.rng import SEEDS_DRAWN, Rng
from ..processors import usable_processors
from ..progress import Progress
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES, Chip
from ..sim.program import native_design
from ..sim.verilate import SimulationError, reported
from ..soc import build
from ..soc.job import (
    CALLS,
    COEFFICIENTS,
    COMPLEX,
    DECRYPT,
    DESIGN,
    INTEGERS,
    NUMBERS,
    REAL,
    RESIDUES,
    ROW,
    Given,
    GivenCall,
    GivenCalls,
    GivenFrame,
    Layout,
    MemoryImage,
    NativeFrame,
)
from ..soc.run import FirmwareError, Ran, run
from .accelerator import OPS, fits
from .calls import (
    Call,
    Decryption,
    DeviceSet,
    Encryption,
    FixedRows,
    Plaintexts,
    Rows,
    SchemeCall,
    SchemeText,
    Slots,
    SwitchRow,
    Transform,
    is_exact,
)
from .device import POLYS, Counting, Run, cannot, is_of_device, is_refusal

SLACK_BYTES = 1 << 16


def design_words(design: Design | None) -> tuple[int, ...]:
    """For Given.design; empty without a core."""
    if design is None:
        return ()
    native = native_design(design)
    return tuple(int(getattr(native, name)) for name in DESIGN)


def arena_bytes(context: CData, params: CData, *, encodes: bool = False) -> int:
    """Memory that the firmware takes: context, workspace, the driver's state, roots if the core encodes. Both machines have 64 bits and the same structs."""
    kinds = (lib.RS_ENCRYPT_SK, lib.RS_ENCRYPT_PK, lib.RS_ENCRYPT_PK_DIRECT)
    sizes = [lib.rs_encrypt_workspace(request("rs_encrypt_request_t", context=context, kind=kind)) for kind in kinds]
    sizes += [
        lib.rs_decrypt_workspace(request("rs_decrypt_request_t", context=context)),
        lib.rs_device_workspace(context),
    ]
    roots = int(lib.rs_fixed_size(params.log_n)) if encodes else 0
    return int(lib.rs_context_size(params) + max(sizes)) + roots + int(lib.rs_device_size()) + SLACK_BYTES


def call_arena_bytes() -> int:
    """Memory that the firmware takes for calls of schemes: tables, workspace (soc/firmware/schemes/calls.c)."""
    return (1 << 17) + (3 << 16) + SLACK_BYTES


def shared_bytes(design: Design | None, params: CData, *, frames: bool = False) -> int:
    """Memory that driver and core share. frames: several share a program."""
    most = int(lib.RS_FRAMES_MAX) if frames else 1
    return 0 if design is None else int(lib.rs_device_memory_bytes(native_design(design), params, POLYS, most))


def draw(rng: Rng, kind: int) -> tuple[bytes, bytes]:
    """The seeds of an encryption, drawn as the library draws them."""
    seeds = []
    out = ffi.new("uint8_t[]", SEED_BYTES)
    for _ in range(SEEDS_DRAWN[kind]):
        check(rng.pointer.fill(rng.pointer.state, out, SEED_BYTES))
        seeds.append(get_bytes(out, SEED_BYTES))
    lib.rs_zeroize(out, SEED_BYTES)
    return seeds[0], seeds[1] if len(seeds) > 1 else bytes(SEED_BYTES)


def _bytes(memory: CData, size: int) -> bytes:
    return bytes(ffi.buffer(memory, size))


class SystemOnChip(Counting):
    """A simulated SoC. It keeps nothing between calls."""

    def __init__(
        self, name: str, design: Design | None, program: Path, firmware: Path, memory: Mapping[str, int]
    ) -> None:
        """memory: latency and stall of RAM, and the limit of cycles, where not the default."""
        super().__init__(name)
        self._design, self._program, self._firmware, self._memory = design, program, firmware, memory
        self._lock = threading.Lock()
        self._running = 0  # SoCs that are simulated now
        self._far: dict[
            object, tuple[int, int]
        ] = {}  # how far each is since there was none: cycles, and about how many there will be
        self._showing = ExitStack()
        self._shown: Progress | None = None

    def close(self) -> None:
        """Nothing to wipe: memory images are, after each call."""

    @property
    def fixed_bits(self) -> int:
        return self._design.word_bits if self._design is not None and self._design.encode else 0

    def refusal(self, call: Call) -> tuple[str, str] | None:
        if isinstance(call, Transform | SwitchRow):
            return "makes no single transforms and no keys", "Take a device sim:DESIGN."
        return super().refusal(call)

    def prepare(self, scheme: DeviceSet) -> None:
        if self._design is None or not self._design.fields:
            raise cannot(self.name)

    @contextmanager
    def _told(self) -> Iterator[Progress]:
        """A function to call with how far a run is; it reports the sum of all that are under way."""
        run = object()

        def tell(done: int, total: int) -> None:
            with self._lock:
                self._far[run] = done, max(done, total)
                shown, far = self._shown, list(self._far.values())
            if shown is not None:
                shown(sum(done for done, _ in far), sum(total for _, total in far))

        with self._lock:
            if not self._running:
                self._far.clear()
                self._shown = self._showing.enter_context(self.watch(self.name)) if self.watch else None
            self._running += 1
        try:
            yield tell
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._showing.close()

    # ---- one SoC
    def _run(self, job: Encryption | Decryption, op: int, frames: Sequence[GivenFrame], slots: Slots | None) -> Ran:
        """Frames of one operation on one SoC. slots: what they are like, if the core itself encodes or decodes. DeviceError, or the library's error."""
        context = job.context
        overlap = int(len(frames) > 1 and slots is None)
        given = given_of(job, op, frames, self._design, opened=self._design is not None, overlap=overlap)
        try:
            with self._told() as progress:
                ran = run(
                    self._program,
                    self._firmware,
                    MemoryImage(given, arena_bytes(context.pointer, context.params, encodes=slots is not None)),
                    **self._timing,
                    progress=progress,
                )
        except SimulationError as error:
            status = int(error.ran.job.status) if isinstance(error, FirmwareError) else 0
            if status == lib.RS_ERR_VALUE_RANGE and is_exact(job):
                frame = frames[int(error.ran.job.current)] if isinstance(error, FirmwareError) else frames[0]
                values = np.frombuffer(frame.values, np.uint64 if frame.is_unsigned else np.int64)
                raise encode_error(context, status, values, frame.scale, frame.limbs) from error
            if status:
                raise error_of(status, (_detail(context, status, op, slots) if slots else "") or self.name) from error
            raise self._failed(error) from error
        self._count(ran, _op_name(op, in_core=slots is not None), context.n, int(frames[-1].limbs))
        return ran

    @property
    def _timing(self) -> dict[str, Any]:
        """Latency and stall of RAM, and the limit of cycles."""
        return {"latency": CHIP_LATENCY_CYCLES, "limit": None, **self._memory}

    def _failed(self, error: SimulationError) -> DeviceError:
        return DeviceError("SIMULATION", f"The simulation of {self.name} failed: {error}")

    def _count(self, ran: Ran, op: str, n: int, limbs: int) -> None:
        """Cycles of the processor's clock from the first frame to the last; units as in the last frame."""
        job = ran.job
        each = int(job.all_cycles) // max(1, int(job.done))
        busy = {unit: int(cycles) for unit, cycles in zip(UNITS, job.unit_cycles, strict=True)}
        with self._lock:
            for _ in range(int(job.done)):
                self.count(Run(op, n, limbs, each, busy))

    def _shares(self, count: int, threads: int | None) -> list[range]:
        """Which frames go to which of several SoCs, simulated side by side."""
        parts = max(1, min(count, threads or usable_processors()))
        ends = [count * part // parts for part in range(parts + 1)]
        return [range(first, last) for first, last in itertools.pairwise(ends)]

    def _run_parts(
        self, job: Encryption | Decryption, op: int, frames: Sequence[GivenFrame], slots: Slots | None
    ) -> list[tuple[Ran, NativeFrame]]:
        """Every frame's SoC and result. Errors name the frame, unless it is a core that encodes, as behind `sim:`: the firmware says which one it worked on."""

        def one(part: range) -> list[tuple[Ran, NativeFrame]]:
            try:
                ran = self._run(job, op, [frames[index] for index in part], slots)
            except RingsideError as error:
                if slots or isinstance(job.messages, Plaintexts):
                    raise
                cause = error.__cause__
                current = int(cause.ran.job.current) if isinstance(cause, FirmwareError) else 0
                raise of_frame(part.start + current, error) from error
            return [(ran, frame) for frame in ran.frames]

        parts = self._shares(len(frames), job.threads)
        if len(parts) == 1:
            return one(parts[0]) if frames else []
        with ThreadPoolExecutor(len(parts)) as pool:
            return [found for part in pool.map(one, parts) for found in part]

    def compute(self, call: Call) -> None:
        match call:
            case Encryption() | Decryption():
                self._of_frames(call)
            case SchemeCall():
                self._of_scheme(call)

    def _of_frames(self, job: Encryption | Decryption) -> None:
        """Encoded and decoded on the SoC. job.threads: how many SoCs are simulated side by side."""
        slots = job.messages.slots[0] if isinstance(job.messages, FixedRows) else None
        given = frames_of(job)
        op = job.kind if isinstance(job, Encryption) else DECRYPT
        for index, (ran, frame) in enumerate(self._run_parts(job, op, given, slots)):
            if isinstance(job, Encryption):
                _take_ciphertext(job, ran, frame, job.ciphertexts[index], given[index])
            else:
                _take_message(job, index, ran, frame)

    def _of_scheme(self, call: SchemeCall) -> None:
        """One SoC, whose firmware sets up the core and makes the call there."""
        self.prepare(call.scheme)
        members, (op, reads, writes) = call.drawn().inputs, CALLS[call.name]
        arrays = [members[name] for name in reads]
        texts = ((one.form, one.prehash, bytes(one.context)) for one in arrays if isinstance(one, SchemeText))
        inputs = [bytes(one.message) if isinstance(one, SchemeText) else bytes(ffi.buffer(one)) for one in arrays]
        outputs = [call.outputs[name] for name in writes]
        asked = GivenCall(inputs, [ffi.sizeof(memory) for memory in outputs], *next(texts, ()))
        given = GivenCalls(op, call.scheme.number, [asked], on_core=True)
        memory, firmware = MemoryImage(given, call_arena_bytes()), build.firmware(link=build.SCHEMES)
        try:
            with self._told() as progress:
                ran = run(self._program, firmware, memory, **self._timing, progress=progress)
        except SimulationError as error:
            if isinstance(error, FirmwareError) and is_refusal(int(error.ran.job.status)):
                raise cannot(self.name) from error
            raise self._failed(error) from error
        (frame,) = ran.frames
        status = int(frame.answer)
        check(status, self.name if is_of_device(status) else "")
        for place, found in zip(outputs, ran.outputs(frame), strict=True):
            ffi.memmove(place, found, len(found))


def frames_of(job: Encryption | Decryption) -> list[GivenFrame]:
    """What a SoC is given of each frame. Seeds are drawn."""
    if isinstance(job, Decryption):
        return [_given_ciphertext(job, index) for index in range(len(job.ciphertexts))]
    return [
        replace(
            message,
            seeded=bool(ciphertext.seeded),
            seed_type=int(ciphertext.seed_type),
            entropy=draw(job.rng, job.kind),
        )
        for message, ciphertext in zip(_messages(job), job.ciphertexts, strict=True)
    ]


def row_of(job: SwitchRow) -> GivenFrame:
    """What a SoC is given of a row of a key. Seeds are drawn."""
    return GivenFrame(
        form=ROW,
        scale=1.0,
        limbs=job.context.limb_count,
        seeded=bool(job.row.seeded),
        seed_type=int(job.row.seed_type),
        entropy=draw(job.rng, lib.RS_ENCRYPT_SK),
        element=job.element,
        index=job.index,
    )


def given_of(
    job: Encryption | Decryption | SwitchRow, op: int, frames: Sequence[GivenFrame], design: Design | None, **more: Any
) -> Given:
    """A job of the firmware with these frames. more: its other fields."""
    context, key, messages = job.context, job.key, None if isinstance(job, SwitchRow) else job.messages
    words = 8 * context.n * context.limb_count
    public_key = secret_key = b""
    if isinstance(key, PublicHandle):
        public_key = _bytes(key.expanded().data, 2 * words)
    else:
        with key.borrow() as native:
            secret_key = _bytes(native.ntt, words)
    return Given(
        op=op,
        log_n=int(context.params.log_n),
        moduli=[int(q) for q in context.params.moduli[0 : context.limb_count]],
        frames=list(frames),
        design=design_words(design),
        scheme=int(context.params.scheme),
        plain_modulus=int(context.params.plain_modulus),
        margin_bits=job.margin_bits if isinstance(job, Decryption) else 0,
        public_key=public_key,
        secret_key=secret_key,
        **(_numbers(messages.slots[0]) if isinstance(messages, FixedRows) else {}),
        **{"shared_bytes": shared_bytes(design, context.params), **more},
    )


def _messages(job: Encryption) -> list[GivenFrame]:
    context, most = job.context, job.context.n if is_exact(job) else job.context.n // 2
    match job.messages:
        case Plaintexts(natives):
            return [_given_plaintext(context, plaintext) for plaintext in natives]
        case Rows(values, scale):
            for index, array in enumerate(values):
                if array.size > most:
                    error = encode_error(context, lib.RS_ERR_VALUE_COUNT, array, scale, job.limbs)
                    raise of_frame(index, error) from error
            if is_exact(job):
                return [_integers(job, array) for array in values]
            forms = [COMPLEX if array.dtype == np.complex128 else REAL for array in values]
            return [
                GivenFrame(form=form, scale=scale, limbs=job.limbs, values=array.tobytes(), value_count=array.size)
                for form, array in zip(forms, values, strict=True)
            ]
        case FixedRows(rows):
            one = rows[0]
            if one.values.size > most:
                status = lib.RS_ERR_VALUE_COUNT
                raise error_of(status, _detail(context, status, job.kind, one))
            return [
                GivenFrame(
                    form=NUMBERS,
                    scale=one.scale,
                    limbs=slots.limbs,
                    values=slots.values.tobytes(),
                    value_count=slots.values.size,
                    number_bytes=slots.values.itemsize,
                )
                for slots in rows
            ]


def _integers(job: Encryption | Decryption, array: NDArray[Any]) -> GivenFrame:
    assert isinstance(job.messages, Rows)
    encrypts = isinstance(job, Encryption)
    return GivenFrame(
        form=INTEGERS,
        scale=1.0,
        limbs=job.limbs if isinstance(job, Encryption) else 0,
        values=array.tobytes() if encrypts else b"",
        value_count=array.size,
        is_unsigned=array.dtype == np.uint64,
        packing=job.messages.packing,
        ntt=isinstance(job, Encryption) and job.ntt,
    )


def _given_plaintext(context: ContextHandle, plaintext: CData) -> GivenFrame:
    limbs = int(plaintext.limb_count)
    form, memory, count = (
        (COEFFICIENTS, plaintext.message, context.n)
        if plaintext.form == lib.RS_FORM_COEF
        else (RESIDUES, plaintext.ntt, limbs * context.n)
    )
    return GivenFrame(form=form, scale=float(plaintext.scale), limbs=limbs, values=_bytes(memory, 8 * count))


def _take_ciphertext(job: Encryption, ran: Ran, frame: NativeFrame, ciphertext: CData, message: GivenFrame) -> None:
    limbs, polys = message.limbs, 1 if ciphertext.seeded else 2
    words = ran.at(frame.ciphertext, 8 * polys * limbs * job.context.n)
    ffi.memmove(ciphertext.data, words, len(words))
    ffi.memmove(ciphertext.parms_id, lib.rs_context_parms_id(job.context.pointer, limbs), PARMS_ID_BYTES)
    ciphertext.poly_count, ciphertext.limb_count, ciphertext.scale = 2, limbs, message.scale
    if message.form == INTEGERS:
        bfv = int(job.context.params.scheme) == int(lib.RS_SCHEME_BFV)
        ciphertext.form = lib.RS_FORM_COEF if bfv and not message.ntt else lib.RS_FORM_NTT
        ciphertext.correction_factor = 1
    if job.kind == lib.RS_ENCRYPT_SK:
        ffi.memmove(ciphertext.seed.bytes, bytes(frame.seed), SEED_BYTES)


def _given_ciphertext(job: Decryption, index: int) -> GivenFrame:
    ciphertext, n, wanted = job.ciphertexts[index], job.context.n, job.messages
    polys = 1 if ciphertext.seeded else int(ciphertext.poly_count)
    given = GivenFrame(
        form=RESIDUES,
        scale=float(ciphertext.scale),
        limbs=job.limbs[index],
        ciphertext=_bytes(ciphertext.data, 8 * polys * int(ciphertext.limb_count) * n),
        ciphertext_limbs=int(ciphertext.limb_count),
        polys=int(ciphertext.poly_count),
    )
    if ciphertext.seeded:
        seed = get_bytes(ciphertext.seed.bytes, SEED_BYTES)
        given = replace(given, seeded=True, seed_type=int(ciphertext.seed_type), seed=seed)
    if isinstance(wanted, Rows) and is_exact(job):
        like = _integers(job, wanted.values[index])
        given = replace(given, form=INTEGERS, value_count=like.value_count, is_unsigned=like.is_unsigned)
        ntt, factor = ciphertext.form == lib.RS_FORM_NTT, int(ciphertext.correction_factor)
        return replace(given, packing=like.packing, ntt=ntt, correction_factor=factor)
    if isinstance(wanted, Rows):
        return replace(given, form=COMPLEX, value_count=n // 2)
    if isinstance(wanted, FixedRows):
        values = wanted.slots[index].values
        return replace(given, form=NUMBERS, value_count=values.size, number_bytes=values.itemsize)
    return given


def _take_message(job: Decryption, index: int, ran: Ran, frame: NativeFrame) -> None:
    match job.messages:
        case Plaintexts(natives):
            plaintext, limbs = natives[index], job.limbs[index]
            words = ran.at(frame.values, 8 * limbs * job.context.n)
            ffi.memmove(plaintext.ntt, words, len(words))
            ffi.memmove(plaintext.parms_id, lib.rs_context_parms_id(job.context.pointer, limbs), PARMS_ID_BYTES)
            plaintext.form, plaintext.limb_count = lib.RS_FORM_NTT, limbs
            plaintext.scale = job.ciphertexts[index].scale
        case Rows(values):
            row = values[index]
            row[:] = np.frombuffer(ran.at(frame.values, row.nbytes), row.dtype)
        case FixedRows(slots):
            numbers = slots[index].values
            numbers[:] = np.frombuffer(ran.at(frame.values, numbers.nbytes), numbers.dtype)


def _numbers(slots: Slots) -> dict[str, Any]:
    """The field `layout` of Given."""
    layout = layout_of(slots.values, slots.exponent, slots.bound)
    names = [name for name, *_ in Layout._fields_]
    return {"layout": tuple(int(getattr(layout, name)) for name in names)}


def _detail(context: ContextHandle, status: int, op: int, slots: Slots) -> str:
    """The fault that a core which encodes or decodes has found."""
    if op == DECRYPT:
        return f"slots must stay below 2^{slots.bound}" if status == lib.RS_ERR_VALUE_RANGE else ""
    return encode_detail(context, status, slots.values.size, slots.bound, slots.scale, slots.limbs)


def _op_name(op: int, *, in_core: bool) -> str:
    """An operation as cores name it."""
    if op == DECRYPT:
        return "decrypt-decode" if in_core else "decrypt"
    return f"encode-{OPS[op]}" if in_core else OPS[op]


def build_soc(
    design: Design | None,
    progress: Progress | None = None,
    *,
    link: str = build.FRAMES,
    waves: bool = False,
    probes: Path | None = None,
) -> tuple[Path, Path]:
    """Simulator and firmware, from the cache or built. link: of the firmware; waves: a simulator that can write them; probes: one that simulates gates (soc.build).
    DeviceError: something is missing, or does not compile."""
    with reported("The SoC cannot be built"):
        return build.program(design, progress, waves=waves, probes=probes), build.firmware(link=link)


def open_on_chip(wanted: Chip, params: CData | None, progress: Progress | None = None) -> SystemOnChip:
    """DeviceError: the design cannot compute with the parameters; the SoC cannot be built."""
    design = wanted.design
    if design is not None and params is not None:
        fits(native_design(design), params, design.name)
    return SystemOnChip(f"soc:{design.name if design else ALONE}", design, *build_soc(design, progress), wanted.numbers)
