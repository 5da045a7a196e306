# SPDX-License-Identifier: Apache-2.0
"""Chosen points in RTL: cycles by Verilator, bit-exact with the library, and parts by Yosys. Any `concurrent.futures.Executor` runs the jobs."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from ...cycles import schemes, slices
from ...cycles.operation import record
from ...designs import Design
from ...errors import DeviceError, RingsideError
from ...operations import CLIENT, TABLE
from ...sim.core import sources
from ...sim.options import Simulated
from ...sim.sources import CORE_HARNESS
from ...sim.verilate import source_tree
from ...synth import resources
from ..model.programs import given
from ..space.reader import Workload
from .journal import Journal, key_of

RTL, SYNTH = "rtl", "synth"
TRIES = 3  # attempts at a job whose worker died
TOOK = "processor_s"  # a key of an answer: processor time of its job, with the compilers that it called
# seconds of a design that nothing in the caches knows, until the journal has answers: four lanes, parts shared with a
# few others
USUAL_SECONDS = {RTL: 15.0, SYNTH: 90.0}
VerifyingJob = Callable[..., dict[str, Any]]
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Task:
    """point: its number; kind: RTL or SYNTH."""

    key: str
    kind: str
    point: int
    arguments: tuple[Any, ...]


@cache
def made_from() -> str:
    """A hash of the sources that a simulation is made of."""
    content = hashlib.sha256()
    tree = source_tree()
    for path in (*sources(), *CORE_HARNESS.files(tree / "sim")):
        content.update(path.name.encode() + b"\0" + path.read_bytes())
    return content.hexdigest()[:24]


def simulated(design: dict[str, Any], latency: int, workload: dict[str, Any]) -> dict[str, Any]:
    """A job: cycles of a frame, of a simulation whose result is the library's."""
    asked = _workload(workload)
    wanted = Simulated(Design(**design), {"latency": latency})
    if TABLE[asked.op].scheme not in CLIENT:
        return {"cycles": schemes.measure(wanted, asked.op).cycles}
    if asked.slices:
        return {"cycles": slices.measure(wanted, asked.op, asked.log_n, asked.slices).cycles}
    params = given(asked) if asked.moduli else None
    found = record(wanted, asked.op, asked.n, asked.limbs, asked.bits, frames=asked.frames, given=params).measurement
    return {"cycles": round(found.batch_cycles / asked.frames) if asked.frames > 1 else found.cycles}


def _workload(fields: dict[str, Any]) -> Workload:
    return Workload(**{**fields, "moduli": tuple(fields["moduli"])})


def workload_of(task: Task) -> Workload:
    """Of a simulation."""
    return _workload(task.arguments[2])


def synthesised(design: dict[str, Any]) -> dict[str, Any]:
    """A job: cells of the design's mapped parts."""
    blocks, _, _ = resources.measure([("rs_core", Design(**design).parameters)])
    total = blocks[0][0].total
    return {"lut": total.lut, "ff": total.ff, "dsp": total.dsp, "bram36": total.bram36 + total.bram18 / 2}


def tasks(
    number: int, design: Design, latency: int, workloads: Iterable[Workload], kinds: Iterable[str]
) -> Iterator[Task]:
    fields = asdict(design)
    for kind in kinds:
        if kind == SYNTH:
            yield Task(key_of(SYNTH, fields, {}, made_from()), SYNTH, number, (fields,))
            continue
        for workload in workloads:
            about = asdict(workload) | {"latency": latency}
            about.pop("weight")
            yield Task(key_of(RTL, fields, about, made_from()), RTL, number, (fields, latency, asdict(workload)))


def timed(job: VerifyingJob, *arguments: Any) -> dict[str, Any]:
    """A job's answer with its processor time, as far as the worker does nothing else meanwhile."""
    before = os.times()
    found = job(*arguments)
    after = os.times()
    return found | {TOOK: round(sum(after[:4]) - sum(before[:4]), 2)}


def seconds_to_come(asked: Iterable[Task], journal: Journal) -> float:
    """Processor time of what the journal has not, by the mean of its answers. Points that share their hardware share what is built."""
    known: dict[str, list[float]] = {}
    for row in journal:
        if TOOK in row:
            known.setdefault(row["kind"], []).append(row[TOOK])
    usual = USUAL_SECONDS | {kind: sum(took) / len(took) for kind, took in known.items()}
    waiting = {(task.kind, key_of(SYNTH, task.arguments[0], {}, "")) for task in asked if task.key not in journal.rows}
    return sum(usual[kind] for kind, _ in waiting)


JOBS: dict[str, VerifyingJob] = {RTL: simulated, SYNTH: synthesised}


def run(asked: Iterable[Task], journal: Journal, executor: Executor, told: Told | None = None, jobs: dict[str, VerifyingJob] | None = None) -> None:  # fmt: skip
    """Answers all that the journal has not. An error is an answer; a job whose worker died is given to another one, TRIES times."""
    jobs = jobs or JOBS
    waiting: dict[str, Task] = {task.key: task for task in asked if task.key not in journal.rows}
    total = len(waiting)
    done = 0
    running: dict[Future[dict[str, Any]], tuple[Task, int]] = {}
    for task in waiting.values():
        running[executor.submit(timed, jobs[task.kind], *task.arguments)] = (task, 1)
    if told is not None:
        told(0, total)
    while running:
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in ended:
            task, tries = running.pop(future)
            error = _error_of(future)
            if isinstance(error, BrokenExecutor):  # all jobs that it had end so, not this one alone
                hint = "The journal has all answers until now: run the same command again, perhaps with fewer --jobs."
                raise DeviceError("WORKER", f"A process that simulates or synthesises died: {error}", hint) from error
            if error is not None and not isinstance(error, RingsideError) and tries < TRIES and _lost(error):
                running[executor.submit(timed, jobs[task.kind], *task.arguments)] = (task, tries + 1)
                continue
            row = {"key": task.key, "kind": task.kind, "design": task.arguments[0]}
            if task.kind == RTL:
                row |= {"latency": task.arguments[1], "workload": task.arguments[2]}
            journal.put(row | ({"error": str(error)[:500]} if error is not None else future.result()))
            done += 1
            if told is not None:
                told(done, total)


def _error_of(future: Future[dict[str, Any]]) -> BaseException | None:
    """Dask cancels what its scheduler has forgotten; of such a job nobody tells the error, asking raises it."""
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _lost(error: BaseException) -> bool:
    """Whether the worker died, and not the job."""
    return type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError", "CommClosedError")
