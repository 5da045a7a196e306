# SPDX-License-Identifier: Apache-2.0
"""What an answer is made from: the hash of each part moves with a statement and not with a comment; netlists and programs keep answers."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from asserting import raises
from ringside.figures import content, netlist
from ringside.figures.command import BENCH, asic, cycles, parse, soc_profile, soc_run, synth
from ringside.figures.ledger import Row, State
from ringside.figures.reach import computing, outline
from ringside.sim.verilate import SimulationError
from ringside.soc import build
from ringside.synth import yosys

ROOT = Path(__file__).resolve().parents[2]
CORE = {"command", "design", "rtl"}
CYCLES = CORE | {"driver", "simulator", "measuring", "host"}
SYSTEM = {"command", "firmware", "system", "measuring", "host"}
AREA, LTV = "ringside soc area --target osu018", "ringside ltv time --ring 65535 --sbox 3 --key-switching hybrid"
NTT, STREAM = cycles("rise-32", "ntt", 1024), cycles("lee2023", "encrypt-pk", params="lee-13", frames=16)
MAPPED, ON_CHIP = synth("rise-1"), soc_run("rise-1", "decrypt", 1024)
PARTS: Mapping[str, set[str]] = {
    NTT: CYCLES,
    STREAM: CYCLES,
    cycles("rise-32e", "encode-encrypt-sk", 4096, 2, 28, frames=4): CYCLES,
    cycles("newhope", "ntt", log_size=7, slices=8): CYCLES,
    cycles("pqc-4", "ml-kem-768-encaps"): CYCLES | {"schemes"},
    cycles("bliss-16", "bliss-sign"): CYCLES | {"schemes"},
    MAPPED: CORE | {"synthesis"},
    synth("lee2023", "xcu250"): CORE | {"synthesis"},
    asic("rise-4"): CORE | {"synthesis", "cells"},
    asic("rise-4", energy=True): CYCLES | {"synthesis", "cells"},
    ON_CHIP: SYSTEM | CORE,
    soc_run("rise-4e", "encode-encrypt-sk", 4096, 3, 28, latency=60, frames=4, overlap=True): SYSTEM | CORE,
    soc_run("pqc-4", "ml-kem-768-encaps", frames=2): SYSTEM | CORE,
    soc_run("none", "ml-dsa-65-sign", latency=60): SYSTEM,
    soc_profile("ml-kem-768-encaps"): SYSTEM,
    soc_profile("bliss-sign", "newhope", 10, 20): SYSTEM | CORE | {"simulator"},
    AREA: {"command", "processor", "synthesis", "cells"},
    "ringside soc energy --op decrypt --n 1024 --limbs 1 --bits 30": SYSTEM | {"processor", "synthesis", "cells"},
    BENCH: {"library"},
    LTV: {"command", "evaluator", "measuring"},
    "ringside ltv cycles doroz2015 --op relinearise --batch 2 --hybrid": CYCLES,
}
OF_PYTHON = ("_reach", "_reached", "_run", "_beside", "_usual")  # functions of the package, which few tests change


def of(command: str) -> Row:
    """An answer of now."""
    return Row(command, {"cycles": 1}, content.of(command), "0.9.0", "2026-01-31")


def forget(*names: str) -> None:
    for name in names or [one for one in vars(content) if one not in (*OF_PYTHON, "words")]:
        if callable(clear := getattr(vars(content)[name], "cache_clear", None)):
            clear()


@pytest.fixture(autouse=True)
def _fresh_hashes() -> Iterator[None]:
    """A process takes its sources as they were when it first looked."""
    forget()
    yield
    forget()


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("firmware", "_cells", "_synthesis"):
        monkeypatch.setattr(content, name, lambda *_: "made")


@contextmanager
def changed(file: Path, old: str = "", new: str = "", more: str = "") -> Iterator[None]:
    """In the block other text stands there, and more at the end."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new) + more, encoding="utf-8")
    forget()
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


# ---- words of a source -----------------------------------------------------------------------------------------------
SOURCE = """\
// what it does
module m (input a); /* here
   and there */
  localparam X = 5;   // five
  initial $display("http://x /* kept */");  // said
  assign c = x == '"' ? f(a, /* none */ b) : "y"; // the "end"
endmodule
"""
BARE = """\
module m (input a);
 localparam X = 5;

 initial $display("http://x /* kept */");
 assign c = x == '"' ? f(a, b) : "y";
endmodule"""
CHANGES = {"X = 5": "X = 6", "http://x": "http://y", "/* kept */": "/* still */", "http://x /": "http://x  /", '"y"': '"z"', "localparam X": "localparamX"}  # fmt: skip
SAME = (
    ("a = b;", "a = b; // c\n"),
    ("a = b;", "/* c */ a = b;"),
    ("f(a)", "f(a /* c */)"),
    ("int a;", "int /* c */ a;"),
    ("a\nb", "a // c // d\n  /* e */ b"),
    ("x = '\\'';", "x = '\\''; // \"it's\""),
    ("logic [7:0] x = 8'hff;", "logic [7:0] x = 8'hff; // 8'h\""),
)


