# SPDX-License-Identifier: Apache-2.0
"""Notebooks: text files in percent format, run top to bottom, as pages with their output, and as .ipynb files for Jupyter.

notebooks.py FILE.py OUT.json     runs one, and writes what each cell gave
"""

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = "docs/notebooks"
CELL = re.compile(r"^# %%( \[markdown\])?[^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    is_text: bool
    text: str


def cells(source: str) -> list[Cell]:
    """What stands before the first mark, such as the licence line, is in no cell."""
    parts = CELL.split(source)[1:]
    found = []
    for mark, body in zip(parts[::2], parts[1::2], strict=True):
        is_text = bool(mark)
        text = re.sub(r"^# ?", "", body, flags=re.MULTILINE) if is_text else body
        found.append(Cell(is_text, text.strip("\n")))
    return found


# ---- in a process of its own ----------------------------------------------------------------------------------------
def _shown(value: object) -> dict[str, str]:
    """A cell's last value, as a notebook shows it."""
    if value is None:
        return {}
    if hasattr(value, "savefig"):
        picture = io.StringIO()
        value.savefig(picture, format="svg", metadata={"Date": None})
        return {"svg": picture.getvalue()}
    if hasattr(value, "_repr_html_"):
        return {"html": value._repr_html_()}
    return {"text": repr(value)}


def _run_cell(text: str, names: dict[str, Any], file: str) -> dict[str, str]:
    body = ast.parse(text).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), file, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), names)
    return ({"printed": printed.getvalue()} if printed.getvalue() else {}) | _shown(value)


def _run(path: Path) -> list[dict[str, str]]:
    names: dict[str, Any] = {"__name__": "__main__"}
    found = cells(path.read_text(encoding="utf-8"))
    return [{} if cell.is_text else _run_cell(cell.text, names, path.name) for cell in found]


# ---- pages ----------------------------------------------------------------------------------------------------------
def outputs(path: Path) -> list[dict[str, str]]:
    """Runs a notebook in a fresh process and folder, with the same randomness each time."""
    with tempfile.TemporaryDirectory() as folder:
        out, random = Path(folder) / "out.json", Path(folder) / "same_random.so"
        source = Path(__file__).parent / "preload" / "same_random.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", random, source], check=True)
        env = os.environ | {"MPLBACKEND": "agg", "LD_PRELOAD": str(random)}
        done = subprocess.run(
            [sys.executable, __file__, path, out], cwd=folder, env=env, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{path.name} fails:\n{done.stderr}")
        found: list[dict[str, str]] = json.loads(out.read_text(encoding="utf-8"))
        return found


def _framed(kind: str, content: str) -> Iterator[str]:
    # a line without text ends a block of HTML
    flat = re.sub(r"\n\s*\n", "\n", content)
    yield from (f'<div class="output {kind}">', flat, "</div>", "")


def _picture(content: str, about: str) -> str:
    """matplotlib's SVG within a page: no head of XML, and a text for those who do not see it."""
    svg = content[content.index("<svg") :]
    return svg.replace("<svg", f'<svg role="img" aria-label="{about}"', 1)


def page(name: str, source: str, found: list[dict[str, str]]) -> str:
    """Markdown with the output of each cell."""
    parts: list[str] = []
    title = "figure"
    for cell, output in zip(cells(source), found, strict=True):
        if cell.is_text:
            parts += [cell.text, ""]
            title = next(iter(re.findall(r"^#+ (.*)", cell.text, re.MULTILINE)), title)
            continue
        parts += ["```python", cell.text, "```", ""]
        if "printed" in output:
            parts += ["```text", output["printed"].rstrip("\n"), "```", ""]
        if "text" in output:
            parts += ["```text", output["text"], "```", ""]
        if "html" in output:
            parts += _framed("html", output["html"])
        if "svg" in output:
            parts += _framed("svg", _picture(output["svg"], f"Plot: {title}"))
    parts += [
        f"This page is made from `{FOLDER}/{name}.py`: {{download}}`{name}.ipynb <{name}.ipynb>` opens in Jupyter.",
        "",
    ]
    return "\n".join(parts)


def jupyter(source: str) -> str:
    """The notebook without output, in Jupyter's format."""
    made = []
    for number, cell in enumerate(cells(source)):
        lines = cell.text.splitlines(keepends=True)
        one: dict[str, Any] = {
            "cell_type": "markdown" if cell.is_text else "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": lines,
        }
        if not cell.is_text:
            one |= {"execution_count": None, "outputs": []}
        made.append(one)
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def sources(root: Path) -> list[Path]:
    return sorted((root / FOLDER).glob("*.py"))


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(_run(Path(sys.argv[1]))), encoding="utf-8")
