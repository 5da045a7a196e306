# SPDX-License-Identifier: Apache-2.0
"""Runs on the SoC that are shown side by side, and what the ledger has of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from .. import designs
from ..cycles.system import Count, System
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES
from .command import soc_run
from .ledger import REFUSED, Books, State

# operations of which the core, where it can, also does the encoding or decoding
IN_CORE = {
    "encrypt-pk": "encode-encrypt-pk",
    "encrypt-pk-direct": "encode-encrypt-pk-direct",
    "encrypt-sk": "encode-encrypt-sk",
    "decrypt": "decrypt-decode",
}
_BY_PROCESSOR = {inside: op for op, inside in IN_CORE.items()}

TOGETHER = 4  # frames of a program that are shown


class ShownSystem(NamedTuple):
    """A system that is shown: op, whoever encodes or decodes; latency of its RAM."""

    design: str
    op: str
    n: int
    limbs: int
    latency: int = CHIP_LATENCY_CYCLES


def kinds(wanted: ShownSystem) -> list[str]:
    """The commands that can be shown of a system: of a core the second frame, whose program is there, frames that overlap, and, where the core encodes
    and decodes, the same of that."""

    def run(op: str, frames: int | None = None, *, overlap: bool = False) -> str:
        latency = wanted.latency if wanted.latency != CHIP_LATENCY_CYCLES else None
        return soc_run(wanted.design, op, wanted.n, wanted.limbs, latency=latency, frames=frames, overlap=overlap)

    if wanted.design == ALONE:
        return [run(wanted.op)]
    runs = [run(wanted.op), run(wanted.op, 2), run(wanted.op, 3, overlap=True)]
    if designs.load(wanted.design).encode:
        inside = IN_CORE[wanted.op]
        runs += [run(inside, 2), run(inside, TOGETHER, overlap=True)]
    return runs


def best(wanted: ShownSystem) -> str:
    """The run that stands for a system: the processor alone, or a later frame, in the core if it encodes."""
    return next(one for one in reversed(kinds(wanted)) if "--overlap" not in one)


def plain(op: str) -> str:
    """The operation, whoever encodes or decodes."""
    return _BY_PROCESSOR.get(op, op)


def system(answer: dict[str, Any]) -> System:
    """The value of an answer."""
    known = {field.name: answer[field.name] for field in fields(System) if field.name in answer}
    counts = {name: Count(**count) for name, count in known.pop("stages").items()}
    return System(stages=counts, setup=Count(**known.pop("setup")), **known)


@dataclass(frozen=True)
class Found:
    """An answer to a run."""

    system: System
    state: State
    recorded: str  # version and date


def find(command: str, books: Books) -> Found | None:
    """None: nothing is recorded, or the design cannot do it."""
    row = books.find(command)
    if row is None or REFUSED in row.answer:
        return None
    return Found(system(dict(row.answer)), row.state(), row.recorded)


def find_all(wanted: Iterable[ShownSystem], books: Books) -> list[tuple[ShownSystem, Found | None]]:
    """All kinds of each system; one None where there is none."""
    shown: list[tuple[ShownSystem, Found | None]] = []
    for one in wanted:
        known = [(one, found) for command in kinds(one) if (found := find(command, books)) is not None]
        shown += known or [(one, None)]
    return shown


def missing(wanted: Sequence[ShownSystem], books: Books) -> list[str]:
    """Runs that would show something new: of a core those of a second frame."""
    return [best(one) for one, found in find_all(wanted, books) if found is None]
