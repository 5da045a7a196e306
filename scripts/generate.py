# SPDX-License-Identifier: Apache-2.0
"""Write the files that are made from the sources which hardware, library and manual share.

    build/venv/bin/python scripts/generate.py [--check]

hw/sequencer/isa.toml   instructions: rs_isa_pkg.sv, isa.h, tables of instruction.c, table.h of times, model_tags.h, docs/instructions.md
hw/core/regs.rdl        registers: rs_regs.sv and rs_regs_pkg.sv (by PeakRDL), regs.h, docs/registers.md
hw/core/ring.rdl        registers of the ring of descriptors: rs_ring_pkg.sv, and their lines of regs.h and docs/registers.md
py/ringside/designs     fields of a design and rules between them: docs/designs.md
scripts/pictures        the rooms of library and package: docs/architecture.svg
                        where data flow in the core: docs/datapath.svg
"""

import importlib
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from itertools import groupby
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
RING = ROOT / "hw" / "core" / "ring.rdl"
INCLUDE = ROOT / "lib" / "include" / "ringside"
MACHINE = ROOT / "lib" / "src" / "machine"
LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
# what the operands of an instruction can name
KINDS = ("dst_group", "dst_slot", "dst_slots", "dst_context", "a_group", "a_slot", "b_group")
# what else the hardware looks at: whether there is an address, it is that of numbers, or of a frame's message, ctx has roots or has to have
# twiddles, which of a context is written, what of a mask becomes, and that it needs encode
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
    "takes_a",
    "encode",
)
SV_COLUMNS = 132  # columns of SystemVerilog, but for lines of comment
# facts of a core with slices: an operation has a size of its own, a slice of one group, slices of several operands
SLICE_FACTS = ("log_size", "slice_dst", "slices")
UNIT_NONE = 15
MIXED = "mixed"  # the rule of a group of which a part is written
# how fields stand in a program's text, in this order
STYLES = ("ctx", "pointer", "offset", "number", "hex", "flag", "named")
FIELDS = "fields"  # the part of the core without which an operation is unknown
OPERANDS = {"dst": "DST", "a": "A", "b": "B"}
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
def made(*sources: Path) -> str:
    return f"Made from {' and '.join(str(source.relative_to(ROOT)) for source in sources)} by scripts/generate.py: do not edit."


def formatted(text: str, tool: str, *options: str) -> str:
    done = subprocess.run([VENV / "bin" / tool, *options], input=text, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise StopError(f"{tool}: {done.stderr}")
    return done.stdout


def systemverilog(lines: Iterable[str]) -> str:
    return formatted("\n".join(lines) + "\n", "verible-verilog-format", f"--column_limit={SV_COLUMNS}", "-")


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
    """bits: 0: as many as are needed."""
    bits = bits or max(members.values()).bit_length()
    inside = [f"{name.upper()}_{member} = {bits}'d{value}" for member, value in members.items()]
    return [f"typedef enum logic [{bits - 1}:0] {{", ",\n".join(inside), f"}} {name}_e;", ""]


def wrapped(text: str, indent: int) -> list[str]:
    """Where the formatters of the languages do not break a line, or would break it at every comma."""
    return textwrap.wrap(
        text, 125, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4), break_long_words=False
    )


def table(*rows: Iterable[str]) -> list[str]:
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |").replace("|  |", "| |") for row in rows]
    return [lines[0], "|---" * (lines[0].count("|") - 1) + "|", *lines[1:], ""]


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


# ---- instructions ---------------------------------------------------------------------------------------------------
def place_of(isa: Isa, field: str) -> tuple[int, int]:
    """Lowest bit and width."""
    high, low = isa["field"][field]["bits"]
    return low, high - low + 1


def fields_of(op: Isa) -> list[str]:
    return [*(name for name in OPERANDS if name in op), *op.get("uses", [])]


def bits_of(isa: Isa, names: Iterable[str]) -> int:
    places = [place_of(isa, name) for name in names]
    if len({bit for low, width in places for bit in range(low, low + width)}) != sum(width for _, width in places):
        raise StopError(f"{ISA.name}: two of the fields {', '.join(names)} of an operation stand in one place")
    return sum(((1 << width) - 1) << low for low, width in places)


def mask(isa: Isa, op: Isa, part: str | None = None) -> int:
    """The bits of a word that an operation uses; part: those alone that a part of the core has to be built for, or "": all others."""
    names = ["op", *fields_of(op)]
    return bits_of(isa, [name for name in names if part is None or isa["field"][name].get("part", "") == part])


def is_optional(op: Isa) -> bool:
    """Unknown where the core has no fields: so such a core is the same with or without these operations in the set."""
    return bool(op.get("needs", {}).get("any") == FIELDS)


def facts_of(op: Isa) -> dict[str, bool]:
    """KINDS and FACTS, and whether there is an offset."""
    uses = fields_of(op)
    facts = {kind: op.get(kind.split("_")[0]) == kind.split("_")[1] for kind in KINDS}
    facts |= {"near": "near" in uses, "fields": is_optional(op)}
    facts |= {name: bool(op.get(name)) for name in ("reads_dst", "bare", "fills", "takes_a")}
    names = ("ctx", "offset", "wide", "numbers", "frame", *SLICE_FACTS)
    facts |= {name: name in uses for name in names}
    facts |= {"limbs": "last_limb" in uses, "memory": "pointer" in uses or "last_limb" in uses}
    facts |= {kind: op.get("ctx_is") == kind for kind in ("roots", "twiddles")}
    return facts | {"encode": op.get("needs", {}).get("any") == "encode"}


