# SPDX-License-Identifier: Apache-2.0
"""The examples of the guide and of the READMEs run as they stand."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli_runner import CommandLine

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str) -> Iterator[tuple[int, str, str]]:
    """Line number, language and content of every runnable block."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


@pytest.mark.parametrize("name", ["README.md", "docs/guide.md", "docs/ckks-client.md", "py/README.md"])
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ringside: CommandLine, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for line, language, content in blocks(name):
        if language == "python":
            exec(compile("\n" * line + content, name, "exec"), names)
            continue
        for command in re.findall(r"^\$ ringside (.*)$", content, re.MULTILINE):
            done = ringside(*shlex.split(command))
            assert done.code == 0, f"{name}:{line}: ringside {command}\n{done.err}"
    assert names


def test_the_citation_has_the_version_and_licence_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {project['version']}" in lines
    assert f"license: {project['license']}" in lines
