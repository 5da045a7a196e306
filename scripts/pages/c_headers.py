# SPDX-License-Identifier: Apache-2.0
"""Reference of the C library: one page a public header, its declarations with the comments above them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from . import rst

FOLDER = "reference/c"
INCLUDE = "lib/include/ringside"
DECORATION = re.compile(r"\b(RS_API|RS_GOLDEN|RS_MUST_CHECK_TYPE|RS_MUST_CHECK)\b ?")
# what the compiler reads and no user writes
OWN_MACROS = re.compile(r"RS_(API|GOLDEN|MUST_CHECK|MUST_CHECK_TYPE|CDEF)|RINGSIDE_\w+_H")
DEFINE = re.compile(r"#\s*define\s+(\w+)(\([^)]*\))?\s*(.*)")
SECTION = re.compile(r"-{3,}\s*(.*?)\s*-{3,}$")
MEMBER_END = re.compile(r";\s*(?://\s*(.*))?$")


@dataclass
class Entry:
    """One declaration. parts: members or enumerators, each with its comment."""

    kind: str  # function, macro, type (of a struct with members), enum, enumerator
    name: str
    text: str
    parts: list[tuple[str, list[str]]] = field(default_factory=list)


@dataclass
class Group:
    """Declarations without an empty line between them that share the comment above."""

    comment: list[str]
    entries: list[Entry] = field(default_factory=list)
    heading: str = ""


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Comments, empty lines, preprocessor lines and whole declarations, in order."""
    lines = iter(text.splitlines())
    for line in lines:
        bare = line.strip()
        if not bare:
            yield "gap", ""
        elif bare.startswith("//"):
            yield "comment", bare[2:].removeprefix(" ")
        elif bare.startswith("#"):
            whole = bare
            while whole.endswith("\\"):
                whole = whole[:-1].rstrip() + " " + next(lines).strip()
            yield "directive", whole
        elif bare.startswith('extern "C"') or bare == "}":
            continue
        else:
            yield "declaration", _whole(line, lines)


def _whole(first: str, lines: Iterator[str]) -> str:
    """A declaration to its end: the ; outside of braces, or the } of a body."""
    found = [first]
    while True:
        code = re.sub(r"//.*", "", "\n".join(found))
        closed = code.count("{") == code.count("}") and code.count("(") == code.count(")")
        if closed and (code.rstrip().endswith(";") or (code.rstrip().endswith("}") and "static inline" in code)):
            return "\n".join(found)
        found.append(next(lines))


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", DECORATION.sub("", text)).strip()


def _members(body: str) -> Iterator[tuple[str, list[str]]]:
    comment: list[str] = []
    for line in body.splitlines():
        bare = line.strip()
        if bare.startswith("//"):
            comment.append(bare[2:].strip())
        elif bare and (found := MEMBER_END.search(bare)):
            above = [*comment, *([found[1]] if found[1] else [])]
            yield from ((text, above) for text in _declarators(bare[: found.start()]))
            comment = []


def _declarators(text: str) -> list[str]:
    """`uint32_t a, *b` as two."""
    if "(" in text or "," not in text:
        return [text]
    first, *others = [part.strip() for part in text.split(",")]
    kind = first[: re.search(r"[*\w\[\]]+$", first).start()]  # type: ignore[union-attr]
    return [first, *(kind + other for other in others)]


def _enumerators(body: str) -> Iterator[tuple[str, list[str]]]:
    comment: list[str] = []
    # what a formatter has moved behind a = belongs to it
    for line in re.sub(r"(=)\s*\n\s*|\s*\n\s*(?=<<|[|+])", r"\1 ", body).splitlines():
        code, _, beside = line.partition("//")
        names = [" ".join(part.split()) for part in code.split(",") if part.strip()]
        if not names and beside:
            comment.append(beside.strip())
        for name in names:
            yield name, [*comment, *([beside.strip()] if beside else [])]
            comment = []


def _declared(text: str) -> list[Entry]:
    code = re.sub(r"//[^\n]*", "", text)
    found = re.match(r"typedef (struct|enum|union)\b[^{;]*?(\w+) \{(.*)\} (\w+);", DECORATION.sub("", text), re.DOTALL)
    if found:
        kind, tag, body, name = found.groups()
        if kind == "enum":
            return [Entry("type", name, f"enum {tag} {name}"), Entry("enum", tag, tag, list(_enumerators(body)))]
        # members stand below the type: a struct and a function may have one name
        return [Entry("type", name, name, list(_members(body)))]
    if found := re.match(r"enum \{(.*)\};", text, re.DOTALL):
        return [Entry("enumerator", name.split()[0], name, [(name, about)]) for name, about in _enumerators(found[1])]
    if "static inline" in code:
        code = re.sub(r"\{.*", "", code, flags=re.DOTALL)
    flat = _squeezed(code).rstrip(";").strip()
    if flat.startswith("typedef "):
        flat = re.sub(r"^struct \w+ (?=\w+$)", "", flat.removeprefix("typedef "))
        named = re.search(r"\(\*(\w+)\)", flat) or re.search(r"(\w+)(\[[^]]*\])?$", flat)
        return [Entry("type", named[1] if named else flat, flat)]
    called = re.search(r"(\w+)\(", flat)
    if called:
        return [Entry("function", called[1], flat)]
    raise ValueError(f"what is declared here? {flat}")


