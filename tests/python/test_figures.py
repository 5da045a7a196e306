# SPDX-License-Identifier: Apache-2.0
"""The ledger of our figures: commands, what answers are made from, the file, figures in pages, `ringside figures`."""

from __future__ import annotations

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
from ringside.cli import recorded
from ringside.cli.recorded import canonical, measured
from ringside.cycles.system import Count, System
from ringside.errors import DeviceError, FileError, InternalError, ParameterError
from ringside.figures import content, ledger, markers, netlist, systems, units
from ringside.figures.command import BENCH, RECORDED, asic, cycles, parse, soc_profile, soc_run, synth, value
from ringside.figures.ledger import REFUSED, Books, Ledger, Row, State
from ringside.figures.systems import ShownSystem
from ringside.figures.tables import TABLES, commands
from ringside.sim.verilate import SimulationError, source_tree
from ringside.soc import build
from ringside.synth import yosys

ROOT = Path(__file__).resolve().parents[2]
NTT = cycles("rise-32", "ntt", 1024)
# commands in their one form, and the parts of each beside those of its kind
CORE = {"command", "design", "rtl"}
CYCLES = CORE | {"driver", "simulator", "measuring", "host"}
SYSTEM = {"command", "firmware", "system", "measuring", "host"}
PARTS: Mapping[str, set[str]] = {
    NTT: CYCLES,
    cycles("rise-1", "encrypt-pk-direct", 16384, 13, 36): CYCLES,
    cycles("rise-32e", "encode-encrypt-sk", 4096, 2, 28, frames=4): CYCLES,
    cycles("lee2023", "encrypt-pk", params="lee-13", frames=16): CYCLES,
    cycles("newhope", "ntt", log_size=7, slices=8): CYCLES,
    cycles("pqc-4", "ml-kem-768-encaps"): CYCLES | {"schemes"},
    cycles("bliss-16", "bliss-sign"): CYCLES | {"schemes"},
    synth("rise-1"): CORE | {"synthesis"},
    synth("lee2023", "xcu250"): CORE | {"synthesis"},
    asic("rise-4"): CORE | {"synthesis", "cells"},
    asic("rise-4", energy=True): CYCLES | {"synthesis", "cells"},
    soc_run("none", "encrypt-pk-direct", 1024): SYSTEM,
    soc_run("rise-4e", "encode-encrypt-sk", 4096, 3, 28, latency=60, frames=4, overlap=True): SYSTEM | CORE,
    soc_run("pqc-4", "ml-kem-768-encaps", frames=2): SYSTEM | CORE,
    soc_run("none", "ml-dsa-65-sign", latency=60): SYSTEM,
    soc_profile("ml-kem-768-encaps"): SYSTEM,
    soc_profile("bliss-sign", "newhope", 10, 20): SYSTEM | CORE | {"simulator"},
    "ringside soc area --target osu018": {"command", "processor", "synthesis", "cells"},
    "ringside soc energy --op decrypt --n 1024 --limbs 1 --bits 30": SYSTEM | {"processor", "synthesis", "cells"},
    BENCH: {"library"},
    "ringside ltv time --ring 65535 --sbox paper --key-switching windows --skip-aes": {
        "command",
        "evaluator",
        "measuring",
    },
    "ringside ltv time --ring 255 --sbox 3 --key-switching hybrid": {"command", "evaluator", "measuring"},
    "ringside ltv cycles doroz2015 --op relinearise --batch 2 --hybrid": CYCLES,
}
ANSWER: Mapping[str, Any] = {"cycles": 1492, "units": {"COMPUTE": {"busy": 814}}, "ratio": 1.0596}


