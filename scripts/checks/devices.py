# SPDX-License-Identifier: Apache-2.0
"""Names of devices, such as `sim:rise-4`, are taken apart in one place."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

PARSER = "py/ringside/devices/names.py"
PRODUCT = ("py/ringside", "evaluator", "papers")
KINDS = "cpu|sim|soc|uio"
PREFIX = re.compile("(sim|soc|uio):")
NAME = re.compile(rf"({KINDS}):.*", re.DOTALL)
PATTERN = re.compile(rf"\b({KINDS})\b\W*:")
TAKES_APART = re.compile("startswith|removeprefix|r?partition|r?split|r?find|r?index|(full)?match|search|sub|compile")


def _constants(node: ast.AST) -> Iterator[str]:
    """Texts in it. Those of an f-string make a name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, ast.JoinedStr):
        for child in ast.iter_child_nodes(node):
            yield from _constants(child)


def _lines(text: str) -> Iterator[int]:
    tree = ast.parse(text)
    made = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in made:
            if PREFIX.fullmatch(node.value):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = [text for part in node.args for text in _constants(part)]
            if TAKES_APART.fullmatch(node.func.attr) and any(map(PATTERN.search, given)):
                yield node.lineno
        elif isinstance(node, ast.Compare) and any(map(NAME.fullmatch, _constants(node))):
            yield node.lineno


def findings(root: Path, paths: Iterable[Path]) -> list[str]:
    """Places of the product's Python that look at a device's name themselves, one line each."""
    return [
        f"{path.relative_to(root)}:{line}: it looks at a device's name: {PARSER} has parse()"
        for path in paths
        if path.suffix == ".py" and path != root / PARSER
        if any(path.is_relative_to(root / folder) for folder in PRODUCT)
        for line in sorted(set(_lines(path.read_text(encoding="utf-8"))))
    ]