def check_isa(isa: Isa) -> None:
    """What tells whether words fit tells it of readable ones: the fault VALUE of a unit that reads a group says something about it."""
    for name, op in isa["op"].items():
        told = {
            operand for operand in OPERANDS if op.get(operand) == "group" and (operand != "dst" or op.get("reads_dst"))
        }
        allowed = isa["allow"].get(op.get("allow"), {})
        fits = ("readable", "PUBLIC", "PRODUCT")  # tags that tell nothing: PIPE tells nothing of a product
        if "VALUE" in op.get("raises", []) and any(allowed.get(operand) not in fits for operand in told):
            raise StopError(f"{ISA.name}: {name} tells something about {', '.join(sorted(told))}, whatever is in there")


def word_members(isa: Isa, form: str) -> list[str]:
    """The packed struct of a word of one format, from the top bit down."""
    lines, top = [], 63
    for name in sorted(isa["format"][form]["fields"], key=lambda name: -place_of(isa, name)[0]):
        low, width = place_of(isa, name)
        if low + width - 1 > top:
            raise StopError(f"{ISA.name}: field {name} overlaps another")
        if low + width - 1 < top:
            lines.append(f"logic [{top - low - width}:0] zero_{low + width};")
        lines.append(f"logic {'' if width == 1 else f'[{width - 1}:0]'} {name};")
        top = low - 1
    return lines


def form_lines(isa: Isa, name: str, op: Isa) -> list[str]:
    lines = [f"OP_{name}: begin"]
    lines += [
        f"form.{key} = 1'b1;"
        for key, value in facts_of(op).items()
        if value and key not in ("offset", "near", "fields", *SLICE_FACTS)
    ]
    lines += [f"form.unit = unit_t'(UNIT_{op['unit']});"] if "unit" in op else []
    for key, member in (("tag", "rule"), ("term", "term"), ("allow", "allow")):
        lines += [f"form.{member} = {member.upper()}_{op[key].upper()};"] if key in op else []
    return [*lines, f"form.bits = 64'h{mask(isa, op, ''):016x};", "end"]


def form_function(isa: Isa, name: str, fields: bool) -> list[str]:
    """fields: of the operations that need them alone; the others are unknown, and all zero."""
    lines = [f"function automatic form_t {name}(input logic [OpBits-1:0] op);", "form_t form;", "form = form_t'('0);"]
    lines += ["form.known = 1'b1;", "form.unit = unit_t'(UNIT_NONE);", "case (op)"]
    lines += [line for key, op in isa["op"].items() if is_optional(op) == fields for line in form_lines(isa, key, op)]
    return [*lines, "default: form.known = 1'b0;", "endcase", "return form;", "endfunction", ""]


def slices_function(isa: Isa, name: str, fields: bool) -> list[str]:
    lines = [f"function automatic slice_form_t {name}(input logic [OpBits-1:0] op);", "slice_form_t form;"]
    lines += ["form = slice_form_t'('0);", "case (op)"]
    lines += [line for key, op in isa["op"].items() if is_optional(op) == fields for line in slice_lines(isa, key, op)]
    return [*lines, "default: form = slice_form_t'('0);", "endcase", "return form;", "endfunction", ""]


def short_function(isa: Isa) -> list[str]:
    """The bits of operations that a core has with short words."""
    bits = {name: mask(isa, op, "short") for name, op in isa["op"].items()}
    lines = ["function automatic logic [63:0] short_bits(input logic [OpBits-1:0] op);", "case (op)"]
    lines += [f"OP_{name}: return 64'h{value:016x};" for name, value in bits.items() if value]
    return [*lines, "default: return '0;", "endcase", "endfunction", ""]


def slice_lines(isa: Isa, name: str, op: Isa) -> list[str]:
    facts = facts_of(op)
    if not facts["log_size"]:
        return []
    lines = [f"OP_{name}: begin", *(f"form.{fact} = 1'b1;" for fact in SLICE_FACTS if facts[fact])]
    return [*lines, f"form.bits = 64'h{mask(isa, op, 'slices'):016x};", "end"]


# ---- rules of tags, in both languages -------------------------------------------------------------------------------
class Language:
    """How tags, facts and classes of tags are written: in SystemVerilog, or in C."""

    def __init__(self, isa: Isa, prefix: str, fact: str, call: str):
        self.isa, self.prefix, self.fact, self.call = isa, prefix, fact, call

    def tag(self, tag: str) -> str:
        return f"{self.prefix}_{tag}"

    def term(self, row: Isa) -> str:
        """The condition of a row; empty: it always fits."""
        parts = [f"!{self.fact}{fact[1:]}" if fact[0] == "!" else f"{self.fact}{fact}" for fact in row.get("if", [])]
        for operand, tag in row.items():
            if operand in ("if", "tag", "text"):
                continue
            if tag in self.isa["class"]:
                encode = ", is.encode" if "MESSAGE" in self.isa["class"][tag]["tags"] else ""
                parts.append(self.call.format(name=tag, operand=operand, encode=encode))
            else:
                parts.append(f"{operand} == {self.tag(tag)}")
        return " && ".join(parts)

    def value(self, tag: str) -> str:
        if tag in self.isa["tag"]:
            return self.tag(tag)
        return tag if tag not in self.isa["rule"] else f"{self.function(tag)}(dst, term{self.given})"

    def function(self, rule: str) -> str:
        return f"{self.prefix.lower()}_{rule}"

    given = ""

    def chain(self, rows: Iterable[Isa], name: str) -> list[str]:
        """The first row that fits says what `name` is."""
        lines: list[str] = []
        for row in rows:
            condition = self.term(row)
            lines.append(
                f"{'else ' if lines else ''}{f'if ({condition}) ' if condition else ''}{name} = {self.value(row['tag'])};"
            )
        return lines