def row(command: str = NTT, answer: Mapping[str, Any] = ANSWER, /, **made_from: str) -> Row:
    return Row(command, answer, made_from, "0.9.0", "2026-01-31")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Stands for what answers are made from today; all alike."""
    today = {"rtl": "a", "design": "b"}
    monkeypatch.setattr(content, "of", lambda command: dict(today))
    monkeypatch.setattr(content, "netlist", lambda command: None)
    return today


OF_PYTHON = ("_reach", "_reached", "_run", "_beside", "_usual")  # functions of the package, which few tests change


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


# ---- commands -------------------------------------------------------------------------------------------------------
def test_every_command_that_is_asked_or_recorded_is_in_its_one_form() -> None:
    """What functions print, what the command line's own parser makes of it, and what the ledger has."""
    tables = [(name, *words) for name, *words in EXPRESSIONS]
    asked = [one for name, *words in tables for one in commands(TABLES[name](*words))]
    recorded = [one.command for one in ledger.shipped()]
    for one in {*PARTS, *cli_figures._report_commands(), *asked, *recorded}:
        assert canonical(one) == one
        assert one == BENCH or canonical(f"{one} --json") == one
    assert {parse(one).verb for one in PARTS} == {*RECORDED, BENCH}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("cycles rise-1", "cycles rise-1 --op ntt --n 4096 --limbs 1 --bits 30"),
        ("cycles rise-1 --bits=36 --n 1024 --frames 1", "cycles rise-1 --op ntt --n 1024 --limbs 1 --bits 36"),
        ("cycles pqc-4 --n 1024 --op ml-kem-768-encaps", "cycles pqc-4 --op ml-kem-768-encaps"),
        ("cycles lee2023 --frames 16 --params lee-13", "cycles lee2023 --op ntt --params lee-13 --frames 16"),
        ("soc run rise-1 --latency 20", "soc run rise-1 --op encrypt-pk --n 1024 --limbs 1 --bits 30"),
        ("soc run none --overlap --n 2048", "soc run none --op encrypt-pk --n 2048 --limbs 1 --bits 30 --overlap"),
        ("soc energy", "soc energy --op encrypt-pk-direct --n 1024 --limbs 1 --bits 30"),
        ("soc area", "soc area --target osu018"),
        ("soc profile bliss-sign --core-divider 1 --on bliss", "soc profile bliss-sign --on bliss"),
        ("synth rise-1", "synth rise-1 --target xc7"),
        ("synth rise-1 --no-energy --target osu018", "synth rise-1 --target osu018 --no-energy"),
        ("ltv time --skip-aes", "ltv time --ring 65535 --sbox 3 --key-switching hybrid --skip-aes"),
        ("ltv cycles doroz2015", "ltv cycles doroz2015 --op product"),
    ],
)
def test_the_form_of_a_command(text: str, form: str) -> None:
    """Sizes always, other options where they are not those of the command line itself."""
    assert canonical(f"ringside {text}") == f"ringside {form}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "make",
        "ringside",
        "ringside report",
        "ringside cycles",
        "ringside cycles rise-1 rise-2",
        "ringside cycles rise-1 --n many",
        "ringside cycles rise-1 --n",
        "ringside cycles rise-1 --help",
        "ringside cycles rise-1 --overlap",
        "ringside cycles rise-1 --clock 100",
        "ringside cycles rise-1 -o file",
        "ringside cycles 'rise-1",
        "ringside soc run rise-1 --waves run.vcd",
        "ringside soc run pqc-4 --op ml-kem-768-encaps --core-divider 20",
        "ringside soc energy --liberty cells.lib",
        "ringside synth rise-1 --target ecp5",
        "ringside synth rise-1 --target xcup",
        "ringside synth rise-1 --target xc7 --device xc7vx690t",
        "ringside synth rise-1 --target xc7 --no-energy",
        "ringside synth rise-1 --target osu018 --device xcu250",
    ],
)
def test_other_commands_are_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="is not a command whose figures are recorded"):
        canonical(text)


def test_a_figure_at_a_path() -> None:
    blocks = [{"module": "top", "instances": 1, "total": {"lut": 5}}, {"module": "lane", "instances": 2}]
    assert value({"blocks": blocks}, "blocks.top.total.lut") == 5
    for path, there in (
        ("blocks.lane.total", "top"),
        ("blocks.top.total.ff", "lut"),
        ("blocks.top.total.lut.x", "none"),
    ):
        with pytest.raises(LookupError, match=there):
            value({"blocks": blocks}, path)


def test_what_a_figure_is() -> None:
    """By the last name of its path; two commands may call two things alike."""
    ltv = "ringside ltv time --ring 65535 --sbox 3 --key-switching hybrid"
    sliced, system = cycles("bliss", "ntt", log_size=9), soc_run("none", "decrypt", 1024)
    assert [units.unit(one, "transform") for one in (ltv, sliced)] == ["µs", "cycles"]
    assert units.unit(synth("rise-1"), "lut.value") == units.unit(synth("rise-1"), "blocks.rs_lane.total.lut") == "LUT"
    with pytest.raises(InternalError, match="design of"):
        units.unit(NTT, "design")
    assert units.is_modelled(asic("rise-1"), "memory_um2")
    assert not units.is_modelled(asic("rise-1"), "area_um2")
    assert units.caveat(system, "cycles").startswith("Encoding")
    assert units.caveat(system, "stages.core.cycles") == units.caveat(NTT, "cycles") == ""
    assert units.caveat(soc_run("none", "ml-kem-768-encaps"), "cycles").startswith("Rocket")
    assert "rs_pipe in rise-1" in units.source(synth("rise-1", "xcu250"), "blocks.rs_pipe.total.lut")
    assert units.source(BENCH, "lee-12.encode.seal.rate") == "SEAL with HEXL on one core, lee-12"
    assert all(units.source(one, "a.b.c.d") for one in PARTS)


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


OF_HERE: Mapping[str, Callable[..., str]] = {
    **dict.fromkeys(("firmware", "profile", "schemes", "_cells"), lambda: "made"),
    "_synthesis": lambda by: "made",
}  # what needs tools


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]) -> None:
    for name, made in OF_HERE.items():
        monkeypatch.setattr(content, name, made)


def test_parts_of_an_answer(without_tools: None) -> None:
    for one, wanted in PARTS.items():
        found = content.of(one)
        assert set(found) == wanted, one
        assert all(found.values())


def test_what_needs_tools_is_not_known_without_them(
    monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None], tmp_path: Path
) -> None:
    """Such a row is neither fresh nor old."""
    monkeypatch.setattr(yosys, "version", lambda: None)
    assert row(synth("rise-1")).state() is State.unknown
    monkeypatch.setattr(build, "firmware_place", lambda: tmp_path / "firmware.elf")
    assert row(soc_run("none", "decrypt", 1024)).state() is State.unknown
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
    known = content.of(cycles("rise-4", "ntt", 1024))
    asked = cycles(mine, "ntt", 1024)
    assert content.of(asked) | {"command": ""} == known | {"command": ""}
    recorded = row(asked, **content.of(asked))
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


