# SPDX-License-Identifier: Apache-2.0
"""Links of Markdown pages: relative links lead to a file, and to a heading of it; a path in backticks is in the tree. No network."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

# what is shown as it stands
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
VERBATIM = re.compile(FENCED.pattern + r"|`[^`\n]*`|<!--.*?-->", FENCED.flags)
LINK = re.compile(r"\]\(([^()\s]+)\)")
NAMED_PATH = re.compile(r"`((?:designs|docs|hw|lib|papers|py|requirements|scripts|sim|tests)/[\w./-]+)`")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Names that `#` can have in a page: its headings as GitHub writes them, a repeated one with a number."""
    found: set[str] = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        copies = [name, *(f"{name}-{number}" for number in range(1, 100))]
        found.add(next(copy for copy in copies if copy not in found))
    return found


def findings(root: Path, files: Iterable[Path], pages: Mapping[Path, str]) -> list[str]:
    """Dead links in `pages`. files: those of the tree."""
    found = []
    known = {place for path in files for place in (path, *path.parents) if place.is_relative_to(root)}
    for path, text in pages.items():
        page = path.relative_to(root)
        for number, line in enumerate(text.splitlines(), 1):
            for name in NAMED_PATH.findall(line):
                # the changelog may name what is no more
                if root / name not in known and path.name != "CHANGELOG.md":
                    found.append(f"{page}:{number}: `{name}` is not in the tree")
        # replaced by as many lines, so that the numbers of lines stay
        plain = VERBATIM.sub(lambda match: "\n" * match[0].count("\n"), text)
        for number, line in enumerate(plain.splitlines(), 1):
            for target in LINK.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (path.parent / name).resolve() if name else path
                if file not in known:
                    found.append(f"{page}:{number}: `{target}` leads to no file of the tree")
                elif anchor and anchor not in anchors(pages.get(file, "")):
                    found.append(f"{page}:{number}: `{target}` leads to no heading of {file.relative_to(root)}")
    return found
