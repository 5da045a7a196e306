# SPDX-License-Identifier: Apache-2.0
"""Plain text of comments and docstrings as reStructuredText: no character of it is markup, and names that have an entry lead to it."""

import re
from collections.abc import Callable, Iterable, Iterator

# a name in backticks, a word, or a character that is markup
TOKEN = re.compile(r"`+([^`\n]+)`+|([A-Za-z_]\w*)|([\\*`|])")

Link = Callable[[str], str | None]  # the role that a word becomes, if it has an entry


def no_link(word: str) -> str | None:
    return None


def inline(text: str, link: Link = no_link) -> str:
    """One paragraph's text."""

    def token(match: re.Match[str]) -> str:
        literal, word, special = match.groups()
        if special:
            return "\\" + special
        if literal:
            return link(literal) or f"\\ ``{literal.strip()}``\\ "
        role = link(word)
        return f"\\ {role}\\ " if role else word.replace("_", "\\_")

    done = TOKEN.sub(token, text)
    # a line must not begin as a list, a directive or a definition does
    return re.sub(r"^(\s*)([-+*.:]|\d+[.)]|\(?[a-zA-Z]\)|>>>)(?=\s|\.\s|:)", r"\1\\\2", done)


def prose(lines: Iterable[str], link: Link = no_link) -> Iterator[str]:
    """Lines of a comment, its marks taken off: paragraphs, and lines that are set in from the left as they stand."""
    paragraph: list[str] = []
    kept: list[str] = []

    def flush() -> Iterator[str]:
        nonlocal paragraph, kept
        if paragraph:
            yield inline(" ".join(paragraph), link)
            yield ""
        if kept:
            yield "::"
            yield ""
            least = min(len(line) - len(line.lstrip()) for line in kept)
            yield from (f"   {line[least:]}" for line in kept)
            yield ""
        paragraph, kept = [], []

    for line in [*lines, ""]:
        if not line.strip():
            yield from flush()
        elif line.startswith("  "):
            if paragraph:
                yield from flush()
            kept.append(line[2:].rstrip())
        elif re.match(r"[-*] ", line):
            yield from flush()
            paragraph.append(line)
        else:
            if kept:
                yield from flush()
            paragraph.append(line.strip())


def heading(text: str, mark: str = "=") -> list[str]:
    return [text, mark * len(text), ""]


def inset(lines: Iterable[str], by: int = 3) -> Iterator[str]:
    yield from (" " * by + line if line else "" for line in lines)


def page(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def contents(names: Iterable[str], depth: int = 1, caption: str = "", hidden: bool = False) -> list[str]:
    """A table of contents of pages below. hidden: in the navigation alone, as the page lists them itself."""
    options = [f"   :maxdepth: {depth}", *([f"   :caption: {caption}"] if caption else []), *(["   :hidden:"] * hidden)]
    return [".. toctree::", *options, "", *(f"   {name}" for name in names), ""]


def entries(found: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A list of entries, each with the sentence that says what it is."""
    for entry, sentence in found:
        yield f"* {entry}: {sentence}"
    yield ""
