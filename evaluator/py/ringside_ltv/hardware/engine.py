# SPDX-License-Identifier: Apache-2.0
"""Programs on a design in RTL simulation: memory images in, results out."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ringside.cycles.rings import RingPlan
from ringside.cycles.slices import context_image
from ringside.errors import DeviceError
from ringside.executors.simulated import SimulatedDevice, open_simulated
from ringside.native.library import ffi, lib
from ringside.progress import Progress
from ringside.sim.core import ProgramRun
from ringside.sim.options import Simulated

from .programs import ALIGNED, LINE, Program

Residues = NDArray[np.uint64]
MIB = 1 << 20
STEP_BITS = 11  # bits of a step of word-level Montgomery: R = 2^11 for each, as many as a word has
SPARE = 1 << 16  # bytes for the driver's own, and so that images begin where a burst may


def radix(word_bits: int) -> int:
    return 1 << STEP_BITS * -(-word_bits // STEP_BITS)


def root(log_points: int, q: int) -> int:
    """A primitive root of order twice the points."""
    order = 2 << log_points
    found = (pow(g, (q - 1) // order, q) for g in range(2, 1 << 16))
    return next(psi for psi in found if pow(psi, order // 2, q) == q - 1)


class Engine:
    """A simulated core with memory for images. Use it in a `with`."""

    def __init__(self, wanted: Simulated, log_points: int, image_bytes: int, progress: Progress | None = None) -> None:
        numbers = dict(wanted.numbers)
        numbers["memory"] = max(int(numbers.get("memory", 0)), 1, -(-(image_bytes + SPARE) // MIB))
        numbers.setdefault("outstanding", max(64, wanted.design.outstanding))
        self.design, self.log_points = wanted.design, log_points
        self._device: SimulatedDevice = open_simulated(replace(wanted, numbers=numbers), progress=progress)
        room, address = ffi.new("size_t *"), ffi.new("uint64_t *")
        memory = lib.rs_device_memory(self._device._device, room, address)
        self._skip = -int(address[0]) % ALIGNED
        self._memory, self._address, self._room = memory + self._skip, int(address[0]) + self._skip, int(room[0])
        self._top = 0
        self._plans: dict[int, RingPlan] = {}

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._device.close()

    # ---- memory ----------------------------------------------------------------------------------------------------------
    def room(self, size: int) -> int:
        """The offset of so many bytes."""
        offset = self._top
        self._top += -(-size // ALIGNED) * ALIGNED
        assert self._top + self._skip <= self._room, f"{self._top} bytes of images do not fit {self._room}"
        return offset

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """What gets room inside is free afterwards."""
        top = self._top
        yield
        self._top = top

    def put(self, offset: int, data: bytes) -> None:
        ffi.memmove(self._memory + offset, data, len(data))

    def words(self, offset: int, count: int) -> Residues:
        return np.frombuffer(bytes(ffi.buffer(self._memory + offset, 4 * count)), "<u4").astype(np.uint64)

    # ---- rings -----------------------------------------------------------------------------------------------------------
    def plan(self, q: int) -> RingPlan:
        if q not in self._plans:
            self._plans[q] = RingPlan(self.log_points, q, root(self.log_points, q))
        return self._plans[q]

    def context(self, q: int) -> bytes:
        native = lib.rs_device_design(self._device._device)
        return bytes(context_image(native, self.log_points, q, root(self.log_points, q)))

    def key(self, q: int, coefficients: Residues) -> bytes:
        """The image of a factor: its transform times R."""
        padded = np.zeros(1 << self.log_points, np.uint64)
        padded[: len(coefficients)] = coefficients
        turned, image = self.plan(q).turned(padded), ffi.new("uint8_t[]", 4 << self.log_points)
        pointer = ffi.cast("uint64_t *", ffi.from_buffer(turned))
        lib.rs_image_write(lib.rs_device_design(self._device._device), self.plan(q).plan, image, pointer, 1)
        return bytes(ffi.buffer(image))

    def multiplied(self, q: int, pairs: Sequence[tuple[Residues, Residues]]) -> Residues:
        """The sum of products of coefficients, by the library's transforms: what the core has to compute."""
        plan, total = self.plan(q), np.zeros(1 << self.log_points, np.uint64)
        for pair in pairs:
            turned = []
            for operand in pair:
                padded = np.zeros(1 << self.log_points, np.uint64)
                padded[: len(operand)] = operand
                turned.append(plan.turned(padded))
            total = (total + turned[0] * turned[1]) % np.uint64(q)
        return plan.turned(total, inverse=True)

    # ---- programs --------------------------------------------------------------------------------------------------------
    def run(self, program: Program, pointers: Sequence[int]) -> ProgramRun:
        """pointers: offsets in the images."""
        code = ffi.new("uint64_t[]", list(program.words))
        places = ffi.new("uint64_t[]", [self._address + offset for offset in pointers])
        fields = {"words": code, "length": len(program.words), "pointers": places, "pointer_count": len(pointers)}
        run: Any = ffi.new("rs_run_t *", fields)
        run.log_n = self.log_points
        self._device.core.forget()
        self._device.check(lib.rs_device_run(self._device._device, run))
        return self._device.core.jobs()[-1]

    def run_ring(self, program: Program, pointers: Sequence[Sequence[int]]) -> ProgramRun:
        """The same program for each descriptor, which is its pointers: from the write of RING_TAIL to the ring's interrupt."""
        self._load(program)
        core, size = self._device.core, (len(pointers) - 1).bit_length()
        ring = self.room(LINE << size)
        for index, places in enumerate(pointers):
            self.put(ring + index * LINE, self._descriptor(places))
        enable = 1 << lib.RS_REG_RING_CONTROL_ENABLE_SHIFT | 1 << lib.RS_REG_RING_CONTROL_IRQ_ENABLE_SHIFT
        base = self._address + ring
        for register, value in (
            (lib.RS_REG_RING_BASE_LO, base & 0xFFFFFFFF),
            (lib.RS_REG_RING_BASE_HI, base >> 32),
            (lib.RS_REG_RING_SIZE, size),
            (lib.RS_REG_RING_CONTROL, enable),
        ):
            core.write(register, value)
        core.forget()
        core.write(lib.RS_REG_RING_TAIL, len(pointers))
        job, state, head = core.wait(), core.read(lib.RS_REG_RING_CONTROL), core.read(lib.RS_REG_RING_HEAD)
        core.write(lib.RS_REG_RING_CONTROL, 1 << lib.RS_REG_RING_CONTROL_IRQ_SHIFT)
        if state >> lib.RS_REG_RING_CONTROL_ERROR_SHIFT & 1 or head != len(pointers):
            cause = core.read(lib.RS_REG_STATUS) >> lib.RS_REG_STATUS_CAUSE_SHIFT & 15
            raise DeviceError(
                "SIMULATION", f"The ring of {self.design.name} stopped at descriptor {head}, cause {cause}."
            )
        return job

    def _descriptor(self, places: Sequence[int]) -> bytes:
        """docs/core.md, Ring of descriptors: LOG_N in the low bits of pointer 0; the program begins at instruction 0."""
        pointers = [self._address + place for place in places] + [0] * (8 - len(places))
        pointers[0] |= self.log_points
        return struct.pack("<8Q", *pointers)

    def _load(self, program: Program) -> None:
        core = self._device.core
        core.write(lib.RS_REG_PROGRAM_INDEX, 0)
        for word in program.words:
            core.write(lib.RS_REG_PROGRAM_LO, word & 0xFFFFFFFF)
            core.write(lib.RS_REG_PROGRAM_HI, word >> 32)
