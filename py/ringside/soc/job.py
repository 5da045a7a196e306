# SPDX-License-Identifier: Apache-2.0
"""The struct that the firmware is given and gives back: soc/firmware/job.h, in Python."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..designs.units import UNITS

RAM, PLACE = 0x8000_0000, 0x8020_0000
MAGIC = 0x37626F6A636F7372
LIMBS_MAX, SEED_BYTES = 64, 64
CKKS = 2  # rs_scheme_t
PREPARE, RUN, DONE = 0, 1, 2
REAL, COMPLEX, COEFFICIENTS, RESIDUES, NUMBERS, INTEGERS, ROW = range(7)  # FORM_…
DECRYPT = 3  # OP_DECRYPT; encryptions have the library's numbers
MLKEM_KEYGEN, MLKEM_ENCAPS, MLKEM_DECAPS, MLDSA_KEYGEN, MLDSA_SIGN, MLDSA_VERIFY = range(4, 10)  # OP_…
NEWHOPE_BEGIN, NEWHOPE_CLIENT, NEWHOPE_FINISH, NEWHOPE_SERVER, BLISS_SIGN, BLISS_VERIFY = range(10, 16)
KEY_ROW = 16  # OP_KEY_ROW
# functions of a device: the operation, what it reads and what it writes in the firmware's order, by the names of the library's requests (rs_mlkem_keygen_request_t)
CALLS: Mapping[str, tuple[int, tuple[str, ...], tuple[str, ...]]] = {
    "mlkem_keygen": (MLKEM_KEYGEN, ("seed",), ("ek", "dk")),
    "mlkem_encaps": (MLKEM_ENCAPS, ("ek", "m"), ("ct", "shared")),
    "mlkem_decaps": (MLKEM_DECAPS, ("dk", "ct"), ("shared",)),
    "mldsa_keygen": (MLDSA_KEYGEN, ("seed",), ("pk", "sk")),
    "mldsa_sign": (MLDSA_SIGN, ("sk", "message", "rnd"), ("signature",)),
    "mldsa_verify": (MLDSA_VERIFY, ("pk", "message", "signature"), ()),
    "newhope_server": (NEWHOPE_BEGIN, ("seed", "noise_seed"), ("message", "secret")),
    "newhope_client": (NEWHOPE_CLIENT, ("server_message", "noise_seed"), ("message", "shared")),
    "newhope_shared": (NEWHOPE_FINISH, ("client_message", "secret"), ("shared",)),
}

LINE = 64
# the core reads pk of ML-DSA where it is if it begins in the middle of a line, and z of a signature, behind the challenge, at the beginning of one (device_mldsa.h)
HALF_LINE, CHALLENGE_BYTES = 32, {44: 32, 65: 48, 87: 64}
READS_MAX = 4_000_000  # reads of STATUS; one takes some 30 cycles, a program of a scheme 22,000

# in the order of stage_t; measurements name them by what they are (cycles/system.py, scheme_system.py)
STAGES = (
    *("encode", "software", "program", "seed", "in", "registers"),
    *("core", "wait", "between", "wipe", "out", "decode"),
)
STEPS = (
    "", "job", "memory", "parameters", "context", "opening the core", "loading keys", "encode", "the operation",
    "decode", "the middle: it was reset", "loading roots",
)  # fmt: skip
DESIGN = (
    "lanes", "word_bits", "log_n_min", "log_n_max", "groups", "contexts", "slots", "bus_bits", "features",
    "program_depth", "keccak_cores",
)  # fields of rs_design_t  # fmt: skip


class NativeCount(ctypes.LittleEndianStructure):
    _fields_ = [("cycles", ctypes.c_uint64), ("instructions", ctypes.c_uint64)]


class Layout(ctypes.LittleEndianStructure):
    """rs_fixed_layout_t."""

    _fields_ = [(name, ctypes.c_int32) for name in ("format", "is_complex", "count", "exponent", "bound")]


def _words(*names: str) -> list[tuple[str, type[ctypes.c_uint64]]]:
    return [(name, ctypes.c_uint64) for name in names]


class NativeArray(ctypes.LittleEndianStructure):
    """array_t."""

    _fields_ = [*_words("address", "bytes", "secret")]


class _FrameArrays(ctypes.LittleEndianStructure):
    _fields_ = [(name, NativeArray) for name in ("values", "plaintext", "kept", "ciphertext")]


class _CallArrays(ctypes.LittleEndianStructure):
    _fields_ = [("inputs", NativeArray * 3), ("context", NativeArray), ("outputs", NativeArray * 3)]


class _OfFrame(ctypes.Union):
    _anonymous_ = ("_frame", "_call")
    _fields_ = [("_frame", _FrameArrays), ("_call", _CallArrays)]


class NativeFrame(ctypes.LittleEndianStructure):
    """frame_t."""

    _anonymous_ = ("_arrays",)
    _fields_ = [
        *_words("form", "hash", "value_count"),
        ("scale", ctypes.c_double),
        *_words("limbs", "ciphertext_limbs", "polys", "seeded", "seed_type", "answer"),
        *_words("is_unsigned", "packing", "ntt", "correction_factor", "element", "index"),
        ("_arrays", _OfFrame),
        ("seed", ctypes.c_uint8 * SEED_BYTES),
        ("entropy", (ctypes.c_uint8 * SEED_BYTES) * 2),
    ]


class NativeJob(ctypes.LittleEndianStructure):
    """job_t."""

    _fields_ = [
        *_words("magic", "bytes", "phase", "op", "device", "opened", "in_core", "overlap", "singles"),
        *_words("set", "stream", "offload", "wait_cycles", "time_limit"),
        ("design", ctypes.c_uint32 * len(DESIGN)),
        ("numbers", Layout),
        *_words("scheme", "plain_modulus", "margin_bits", "log_n", "limb_count"),
        ("moduli", ctypes.c_uint64 * LIMBS_MAX),
        *_words("frames", "frame_count", "end"),
        *((name, NativeArray) for name in ("public_key", "secret_key", "arena", "shared", "kernels")),
        *_words("context", "device_state", "used", "prepared", "status", "step", "done", "current"),
        ("setup", NativeCount),
        ("first", NativeCount),
        ("stages", NativeCount * len(STAGES)),
        *_words("single_cycles", "program_frames", "first_cycles", "before_last_cycles", "all_cycles"),
        ("unit_cycles", ctypes.c_uint64 * len(UNITS)),
        *_words("core_cycles", "programs", "rounds", "program_words", "accesses"),
    ]


@dataclass(frozen=True)
class GivenFrame:
    """form: REAL … ROW. An encryption: values are its message, of a decryption they have room for value_count values or residues.
    NUMBERS: the core encodes or decodes them; number_bytes of each, with its imaginary part. INTEGERS: is_unsigned, packing, and of ciphertexts ntt,
    correction_factor. ROW: of a switching key, element and index.

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
    is_unsigned: bool = False
    packing: int = 0
    ntt: bool = False
    correction_factor: int = 0
    element: int = 0
    index: int = 0


