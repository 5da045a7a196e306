# SPDX-License-Identifier: Apache-2.0
"""Figures in Markdown pages: comments that say which answer of the ledger stands there. GitHub shows the text between them alone.

    <!-- figure: ringside cycles rise-32 --op ntt --n 4096 | cycles -->803<!-- /figure -->
    <!-- figure: COMMAND | NAME / COMMAND | NAME : .1f -->13.1<!-- /figure -->
    <!-- table: soc encrypt-sk -->
    ...
    <!-- /table -->

NAME is the path of a figure in what the command prints with --json, with dots into what is nested, or `processor`, whose speed it is. The text behind the
colon is a format of Python's; `k` and `M` at its end divide by a thousand and a million. Tables are those of tables.py.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ParameterError
from .command import value
from .ledger import PROCESSOR, REFUSED
from .tables import TABLES, Table, commands

Find = Callable[[str], Mapping[str, Any]]  # the answer of a command; LookupError: there is none

_FIGURE = re.compile(r"(<!-- figure: (.*?) -->)(.*?)(<!-- /figure -->)", re.DOTALL)
_TABLE = re.compile(r"(<!-- table: (.*?) -->\n)(.*?)(<!-- /table -->)", re.DOTALL)
_BEGIN, _END = re.compile(r"<!-- (figure|table): "), re.compile(r"<!-- /(figure|table) -->")
_UNITS = {"k": 1e3, "M": 1e6, "": 1.0}


def fill(text: str, find: Find) -> str:
    """The page with today's figures. LookupError: one has no answer. ParameterError: a comment that cannot be read."""
    _check(text)
    text = _FIGURE.sub(lambda match: f"{match[1]}{figure(match[2], find)}{match[4]}", text)
    return _TABLE.sub(lambda match: f"{match[1]}{table(match[2], find)}\n{match[4]}", text)


def printed(text: str) -> list[str]:
    """The commands whose answers a page prints."""
    _check(text)
    asked = [command for match in _FIGURE.finditer(text) for command, _ in _terms(match[2])[0]]
    asked += [command for match in _TABLE.finditer(text) for command in commands(_table(match[2]))]
    return list(dict.fromkeys(asked))


def _check(text: str) -> None:
    """Each comment that begins something has one that ends it: else text between two of them would be replaced."""
    comments = sorted((match.start(), match) for one in (_BEGIN, _END) for match in one.finditer(text))
    begun: list[str] = []
    for _, match in comments:
        ends = match.re is _END
        if begun != [match[1]] * ends:
            number = text.count("\n", 0, match.start()) + 1
            hint = "Write <!-- figure: … -->…<!-- /figure -->, or the same with table, one after the other."
            raise ParameterError("FIGURE", f"Line {number}: `{match[0].strip()}` stands in no place for it.", hint)
        begun = [] if ends else [match[1]]
    if begun:
        raise ParameterError("FIGURE", f"The last <!-- {begun[0]}: … --> has no end.", f"Add <!-- /{begun[0]} -->.")


def figure(expression: str, find: Find) -> str:
    terms, form, unit = _terms(expression)
    if [name for _, name in terms] == [PROCESSOR]:
        return str(find(terms[0][0]).get(PROCESSOR, "a processor whose name was not recorded"))
    values = [_number(find(command), name) for command, name in terms]
    found = values[0] / values[1] if len(values) > 1 else values[0]
    try:
        return format(found / unit, form)
    except ValueError:
        message = f"{expression!r}: {form!r} is no format of a number."
        raise ParameterError("FIGURE", message, "Write, for instance: .1f or ,.0f") from None


def _terms(expression: str) -> tuple[list[tuple[str, str]], str, float]:
    """(command, name) of one or two figures, format, divisor."""
    body, _, form = expression.partition(" : ")
    terms = [tuple(word.strip() for word in term.split("|")) for term in body.split(" / ")]
    if len(terms) > 2 or any(len(term) != 2 for term in terms):
        message = f"{expression!r} names no figure."
        raise ParameterError("FIGURE", message, "Write: COMMAND | NAME, or two of these with / between them.")
    found = re.fullmatch(r"(.*?)([kM]?)", form.strip())
    assert found is not None  # anything matches
    return [(term[0], term[1]) for term in terms], found[1] or ",.0f", _UNITS[found[2]]


def _number(answer: Mapping[str, Any], name: str) -> float:
    try:
        found = value(answer, name)
    except LookupError as error:
        raise ParameterError("FIGURE", f"There is no figure {name!r} here.", f"There are: {error}.") from None
    if isinstance(found, Mapping):
        raise ParameterError("FIGURE", f"{name!r} is no figure, it has parts.", f"There are: {', '.join(found)}.")
    if not isinstance(found, int | float):
        raise ParameterError("FIGURE", f"{name!r} is no number here: {found!r}.")
    return float(found)


def _table(expression: str) -> Table:
    name, *words = expression.split()
    if name not in TABLES:
        raise ParameterError("FIGURE", f"There is no table {name!r}.", f"Tables: {', '.join(TABLES)}.")
    try:
        return TABLES[name](*words)
    except (TypeError, KeyError):
        taken = ", ".join(inspect.signature(TABLES[name]).parameters) or "nothing"
        raise ParameterError("FIGURE", f"{expression!r} is no table.", f"Behind {name} stands: {taken}.") from None


def table(expression: str, find: Find) -> str:
    def known(command: str, path: str, absent: float | None = None) -> float:
        answer = find(command)
        if REFUSED in answer:
            raise ParameterError("FIGURE", f"The table {expression!r} needs `{command}`: {answer[REFUSED]}.")
        try:
            return float(value(answer, path))
        except LookupError:
            if absent is None:
                raise ParameterError("FIGURE", f"The answer of `{command}` has no {path!r}.") from None
            return absent

    return _table(expression)(known)
