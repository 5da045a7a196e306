# SPDX-License-Identifier: Apache-2.0
"""All tests. `make nightly` runs every one, `make formal` every proof (tests/README.md).

Elsewhere those marked `soak` are skipped, and of the cases of a function marked `alike(n)` all but one in n, others with each TURN (`few` says which). With
`of="what"` it is one in n of all functions of a file that say so; with `by="argument"` one in n of the values that this argument has.
"""

import json
import os
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

# Their simulations are short, so models of hardware are compiled with less optimisation than for users: those of a core with some,
# because it runs whole encryptions, those of its blocks with none, because Python drives them.
GIVEN_LEVEL = os.environ.get("RINGSIDE_SIM_LEVEL")
HERE = Path(__file__).resolve().parent
BLOCKS = HERE / "hw"
CORE = BLOCKS / "core"
SOURCES = str(HERE / "py")
sys.path[:0] = [str(place) for place in BLOCKS.glob("*/tb")]  # benches are imported by each other's tests
pytest_plugins = ["cli_runner"]
# seconds of processor time of the longest test of a file of this name, from cold caches (scripts/test.py --record)
DURATIONS: dict[str, int] = json.loads((HERE / "tests" / "durations.json").read_text(encoding="utf-8"))
# Which of the cases that are alike run by day: one number more chooses others.
TURN = int(os.environ.get("RINGSIDE_TURN", "88"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    is_block = item.path.is_relative_to(BLOCKS) and not item.path.is_relative_to(CORE)
    os.environ["RINGSIDE_SIM_LEVEL"] = GIVEN_LEVEL or ("0" if is_block else "1")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """A process that a later test starts gets this one's path: there the package's sources, which are not built, must not be found."""
    if SOURCES in sys.path:
        sys.path.remove(SOURCES)
        pytest.fail(f"the test leaves {SOURCES} in sys.path, where later tests and their processes would find it")


def few(ids: Iterable[str], share: int, turn: int = 0) -> set[str]:
    """About one in `share` of the cases of a list: those whose hash says so, and the one of the least hash, so that there is one.

    A case is chosen by its own name: neither the order nor a new case changes the choice of another, but that a new least one takes over. Of `share`
    turns each chooses others, and together they choose all.
    """
    hashes = {name: zlib.crc32(name.encode()) for name in ids}
    least = min(hashes, key=lambda name: (hashes[name], name))
    return {name for name, value in hashes.items() if (value + turn) % share == 0} or {least}


def case_of(item: pytest.Item) -> tuple[str, str, int] | None:
    """Where it is one of many alike: the list that it is chosen from, its name there, and the share that runs. Cases with the same value of an argument have
    the same name in all lists, so that functions of a file run with the same models."""
    mark = item.get_closest_marker("alike")
    values = item.callspec.params if hasattr(item, "callspec") else {}
    if mark is None or mark.kwargs.get("by", "") not in {"", *values}:
        return None
    place = f"{item.path}: {mark.kwargs['of']}" if "of" in mark.kwargs else item.nodeid.partition("[")[0]
    return place, str(values[mark.kwargs["by"]]) if "by" in mark.kwargs else item.nodeid, mark.args[0]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--left-out", action="store_true", help="only the tests that `make test` leaves out")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # files with long tests first, so that short ones are left when a worker runs out of tests; those of a file share fixtures
    items.sort(key=lambda item: -DURATIONS.get(item.path.name, 0))
    left_out = config.getoption("--left-out")
    if {"RINGSIDE_SOAK", "RINGSIDE_FORMAL"} & set(os.environ) and not left_out:
        return
    is_long = {item: item.get_closest_marker("soak") is not None for item in items}
    marked = [(item, *case) for item in items if not is_long[item] and (case := case_of(item))]
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for _, place, name, _ in marked:
        alike[place].add(name)
    shares = {(place, share) for _, place, _, share in marked}
    chosen = {(place, share): few(alike[place], share, TURN) for place, share in shares}
    named = {argument for argument in config.args if "[" in argument}
    for item, place, name, share in marked:
        is_long[item] = name not in chosen[place, share] and item.nodeid not in named
    for item in items:
        if is_long[item] and not left_out:
            item.add_marker(pytest.mark.skip(reason="long or one of many alike: make nightly, or RINGSIDE_SOAK=1"))
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if not is_long[item]])
        items[:] = [item for item in items if is_long[item]]
