# SPDX-License-Identifier: Apache-2.0
"""Commands that take long refuse an output that they could not write before they begin, and write into no directory of something else."""

import re
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from asserting import written
from cli_runner import CommandLine

SPACE = Path(__file__).resolve().parents[2] / "designs" / "spaces" / "tiny.toml"

# where each command begins what takes long
WORK = {
    "timeline rise-4 -o": "ringside.cli.hardware.cycles._record",
    "soc report --runs 1 -o": "ringside.figures.systems.missing",
    "soc run rise-4 --waves": "ringside.devices.on_chip.build_soc",
    "decrypt --keys keys in.seal": "ringside.cli.files.decrypt.RealOpening.decrypt",
    "encrypt --keys keys in.npy": "ringside.cli.files.encrypt._encrypt_parts",
    "rtl rise-1 -o": "ringside.rtl.kit.make",
    "report -o": "ringside.report.run.make",
    "demo --out": "ringside.demo.run._run",
    f"explore {SPACE} -o": "ringside.explore.search.run.explore",
    "explore calibrate -o": "ringside.explore.model.calibrate.calibrate",
}
DIRECTORIES = [command for command in WORK if re.match(rf"rtl|report|demo|explore {SPACE}", command)]
NAME = {"timeline": "x.svg", "soc report": "x.png", "soc run": "x.vcd", "decrypt": "x.npy", "encrypt": "x.seal"}


class BegunError(Exception):
    """The work began."""


def begin(*_arguments: Any, **_named: Any) -> NoReturn:
    raise BegunError


@pytest.fixture
def place(tmp_path: Path, keys: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "keys").symlink_to(keys)
    np.save("in.npy", np.ones(3))
    assert ringside("encrypt", "--keys", "keys", "in.npy", "in.seal").code == 0
    Path("file").touch()
    return tmp_path


def name_of(command: str) -> str:
    return next((name for start, name in NAME.items() if command.startswith(start)), "x")


def names(place: Path) -> list[str]:
    return sorted(path.name for path in place.rglob("*"))


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        *((command, folder) for command in WORK for folder in ("file", "/proc")),
        *((command, "missing") for command in WORK if command not in DIRECTORIES and "calibrate" not in command),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_first(
    place: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str, folder: str
) -> None:
    monkeypatch.setattr(WORK[command], begin)
    before = names(place)
    out = f"{folder}/{name_of(command)}"
    ringside(*command.split(), out).ends(4, f"Cannot write {out}")
    assert names(place) == before
    done = ringside(*command.split(), name_of(command))  # this one can be
    assert "BegunError" in done.err
    assert names(place) == before


@pytest.mark.parametrize("command", ["timeline rise-4 -o", "soc report --runs 1 -o", "soc run rise-4 --waves"])
def test_a_suffix_of_no_format_is_refused_first(
    place: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(WORK[command], begin)
    for name in ("x.txt", "x", "-"):
        ringside(*command.split(), name).ends(2, name_of(command)[1:])


@pytest.mark.parametrize("command", DIRECTORIES)
@pytest.mark.parametrize("holds", ["secret.key", "notes.txt"])
def test_a_directory_of_something_else_is_not_written_into(
    place: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str, holds: str
) -> None:
    monkeypatch.setattr(WORK[command], begin)
    written(place / "other" / holds, "mine")
    before = names(place)
    assert "BegunError" not in ringside(*command.split(), "other").ends(4).err
    assert names(place) == before


def test_a_directory_is_no_name_for_a_file_of_numbers(place: Path, ringside: CommandLine) -> None:
    (place / "other").mkdir()
    ringside("explore", "calibrate", "-o", "other").ends(2, "other is a directory")


def test_a_frame_that_cannot_be_is_told_before_its_energy(
    ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ringside.synth.asic.processor.synthesise", begin)
    ringside("soc", "energy", "--n", "1000").ends(3, "power of two")


def test_what_is_no_run_is_not_served(place: Path, ringside: CommandLine) -> None:
    """It waited for a run in any directory, one of keys too."""
    ringside("explore", "serve", "keys", "--port", "0").ends(4, "keys holds no run")


def test_a_demo_that_lies_in_a_directory_of_keys_is_not_made_again(place: Path, ringside: CommandLine) -> None:
    """As earlier versions made them."""
    written(place / "own" / "to-cloud" / "job.json", "{}")
    written(place / "own" / "params.seal", "")
    ringside("demo", "--out", place / "own").ends(4, "is a directory of keys")
