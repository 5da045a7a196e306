# SPDX-License-Identifier: Apache-2.0
"""What answers were made from by the rule before reach.py: whole modules, those that were listed. `ringside figures refresh` gives an answer that is
fresh by it the hashes of today's rule. Once figures/ours.jsonl has no such answer, this file can go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from ..soc import build
from ..synth import yosys
from . import content
from .ledger import Row
from .questions import (
    Batch,
    Decryptions,
    EvaluatorCore,
    Frames,
    SchemeCycles,
    SchemeProfile,
    Simulation,
    SocRun,
    SocScheme,
    Transform,
)

_MODULES: Mapping[type[Any], tuple[str, ...]] = {
    **dict.fromkeys((Simulation, Frames, Batch, Decryptions), ("cycles/operation", "cycles/streaming")),
    SchemeCycles: ("cycles/schemes", "pqc/on_core"),
    Transform: ("cycles/slices",),
    SchemeProfile: ("cycles/profile", "soc/job"),
    SocRun: ("cycles/system", "soc/job"),
    SocScheme: ("cycles/scheme_system", "soc/schemes"),
}
NEW = {"measuring", "host"}  # parts that some answers did not have


@cache
def _modules(*places: str) -> str:
    root = content.PACKAGE
    files = [file for place in places for file in sorted((root / place).rglob("*.py")) or [root / f"{place}.py"]]
    return content.hashed(
        part for file in files for part in (file.name, content.statements(file.read_text(encoding="utf-8")))
    )


def _parts(kind: type[Any], today: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    if kind in _MODULES:
        found["measuring"] = _modules(*_MODULES[kind])
    if kind is EvaluatorCore:
        found["measuring"] = content.sources(
            sorted((build.source_tree() / "evaluator/py/ringside_ltv/hardware").glob("*.py"))
        )
    if "synthesis" in today:
        found["synthesis"] = content.hashed(
            [yosys.version() or "", _modules("synth/parts", "synth/resources", "synth/yosys")]
        )
    if "cells" in today:
        found["cells"] = content.hashed([content.cells_digest(), _modules("synth/asic")])
    if "system" in today:
        found["system"] = content.hashed([*content.system_parts(), _modules("soc/top")])
    return found


def translated(row: Row) -> Row:
    """With today's hashes where it is as fresh by the former rule. What that rule had not is taken to be today's if all that the former rule had is.
    SimulationError: it cannot be told here."""
    today = content.of(row.question)
    before = _parts(type(row.question), today)
    same = {name: today[name] for name, value in before.items() if row.made_from.get(name) == value}
    if len(same) < len(before):
        return replace(row, made_from=row.made_from | same) if same else row
    missing = {name: today[name] for name in NEW & set(today) - set(row.made_from)}
    return replace(row, made_from=row.made_from | same | missing) if same or missing else row
