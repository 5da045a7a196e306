# SPDX-License-Identifier: Apache-2.0
"""What messages advise works: commands that install, the source tree, the word that was meant."""

import ast
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from asserting import raises, some
from cli_runner import CommandLine
from ringside import hints
from ringside.cli import doctor
from ringside.hints import did_you_mean
from ringside.sim.verilate import SimulationError
from ringside.soc import build
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_pip_is_given_what_an_extra_lists(extra: str) -> None:
    command = some(re.search(r"`pip install (.*?)`", hints.install(extra)))
    named = {str(Requirement(word)) for word in shlex.split(command[1])}
    assert named == {str(Requirement(word)) for word in PROJECT["optional-dependencies"][extra]}


def _advised() -> set[tuple[str, str]]:
    """Extras and targets of `make` that the package's code hands to hints.install, and those of `ringside doctor`."""
    found = {(extra, target) for extra, (_, target) in doctor.EXTRAS.items()}
    for file in (ROOT / "py").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "install":
                words = [one.value for one in node.args if isinstance(one, ast.Constant)]
                if len(words) == len(node.args) > 0:
                    found.add((str(words[0]), str(words[1]) if len(words) > 1 else "hardware"))
    return found


@pytest.mark.parametrize(("extra", "target"), sorted(_advised()))
def test_a_target_of_make_brings_what_the_extra_lists(extra: str, target: str) -> None:
    pins: dict[str, str] = {}
    for name in script("setup").GROUPS[target].requirements:
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        pins |= dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))
    for line in PROJECT["optional-dependencies"][extra]:
        wanted = Requirement(line)
        assert wanted.name in pins, f"`make {target}` does not bring {wanted.name}"
        assert pins[wanted.name] in wanted.specifier


def test_doctor_knows_every_extra() -> None:
    assert set(doctor.EXTRAS) == set(PROJECT["optional-dependencies"])


def test_no_message_names_a_package_that_no_index_has() -> None:
    files = [*(ROOT / "py").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    assert [str(file) for file in files if "ringside-he[" in file.read_text(encoding="utf-8")] == []


def test_without_the_tree_a_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who has installed a wheel has no tree that RINGSIDE_TREE could name."""
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    raises(SimulationError, "clone Ringside's repository", build.source_tree)
    (tmp_path / "soc" / "firmware").mkdir(parents=True)
    (tmp_path / "soc" / "firmware" / "firmware.c").touch()
    assert build.source_tree() == tmp_path


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("params lee12", "lee-12"),
        ("keygen --out x --params Lee-14x", "lee-14"),
        ("build rise4", "rise-4"),
        ("encrypt --keys x --device sim:rise-4ee x y", "rise-4e"),
        ("synth rise-1 --target xc77", "xc7"),
        ("synth rise-1 --target ecp5 --device lfe5u-85", "lfe5u-85f"),
        ("cycles rise-4 --op encrypt_sk", "encrypt-sk"),
        ("soc run rise-4 --op decript", "decrypt"),
        ("report --paper ris --output x", "rise"),
        ("keyge", "keygen"),
        ("soc rum", "run"),
    ],
)
def test_a_misspelt_word_is_told_with_the_one_that_was_meant(
    ringside: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, meant: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ringside(*command.split())
    assert done.code in (2, 3)
    assert done.err.count(f"Did you mean '{meant}'?") == 1, done.err
    assert "?." not in done.err
    assert list(tmp_path.iterdir()) == []


def test_what_is_like_nothing_known_is_not_guessed(ringside: CommandLine) -> None:
    assert "Did you mean" not in ringside("params", "xyz").err


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("nope", "newhope", ""),
        ("lee-99", "lee-16", ""),
        ("jpg", "png", ""),
        ("lee14", "lee-14", "lee-14"),
        ("Newhop", "newhope", "newhope"),
        ("encrypt", "decrypt encrypt-pk", "encrypt-pk"),
        ("lee", "lee-14", ""),
    ],
)
def test_only_a_near_word_is_meant(word: str, known: str, meant: str) -> None:
    assert did_you_mean(word, known.split(), "Then.") == (f"Did you mean {meant!r}? Then." if meant else "Then.")
