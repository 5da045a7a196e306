# SPDX-License-Identifier: Apache-2.0
"""Reference of the RTL: one page a block, every module and package of it with its header comment, its parameters and its ports."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import rst

FOLDER = "reference/rtl"
PLACES = ("hw", "soc", "sim")
# benches and proofs are tests of blocks, not blocks
LEFT_OUT = {"tb", "formal"}
TEXT_COLUMN = 10  # the column of a comment's text behind a label
START = re.compile(r"^(module|package|interface)\s+(\w+)", re.MULTILINE)
LABEL = re.compile(r"(Model|Params|Bounds|Timing|Streams|Macros):\s*(.*)")


@dataclass(frozen=True)
class Unit:
    """A module or package: what the comment at the file's top says, and its declaration up to the first line behind the ports."""

    kind: str
    name: str
    file: str
    comment: tuple[str, ...]
    declaration: str

    @property
    def sentence(self) -> str:
        """What it is, the comment's first sentence."""
        words = " ".join(line.strip() for line in itertools.takewhile(lambda line: not LABEL.match(line), self.comment))
        text = re.split(r"(?<=\.)\s", words.removeprefix(f"{self.name}: "), maxsplit=1)[0].rstrip(".")
        return text[:1].upper() + text[1:] + "."

    @property
    def block(self) -> str:
        return "/".join(part for part in self.file.split("/")[:-1] if part != "rtl")


def sources(root: Path) -> list[Path]:
    found = [path for place in PLACES for path in (root / place).rglob("*.sv")]
    return sorted(path for path in found if not LEFT_OUT & set(path.relative_to(root).parts))


def units_of(path: Path, root: Path) -> Iterator[Unit]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    top = []
    for line in lines:
        if not line.startswith("//"):
            break
        if "SPDX" not in line:
            top.append(line[2:].removeprefix(" "))
    for match in START.finditer(text):
        kind, name = match.groups()
        rest = text[match.start() :]
        end = rest.index(";") if kind == "package" else _ports_end(rest)
        yield Unit(kind, name, str(path.relative_to(root)), tuple(top), rest[: end + 1])


def _ports_end(text: str) -> int:
    """Where the ; behind the ports stands: comments and brackets may hold others, and so do imports ahead of the ports."""
    depth, begin = 0, 0
    for token in re.finditer(r"//[^\n]*|[()\[\]{};]", text):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
            begin = token.end()
        elif token[0] == ";" and depth == 0:
            if not re.search(r"\bimport\b[^;]*$", text[begin : token.start()]):
                return token.start()
            begin = token.end()
    raise ValueError(f"no end of ports: {text[:60]}")


def units(root: Path) -> list[Unit]:
    return [unit for path in sources(root) for unit in units_of(path, root)]


def _comment(unit: Unit) -> Iterator[str]:
    """`name: what it is.`, then labelled paragraphs. Lines that are set in further than the text of a label are pictures and formulas."""
    for line in unit.comment:
        bare = line.strip()
        if found := LABEL.match(bare):
            yield ""
            yield f"{found[1]}: {found[2]}"
        elif not bare:
            yield ""
        else:
            is_picture = len(line) - len(bare) > TEXT_COLUMN
            yield f"  {line[TEXT_COLUMN:]}" if is_picture else re.sub(rf"^{unit.name}:\s*", "", bare)


def _formatted(unit: Unit, link: rst.Link) -> Iterator[str]:
    for line in rst.prose(_comment(unit), link):
        found = LABEL.match(line)
        yield f"**{found[1]}.** {found[2]}" if found else line[:1].upper() + line[1:]


def pages(root: Path) -> Iterator[tuple[str, str]]:
    blocks: dict[str, list[Unit]] = defaultdict(list)
    for unit in units(root):
        blocks[unit.block].append(unit)
    known = {unit.name for found in blocks.values() for unit in found}

    def link(word: str) -> str | None:
        return f":hw:module:`{word}`" if word in known else None

    for block, found in blocks.items():
        yield f"{FOLDER}/{_file(block)}.rst", rst.page(_page(root, block, found, link))
    text = [
        *rst.heading("RTL modules"),
        (
            "One page for each block: its modules and packages, with the comment at the top of their files, their parameters and their ports. "
            "Benches and proofs are not listed; they stand beside the blocks, in ``tb`` and ``formal``."
        ),
        "",
        *rst.contents((_file(block) for block in blocks), hidden=True),
    ]
    for block, found in blocks.items():
        text += [f":doc:`{block}/ <{_file(block)}>`", ""]
        text += rst.entries((f":hw:module:`{unit.name}`", rst.inline(unit.sentence)) for unit in found)
    yield f"{FOLDER}/index.rst", rst.page(text)


def _file(block: str) -> str:
    return block.replace("/", "-")


def _page(root: Path, block: str, found: list[Unit], link: rst.Link) -> Iterator[str]:
    yield from rst.heading(f"{block}/")
    if (root / block / "README.md").is_file():
        yield f":doc:`What the block is for </{block}/README>`"
        yield ""
    for unit in found:
        yield f".. hw:module:: {unit.name}"
        yield f"   :kind: {unit.kind}"
        yield ""
        yield from rst.inset(_formatted(unit, link))
        yield from rst.inset([f"File: ``{unit.file}``", ""])
        if unit.kind != "package":
            yield from rst.inset([".. code-block:: systemverilog", "", *rst.inset(unit.declaration.splitlines()), ""])
