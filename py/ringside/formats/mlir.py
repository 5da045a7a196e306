# SPDX-License-Identifier: Apache-2.0
"""The text of MLIR as far as a client needs it: attributes, aliases, the heads of functions, lines of operations. No parser of MLIR.

Checked with heir-opt of heir-py 2026.11.1, which prints the head of a function, an alias and an operation on a line each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import InputError

TEXT_BYTES_MAX = 1 << 26
LINE_CHARACTERS_MAX = 1 << 20  # lines that are taken apart
_MARKS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|->|[(){}\[\]<>,"]')  # the last quote is one that nothing closes
_CLOSING = {"(": ")", "{": "}", "[": "]", "<": ">"}
_HEAD = re.compile(r"func\.func (?:private |public )?@([\w.$-]+)\(")
_KEY = re.compile(r"\s*([\w.]+)\s*(?:=\s*(.*))?", re.DOTALL)
_LITERALS = re.compile(r"(?:dense|dense_resource)<")  # a line of data, which may be as long as the file
_HINT = (
    "`ringside heir` reads what heir-opt prints after --scheme-to-lattigo or --scheme-to-openfhe (heir-py 2026.11.1)."
)


@dataclass(frozen=True)
class SourceLine:
    """A line of a file, for messages."""

    name: str
    line: int = 0

    def wrong(self, reason: str, hint: str = _HINT) -> InputError:
        where = f"{self.name}, line {self.line}" if self.line else self.name
        return InputError("HEIR", f"{where}: {reason}.", hint)


@dataclass(frozen=True)
class MlirFunction:
    """Arguments and results as text: name (of an argument), type, attributes. body: lines of operations of lattigo and openfhe."""

    name: str
    place: SourceLine
    arguments: tuple[tuple[str, str, dict[str, str]], ...]
    results: tuple[tuple[str, str, dict[str, str]], ...]
    attributes: dict[str, str]
    body: list[tuple[SourceLine, str]] = field(default_factory=list)


def close_of(text: str, start: int, place: SourceLine) -> int:
    """The place of the bracket that closes the one at `start`."""
    wanted: list[str] = []
    for mark in _MARKS.finditer(text, start):
        kind = mark[0]
        if kind in _CLOSING:
            wanted.append(_CLOSING[kind])
        elif wanted and kind == wanted[-1]:
            wanted.pop()
            if not wanted:
                return mark.start()
        elif kind in ')}]>"':
            break
    raise place.wrong("a bracket is not closed on its line")


def items(text: str, place: SourceLine) -> list[str]:
    """Parts between the commas that stand in no bracket."""
    parts, start, depth = [], 0, 0
    for mark in _MARKS.finditer(text):
        if mark[0] == '"':
            raise place.wrong("a quote is not closed on its line")
        depth += (mark[0] in _CLOSING) - (mark[0] in ")}]>")
        if mark[0] == "," and depth == 0:
            parts.append(text[start : mark.start()].strip())
            start = mark.end()
    if depth:
        raise place.wrong("a bracket is not closed on its line")
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


def attributes(text: str, place: SourceLine) -> dict[str, str]:
    """Of `name = value, flag`: values as text, without a type behind a number; "" of a flag."""
    found: dict[str, str] = {}
    for item in items(text, place):
        known = _KEY.fullmatch(item)
        if known is None or known[1] in found:
            raise place.wrong(f"this is no attribute, or one that is there twice: {item[:60]}")
        found[known[1]] = re.sub(r"^(-?\d+) : \w+$", r"\1", (known[2] or "").strip())
    return found


def inside(text: str, opening: str, place: SourceLine) -> str:
    """What stands in the first bracket of this kind."""
    start = text.find(opening)
    if start < 0:
        raise place.wrong(f"there is no {opening}")
    return text[start + len(opening) : close_of(text, start + len(opening) - 1, place)]


def integers(text: str, place: SourceLine) -> tuple[int, ...]:
    """Of `[1, 2]` or `array<i64: 1, 2>`."""
    body = re.fullmatch(r"\[(.*)\]|array<i\d+(?::(.*))?>", text)
    numbers = [] if body is None else items(body[1] or body[2] or "", place)
    if body is None or not all(re.fullmatch(r"-?\d{1,19}", one) for one in numbers):
        raise place.wrong(f"this is no list of whole numbers: {text[:60]}")
    return tuple(int(one) for one in numbers)


class Module:
    """Attributes, aliases and functions of a file. InputError: it is too large, or not of this form."""

    def __init__(self, data: bytes, name: str) -> None:
        self.place = SourceLine(name)
        if len(data) > TEXT_BYTES_MAX:
            message = f"the text has {len(data)} bytes, and {TEXT_BYTES_MAX} are read"
            hint = "Move constants out of it: heir-opt --externalize-constants, or a smaller program."
            raise self.place.wrong(message, hint)
        try:
            text = data.decode("ascii")
        except UnicodeDecodeError as error:
            raise self.place.wrong("this is no text of MLIR") from error
        self.attributes: dict[str, str] | None = None
        self.aliases: dict[str, tuple[SourceLine, str]] = {}
        self.functions: list[MlirFunction] = []
        for number, line in enumerate(text.split("\n"), 1):
            self._line(line.strip(), SourceLine(name, number))
        if self.attributes is None:
            raise self.place.wrong("there is no module with attributes")

    def _line(self, line: str, place: SourceLine) -> None:
        if len(line) > LINE_CHARACTERS_MAX and (
            line.startswith(("module", "#", "func.func")) or "paramsLiteral" in line
        ):
            raise place.wrong(f"it has {len(line)} characters, and {LINE_CHARACTERS_MAX} are read")
        if line.startswith("module"):
            if self.attributes is not None:
                raise place.wrong("there is a second module")
            self.attributes = attributes(inside(line, "{", place), place) if " attributes {" in line else {}
        elif line.startswith("#"):
            name, equals, value = line.partition(" = ")
            if not equals or name in self.aliases:
                raise place.wrong("this is no alias, or one that is there twice")
            self.aliases[name] = place, value
        elif line.startswith("func.func"):
            self.functions.append(_function(line, place))
        elif self.functions and ("lattigo." in line or "openfhe." in line) and not _LITERALS.search(line):
            self.functions[-1].body.append((place, line))

    def resolved(self, text: str, place: SourceLine) -> tuple[str, SourceLine]:
        """An attribute, looked up if it is an alias."""
        if re.fullmatch(r"#\w+", text):
            if text not in self.aliases:
                raise place.wrong(f"the alias {text} is not defined")
            place, text = self.aliases[text]
        return text, place

    def operations(self, name: str) -> Iterator[tuple[SourceLine, str]]:
        """Lines with this operation, of all functions."""
        for function in self.functions:
            yield from ((place, line) for place, line in function.body if f"{name} " in line)


def _function(line: str, place: SourceLine) -> MlirFunction:
    head = _HEAD.match(line)
    if head is None:
        raise place.wrong("this is no head of a function")
    end = close_of(line, head.end() - 1, place)
    rest, results = line[end + 1 :].strip(), ""
    if rest.startswith("->"):
        rest = rest[2:].strip()
        if rest.startswith("("):
            end_of_results = close_of(rest, 0, place)
            results, rest = rest[1:end_of_results], rest[end_of_results + 1 :].strip()
        else:
            results, _, rest = rest.partition(" attributes ")
            results = results.strip().removesuffix("{")
    found = attributes(inside(rest, "{", place), place) if rest.count("{") > 1 else {}
    arguments = tuple(_typed(item, place) for item in items(line[head.end() : end], place))
    return MlirFunction(head[1], place, arguments, tuple(_typed(item, place) for item in items(results, place)), found)


def _typed(item: str, place: SourceLine) -> tuple[str, str, dict[str, str]]:
    """`%name: type {attributes}`, without a name in results."""
    name, colon, rest = item.partition(": ") if item.startswith("%") else ("", ":", item)
    start = rest.find(" {")
    if not colon:
        raise place.wrong(f"this is no argument: {item[:60]}")
    if start < 0:
        return name[1:], rest.strip(), {}
    return name[1:], rest[:start].strip(), attributes(inside(rest, "{", place), place)
