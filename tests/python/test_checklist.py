# SPDX-License-Identifier: Apache-2.0
"""hw/checklist.md: what its commands name is there, and no item says yes without something to look at."""

import re
import shlex
from pathlib import Path

import pytest

from ringside import designs
from ringside.cli.app import command_line
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "hw" / "checklist.md"
STAGES = ["D1", "D2", "D2S", "D3", "V1", "V2", "V2S", "V3"]
STATES = {"yes", "part", "no", "n/a"}


def rows(text: str) -> list[tuple[str, str, str]]:
    """(items, state, what shows it) of all tables."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    assert all(len(row) == 3 for row in cells)
    return [(row[0], row[1], row[2]) for row in cells if row[0] != "item" and set(row[0]) != {"-"}]


def missing(text: str) -> list[str]:
    """Commands and files in backticks that name something that is not there."""
    return [quoted for _, _, shown in rows(text) for quoted in re.findall(r"`([^`]+)`", shown) if not exists(quoted)]


def exists(quoted: str) -> bool:
    tool, *words = shlex.split(quoted)
    if tool == "make":
        return re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE) is not None
    if tool == "pytest":
        return bool(words) and all((ROOT / word).exists() for word in words)
    if tool == "python3":
        return words[0] == "scripts/lint.py" and set(words[1:]) <= set(script("lint").CHECKS)
    if tool == "ringside":
        return words[0] in command_line().commands and words[1] in designs.names()
    return "/" not in tool or (ROOT / tool).exists()


def test_every_command_can_be_run() -> None:
    assert missing(PAGE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "wrong",
    ["make nothing", "pytest hw/core/tb/test_nothing.py", "python3 scripts/lint.py nothing", "ringside nothing rise-4"],
)
def test_a_command_that_cannot_is_found(wrong: str) -> None:
    assert missing(f"| A | yes | `{wrong}` |") == [wrong]


def test_items_have_a_state_and_a_reason() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+):", text, re.MULTILINE) == STAGES
    found = rows(text)
    items = [item for names, _, _ in found for item in names.split(", ")]
    assert len(items) == len(set(items)) > 80
    for names, state, shown in found:
        assert re.fullmatch(r"[A-Z0-9_, ]+", names)
        assert state in STATES
        assert shown
        if state == "yes":
            assert re.search(r"`|\]\(|this page|^as |the same", shown), names
    for name in designs.supported():
        assert f"`{name}`" in text


def test_no_mark_of_unfinished_work_stands_in_the_rtl() -> None:
    mark = re.compile(r"\b(TODO|FIXME|XXX)\b")
    assert not [path for path in (ROOT / "hw").rglob("*.sv") if mark.search(path.read_text(encoding="utf-8"))]
