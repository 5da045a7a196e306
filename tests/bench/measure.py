# SPDX-License-Identifier: Apache-2.0
"""The measurement: all peers of a set side by side, asked in turn, round by round."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.figures import Results, Samples
from bench.plan import EXACT, LEE, MULTITHREADED, NTT, OURS, ROUNDS_MIN, Operation, ParameterSet
from bench.process import AbsentError, Worker, WorkerError

SAMPLE_NS = 100_000  # a sample is at least this long, so that reading the clocks does not count
ROUND_NS = 25_000_000  # per operation, peer and round
TOTAL_NS = 1_500_000_000  # per operation and peer: slow ones get fewer rounds, ROUNDS_MIN at least
RUNS_MAX, BATCH_MAX = 25, 64

Tell = Callable[[str], None]


def error_max(set_: ParameterSet) -> float:
    """18 standard deviations of a slot of the noisiest way, encryption by public key without special prime: variance 10.5 (1 + 4N/3)
    per coefficient. Beyond k of them is one slot with probability (1 + k) exp(-2 k). What is decrypted wrongly is wrong by much more. Integers have no error."""
    if set_.name in EXACT:
        return 0.5
    return 18 * math.sqrt(10.5 * (1 + 4 * set_.n / 3) * set_.n / 2) / set_.scale


@dataclass(frozen=True)
class Program:
    """A peer that is ready to run."""

    name: str
    command: Sequence[str | Path]
    env: Mapping[str, str]
    log: Path

    def start(self) -> Worker:
        return Worker(self.command, self.env, self.log)


@dataclass
class Task:
    """One operation of one peer: how it is asked, and in how many of the rounds."""

    operation: str
    program: Program
    worker: Worker
    batch: int
    runs: int
    rounds: int
    samples: Samples


def plan_task(estimate_ns: float, rounds: int) -> tuple[int, int, int]:
    """Calls per sample, samples per round, rounds, from what one call takes."""
    estimate = max(estimate_ns, 1.0)
    batch = min(BATCH_MAX, max(1, math.ceil(SAMPLE_NS / estimate)))
    runs = min(RUNS_MAX, max(1, int(ROUND_NS / (batch * estimate))))
    return batch, runs, min(rounds, max(ROUNDS_MIN, int(TOTAL_NS / (runs * batch * estimate))))


def open_workers(
    set_: ParameterSet, programs: Sequence[Program], results: Results, stack: ExitStack
) -> dict[str, Worker]:
    """Those that understand the set and pass its check: what is encrypted is decrypted, transforms invert and agree."""
    workers: dict[str, Worker] = {}
    digests: dict[str, str] = {}
    for program in programs:
        worker = program.start()
        stack.callback(worker.close)
        check = "check_ntt" if set_.name in NTT else "check"
        try:
            results.facts[program.name] = worker.ask(set_.request())
            reply = worker.ask({"op": check})
            if not reply["value"] < error_max(set_):
                raise WorkerError(f"decrypts with an error of {reply['value']:.3g}")
            digest = reply.get("digest")
            if digest and digests and digest not in digests:
                raise WorkerError(f"its transforms differ from those of {', '.join(digests.values())}")
            if digest:
                digests[digest] = program.name
        except (AbsentError, WorkerError) as error:
            results.absent[set_.name, "", program.name] = str(error)
            continue
        workers[program.name] = worker
    return workers


def estimate(worker: Worker, op: str) -> float:
    """Nanoseconds of a call, after a first one that warms up."""
    first = worker.ask({"op": op, "runs": 1, "batch": 1})["wall"][0]
    again: list[float] = [first] if first > 2e8 else worker.ask({"op": op, "runs": 3, "batch": 1})["wall"]
    return min(again)


def overheads(program: str, results: Results) -> dict[str, str]:
    """By operation: the one whose time is the binding's own."""
    stated: Any = results.facts[program].get("overhead", {})
    return dict(stated)


