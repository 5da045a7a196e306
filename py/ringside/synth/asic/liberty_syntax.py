# SPDX-License-Identifier: Apache-2.0
"""The syntax of Liberty files: groups, attributes, and logic functions."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import FileError

_SKIP = re.compile(r"/\*.*?\*/|\\\r?\n|//[^\n]*", re.DOTALL)
_TOKEN = re.compile(r'"([^"]*)"|([^\s"(){}:;,]+)|([(){}:;,\n])')


@dataclass
class Group:
    """`kind (names) { attributes; groups }`. An attribute that stands twice keeps its last value."""

    kind: str
    names: list[str]
    values: dict[str, str] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    def all(self, kind: str) -> Iterator[Group]:
        return (group for group in self.groups if group.kind == kind)

    def first(self, kind: str) -> Group | None:
        return next(self.all(kind), None)

    def number(self, name: str, default: float) -> float:
        try:
            return float(self.values.get(name, default))
        except ValueError:
            return default


class LibertyError(Exception):
    pass


def _parse(text: str) -> Group:
    tokens = [
        (match[1] if match[1] is not None else match[2], match[3]) for match in _TOKEN.finditer(_SKIP.sub(" ", text))
    ]
    tokens.append((None, ""))
    at = 0

    def arguments() -> list[str]:
        nonlocal at
        found = []
        while tokens[at][1] != ")":
            if tokens[at][0] is None and tokens[at][1] not in (",", ":", "\n"):
                raise LibertyError("a list without an end")
            if tokens[at][0] is not None:
                found.append(str(tokens[at][0]))
            at += 1
        at += 1
        return found

    def body(group: Group) -> None:
        nonlocal at
        while tokens[at][1] != "}":
            word, mark = tokens[at]
            at += 1
            if mark in (";", "\n"):
                continue
            if word is None:
                raise LibertyError(f"{mark or 'the end of the file'} in {group.kind} ({', '.join(group.names)})")
            if tokens[at][1] == ":":
                at += 1
                parts = []
                # some writers leave the semicolon out
                while tokens[at][1] not in (";", "}", "\n") and at < len(tokens) - 1:
                    parts.append(tokens[at][0] if tokens[at][0] is not None else tokens[at][1])
                    at += 1
                group.values[word] = " ".join(map(str, parts))
            elif tokens[at][1] == "(":
                at += 1
                names = arguments()
                after = next(i for i in range(at, len(tokens)) if tokens[i][1] != "\n")
                if tokens[after][1] == "{":
                    at = after + 1
                    inner = Group(word, names)
                    body(inner)
                    group.groups.append(inner)
                else:
                    group.values[word] = ", ".join(names)
            else:
                raise LibertyError(f"{word} in {group.kind}")
        at += 1

    while tokens[at][1] == "\n":
        at += 1
    if tokens[at][0] != "library":
        raise LibertyError("it does not begin with `library`")
    at += 2
    top = Group("library", arguments())
    while tokens[at][1] in ("{", "\n"):
        at += 1
    body(top)
    return top


def content(file: Path) -> bytes:
    """A Liberty file's bytes, unpacked. FileError: it cannot be read."""
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError) as error:
        raise FileError("LIBERTY", f"Cannot read the Liberty file {file}: {error}.") from error


def syntax(file: Path) -> Group:
    """The file's groups. FileError: not readable, or not Liberty."""
    try:
        return _parse(content(file).decode("utf-8", "replace"))
    except (LibertyError, IndexError, RecursionError) as error:
        raise FileError("LIBERTY", f"{file} is not a Liberty file: {error}.") from error


# ---- logic functions ------------------------------------------------------------------------------------------------
_LOGIC = re.compile(r"\s*([A-Za-z_]\w*(?:\[\d+\])?|[01]|[!'*&+|^()])")


def truth_table(function: str, inputs: Sequence[str]) -> int:
    """Bit i is the function's value where input k is bit k of i. Operators: ! ' ^ * & + |, and two terms side by side (and)."""
    count = 1 << len(inputs)
    ones = (1 << count) - 1
    columns = {name: sum(1 << i for i in range(count) if i >> k & 1) for k, name in enumerate(inputs)}
    columns |= {"0": 0, "1": ones}
    tokens = _LOGIC.findall(function)
    if "".join(tokens) != re.sub(r"\s", "", function):
        raise ValueError(f"cannot read the function {function!r}")
    at = 0

    def peek() -> str:
        return tokens[at] if at < len(tokens) else ""

    def unary() -> int:
        nonlocal at
        token = peek()
        at += 1
        if token == "!":
            return ones ^ unary()
        if token == "(":
            value = either()
            if peek() != ")":
                raise ValueError(f"a parenthesis is missing in {function!r}")
            at += 1
        elif token in columns:
            value = columns[token]
        else:
            raise ValueError(f"cannot read the function {function!r}: {token or 'its end'}")
        while peek() == "'":
            at += 1
            value ^= ones
        return value

    def exclusive() -> int:
        nonlocal at
        value = unary()
        while peek() == "^":
            at += 1
            value ^= unary()
        return value

    def both() -> int:
        nonlocal at
        value = exclusive()
        while peek() and peek() not in ")+|":
            if peek() in "*&":
                at += 1
            value &= exclusive()
        return value

    def either() -> int:
        nonlocal at
        value = both()
        while peek() in ("+", "|"):
            at += 1
            value |= both()
        return value

    found = either()
    if peek():
        raise ValueError(f"cannot read the function {function!r}: {peek()}")
    return found