class SystemVerilog(Language):
    given = ", is"

    def __init__(self, isa: Isa):
        super().__init__(isa, "TAG", "is.", "{name}({operand}{encode})")


class C(Language):
    given = ""

    def __init__(self, isa: Isa):
        super().__init__(isa, "MODEL", "is->", "model_is_{name}({operand})")

    def returns(self, rows: Iterable[Isa]) -> list[str]:
        conditions = ((self.term(row), self.value(row["tag"])) for row in rows)
        return [f"{f'if ({condition}) ' if condition else ''}return {value};" for condition, value in conditions]


def inner_rules(isa: Isa) -> list[str]:
    """Rules that others refer to."""
    used = {row["tag"] for rule in isa["rule"].values() for row in rule["rows"]} | {MIXED}
    return [name for name in isa["rule"] if name in used]


def rules_of(isa: Isa, kind: str) -> list[str]:
    """Those of operations that write such a resource."""
    used = {op["tag"] for op in isa["op"].values() if "tag" in op and op["dst"] == kind}
    return [name for name in isa["rule"] if name in used]


def is_encoding(isa: Isa, rule: str) -> bool:
    """Whether all its operations come with encode."""
    return all(facts_of(op)["encode"] for op in isa["op"].values() if op.get("tag") == rule)


def tag_functions(isa: Isa) -> list[str]:
    sv = SystemVerilog(isa)
    lines = []
    for name, group in isa["class"].items():
        encode = ", input logic encode" if "MESSAGE" in group["tags"] else ""
        tags = [f"(encode && tag == TAG_{tag})" if tag == "MESSAGE" else f"tag == TAG_{tag}" for tag in group["tags"]]
        lines += [f"// {group['text']}", f"function automatic logic {name}(input tag_e tag{encode});"]
        lines += [f"return {' || '.join(tags)};", "endfunction", ""]
    for name in inner_rules(isa):
        lines += [f"// {isa['rule'][name]['text']}"]
        lines += [f"function automatic tag_e {sv.function(name)}(input tag_e dst, input tag_e term, input facts_t is);"]
        lines += ["tag_e tag;", *sv.chain(isa["rule"][name]["rows"], "tag"), "return tag;", "endfunction", ""]
    lines += ["// What the operation adds to dst, or makes."]
    lines += ["function automatic tag_e term_of(input term_e term, input tag_e a, input tag_e b, input facts_t is);"]
    lines += ["tag_e tag;", "case (term)"]
    for name, term in isa["term"].items():
        lines += [f"TERM_{name.upper()}:", *sv.chain(term["rows"], "tag")]
    lines += ["default: tag = a;", "endcase", "return tag;", "endfunction", ""]
    for kind in ("group", "slot"):
        lines += [f"// The new tag of a {kind}."]
        slot = "input tag_e slot, " if kind == "group" else ""
        inputs = f"input rule_e rule, input tag_e dst, {slot}input tag_e term, input facts_t is"
        lines += [f"function automatic tag_e tag_of_{kind}({inputs});"]
        lines += ["tag_e tag;", "case (rule)"]
        for name in rules_of(isa, kind):
            rows = isa["rule"][name]["rows"]
            rows = [{"if": ["!encode"], "tag": "PUBLIC"}, *rows] if is_encoding(isa, name) else rows
            lines += [f"RULE_{name.upper()}:", *sv.chain(rows, "tag")]
        lines += ["default: tag = TAG_PUBLIC;", "endcase", "return tag;", "endfunction", ""]
    return [*lines, *allow_function(isa)]


def allow_function(isa: Isa) -> list[str]:
    sv = SystemVerilog(isa)
    inputs = ", ".join(f"input tag_e {operand}" for operand in ("dst", "a", "b", "slot", "first", "second"))
    lines = ["// Whether it must not start on operands with these tags; first, second: of the slots behind slot."]
    lines += [
        f"function automatic logic refused(input allow_e allow, {inputs}, input facts_t is);",
        "logic may;",
        "case (allow)",
    ]
    for name, row in isa["allow"].items():
        encodes = all(facts_of(op)["encode"] for op in isa["op"].values() if op.get("allow") == name)
        condition = f"!is.encode || ({sv.term(row)})" if encodes else sv.term(row)
        lines += [f"ALLOW_{name.upper()}:", *wrapped(f"may = {condition};", 8)]
    return [*lines, "default: may = 1'b1;", "endcase", "return !may;", "endfunction", ""]


