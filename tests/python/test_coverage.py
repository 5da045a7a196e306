# SPDX-License-Identifier: Apache-2.0
"""`make coverage`: the counters of Verilator are read and added up right, and nothing that is not reached looks as if it were."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from asserting import raises, written
from tree_scripts import anew

if TYPE_CHECKING:
    from verilator_counts import Counts

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
BLOCKS = {"rs_sub": "one", "rs_top": "two", "rs_absent": "two"}
SUB = "hw/one/rtl/rs_sub.sv"


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
    with anew("coverage", "common", "setup", "verilator_counts", "functional_plan") as module:
        yield module


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


@pytest.fixture
def tree(coverage: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script's tree. The RTL of rs_sub is below hw/one/rtl."""
    monkeypatch.setattr(coverage, "ROOT", tmp_path)
    return tmp_path


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


def test_figures(coverage: ModuleType, tree: Path) -> None:
    counts = counted(coverage, tree)
    for block, module in (("one", "rs_sub"), ("two", "rs_top")):
        written(tree / "hw" / block / "rtl" / f"{module}.sv", "module\n\n  if (a | b) x <= 1;\n")
    assert coverage.table(counts, BLOCKS | {"rs_regs": "core"}) == [
        ["one", "`rs_sub`", "50.0 %", "1", "100.0 %", "0"],
        ["two", "`rs_top`", "100.0 %", "0", "", "0"],
        ["core", "`rs_regs`", "0.0 %", "1", "", "0"],
        ["all", "", "66.6 %", "1", "100.0 %", "0"],  # without what is generated, and without benches
    ]
    assert str(coverage.Share(1999, 2000)) == "99.9 %"  # never 100 for less
    text = coverage.markdown(counts, BLOCKS, ["Of 9 cases 3 ran."])
    assert "No test that ran builds `rs_absent`." in text
    assert "Of 9 cases 3 ran." in text
    assert coverage.summary(counts, BLOCKS | {"rs_regs": "two", "rs_none": "three"}) == [
        ["one", "1 of 1", "50.0 %", "100.0 %"],
        ["two", "1 of 2", "100.0 %", ""],
        ["three", "0 of 1", "", ""],
    ]


def test_arms_of_assertions_do_not_count(coverage: ModuleType, tree: Path) -> None:
    counts = counted(coverage, tree)
    for line, left in (("assert (a < b)", 0), ('else $error("%m")', 0), ("asserted <= b;", 2)):
        written(tree / SUB, f"module\n\n  {line}\n")
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


def test_constants_and_arms_that_return_do_not_count(coverage: ModuleType, tree: Path) -> None:
    written(tree / SUB, FUNCTIONS)
    blocks = {"rs_sub": "one"}

    def points(ran: int) -> dict[object, int]:
        counts: dict[object, int] = {}
        branches = ((3, "if"), (4, "cond_then"), (7, "if"), (10, "if"))
        rows = [("rs_sub", line, 5, "v_branch/rs_sub", what, "TOP", 0) for line, what in branches]
        rows += [("rs_sub", line, 3, "v_line/rs_sub", "block", "TOP", count) for line, count in ((2, ran), (6, 9))]
        (tree / "a.dat").write_text(dat(*sorted(rows)))
        coverage.take(tree, counts)
        return counts

    counts = points(0)
    constant = coverage.constants(counts, blocks)
    assert constant == {"rs_sub": {"turns": range(2, 5)}}
    kept = coverage.of_hardware(counts, blocks, constant)
    assert [(point.line, count) for point, count in kept.items()] == [(6, 9), (10, 0)]
    assert "in any model: `rs_sub`: turns." in coverage.markdown(counts, blocks, [], constant)
    counts = points(1)  # one that hardware calls
    assert coverage.constants(counts, blocks) == {}
    assert [point.line for point in coverage.of_hardware(counts, blocks, {})] == [2, 4, 6, 10]


def test_the_page_names_what_is_not_reached(coverage: ModuleType, tree: Path) -> None:
    counts = counted(coverage, tree)
    written(tree / SUB, "module\n\n  if (a < b) x <= 1;\n")
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
        context.setattr(Path, "write_bytes", full)
        raises(OSError, "No space", coverage.replace_file, page, "newer\n")
    assert page.read_text(encoding="utf-8") == "new\n"
    assert [one.name for one in tmp_path.iterdir()] == ["coverage.md"]


