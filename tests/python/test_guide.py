# SPDX-License-Identifier: Apache-2.0
"""The examples of the guide and of the READMEs run as they stand."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["README.md", "docs/guide.md", "docs/ckks-client.md", "py/README.md"]


def blocks(name: str) -> Iterator[tuple[int, str, str]]:
    """Line number, language and content of every runnable block."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line as printed, in a shell that knows its home and the way to the commands, and where this run keeps models of hardware."""
    clean = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}
    clean |= {name: value for name, value in os.environ.items() if name.startswith("RINGSIDE_")}
    return subprocess.run(["sh", "-c", line], env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True)


@pytest.mark.parametrize("name", PAGES)
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for start, language, content in blocks(name):
        if language == "python":
            exec(compile("\n" * start + content, name, "exec"), names)
            continue
        for line in re.findall(r"^\$ (.*)$", content, re.MULTILINE):
            done = shell(line)
            assert done.returncode == 0, f"{name}:{start}: {line}\n{done.stderr}"
    assert names


@pytest.mark.parametrize("name", PAGES)
def test_every_command_on_a_page_is_run(name: str) -> None:
    """A line that begins with $ is an example, in whatever block it stands."""
    run = [line for _, language, content in blocks(name) if language == "console" for line in content.splitlines()]
    shown = re.findall(r"^\$ .*$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert shown == [line for line in run if line.startswith("$ ")]


def test_the_citation_has_the_version_and_licence_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {project['version']}" in lines
    assert f"license: {project['license']}" in lines
