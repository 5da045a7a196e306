# SPDX-License-Identifier: Apache-2.0
"""Liberty files: the cells of a technology, with areas, logic functions, and tables of delay and energy.

Only what mapping, sizing and the power engine need is read; Yosys and OpenSTA read the same files themselves. Everything is in SI
units but for areas, which are in um2.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ...errors import FileError, ParameterError
from .liberty_syntax import Group, LibertyError, content, syntax, truth_table

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_SCALE = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0}


# ---- cells ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LookupTable:
    """Values over input slew (s) and load (F), either of which may be missing; linear between points and beyond."""

    slews: tuple[float, ...]
    loads: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]  # [slew][load]

    def at(self, slew: float, load: float) -> float:
        i, x = _place(self.slews, slew)
        j, y = _place(self.loads, load)
        rows = [row[j] * (1 - y) + row[j + 1] * y if len(row) > 1 else row[0] for row in self.values[i : i + 2]]
        return rows[0] * (1 - x) + rows[1] * x if len(rows) > 1 else rows[0]


def _place(points: Sequence[float], value: float) -> tuple[int, float]:
    if len(points) < 2:
        return 0, 0.0
    index = min(max(bisect_right(points, value) - 1, 0), len(points) - 2)
    return index, (value - points[index]) / (points[index + 1] - points[index])


@dataclass(frozen=True)
class Arc:
    """Energy from `related` to this pin: `rise` and `fall` of the pin. Energies in J per transition, slews in s."""

    related: str
    rise: LookupTable | None
    fall: LookupTable | None

    def mean(self, slew: float, load: float) -> float:
        found = [table.at(slew, load) for table in (self.rise, self.fall) if table is not None]
        return sum(found) / 2 if found else 0.0  # a pin rises as often as it falls


@dataclass(frozen=True)
class Pin:
    """capacitance: F, of an input. energy: internal power. delay, slew: of the timing arcs."""

    name: str
    output: bool
    clock: bool
    capacitance: float
    function: str
    energy: tuple[Arc, ...]
    delay: tuple[Arc, ...]
    slew: tuple[Arc, ...]

    @property
    def largest_load(self) -> float:
        """F: that a table of this output's energy knows."""
        tables = [table for arc in self.energy for table in (arc.rise, arc.fall) if table is not None]
        return max((table.loads[-1] for table in tables if table.loads), default=0.0)


@dataclass(frozen=True)
class Gating:
    """Pins of an integrated clock gate: passes `clock` to `output` while enabled. low: pins that must be 0, for tests."""

    clock: str
    enable: str
    output: str
    low: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """state: the names of a flip-flop's two states; next_state, clocked_on, resets (asynchronous ones): expressions. unusable: why the power engine cannot take it.

    latch: state, next_state and clocked_on are those of a latch, which is open while clocked_on is true. gating: it is an
    integrated clock gate that stops the clock low, for flip-flops of the rising edge.
    """

    name: str
    area: float
    leakage: float  # W
    pins: Mapping[str, Pin]
    state: tuple[str, ...]
    next_state: str
    clocked_on: str
    resets: tuple[str, ...]
    unusable: str
    dont_use: bool
    latch: bool = False
    gating: Gating | None = None

    @property
    def flip_flop(self) -> bool:
        return bool(self.state) and not self.latch

    @property
    def clock_pin(self) -> str:
        """The clock pin of a flip-flop or latch that has no other condition in its clock; else an expression."""
        return self.clocked_on.strip(" ()!'")

    @property
    def held(self) -> str:
        """The output of a flip-flop or latch that is its state, not inverted; "": it has none."""
        return next((pin.name for pin in self.outputs if pin.function.strip(" ()") == self.state[0]), "")

    @property
    def inputs(self) -> list[Pin]:
        return [pin for pin in self.pins.values() if not pin.output]

    @property
    def outputs(self) -> list[Pin]:
        return [pin for pin in self.pins.values() if pin.output]


