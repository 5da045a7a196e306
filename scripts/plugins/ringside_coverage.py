# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of scripts/coverage.py: after each test, what its models have counted is added up and their files are deleted.

The first case of each test function goes first, then the second of each ..., so that a run that is short of time reaches most of the RTL.
"""

import functools
import gc
import json
import os
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
import verilator_counts as counts

RAW = Path(os.environ["RINGSIDE_COVERAGE"])
OWN = RAW / str(os.getpid())
COUNTS: counts.Counts = {}
UNTIL = float(os.environ.get("RINGSIDE_COVERAGE_UNTIL", "inf"))  # seconds since the epoch: no test begins later
CASES = Counter[str]()


def pytest_configure() -> None:
    OWN.mkdir(exist_ok=True)
    os.environ["RINGSIDE_COVERAGE"] = str(OWN)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if item.get_closest_marker("skip") is None]
    CASES["chosen"] = len(items)
    seen = Counter[str]()
    turns = {}
    for item in items:
        function = item.nodeid.partition("[")[0]
        turns[item.nodeid] = seen[function]
        seen[function] += 1
    items.sort(key=lambda item: turns[item.nodeid])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    if time.time() > UNTIL:
        pytest.skip("no time is left")
    CASES["run"] += 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    yield
    gc.collect()  # models write when they go
    counts.take(OWN, COUNTS)


def pytest_sessionfinish() -> None:
    """Models that tests keep in caches write now: after the session their process has ten seconds to end."""
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
    gc.collect()
    counts.take(OWN, COUNTS)
    counts.save(RAW / f"{OWN.name}.json", COUNTS)
    (RAW / f"{OWN.name}.cases").write_text(json.dumps(CASES), encoding="utf-8")
