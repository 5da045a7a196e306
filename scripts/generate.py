# SPDX-License-Identifier: Apache-2.0
"""Write the files that are made from the sources which hardware, library and manual share.

    build/venv/bin/python scripts/generate.py [--check]

hw/sequencer/isa.toml   instructions: rs_isa_pkg.sv, isa.h, docs/instructions.md
hw/core/regs.rdl        registers: rs_regs.sv and rs_regs_pkg.sv (by PeakRDL), regs.h, docs/registers.md
py/ringside/designs     fields of a design and rules between them: docs/designs.md
scripts/pictures        the rooms of library and package: docs/architecture.svg
                        where data flow in the core: docs/datapath.svg
"""

import importlib
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode
from systemrdl.rdltypes.builtin_enums import OnWriteType

from common import ROOT, VENV, StopError, finish, say
from pictures import architecture, datapath

ISA = ROOT / "hw" / "sequencer" / "isa.toml"
REGISTERS = ROOT / "hw" / "core" / "regs.rdl"
INCLUDE = ROOT / "lib" / "include" / "ringside"
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
# what the operands of an instruction can name
KINDS = ("dst_group", "dst_slot", "dst_slots", "dst_context", "a_group", "a_slot", "b_group")
# what the tag of a written group becomes
TAG_RULES = ("NONE", "PUBLIC", "LOADED", "LIFTED", "DST", "A", "PRODUCT", "SUM", "STEP", "MESSAGE", "WORDS")
# what else the hardware looks at: whether there is an address, imm is added to it, describes numbers or counts limbs, ctx has roots or has to have
# twiddles, which of a context is written, and what part has the operation
FACTS = (
    "reads_dst",
    "ctx",
    "memory",
    "wide",
    "numbers",
    "limbs",
    "frame",
    "roots",
    "twiddles",
    "bare",
    "fills",
    "encode",
)
FRAME_LSB = 28  # of a frame, in imm
PEAKRDL_VERILATOR = ("GENUNNAMED", "MULTIDRIVEN", "UNUSEDPARAM", "UNUSEDSIGNAL")
PEAKRDL_VERIBLE = (
    "explicit-parameter-storage-type",
    "generate-label",
    "line-length",
    "parameter-name-style",
    "struct-union-name-style",
    "typedef-structs-unions",
)

Isa = Mapping[str, Any]


# ---- text -----------------------------------------------------------------------------------------------------------
def made(source: Path) -> str:
    return f"Made from {source.relative_to(ROOT)} by scripts/generate.py: do not edit."