def test_comments_and_spaces_are_no_words() -> None:
    """Each way in which a comment stands in our sources, taken away, gives the same words; what stands in a string is no comment."""
    assert content.words(SOURCE) == content.words(BARE)
    for old, new in CHANGES.items():
        assert content.words(BARE.replace(old, new)) != content.words(BARE), old
    for text, same in SAME:
        assert content.words(text) == content.words(same)
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


def statements(text: str) -> str:
    return outline(computing(text))


def test_comments_and_docstrings_are_no_statements() -> None:
    bare = 'X = 5\nNAME = "# no comment // nor this"\nclass C:\n    def f(self) -> None:\n        "Other text."\n'
    assert statements(MODULE) == statements(bare)
    for old, new in {"X = 5": "X = 6", "# no": "# a", "def f": "def g"}.items():
        assert statements(MODULE.replace(old, new)) != statements(MODULE), old
    # types, imports and what an error says compute nothing
    typed = "import os\ndef f(a: int) -> int:\n    x: int = a\n    raise E('no')\n"
    assert statements(typed) == statements("def f(a):\n    x: float = a\n    raise E('none')\n")
    texts = ("return None", "return", "return 0", "return ''", "return []", "return (yield)", "return 2 // 3", "return 2 // 4")  # fmt: skip
    assert len({statements(f"def f():\n    {text}\n") for text in texts}) == len(texts)
    # fields that newer versions of Python add, empty in these sources, do not show
    whole = "Module(body=[FunctionDef(name='f',args=arguments(),body=[Return(value=Constant(value=1))])])"
    assert statements("def f(): return 1\n") == whole


# ---- parts -----------------------------------------------------------------------------------------------------------
def test_parts_of_an_answer(without_tools: None) -> None:
    for command, wanted in PARTS.items():
        found = content.of(command)
        assert set(found) == wanted, command
        assert all(found.values())


def test_what_needs_tools_is_not_known_without_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Such a row is neither fresh nor old."""
    rows = [Row(one, {}, {}, "", "") for one in (MAPPED, soc_run("none", "decrypt", 1024), NTT)]
    monkeypatch.setattr(yosys, "version", lambda: None)
    monkeypatch.setattr(build, "firmware_place", lambda: tmp_path)
    assert [one.state() for one in rows] == [State.unknown, State.unknown, State.old]
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    forget()
    raises(SimulationError, "source tree", content.of, NTT)
    assert rows[2].state() is State.unknown


def test_a_parameter_of_a_design_and_a_design_that_is_gone(tmp_path: Path) -> None:
    mine = Path(shutil.copy(ROOT / "designs" / "rise-4.toml", tmp_path))
    one, named = of(cycles(str(mine), "ntt", 1024)), of(cycles("rise-4", "ntt", 1024))
    assert {name for name in named.made_from if one.made_from[name] != named.made_from[name]} == {"command"}
    with changed(mine, more="# said\n"):
        assert one.state() is State.fresh
    with changed(mine, "lanes = 4 ", "lanes = 8 "):
        assert one.changed() == ["design"]
    mine.unlink()
    forget()
    assert one.changed() == ["design"]
    assert content.of(one.command)["design"] == content.ABSENT


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources that hashes are made of, in a folder of an unlucky name."""
    place = tmp_path_factory.mktemp("copied") / "stream" / "tree"
    for name in ("hw", "sim", "lib/src", "lib/include", *(f"papers/evaluator/{one}" for one in ("src", "include", "py")), "soc", "requirements"):  # fmt: skip
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("tests", "formal", "tb"))
    return place


@pytest.fixture
def tree(copied: Path, monkeypatch: pytest.MonkeyPatch, without_tools: None) -> Path:
    monkeypatch.setenv("RINGSIDE_TREE", str(copied))
    return copied


ASKED = {"lane": NTT, "stream": STREAM, "area": MAPPED, "system": ON_CHIP, "library": BENCH, "ltv": LTV}


