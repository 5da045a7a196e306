# SPDX-License-Identifier: Apache-2.0
"""Which simulation is wanted: `rise-4`, `rise-4,latency=100,checked`, `mine.toml`."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..engines import designs
from ..engines.core import CoreDesign
from ..errors import DeviceError, ParameterError

# option -> (smallest, largest); the numbers of sim.core.Memory
NUMBERS = {"latency": (1, 1_000_000), "bandwidth": (0, 1024), "stall": (0, 255), "memory": (1, 4096)}
CHECKED = "checked"


@dataclass(frozen=True)
class Simulated:
    """A simulation of a design. latency, bandwidth, stall: of its memory, where not the default; memory: MiB.

    checked: with the RTL's assertions, slower.
    """

    design: CoreDesign
    numbers: dict[str, int] = field(default_factory=dict)
    checked: bool = False


def parse_simulated(text: str) -> Simulated:
    """A design's name or file, with options after commas. DeviceError: an option that is unknown or out of range."""
    name, *options = text.split(",")
    try:
        design = designs.load_core(name)
    except ParameterError as error:
        raise DeviceError("DEVICE", error.message, error.hint) from error
    numbers: dict[str, int] = {}
    checked = False
    for option in options:
        key, equals, value = option.partition("=")
        if option == CHECKED:
            checked = True
        elif key in NUMBERS and equals:
            low, high = NUMBERS[key]
            if not value.isdecimal() or not low <= int(value) <= high:
                raise DeviceError("DEVICE", f"{key} must be {low} to {high}, got {value!r}.")
            numbers[key] = int(value)
        else:
            known = ", ".join([*(f"{key}=…" for key in NUMBERS), CHECKED])
            raise DeviceError("DEVICE", f"A simulated device has no option {option!r}.", f"Options: {known}.")
    return Simulated(design, numbers, checked)