@dataclass(frozen=True)
class GateCell:
    """cells: an integrated clock gate; or a latch, an AND gate, and an inverter if the latch is open while its clock pin is high."""

    cells: tuple[Cell, ...]

    @property
    def area(self) -> float:
        return sum(cell.area for cell in self.cells)

    @property
    def name(self) -> str:
        return " + ".join(cell.name for cell in self.cells)


@dataclass(frozen=True)
class Library:
    """One or several files of one technology and corner."""

    name: str
    files: tuple[Path, ...]
    corner: str
    voltage: float
    cells: Mapping[str, Cell]

    @cached_property
    def nand2(self) -> Cell:
        """The unit of gate equivalents: the smallest NAND with two inputs."""
        return self._smallest(2, 0b0111, "NAND gate with two inputs")

    @cached_property
    def inverter(self) -> Cell:
        return self._smallest(1, 0b01, "inverter")

    @cached_property
    def clock_gate(self) -> GateCell | None:
        """Integrated, else of a latch and an AND gate, the smallest; None: the library has neither."""
        # dont_use is about mapping of logic: libraries set it for their clock gates
        integrated = [cell for cell in self.cells.values() if cell.gating]
        if integrated:
            cell = min(integrated, key=lambda cell: (len(cell.gating.low) if cell.gating else 0, cell.area))
            return GateCell((cell,))
        conjunctions = [cell for cell in self.cells.values() if not cell.dont_use and _computes(cell, 2, 0b1000)]
        latches = [
            cell for cell in self.cells.values() if cell.latch and not (cell.dont_use or cell.unusable) and cell.held
        ]
        if not conjunctions or not latches:
            return None
        inverted = {cell.name: is_clock_inverted(cell) for cell in latches}
        cost = {cell.name: cell.area + (0 if inverted[cell.name] else self.inverter.area) for cell in latches}
        latch = min(latches, key=lambda cell: cost[cell.name])
        conjunction = min(conjunctions, key=lambda cell: cell.area)
        return GateCell((latch, conjunction) if inverted[latch.name] else (latch, conjunction, self.inverter))

    def _smallest(self, inputs: int, table: int, what: str) -> Cell:
        found = [cell for cell in self.cells.values() if not cell.dont_use and _computes(cell, inputs, table)]
        if not found:
            raise ParameterError("LIBERTY", f"{self.name} has no {what}.", "Name all files of the library.")
        return min(found, key=lambda cell: cell.area)

    @cached_property
    def stage(self) -> float:
        """s: delay of that gate in a chain, each driving four of its kind; what clock periods are measured in."""
        output = self.nand2.outputs[0]
        load = 4 * self.nand2.inputs[0].capacitance
        slew = 0.0
        for _ in range(8):
            slew = max(arc.mean(slew, load) for arc in output.slew)
        return max(arc.mean(slew, load) for arc in output.delay)


def _computes(cell: Cell, inputs: int, table: int) -> bool:
    names = [pin.name for pin in cell.inputs]
    if len(names) != inputs or len(cell.outputs) != 1 or cell.state or cell.gating or cell.unusable:
        return False
    try:
        return truth_table(cell.outputs[0].function, names) == table
    except ValueError:
        return False


def is_clock_inverted(latch: Cell) -> bool:
    """Whether the latch is open while its clock pin is low."""
    return truth_table(latch.clocked_on, [latch.clock_pin]) == 0b01