OF_SOURCES = {
    "lane": NTT,
    "stream": cycles("lee2023", "encrypt-pk", params="lee-13", frames=16),
    "synthesis": synth("rise-1"),
    "system": soc_run("rise-1", "decrypt", 1024),
    "library": BENCH,
    "ltv": "ringside ltv time --ring 65535 --sbox 3 --key-switching hybrid",
}


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
        ("lib/src/host/pool.c", {"library": ["library"], "ltv": ["evaluator"]}),
    ],
)
@pytest.mark.alike(2)
def test_a_statement_changes_what_it_belongs_to_and_a_comment_nothing(
    file: str, changed: Mapping[str, list[str]], tree: Path, without_tools: None, fresh_hashes: Callable[[], None]
) -> None:
    rows = {name: row(one, **content.of(one)) for name, one in OF_SOURCES.items()}
    with kept(tree / file) as place:
        append(place, "\n// one\n/* and another\n */\n")
        fresh_hashes()
        assert not any(one.changed() for one in rows.values())
        append(place, "int rs_more = 5;\n")
        fresh_hashes()
        assert {name: found for name, one in rows.items() if (found := one.changed())} == changed


def test_a_package_that_rocket_comes_from(tree: Path, without_tools: None, fresh_hashes: Callable[[], None]) -> None:
    area = "ringside soc area --target osu018"
    known = row(area, **content.of(area))
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
    (
        "sim/program.py",
        "KECCAK_BLOCK, KECCAK_ROUNDS = 136, 24",
        "KECCAK_BLOCK, KECCAK_ROUNDS = 136, 25",
        ["measuring"],
        [],
        [],
    ),
    ("executors/simulated.py", "POLYS = 3", "POLYS = 4", ["measuring"], [], ["measuring"]),
    ("cycles/operation.py", "ratio=job.cycles", "ratio=job.idle", ["measuring"], [], []),
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


OF_CODE = {"cycles": NTT, "area": synth("rise-1"), "system": soc_run("none", "decrypt", 1024)}
PART_NAMES = {"cycles": ("measuring", "host"), "area": ("synthesis", ""), "system": ("measuring", "host")}
FOLDERS = {"cycles": content._COUNTING, "area": content._MAPPING, "system": content._COUNTING_SYSTEMS}


def measured_by() -> dict[str, list[str]]:
    """Hashes of the code that measures cycles, an area and a system."""
    forget_python()
    found = {name: content._measured_by(parse(one)) for name, one in OF_CODE.items()}
    return {name: [content._run(by, FOLDERS[name]), content._beside(by)] for name, by in found.items()}


@pytest.fixture(scope="module")
def as_it_is() -> dict[str, list[str]]:
    return measured_by()


@pytest.mark.parametrize(
    ("file", "old", "new", "counts", "area", "system"), MEASURES, ids=[f"{one[0]} {one[1]}" for one in MEASURES]
)
def test_a_statement_that_measures_makes_an_answer_old(
    file: str,
    old: str,
    new: str,
    counts: list[str],
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
    assert changed == {"cycles": counts, "area": area, "system": system}


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("] = CHIP_LATENCY_CYCLES,", "] = 40,", True),
        ("] = False,\n    core_divider", "] = True,\n    core_divider", True),
        ("n: DegreeOption = 1024", "n: DegreeOption = 2048", False),  # a command always says it
        ('help="Latency of RAM, in cycles."', 'help="Another."', False),
    ],
)
def test_another_usual_value_makes_an_answer_old(package: Path, old: str, new: str, changed: bool) -> None:
    """A command that does not say it means another thing then."""
    forget_python()
    before = content._usual("soc run")
    with kept(package / "cli/hardware/soc.py") as place:
        text = place.read_text(encoding="utf-8")
        assert old in text
        place.write_text(text.replace(old, new), encoding="utf-8")
        forget_python()
        assert (content._usual("soc run") != before) is changed


def test_another_yosys_makes_areas_old(monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]) -> None:
    monkeypatch.setattr(yosys, "version", lambda: "0.55")
    known = row(synth("rise-1"), **content.of(synth("rise-1")))
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
    rows = [row(one, {"cycles": number}) for number, one in enumerate(PARTS)]
    for one in reversed(rows):
        book.put(one)
    for known in (book, Ledger(book.path)):
        assert [known.find(one.command) for one in rows] == rows
        assert known.find(cycles("rise-32", "ntt", 2048)) is None
    newer = row(NTT, {"cycles": 1400})
    book.put(newer, rows[1])
    assert Ledger(book.path).find(NTT) == newer
    assert len(list(book)) == len(rows)
    book.drop(NTT, cycles("rise-32", "ntt", 2048))
    assert Ledger(book.path).find(NTT) is None
    assert len(list(Ledger(book.path))) == len(rows) - 1