def needed(isa: Isa, op: Isa, word: str) -> str:
    """The condition that something it needs is not built."""
    parts = []
    for flag, part in op["needs"].items():
        low, width = place_of(isa, flag.lstrip("!")) if flag != "any" else (0, 0)
        given = (
            f"{word}[{low + width - 1}:{low}] != '0" if width > 1 else f"{'!' if flag[0] == '!' else ''}{word}[{low}]"
        )
        parts.append(f"!built.{part}" if flag == "any" else f"({given} && !built.{part})")
    return " || ".join(parts)


def check_functions(isa: Isa) -> list[str]:
    parts = dict.fromkeys(
        part for op in isa["op"].values() for part in op.get("needs", {}).values() if not is_optional(op)
    )
    lines = ["// What a core has.", "typedef struct packed {", *(f"logic {part};" for part in parts), "} built_t;", ""]
    lines += [
        "function automatic logic lacks(input logic [63:0] word, input built_t built);",
        "case (word[OpLsb+:OpBits])",
    ]
    by_need: dict[str, list[str]] = {}
    for name, op in isa["op"].items():
        if "needs" in op and not is_optional(op):
            by_need.setdefault(needed(isa, op, "word"), []).append(f"OP_{name}")
    lines += [f"{', '.join(names)}: return {need};" for need, names in by_need.items()]
    lines += ["default: return 1'b0;", "endcase", "endfunction", ""]
    apart = [
        f"(word.op == OP_{name} && word.{one} == word.{other})"
        for name, op in isa["op"].items()
        for one, other in [op.get("apart", ("", ""))]
        if one
    ]
    lines += ["// Two operands that must not be one group.", "function automatic logic is_same(input instr_t word);"]
    lines += [f"return {' || '.join(apart)};", "endfunction", ""]
    lines += ["// What is asked before an instruction starts.", "typedef struct packed {"]
    for check in isa["checks"]["rows"]:
        name, text = f"logic {check['name']};", f"// {check['text']}"
        lines += [f"{name}  {text}"] if len(f"    {name}  {text}") <= SV_COLUMNS else [text, name]
    lines += ["} checks_t;", ""]
    lines += ["function automatic fault_e fault_of(input checks_t checks);", "fault_e fault;"]
    for number, check in enumerate(isa["checks"]["rows"]):
        lines.append(f"{'else ' if number else ''}if (checks.{check['name']}) fault = FAULT_{check['fault']};")
    return [*lines, "else fault = FAULT_NONE;", "return fault;", "endfunction", ""]


