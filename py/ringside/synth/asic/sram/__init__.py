# SPDX-License-Identifier: Apache-2.0
"""Memories: area, energy per access, leakage and delay, from a table of CACTI 7 or from macros' Liberty files.

CACTI's figures are for 45 nm. For another node they are scaled by the factors and polynomials of A. Stillmaker and B. Baas,
"Scaling equations for the accurate prediction of CMOS device performance from 180 nm to 7 nm", Integration 58 (2017) 74-81,
doi 10.1016/j.vlsi.2017.02.002; leakage, which they do not model, is left as it is. docs/asic.md compares with published macros.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ....errors import FileError, ParameterError
from ..liberty_syntax import Group, syntax

TABLE = Path(__file__).with_name("sram_45nm.json")
PORTS = ("1rw", "2rw")
# ---- Stillmaker and Baas ---------------------------------------------------------------------------------------------
# Area relative to 45 nm.
AREA = {180: 19.0, 130: 6.4, 90: 2.8, 65: 1.5, 45: 1.0, 32: 0.46, 20: 0.21, 16: 0.19, 14: 0.17, 10: 0.1, 7: 0.059}
# Coefficients of V^2, V, 1 for energy and V^3, V^2, V, 1 for delay; low power devices from 45 nm down.
ENERGY = {
    180: (0, 24.64, -17.98),
    130: (7.171, -6.709, 2.904),
    90: (4.762, -4.781, 2.092),
    65: (3.755, -4.398, 1.975),
    45: (1.103, -0.362, 0.2767),
    32: (0.9559, -0.7823, 0.471),
    20: (0.2632, -0.14, 0.06841),
    16: (0.2139, -0.1187, 0.05639),
    14: (0.1556, -0.06472, 0.03066),
    10: (0.1261, -0.0518, 0.02769),
    7: (0.09365, -0.03409, 0.02043),
}
DELAY = {
    180: (0, 97.09, -356.7, 406.5),
    130: (-76.65, 334.9, -493.4, 275.8),
    90: (-60.34, 262.5, -384.2, 210.9),
    65: (-53.3, 230.4, -333.9, 178.6),
    45: (-285.7, 1239, -1795, 898.8),
    32: (-325.9, 1374, -1922, 913.2),
    20: (-160.5, 514.1, -558.6, 217.5),
    16: (-114.6, 366.7, -397.4, 153.6),
    14: (-85.37, 271.6, -292.2, 111.4),
    10: (-71.76, 228.6, -246.3, 93.91),
    7: (-61.79, 196.1, -210.3, 79.55),
}
SCALING = "Stillmaker and Baas 2017"


@dataclass(frozen=True)
class Sram:
    """One memory. Energies in pJ per access, times in ns. source: of the figures; unscaled: CACTI's own where they were scaled."""

    width: int
    depth: int
    ports: str
    area_um2: float
    read_pj: float
    write_pj: float
    leakage_mw: float
    access_ns: float
    cycle_ns: float
    source: str
    unscaled: Sram | None = None

    @property
    def name(self) -> str:
        return f"ringside_ram_{self.depth}x{self.width}"


@cache
def _table() -> tuple[dict[str, Any], dict[tuple[str, int, int], tuple[float, ...]]]:
    data = json.loads(TABLE.read_text(encoding="utf-8"))
    return data, {(ports, width, depth): tuple(row) for ports, width, depth, *row in data["points"]}


def cacti(width: int, depth: int, ports: str = "1rw") -> Sram:
    """A memory at 45 nm, linear between the logarithms of the table's points; beyond its ends the outermost two go on."""
    if ports not in PORTS:
        raise ParameterError("SRAM", f"There is no memory with the ports {ports!r}.", f"Ports: {', '.join(PORTS)}.")
    data, points = _table()
    mine = {(w, d): row for (p, w, d), row in points.items() if p == ports}
    widths = sorted({w for w, _ in mine})
    low_w, high_w = _neighbours(widths, width)
    rows = []
    for w in (low_w, high_w):
        low, high = _neighbours(sorted(d for ww, d in mine if ww == w), depth)
        rows.append(_between(mine[w, low], mine[w, high], _share(low, high, depth)))
    row = _between(rows[0], rows[1], _share(low_w, high_w, width))
    area, read, write, leakage, access, cycle = row
    source = data["source"].partition(";")[0]
    return Sram(width, depth, ports, area, read, write, leakage, access, cycle, source)


