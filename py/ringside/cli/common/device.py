# SPDX-License-Identifier: Apache-2.0
"""`--device` in the commands: building its model, and telling what it did."""

from __future__ import annotations

from typing import Any

from ...errors import DeviceError
from ...devices.accelerator import Counting, summary
from ...devices.names import parse
from ...sim.options import Chip
from .output import BUILDS, Lines, progress_bar


def prepare(device: str) -> None:
    """Checks the name, and builds the model of a simulated device with a progress bar. A simulated SoC says how far it is."""
    wanted = parse(device)
    if isinstance(wanted, Chip):
        from ...devices.on_chip import build_soc, show_by

        # lines, also on a terminal: they stand above a bar of the command's own
        show_by(lambda name: Lines(f"Simulating {name}", cycles=True))
        with progress_bar("Building the SoC", BUILDS) as progress:
            build_soc(wanted.design, progress)
        return
    if wanted is None:
        return
    from ...sim.core import library
    from ...sim.verilate import SimulationError

    try:
        with progress_bar(f"Building the model of {wanted.design.name}", BUILDS) as progress:
            library(wanted.design, checked=wanted.checked, progress=progress)
    except SimulationError as error:
        message = f"The simulation of {wanted.design.name} cannot be built: {error}"
        raise DeviceError("SIMULATION", message) from error


def device_facts(accelerator: Counting | None, clock: float) -> dict[str, Any] | None:
    """A device's work so far, for --json; None for the processor."""
    return None if accelerator is None else summary(accelerator.name, accelerator.totals.values(), clock)


def print_device(facts: dict[str, Any] | None) -> None:
    """The same for people: one line."""
    if facts is None:
        return
    stages = [f"{name.replace('_', ' ')} {value:,}" for name, value in facts["stages"].items() if value]
    print(f"{facts['device']}: {facts['cycles']:,} cycles, ", end="")
    print(f"{facts['seconds'] * 1e6:,.1f} µs at {facts['clock_mhz']:g} MHz ({', '.join(stages)})")
