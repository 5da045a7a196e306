# SPDX-License-Identifier: Apache-2.0
"""All costs of all points by the models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...designs.units import UNITS
from ..model.constants import Models
from ..model.cycles import HowFar, Timed
from ..model.engines import parts_of
from ..space.points import Points
from ..space.reader import CLOCK, OBJECTIVES, Space, Workload

StageTold = Callable[[str, int, int], None]
BLOCK = 1 << 16
OF_TIME = {"cycles", "mhz", "time_us", "fps"}  # costs that need no area
CostColumn = NDArray[np.float32]


@dataclass(frozen=True)
class Evaluated:
    """points: those that can do every workload and are of mapped classes; costs: by name; per_op: cycles of each workload; refused: reasons with their
    number of points; fits: which keep the space's constraints."""

    points: Points
    costs: dict[str, CostColumn]
    per_op: dict[str, NDArray[np.int64]]
    refused: dict[str, int]
    fits: NDArray[np.bool_]

    def take(self, index: NDArray[Any]) -> Evaluated:
        return replace(
            self,
            points=self.points.take(index),
            costs={name: column[index] for name, column in self.costs.items()},
            per_op={name: column[index] for name, column in self.per_op.items()},
            fits=self.fits[index],
        )


def evaluate(
    points: Points, models: Models, executor: Executor | None = None, tell: StageTold | None = None
) -> Evaluated:
    space = points.space
    count = len(points)
    keep = np.ones(count, bool)
    refused: dict[str, int] = {}
    per_op: dict[str, NDArray[np.int64]] = {}
    active: list[dict[str, NDArray[np.int32]]] = []
    for workload in space.workloads:
        told = (
            None if tell is None else (lambda done, total, name=workload.name: tell(f"programs of {name}", done, total))
        )
        found = _timed(points, workload, executor, told)
        per_op[workload.name] = found.cycles
        active.append(found.active)
        keep &= found.cycles > 0
        for reason, number in found.refused.items():
            refused[reason] = refused.get(reason, 0) + number
    costs = {name: np.full(count, np.nan, np.float32) for name in OBJECTIVES}
    needs_area = not {*space.minimise, *space.maximise, *(limit.what for limit in space.limits)} <= OF_TIME
    for first in range(0, count, BLOCK):
        part = slice(first, first + BLOCK)
        some = points.take(np.arange(first, min(first + BLOCK, count)))
        cycles = [per_op[w.name][part] for w in space.workloads]
        reasons = _costs(costs, part, some, models, cycles, [{u: a[u][part] for u in UNITS} for a in active])
        for name in OBJECTIVES:
            if name not in OF_TIME:
                costs[name][part][reasons != ""] = np.nan
        if not needs_area:
            continue
        keep[part] &= reasons == ""
        names, numbers = np.unique(reasons[reasons != ""].astype(str), return_counts=True)
        for reason, number in zip(names.tolist(), numbers.tolist(), strict=True):
            refused[reason] = refused.get(reason, 0) + number
        if tell is not None:
            tell("area and energy", min(first + BLOCK, count), count)
    needed = [name for name in (*space.minimise, *space.maximise) if name not in ("cycles",)]
    for name in needed:
        unknown = keep & np.isnan(costs[name])
        if unknown.any():
            refused[f"no design of the class was ever mapped and timed as an ASIC, which {name} needs"] = int(
                unknown.sum()
            )
            keep &= ~unknown
    index = np.flatnonzero(keep)
    kept = {name: column[index] for name, column in per_op.items()}
    costs = {name: column[index] for name, column in costs.items()}
    return Evaluated(points.take(index), costs, kept, refused, within(space, costs))


def _timed(points: Points, workload: Workload, executor: Executor | None, told: HowFar | None) -> Timed:
    """By each engine its own points."""
    parts = parts_of(points)
    if len(parts) == 1:
        return parts[0][0].timed(points, workload, executor, told)
    cycles = np.zeros(len(points), np.int64)
    active = {unit: np.zeros(len(points), np.int32) for unit in UNITS}
    refused: dict[str, int] = {}
    texts = 0
    for engine, index in parts:
        found = engine.timed(points.take(index), workload, executor, told)
        cycles[index] = found.cycles
        for unit, used in found.active.items():
            active[unit][index] = used
        for reason, number in found.refused.items():
            refused[reason] = refused.get(reason, 0) + number
        texts += found.texts
    return Timed(cycles, active, refused, texts)


