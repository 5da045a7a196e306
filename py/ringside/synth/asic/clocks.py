# SPDX-License-Identifier: Apache-2.0
"""Gates between a part's clock and its flip-flops: none, or ones that pass whole pulses.

A gate is understood if a latch holds its enable while the clock is high; anything else could shorten a pulse, and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import DeviceError
from .liberty import Library, is_clock_inverted
from .liberty_syntax import truth_table
from .mapping import Bit, Gate, Netlist

CLOCK = "clk_i"
INVERTER = 0b01
AND = 0b1000


@dataclass(frozen=True)
class ClockGate:
    """Nets. held: the enable behind the latch; None: inside an integrated cell."""

    enable: Bit
    held: Bit | None
    gated: Bit


@dataclass(frozen=True)
class Clocks:
    """running: nets with two edges in every cycle. cells: names of what the gates consist of."""

    running: frozenset[Bit]
    gates: list[ClockGate]
    cells: frozenset[str]

    def gated(self, netlist: Netlist, library: Library) -> int:
        """Flip-flops behind the gates."""
        nets = {gate.gated for gate in self.gates}
        flip_flops = ((gate, library.cells[gate.cell]) for gate in netlist.gates)
        return sum(cell.flip_flop and gate.pins.get(cell.clock_pin) in nets for gate, cell in flip_flops)


def find(netlist: Netlist, library: Library) -> Clocks:
    """DeviceError: a flip-flop has another clock."""
    root: frozenset[Bit] = frozenset(bit for bit in netlist.inputs.get(CLOCK, []) if isinstance(bit, int))
    driver: dict[Bit, Gate] = {}
    for gate in netlist.gates:
        driver |= {gate.pins[pin.name]: gate for pin in library.cells[gate.cell].outputs if pin.name in gate.pins}
    found: dict[Bit, ClockGate] = {}
    cells: set[str] = set()
    running = set(root)

    def integrated(gate: Gate, clock: Bit) -> ClockGate | None:
        pins = library.cells[gate.cell].gating
        if pins is None or gate.pins[pins.clock] not in root or any(gate.pins.get(pin) != "0" for pin in pins.low):
            return None
        cells.add(gate.name)
        return ClockGate(gate.pins[pins.enable], None, clock)

    def built(gate: Gate, clock: Bit) -> ClockGate | None:
        """An AND of the clock and a latch, which is open while the clock is low."""
        inputs = [bit for bit in gate.pins.values() if bit not in root and bit != clock]
        latch = driver.get(inputs[0]) if len(inputs) == 1 and _table(gate, library) == AND else None
        if latch is None:
            return None
        cell = library.cells[latch.cell]
        if not cell.latch or cell.unusable or latch.pins.get(cell.held) != inputs[0]:
            return None
        opened = latch.pins[cell.clock_pin]
        inverter = driver.get(opened)
        if is_clock_inverted(cell):
            if opened not in root:
                return None
        elif inverter is None or _table(inverter, library) != INVERTER or root.isdisjoint(inverter.pins.values()):
            return None
        else:
            running.add(opened)
            cells.add(inverter.name)
        cells.update((gate.name, latch.name))
        return ClockGate(latch.pins[cell.next_state.strip(" ()")], inputs[0], clock)

    for flop in netlist.gates:
        cell = library.cells[flop.cell]
        clock = flop.pins.get(cell.clock_pin, "x") if cell.flip_flop else "x"
        if clock not in driver or clock in found:
            continue
        made = integrated(driver[clock], clock) or built(driver[clock], clock)
        if made is None:
            where = f"The clock of {flop.name} comes from a {driver[clock].cell}"
            raise DeviceError("POWER", f"{where} that no latch holds.")
        found[clock] = made
    return Clocks(frozenset(running), list(found.values()), frozenset(cells))


def _table(gate: Gate, library: Library) -> int | None:
    """The truth table of a cell with one output and no state."""
    cell = library.cells[gate.cell]
    if cell.state or cell.unusable or cell.gating or len(cell.outputs) != 1:
        return None
    return truth_table(cell.outputs[0].function, [pin.name for pin in cell.inputs if pin.name in gate.pins])
