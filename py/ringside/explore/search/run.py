# SPDX-License-Identifier: Apache-2.0
"""One exploration, from the file of a space to its journal and its page."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DeviceError
from ...hints import install
from ...native.files import write_bytes
from ...notebook import facts_html
from ...processors import usable_processors
from ..model.constants import Models
from ..space.points import Points, TooManyError, enumerate_all
from ..space.reader import OBJECTIVES, Space
from . import verify
from .evaluate import Evaluated, StageTold, evaluate, wanted
from .front import front, knee, near
from .journal import Journal
from .large import search
from .verify import RTL, SYNTH, Task

POINTS_ALL = 1_000_000  # that are looked at one by one
SEED = 20261
JOURNAL, MODEL, SUMMARY = "journal.jsonl", "model.npz", "summary.json"


@dataclass
class Exploration:
    """front: points of it, by the first objective; chosen: those to verify; residuals: of verified points."""

    space: Space
    models: Models
    found: Evaluated
    front: NDArray[np.int64]
    chosen: NDArray[np.int64]
    random: NDArray[np.int64]
    searched: str
    answers: dict[int, dict[str, Any]] = field(default_factory=dict)

    @property
    def knee(self) -> int:
        return knee(wanted(self.space, self.found.costs), self.front)

    def best(self, objective: str) -> int:
        """Of the front."""
        column = self.found.costs[objective][self.front]
        place = np.argmax(column) if objective in self.space.maximise else np.argmin(column)
        return int(self.front[int(place)])

    def _repr_html_(self) -> str:
        facts: list[tuple[str, object]] = [("designs", f"{len(self.found.points):,}"), ("searched", self.searched)]
        facts += [("within the constraints", f"{int(self.found.fits.sum()):,}"), ("on the front", len(self.front))]
        names = [*self.space.minimise, *self.space.maximise] if len(self.front) else []
        facts += [(f"best {name}", f"{self.found.costs[name][self.best(name)]:,.6g}") for name in names]
        return facts_html(f"Exploration {self.space.name}", facts)


@contextmanager
def workers(jobs: int, address: str = "") -> Iterator[Executor]:
    """Processes here, or those of a Dask scheduler. DeviceError: Dask is not there, or nobody answers."""
    if not address:
        # a fork would copy locks that threads of this process hold
        with ProcessPoolExecutor(jobs or usable_processors(), mp_context=get_context("spawn")) as pool:
            yield pool
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise DeviceError("DASK", "--dask needs the package distributed.", f"Run {install('explore')}.") from None
    try:
        client = Client(address, timeout="20s")
    except (OSError, TimeoutError, ValueError) as error:
        raise DeviceError("DASK", f"No Dask scheduler answers at {address}: {error}.", "Start one with `dask scheduler`.") from error  # fmt: skip
    with client:
        yield client.get_executor()


def explore(
    space: Space, models: Models, folder: Path, jobs: int, tell: StageTold, *, address: str = ""
) -> Exploration:
    """By the models. What was computed before for the same space and models is taken from the folder."""
    try:
        points = enumerate_all(space, POINTS_ALL)
    except TooManyError:
        return _chosen(space, models, search(space, models, tell), "NSGA-II and all neighbours of its front")
    kept = folder / MODEL
    mark = _mark(space, models)
    found = _read(kept, mark, points)
    if found is None:
        with workers(jobs, address) as executor:
            found = evaluate(points, models, executor, tell)
        _write(kept, mark, found, points)
    return _chosen(space, models, found, "all points")


def _chosen(space: Space, models: Models, found: Evaluated, searched: str) -> Exploration:
    values = wanted(space, found.costs)
    allowed = np.flatnonzero(found.fits)
    best = allowed[front(values[allowed])]
    close = allowed[near(values[allowed], np.searchsorted(allowed, best), space.near)] if space.near else best
    others = np.random.default_rng(SEED).permutation(len(found.points))[: space.random]
    chosen = np.concatenate([best, np.setdiff1d(close, best)])
    return Exploration(space, models, found, best, chosen, others, searched)


def _mark(space: Space, models: Models) -> str:
    made = json.dumps([space.text, asdict(space.base), models.made_of, models.held_out, verify.made_from()], sort_keys=True, default=str)  # fmt: skip
    content = hashlib.sha256(made.encode())
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        content.update(path.read_bytes())
    return content.hexdigest()


def _write(path: Path, mark: str, found: Evaluated, points: Points) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {f"cost {name}": column for name, column in found.costs.items()}
    arrays |= {f"op {name}": column for name, column in found.per_op.items()}
    arrays |= {f"code {name}": column for name, column in found.points.codes.items()}
    arrays |= {f"choice {name}": column for name, column in found.points.choices.items()}
    arrays |= {"mark": np.array(mark), "fits": found.fits, "refused": np.array(json.dumps(found.refused))}
    with tempfile.TemporaryDirectory(dir=path.parent) as place:
        beside = Path(place) / path.name
        np.savez(beside, allow_pickle=False, **arrays)
        beside.replace(path)


def _read(path: Path, mark: str, points: Points) -> Evaluated | None:
    """None: there is nothing, or of another space or model."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            if str(kept["mark"]) != mark:
                return None
            codes = {name: kept[f"code {name}"] for name in points.codes}
            choices = {name: kept[f"choice {name}"] for name in points.codes}
            costs = {name: kept[f"cost {name}"] for name in OBJECTIVES}
            per_op = {w.name: kept[f"op {w.name}"] for w in points.space.workloads}
            refused = json.loads(str(kept["refused"]))
            return Evaluated(Points(points.space, codes, choices), costs, per_op, refused, kept["fits"])
    except (OSError, ValueError, KeyError, EOFError):
        return None