def test_lines_are_sorted_whoever_comes_first(book: Ledger) -> None:
    """By command; numbers as numbers. A changed answer is one changed line."""
    sizes = [row(cycles(name, "ntt", n)) for name in ("rise-2", "rise-16") for n in (512, 1024, 16384)]
    wanted = [*sizes, row(soc_run("none", "decrypt", 1024)), row(asic("rise-4"))]
    book.put(*wanted[::-2])
    book.put(*wanted)
    lines = book.path.read_text(encoding="utf-8").splitlines()
    assert lines == [one.line for one in wanted]
    assert list(Ledger(book.path)) == wanted
    assert list(json.loads(lines[0])) == ["command", "answer", "made_from", "version", "date"]
    book.put(row(sizes[2].command, {"cycles": 1}))
    new = book.path.read_text(encoding="utf-8").splitlines()
    assert [index for index, line in enumerate(new) if line != lines[index]] == [2]


GOOD = row().line


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
        GOOD.replace(json.dumps(NTT), "5"),
        GOOD.replace('"made_from": {}', '"made_from": "hash"'),
        GOOD.replace('"answer": {', '"answer": [{').replace('}, "made_from', '}], "made_from'),
        GOOD.replace('"date"', '"day"'),
        "\udcff",
    ],
)
def test_a_damaged_line_is_named(book: Ledger, line: str) -> None:
    other = row(asic("rise-4")).line
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
    book.put(*(row(cycles("rise-1", text, 1024), {REFUSED: text}) for text in texts))
    assert {one.answer[REFUSED] for one in Ledger(book.path)} == set(texts)


def _put_many(path: Path, design: str, count: int) -> None:
    for n in range(count):
        Ledger(path).put(row(cycles(design, "ntt", n + 1)))


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
        book.put(row(asic("rise-4")))
    assert book.path.read_bytes() == before
    monkeypatch.undo()
    # what was not written is not there later either
    book.put(row(asic("rise-8")))
    assert [one.command for one in Ledger(book.path)] == [NTT, asic("rise-8")]


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
    monkeypatch.setattr(content, "netlist", lambda command: netlists["now"])
    monkeypatch.setattr(content, "program", lambda command: None)
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
    monkeypatch.setattr(content, "netlist", lambda command: "n")
    monkeypatch.setattr(content, "program", lambda command: programs["now"])
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


def test_an_answer_agrees_with_one_that_says_more() -> None:
    new = row(NTT, {**ANSWER, "seconds": 1, "units": {"COMPUTE": {"busy": 814, "bound": 1}, "LOAD": {"busy": 2}}})
    assert row().agrees(new)
    assert not new.agrees(row())
    for other in ({"cycles": 1493}, {"units": {"COMPUTE": {"busy": 815}}}, {"units": 5}):
        assert not row().agrees(row(NTT, {**ANSWER, **other}))


def test_the_program_of_an_answer() -> None:
    """Of another size another one; none of what is no single program, and of what a design cannot do."""
    found = {content.program(cycles("rise-4", "decrypt", 4096, limbs)) for limbs in (1, 2)}
    assert len(found) == 2
    assert None not in found
    assert content.program(cycles("rise-4", "decrypt", 4096, 2)) in found
    assert content.program(asic("rise-4", energy=True)) == content.program(cycles("rise-4", "encrypt-pk-direct", 4096))
    framed = cycles("rise-4e", "encode-encrypt-sk", 4096, frames=4)
    for one in (framed, asic("rise-4"), cycles("rise-1", "ntt", 1 << 17), cycles("pqc-4", "ml-kem-768-encaps")):
        assert content.program(one) is None


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
    assert ledger.own().path == tmp_path / "figures" / "answers.jsonl"
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    assert ledger.shipped().path == Path(ledger.__file__).with_name("ours.jsonl")
    assert ledger.SHIPPED.is_file()  # it came with the package


def test_the_ledger_of_the_tree_can_be_read() -> None:
    """Each line is in its place. Everything that the report asks of an answer is in it, but for kernels that an operation does not have."""
    book = ledger.shipped()
    assert book.path.read_text(encoding="utf-8") == "".join(f"{one.line}\n" for one in book)
    assert all(one.version and one.answer for one in book)


