# SPDX-License-Identifier: Apache-2.0
"""Which of the cases that are much alike `make test` runs, and in which order files are: conftest.py."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tree_scripts import module_at

conftest = module_at(Path(__file__).resolve().parents[2] / "conftest.py", "selection")
few: Callable[..., set[str]] = conftest.few


def cases(count: int) -> list[str]:
    return [f"hw/x/test_y.py::test_z[{number}]" for number in range(count)]


def test_neither_order_nor_a_new_case_changes_the_choice() -> None:
    old = cases(40)
    chosen = few(old, 4)
    assert few(old[::-1], 4) == chosen
    for new in ("hw/x/test_y.py::test_z[new]", "hw/x/test_y.py::test_z[a-first-one]"):
        assert few([new, *old], 4) - {new} == chosen


def test_a_share_is_chosen_and_never_none() -> None:
    assert 60 < len(few(cases(400), 4)) < 140
    for count in range(1, 30):
        assert few(cases(count), 1000)
    assert few(cases(5), 1) == set(cases(5))


def test_all_have_their_turn() -> None:
    for share in (2, 3, 10):
        chosen = [few(cases(200), share, turn) for turn in range(share)]
        assert sum(map(len, chosen)) == 200
        assert set().union(*chosen) == set(cases(200))


def test_files_with_long_tests_are_first_and_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "DURATIONS", {"test_b.py": 5, "test_c.py": 30})
    monkeypatch.setenv("RINGSIDE_SOAK", "1")  # none is left out
    items = [SimpleNamespace(path=Path(f"test_{name}.py"), number=i) for i, name in enumerate("abcdabcd")]
    conftest.pytest_collection_modifyitems(SimpleNamespace(getoption=lambda name: False), items)
    assert [item.path.stem[-1] for item in items] == [*"ccbb", *"adad"]
    assert [item.number for item in items] == [2, 6, 1, 5, 0, 3, 4, 7]
