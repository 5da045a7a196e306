# SPDX-License-Identifier: Apache-2.0
"""`--device` in the commands: building its model, and telling what it did."""

from __future__ import annotations

from typing import Any

from ...devices.device import AnyDevice, Counting, summary
from ...devices.names import build, parse
from ...sim.options import Chip
from .output import BUILDS, Lines, progress_bar


def prepare(device: str) -> None:
    """Checks the name, and builds the model of a simulated device with a progress bar."""
    if (wanted := parse(device)) is None:
        return
    what = "SoC" if isinstance(wanted, Chip) else f"model of {wanted.design.name}"
    with progress_bar(f"Building the {what}", BUILDS) as progress:
        build(wanted, progress)


def watch(name: str) -> Lines:
    """A simulated SoC says how far it is. In lines, also on a terminal: they stand above a bar of the command's own."""
    return Lines(f"Simulating {name}", cycles=True)


def watched(device: AnyDevice) -> None:
    device.watch = watch


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
