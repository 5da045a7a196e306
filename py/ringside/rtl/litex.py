# SPDX-License-Identifier: Apache-2.0
"""A kit's module for LiteX: the buses as LiteX's interfaces, and the registers by name."""

from __future__ import annotations

from .lists import Names
from .module import INTERFACES, Port, Top
from .registers import Registers

VERSION = "2024.12"  # that it was tried with
# the address of the registers: VexRiscv caches nothing there, and LiteX has its own at 0xf000_0000; Rocket wants them
# below 0x8000_0000
ADDRESS = 0xE000_0000
CLOCK_RESET = {
    "clk_i": 'ClockSignal("sys")',
    "rst_ni": '~ResetSignal("sys")',
    "irq_o": "self.irq",
    "alert_o": "self.alert",
}
ADDRESSES = {"m_axi_araddr": "self.read_address", "m_axi_awaddr": "self.write_address"}
CHANNELS = ("aw", "w", "b", "ar", "r")
LITE = {"addr", "prot", "data", "strb", "resp", "valid", "ready"}  # signals of LiteX's AXI4-Lite
FULL = LITE | {"id", "len", "size", "burst", "cache", "qos", "last", "lock", "region"}


def _signal(top: Top, port: Port) -> str:
    """What it is connected to: a Python expression."""
    if port.name in CLOCK_RESET:
        return CLOCK_RESET[port.name]
    if port.name in ADDRESSES:
        return ADDRESSES[port.name]
    for interface in INTERFACES:
        if port in top.members(interface):
            word = interface.signal(port).lower()
            channel = next(one for one in sorted(CHANNELS, key=len, reverse=True) if word.startswith(one))
            field = word.removeprefix(channel)
            if field in (FULL if interface.is_manager else LITE):
                address = f"[:{port.bits}]" if field == "addr" else ""
                return f"{'memory' if interface.is_manager else 'registers'}.{channel}.{field}{address}"
    return f"Open({port.bits})" if port.is_output else "0"


def facts(top: Top, names: Names, registers: Registers, design: str, made: str, base: int) -> dict[str, object]:
    """For the template."""
    _, axi = INTERFACES
    return {
        "names": names,
        "made": made,
        "design": design,
        "version": VERSION,
        "sources": [*names.rtl, names.wrapper],
        "address": base or ADDRESS,
        "register_bytes": 1 << top.bits(INTERFACES[0], "araddr"),
        "registers": registers.all,
        "data_bits": top.bits(axi, "rdata"),
        "id_bits": top.bits(axi, "arid"),
        "address_bits": top.bits(axi, "araddr"),
        "pins": [("o" if port.is_output else "i", port.name, _signal(top, port)) for port in top.outside],
    }
