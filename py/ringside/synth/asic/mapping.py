# SPDX-License-Identifier: Apache-2.0
"""A part as a netlist of library cells.

Adders and multipliers get their structure from Yosys (Booth, Wallace, parallel prefix), so ABC must not restructure before they
are there (-noabc), and chooses gates, sizes and buffers for a given period afterwards.

Clocks are gated before flip-flops get their cells: those that share an enable become plain ones behind one clock gate. Resets
of the RTL are synchronous and act without the enable, so the gate's enable is the enable or the reset.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import DeviceError
from .. import yosys
from .liberty import Library
from .liberty_syntax import content

# The version of everything below that changes netlists; results in caches are found by it.
VERSION = 2
FANOUT = 16
ABC = (
    "strash",
    "&get -n",
    "&st",
    "&dch -f",
    "&nf {D}",
    "&put",
    "topo",
    f"buffer -c -p -N {FANOUT}",
    "upsize {D}",
    "dnsize {D}",
)
STAGES = 30  # a clock period for ABC, in delays of a loaded NAND gate; the netlists hardly depend on it
GATED = 4  # flip-flops with the same enable, at least, that get a clock gate: of a latch it is as large as three multiplexers
OUTPUT_LOADS = 4  # what a part's output is taken to drive, in inputs of a NAND gate

# what the pass clockgate puts in, until the library's cells stand there
GATE = "rs_clock_gate"
_BOX = f"""attribute \\blackbox 1
module \\{GATE}
  wire input 1 \\enable
  wire input 2 \\clock
  wire output 3 \\gated
end
"""
# enables that clockgate understands: high, and not overridden by a reset
_ENABLES = "".join(
    f"""module \\$_{kind}_P{reset}{value}{enable}_ (input D, C, R, E, output Q);
  wire r = {"R" if reset == "P" else "~R"};
  wire e = {"E" if enable == "P" else "~E"};
  \\$_DFFE_PP_ _TECHMAP_REPLACE_ (.C(C), .D({"D | r" if value else "D & ~r"}), .E({"e | r" if kind == "SDFFE" else "e"}), .Q(Q));
endmodule
"""
    for kind in ("SDFFE", "SDFFCE")
    for reset in "PN"
    for value in (0, 1)
    for enable in "PN"
)

Bit = int | str  # a net's number, or "0", "1", "x"


@dataclass(frozen=True)
class Gate:
    """A library cell. pins: of one bit each."""

    name: str
    cell: str
    pins: Mapping[str, Bit]


@dataclass(frozen=True)
class Child:
    """Another part in this one. shell: what stands for it; ports: bits, lowest first."""

    name: str
    shell: str
    ports: Mapping[str, list[Bit]]
    outputs: frozenset[str]


@dataclass(frozen=True)
class Netlist:
    """Ports: bits, lowest first. names: of nets, where the RTL has one."""

    module: str
    inputs: Mapping[str, list[Bit]]
    outputs: Mapping[str, list[Bit]]
    gates: list[Gate]
    children: list[Child]
    names: Mapping[int, str]

    @property
    def cells(self) -> Counter[str]:
        return Counter(gate.cell for gate in self.gates)


class Sources:
    """The library's files where Yosys and OpenSTA can read them, as long as the context lasts."""

    def __init__(self, library: Library) -> None:
        self._place = tempfile.TemporaryDirectory()
        self.library = library
        self.files: list[Path] = []
        for number, file in enumerate(library.files):
            path = Path(self._place.name) / f"{number}.lib"
            path.write_bytes(content(file))
            self.files.append(path)

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *_: object) -> None:
        self._place.cleanup()