@pytest.mark.parametrize(
    ("file", "moved"),
    [
        ("hw/core/rtl/rs_core.sv", {"lane": ["rtl"], "stream": ["rtl"], "area": ["rtl"], "system": ["rtl"]}),
        ("hw/stream/rtl/rs_stream_ntt.sv", {"stream": ["rtl"]}),
        ("hw/pipe/rtl/rs_pipe_unit.sv", {"stream": ["rtl"]}),
        ("sim/core.cpp", {"lane": ["simulator"], "stream": ["simulator"]}),
        ("sim/axi_memory.h", {"lane": ["simulator"], "stream": ["simulator"], "system": ["system"]}),
        ("lib/src/schemes/on_core/program.c", {"lane": ["driver"], "stream": ["driver"], "library": ["library"]}),
        ("lib/include/ringside/ringside.h", {"library": ["library"]}),
        ("lib/src/hash/keccak.c", {"library": ["library"], "ltv": ["evaluator"]}),
        ("lib/src/host/pool.c", {"library": ["library"], "ltv": ["evaluator"]}),
        ("soc/top/rs_soc.sv", {"system": ["system"]}),
        ("papers/evaluator/src/kernels/passes.h", {"ltv": ["evaluator"]}),
    ],
)
@pytest.mark.alike(2)
def test_a_statement_changes_what_it_belongs_to_and_a_comment_nothing(
    file: str, moved: Mapping[str, list[str]], tree: Path
) -> None:
    rows = {name: of(command) for name, command in ASKED.items()}
    comment = "\n// one\n/* and another\n */\n"
    with changed(tree / file, more=comment):
        assert not any(one.changed() for one in rows.values())
    with changed(tree / file, more=f"{comment}int rs_more = 5;\n"):
        assert {name: found for name, one in rows.items() if (found := one.changed())} == moved


def test_a_package_that_rocket_comes_from(tree: Path) -> None:
    known = of(AREA)
    (pins,) = (file for file in (tree / "requirements").glob("*.txt") if "pythondata-cpu-rocket==" in file.read_text())
    with changed(pins, more="pythondata-cpu-other==1\n"):
        assert known.changed() == []
    with changed(pins, "pythondata-cpu-rocket==", "pythondata-cpu-rocket==9"):
        assert known.changed() == ["processor"]


def test_another_yosys_makes_areas_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yosys, "version", lambda: "0.55")
    known = of(MAPPED)
    monkeypatch.setattr(yosys, "version", lambda: "0.56")
    forget()
    assert known.changed() == ["synthesis"]


@pytest.mark.soak  # half a minute: it compiles the firmware three times
def test_the_firmware_is_its_instructions_and_constants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another folder and a comment leave its hash; another constant does not. Old rows of the SoC mean hours of simulation."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))

    places = [tmp_path / name for name in ("one", "a-folder-with-another-name")]
    for place in places:
        for one in ("lib", "soc"):
            shutil.copytree(ROOT / one, place / one)
        for one in ("CMakeLists.txt", "pyproject.toml"):
            shutil.copy(ROOT / one, place / one)

    def hashed(place: Path) -> str:
        monkeypatch.setenv("RINGSIDE_TREE", str(place))
        forget()
        try:
            build.firmware()
        except SimulationError as error:
            if "is missing" in str(error):
                pytest.skip(str(error))
            raise
        return content.firmware()

    known, folder = hashed(places[0]), places[1] / "soc" / "firmware"
    # lines move, too
    with changed(folder / "firmware.c", "#include", "/* said\n   at length */\n#include", more=" // at the end\n"):
        assert hashed(places[1]) == known
    with changed(folder / "job.h", "0x34626f6a636f7372ull", "0x34626f6a636f7373ull"):
        assert hashed(places[1]) != known


# ---- code of Python --------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def copied_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("package") / content.PACKAGE.name
    left_out = shutil.ignore_patterns("from-tree", "*.so", "*.jsonl", "__pycache__")
    return Path(shutil.copytree(content.PACKAGE, place, ignore=left_out))


