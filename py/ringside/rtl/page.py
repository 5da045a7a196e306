# SPDX-License-Identifier: Apache-2.0
"""The kit's texts that have a template: README, the self-test, the module for LiteX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..designs import Design
from ..native.library import lib
from ..objects.common.params import Parameters
from ..sim.program import native_design
from .lists import Names
from .module import INTERFACES, Port, Top
from .registers import Registers
from .vectors import MODULUS_BITS_MAX, OPERATIONS, POLYS, RecordedJob

TEMPLATES = Path(__file__).with_name("page-templates")
# inputs that the bench drives by hand; all others of rs_core's inputs are tied to 0 there
DRIVEN = ("clk_i", "rst_ni")
ABOUT = {
    "clk_i": "the clock",
    "rst_ni": "reset, active low, synchronous",
    "irq_o": "interrupt, a level",
    "alert_o": "a flip-flop has flipped, levels until reset: bit 0, the program was ended; bit 1, everything is wiped too",
    "scan_mode_i": "with ScanWipe: wipe everything, start nothing; else tie it to 0",
    "scan_ready_o": "that is over: scan chains may shift",
}
PROTOCOLS = {"axi4": "AXI4, manager", "axi4-lite": "AXI4-Lite, subordinate"}
LIMBS = 3  # limbs of the example of how much memory is needed


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _text(template: str, facts: Mapping[str, Any]) -> str:
    return _environment().get_template(f"{template}.jinja").render(**facts)


def bench(facts: Mapping[str, Any]) -> dict[str, str]:
    """The self-test's sources."""
    top: Top = facts["top"]
    names: Names = facts["names"]
    buses = {port.name for interface in INTERFACES for port in top.members(interface)}
    tied = [port for port in top.outside if not port.is_output and port.name not in buses and port.name not in DRIVEN]
    more = {"tied": tied, "present": {port.name for port in top.outside}}
    return {
        f"sim/{names.bench}.sv": _text("bench.sv", {**facts, **more}),
        f"sim/{names.bench}_tb.sv": _text("tb.sv", facts),
        "sim/main.cpp": _text("main.cpp", facts),
    }


def litex(facts: Mapping[str, Any]) -> str:
    """The module for LiteX."""
    return _text("litex.py", facts)


def _port_rows(top: Top) -> list[tuple[str, ...]]:
    """A bus in one row: its signals are the protocol's."""

    def row(port: Port) -> tuple[str, ...]:
        way = "output" if port.is_output else "input"
        return f"`{port.name}`", way, str(port.bits), ABOUT.get(port.name, "")

    rows = [row(port) for port in top.single]
    for interface in INTERFACES:
        members = top.members(interface)
        data, address = top.bits(interface, "rdata"), top.bits(interface, "araddr")
        about = f"{PROTOCOLS[interface.kind]}, {data} bits of data, {address} of address, {len(members)} signals"
        rows.append((f"`{interface.prefix}_*`", "bus", "", about))
    return rows


def _register_rows(registers: Registers) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in registers.all:
        name = f"{one.name}[{one.count}]" if one.count else one.name
        rows.append((f"{one.offset:#05x}", f"`{name}`", one.access, one.about))
    return rows


def _memory_text(design: Design) -> str:
    """Bytes of the region for the largest N."""
    bits = min(design.word_bits, MODULUS_BITS_MAX)
    params = Parameters.from_bits(1 << design.log_n_max, [bits] * LIMBS, security=0)
    size = int(lib.rs_device_memory_bytes(native_design(design), params._native, POLYS, 1))
    return f"{size:,} bytes (`rs_device_memory_bytes`)"


def readme(
    design: Design,
    names: Names,
    top: Top,
    registers: Registers,
    jobs: Sequence[RecordedJob],
    clock_mhz: float,
    made: str,
) -> str:
    axil, axi = INTERFACES
    facts = [
        ("module", f"`{names.block}` (`rtl/{names.block}.v`)"),
        ("lanes", f"{design.lanes}: butterflies per cycle"),
        ("moduli", f"up to {design.word_bits} bits, {design.contexts} on chip"),
        ("N", f"{1 << design.log_n_min} to {1 << design.log_n_max}"),
        ("polynomials on chip", f"{design.bank_groups}; of small ones {design.slots}"),
        ("buses", f"AXI4-Lite for registers, AXI4 with {design.bus_bits} bits for memory"),
        ("clock", f"aims at {clock_mhz:g} MHz"),
    ]
    return _text(
        "README.md",
        {
            "design": design,
            "names": names,
            "top": top,
            "made": made,
            "facts": facts,
            "jobs": "; ".join(f"{job.op}, N = {job.n} ({OPERATIONS[job.op]})" for job in jobs),
            "ports": _port_rows(top),
            "fixed": ", ".join(f"{one.name} = {one.value}" for one in top.parameters if one.fixed),
            "clock": f"{clock_mhz:g}",
            "csr_bits": top.bits(axil, "araddr"),
            "csr_bytes": 1 << top.bits(axil, "araddr"),
            "registers": _register_rows(registers),
            "bus_hung": "bus_hung" in [field.name for field in registers["STATUS"].fields],
            "bus_bits": design.bus_bits,
            "address_bits": top.bits(axi, "araddr"),
            "id_bits": top.bits(axi, "arid"),
            "outstanding": design.outstanding,
            "n_max": 1 << design.log_n_max,
            "limbs": LIMBS,
            "memory_text": _memory_text(design),
            "magic": f"{registers['ID'].reset:#x}",
            "version_register": registers["VERSION"].reset,
        },
    )