# ---- supported designs ---------------------------------------------------------------------------------------------------
def test_forms_and_models(coverage: ModuleType, tmp_path: Path) -> None:
    """Files of one model add up; modules with the same points have one form, those with other widths another; what is not synthesised has none."""
    counts = importlib.import_module("verilator_counts")
    written(tmp_path / "rs_sub.sv", "a\nb\nc\n`ifndef SYNTHESIS\n  assert (x);\n`endif\n")
    rows = [
        ("rs_sub", 3, 5, "v_branch/rs_sub__W1", "if", "TOP.a", 1),
        ("rs_sub", 1, 9, "v_toggle/rs_sub__W1", "q[0]:0->1", "TOP.a", 2),
        ("rs_sub", 3, 5, "v_branch/rs_sub__D7", "if", "TOP.b", 0),
        ("rs_sub", 1, 9, "v_toggle/rs_sub__D7", "q[0]:0->1", "TOP.b", 4),
        ("rs_sub", 1, 9, "v_toggle/rs_sub__W2", "q[0]:0->1", "TOP.c", 8),
        ("rs_sub", 1, 9, "v_toggle/rs_sub__W2", "q[1]:0->1", "TOP.c", 0),
        ("rs_sub", 5, 3, "v_line/rs_sub__W2", "block", "TOP.c", 9),
    ]
    pile = counts.Pile()
    for number in range(3):
        (tmp_path / f"0x1-{number}.dat").write_text(dat(*rows).replace("/x/", f"{tmp_path}/"))
    pile.take(tmp_path)
    assert not list(tmp_path.glob("*.dat"))
    forms = counts.forms_of(next(iter(pile.models.values())))
    assert sorted(sorted(one.values()) for one in forms.values()) == [[0, 24], [3, 18]]
    wide = next(form for form, one in forms.items() if 24 in one.values())
    pile.forms = {wide}
    found, kept = pile.sums()
    assert set(kept) == {wide}
    assert sum(found.values()) == 3 * (1 + 2 + 4 + 8)


def test_what_is_constant_is_no_point(coverage: ModuleType, tmp_path: Path) -> None:
    counts = counted(coverage, tmp_path)
    kept = coverage.possible(counts, [[3, 6, "branch", "else"]], ["q[0]"])
    gone = {(point.line, point.what) for point in set(counts) - set(kept)}
    assert gone == {(3, "else"), (1, "q[0]:0->1"), (1, "q[0]:1->0")}


def test_an_arm_of_a_constant_signal_is_no_point(coverage: ModuleType, tmp_path: Path) -> None:
    """If the signal is the only condition of the line, and the arm was not reached."""
    counts = counted(coverage, tmp_path)
    for line, gone in (
        ("if (go) x <= 1;", {"else"}),
        ("assign x = !gen_y ? 1 : 0;", {"else"}),
        ("if (going) x <= 1;", set()),
        ("if (go) x <= y ? 1 : 2;", set()),
        ("if (go && x) y <= 1;", set()),
    ):
        kept = coverage.possible(counts, [], ["go", "gen_a.gen_y"], ["", "", line])
        assert {point.what for point in set(counts) - set(kept)} == gone, line


def test_an_arm_of_operations_that_are_not_built_is_no_point(coverage: ModuleType, tmp_path: Path) -> None:
    counts = counted(coverage, tmp_path)
    for line, built, gone in (
        ("OP_FFT, OP_IFFT: x = y;", {"NTT"}, {"else"}),
        ("OP_FFT, OP_IFFT: x = y;", {"IFFT"}, set()),
        ("default: x = y;", {"NTT"}, set()),
    ):
        kept = coverage.possible(counts, [], [], ["", "", line], built)
        assert {point.what for point in set(counts) - set(kept)} == gone, line


def test_bits_of_structures_stand_as_in_a_netlist(coverage: ModuleType) -> None:
    bits = importlib.import_module("constant_bits")
    try:
        names = {"id[0]", "id[1]", "addr[0]", "addr[1]", "len[0]"}
        ordered = ["len[0]", "addr[0]", "addr[1]", "id[0]", "id[1]"]  # rs_axi_pkg::burst_t: len is the last member
        assert bits.in_order(names) == ordered
        both = bits.in_order({f"[{i}].{name}" for i in range(2) for name in names})
        assert both[5:] == [f"[1].{name}" for name in ordered]
        assert bits.in_order({"nobody", "knows"}) == []
        assert bits.signal_of("gen_a[1].u_b.q[3].addr[0]") == ("gen_a[1].u_b.q", "[3].addr[0]")
    finally:
        sys.modules.pop("constant_bits")


