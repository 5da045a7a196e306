# SPDX-License-Identifier: Apache-2.0
"""The rules of tags of hw/sequencer/isa.toml, in SystemVerilog and in C."""

from collections.abc import Iterable

from .instructions import Isa, facts_of

MIXED = "mixed"  # the rule of a group of which a part is written


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

    def chain(self, rows: Iterable[Isa], name: str) -> str:
        """The first row that fits says what `name` is."""
        lines: list[str] = []
        for row in rows:
            condition = self.term(row)
            lines.append(
                f"{'else ' if lines else ''}{f'if ({condition}) ' if condition else ''}{name} = {self.value(row['tag'])};"
            )
        return "\n".join(lines)


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
