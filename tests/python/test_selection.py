# SPDX-License-Identifier: Apache-2.0
"""Which of the cases that are much alike `make test` runs, and in which order files are: conftest.py."""

import importlib.util
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

Few = Callable[[Iterable[str], int], set[str]]


@pytest.fixture(scope="module")
def conftest() -> ModuleType:
    spec = importlib.util.spec_from_file_location("selection", Path(__file__).resolve().parents[2] / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def few(conftest: ModuleType) -> Few:
    return cast(Few, conftest.few)


def cases(count: int) -> list[str]:
    return [f"hw/x/test_y.py::test_z[{number}]" for number in range(count)]


def test_neither_order_nor_a_new_case_changes_the_choice(few: Few) -> None:
    old = cases(40)
    chosen = few(old, 4)
    assert few(old[::-1], 4) == chosen
    for new in ("hw/x/test_y.py::test_z[new]", "hw/x/test_y.py::test_z[a-first-one]"):
        assert few([new, *old], 4) - {new} == chosen


def test_a_share_is_chosen_and_never_none(few: Few) -> None:
    assert 60 < len(few(cases(400), 4)) < 140
    for count in range(1, 30):
        assert few(cases(count), 1000)
    assert few(cases(5), 1) == set(cases(5))


def test_files_with_long_tests_are_first_and_stay_together(
    conftest: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "DURATIONS", {"test_b.py": 5, "test_c.py": 30})
    monkeypatch.setenv("RINGSIDE_SOAK", "1")  # none is left out
    items = [SimpleNamespace(path=Path(f"test_{name}.py"), number=i) for i, name in enumerate("abcdabcd")]
    conftest.pytest_collection_modifyitems(SimpleNamespace(getoption=lambda name: False), items)
    assert [item.path.stem[-1] for item in items] == [*"ccbb", *"adad"]
    assert [item.number for item in items] == [2, 6, 1, 5, 0, 3, 4, 7]
