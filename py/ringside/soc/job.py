# SPDX-License-Identifier: Apache-2.0
"""The struct that the firmware is given and gives back: soc/firmware/job.h, in Python."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from ..designs.units import UNITS

RAM, PLACE = 0x8000_0000, 0x8020_0000
MAGIC = 0x34626F6A636F7372
LIMBS_MAX, SEED_BYTES = 64, 64
PREPARE, RUN, DONE = 0, 1, 2
REAL, COMPLEX, COEFFICIENTS, RESIDUES, NUMBERS = range(5)  # FORM_…
DECRYPT = 3  # OP_DECRYPT; encryptions have the library's numbers

# in the order of stage_t; the firmware's STAGE_SOFTWARE is "encrypt" or "decrypt", of its in and out what goes there depends on that too
STAGES = ("encode", "software", "program", "seed", "in", "registers", "core", "interrupt", "wipe", "out", "decode")
STEPS = (
    "",
    "job",
    "memory",
    "parameters",
    "context",
    "opening the core",
    "loading keys",
    "encode",
    "the operation",
    "decode",
    "the middle: it was reset",
    "loading roots",
)
DESIGN = (
    "lanes",
    "word_bits",
    "log_n_min",
    "log_n_max",
    "groups",
    "contexts",
    "slots",
    "bus_bits",
    "features",
    "program_depth",
    "keccak_cores",
)  # fields of rs_design_t


class NativeCount(ctypes.LittleEndianStructure):
    _fields_ = [("cycles", ctypes.c_uint64), ("instructions", ctypes.c_uint64)]


class Layout(ctypes.LittleEndianStructure):
    """rs_fixed_layout_t."""

    _fields_ = [(name, ctypes.c_int32) for name in ("format", "is_complex", "count", "exponent", "bound")]


def _words(*names: str) -> list[tuple[str, type[ctypes.c_uint64]]]:
    return [(name, ctypes.c_uint64) for name in names]


class NativeFrame(ctypes.LittleEndianStructure):
    """frame_t."""

    _fields_ = [
        *_words("form", "values", "value_count"),
        ("scale", ctypes.c_double),
        *_words("limbs", "plaintext", "kept", "ciphertext", "ciphertext_limbs", "polys", "seeded", "seed_type"),
        ("seed", ctypes.c_uint8 * SEED_BYTES),
        ("entropy", (ctypes.c_uint8 * SEED_BYTES) * 2),
    ]


class NativeJob(ctypes.LittleEndianStructure):
    """job_t."""

    _fields_ = [
        *_words(
            "magic",
            "bytes",
            "phase",
            "op",
            "device",
            "opened",
            "in_core",
            "overlap",
            "singles",
            "wait_cycles",
            "time_limit",
        ),
        ("design", ctypes.c_uint32 * len(DESIGN)),
        ("numbers", Layout),
        *_words("log_n", "limb_count"),
        ("moduli", ctypes.c_uint64 * LIMBS_MAX),
        *_words(
            "public_key", "secret_key", "frames", "frame_count", "arena", "arena_bytes", "shared", "shared_bytes", "end"
        ),
        *_words("context", "device_state", "used", "prepared", "status", "step", "done", "current"),
        ("setup", NativeCount),
        ("stages", NativeCount * len(STAGES)),
        *_words("single_cycles", "program_frames", "first_cycles", "before_last_cycles", "all_cycles"),
        ("unit_cycles", ctypes.c_uint64 * len(UNITS)),
        *_words("core_cycles", "program_words", "accesses"),
    ]


@dataclass(frozen=True)
class GivenFrame:
    """form: REAL … NUMBERS. An encryption: values are its message, of a decryption they have room for value_count values or residues.
    NUMBERS: the core encodes or decodes them; number_bytes of each, with its imaginary part.

    ciphertext: words of a decryption. kept: a decryption that decodes keeps a copy of the residues. entropy: two seeds of an encryption.
    """

    form: int
    scale: float
    limbs: int
    values: bytes = b""
    value_count: int = 0
    ciphertext: bytes = b""
    ciphertext_limbs: int = 0  # 0: as the plaintext
    polys: int = 2
    seeded: bool = False
    seed_type: int = 0
    seed: bytes = bytes(SEED_BYTES)
    entropy: tuple[bytes, bytes] = (bytes(SEED_BYTES), bytes(SEED_BYTES))
    kept: bool = False
    number_bytes: int = 0


@dataclass(frozen=True)
class Given:
    """Frames of one kind. op: rs_encryption_t, or DECRYPT. keys: words, the one that is not needed is empty.

    opened: the core's tables and keys are made before the SoC runs. design: values of DESIGN, where there is a core. layout: values of Layout, where
    the core encodes or decodes: then all frames are NUMBERS. overlap: 1: a frame is encoded while the core encrypts the one before; of NUMBERS so many share
    a program, after `singles` that do not. shared_bytes: memory that driver and core share. wait_cycles: for an interrupt, at a time;
    time_limit: of a program of the core, in cycles; None: what such a program takes, with a margin (limits.py).
    """

    op: int
    log_n: int
    moduli: list[int]
    frames: list[GivenFrame]
    public_key: bytes = b""
    secret_key: bytes = b""
    design: tuple[int, ...] = ()
    layout: tuple[int, ...] = ()
    opened: bool = False
    overlap: int = 0
    singles: int = 0
    shared_bytes: int = 0
    wait_cycles: int = 1 << 22
    time_limit: int | None = None


class MemoryImage:
    """The RAM behind the firmware: the job, and what it names."""

    def __init__(self, given: Given, arena_bytes: int) -> None:
        poly = 8 << given.log_n
        self.given = given
        self._next = PLACE + ctypes.sizeof(NativeJob)
        self._parts: list[tuple[int, bytes]] = []
        self.job = job = NativeJob(magic=MAGIC, bytes=ctypes.sizeof(NativeJob), phase=PREPARE)
        job.op, job.device, job.opened = given.op, int(bool(given.design)), int(given.opened)
        job.in_core, job.overlap = int(bool(given.layout)), given.overlap
        job.singles = given.singles
        job.numbers = Layout(*given.layout)
        job.wait_cycles, job.time_limit = given.wait_cycles, given.time_limit or 0
        job.design[:] = given.design or [0] * len(DESIGN)
        job.log_n, job.limb_count = given.log_n, len(given.moduli)
        job.moduli[: len(given.moduli)] = given.moduli
        limbs = len(given.moduli)
        job.public_key = self._take(2 * limbs * poly, given.public_key)
        job.secret_key = self._take(limbs * poly, given.secret_key)
        self.frames = [self._frame(frame, poly) for frame in given.frames]
        if given.layout:
            self._place_in_a_row(poly)
        job.frame_count = len(self.frames)
        job.frames = self._take(ctypes.sizeof(NativeFrame) * len(self.frames))
        job.arena, job.arena_bytes = self._take(arena_bytes), arena_bytes
        job.shared, job.shared_bytes = self._take(given.shared_bytes), given.shared_bytes
        job.end = RAM + self.size

    def _frame(self, given: GivenFrame, poly: int) -> NativeFrame:
        frame = NativeFrame(
            form=given.form, scale=given.scale, limbs=given.limbs, polys=given.polys, value_count=given.value_count
        )
        frame.ciphertext_limbs = given.ciphertext_limbs or given.limbs
        frame.seeded, frame.seed_type = int(given.seeded), given.seed_type
        frame.seed[:] = given.seed
        for place, seed in zip(frame.entropy, given.entropy, strict=True):
            place[:] = seed
        sizes = {
            REAL: 8 * given.value_count,
            COMPLEX: 16 * given.value_count,
            COEFFICIENTS: poly,
            RESIDUES: given.limbs * poly,
            NUMBERS: given.number_bytes * given.value_count,
        }
        frame.values = self._take(max(8, sizes[given.form]), given.values)
        if given.form == NUMBERS:
            return frame
        frame.plaintext = self._take(max(1, given.limbs) * poly)
        if given.kept:
            frame.kept = self._take(given.limbs * poly)
        frame.ciphertext = self._take(given.polys * frame.ciphertext_limbs * poly, given.ciphertext)
        return frame

    def _place_in_a_row(self, poly: int) -> None:
        """Ciphertexts of NUMBERS, one behind another, as those of a program are: then the core reads or writes them itself."""
        sizes = [(1 if frame.seeded else frame.polys) * frame.ciphertext_limbs * poly for frame in self.frames]
        words = [frame.ciphertext.ljust(size, b"\0") for frame, size in zip(self.given.frames, sizes, strict=True)]
        place = self._take(sum(sizes), b"".join(words) if any(frame.ciphertext for frame in self.given.frames) else b"")
        for frame, size in zip(self.frames, sizes, strict=True):
            frame.ciphertext = place
            place += size

    def _take(self, size: int, content: bytes = b"") -> int:
        place = -(-self._next // 4096) * 4096
        self._next = place + size
        self._parts.append((place, content))
        return place

    @property
    def size(self) -> int:
        """Size of RAM, in bytes."""
        return -(-(self._next - RAM) // 4096) * 4096

    def content(self) -> bytes:
        """The bytes from PLACE on."""
        data = bytearray(self.size + RAM - PLACE)
        data[: ctypes.sizeof(NativeJob)] = bytes(self.job)
        for place, content in [*self._parts, (self.job.frames, b"".join(map(bytes, self.frames)))]:
            data[place - PLACE : place - PLACE + len(content)] = content
        return bytes(data)


def frames_in(image: bytes, job: NativeJob) -> list[NativeFrame]:
    """The frames of a RAM image, with their results."""
    size = ctypes.sizeof(NativeFrame)
    return [NativeFrame.from_buffer_copy(image, job.frames - RAM + index * size) for index in range(job.frame_count)]


def job_in(image: bytes) -> NativeJob:
    """The job of a RAM image."""
    return NativeJob.from_buffer_copy(image, PLACE - RAM)


def with_phase(image: bytes, phase: int) -> bytes:
    at = PLACE - RAM + NativeJob.phase.offset
    return image[:at] + phase.to_bytes(8, "little") + image[at + 8 :]