def isa_package(isa: Isa) -> str:
    facts = [*KINDS, *FACTS]
    positions = []
    for name in isa["field"]:
        low, width = place_of(isa, name)
        positions.append(f"parameter int unsigned {camel(name)}Lsb = {low};")
        positions.append(f"parameter int unsigned {camel(name)}Bits = {width};")

    def numbered(names: Iterable[str]) -> dict[str, int]:
        return {name.upper(): number for number, name in enumerate(["none", *names])}

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
            f"parameter int unsigned FramesEncode = {isa['frames_encode']};  // frames of a core with encode, without PIPE",
            f"parameter int unsigned SlotsMax = {isa['slots']};",
            f"parameter int unsigned ContextsMax = {isa['contexts']};",
            f"parameter int unsigned Digests = {isa['digests']};  // digests of 32 bytes",
            *(f"parameter int unsigned {camel(key)} = {isa['sealed'][key]};" for key in isa["sealed"]),
            f"parameter int unsigned FieldLogMax = {isa['field_log_max']};  // log2 of a polynomial of SPONGE and PACK, at most",
            f"parameter int unsigned ContextBits = {(isa['contexts'] - 1).bit_length()};  // bits of a context that is built",
            "",
            "// Lowest bit and width of every field.",
            *positions,
            "",
            "// b_map: which slice of b meets slice i.",
            *(f"parameter int unsigned B_MAP_{name} = {value};" for name, value in isa["b_map"].items()),
            "",
            *sv_enum("op", place_of(isa, "op")[1], {name: op["number"] for name, op in isa["op"].items()}),
            "// Units: places in the hardware's vectors; there is room for sixteen, one of which is none.",
            *(
                f"parameter int unsigned UNIT_{name} = {unit};"
                for name, unit in (isa["unit"] | {"NONE": UNIT_NONE}).items()
            ),
            f"typedef logic [{UNIT_NONE.bit_length() - 1}:0] unit_t;",
            "",
            *sv_enum("fault", 4, {name: fault["number"] for name, fault in isa["fault"].items()}),
            *sv_enum("tag", 3, isa["tag"]),
            "// How the tag of what is written follows, from what, and which tags operands must have.",
            *sv_enum(
                "rule",
                0,
                numbered(name for name in isa["rule"] if any(op.get("tag") == name for op in isa["op"].values())),
            ),
            *sv_enum("term", 0, {name.upper(): number for number, name in enumerate(["a", *isa["term"]])}),
            *sv_enum("allow", 0, numbered(isa["allow"])),
            "// A word of what computes. All words have its fields up to slice_dst, but that b is a pointer where there is an address.",
            "typedef struct packed {",
            *word_members(isa, "compute"),
            "} instr_t;",
            "",
            "// What an operation does: its unit, what its fields name, whether it reads dst, a context's modulus and",
            "// memory, has the flag wide, describes numbers or counts limbs, has a frame, its context",
            "// has roots, has to have twiddles, what is written is a context without twiddles, is twiddles alone, a mask that it adds is spent,",
            "// it needs encode, and which bits it uses.",
            "typedef struct packed {",
            "logic known;",
            "unit_t unit;",
            "rule_e rule;",
            "term_e term;",
            "allow_e allow;",
            *(f"logic {fact};" for fact in facts),
            "logic [63:0] bits;",
            "} form_t;",
            "",
            *form_function(isa, "form_of", fields=False),
            "// What operations of a core with fields use.",
            *form_function(isa, "field_form_of", fields=True),
            "// What an operation does in a core with slices: it has a size of its own, a slice of one group, slices of several operands, and uses these",
            "// bits, too.",
            "typedef struct packed {",
            *(f"logic {fact};" for fact in SLICE_FACTS),
            "logic [63:0] bits;",
            "} slice_form_t;",
            "",
            *slices_function(isa, "slices_of", fields=False),
            *slices_function(isa, "field_slices_of", fields=True),
            "// What an operation uses besides in a core with words of 16 bits and halves of polynomials.",
            *short_function(isa),
            "// The forms of a core without PIPE: its operations are one, with any bits. So nothing is looked up about them, and the fault is RANGE.",
            "function automatic form_t form_built(input logic [OpBits-1:0] op, input bit pipe);",
            "form_t form;",
            "form = form_of(op);",
            "if (!pipe && form.unit == unit_t'(UNIT_PIPE)) begin",
            "form = form_t'('0);",
            "form.known = 1'b1;",
            "form.unit = unit_t'(UNIT_PIPE);",
            "form.bits = '1;",
            "end",
            "return form;",
            "endfunction",
            "",
            "// The forms of a core with fields, which has no PIPE. These operations are unknown in one without, which asks for none of them.",
            "function automatic form_t form_with_fields(input logic [OpBits-1:0] op);",
            "form_t form;",
            "form = form_built(op, 1'b0);",
            "return form.known ? form : field_form_of(op);",
            "endfunction",
            "",
            "// Whether the core has the unit.",
            "function automatic bit is_built(input int unsigned unit, input bit pipe, input bit fields);",
            "return unit < UNIT_PIPE || (unit == UNIT_PIPE ? pipe : fields);",
            "endfunction",
            "",
            "// Whether it is an operation of a core with fields.",
            "function automatic logic is_field_op(input logic [OpBits-1:0] op);",
            "return op inside {" + ", ".join(f"OP_{name}" for name, op in isa["op"].items() if is_optional(op)) + "};",
            "endfunction",
            "",
            "// How many frames a program of such a core can have.",
            "function automatic int unsigned frames_of(input bit encode, input bit pipe);",
            "return pipe ? 2 ** FrameBits : encode ? FramesEncode : 1;",
            "endfunction",
            "",
            "// Where pointer 7 of a frame above 0 is among the pointers: behind all of frame 0.",
            "function automatic logic [PointerBits:0] pointer_of(input logic [FrameBits-1:0] frame);",
            "return {1'b1, frame};",
            "endfunction",
            "",
            "// no function looks at everything",
            "// verilator lint_off UNUSEDSIGNAL",
            "",
            "// ---- faults before the start ----",
            *check_functions(isa),
            "// ---- tags ----",
            "// What is known beside the tags.",
            "typedef struct packed {",
            *(f"logic {name};  // {text}" for name, text in isa["fact"].items()),
            "} facts_t;",
            "",
            *tag_functions(isa),
            "// verilator lint_on UNUSEDPARAM",
            "// verilator lint_on UNUSEDSIGNAL",
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
        low, width = place_of(isa, name)
        fields.append((f"RS_ISA_{name.upper()}_SHIFT", low, field["text"]))
        fields.append((f"RS_ISA_{name.upper()}_BITS", width, ""))
    frames = [
        ("RS_FRAMES_MAX", isa["frames"], "a core with the unit PIPE"),
        ("RS_FRAMES_ENCODE", isa["frames_encode"], "another one that encodes"),
    ]
    lines = [
        *c_enum("rs_op", "Operations; docs/instructions.md says which fields they use.", members("RS_OP", isa["op"])),
        *c_enum("rs_unit", "Units, in the order of the registers BUSY.", members("RS_UNIT", units)),
        *c_enum("rs_fault", "Why a program ended: STATUS.cause.", members("RS_FAULT", isa["fault"])),
        *c_enum("rs_isa_frame", "Frames of a program, at most.", frames),
        *c_enum("rs_isa_slot", "Slots of a core, at most.", [("RS_SLOTS_MAX", isa["slots"], "")]),
        *c_enum(
            "rs_isa_field",
            "Limits of a core with fields: digests, and log2 of its largest polynomials.",
            [("RS_DIGESTS", isa["digests"], "digests of 32 bytes"), ("RS_FIELD_LOG_MAX", isa["field_log_max"], "")],
        ),
        *c_enum(
            "rs_isa_sealed",
            "Numbers of a sealed core: docs/core.md, Sealed fields.",
            [(f"RS_{key.upper()}", value, "") for key, value in isa["sealed"].items()],
        ),
        *c_enum(
            "rs_isa_line", "Bytes of a line of memory: offsets count them.", [("RS_ISA_LINE_BYTES", isa["line"], "")]
        ),
        *c_enum(
            "rs_isa", "Fields of a 64-bit word: lowest bit and width. What an operation does not use is zero.", fields
        ),
    ]
    return c_header("isa", ISA, "The core's instruction set; docs/core.md explains it.", lines)


