# SPDX-License-Identifier: Apache-2.0
"""Where the arithmetic runs, by name. Every device computes the same bits.

`cpu:` is this machine's processor, `sim:DESIGN` a named hardware design (or a TOML file) in RTL simulation. Options of the
simulation follow after commas: `sim:rise-4,latency=100,checked`.
"""

from __future__ import annotations

from ..errors import DeviceError
from ..native.library import CData
from ..progress import Progress
from ..sim.options import parse_simulated
from .cpu import CPU
from .interface import Executor

SIM = "sim:"
DEVICES = {CPU.name: "this machine's processor", f"{SIM}DESIGN": "RTL simulation; `ringside designs` lists the designs"}


def check_device(name: str) -> str:
    """The name, if there is such a device; DeviceError otherwise."""
    if name.startswith(SIM):
        parse_simulated(name.removeprefix(SIM))
    elif name != CPU.name:
        known = ", ".join(f"{device} ({what})" for device, what in DEVICES.items())
        raise DeviceError("DEVICE", f"There is no device {name!r}.", f"Available: {known}.")
    return name


def open_device(name: str, params: CData, progress: Progress | None = None) -> Executor:
    """The executor of that name, with memory for these parameters (rs_params_t).

    A model that was never built is built first, which takes minutes. DeviceError: there is no such device, or it cannot compute
    with these parameters.
    """
    check_device(name)
    if name == CPU.name:
        return CPU
    from .simulated import open_simulated  # simulation is loaded where it is asked for

    return open_simulated(parse_simulated(name.removeprefix(SIM)), params, progress)