def _neighbours(points: Sequence[int], value: int) -> tuple[int, int]:
    index = next((i for i, point in enumerate(points) if point >= value), len(points) - 1)
    return points[max(index - 1, 0)], points[max(index, 1)]


def _share(low: int, high: int, value: int) -> float:
    return math.log(value / low) / math.log(high / low)


def _between(low: Sequence[float], high: Sequence[float], share: float) -> tuple[float, ...]:
    return tuple(math.exp(math.log(a) * (1 - share) + math.log(b) * share) for a, b in zip(low, high, strict=True))


def scaled(memory: Sram, node: int, voltage: float) -> Sram:
    """A memory scaled from 45 nm to a node of AREA at a voltage. ParameterError: the model has no such node."""
    if node not in AREA:
        nodes = ", ".join(map(str, AREA))
        raise ParameterError("SRAM", f"Memories cannot be scaled to {node} nm.", f"Nodes: {nodes}.")
    data, _ = _table()
    if node == data["node_nm"]:
        return memory

    def ratio(coefficients: Mapping[int, Sequence[float]]) -> float:
        def at(row: Sequence[float], volts: float) -> float:
            return sum(factor * volts**power for power, factor in enumerate(reversed(row)))

        return at(coefficients[node], voltage) / at(coefficients[45], data["vdd"])

    energy, delay = ratio(ENERGY), ratio(DELAY)
    if energy <= 0 or delay <= 0:
        raise ParameterError("SRAM", f"{SCALING} have no figures for {node} nm at {voltage:g} V.")
    return replace(
        memory,
        area_um2=memory.area_um2 * AREA[node],
        read_pj=memory.read_pj * energy,
        write_pj=memory.write_pj * energy,
        access_ns=memory.access_ns * delay,
        cycle_ns=memory.cycle_ns * delay,
        source=f"{memory.source}; scaled to {node} nm, {voltage:g} V by {SCALING}",
        unscaled=memory,
    )


# ---- macros ---------------------------------------------------------------------------------------------------------
def macros(files: Sequence[Path]) -> list[Sram]:
    """Memories of Liberty files. Access energy: the largest of a clock pin, both edges, for reads and writes alike."""
    found = []
    for file in files:
        top = syntax(file)
        leakage_unit = {"1mW": 1.0, "1uW": 1e-3, "1nW": 1e-6, "1pW": 1e-9}.get(
            top.values.get("leakage_power_unit", ""), 1.0
        )
        memories = [(cell, kind) for cell in top.all("cell") if (kind := cell.first("memory")) is not None]
        if not memories:
            raise FileError("LIBERTY", f"{file} describes no memory.", "A macro's cell holds a group `memory`.")
        for cell, kind in memories:
            if not cell.number("area", 0):
                raise FileError("LIBERTY", f"{file} gives no area of {cell.names[0]}.")
            energy = max(map(_clock_energy, _pins(cell)), default=0.0)
            access = max(
                (_largest(table) for pin in _pins(cell) for table in _tables(pin, "timing", "cell_")), default=0.0
            )
            found.append(
                Sram(
                    width=int(kind.number("word_width", 0)),
                    depth=1 << int(kind.number("address_width", 0)),
                    ports="1rw",
                    area_um2=cell.number("area", 0),
                    read_pj=energy,
                    write_pj=energy,
                    leakage_mw=cell.number("cell_leakage_power", 0) * leakage_unit,
                    access_ns=access,
                    cycle_ns=access,
                    source=cell.names[0],
                )
            )
    return found


def _pins(cell: Group) -> list[Group]:
    buses = [*cell.all("bus"), *cell.all("bundle")]
    return [*cell.all("pin"), *buses, *(pin for bus in buses for pin in bus.all("pin"))]


