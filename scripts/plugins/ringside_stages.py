# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of scripts/test.py: the stages that ran before pytest, in pytest's own summary."""

import json
import os
import time

import pytest

EARLIER = json.loads(os.environ.pop("RINGSIDE_STAGES", "[]"))
START = time.monotonic()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """An earlier failure is a failure of the whole run, however well pytest itself went."""
    if exitstatus == pytest.ExitCode.OK and not all(stage["passed"] for stage in EARLIER):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int | pytest.ExitCode) -> None:
    reporter = terminalreporter
    passed = exitstatus == pytest.ExitCode.OK
    own = {"stage": "pytest", "passed": passed, "seconds": time.monotonic() - START, "note": ""}
    reporter.section("stages", sep="-")
    for stage in [*EARLIER, own]:
        result = "passed" if stage["passed"] else "FAILED"
        line = f"{stage['stage']:<10} {result}  {stage['seconds']:8.1f} s  {stage['note']}"
        reporter.write_line(line.rstrip(), green=stage["passed"], red=not stage["passed"])
