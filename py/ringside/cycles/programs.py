# SPDX-License-Identifier: Apache-2.0
"""Programs by text on a simulated core, and what one of them or several took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import DeviceError
from ..devices.simulated import SimulatedDevice
from ..native.library import ffi, lib
from ..sim.asm import assemble
from ..sim.core import ProgramRun

LINE = 64  # bytes


@dataclass(frozen=True)
class ProgramFigures:
    """One program, from doorbell to interrupt. busy: cycles in which each unit ran an instruction."""

    cycles: int
    busy: dict[str, int]
    read_beats: int
    write_beats: int


@dataclass(frozen=True)
class SchemeRun:
    """An operation of a scheme. cycles: of all its programs; of a signature those of one round that is not refused, and its set-up apart. instructions: of the last one."""

    design: str
    op: str
    set: str
    cycles: int
    set_up: int
    rounds: int
    instructions: int
    programs: tuple[ProgramFigures, ...]

    def busy(self, unit: str) -> int:
        """Cycles in which a unit ran an instruction, in all programs."""
        return sum(one.busy[unit] for one in self.programs)


def figures(jobs: Iterable[ProgramRun]) -> tuple[ProgramFigures, ...]:
    return tuple(ProgramFigures(job.cycles, dict(job.busy), job.read_beats, job.write_beats) for job in jobs)


def wrong(device: SimulatedDevice, what: str) -> DeviceError:
    return DeviceError("SIMULATION", f"{device.name} computes {what}: a fault of the RTL.")


class BusMemory:
    """The bus memory of a device, for programs whose first pointer is its begin."""

    def __init__(self, device: SimulatedDevice) -> None:
        room, address = ffi.new("size_t *"), ffi.new("uint64_t *")
        self._device = device
        self.memory = lib.rs_device_memory(device._device, room, address)
        self._pointers = ffi.new("uint64_t[]", [address[0]])

    def put(self, offset: int, data: bytes) -> None:
        ffi.memmove(self.memory + offset, data, len(data))

    def get(self, offset: int, count: int) -> bytes:
        return bytes(ffi.buffer(self.memory + offset, count))

    def run(self, text: str, log_n: int) -> ProgramRun:
        words: Sequence[int] = assemble(text)
        program = ffi.new("uint64_t[]", words)
        run = ffi.new(
            "rs_run_t *", {"words": program, "length": len(words), "pointers": self._pointers, "pointer_count": 1}
        )
        run.log_n = log_n
        self._device.core.forget()
        self._device.check(lib.rs_device_run(self._device._device, run))
        return self._device.core.jobs()[-1]
