# SPDX-License-Identifier: Apache-2.0
"""The devices `sim:DESIGN`: the library's driver on a simulated core."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..designs import Design
from ..errors import DeviceError
from ..native.library import CData, ffi, lib
from ..progress import Progress
from ..sim.asm import disassemble
from ..sim.core import Core, Memory, ProgramRun, library
from ..sim.options import Simulated
from ..sim.program import native_design
from ..sim.verilate import reported
from .accelerator import Accelerator, fits
from .device import POLYS, Run

SELF_TEST_BYTES = 1 << 24
MIB = 1 << 20


def bus_of(core: Core) -> CData:
    """rs_bus_t with the harness's own functions: the library calls the model without Python in between."""
    return ffi.new(
        "rs_bus_t *",
        {
            "state": ffi.cast("void *", core.state),
            "read": ffi.cast("rs_status_t (*)(void *, uint32_t, uint32_t *)", core.callback("read")),
            "write": ffi.cast("rs_status_t (*)(void *, uint32_t, uint32_t)", core.callback("write")),
            "wait": ffi.cast("rs_status_t (*)(void *)", core.callback("wait")),
            "memory": ffi.cast("uint8_t *", core.memory_pointer),
            "memory_address": core.memory_address,
            "memory_bytes": core.memory.size,
        },
    )


class SimulatedDevice(Accelerator):
    """job: how the last program ran. finished: is called after every program."""

    job: ProgramRun
    finished: Callable[[ProgramRun], None] | None = None

    def __init__(self, design: Design, core: Core) -> None:
        self.core = core
        super().__init__(f"sim:{design.name}", bus_of(core))
        core.forget()
        # the model goes when nobody can use it any more, not before
        weakref.finalize(self, core.close)

    def check(self, status: int, detail: str = "") -> None:
        if status == 0:
            return
        if self.core.message:
            raise DeviceError("SIMULATION", f"The simulation of {self.name} stopped: {self.core.message}.")
        report, program = lib.rs_device_report(self._device), self.program
        if not detail and report.cause and report.pc < len(program):
            detail = f"{self.name}, instruction {report.pc}: {disassemble(program[report.pc])}"
        super().check(status, detail)

    def begin(self) -> None:
        self.core.forget()  # what a call has left that failed

    def report(self, op: str, n: int, limbs: int) -> Run:
        jobs = self.core.jobs()  # several, if not all frames fit one program
        self.job = jobs[-1]
        for job in jobs:
            if self.finished is not None:
                self.finished(job)
        self.core.forget()
        busy = {unit: sum(job.busy[unit] for job in jobs) for unit in self.job.busy}
        counts = ("idle", "overlap", "read_beats", "write_beats")
        cycles = sum(job.cycles for job in jobs)
        return Run(op, n, limbs, cycles, busy, *(sum(getattr(job, name) for job in jobs) for name in counts))


BuildLibrary = Callable[..., Path]  # as sim.core.library


def model(wanted: Simulated, progress: Progress | None = None, build: BuildLibrary | None = None) -> Path:
    """Of the design, from the cache or built. DeviceError: it cannot be."""
    with reported(f"The simulation of {wanted.design.name} cannot be built"):
        return (build or library)(wanted.design, checked=wanted.checked, progress=progress)


def open_simulated(
    wanted: Simulated, params: CData | None = None, progress: Progress | None = None, build: BuildLibrary | None = None
) -> SimulatedDevice:
    """A core with memory for these parameters (rs_params_t; default: for the self-test). Builds the model if it is not in the cache. build: another one.

    DeviceError: the design cannot compute with the parameters; the model cannot be built or does not answer.
    """
    design, native = wanted.design, native_design(wanted.design)
    numbers: dict[str, Any] = dict(wanted.numbers)
    size = SELF_TEST_BYTES
    if params is not None:
        fits(native, params, design.name)
        size = int(lib.rs_device_memory_bytes(native, params, POLYS, lib.RS_FRAMES_MAX))
    size = numbers.pop("memory", -(-size // MIB)) * MIB
    statuses = {"failed": lib.RS_ERR_DEVICE_ABSENT, "timeout": lib.RS_ERR_DEVICE_BUSY}
    core = Core(model(wanted, progress, build), Memory(size=size, **numbers), **statuses)
    return SimulatedDevice(design, core)
