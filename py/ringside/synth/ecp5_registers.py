# SPDX-License-Identifier: Apache-2.0
"""Registers around the multipliers of a Lattice ECP5 move into them, after Yosys, which leaves them outside.

A MULT18X18D has registers at both operands and at the product. With them no path goes from a flip-flop over a wire through the
multiplier over a wire to a flip-flop. But multipliers stand in columns, and the wire there is long. So registers behind much logic stay
outside, beside it: the wire comes after them, and the multiplier has time for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

MULTIPLIER, REGISTER = "MULT18X18D", "TRELLIS_FF"
LOGIC = ("LUT4", "PFUMX", "L6MUX21", "CCU2C")
OPERANDS = {"A": 18, "B": 18}
PRODUCT_BITS = 36
LOGIC_MAX = 2  # cells in a row before a register that moves: a multiplexer, say, and no adder
_CONTROL = {"CE0": "1", "RST0": "0"}


def absorb(netlist: dict[str, Any], top: str) -> int:
    """netlist: Yosys' JSON of one flat module, changed in place. How many registers of operands and products moved."""
    module = netlist["modules"][top]
    cells: dict[str, dict[str, Any]] = module["cells"]
    loads = Counter(
        bit
        for name, cell in cells.items()
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] != "output"
        for bit in bits
    )
    loads.update(bit for port in module["ports"].values() if port["direction"] != "input" for bit in port["bits"])
    plain = {name: cell for name, cell in cells.items() if _is_plain(cell)}
    by_output = {cell["connections"]["Q"][0]: name for name, cell in plain.items()}
    by_input = {cell["connections"]["DI"][0]: name for name, cell in plain.items()}
    behind_much = _behind_much(cells)
    moved = 0
    for cell in [cell for cell in cells.values() if cell["type"] == MULTIPLIER]:
        wires = cell["connections"]
        for operand, width in OPERANDS.items():
            ports = [f"{operand}{i}" for i in range(width)]
            bits = [wires[port][0] for port in ports]
            # a constant 1 would be 0 until the first edge
            if not all(bit in by_output or bit in ("0", "x") for bit in bits):
                continue
            before = {bit: cells[by_output[bit]] for bit in bits if bit in by_output}
            if any(flip_flop["connections"]["DI"][0] in behind_much for flip_flop in before.values()):
                continue
            if not _clocked(cell, f"REG_INPUT{operand}_CLK", before.values()):
                continue
            for port, bit in zip(ports, bits, strict=True):
                if bit in before:
                    wires[port] = before[bit]["connections"]["DI"]
                    loads[bit] -= 1
                    loads[wires[port][0]] += 1
            moved += 1
        ports = [f"P{i}" for i in range(PRODUCT_BITS) if loads[wires[f"P{i}"][0]]]
        bits = [wires[port][0] for port in ports]
        if all(bit in by_input and loads[bit] == 1 for bit in bits):
            behind = {bit: cells[by_input[bit]] for bit in bits}
            if _clocked(cell, "REG_OUTPUT_CLK", behind.values()):
                for port, bit in zip(ports, bits, strict=True):
                    name = by_input[bit]
                    wires[port] = cells.pop(name)["connections"]["Q"]
                    by_output.pop(wires[port][0])
                moved += 1
    # who still reads a register of an operand keeps it
    for bit, name in by_output.items():
        if not loads[bit] and name in cells:
            del cells[name]
    return moved


def _behind_much(cells: Mapping[str, Mapping[str, Any]]) -> set[Any]:
    """The wires that LUTs and carries drive, more than LOGIC_MAX of them in a row."""
    logic = [cell for cell in cells.values() if cell["type"] in LOGIC]
    deep = {bit for cell in logic for bit in _wires(cell, output=True)}
    for _ in range(LOGIC_MAX):  # those behind one more cell
        deep = {
            bit
            for cell in logic
            if any(before in deep for before in _wires(cell, output=False))
            for bit in _wires(cell, output=True)
        }
    return deep


def _wires(cell: Mapping[str, Any], *, output: bool) -> list[Any]:
    return [
        bit
        for port, bits in cell["connections"].items()
        if (cell["port_directions"][port] == "output") == output
        for bit in bits
    ]


def _is_plain(cell: dict[str, Any]) -> bool:
    """A flip-flop without enable and reset, on the rising edge, that begins with 0, as all registers of a multiplier can be."""
    if cell["type"] != REGISTER:
        return False
    settings: dict[str, str] = cell["parameters"]
    wires: dict[str, list[Any]] = cell["connections"]
    return (
        settings.get("CEMUX", "").strip() == "1"
        and settings.get("CLKMUX") == "CLK"
        and settings.get("REGSET") == "RESET"
        and wires.get("LSR", ["0"]) == ["0"]
    )


def _clocked(cell: dict[str, Any], register: str, flip_flops: Iterable[dict[str, Any]]) -> bool:
    """The multiplier's register is switched on, if the flip-flops have one clock, and that of its other registers."""
    wires = cell["connections"]
    clocks = {flip_flop["connections"]["CLK"][0] for flip_flop in flip_flops} | set(wires.get("CLK0", []))
    if len(clocks) != 1:
        return False
    wires["CLK0"] = list(clocks)
    cell["port_directions"]["CLK0"] = "input"
    for port, value in _CONTROL.items():
        wires[port] = [value]
        cell["port_directions"][port] = "input"
    cell["parameters"] |= {register: "CLK0", "GSR": "DISABLED"}
    return True
