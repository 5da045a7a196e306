# SPDX-License-Identifier: Apache-2.0
"""Where the arithmetic runs, by name. Every device computes the same bits.

`cpu:` is this machine's processor, `sim:DESIGN` a named hardware design (or a TOML file) in RTL simulation. Options of the
simulation follow after commas: `sim:rise-4,latency=100,checked`. `soc:DESIGN` is a whole SoC in simulation, processor and firmware included;
`soc:none` is its processor alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..errors import DeviceError
from ..native.library import CData
from ..progress import Progress
from ..sim.options import Chip, Simulated, parse_chip, parse_simulated
from .cpu import CPU
from .device import AnyDevice, cannot

DEVICES = {
    CPU.name: "this machine's processor",
    "sim:DESIGN": "RTL simulation; `ringside designs` lists the designs",
    "soc:DESIGN": "simulation of a RISC-V processor with that design",
}
_PARSERS: Mapping[str, Callable[[str], Simulated | Chip]] = {"sim": parse_simulated, "soc": parse_chip}
_NO_FILES: Mapping[str, str] = MappingProxyType({})


def parse(name: str, files: Mapping[str, str] = _NO_FILES) -> Simulated | Chip | None:
    """What a device's name asks for; None: this machine's processor. files: of designs that have a name here alone. DeviceError: there is no such device."""
    if not isinstance(name, str):
        raise DeviceError("DEVICE", f"A device is called by a string, not {type(name).__name__}.", f"Try {CPU.name!r}.")
    kind, colon, rest = name.partition(":")
    if colon and kind in _PARSERS:
        design, comma, options = rest.partition(",")
        return _PARSERS[kind](files.get(design, design) + comma + options)
    if name != CPU.name:
        known = ", ".join(f"{device} ({what})" for device, what in DEVICES.items())
        raise DeviceError("DEVICE", f"There is no device {name!r}.", f"Available: {known}.")
    return None


def word_bits(name: str) -> int:
    """Width of a device's residues."""
    wanted = parse(name)
    return wanted.design.word_bits if wanted and wanted.design else 64


def build(wanted: Simulated | Chip, progress: Progress | None = None) -> None:
    """The simulation, if it is not in the cache. DeviceError: it cannot be built."""
    if isinstance(wanted, Chip):
        from .on_chip import build_soc

        build_soc(wanted.design, progress)
        return
    from .simulated import model

    model(wanted, progress)


def open_device(name: str, params: CData | None = None, progress: Progress | None = None) -> AnyDevice:
    """The device of that name, with memory for these parameters (rs_params_t; none: for other schemes than CKKS).

    A model that was never built is built first, which takes minutes. DeviceError: there is no such device, or it cannot compute
    with these parameters.
    """
    wanted = parse(name)
    if wanted is None:
        return CPU
    if params is None and not (wanted.design and wanted.design.fields):
        raise cannot(name)  # before anything is built
    if isinstance(wanted, Chip):
        from .on_chip import open_on_chip

        return open_on_chip(wanted, params, progress)
    from .simulated import open_simulated  # simulation is loaded where it is asked for

    return open_simulated(wanted, params, progress)
