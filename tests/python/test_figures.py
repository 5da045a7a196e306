# SPDX-License-Identifier: Apache-2.0
"""The ledger of our figures: questions, what answers are made from, the file, figures in pages, `ringside figures`."""

from __future__ import annotations

import dataclasses
import inspect
import json
import multiprocessing
import shutil
import time
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside.cli import cycles as cli_cycles
from ringside.cli import figures as cli_figures
from ringside.cli import soc as cli_soc
from ringside.cli import synth as cli_synth
from ringside.cycles.system import Count, System
from ringside.engines import designs
from ringside.errors import DeviceError, FileError, ParameterError
from ringside.figures import answers, content, ledger, markers, systems
from ringside.figures.answers import NotMeasuredError
from ringside.figures.ledger import REFUSED, Books, Ledger, Row, State
from ringside.figures.questions import (
    KINDS,
    Asic,
    Batch,
    Bench,
    Decryptions,
    Energy,
    Frames,
    Processor,
    ProcessorPower,
    Query,
    Simulation,
    SocRun,
    Synthesis,
    as_dict,
    from_dict,
    parse,
)
from ringside.figures.tables import TABLES
from ringside.sim.verilate import SimulationError
from ringside.soc import build

ROOT = Path(__file__).resolve().parents[2]
NTT = Simulation("rise-32", "ntt", 1024)
QUESTIONS: tuple[Query, ...] = (
    NTT,
    Simulation("rise-1", "encrypt-pk-direct", 16384, 13, 36),
    Frames("rise-32e", "encode-encrypt-sk", 4096, 2, 28),
    Batch("lee2023", "lee-13"),
    Batch("lee2023", "lee-13", 4),
    Decryptions("ringside-stream", "lee-14", 8),
    Synthesis("rise-1"),
    Synthesis("lee2023", "xcu250"),
    Asic("rise-4"),
    Energy("rise-4"),
    SocRun("none", "encrypt-pk-direct", 1024, 1),
    SocRun("rise-4e", "encode-encrypt-sk", 4096, 3, 28, 60, 4, True),
    Processor(),
    ProcessorPower("decrypt"),
    Bench("lee-12", "encrypt_encode_full", "ringside"),
)
FIGURES: Mapping[str, Any] = {"cycles": 1492, "compute": 814, "ratio": 1.0596}


def row(question: Query = NTT, figures: Mapping[str, Any] = FIGURES, **made_from: str) -> Row:
    return Row(question, figures, made_from, "0.9.0", "2026-01-31")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Stands for what answers are made from today; all alike."""
    today = {"rtl": "a", "design": "b"}
    monkeypatch.setattr(content, "of", lambda question: dict(today))
    return today


@pytest.fixture
def fresh_hashes() -> Iterator[Callable[[], None]]:
    """Forgets hashes: a process takes its sources as they were when it first looked."""

    def forget() -> None:
        for one in vars(content).values():
            if callable(clear := getattr(one, "cache_clear", None)):
                clear()

    forget()
    yield forget
    forget()


# ---- questions ------------------------------------------------------------------------------------------------------
def test_every_kind_of_question_is_tried() -> None:
    assert {type(question) for question in QUESTIONS} == set(KINDS.values())


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_question_comes_back_from_text(question: Query) -> None:
    assert from_dict(json.loads(json.dumps(as_dict(question)))) == question
    if not isinstance(question, Bench):
        assert parse(question.command) == question
        assert parse(f"{question.command} --json") == question
    assert set(question.CAVEATS) | set(question.MODELLED) <= set(question.UNITS)
    assert question.source


def test_no_two_questions_have_one_place() -> None:
    others = [
        dataclasses.replace(NTT, **change) for change in ({"n": 2048}, {"limbs": 2}, {"bits": 28}, {"op": "intt"})
    ]
    every = [*QUESTIONS, *others, Synthesis("lee2023", "xcu250", "rs_stream_ntt")]
    assert len({ledger.key(question) for question in every}) == len(every)


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    found = inspect.signature(function).parameters.values()
    return {one.name: getattr(one.default, "value", one.default) for one in found}


def test_a_command_without_options_has_its_own_defaults() -> None:
    """Those of the command line: else an answer would stand under another question's name."""
    found = defaults(cli_cycles.cycles)
    assert parse("ringside cycles rise-1") == Simulation(
        "rise-1", *(found[name] for name in ("op", "n", "limbs", "bits"))
    )
    assert found["frames"] == 1
    assert not found["params"]
    found = defaults(cli_soc.run)
    asked = parse("ringside soc run rise-1")
    assert isinstance(asked, SocRun)
    values = dataclasses.asdict(asked)
    assert values.pop("design") == "rise-1"
    assert values == {name: found[name] for name in values}
    found = defaults(cli_soc.energy)
    assert parse("ringside soc energy") == ProcessorPower(found["op"])
    assert {name: found[name] for name in ProcessorPower.SIZE} == ProcessorPower.SIZE
    assert parse("ringside soc area") == parse(f"ringside soc area --target {defaults(cli_soc.area)['target']}")
    assert parse("ringside soc energy") == parse(f"ringside soc energy --target {found['target']}")
    found = defaults(cli_synth.synth)
    assert (found["target"] or cli_synth.FPGAS[0], found["device"], found["energy"]) == ("xc7", "", True)
    assert parse("ringside synth rise-1") == Synthesis("rise-1")
    assert parse("ringside synth rise-1 --target osu018") == Energy("rise-1")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "make bench",
        "ringside",
        "ringside report",
        "ringside cycles",
        "ringside cycles rise-1 rise-2",
        "ringside cycles rise-1 --frames 3",
        "ringside cycles rise-1 --n many",
        "ringside cycles rise-1 --n",
        "ringside cycles rise-1 --op=ntt",
        "ringside cycles rise-1 --overlap",
        "ringside cycles rise-1 -o file",
        "ringside cycles lee2023 --op ntt --params lee-13",
        "ringside cycles 'rise-1",
        "ringside soc run rise-1 --waves run.vcd",
        "ringside soc energy --op decrypt --n 2048",
        "ringside soc energy --target nangate45",
        "ringside synth rise-1 --target ecp5",
        "ringside synth rise-1 --target xc7 --device xc7vx690t",
        "ringside synth rise-1 --target xc7 --no-energy",
        "ringside synth rise-1 --target osu018 --device xcu250",
    ],
)
def test_other_commands_are_refused(command: str) -> None:
    with pytest.raises(ParameterError, match="is not a command whose figures are recorded") as refused:
        parse(command)
    assert "ringside figures list" in refused.value.hint