def plan_tasks(
    set_: ParameterSet, operations: Sequence[Operation], workers: Mapping[str, Worker], programs: Sequence[Program],
    results: Results, rounds: int, tell: Tell,
) -> list[Task]:  # fmt: skip
    tasks: list[Task] = []
    for operation in operations:
        name = operation.name
        if set_.name not in operation.sets:
            continue
        for program in programs:
            if operation.twin and not program.name.startswith(OURS):
                continue
            if program.name not in workers:
                results.absent[set_.name, name, program.name] = results.absent[set_.name, "", program.name]
                continue
            tell(f"{set_.name}: how long does {name} take with {program.name}?")
            worker = workers[program.name]
            wanted = [name, *filter(None, [overheads(program.name, results).get(name)])]
            for op in wanted:
                if any(task.operation == op and task.program == program for task in tasks):
                    continue
                try:
                    batch, runs, enough = plan_task(estimate(worker, op), rounds)
                except (AbsentError, WorkerError) as error:
                    results.absent[set_.name, op, program.name] = str(error)
                    break
                tasks.append(Task(op, program, worker, batch, runs, enough, Samples()))
    # the binding's cost counts in every round of what it is taken from
    for task in tasks:
        users = [op for op, cost in overheads(task.program.name, results).items() if cost == task.operation]
        needed = [t.rounds for t in tasks if t.program == task.program and t.operation in users]
        task.rounds = max([task.rounds, *needed])
    return tasks


def run_task(task: Task, all_processors: Sequence[int]) -> None:
    request = {"op": task.operation, "runs": task.runs, "batch": task.batch}
    if task.operation in MULTITHREADED:
        pid = task.worker.process.pid
        pinned = os.sched_getaffinity(pid)
        os.sched_setaffinity(pid, all_processors)
        reply = task.worker.ask(request)
        os.sched_setaffinity(pid, pinned)
    else:
        reply = task.worker.ask(request)
    task.samples.cpu.append(reply["cpu"])
    task.samples.wall.append(reply["wall"])
    task.samples.bytes = int(reply.get("bytes", 0))


def measure_times(
    set_: ParameterSet, operations: Sequence[Operation], programs: Sequence[Program], rounds: int, results: Results,
    all_processors: Sequence[int], tell: Tell,
) -> None:  # fmt: skip
    with ExitStack() as stack:
        tell(f"{set_.name}: starting {len(programs)} peers")
        workers = open_workers(set_, programs, results, stack)
        tasks = plan_tasks(set_, operations, workers, programs, results, rounds, tell)
        failed: set[int] = set()
        for round_ in range(rounds):
            for index, task in enumerate(tasks):
                if index in failed or round_ >= task.rounds:  # the first rounds, so that all have some in common
                    continue
                tell(f"{set_.name}: round {round_ + 1} of {rounds}, {task.operation} with {task.program.name}")
                try:
                    run_task(task, all_processors)
                except (AbsentError, WorkerError) as error:
                    failed.add(index)
                    results.absent[set_.name, task.operation, task.program.name] = str(error)
    done = {(task.program.name, task.operation): task.samples for i, task in enumerate(tasks) if i not in failed}
    for (program, op), samples in done.items():
        costs = overheads(program, results)
        if op in costs.values():
            continue
        if op in costs:
            cost = done.get((program, costs[op]))
            if cost is None:
                results.absent[set_.name, op, program] = f"what its binding costs ({costs[op]}) could not be measured"
                continue
            results.raw[set_.name, op, program] = samples
            samples = samples.less(cost)
        results.times[set_.name, op, program] = samples


def measure_memory(set_: ParameterSet, programs: Sequence[Program], results: Results, tell: Tell) -> None:
    """By how much the peak of resident memory grows in a session, over what is resident with program and values in place.

    A fresh process each: set-up, secret and public key, encode and encrypt, decrypt and decode, once.
    """
    if set_.name in NTT:
        return
    for program in programs:
        tell(f"{set_.name}: memory of {program.name}")
        peak = _peak(set_, program, "session", results)
        if peak is not None:
            results.memory[set_.name, program.name] = peak


def measure_stream(set_: ParameterSet, programs: Sequence[Program], results: Results, tell: Tell) -> None:
    """The same for Ringside alone, in which keys are streamed: no more is set up than that needs."""
    for program in programs:
        if program.name == OURS and set_.name in LEE:
            tell(f"{set_.name}: memory of streamed keys")
            peak = _peak(set_, program, "stream_session", results)
            if peak is not None:
                results.peaks[set_.name, "key_file_streamed"] = peak


def _peak(set_: ParameterSet, program: Program, op: str, results: Results) -> int | None:
    with ExitStack() as stack:
        worker = program.start()
        stack.callback(worker.close)
        try:
            worker.ask(set_.request())
            before = worker.start_counting()
            worker.ask({"op": op, "runs": 1, "batch": 1})
            return worker.peak() - before
        except (AbsentError, WorkerError) as error:
            results.absent[set_.name, op, program.name] = str(error)
            return None
