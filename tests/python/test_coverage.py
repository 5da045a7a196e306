# SPDX-License-Identifier: Apache-2.0
"""`make coverage`: the counters of Verilator are read and added up right, and nothing that is not reached looks as if it were."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from verilator_counts import Counts

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
BLOCKS = {"rs_sub": "one", "rs_top": "two", "rs_absent": "two"}


def dat(*points: tuple[str, int, int, str, str, str, int]) -> str:
    """As Verilator 5 writes it: file, line, column, page, what, lines and instance, count."""
    lines = ["# SystemC::Coverage-3"]
    for file, line, column, page, what, instance, count in points:
        pairs = {"f": f"/x/{file}.sv", "l": line, "n": column, "t": page.partition("/")[0][2:], "page": page, "o": what}
        pairs |= {"S": f"{line}-{line + 1}"} if "toggle" not in page else {}
        text = "".join(f"\x01{key}\x02{value}" for key, value in {**pairs, "h": instance}.items())
        lines.append(f"C '{text}' {count}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def coverage(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    yield importlib.import_module("coverage")
    for name in ("coverage", "common", "setup", "verilator_counts"):
        sys.modules.pop(name, None)


def counted(coverage: ModuleType, folder: Path) -> "Counts":
    counts: Counts = {}
    (folder / "a.dat").write_text(
        dat(
            ("rs_sub", 3, 5, "v_branch/rs_sub", "if", "TOP.t.u1", 2),
            ("rs_sub", 3, 5, "v_branch/rs_sub__W3", "if", "TOP.t.u0", 0),
            ("rs_sub", 3, 6, "v_branch/rs_sub", "else", "TOP.t.u1", 0),
            ("rs_sub", 1, 9, "v_toggle/rs_sub", "q[0]:0->1", "TOP.t.u1", 1),
            ("rs_sub", 1, 9, "v_toggle/rs_sub", "q[0]:1->0", "TOP.t.u1", 0),
            ("rs_sub", 1, 9, "v_toggle/rs_sub__W3", "q[2]:0->1", "TOP.t.u0", 4),
            ("rs_regs", 1, 1, "v_line/rs_regs", "block", "TOP.r", 0),
            ("bench", 1, 1, "v_line/bench", "block", "TOP", 0),
        )
    )
    coverage.take(folder, counts)
    assert not list(folder.iterdir())  # read once, and gone
    (folder / "b.dat").write_text(
        dat(
            ("rs_sub", 1, 9, "v_toggle/rs_sub", "q[0]:1->0", "TOP.t.u1", 7),
            ("rs_top", 8, 2, "v_line/rs_top", "block", "TOP", 1),
        )
    )
    coverage.take(folder, counts)
    return counts


def test_instances_parameters_and_runs_are_added_up(coverage: ModuleType, tmp_path: Path) -> None:
    counts = counted(coverage, tmp_path)
    found = {(point.module, point.line, point.what): count for point, count in counts.items()}
    assert found["rs_sub", 3, "if"] == 2
    assert found["rs_sub", 3, "else"] == 0
    assert found["rs_sub", 1, "q[0]:1->0"] == 7
    assert found["rs_sub", 1, "q[2]:0->1"] == 4
    assert len(found) == 8
    path = tmp_path / "counts.json"
    importlib.import_module("verilator_counts").save(path, counts)
    assert coverage.load([path, path]) == {point: 2 * count for point, count in counts.items()}


def test_figures(coverage: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counted(coverage, tmp_path)
    for block, module in (("one", "rs_sub"), ("two", "rs_top")):
        (tmp_path / "hw" / block / "rtl").mkdir(parents=True)
        (tmp_path / "hw" / block / "rtl" / f"{module}.sv").write_text("module\n\n  if (a | b) x <= 1;\n")
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    assert coverage.table(counts, BLOCKS | {"rs_regs": "core"}) == [
        ["one", "`rs_sub`", "50.0 %", "1", "100.0 %", "0"],
        ["two", "`rs_top`", "100.0 %", "0", "", "0"],
        ["core", "`rs_regs`", "0.0 %", "1", "", "0"],
        ["all", "", "66.6 %", "1", "100.0 %", "0"],  # without what is generated, and without benches
    ]
    assert str(coverage.Share(1999, 2000)) == "99.9 %"  # never 100 for less
    text = coverage.markdown(counts, BLOCKS, "Of 9 cases 3 ran.")
    assert "No test that ran builds `rs_absent`." in text
    assert "Of 9 cases 3 ran." in text
    assert coverage.summary(counts, BLOCKS | {"rs_regs": "two", "rs_none": "three"}) == [
        ["one", "1 of 1", "50.0 %", "100.0 %"],
        ["two", "1 of 2", "100.0 %", ""],
        ["three", "0 of 1", "", ""],
    ]
    assert r"| `rs_sub` | 3: `if (a \| b) x <= 1;` |" in text


def test_arms_of_assertions_do_not_count(coverage: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counted(coverage, tmp_path)
    folder = tmp_path / "hw" / "one" / "rtl"
    folder.mkdir(parents=True)
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    for line, left in (("assert (a < b)", 0), ('else $error("%m")', 0), ("asserted <= b;", 2)):
        (folder / "rs_sub.sv").write_text(f"module\n\n  {line}\n")
        kept = coverage.of_hardware(counts, {"rs_sub": "one"}, {})
        assert sum(point.module == "rs_sub" and not point.is_toggle for point in kept) == left
        assert sum(point.is_toggle for point in kept) == 3


FUNCTIONS = """module rs_sub;
  function automatic int unsigned turns(int unsigned a);
    if (a == $clog2(a)) return 1;
    turns = a > 4 ? 2 : 3;
  endfunction
  function automatic logic [$clog2(W)-1:0] lines_of(input logic a);
    if (a) return 1;
    return 2;
  endfunction
  if (x) y <= 1;