# ---- what answers are made from --------------------------------------------------------------------------------------
SOURCE = """\
// what it does
module m (input a); /* here
   and there */
  localparam X = 5;   // five
  initial $display("http://x /* kept */");  // said
  assign c = x == '"' ? f(a, /* none */ b) : "y"; // the "end"
endmodule
"""


def test_comments_and_spaces_are_no_words() -> None:
    """Each way in which a comment stands in our sources, taken away, gives the same words."""
    bare = """\
module m (input a);
 localparam X = 5;

 initial $display("http://x /* kept */");
 assign c = x == '"' ? f(a, b) : "y";
endmodule"""
    assert content.words(SOURCE) == content.words(bare)
    for old, new in {
        "X = 5": "X = 6",
        "http://x": "http://y",
        "/* kept */": "/* still */",
        "http://x /": "http://x  /",
        '"y"': '"z"',
        "localparam X": "localparamX",
    }.items():
        assert content.words(bare.replace(old, new)) != content.words(bare), old


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a = b;", "a = b; // c\n"),
        ("a = b;", "/* c */ a = b;"),
        ("f(a)", "f(a /* c */)"),
        ("int a;", "int /* c */ a;"),
        ("a\nb", "a // c // d\n  /* e */ b"),
        ("x = '\\'';", "x = '\\''; // \"it's\""),
        ("logic [7:0] x = 8'hff;", "logic [7:0] x = 8'hff; // 8'h\""),
    ],
)
def test_words_of_a_line(text: str, same: str) -> None:
    assert content.words(text) == content.words(same)


def test_what_stands_in_a_string_is_no_comment() -> None:
    for text in ('a = "//" + b;', 'a = "/*" + b + "*/";', 'a = "\\"//" + b;', 'x = \'"\' + "//" + b;'):
        assert "b" in content.words(text)
        assert content.words(text) != content.words(text.replace("b", "c"))
    assert content.words("a + +b") != content.words("a ++b")


MODULE = '''\
# SPDX-License-Identifier: Apache-2.0
"""About it."""

X = 5  # five
NAME = "# no comment // nor this"


class C:
    """A class."""

    def f(self) -> None:
        """It does nothing."""
'''


