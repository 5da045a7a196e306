# SPDX-License-Identifier: Apache-2.0
"""What `ringside soc run` has measured, kept in the cache, so that a report is filled run by run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..engines.core import ENGINE, CoreDesign
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES
from ..sim.verilate import cache_directory, content_hash
from ..soc import build
from .system import Count, System

FOLDER = "soc-results"


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


def _place(asked: Asked) -> Path:
    """By everything that the figures depend on: firmware and library, hardware, the design, and what was asked."""
    tree = build.source_tree()
    files = build.firmware_sources(tree) + build.hardware_sources(tree)
    files += ENGINE.sources(tree) if asked.design else []
    values: list[Any] = [asked.op, asked.n, asked.limbs, asked.bits, asked.latency, asked.frames, asked.overlap]
    values.append(asked.design.parameters if asked.design else None)
    return (
        cache_directory()
        / FOLDER
        / f"{asked.name}-{asked.op}-{asked.n}-{asked.limbs}-{content_hash(values, files)}.json"
    )


def store(asked: Asked, found: System) -> None:
    place = _place(asked)
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_suffix(".new")
    new.write_text(json.dumps(asdict(found)), encoding="utf-8")
    new.replace(place)


def load(asked: Asked) -> System | None:
    """What was measured with today's sources; None: nothing yet."""
    try:
        found = json.loads(_place(asked).read_text(encoding="utf-8"))
        counts = {name: Count(**count) for name, count in found.pop("stages").items()}
        return System(stages=counts, setup=Count(**found.pop("setup")), **found)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def missing(all_of_them: Sequence[Asked]) -> list[Asked]:
    return [asked for asked in all_of_them if load(asked) is None]
