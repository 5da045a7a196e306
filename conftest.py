# SPDX-License-Identifier: Apache-2.0
"""All tests: those marked `soak` are only run with RINGSIDE_SOAK=1, as `make soak` does, proofs also by `make formal` (tests/README.md)."""

import os

import pytest

# their simulations are short, so models of hardware are compiled with less optimisation than for users
os.environ.setdefault("RINGSIDE_SIM_LEVEL", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if {"RINGSIDE_SOAK", "RINGSIDE_FORMAL"} & set(os.environ):
        return
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="long or one of many alike: make soak, or RINGSIDE_SOAK=1"))
