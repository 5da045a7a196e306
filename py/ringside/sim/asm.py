# SPDX-License-Identifier: Apache-2.0
"""Assembler and disassembler of the core's programs, from hw/sequencer/isa.toml.

    LOAD g1 ctx0 [p1 + 0x2000] ntt
    MAC g2 g0 g1 ctx1      # from here on, comment
    .word 0x1f

Operands stand in the order dst, a, b, ctx, memory, pointer register (p6), number, flags, part, frame, as the library's rs_instruction_text prints them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from .verilate import source_tree

PREFIX = {"group": "g", "slot": "s", "slots": "s", "context": "ctx", "pointer": "p"}
FLAGS = ("wide", "ntt", "secret", "add", "alt")
FRAME_LSB, FRAME_BITS = 28, 4  # in imm
_MEMORY = re.compile(r"\[\s*p(\d+)\s*\+\s*(\w+)\s*\]")


class AssemblyError(ValueError):
    """A line that is no instruction: the text says which and why."""


@dataclass(frozen=True)
class Operation:
    """An entry of isa.toml. operands: (field, prefix in text), in order. memory, number: what imm is; numbers: of an array."""

    name: str
    number: int
    unit: str
    operands: tuple[tuple[str, str], ...]
    memory: bool
    number_bits: int
    numbers: bool
    frame: bool  # imm has one beside its number
    part: bool  # of an INTT
    flags: tuple[str, ...]


@cache
def _isa() -> tuple[dict[str, tuple[int, int]], dict[str, Operation]]:
    """Fields as (lowest bit, width), and operations by name."""
    table: dict[str, Any] = tomllib.loads((source_tree() / "hw/sequencer/isa.toml").read_text(encoding="utf-8"))
    fields = {name: (low, high - low + 1) for name, field in table["field"].items() for high, low in [field["bits"]]}

    def operation(name: str, entry: dict[str, Any]) -> Operation:
        uses = entry.get("uses", [])
        kinds: dict[str, str] = {field: entry[field] for field in ("dst", "a", "b") if field in entry}
        if "ctx" in uses:
            kinds["ctx"] = "context"
        numbers = entry.get("imm_is") == "numbers"
        memory = "base" in uses and not numbers
        if "base" in uses and not memory:
            kinds["base"] = "pointer"
        operands = tuple((field, PREFIX[kind]) for field, kind in kinds.items())
        bits = entry.get("imm_bits", 32) if "imm" in uses and not memory else 0
        flags = tuple(flag for flag in FLAGS if flag in uses)
        frame = bool(entry.get("frame"))
        unit, part = entry.get("unit", ""), "part" in uses
        return Operation(name, entry["number"], unit, operands, memory, bits, numbers, frame, part, flags)

    return fields, {name: operation(name, entry) for name, entry in table["op"].items()}


def unit_of(word: int) -> str:
    """Which unit runs it; empty for END and for what is no instruction."""
    operation = _operation_of(word)
    return operation.unit if operation else ""


def frame_of(word: int) -> int:
    """The frame whose seeds or message it uses; 0 if it uses none."""
    operation = _operation_of(word)
    return _get(word, "imm") >> FRAME_LSB & ((1 << FRAME_BITS) - 1) if operation and operation.frame else 0


def _get(word: int, field: str) -> int:
    low, width = _isa()[0][field]
    return word >> low & ((1 << width) - 1)


def _put(field: str, value: int) -> int:
    low, width = _isa()[0][field]
    if not 0 <= value < 1 << width:
        raise AssemblyError(f"{value} does not fit the {width} bits of {field}")
    return value << low


def _operation_of(word: int) -> Operation | None:
    number = _get(word, "op")
    return next((operation for operation in _isa()[1].values() if operation.number == number), None)


def disassemble(word: int) -> str:
    """One instruction as text; `.word 0x…` if it is none."""
    operation = _operation_of(word)
    if operation is None:
        return f".word {word:#x}"
    parts = [operation.name]
    parts += [f"{prefix}{_get(word, field)}" for field, prefix in operation.operands]
    if operation.memory:
        parts.append(f"[p{_get(word, 'base')} + {_get(word, 'imm'):#x}]")
    if operation.number_bits:
        number = _get(word, "imm") & ((1 << operation.number_bits) - 1)
        parts.append(f"{number:#x}" if operation.numbers else str(number))
    parts += [flag for flag in operation.flags if _get(word, flag)]
    part, frame = _get(word, "part"), frame_of(word)
    parts += [f"part{part}"] * (part > 0 and operation.part)
    parts += [f"frame{frame}"] * (frame > 0)
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
    operation = _isa()[1].get(name.upper())
    if operation is None:
        raise AssemblyError(f"there is no operation {name}")
    word = _put("op", operation.number)
    for field, prefix in operation.operands:
        match = re.fullmatch(prefix + r"(\d+)", parts.pop(0)) if parts else None
        if match is None:
            raise AssemblyError(f"{field} must be given as {prefix}0, {prefix}1 …")
        word |= _put(field, int(match[1]))
    if operation.memory:
        if memory is None or not parts or parts.pop(0) != "[]":
            raise AssemblyError("an address must be given as [p0 + 0x40]")
        word |= _put("base", int(memory[1])) | _put("imm", _number(memory[2]))
    if operation.number_bits:
        value = _number(parts.pop(0)) if parts else -1
        if not 0 <= value < 1 << operation.number_bits:
            raise AssemblyError(f"a number of {operation.number_bits} bits must be given")
        word |= _put("imm", value)
    for flag in parts:
        frame = re.fullmatch(r"frame(\d+)", flag)
        if frame and operation.frame and int(frame[1]) < 1 << FRAME_BITS:
            word |= _put("imm", int(frame[1]) << FRAME_LSB)
            continue
        part = re.fullmatch(r"part([1-3])", flag)
        if part and operation.part:
            word |= _put("part", int(part[1]))
            continue
        if flag not in operation.flags:
            raise AssemblyError(f"{flag!r} does not belong here")
        word |= _put(flag, 1)
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
