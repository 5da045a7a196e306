# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of scripts/formal.py: a line for each proof with its time, at the end a table of the blocks and one verdict.

A test is a proof, or a control: a broken design that has to be refuted. One that was skipped has shown nothing, so it
fails the run.
"""

import time
from collections import defaultdict
from collections.abc import Sequence

import pytest


class Progress:
    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.total = 0
        self.workers = False  # there are workers of pytest-xdist
        self.code: int = pytest.ExitCode.INTERNAL_ERROR
        self.seconds: dict[str, float] = defaultdict(float)
        self.wrong: dict[str, str] = {}
        self.done: list[str] = []

    # ---- while it runs ----
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.total = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self.total, self.workers = len(ids), True

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if not self.workers:  # several at a time would share the line
            print(f"{self.place()} {nodeid} ... ", end="", flush=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str]:
        """Outcomes as pytest counts them, without its dots."""
        if report.when != "call":
            return ("" if report.passed else "error" if report.failed else report.outcome), "", ""
        return report.outcome, "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.wrong[report.nodeid] = report.outcome

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        name = f"{self.place()} {nodeid} ... " if self.workers else ""
        result = self.wrong.get(nodeid, "").upper()
        self.done.append(nodeid)
        print(f"{name}{self.seconds[nodeid]:.1f} s {result}".rstrip(), flush=True)

    def place(self) -> str:
        minutes = (time.monotonic() - self.begin) / 60
        return f"[{len(self.done) + 1} of {self.total}, {minutes:.0f} min]"

    # ---- at the end ----
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.OK and (self.wrong or len(self.done) != self.total):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self.code = session.exitstatus

    def pytest_unconfigure(self) -> None:
        print(f"\n{'block':12}{'tests':>6}{'failed':>8}{'seconds':>10}")
        for block in sorted({self.block(nodeid) for nodeid in self.done}):
            names = [nodeid for nodeid in self.done if self.block(nodeid) == block]
            failed = sum(nodeid in self.wrong for nodeid in names)
            print(f"{block:12}{len(names):6}{failed:8}{sum(self.seconds[nodeid] for nodeid in names):10.1f}")
        for nodeid, outcome in self.wrong.items():
            print(f"{outcome}: {nodeid}")
        good = sum(nodeid not in self.wrong for nodeid in self.done)
        verdict = "FAILED" if self.code else "passed"
        minutes = (time.monotonic() - self.begin) / 60
        print(f"formal: {verdict}, {good} of {self.total} tests passed in {minutes:.1f} min", flush=True)

    @staticmethod
    def block(nodeid: str) -> str:
        """hw/<block>/formal/..."""
        return nodeid.split("/")[1]


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress())
