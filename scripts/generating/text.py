# SPDX-License-Identifier: Apache-2.0
"""How texts are made: templates of SystemVerilog and C, formatters, tables of pages, a part of a file that is written otherwise."""

import re
import subprocess
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from common import ROOT, VENV, StopError

SV_COLUMNS = 132  # columns of SystemVerilog, but for lines of comment


def made(*sources: Path) -> str:
    return f"Made from {' and '.join(str(source.relative_to(ROOT)) for source in sources)} by scripts/generate.py: do not edit."


def formatted(text: str, tool: str, *options: str) -> str:
    done = subprocess.run([VENV / "bin" / tool, *options], input=text, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise StopError(f"{tool}: {done.stderr}")
    return done.stdout


def systemverilog(text: str) -> str:
    text = re.sub(r"\n{3,}", "\n\n", text)
    return formatted(text, "verible-verilog-format", f"--column_limit={SV_COLUMNS}", "-")


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def wrapped(text: str, indent: int, columns: int = 125) -> str:
    """Lines, where the formatters of the languages do not break a line, or would break it at every comma. None breaks at an assignment."""
    lines = textwrap.wrap(
        text.replace(" = ", "\xa0=\xa0"),
        columns,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 4),
        break_long_words=False,
    )
    return "\n".join(lines).replace("\xa0", " ")


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,
)
_ENVIRONMENT.filters |= {"camel": camel, "wrapped": wrapped}


def rendered(template: str, **facts: Any) -> str:
    """Without formatter."""
    return _ENVIRONMENT.get_template(f"{template}.jinja").render(**facts)


def module(name: str, source: Path, **facts: Any) -> str:
    """SystemVerilog by the template of this name."""
    return systemverilog(rendered(f"{name}.sv", made=made(source), **facts))


def c_header(name: str, source: Path, **facts: Any) -> str:
    """A header by the template of this name."""
    text = rendered(f"{name}.h", made=made(source), guard=f"RINGSIDE_{name.upper()}_H", **facts)
    return formatted(text, "clang-format", "--assume-filename=header.h")


def table(*rows: Iterable[str]) -> str:
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |").replace("|  |", "| |") for row in rows]
    return "\n".join([lines[0], "|---" * (lines[0].count("|") - 1) + "|", *lines[1:], ""])


def with_parts(text: str, begin: str, end: str, *bodies: str) -> str:
    """The text with other bodies between each line `begin` and the line `end` that follows."""
    done = ""
    for body in bodies:
        before, found, rest = text.partition(f"{begin}\n")
        _, closed, text = rest.partition(f"{end}\n")
        if not closed:
            raise StopError(f"there are not {len(bodies)} parts between `{begin}` and `{end}`: write these lines")
        done += before + found + body + closed
    return done + text
