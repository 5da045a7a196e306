# SPDX-License-Identifier: Apache-2.0
"""Engines: their lists of sources, which models a change of a file concerns, and the field `engine` of design files."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import ringside as rs
from cli_runner import CommandLine
from ringside.engines import designs, file_list
from ringside.engines.core import ENGINE as CORE
from ringside.engines.engine import Design, Engine
from ringside.engines.registry import ENGINES
from ringside.sim import core
from ringside.sim.verilate import PORTS, verilator_root
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
    files = file_list.read(own / f"{block}.f")
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
    done = subprocess.run(
        [*map(str, command), "-F", str(HW / "core" / "core.f")],
        cwd=tmp_path,
        env={"VERILATOR_ROOT": str(root)},
        capture_output=True,
        text=True,
    )
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
    with pytest.raises(rs.FileError, match=re.escape(message)):
        file_list.read(tmp_path / "a.f")


# ---- models ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class TinyDesign(Design):
    engine = "tiny"
    columns = ("design", "width", "source")
    width: int

    @property
    def parameters(self) -> dict[str, int]:
        return {"Width": self.width}

    @property
    def row(self) -> tuple[str, ...]:
        return (self.name, str(self.width), self.source)


def parse(path: Path, tables: dict[str, Any]) -> TinyDesign:
    return TinyDesign(**tables["design"], **tables["tiny"])


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources with a second engine, which shares the block `common`, and a block of no engine."""
    for name in ("hw", "sim"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("tb", "formal", "__pycache__"))
    shutil.copytree(
        ROOT / "lib" / "include", tmp_path / "lib" / "include"
    )  # the core's harness reads its registers' places
    for block in ("tiny", "lonely"):
        (tmp_path / "hw" / block / "rtl").mkdir(parents=True)
        (tmp_path / "hw" / block / "rtl" / f"rs_{block}.sv").write_text(f"module rs_{block}; endmodule\n")
    (tmp_path / "hw" / "tiny" / "tiny.f").write_text("-F ../common/common.f\nrtl/rs_tiny.sv // the engine\n")
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    engine = Engine("tiny", "for this test", "rs_tiny", "hw/tiny/tiny.f", PORTS, {}, parse)
    monkeypatch.setitem(ENGINES, "tiny", engine)
    return tmp_path


@pytest.fixture
def tiny(tree: Path) -> Path:
    path = tree / "one.toml"
    path.write_text('[design]\nname = "one"\nsource = "test"\nengine = "tiny"\n[tiny]\nwidth = 8\n')
    return path


def keys(tiny: Path) -> dict[str, tuple[str, str]]:
    """Where the models of a design of each engine are kept: of simulation, and of synthesis."""
    found = {}
    for name, file in (("core", "rise-1"), ("tiny", str(tiny))):
        model = core.model(designs.load(file))
        found[name] = (model.key(), elaboration_key(model.top, model.sources, model.parameters))
    return found


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
def test_a_change_concerns_the_engines_that_hold_the_file(
    tree: Path, tiny: Path, file: str, concerned: set[str]
) -> None:
    before = keys(tiny)
    with (tree / file).open("a") as changed:
        changed.write("\n// touched\n")
    after = keys(tiny)
    for kind in (0, 1):  # simulation, synthesis
        assert {name for name in before if before[name][kind] != after[name][kind]} == concerned


@pytest.mark.parametrize(
    ("file", "concerned"),
    [("core.cpp", {"core"}), ("axi_memory.h", {"core"}), ("harness.cpp", {"tiny"}), ("model.h", {"core", "tiny"})],
)
def test_so_does_a_change_of_the_harness(tree: Path, tiny: Path, file: str, concerned: set[str]) -> None:
    before = keys(tiny)
    with (tree / "sim" / file).open("a") as changed:
        changed.write("\n// touched\n")
    after = keys(tiny)
    assert {name for name in before if before[name][0] != after[name][0]} == concerned
    assert {name: key[1] for name, key in before.items()} == {name: key[1] for name, key in after.items()}


# ---- design files and commands --------------------------------------------------------------------------------------
def test_design_files_name_their_engine() -> None:
    for name in designs.names():
        assert f'engine = "{designs.load(name).engine}"' in (ROOT / "designs" / f"{name}.toml").read_text()


def test_without_the_field_it_is_the_core(tmp_path: Path) -> None:
    text = (ROOT / "designs" / "rise-4.toml").read_text()
    (tmp_path / "old.toml").write_text(re.sub(r"engine = .*\n", "", text))
    assert designs.load(str(tmp_path / "old.toml")) == designs.load("rise-4")


@pytest.mark.parametrize("value", ['"stream"', "4", "true"])
def test_unknown_engines_are_refused(tmp_path: Path, value: str) -> None:
    text = (ROOT / "designs" / "rise-4.toml").read_text()
    (tmp_path / "new.toml").write_text(re.sub(r"engine = .*\n", f"engine = {value}\n", text))
    with pytest.raises(rs.ParameterError, match=r"\[design\] engine must be one of core, got"):
        designs.load(str(tmp_path / "new.toml"))


def test_commands_of_the_core_refuse_other_engines(ringside: CommandLine, tiny: Path) -> None:
    for command in (["cycles", tiny], ["program", tiny], ["synth", tiny]):
        done = ringside(*command)
        assert done.code == 3
        assert "one has the engine 'tiny'" in done.err


def test_the_list_shows_every_engine(ringside: CommandLine, tiny: Path) -> None:
    assert [one["engine"] for one in ringside("designs", "--json").json] == ["core"] * len(designs.names())
    assert "width" in ringside("designs", tiny).out
    assert ringside("designs", "rise-4", "--json").json[0]["name"] == "rise-4"


def test_rtl_in_order(ringside: CommandLine, tiny: Path) -> None:
    wanted = [str(path) for path in CORE.sources(tiny.parent)]
    done = ringside("designs", "rise-4", "--rtl")
    assert done.code == 0
    assert done.out.splitlines() == wanted
    found = ringside("designs", "rise-4", "--rtl", "--json").json
    assert found["files"] == wanted
    assert (found["engine"], found["top"], found["parameters"]["Lanes"]) == ("core", "rs_core", 4)
    assert [Path(path).name for path in ringside("designs", tiny, "--rtl").out.splitlines()][-1] == "rs_tiny.sv"
    done = ringside("designs", "--rtl")
    assert done.code == 2
    assert "needs a design" in done.err
