# SPDX-License-Identifier: Apache-2.0
"""What the firmware is given and gives back: soc/firmware/job.h, in Python."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

RAM, PLACE = 0x8000_0000, 0x8020_0000
MAGIC = 0x31626F6A636F7372
LIMBS_MAX, SEED_BYTES, UNITS = 64, 64, 6
PREPARE, RUN, DONE = 0, 1, 2

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
)


class Count(ctypes.LittleEndianStructure):
    _fields_ = [("cycles", ctypes.c_uint64), ("instructions", ctypes.c_uint64)]


def _words(*names: str) -> list[tuple[str, type[ctypes.c_uint64]]]:
    return [(name, ctypes.c_uint64) for name in names]


class Job(ctypes.LittleEndianStructure):
    _fields_ = [
        *_words("magic", "bytes", "phase", "op", "device", "calls", "log_n", "limb_count", "limbs", "value_count"),
        ("scale", ctypes.c_double),
        ("moduli", ctypes.c_uint64 * LIMBS_MAX),
        ("entropy", (ctypes.c_uint8 * SEED_BYTES) * 2),
        *_words("values", "public_key", "secret_key", "ciphertext", "plaintext", "decoded"),
        *_words("arena", "arena_bytes", "shared", "shared_bytes", "context", "used", "status", "step"),
        ("seed", ctypes.c_uint8 * SEED_BYTES),
        ("setup", Count),
        ("stages", Count * len(STAGES)),
        ("unit_cycles", ctypes.c_uint64 * UNITS),
        *_words("program_words", "accesses"),
    ]


@dataclass(frozen=True)
class Given:
    """An operation. op: rs_encryption_t, or 3 for a decryption. values: N/2 doubles; keys and ciphertext: words; entropy: two seeds."""

    op: int
    device: bool
    calls: int
    log_n: int
    moduli: list[int]
    limbs: int
    scale: float
    values: bytes
    public_key: bytes
    secret_key: bytes
    ciphertext: bytes  # of a decryption
    entropy: tuple[bytes, bytes]
    shared_bytes: int  # memory that driver and core share


class Memory:
    """The RAM behind the firmware: the job, and what it names."""

    def __init__(self, given: Given, arena_bytes: int) -> None:
        n = 1 << given.log_n
        poly = 8 * n
        self._next = PLACE + ctypes.sizeof(Job)
        self._parts: list[tuple[int, bytes]] = []
        self.job = job = Job(magic=MAGIC, bytes=ctypes.sizeof(Job), phase=PREPARE)
        job.op, job.device, job.calls = given.op, int(given.device), given.calls
        job.log_n, job.limb_count, job.limbs = given.log_n, len(given.moduli), given.limbs
        job.value_count, job.scale = len(given.values) // 8, given.scale
        job.moduli[: len(given.moduli)] = given.moduli
        for place, seed in zip(job.entropy, given.entropy, strict=True):
            place[:] = seed
        job.values = self._take(len(given.values), given.values)
        job.public_key = self._take(len(given.public_key), given.public_key)
        job.secret_key = self._take(len(given.secret_key), given.secret_key)
        job.ciphertext = self._take(2 * given.limbs * poly, given.ciphertext)
        job.plaintext = self._take(max(1, given.limbs) * poly)
        job.decoded = self._take(poly // 2)
        job.arena, job.arena_bytes = self._take(arena_bytes), arena_bytes
        job.shared, job.shared_bytes = self._take(given.shared_bytes), given.shared_bytes

    def _take(self, size: int, content: bytes = b"") -> int:
        place = -(-self._next // 4096) * 4096
        self._next = place + size
        self._parts.append((place, content))
        return place

    @property
    def size(self) -> int:
        """Of RAM, in bytes."""
        return -(-(self._next - RAM) // 4096) * 4096

    def content(self) -> bytes:
        """From PLACE on."""
        data = bytearray(self.size + RAM - PLACE)
        data[: ctypes.sizeof(Job)] = bytes(self.job)
        for place, content in self._parts:
            data[place - PLACE : place - PLACE + len(content)] = content
        return bytes(data)


def job_in(image: bytes) -> Job:
    """The job of a RAM image."""
    return Job.from_buffer_copy(image, PLACE - RAM)


def with_phase(image: bytes, phase: int) -> bytes:
    at = PLACE - RAM + Job.phase.offset
    return image[:at] + phase.to_bytes(8, "little") + image[at + 8 :]