def map_part(module: str, text: str, sources: Sources, *, gated: bool = True) -> Netlist:
    """text: RTLIL. gated: with clock gates, if the library has what they take.

    YosysError: it failed. DeviceError: something has no cell in the library.
    """
    library = sources.library
    unused = " ".join(f"-dont_use {cell.name}" for cell in library.cells.values() if cell.dont_use)
    files = " ".join(f"-liberty {file}" for file in sources.files)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "part.il").write_text(text, encoding="utf-8")
        (place / "abc").write_text("\n".join(ABC) + "\n", encoding="utf-8")
        load = 1e15 * OUTPUT_LOADS * library.nand2.inputs[0].capacitance
        (place / "constraint").write_text(
            f"set_driving_cell {library.inverter.name}\nset_load {load:.4g}\n", encoding="utf-8"
        )
        (place / "enables.v").write_text(_ENABLES, encoding="utf-8")
        (place / "box.il").write_text(_BOX, encoding="utf-8")
        gating = [
            f"techmap -map {place}/enables.v",
            "simplemap",
            "opt_expr",
            "opt_merge",
            "opt_clean",
            f"read_rtlil {place}/box.il",
            f"clockgate -pos {GATE} enable:clock:gated -min_net_size {GATED}",
        ]
        period = round(1e12 * STAGES * library.stage)
        passes = [
            f"read_rtlil {place}/part.il",
            f"synth -top {module} -flatten -noabc -booth",
            *(gating if gated and library.clock_gate else []),
            f"dfflibmap {files} {unused}",
            "opt",
            f"abc {files} {unused} -D {period} -constr {place}/constraint -script {place}/abc",
            "setundef -zero",
            "splitnets",
            "opt_clean -purge",
            f"write_json {place}/netlist",
        ]
        try:
            yosys.run(passes)
        except yosys.YosysError as error:
            flop = re.search(r"\(type (\S+)\) cannot be legalized", str(error))
            if flop:
                raise _no_cell(library, flop[1], module) from error
            raise
        modules = json.loads((place / "netlist").read_text(encoding="utf-8"))["modules"]
    return _netlist(module, modules, library)


def _no_cell(library: Library, kind: str, module: str) -> DeviceError:
    hint = "It needs gates, inverters, buffers and a D flip-flop of the rising edge: name all files of the library."
    return DeviceError("SYNTHESIS", f"{library.name} has no cell for {kind} in {module}.", hint)


def _netlist(module: str, modules: Mapping[str, Any], library: Library) -> Netlist:
    found = modules[module]
    gates: list[Gate] = []
    children: list[Child] = []
    boxes: list[Mapping[str, list[Bit]]] = []
    for name, cell in found["cells"].items():
        kind = cell["type"]
        if kind == GATE:
            boxes.append(cell["connections"])
        elif kind in library.cells:
            gates.append(Gate(name, kind, {pin: bits[0] for pin, bits in cell["connections"].items() if bits}))
        elif kind in modules:
            ports = modules[kind]["ports"]
            outputs = frozenset(port for port, entry in ports.items() if entry["direction"] == "output")
            children.append(Child(name, kind, cell["connections"], outputs))
        else:
            raise _no_cell(library, kind, module)
    names: dict[int, str] = {}
    for name, net in found["netnames"].items():
        if net["hide_name"]:
            continue
        bits = net["bits"]
        for index, bit in enumerate(bits):
            if isinstance(bit, int):
                names.setdefault(bit, name if len(bits) == 1 else f"{name}[{index}]")

    if boxes:
        free = 1 + max(bit for net in found["netnames"].values() for bit in net["bits"] if isinstance(bit, int))
        gates += _clock_gates(boxes, gates, names, library, free)

    def ports_of(direction: str) -> dict[str, list[Bit]]:
        return {name: port["bits"] for name, port in found["ports"].items() if port["direction"] == direction}

    return Netlist(module, ports_of("input"), ports_of("output"), gates, children, names)


def _clock_gates(
    boxes: Iterable[Mapping[str, list[Bit]]],
    gates: Iterable[Gate],
    names: Mapping[int, str],
    library: Library,
    free: int,
) -> list[Gate]:
    """The boxes as cells of the library, named after a register behind them. free: nets from there on are not used."""
    assert library.clock_gate is not None
    cells = library.clock_gate.cells
    behind: dict[Bit, str] = {}  # a gated clock -> a register
    for gate in gates:
        cell = library.cells[gate.cell]
        for pin in cell.outputs if cell.flip_flop else ():
            bit = gate.pins.get(pin.name)
            if isinstance(bit, int) and bit in names:
                behind.setdefault(gate.pins[cell.clock_pin], names[bit])
    found = []
    for number, box in enumerate(boxes):
        clock, enable, gated = box["clock"][0], box["enable"][0], box["gated"][0]
        name = f"{behind.get(gated, f'clock{number}')}.gate"
        if (pins := cells[0].gating) is not None:
            low: dict[str, Bit] = dict.fromkeys(pins.low, "0")
            found.append(Gate(name, cells[0].name, {pins.clock: clock, pins.enable: enable, pins.output: gated} | low))
            continue
        latch, conjunction, *inverter = cells
        held, opened = free, clock
        free += 1
        for cell in inverter:
            opened = free
            free += 1
            found.append(Gate(f"{name}.open", cell.name, {cell.inputs[0].name: clock, cell.outputs[0].name: opened}))
        pins_of_latch = {latch.next_state.strip(" ()"): enable, latch.clock_pin: opened, latch.held: held}
        found.append(Gate(name, latch.name, pins_of_latch))
        first, second = (pin.name for pin in conjunction.inputs)
        found.append(
            Gate(f"{name}.and", conjunction.name, {first: clock, second: held, conjunction.outputs[0].name: gated})
        )
    return found


