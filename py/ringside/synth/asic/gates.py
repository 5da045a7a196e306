# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist as arrays of logic functions, loads, slews and delays: what sim/gates.cpp and the power engine work on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DeviceError
from . import clocks
from .liberty import Cell, Library
from .liberty_syntax import truth_table
from .mapping import Bit, Gate, Netlist

TICK = 1 / 6  # a share of a gate's delay, in delays of a loaded NAND gate
TICKS_MAX = 60  # WHEEL in gates.cpp is above
INPUTS_MAX = 6  # a truth table is a word of 64 bits
NO_GATE = -1
Tap = tuple[str, str, int, int]  # (child or "", port, bit, net)


@dataclass(frozen=True)
class Function:
    """A logic function of nets, of at most six."""

    table: int
    inputs: tuple[int, ...]
    output: int


@dataclass
class Gates:
    """nets: their number. loads: F, slews: s, of nets.

    running, gated: nets of clocks, with two edges in every cycle, or only in cycles that are enabled.
    arrays: tables, numbers of inputs, inputs, outputs, delays in ticks; of flip-flops next state, state, and number of the clock
    gate or NO_GATE; of clock gates enable, enable that the latch holds, gated clock.
    """

    library: Library
    netlist: Netlist
    nets: int
    net: dict[Bit, int]
    inputs: list[Tap]
    outputs: list[Tap]
    loads: NDArray[np.float64]
    slews: NDArray[np.float64]
    running: list[int]
    gated: list[int]
    arrays: tuple[NDArray[Any], ...]


def compile_gates(netlist: Netlist, library: Library, *, timed: bool) -> Gates:
    """timed: with the gates' delays, for glitches. DeviceError: a cell whose function is not known, or a loop of gates."""
    try:
        return _compile(netlist, library, timed)
    except DeviceError:
        raise
    except ValueError as error:
        raise DeviceError("POWER", f"A cell of {library.name} cannot be simulated: {error}.") from error


def _compile(netlist: Netlist, library: Library, timed: bool) -> Gates:
    net: dict[Bit, int] = {"0": 0, "1": 1, "x": 0}

    count = 2

    def of(bit: Bit) -> int:
        nonlocal count
        if bit not in net:
            net[bit] = count
            count += 1
        return net[bit]

    functions: list[tuple[Function, Gate | None]] = [(Function(1, (), 1), None)]  # the constant 1
    flops: list[tuple[int, int, int]] = []
    clocking = clocks.find(netlist, library)
    gate_of = {gate.gated: number for number, gate in enumerate(clocking.gates)}
    for gate in netlist.gates:
        cell = library.cells[gate.cell]
        if gate.name in clocking.cells:
            for bit in gate.pins.values():
                of(bit)
            continue
        if cell.latch or cell.gating:
            raise DeviceError("POWER", f"The cell {cell.name} cannot be simulated: it is no part of a clock gate.")
        if cell.unusable:
            raise DeviceError("POWER", f"The cell {cell.name} cannot be simulated: {cell.unusable}.")
        names = [pin.name for pin in cell.inputs if pin.name in gate.pins]
        if len(names) > INPUTS_MAX:
            raise DeviceError("POWER", f"The cell {cell.name} cannot be simulated: it has {len(names)} inputs.")
        pins = tuple(of(gate.pins[name]) for name in names)
        if not cell.state:
            for pin in cell.outputs:
                if pin.name in gate.pins:
                    functions.append((Function(truth_table(pin.function, names), pins, of(gate.pins[pin.name])), gate))
            continue
        if cell.clocked_on.strip(" ()") not in names:
            raise DeviceError("POWER", f"The cell {cell.name} cannot be simulated: its clock is {cell.clocked_on}.")
        if any(_may_be_true(reset, gate, names) for reset in cell.resets):
            raise DeviceError("POWER", f"The cell {cell.name} cannot be simulated: its asynchronous reset is used.")
        data, state = count, count + 1
        count += 2
        functions.append((Function(truth_table(cell.next_state, names), pins, data), None))
        flops.append((data, state, gate_of.get(gate.pins[cell.clock_pin], NO_GATE)))
        for pin in cell.outputs:
            if pin.name in gate.pins:
                table = truth_table(pin.function, [cell.state[0]]) if cell.state[0] in pin.function else clocks.INVERTER
                functions.append((Function(table, (state,), of(gate.pins[pin.name])), gate))
    gating = []
    for found in clocking.gates:
        held = count if found.held is None else of(found.held)
        count += found.held is None
        gating.append((of(found.enable), held, of(found.gated)))
    inputs, outputs = _taps(netlist, of)
    driven = {function.output for function, _ in functions} | {tap[3] for tap in inputs}
    outputs = [tap for tap in outputs if tap[3] in driven]

    loads = np.zeros(count)
    for gate in netlist.gates:
        for pin in library.cells[gate.cell].inputs:
            if pin.name in gate.pins:
                loads[of(gate.pins[pin.name])] += pin.capacitance
    loads[:2] = 0
    functions = _ordered(functions)
    slews, delays = _timing(functions, library, net, loads)
    ticks = np.zeros(len(functions), np.int32)
    if timed:
        ticks = np.clip(np.rint(delays / (TICK * library.stage)), 1, TICKS_MAX).astype(np.int32)
    tables = np.array([function.table for function, _ in functions], np.uint64)
    counts = np.array([len(function.inputs) for function, _ in functions], np.int32)
    flat = np.array([net for function, _ in functions for net in function.inputs], np.int32)
    results = np.array([function.output for function, _ in functions], np.int32)
    states = np.array(flops, np.int32).reshape(-1, 3)
    gates = np.array(gating, np.int32).reshape(-1, 3)
    arrays = (tables, counts, flat, results, ticks, *states.T, *gates.T)
    running = [of(bit) for bit in clocking.running]
    return Gates(library, netlist, count, net, inputs, outputs, loads, slews, running, gates[:, 2].tolist(), arrays)