@dataclass(frozen=True)
class Given:
    """Frames of one kind. op: rs_encryption_t, or DECRYPT. keys: words, the one that is not needed is empty.

    opened: the core's tables and keys are made before the SoC runs. design: values of DESIGN, where there is a core. layout: values of Layout, where
    the core encodes or decodes: then all frames are NUMBERS. overlap: 1: a frame is encoded while the core encrypts the one before; of NUMBERS so many share
    a program, after `singles` that do not. shared_bytes: memory that driver and core share. wait_cycles: for an interrupt, at a time;
    time_limit: of a program of the core, in cycles; None: what such a program takes, with a margin (limits.py). scheme: rs_scheme_t.
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
    scheme: int = CKKS
    plain_modulus: int = 0
    margin_bits: int = 0


@dataclass(frozen=True)
class GivenCall:
    """inputs, and the sizes of outputs: as job.h says. form, prehash, context: of a text that is signed."""

    inputs: Sequence[bytes]
    sizes: Sequence[int]
    form: int = 0
    prehash: int = 0
    context: bytes = b""


@dataclass(frozen=True)
class GivenCalls:
    """Calls of one operation of a scheme. op: MLKEM_KEYGEN …; set, stream: the library's numbers.

    on_core: by the core, not by software. uncounted: so many calls come before those whose kernels count; offload: kernels that a core does, bits. kernel_bytes: of
    what a profile leaves. cycles: of a call by software, about.
    """

    op: int
    set: int
    calls: Sequence[GivenCall]
    on_core: bool = False
    stream: int = 2  # RS_NEWHOPE_STREAM_SHAKE256
    uncounted: int = 0
    offload: int = 0
    kernel_bytes: int = 0
    cycles: int = 2_500_000

    @property
    def shared_bytes(self) -> int:
        """Enough for all sets."""
        return 1 << 17 if self.on_core or self.offload else 0


class MemoryImage:
    """The RAM behind the firmware: the job, and what it names."""

    def __init__(self, given: Given | GivenCalls, arena_bytes: int) -> None:
        self.given = given
        self._next = PLACE + ctypes.sizeof(NativeJob)
        self._parts: list[tuple[int, bytes]] = []
        self.job = job = NativeJob(magic=MAGIC, bytes=ctypes.sizeof(NativeJob), phase=PREPARE, op=given.op)
        self.frames = self._frames(given) if isinstance(given, Given) else self._calls(given)
        job.frame_count = len(self.frames)
        # calls are short: not all of it in the same lines of the cache
        line = 4096 if isinstance(given, Given) else LINE
        job.frames = self._take(ctypes.sizeof(NativeFrame) * len(self.frames), line=line).address
        job.arena = self._take(arena_bytes, line=line)
        job.shared = self._take(given.shared_bytes, secret=True)
        job.end = RAM + self.size

    def _frames(self, given: Given) -> list[NativeFrame]:
        poly, limbs, job = 8 << given.log_n, len(given.moduli), self.job
        job.device, job.opened = int(bool(given.design)), int(given.opened)
        job.in_core, job.overlap, job.singles = int(bool(given.layout)), given.overlap, given.singles
        job.numbers = Layout(*given.layout)
        job.wait_cycles, job.time_limit = given.wait_cycles, given.time_limit or 0
        job.design[:] = given.design or [0] * len(DESIGN)
        job.scheme, job.plain_modulus, job.margin_bits = given.scheme, given.plain_modulus, given.margin_bits
        job.log_n, job.limb_count = given.log_n, limbs
        job.moduli[:limbs] = given.moduli
        job.public_key = self._take(2 * limbs * poly, given.public_key)
        job.secret_key = self._take(limbs * poly, given.secret_key, secret=True)
        frames = [self._frame(frame, poly) for frame in given.frames]
        if given.layout:
            self._place_in_a_row(given, frames, poly)
        return frames

    def _frame(self, given: GivenFrame, poly: int) -> NativeFrame:
        frame = NativeFrame(
            form=given.form, scale=given.scale, limbs=given.limbs, polys=given.polys, value_count=given.value_count
        )
        frame.ciphertext_limbs = given.ciphertext_limbs or given.limbs
        frame.seeded, frame.seed_type = int(given.seeded), given.seed_type
        frame.is_unsigned, frame.packing = int(given.is_unsigned), given.packing
        frame.ntt, frame.correction_factor = int(given.ntt), given.correction_factor
        frame.element, frame.index = given.element, given.index
        frame.seed[:] = given.seed
        for place, seed in zip(frame.entropy, given.entropy, strict=True):
            place[:] = seed
        sizes = {
            REAL: 8 * given.value_count,
            COMPLEX: 16 * given.value_count,
            COEFFICIENTS: poly,
            RESIDUES: given.limbs * poly,
            NUMBERS: given.number_bytes * given.value_count,
            INTEGERS: 8 * given.value_count,
            ROW: 0,
        }
        frame.values = self._take(max(8, sizes[given.form]), given.values, secret=True)
        if given.form == NUMBERS:
            return frame
        if given.form not in (INTEGERS, ROW):
            frame.plaintext = self._take(max(1, given.limbs) * poly, secret=True)
        if given.kept:
            frame.kept = self._take(given.limbs * poly, secret=True)
        frame.ciphertext = self._take(given.polys * frame.ciphertext_limbs * poly, given.ciphertext)
        return frame

    def _place_in_a_row(self, given: Given, frames: Sequence[NativeFrame], poly: int) -> None:
        """Ciphertexts of NUMBERS, one behind another, as those of a program are: then the core reads or writes them itself."""
        sizes = [(1 if frame.seeded else frame.polys) * frame.ciphertext_limbs * poly for frame in frames]
        words = [frame.ciphertext.ljust(size, b"\0") for frame, size in zip(given.frames, sizes, strict=True)]
        row = self._take(sum(sizes), b"".join(words) if any(frame.ciphertext for frame in given.frames) else b"")
        for frame, size, end in zip(frames, sizes, itertools.accumulate(sizes), strict=True):
            frame.ciphertext = NativeArray(row.address + end - size, size)

    def _calls(self, given: GivenCalls) -> list[NativeFrame]:
        job = self.job
        job.device, job.set, job.stream = int(given.on_core), given.set, given.stream
        job.singles, job.offload, job.time_limit = given.uncounted, given.offload, READS_MAX
        job.kernels = self._take(given.kernel_bytes)
        # one that is made again is at the same place
        placed = {id(call): self._call(given, call) for call in given.calls}
        return [placed[id(call)] for call in given.calls]

    def _call(self, given: GivenCalls, call: GivenCall) -> NativeFrame:
        frame = NativeFrame(form=call.form, hash=call.prehash)
        ahead = (HALF_LINE, 0, -CHALLENGE_BYTES[given.set]) if given.op == MLDSA_VERIFY else (0, 0, 0)
        for index, (content, before) in enumerate(zip(call.inputs, ahead, strict=False)):
            frame.inputs[index] = self._take(len(content), content, secret=True, line=LINE, ahead=before)
        frame.context = self._take(len(call.context), call.context, secret=True, line=LINE)
        for index, size in enumerate(call.sizes):
            frame.outputs[index] = self._take(size, secret=True, line=LINE)
        return frame

    def _take(
        self, size: int, content: bytes = b"", *, secret: bool = False, line: int = 4096, ahead: int = 0
    ) -> NativeArray:
        place = self._next + (ahead - self._next) % line
        self._next = place + size
        self._parts.append((place, content))
        return NativeArray(place, size, int(secret))

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
