# SPDX-License-Identifier: Apache-2.0
"""The ledger of our figures: questions, what answers are made from, the file, figures in pages, `ringside figures`."""

from __future__ import annotations

import dataclasses
import inspect
import json
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside import designs
from ringside.cli import figures as cli_figures
from ringside.cli.hardware import cycles as cli_cycles
from ringside.cli.hardware import soc as cli_soc
from ringside.cli.hardware import synth as cli_synth
from ringside.cycles.system import Count, System
from ringside.errors import DeviceError, FileError, ParameterError
from ringside.figures import answers, content, former, ledger, markers, netlist, systems
from ringside.figures.answers import NotMeasuredError
from ringside.figures.ledger import REFUSED, Books, Ledger, Row, State
from ringside.figures.questions import (
    KINDS,
    Asic,
    Batch,
    Bench,
    Decryptions,
    Energy,
    Evaluator,
    EvaluatorAes,
    EvaluatorCore,
    Frames,
    Processor,
    ProcessorPower,
    Query,
    SchemeCycles,
    SchemeProfile,
    Simulation,
    SocRun,
    SocScheme,
    Synthesis,
    Transform,
    as_dict,
    from_dict,
    parse,
)
from ringside.figures.tables import TABLES
from ringside.sim.verilate import SimulationError, source_tree
from ringside.soc import build
from ringside.synth import yosys

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
    Transform("newhope", 7, 8),
    SchemeCycles("pqc-4", "ml-kem-768-encaps"),
    SocScheme("pqc-4", "ml-kem-768-encaps", 2),
    SocScheme("none", "ml-dsa-65-sign", 1, 60),
    SchemeProfile("none", "ml-kem-768-encaps"),
    SchemeProfile("newhope", "bliss-sign", 10),
    SocRun("rise-4e", "encode-encrypt-sk", 4096, 3, 28, 60, 4, True),
    Processor(),
    ProcessorPower("decrypt"),
    Bench("lee-12", "encrypt_encode_full", "ringside"),
    Evaluator(65535, "paper", "windows"),
    EvaluatorAes(255, "3", "hybrid"),
    EvaluatorCore("doroz2015", "product"),
    EvaluatorCore("doroz2015", "relinearise", 2, True),
)
FIGURES: Mapping[str, Any] = {"cycles": 1492, "compute": 814, "ratio": 1.0596}


def row(question: Query = NTT, figures: Mapping[str, Any] = FIGURES, /, **made_from: str) -> Row:
    return Row(question, figures, made_from, "0.9.0", "2026-01-31")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Stands for what answers are made from today; all alike."""
    today = {"rtl": "a", "design": "b"}
    monkeypatch.setattr(content, "of", lambda question: dict(today))
    monkeypatch.setattr(content, "netlist", lambda question: None)
    return today


OF_PYTHON = ("_reach", "_reached", "_run", "_beside")  # functions of the package, which one test alone changes


@pytest.fixture
def fresh_hashes() -> Iterator[Callable[[], None]]:
    """Forgets hashes: a process takes its sources as they were when it first looked."""

    def forget() -> None:
        for name, one in vars(content).items():
            if name not in OF_PYTHON and callable(clear := getattr(one, "cache_clear", None)):
                clear()

    forget()
    yield forget
    forget()


# ---- questions ------------------------------------------------------------------------------------------------------
def test_every_kind_of_question_is_tried() -> None:
    assert {type(question) for question in QUESTIONS} == set(KINDS.values())
    assert set(content._MEASURED_BY) == set(KINDS) - {"Bench"}  # a speed of `make bench`


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
    for old, new in {"X = 5": "X = 6", "# no": "# a", "def f": "def g"}.items():
        assert content.statements(MODULE.replace(old, new)) != content.statements(MODULE), old
    # types, imports and what an error says compute nothing
    assert content.statements(
        "import os\ndef f(a: int) -> int:\n    x: int = a\n    raise E('no')\n"
    ) == content.statements("def f(a):\n    x: float = a\n    raise E('none')\n")
    texts = ("return None", "return", "return 0", "return ''", "return []", "return (yield)")
    assert len({content.statements(f"def f():\n    {text}\n") for text in texts}) == len(texts)
    # fields that newer versions of Python add, empty in these sources, do not show
    assert "type_params" not in content.statements("def f(): return 1\n")
    assert content.statements("def f(): return 1\n") == (
        "Module(body=[FunctionDef(name='f',args=arguments(),body=[Return(value=Constant(value=1))])])"
    )


CORE = {"design", "rtl"}
CYCLES = CORE | {"driver", "simulator", "measuring", "host"}
PARTS: Mapping[type[Any], set[str]] = {
    **dict.fromkeys((Simulation, Transform, Frames, Batch, Decryptions), CYCLES),
    SchemeCycles: CYCLES | {"schemes"},
    Synthesis: CORE | {"synthesis"},
    Asic: CORE | {"synthesis", "cells"},
    Energy: CYCLES | {"synthesis", "cells"},
    Processor: {"processor", "synthesis", "cells"},
    ProcessorPower: {"processor", "synthesis", "cells", "firmware", "system", "measuring", "host"},
    Bench: {"library"},
    Evaluator: {"evaluator", "measuring"},
    EvaluatorAes: {"evaluator", "measuring"},
    EvaluatorCore: CYCLES - {"driver"},
}
OF_HERE: Mapping[str, Callable[..., str]] = {
    **dict.fromkeys(("firmware", "profile", "schemes", "_cells"), lambda: "made"),
    "_synthesis": lambda kind: "made",
}  # what needs tools


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]) -> None:
    for name, made in OF_HERE.items():
        monkeypatch.setattr(content, name, made)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_parts_of_an_answer(question: Query, without_tools: None) -> None:
    found = content.of(question)
    system = {"firmware", "system", "measuring", "host"}
    wanted = PARTS.get(type(question)) or (system if getattr(question, "design", "") == "none" else CORE | system)
    assert set(found) == wanted
    assert all(found.values())


def test_what_needs_tools_is_not_known_without_them(
    monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None], tmp_path: Path
) -> None:
    """Such a row is neither fresh nor old."""
    monkeypatch.setattr(yosys, "version", lambda: None)
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


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources that hashes are made of, in a folder of an unlucky name."""
    place = tmp_path_factory.mktemp("copied") / "stream" / "tree"
    for name in (
        "hw",
        "sim",
        "lib/src",
        "lib/include",
        "evaluator/src",
        "evaluator/include",
        "evaluator/py",
        "soc",
        "requirements",
    ):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("tests", "formal", "tb"))
    return place


