# SPDX-License-Identifier: Apache-2.0
"""The tour at the end of docs/architecture.md: every name is where the page says, and each one calls, or has an instance of, the next."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
ROOMS_MAX = 8


def stops(page: str) -> Iterator[tuple[Path, str]]:
    """File and name of each stop."""
    for line in page.partition("## Tour\n")[2].splitlines():
        if re.match(r"\| \d", line):
            _, _, room, names, _, _ = line.split("|")
            (folder,) = re.findall(r"\]\(\.\./(.*?)\)", room)
            file = Path()
            for word in re.findall(r"`(.*?)`", names):
                if Path(word).suffix in (".py", ".c", ".h", ".cpp", ".sv"):
                    file = ROOT / folder / word
                else:
                    yield file, word


def body(file: Path, name: str) -> str:
    """Text of a function, a method or a module; of a module with a port, of the module."""
    text = file.read_text(encoding="utf-8")
    owner, _, own = name.rpartition(".")
    if file.suffix == ".py":
        found = [
            ast.get_source_segment(text, member) or ""
            for part in ast.parse(text).body
            if isinstance(part, ast.ClassDef) and part.name == owner
            for member in part.body
            if isinstance(member, ast.FunctionDef) and member.name == own
        ]
    elif file.suffix == ".sv":
        found = re.findall(rf"^module {owner or own}\b.*?^endmodule", text, re.MULTILINE | re.DOTALL)
        found = [one for one in found if re.search(rf"\b{own}\b", one)]
    else:
        found = re.findall(rf"^[\w *]*\b{own}\([^;{{]*\{{\n.*?^\}}", text, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"{file.relative_to(ROOT)} has {len(found)} definitions of {name}"
    return found[0]


def reaches(text: str, name: str) -> bool:
    """Whether a body calls or names it; a function that C reaches by a pointer has the pointer's name last: rs_core_write, bus.write."""
    own = name.rpartition(".")[2]
    return bool(re.search(rf"\b{own}\b|\.{own.rpartition('_')[2]}\(", text))


def broken(page: str) -> list[str]:
    return [
        f"{one} does not reach {other}"
        for (file, one), (_, other) in pairwise(stops(page))
        if not reaches(body(file, one), other)
    ]


def test_each_stop_leads_to_the_next() -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = [*stops(page)]
    assert found[0][1] == "Context.encrypt"
    assert found[-1][1] == "rs_lane"
    assert "rs_modmul" in body(*found[-1])  # the gates
    assert len(set(re.findall(r"^\| \d \| \[(.*?)\]", page, re.MULTILINE))) == ROOMS_MAX
    assert broken(page) == []
    assert broken(page.replace(" → `Accelerator._encrypt`", "")) == [
        "Accelerator.compute does not reach Accelerator._call"
    ]
    assert broken(page.replace("`rs_compute.sv`: `rs_compute`", "")) == ["rs_core_compute does not reach rs_lane"]
