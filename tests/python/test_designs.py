# SPDX-License-Identifier: Apache-2.0
"""Named designs: files and their checks."""

import importlib
import importlib.metadata
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asserting import raises, written
from cli_runner import CommandLine
from ringside import designs
from ringside.designs.rules import broken, problems
from ringside.errors import ParameterError
from ringside.explore.search.journal import key_of

GOOD = """
[design]
name = "mine"
source = "test"
[core]
lanes = 2
word_bits = 32
log_n_max = 11
bank_groups = 2
contexts = 1
twiddles = "stored"
[sampler]
slots = 1
lanes = 2
keccak_cores = 1
ternary_bytes = 1
[expand]
present = true
[dma]
bus_bits = 64
outstanding = 8
[sequencer]
program_depth = 512
"""


def write(folder: Path, text: str) -> str:
    path = written(folder / "mine.toml", text)
    return str(path)


def test_named_designs_load() -> None:
    assert [name for name in designs.names() if name.startswith("rise-")] == [
        f"rise-{lanes}" for lanes in ("1", "2", "4", "8", "16", "32", "32e", "4e")
    ]
    for name in designs.names():
        design = designs.load(name)
        assert design.name == name
        assert design.source


def test_every_named_design_says_its_status() -> None:
    """A file of somebody else need not, and is research. Neither the RTL nor a figure depends on it."""
    for name in designs.names():
        assert re.search(
            r'^status = "(supported|research)"$', (designs.FOLDER / f"{name}.toml").read_text(), re.MULTILINE
        ), name
    assert set(designs.supported()) == {"rise-4", "aloha-he", "pqc-4", "pqc-4s"}
    one = designs.load("rise-4")
    other = replace(one, status="research")
    assert (one.owned, one.parameters) == (other.owned, other.parameters)
    keys = {key_of("rtl", asdict(design), {}, "") for design in (one, other)}
    assert len(keys) == 1


def test_the_list_of_designs_has_their_status(ringside: CommandLine) -> None:
    found = {one["name"]: one["status"] for one in ringside("designs", "--json").json}
    assert {name for name, status in found.items() if status == "supported"} == set(designs.supported())
    assert "supported" in ringside("designs", "rise-4").out
    assert "research" in ringside("designs", "rise-1").out


def test_a_file_becomes_a_design_and_parameters(tmp_path: Path) -> None:
    design = designs.load(write(tmp_path, GOOD))
    assert (design.lanes, design.sample_lanes, design.expand) == (2, 2, True)
    assert (design.chunk, design.log_n_min) == (2, 10)
    parameters = design.parameters
    assert parameters["OnTheFly"] == 0
    assert parameters["Expand"] == 1
    wide = designs.load(
        write(tmp_path, GOOD.replace("bus_bits = 64", "bus_bits = 512").replace('"stored"', '"on_the_fly"'))
    )
    assert wide.chunk == 8  # four words per lane
    assert wide.parameters["OnTheFly"] == 1


def test_a_streaming_unit(tmp_path: Path) -> None:
    assert "StreamLanes" not in designs.load(write(tmp_path, GOOD)).parameters
    text = GOOD.replace("slots = 1", "slots = 6").replace("bus_bits = 64", "bus_bits = 512") + "[stream]\nlanes = 2\n"
    design = designs.load(write(tmp_path, text))
    assert (design.stream_lanes, design.parameters["StreamLanes"]) == (2, 2)
    assert design.ports == 1
    assert "AxiPorts" not in design.parameters
    assert designs.load(write(tmp_path, text + "ports = 2\n")).parameters["AxiPorts"] == 2


def test_smaller_rings(tmp_path: Path) -> None:
    design = designs.load(write(tmp_path, GOOD.replace("log_n_max = 11", "log_n_max = 11\nlog_n_min = 9")))
    assert (design.log_n_min, design.parameters["LogNMin"]) == (9, 9)
    many = GOOD.replace("lanes = 2\nword", "lanes = 128\nword").replace("bus_bits = 64", "bus_bits = 512")
    assert designs.load(write(tmp_path, many)).log_n_min == 11