def test_comments_and_docstrings_are_no_statements() -> None:
    bare = 'X = 5\nNAME = "# no comment // nor this"\nclass C:\n    def f(self) -> None:\n        "Other text."\n'
    assert content.statements(MODULE) == content.statements(bare)
    for old, new in {"X = 5": "X = 6", "# no": "# a", "def f": "def g", "None": "int"}.items():
        assert content.statements(MODULE.replace(old, new)) != content.statements(MODULE), old
    texts = ("return None", "return", "return 0", "return ''", "return []", "return (yield)")
    assert len({content.statements(f"def f():\n    {text}\n") for text in texts}) == len(texts)
    # fields that newer versions of Python add, empty in these sources, do not show
    assert "type_params" not in content.statements("def f(): return 1\n")
    assert content.statements("def f(): return 1\n") == (
        "Module(body=[FunctionDef(name='f',args=arguments(),body=[Return(value=Constant(value=1))])])"
    )


CORE = {"design", "rtl"}
PARTS: Mapping[type[Any], set[str]] = {
    Simulation: CORE | {"driver", "simulator", "measuring"},
    Frames: CORE | {"driver", "simulator", "measuring"},
    Batch: CORE | {"driver", "simulator", "measuring"},
    Decryptions: CORE | {"driver", "simulator", "measuring"},
    Synthesis: CORE | {"synthesis"},
    Asic: CORE | {"synthesis", "cells"},
    Energy: CORE | {"synthesis", "cells", "driver", "simulator"},
    Processor: {"processor", "synthesis", "cells"},
    ProcessorPower: {"processor", "synthesis", "cells", "firmware", "system"},
    Bench: {"library"},
}
OF_HERE = ("firmware", "_synthesis", "_cells")  # what needs tools


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]) -> None:
    for name in OF_HERE:
        monkeypatch.setattr(content, name, lambda name=name: f"of {name}")


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_parts_of_an_answer(question: Query, without_tools: None) -> None:
    found = content.of(question)
    system = {"firmware", "system", "measuring"}
    wanted = PARTS.get(type(question)) or (system if getattr(question, "design", "") == "none" else CORE | system)
    assert set(found) == wanted
    assert all(found.values())


def test_what_needs_tools_is_not_known_without_them(
    monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None], tmp_path: Path
) -> None:
    """Such a row is neither fresh nor old."""
    monkeypatch.setattr(content.yosys, "version", lambda: None)
    assert row(Synthesis("rise-1")).state() is State.unknown
    monkeypatch.setattr(build, "firmware_place", lambda: tmp_path / "firmware.elf")
    assert row(SocRun("none", "decrypt", 1024, 1)).state() is State.unknown
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    with pytest.raises(SimulationError, match="source tree"):
        content.of(NTT)
    assert row().state() is State.unknown


def design_file(tmp_path: Path, name: str, old: str, new: str) -> str:
    text = (ROOT / "designs" / f"{name}.toml").read_text(encoding="utf-8")
    assert old in text
    place = tmp_path / f"{name}.toml"
    place.write_text(text.replace(old, new), encoding="utf-8")
    return str(place)


