# SPDX-License-Identifier: Apache-2.0
"""Assembler and disassembler of the core's programs, from hw/sequencer/isa.toml.

    LOAD g1 ctx0 [p1 + 0x2000] ntt
    MAC g2 g0 g1 ctx1      # from here on, comment
    .word 0x1f

Operands stand in the order dst, a, b, ctx, memory, pointer register (p6), number, flags, part, slices, frame, as the library's rs_instruction_text prints them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .verilate import source_tree

PREFIX = {"group": "g", "slot": "s", "slots": "s", "context": "ctx", "digest": "d", "pointer": "p"}
_MEMORY = re.compile(r"\[\s*p(\d+)\s*\+\s*(\w+)\s*\]")


class AssemblyError(ValueError):
    """A line that is no instruction: the text says which and why."""


@dataclass(frozen=True)
class Operation:
    """An entry of isa.toml. operands: (field, prefix in text), in order; fields: all that it uses."""

    name: str
    number: int
    unit: str
    operands: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]
    flags: tuple[str, ...]
    named: tuple[str, ...]
    fields: frozenset[str]

    @property
    def has_address(self) -> bool:
        return self.lines != ""

    @property
    def lines(self) -> str:
        """The field that counts lines behind the pointer; empty: there is none."""
        return next((field for field in ("offset", "near") if field in self.fields), "")


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((source_tree() / "hw/sequencer/isa.toml").read_text(encoding="utf-8"))


@cache
def _places() -> dict[str, tuple[int, int]]:
    """Places of fields: lowest bit and width."""
    return {name: (low, high - low + 1) for name, field in _table()["field"].items() for high, low in [field["bits"]]}


@cache
def _operations() -> dict[str, Operation]:
    named = _table()["named"]

    def operation(name: str, entry: dict[str, Any]) -> Operation:
        uses = entry.get("uses", [])
        kinds: dict[str, str] = {field: entry[field] for field in ("dst", "a", "b") if field in entry}
        fields = frozenset([*kinds, *uses])
        if "ctx" in uses:
            kinds["ctx"] = "context"
        if "pointer" in uses and not {"offset", "near"} & set(uses):
            kinds["pointer"] = "pointer"
        others = [field for field in uses if field not in {"ctx", "pointer", "offset", "near", *named}]
        flags = tuple(field for field in others if _places()[field][1] == 1)
        return Operation(
            name,
            entry["number"],
            entry.get("unit", ""),
            tuple((field, PREFIX[kind]) for field, kind in kinds.items()),
            tuple(field for field in others if field not in flags),
            flags,
            tuple(field for field in uses if field in named),
            fields,
        )

    return {name: operation(name, entry) for name, entry in _table()["op"].items()}


def unit_of(word: int) -> str:
    """Which unit runs it; empty for END and for what is no instruction."""
    operation = _operation_of(word)
    return operation.unit if operation else ""


def frame_of(word: int) -> int:
    """The frame whose seeds or message it uses; 0 if it uses none."""
    operation = _operation_of(word)
    return field_of(word, "frame") if operation and "frame" in operation.fields else 0


def field_of(word: int, field: str) -> int:
    """What stands in the field, whether the operation has it or not."""
    low, width = _places()[field]
    return word >> low & ((1 << width) - 1)


def instruction(op: str | int, **fields: int) -> int:
    """A word by its fields; those that are not given are 0. Any field may be given: an instruction uses only its own."""
    word = _put("op", op if isinstance(op, int) else _operations()[op].number)
    for field, value in fields.items():
        word |= _put(field, value)
    return word


def _put(field: str, value: int) -> int:
    low, width = _places()[field]
    if not 0 <= value < 1 << width:
        raise AssemblyError(f"{value} does not fit the {width} bits of {field}")
    return value << low


def _operation_of(word: int) -> Operation | None:
    number = field_of(word, "op")
    return next((operation for operation in _operations().values() if operation.number == number), None)


def disassemble(word: int) -> str:
    """One instruction as text; `.word 0x…` if it is none."""
    operation = _operation_of(word)
    if operation is None:
        return f".word {word:#x}"
    parts = [operation.name]
    parts += [f"{prefix}{field_of(word, field)}" for field, prefix in operation.operands]
    if operation.has_address:
        parts.append(f"[p{field_of(word, 'pointer')} + {field_of(word, operation.lines) * _table()['line']:#x}]")
    parts += [f"{field_of(word, field):{'#x' if field == 'numbers' else ''}}" for field in operation.numbers]
    parts += [flag for flag in operation.flags if field_of(word, flag)]
    parts += [f"{field}{field_of(word, field)}" for field in operation.named if field_of(word, field)]
    text = " ".join(parts)
    try:  # fields that the operation does not use are zero in an instruction
        return text if _instruction(text) == word else f".word {word:#x}"
    except AssemblyError:
        return f".word {word:#x}"


def assemble(text: str) -> list[int]:
    """A program's text, an instruction per line. AssemblyError names the line."""
    words = []
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.partition("#")[0].strip()
        if not code:
            continue
        try:
            words.append(_instruction(code))
        except AssemblyError as error:
            raise AssemblyError(f"line {number}: {code}: {error}") from None
    return words


def _instruction(code: str) -> int:
    memory = _MEMORY.search(code)
    name, *parts = _MEMORY.sub(" [] ", code).split()
    if name == ".word" and len(parts) == 1 and _number(parts[0]) < 1 << 64:
        return _number(parts[0])
    operation = _operations().get(name.upper())
    if operation is None:
        raise AssemblyError(f"there is no operation {name}")
    word = _put("op", operation.number)
    for field, prefix in operation.operands:
        match = re.fullmatch(prefix + r"(\d+)", parts.pop(0)) if parts else None
        if match is None:
            raise AssemblyError(f"{field} must be given as {prefix}0, {prefix}1 …")
        word |= _put(field, int(match[1]))
    if operation.has_address:
        if memory is None or not parts or parts.pop(0) != "[]":
            raise AssemblyError("an address must be given as [p0 + 0x40]")
        lines, rest = divmod(_number(memory[2]), _table()["line"])
        if rest:
            raise AssemblyError(f"an offset must be a multiple of {_table()['line']}")
        word |= _put("pointer", int(memory[1])) | _put(operation.lines, lines)
    for field in operation.numbers:
        value, width = _number(parts.pop(0)) if parts else -1, _places()[field][1]
        if not 0 <= value < 1 << width:
            raise AssemblyError(f"{field} must be given, a number of {width} bits")
        word |= _put(field, value)
    for flag in parts:
        match = re.fullmatch(r"([a-z_]+)(\d+)", flag)
        if match and match[1] in operation.named and int(match[2]):
            word |= _put(match[1], int(match[2]))
        elif flag in operation.flags:
            word |= _put(flag, 1)
        else:
            raise AssemblyError(f"{flag!r} does not belong here")
    return word


def _number(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if value < 0:
        raise AssemblyError(f"{text!r} is not a number")
    return value


def listing(words: Iterable[int]) -> str:
    """A program with addresses, as `ringside program` prints it."""
    return "\n".join(f"{disassemble(word):<40} # {pc:3}  {word:016x}" for pc, word in enumerate(words))
