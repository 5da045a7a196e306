# SPDX-License-Identifier: Apache-2.0
"""A design in simulation, with memory: registers, programs, what ran when."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..designs import Design
from ..designs.units import UNITS
from ..progress import Progress
from .sources import CORE_HARNESS, CORE_TOP, of_core
from .verilate import Model, SimulationError, build_model, source_tree

SLAVES = ("address_first", "any", "together", "data_first")  # sim/core.h, rs_core_slave_t
_FAILED = -1  # what a register access and a wait return by default


def sources() -> list[Path]:
    """The core's RTL, packages first."""
    return of_core(source_tree())


def model(design: Design, *, checked: bool = False) -> Model:
    """A design as Verilator takes it. checked: with the RTL's assertions, slower."""
    return Model(CORE_TOP, sources(), design.parameters, harness=CORE_HARNESS, assertions=checked)


def library(design: Design, *, checked: bool = False, progress: Progress | None = None) -> Path:
    """The design's model; built at first use."""
    return build_model(model(design, checked=checked), progress=progress)


# ---- sim/core.h -----------------------------------------------------------------------------------------------------
class _Options(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint64) for name in ("memory_bytes", "memory_address", "error_address", "error_bytes")),
        ("wait_cycles", ctypes.c_uint64),
        *(
            (name, ctypes.c_uint32)
            for name in ("latency", "bandwidth", "overhead", "outstanding", "stall", "slave", "seed")
        ),
        ("failed_status", ctypes.c_int32),
        ("timeout_status", ctypes.c_int32),
    ]


class _Job(ctypes.Structure):
    _fields_ = [
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("busy", ctypes.c_uint64 * len(UNITS)),
        ("active", ctypes.c_uint64 * len(UNITS)),
        *((name, ctypes.c_uint64) for name in ("idle", "overlap", "read_beats", "write_beats")),
        ("first_event", ctypes.c_uint64),
        ("event_count", ctypes.c_uint64),
    ]


class _Event(ctypes.Structure):
    _fields_ = [
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("unit", ctypes.c_uint32),
        ("pc", ctypes.c_uint32),
    ]


@dataclass(frozen=True)
class Memory:
    """The memory at the core's port, or at its two ports.

    latency: cycles from an address to its first beat. bandwidth: bytes per cycle in each direction at each port, to a thousandth, 0: all that the
    bus can carry. overhead: bytes besides its data that a burst takes of the bandwidth. outstanding: bursts at a time, at each port. stall: the number of cycles out of 256 in which a channel pauses. slave: one of SLAVES, when it
    takes the address and the data of a write. error_*: bytes answered by an error.
    """

    size: int = 1 << 26
    address: int = 1 << 32
    latency: int = 40
    bandwidth: float = 0
    overhead: int = 0
    outstanding: int = 64
    stall: int = 0
    slave: str = "address_first"
    error_address: int = 0
    error_bytes: int = 0
    wait_cycles: int = 1 << 30
    seed: int = 1


@dataclass(frozen=True)
class Event:
    """An instruction's first and last cycle, counted from the doorbell of its job."""

    unit: str
    pc: int
    start: int
    end: int


@dataclass(frozen=True)
class ProgramRun:
    """One program, from the register write that started it to the interrupt."""

    cycles: int
    busy: dict[str, int]  # cycles that a unit ran an instruction
    active: dict[str, int]  # cycles that it moved data
    idle: int  # cycles without a busy unit
    overlap: int  # cycles with two or more
    read_beats: int
    write_beats: int
    events: Sequence[Event]


