# SPDX-License-Identifier: Apache-2.0
"""FPGAs by name: how much is in them, and by how much a design is too large."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from ..hints import did_you_mean
from .yosys import FAMILIES, Resources


@dataclass(frozen=True)
class Device:
    """bram18: memories of 18,432 bits; two of them make a bram36. grade: of speed, where it is placed and routed: 6 to 8, the fastest."""

    name: str
    family: str
    lut: int
    ff: int
    dsp: int
    bram18: int
    uram: int = 0
    board: str = ""
    grade: int = 6


# Sources: the families' overviews by the vendor (7 series: DS180; UltraScale+: DS890, DS891; ECP5: FPGA-DS-02012, LUTs as
# nextpnr counts them).
DEVICES = {
    device.name: device
    for device in (
        Device("xc7a35t", "xc7", 20_800, 41_600, 90, 100, board="Arty A7-35T"),
        Device("xc7a100t", "xc7", 63_400, 126_800, 240, 270, board="Arty A7-100T"),
        Device("xc7a200t", "xc7", 134_600, 269_200, 740, 730, board="Nexys Video"),
        Device("xc7z020", "xc7", 53_200, 106_400, 220, 280, board="PYNQ-Z2"),
        Device("xc7k160t", "xc7", 101_400, 202_800, 600, 650),
        Device("xc7k325t", "xc7", 203_800, 407_600, 840, 890, board="KC705"),
        Device("xc7vx485t", "xc7", 303_600, 607_200, 2_800, 2_060, board="VC707"),
        Device("xc7vx690t", "xc7", 433_200, 866_400, 3_600, 2_940, board="VC709"),
        Device("xczu7ev", "xcup", 230_400, 460_800, 1_728, 624, 96, board="ZCU104"),
        Device("xczu9eg", "xcup", 274_080, 548_160, 2_520, 1_824, board="ZCU102"),
        Device("xcvu9p", "xcup", 1_182_240, 2_364_480, 6_840, 4_320, 960, board="VCU118"),
        Device("xcu250", "xcup", 1_728_000, 3_456_000, 12_288, 5_376, 1_280, board="Alveo U250"),
        Device("lfe5u-25f", "ecp5", 24_288, 24_288, 28, 56),
        Device("lfe5u-45f", "ecp5", 43_848, 43_848, 72, 108),
        Device("lfe5u-85f", "ecp5", 83_640, 83_640, 156, 208, board="ULX3S-85F"),
        Device("lfe5u-85f-8", "ecp5", 83_640, 83_640, 156, 208, grade=8),
    )
}
DEFAULTS = {"ecp5": "lfe5u-85f-8"}  # what is placed and routed where no device is given


def find(name: str, family: str) -> Device | None:
    """None: no name, and the family has no default. ParameterError: there is no such device, or it is of another family."""
    name = (name or DEFAULTS.get(family, "")).lower()
    if not name:
        return None
    if name not in DEVICES:
        known = [device.name for device in DEVICES.values() if device.family == family]
        hint = did_you_mean(name, known, f"Known for --target {family}: {', '.join(known)}.")
        raise ParameterError("DEVICE", f"There is no device {name} here.", hint)
    found = DEVICES[name]
    if found.family != family:
        title = FAMILIES[found.family].title
        raise ParameterError("DEVICE", f"{name} is a {title}.", f"Give --target {found.family} with it.")
    return found


def usage(total: Resources, device: Device) -> dict[str, tuple[int, int]]:
    """resource -> (needed, there). A bram36 is two bram18."""
    needed = {
        "lut": total.lut,
        "ff": total.ff,
        "dsp": total.dsp,
        "bram18": 2 * total.bram36 + total.bram18,
        "uram": total.uram,
    }
    return {name: (count, getattr(device, name)) for name, count in needed.items()}


def excess(total: Resources, device: Device) -> dict[str, int]:
    """Cells that a design needs more than are there; empty if it fits, as far as its cells go."""
    return {name: needed - there for name, (needed, there) in usage(total, device).items() if needed > there}
