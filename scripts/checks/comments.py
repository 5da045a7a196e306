# SPDX-License-Identifier: Apache-2.0
"""A comment begins with its subject: "// bits of a word", not "// of a word: bits".

A reader does not have to look for the noun that "of" belongs to.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# Folders and files whose comments may still begin so: whoever next works there mends them, and takes the name away.
LEFT_OUT: tuple[str, ...] = ()

_STRING = r'"(?:\\.|[^"\\\n])*"'
_SLASHES = r"//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/"
_C = re.compile(rf"{_STRING}|'(?:\\.|[^'\\\n])'|{_SLASHES}", re.DOTALL)
_JAVASCRIPT = re.compile(rf"{_STRING}|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|{_SLASHES}", re.DOTALL)
_HASH = re.compile(
    r'"""(?:\\.|[^\\])*?"""|' + r"'''(?:\\.|[^\\])*?'''|" + rf"{_STRING}|'(?:\\.|[^'\\\n])*'|(?<!\S)#(?P<line>[^\n]*)",
    re.DOTALL,
)
LANGUAGES = {
    **dict.fromkeys((".c", ".h", ".inc", ".cpp", ".S", ".sv", ".v", ".vlt", ".rdl", ".css", ".go", ".rs"), _C),
    **dict.fromkeys((".js", ".mjs", ".ts"), _JAVASCRIPT),
    **dict.fromkeys((".py", ".pyi", ".toml", ".cmake", ".yml", ".yaml", ".sh"), _HASH),
}


def beginnings(text: str, language: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The lines on which comments begin, with their text. A line of its own below a comment of the same column continues it."""
    above: tuple[int, int] | None = None  # line and column of the comment before
    for match in language.finditer(text):
        comment = match.groupdict().get("line") or match.groupdict().get("block")
        if comment is None:
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        line, column = text.count("\n", 0, start) + 1, match.start() - start
        alone = not text[start : match.start()].strip()
        if not (alone and above == (line - 1, column)):
            yield line, comment.strip("/*! \t\n")
        above = (line, column)


def findings(root: Path, paths: Iterable[Path], left_out: Iterable[str] = LEFT_OUT) -> list[str]:
    """Comments that begin with "of", one line each."""
    spared = [root / name for name in left_out]
    return [
        f'{path.relative_to(root)}:{line}: the comment begins with "of": begin with its subject, as in "bits of a word"'
        for path in paths
        if path.suffix in LANGUAGES and not any(map(path.is_relative_to, spared))
        for line, comment in beginnings(path.read_text(encoding="utf-8", errors="replace"), LANGUAGES[path.suffix])
        if re.match(r"of\b", comment, re.IGNORECASE)
    ]