@pytest.fixture
def tree(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RINGSIDE_TREE", str(copied))
    return copied


@contextmanager
def kept(file: Path) -> Iterator[Path]:
    """What the test does to the file is undone."""
    text = file.read_text(encoding="utf-8")
    try:
        yield file
    finally:
        file.write_text(text, encoding="utf-8")


def append(file: Path, text: str) -> None:
    assert file.is_file()
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("hw/core/rtl/rs_core.sv", {"lane": ["rtl"], "stream": ["rtl"], "synthesis": ["rtl"], "system": ["rtl"]}),
        ("hw/stream/rtl/rs_stream_ntt.sv", {"stream": ["rtl"]}),
        ("hw/pipe/rtl/rs_pipe_unit.sv", {"stream": ["rtl"]}),
        ("sim/core.cpp", {"lane": ["simulator"], "stream": ["simulator"]}),
        ("sim/axi_memory.h", {"lane": ["simulator"], "stream": ["simulator"], "system": ["system"]}),
        ("lib/src/ckks/on_core/program.c", {"lane": ["driver"], "stream": ["driver"], "library": ["library"]}),
        ("lib/include/ringside/ringside.h", {"library": ["library"]}),
        ("soc/top/rs_soc.sv", {"system": ["system"]}),
        ("evaluator/src/kernels/passes.h", {"ltv": ["evaluator"]}),
    ],
)
@pytest.mark.alike(2)
def test_a_statement_changes_what_it_belongs_to_and_a_comment_nothing(
    file: str, changed: Mapping[str, list[str]], tree: Path, without_tools: None, fresh_hashes: Callable[[], None]
) -> None:
    questions: dict[str, Query] = {
        "lane": NTT,
        "stream": Batch("lee2023", "lee-13"),
        "synthesis": Synthesis("rise-1"),
        "system": SocRun("rise-1", "decrypt", 1024, 1),
        "library": Bench("lee-12", "encrypt_encode_full", "ringside"),
        "ltv": EvaluatorAes(65535, "3", "hybrid"),
    }
    rows = {name: row(question, **content.of(question)) for name, question in questions.items()}
    with kept(tree / file) as place:
        append(place, "\n// one\n/* and another\n */\n")
        fresh_hashes()
        assert not any(one.changed() for one in rows.values())
        append(place, "int rs_more = 5;\n")
        fresh_hashes()
        assert {name: found for name, one in rows.items() if (found := one.changed())} == changed


def test_a_package_that_rocket_comes_from(tree: Path, without_tools: None, fresh_hashes: Callable[[], None]) -> None:
    known = row(Processor(), **content.of(Processor()))
    (pins,) = (file for file in (tree / "requirements").glob("*.txt") if "pythondata-cpu-rocket==" in file.read_text())
    with kept(pins):
        append(pins, "pythondata-cpu-other==1\n")
        fresh_hashes()
        assert known.changed() == []
        pins.write_text(pins.read_text().replace("pythondata-cpu-rocket==", "pythondata-cpu-rocket==9"))
        fresh_hashes()
        assert known.changed() == ["processor"]


# file, a statement, another one, and which parts of cycles, of an area and of a run on the SoC it changes
MEASURES = [
    ("sim/core.py", "", "", [], [], []),
    ("sim/core.py", "latency: int = 40", "latency: int = 41", ["measuring"], [], ["measuring"]),
    ("sim/timing.py", '"LOAD": "memory bus"', '"LOAD": "bus"', ["measuring"], [], []),
    ("executors/simulated.py", "POLYS = 3", "POLYS = 4", ["measuring"], [], ["measuring"]),
    ("cycles/operation.py", "ratio=job.cycles", "ratio=job.idle", ["measuring"], [], []),
    ("figures/answers.py", '"ratio": found.ratio', '"ratio": found.cycles', ["measuring"], [], []),
    ("objects/ckks/fixed_encoder.py", "DEFAULT_BITS = ", "DEFAULT_BITS = 1 + ", ["host"], [], ["host"]),
    ("native/streams.py", "DEFAULT_COMPRESSION", "OTHER_COMPRESSION", ["host"], [], ["host"]),
    ("synth/parts.py", "LEVELS", "FLOORS", [], ["synthesis"], []),
    ("soc/job.py", "DONE = ", "DONE = 1 + ", [], [], ["measuring"]),
    ("designs/rules.py", "", "", [], [], []),
    ("cli/cache.py", "", "", [], [], []),
]


@pytest.fixture
def package(copied_package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with monkeypatch.context() as patch:
        patch.setattr(content, "PACKAGE", copied_package)
        yield copied_package
    forget_python()


@pytest.fixture(scope="module")
def copied_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's sources."""
    place = tmp_path_factory.mktemp("package") / content.PACKAGE.name
    shutil.copytree(
        content.PACKAGE, place, ignore=shutil.ignore_patterns("from-tree", "*.so", "*.jsonl", "__pycache__")
    )
    return place


def forget_python() -> None:
    for name in OF_PYTHON:
        vars(content)[name].cache_clear()


def measured_by() -> dict[str, list[str]]:
    """Hashes of the code that measures cycles, an area and a system."""
    forget_python()
    found = {
        kind: (content._run(kind, folders), content._beside(kind, content._COUNTING_SYSTEMS))
        for kind, folders in FOLDERS.items()
    }
    return {kind: list(pair) for kind, pair in found.items()}


FOLDERS = {
    "Simulation": content._COUNTING,
    "Synthesis": content._MAPPING,
    "SocRun": content._COUNTING_SYSTEMS,
}
PART_NAMES = {"Simulation": ("measuring", "host"), "Synthesis": ("synthesis", ""), "SocRun": ("measuring", "host")}


@pytest.fixture(scope="module")
def as_it_is() -> dict[str, list[str]]:
    return measured_by()


@pytest.mark.parametrize(
    ("file", "old", "new", "cycles", "area", "system"), MEASURES, ids=[f"{one[0]} {one[1]}" for one in MEASURES]
)
def test_a_statement_that_measures_makes_an_answer_old(
    file: str,
    old: str,
    new: str,
    cycles: list[str],
    area: list[str],
    system: list[str],
    as_it_is: dict[str, list[str]],
    package: Path,
) -> None:
    """Wherever it stands, if it is reached from the function that measures; a comment and a function that nothing names do not."""
    with kept(package / file) as place:
        append(place, "\n# said\n\n\ndef rs_of_nobody() -> int:\n    return 5\n")
        text = place.read_text(encoding="utf-8")
        assert old in text
        place.write_text(text.replace(old, new), encoding="utf-8")
        now = measured_by()
    changed = {
        kind: [name for name, was, found in zip(names, as_it_is[kind], now[kind], strict=True) if name and was != found]
        for kind, names in PART_NAMES.items()
    }
    assert changed == {"Simulation": cycles, "Synthesis": area, "SocRun": system}


def test_another_yosys_makes_areas_old(monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]) -> None:
    monkeypatch.setattr(yosys, "version", lambda: "0.55")
    known = row(Synthesis("rise-1"), **content.of(Synthesis("rise-1")))
    monkeypatch.setattr(yosys, "version", lambda: "0.56")
    fresh_hashes()
    assert known.changed() == ["synthesis"]


@pytest.mark.soak  # half a minute: it compiles the firmware three times
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


# ---- the file --------------------------------------------------------------------------------------------------------
@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "figures" / ledger.NAME)


def test_put_find_drop(book: Ledger) -> None:
    assert (list(book), book.find(NTT), book.path.exists()) == ([], None, False)
    rows = [row(question, {"cycles": number}) for number, question in enumerate(QUESTIONS)]
    for one in reversed(rows):
        book.put(one)
    for known in (book, Ledger(book.path)):
        assert [known.find(one.question) for one in rows] == rows
        assert known.find(Simulation("rise-32", "ntt", 2048)) is None
    newer = row(NTT, {"cycles": 1400})
    book.put(newer, rows[1])
    assert Ledger(book.path).find(NTT) == newer
    assert len(list(book)) == len(rows)
    book.drop(NTT, Simulation("rise-32", "ntt", 2048))
    assert Ledger(book.path).find(NTT) is None
    assert len(list(Ledger(book.path))) == len(rows) - 1


