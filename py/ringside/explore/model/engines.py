# SPDX-License-Identifier: Apache-2.0
"""Kinds of hardware behind one interface, so that `engine` is an axis like others: each says which designs it is, their cycles and their area."""

from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any, Protocol

import numpy as np

from ..space.points import Points, engine_of
from ..space.reader import ENGINES, Workload
from .area import AreaModel
from .cycles import HowFar, Timed, timed


class ModelledEngine(Protocol):
    """name: one of the reader's ENGINES."""

    name: str

    def timed(self, points: Points, workload: Workload, executor: Executor | None, tell: HowFar | None) -> Timed:
        """Cycles of a workload on these points, and active cycles of units."""
        ...

    def area(self, model: AreaModel, fields: Mapping[str, Any]) -> dict[str, Any]:
        """lut, ff, dsp, bram18 as arrays, and `refused`: reasons, empty where there is none."""
        ...


class CoreEngine:
    """Lanes that work in place, units around them, and a sequencer (docs/core.md)."""

    name = "core"

    def timed(self, points: Points, workload: Workload, executor: Executor | None, tell: HowFar | None) -> Timed:
        return timed(points, workload, executor, tell)

    def area(self, model: AreaModel, fields: Mapping[str, Any]) -> dict[str, Any]:
        return model.columns(fields)


class StreamEngine(CoreEngine):
    """A core with the streaming unit, which has public-key encryptions of all frames in one program. Its area was never mapped part by part."""

    name = "stream"


BY_NAME: dict[str, ModelledEngine] = {engine.name: engine for engine in (CoreEngine(), StreamEngine())}
assert tuple(BY_NAME) == ENGINES


def parts_of(points: Points) -> list[tuple[ModelledEngine, Any]]:
    """Every engine that these points have, with their places."""
    names = np.broadcast_to(engine_of(points), len(points))
    return [(BY_NAME[str(name)], np.flatnonzero(names == name)) for name in np.unique(names)]
