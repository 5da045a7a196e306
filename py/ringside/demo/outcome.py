# SPDX-License-Identifier: Apache-2.0
"""Measurements of one run of the demo. The JSON output is these classes, field by field."""

from dataclasses import dataclass

CAMERA = "camera"
CLOUD = "cloud"

# Every pixel of the decrypted result must be this close to the plain computation: 2^-10, a quarter of a grey level. Where
# noise alone would exceed that in more than one of 2^40 runs (Camera.error_bits), up to a whole level is allowed.
ERROR_BITS, GREY_BITS, FAILURE_BITS = 10, 8, 40


@dataclass(frozen=True)
class Stage:
    """Time of one kind of work at one place."""

    place: str
    name: str
    seconds: float
    calls: int = 1


@dataclass(frozen=True)
class Size:
    """Bytes of files that were really written; `sent` marks those that travelled."""

    name: str
    note: str
    bytes: int
    sent: bool


@dataclass(frozen=True)
class DemoParameters:
    name: str
    n: int
    prime_bits: list[int]
    special_bits: int
    total_bits: int
    security: int
    scale_bits: int
    encryption: str
    fresh_bits: float  # predicted precision of a fresh ciphertext, -log2 of the RMS error of a slot


@dataclass(frozen=True)
class DemoFrame:
    source: str
    width: int
    height: int
    tiles: int
    tile_width: int
    tile_height: int
    slots_used: int
    slots: int


@dataclass(frozen=True)
class Error:
    """Decrypted result against NumPy, pixels in [0, 1]: -log2 of the largest and of the RMS error."""

    max_bits: float
    rms_bits: float
    bound_bits: int
    passed: bool


@dataclass(frozen=True)
class DemoDevice:
    """Simulated hardware: cycles of a ciphertext, and how many frames per second it could encrypt at a clock.

    stages: cycles of all encryptions by what was done; they run beside each other. encodes: the core does that too, and decodes.
    """

    name: str
    clock_mhz: float
    encrypt_cycles: int
    decrypt_cycles: int
    stages: dict[str, int | None]
    frames_per_second: dict[str, float]  # by size of the frame
    encodes: bool


@dataclass(frozen=True)
class Outcome:
    frame: DemoFrame
    parameters: DemoParameters
    error: Error
    stages: list[Stage]
    upload: list[Size]
    download: list[Size]
    keys: list[Size]
    total_seconds: float
    server: str  # what the cloud ran
    command: str
    report: str
    sheet: str
    threads: int = 1  # threads of the camera's processor, at most
    device: DemoDevice | None = None  # where the camera encrypted and decrypted, if not on the processor

    @property
    def passed(self) -> bool:
        return self.error.passed

    def sent(self, sizes: list[Size]) -> int:
        return sum(size.bytes for size in sizes if size.sent)

    def seconds(self, place: str) -> float:
        return sum(stage.seconds for stage in self.stages if stage.place == place)


def readable_bytes(count: int) -> str:
    if count < 10_000:
        return f"{count:,} B"
    if count < 10_000_000:
        return f"{count / 1000:,.0f} kB"
    return f"{count / 1_000_000:,.1f} MB"


def readable_time(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"
    return f"{seconds:.2f} s"
