# SPDX-License-Identifier: Apache-2.0
"""The checks of the order of rooms, in the package and in the C library: both pass, and each kind of violation is found."""

import shutil
import subprocess
from pathlib import Path

import pytest

from asserting import some, written
from tree_scripts import script

rooms = script("checks.rooms")
c_rooms = script("checks.c_rooms")


def test_the_package_is_in_order() -> None:
    assert rooms.findings() == rooms.classes() == rooms.crowds() == []
    assert rooms.findings(rooms.EVALUATOR, rooms.EVALUATOR_ROOMS) == rooms.classes(rooms.EVALUATOR) == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"native/low.py": "from ..objects.high import x", "objects/high.py": ""},
         "low.py:1: native imports objects.high"),
        ({"native/low.py": "import ringside.sim", "sim/__init__.py": ""}, "native imports sim"),
        ({"sim/low.py": "def f():\n    from ..cli import app", "cli/app.py": ""},
         "low.py:2: sim imports cli.app, a room above it"),
        ({"sim/a.py": "if TYPE_CHECKING:\n    from .b import x", "sim/b.py": "from . import a"},
         "modules import each other: sim.a -> sim.b -> sim.a"),
        ({"objects/common/keys.py": "from ..ckks.context import Context", "objects/ckks/context.py": ""},
         "keys.py:1: objects.common imports objects.ckks.context, which is a scheme's"),
        ({"attic/old.py": ""}, "attic is not among the rooms"),
    ],
)  # fmt: skip
def test_violations_are_found(tmp_path: Path, files: dict[str, str], words: str) -> None:
    for name, text in files.items():
        written(tmp_path / "ringside" / name, text)
    (found,) = rooms.findings(tmp_path / "ringside")
    assert words in found


def test_a_class_name_has_one_meaning(tmp_path: Path) -> None:
    texts = {"a.py": "class Job: ...\nclass _Own: ...\nWIDE = 3", "b.py": "Job = int | str\nclass _Own: ...\nWIDE = 4"}
    for name, text in texts.items():
        written(tmp_path / name, text)
    assert rooms.classes(tmp_path) == ["Job is a class of a.py and of b.py"]


def test_crowded_folders_are_found(tmp_path: Path) -> None:
    for number in range(16):
        written(tmp_path / "ringside" / "sim" / f"{number}.py", "")
    assert rooms.crowds(tmp_path / "ringside") == ["ringside/sim: 16 files, more than 15"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('PREFIX = "sim:"', [1]),
        ('if name.startswith(("sim:", "cpu:")):\n    pass', [1]),
        ('name = 1\nif name == "cpu:":\n    pass', [2]),
        ('re.match(r"(sim|soc):(.*)", name)', [1]),
        ('name.removeprefix("uio:")', [1]),
        ('def f(device: str = "cpu:") -> str:\n    """As `sim:`."""\n    return f"sim:{device}" + "sim:rise-4"', []),
    ],
)
def test_names_of_devices_are_taken_apart_once(tmp_path: Path, text: str, lines: list[int]) -> None:
    devices = script("checks.devices")
    places = [
        written(tmp_path / name, text + "\n") for name in ("py/ringside/objects/a.py", devices.PARSER, "tests/a.py")
    ]
    found = devices.findings(tmp_path, places)
    assert [one.partition(": ")[0] for one in found] == [f"py/ringside/objects/a.py:{line}" for line in lines]


def test_the_package_takes_them_apart_once() -> None:
    devices = script("checks.devices")
    tree = Path(some(devices.__file__)).parents[2]
    assert devices.findings(tree, (tree / "py").rglob("*.py")) == []


