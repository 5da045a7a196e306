# SPDX-License-Identifier: Apache-2.0
"""The checks of comments, which begin with their subjects, and of functions, which have at most 80 lines."""

from pathlib import Path

import pytest

from asserting import written
from tree_scripts import script

comments = script("checks.comments")


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.c", "int x; // of a word\n", [1]),
        ("a.h", "/** Of a word. */\nint x;\n", [1]),
        ("a.sv", "logic a;  // a bit\nlogic b;  // of a word\nassign c = 4'd1 + 1'b0;  // of both\n", [2, 3]),
        ("a.py", "X = 1  # of a word\n", [1]),
        ("a.js", "const x = 'y' // of a word\n", [1]),
        ("a.toml", 'x = "y"\n# of a word\n', [2]),
        ("a.c", "// the bits\n\n// of a word\nint x;\n", [3]),
        ("a.c", "// the bits\n//\n// of a word\nint x;\n", [3]),
        ("a.c", "// the bits\n// of a word\nint x; /* offset */\n", []),
        ("a.sv", "logic a;  // the bits\n          // of a word\n", []),
        ("a.c", 'const char *x = "// of a word", y = \'"\'; // bits of a word\n', []),
        ("a.py", 'X = "# of a word"\nY = """\n# of a word\n"""\n', []),
        ("a.js", "const x = `// of a word`, y = 'http://of'\n", []),
        ("a.md", "# Of words\n", []),
    ],
)
def test_comments_that_begin_with_of_are_found(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    found = comments.findings(tmp_path, [written(tmp_path / name, text)])
    assert [finding.split(":")[:2] for finding in found] == [[name, str(line)] for line in lines]


def test_folders_that_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    paths = [tmp_path / "old" / "a.py", tmp_path / "older.py"]
    for path in paths:
        path.write_text("# of a word\n")
    found = comments.findings(tmp_path, paths, ["old"])
    assert len(found) == 1
    assert found[0].startswith("older.py:1: ")
    assert len(comments.findings(tmp_path, paths, [])) == 2


@pytest.mark.parametrize(
    ("name", "head", "line", "end"),
    [
        ("py/a.py", "def long(x: int) -> None:\n", "    print(x)\n", ""),
        ("lib/src/a.c", "static int long_one(int x,\n                    int y)\n{\n", "    x += 1;\n", "}\n"),
        ("sim/a.cpp", "void Some::long_one(int x) {\n", "  if (x) {\n  }\n", "}\n"),
    ],
)
def test_functions_that_are_too_long_are_found(tmp_path: Path, name: str, head: str, line: str, end: str) -> None:
    functions = script("checks.functions")
    fits = (functions.LINES - head.count("\n") - end.count("\n")) // line.count("\n")
    for count, found in ((fits, 0), (fits + 1, 1)):
        path = written(tmp_path / name, "\n" + head + line * count + end + "\n")
        assert len(functions.findings(tmp_path, [path])) == found
    assert f"{name}:2: " in functions.findings(tmp_path, [path])[0]
    elsewhere = written(tmp_path / "tests" / path.name, path.read_text())
    assert not functions.findings(tmp_path, [elsewhere])
