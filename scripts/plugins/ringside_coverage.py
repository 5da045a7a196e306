# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of scripts/coverage.py: after each test, what its models have counted is added up and their files are deleted.

Models of sequencers and cores are built with modules of hw/core/tb that write what happens there for the plan of functional coverage, those of whole cores
always with assertions: so there is one model of a design, whichever test it runs in.

Supported designs go first, then the first case of each test function, the second of each ..., so that a run that is short of time reaches most of the RTL.
What has passed in the runs that this one adds to is not run again.
"""

import functools
import gc
import json
import os
import resource
import time
import traceback
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
import verilator_counts as counts
from planned_models import plan

plan()

RAW = Path(os.environ["RINGSIDE_COVERAGE_RAW"])  # the same for all workers; models write into a folder of their process
OWN = RAW / str(os.getpid())
PILE = counts.Pile(frozenset(counts.load_forms(RAW.glob("*.design"))))
UNTIL = float(os.environ.get("RINGSIDE_COVERAGE_UNTIL", "inf"))  # seconds since the epoch: no test begins later
ALWAYS = ("test_rs_core_supported.py",)  # soak elsewhere
CASES: dict[str, list[str]] = {"chosen": [], "passed": []}
EARLIER = {case for path in RAW.glob("*.cases") for case in json.loads(path.read_text(encoding="utf-8"))["passed"]}


def pytest_configure() -> None:
    OWN.mkdir(exist_ok=True)
    os.environ["RINGSIDE_COVERAGE"] = str(OWN)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in ALWAYS:
            item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "skip"]
    items[:] = [item for item in items if item.get_closest_marker("skip") is None]
    CASES["chosen"] = [item.nodeid for item in items]
    items[:] = [item for item in items if item.nodeid not in EARLIER]
    seen = Counter[str]()
    turns = {}
    for item in items:
        function = item.nodeid.partition("[")[0]
        turns[item.nodeid] = seen[function]
        seen[function] += 1
    items.sort(key=lambda item: (item.path.name not in ALWAYS, turns[item.nodeid]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    if time.time() > UNTIL:
        pytest.skip("no time is left")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.passed:
        CASES["passed"].append(item.nodeid)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    yield
    gc.collect()  # models write when they go
    PILE.take(OWN)


def pytest_sessionfinish() -> None:
    """Models that tests keep in caches write now: after the session their process has ten seconds to end."""
    try:
        finish()
    except Exception:  # nobody hears what a worker says at its end
        (RAW / f"{OWN.name}.error").write_text(traceback.format_exc(), encoding="utf-8")
        raise


def finish() -> None:
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
    gc.collect()
    PILE.take(OWN)
    found, forms = PILE.sums()
    counts.save(RAW / f"{OWN.name}.json", found)
    counts.save_forms(RAW / f"{OWN.name}.forms", forms)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(each.ru_utime + each.ru_stime for each in used)
    (RAW / f"{OWN.name}.cases").write_text(json.dumps({**CASES, "seconds": seconds}), encoding="utf-8")