"""


def test_constants_and_arms_that_return_do_not_count(
    coverage: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hw" / "one" / "rtl"
    folder.mkdir(parents=True)
    (folder / "rs_sub.sv").write_text(FUNCTIONS)
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    blocks = {"rs_sub": "one"}

    def points(ran: int) -> dict[object, int]:
        counts: dict[object, int] = {}
        (tmp_path / "a.dat").write_text(
            dat(
                ("rs_sub", 2, 3, "v_line/rs_sub", "block", "TOP", ran),
                ("rs_sub", 3, 5, "v_branch/rs_sub", "if", "TOP", 0),
                ("rs_sub", 4, 5, "v_branch/rs_sub", "cond_then", "TOP", 0),
                ("rs_sub", 6, 3, "v_line/rs_sub", "block", "TOP", 9),
                ("rs_sub", 7, 5, "v_branch/rs_sub", "if", "TOP", 0),
                ("rs_sub", 10, 3, "v_branch/rs_sub", "if", "TOP", 0),
            )
        )
        coverage.take(tmp_path, counts)
        return counts

    counts = points(0)
    constant = coverage.constants(counts, blocks)
    assert constant == {"rs_sub": {"turns": range(2, 5)}}
    kept = coverage.of_hardware(counts, blocks, constant)
    assert [(point.line, count) for point, count in kept.items()] == [(6, 9), (10, 0)]
    assert "in any model: `rs_sub`: turns." in coverage.markdown(counts, blocks, "", constant)
    counts = points(1)  # one that hardware calls
    assert coverage.constants(counts, blocks) == {}
    assert [point.line for point in coverage.of_hardware(counts, blocks, {})] == [2, 4, 6, 10]


def test_the_page_names_what_is_not_reached(
    coverage: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = counted(coverage, tmp_path)
    folder = tmp_path / "hw" / "one" / "rtl"
    folder.mkdir(parents=True)
    (folder / "rs_sub.sv").write_text("module\n\n  if (a < b) x <= 1;\n")
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    text = coverage.page(counts, {"rs_sub": "one"})
    assert "3  else        if (a &lt; b) x &lt;= 1;" in text
    assert "q: " not in text


def test_pages_are_staged(coverage: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written is there whole or not at all: a full disk leaves the old page, and nothing beside it."""
    page = tmp_path / "coverage.md"
    coverage.replace_file(page, "old\n")
    coverage.replace_file(page, "new\n")

    def full(self: Path, *_: object, **__: object) -> int:
        self.touch()
        raise OSError("No space left on device")

    with monkeypatch.context() as context:
        context.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="No space"):
            coverage.replace_file(page, "newer\n")
    assert page.read_text(encoding="utf-8") == "new\n"
    assert [one.name for one in tmp_path.iterdir()] == ["coverage.md"]
