# SPDX-License-Identifier: Apache-2.0
"""The devices `soc:DESIGN`: frames through the firmware of a simulated SoC (soc/), encoded and decoded there too.

A call starts a SoC: the host lays keys, frames and fresh seeds into its memory, the firmware computes, and the memory holds the results. Of a
batch, a frame is encoded while the core encrypts the one before, or decoded while it decrypts the one after. Where the core encodes, it reads
slots of integers itself. Tables and keys are made by the firmware outside of the simulation, as on a device that has started long before.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..engines.core import CoreDesign
from ..errors import DeviceError, RingsideError, of_frame
from ..native.encoding import encode_error
from ..native.fixed import encode_detail, layout_of
from ..native.handles import ContextHandle, KeyHandle, PublicHandle, SecretHandle
from ..native.library import PARMS_ID_BYTES, SEED_BYTES, CData, check, error_of, ffi, get_bytes, lib
from ..native.rng import SEEDS_DRAWN, Rng
from ..processors import usable_processors
from ..progress import Progress
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES, Chip
from ..sim.program import native_design
from ..sim.verilate import SimulationError
from ..soc import build
from ..soc.job import (
    COEFFICIENTS,
    COMPLEX,
    DECRYPT,
    DESIGN,
    NUMBERS,
    REAL,
    RESIDUES,
    Frame,
    Given,
    GivenFrame,
    Layout,
    Memory,
)
from ..soc.run import FirmwareError, Ran, run
from .accelerator import OPS, RUNS_MAX, UNITS, Counting, Run, Total, fits
from .interface import Decryption, Encryption, SlotExecutor, Slots

POLYS = 3  # of the longest ciphertext that is decrypted: one product, not relinearised
SLACK_BYTES = 1 << 16


def design_words(design: CoreDesign | None) -> tuple[int, ...]:
    """For Given.design; empty without a core."""
    if design is None:
        return ()
    native = native_design(design)
    return tuple(int(getattr(native, name)) for name in DESIGN)


def arena_bytes(context: CData, params: CData, *, encodes: bool = False) -> int:
    """What the firmware takes: context, workspace, the driver's state, roots if the core encodes. Both machines have 64 bits and the same structs."""
    kinds = (lib.RS_ENCRYPT_SK, lib.RS_ENCRYPT_PK, lib.RS_ENCRYPT_PK_DIRECT)
    sizes = [int(lib.rs_encrypt_workspace(context, kind)) for kind in kinds]
    sizes += [int(getattr(lib, f"rs_{name}_workspace")(context)) for name in ("decrypt", "decode", "device")]
    roots = int(lib.rs_fixed_size(params.log_n)) if encodes else 0
    return int(lib.rs_context_size(params)) + max(sizes) + roots + int(lib.rs_device_size()) + SLACK_BYTES


def shared_bytes(design: CoreDesign | None, params: CData, *, frames: bool = False) -> int:
    """Memory that driver and core share. frames: several share a program."""
    size = lib.rs_device_frames_bytes if frames else lib.rs_device_memory_bytes
    return 0 if design is None else int(size(native_design(design), params, POLYS))


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


Watch = Callable[[str], AbstractContextManager[Progress]]
_watch: Watch | None = None


def show_by(watch: Watch | None) -> None:
    """What shows how far simulations are, as long as there are some, by the device's name; for the whole process. None: nothing does."""
    global _watch
    _watch = watch