# ---- in RTL ---------------------------------------------------------------------------------------------------------
def verified(
    explored: Exploration, journal: Journal, executor: Executor, count: int | None, tell: Callable[[int, int], None], *, synth: bool = True
) -> None:  # fmt: skip
    """count: of the front's points, evenly over it; None: the whole front, what is near it, and the random ones."""
    numbers = _to_verify(explored, count)
    kinds = (RTL, SYNTH) if synth else (RTL,)
    asked = [task for number in numbers for task in _tasks(explored, number, kinds)]
    verify.run(asked, journal, executor, tell)
    explored.answers = answers(explored, journal, asked)


def _to_verify(explored: Exploration, count: int | None) -> list[int]:
    if count is None:
        return list(dict.fromkeys(np.concatenate([explored.chosen, explored.random]).tolist()))
    some = explored.front
    return sorted({int(some[i]) for i in np.linspace(0, len(some) - 1, min(count, len(some))).astype(int)})


def _tasks(explored: Exploration, number: int, kinds: Sequence[str]) -> Iterator[Task]:
    points = explored.found.points
    return verify.tasks(number, points.design(number), points.latency(number), explored.space.workloads, kinds)


def answers(explored: Exploration, journal: Journal, asked: Sequence[Task]) -> dict[int, dict[str, Any]]:
    """By point: cycles weighted as in the model, LUT, FF, DSP and BRAM, or the error; with the model's values and residuals in percent."""
    found: dict[int, dict[str, Any]] = {}
    for task in asked:
        row = journal.rows.get(task.key)
        if row is None:
            continue
        point = found.setdefault(task.point, {"model": {}, "rtl": {}, "residual": {}})
        if "error" in row:
            point["error"] = row["error"]
        elif task.kind == SYNTH:
            point["rtl"] |= {name: row[name] for name in ("lut", "ff", "dsp", "bram36")}
        else:
            weight = float(task.arguments[2]["weight"])
            point["rtl"]["cycles"] = point["rtl"].get("cycles", 0) + weight * row["cycles"]
    for number, point in found.items():
        for name, true in point["rtl"].items():
            model = float(explored.found.costs[name][number])
            point["model"][name] = model
            point["residual"][name] = round(100 * (model - true) / max(abs(true), 1e-9), 3) if true else 0.0
    return found


def known(explored: Exploration, journal: Journal) -> None:
    """Takes what the journal has of the points that would be verified."""
    asked = [task for number in _to_verify(explored, None) for task in _tasks(explored, number, (RTL, SYNTH))]
    explored.answers = answers(explored, journal, asked)


def residuals(explored: Exploration) -> dict[str, dict[str, float]]:
    """Of verified points: how many, median, mean and largest error in percent."""
    found = {}
    for name in ("cycles", "lut", "ff", "dsp", "bram36"):
        errors = np.abs([p["residual"][name] for p in explored.answers.values() if name in p["residual"]])
        if len(errors):
            found[name] = {"points": len(errors), "median": round(float(np.median(errors)), 3), "mean": round(float(errors.mean()), 3), "most": round(float(errors.max()), 3)}  # fmt: skip
    return found


def summary(explored: Exploration) -> dict[str, Any]:
    """What --json prints."""
    points, space = explored.found.points, explored.space
    names = [*space.minimise, *space.maximise]

    def row(i: int) -> dict[str, Any]:
        fields = {name: points.choices[name][codes[i]].item() for name, codes in points.codes.items()}
        costs = {name: float(column[i]) for name, column in explored.found.costs.items() if np.isfinite(column[i])}
        return {"point": i, "fields": fields, "costs": costs, **explored.answers.get(i, {})}

    return {
        "space": space.name,
        "searched": explored.searched,
        "points": len(points),
        "within_constraints": int(explored.found.fits.sum()),
        "refused": explored.found.refused,
        "objectives": names,
        "front": [row(int(i)) for i in explored.front],
        "best": {name: explored.best(name) for name in names} if len(explored.front) else {},
        "balanced": explored.knee if len(explored.front) else None,
        "random": [row(int(i)) for i in explored.random if int(i) in explored.answers],
        "residuals": residuals(explored),
        "models": {"made_of": explored.models.made_of, "held_out": explored.models.held_out},
    }


def write_summary(explored: Exploration, folder: Path) -> None:
    write_bytes(folder / SUMMARY, (json.dumps(summary(explored), indent=1) + "\n").encode())


__all__ = ["Exploration", "explore", "known", "residuals", "summary", "verified", "workers", "write_summary"]
