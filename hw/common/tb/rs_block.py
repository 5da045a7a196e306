# SPDX-License-Identifier: Apache-2.0
"""The tests of a block from one description of it: which sizes are run, pass lint and are refused.

    BLOCK = Block("rs_turn_rows", "LogNMin LogNMax Words")
    SHAPES = [(8, 10, 4), *soak((7, 9, 8), (4, 8, 2))]
    test_turn_rows = BLOCK.runs(__file__, SHAPES)
    test_turn_rows_lint = BLOCK.lints(SHAPES)
    test_turn_rows_illegal = BLOCK.refuses("must be", (8, 10, 3), (3, 10, 4))

A case gives parameters: by name, or values in the order of the block's names. One value needs no tuple; the last ones may be left out.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rs_cocotb import elaborate, run, whole


def soak(*cases: Any) -> list[Any]:
    """These cases are for long runs only."""
    return [pytest.param(case, marks=pytest.mark.soak) for case in cases]


def refuted(
    holds: Callable[..., bool], *mutations: tuple[str, str], alike: int = 1, mark: str = ""
) -> Callable[[Any], None]:
    """A test of a proof (rs_formal.py): of each mutant of the RTL it does not hold. By day about one in `alike` of a file's mutants is refuted."""

    @pytest.mark.parametrize("mutation", mutations)
    @pytest.mark.alike(alike, of="mutants")
    def test(mutation: tuple[str, str]) -> None:
        assert not holds(mutation=mutation)

    return getattr(pytest.mark, mark)(test) if mark else test


def _name(case: Any) -> str:
    values = [f"{name}={value}" for name, value in case.items()] if isinstance(case, dict) else case
    return "-".join(map(str, values)) or "defaults" if isinstance(values, (list, tuple)) else str(values)


class Block:
    """A module, names of its parameters, and those that are the same in all cases."""

    def __init__(self, top: str, names: str = "", sources: Sequence[Path] = (), **fixed: Any) -> None:
        self.top, self.names, self.fixed = top, names.split(), fixed
        self.sources = list(sources) or whole(top)

    def parameters(self, case: Any) -> dict[str, Any]:
        if isinstance(case, dict):
            return self.fixed | case
        values = case if isinstance(case, tuple) else (case,)
        assert len(values) <= len(self.names), f"{case} has more values than {self.names}"
        return self.fixed | dict(zip(self.names, values, strict=False))

    def run(self, case: Any, file: str, testcase: str | Sequence[str] | None = None, **options: Any) -> None:
        run(self.top, self.sources, self.parameters(case), file, testcase, **options)

    def runs(
        self,
        file: str,
        cases: Iterable[Any] = ({},),
        testcase: str | Sequence[str] | None = None,
        alike: int = 3,
        **options: Any,
    ) -> Callable[[Any], None]:
        """The coroutines of a file, in each case. options: those of `run`; alike: about one case in so many runs every day."""

        @pytest.mark.parametrize("case", cases, ids=_name)
        @pytest.mark.alike(alike)
        def test(case: Any) -> None:
            self.run(case, file, testcase, **options)

        return test

    def lints(self, cases: Iterable[Any] = ({},)) -> Callable[[Any], None]:
        """Verilator has nothing to say."""

        @pytest.mark.parametrize("case", cases, ids=_name)
        def test(case: Any) -> None:
            found = elaborate(self.top, self.sources, self.parameters(case))
            assert found == "", found

        return test

    def refuses(self, *messages_and_cases: Any) -> Callable[[str, Any], None]:
        """Elaboration stops with a message, which stands before its cases."""
        pairs, message = [], ""
        for entry in messages_and_cases:
            if isinstance(entry, str):
                message = entry
            else:
                pairs.append((message, entry))
        assert all(text for text, _ in pairs), "the first argument is a message"

        @pytest.mark.parametrize(
            ("message", "case"), pairs, ids=lambda value: "" if isinstance(value, str) else _name(value)
        )
        def test(message: str, case: Any) -> None:
            found = elaborate(self.top, self.sources, self.parameters(case))
            assert message in found, f"'{message}' is not in: {found}"

        return test
