# SPDX-License-Identifier: Apache-2.0
"""Instructions: everything that is made from hw/sequencer/isa.toml."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from pathlib import Path

from common import ROOT

from .instructions import (
    FACTS,
    ISA,
    KINDS,
    OPERANDS,
    SLICE_FACTS,
    Isa,
    bits_of,
    check_isa,
    facts_of,
    is_optional,
    mask,
    needs_of,
    place_of,
    word_members,
)
from .tags import C, SystemVerilog, inner_rules, is_encoding, rules_of
from .text import SV_COLUMNS, c_header, formatted, made, module, rendered, table, with_parts

MACHINE = ROOT / "lib" / "src" / "machine"
INSTRUCTION = MACHINE / "instruction.c"
VALUES = MACHINE / "instruction.h"
UNIT_NONE = 15
# how fields stand in a program's text, in this order
STYLES = ("ctx", "pointer", "offset", "number", "hex", "flag", "named")
# facts of operations that the library asks for: RS_USES_*
USES = (
    "ctx", "wide", "numbers", "roots", "twiddles", "encode", "frame", "limbs", "log_size", "slices", "near", "fields",
)  # fmt: skip


# ---- the package ----------------------------------------------------------------------------------------------------
def form_lines(isa: Isa, op: Isa) -> str:
    """What an operation sets. All that is not named stays as it is, or synthesis would make a ROM of the whole."""
    members = {"rule": "tag", "term": "term", "allow": "allow"}
    values = [f"f.unit = unit_t'(UNIT_{op['unit']});"] if "unit" in op else []
    values += [f"f.{key} = {key.upper()}_{op[name].upper()};" for key, name in members.items() if name in op]
    rest = f"f.bits = 64'h{mask(isa, op, ''):x}; end"
    flags = flag_line(op, (*KINDS, *FACTS))
    return f"{' '.join(values)}\n        {flags} {rest}" if flags else " ".join([*values, rest])


def flag_line(op: Isa, names: Iterable[str]) -> str:
    facts = facts_of(op)
    flags = [f"f.{name}" for name in names if facts[name]]
    return f"{{{', '.join(flags)}}} = '1;" if flags else ""


def slice_line(isa: Isa, op: Isa) -> str:
    return f"{flag_line(op, SLICE_FACTS)} f.bits = 64'h{mask(isa, op, 'slices'):x}; end"


def needed(isa: Isa, op: Isa) -> str:
    """The condition that something it needs is not built."""
    parts = [f"!built.{what}" for what in needs_of(op)]
    for flag, what in op["needs"].items():
        if flag == "any":
            continue
        low, width = place_of(isa, flag.lstrip("!"))
        given = f"word[{low + width - 1}:{low}] != '0" if width > 1 else f"{'!' if flag[0] == '!' else ''}word[{low}]"
        parts.append(f"({given} && !built.{what})")
    return " || ".join(parts)


def check_line(check: Isa) -> str:
    name, text = f"logic {check['name']};", f"// {check['text']}"
    return f"{name}  {text}" if len(f"    {name}  {text}") <= SV_COLUMNS else f"{text}\n{name}"


def allowed(isa: Isa, sv: SystemVerilog) -> dict[str, str]:
    """The condition of each rule for operands."""
    found = {}
    for name, row in isa["allow"].items():
        encodes = all(facts_of(op)["encode"] for op in isa["op"].values() if op.get("allow") == name)
        found[name] = f"!is.encode || ({sv.term(row)})" if encodes else sv.term(row)
    return found


def tag_rows(isa: Isa, kind: str) -> dict[str, list[Isa]]:
    """The rules of groups or slots. Where all operations of one come with encode, it makes PUBLIC without."""
    without = [{"if": ["!encode"], "tag": "PUBLIC"}]
    return {
        name: (without if is_encoding(isa, name) else []) + isa["rule"][name]["rows"] for name in rules_of(isa, kind)
    }


def isa_package(isa: Isa) -> str:
    sv = SystemVerilog(isa)
    ops: Mapping[str, Isa] = isa["op"]

    def of(make: Callable[[Isa, Isa], str], fields: bool, fact: str = "") -> dict[str, str]:
        """fields: of the operations that need them alone. fact: which those need that are left."""
        chosen = {name: op for name, op in ops.items() if is_optional(op) == fields}
        return {name: make(isa, op) for name, op in chosen.items() if not fact or facts_of(op)[fact]}

    needs: dict[str, list[str]] = {}
    for name, op in ops.items():
        if "needs" in op and not is_optional(op):
            needs.setdefault(needed(isa, op), []).append(f"OP_{name}")
    short = {name: mask(isa, op, "short") for name, op in ops.items()}

    def numbered(first: str, names: Iterable[str]) -> dict[str, int]:
        return {name: number for number, name in enumerate([first, *names])}

    used = {op["tag"] for op in ops.values() if "tag" in op} - {"public"}
    rules = numbered("public", (name for name in isa["rule"] if name in used))  # also of operations without a rule
    return module(
        "rs_isa_pkg",
        ISA,
        isa=isa,
        sv=sv,
        values=[
            (name, place_of(isa, name)[1], value.get("prefix", name.upper()), value["names"])
            for name, value in isa["value"].items()
        ],
        op_bits=place_of(isa, "op")[1],
        unit_none=UNIT_NONE,
        numbers=lambda entries: {name: entry["number"] for name, entry in entries.items()},
        enums=(("rule", rules), ("term", numbered("a", isa["term"])), ("allow", numbered("none", isa["allow"]))),
        word=word_members(isa, "compute"),
        facts=(*KINDS, *FACTS),
        slice_facts=SLICE_FACTS,
        own=of(form_lines, False),
        of_fields=of(form_lines, True),
        own_slices=of(slice_line, False, "log_size"),
        field_slices=of(slice_line, True, "log_size"),
        short={name: f"64'h{value:016x}" for name, value in short.items() if value},
        parts=dict.fromkeys(
            what
            for op in ops.values()
            if not is_optional(op)
            for what in (*needs_of(op), *(what for flag, what in op.get("needs", {}).items() if flag != "any"))
        ),
        needs=needs,
        apart=[
            f"(word.op == OP_{name} && word.{' == word.'.join(op['apart'])})"
            for name, op in ops.items()
            if "apart" in op
        ],
        check_line=check_line,
        inner=inner_rules(isa),
        rules_of={kind: tag_rows(isa, kind) for kind in ("group", "slot")},
        allowed=allowed(isa, sv),
    )


# ---- headers of C ---------------------------------------------------------------------------------------------------
def isa_header(isa: Isa) -> str:
    units = {name: {"number": number, "text": ""} for name, number in isa["unit"].items()}
    return c_header("isa", ISA, isa=isa, units=units)


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


def is_short(isa: Isa, field: str) -> bool:
    return bool(isa["field"][field].get("part") == "short")


def listed(isa: Isa, fields: Iterable[str]) -> str:
    """Enumerators; those of short words, which stand side by side, where they are built."""
    texts = []
    for short, some in groupby(fields, key=lambda field: is_short(isa, field)):
        text = ", ".join(f"FIELD_{field.upper()}" for field in some)
        texts.append(f"SHORT({text},)" if short else f"{text},")
    return " ".join(texts).removesuffix(",")


def operation_lines(isa: Isa, name: str, op: Isa) -> tuple[str, str]:
    facts = facts_of(op)
    uses = [fact for fact in USES if facts[fact]]
    uses += ["part"] * ("part" in op.get("uses", [])) + ["memory"] * facts["offset"]
    kinds = [f"RS_OPERAND_{op.get(operand, 'none').upper()}" for operand in OPERANDS]
    order = sorted(op.get("uses", []), key=lambda field: (STYLES.index(style_of(isa, field)), op["uses"].index(field)))
    bits, short = mask(isa, op), mask(isa, op, "short")
    words = f"UINT64_C({bits & ~short:#x})" + f" SHORT(| UINT64_C({short:#x}))" * bool(short)
    unit = f"RS_UNIT_{op['unit']}" if "unit" in op else "RS_UNIT_COUNT"
    flags = " | ".join(f"RS_USES_{use.upper()}" for use in uses) or "0"
    head = f'[RS_OP_{name}] = {{"{name}", {unit}, {", ".join(kinds)}, {int(facts["reads_dst"])},'
    return head, f"{flags}, {words}, {{{listed(isa, order) or 'FIELD_NONE'}}}}},"


def operations_source(isa: Isa, text: str) -> str:
    """instruction.c with its tables: what instruction.h says about fields and operations."""
    names = [field for field in isa["field"] if any(field in op.get("uses", []) for op in isa["op"].values())]
    body = rendered(
        "operations.c",
        listed=lambda fields: listed(isa, fields),
        names=names,
        fields=[(name, style_of(isa, name), *place_of(isa, name), is_short(isa, name)) for name in names],
        operations=[operation_lines(isa, name, op) for name, op in isa["op"].items()],
    )
    return with_parts(text, f"// {made(ISA)}", "// clang-format on", body)


def values_source(isa: Isa, text: str) -> str:
    """instruction.h with the values of fields."""
    values = [
        (value.get("type", name), value.get("prefix", name.upper()), value["names"])
        for name, value in isa["value"].items()
    ]
    body = rendered("values.h", isa=isa, values=values)
    whole = with_parts(text, f"// {made(ISA)}", "// ---- end of what is made", body)
    return formatted(whole, "clang-format", "--assume-filename=header.h")


def times_header(isa: Isa) -> str:
    """The table of time, for lib/src/machine/timing."""
    time, ops = isa["time"], {name: op["time"] for name, op in isa["op"].items() if "unit" in op}
    rules = dict.fromkeys(rule["as"] for rule in ops.values())
    return c_header(
        "timing_table",
        ISA,
        numbers=", ".join(f"RS_TIME_{key.upper()} = {value}" for key, value in time.items() if isinstance(value, int)),
        rules=", ".join(f"RS_RULE_{rule.upper()}" for rule in ("none", *rules)),
        lists={key: value for key, value in time.items() if isinstance(value, list)},
        draws=time["draws"],
        times=[
            (name, rule["as"], rule.get("more", 0), f"{bits_of(isa, ['op', *rule.get('timed', [])]):#x}")
            for name, rule in ops.items()
        ],
    )


def model_header(isa: Isa) -> str:
    """The rules of tags, for lib/tests/model_core.c."""
    c = C(isa)

    def users(key: str, value: str) -> list[str]:
        return [name for name, op in isa["op"].items() if op.get(key) == value]

    return c_header(
        "model_tags",
        ISA,
        isa=isa,
        c=c,
        inner=inner_rules(isa),
        terms=[(users("term", name), c.returns(term["rows"])) for name, term in isa["term"].items()],
        rules=[
            (users("tag", name), c.returns(rule["rows"])) for name, rule in isa["rule"].items() if users("tag", name)
        ],
        allowed=[(users("allow", name), [f"return !({c.term(row)});"]) for name, row in isa["allow"].items()],
    )


# ---- the page -------------------------------------------------------------------------------------------------------
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
        operands = isa["allow"].get(op.get("allow"), {}).get("text", "")
        common = (op.get("tag", "").replace("_", " "), term, operands, ", ".join(op.get("raises", [])))
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
    return rendered(
        "instructions.md",
        made=made(ISA),
        ops=table(*ops),
        fields=table(*fields),
        tags=table(head, *([", ".join(names), *common] for common, names in tags.items())),
        rules=table(*rules),
        classes=table(*classes),
        facts=table(*known),
        checks=table(*asked),
        faults=table(*faults),
    )


def from_isa(isa: Isa) -> dict[Path, str]:
    """StopError: isa.toml contradicts itself."""
    check_isa(isa)
    return {
        ROOT / "hw" / "sequencer" / "rtl" / "rs_isa_pkg.sv": isa_package(isa),
        ROOT / "lib" / "include" / "ringside" / "isa.h": isa_header(isa),
        INSTRUCTION: operations_source(isa, INSTRUCTION.read_text(encoding="utf-8")),
        VALUES: values_source(isa, VALUES.read_text(encoding="utf-8")),
        MACHINE / "timing" / "table.h": times_header(isa),
        ROOT / "lib" / "tests" / "model_tags.h": model_header(isa),
        ROOT / "docs" / "instructions.md": isa_page(isa),
    }
