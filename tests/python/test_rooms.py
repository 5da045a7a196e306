# SPDX-License-Identifier: Apache-2.0
"""The check of the package's order of imports: the package passes, and each kind of violation is found."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rooms", ROOT / "scripts" / "rooms.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_package_is_in_order(rooms: ModuleType) -> None:
    assert rooms.findings() == []


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