def style_of(isa: Isa, field: str) -> str:
    if field in isa["named"]:
        return "named"
    if field in STYLES:
        return field
    if field == "near":
        return "offset"
    if field == "numbers":
        return "hex"
    return "flag" if place_of(isa, field)[1] == 1 else "number"


def operations_source(isa: Isa, text: str) -> str:
    """instruction.c with its tables: what instruction.h says about fields and operations."""
    names = [field for field in isa["field"] if any(field in op.get("uses", []) for op in isa["op"].values())]

    def listed(fields: Iterable[str]) -> str:
        """Enumerators; those of short words, which stand side by side, where they are built."""
        groups = groupby(fields, key=lambda field: isa["field"][field].get("part") == "short")
        texts = []
        for is_short, some in groups:
            text = ", ".join(f"FIELD_{field.upper()}" for field in some)
            texts.append(f"SHORT({text},)" if is_short else f"{text},")
        return " ".join(texts).removesuffix(",")

    lines = [
        "// clang-format off",
        "// Fields beside the operands, as they stand in a program's text.",
        "typedef enum field {",
    ]
    lines += wrapped(f"FIELD_NONE, {listed(names)}", 4)
    lines += ["} field_t;", "", "static const rs_text_field_t FIELDS[] = {"]
    for name in names:
        low, width = place_of(isa, name)
        entry = f'[FIELD_{name.upper()}] = {{"{name}", RS_TEXT_{style_of(isa, name).upper()}, {low}, {width}}},'
        lines.append(f"    SHORT({entry})" if isa["field"][name].get("part") == "short" else f"    {entry}")
    lines += ["};", "", "static const rs_op_info_t OPERATIONS[RS_OP_COUNT] = {"]
    for name, op in isa["op"].items():
        facts = facts_of(op)
        uses = [
            fact
            for fact in (
                "ctx",
                "wide",
                "numbers",
                "roots",
                "twiddles",
                "encode",
                "frame",
                "limbs",
                "log_size",
                "slices",
                "near",
                "fields",
            )
            if facts[fact]
        ]
        uses += ["part"] * ("part" in op.get("uses", [])) + ["memory"] * facts["offset"]
        kinds = [f"RS_OPERAND_{op.get(operand, 'none').upper()}" for operand in OPERANDS]
        order = sorted(
            op.get("uses", []), key=lambda field: (STYLES.index(style_of(isa, field)), op["uses"].index(field))
        )
        fields = listed(order) or "FIELD_NONE"
        bits, short = mask(isa, op), mask(isa, op, "short")
        words = f"UINT64_C({bits & ~short:#x})" + f" SHORT(| UINT64_C({short:#x}))" * bool(short)
        unit = f"RS_UNIT_{op['unit']}" if "unit" in op else "RS_UNIT_COUNT"
        flags = " | ".join(f"RS_USES_{use.upper()}" for use in uses) or "0"
        about = f'"{name}", {unit}, {", ".join(kinds)}, {int(facts["reads_dst"])}'
        lines += wrapped(f"[RS_OP_{name}] = {{{about},", 4)
        lines += wrapped(f"{flags}, {words}, {{{fields}}}}},", 8)
    begin, end = f"// {made(ISA)}\n", "// clang-format on\n"
    before, _, rest = text.partition(begin)
    return before + begin + "\n".join([*lines, "};", ""]) + end + rest.partition(end)[2]


def times_header(isa: Isa) -> str:
    """The table of time, for lib/src/machine/timing."""
    time, ops = isa["time"], {name: op["time"] for name, op in isa["op"].items() if "unit" in op}
    rules = dict.fromkeys(rule["as"] for rule in ops.values())
    numbers = ", ".join(f"RS_TIME_{key.upper()} = {value}" for key, value in time.items() if isinstance(value, int))
    names = ", ".join(f"RS_RULE_{rule.upper()}" for rule in ("none", *rules))
    lines = ["#include <ringside/isa.h>", "#include <stdint.h>", "", "// clang-format off", "// Cycles."]
    lines += ["typedef enum rs_time {", *wrapped(numbers, 4), "} rs_time_t;", ""]
    lines += ["// How the time of an operation follows.", "typedef enum rs_rule {", *wrapped(names, 4), "} rs_rule_t;"]
    lines += ["// clang-format on", ""]
    lines += ["// By log2 of the words of a chunk."]
    lines += [
        f"static const int16_t RS_TIME_{key.upper()}[] = {{{', '.join(map(str, value))}}};"
        for key, value in time.items()
        if isinstance(value, list)
    ]
    lines += ["", "// DRAW: the first polynomial and each more, for one round a cycle and for two."]
    rows = [f"    [{kind}] = {{{', '.join(map(str, row))}}}," for kind, row in time["draws"].items()]
    lines += ["static const uint8_t RS_TIME_DRAWS[16][4] = {", *rows, "};", ""]
    lines += ["// more: cycles beside its work; bits: what these follow from."]
    lines += ["typedef struct rs_op_time {", "uint8_t rule;", "int8_t more;", "uint64_t bits;", "} rs_op_time_t;", ""]
    lines += ["static const rs_op_time_t RS_OP_TIMES[RS_OP_COUNT] = {"]
    for name, rule in ops.items():
        bits = bits_of(isa, ["op", *rule.get("timed", [])])
        lines.append(
            f"    [RS_OP_{name}] = {{RS_RULE_{rule['as'].upper()}, {rule.get('more', 0)}, UINT64_C({bits:#x})}},"
        )
    return c_header("timing_table", ISA, "How long operations take: cost.c has the rules.", [*lines, "};", ""])