def test_a_parameter_of_a_design_and_a_design_that_is_gone(tmp_path: Path, fresh_hashes: Callable[[], None]) -> None:
    mine = design_file(tmp_path, "rise-4", "lanes = 4 ", "lanes = 4 ")
    known = content.of(Simulation("rise-4", "ntt", 1024))
    assert content.of(Simulation(mine, "ntt", 1024)) == known
    recorded = row(Simulation(mine, "ntt", 1024), **known)
    assert recorded.state() is State.fresh
    design_file(tmp_path, "rise-4", "lanes = 4                 # butterflies", "lanes = 8 # butterflies")
    fresh_hashes()
    assert recorded.changed() == ["design"]
    Path(mine).unlink()
    fresh_hashes()
    assert recorded.changed() == ["design"]
    assert recorded.state() is State.old


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources that hashes are made of, in a folder of an unlucky name."""
    place = tmp_path / "stream" / "tree"
    for name in ("hw", "sim", "lib/src", "lib/include", "soc", "requirements"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("tests", "formal", "tb"))
    monkeypatch.setenv("RINGSIDE_TREE", str(place))
    return place


def append(file: Path, text: str) -> None:
    assert file.is_file()
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("hw/core/rtl/rs_core.sv", {"lane": ["rtl"], "stream": ["rtl"], "synthesis": ["rtl"], "system": ["rtl"]}),
        ("hw/stream/rtl/rs_stream_ntt.sv", {"stream": ["rtl"]}),
        ("sim/core.cpp", {"lane": ["simulator"], "stream": ["simulator"]}),
        ("sim/axi_memory.h", {"lane": ["simulator"], "stream": ["simulator"], "system": ["system"]}),
        ("lib/src/device/program.c", {"lane": ["driver"], "stream": ["driver"], "library": ["library"]}),
        ("lib/include/ringside/ringside.h", {"library": ["library"]}),
        ("soc/top/rs_soc.sv", {"system": ["system"]}),
    ],
)
def test_a_statement_changes_what_it_belongs_to_and_a_comment_nothing(
    file: str, changed: Mapping[str, list[str]], tree: Path, without_tools: None, fresh_hashes: Callable[[], None]
) -> None:
    questions: dict[str, Query] = {
        "lane": NTT,
        "stream": Batch("lee2023", "lee-13"),
        "synthesis": Synthesis("rise-1"),
        "system": SocRun("rise-1", "decrypt", 1024, 1),
        "library": Bench("lee-12", "encrypt_encode_full", "ringside"),
    }
    rows = {name: row(question, **content.of(question)) for name, question in questions.items()}
    place = tree / file
    append(place, "\n// one\n/* and another\n */\n")
    fresh_hashes()
    assert not any(one.changed() for one in rows.values())
    append(place, "int rs_more = 5;\n")
    fresh_hashes()
    assert {name: found for name, one in rows.items() if (found := one.changed())} == changed


def test_a_package_that_rocket_comes_from(tree: Path, without_tools: None, fresh_hashes: Callable[[], None]) -> None:
    known = row(Processor(), **content.of(Processor()))
    (pins,) = (file for file in (tree / "requirements").glob("*.txt") if "pythondata-cpu-rocket==" in file.read_text())
    append(pins, "other==1\n")
    fresh_hashes()
    assert known.changed() == []
    pins.write_text(pins.read_text().replace("pythondata-cpu-rocket==", "pythondata-cpu-rocket==9"))
    fresh_hashes()
    assert known.changed() == ["processor"]


def test_the_modules_that_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]
) -> None:
    """A comment in them is none of what they do."""
    for name in ("cycles", "synth"):
        shutil.copytree(content.PACKAGE / name, tmp_path / name)
    monkeypatch.setattr(content, "PACKAGE", tmp_path)
    questions: tuple[Query, ...] = (NTT, Synthesis("rise-1"))
    monkeypatch.setattr(content.yosys, "version", lambda: "0.55")
    rows = [row(question, **content.of(question)) for question in questions]
    for name in ("cycles/operation.py", "synth/parts.py"):
        append(tmp_path / name, "\n# said\n")
    fresh_hashes()
    assert [one.changed() for one in rows] == [[], []]
    append(tmp_path / "cycles" / "streaming.py", "\nMORE = 1\n")
    fresh_hashes()
    assert [one.changed() for one in rows] == [["measuring"], []]
    append(tmp_path / "synth" / "parts.py", "\nMORE = 1\n")
    fresh_hashes()
    assert rows[1].changed() == ["synthesis"]
    monkeypatch.setattr(content.yosys, "version", lambda: "0.56")
    fresh_hashes()
    assert content.of(questions[1])["synthesis"] not in rows[1].made_from.values()


@pytest.mark.slow  # half a minute: it compiles the firmware three times
def test_the_firmware_is_its_instructions_and_constants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]
) -> None:
    """Another folder and a comment leave its hash; another constant does not. Old rows of the SoC mean hours of simulation."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))

    def copied(name: str) -> Path:
        place = tmp_path / name
        for one in ("lib", "soc"):
            shutil.copytree(ROOT / one, place / one)
        for one in ("CMakeLists.txt", "pyproject.toml"):
            shutil.copy(ROOT / one, place / one)
        return place

    def hashed(place: Path) -> str:
        fresh_hashes()
        monkeypatch.setenv("RINGSIDE_TREE", str(place))
        try:
            build.firmware()
        except SimulationError as error:
            if "is missing" in str(error):
                pytest.skip(str(error))
            raise
        return content.firmware()

    first, second = copied("one"), copied("a-folder-with-another-name")
    source = second / "soc" / "firmware" / "firmware.c"
    text = source.read_text(encoding="utf-8")
    head, first_include, rest = text.partition("#include")
    assert first_include
    # lines move, too
    source.write_text(f"{head}/* said\n   at length */\n{first_include}{rest} // at the end\n", encoding="utf-8")
    known = hashed(first)
    assert hashed(second) == known
    job = second / "soc" / "firmware" / "job.h"
    text = job.read_text(encoding="utf-8")
    assert "0x34626f6a636f7372ull" in text
    job.write_text(text.replace("0x34626f6a636f7372ull", "0x34626f6a636f7373ull"), encoding="utf-8")
    assert hashed(second) != known
