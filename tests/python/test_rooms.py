# SPDX-License-Identifier: Apache-2.0
"""The check of the package's order of imports: the package passes, and each kind of violation is found."""

from pathlib import Path
from types import ModuleType

import pytest

from tree_scripts import script


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    return script("checks.rooms")


def test_the_package_is_in_order(rooms: ModuleType) -> None:
    assert rooms.findings() == rooms.classes() == rooms.crowds() == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"native/low.py": "from ..objects.high import x", "objects/high.py": ""},
            "low.py:1: native imports objects.high",
        ),
        ({"native/low.py": "import ringside.sim", "sim/__init__.py": ""}, "native imports sim"),
        (
            {"sim/low.py": "def f():\n    from ..cli import app", "cli/app.py": ""},
            "low.py:2: sim imports cli.app, a room above it",
        ),
        (
            {"sim/a.py": "if TYPE_CHECKING:\n    from .b import x", "sim/b.py": "from . import a"},
            "modules import each other: sim.a -> sim.b -> sim.a",
        ),
        ({"attic/old.py": ""}, "attic is not among the rooms"),
    ],
)
def test_violations_are_found(rooms: ModuleType, tmp_path: Path, files: dict[str, str], words: str) -> None:
    for name, text in files.items():
        path = tmp_path / "ringside" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = rooms.findings(tmp_path / "ringside")
    assert len(found) == 1
    assert words in found[0]


def test_a_class_name_has_one_meaning(rooms: ModuleType, tmp_path: Path) -> None:
    texts = {"a.py": "class Job: ...\nclass _Own: ...\nWIDE = 3", "b.py": "Job = int | str\nclass _Own: ...\nWIDE = 4"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert rooms.classes(tmp_path) == ["Job is a class of a.py and of b.py"]


def test_crowded_folders_are_found(rooms: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "ringside" / "sim").mkdir(parents=True)
    for number in range(16):
        (tmp_path / "ringside" / "sim" / f"{number}.py").touch()
    assert rooms.crowds(tmp_path / "ringside") == ["ringside/sim: 16 files, more than 15"]