def model_header(isa: Isa) -> str:
    """The rules of tags, for lib/tests/model_core.c."""
    c = C(isa)
    tags = [(f"MODEL_{name}", number, "") for name, number in isa["tag"].items()]
    facts = [f"int {name}; // {text}" for name, text in isa["fact"].items()]
    lines = ["#include <ringside/isa.h>", ""]
    lines += c_enum("model_tag", "What is known about what a group or slot holds.", tags)
    lines += ["typedef struct model_facts {", *facts, "} model_facts_t;", ""]

    def function(about: str, head: str, body: Iterable[str]) -> None:
        lines.extend([f"// {about}", f"static inline {head} {{", *body, "}", ""])

    def switch(cases: Iterable[tuple[Iterable[str], list[str]]], default: str) -> list[str]:
        labelled = [line for names, body in cases for line in [*(f"case RS_OP_{name}:" for name in names), *body]]
        return ["switch (op) {", *labelled, f"default: return {default};", "}"]

    def users(key: str, value: str) -> list[str]:
        return [name for name, op in isa["op"].items() if op.get(key) == value]

    for name, group in isa["class"].items():
        condition = " || ".join(f"tag == MODEL_{tag}" for tag in group["tags"])
        function(group["text"], f"int model_is_{name}(model_tag_t tag)", [f"return {condition};"])
    for name in inner_rules(isa):
        head = f"model_tag_t {c.function(name)}(model_tag_t dst, model_tag_t term)"
        function(isa["rule"][name]["text"], head, c.returns(isa["rule"][name]["rows"]))
    terms = [(users("term", name), c.returns(term["rows"])) for name, term in isa["term"].items()]
    head = "model_tag_t model_term(uint32_t op, model_tag_t a, model_tag_t b)"
    function("What the operation adds to dst, or makes.", head, switch(terms, "a"))
    rules = [(users("tag", name), c.returns(rule["rows"])) for name, rule in isa["rule"].items() if users("tag", name)]
    inputs = "uint32_t op, model_tag_t dst, model_tag_t slot, model_tag_t term, const model_facts_t *is"
    head = f"model_tag_t model_tag_after({inputs})"
    function("The new tag of dst, a group or a slot; slot: the tag of slot a.", head, switch(rules, "MODEL_EMPTY"))
    allowed = [(users("allow", name), [f"return !({c.term(row)});"]) for name, row in isa["allow"].items()]
    inputs = ", ".join(f"model_tag_t {operand}" for operand in ("dst", "a", "b", "slot", "first", "second"))
    about = "Whether operands have other tags than the operation allows; first, second: of the slots behind slot."
    function(about, f"int model_refuses(uint32_t op, {inputs}, const model_facts_t *is)", switch(allowed, "0"))
    return c_header("model_tags", ISA, "How tags follow, for the model of the core.", lines)


def condition_text(row: Isa) -> str:
    parts = [f"{operand} {tag.lower()}" for operand, tag in row.items() if operand not in ("if", "tag", "text")]
    return ", ".join([*parts, *(fact.replace("!", "not ") for fact in row.get("if", []))]) or "else"


