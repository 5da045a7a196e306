# SPDX-License-Identifier: Apache-2.0
"""Named designs: files, checks, and cycles measured on their RTL."""

import json
from pathlib import Path

import pytest

from cli_runner import CommandLine
from ringside import designs
from ringside.errors import ParameterError

GOOD = """
[design]
name = "mine"
source = "test"
[core]
lanes = 2
word_bits = 32
reduction = "barrett"
log_n_max = 11
"""


def test_named_designs_load() -> None:
    assert designs.names()[:6] == ["rise-1", "rise-2", "rise-4", "rise-8", "rise-16", "rise-32"]
    for name in designs.names():
        design = designs.load(name)
        assert design.name == name
        assert design.source


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("lanes = 2", "lanes = 3", "power of two"),
        ("lanes = 2", "lanes = 512", "power of two"),
        ("lanes = 2", "lanes = true", "whole number"),
        ("lanes = 2\n", "", "must be given"),
        ("word_bits = 32", "word_bits = 15", "16 to 64"),
        ("word_bits = 32", "word_bits = 65", "16 to 64"),
        ('"barrett"', '"shoup"', "reduction"),
        ("log_n_max = 11", "log_n_max = 9", "10 to 17"),
        ("log_n_max = 11", "log_n_max = 18", "10 to 17"),
        ("log_n_max = 11", "log_n_max = 11\nspeed = 9", "unknown keys: speed"),
        ("[core]", "[other]\n[core]", "unknown tables: other"),
        ("[core]", "core", "Cannot read"),
    ],
)
def test_bad_design_files(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    assert designs.load(str(path)).lanes == 2
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(ParameterError, match=words):
        designs.load(str(path))


def test_design_list(ringside: CommandLine) -> None:
    done = ringside("designs", "--json")
    assert done.code == 0
    assert {"name": "rise-32", "lanes": 32}.items() <= json.loads(done.out)[-1].items()


@pytest.mark.parametrize("op", ["ntt", "intt"])
def test_cycles_are_measured_and_the_result_checked(ringside: CommandLine, tmp_path: Path, op: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    done = ringside("cycles", str(path), "--op", op, "--n", "2048", "--json")
    assert done.code == 0, done.err
    measured = json.loads(done.out)
    assert measured["bound"] == 2048 // 2 * 11 // 2
    assert measured["bound"] < measured["cycles"] <= 1.03 * measured["bound"]
    assert done.out.count("\n") > 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rise-64"], "no design"),
        (["rise-4", "--n", "32768"], "1024 to 16384"),
        (["rise-4", "--n", "512"], "1024 to 16384"),
        (["rise-4", "--n", "1000"], "1024 to 16384"),
        (["rise-4", "--bits", "33"], "32-bit words"),
        (["rise-4", "--bits", "5"], "modulus"),
    ],
)
def test_cycles_refuses(ringside: CommandLine, arguments: list[str], words: str) -> None:
    done = ringside("cycles", *arguments)
    assert done.code == 3
    assert words in done.err
