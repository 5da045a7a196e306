# SPDX-License-Identifier: Apache-2.0
"""Lists of the RTL's files, which models a change of a file concerns, and what `ringside designs` prints of them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from ringside import designs
from ringside.sim import core, sources
from ringside.sim.verilate import PORTS, Model, verilator_root
from ringside.synth.parts import elaboration_key

ROOT = Path(__file__).resolve().parents[2]
HW = ROOT / "hw"
BLOCKS = sorted({path.parents[1].name for path in HW.glob("*/rtl/rs_*.sv")})
RTL = {path.stem: path for path in HW.glob("*/rtl/*.sv")}


def words(path: Path) -> set[str]:
    """Names of modules and packages that a file uses, comments left out."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
    return (set(re.findall(r"\w+", text)) & RTL.keys()) - {path.stem}


# ---- lists of files -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("block", BLOCKS)
def test_a_list_is_whole_ordered_and_has_nothing_else(block: str) -> None:
    own = HW / block
    files = sources.read(own / f"{block}.f")
    assert len(set(files)) == len(files)
    assert {path for path in files if path.is_relative_to(own)} == set(own.glob("rtl/*.sv"))
    place = {path.stem: index for index, path in enumerate(files)}
    for path in files:
        for used in words(path):
            assert used in place, f"{path.name} uses {used}"
            assert not used.endswith("_pkg") or place[used] < place[path.stem], f"{used} has to come before {path.name}"
    # another block is on the list because a file of this one, or of a block on the list, uses it
    needed, todo = set(), {block}
    while todo:
        needed |= todo
        used_by = {name for other in needed for path in HW.glob(f"{other}/rtl/*.sv") for name in words(path)}
        todo = {RTL[name].parents[1].name for name in used_by} - needed
    assert {RTL[name].parents[1].name for name in place} == needed


def test_tools_read_a_list_as_it_is(tmp_path: Path) -> None:
    root = verilator_root()
    command = [root / "bin" / "verilator_bin", "--lint-only", "-Wno-fatal", "-Wno-lint", "--top-module", "rs_core"]
    words, env = [*map(str, command), "-F", str(HW / "core" / "core.f")], {"VERILATOR_ROOT": str(root)}
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({"a.f": "rtl/x.sv"}, "names rtl/x.sv, which is no file"),
        ({"a.f": "-F b.f", "b.f": "-F a.f"}, "names itself"),
        ({"a.f": "-F b.f"}, "Cannot read"),
        ({"a.f": "+define+X"}, "which is no file"),
    ],
)
def test_bad_lists_are_refused(tmp_path: Path, lists: dict[str, str], message: str) -> None:
    for name, text in lists.items():
        (tmp_path / name).write_text(text)
    raises(rs.FileError, re.escape(message), sources.read, tmp_path / "a.f")


# ---- models ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources with a block `tiny`, which shares the block `common` with the core, and one that nothing uses."""
    for name in ("hw", "sim"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("tb", "formal", "__pycache__"))
    shutil.copytree(
        ROOT / "lib" / "include", tmp_path / "lib" / "include"
    )  # the core's harness reads its registers' places
    for block in ("tiny", "lonely"):
        (tmp_path / "hw" / block / "rtl").mkdir(parents=True)
        (tmp_path / "hw" / block / "rtl" / f"rs_{block}.sv").write_text(f"module rs_{block}; endmodule\n")
    (tmp_path / "hw" / "tiny" / "tiny.f").write_text("-F ../common/common.f\nrtl/rs_tiny.sv // the block\n")
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    return tmp_path


def keys(tree: Path) -> dict[str, tuple[str, str]]:
    """Where the models of a design and of the block `tiny` are kept: of simulation, and of synthesis."""
    tiny = Model("rs_tiny", sources.read(tree / "hw" / "tiny" / "tiny.f"), {"Width": 8}, harness=PORTS)
    models = {"core": core.model(designs.load("rise-1")), "tiny": tiny}
    return {
        name: (model.key(), elaboration_key(model.top, model.sources, model.parameters))
        for name, model in models.items()
    }


@pytest.mark.parametrize(
    ("file", "concerned"),
    [
        ("hw/tiny/rtl/rs_tiny.sv", {"tiny"}),
        ("hw/core/rtl/rs_core.sv", {"core"}),
        ("hw/keccak/rtl/rs_keccak.sv", {"core"}),
        ("hw/common/rtl/rs_pkg.sv", {"core", "tiny"}),
        ("hw/lonely/rtl/rs_lonely.sv", set()),
        ("hw/README.md", set()),
        ("sim/README.md", set()),
    ],
)
def test_a_change_concerns_the_models_that_hold_the_file(tree: Path, file: str, concerned: set[str]) -> None:
    before = keys(tree)
    with (tree / file).open("a") as changed:
        changed.write("\n// touched\n")
    after = keys(tree)
    for kind in (0, 1):  # simulation, synthesis
        assert {name for name in before if before[name][kind] != after[name][kind]} == concerned


@pytest.mark.parametrize(
    ("file", "concerned"),
    [("core.cpp", {"core"}), ("axi_memory.h", {"core"}), ("harness.cpp", {"tiny"}), ("model.h", {"core", "tiny"})],
)
def test_so_does_a_change_of_the_harness(tree: Path, file: str, concerned: set[str]) -> None:
    before = keys(tree)
    with (tree / "sim" / file).open("a") as changed:
        changed.write("\n// touched\n")
    after = keys(tree)
    assert {name for name in before if before[name][0] != after[name][0]} == concerned
    assert {name: key[1] for name, key in before.items()} == {name: key[1] for name, key in after.items()}


def test_rtl_in_order(ringside: CommandLine, tree: Path) -> None:
    wanted = [str(path) for path in sources.of_core(tree)]
    assert ringside("designs", "rise-4", "--rtl").ends(0).out.splitlines() == wanted
    found = ringside("designs", "rise-4", "--rtl", "--json").json
    assert found["files"] == wanted
    assert (found["top"], found["parameters"]["Lanes"]) == ("rs_core", 4)
    ringside("designs", "--rtl").ends(2, "needs a design")
