# SPDX-License-Identifier: Apache-2.0
"""Energy of a part from the toggles of its nets and the tables of the library.

switching  1/2 C V^2 per toggle of a net, C of the input pins on it; wires, unknown before layout, are left out
internal   the library's tables at the net's load and the inputs' slews. An output's energy is the mean of its arcs, each
           counted as often as its input toggles; rise and fall, and the states (`when`) of an arc, count the same
clock      of flip-flops and of what gates their clocks: two edges per cycle, behind a gate per enabled cycle. There is no clock tree
leakage    the cells' own
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .gates import Gates
from .liberty import Arc, Pin


@dataclass(frozen=True)
class RunEnergy:
    """J in all the cycles that were counted, and W of leakage."""

    switching: float = 0.0
    internal: float = 0.0
    clock: float = 0.0
    leakage: float = 0.0

    def __add__(self, other: RunEnergy) -> RunEnergy:
        return RunEnergy(
            self.switching + other.switching,
            self.internal + other.internal,
            self.clock + other.clock,
            self.leakage + other.leakage,
        )

    @property
    def dynamic(self) -> float:
        return self.switching + self.internal + self.clock


def energy(gates: Gates, toggles: NDArray[np.uint64], cycles: int) -> RunEnergy:
    """toggles: the toggles of each net in this number of cycles."""
    library, net = gates.library, gates.net
    counts = toggles.astype(np.float64)
    counts[:2] = 0  # constants
    counts[gates.running] = 2.0 * cycles
    clocks = {*gates.running, *gates.gated}
    half = 0.5 * library.voltage**2
    ticking = half * float(sum(counts[n] * gates.loads[n] for n in clocks))
    switching = half * float(counts @ gates.loads) - ticking
    internal = leakage = 0.0
    clock = ticking
    clock_slew = library.stage
    for gate in gates.netlist.gates:
        cell = library.cells[gate.cell]
        leakage += cell.leakage

        def toggles_of(pin: str) -> float:
            return float(counts[net[gate.pins[pin]]]) if pin in gate.pins else 0.0  # noqa: B023

        def slew_of(pin: str) -> float:
            if pin not in gate.pins or net[gate.pins[pin]] in clocks:  # noqa: B023
                return clock_slew
            return float(gates.slews[net[gate.pins[pin]]])  # noqa: B023

        for pin in cell.pins.values():
            if pin.name not in gate.pins or not pin.energy:
                continue
            on = net[gate.pins[pin.name]]
            if not pin.output:
                spent = counts[on] * _mean([arc.mean(slew_of(pin.name), 0.0) for arc in pin.energy])
            elif counts[on]:
                load = float(gates.loads[on])
                if on in clocks:
                    load = min(load, pin.largest_load)  # one tree of buffers will drive the rest
                shares, found = [], []
                for related, arcs in _by_input(pin).items():
                    shares.append(toggles_of(related))
                    found.append(_mean([arc.mean(slew_of(related), load) for arc in arcs]))
                total = sum(shares)
                mean = sum(a * b for a, b in zip(shares, found, strict=True)) / total if total else _mean(found)
                spent = counts[on] * mean
            else:
                continue
            if on in clocks:
                clock += spent
            else:
                internal += spent
    return RunEnergy(switching, internal, clock, leakage)


def _by_input(pin: Pin) -> dict[str, list[Arc]]:
    found: dict[str, list[Arc]] = {}
    for arc in pin.energy:
        found.setdefault(arc.related, []).append(arc)
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
