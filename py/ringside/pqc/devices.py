# SPDX-License-Identifier: Apache-2.0
"""The place of a device's name, for ML-KEM, ML-DSA and NewHope."""

from __future__ import annotations

from ..devices.accelerator import Accelerator
from ..devices.names import parse
from ..progress import Progress
from ..sim.options import Chip, Simulated
from .on_core import Call, SchemeCore
from .place import SchemePlace


def place_for(name: str, number: int, prepare: Call, progress: Progress | None = None) -> SchemePlace | None:
    """The place of a device's name, None for the processor; number: of the set. Builds the model if it is not in the cache. DeviceError."""
    wanted = parse(name)
    if wanted is None:
        return None
    if isinstance(wanted, Chip):
        from .on_chip import SchemeChip

        return SchemeChip(name, wanted, number, progress)
    return SchemeCore(_simulated(wanted, progress), prepare)


def _simulated(wanted: Simulated, progress: Progress | None) -> Accelerator:
    from ..devices.simulated import open_simulated  # simulation is loaded where it is asked for

    return open_simulated(wanted, progress=progress)
