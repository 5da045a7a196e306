# SPDX-License-Identifier: Apache-2.0
"""Named designs: files and their checks."""

import importlib
import importlib.metadata
from pathlib import Path

import pytest

from cli_runner import CommandLine
from ringside.engines import designs
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
bank_groups = 2
contexts = 1
twiddles = "stored"
[sampler]
slots = 1
lanes = 2
keccak_cores = 1
rounds_per_cycle = 1
ternary_bytes = 1
[expand]
present = true
rounds_per_cycle = 2
[dma]
bus_bits = 64
outstanding = 8
[sequencer]
program_depth = 512
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


def test_named_designs_load() -> None:
    assert [name for name in designs.names() if name.startswith("rise-")] == [
        f"rise-{lanes}" for lanes in ("1", "2", "4", "8", "16", "32", "32e", "4e")
    ]
    for name in designs.names():
        design = designs.load_core(name)
        assert design.name == name
        assert design.source


def test_a_file_becomes_a_design_and_parameters(tmp_path: Path) -> None:
    design = designs.load_core(write(tmp_path, GOOD))
    assert (design.lanes, design.sample_lanes, design.expand, design.expand_rounds) == (2, 2, True, 2)
    assert (design.chunk, design.log_n_min) == (2, 10)
    parameters = design.parameters
    assert parameters["Reduction"] == 0
    assert parameters["OnTheFly"] == 0
    assert parameters["Expand"] == 1
    wide = designs.load_core(
        write(tmp_path, GOOD.replace("bus_bits = 64", "bus_bits = 512").replace('"stored"', '"on_the_fly"'))
    )
    assert wide.chunk == 8  # four words per lane
    assert wide.parameters["OnTheFly"] == 1


def test_a_streaming_unit(tmp_path: Path) -> None:
    assert "StreamLanes" not in designs.load(write(tmp_path, GOOD)).parameters
    text = GOOD.replace("slots = 1", "slots = 6").replace("bus_bits = 64", "bus_bits = 512") + "[stream]\nlanes = 2\n"
    design = designs.load_core(write(tmp_path, text))
    assert (design.stream_lanes, design.parameters["StreamLanes"]) == (2, 2)
    assert design.ports == 1
    assert "AxiPorts" not in design.parameters
    assert designs.load(write(tmp_path, text + "ports = 2\n")).parameters["AxiPorts"] == 2


def test_smaller_rings(tmp_path: Path) -> None:
    design = designs.load_core(write(tmp_path, GOOD.replace("log_n_max = 11", "log_n_max = 11\nlog_n_min = 9")))
    assert (design.log_n_min, design.parameters["LogNMin"]) == (9, 9)
    many = GOOD.replace("lanes = 2\nword", "lanes = 128\nword").replace("bus_bits = 64", "bus_bits = 512")
    assert designs.load_core(write(tmp_path, many)).log_n_min == 11


def test_parts_that_are_not_there_need_no_more_keys(tmp_path: Path) -> None:
    text = GOOD.replace(
        "slots = 1\nlanes = 2\nkeccak_cores = 1\nrounds_per_cycle = 1\nternary_bytes = 1\n", "slots = 0\n"
    )
    text = text.replace("present = true\nrounds_per_cycle = 2", "present = false")
    design = designs.load_core(write(tmp_path, text))
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
        ('"barrett"', '"shoup"', "reduction"),
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
        ("rounds_per_cycle = 1", "rounds_per_cycle = 5", r"\[sampler\] rounds_per_cycle must divide 24"),
        ("rounds_per_cycle = 2", "rounds_per_cycle = 5", r"\[expand\] rounds_per_cycle must divide 24"),
        (
            "rounds_per_cycle = 2",
            "rounds_per_cycle = 2\ndivision_steps = 2",
            r"\[expand\] division_steps must be 3 to 16; 0: multipliers",
        ),
        (
            "rounds_per_cycle = 2",
            "rounds_per_cycle = 2\nwords = 2\ndivision_steps = 6",
            "division_steps needs words = 1",
        ),
        ("ternary_bytes = 1", "ternary_bytes = 3", "ternary_bytes must be one of 1, 2, 4, 8"),
        ("present = true", "present = 1", "present must be given as true or false"),
        ("bus_bits = 64", "bus_bits = 32", "bus_bits must be a power of two, 64 to 512"),
        ("bus_bits = 64", "bus_bits = 192", "bus_bits must be a power of two"),
        ("outstanding = 8", "outstanding = 3", "outstanding must be 4 to 64"),
        ("outstanding = 8", "outstanding = 8\nids = 6", "ids must be a power of two, 1 to 16"),
        ("program_depth = 512", "program_depth = 63", "program_depth must be 64 to 2048"),
        ("[dma]", "[other]\n[dma]", "unknown tables: other"),
        ("[core]", "core", "Cannot read"),
        ("[core]", "[[core]]", "table"),
    ],
)
def test_bad_design_files(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(ParameterError, match=words):
        designs.load(write(tmp_path, GOOD.replace(old, new, 1)))


def test_design_list(ringside: CommandLine) -> None:
    done = ringside("designs", "--json")
    assert done.code == 0
    by_name = {design["name"]: design for design in done.json}
    assert by_name["rise-32"]["lanes"] == 32
    assert by_name["race"]["slots"] == 0
    done = ringside("designs")
    assert done.code == 0
    assert "rise-32" in done.out


def test_encode_wants_two_residues_per_beat(tmp_path: Path) -> None:
    text = (designs.FOLDER / "aloha-he.toml").read_text(encoding="utf-8")
    narrow = text.replace("bus_bits = 128", "bus_bits = 64").replace("lanes = 2  ", "lanes = 1  ")
    with pytest.raises(ParameterError, match="encode needs two words of a residue per beat, got bus_bits = 64 with 54"):
        designs.load(write(tmp_path, narrow))


def test_data_of_the_package_are_no_modules() -> None:
    """A folder without __init__.py is an empty module to Python, if its name can be one's: `import ringside.designs` gave such a one."""
    files = [Path(str(file)) for file in importlib.metadata.files("ringside-he") or [] if file.parts[0] == "ringside"]
    packages = {file.parent for file in files if file.name == "__init__.py"}
    assert Path("ringside/engines") in packages
    for file in files:
        outside = [folder for folder in file.parents if folder.parts and folder not in packages]
        assert not outside or not outside[-1].name.isidentifier() or outside[-1].name == "__pycache__", file
    with pytest.raises(ModuleNotFoundError, match=r"ringside\.designs"):
        importlib.import_module("ringside.designs")
