# SPDX-License-Identifier: Apache-2.0
"""Answers in place of what the models say, and what they teach about the points beside them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.constants import Models
from ..space.points import Points
from ..space.reader import SYSTEM
from .evaluate import Evaluated, derived, within
from .exploration import ANSWERED, CORRECTED, MODEL_SAYS

REACH = 2  # axes in which a point may differ from one whose residual it takes
SCALED = ("cycles", "lut", "ff")  # costs that are corrected beside answers; DSP and BRAM are counted
REPLACED = (*SCALED, "dsp", "bram36")


def corrected(
    model: Evaluated, models: Models, answers: Mapping[int, Mapping[str, Any]]
) -> tuple[Evaluated, NDArray[np.uint8]]:
    """The models' costs with the answers, and the source of each point's. answers: of points, with `rtl` by cost and `ops`, cycles by workload."""
    space = model.points.space
    costs = {name: column.copy() for name, column in model.costs.items()}
    per_op = {name: column.copy() for name, column in model.per_op.items()}
    source = np.full(len(model.points), MODEL_SAYS, np.uint8)
    for name in SCALED:
        of_hardware = name != "cycles"
        ratios = {i: a["rtl"][name] / float(model.costs[name][i]) for i, a in answers.items() if name in a["rtl"]}
        factor, reached = _beside(model.points, ratios, of_hardware)
        costs[name][reached] *= factor[reached]
        source[reached] = CORRECTED
    for number, answer in answers.items():
        for name in REPLACED:
            if name in answer["rtl"]:
                costs[name][number] = answer["rtl"][name]
                source[number] = ANSWERED
        for name, cycles in answer.get("ops", {}).items():
            per_op[name][number] = cycles
    _follow(model, models, costs, np.flatnonzero(source != MODEL_SAYS))
    fits = within(space, costs)
    return replace(model, costs=costs, per_op=per_op, fits=fits), source


def _beside(points: Points, ratios: Mapping[int, float], of_hardware: bool) -> tuple[Any, NDArray[np.bool_]]:
    """Factors of all points, and which have one: the mean residual of the nearest answers, half of it two axes away.

    of_hardware: the cost is the same whatever the system around the design is.
    """
    count = len(points)
    best = np.full(count, REACH + 1, np.uint8)
    total, number = np.zeros(count, np.float32), np.zeros(count, np.uint16)
    axes = [name for name in points.space.axes if not (of_hardware and name in SYSTEM)]
    for i, ratio in ratios.items():
        distance = np.zeros(count, np.uint8)
        for name in axes:
            distance += points.codes[name] != points.codes[name][i]
        closer = distance < best
        best[closer], total[closer], number[closer] = distance[closer], 0, 0
        same = (distance == best) & (best <= REACH)
        total[same] += np.float32(np.log(ratio))
        number[same] += 1
    reached = number > 0
    mean = total / np.maximum(number, 1) / np.maximum(best, 1)
    return np.exp(mean), reached


def _follow(model: Evaluated, models: Models, costs: dict[str, Any], index: NDArray[Any]) -> None:
    """Gates, energy and what else follows from costs that changed, of these points. The units' activity stays the model's."""
    silicon, before = models.silicon, {name: column[index] for name, column in model.costs.items()}
    lut, ff, cycles, mhz = (costs[name][index] for name in ("lut", "ff", "cycles", "mhz"))
    kge = before["kge"] + silicon.measured(lut - before["lut"], ff - before["ff"])
    joules = before["energy_uj"] + silicon.idle_microjoules(kge * cycles - before["kge"] * before["cycles"])
    costs["kge"][index], costs["energy_uj"][index] = kge, joules
    for name, column in derived(model.points.space, cycles, lut, mhz, joules).items():
        costs[name][index] = column
