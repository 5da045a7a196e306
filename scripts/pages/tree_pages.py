# SPDX-License-Identifier: Apache-2.0
"""Markdown pages of the tree as pages of the site: at the same place, with links to sources that lead into the references.

docs/index.md is the front page. Its sections, and the order of links in each, are the site's contents; what it does not name stands under
`The tree`.
"""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from checks.links import FENCED

from . import c_headers, gallery, rst, rtl_modules

INDEX = "docs/index.md"
GLOSSARY = "docs/glossary.md"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
SECTION = re.compile(r"^## +(.*?) *$", re.MULTILINE)
# tables whose second cell names what has an entry
MARKED = {
    "docs/registers.md": ("register", re.compile(r"^(\| 0x[0-9a-f]{3} \| )(\w+)((?:\[\d+\])?)( \|)", re.MULTILINE)),
    "docs/instructions.md": ("instruction", re.compile(r"^(\| \d+ \| )([A-Z]\w*)()( \|)", re.MULTILINE)),
}
LANGUAGES = {
    ".c": "c", ".h": "c", ".py": "python", ".toml": "toml", ".yml": "yaml", ".sv": "systemverilog", ".rdl": "text",
}  # fmt: skip


def markdown(files: Sequence[Path], root: Path) -> dict[str, str]:
    """Pages by their place in the tree. Pages below .github are the forms of a host."""
    names = {str(path.relative_to(root)): path for path in files if path.suffix == ".md"}
    return {name: path.read_text(encoding="utf-8") for name, path in names.items() if not name.startswith(".")}


def sections(index: str) -> dict[str, list[str]]:
    """Headings of the front page, and the pages that each leads to."""
    found: dict[str, list[str]] = {}
    parts = SECTION.split(index)
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        targets = [target.partition("#")[0] for image, _, target in LINK.findall(body) if not image]
        inside = [target for target in targets if target and not re.match(r"[a-z]+:", target)]
        found[title] = list(dict.fromkeys(inside))
    return found