def test_parts_that_are_not_there_need_no_more_keys(tmp_path: Path) -> None:
    text = GOOD.replace("slots = 1\nlanes = 2\nkeccak_cores = 1\nternary_bytes = 1\n", "slots = 0\n")
    text = text.replace("present = true", "present = false")
    design = designs.load(write(tmp_path, text))
    assert (design.slots, design.expand, design.parameters["Slots"]) == (0, False, 0)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("lanes = 2", "lanes = 3", "power of two"),
        ("lanes = 2", "lanes = 512", "power of two"),
        ("lanes = 2", "lanes = true", "whole number"),
        ("lanes = 2\nword", "word", "\\[core\\] lanes is missing: it must be given as a whole number"),
        ("word_bits = 32", "word_bits = 15", "16 to 64"),
        ("word_bits = 32", "word_bits = 65", "16 to 64"),
        ("word_bits = 32", 'word_bits = 32\nreduction = "wlm"', r"\[core\] has unknown keys: reduction"),
        ("log_n_max = 11", "log_n_max = 9", "10 to 17"),
        ("log_n_max = 11", "log_n_max = 18", "10 to 17"),
        ("log_n_max = 11", "log_n_max = 11\nlog_n_min = 8", r"log_n_min must be 9 to 17 with 2 lanes and \[expand\]"),
        ("log_n_max = 11", "log_n_max = 11\nlog_n_min = 12", "log_n_max must be 12 to 17"),
        ("log_n_max = 11", "log_n_max = 11\nspeed = 9", r"unknown keys: speed\.$"),
        ("lanes = 2\nword", "lane = 2\nword", r"\[core\] has unknown keys: lane\. Did you mean 'lanes'\?"),
        ("[sequencer]", "[sequencr]", r"unknown tables: sequencr\. Did you mean 'sequencer'\?"),
        ("bank_groups = 2", "bank_groups = 1", "bank_groups must be 2 to 16"),
        ("bank_groups = 2", "bank_groups = 17", "bank_groups must be 2 to 16"),
        ("contexts = 1", "contexts = 5", "contexts must be 1 to 4"),
        ('"stored"', '"none"', "twiddles must be one of stored, on_the_fly"),
        ("slots = 1", "slots = 7", "slots must be 0 to 6"),
        ("[sequencer]", "[stream]\nlanes = 3\n[sequencer]", r"\[stream\] lanes must be one of 2, 4, 8, got 3"),
        ("[sequencer]", "[stream]\nlanes = 2\n[sequencer]", r"at least 3 and bus_bits = 512, got 1 and 64"),
        ("[sequencer]", "[stream]\nlanes = 2\nports = 3\n[sequencer]", r"\[stream\] ports must be 1 to 2, got 3"),
        ("[sequencer]", "[stream]\nports = 2\n[sequencer]", r"\[stream\] ports needs lanes"),
        (
            "slots = 1\nlanes = 2",
            "slots = 1\nlanes = 4",
            r"\[sampler\] lanes must be a power of two, 1 to 2 .*bus_bits = 64",
        ),
        ("keccak_cores = 1", "keccak_cores = 0", "keccak_cores must be 1 to 16"),
        ("present = true", "present = true\ndivision_steps = 2", r"\[expand\] division_steps must be 3 to 16; 0: mult"),
        ("present = true", "present = true\nwords = 2\ndivision_steps = 6", "division_steps needs words = 1"),
        ("ternary_bytes = 1", "ternary_bytes = 3", "ternary_bytes must be one of 1, 2, 4, 8"),
        ("present = true", "present = 1", "present must be given as true or false"),
        ("bus_bits = 64", "bus_bits = 32", "bus_bits must be a power of two, 64 to 512"),
        ("bus_bits = 64", "bus_bits = 192", "bus_bits must be a power of two"),
        ("outstanding = 8", "outstanding = 3", "outstanding must be 4 to 256"),
        ("outstanding = 8", "outstanding = 8\nburst_lines = 3", "burst_lines must be"),
        ("outstanding = 8", "outstanding = 8\nshort = true", "short needs burst_lines of 2 or 4, got 1"),
        ("program_depth = 512", "program_depth = 63", "program_depth must be 64 to 2048"),
        ("[dma]", "[other]\n[dma]", "unknown tables: other"),
        ('"test"', "4", r"\[design\] source must be given as a text, got 4"),
        (
            "[dma]\nbus_bits = 64\noutstanding = 8\n",
            "",
            r"the section \[dma\] is missing: it has bus_bits, outstanding",
        ),
        ("lanes = 2\nword", f"lanes = {10**30}\nword", r"\[core\] lanes must be below 2\^31"),
        ("[core]", "core", "Cannot read"),
        ("[core]", "[[core]]", "table"),
    ],
)
def test_bad_design_files(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert GOOD.count(old) >= 1
    raises(ParameterError, words, designs.load, write(tmp_path, GOOD.replace(old, new, 1)))


ELEVEN = "`encode` needs words whose width is no multiple of 11 bits"
FOLDED = "a folded Keccak core is the only one, with one word per cycle"


# Changes of GOOD with the rule that they break: the sentence of a file and the reason of an exploration come from the same rule.
@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"lanes": 3}, "lanes", "lanes must be a power of two"),
        ({"stream_factor": True}, "`stream_factor` needs one lane and two residues per beat", "got 2 and 2"),
        ({"encode": True, "twiddles": "on_the_fly"}, "`encode` needs stored twiddles", 'got "on_the_fly"'),
        ({"encode": True, "slots": 0}, "`encode` needs a sampler and words of 24 bits or more", "slots = 0 and word_b"),
        ({"encode": True, "word_bits": 54, "sample_lanes": 1}, "`encode` needs two residues per beat", "54-bit words"),
        *(
            ({"encode": True, "word_bits": bits, "bus_bits": 256}, ELEVEN, f"does not divide, got {bits}")
            for bits in (33, 44, 55)
        ),
        ({"slices": 4, "twiddles": "on_the_fly"}, "`slices` need stored twiddles", "would begin anew in each slice"),
        ({"slices": 3}, "slices", "slices must be a power of two, 1 to 64, got 3"),
        ({"stream_lanes": 2, "slots": 3}, "the streaming unit needs 3 slots and a bus of 512 bits", "got 3 and 64"),
        ({"ports": 2}, "a second port needs the streaming unit", "ports needs lanes"),
        ({"ternary_bytes": 8}, "`ternary_bytes` divides 6 per lane of the sampler", "per lane, got 8 with 2 lanes"),
        ({"keccak_slices": 16, "keccak_cores": 2}, FOLDED, "needs keccak_cores = 1"),
        ({"expand_steps": 6, "expand_words": 2}, "`division_steps` needs one word per cycle", "needs words = 1, got 2"),
        ({"keccak": "shared", "slots": 0}, "a shared Keccak core needs a sampler", "slots is 0"),
        ({"keccak": "shared", "expand_words": 2}, "shared Keccak cores are one per word of EXPAND", "at most keccak_c"),
        ({"keccak_slices": 16}, "a folded Keccak core is shared", 'needs [expand] keccak = "shared"'),
        ({"reducers": 2}, "reducers", "a power of two, 1 to 1, or 0, got 2"),
        ({"slots": 0, "sample_lanes": 7, "ternary_bytes": 0}, "", ""),  # sizes of a part that is not there
    ],
)
def test_rules_hold_for_files_and_for_arrays(tmp_path: Path, changes: dict[str, Any], reason: str, words: str) -> None:
    good = designs.load(write(tmp_path, GOOD))
    assert words in next(problems(replace(good, **changes)), "")
    arrays = {name: np.array([getattr(good, name), value]) for name, value in changes.items()}
    assert broken(good, **arrays).tolist() == ["", reason]


