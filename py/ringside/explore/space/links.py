# SPDX-License-Identifier: Apache-2.0
"""Values that follow others: a small language of numbers, names, + - * // %, comparisons, `a if b else c`, min and max.

It is read by `ast` and walked here, so nothing in a file is ever run by Python.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

DEPTH_MAX = 40
NUMBER_MAX, VALUE_MAX = 1 << 31, 1 << 62  # in the text; of a value

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
}  # fmt: skip
_DIVIDING = (ast.FloorDiv, ast.Mod)
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}  # fmt: skip
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
        """of: numbers or arrays by the names. LinkError: a text among numbers, a division by zero or a number beyond 2^62, in a branch that is taken."""
        return _value(self.tree, of, np.True_)


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


def _value(node: ast.expr, of: Mapping[str, Any], taken: Any) -> Any:
    """taken: the points at which the value counts."""
    if isinstance(node, ast.Constant):
        return np.asarray(node.value)
    if (name := _name(node)) is not None:
        return np.asarray(of[name])
    if isinstance(node, ast.BinOp):
        left, right = (_number(side, of, taken) for side in (node.left, node.right))
        if isinstance(node.op, _DIVIDING):
            if np.any(np.equal(right, 0) & taken):
                raise LinkError(f"{ast.unparse(node)} divides by zero")
            right = np.where(np.equal(right, 0), 1, right)
        exact = _BINARY[type(node.op)](left, right)
        return _held(node, _BINARY[type(node.op)](left.astype(float), right.astype(float)), taken, exact)
    if isinstance(node, ast.UnaryOp):
        return -_number(node.operand, of, taken)
    if isinstance(node, ast.IfExp):
        chosen = np.not_equal(_number(node.test, of, taken), 0)
        return np.where(
            chosen, *_alike(node, _value(node.body, of, taken & chosen), _value(node.orelse, of, taken & ~chosen))
        )
    if isinstance(node, ast.Compare):
        return _COMPARE[type(node.ops[0])](
            *_alike(node, _value(node.left, of, taken), _value(node.comparators[0], of, taken))
        )
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    found, *more = (_number(arg, of, taken) for arg in node.args)
    for value in more:
        found = _CALLS[node.func.id](found, value)
    return found


def _is_text(value: Any) -> bool:
    return bool(np.asarray(value).dtype.kind == "U")


def _number(node: ast.expr, of: Mapping[str, Any], taken: Any) -> Any:
    value = _value(node, of, taken)
    if _is_text(value):
        raise LinkError(f"{ast.unparse(node)} is a text, where a number stands")
    return value.astype(np.int64)


def _alike(node: ast.expr, one: Any, other: Any) -> tuple[Any, Any]:
    if _is_text(one) != _is_text(other):
        raise LinkError(f"{ast.unparse(node)} has a text beside a number")
    return one, other


def _held(node: ast.expr, about: Any, taken: Any, exact: Any) -> Any:
    if np.any((np.abs(about) >= VALUE_MAX) & taken):
        raise LinkError(f"{ast.unparse(node)} leaves the range of numbers, 2^62")
    return exact
