# SPDX-License-Identifier: Apache-2.0
"""Examples of Markdown pages, run top to bottom as they stand."""

import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = ("python", "console", "toml", "mlir", "go")
NUMBER, APART = r"\d+(?:\.\d+)?", 0.05
# a block that begins with a file's name is that file
FILE = re.compile(r"(?:#|//) ([\w./-]+\.(?:py|toml|mlir|go))\n")


def fenced(text: str, language: str) -> list[str]:
    """What the blocks of this language hold."""
    return [match[2] for match in BLOCK.finditer(text) if match[1] == language]


def blocks(name: str) -> Iterator[tuple[int, str, str]]:
    """Line number, language and content of every block that is run or is a file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for match in (found for found in BLOCK.finditer(text) if found[1] in RUN):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line as printed, in a shell that knows its home and the way to the commands, and where this run keeps models of hardware."""
    clean = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}
    clean |= {name: value for name, value in os.environ.items() if name.startswith("RINGSIDE_")}
    return subprocess.run(["sh", "-c", line], env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def alike(printed: str, told: str) -> bool:
    """The same text; its numbers may be a little apart, as sizes and bits of precision are from run to run."""
    if re.split(NUMBER, printed) != re.split(NUMBER, told):
        return False
    pairs = zip(re.findall(NUMBER, printed), re.findall(NUMBER, told), strict=True)
    return all(math.isclose(float(one), float(other), rel_tol=APART) for one, other in pairs)


def run(name: str) -> dict[str, Any]:
    """Runs a page's blocks in the working directory. Returns the names that its Python has made. What a page shows below a command is what it prints."""
    names: dict[str, Any] = {}
    for start, language, content in blocks(name):
        if found := FILE.match(content):
            Path(found[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(found[1]).write_text(content, encoding="utf-8")
        elif language == "python":
            exec(compile("\n" * start + content, name, "exec"), names)
        else:
            for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", content, re.MULTILINE):
                done = shell(line)
                assert done.returncode == 0, f"{name}:{start}: {line}\n{done.stdout[-2000:]}\n{done.stderr}"
                assert not printed or alike(printed, done.stdout), f"{name}:{start}: {line}\n{done.stdout[-2000:]}"
    return names