# ---- the functional plan ------------------------------------------------------------------------------------------------
OPEN = {"W": 24, "Groups": 11, "LogNMax": 11, "Slots": 0, "Expand": 0, "Slices": 16, "Fields": 1}
SEALED = OPEN | {"Sealed": 1}
LANES = {"W": 54, "Groups": 5, "LogNMax": 13, "Slots": 3, "Encode": 1}


@pytest.fixture
def plan(coverage: ModuleType) -> ModuleType:
    return importlib.import_module("functional_plan")


def test_the_plan_has_what_can_happen_and_no_more(plan: ModuleType) -> None:
    open_fields, sealed, lanes = (plan.expected(one) for one in (OPEN, SEALED, LANES))
    assert ("tags", "MUL", "a MASK", "b SECRET", "accepted") in open_fields & lanes
    assert ("tags", "STORE", "a SECRET", "refused") in open_fields & sealed & lanes
    assert ("tags", "STORE", "a SECRET", "accepted") not in open_fields | sealed | lanes
    assert ("tags", "STOREF", "a SECRET", "accepted") in sealed - open_fields  # into the vault
    assert ("tags", "NTT", "dst MESSAGE", "accepted") in lanes - open_fields
    assert ("tags", "ROUND", "dst MASK", "a PRODUCT", "accepted") in lanes
    assert {cross[0] for cross in sealed} - {cross[0] for cross in open_fields} == {"seal"}
    assert ("faults", "WIDE", "LOAD") in lanes - open_fields
    assert ("faults", "RESIDUE", "STORE") not in lanes
    assert ("stops", "abort", "STORE", "waits for memory") in lanes
    assert ("stops", "abort", "COMPUTE", "waits for memory") not in lanes
    assert ("slaves", "LOAD", "writes", "together") not in lanes


def lines_for(plan: ModuleType) -> list[str]:
    """A line of each kind: a refused STORE, a hash, a fault of PACK, an abort while SPONGE runs, a write of PACK and a read of LOAD."""
    key, tags, faults = plan.key(SEALED), plan.TAGS, plan.FAULTS
    secret, store = tags.index("SECRET"), plan.ISA["op"]["STORE"]["number"]
    hashes = plan.ISA["op"]["HASH"]["number"] | 2 << 12 | 1 << 25  # HASH of digest 2 behind what is outside
    return [
        f"T {key} {store} 0 {secret} 0 0 0 {faults.index('SECRET')}",
        f"S {key} {hashes} {plan.DIGESTS.index('KEY') << 8} 3 0",
        f"F {key} {faults.index('VALUE')} {1 << plan.UNITS.index('PACK')} 0 15",
        f"A {key} 0 {1 << plan.UNITS.index('SPONGE')} {1 << plan.UNITS.index('SPONGE')} 0",
        f"W {key} 3 2",
        f"R {key} 0 1",
    ]


CROSSES = [
    ("tags", "STORE", "a SECRET", "refused"),
    ("seal", "HASH", "KEY", "outside"),
    ("faults", "VALUE", "PACK"),
    ("stops", "abort", "SPONGE", "runs"),
    ("slaves", "PACK", "writes", "data first"),
    ("slaves", "LOAD", "reads", "address waits"),
]


def test_a_cross_that_is_missed_is_seen_as_missed(plan: ModuleType, coverage: ModuleType) -> None:
    """Each line makes its cross, and without it the cross is missed, whatever other cores have done."""
    lines, expected = lines_for(plan), plan.expected(SEALED)
    other = [line.replace(plan.key(SEALED), plan.key(OPEN)) for line in lines]
    for number, cross in enumerate(CROSSES):
        assert cross in expected
        assert cross in plan.seen(SEALED, lines)
        assert cross not in plan.seen(SEALED, [*lines[:number], *lines[number + 1 :], *other])
    one = coverage.Supported("sealed", {}, expected, plan.seen(SEALED, lines[1:]))
    assert CROSSES[0] in one.missed
    assert CROSSES[1] not in one.missed
    assert one.planned("slaves").reached == 2
    assert one.planned().missing == len(one.missed)
    assert "| STORE · a SECRET · refused | sealed |" in coverage.of_designs([one], {})
