# SPDX-License-Identifier: Apache-2.0
"""How far the simulation of an operation is: the cycles that were run, and about how many there will be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..designs import Design
from ..devices.simulated import SimulatedDevice, told_when_opened
from ..objects.common.params import Parameters
from ..progress import Progress
from ..sim.timing import program_time, row_of
from .operation import program_of, takes_batches

TOLD_SECONDS = 0.5  # between two looks


def expected_cycles(design: Design, op: str, params: Parameters, limbs: int, frames: int = 1) -> int:
    """About as many as operation.record simulates."""
    alone = program_time(row_of(design, params.log_n), program_of(design, op, params, limbs))
    batches = frames > 1 and takes_batches(design, op)  # which follow a frame alone
    return alone.cycles * (frames + batches)


@contextmanager
def watched(expected: Callable[[], int], tell: Progress) -> Iterator[None]:
    """Tells how far a device is that is opened in the block: cycles, and those expected, which are asked for when it is."""
    ended, opened = threading.Event(), threading.Event()
    devices: list[SimulatedDevice] = []
    total: list[int] = []

    def found(device: SimulatedDevice) -> None:
        total.append(expected())
        devices.append(device)
        opened.set()

    def look() -> None:
        opened.wait()
        first = devices[0].core.cycles if devices else 0
        while devices and not ended.wait(TOLD_SECONDS):
            tell(devices[0].core.cycles - first, total[0])

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        with told_when_opened(found):
            yield
    finally:
        ended.set()
        opened.set()
        thread.join()