# ---- measuring -------------------------------------------------------------------------------------------------------
def test_an_answer_is_what_the_command_prints(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    """Of a run on the SoC all of it; of a wrong result nothing."""
    calls: list[tuple[Any, dict[str, Any]]] = []
    stages = {"encode": Count(1000, 700), "core": Count(29_000, 140)}
    result = System(
        design="rise-4", op="decrypt", n=1024, limbs=1, moduli=[17], latency=20, frames=2, overlap=False, cycles=30_000,
        instructions=840, stages=stages, setup=Count(5, 4), units={}, program_instructions=0, register_accesses=0,
        simulated=300_000, bit_exact=True,
    )  # fmt: skip

    def run(design: Any, **values: Any) -> System:
        calls.append((design and design.name, {name: values[name] for name in ("op", "n", "latency", "frames")}))
        return result

    monkeypatch.setattr("ringside.cycles.system.measure", run)
    monkeypatch.setattr("ringside.executors.on_chip.build_soc", lambda *_, **__: None)
    monkeypatch.setattr("ringside.cli.hardware.soc.keep", lambda *_, **__: None)
    asked = soc_run("rise-4", "decrypt", 1024, frames=2)
    found = measured(asked)
    assert systems.system(dict(found.answer)) == result
    assert calls == [("rise-4", {"op": "decrypt", "n": 1024, "latency": 20, "frames": 2})]
    assert (found.command, found.made_from, found.version) == (
        asked,
        {"rtl": "a", "design": "b"},
        version("ringside-he"),
    )
    assert len(found.date.split("-")) == 3
    result = System(**{**vars(result), "bit_exact": False})
    with pytest.raises(DeviceError, match="not the library's"):
        measured(asked)


def test_a_failure_is_no_answer(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    error = DeviceError("SIMULATION", "It computes another ntt than the library.")

    def broken(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("ringside.cycles.operation.record", broken)
    with pytest.raises(DeviceError, match="another ntt"):
        measured(NTT)
    # what a design cannot do is one
    error = DeviceError("RS_ERR_DESIGN_DEGREE", "Too large.")
    assert measured(NTT).answer == {REFUSED: "Too large."}


def test_cells_that_do_not_fit_are_counted(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    def printing(**said: Any) -> Callable[..., Any]:
        def run(args: list[str], **_: Any) -> int:
            print(json.dumps({"lut": {"value": 5}, "error": {"message": "No.", **said}}))
            return 3

        return lambda words: run

    monkeypatch.setattr("ringside.cli.plugins.command_of", printing(code="DOES_NOT_FIT"))
    assert measured(synth("rise-1")).answer["lut"]["value"] == 5
    monkeypatch.setattr("ringside.cli.plugins.command_of", printing(code="SYNTHESIS"))
    with pytest.raises(DeviceError, match=r"No\."):
        measured(synth("rise-1"))


def test_the_speed_of_a_processor_is_that_of_the_last_bench(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: dict[str, str]
) -> None:
    monkeypatch.setattr("ringside.sim.verilate.source_tree", lambda: tmp_path)
    with pytest.raises(DeviceError, match="make bench"):
        measured(BENCH)
    (tmp_path / "build").mkdir()
    operations = {"decrypt": {"seal-hexl": {"cpu_ns_median": 250000}, "note": "text"}}
    timed = {"sets": {"lee-12": {"operations": operations}}, "machine": {"processor": "Some CPU"}}
    (tmp_path / "build" / "bench.json").write_text(json.dumps(timed))
    found = measured(BENCH)
    assert found.answer == {"lee-12": {"decrypt": {"seal-hexl": {"rate": 4000}}}, "processor": "Some CPU"}
    assert found.recorded.endswith(", Some CPU")


def test_without_the_source_tree_one_can_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_hashes: Callable[[], None]
) -> None:
    """With an installed package: its answer is kept, and nobody can say whether it is old. Where there is a tree, it is."""
    monkeypatch.setattr(recorded, "answer", lambda command: {"cycles": 3})
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    with monkeypatch.context() as patch:
        patch.setenv("RINGSIDE_TREE", str(tmp_path))
        books.own.put(measured(NTT))
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
    small = measured(cycles("rise-32", "ntt", 256))
    assert "N = 256" in small.answer[REFUSED]
    none = measured(cycles("rise-3", "ntt", 1024))
    assert none.answer == {REFUSED: "there is no design rise-3"}
    assert none.made_from["design"] == content.ABSENT
    assert [one.state() for one in (small, none)] == [State.fresh] * 2
    monkeypatch.setattr(content, "designs", SimpleNamespace(load=lambda name: designs.load("rise-4")))
    fresh_hashes()
    assert none.changed() == ["design"]


def test_a_run_that_a_design_cannot_do_is_not_shown(tmp_path: Path, told: dict[str, str]) -> None:
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    wanted = ShownSystem("rise-1", "decrypt", 1024, 1)
    books.shipped.put(row(systems.best(wanted), {REFUSED: "Too large."}))
    assert systems.find_all([wanted], books) == [(wanted, None)]


# ---- figures in pages --------------------------------------------------------------------------------------------------
RUN, OTHER = soc_run("rise-4", "encrypt-sk", 4096, 3, frames=2), cycles("rise-1", "ntt", 1024)
KNOWN: dict[str, Mapping[str, Any]] = {
    NTT: {"cycles": 1492, "compute": 814.0, "ratio": 1.0596, "what": "text"},
    OTHER: {"cycles": 20_888},
    RUN: {"cycles": 1_234_567, "stages": {"core": {"cycles": 43_210, "instructions": 0}}},
}
ONE, TWO = NTT, "ringside cycles rise-1 --n 1024"


def test_a_speed_names_its_processor() -> None:
    command = "ringside ltv time --ring 65535 --sbox 3 --key-switching hybrid"
    assert markers.figure(f"{command} | processor", lambda _: {"load": 1, "processor": "Some CPU"}) == "Some CPU"
    assert "not recorded" in markers.figure(f"{command} | processor", lambda _: {"load": 1})


def known(command: str) -> Mapping[str, Any]:
    found = KNOWN.get(canonical(command))
    if found is None:
        raise LookupError(command)
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
        (f"{RUN} | cycles : ,.1fk", "1,234.6"),
        (f"{RUN} | stages.core.cycles", "43,210"),
        (f"{TWO} | cycles / {ONE} | cycles : .1f", "14.0"),
        (f"  {TWO}   |   cycles   /   {ONE}   |   compute   :   .2f ", "25.66"),
        (f"{RUN} | cycles / {RUN} | stages.core.cycles : .0f", "29"),
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
        (f"{RUN} | stages.core.time", "There are: cycles, instructions"),
        (f"{RUN} | cycles.core", "no figure 'cycles.core'"),
        (f"{RUN} | stages", "it has parts. There are: core"),
        (f"{ONE} | what", "no number"),
        (f"{ONE} | cycles : five", "'five' is no format"),
        ("make | rate", "not a command whose figures are recorded"),
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


EXPRESSIONS = (
    *(("soc", op) for op in ("encrypt-pk-direct", "encrypt-sk", "encrypt-pk", "decrypt")),
    *(("soc-schemes", "pqc-4"), ("newhope-gains", "pqc-4"), ("asic",), ("fpga",), ("fpga-large",)),
    *(("stream", "encrypt-pk", "lee2023"), ("stream", "decrypt", "ringside-stream"), ("pictures", "rise-32e")),
)


class Anything(Mapping[str, Any]):
    """An answer that has every figure: 2."""

    def __getitem__(self, name: str) -> Any:
        return self

    def __contains__(self, name: object) -> bool:
        return name != REFUSED

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 2.0


@pytest.mark.parametrize("words", EXPRESSIONS, ids=" ".join)
def test_a_table_asks_what_it_says(words: tuple[str, ...]) -> None:
    """A page that prints it prints the answers that it needs."""
    expression = " ".join(words)
    text = f"Text.\n\n<!-- table: {expression} -->\nold\n<!-- /table -->\n\nMore.\n"
    asked: set[str] = set()

    def answer(command: str) -> Mapping[str, Any]:
        asked.add(command)
        return Anything()

    filled = markers.fill(text, answer)
    assert asked == set(markers.printed(text)) != set()
    assert markers.fill(filled, answer) == filled
    head, _, rest = filled.partition(" -->\n")
    table, _, end = rest.partition("\n<!-- /table -->")
    assert (head, end) == (f"Text.\n\n<!-- table: {expression}", "\n\nMore.\n")
    assert len({line.count("|") for line in table.splitlines()}) == 1
    assert len(table.splitlines()) >= 3
    with pytest.raises(ParameterError, match="Too large"):
        markers.fill(text, lambda command: {REFUSED: "Too large"})
    with pytest.raises(ParameterError, match="has no"):
        markers.fill(text, lambda command: {})


def test_commands_of_a_page() -> None:
    text = (
        f"<!-- figure: {TWO} | cycles / {ONE} | cycles -->5<!-- /figure --> and "
        f"<!-- figure: {ONE} | ratio : .2f -->5<!-- /figure -->; <!-- a comment -->\n"
    )
    assert markers.printed(text) == [TWO, NTT]
    assert markers.printed("Text.") == []


# ---- the command --------------------------------------------------------------------------------------------------------
AREA, ENERGY = asic("rise-4"), asic("rise-4", energy=True)


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
    monkeypatch.setattr(cli_figures, "_report_commands", lambda: [AREA])
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
        ledger.shipped().put(*(row(cycles("rise-1", "ntt", 2048 << i), rtl="z", design="b") for i in range(count)))
        told = ringside("figures", "fill", "--check")
        assert told.code == 0
        assert told.err.count("is old: changed rtl") == (count if count == cli_figures.FEW else 0)
    assert f"{count} answers that the report alone shows are old" in told.err
    assert "figures list --full" in told.err
    assert f"stale answers: {count}" in told.out


def test_list(small_tree: Path, ringside: CommandLine) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"), row(AREA, {"kge": 5.0}, rtl="z", design="b"))
    found = ringside("figures", "list", "--json").json
    assert found == [
        {"command": NTT, "answer": dict(ANSWER), "state": "fresh", "recorded": "0.9.0, 2026-01-31"},
        {"command": AREA, "answer": {"kge": 5.0}, "state": "old: rtl", "recorded": "0.9.0, 2026-01-31"},
    ]
    text = ringside("figures", "list", "--only", "cycles", "--only", "nothing").out
    assert "rise-32" in text
    assert "fresh" in text
    assert "rise-4" not in text


class Measuring:
    """Stands for the processes that measure."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.errors: dict[str, Exception] = {}
        self.more: dict[str, str] = {}

    def __call__(self, commands: list[str], book: Ledger, jobs: int) -> dict[str, str]:
        self.asked += commands
        for command in commands:
            if command not in self.errors:
                book.put(row(command, {"cycles": 7}, **{"rtl": "a", "design": "b"} | self.more))
        return {command: str(error) for command, error in self.errors.items()}


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Measuring:
    found = Measuring()
    monkeypatch.setattr(cli_figures, "_measure_all", found)
    return found


def test_a_dry_run_says_what_is_missing(small_tree: Path, ringside: CommandLine, measuring: Measuring) -> None:
    """And writes nothing, though the user has measured some of it."""
    dry = ("figures", "refresh", "--dry-run")
    assert set(ringside(*dry).out.splitlines()) == {ONE, AREA}
    assert ringside(*dry, "--printed", "--json").json == [ONE]
    assert ringside(*dry, "--only", "synth").out == f"{AREA}\n"
    assert ringside(*dry, "--only", "nothing").out == ""
    ledger.own().put(row(NTT, rtl="a", design="b"))
    ledger.shipped().put(row(AREA, {"kge": 5.0}, rtl="a", design="b"), row(ENERGY, {"energy_uj": 1}, rtl="z"))
    before = ledger.shipped().path.read_bytes()
    assert ringside(*dry, "--json").json == [ENERGY]
    assert set(ringside(*dry, "--again", "--json").json) == {ONE, AREA, ENERGY}
    assert ledger.shipped().path.read_bytes() == before
    assert measuring.asked == []


def test_refresh(small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]) -> None:
    """What is fresh or unknown is kept, what the user has measured is taken, the rest is measured; what fails is said."""
    ledger.own().put(row(AREA, {"kge": 6.0}, rtl="a", design="b"))
    ledger.shipped().put(row(ENERGY, {"energy_uj": 1}, rtl="z", design="b"))
    measuring.errors[ENERGY] = DeviceError("SYNTHESIS", "Yosys is missing")
    done = ringside("figures", "refresh", "--json")
    assert done.code == 1
    assert done.json == {"made": 1, "failed": {ENERGY: "Yosys is missing"}}
    assert f"{ENERGY}: Yosys is missing" in done.err
    assert set(measuring.asked) == {NTT, ENERGY}
    book = ledger.shipped()
    found = [book.find(command) for command in (AREA, NTT, ENERGY)]
    assert [one and one.answer for one in found] == [{"kge": 6.0}, {"cycles": 7}, {"energy_uj": 1}]
    measuring.asked.clear()
    measuring.errors.clear()
    assert "1 answers made, 2 kept" in ringside("figures", "refresh").out
    assert measuring.asked == [ENERGY]
    measuring.asked.clear()
    assert "0 answers made, 3 kept" in ringside("figures", "refresh").out
    told["rtl"] = "c"
    assert ringside("figures", "refresh", "--printed").code == 0
    assert measuring.asked == [NTT]


def test_refresh_keeps_answers_of_netlists_that_are_the_same(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    netlists = {"now": "n"}
    monkeypatch.setattr(content, "netlist", lambda command: netlists["now"])
    monkeypatch.setattr(content, "program", lambda command: "p")
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
    assert [one.answer for one in Ledger(book.path)] == [{"cycles": 7}]


RUNS = [cycles(design, "encrypt-sk", n) for n in (1024, 4096) for design in ("race", "rise-1", "rise-2", "rise-4")]


@pytest.fixture
def others(small_tree: Path, told: dict[str, str], measuring: Measuring) -> Ledger:
    """Runs that were 7 cycles on another simulator."""
    book = ledger.shipped()
    book.put(*(row(run, {"cycles": 7}, rtl="a", design="b", simulator="s") for run in RUNS))
    told["simulator"] = measuring.more["simulator"] = "t"
    return book


@pytest.mark.parametrize("found", [7, 8])
def test_witnesses_vouch_for_others(others: Ledger, ringside: CommandLine, measuring: Measuring, found: int) -> None:
    """The smallest answer of each design is made again, as 7 cycles; if one was another, the others are made, too."""
    others.put(row(RUNS[2], {"cycles": found}, rtl="a", design="b", simulator="s"))
    done = ringside("figures", "refresh", "--only", "encrypt-sk")
    assert done.code == 0
    assert set(measuring.asked[:4]) == set(RUNS[:4])
    assert len(measuring.asked) == (4 if found == 7 else 8)
    assert ("says something else than before" in done.err) == (found != 7)
    rows = Ledger(others.path)
    assert all(one.state() is State.fresh for one in rows)
    marked = [run for run in RUNS if ledger.WITNESSED in rows.rows[ledger.key(run)].made_from]
    assert marked == (RUNS[4:] if found == 7 else [])


@pytest.mark.parametrize("part", ["firmware", "system", "measuring", "rtl"])
def test_nobody_vouches_for_what_has_changed_otherwise(
    others: Ledger, ringside: CommandLine, measuring: Measuring, told: dict[str, str], part: str
) -> None:
    others.put(*(row(run, {"cycles": 7}, **{"rtl": "a", "design": "b", "simulator": "t", part: "old"}) for run in RUNS))
    told[part] = measuring.more[part] = "new"
    assert ringside("figures", "refresh", "--only", "encrypt-sk").code == 0
    assert set(measuring.asked) == set(RUNS)


def test_a_witness_that_fails_does_not_vouch(others: Ledger, ringside: CommandLine, measuring: Measuring) -> None:
    measuring.errors[RUNS[1]] = DeviceError("SIMULATION", "no compiler")
    assert ringside("figures", "refresh", "--only", "encrypt-sk").code == 1
    assert not any(ledger.WITNESSED in found.made_from for found in Ledger(others.path))
    assert set(RUNS[4:]) <= set(measuring.asked)


def test_witnesses_that_have_spoken_are_not_asked_again(
    others: Ledger, ringside: CommandLine, measuring: Measuring
) -> None:
    """A run that was broken off between two of them goes on there."""
    ledger.own().put(*(row(run, {"cycles": 7}, rtl="a", design="b", simulator="t") for run in RUNS[:2]))
    assert ringside("figures", "refresh", "--only", "encrypt-sk").code == 0
    assert set(measuring.asked) == set(RUNS[2:4])
    assert all(found.state() is State.fresh for found in Ledger(others.path))


def test_nobody_vouches_where_nothing_can_be_a_witness(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    schemes = [cycles("pqc-4", f"ml-kem-{bits}-encaps") for bits in (512, 768, 1024)]
    ledger.shipped().put(*(row(one, {"cycles": 7}, rtl="a", design="b", simulator="s") for one in schemes))
    told["simulator"] = measuring.more["simulator"] = "t"
    assert ringside("figures", "refresh", "--only", "ml-kem").code == 0
    assert set(measuring.asked) >= set(schemes)


def test_a_stream_vouches_for_itself_alone(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    """The shortest run of each design and operation is made again, whatever has changed."""
    streams = [
        cycles(design, op, params=params, frames=16)
        for op in ("encrypt-pk", "decrypt")
        for design in ("lee2023", "ringside-stream")
        for params in ("lee-12", "lee-14")
    ]
    book = ledger.shipped()
    book.put(*(row(one, {"cycles": 7}, rtl="z", design="b", driver="d") for one in streams))
    told["driver"] = measuring.more["driver"] = "e"
    assert ringside("figures", "refresh", "--only", "lee-").code == 0
    asked = [one for one in measuring.asked if one in streams]
    assert set(asked) == {one for one in streams if "lee-12" in one}
    assert all(one.state() is State.fresh for one in Ledger(book.path) if one.command in streams)


def test_nobody_vouches_for_another_program(told: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    told["driver"] = "e"
    monkeypatch.setattr(content, "program", lambda command: "q")
    parts = [("driver", "d")]
    assert row(NTT, rtl="a", design="b", driver="d", program="q").carried_over(parts) is not None
    assert row(NTT, rtl="a", design="b", driver="d", program="p").carried_over(parts) is None


def test_carrying_makes_nothing(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "netlist", lambda command: "n")
    monkeypatch.setattr(content, "program", lambda command: "p")
    book = ledger.shipped()
    book.put(row(NTT, rtl="z", design="b", netlist="n"), row(AREA, rtl="z", design="b"))
    assert "1 answers kept, 1 are old or missing" in ringside("figures", "refresh", "--carry").out
    assert [one.state() for one in Ledger(book.path)] == [State.fresh, State.old]
    assert measuring.asked == []


def test_what_is_measured_keeps_its_netlist(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    monkeypatch.setattr(recorded, "answer", lambda command: {"cycles": 3})
    monkeypatch.setattr(content, "netlist", lambda command: "n")
    monkeypatch.setattr(content, "program", lambda command: None)
    assert cli_figures._measured(NTT).made_from == {"rtl": "a", "design": "b", ledger.NETLIST: "n"}

    def missing(command: str) -> str:
        raise SimulationError("Yosys is missing")

    monkeypatch.setattr(content, "netlist", missing)
    assert cli_figures._measured(NTT).made_from == {"rtl": "a", "design": "b"}


def test_each_answer_is_written_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
) -> None:
    """Whatever happens to one, the others are measured and kept."""
    fork = multiprocessing.get_context("fork")
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: fork)
    errors = {
        "rise-2": DeviceError("SIMULATION", "It computes another ntt.", "Ask."),
        "rise-8": ZeroDivisionError("oops"),
    }

    def answer(command: str) -> Mapping[str, Any]:
        if parse(command).design in errors:
            raise errors[parse(command).design]
        return {"cycles": 7}

    monkeypatch.setattr(recorded, "answer", answer)
    book = Ledger(tmp_path / ledger.NAME)
    asked = [cycles(f"rise-{lanes}", "ntt", 1024) for lanes in (1, 2, 8, 16)]
    failures = cli_figures._measure_all(asked, book, 2)
    assert failures == {asked[1]: "It computes another ntt. Ask.", asked[2]: "ZeroDivisionError: oops"}
    assert [one.command for one in Ledger(book.path)] == [asked[0], asked[3]]


def test_an_answer_of_a_process_of_its_own(tmp_path: Path) -> None:
    """Measured as `refresh` does it: started anew, and its command, answer and refusal go through a pipe."""
    book = Ledger(tmp_path / ledger.NAME)
    small = cycles("rise-32", "ntt", 256)
    assert cli_figures._measure_all([small], book, 1) == {}
    found = book.find(small)
    assert found is not None
    assert "N = 256" in found.answer[REFUSED]


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
    asked = cli_figures._report_commands()
    assert {parse(one).verb for one in asked} == {*RECORDED, BENCH}
    runs = [one for one in map(parse, asked) if one.verb == "soc run" and not one.is_scheme]
    assert soc_run("rise-4", "encrypt-pk-direct", 4096, 3, frames=2) in asked
    for run in runs:
        wanted = ShownSystem(run.design, systems.plain(run.op), run.number("n"), run.number("limbs"))
        assert run.command == systems.best(wanted)


def test_what_takes_hours_is_refreshed_by_name_alone(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is recorded, it is made again like all others."""
    large = asic("rise-32")
    monkeypatch.setattr(cli_figures, "_report_commands", lambda: [large])
    dry = ("figures", "refresh", "--dry-run", "--json")
    assert large not in ringside(*dry).json
    assert ringside(*dry, "--only", "synth rise-32").json == [large]
    ledger.shipped().put(row(large, {"kge": 5.0}, rtl="z"))
    assert large in ringside(*dry).json


def test_pages_of_the_tree_name_what_can_be_recorded() -> None:
    """Every comment can be read."""
    assert len(cli_figures._printed_commands()) > 100