@pytest.fixture
def package(copied_package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package's sources, which are read anew."""
    with monkeypatch.context() as patch:
        patch.setattr(content, "PACKAGE", copied_package)
        yield copied_package
    forget(*OF_PYTHON)


FOLDERS = {NTT: content._COUNTING, MAPPED: content._MAPPING, ON_CHIP: content._COUNTING_SYSTEMS}


def code() -> list[str]:
    """Hashes of the code that measures cycles, an area and a system, and of what makes their data."""
    forget(*OF_PYTHON)
    by = {command: content._measured_by(parse(command)) for command in FOLDERS}
    return [*(content._run(by[one], folders) for one, folders in FOLDERS.items()), *map(content._beside, by.values())]


@pytest.fixture(scope="module")
def as_it_is() -> list[str]:
    return code()


# statements, other ones, and what they change: Cycles, an Area, a System, their data in small letters
@pytest.mark.parametrize(
    ("file", "old", "new", "moved"),
    [
        ("sim/core.py", "", "", ""),
        ("sim/core.py", "latency: int = 40", "latency: int = 41", "CS"),
        ("sim/timing.py", '"LOAD": "memory bus"', '"LOAD": "bus"', "C"),
        ("devices/device.py", "POLYS = 3", "POLYS = 4", "CS"),
        ("cycles/operation.py", "ratio=job.cycles", "ratio=job.idle", "C"),
        ("objects/ckks/fixed_encoder.py", "DEFAULT_BITS = ", "DEFAULT_BITS = 1 + ", "cs"),
        ("native/streams.py", "DEFAULT_COMPRESSION", "OTHER_COMPRESSION", "cs"),
        ("synth/parts.py", "LEVELS", "FLOORS", "A"),
        ("soc/job.py", "DONE = ", "DONE = 1 + ", "S"),
        ("designs/rules.py", "", "", ""),
        ("cli/cache.py", "", "", ""),
    ],
)
@pytest.mark.alike(5)
def test_a_statement_that_measures_makes_an_answer_old(
    file: str, old: str, new: str, moved: str, as_it_is: list[str], package: Path
) -> None:
    """Wherever it stands, if it is reached from the function that measures; a comment and a function that nothing names do not."""
    with changed(package / file, old, new, more="\n# said\n\n\ndef rs_of_nobody() -> int:\n    return 5\n"):
        now = code()
    found = "".join(name for name, was, one in zip("CASc-s", as_it_is, now, strict=True) if was != one)
    assert found.replace("-", "") == moved  # areas have no data


@pytest.mark.parametrize(
    ("verb", "old", "new", "moved"),
    [
        ("soc run", ": opt.LatencyOption = CHIP_LATENCY_CYCLES,", ": opt.LatencyOption = 40,", True),
        ("soc run", ": _Overlap = False,", ": _Overlap = True,", True),
        ("soc run", "n: opt.DegreeOption = 1024", "n: opt.DegreeOption = 2048", False),  # a command always says it
        (
            "soc run",
            "    clock: opt.ClockOption",
            "    more: int = 0,\n    clock: opt.ClockOption",
            False,
        ),  # a new one, that is off
        ("soc run", 'help="File for the signals of some cycles, .vcd."', 'help="Another."', False),
        ("synth", "n: opt.DegreeOption = 4096", "n: opt.DegreeOption = 2048", True),
    ],
)
def test_another_usual_value_makes_an_answer_old(package: Path, verb: str, old: str, new: str, moved: bool) -> None:
    """A command that does not say it means another thing then."""
    forget(*OF_PYTHON)
    before = content._usual(verb)
    with changed(package / "cli/hardware" / f"{verb.split()[0]}.py", old, new):
        forget(*OF_PYTHON)
        assert (content._usual(verb) != before) is moved


# ---- what keeps answers ----------------------------------------------------------------------------------------------
def test_the_program_of_an_answer() -> None:
    """Of another size another one; none of what is no single program, and of what a design cannot do."""
    one, two = (content.program(cycles("rise-4", "decrypt", 4096, limbs)) for limbs in (1, 2))
    assert None not in (one, two)
    assert one != two
    assert content.program(cycles("rise-4", "decrypt", 4096, 2)) == two
    assert content.program(asic("rise-4", energy=True)) == content.program(cycles("rise-4", "encrypt-pk-direct", 4096))
    framed = cycles("rise-4e", "encode-encrypt-sk", 4096, frames=4)
    for command in (framed, asic("rise-4"), cycles("rise-1", "ntt", 1 << 17), cycles("pqc-4", "ml-kem-768-encaps")):
        assert content.program(command) is None


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
    directions, ends = {**dict.fromkeys(inputs, "input"), "Y": "output"}, {**inputs, "Y": [2]}
    cell = {"type": kind, "parameters": {"A_WIDTH": len(inputs["A"])}, "attributes": {}, "port_directions": directions, "connections": ends}  # fmt: skip
    ports = {name: {"direction": "input", "bits": [*range(at, at + 4)]} for name, at in (("x", 10), ("y", 20))}
    return {"cells": {"one": cell}, "ports": {**ports, "z": {"direction": "output", "bits": [2]}}}


FIRST: Mapping[str, dict[str, list[int | str]]] = {"$reduce_and": {"A": [10, 12, 21]}, "$eq": {"A": [10, 11], "B": ["1", "0"]}}  # fmt: skip
ADDED: dict[str, list[int | str]] = {"A": [10, 11], "B": [20, 21]}


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
    found = netlist.hashed(cell_of(kind, **FIRST.get(kind, ADDED)))
    assert same is None or netlist.hashed(cell_of(kind, **same)) == found
    assert netlist.hashed(cell_of(kind, **other)) != found
