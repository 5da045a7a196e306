# SPDX-License-Identifier: Apache-2.0
"""Programs by text on a simulated core, and what one of them or several took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..devices.calls import Program
from ..devices.simulated import SimulatedDevice
from ..errors import DeviceError
from ..native.library import ffi
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
    """An operation of a scheme. cycles: of all its programs; of a signature those of one round that is not refused, and its set-up apart; of a sealed decapsulation those of the second one. instructions: of the last one."""

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
        self._device = device
        self.memory, self._address, _ = device.memory

    def put(self, offset: int, data: bytes) -> None:
        ffi.memmove(self.memory + offset, data, len(data))

    def get(self, offset: int, count: int) -> bytes:
        return bytes(ffi.buffer(self.memory + offset, count))

    def run(self, text: str, log_n: int) -> ProgramRun:
        self._device.run(Program(assemble(text), [self._address], log_n))
        return self._device.job