def _tables(pin: Group, kind: str, prefix: str) -> list[Group]:
    return [table for group in pin.all(kind) for table in group.groups if table.kind.startswith(prefix)]


def _largest(table: Group) -> float:
    return max((float(number) for number in table.values.get("values", "").replace(",", " ").split()), default=0.0)


def _clock_energy(pin: Group) -> float:
    if pin.values.get("clock") != "true":
        return 0.0
    return max((sum(map(_largest, power.groups)) for power in pin.all("internal_power")), default=0.0)


def tiled(width: int, depth: int, macros: Sequence[Sram]) -> Sram:
    """A memory of copies of one of the macros: the one that needs the least area. A read or write is one in each column of a row of copies."""

    def shape(macro: Sram) -> tuple[int, int]:
        return -(-width // macro.width), -(-depth // macro.depth)

    def area(macro: Sram) -> float:
        columns, rows = shape(macro)
        return columns * rows * macro.area_um2

    macro = min(macros, key=area)
    columns, rows = shape(macro)
    return replace(
        macro,
        width=width,
        depth=depth,
        area_um2=area(macro),
        read_pj=macro.read_pj * columns,
        write_pj=macro.write_pj * columns,
        leakage_mw=macro.leakage_mw * columns * rows,
        source=f"{columns * rows} x {macro.source}",
    )


# ---- for OpenSTA ----------------------------------------------------------------------------------------------------
def liberty(memories: Sequence[Sram], load_pf: float) -> str:
    """Cells with the ports of rs_ram_1rw: constant delays; inputs have to be there when the clock rises."""
    buses = sorted({size for memory in memories for size in (memory.width, _address_bits(memory))})
    lines = [
        "library (ringside_memories) {",
        '  delay_model : table_lookup; time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA";',
        '  capacitive_load_unit (1, pf); leakage_power_unit : "1mW"; pulling_resistance_unit : "1kohm";',
        *(
            f"  {kind}_threshold_pct_{edge} : {percent};"
            for kind, percent in {"slew_lower": 20, "slew_upper": 80, "input": 50, "output": 50}.items()
            for edge in ("rise", "fall")
        ),
    ]
    for size in buses:
        bits = f"bit_width : {size}; bit_from : {size - 1}; bit_to : 0; downto : true;"
        lines.append(f"  type (bus{size}) {{ base_type : array; data_type : bit; {bits} }}")
    check = 'timing () { related_pin : "clk_i"; timing_type : setup_rising; %s }'
    zero = check % 'rise_constraint (scalar) { values ("0.0"); } fall_constraint (scalar) { values ("0.0"); }'
    for memory in memories:
        lines.append(f"  cell ({memory.name}) {{ area : {memory.area_um2:.1f}; is_macro_cell : true;")
        lines.append(f"    pin (clk_i) {{ direction : input; clock : true; capacitance : {load_pf:.6g}; }}")
        for name in ("req_i", "we_i"):
            lines.append(f"    pin ({name}) {{ direction : input; capacitance : {load_pf:.6g}; {zero} }}")
        for name, size in (("addr_i", _address_bits(memory)), ("wdata_i", memory.width)):
            lines.append(
                f"    bus ({name}) {{ bus_type : bus{size}; direction : input; capacitance : {load_pf:.6g}; {zero} }}"
            )
        delay = " ".join(
            f'{kind} (scalar) {{ values ("{value:.4f}"); }}'
            for kind, value in {
                "cell_rise": memory.access_ns,
                "cell_fall": memory.access_ns,
                "rise_transition": 0.1 * memory.access_ns,
                "fall_transition": 0.1 * memory.access_ns,
            }.items()
        )
        arc = f'timing () {{ related_pin : "clk_i"; timing_type : rising_edge; {delay} }}'
        lines.append(f"    bus (rdata_o) {{ bus_type : bus{memory.width}; direction : output; {arc} }}\n  }}")
    return "\n".join([*lines, "}\n"])


def _address_bits(memory: Sram) -> int:
    return max(1, (memory.depth - 1).bit_length())
