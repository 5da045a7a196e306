# SPDX-License-Identifier: Apache-2.0
"""Programs on a design in RTL simulation: memory images in, results out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ringside.cycles.rings import RingPlan
from ringside.cycles.slices import context_image
from ringside.devices.calls import Program as CoreProgram
from ringside.devices.simulated import SimulatedDevice, open_simulated
from ringside.native.library import ffi, lib
from ringside.progress import Progress
from ringside.sim.core import ProgramRun
from ringside.sim.options import Simulated

from .programs import ALIGNED, Program

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
        memory, address, self._room = self._device.memory
        self._skip = -address % ALIGNED
        self._memory, self._address = memory + self._skip, address + self._skip
        self._top = 0
        self._plans: dict[int, RingPlan] = {}

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exc: object) -> None:
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
            self._plans[q] = RingPlan(1 << self.log_points, q, root(self.log_points, q))
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
        lib.rs_image_write(lib.rs_device_design(self._device._device), self.plan(q).pointer, image, pointer, 1)
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
        places = [self._address + offset for offset in pointers]
        self._device.run(CoreProgram(program.words, places, self.log_points))
        return self._device.job
