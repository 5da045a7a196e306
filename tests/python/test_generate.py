# SPDX-License-Identifier: Apache-2.0
"""Sources that several languages share: a new row is all that the generator, the C library and the sequencer need of it."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from builds import ROOT, output_of
from ringside.designs.units import UNITS
from ringside.rtl import module
from ringside.sim import sources, verilate
from tree_scripts import script

ISA = tomllib.loads((ROOT / "hw" / "sequencer" / "isa.toml").read_text(encoding="utf-8"))
SQUARE: Mapping[str, Any] = {
    "number": len(ISA["op"]), "unit": "COMPUTE", "time": {"as": "pass", "more": 1, "timed": ["log_size"]},
    "dst": "group", "reads_dst": True, "uses": ["ctx", "log_size", "slice_dst"], "tag": "scaled", "term": "a",
    "text": "dst = dst dst",
}  # fmt: skip
MAIN = """#include "machine/instruction.h"
#include <ringside/program.h>
#include <stdio.h>
int main(void) {
    char text[64];
    const uint64_t word = RS_FIELD(OP, RS_OP_SQUARE) | RS_FIELD(DST, 3) | RS_FIELD(CTX, 1);
    rs_instruction_text(word, text, sizeof text);
    return printf("%s unit %d", text, rs_op_info(word)->unit) < 0;
}
"""


def written(place: Path, texts: Mapping[Path, str]) -> list[Path]:
    """The texts below a place as they stand in the tree."""
    paths = [place / path.relative_to(ROOT) for path in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return paths


def instead(files: list[Path], place: Path) -> list[Path]:
    return [made if (made := place / path.relative_to(ROOT)).exists() else path for path in files]


@pytest.fixture
def unformatted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formatters belong to the lint."""
    monkeypatch.setattr(script("generating.text"), "formatted", lambda text, *words: text)
    monkeypatch.setattr(script("generating.isa"), "formatted", lambda text, *words: text)


@pytest.mark.usefixtures("unformatted")
def test_an_instruction_is_a_row(tmp_path: Path) -> None:
    """The whole driver and the model compile, the text of its words follows, and the sequencer elaborates without a warning."""
    for name in ("include", "src/machine"):  # files name those beside them
        shutil.copytree(ROOT / "lib" / name, tmp_path / "lib" / name)
    isa = {**ISA, "op": {**ISA["op"], "SQUARE": SQUARE}}
    texts = script("generating.isa").from_isa(isa)
    written(tmp_path, texts)
    assert f"| {SQUARE['number']} | SQUARE | COMPUTE | dst = dst dst |" in texts[ROOT / "docs" / "instructions.md"]

    model = tmp_path / "lib" / "tests" / "model_core.c"
    shutil.copy(ROOT / "lib" / "tests" / model.name, model)
    (tmp_path / "main.c").write_text(MAIN, encoding="utf-8")
    machine = tmp_path / "lib" / "src" / "machine"
    places = [folder / "lib" / name for name in ("include", "src", "tests") for folder in (tmp_path, ROOT)]
    options = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", *(f"-I{place}" for place in places)]
    output_of(*options, "-fsyntax-only", *sorted(machine.rglob("*.c")), model)
    program = tmp_path / "main"
    output_of(*options, tmp_path / "main.c", machine / "instruction.c", "-o", program)
    assert output_of(program) == f"SQUARE g3 ctx1 unit {ISA['unit']['COMPUTE']}"

    rtl = instead(sources.read(ROOT / "hw" / "sequencer" / "sequencer.f"), tmp_path)
    assert any(path.is_relative_to(tmp_path) for path in rtl)
    root = verilate.verilator_root()
    lint = ("--lint-only", "-Wall", "--top-module", "rs_sequencer", "-GHasFields=1", "-GSlices=16")
    output_of(root / "bin" / "verilator_bin", *lint, *rtl, VERILATOR_ROOT=str(root))


@pytest.mark.usefixtures("unformatted")
def test_a_parameter_is_a_row(tmp_path: Path) -> None:
    """It is in the page, in rs_core and in its configuration; and the shell, which elaborates, hands it on."""
    designs = tmp_path / "designs"
    shutil.copytree(ROOT / "py" / "ringside" / "designs", designs)
    table = designs / "design.py"
    row = 'spare: Annotated[int, FieldRow("core.spare", "Spare", Within(1, 9), "nothing", silent=True)] = 3'
    before = "    slots: Annotated["
    text = table.read_text(encoding="utf-8")
    assert text.count(before) == 1
    table.write_text(text.replace(before, f"    {row}\n{before}"), encoding="utf-8")

    texts = script("generating.parameters").from_designs(designs)
    written(tmp_path, texts)
    assert "| `spare` | 1 to 9 | 3 | nothing | `Spare` |" in texts[ROOT / "docs" / "designs.md"]
    files = [*sources.of_core(ROOT), ROOT / "hw" / "core" / "fpga" / "rs_core_shell.sv"]
    probe = "module probe; rs_core_shell #(.Spare(7)) u_top (); endmodule\n"
    body, _owner = module.elaborate("probe", instead(files, tmp_path), probe)
    shell = next(member for member in body if member.name == "u_top").body
    core = next(member for member in shell if member.name == "u_core").body
    assert next(int(one.value.value) for one in core.parameters if one.name == "Spare") == 7
    assert "int unsigned Spare;" in texts[ROOT / "hw" / "core" / "rtl" / "rs_core_pkg.sv"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"uses": ["ctx", "wide", "factor", "add"]}, "stand in one place"),
        ({"raises": ["VALUE"]}, "tells something about dst"),
    ],
)
@pytest.mark.usefixtures("unformatted")
def test_a_row_that_cannot_be_is_refused(changes: Mapping[str, Any], message: str) -> None:
    isa = {**ISA, "op": {**ISA["op"], "SQUARE": {**SQUARE, **changes}}}
    with pytest.raises(script("common").StopError, match=message):
        script("generating.isa").from_isa(isa)


def test_a_part_that_is_not_there_is_an_error() -> None:
    text = script("generating.text")
    assert text.with_parts("a\n// b\nx\n// e\nc\n", "// b", "// e", "y\n") == "a\n// b\ny\n// e\nc\n"
    with pytest.raises(script("common").StopError, match="not 2 parts"):
        text.with_parts("a\n// b\nx\n// e\nc\n", "// b", "// e", "y\n", "z\n")


def test_units_of_the_simulation() -> None:
    """sim/core.h, which nothing generates, counts them all."""
    text = (ROOT / "sim" / "core.h").read_text(encoding="utf-8")
    assert f"#define RS_CORE_UNITS {len(UNITS)} " in text
    assert tuple(ISA["unit"]) == UNITS
