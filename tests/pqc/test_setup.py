# SPDX-License-Identifier: Apache-2.0
"""The set-up of test vectors: the folders of the module with the pinned sum, and nothing of any other."""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from asserting import raises
from tree_scripts import script

PINNED = 'module = "example.org/vectors"\nversion = "v1.2.3"\nsum = "h1:good"\nfolders = ["a/data", "b"]\n'


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/setup.py with a tree, a module and a Go of its own."""
    module: ModuleType = script("setup")
    for name in ("a/data/one", "a/two", "b/three"):
        path = tmp_path / "module" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    (tmp_path / "build").mkdir()
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr(module, "BUILD", tmp_path / "build")
    monkeypatch.setattr(module, "VECTORS_BUILD", tmp_path / "build" / "vectors")
    monkeypatch.setattr(module, "VECTORS_SOURCE", tmp_path / "vectors.toml")
    (tmp_path / "vectors.toml").write_text(PINNED, encoding="utf-8")
    return module


def go(place: Path, answer: dict[str, Any], code: int = 0) -> None:
    """A Go that answers so, and says what it was asked."""
    program = place / "bin" / "go"
    program.write_text(
        f"#!/bin/sh\necho \"$@\" >> {place}/asked\ncat <<'END'\n{json.dumps(answer)}\nEND\nexit {code}\n",
        encoding="utf-8",
    )
    program.chmod(0o755)


def files(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())


def test_the_pinned_module_is_taken_once(setup: ModuleType, tmp_path: Path) -> None:
    go(tmp_path, {"Dir": str(tmp_path / "module"), "Sum": "h1:good"})
    setup.ensure_vectors()
    setup.ensure_vectors()
    assert files(tmp_path / "build") == ["vectors/.stamp", "vectors/a/data/one", "vectors/b/three"]
    assert (tmp_path / "asked").read_text(encoding="utf-8") == "mod download -json example.org/vectors@v1.2.3\n"
    (tmp_path / "vectors.toml").write_text(PINNED.replace("a/data", "a"), encoding="utf-8")
    setup.ensure_vectors()
    assert "vectors/a/two" in files(tmp_path / "build")


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        ({"Dir": "/nowhere", "Sum": "h1:bad"}, 0, "has the sum h1:bad, not h1:good"),
        ({"Error": "no such host"}, 1, "cannot be fetched: no such host"),
    ],
)
def test_anything_else_is_refused(
    setup: ModuleType, tmp_path: Path, answer: dict[str, Any], code: int, words: str
) -> None:
    go(tmp_path, answer, code)
    raises(setup.StopError, words, setup.ensure_vectors)
    assert files(tmp_path / "build") == []


def test_without_go_the_remedy_is_named(setup: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(setup, "ensure_apt", lambda packages: None)
    raises(setup.StopError, "install Debian's golang-go", setup.ensure_vectors)
