# SPDX-License-Identifier: Apache-2.0
"""Which of the cases that are much alike `make test` runs, and in which order files are: conftest.py."""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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


class Case:
    """A test as pytest collects it, with one argument that counts."""

    def __init__(self, function: str, name: str, value: Any, mark: pytest.Mark) -> None:
        self.path, self.nodeid = Path("test_y.py"), f"test_y.py::{function}[{value}]"
        self.callspec = SimpleNamespace(params={name: value, "seed": 1})
        self.mark, self.runs = mark, True

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark if name == self.mark.name else None

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        assert mark.name == "skip"
        self.runs = False


def ran(
    monkeypatch: pytest.MonkeyPatch, functions: Iterable[str], given: dict[str, Any], mark: pytest.Mark
) -> dict[str, list[Any]]:
    """Which values of an argument run by day, of each function."""
    for name in ("RINGSIDE_SOAK", "RINGSIDE_FORMAL"):
        monkeypatch.delenv(name, raising=False)
    ((name, values),) = given.items()
    cases = {(function, value): Case(function, name, value, mark) for function in functions for value in values}
    conftest.pytest_collection_modifyitems(SimpleNamespace(getoption=lambda name: False, args=[]), list(cases.values()))
    return {function: [value for value in values if cases[function, value].runs] for function in functions}


def test_functions_share_a_list_or_choose_by_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    functions, given = [f"test_{i}" for i in range(10)], {"shape": [(i, 2 * i) for i in range(12)]}
    together = ran(monkeypatch, functions, given, pytest.mark.alike(30, of="mutants").mark)
    assert 0 < sum(map(len, together.values())) < 10, "one in 30 of all, and none of most"
    alone = ran(monkeypatch, functions, given, pytest.mark.alike(30).mark)
    assert all(alone.values())
    alike = ran(monkeypatch, functions, given, pytest.mark.alike(4, by="shape").mark)
    assert len({tuple(shapes) for shapes in alike.values()}) == 1, "the same models"
    assert 0 < len(alike["test_0"]) < 8
    everything = ran(monkeypatch, functions, given, pytest.mark.alike(4, by="lanes").mark)
    assert everything["test_0"] == given["shape"], "there is no such argument"


def test_files_with_long_tests_are_first_and_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "DURATIONS", {"test_b.py": 5, "test_c.py": 30})
    monkeypatch.setenv("RINGSIDE_SOAK", "1")  # none is left out
    items = [SimpleNamespace(path=Path(f"test_{name}.py"), number=i) for i, name in enumerate("abcdabcd")]
    conftest.pytest_collection_modifyitems(SimpleNamespace(getoption=lambda name: False), items)
    assert [item.path.stem[-1] for item in items] == [*"ccbb", *"adad"]
    assert [item.number for item in items] == [2, 6, 1, 5, 0, 3, 4, 7]
