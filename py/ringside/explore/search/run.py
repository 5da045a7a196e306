# SPDX-License-Identifier: Apache-2.0
"""One exploration, from the file of a space to its journal and its page."""

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ...errors import DeviceError, FileError, ParameterError
from ...hints import install
from ...native.files import check_directory, write_bytes
from ...processors import usable_processors, worker_processes
from ..model.constants import Models
from ..space.points import Points, TooManyError, enumerate_all
from ..space.reader import OBJECTIVES, Space
from . import verify
from .evaluate import Evaluated, StageTold, evaluate, unmet
from .exploration import SOURCES, Exploration, chosen_of
from .large import search
from .proof import asks, residuals

POINTS_ALL = 1_000_000  # that are looked at one by one
SEED = 20261
REASONS_MAX = 5  # that are told
JOURNAL, MODEL, SUMMARY = "journal.jsonl", "model.npz", "summary.json"


def check_place(folder: Path, space: str) -> None:
    """FileError: nothing can be written there, or what is there is no run of ours, or one of another space. For before the work."""
    check_directory(folder)
    if not folder.exists():
        return
    hint = "Give --output another folder: a new or empty one, or an earlier run's."
    if not folder.is_dir():
        raise FileError("FILE_EXISTS", f"{folder} is there, and is no folder.", hint)
    there = {path.name for path in folder.iterdir() if not path.name.startswith("tmp")}  # tmp*: a run that was killed
    known = _space_of(folder / SUMMARY)
    if there and known is None and not there & {JOURNAL, MODEL}:
        raise FileError("FILE_EXISTS", f"{folder} holds something else than a run.", hint)
    if known not in (None, space):
        raise FileError("FILE_EXISTS", f"{folder} holds a run of another space, {known}: its page would be lost.", hint)


def _space_of(file: Path) -> str | None:
    """Whose summary it is; None: there is none of ours."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return str(found["space"]) if {"space", "searched", "front"} <= found.keys() else None
    except (OSError, ValueError, AttributeError):
        return None


@contextmanager
def workers(jobs: int, address: str = "") -> Iterator[Executor]:
    """Processes here, or those of a Dask scheduler. DeviceError: Dask is not there, or nobody answers."""
    if not address:
        with worker_processes(jobs or usable_processors()) as pool:
            yield pool
        return
    try:
        from dask.distributed import Client
    except ImportError:
        message = "--dask needs the package distributed."
        raise DeviceError("DASK", message, f"Run {install('explore', 'test')}.") from None
    try:
        client = Client(address, timeout="20s")
    except (OSError, TimeoutError, ValueError) as error:
        raise DeviceError("DASK", f"No Dask scheduler answers at {address}: {error}.", "Start one with `dask scheduler`.") from error  # fmt: skip
    with client:
        yield client.get_executor()


def explore(
    space: Space, models: Models, folder: Path, jobs: int, tell: StageTold, *, address: str = ""
) -> Exploration:
    """By the models. What was computed before for the same space and models is taken from the folder. ParameterError: no design can be computed."""
    try:
        points = enumerate_all(space, POINTS_ALL)
    except TooManyError:
        looked_at = search(space, models, tell)
        _check(looked_at.points, looked_at.refused)
        return _chosen(space, models, looked_at, "NSGA-II and all neighbours of its front")
    _check(points, points.ruled_out)
    kept = folder / MODEL
    mark = _mark(space, models)
    found = _read(kept, mark, points)
    if found is None:
        with workers(jobs, address) as executor:
            found = evaluate(points, models, executor, tell)
        _check(found.points, found.refused)
        _write(kept, mark, found, points)
    return _chosen(space, models, found, "all points")


def _check(points: Points, known: Mapping[str, int]) -> None:
    """known: why others are none, with their number. ParameterError: there is no point."""
    if len(points):
        return
    most = sorted(known.items(), key=lambda item: -item[1])
    told = "; ".join(f"{reason} ({number:,})" for reason, number in most[:REASONS_MAX])
    raise ParameterError(
        "SPACE",
        f"No design of {points.space.name} can be computed: {told or 'its axes go together in no way'}.",
        "Take other values in [space] or [link], or another base. In brackets: how many designs each reason is true of.",
    )


def _chosen(space: Space, models: Models, found: Evaluated, searched: str) -> Exploration:
    best, chosen = chosen_of(space, found, found.fits)
    others = np.random.default_rng(SEED).permutation(len(found.points))[: space.random]
    nothing = np.zeros(len(found.points), np.uint8)
    return Exploration(space, models, found, found, best, chosen, others, searched, source=nothing)


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
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def summary(explored: Exploration) -> dict[str, Any]:
    """What --json prints."""
    points, space = explored.found.points, explored.space
    names = [*space.minimise, *space.maximise]

    def row(i: int) -> dict[str, Any]:
        fields = {name: points.choices[name][codes[i]].item() for name, codes in points.codes.items()}
        costs = {name: float(column[i]) for name, column in explored.found.costs.items() if np.isfinite(column[i])}
        source = SOURCES[explored.source[i]]
        return {"point": i, "fields": fields, "costs": costs, "source": source, **explored.answers.get(i, {})}

    return {
        "space": space.name,
        "searched": explored.searched,
        "points": len(points),
        "within_constraints": int(explored.found.fits.sum()),
        "refused": explored.found.refused,
        "unmet": unmet(space, explored.found),
        "objectives": names,
        "front": [row(int(i)) for i in explored.front],
        "best": {name: explored.best(name) for name in names} if len(explored.front) else {},
        "balanced": explored.knee if len(explored.front) else None,
        "random": [row(int(i)) for i in explored.random if int(i) in explored.answers],
        "asks": asks(explored),
        "closed": explored.closed,
        "ties": space.ties,
        "turns": explored.turns,
        "verified": [row(i) for i in sorted(explored.answers)],
        "residuals": residuals(explored),
        "residuals_of_random": residuals(explored, explored.random),
        "models": {"made_of": explored.models.made_of, "held_out": explored.models.held_out},
    }


def write_summary(explored: Exploration, folder: Path) -> None:
    write_bytes(folder / SUMMARY, (json.dumps(summary(explored), indent=1) + "\n").encode())


__all__ = ["check_place", "explore", "summary", "workers", "write_summary"]
