# SPDX-License-Identifier: Apache-2.0
"""Spaces of more points than are looked at one by one: NSGA-II by Optuna on the model, then all neighbours of its front until none is better."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...errors import DeviceError
from ..model.constants import Models
from ..space.points import Points, from_rows, reasons, valid
from ..space.reader import Space
from .evaluate import Evaluated, evaluate, wanted
from .front import front

POPULATION, TRIALS, SEED, ROUNDS_MAX = 60, 1800, 1, 20
AxisRow = Mapping[str, Any]


def search(space: Space, models: Models, tell: Callable[[str, int, int], None] | None = None) -> Evaluated:
    """All points that were looked at. DeviceError: Optuna is not there."""
    try:
        import optuna
    except ImportError:
        raise DeviceError("OPTUNA", "This space has more than a million points, and searching it needs Optuna.", "Install the package's extra `explore`, or take values out of [space].") from None  # fmt: skip
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    goals = len(space.minimise) + len(space.maximise)
    sampler = optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=SEED)
    study = optuna.create_study(directions=["minimize"] * goals, sampler=sampler)
    kinds: dict[str, Any] = {
        name: optuna.distributions.CategoricalDistribution(list(values)) for name, values in space.axes.items()
    }
    seen: dict[tuple[Any, ...], AxisRow] = {}
    rows: list[AxisRow] = []
    for done in range(0, TRIALS, POPULATION):
        trials = [study.ask(kinds) for _ in range(POPULATION)]
        rows = [dict(trial.params) for trial in trials]
        values = _values(space, models, rows)
        for trial, row, value in zip(trials, rows, values, strict=True):
            if np.isfinite(value).all():
                study.tell(trial, value.tolist())
                seen[_key(row)] = row
            else:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
        if tell is not None:
            tell("searching", done + POPULATION, TRIALS)
    return _closed(space, models, seen, tell) if seen else _none(space, models, rows)


def _none(space: Space, models: Models, rows: list[AxisRow]) -> Evaluated:
    """What is wrong with all that was looked at: designs that break constraints, or why there are none."""
    points = from_rows(space, rows)
    possible = np.flatnonzero(valid(points))
    if len(possible):
        return evaluate(points.take(possible), models)
    return Evaluated(points.take(possible), {}, {}, reasons(points), np.zeros(0, bool))


def _closed(space: Space, models: Models, seen: dict[tuple[Any, ...], AxisRow], tell: Any) -> Evaluated:
    """With the neighbours of the front, one axis changed, until the front stays."""
    asked: set[tuple[Any, ...]] = set()
    for turn in range(ROUNDS_MAX):
        found = _evaluated(space, models, list(seen.values()))
        chosen = front(wanted(space, found.costs))
        rows = [_row(found.points, int(i)) for i in chosen]
        new = {}
        for row in rows:
            if _key(row) in asked:
                continue
            asked.add(_key(row))
            for name, values in space.axes.items():
                for value in values:
                    other = {**row, name: value}
                    if _key(other) not in seen:
                        new[_key(other)] = other
        if tell is not None:
            tell("neighbours of the front", turn + 1, ROUNDS_MAX)
        if not new:
            break
        seen |= new
    return _evaluated(space, models, list(seen.values()))


def _key(row: AxisRow) -> tuple[Any, ...]:
    return tuple(row[name] for name in sorted(row))


def _row(points: Points, i: int) -> AxisRow:
    return {name: points.choices[name][points.codes[name][i]].item() for name in points.space.axes}


def _evaluated(space: Space, models: Models, rows: list[AxisRow]) -> Evaluated:
    points = from_rows(space, rows)
    return evaluate(points.take(np.flatnonzero(valid(points))), models)


def _values(space: Space, models: Models, rows: list[AxisRow]) -> Any:
    """A row of objectives for each, infinite where it is none of the space's designs or breaks a constraint."""
    points = from_rows(space, rows)
    possible = np.flatnonzero(valid(points))
    values = np.full((len(rows), len(space.minimise) + len(space.maximise)), np.inf)
    if len(possible):
        found = evaluate(points.take(possible), models)
        places = {_key(row): i for i, row in reversed(list(enumerate(rows)))}
        good = wanted(space, found.costs)
        for j in range(len(found.points)):
            if found.fits[j]:
                values[places[_key(_row(found.points, j))]] = good[j]
    return values
