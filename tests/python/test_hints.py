# SPDX-License-Identifier: Apache-2.0
"""What messages advise works: commands that install, the source tree, the word that was meant."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from ringside import hints
from ringside.sim.verilate import SimulationError
from ringside.soc import build

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_pip_is_given_what_an_extra_lists(extra: str) -> None:
    command = re.search(r"`pip install (.*?)`", hints.install(extra))
    assert command is not None
    named = {str(Requirement(word)) for word in shlex.split(command[1])}
    assert named == {str(Requirement(word)) for word in PROJECT["optional-dependencies"][extra]}


def test_no_message_names_a_package_that_no_index_has() -> None:
    files = [*(ROOT / "py").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    assert [str(file) for file in files if "ringside-he[" in file.read_text(encoding="utf-8")] == []


def test_without_the_tree_a_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who has installed a wheel has no tree that RINGSIDE_TREE could name."""
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    with pytest.raises(SimulationError, match="clone Ringside's repository"):
        build.source_tree()
    (tmp_path / "soc" / "firmware").mkdir(parents=True)
    (tmp_path / "soc" / "firmware" / "firmware.c").touch()
    assert build.source_tree() == tmp_path