class Tree:
    """All pages, with what their links lead to."""

    def __init__(self, root: Path, files: Sequence[Path], made: Mapping[str, str]) -> None:
        """made: text of pages that are made from files: by the files' place in the tree. A page stands beside its file."""
        self.root = root
        beside = {name: str(Path(name).with_suffix(".md")) for name in made}
        self.pages = markdown(files, root) | {beside[name]: text for name, text in made.items()}
        self.targets = {
            str(path.relative_to(root)): f"{c_headers.FOLDER}/{c_headers.page_of(root, path)}.rst"
            for path in c_headers.headers(root)
        }
        for unit in rtl_modules.units(root):
            self.targets[unit.file] = f"{rtl_modules.FOLDER}/{unit.block.replace('/', '-')}.rst"
        self.targets |= beside
        self.sources: set[str] = set()  # files that a page leads to, and that have no other page
        self.pictures: set[str] = set()

    def write(self, place: Path) -> None:
        for name, text in self.pages.items():
            done = self.page(name, text)
            if name == INDEX:
                done += self._contents(text)
            target = place / ("index.md" if name == INDEX else name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(done, encoding="utf-8")
        for name in self.pictures:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / name, place / name)
        for name in sorted(self.sources):
            page = place / f"source/{name}.rst"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(rst.page(self._source(name)), encoding="utf-8")
            if (self.root / name).is_file():
                shutil.copyfile(self.root / name, place / "source" / name)
        tree = [
            *rst.heading("The tree"),
            "Pages that stand beside what they describe, and the sources that other pages lead to.",
            "",
        ]
        listed = [target for targets in sections(self.pages[INDEX]).values() for target in targets]
        places = [self._place(INDEX, target) for target in listed]
        named = {self.targets.get(place, place) for place in places}
        others = sorted(name for name in self.pages if name not in named and name != INDEX and "decisions/" not in name)
        tree += rst.contents([f"/{name.removesuffix('.md')}" for name in others])
        tree += [".. toctree::", "   :hidden:", "", *(f"   /source/{name}" for name in sorted(self.sources)), ""]
        (place / "tree.rst").write_text(rst.page(tree), encoding="utf-8")

    def page(self, name: str, text: str) -> str:
        if name in MARKED:
            kind, cell = MARKED[name]
            # the page's first table; others have numbers in front, too
            head, mark, rest = text.partition("\n## Fields ")
            text = cell.sub(rf"\g<1>{{hw-{kind}}}`\g<2>`\g<3>\g<4>", head) + mark + rest
        if name == GLOSSARY:  # its words come first in the search
            words = dict.fromkeys(re.findall(r"^\| \*\*([^*]+)\*\*", text, re.MULTILINE))
            entries = "\n".join(f"   ! single: {word}" for word in words)
            index = f"```{{eval-rst}}\n.. index::\n{entries}\n```\n\n"
            text = re.sub(r"^(?=\| word )", index, text, count=1, flags=re.MULTILINE)
        if name == gallery.PAGE:
            text += gallery.section()
        if name == "docs/decisions/README.md":
            topics = [
                path.stem for path in sorted((self.root / "docs" / "decisions").glob("*.md")) if path.stem != "README"
            ]
            text += "\n```{toctree}\n:hidden:\n\n" + "\n".join(topics) + "\n```\n"
        parts = re.split(f"({FENCED.pattern})", text, flags=FENCED.flags)
        return "".join(part if part.startswith("```") else self._links(name, part) for part in parts)

    def _links(self, name: str, text: str) -> str:
        def lead(match: re.Match[str]) -> str:
            image, words, target = match.groups()
            file, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target) or not file:
                return match[0]
            place = self._place(name, file)
            if image:
                self.pictures.add(place)
                return f"![{words}](/{place})"
            words = LINK.sub(lambda inner: self._linked(name, inner), words) if "](" in words else words
            return f"{image}[{words}]({self._lead(name, place, anchor)})"

        return LINK.sub(lead, text)

    def _linked(self, name: str, inner: re.Match[str]) -> str:
        """A picture within a link."""
        place = self._place(name, inner[3])
        self.pictures.add(place)
        return f"![{inner[2]}](/{place})"

    def _place(self, name: str, target: str) -> str:
        return str(((self.root / name).parent / target).resolve().relative_to(self.root))

    def _lead(self, name: str, place: str, anchor: str) -> str:
        behind = f"#{anchor}" if anchor else ""
        if place in self.pages:
            found = place
        elif f"{place}/README.md" in self.pages:
            found = f"{place}/README.md"
        elif place in self.targets:
            found = self.targets[place]
        elif Path(place).suffix in {".svg", ".png"}:
            self.pictures.add(place)
            found = place
        else:
            self.sources.add(place)
            found = f"source/{place}.rst"
        # from the root of the site
        return f"/{'index.md' if found == INDEX else found}{behind}"

    def _source(self, name: str) -> Iterator[str]:
        yield from rst.heading(name)
        if (self.root / name).is_dir():
            yield from (f"* ``{path.name}``" for path in sorted((self.root / name).iterdir()))
            return
        yield f".. literalinclude:: {Path(name).name}"
        yield f"   :language: {LANGUAGES.get(Path(name).suffix, 'text')}"

    def _contents(self, text: str) -> str:
        blocks = []
        for title, targets in sections(text).items():
            places = [self._lead(INDEX, self._place(INDEX, target), "") for target in targets]
            if title == "Reference":
                places += [f"/{folder}/index" for folder in REFERENCES]
            listed = "\n".join(re.sub(r"\.(md|rst)$", "", place) for place in places)
            blocks.append(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n")
        blocks.append("\n```{toctree}\n:hidden:\n:caption: Project\n\n/README\n/tree\n```\n")
        return "".join(blocks)


REFERENCES = ("reference/commands", "reference/python", c_headers.FOLDER, rtl_modules.FOLDER)
