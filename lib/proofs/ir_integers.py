# SPDX-License-Identifier: Apache-2.0
"""A function of LLVM's intermediate code as statements about integers: straight-line code on words, as clang makes of the library's arithmetic.

Each value is an integer from 0 to 2^64 - 1 (2^128 - 1). An operation that may wrap brings a multiple of 2^64 as an unknown of its own,
so that nothing is assumed about overflow. What is not known here raises an exception.
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import z3

Call = Callable[["Run", list[z3.ArithRef]], z3.ArithRef]


class UnknownCodeError(Exception):
    """An instruction that is not translated."""


@dataclass
class Run:
    """The values of one execution, and what holds among them."""

    values: dict[str, z3.ArithRef] = field(default_factory=dict)
    tests: dict[str, z3.BoolRef] = field(default_factory=dict)
    places: dict[str, tuple[str, int]] = field(default_factory=dict)  # pointers: array, index
    memory: dict[tuple[str, int], z3.ArithRef] = field(default_factory=dict)
    facts: list[z3.BoolRef] = field(default_factory=list)
    halves: list[tuple[z3.ArithRef, z3.ArithRef, z3.ArithRef]] = field(
        default_factory=list
    )  # shifted: value, high, low part
    parameters: list[str] = field(default_factory=list)
    first: dict[tuple[str, int], z3.ArithRef] = field(default_factory=dict)  # memory's content at first
    result: z3.ArithRef | None = None
    _count: "itertools.count[int]" = field(default_factory=itertools.count)

    def word(self, name: str, bits: int = 64) -> z3.ArithRef:
        value = z3.Int(f"{name}.{next(self._count)}")
        self.facts += [value >= 0, value < 2**bits]
        return value

    def wrapped(self, exact: z3.ArithRef, bits: int) -> z3.ArithRef:
        """exact modulo 2^bits."""
        value = self.word("w", bits)
        self.facts.append(exact == value + 2**bits * z3.Int(f"k.{next(self._count)}"))
        return value


def body(code: str, function: str) -> tuple[list[str], list[str]]:
    """Parameters and instructions of a function of one block."""
    found = re.search(rf"^define [^@\n]*@{function}\(([^\n]*)\)[^{{\n]*\{{\n(.*?)^\}}", code, re.MULTILINE | re.DOTALL)
    if not found:
        raise UnknownCodeError(f"no function {function}")
    lines = [re.sub(r", (!\w|align ).*|;.*", "", line).strip() for line in found[2].splitlines()]
    return re.findall(r"%[\w.]+(?=,|$)", found[1]), [line for line in lines if line and line != "entry:"]


def run(code: str, function: str, calls: dict[str, Call]) -> Run:
    """Executes it on unknown words. Parameters are in `values` or, as arrays, in `memory`."""
    parameters, lines = body(code, function)
    r = Run(parameters=parameters)
    for name in parameters:
        r.values[name] = r.word(name)
        r.places[name] = (name, 0)

    def value(text: str) -> z3.ArithRef:
        return r.values[text] if text.startswith("%") else z3.IntVal(int(text) % 2**64)

    short: set[str] = set()  # values of 128 bits that fit in a word
    for line in lines:
        name, _, text = line.rpartition(" = ")
        words = text.split()
        operands = [
            word for word in re.findall(r"(?:%[\w.]+|-?\b\d+)(?=,|$|\))", text) if not word.startswith("%struct.")
        ]
        operation = words[0]
        bits = 128 if "i128" in text else 64
        if operation == "ret":
            r.result = value(operands[0]) if operands else None
        elif operation in ("add", "sub", "mul"):
            a, b = map(value, operands)
            exact = {"add": a + b, "sub": a - b, "mul": a * b}[operation]
            r.values[name] = r.wrapped(exact, bits)
            if operation == "mul" and "nuw" in words:  # clang knows that the product fits
                r.facts.append(r.values[name] == exact)
        elif operation == "shl":
            r.values[name] = r.wrapped(value(operands[0]) * 2 ** int(operands[1]), bits)
        elif operation == "lshr":
            left = bits - int(operands[1])
            r.values[name], rest = r.word("s", left), r.word("rest", int(operands[1]))
            if left <= 64:
                short.add(name)
            r.facts.append(value(operands[0]) == r.values[name] * 2 ** int(operands[1]) + rest)
            r.halves.append((value(operands[0]), r.values[name], rest))
        elif operation == "zext":
            r.values[name] = value(re.findall(r"%[\w.]+", text)[0])
        elif operation == "trunc":
            given = re.findall(r"%[\w.]+", text)
            r.values[name] = value(given[0]) if given[0] in short else r.wrapped(value(given[0]), 64)
        elif text.startswith("icmp slt") and operands[1] == "0":
            r.tests[name] = value(operands[0]) >= 2**63
        elif operation == "select":
            test, a, b = operands
            r.values[name] = z3.If(r.tests[test], value(a), value(b))
        elif operation == "getelementptr":
            base, *indices = operands
            array, at = r.places[base]
            r.places[name] = (array, at + int(indices[-1]))
        elif operation == "load":
            place = r.places[operands[0]]
            if place not in r.memory:
                r.memory[place] = r.first[place] = r.word(f"{place[0]}[{place[1]}]")
            r.values[name] = r.memory[place]
        elif operation == "store":
            r.memory[r.places[operands[1]]] = value(operands[0])
        elif operation in ("call", "tail"):
            callee = re.search(r"@(\w+)\((.*)\)", text)
            if not callee:
                raise UnknownCodeError(line)
            given = re.findall(r"%[\w.]+(?=,|$)", callee[2])
            r.values[name] = calls[callee[1]](r, [r.values[argument] for argument in given])
        else:
            raise UnknownCodeError(line)
    return r