# ---- the C library --------------------------------------------------------------------------------------------------
def write(lib: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        written(lib / name, text)
    for room in (lib / "src").iterdir():
        (room / "README.md").touch()


def test_the_library_is_in_order() -> None:
    assert c_rooms.findings() == c_rooms.evaluator_findings() == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"arith/a.c": '#include "ckks/b.h"\n', "ckks/b.h": ""},
         "arith/a.c:1: arith includes ckks/b.h of ckks, a room above it"),
        ({"x86/arith/a.c": '\n#include "ckks/b.h"\n', "ckks/b.h": ""}, "x86/arith/a.c:2: x86 includes"),
        ({"base/a.h": "#include <ringside/ckks.h>\n"}, "base/a.h:1: base includes ckks.h of ckks, a room above it"),
        ({"ckks/a.c": '#include "ckks/b.h"\n', "ckks/b.c": '#include "ckks/a.h"\n', "ckks/a.h": "", "ckks/b.h": ""},
         "files include each other: ckks/a -> ckks/b -> ckks/a"),
        ({"ckks/a.c": '#include "b.h"\n', "ckks/b.h": ""}, 'ckks/a.c:1: "b.h" is not the path of a file from lib/src'),
        ({"attic/a.c": ""}, "attic is not among the rooms"),
        ({f"ckks/{k}.c": "" for k in range(15)}, "ckks: 16 files, more than 15"),
    ],
)  # fmt: skip
def test_violations_of_includes_are_found(tmp_path: Path, files: dict[str, str], words: str) -> None:
    write(tmp_path, {f"src/{name}": text for name, text in files.items()})
    (found,) = c_rooms.findings(tmp_path)
    assert words in found


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"ring/a.c": '#include "scheme/b.h"\n', "scheme/b.h": ""}, "ring includes scheme/b.h of scheme, a room above"),
        ({"ring/a.c": '#include "kernels/none.h"\n'}, '"kernels/none.h" is not the path of a file from'),
        ({"ring/a.c": '#include "arith/modarith.h"\n', "host/b.c": ""}, "host is not among the rooms"),
    ],
)
def test_violations_of_the_evaluators_includes_are_found(tmp_path: Path, files: dict[str, str], words: str) -> None:
    write(tmp_path, {f"src/{name}": text for name, text in files.items()})
    (found,) = c_rooms.evaluator_findings(tmp_path)
    assert words in found


def test_a_type_has_one_meaning(tmp_path: Path) -> None:
    """Two headers with one type each of the same name compile as long as nobody includes both."""
    own = "typedef struct own own_t;\n"
    first, second = "typedef struct rs_source {\n    int x;\n} rs_source_t;\n", f"{own}typedef int rs_source_t;\n"
    write(tmp_path, {"src/base/a.h": first, "src/base/b.h": second, "src/base/c.c": own})
    assert c_rooms.findings(tmp_path) == ["src/base/b.h: rs_source_t is a type of src/base/a.h too"]


def test_public_headers_have_rooms(tmp_path: Path) -> None:
    headers = {"base.h": '#include "ckks.h"\n', "ckks.h": '#include "base.h"\n', "other.h": ""}
    write(tmp_path, {"src/base/a.c": "", **{f"include/ringside/{name}": text for name, text in headers.items()}})
    upwards, strange = c_rooms.findings(tmp_path)
    assert "base.h:1: a header of base includes ckks.h of ckks" in upwards
    assert "other.h: this public header belongs to no room" in strange


def compiled(place: Path, files: dict[str, str]) -> Path:
    compiler = some(shutil.which("cc") or shutil.which("gcc"))
    for name, text in files.items():
        target = written(place / f"{name}.c.o", "")
        subprocess.run([compiler, "-x", "c", "-c", "-", "-o", target], input=text, text=True, check=True)
    return place


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"hash/a": "void rs_high(void); void rs_low(void) { rs_high(); }", "ckks/b": "void rs_high(void) {}"},
            "hash/a uses rs_high",
        ),
        (
            {
                "ckks/a": "void rs_b(void); void rs_a(void) { rs_b(); }",
                "ckks/b": "void rs_a(void); void rs_b(void) { rs_a(); }",
            },
            "files call each other: ckks/a -> ckks/b -> ckks/a",
        ),
        ({"ckks/a": "void rs_b(void); void rs_a(void) { rs_b(); }"}, "ckks/a needs rs_b, which nothing defines"),
        ({}, "no objects"),
    ],
)
def test_violations_of_calls_are_found(tmp_path: Path, files: dict[str, str], words: str) -> None:
    (found,) = c_rooms.object_findings(compiled(tmp_path, files), None)
    assert words in found


def test_objects_without_a_source_are_passed_over(tmp_path: Path) -> None:
    written(tmp_path / "objects" / "attic" / "a.c.o", "")
    assert c_rooms.object_findings(tmp_path / "objects", tmp_path) == [f"{tmp_path / 'objects'}: no objects"]


def test_calls_downwards_pass(tmp_path: Path) -> None:
    files = {"hash/a": "void rs_low(void) {}", "ckks/b": "void rs_low(void); void rs_b(void) { rs_low(); }"}
    assert c_rooms.object_findings(compiled(tmp_path, files), None) == []
    upper = tmp_path / "ckks"
    assert c_rooms.object_findings(upper, None, ("b",)) == ["b needs rs_low, which nothing defines"]
    assert c_rooms.object_findings(upper, None, ("b",), tmp_path / "hash") == []
