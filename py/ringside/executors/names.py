# SPDX-License-Identifier: Apache-2.0
"""Where the arithmetic runs, by name. Every device computes the same bits.

`cpu:` is this machine's processor, `sim:DESIGN` a named hardware design (or a TOML file) in RTL simulation. Options of the
simulation follow after commas: `sim:rise-4,latency=100,checked`. `soc:DESIGN` is a whole SoC in simulation, processor and firmware included;
`soc:none` is its processor alone.
"""

from __future__ import annotations

from ..errors import DeviceError
from ..native.library import CData
from ..progress import Progress
from ..sim.options import parse_chip, parse_simulated
from .cpu import CPU
from .interface import Executor

SIM, SOC = "sim:", "soc:"
DEVICES = {
    CPU.name: "this machine's processor",
    f"{SIM}DESIGN": "RTL simulation; `ringside designs` lists the designs",
    f"{SOC}DESIGN": "simulation of a RISC-V processor with that design",
}


def check_device(name: str) -> str:
    """The name, if there is such a device; DeviceError otherwise."""
    if not isinstance(name, str):
        raise DeviceError("DEVICE", f"A device is called by a string, not {type(name).__name__}.", f"Try {CPU.name!r}.")
    if name.startswith(SIM):
        parse_simulated(name.removeprefix(SIM))
    elif name.startswith(SOC):
        parse_chip(name.removeprefix(SOC))
    elif name != CPU.name:
        known = ", ".join(f"{device} ({what})" for device, what in DEVICES.items())
        raise DeviceError("DEVICE", f"There is no device {name!r}.", f"Available: {known}.")
    return name


def word_bits(name: str) -> int:
    """Width of a device's residues; its name is one that check_device takes."""
    if name.startswith(SIM):
        return parse_simulated(name.removeprefix(SIM)).design.word_bits
    design = parse_chip(name.removeprefix(SOC)).design if name.startswith(SOC) else None
    return design.word_bits if design else 64


def open_device(name: str, params: CData, progress: Progress | None = None) -> Executor:
    """The executor of that name, with memory for these parameters (rs_params_t).

    A model that was never built is built first, which takes minutes. DeviceError: there is no such device, or it cannot compute
    with these parameters.
    """
    check_device(name)
    if name == CPU.name:
        return CPU
    if name.startswith(SOC):
        from .on_chip import open_on_chip

        return open_on_chip(parse_chip(name.removeprefix(SOC)), params, progress)
    from .simulated import open_simulated  # simulation is loaded where it is asked for

    return open_simulated(parse_simulated(name.removeprefix(SIM)), params, progress)
