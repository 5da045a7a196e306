# SPDX-License-Identifier: Apache-2.0
"""All tests. `make soak` runs every one, `make formal` every proof (tests/README.md).

Elsewhere those marked `soak` are skipped, and of the cases of a function marked `alike(n)` all but every n-th of those selected.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

# Their simulations are short, so models of hardware are compiled with less optimisation than for users: those of a core with some,
# because it runs whole encryptions, those of its blocks with none, because Python drives them.
GIVEN_LEVEL = os.environ.get("RINGSIDE_SIM_LEVEL")
HERE = Path(__file__).resolve().parent
BLOCKS = HERE / "hw"
CORE = BLOCKS / "core"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    is_block = item.path.is_relative_to(BLOCKS) and not item.path.is_relative_to(CORE)
    os.environ["RINGSIDE_SIM_LEVEL"] = GIVEN_LEVEL or ("0" if is_block else "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if {"RINGSIDE_SOAK", "RINGSIDE_FORMAL"} & set(os.environ):
        return
    alike: Counter[str] = Counter()  # by test function
    for item in items:
        is_long = item.get_closest_marker("soak") is not None
        some = item.get_closest_marker("alike")
        if some is not None and not is_long:
            function = item.nodeid.partition("[")[0]
            is_long = alike[function] % some.args[0] != 0
            alike[function] += 1
        if is_long:
            item.add_marker(pytest.mark.skip(reason="long or one of many alike: make soak, or RINGSIDE_SOAK=1"))
