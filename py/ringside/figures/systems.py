# SPDX-License-Identifier: Apache-2.0
"""Runs on the SoC that are shown side by side, and what the ledger has of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from .. import designs
from ..cycles.system import Count, System
from ..sim.options import ALONE
from .ledger import REFUSED, Books, Row, State
from .questions import SocRun

# operations of which the core, where it can, also does the encoding or decoding
IN_CORE = {
    "encrypt-pk": "encode-encrypt-pk",
    "encrypt-pk-direct": "encode-encrypt-pk-direct",
    "encrypt-sk": "encode-encrypt-sk",
    "decrypt": "decrypt-decode",
}
_BY_PROCESSOR = {inside: op for op, inside in IN_CORE.items()}

TOGETHER = 4  # frames of a program that are shown


def kinds(run: SocRun) -> list[SocRun]:
    """The runs that can be shown of a system: of a core the second frame, whose program is there, frames that overlap, and, where the core encodes
    and decodes, the same of that."""
    one = replace(run, frames=1, overlap=False)
    if run.design == ALONE:
        return [one]
    runs = [one, replace(one, frames=2), replace(one, frames=3, overlap=True)]
    if designs.load(run.design).encode:
        inside = replace(one, op=IN_CORE[one.op])
        runs += [replace(inside, frames=2), replace(inside, frames=TOGETHER, overlap=True)]
    return runs


def best(run: SocRun) -> SocRun:
    """The run that stands for a system: the processor alone, or a later frame, in the core if it encodes."""
    return next(one for one in reversed(kinds(run)) if not one.overlap)


def plain(op: str) -> str:
    """The operation, whoever encodes or decodes."""
    return _BY_PROCESSOR.get(op, op)


def system(figures: dict[str, Any]) -> System:
    """The value of an answer."""
    known = {field.name: figures[field.name] for field in fields(System) if field.name in figures}
    counts = {name: Count(**count) for name, count in known.pop("stages").items()}
    return System(stages=counts, setup=Count(**known.pop("setup")), **known)


@dataclass(frozen=True)
class Found:
    """An answer to a run."""

    system: System
    state: State
    recorded: str  # version and date


def find(run: SocRun, books: Books) -> Found | None:
    """None: nothing is recorded, or the design cannot do it."""
    row: Row | None = books.find(run)
    if row is None or REFUSED in row.figures:
        return None
    return Found(system(dict(row.figures)), row.state(), row.recorded)


def find_all(runs: Iterable[SocRun], books: Books) -> list[tuple[SocRun, Found | None]]:
    """All kinds of each system; one None where there is none."""
    shown: list[tuple[SocRun, Found | None]] = []
    for run in runs:
        known = [(kind, found) for kind in kinds(run) if (found := find(kind, books)) is not None]
        shown += known or [(run, None)]
    return shown


def missing(runs: Sequence[SocRun], books: Books) -> list[SocRun]:
    """Runs that would show something new: of a core those of a second frame."""
    return [best(run) for run, found in find_all(runs, books) if found is None]