# ---- kept in files --------------------------------------------------------------------------------------------------
def to_json(netlist: Netlist) -> dict[str, Any]:
    return {
        "module": netlist.module,
        "inputs": netlist.inputs,
        "outputs": netlist.outputs,
        "gates": [[gate.name, gate.cell, gate.pins] for gate in netlist.gates],
        "children": [[child.name, child.shell, child.ports, sorted(child.outputs)] for child in netlist.children],
        "names": [[bit, name] for bit, name in netlist.names.items()],
    }


def from_json(data: Mapping[str, Any]) -> Netlist:
    return Netlist(
        data["module"],
        data["inputs"],
        data["outputs"],
        [Gate(*gate) for gate in data["gates"]],
        [Child(name, shell, ports, frozenset(outputs)) for name, shell, ports, outputs in data["children"]],
        dict(data["names"]),
    )


# ---- Verilog --------------------------------------------------------------------------------------------------------
def verilog(netlist: Netlist, name: str, library: Library, children: Mapping[str, str]) -> str:
    """children: modules of the instances. A flip-flop is named after the register it holds."""

    def net(bit: Bit) -> str:
        return f"n{bit}" if isinstance(bit, int) else f"1'b{'0' if bit == 'x' else bit}"

    def bus(bits: Iterable[Bit]) -> str:
        return "{" + ", ".join(net(bit) for bit in reversed(list(bits))) + "}"

    lines = [f"module {name} ({', '.join([*netlist.inputs, *netlist.outputs])});"]
    ports = [("input", *port) for port in netlist.inputs.items()] + [
        ("output", *port) for port in netlist.outputs.items()
    ]
    nets = {bit for gate in netlist.gates for bit in gate.pins.values()}
    nets |= {bit for child in netlist.children for bits in child.ports.values() for bit in bits}
    for _, _, bits in ports:
        nets |= set(bits)
    lines += [f"  wire n{bit};" for bit in sorted(bit for bit in nets if isinstance(bit, int))]
    for way, port, bits in ports:
        lines.append(f"  {way} [{len(bits) - 1}:0] {port};")
        for index, bit in enumerate(bits):
            if way == "input" and isinstance(bit, int):
                lines.append(f"  assign n{bit} = {port}[{index}];")
            elif way == "output":
                lines.append(f"  assign {port}[{index}] = {net(bit)};")
    used: set[str] = set()
    for number, gate in enumerate(netlist.gates):
        instance = f"g{number}"
        cell = library.cells[gate.cell]
        if cell.latch or cell.gating:
            instance = f"\\{gate.name} "
        elif cell.state:
            outputs = (gate.pins[pin.name] for pin in cell.outputs if pin.name in gate.pins)
            registers = [netlist.names[bit] for bit in outputs if isinstance(bit, int) and bit in netlist.names]
            if registers and registers[0] not in used:
                used.add(registers[0])
                instance = f"\\{registers[0].replace(' ', '')} "
        pins = ", ".join(f".{pin}({net(bit)})" for pin, bit in gate.pins.items())
        lines.append(f"  {gate.cell} {instance} ({pins});")
    for child in netlist.children:
        pins = ", ".join(f".{port}({bus(bits)})" for port, bits in child.ports.items() if bits)
        lines.append(f"  {children[child.name]} \\{child.name} ({pins});")
    lines.append("endmodule\n")
    return "\n".join(lines)
