# SPDX-License-Identifier: Apache-2.0
"""What `ringside soc run` has measured, kept in the cache, so that a report is filled run by run; and rows recorded in files.

A row of the cache is one of today's sources. A recorded one is what `ringside soc run --json` printed: large runs take an hour, so it stays
where it is found when sources change, and what is made of it says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..engines.core import ENGINE, CoreDesign
from ..native.files import write_bytes
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES
from ..sim.verilate import cache_directory, content_hash
from ..soc import build
from .system import Count, System

# operations of which the core, where it can, also does the encoding or decoding
IN_CORE = {
    "encrypt-pk": "encode-encrypt-pk",
    "encrypt-pk-direct": "encode-encrypt-pk-direct",
    "encrypt-sk": "encode-encrypt-sk",
    "decrypt": "decrypt-decode",
}
_BY_PROCESSOR = {inside: op for op, inside in IN_CORE.items()}

TOGETHER = 4  # frames of a program that are shown
FOLDER = "soc-results"
RECORDED = "docs/soc-runs"  # of the source tree


@dataclass(frozen=True)
class Asked:
    """A run."""

    design: CoreDesign | None
    op: str
    n: int
    limbs: int
    bits: int
    latency: int = CHIP_LATENCY_CYCLES
    frames: int = 1
    overlap: bool = False

    @property
    def name(self) -> str:
        return self.design.name if self.design else ALONE

    @property
    def row(self) -> tuple[object, ...]:
        """What a row of a file is found by."""
        return self.name, self.op, self.n, self.limbs, self.bits, self.latency, self.frames, self.overlap


def kinds(asked: Asked) -> list[Asked]:
    """The runs that can be shown of a system: of a core the second frame, whose program is there, frames that overlap, and, where the core encodes
    and decodes, the same of that."""
    one = replace(asked, frames=1, overlap=False)
    if asked.design is None:
        return [one]
    runs = [one, replace(one, frames=2), replace(one, frames=3, overlap=True)]
    if asked.design.encode:
        inside = replace(one, op=IN_CORE[one.op])
        runs += [replace(inside, frames=2), replace(inside, frames=TOGETHER, overlap=True)]
    return runs


def _first(asked: Asked) -> Asked:
    """The run of a system that is made before others: a core's has its program, and encodes if it can."""
    if asked.design is None:
        return kinds(asked)[0]
    return next(one for one in reversed(kinds(asked)) if not one.overlap)


def plain(op: str) -> str:
    """The operation, whoever encodes or decodes."""
    return _BY_PROCESSOR.get(op, op)


def sources(asked: Asked) -> str:
    """Of everything that the figures depend on: firmware and library, hardware, the design, and what was asked."""
    tree = build.source_tree()
    files = build.firmware_sources(tree) + build.hardware_sources(tree)
    files += ENGINE.sources(tree) if asked.design else []
    values: list[Any] = [asked.op, asked.n, asked.limbs, asked.bits, asked.latency, asked.frames, asked.overlap]
    values.append(asked.design.parameters if asked.design else None)
    return content_hash(values, files)


def _place(asked: Asked) -> Path:
    return cache_directory() / FOLDER / f"{asked.name}-{asked.op}-{asked.n}-{asked.limbs}-{sources(asked)}.json"


def store(asked: Asked, found: System) -> None:
    place = _place(asked)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(place, json.dumps(asdict(found)).encode())


def load(asked: Asked) -> System | None:
    """What was measured with today's sources; None: nothing yet."""
    try:
        return _system(json.loads(_place(asked).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _system(found: dict[str, Any]) -> System:
    """From a file. What else is in it does not matter here."""
    known = {field.name: found[field.name] for field in fields(System) if field.name in found}
    counts = {name: Count(**count) for name, count in known.pop("stages").items()}
    return System(stages=counts, setup=Count(**known.pop("setup")), **known)


def recorded(folder: Path | None = None) -> dict[tuple[object, ...], System]:
    """The rows of a folder's files, by Asked.row; what is no row is left out. None: those of the source tree."""
    rows: dict[tuple[object, ...], System] = {}
    for file in sorted((folder or build.source_tree() / RECORDED).glob("*.json")):
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            one, bits = _system(found), found["bits"]
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue
        if one.bit_exact:
            rows[one.design, one.op, one.n, one.limbs, bits, one.latency, one.frames, one.overlap] = one
    return rows


@dataclass(frozen=True)
class Found:
    """today: measured with today's sources; else recorded before."""

    system: System
    today: bool


def find(asked: Asked, rows: dict[tuple[object, ...], System]) -> Found | None:
    """rows: recorded ones."""
    found = load(asked)
    if found is not None:
        return Found(found, True)
    kept = rows.get(asked.row)
    return None if kept is None else Found(kept, False)


def find_all(asked: Iterable[Asked], rows: dict[tuple[object, ...], System]) -> list[tuple[Asked, Found | None]]:
    """All kinds of each system; one None where there is none."""
    shown: list[tuple[Asked, Found | None]] = []
    for one in asked:
        known = [(kind, found) for kind in kinds(one) if (found := find(kind, rows)) is not None]
        shown += known or [(one, None)]
    return shown


def missing(all_of_them: Sequence[Asked], rows: dict[tuple[object, ...], System]) -> list[Asked]:
    """Runs that would show something new: of a core those of a second frame."""
    return [_first(asked) for asked, found in find_all(all_of_them, rows) if found is None]
