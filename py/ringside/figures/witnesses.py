# SPDX-License-Identifier: Apache-2.0
"""Which answers vouch for others, if they come out as they were recorded (docs/decisions/figures.md, decision 25)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..sim.options import CHIP_LATENCY_CYCLES
from ..sim.verilate import SimulationError
from .ledger import Row
from .questions import Batch, Frames, Simulation, SocRun, Transform

# what runs beside the core and its program: it may have changed in ways that no answer shows, and then answers of several designs vouch for all others
BESIDE = frozenset({"simulator", "firmware", "system", "host"})
# the core itself, and who writes its programs: then answers of a design vouch for that design's others
CORE = BESIDE | {"rtl", "design", "driver"}
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
        designs = sorted({str(getattr(row.question, "design", "")) for row in self.rows})
        return f"{', '.join(designs)}: {', '.join(sorted(name for name, _ in self.parts))}"


def groups(rows: Iterable[Row]) -> list[Vouching]:
    """Those in which somebody need not be made again."""
    found: dict[tuple[Differences, str], list[Row]] = {}
    for row in rows:
        for names in (BESIDE, CORE):
            if parts := _parts(row, names):
                alone = names is CORE or isinstance(row.question, Batch)
                found.setdefault((parts, _family(row) if alone else ""), []).append(row)
                break
    made = [
        Vouching(parts, tuple(some), _of_a_design(some) if family else _of_several(some))
        for (parts, family), some in found.items()
    ]
    return [group for group in made if group.others and group.witnesses]


def _parts(row: Row, names: frozenset[str]) -> Differences:
    """The parts of which witnesses would have to say that they change nothing; none, if that would not be enough."""
    if names is CORE and not _family(row):
        return frozenset()
    try:
        parts = frozenset((name, row.made_from.get(name, "")) for name in row.changed() if name in names)
        return parts if parts and row.carried_over(parts) is not None else frozenset()
    except SimulationError:
        return frozenset()


def _family(row: Row) -> str:
    """Answers that a design's own witnesses can vouch for: cycles of the same kind of run. Of streams those of one operation. Nothing of areas and energies, which any gate changes."""
    question = row.question
    match question:
        case Batch():
            return f"{type(question).__name__} {question.design} {question.OP}"
        case Simulation() | SocRun() | Transform() if not isinstance(question, Frames):
            return f"{type(question).__name__} {question.design}"
    return ""


def _traits(question: Any) -> list[tuple[str, Any]]:
    """Of these each has the smallest answer of its design as a witness."""
    several = getattr(question, "limbs", 1) > 1  # moduli that follow each other
    together = getattr(question, "overlap", False)
    latency = getattr(question, "latency", CHIP_LATENCY_CYCLES)
    return [
        ("op", getattr(question, "op", "")),
        ("several limbs", several),
        ("overlap", together),
        ("latency", latency),
        ("slices", getattr(question, "slices", 1)),
    ]


def _of_a_design(rows: list[Row]) -> tuple[Row, ...]:
    found: dict[tuple[str, Any], Row] = {}
    for row in sorted(rows, key=_work):
        for trait in _traits(row.question):
            found.setdefault(trait, row)
    return tuple({row.key: row for row in found.values()}.values())


def _of_several(rows: list[Row]) -> tuple[Row, ...]:
    """The smallest of each design, and of those the smallest ones."""
    sized = [row for row in rows if hasattr(row.question, "n") and hasattr(row.question, "limbs")]
    of_design: dict[str, Row] = {}
    for row in sorted(sized, key=_work):
        of_design.setdefault(getattr(row.question, "design", ""), row)
    return tuple(sorted(of_design.values(), key=_work)[:DESIGNS])


def _work(row: Row) -> tuple[int, str]:
    question: Any = row.question
    size = getattr(question, "n", 0) * getattr(question, "limbs", 1) * getattr(question, "frames", 1)
    return (0 if isinstance(question, Batch) else size), row.key  # keys of streams sort by their sets