def _area(points: Points, models: Models, fields: dict[str, Any]) -> dict[str, Any]:
    parts = parts_of(points)
    if len(parts) == 1:
        return parts[0][0].area(models.area, fields)
    whole: dict[str, Any] = {}
    for engine, index in parts:
        for name, column in engine.area(models.area, {name: field[index] for name, field in fields.items()}).items():
            whole.setdefault(name, np.zeros(len(points), column.dtype))[index] = column
    return whole


def within(space: Space, costs: Mapping[str, CostColumn]) -> NDArray[np.bool_]:
    """Which points keep the space's constraints."""
    fits = np.ones(len(costs["cycles"]), bool)
    for limit in space.limits:
        value = costs[limit.what]
        fits &= (value <= limit.value) if limit.most else (value >= limit.value)
    return fits


def unmet(space: Space, found: Evaluated) -> list[str]:
    """Where no point keeps all constraints: which bound no point keeps, and how near they come; or that each is kept, but never all."""
    if found.fits.any() or not len(found.fits):
        return []
    said = []
    for limit in space.limits:
        value = found.costs[limit.what]
        best = np.nanmin(value) if limit.most else np.nanmax(value)
        if not (best <= limit.value if limit.most else best >= limit.value):
            sign, word = ("<=", "smallest") if limit.most else (">=", "largest")
            said.append(f"{limit.what} {sign} {limit.value:g}: the {word} is {best:,.6g}")
    return said or ["each constraint is kept by some designs, all of them by none"]


def derived(space: Space, cycles: Any, lut: Any, mhz: Any, joules: Any) -> dict[str, Any]:
    """Costs that follow from others. cycles: weighted; joules: µJ."""
    return {
        "time_us": cycles / mhz,
        "fps": 1e6 * sum(w.weight for w in space.workloads) * mhz / np.maximum(cycles, 1),
        "lut_cycles": lut * cycles,
        "edp": joules * cycles / mhz / 1e3,
    }


def _costs(
    costs: dict[str, CostColumn], part: slice, points: Points, models: Models, cycles: list[Any], active: list[Any]
) -> NDArray[Any]:
    """Fills the part of every cost; reasons of what is refused."""
    space = points.space
    count = len(points)
    fields = {name: np.broadcast_to(np.asarray(points.column(name)), count) for name in vars(space.base)}
    area = _area(points, models, fields)
    kge = area["kge"]
    mhz = models.silicon.mhz(fields)
    mhz = np.broadcast_to(mhz, count)
    if CLOCK in points.codes:
        mhz = np.minimum(mhz, points.column(CLOCK))
    weights = [w.weight for w in space.workloads]
    total = sum(w * c for w, c in zip(weights, cycles, strict=True))
    joules = sum(
        w.weight * models.silicon.microjoules(fields, kge, c, a, w.modulus_bits)
        for w, c, a in zip(space.workloads, cycles, active, strict=True)
    )
    found = {
        "cycles": total, "lut": area["lut"], "ff": area["ff"], "dsp": np.rint(area["dsp"]),
        "bram36": area["bram18"] / 2, "kge": kge, "mhz": mhz, "energy_uj": joules,
        **derived(space, total, area["lut"], mhz, joules),
    }  # fmt: skip
    for name, column in found.items():
        costs[name][part] = column
    return np.asarray(area["refused"])


def wanted(space: Space, costs: dict[str, CostColumn]) -> NDArray[np.float64]:
    """A row for each point, a column for each objective, all to be small."""
    columns = [costs[name].astype(float) for name in space.minimise]
    columns += [-costs[name].astype(float) for name in space.maximise]
    return np.stack(columns, axis=1)