def formatted(text: str, tool: str, *options: str) -> str:
    done = subprocess.run([VENV / "bin" / tool, *options], input=text, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise StopError(f"{tool}: {done.stderr}")
    return done.stdout


def systemverilog(lines: Iterable[str]) -> str:
    return formatted("\n".join(lines) + "\n", "verible-verilog-format", "--column_limit=132", "-")


def c_header(name: str, source: Path, what: str, lines: Iterable[str]) -> str:
    guard = f"RINGSIDE_{name.upper()}_H"
    head = [f"{LICENCE}// {what}", f"// {made(source)}", f"#ifndef {guard}", f"#define {guard}", ""]
    begin = ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    end = ["#ifdef __cplusplus", "}", "#endif", ""]
    text = "\n".join([*head, *begin, *lines, *end, "#endif", ""])
    return formatted(text, "clang-format", "--assume-filename=header.h")


def c_enum(name: str, about: str, members: Iterable[tuple[str, int | str, str]]) -> list[str]:
    inside = [f"    {member} = {value},{f' // {text}' if text else ''}" for member, value, text in members]
    return [f"// {about}", f"typedef enum {name} {{", *inside, f"}} {name}_t;", ""]


def sv_enum(name: str, bits: int, members: Mapping[str, int]) -> list[str]:
    inside = [f"{name.upper()}_{member} = {bits}'d{value}" for member, value in members.items()]
    return [f"typedef enum logic [{bits - 1}:0] {{", ",\n".join(inside), f"}} {name}_e;", ""]


def table(*rows: Iterable[str]) -> list[str]:
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |").replace("|  |", "| |") for row in rows]
    return [lines[0], "|---" * (lines[0].count("|") - 1) + "|", *lines[1:], ""]


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


# ---- instructions ---------------------------------------------------------------------------------------------------
def fields_of(op: Isa) -> list[str]:
    return [*(name for name in ("dst", "a", "b") if name in op), *op.get("uses", [])]


def mask(isa: Isa, op: Isa) -> int:
    """The bits of a word that an operation uses."""
    spans = [isa["field"][name]["bits"] for name in ["op", *fields_of(op)]]
    bits = sum((2 << high) - (1 << low) for high, low in spans)
    low = isa["field"]["imm"]["bits"][1]
    frame = (isa["frames"] - 1) << low + FRAME_LSB if op.get("frame") else 0
    kept: int = bits & ((1 << low + op.get("imm_bits", 32)) - 1) | frame
    return kept


def word_members(isa: Isa) -> list[str]:
    """The packed struct of an instruction word, from the top bit down."""
    lines, top = [], 63
    for name, field in sorted(isa["field"].items(), key=lambda item: -item[1]["bits"][0]):
        high, low = field["bits"]
        if high > top:
            raise StopError(f"{ISA.name}: field {name} overlaps another")
        if high < top:
            lines.append(f"logic [{top - high - 1}:0] zero_{high + 1};")
        lines.append(f"logic {'' if high == low else f'[{high - low}:0]'} {name};")
        top = low - 1
    return lines


def form_lines(isa: Isa, name: str, op: Isa) -> list[str]:
    uses = fields_of(op)
    facts = {kind: op.get(kind.split("_")[0]) == kind.split("_")[1] for kind in KINDS}
    facts |= {"reads_dst": op.get("reads_dst", False), "ctx": "ctx" in uses, "wide": "wide" in uses}
    limbs = op.get("imm_is") == "limbs"
    facts |= {"memory": limbs or "base" in uses, "numbers": op.get("imm_is") == "numbers"}
    facts |= {"limbs": limbs, "frame": op.get("frame", False)}
    facts |= {"roots": op.get("ctx_is") == "roots", "twiddles": op.get("ctx_is") == "twiddles"}
    facts |= {"bare": op.get("bare", False), "fills": op.get("fills", False), "encode": op.get("part") == "encode"}
    lines = [f"OP_{name}: begin"]
    lines += [f"form.{key} = 1'b1;" for key, value in facts.items() if value]
    lines += [f"form.unit = UNIT_{op['unit']};"] if "unit" in op else []
    lines += [f"form.rule = RULE_{op['tag'].upper()};"] if "tag" in op else []
    return [*lines, f"form.bits = 64'h{mask(isa, op):016x};", "end"]


def isa_package(isa: Isa) -> str:
    facts = [*KINDS, *FACTS]
    positions = []
    for name, field in isa["field"].items():
        high, low = field["bits"]
        positions.append(f"parameter int unsigned {camel(name)}Lsb = {low};")
        positions.append(f"parameter int unsigned {camel(name)}Bits = {high - low + 1};")
    return systemverilog(
        [
            f"{LICENCE}// rs_isa_pkg: the instruction set; docs/core.md explains it.",
            f"// {made(ISA)}",
            "package rs_isa_pkg;",
            "",
            "// nobody uses all of these",
            "// verilator lint_off UNUSEDPARAM",
            f"parameter int unsigned Units = {len(isa['unit'])};",
            f"parameter int unsigned Loads = {isa['loads']};  // instructions that LOAD runs at a time",
            f"parameter int unsigned FrameBits = {(isa['frames'] - 1).bit_length()};",
            f"parameter int unsigned FramesEncode = {isa['frames_encode']};  // of a core with encode, without PIPE",
            f"parameter int unsigned SlotsMax = {isa['slots']};",
            f"parameter int unsigned FrameLsb = {FRAME_LSB};  // in imm",
            "",
            "// Lowest bit and width of every field.",
            *positions,
            "// verilator lint_on UNUSEDPARAM",
            "",
            *sv_enum("op", 6, {name: op["number"] for name, op in isa["op"].items()}),
            *sv_enum("unit", 3, isa["unit"] | {"NONE": len(isa["unit"])}),
            *sv_enum("fault", 4, {name: fault["number"] for name, fault in isa["fault"].items()}),
            *sv_enum("tag", 3, isa["tag"]),
            "// What the tag of a written group becomes, see rs_tags.",
            *sv_enum("rule", 4, {name: number for number, name in enumerate(TAG_RULES)}),
            "// A word.",
            "typedef struct packed {",
            *word_members(isa),
            "} instr_t;",
            "",
            "// What an operation does: its unit, what its fields name, whether it reads dst, a context's modulus and",
            "// memory, whether it has the flag wide, imm describes numbers or counts limbs, imm has a frame, its context",
            "// has roots, has to have twiddles, what is written is a context without twiddles, is twiddles alone, it needs encode, and which bits",
            "// it uses.",
            "typedef struct packed {",
            "logic known;",
            "unit_e unit;",
            "rule_e rule;",
            *(f"logic {fact};" for fact in facts),
            "logic [63:0] bits;",
            "} form_t;",
            "",
            "function automatic form_t form_of(input logic [5:0] op);",
            "form_t form;",
            "form = form_t'('0);",
            "form.known = 1'b1;",
            "form.unit = UNIT_NONE;",
            "case (op)",
            *(line for name, op in isa["op"].items() for line in form_lines(isa, name, op)),
            "default: form.known = 1'b0;",
            "endcase",
            "return form;",
            "endfunction",
            "",
            "// Of a core without PIPE: its operations are one, with any bits. So nothing is looked up about them, and the fault is RANGE.",
            "function automatic form_t form_built(input logic [5:0] op, input bit pipe);",
            "form_t form;",
            "form = form_of(op);",
            "if (!pipe && form.unit == UNIT_PIPE) begin",
            "form = form_t'('0);",
            "form.known = 1'b1;",
            "form.unit = UNIT_PIPE;",
            "form.bits = '1;",
            "end",
            "return form;",
            "endfunction",
            "",
            "// How many frames a program of such a core can have.",
            "function automatic int unsigned frames_of(input bit encode, input bit pipe);",
            "return pipe ? 2 ** FrameBits : encode ? FramesEncode : 1;",
            "endfunction",
            "",
            "// Where pointer 7 of a frame above 0 is among the pointers: 8 + frame.",
            "function automatic logic [FrameBits:0] pointer_of(input logic [FrameBits-1:0] frame);",
            "return {frame[FrameBits-1], !frame[FrameBits-1], frame[FrameBits-2:0]};",
            "endfunction",
            "",
            "endpackage",
        ]
    )


def isa_header(isa: Isa) -> str:
    def members(prefix: str, entries: Mapping[str, Any]) -> list[tuple[str, int, str]]:
        found = [(f"{prefix}_{name}", entry["number"], entry["text"]) for name, entry in entries.items()]
        return [*found, (f"{prefix}_COUNT", len(found), "")]

    units = {name: {"number": number, "text": ""} for name, number in isa["unit"].items()}
    fields = []
    for name, field in isa["field"].items():
        high, low = field["bits"]
        fields.append((f"RS_ISA_{name.upper()}_SHIFT", low, field["text"]))
        fields.append((f"RS_ISA_{name.upper()}_BITS", high - low + 1, ""))
    frames = [
        ("RS_FRAMES_MAX", isa["frames"], "of a core with the unit PIPE"),
        ("RS_FRAMES_ENCODE", isa["frames_encode"], "of another one that encodes"),
        ("RS_FRAME_SHIFT", FRAME_LSB, "in imm"),
    ]
    lines = [
        *c_enum("rs_op", "Operations; docs/instructions.md says which fields they use.", members("RS_OP", isa["op"])),
        *c_enum("rs_unit", "Units, in the order of the registers BUSY.", members("RS_UNIT", units)),
        *c_enum("rs_fault", "Why a program ended: STATUS.cause.", members("RS_FAULT", isa["fault"])),
        *c_enum("rs_isa_frame", "Frames of a program, at most; bits 31:28 of imm.", frames),
        *c_enum("rs_isa_slot", "Slots of a core, at most.", [("RS_SLOTS_MAX", isa["slots"], "")]),
        *c_enum("rs_isa", "Fields of a 64-bit word: lowest bit and width. All other bits are zero.", fields),
    ]
    return c_header("isa", ISA, "The core's instruction set; docs/core.md explains it.", lines)


def imm_of(op: Isa) -> str:
    """The bits of imm that an operation uses."""
    bits = op.get("imm_bits", 32)
    return f"imm[{bits - 1}:0]" + (", imm[31:28]" if op.get("frame") and bits < FRAME_LSB else "")


def isa_page(isa: Isa) -> str:
    ops = [["op", "name", "unit", "effect", "dst", "a", "b", "other fields"]]
    for name, op in isa["op"].items():
        dst = op.get("dst", "") + (", also read" if op.get("reads_dst") else "")
        row = [str(op["number"]), name, op.get("unit", ""), op["text"], dst, op.get("a", ""), op.get("b", "")]
        ops.append([*row, ", ".join(op.get("uses", [])).replace("imm", imm_of(op))])
    fields = [["bits", "field", "meaning"]]
    for name, field in isa["field"].items():
        high, low = field["bits"]
        fields.append([str(low) if high == low else f"{high}:{low}", name, field["text"]])
    faults = [["cause", "name", "meaning"]]
    faults += [[str(fault["number"]), name, fault["text"]] for name, fault in isa["fault"].items()]
    return "\n".join(
        [
            f"<!-- {made(ISA)} -->",
            "# Instructions",
            "",
            "This page is the reference for those who write programs for the core. [core.md](core.md) explains the terms, and the rules of",
            "issue and tags.",
            "",
            "## Operations",
            "A field that is not listed is zero. Operations work element by element, modulo q of the context ctx.",
            "",
            *table(*ops),
            "## Fields of a 64-bit word",
            *table(*fields),
            "## Causes of a program's end",
            *table(*faults),
        ]
    )


def from_isa() -> dict[Path, str]:
    isa = tomllib.loads(ISA.read_text(encoding="utf-8"))
    return {
        ROOT / "hw" / "sequencer" / "rtl" / "rs_isa_pkg.sv": isa_package(isa),
        INCLUDE / "isa.h": isa_header(isa),
        ROOT / "docs" / "instructions.md": isa_page(isa),
    }


# ---- registers ------------------------------------------------------------------------------------------------------
def read_registers() -> AddrmapNode:
    compiler = RDLCompiler()
    for property_ in ALL_UDPS:
        compiler.register_udp(property_)
    compiler.compile_file(str(REGISTERS))
    return compiler.elaborate().top


def registers_rtl(top: AddrmapNode) -> dict[Path, str]:
    """PeakRDL's module and package, without the warnings that its style gives."""
    with tempfile.TemporaryDirectory() as place:
        RegblockExporter().export(
            top,
            place,
            cpuif_cls=PassthroughCpuif,
            address_width=12,
            default_reset_activelow=True,
            reuse_hwif_typedefs=False,
            err_if_bad_addr=True,
        )
        files = {}
        for name in ("rs_regs", "rs_regs_pkg"):
            text = (Path(place) / f"{name}.sv").read_text(encoding="utf-8")
            body = [line for line in text.splitlines() if not line.startswith("//")]
            head = [
                f"{LICENCE}// {name}: registers, by PeakRDL-regblock; rs_regs_axi.sv uses them.",
                f"// {made(REGISTERS)}",
                "// The generator's style is not ours, and it drives members of one struct from several processes.",
                *(f"// verilator lint_off {warning}" for warning in PEAKRDL_VERILATOR),
                *(f"// verilog_lint: waive-start {rule}" for rule in PEAKRDL_VERIBLE),
            ]
            tail = [f"// verilator lint_on {warning}" for warning in PEAKRDL_VERILATOR]
            files[REGISTERS.parent / "rtl" / f"{name}.sv"] = systemverilog([*head, *body, *tail])
    return files


def meaning(node: RegNode | FieldNode) -> str:
    return node.get_property("desc") or ""


def count_of(register: RegNode) -> int:
    """Of an array of registers."""
    assert register.array_dimensions is not None
    (count,) = register.array_dimensions
    return count


def value_of(top: AddrmapNode, register: str) -> int:
    """The value that the register reads: the reset value of its one field."""
    node = top.find_by_path(f"{register}.value")
    assert isinstance(node, FieldNode)
    value = node.get_property("reset")
    assert isinstance(value, int)
    return value


def registers_header(top: AddrmapNode) -> str:
    offsets: list[tuple[str, int | str, str]] = []
    fields: list[tuple[str, int | str, str]] = []
    for register in top.registers(unroll=False):
        name, about = register.inst_name, meaning(register)
        offsets.append((f"RS_REG_{name}", f"{register.raw_address_offset:#05x}", about))
        if register.is_array:
            offsets.append((f"RS_REG_{name}_COUNT", count_of(register), "words"))
        for field in register.fields():
            if field.inst_name not in ("value", "value_sec"):
                prefix = f"RS_REG_{name}_{field.inst_name.upper()}"
                fields.append((f"{prefix}_SHIFT", field.low, meaning(field)))
                fields.append((f"{prefix}_BITS", field.width, ""))
    values: list[tuple[str, int | str, str]] = [
        ("RS_REG_ID_VALUE", f"{value_of(top, 'ID'):#x}", "what ID reads"),
        ("RS_REG_VERSION_VALUE", value_of(top, "VERSION"), "what VERSION reads"),
    ]
    lines = [
        *c_enum("rs_reg", "Byte offsets; of arrays that of the first word.", offsets),
        *c_enum("rs_reg_field", "Fields: lowest bit and width.", fields),
        *c_enum("rs_reg_value", "Constants.", values),
    ]
    return c_header("regs", REGISTERS, "The core's registers, 32 bits each; docs/registers.md.", lines)


def access(field: FieldNode) -> str:
    if field.get_property("singlepulse"):
        return "w1"
    # rs_regs_axi.sv holds those of the last two kinds
    held = field.get_property("swwe") or field.get_property("swmod") or field.parent.external
    sets = "1s" if field.get_property("onwrite") == OnWriteType.woset else ""
    return f"{field.get_property('sw').name}{sets}{', held' if held else ''}"


def registers_page(top: AddrmapNode) -> str:
    rows = [["offset", "register", "bits", "access", "reset", "meaning"]]

    def row(offset: str, name: str, field: FieldNode, about: str) -> None:
        bits = f"{field.high}:{field.low}" if field.width > 1 else str(field.low)
        reset = field.get_property("reset")
        rows.append([offset, name, bits, access(field), "" if reset is None else f"{reset:#x}", about])

    measures = [["countermeasure", "register", "what it does"]]

    def defended(name: str, node: RegNode | FieldNode) -> None:
        if text := node.get_property("countermeasure", default=None):
            measure, _, about = text.partition(": ")
            measures.append([measure, name, about])

    for register in top.registers(unroll=False):
        defended(register.inst_name, register)
        for field in register.fields():
            defended(f"{register.inst_name}.{field.inst_name}", field)
        name = register.inst_name + (f"[{count_of(register)}]" if register.is_array else "")
        offset, about, fields = f"{register.raw_address_offset:#05x}", meaning(register), register.fields()
        if len(fields) == 1:
            row(offset, name, fields[0], about)
        else:
            rows.append([offset, name, "", "", "", about])
            for field in fields:
                row("", f".{field.inst_name}", field, meaning(field))
    return "\n".join(
        [
            f"<!-- {made(REGISTERS)} -->",
            "# Registers",
            "",
            "This page is the reference for those who write drivers for the core. Registers have 32 bits and are reached over AXI4-Lite. An",
            "address that is not listed answers SLVERR. Access is r (read) and w (write); `w1` acts when 1 is written; `rw1s` is set by",
            "writing 1 and stays set until reset; `held` registers ignore a write while a program runs, and then STATUS.error is set. Writes",
            "to registers that are only read do nothing. All of these answer OKAY. The words of an array follow each other; operands of programs,",
            "which are only written, read as 0.",
            "",
            *table(*rows),
            "## Countermeasures",
            "The core has these measures against attacks and mistakes; [threat-model.md](threat-model.md) says against what it does nothing.",
            "",
            *table(*measures),
        ]
    )


def from_registers() -> dict[Path, str]:
    top = read_registers()
    return {
        **registers_rtl(top),
        INCLUDE / "regs.h": registers_header(top),
        ROOT / "docs" / "registers.md": registers_page(top),
    }


# ---- designs --------------------------------------------------------------------------------------------------------
def from_designs() -> dict[Path, str]:
    """The modules of this tree, without the package above them: that would load a compiled library."""
    place = ROOT / "py" / "ringside" / "designs"
    package = sys.modules["designs"] = ModuleType("designs")
    package.__path__ = [str(place)]
    page = importlib.import_module("designs.page")
    return {ROOT / "docs" / "designs.md": page.text(made(place / "design.py"))}


# ---- main -----------------------------------------------------------------------------------------------------------
def main() -> int:
    units = tomllib.loads(ISA.read_text(encoding="utf-8"))["unit"]
    pictures = {"architecture": architecture.picture(), "datapath": datapath.picture(units)}
    files = (
        from_isa()
        | from_registers()
        | from_designs()
        | {ROOT / "docs" / f"{name}.svg": text for name, text in pictures.items()}
    )
    stale = [path for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if sys.argv[1:] == ["--check"]:
        for path in stale:
            say(f"  {path.relative_to(ROOT)}: not what scripts/generate.py makes of its source")
        return int(bool(stale))
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
        say(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    finish(main)
