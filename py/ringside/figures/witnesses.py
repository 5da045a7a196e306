# SPDX-License-Identifier: Apache-2.0
"""Which answers vouch for others, if they come out as they were recorded (docs/decisions/figures.md, decision 25)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..sim.verilate import SimulationError
from .command import Asked, parse
from .ledger import Row

# what runs beside the core and its program: it may have changed in ways that no answer shows, and then answers of several designs vouch for all others
BESIDE = frozenset({"simulator", "host"})
# a design with a streaming unit has no hash of its netlist: its shortest answer vouches for its others, whatever core and driver are
OF_STREAM = BESIDE | {"rtl", "design", "driver"}
DESIGNS = 4  # whose answers vouch for those of the others

Differences = frozenset[tuple[str, str]]  # names, with their hashes of then


@dataclass(frozen=True)
class Vouching:
    """Answers that differ from their former state in the same parts, and those of them that vouch for the rest."""

    parts: Differences
    rows: tuple[Row, ...]
    witnesses: tuple[Row, ...]

    @property
    def others(self) -> list[Row]:
        return [row for row in self.rows if row not in self.witnesses]

    @property
    def title(self) -> str:
        found = sorted({parse(row.command).design for row in self.rows})
        return f"{', '.join(found)}: {', '.join(sorted(name for name, _ in self.parts))}"


def groups(rows: Iterable[Row]) -> list[Vouching]:
    """Those in which somebody need not be made again."""
    found: dict[tuple[Differences, str], list[Row]] = {}
    for row in rows:
        asked = parse(row.command)
        if parts := _parts(row, OF_STREAM if asked.is_stream else BESIDE):
            found.setdefault((parts, f"{asked.design} {asked.op}" if asked.is_stream else ""), []).append(row)
    made = [
        Vouching(parts, tuple(some), (min(some, key=lambda row: row.key),) if stream else _of_several(some))
        for (parts, stream), some in found.items()
    ]
    return [group for group in made if group.others and group.witnesses]


def _parts(row: Row, names: frozenset[str]) -> Differences:
    """The parts of which witnesses would have to say that they change nothing; none, if that would not be enough."""
    try:
        parts = frozenset((name, row.made_from.get(name, "")) for name in row.changed() if name in names)
        return parts if parts and row.carried_over(parts) is not None else frozenset()
    except SimulationError:
        return frozenset()


def _of_several(rows: list[Row]) -> tuple[Row, ...]:
    """The smallest of each design, and of those the smallest ones."""
    of_design: dict[str, tuple[int, str, Row]] = {}
    for row in rows:
        asked = parse(row.command)
        if size := _size(asked):
            of_design[asked.design] = min(of_design.get(asked.design, (size, row.key, row)), (size, row.key, row))
    return tuple(row for *_, row in sorted(of_design.values(), key=lambda one: one[:2])[:DESIGNS])


def _size(asked: Asked) -> int:
    return asked.number("n") * asked.number("limbs") * asked.number("frames", 1)
