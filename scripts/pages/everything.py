# SPDX-License-Identifier: Apache-2.0
"""All pages of the site, as Sphinx reads them, and the names that have to have an entry."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from ringside.cli import manual

from . import c_headers, commands, notebooks, python_objects, rtl_modules, tree_pages

REGISTER = re.compile(r"(\w+)(?:\[\d+\])?\s*@\s*0x")


def tracked(root: Path) -> list[Path]:
    """Markdown files that git has or would take."""
    asked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=root,
        capture_output=True,
        check=True,
    )
    return [root / name for name in sorted(set(asked.stdout.decode().split("\0"))) if name and (root / name).is_file()]


def references(root: Path) -> Iterator[tuple[str, str]]:
    """Generated pages: their place, and their text."""
    yield from c_headers.Reference(root).pages()
    yield from rtl_modules.pages(root)
    yield from commands.pages()
    yield from python_objects.pages()


def write(root: Path, place: Path) -> None:
    for name, text in references(root):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    made = {}
    for path in notebooks.sources(root):
        source = path.read_text(encoding="utf-8")
        name = str(path.relative_to(root))
        made[name] = notebooks.page(path.stem, source, notebooks.outputs(path))
        folder = place / notebooks.FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{path.stem}.ipynb").write_text(notebooks.jupyter(source), encoding="utf-8")
    tree_pages.Tree(root, tracked(root), made).write(place)


def names(root: Path) -> dict[str, set[str]]:
    """What must have an entry, found in the sources by other means than those that write the pages: by the beginning of a role."""
    headers = "\n".join(re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in c_headers.headers(root))
    rtl = "\n".join(path.read_text(encoding="utf-8") for path in rtl_modules.sources(root))
    isa = tomllib.loads((root / "hw" / "sequencer" / "isa.toml").read_text(encoding="utf-8"))
    registers = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "hw" / "core").glob("*.rdl")))
    return {
        "c:": set(re.findall(r"RS_(?:API|GOLDEN) [^;]*?\b(rs_\w+)\(", headers)),
        "py:": set(python_objects.places().values()),
        "hw:verb": {command.name for command in manual.commands()},
        "hw:module": {name for _, name in rtl_modules.START.findall(rtl)},
        "hw:register": set(REGISTER.findall(registers)),
        "hw:instruction": set(isa["op"]),
    }