class Core:
    """One instance, after reset. Not for several threads at once."""

    def __init__(
        self, path: Path, memory: Memory | None = None, *, failed: int = _FAILED, timeout: int = _FAILED
    ) -> None:
        """failed, timeout: statuses that register accesses and waits return then."""
        memory = memory or Memory()
        lib: Any = ctypes.CDLL(str(path))
        lib.rs_core_open.restype = lib.rs_core_memory.restype = ctypes.c_void_p
        lib.rs_core_message.restype = ctypes.c_char_p
        for name in ("cycles", "jobs", "events"):
            getattr(lib, f"rs_core_{name}").restype = ctypes.c_uint64
        self._lib = lib
        self.bus_bytes = int(lib.rs_core_bus_bytes())
        self.ports = int(lib.rs_core_ports())
        options = _Options(
            memory.size,
            memory.address,
            memory.error_address,
            memory.error_bytes,
            memory.wait_cycles,
            memory.latency,
            round(1000 * memory.bandwidth),
            memory.overhead,
            memory.outstanding,
            memory.stall,
            SLAVES.index(memory.slave),
            memory.seed,
            failed,
            timeout,
        )
        self._core: ctypes.c_void_p | None = ctypes.c_void_p(lib.rs_core_open(ctypes.byref(options)))
        self.memory_pointer = int(lib.rs_core_memory(self._core))
        self.memory_address = memory.address
        array = (ctypes.c_uint8 * memory.size).from_address(self.memory_pointer)
        self.memory: NDArray[np.uint8] = np.ctypeslib.as_array(array)
        self.reset()

    def close(self) -> None:
        """Wipes the memory; `memory` must not be used any more."""
        if self._core is not None:
            self.memory = np.empty(0, np.uint8)
            self._lib.rs_core_close(self._core)
            self._core = None

    def __enter__(self) -> Core:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def reset(self) -> None:
        self._lib.rs_core_reset(self._core)

    # ---- the callbacks of rs_bus_t, for the library
    @property
    def state(self) -> int:
        assert self._core is not None, "the core is closed"
        return int(self._core.value or 0)

    def callback(self, name: str) -> int:
        """Address of rs_core_read, rs_core_write or rs_core_wait."""
        return int(ctypes.cast(getattr(self._lib, f"rs_core_{name}"), ctypes.c_void_p).value or 0)

    # ---- the same for Python
    def read(self, offset: int) -> int:
        value = ctypes.c_uint32()
        self._check(self._lib.rs_core_read(self._core, offset, ctypes.byref(value)), f"reading register {offset:#x}")
        return value.value

    def write(self, offset: int, value: int) -> None:
        self._check(self._lib.rs_core_write(self._core, offset, value), f"writing register {offset:#x}")

    def wait(self) -> ProgramRun:
        """Until the interrupt."""
        self._check(self._lib.rs_core_wait(self._core), "waiting for the interrupt")
        return self.jobs()[-1]

    def set_error(self, address: int, count: int) -> None:
        """The memory answers accesses to these bytes with an error from now on."""
        self._lib.rs_core_set_error(self._core, ctypes.c_uint64(address), ctypes.c_uint64(count))

    def _check(self, status: int, what: str) -> None:
        if status:
            raise SimulationError(f"{what} failed in cycle {self.cycles}: {self.message or 'no answer'}")

    @property
    def message(self) -> str:
        """The text that the model printed, and which rule of AXI it broke; empty if all is well."""
        return str(self._lib.rs_core_message(self._core).decode(errors="replace")).strip()

    @property
    def cycles(self) -> int:
        return int(self._lib.rs_core_cycles(self._core))

    # ---- what happened
    def jobs(self) -> list[ProgramRun]:
        """All jobs since the last `forget`."""
        jobs, events = ctypes.POINTER(_Job)(), ctypes.POINTER(_Event)()
        count = self._lib.rs_core_jobs(self._core, ctypes.byref(jobs))
        self._lib.rs_core_events(self._core, ctypes.byref(events))
        return [_job(jobs[i], events) for i in range(count)]

    def forget(self) -> None:
        self._lib.rs_core_forget(self._core)


def _job(job: Any, events: Any) -> ProgramRun:
    def per_unit(counts: Any) -> dict[str, int]:
        return dict(zip(UNITS, map(int, counts), strict=True))

    found = [events[job.first_event + i] for i in range(job.event_count)]
    return ProgramRun(
        cycles=job.end - job.start,
        busy=per_unit(job.busy),
        active=per_unit(job.active),
        idle=job.idle,
        overlap=job.overlap,
        read_beats=job.read_beats,
        write_beats=job.write_beats,
        events=[Event(UNITS[event.unit], event.pc, event.start - job.start, event.end - job.start) for event in found],
    )
