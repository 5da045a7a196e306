# SPDX-License-Identifier: Apache-2.0
"""pytest plugin of scripts/coverage.py: after each test, what its models have counted is added up and their files are deleted."""

import gc
import os
from collections.abc import Generator
from pathlib import Path

import pytest
import verilator_counts as counts

RAW = Path(os.environ["RINGSIDE_COVERAGE"])
OWN = RAW / str(os.getpid())
COUNTS: counts.Counts = {}


def pytest_configure() -> None:
    OWN.mkdir(exist_ok=True)
    os.environ["RINGSIDE_COVERAGE"] = str(OWN)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    yield
    gc.collect()  # models write when they go
    counts.take(OWN, COUNTS)


def pytest_unconfigure() -> None:
    counts.take(OWN, COUNTS)
    counts.save(RAW / f"{OWN.name}.json", COUNTS)
