# SPDX-License-Identifier: Apache-2.0
"""The advice in messages: the word that was meant, the command that installs what is missing, the source tree."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

DISTRIBUTION = "ringside-he"
NEAR = 0.75  # a share of 1, which is the word itself
LEAST_BEGUN = 4  # letters of a word that may be the beginning of the one that was meant
CLONE = "clone Ringside's repository and run the command there, or set RINGSIDE_TREE to the clone"


def did_you_mean(words: str | Iterable[str], known: Iterable[str], then: str = "") -> str:
    """A question with the known word that is most like one of `words`, if there is one, and then a sentence."""
    from difflib import get_close_matches  # messages alone need it

    # nearer than difflib's own limit, by which lee-16 was meant by lee-99, and newhope by nope
    spelt = {one.lower(): one for one in known}
    for word in [words] if isinstance(words, str) else words:
        begun = [one for one in spelt if len(word) >= LEAST_BEGUN and one.startswith(word.lower())]
        for near in begun[:1] or get_close_matches(word.lower(), spelt, 1, NEAR):
            return f"Did you mean {spelt[near]!r}? {then}".rstrip()
    return then


def install(extra: str, target: str = "hardware") -> str:
    """Commands that bring what an extra of the package holds. No index has the package, so pip is given what the extra lists: that works without the source tree too."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        lines = []
    wanted = [line.partition(";")[0].strip() for line in lines if re.search(rf"extra == ['\"]{extra}['\"]", line)]
    pip = f"`pip install {shlex.join(wanted)}`, or " if wanted else ""
    return f"{pip}`make {target}` in the source tree"


def tree_with(mark: str) -> Path | None:
    """The source tree, known by a file in it: $RINGSIDE_TREE, what the package has of it, or a directory above this file or at or above the current one."""
    given = os.environ.get("RINGSIDE_TREE")
    here = Path(__file__).resolve().parent
    starts = [Path(given)] if given else [here / "from-tree", here, Path.cwd()]
    return next((place for start in starts for place in (start, *start.parents) if (place / mark).is_file()), None)