class SystemOnChip(Counting, SlotExecutor):
    """A simulated SoC as an executor. It keeps nothing between calls."""

    def __init__(
        self, name: str, design: CoreDesign | None, program: Path, firmware: Path, memory: Mapping[str, int]
    ) -> None:
        """memory: latency and stall of RAM, and the limit of cycles, where not the default."""
        self.name = name
        self.runs: deque[Run] = deque(maxlen=RUNS_MAX)
        self.totals: dict[str, Total] = {}
        self._design, self._program, self._firmware, self._memory = design, program, firmware, memory
        self._lock = threading.Lock()
        self._running = 0  # SoCs that are simulated now
        self._far: dict[
            object, tuple[int, int]
        ] = {}  # of each since there was none: cycles, and about how many there will be
        self._showing = ExitStack()
        self._shown: Progress | None = None

    def close(self) -> None:
        """Nothing to wipe: memory images are, after each call."""

    @property
    def fixed_bits(self) -> int:
        return self._design.word_bits if self._design is not None and self._design.encode else 0

    @contextmanager
    def _told(self) -> Iterator[Progress]:
        """What is told how far a run is, and tells the sum of all that are under way."""
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
                self._shown = self._showing.enter_context(_watch(self.name)) if _watch else None
            self._running += 1
        try:
            yield tell
        finally:
            with self._lock:
                self._running -= 1
                if not self._running:
                    self._showing.close()

    # ---- one SoC
    def _run(
        self, context: ContextHandle, key: KeyHandle, op: int, frames: Sequence[GivenFrame], slots: Slots | None = None
    ) -> Ran:
        """Frames of one operation on one SoC. slots: what they are like, if the core itself encodes or decodes. DeviceError, or the library's error."""
        words = 8 * context.n * context.limb_count
        public_key = secret_key = b""
        if isinstance(key, PublicHandle):
            public_key = _bytes(key.expanded().data, 2 * words)
        else:
            with key.borrow() as native:
                secret_key = _bytes(native.ntt, words)
        given = Given(
            op=op,
            log_n=int(context.params.log_n),
            moduli=[int(q) for q in context.params.moduli[0 : context.limb_count]],
            frames=list(frames),
            design=design_words(self._design),
            opened=self._design is not None,
            overlap=int(len(frames) > 1 and slots is None),
            shared_bytes=shared_bytes(self._design, context.params),
            public_key=public_key,
            secret_key=secret_key,
            **(_numbers(slots) if slots else {}),
        )
        try:
            with self._told() as progress:
                ran = run(
                    self._program,
                    self._firmware,
                    Memory(given, arena_bytes(context.pointer, context.params, encodes=slots is not None)),
                    latency=self._memory.get("latency", CHIP_LATENCY_CYCLES),
                    stall=self._memory.get("stall", 0),
                    limit=self._memory.get("limit"),
                    progress=progress,
                )
        except FirmwareError as error:
            status = int(error.ran.job.status)
            if status:
                raise error_of(status, (_detail(context, status, op, slots) if slots else "") or self.name) from error
            raise DeviceError("SIMULATION", f"The simulation of {self.name} failed: {error}") from error
        except SimulationError as error:
            raise DeviceError("SIMULATION", f"The simulation of {self.name} failed: {error}") from error
        self._count(ran, _op_name(op, in_core=slots is not None), context.n, int(frames[-1].limbs))
        return ran

    def _count(self, ran: Ran, op: str, n: int, limbs: int) -> None:
        """Cycles of the processor's clock from the first frame to the last; units as in the last frame."""
        job = ran.job
        each = int(job.all_cycles) // max(1, int(job.done))
        busy = {unit: int(cycles) for unit, cycles in zip(UNITS, job.unit_cycles, strict=True)}
        with self._lock:
            for _ in range(int(job.done)):
                one = Run(op, n, limbs, each, busy)
                self.runs.append(one)
                self.totals.setdefault(op, Total()).add(one)

    def _in_parts(self, count: int, threads: int | None) -> list[range]:
        """Which frames go to which of several SoCs, simulated side by side."""
        parts = max(1, min(count, threads or usable_processors()))
        ends = [count * part // parts for part in range(parts + 1)]
        return [range(first, last) for first, last in itertools.pairwise(ends)]

    def _run_parts(
        self,
        context: ContextHandle,
        key: KeyHandle,
        op: int,
        frames: Sequence[GivenFrame],
        threads: int | None,
        slots: Slots | None = None,
    ) -> list[tuple[Ran, Frame]]:
        """Every frame's SoC and result. Errors name the frame, unless it is a core that encodes, as behind `sim:`: the firmware says which one it worked on."""

        def one(part: range) -> list[tuple[Ran, Frame]]:
            try:
                ran = self._run(context, key, op, [frames[index] for index in part], slots)
            except RingsideError as error:
                if slots:
                    raise
                cause = error.__cause__
                current = int(cause.ran.job.current) if isinstance(cause, FirmwareError) else 0
                raise of_frame(part.start + current, error) from error
            return [(ran, frame) for frame in ran.frames]

        parts = self._in_parts(len(frames), threads)
        if len(parts) == 1:
            return one(parts[0]) if frames else []
        with ThreadPoolExecutor(len(parts)) as pool:
            return [found for part in pool.map(one, parts) for found in part]

    # ---- encryption
    def _take_ciphertext(
        self, context: ContextHandle, ran: Ran, frame: Frame, kind: int, ciphertext: CData, scale: float, limbs: int
    ) -> None:
        polys = 1 if ciphertext.seeded else 2
        words = ran.at(frame.ciphertext, 8 * polys * limbs * context.n)
        ffi.memmove(ciphertext.data, words, len(words))
        ffi.memmove(ciphertext.parms_id, lib.rs_context_parms_id(context.pointer, limbs), PARMS_ID_BYTES)
        ciphertext.poly_count, ciphertext.limb_count, ciphertext.scale = 2, limbs, scale
        if kind == lib.RS_ENCRYPT_SK:
            ffi.memmove(ciphertext.seed.bytes, bytes(frame.seed), SEED_BYTES)

    def encrypt(
        self, context: ContextHandle, key: KeyHandle, plaintext: CData, kind: int, ciphertext: CData, rng: Rng
    ) -> None:
        limbs = int(plaintext.limb_count)
        coefficients = plaintext.form == lib.RS_FORM_COEF
        form, memory, count = (
            (COEFFICIENTS, plaintext.coef, context.n) if coefficients else (RESIDUES, plaintext.ntt, limbs * context.n)
        )
        frame = GivenFrame(
            form=form,
            scale=float(plaintext.scale),
            limbs=limbs,
            values=_bytes(memory, 8 * count),
            seeded=bool(ciphertext.seeded),
            seed_type=int(ciphertext.seed_type),
            entropy=draw(rng, kind),
        )
        ran = self._run(context, key, kind, [frame])
        self._take_ciphertext(context, ran, ran.frames[0], kind, ciphertext, frame.scale, limbs)

    def encrypt_frames(
        self, context: ContextHandle, key: KeyHandle, job: Encryption, rng: Rng, threads: int | None
    ) -> None:
        """Encoded on the SoC. threads: how many SoCs are simulated side by side."""
        given = [
            GivenFrame(
                form=COMPLEX if array.dtype == np.complex128 else REAL,
                scale=job.scale,
                limbs=job.limbs,
                values=array.tobytes(),
                value_count=array.size,
                seeded=bool(ciphertext.seeded),
                seed_type=int(ciphertext.seed_type),
                entropy=draw(rng, job.kind),
            )
            for array, ciphertext in zip(job.frames, job.ciphertexts, strict=True)
        ]
        for index, array in enumerate(job.frames):
            if array.size > context.n // 2:
                error = encode_error(context, lib.RS_ERR_VALUE_COUNT, array, job.scale, job.limbs)
                raise of_frame(index, error) from error
        found = self._run_parts(context, key, job.kind, given, threads)
        for (ran, frame), ciphertext in zip(found, job.ciphertexts, strict=True):
            self._take_ciphertext(context, ran, frame, job.kind, ciphertext, job.scale, job.limbs)

    # ---- decryption
    def _given_ciphertext(self, context: ContextHandle, ciphertext: CData, form: int, limbs: int) -> GivenFrame:
        polys = 1 if ciphertext.seeded else int(ciphertext.poly_count)
        words = _bytes(ciphertext.data, 8 * polys * int(ciphertext.limb_count) * context.n)
        return GivenFrame(
            form=form,
            scale=float(ciphertext.scale),
            limbs=limbs,
            value_count=context.n // 2 if form == COMPLEX else 0,
            ciphertext=words,
            ciphertext_limbs=int(ciphertext.limb_count),
            polys=int(ciphertext.poly_count),
            seeded=bool(ciphertext.seeded),
            seed_type=int(ciphertext.seed_type),
            seed=get_bytes(ciphertext.seed.bytes, SEED_BYTES),
        )

    def decrypt(
        self, context: ContextHandle, key: SecretHandle, ciphertext: CData, limbs: int, plaintext: CData
    ) -> None:
        ran = self._run(context, key, DECRYPT, [self._given_ciphertext(context, ciphertext, RESIDUES, limbs)])
        words = ran.at(ran.frames[0].values, 8 * limbs * context.n)
        ffi.memmove(plaintext.ntt, words, len(words))
        ffi.memmove(plaintext.parms_id, lib.rs_context_parms_id(context.pointer, limbs), PARMS_ID_BYTES)
        plaintext.form, plaintext.limb_count, plaintext.scale = lib.RS_FORM_NTT, limbs, ciphertext.scale

    def decrypt_frames(self, context: ContextHandle, key: SecretHandle, job: Decryption, threads: int | None) -> None:
        """Decoded on the SoC. threads: how many SoCs are simulated side by side."""
        given = [
            self._given_ciphertext(context, ciphertext, COMPLEX, limbs)
            for ciphertext, limbs in zip(job.ciphertexts, job.limbs, strict=True)
        ]
        for row, (ran, frame) in zip(job.values, self._run_parts(context, key, DECRYPT, given, threads), strict=True):
            row[:] = np.frombuffer(ran.at(frame.values, 16 * row.size), np.complex128)

    # ---- slots, which the core itself encodes and decodes
    def encode_encrypt_frames(
        self,
        context: ContextHandle,
        key: KeyHandle,
        frames: Sequence[Slots],
        kind: int,
        ciphertexts: Sequence[CData],
        rng: Rng,
        threads: int | None,
    ) -> None:
        """threads: how many SoCs are simulated side by side."""
        one = frames[0]
        if one.values.size > context.n // 2:
            status = lib.RS_ERR_VALUE_COUNT
            raise error_of(status, _detail(context, status, kind, one))
        given = [
            GivenFrame(
                form=NUMBERS,
                scale=one.scale,
                limbs=slots.limbs,
                values=slots.values.tobytes(),
                value_count=slots.values.size,
                number_bytes=slots.values.itemsize,
                seeded=bool(ciphertext.seeded),
                seed_type=int(ciphertext.seed_type),
                entropy=draw(rng, kind),
            )
            for slots, ciphertext in zip(frames, ciphertexts, strict=True)
        ]
        found = self._run_parts(context, key, kind, given, threads, one)
        for (ran, frame), ciphertext in zip(found, ciphertexts, strict=True):
            self._take_ciphertext(context, ran, frame, kind, ciphertext, one.scale, one.limbs)

    def decrypt_decode_frames(
        self,
        context: ContextHandle,
        key: SecretHandle,
        ciphertexts: Sequence[CData],
        frames: Sequence[Slots],
        threads: int | None,
    ) -> None:
        """threads: how many SoCs are simulated side by side."""
        given = [
            replace(
                self._given_ciphertext(context, ciphertext, NUMBERS, slots.limbs),
                value_count=slots.values.size,
                number_bytes=slots.values.itemsize,
            )
            for slots, ciphertext in zip(frames, ciphertexts, strict=True)
        ]
        found = self._run_parts(context, key, DECRYPT, given, threads, frames[0])
        for (ran, frame), slots in zip(found, frames, strict=True):
            values = ran.at(frame.values, slots.values.nbytes)
            slots.values[:] = np.frombuffer(values, slots.values.dtype)


def _numbers(slots: Slots) -> dict[str, Any]:
    """Of Given: layout."""
    layout = layout_of(slots.values, slots.exponent, slots.bound)
    names = [name for name, *_ in Layout._fields_]
    return {"layout": tuple(int(getattr(layout, name)) for name in names)}


def _detail(context: ContextHandle, status: int, op: int, slots: Slots) -> str:
    """What a core that encodes or decodes found wrong."""
    if op == DECRYPT:
        return f"slots must stay below 2^{slots.bound}" if status == lib.RS_ERR_FIXED_RANGE else ""
    return encode_detail(context, status, slots.values.size, slots.bound, slots.scale, slots.limbs)


def _op_name(op: int, *, in_core: bool) -> str:
    """As cores name what they do."""
    if op == DECRYPT:
        return "decrypt-decode" if in_core else "decrypt"
    return f"encode-{OPS[op]}" if in_core else OPS[op]


def build_soc(
    design: CoreDesign | None, progress: Progress | None = None, *, waves: bool = False, probes: Path | None = None
) -> tuple[Path, Path]:
    """Simulator and firmware, from the cache or built. waves: a simulator that can write them; probes: one that simulates gates (soc.build). DeviceError: something is
    missing, or does not compile."""
    try:
        return build.program(design, progress, waves=waves, probes=probes), build.firmware()
    except SimulationError as error:
        raise DeviceError("SIMULATION", f"The SoC cannot be built: {error}") from error


def open_on_chip(wanted: Chip, params: CData, progress: Progress | None = None) -> SystemOnChip:
    """DeviceError: the design cannot compute with the parameters; the SoC cannot be built."""
    design = wanted.design
    if design is not None:
        fits(native_design(design), params, design.name)
    return SystemOnChip(f"soc:{design.name if design else ALONE}", design, *build_soc(design, progress), wanted.numbers)