def test_lines_are_sorted_whoever_comes_first(book: Ledger) -> None:
    """By kind, then by fields; numbers as numbers. A changed answer is one changed line."""
    sizes = [row(Simulation(name, "ntt", n)) for name in ("rise-2", "rise-16") for n in (512, 1024, 16384)]
    wanted = [row(Asic("rise-4")), *sizes, row(SocRun("none", "decrypt", 1024, 1))]
    book.put(*wanted[::-2])
    book.put(*wanted)
    lines = book.path.read_text(encoding="utf-8").splitlines()
    assert lines == [one.line for one in wanted]
    assert [from_dict(json.loads(line)["question"]) for line in lines] == [one.question for one in book]
    assert json.loads(lines[0])["command"] == "ringside synth rise-4 --target osu018 --no-energy"
    book.put(row(sizes[2].question, {"cycles": 1}))
    new = book.path.read_text(encoding="utf-8").splitlines()
    assert [index for index, line in enumerate(new) if line != lines[index]] == [3]


GOOD = row().line


def test_what_another_version_has_recorded_stays(book: Ledger) -> None:
    """Clones of several versions share a user's ledger, and each asks questions of its own."""
    book.put(row(NTT))
    other = '{"question": {"kind": "OfTomorrow", "n": 1}, "figures": {"cycles": 5}, "made_from": {}}'
    book.path.write_text(book.path.read_text() + other + "\n")
    again = Ledger(book.path)
    assert [one.question for one in again] == [NTT]
    again.put(row(Asic("rise-4")))
    assert other in book.path.read_text().splitlines()
    assert len(list(Ledger(book.path))) == 2
    again.drop(NTT)
    assert len(book.path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "{}",
        "[]",
        "3",
        "null",
        GOOD[:-1],
        GOOD.replace('"Simulation"', "5"),
        GOOD.replace('"bits"', '"bit"'),
        GOOD.replace('"limbs": 1, ', "").replace('"n": 1024, ', ""),
        GOOD.replace('"made_from": {}', '"made_from": "hash"'),
        GOOD.replace('"figures": {', '"figures": [{').replace('}, "made_from', '}], "made_from'),
        GOOD.replace('"date"', '"day"'),
        "\udcff",
    ],
)
def test_a_damaged_line_is_named(book: Ledger, line: str) -> None:
    other = row(Asic("rise-4")).line
    book.path.parent.mkdir()
    content_of_file = f"{other}\n{line}\n{GOOD}\n".encode("utf-8", "surrogateescape")
    book.path.write_bytes(content_of_file)
    for change in (lambda: Ledger(book.path), lambda: book.put(row()), lambda: book.drop(NTT)):
        with pytest.raises(FileError, match=rf"{ledger.NAME}, line 2: ") as refused:
            change()
        assert "ringside figures refresh" in refused.value.hint
    assert book.path.read_bytes() == content_of_file


def test_strange_letters_stay_in_a_line(book: Ledger) -> None:
    texts = ["µs", "a\nb", "a\u2028b", "a\x85b", '"']
    book.put(*(row(Simulation("rise-1", text, 1024), {REFUSED: text}) for text in texts))
    assert {one.figures[REFUSED] for one in Ledger(book.path)} == set(texts)


def _put_many(path: Path, design: str, count: int) -> None:
    for n in range(count):
        Ledger(path).put(row(Simulation(design, "ntt", n)))


def test_two_processes_lose_nothing(book: Ledger) -> None:
    count = 40
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=_put_many, args=(book.path, name, count)) for name in ("rise-1", "rise-2")]
    for one in both:
        one.start()
    while any(one.is_alive() for one in both):  # who reads meanwhile sees whole lines
        assert len(list(Ledger(book.path))) <= 2 * count
        time.sleep(0.005)
    for one in both:
        one.join()
        assert one.exitcode == 0
    assert len(list(Ledger(book.path))) == 2 * count


