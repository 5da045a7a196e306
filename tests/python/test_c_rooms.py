# SPDX-License-Identifier: Apache-2.0
"""The check of the C library's order of includes and calls: the library passes, and each kind of violation is found."""

import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from tree_scripts import script


@pytest.fixture(scope="module")
def rooms() -> ModuleType:
    return script("checks.c_rooms")


def write(lib: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = lib / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for room in (lib / "src").iterdir():
        (room / "README.md").touch()


def test_the_library_is_in_order(rooms: ModuleType) -> None:
    assert rooms.findings() == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"arith/a.c": '#include "ckks/b.h"\n', "ckks/b.h": ""},
            "arith/a.c:1: arith includes ckks/b.h of ckks, a room above it",
        ),
        ({"x86/arith/a.c": '\n#include "ckks/b.h"\n', "ckks/b.h": ""}, "x86/arith/a.c:2: x86 includes"),
        ({"base/a.h": "#include <ringside/ckks.h>\n"}, "base/a.h:1: base includes ckks.h of ckks, a room above it"),
        (
            {"ckks/a.c": '#include "ckks/b.h"\n', "ckks/b.c": '#include "ckks/a.h"\n', "ckks/a.h": "", "ckks/b.h": ""},
            "files include each other: ckks/a -> ckks/b -> ckks/a",
        ),
        ({"ckks/a.c": '#include "b.h"\n', "ckks/b.h": ""}, 'ckks/a.c:1: "b.h" is not the path of a file from lib/src'),
        ({"attic/a.c": ""}, "attic is not among the rooms"),
        ({f"ckks/{k}.c": "" for k in range(15)}, "ckks: 16 files, more than 15"),
    ],
)
def test_violations_of_includes_are_found(rooms: ModuleType, tmp_path: Path, files: dict[str, str], words: str) -> None:
    write(tmp_path, {f"src/{name}": text for name, text in files.items()})
    found = rooms.findings(tmp_path)
    assert len(found) == 1
    assert words in found[0]


def test_a_type_has_one_meaning(rooms: ModuleType, tmp_path: Path) -> None:
    """Two headers with one type each of the same name compile as long as nobody includes both."""
    first, second = (
        "typedef struct rs_source {\n    int x;\n} rs_source_t;\n",
        "typedef struct own own_t;\ntypedef int rs_source_t;\n",
    )
    write(tmp_path, {"src/base/a.h": first, "src/base/b.h": second, "src/base/c.c": "typedef struct own own_t;\n"})
    assert rooms.findings(tmp_path) == ["src/base/b.h: rs_source_t is a type of src/base/a.h too"]


def test_public_headers_have_rooms(rooms: ModuleType, tmp_path: Path) -> None:
    headers = {"status.h": '#include "ckks.h"\n', "ckks.h": '#include "status.h"\n', "other.h": ""}
    write(tmp_path, {"src/base/a.c": "", **{f"include/ringside/{name}": text for name, text in headers.items()}})
    found = rooms.findings(tmp_path)
    assert len(found) == 2
    assert "other.h: this public header belongs to no room" in found[0]
    assert "status.h:1: a header of base includes ckks.h of ckks" in found[1]


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
def test_violations_of_calls_are_found(rooms: ModuleType, tmp_path: Path, files: dict[str, str], words: str) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None
    for name, text in files.items():
        target = tmp_path / f"{name}.c.o"
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler, "-x", "c", "-c", "-", "-o", target], input=text, text=True, check=True)
    found = rooms.object_findings(tmp_path, None)
    assert len(found) == 1
    assert words in found[0]


def test_objects_without_a_source_are_passed_over(rooms: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "objects" / "attic").mkdir(parents=True)
    (tmp_path / "objects" / "attic" / "a.c.o").write_bytes(b"")
    assert rooms.object_findings(tmp_path / "objects", tmp_path) == [f"{tmp_path / 'objects'}: no objects"]


def test_calls_downwards_pass(rooms: ModuleType, tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None
    for name, text in {
        "hash/a": "void rs_low(void) {}",
        "ckks/b": "void rs_low(void); void rs_b(void) { rs_low(); }",
    }.items():
        target = tmp_path / f"{name}.c.o"
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler, "-x", "c", "-c", "-", "-o", target], input=text, text=True, check=True)
    assert rooms.object_findings(tmp_path, None) == []
