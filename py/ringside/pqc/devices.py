# SPDX-License-Identifier: Apache-2.0
"""The place of a device's name, for ML-KEM, ML-DSA and NewHope."""

from __future__ import annotations

from ..executors.accelerator import Accelerator
from ..executors.cpu import CPU
from ..executors.names import SIM, SOC, check_device
from ..progress import Progress
from ..sim.options import Simulated, parse_chip, parse_simulated
from .on_core import Call, SchemeCore
from .place import SchemePlace


def place_for(name: str, number: int, prepare: Call, progress: Progress | None = None) -> SchemePlace | None:
    """The place of a device's name, None for the processor; number: of the set. Builds the model if it is not in the cache. DeviceError."""
    check_device(name)
    if name == CPU.name:
        return None
    if name.startswith(SOC):
        from .on_chip import SchemeChip

        return SchemeChip(name, parse_chip(name.removeprefix(SOC)), number, progress)
    return SchemeCore(_simulated(parse_simulated(name.removeprefix(SIM)), progress), prepare)


def _simulated(wanted: Simulated, progress: Progress | None) -> Accelerator:
    from ..executors.simulated import open_simulated  # simulation is loaded where it is asked for

    return open_simulated(wanted, progress=progress)