def isa_page(isa: Isa) -> str:
    ops = [["op", "name", "unit", "effect", "dst", "a", "b", "other fields"]]
    tags: dict[tuple[str, ...], list[str]] = {}  # what operations have in common -> their names
    head = ["name", "new tag of dst: rule", "of the term", "operands must be", "faults after the start"]
    for name, op in isa["op"].items():
        dst = op.get("dst", "") + (", also read" if op.get("reads_dst") else "")
        row = [str(op["number"]), name, op.get("unit", ""), op["text"], dst, op.get("a", ""), op.get("b", "")]
        ops.append([*row, ", ".join(op.get("uses", []))])
        term = isa["term"].get(op.get("term"), {}).get("text", op.get("term", "")).replace("slot", "slot a")
        allowed = isa["allow"].get(op.get("allow"), {}).get("text", "")
        common = (op.get("tag", "").replace("_", " "), term, allowed, ", ".join(op.get("raises", [])))
        if any(common):
            tags.setdefault(common, []).append(name)
    rules = [["rule", "", "the first row that fits: new tag"]]
    for name, rule in isa["rule"].items():
        rows = [
            f"{condition_text(row)}: {row['tag'].lower() if row['tag'] in isa['tag'] else row['tag']}"
            for row in rule["rows"]
        ]
        rules.append([name.replace("_", " "), rule["text"], "; ".join(rows)])
    for name, term in isa["term"].items():
        rows = [f"{condition_text(row)}: {row['tag'].lower()}" for row in term["rows"]]
        rules.append([f"term {name}", term["text"], "; ".join(rows)])
    classes = [["class", "tags", "meaning"]]
    classes += [
        [name, ", ".join(tag.lower() for tag in group["tags"]), group["text"]] for name, group in isa["class"].items()
    ]
    known = [["fact", "meaning"], *([name, text] for name, text in isa["fact"].items())]
    fields = [["bits", "field", "format", "meaning"]]
    for name, field in isa["field"].items():
        high, low = field["bits"]
        forms = [form for form, table_ in isa["format"].items() if name in table_["fields"]]
        place = "both" if len(forms) == len(isa["format"]) else "".join(forms)
        fields.append([str(low) if high == low else f"{high}:{low}", name, place, field["text"]])
    asked = [
        ["cause", "asked of", "if"],
        *([check["fault"], check.get("of", ""), check["text"]] for check in isa["checks"]["rows"]),
    ]
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
            "There are two formats: words that have a pointer, and all others. Fields without a format stand in words of the operations that are",
            "named; other fields of the format are not there.",
            "",
            *table(*fields),
            "## Tags and faults of operations",
            "Operations that are left out have neither. [Faults before the start](#faults-before-the-start) come first.",
            "",
            *table(head, *([", ".join(names), *common] for common, names in tags.items())),
            "## Rules of tags",
            "What is in dst before, and the term that an operation adds or makes, say what the tag is afterwards.",
            "",
            *table(*rules),
            *table(*classes),
            *table(*known),
            "## Faults before the start",
            "They are asked in this order; the first one that is so ends the program. `asked of` names the operations: those that have that field,",
            "a pointer (memory), something to read (reads), any operand (resource), or a rule for tags of operands (allow). PIPE where it is not built",
            "is a fault RANGE, whatever else is in the word.",
            "",
            *table(*asked),
            "## Causes of a program's end",
            *table(*faults),
        ]
    )


def from_isa() -> dict[Path, str]:
    isa = tomllib.loads(ISA.read_text(encoding="utf-8"))
    check_isa(isa)
    instruction = MACHINE / "instruction.c"
    return {
        ROOT / "hw" / "sequencer" / "rtl" / "rs_isa_pkg.sv": isa_package(isa),
        INCLUDE / "isa.h": isa_header(isa),
        instruction: operations_source(isa, instruction.read_text(encoding="utf-8")),
        MACHINE / "timing" / "table.h": times_header(isa),
        ROOT / "lib" / "tests" / "model_tags.h": model_header(isa),
        ROOT / "docs" / "instructions.md": isa_page(isa),
    }


# ---- registers ------------------------------------------------------------------------------------------------------
def read_registers(source: Path = REGISTERS) -> AddrmapNode:
    compiler = RDLCompiler()
    for property_ in ALL_UDPS:
        compiler.register_udp(property_)
    compiler.compile_file(str(source))
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


def ring_package(ring: AddrmapNode) -> str:
    """Offsets and bits; rs_ring.sv keeps the registers."""
    lines = [f"{LICENCE}// rs_ring_pkg: registers of the ring of descriptors (rs_ring.sv).", f"// {made(RING)}"]
    lines += ["package rs_ring_pkg;", "// verilator lint_off UNUSEDPARAM"]
    for register in ring.registers(unroll=False):
        name = camel(register.inst_name.lower())
        lines.append(f"parameter int unsigned {name} = 32'h{register.raw_address_offset:03x};")
        lines += [
            f"parameter int unsigned {name}{camel(field.inst_name)}Bit = {field.low};"
            for field in register.fields()
            if field.inst_name != "value"
        ]
    return systemverilog([*lines, "// verilator lint_on UNUSEDPARAM", "endpackage"])


def registers_header(top: AddrmapNode, ring: AddrmapNode) -> str:
    offsets: list[tuple[str, int | str, str]] = []
    fields: list[tuple[str, int | str, str]] = []
    for register in [*top.registers(unroll=False), *ring.registers(unroll=False)]:
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


def registers_page(top: AddrmapNode, ring: AddrmapNode) -> str:
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

    for register in [*top.registers(unroll=False), *ring.registers(unroll=False)]:
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
            f"<!-- {made(REGISTERS, RING)} -->",
            "# Registers",
            "",
            "This page is the reference for those who write drivers for the core. Registers have 32 bits and are reached over AXI4-Lite. An",
            "address that is not listed answers SLVERR. Access is r (read) and w (write); `w1` acts when 1 is written; `rw1s` is set by",
            "writing 1 and stays set until reset; `held` registers ignore a write while a program runs, and then STATUS.error is set. Writes",
            "to registers that are only read do nothing. All of these answer OKAY. The words of an array follow each other; operands of programs,",
            "which are only written, read as 0. Those whose names begin with RING are there in cores with a ring of descriptors alone ([core.md](core.md#ring-of-descriptors)).",
            "",
            *table(*rows),
            "## Countermeasures",
            "The core has these measures against attacks and mistakes; [threat-model.md](threat-model.md) says against what it does nothing.",
            "",
            *table(*measures),
        ]
    )


def from_registers() -> dict[Path, str]:
    top, ring = read_registers(), read_registers(RING)
    return {
        **registers_rtl(top),
        RING.parent / "rtl" / "rs_ring_pkg.sv": ring_package(ring),
        INCLUDE / "regs.h": registers_header(top, ring),
        ROOT / "docs" / "registers.md": registers_page(top, ring),
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
