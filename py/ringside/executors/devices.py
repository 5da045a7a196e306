# SPDX-License-Identifier: Apache-2.0
"""Where the arithmetic runs. Every device computes the same bits.

`cpu:` is this machine's processor, `sim:DESIGN` a named hardware design (or a TOML file) in RTL simulation. Options of the
simulation follow after commas: `sim:rise-4,latency=100,checked`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..engines import designs
from ..engines.designs import Design
from ..errors import DeviceError, ParameterError

if TYPE_CHECKING:
    from ..objects.params import Parameters
    from .accelerator import Accelerator

CPU = "cpu:"
SIM = "sim:"
DEVICES = {CPU: "this machine's processor", f"{SIM}DESIGN": "RTL simulation; `ringside designs` lists the designs"}
# option -> (smallest, largest); the numbers of ringside.sim.core.Memory
NUMBERS = {"latency": (1, 1_000_000), "bandwidth": (0, 1024), "stall": (0, 255), "memory": (1, 4096)}
CHECKED = "checked"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Simulated:
    """A `sim:` device. latency, bandwidth, stall: of its memory, where not the default; memory: MiB."""

    design: Design
    numbers: dict[str, int] = field(default_factory=dict)
    checked: bool = False


def parse_simulated(text: str) -> Simulated:
    """`rise-4`, `rise-4,latency=100,checked`, `mine.toml`. DeviceError: an option that is unknown or out of range."""
    name, *options = text.split(",")
    try:
        design = designs.load(name)
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


def check_device(name: str) -> str:
    """The name, if there is such a device; DeviceError otherwise."""
    if name.startswith(SIM):
        parse_simulated(name.removeprefix(SIM))
    elif name != CPU:
        known = ", ".join(f"{device} ({what})" for device, what in DEVICES.items())
        raise DeviceError("DEVICE", f"There is no device {name!r}.", f"Available: {known}.")
    return name


def open_device(name: str, params: Parameters, progress: Progress | None = None) -> Accelerator | None:
    """The accelerator of that name with memory for these parameters, None for `cpu:`.

    A model that was never built is built first, which takes minutes. DeviceError: there is no such device, or it cannot compute
    with these parameters.
    """
    check_device(name)
    if name == CPU:
        return None
    from ..sim.device import open_simulated

    return open_simulated(parse_simulated(name.removeprefix(SIM)), params, progress)
