# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of scripts/test.py, in pytest's own summary: the stages that ran before pytest or beside it, the processor time of each folder, and
which judges (libraries of others that tests compare with) did not run.

Processor time is that of the worker and of the children that it waited for, so it hardly depends on what else the machine does. That of
every single test is in build/logs/tests.json.
"""

import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

EARLIER = json.loads(os.environ.pop("RINGSIDE_STAGES", "[]"))
LATER = json.loads(
    os.environ.pop("RINGSIDE_LATER", "[]")
)  # pipes, each with the outcome of a stage that runs beside pytest
START = time.monotonic()
NO_JUDGE = "no judge: "  # begins the reason of tests/interop/judges.py, which goes on with its name and why
TIMES = Path(__file__).resolve().parents[2] / "build" / "logs" / "tests.json"


def processor_seconds() -> float:
    """Seconds of this process and its finished children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def folder(nodeid: str) -> str:
    """tests/python, hw/ntt, ... of a test."""
    return "/".join(nodeid.split("/")[:2])


class Processor:
    """Tells, in a worker, what each phase of a test took. Where the results come together: the sums."""

    def __init__(self) -> None:
        self.before = processor_seconds()
        self.seconds: dict[str, float] = defaultdict(float)
        self.absent: dict[str, int] = defaultdict(int)  # tests by the judge that did not run, and why

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = processor_seconds()
        report.processor_seconds = now - self.before  # type: ignore[attr-defined]
        self.before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.__dict__.get("processor_seconds", 0.0)
        if report.skipped and isinstance(report.longrepr, tuple):
            _, found, why = report.longrepr[-1].partition(NO_JUDGE)
            if found:
                self.absent[why] += 1

    def judges(self) -> str:
        """A line: who did not run and why."""
        told = "; ".join(f"{why} ({count} tests)" for why, count in sorted(self.absent.items()))
        return f"judges     {f'did not run: {told}' if told else 'all ran'}"

    def table(self) -> list[str]:
        total: dict[str, float] = defaultdict(float)
        count: dict[str, int] = defaultdict(int)
        for nodeid, seconds in self.seconds.items():
            total[folder(nodeid)] += seconds
            count[folder(nodeid)] += 1
        rows = [f"{place:<22}{count[place]:6}{total[place]:8.0f} s" for place in sorted(total, key=lambda p: -total[p])]
        return [*rows, f"{'all':<22}{sum(count.values()):6}{sum(total.values()):8.0f} s"]


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Processor(), "ringside_processor")


def outcome_of(pipe: int) -> dict[str, Any]:
    """Waits for a stage that runs beside pytest."""
    with os.fdopen(pipe, encoding="utf-8") as reader:
        text = reader.read()
    died = {"stage": "lint", "passed": False, "seconds": 0.0, "note": "ended without an answer", "output": ""}
    return json.loads(text) if text else died


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """An earlier failure is a failure of the whole run, however well pytest itself went."""
    while LATER:
        stage = outcome_of(LATER.pop())
        EARLIER.append(stage)
        print(f"\n=== {stage['stage']}\n{stage['output']}")
    if exitstatus == pytest.ExitCode.OK and not all(stage["passed"] for stage in EARLIER):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int | pytest.ExitCode) -> None:
    reporter = terminalreporter
    processor: Processor = reporter.config.pluginmanager.getplugin("ringside_processor")
    TIMES.parent.mkdir(parents=True, exist_ok=True)
    times = sorted(processor.seconds.items(), key=lambda item: -item[1])
    TIMES.write_text(json.dumps({nodeid: round(seconds, 2) for nodeid, seconds in times}, indent=0), encoding="utf-8")
    reporter.section("tests and processor time of each folder", sep="-")
    for line in processor.table():
        reporter.write_line(line)
    passed = exitstatus == pytest.ExitCode.OK
    own = {"stage": "pytest", "passed": passed, "seconds": time.monotonic() - START, "note": ""}
    reporter.section("stages", sep="-")
    reporter.write_line(processor.judges(), yellow=bool(processor.absent))
    for stage in [*EARLIER, own]:
        result = "passed" if stage["passed"] else "FAILED"
        line = f"{stage['stage']:<10} {result}  {stage['seconds']:8.1f} s  {stage['note']}"
        reporter.write_line(line.rstrip(), green=stage["passed"], red=not stage["passed"])