def test_an_exploration_asks_for_many_at_once() -> None:
    lanes, bus = np.array([1, 2, 3, 4, 512]), np.array([[64], [96], [512]])
    found = broken(designs.load("rise-2"), lanes=lanes, bus_bits=bus)
    assert found.shape == (3, 5)
    some = [True, True, False, True, False]
    assert [[name == "" for name in row] for row in found.tolist()] == [some, [False] * 5, some]
    assert set(found[1].tolist()) == {"bus_bits", "lanes"}
    for name in designs.names():
        assert broken(designs.load(name)).item() == ""
    raises(TypeError, r"has no lane$", broken, designs.load("rise-1"), lane=lanes)


def test_design_list(ringside: CommandLine) -> None:
    done = ringside("designs", "--json").ends(0)
    by_name = {design["name"]: design for design in done.json}
    assert by_name["rise-32"]["lanes"] == 32
    assert by_name["race"]["slots"] == 0
    ringside("designs").ends(0).shows("rise-32")


def test_encode_wants_two_residues_per_beat(tmp_path: Path) -> None:
    text = (designs.FOLDER / "aloha-he.toml").read_text(encoding="utf-8")
    narrow = text.replace("bus_bits = 128", "bus_bits = 64").replace("lanes = 2  ", "lanes = 1  ")
    with pytest.raises(ParameterError, match="encode needs two words of a residue per beat, got bus_bits = 64 with 54"):
        designs.load(write(tmp_path, narrow))


def test_data_of_the_package_are_no_modules() -> None:
    """A folder without __init__.py is an empty module to Python, if its name can be one's: `import ringside.designs` gave such a one when the files of designs were in it."""
    files = [Path(str(file)) for file in importlib.metadata.files("ringside-he") or [] if file.parts[0] == "ringside"]
    packages = {file.parent for file in files if file.name == "__init__.py"}
    assert Path("ringside/designs") in packages
    for file in files:
        outside = [folder for folder in file.parents if folder.parts and folder not in packages]
        assert not outside or not outside[-1].name.isidentifier() or outside[-1].name == "__pycache__", file
    assert importlib.import_module("ringside.designs").load is designs.load
