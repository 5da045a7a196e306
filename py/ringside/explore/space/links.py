# SPDX-License-Identifier: Apache-2.0
"""Values that follow others: a small language of numbers, names, + - * // %, comparisons, `a if b else c`, min and max.

It is read by `ast` and walked here, so nothing in a file is ever run by Python.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

DEPTH_MAX = 40
NUMBER_MAX = 1 << 31

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: lambda a, b: np.floor_divide(a, np.where(np.equal(b, 0), 1, b)),
    ast.Mod: lambda a, b: np.mod(a, np.where(np.equal(b, 0), 1, b)),
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}
_CALLS: dict[str, Callable[[Any, Any], Any]] = {"min": np.minimum, "max": np.maximum}


class LinkError(ValueError):
    """What is wrong with an expression, without where it is."""


@dataclass(frozen=True)
class Link:
    """An expression that was read. names: what it needs, as `table.key` or as a field."""

    text: str
    names: frozenset[str]
    tree: ast.expr

    def value(self, of: Mapping[str, Any]) -> Any:
        """of: numbers or arrays by the names."""
        return _value(self.tree, of)


def read(text: str) -> Link:
    """LinkError: it is no expression of this language."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise LinkError(f"{text!r} is no expression: {getattr(error, 'msg', error)}") from None
    names: set[str] = set()
    _check(tree, names, 0)
    return Link(text, frozenset(names), tree)


def _name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def _check(node: ast.expr, names: set[str], depth: int) -> None:
    if depth > DEPTH_MAX:
        raise LinkError("it is nested too deeply")
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, int | str) or (isinstance(node.value, int) and abs(node.value) >= NUMBER_MAX):
            raise LinkError(f"{ast.unparse(node)} is no whole number below 2^31 and no text")
        return
    if (name := _name(node)) is not None:
        names.add(name)
        return
    for child in _children(node):
        _check(child, names, depth + 1)


def _children(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [node.operand]
    if isinstance(node, ast.IfExp):
        return [node.test, node.body, node.orelse]
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        if len(node.args) < 2 or node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise LinkError(f"{node.func.id} takes two values or more")
        return node.args
    raise LinkError(
        f"{ast.unparse(node)} is not allowed: numbers, names, + - * // %, comparisons, a if b else c, min and max are"
    )


def _value(node: ast.expr, of: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if (name := _name(node)) is not None:
        return of[name]
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left, of), _value(node.right, of))
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand, of)
    if isinstance(node, ast.IfExp):
        return np.where(_value(node.test, of), _value(node.body, of), _value(node.orelse, of))
    if isinstance(node, ast.Compare):
        return _COMPARE[type(node.ops[0])](_value(node.left, of), _value(node.comparators[0], of))
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    found, *more = (_value(arg, of) for arg in node.args)
    for value in more:
        found = _CALLS[node.func.id](found, value)
    return found