def _taps(netlist: Netlist, of: Callable[[Bit], int]) -> tuple[list[Tap], list[Tap]]:
    """What comes in and what goes out: by the ports of the part, and of the parts in it."""
    inputs = [("", port, i, of(bit)) for port, bits in netlist.inputs.items() for i, bit in enumerate(bits)]
    outputs = [
        ("", port, i, of(bit))
        for port, bits in netlist.outputs.items()
        for i, bit in enumerate(bits)
        if isinstance(bit, int)
    ]
    for child in netlist.children:
        for port, bits in child.ports.items():
            taps = [(child.name, port, i, of(bit)) for i, bit in enumerate(bits) if isinstance(bit, int)]
            (inputs if port in child.outputs else outputs).extend(taps)
    return inputs, outputs


def _may_be_true(function: str, gate: Gate, names: Sequence[str]) -> bool:
    """Whether it is, for any values of the pins that are not tied to a constant."""
    table = truth_table(function, names)
    tied = {k: int(gate.pins[name]) for k, name in enumerate(names) if gate.pins[name] in ("0", "1")}
    return any(
        table >> index & 1
        for index in range(1 << len(names))
        if all(index >> k & 1 == value for k, value in tied.items())
    )


def _ordered(functions: Sequence[tuple[Function, Gate | None]]) -> list[tuple[Function, Gate | None]]:
    """Topologically: a net's driver before its readers."""
    driver = {function.output: index for index, (function, _) in enumerate(functions)}
    graph = {
        index: [driver[net] for net in function.inputs if net in driver]
        for index, (function, _) in enumerate(functions)
    }
    try:
        return [functions[index] for index in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise DeviceError("POWER", "The netlist has a loop of gates.") from error


def _timing(
    functions: Sequence[tuple[Function, Gate | None]], library: Library, net: dict[Bit, int], loads: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slews of nets, delays of functions; the slowest input decides. Sources have the slew of a loaded NAND gate."""
    first = library.stage
    slews = np.full(len(loads), first)
    delays = np.zeros(len(functions))
    for index, (function, gate) in enumerate(functions):
        if gate is None:
            continue
        cell = library.cells[gate.cell]
        load = loads[function.output]
        for pin in cell.outputs:
            if pin.name not in gate.pins or net[gate.pins[pin.name]] != function.output:
                continue
            slew = [arc.mean(_slew(arc.related, gate, cell, net, slews, first), load) for arc in pin.slew]
            delay = [arc.mean(_slew(arc.related, gate, cell, net, slews, first), load) for arc in pin.delay]
            slews[function.output] = max(slew, default=first)
            delays[index] = max(delay, default=first)
    return slews, delays


def _slew(pin: str, gate: Gate, cell: Cell, net: dict[Bit, int], slews: NDArray[np.float64], clock: float) -> float:
    if pin not in gate.pins or (cell.state and pin in cell.clocked_on):
        return clock
    return float(slews[net[gate.pins[pin]]])
