# SPDX-License-Identifier: Apache-2.0
"""What runs calls, and what it counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Self

from ..designs.units import UNITS
from ..errors import DeviceError, frames_from
from ..native.batch import usable_threads
from ..native.library import lib
from ..notebook import facts_html
from ..progress import Progress
from .calls import Call, Decryption, DeviceSet, Encryption, FixedRows, Program, SchemeCall

Watch = Callable[[str], AbstractContextManager[Progress]]
POLYS = 3  # polynomials of the longest ciphertext that is decrypted: one product, not relinearised


class AnyDevice(ABC):
    """Something that computes: the processor, a core, or a SoC. Threads may share it.

    name: as devices have it, "cpu:", "sim:rise-4". watch: shows how far simulations of that name are, as long as there are some; None: nothing does.
    """

    name: str
    watch: Watch | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def fixed_bits(self) -> int:
        """Width of the words in which the device encodes and decodes FixedRows, with the library's bits; 0: it does not."""
        return 0

    @property
    def is_sealed(self) -> bool:
        """Whether it has slots for keys that it keeps."""
        return False

    @property
    def counting(self) -> Counting | None:
        """Itself, if it counts cycles."""
        return None

    def run(self, call: Call) -> None:
        """All frames of the call, in parts where somebody wants to know how far it is.

        Errors name the frame (of_frame) where the messages are rows. DeviceError: it cannot do such a call; nothing was drawn for it.
        """
        if refusal := self.refusal(call):
            raise DeviceError("DESIGN", f"{self.name} {refusal[0]}.", refusal[1])
        if not isinstance(call, Encryption | Decryption) or call.progress is None:
            self.compute(call)
            return
        count, most = len(call.ciphertexts), self.frames_at_once(call)
        for first in range(0, max(1, count), most):
            part = slice(first, min(first + most, count))
            with frames_from(first):
                self.compute(call[part])
            call.progress(part.stop, count)

    def refusal(self, call: Call) -> tuple[str, str] | None:
        """What it does not do, and a hint; None: it runs the call."""
        match call:
            case Encryption() | Decryption() if isinstance(call.messages, FixedRows) and not self.fixed_bits:
                return "does not encode", "Encode before, and decode behind."
            case SchemeCall(sealed=True) if not self.is_sealed:
                return "keeps no keys", 'Take a core with [fields] mode = "sealed", such as sim:pqc-4s.'
            case Program():
                return "runs no programs of a core", "Take a device sim:DESIGN."
        return None

    def frames_at_once(self, call: Encryption | Decryption) -> int:
        """So many frames make a part."""
        return max(int(lib.RS_FRAMES_MAX), 2 * (call.threads or usable_threads()))

    @abstractmethod
    def compute(self, call: Call) -> None:
        """A call, or a part of one."""

    @abstractmethod
    def prepare(self, scheme: DeviceSet) -> None:
        """Makes it this scheme's, if it is another one's. DeviceError: it has no units for it, or is too small."""

    @abstractmethod
    def close(self) -> None:
        """Wipes what it holds."""


def cannot(name: str) -> DeviceError:
    """The device has no units for ML-KEM, ML-DSA and NewHope, or is too small for the set."""
    hint = "Take a design with [fields] and enough slices, such as pqc-4."
    return DeviceError("DESIGN", f"{name} cannot compute ML-KEM, ML-DSA and NewHope.", hint)


def is_refusal(status: int) -> bool:
    """Whether a set-up says that a design cannot."""
    return status in (lib.RS_ERR_DESIGN, lib.RS_ERR_DESIGN_DEGREE, lib.RS_ERR_DESIGN_MODULUS)


def is_of_device(status: int) -> bool:
    """Whether a status is about the device, not about what it was given."""
    return bool(lib.RS_ERR_DESIGN <= status <= lib.RS_ERR_DEVICE_SELFTEST or status == lib.RS_ERR_DEVICE_UNWIPED)


@dataclass(frozen=True)
class Run:
    """One program, from the doorbell to the interrupt. busy: cycles that each unit ran an instruction.

    idle, overlap: cycles without a busy unit, and with two or more; beats of the memory bus. Only a simulation knows them.
    """

    op: str
    n: int
    limbs: int
    cycles: int
    busy: dict[str, int]
    idle: int | None = None
    overlap: int | None = None
    read_beats: int | None = None
    write_beats: int | None = None

    def _repr_html_(self) -> str:
        busy = [(f"{unit} busy", f"{cycles / self.cycles:.0%}") for unit, cycles in self.busy.items() if cycles]
        return facts_html(
            f"Run of {self.op}", [("N", self.n), ("limbs", self.limbs), ("cycles", f"{self.cycles:,}"), *busy]
        )


# Stages of an operation, and the units that do them. They run beside each other: their sum is more than the cycles.
STAGES = {
    "sampling": ("SAMPLE", "EXPAND"),
    "lifting": ("LIFT",),
    "compute": ("COMPUTE",),
    "memory_read": ("LOAD",),
    "memory_write": ("STORE",),
}
RUNS_MAX = 1024  # that are remembered one by one


@dataclass
class Total:
    """Sums over the runs of one kind of operation. idle, overlap: None where a run does not know them."""

    operations: int = 0
    cycles: int = 0
    busy: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNITS, 0))
    idle: int | None = 0
    overlap: int | None = 0

    def add(self, run: Run) -> None:
        self.operations += 1
        self.cycles += run.cycles
        for unit in UNITS:
            self.busy[unit] += run.busy[unit]
        self.idle = _sum([self.idle, run.idle])
        self.overlap = _sum([self.overlap, run.overlap])


def _sum(values: Sequence[int | None]) -> int | None:
    """None if one of them is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def summary(name: str, totals: Iterable[Total], clock_mhz: float) -> dict[str, Any]:
    """Several operations in one: cycles per stage, time at a clock. idle, overlap: None where they are not known."""
    totals = list(totals)
    cycles = sum(total.cycles for total in totals)
    stages: dict[str, int | None] = {
        stage: sum(total.busy[unit] for total in totals for unit in units) for stage, units in STAGES.items()
    }
    stages["idle"] = _sum([total.idle for total in totals])
    stages["overlap"] = _sum([total.overlap for total in totals])
    return {
        "device": name,
        "operations": sum(total.operations for total in totals),
        "cycles": cycles,
        "clock_mhz": clock_mhz,
        "seconds": cycles / (clock_mhz * 1e6),
        "stages": stages,
    }


class Counting(AnyDevice):
    """A device that counts cycles.

    runs: what was computed, one entry per operation, the last RUNS_MAX of them; totals: sums over all, by operation.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.runs: deque[Run] = deque(maxlen=RUNS_MAX)
        self.totals: dict[str, Total] = {}

    @property
    def counting(self) -> Counting:
        return self

    def count(self, run: Run) -> None:
        self.runs.append(run)
        self.totals.setdefault(run.op, Total()).add(run)
