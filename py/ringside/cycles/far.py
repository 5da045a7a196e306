# SPDX-License-Identifier: Apache-2.0
"""How far the simulation of an operation is: the cycles that were run, and about how many there will be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..designs import Design
from ..devices.simulated import SimulatedDevice
from ..objects.common.params import Parameters
from ..progress import Progress, repeated
from ..sim.timing import program_time, row_of
from .operation import program_of, takes_batches

TOLD_SECONDS = 0.5  # between two looks


def expected_cycles(design: Design, op: str, params: Parameters, limbs: int, frames: int = 1) -> int:
    """About as many as operation.record simulates."""
    alone = program_time(row_of(design, params.log_n), program_of(design, op, params, limbs))
    batches = frames > 1 and takes_batches(design, op)  # which follow a frame alone
    return alone.cycles * (frames + batches)


@contextmanager
def watched(expected: Callable[[], int], tell: Progress, device: SimulatedDevice) -> Iterator[None]:
    """Tells how far a device is: cycles, and those expected."""
    total, first = expected(), device.core.cycles
    with repeated(TOLD_SECONDS, lambda: tell(device.core.cycles - first, total)):
        yield