def read(text: str) -> tuple[list[str], list[Group]]:
    """A header's own comment, and its groups."""
    groups: list[Group] = []
    comment: list[str] = []
    opening: list[str] | None = None
    is_open = False  # the last group takes the next declaration

    def add(entries: Sequence[Entry]) -> None:
        nonlocal comment, is_open
        if comment or not is_open:
            groups.append(Group(comment))
        groups[-1].entries += entries
        comment, is_open = [], True

    def let_go() -> None:
        nonlocal comment, is_open
        if comment:
            groups.append(Group(comment))
        comment, is_open = [], False

    for kind, content in _pieces(text):
        if kind == "comment":
            if section := SECTION.match(content):
                let_go()
                groups.append(Group([], heading=section[1]))
            elif not content.startswith("SPDX"):
                comment.append(content)
        elif kind == "declaration":
            add(_declared(content))
        elif kind == "directive":
            if opening is None and content.startswith("#ifndef"):
                opening, comment = comment, []
            elif (define := DEFINE.match(content)) and not OWN_MACROS.fullmatch(define[1]):
                name, arguments, rest = define[1], define[2] or "", define[3]
                _, _, beside = rest.partition("//")
                known = any(entry.name == name for group in groups for entry in group.entries)
                if not known:
                    add([Entry("macro", name, name + arguments, [(rest.partition("//")[0].strip(), [beside.strip()])])])
        elif kind == "gap":
            let_go()
    return opening or [], [group for group in groups if group.comment or group.entries or group.heading]


def headers(root: Path) -> list[Path]:
    return sorted((root / INCLUDE).rglob("*.h"))


def page_of(root: Path, header: Path) -> str:
    """golden-ckks for golden/ckks.h"""
    return "-".join(header.relative_to(root / INCLUDE).with_suffix("").parts)


def entries(root: Path) -> dict[str, Entry]:
    """Every entry of the reference by its name."""
    found: dict[str, Entry] = {}
    for path in headers(root):
        for group in read(path.read_text(encoding="utf-8"))[1]:
            for entry in group.entries:
                found[entry.name] = entry
                found |= {
                    text.split(" ")[0]: Entry("enumerator", text, text)
                    for text, _ in entry.parts
                    if entry.kind == "enum"
                }
    return found


ROLES = {"function": "c:func", "macro": "c:macro", "type": "c:type", "enum": "c:enum", "enumerator": "c:enumerator"}


class Reference:
    """The pages. Words of a comment that are names of the library lead to their entries."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.roles = {name: ROLES[entry.kind] for name, entry in entries(root).items() if entry.kind in ROLES}

    def link(self, word: str) -> str | None:
        bare = word.removesuffix("()")
        return f":{self.roles[bare]}:`{bare}`" if bare in self.roles else None

    def pages(self) -> Iterator[tuple[str, str]]:
        names = []
        for path in headers(self.root):
            names.append(page_of(self.root, path))
            yield f"{FOLDER}/{names[-1]}.rst", rst.page(self._page(path))
        text = [
            *rst.heading("C library"),
            "One page for each public header. Types and functions are as the header declares them, and the text is that of its comments.",
            (
                "The caller owns all memory. A function that returns a status computes nothing that may be used unless the status is "
                ":c:enumerator:`RS_OK`; the compiler warns where such a result is dropped."
            ),
            "",
            *rst.contents(names),
        ]
        yield f"{FOLDER}/index.rst", rst.page(text)

    def _page(self, path: Path) -> Iterator[str]:
        opening, groups = read(path.read_text(encoding="utf-8"))
        name = path.relative_to(self.root / INCLUDE).as_posix()
        yield from rst.heading(name)
        yield f"``#include <ringside/{name}>``"
        yield ""
        yield from rst.prose(opening, self.link)
        for group in groups:
            if group.heading:
                yield from rst.heading(group.heading[0].upper() + group.heading[1:], "-")
            elif not group.entries:
                yield from rst.prose(group.comment, self.link)
            else:
                yield from self._group(group)

    def _group(self, group: Group) -> Iterator[str]:
        """Functions one after the other are one entry with several signatures; a type has its own."""
        comment = group.comment
        run: list[Entry] = []
        for entry in [*group.entries, None]:
            if entry is not None and entry.kind == "function":
                run.append(entry)
                continue
            if run:
                yield from self._functions(run, comment)
                run, comment = [], []
            if entry is not None:
                yield from self._other(entry, comment)
                comment = [] if entry.kind != "type" or not entry.text.startswith("enum ") else comment

    def _functions(self, run: Sequence[Entry], comment: Iterable[str]) -> Iterator[str]:
        first, *others = run
        yield f".. c:function:: {first.text}"
        yield from (f"                {other.text}" for other in others)
        yield ""
        yield from rst.inset(rst.prose(comment, self.link))

    def _other(self, entry: Entry, comment: Sequence[str]) -> Iterator[str]:
        if entry.kind == "macro":
            ((value, beside),) = entry.parts
            yield f".. c:macro:: {entry.text}"
            yield ""
            yield from rst.inset(rst.prose([*comment, *beside], self.link))
            if value and len(value) < 100:
                yield from rst.inset([f"Value: ``{value}``", ""])
            return
        yield f".. c:{entry.kind}:: {entry.text}"
        yield ""
        if entry.kind == "enumerator":
            yield from rst.inset(rst.prose([*comment, *entry.parts[0][1]], self.link))
            return
        if not entry.text.startswith("enum "):  # the enum follows, with the text
            yield from rst.inset(rst.prose(comment, self.link))
        inner = "enumerator" if entry.kind == "enum" else "member"
        for text, about in entry.parts:
            yield from rst.inset([f".. c:{inner}:: {_squeezed(text)}", "", *rst.inset(rst.prose(about, self.link))])
