# SPDX-License-Identifier: Apache-2.0
"""A function of the product, in Python or C, has at most 80 lines: it is seen whole."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LINES = 80
PRODUCT = (
    "js/native", "lib/bare", "lib/include", "lib/src", "papers/evaluator/py", "papers/evaluator/src", "py", "scripts",
    "sim", "soc/firmware",
)  # fmt: skip
C = (".c", ".h", ".inc", ".cpp")


def python_functions(text: str) -> Iterator[tuple[int, int, str]]:
    """First line, number of lines and name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.lineno, node.end_lineno - node.lineno + 1, node.name


def c_functions(text: str) -> Iterator[tuple[int, int, str]]:
    """As clang-format writes them: from the line of the name to the next brace at its beginning."""
    for match in re.finditer(r"^\w[^;={}#]*?(\w+)\([^;{}]*\)\s*\{$.*?^\}", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match[0].count("\n") + 1, match[1]


def findings(root: Path, paths: Iterable[Path]) -> list[str]:
    """Functions that are longer, one line each."""
    return [
        f"{path.relative_to(root)}:{line}: {name} has {lines} lines, {LINES} are the most: give parts of it names"
        for path in paths
        if path.suffix in (".py", *C) and any(path.is_relative_to(root / folder) for folder in PRODUCT)
        for line, lines, name in (python_functions if path.suffix == ".py" else c_functions)(
            path.read_text(encoding="utf-8")
        )
        if lines > LINES
    ]
