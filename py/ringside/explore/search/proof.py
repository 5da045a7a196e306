# SPDX-License-Identifier: Apache-2.0
"""The front proved in RTL: points are asked, answers take the place of the models' costs, and a new front is asked, until all of it has answers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..space.reader import SYSTEM
from . import verify
from .correct import REPLACED, corrected
from .evaluate import wanted
from .exploration import Exploration, chosen_of
from .front import covered
from .journal import Journal
from .verify import RTL, SYNTH, Task, Told

TurnTold = Callable[[str], None]


def kinds_of(synth: bool) -> tuple[str, ...]:
    return (RTL, SYNTH) if synth else (RTL,)


def verified(explored: Exploration, journal: Journal, executor: Executor, count: int, told: Told, *, synth: bool = True) -> None:  # fmt: skip
    """Asks so many of the front's points, evenly over it."""
    some = explored.front
    numbers = sorted({int(some[i]) for i in np.linspace(0, len(some) - 1, min(count, len(some))).astype(int)})
    asked = [task for number in numbers for task in tasks_of(explored, number, kinds_of(synth))]
    verify.run(asked, journal, executor, told)
    _take(explored, journal, asked)


def close(
    explored: Exploration,
    journal: Journal,
    executor: Executor,
    told: Told,
    say: TurnTold = lambda _: None,
    *,
    synth: bool = True,
    jobs: dict[str, verify.VerifyingJob] | None = None,
) -> None:
    """Asks the front, all near it and the random points, then what that makes of the front, until there is nothing to ask.

    With `ties` the front is of verified points alone: no other one is better in any objective by more than that part.
    """

    def ask(tasks: Sequence[Task]) -> bool:
        waiting = sum(task.key not in journal.rows for task in tasks)
        points = len({task.point for task in tasks})
        minutes = verify.seconds_to_come(tasks, journal) / 60
        say(f"turn {len(explored.turns) + 1}: {points} points, {waiting} simulations and syntheses to do, about {minutes:.0f} minutes of processor time")  # fmt: skip
        verify.run(tasks, journal, executor, told, jobs)
        return True

    _turns(explored, journal, kinds_of(synth), ask)


def known(explored: Exploration, journal: Journal) -> None:
    """Takes what the journal has of the points that would be verified; without syntheses, if it has none at all."""
    kinds = kinds_of(any(row.get("kind") == SYNTH for row in journal))
    _turns(explored, journal, kinds, lambda tasks: all(task.key in journal.rows for task in tasks))


def _turns(
    explored: Exploration, journal: Journal, kinds: Sequence[str], ask: Callable[[Sequence[Task]], bool]
) -> None:
    """Each turn asks what the answers of the turns before say, whatever else the journal has: a run that begins anew asks the same.

    ask: whether the journal has all answers then.
    """
    asked: list[Task] = []
    numbers: set[int] = set()
    explored.turns = []
    while new := [number for number in _wanted(explored) if number not in numbers]:
        numbers.update(new)
        tasks = [task for number in new for task in tasks_of(explored, number, kinds)]
        asked += tasks
        whole = ask(tasks)
        before = set(explored.front.tolist())
        _take(explored, journal, asked)
        if not whole:
            return
        after = set(explored.front.tolist())
        explored.turns.append({"points": len(new), "front": len(after), "came": len(after - before), "left": len(before - after)})  # fmt: skip
    explored.closed = True


def _wanted(explored: Exploration) -> list[int]:
    return list(dict.fromkeys(np.concatenate([explored.chosen, explored.random]).tolist()))


def asks(explored: Exploration) -> dict[str, int]:
    """What `close` has to ask at least, as far as the front is known: points, simulations, and designs to synthesise."""
    numbers = _wanted(explored)
    codes = [column[numbers] for name, column in explored.found.points.codes.items() if name not in SYSTEM]
    designs = len(np.unique(np.stack(codes), axis=1).T) if codes and numbers else min(len(numbers), 1)
    return {"points": len(numbers), "simulations": len(numbers) * len(explored.space.workloads), "syntheses": designs}


def tasks_of(explored: Exploration, number: int, kinds: Sequence[str]) -> Iterator[Task]:
    points = explored.found.points
    return verify.tasks(number, points.design(number), points.latency(number), explored.space.workloads, kinds)


def _take(explored: Exploration, journal: Journal, asked: Sequence[Task]) -> None:
    """The answers, the costs with them, and the front of these. A point that failed is on no front, nor is one that ties with a verified one."""
    explored.answers = answers(explored, journal, asked)
    explored.found, explored.source = corrected(explored.model, explored.models, explored.answers)
    allowed = explored.found.fits.copy()
    allowed[[number for number, answer in explored.answers.items() if "error" in answer]] = False
    if explored.space.ties:
        allowed &= ~_ties(explored, allowed)
    explored.front, explored.chosen = chosen_of(explored.space, explored.found, allowed)


def _ties(explored: Exploration, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Points without an answer that no model tells from a verified one: it is as good, but for `ties` of each objective."""
    values = wanted(explored.space, explored.found.costs)
    numbers = np.array([number for number in explored.answers if allowed[number]], np.int64)
    found = covered(values, values[numbers], explored.space.ties)
    found[numbers] = False
    return found


def answers(explored: Exploration, journal: Journal, asked: Iterable[Task]) -> dict[int, dict[str, Any]]:
    """By point: cycles weighted as in the model, once all workloads have an answer, LUT, FF, DSP and BRAM, or the error; the model's values and residuals in percent."""
    found: dict[int, dict[str, Any]] = {}
    for task in asked:
        row = journal.rows.get(task.key)
        if row is None:
            continue
        point = found.setdefault(task.point, {"model": {}, "rtl": {}, "residual": {}, "ops": {}})
        if "error" in row:
            point["error"] = row["error"]
        elif task.kind == SYNTH:
            point["rtl"] |= {name: row[name] for name in ("lut", "ff", "dsp", "bram36")}
        else:
            point["ops"][verify.workload_of(task).name] = row["cycles"]
    weights = {w.name: w.weight for w in explored.space.workloads}
    for number, point in found.items():
        if point["ops"].keys() == weights.keys():
            point["rtl"]["cycles"] = sum(weights[name] * cycles for name, cycles in point["ops"].items())
        for name in REPLACED:
            if name in point["rtl"]:
                true, model = point["rtl"][name], float(explored.model.costs[name][number])
                point["model"][name] = model
                point["residual"][name] = round(100 * (model - true) / max(abs(true), 1e-9), 3) if true else 0.0
    return found


def residuals(explored: Exploration, some: Iterable[int] | None = None) -> dict[str, dict[str, float]]:
    """Of verified points, or of some of them: how many, median, mean and largest error of the model in percent."""
    chosen = explored.answers if some is None else {int(i) for i in some} & explored.answers.keys()
    found = {}
    for name in REPLACED:
        errors = np.abs(
            [explored.answers[i]["residual"][name] for i in chosen if name in explored.answers[i]["residual"]]
        )
        if len(errors):
            found[name] = {"points": len(errors), "median": round(float(np.median(errors)), 3), "mean": round(float(errors.mean()), 3), "most": round(float(errors.max()), 3)}  # fmt: skip
    return found
