# SPDX-License-Identifier: Apache-2.0
"""`--device` in the commands: building its model, and telling what it did."""

from __future__ import annotations

from typing import Any

from ...errors import DeviceError
from ...executors.accelerator import Counting, summary
from ...executors.names import SIM, SOC, check_device
from ...sim.options import parse_chip, parse_simulated
from .output import BUILDS, Lines, progress_bar


def prepare(device: str) -> None:
    """Checks the name, and builds the model of a simulated device with a progress bar. A simulated SoC says how far it is."""
    check_device(device)
    if device.startswith(SOC):
        from ...executors.on_chip import build_soc, show_by

        # lines, also on a terminal: they stand above a bar of the command's own
        show_by(lambda name: Lines(f"Simulating {name}", cycles=True))
        with progress_bar("Building the SoC", BUILDS) as progress:
            build_soc(parse_chip(device.removeprefix(SOC)).design, progress)
        return
    if not device.startswith(SIM):
        return
    from ...sim.core import library
    from ...sim.verilate import SimulationError

    wanted = parse_simulated(device.removeprefix(SIM))
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