def test_a_disk_that_is_full_leaves_the_old_file(book: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put(row())
    before = book.path.read_bytes()

    def full(path: Path, content: bytes) -> None:
        raise FileError("FILE_WRITE", "There is no space left.")

    monkeypatch.setattr(ledger, "write_bytes", full)
    with pytest.raises(FileError, match="no space"):
        book.put(row(Asic("rise-4")))
    assert book.path.read_bytes() == before
    monkeypatch.undo()
    # what was not written is not there later either
    book.put(row(Asic("rise-8")))
    assert [one.question for one in Ledger(book.path)] == [Asic("rise-8"), NTT]


def test_state_of_a_row(told: dict[str, str]) -> None:
    one = row(NTT, rtl="a", design="b")
    assert (one.state(), one.changed()) == (State.fresh, [])
    told["rtl"] = "c"
    assert (one.state(), one.changed()) == (State.old, ["rtl"])
    told.update(rtl="a", cells="new")  # today something more decides
    assert (one.state(), one.changed()) == (State.old, ["cells"])
    del told["cells"], told["design"]
    assert one.changed() == ["design"]
    assert one.recorded == "0.9.0, 2026-01-31"


def test_an_answer_outlives_words_that_make_no_other_netlist(
    told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    netlists = {"now": "n"}
    monkeypatch.setattr(content, "netlist", lambda question: netlists["now"])
    monkeypatch.setattr(content, "program", lambda question: None)
    bare = row(NTT, rtl="a", design="b")
    one = bare.with_results()
    assert one.made_from == {"rtl": "a", "design": "b", ledger.NETLIST: "n"}
    assert one.with_results() is one
    assert one.state() is State.fresh
    told.update(rtl="c", design="d")
    assert one.state() is State.old  # until it is looked at
    assert bare.carried_over() is None
    assert bare.with_results() is bare  # an old one does not get today's
    kept = one.carried_over()
    assert kept == row(NTT, rtl="c", design="d", netlist="n")
    assert kept.state() is State.fresh
    netlists["now"] = "m"
    assert one.carried_over() is None
    netlists["now"] = "n"
    told["driver"] = "new"
    assert one.carried_over() is None


def test_an_answer_outlives_a_driver_that_makes_the_same_program(
    told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = {"now": "p"}
    monkeypatch.setattr(content, "netlist", lambda question: "n")
    monkeypatch.setattr(content, "program", lambda question: programs["now"])
    told["driver"] = "a"
    bare = row(NTT, rtl="a", design="b", driver="a")
    one = bare.with_results()
    assert one.made_from == {"rtl": "a", "design": "b", "driver": "a", ledger.NETLIST: "n", ledger.PROGRAM: "p"}
    assert one.with_results() is one
    told["driver"] = "c"
    assert one.state() is State.old
    assert bare.carried_over() is None
    kept = one.carried_over()
    assert kept is not None
    assert kept.state() is State.fresh
    assert kept.made_from["driver"] == "c"
    told["rtl"] = "c"  # both
    assert one.carried_over() is not None
    programs["now"] = "q"
    assert one.carried_over() is None
    told["driver"] = "a"
    assert one.carried_over() is not None
    told["simulator"] = "new"
    assert one.carried_over() is None


def test_the_program_of_an_answer() -> None:
    """Of another size another one; none of what is no single program, and of what a design cannot do."""
    found = {content.program(Simulation("rise-4", "decrypt", 4096, limbs)) for limbs in (1, 2)}
    assert len(found) == 2
    assert None not in found
    assert content.program(Simulation("rise-4", "decrypt", 4096, 2)) in found
    assert content.program(Energy("rise-4")) == content.program(Simulation("rise-4", "encrypt-pk-direct", 4096, 1, 30))
    for question in (
        Frames("rise-4e", "encode-encrypt-sk", 4096),
        Asic("rise-4"),
        Simulation("rise-1", "ntt", 1 << 17),
    ):
        assert content.program(question) is None


COUNTER = """
module rs_counter #(parameter bit Wide = 1'b0) (input logic clk_i, input logic [3:0] add_i, output logic [3:0] sum_o);
  logic [3:0] sum_q;
  logic [3:0] more;
  assign more = Wide ? add_i + 4'd3 : add_i;
  always_ff @(posedge clk_i) sum_q <= sum_q + more;
  assign sum_o = sum_q ^ 4'd5;
endmodule
"""
RENAMED = """
module rs_counter #(parameter bit Wide = 1'b0, parameter int More = 0) (input logic clk_i, input logic [3:0] add_i, output logic [3:0] sum_o);
  logic [3:0] total_q, turned, unread;
  assign turned = total_q ^ 4'd5;
  assign unread = add_i + 4'(More);
  assign sum_o = turned;
  always_ff @(posedge clk_i) total_q <= total_q + (Wide ? add_i + 4'd3 : add_i);
endmodule
"""
OTHERS = (
    COUNTER.replace("4'd5", "4'd6"),  # a constant
    COUNTER.replace("sum_q + more", "more - sum_q"),  # an operation
    COUNTER.replace("sum_q + more", "sum_q + {more[0], more[3:1]}"),  # the order of bits
    COUNTER.replace("Wide = 1'b0", "Wide = 1'b1"),
    COUNTER.replace(
        "assign sum_o = sum_q", "logic [3:0] late_q; always_ff @(posedge clk_i) late_q <= sum_q; assign sum_o = late_q"
    ),
)


def test_the_hash_of_a_netlist(tmp_path: Path) -> None:
    """Names, order and what nobody reads do not count; all logic does."""

    def found(text: str) -> str:
        source, flat = tmp_path / "rs_counter.sv", tmp_path / "flat.json"
        source.write_text(text, encoding="utf-8")
        yosys.run([yosys.read("rs_counter", [source]), *netlist.PASSES, f"write_json {flat}"])
        return netlist.hashed(json.loads(flat.read_text(encoding="utf-8"))["modules"]["rs_counter"])

    assert found(COUNTER) == found(RENAMED)
    assert len({found(text) for text in (COUNTER, *OTHERS)}) == 1 + len(OTHERS)


def cell_of(kind: str, **inputs: list[int | str]) -> dict[str, Any]:
    """A module with one cell: inputs x (bits 10 to 13) and y (20 to 23), an output of one bit."""
    cell = {
        "type": kind,
        "parameters": {"A_WIDTH": len(inputs["A"])},
        "attributes": {},
        "port_directions": {**dict.fromkeys(inputs, "input"), "Y": "output"},
        "connections": {**inputs, "Y": [2]},
    }
    ports = {
        name: {"direction": "input", "bits": list(range(first, first + 4))} for name, first in (("x", 10), ("y", 20))
    }
    return {"cells": {"one": cell}, "ports": {**ports, "z": {"direction": "output", "bits": [2]}}}


@pytest.mark.parametrize(
    ("kind", "same", "other"),
    [
        ("$reduce_and", {"A": [12, 10, 21]}, {"A": [12, 10, 20]}),
        ("$eq", {"A": [11, 10], "B": ["0", "1"]}, {"A": [11, 10], "B": ["1", "0"]}),
        ("$add", {"A": [20, 21], "B": [10, 11]}, {"A": [21, 20], "B": [10, 11]}),
        ("$sub", None, {"A": [20, 21], "B": [10, 11]}),
    ],
)
def test_inputs_without_an_order_have_none_in_the_hash(
    kind: str, same: dict[str, list[int | str]] | None, other: dict[str, list[int | str]]
) -> None:
    """Yosys orders inputs that it makes by names, and those change with words of the source."""
    first: dict[str, dict[str, list[int | str]]] = {
        "$reduce_and": {"A": [10, 12, 21]},
        "$eq": {"A": [10, 11], "B": ["1", "0"]},
        "$add": {"A": [10, 11], "B": [20, 21]},
        "$sub": {"A": [10, 11], "B": [20, 21]},
    }
    found = netlist.hashed(cell_of(kind, **first[kind]))
    assert same is None or netlist.hashed(cell_of(kind, **same)) == found
    assert netlist.hashed(cell_of(kind, **other)) != found


def test_the_users_fresh_row_comes_first(tmp_path: Path, told: dict[str, str]) -> None:
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    assert books.find(NTT) is None
    theirs, mine = row(NTT, {"cycles": 1}, rtl="a", design="b"), row(NTT, {"cycles": 2}, rtl="a", design="b")
    books.own.put(mine)
    assert books.find(NTT) == mine
    books.shipped.put(theirs)
    assert books.find(NTT) == mine
    told["rtl"] = "c"  # both are old
    assert books.find(NTT) == theirs
    books.shipped.drop(NTT)
    assert books.find(NTT) == mine


def test_where_the_files_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    assert ledger.shipped().path == ROOT / "figures" / "ours.jsonl"
    assert ledger.own().path == tmp_path / "figures" / "ours.jsonl"
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    assert ledger.shipped().path == Path(ledger.__file__).with_name("ours.jsonl")
    assert ledger.SHIPPED.is_file()  # it came with the package


def test_the_ledger_of_the_tree_can_be_read() -> None:
    """Each line is in its place, and says the command of its question."""
    book = ledger.shipped()
    assert book.path.read_text(encoding="utf-8") == "".join(f"{one.line}\n" for one in book)
    for one in book:
        assert one.version
        units = {"cycles", "stages"} if isinstance(one.question, SocRun) else set(one.question.UNITS)
        assert REFUSED in one.figures or units <= set(one.figures)


# ---- measuring -------------------------------------------------------------------------------------------------------
def test_an_answer_is_of_now(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    monkeypatch.setattr(answers, "_figures", lambda question, progress, say: {"cycles": 3})
    found = answers.measure(NTT)
    assert (found.question, found.figures, found.made_from) == (NTT, {"cycles": 3}, {"rtl": "a", "design": "b"})
    assert found.version == version("ringside-he")
    assert len(found.date.split("-")) == 3


def test_without_the_source_tree_one_can_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]
) -> None:
    """With an installed package: its answer is kept, and nobody can say whether it is old. Where there is a tree, it is."""
    monkeypatch.setattr(answers, "_figures", lambda question, progress, say: {"cycles": 3})
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    with monkeypatch.context() as patch:
        patch.setenv("RINGSIDE_TREE", str(tmp_path))
        books.own.put(answers.measure(NTT))
        found = books.find(NTT)
        assert found is not None
        assert (found.made_from, found.state()) == ({}, State.unknown)
        books.shipped.put(row())
        assert books.find(NTT) == row()
    assert found.state() is State.old


def test_what_a_design_cannot_do_is_an_answer(
    fresh_hashes: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept until the design or the hardware changes. Nothing is built for it."""
    small = answers.measure(Simulation("rise-32", "ntt", 256))
    assert "N = 256" in small.figures[REFUSED]
    none = answers.measure(Simulation("rise-3", "ntt", 1024))
    assert none.figures == {REFUSED: "there is no design rise-3"}
    assert none.made_from["design"] == content.ABSENT
    assert [one.state() for one in (small, none)] == [State.fresh] * 2
    monkeypatch.setattr(content, "designs", SimpleNamespace(load=lambda name: designs.load("rise-4")))
    fresh_hashes()
    assert none.changed() == ["design"]


def system(design: str = "none", cycles: int = 30_000) -> System:
    stages = {"encode": Count(1000, 700), "core": Count(cycles - 1000, 140)}
    return System(
        design=design, op="decrypt", n=1024, limbs=1, moduli=[17], latency=20, frames=1, overlap=False, cycles=cycles,
        instructions=840, stages=stages, setup=Count(5, 4), units={}, program_instructions=0, register_accesses=0,
        simulated=10 * cycles, bit_exact=True,
    )  # fmt: skip


def test_a_run_on_the_soc(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    calls: list[tuple[Any, dict[str, Any]]] = []
    result = system()

    def run(design: Any, **values: Any) -> System:
        calls.append((design and design.name, values))
        return result

    monkeypatch.setattr("ringside.cycles.system.measure", run)
    question = SocRun("rise-4", "decrypt", 1024, 1, frames=2)
    found = answers.measure(question)
    assert systems.system(json.loads(json.dumps(found.figures))) == result
    size = {"op": "decrypt", "n": 1024, "limbs": 1, "bits": 30, "latency": 20, "frames": 2, "overlap": False}
    assert calls == [("rise-4", size)]
    answers.measure(SocRun("none", "decrypt", 1024, 1))
    assert calls[1][0] is None
    # a wrong result is no answer
    result = dataclasses.replace(result, bit_exact=False)
    with pytest.raises(DeviceError, match="not the library's"):
        answers.measure(question)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    def missing(*_: Any, **__: Any) -> None:
        raise SimulationError("verilator is missing: run `make hardware`")

    monkeypatch.setattr("ringside.cycles.operation.record", missing)
    monkeypatch.setattr("ringside.cycles.system.measure", missing)
    for question in (NTT, Batch("lee2023", "lee-13"), SocRun("rise-4", "decrypt", 1024, 1)):
        with pytest.raises(NotMeasuredError, match="make hardware"):
            answers.measure(question)

    def broken(*_: Any, **__: Any) -> None:
        raise DeviceError("SIMULATION", "It computes another ntt than the library.")

    monkeypatch.setattr("ringside.cycles.operation.record", broken)
    with pytest.raises(DeviceError, match="another ntt"):
        answers.measure(NTT)


# ---- runs that are shown side by side ---------------------------------------------------------------------------------
def test_a_run_that_a_design_cannot_do_is_not_shown(tmp_path: Path, told: dict[str, str]) -> None:
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    run = SocRun("rise-1", "decrypt", 1024, 1)
    books.shipped.put(row(systems.best(run), {REFUSED: "Too large."}))
    assert systems.find_all([run], books) == [(run, None)]


# ---- figures in pages --------------------------------------------------------------------------------------------------
RUN = SocRun("rise-4", "encrypt-sk", 4096, 3, frames=2)
KNOWN: dict[Query, Mapping[str, Any]] = {
    NTT: {"cycles": 1492, "compute": 814.0, "ratio": 1.0596, "what": "text"},
    Simulation("rise-1", "ntt", 1024): {"cycles": 20_888},
    RUN: {"cycles": 1_234_567, "stages": {"core": {"cycles": 43_210, "instructions": 0}}},
}
ONE, TWO = NTT.command, "ringside cycles rise-1 --n 1024"


def test_a_speed_names_its_processor() -> None:
    question = Bench("lee-12", "encrypt_encode_full", "ringside")
    assert row(question, {"rate": 5.0, "processor": "Some CPU"}).recorded == "0.9.0, 2026-01-31, Some CPU"
    command = Evaluator(65535, "3", "hybrid").command
    assert markers.figure(f"{command} | processor", lambda _: {"load": 1, "processor": "Some CPU"}) == "Some CPU"
    assert "not recorded" in markers.figure(f"{command} | processor", lambda _: {"load": 1})


def known(question: Query) -> Mapping[str, Any]:
    found = KNOWN.get(question)
    if found is None:
        raise LookupError(question.command)
    return found


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (f"{ONE} | cycles", "1,492"),
        (f"{ONE} | ratio", "1"),
        (f"{ONE} | ratio : .2f", "1.06"),
        (f"{TWO} | cycles : k", "21"),
        (f"{TWO} | cycles : .1fk", "20.9"),
        (f"{TWO} | cycles : .3fM", "0.021"),
        (f"{RUN.command} | cycles : ,.1fk", "1,234.6"),
        (f"{RUN.command} | stages.core.cycles", "43,210"),
        (f"{TWO} | cycles / {ONE} | cycles : .1f", "14.0"),
        (f"  {TWO}   |   cycles   /   {ONE}   |   compute   :   .2f ", "25.66"),
        (f"{RUN.command} | cycles / {RUN.command} | stages.core.cycles : .0f", "29"),
    ],
)
def test_a_figure_has_its_format(expression: str, text: str) -> None:
    assert markers.figure(expression, known) == text
    filled = markers.fill(f"It takes <!-- figure: {expression} -->5<!-- /figure --> cycles.\n", known)
    assert filled == f"It takes <!-- figure: {expression} -->{text}<!-- /figure --> cycles.\n"
    assert markers.fill(filled, known) == filled


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (ONE, "names no figure"),
        (f"{ONE} | cycles | compute", "names no figure"),
        (f"{ONE} | cycles / {ONE} | cycles / {ONE} | cycles", "names no figure"),
        (f"{ONE} | cycle", "no figure 'cycle' here. There are: cycles, compute, ratio, what"),
        (f"{RUN.command} | stages.core.time", "There are: cycles, instructions"),
        (f"{RUN.command} | cycles.core", "no figure 'cycles.core'"),
        (f"{RUN.command} | stages", "it has parts. There are: core"),
        (f"{ONE} | what", "no number"),
        (f"{ONE} | cycles : five", "'five' is no format"),
        ("make bench | rate", "not a command whose figures are recorded"),
    ],
)
def test_a_comment_that_names_nothing_is_refused(expression: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        markers.fill(f"<!-- figure: {expression} -->5<!-- /figure -->", known)


def test_a_figure_without_an_answer() -> None:
    with pytest.raises(LookupError, match="rise-2"):
        markers.figure("ringside cycles rise-2 | cycles", known)


@pytest.mark.parametrize(
    "text",
    [
        f"<!-- figure: {ONE} | cycles -->5, text, <!-- figure: {TWO} | cycles -->6<!-- /figure -->",
        f"<!-- figure: {ONE} | cycles -->5",
        "5<!-- /figure -->",
        f"<!-- table: fpga -->\n<!-- figure: {ONE} | cycles -->5<!-- /figure -->\n<!-- /table -->",
        f"<!-- figure: {ONE} | cycles -->5<!-- /table -->",
        "<!-- table: fpga -->\n| |\n<!-- table: asic -->\n<!-- /table -->",
    ],
)
def test_text_between_two_comments_is_not_lost(text: str) -> None:
    for use in (lambda: markers.fill(text, known), lambda: markers.printed(text)):
        with pytest.raises(ParameterError, match=r"<!-- /?(figure|table)"):
            use()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("cells", f"no table 'cells'. Tables: {', '.join(TABLES)}"),
        ("soc", "Behind soc stands: op"),
        ("soc ntt", "Behind soc stands: op"),
        ("soc encrypt-sk decrypt", "Behind soc stands: op"),
        ("fpga xc7", "Behind fpga stands: nothing"),
        ("stream encrypt-sk", "Behind stream stands: op, design"),
    ],
)
def test_a_table_that_is_none_is_refused(expression: str, message: str) -> None:
    for use in (lambda text: markers.fill(text, known), markers.printed):
        with pytest.raises(ParameterError, match=message):
            use(f"<!-- table: {expression} -->\n<!-- /table -->\n")


def every_figure(question: Query) -> Mapping[str, Any]:
    """Made up."""
    stages = {"core": {"cycles": 12_345}}
    return {**dict.fromkeys(question.UNITS, 2.0), "stages": stages}


@pytest.mark.parametrize(
    "expression",
    [
        *(f"soc {op}" for op in ("encrypt-pk-direct", "encrypt-sk", "encrypt-pk", "decrypt")),
        "asic",
        "fpga",
        "fpga-large",
        "stream encrypt-pk lee2023",
        "stream decrypt ringside-stream",
        "pictures rise-32e",
    ],
)
def test_a_table_asks_what_it_says(expression: str) -> None:
    """Its questions are all that it needs, and a page that prints it prints those."""
    text = f"Text.\n\n<!-- table: {expression} -->\nold\n<!-- /table -->\n\nMore.\n"
    questions = markers.printed(text)
    assert questions
    asked: set[Query] = set()

    def answer(question: Query) -> Mapping[str, Any]:
        asked.add(question)
        return every_figure(question)

    filled = markers.fill(text, answer)
    assert asked == set(questions)
    assert markers.fill(filled, answer) == filled
    head, _, rest = filled.partition(" -->\n")
    table, _, end = rest.partition("\n<!-- /table -->")
    assert (head, end) == (f"Text.\n\n<!-- table: {expression}", "\n\nMore.\n")
    assert len({line.count("|") for line in table.splitlines()}) == 1
    assert len(table.splitlines()) >= 3
    with pytest.raises(ParameterError, match="Too large"):
        markers.fill(text, lambda question: {REFUSED: "Too large"})


def test_questions_of_a_page() -> None:
    text = (
        f"<!-- figure: {TWO} | cycles / {ONE} | cycles -->5<!-- /figure --> and "
        f"<!-- figure: {ONE} | ratio : .2f -->5<!-- /figure -->; <!-- a comment -->\n"
    )
    assert markers.printed(text) == [Simulation("rise-1", "ntt", 1024), NTT]
    assert markers.printed("Text.") == []


# ---- the command --------------------------------------------------------------------------------------------------------
@pytest.fixture
def small_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> Path:
    """A source tree with a README and an empty ledger."""
    place = tmp_path / "tree"
    (place / "soc" / "firmware").mkdir(parents=True)
    (place / "soc" / "firmware" / "firmware.c").touch()
    (place / "docs").mkdir()
    (place / "README.md").write_text(f"It takes <!-- figure: {ONE} | cycles -->5<!-- /figure --> cycles.\n")
    monkeypatch.setenv("RINGSIDE_TREE", str(place))
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cli_figures, "_compile_firmware", lambda: None)
    monkeypatch.setattr(cli_figures, "_report_questions", lambda: [Asic("rise-4")])
    monkeypatch.setattr(former, "translated", lambda row: row)
    monkeypatch.setattr("ringside.explore.model.calibrate.is_old", lambda models: False)
    return place


def test_fill_and_check(small_tree: Path, ringside: CommandLine, told: dict[str, str]) -> None:
    readme = small_tree / "README.md"
    text = readme.read_text()
    for words in (("fill",), ("fill", "--check")):
        done = ringside("figures", *words)
        assert done.code == 4
        assert f"README.md: nothing is recorded of `{ONE}`" in done.err
        assert readme.read_text() == text
    ledger.shipped().put(row(NTT, rtl="a", design="b"))
    done = ringside("figures", "fill", "--check")
    assert done.code == 4
    assert "README.md prints other figures than the ledger" in done.err
    assert readme.read_text() == text
    assert ringside("figures", "fill").code == 0
    assert readme.read_text() == text.replace("5", "1,492")
    assert ringside("figures", "fill", "--check").code == 0
    assert ringside("figures", "fill").code == 0
    # a figure that somebody has written by hand
    (small_tree / "docs" / "page.md").write_text(text.replace("5", "1,491"))
    done = ringside("figures", "fill", "--check")
    assert done.code == 4
    assert "docs/page.md prints other figures" in done.err
    assert "README.md" not in done.err
    (small_tree / "docs" / "page.md").unlink()
    # an old row: it is said, whether pages are written or not
    told["rtl"] = "c"
    for words in (("fill",), ("fill", "--check")):
        done = ringside("figures", *words)
        assert done.code == 4
        assert f"README.md: `{ONE}` is old: changed rtl" in done.err
        assert "refresh" in done.err
    # a row that another hash stands in
    told["rtl"] = "a"
    book = ledger.shipped().path
    book.write_text(book.read_text().replace('"design": "b"', '"design": "d"'))
    assert "is old: changed design" in ringside("figures", "fill", "--check").err


def test_a_calibration_of_other_rtl_is_said(
    small_tree: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"))
    assert "calibrate" not in ringside("figures", "fill").err
    monkeypatch.setattr("ringside.explore.model.calibrate.is_old", lambda models: True)
    done = ringside("figures", "fill", "--check")
    assert (done.code, "ringside explore calibrate --carry" in done.err) == (0, True)


def test_old_answers_of_the_report_are_named_while_they_are_few(small_tree: Path, ringside: CommandLine) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"))
    assert ringside("figures", "fill").code == 0
    for count in (cli_figures.FEW, cli_figures.FEW + 1):
        ledger.shipped().put(*(row(Simulation("rise-1", "ntt", 2048 << i), rtl="z", design="b") for i in range(count)))
        told = ringside("figures", "fill", "--check")
        assert told.code == 0
        assert told.err.count("is old: changed rtl") == (count if count == cli_figures.FEW else 0)
    assert f"{count} answers that the report alone shows are old" in told.err
    assert "figures list --full" in told.err
    assert f"stale answers: {count}" in told.out


def test_list(small_tree: Path, ringside: CommandLine) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"), row(Asic("rise-4"), {"kge": 5.0}, rtl="z", design="b"))
    found = ringside("figures", "list", "--json").json
    assert found == [
        {
            "command": Asic("rise-4").command,
            "figures": {"kge": 5.0},
            "state": "old: rtl",
            "recorded": "0.9.0, 2026-01-31",
        },
        {"command": ONE, "figures": dict(FIGURES), "state": "fresh", "recorded": "0.9.0, 2026-01-31"},
    ]
    text = ringside("figures", "list", "--only", "cycles", "--only", "nothing").out
    assert "rise-32" in text
    assert "fresh" in text
    assert "rise-4" not in text


class Measuring:
    """Stands for the processes that measure."""

    def __init__(self) -> None:
        self.asked: list[Query] = []
        self.errors: dict[Query, Exception] = {}
        self.more: dict[str, str] = {}

    def __call__(self, questions: list[Query], book: Ledger, jobs: int) -> dict[str, str]:
        self.asked += questions
        for question in questions:
            if question not in self.errors:
                book.put(row(question, {"cycles": 7}, **{"rtl": "a", "design": "b"} | self.more))
        return {question.command: str(error) for question, error in self.errors.items()}


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Measuring:
    found = Measuring()
    monkeypatch.setattr(cli_figures, "_measure_all", found)
    return found


def test_a_dry_run_says_what_is_missing(small_tree: Path, ringside: CommandLine, measuring: Measuring) -> None:
    """And writes nothing, though the user has measured some of it."""
    area, other = Asic("rise-4"), Energy("rise-4")
    dry = ("figures", "refresh", "--dry-run")
    assert set(ringside(*dry).out.splitlines()) == {ONE, area.command}
    assert ringside(*dry, "--printed", "--json").json == [ONE]
    assert ringside(*dry, "--only", "synth").out == f"{area.command}\n"
    assert ringside(*dry, "--only", "nothing").out == ""
    ledger.own().put(row(NTT, rtl="a", design="b"))
    ledger.shipped().put(row(area, {"kge": 5.0}, rtl="a", design="b"), row(other, {"energy_uj": 1}, rtl="z"))
    before = ledger.shipped().path.read_bytes()
    assert ringside(*dry, "--json").json == [other.command]
    assert set(ringside(*dry, "--again", "--json").json) == {ONE, area.command, other.command}
    assert ledger.shipped().path.read_bytes() == before
    assert measuring.asked == []


def test_refresh(small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]) -> None:
    """What is fresh or unknown is kept, what the user has measured is taken, the rest is measured; what fails is said."""
    area, other = Asic("rise-4"), Energy("rise-4")
    ledger.own().put(row(area, {"kge": 6.0}, rtl="a", design="b"))
    ledger.shipped().put(row(other, {"energy_uj": 1}, rtl="z", design="b"))
    measuring.errors[other] = NotMeasuredError("Yosys is missing")
    done = ringside("figures", "refresh", "--json")
    assert done.code == 1
    assert done.json == {"made": 1, "failed": {other.command: "Yosys is missing"}}
    assert f"{other.command}: Yosys is missing" in done.err
    assert set(measuring.asked) == {NTT, other}
    book = ledger.shipped()
    found = [book.find(question) for question in (area, NTT, other)]
    assert [one and one.figures for one in found] == [{"kge": 6.0}, {"cycles": 7}, {"energy_uj": 1}]
    measuring.asked.clear()
    measuring.errors.clear()
    assert "1 answers made, 2 kept" in ringside("figures", "refresh").out
    assert measuring.asked == [other]
    measuring.asked.clear()
    assert "0 answers made, 3 kept" in ringside("figures", "refresh").out
    told["rtl"] = "c"
    assert ringside("figures", "refresh", "--printed").code == 0
    assert measuring.asked == [NTT]


def test_refresh_keeps_answers_of_netlists_that_are_the_same(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    netlists = {"now": "n"}
    monkeypatch.setattr(content, "netlist", lambda question: netlists["now"])
    monkeypatch.setattr(content, "program", lambda question: "p")
    book = ledger.shipped()
    book.put(row(NTT, rtl="a", design="b"))
    assert ringside("figures", "refresh", "--printed").code == 0
    told["rtl"] = "c"
    assert "0 answers made, 1 kept" in ringside("figures", "refresh", "--printed").out
    assert list(Ledger(book.path)) == [row(NTT, rtl="c", design="b", netlist="n", program="p")]
    assert measuring.asked == []
    told["rtl"], netlists["now"] = "d", "m"
    assert ringside("figures", "refresh", "--printed").code == 0
    assert measuring.asked == [NTT]
    assert [one.figures for one in Ledger(book.path)] == [{"cycles": 7}]


RUNS = [SocRun(design, "encrypt-sk", n, 1) for n in (1024, 4096) for design in ("race", "rise-1", "rise-2", "rise-4")]


@pytest.mark.parametrize("cycles", [7, 8])
def test_witnesses_vouch_for_others(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], cycles: int
) -> None:
    """The smallest answer of each design is made again, as 7 cycles; if one was another, the others are made, too."""
    book = ledger.shipped()
    figures = {run: {"cycles": 7} for run in RUNS} | {RUNS[2]: {"cycles": cycles}}
    book.put(*(row(run, figures[run], rtl="a", design="b", system="s") for run in RUNS))
    told["system"] = "t"
    measuring.more["system"] = "t"
    done = ringside("figures", "refresh", "--only", "soc run")
    assert done.code == 0
    assert measuring.asked[:4] == RUNS[:4]
    assert len(measuring.asked) == (4 if cycles == 7 else 8)
    assert ("says something else than before" in done.err) == (cycles != 7)
    rows = Ledger(book.path)
    assert all(found.state() is State.fresh for found in rows)
    marked = [run for run in RUNS if ledger.WITNESSED in rows.rows[ledger.key(run)].made_from]
    assert marked == (RUNS[4:] if cycles == 7 else [])


def test_a_stream_vouches_for_itself_alone(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    """The shortest run of each design and operation is made again, whatever has changed."""
    streams: list[Query] = [
        kind(design, params)
        for kind in (Batch, Decryptions)
        for design in ("lee2023", "ringside-stream")
        for params in ("lee-12", "lee-14")
    ]
    book = ledger.shipped()
    book.put(*(row(one, {"cycles": 7}, rtl="z", design="b", driver="d") for one in streams))
    told["driver"] = "e"
    measuring.more["driver"] = "e"
    assert ringside("figures", "refresh", "--only", "lee-").code == 0
    asked = [one for one in measuring.asked if one in streams]
    assert set(asked) == {one for one in streams if one.command.split()[6] == "lee-12"}
    assert all(one.state() is State.fresh for one in Ledger(book.path) if one.question in streams)


OF_A_DESIGN: list[Query] = [
    Simulation("rise-1", "decrypt", 1024),
    Simulation("rise-1", "encrypt-sk", 1024),
    Simulation("rise-1", "decrypt", 4096, 3),  # the smallest with several moduli
    Simulation("rise-1", "decrypt", 8192, 6),
    Simulation("rise-1", "encrypt-sk", 4096, 6),
    Simulation("rise-2", "decrypt", 4096, 3),
    Simulation("rise-2", "decrypt", 8192, 6),
    Asic("rise-1"),
]


@pytest.mark.parametrize("cycles", [7, 8])
def test_a_designs_short_answers_vouch_for_its_long_ones(
    small_tree: Path,
    ringside: CommandLine,
    measuring: Measuring,
    told: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    cycles: int,
) -> None:
    """After another RTL: the smallest of each operation, and with several moduli. Another design's do not, and nobody for an area. A program that is
    known to be another one is run again."""
    monkeypatch.setattr(content, "program", lambda question: "q")
    monkeypatch.setattr(content, "netlist", lambda question: "m")
    book = ledger.shipped()
    figures = dict.fromkeys(OF_A_DESIGN, 7) | {OF_A_DESIGN[2]: cycles}
    book.put(*(row(one, {"cycles": figures[one]}, rtl="z", design="b", netlist="n") for one in OF_A_DESIGN))
    assert ringside("figures", "refresh", "--only", "rise-1", "--only", "rise-2").code == 0
    asked = {*OF_A_DESIGN[:3], *OF_A_DESIGN[5:6], OF_A_DESIGN[7]} | (set(OF_A_DESIGN[3:5]) if cycles == 8 else set())
    assert set(measuring.asked) - {NTT, Asic("rise-4")} == asked
    rows = Ledger(book.path)
    assert all(found.state() is State.fresh for found in rows if found.question in OF_A_DESIGN)
    marked = {found.question for found in rows if ledger.WITNESSED in found.made_from}
    assert marked == set(OF_A_DESIGN) - asked
    assert all(ledger.NETLIST not in rows.rows[ledger.key(one)].made_from for one in marked)  # not the former one


def test_nobody_vouches_for_another_program(told: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    told["driver"] = "e"
    monkeypatch.setattr(content, "program", lambda question: "q")
    parts = [("driver", "d")]
    assert row(NTT, rtl="a", design="b", driver="d", program="q").carried_over(parts) is not None
    assert row(NTT, rtl="a", design="b", driver="d", program="p").carried_over(parts) is None


def test_witnesses_that_have_spoken_are_not_asked_again(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    """A run that was broken off between two of them goes on there."""
    book = ledger.shipped()
    book.put(*(row(run, {"cycles": 7}, rtl="a", design="b", system="s") for run in RUNS))
    told["system"] = "t"
    measuring.more["system"] = "t"
    ledger.own().put(*(row(run, {"cycles": 7}, rtl="a", design="b", system="t") for run in RUNS[:2]))
    assert ringside("figures", "refresh", "--only", "soc run").code == 0
    assert measuring.asked == RUNS[2:4]
    assert all(found.state() is State.fresh for found in Ledger(book.path))


def test_carrying_makes_nothing(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "netlist", lambda question: "n")
    monkeypatch.setattr(content, "program", lambda question: "p")
    book = ledger.shipped()
    book.put(row(NTT, rtl="z", design="b", netlist="n"), row(Asic("rise-4"), rtl="z", design="b"))
    assert "1 answers kept, 1 are old or missing" in ringside("figures", "refresh", "--carry").out
    assert [one.state() for one in Ledger(book.path)] == [State.old, State.fresh]
    assert measuring.asked == []


def test_an_answer_of_the_former_rule_gets_hashes_of_todays(monkeypatch: pytest.MonkeyPatch) -> None:
    today = {"rtl": "a", "measuring": "new", "host": "h"}
    monkeypatch.setattr(content, "of", lambda question: today)
    before = former._parts(Simulation, today)["measuring"]
    assert former.translated(row(NTT, rtl="a", measuring=before)) == row(NTT, **today)
    found = former.translated(row(NTT, rtl="z", measuring=before))
    assert found.changed() == ["rtl"]
    other = row(NTT, rtl="a", measuring="older")
    assert former.translated(other) is other
    assert former.translated(row(NTT, **today)) == row(NTT, **today)


def test_a_witness_that_fails_does_not_vouch(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    book = ledger.shipped()
    book.put(*(row(run, {"cycles": 7}, rtl="a", design="b", system="s") for run in RUNS))
    told["system"] = "t"
    measuring.more["system"] = "t"
    measuring.errors[RUNS[1]] = NotMeasuredError("no compiler")
    assert ringside("figures", "refresh", "--only", "soc run").code == 1
    assert not any(ledger.WITNESSED in found.made_from for found in Ledger(book.path))
    assert set(RUNS[4:]) <= set(measuring.asked)


def test_nobody_vouches_where_nothing_can_be_a_witness(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    schemes: list[Query] = [SocScheme("pqc-4", f"ml-kem-{bits}-encaps", 2) for bits in (512, 768, 1024)]
    ledger.shipped().put(*(row(one, {"cycles": 7}, rtl="a", design="b", system="s") for one in schemes))
    told["system"] = "t"
    measuring.more["system"] = "t"
    assert ringside("figures", "refresh", "--only", "ml-kem").code == 0
    assert set(measuring.asked) >= set(schemes)


def test_nobody_vouches_for_what_has_changed_otherwise(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    book = ledger.shipped()
    book.put(*(row(run, {"cycles": 7}, rtl="a", design="b", system="s", measuring="m") for run in RUNS))
    told.update(system="t", measuring="n")
    measuring.more |= told
    assert ringside("figures", "refresh", "--only", "soc run").code == 0
    assert set(measuring.asked) == set(RUNS)


def test_what_is_measured_keeps_its_netlist(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    monkeypatch.setattr(answers, "_figures", lambda question, progress, say: {"cycles": 3})
    monkeypatch.setattr(content, "netlist", lambda question: "n")
    monkeypatch.setattr(content, "program", lambda question: None)
    assert cli_figures._measured(NTT).made_from == {"rtl": "a", "design": "b", ledger.NETLIST: "n"}

    def missing(question: Query) -> str:
        raise SimulationError("Yosys is missing")

    monkeypatch.setattr(content, "netlist", missing)
    assert cli_figures._measured(NTT).made_from == {"rtl": "a", "design": "b"}


def test_each_answer_is_written_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
) -> None:
    """Whatever happens to one, the others are measured and kept."""
    fork = multiprocessing.get_context("fork")
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: fork)
    errors: dict[str, Exception] = {
        "rise-2": DeviceError("SIMULATION", "It computes another ntt.", "Ask."),
        "rise-4": NotMeasuredError("verilator is missing"),
        "rise-8": ZeroDivisionError("oops"),
    }

    def figures(question: Any, progress: Any, say: Any) -> Mapping[str, Any]:
        if question.design in errors:
            raise errors[question.design]
        return {"cycles": 7}

    monkeypatch.setattr(answers, "_figures", figures)
    book = Ledger(tmp_path / ledger.NAME)
    questions: list[Query] = [Simulation(f"rise-{lanes}", "ntt", 1024) for lanes in (1, 2, 4, 8, 16)]
    failures = cli_figures._measure_all(questions, book, 2)
    assert failures == {
        questions[1].command: "It computes another ntt. Ask.",
        questions[2].command: "verilator is missing",
        questions[3].command: "ZeroDivisionError: oops",
    }
    assert [one.question for one in Ledger(book.path)] == [questions[0], questions[4]]


def test_an_answer_of_a_process_of_its_own(tmp_path: Path) -> None:
    """Measured as `refresh` does it: started anew, and its question, answer and refusal go through a pipe."""
    book = Ledger(tmp_path / ledger.NAME)
    small = Simulation("rise-32", "ntt", 256)
    assert cli_figures._measure_all([small], book, 1) == {}
    found = book.find(small)
    assert found is not None
    assert "N = 256" in found.figures[REFUSED]


def test_what_is_simulated_is_what_is_hashed(monkeypatch: pytest.MonkeyPatch, ringside: CommandLine) -> None:
    """An installed package has the RTL of when it was installed, and answers stand in the books of the source tree."""
    monkeypatch.setenv("RINGSIDE_TREE", "")
    monkeypatch.delenv("RINGSIDE_TREE")  # as it was comes back at the end
    monkeypatch.setattr(cli_figures, "_compile_firmware", lambda: None)
    assert ringside("figures", "refresh", "--dry-run", "--printed", "--only", "nothing").code == 0
    assert source_tree() == build.source_tree() == ROOT


def test_refresh_needs_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ringside: CommandLine) -> None:
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    monkeypatch.setattr(cli_figures, "_compile_firmware", lambda: None)
    for words in (("refresh", "--dry-run"), ("fill",)):
        done = ringside("figures", *words)
        assert done.code == 4
        assert "RINGSIDE_TREE" in done.err
    assert ringside("figures", "list").code == 0


def test_the_report_asks_what_is_refreshed() -> None:
    """All that it can show, of whole systems the run that stands for them."""
    asked = cli_figures._report_questions()
    assert {type(question) for question in asked} == set(KINDS.values())
    runs = [question for question in asked if isinstance(question, SocRun)]
    assert SocRun("rise-4", "encrypt-pk-direct", 4096, 3, frames=2) in runs
    assert runs == [systems.best(one) for one in (dataclasses.replace(run, op=systems.plain(run.op)) for run in runs)]


def test_what_takes_hours_is_refreshed_by_name_alone(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is recorded, it is made again like all others."""
    large = Asic("rise-32")
    monkeypatch.setattr(cli_figures, "_report_questions", lambda: [large])
    dry = ("figures", "refresh", "--dry-run", "--json")
    assert large.command not in ringside(*dry).json
    assert ringside(*dry, "--only", "synth rise-32").json == [large.command]
    ledger.shipped().put(row(large, {"kge": 5.0}, rtl="z"))
    assert large.command in ringside(*dry).json


def test_pages_of_the_tree_name_what_can_be_recorded() -> None:
    """Every comment can be read."""
    for page in cli_figures._pages():
        markers.printed(page.read_text(encoding="utf-8"))
