# SPDX-License-Identifier: Apache-2.0
"""Random jobs on the simulated designs of tests/device, each in a process of its own: one that crashes or hangs is a finding too."""

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from device.jobs import DESIGNS, Job, build, draw
from ringside.sim.verilate import SimulationError

JOB_SECONDS_MAX = 600  # a job takes some ten


@dataclass
class Outcome:
    """The outcome of one design. failures: what failed, and how to repeat it."""

    design: str
    jobs: list[Job]
    build_seconds: float = 0
    seconds: float = 0
    cycles: int = 0
    failures: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        return {
            "design": self.design, "jobs": len(self.jobs), "operations": operations(self.jobs), "cycles": self.cycles,
            "build_seconds": round(self.build_seconds, 1), "seconds": round(self.seconds, 1),
            "failures": self.failures,
        }  # fmt: skip


def run_apart(job: Job, program: Path) -> tuple[int, str]:
    """Cycles, and what went wrong."""
    command = [sys.executable, str(program), "--repeat", str(job)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=JOB_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return 0, f"no end after {JOB_SECONDS_MAX} s\nagain: {job.command}"
    if done.returncode == 0:
        return int(done.stdout.split()[0]), ""
    told = (done.stderr or done.stdout).strip()
    return 0, told if job.command in told else f"{told}\nended with code {done.returncode}\nagain: {job.command}"


def soak(jobs: int, seed: int, parallel: int, program: Path, say: Callable[[str], None]) -> list[Outcome]:
    """program: what runs one job, by --repeat. The designs take turns until there are so many jobs."""
    say(f"\n{jobs} jobs of seed {seed}")
    say(f"{'design':<12}{'built':>8}{'jobs':>6}{'operations':>12}{'cycles':>14}{'time':>8}  failures")
    outcomes = []
    for place, name in enumerate(DESIGNS):
        outcome = Outcome(name, [draw(f"{seed} {number}", name) for number in range(place, jobs, len(DESIGNS))])
        if outcome.jobs:
            outcomes.append(outcome)
            run_design(outcome, parallel, program)
            row = f"{name:<12}{outcome.build_seconds:>6.0f} s{len(outcome.jobs):>6}{operations(outcome.jobs):>12}"
            say(f"{row}{outcome.cycles:>14,}{outcome.seconds:>6.0f} s  {len(outcome.failures) or 'none'}")
            for failure in outcome.failures:
                say(failure + "\n")
    return outcomes


def operations(jobs: Sequence[Job]) -> int:
    return sum(len(job.operations) for job in jobs)


def run_design(outcome: Outcome, parallel: int, program: Path) -> None:
    start = time.monotonic()
    try:
        build(outcome.design)
    except SimulationError as error:
        outcome.failures.append(f"{outcome.design} cannot be built: {error}")
        return
    outcome.build_seconds = time.monotonic() - start
    start = time.monotonic()
    with ThreadPoolExecutor(parallel) as pool:
        for cycles, failure in pool.map(lambda job: run_apart(job, program), outcome.jobs):
            outcome.cycles += cycles
            outcome.failures += [failure] if failure else []
    outcome.seconds = time.monotonic() - start