# ---- from syntax to cells -------------------------------------------------------------------------------------------
def digest(files: Sequence[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        found.update(hashlib.sha256(content(file)).digest())
    return found.hexdigest()[:16]


def read(files: Sequence[Path]) -> Library:
    """FileError: not readable, or not Liberty."""
    cells: dict[str, Cell] = {}
    names, corners, voltages = [], [], []
    for file in files:
        top = syntax(file)
        try:
            units = _Units(top)
            cells |= {cell.names[0]: _cell(cell, units) for cell in top.all("cell")}
        except (LibertyError, IndexError, KeyError, ValueError) as error:
            raise FileError("LIBERTY", f"{file} cannot be used: {error}.") from error
        names.append(" ".join(top.names))
        corners.append(_corner(top))
        voltages.append(units.voltage)
    if len(set(voltages)) > 1:
        raise ParameterError("LIBERTY", f"The Liberty files are of different voltages: {voltages}.")
    flip_flops = [cell.area for cell in cells.values() if cell.flip_flop and cell.area]
    for name, cell in cells.items():
        # osu018's latch: a flip-flop holds two
        if cell.latch and not cell.area and flip_flops:
            cells[name] = replace(cell, area=min(flip_flops))
    return Library(names[0], tuple(files), corners[0], voltages[0], cells)


def _corner(top: Group) -> str:
    name = top.values.get("default_operating_conditions", "")
    found = next((group for group in top.all("operating_conditions") if name in ("", *group.names)), top)
    prefix = "nom_" if found is top else ""
    return f"{name or 'nominal'}, {found.number(prefix + 'voltage', 0):g} V, {found.number(prefix + 'temperature', 25):g} C"


class _Units:
    def __init__(self, top: Group) -> None:
        self.voltage = top.number("nom_voltage", 0)
        conditions = top.first("operating_conditions")
        if conditions is not None:
            self.voltage = conditions.number("voltage", self.voltage)
        self.time = _unit(top.values.get("time_unit", "1ns"))
        load = top.values.get("capacitive_load_unit", "1, pf").split(",")
        self.load = float(load[0]) * _SCALE[load[1].strip().lower()[0]]
        self.leakage = _unit(top.values.get("leakage_power_unit", "1nW"))
        # energies: capacitance times the square of the unit of voltage, as OpenSTA has it
        self.energy = self.load * _unit(top.values.get("voltage_unit", "1V")) ** 2
        self.default_leakage = top.number("default_cell_leakage_power", 0)
        self.templates = {group.names[0]: group for group in top.groups if group.kind.endswith("_template")}


def _unit(text: str) -> float:
    match = re.match(r"\s*([\d.]+)\s*([fpnum]?)[A-Za-z]+", text)
    if not match:
        raise LibertyError(f"the unit {text!r}")
    return float(match[1]) * _SCALE[match[2]]


def _cell(group: Group, units: _Units) -> Cell:
    outside = (pin for pin in group.all("pin") if pin.values.get("direction") != "internal")
    pins = {name: _pin(name, pin, units) for pin in outside for name in pin.names}
    flop, latch, gating = group.first("ff"), group.first("latch"), _gating(group)
    state = flop or latch
    next_state, clocked_on = ("next_state", "clocked_on") if flop else ("data_in", "enable")
    unusable = ""
    if group.first("latch_bank") or group.first("ff_bank") or (group.first("statetable") and not gating):
        unusable = "it is a bank of flip-flops or has a table of states"
    elif not gating and any(pin.output and not pin.function for pin in pins.values()):
        unusable = "it has an output without a logic function"
    elif latch and not _is_plain(latch, pins):
        unusable = "it is a latch with more than data and a clock"
    return Cell(
        name=group.names[0],
        area=group.number("area", 0),
        leakage=_leakage(group, units) * units.leakage,
        pins=pins,
        state=tuple(state.names) if state else (),
        next_state=state.values.get(next_state, "") if state else "",
        clocked_on=state.values.get(clocked_on, "") if state else "",
        resets=tuple(state.values[kind] for kind in ("clear", "preset") if kind in state.values) if state else (),
        unusable=unusable,
        dont_use=group.values.get("dont_use", "false") == "true",
        latch=latch is not None,
        gating=gating,
    )


def _is_plain(latch: Group, pins: Mapping[str, Pin]) -> bool:
    """Data and clock are one input each, and nothing else is."""
    used = [latch.values.get(kind, "").strip(" ()!'") for kind in ("data_in", "enable")]
    data = latch.values.get("data_in", "").strip(" ()")
    return sorted(used) == sorted(pin.name for pin in pins.values() if not pin.output) and data == used[0]


def _gating(group: Group) -> Gating | None:
    """Facts of an integrated clock gate whose latch is in front of the AND; test pins may be there, observation pins not."""
    kind = group.values.get("clock_gating_integrated_cell", "")
    if kind not in ("latch_posedge", "latch_posedge_precontrol"):
        return None
    roles: dict[str, list[str]] = {
        role: [
            name
            for pin in group.all("pin")
            for name in pin.names
            if pin.values.get(f"clock_gate_{role}_pin", "false") == "true"
        ]
        for role in ("clock", "enable", "out", "test")
    }
    if any(len(roles[role]) != 1 for role in ("clock", "enable", "out")):
        return None
    return Gating(roles["clock"][0], roles["enable"][0], roles["out"][0], tuple(roles["test"]))


def _leakage(group: Group, units: _Units) -> float:
    """Mean over the states that the file tells apart, else the cell's one figure."""
    states = [state.number("value", 0) for state in group.all("leakage_power") if "when" in state.values]
    if "cell_leakage_power" in group.values or not states:
        return group.number("cell_leakage_power", units.default_leakage)
    return sum(states) / len(states)


def _pin(name: str, group: Group, units: _Units) -> Pin:
    energy = [
        Arc(related, _table(power, "rise_power", units, units.energy), _table(power, "fall_power", units, units.energy))
        for power in group.all("internal_power")
        for related in power.values.get("related_pin", "").split() or [""]
    ]
    edges: dict[str, list[Arc]] = {"transition": [], "delay": []}
    for timing in group.all("timing"):
        for related in timing.values.get("related_pin", "").split():
            for kind, (rise, fall) in {
                "delay": ("cell_rise", "cell_fall"),
                "transition": ("rise_transition", "fall_transition"),
            }.items():
                tables = [_table(timing, name, units, units.time) for name in (rise, fall)]
                if any(tables):
                    edges[kind].append(Arc(related, *tables))
    # both edges in one table: `power`
    for power in group.all("internal_power"):
        both = _table(power, "power", units, units.energy)
        if both:
            energy += [Arc(related, both, both) for related in power.values.get("related_pin", "").split() or [""]]
    return Pin(
        name=name,
        output=group.values.get("direction") == "output",
        clock=group.values.get("clock") == "true",
        capacitance=group.number("capacitance", 0) * units.load,
        function=group.values.get("function", ""),
        energy=tuple(arc for arc in energy if arc.rise or arc.fall),
        delay=tuple(edges["delay"]),
        slew=tuple(edges["transition"]),
    )


def _table(group: Group, kind: str, units: _Units, unit: float) -> LookupTable | None:
    found = group.first(kind)
    if found is None or "values" not in found.values:
        return None
    template = units.templates.get(found.names[0] if found.names else "", Group("", []))
    values = _numbers(found.values["values"])
    axes = []
    for number in (1, 2):
        points = _numbers(found.values.get(f"index_{number}", template.values.get(f"index_{number}", "")))
        is_load = "capacitance" in template.values.get(f"variable_{number}", "")
        if points:
            axes.append((is_load, tuple(point * (units.load if is_load else units.time) for point in points)))
    count = 1
    for _, axis in axes:
        count *= len(axis)
    if count != len(values):
        if len(values) != 1:
            raise LibertyError(f"{len(values)} values in a table of {count}")
        axes = []
    scaled = [value * unit for value in values]
    slews: tuple[float, ...] = next((axis for is_load, axis in axes if not is_load), ())
    loads: tuple[float, ...] = next((axis for is_load, axis in axes if is_load), ())
    if len(axes) == 2 and (axes[0][0] == axes[1][0]):
        return None  # three variables and the like
    columns = max(1, len(loads))
    rows = max(1, len(slews))
    load_first = len(axes) == 2 and axes[0][0]
    grid = tuple(
        tuple(scaled[j * rows + i] if load_first else scaled[i * columns + j] for j in range(columns))
        for i in range(rows)
    )
    return LookupTable(slews, loads, grid)


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]
