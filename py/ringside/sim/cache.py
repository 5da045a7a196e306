# SPDX-License-Identifier: Apache-2.0
"""The cache of all that takes long to make and is named by the content it is made from: models, firmware, netlists, figures, proofs.

It grows with every change of a source, so the least recently used entries go when it has more than its limit. An entry that was used
within the last day stays: another process may be about to open it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import ParameterError

# what the folders hold
KINDS = {
    "sim": "models and firmware of simulated hardware",
    "synth": "blocks mapped for FPGAs",
    "asic": "blocks mapped to standard cells, and their energy",
    "report": "answers of `ringside report`",
    "told": "notes that are shown once",
    "proofs": "verdicts of proofs (tests)",
    "lint": "verdicts of static checks (tests)",
    "ccache": "objects of the C compiler (tests); ccache keeps its own limit",
}
OWN_LIMIT = {"ccache"}
LIMIT_BYTES = 8 * 10**9
KEPT_SECONDS = 24 * 3600
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True)
class Entry:
    kind: str
    path: Path
    size: int
    used: float  # seconds since the epoch


def root() -> Path:
    """$RINGSIDE_CACHE, or else in the user's cache directory."""
    if given := os.environ.get("RINGSIDE_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ringside"


def parse_size(text: str) -> int:
    """Bytes: 500M, 2G, 1.5 GB."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", text.strip().lower())
    if not found:
        raise ParameterError("CACHE_SIZE", f"{text!r} is not a size.", "Give a number and a unit, such as 500M or 2G.")
    return int(float(found[1]) * UNITS[found[2]])


def limit() -> int:
    """$RINGSIDE_CACHE_LIMIT, or 8 GB."""
    given = os.environ.get("RINGSIDE_CACHE_LIMIT")
    return parse_size(given) if given else LIMIT_BYTES


def used(path: Path) -> None:
    """Says that an entry is in use. A cache that others own is left as it is."""
    with suppress(OSError):
        os.utime(path)


def first_time(what: str, path: Path) -> bool:
    """Whether this is asked for the first time about a file or folder; where the cache cannot be written, each time is the first."""
    with suppress(OSError):
        told = path.stat()
        name = hashlib.sha256(f"{what} {path.resolve()} {told.st_dev} {told.st_ino}".encode()).hexdigest()[:32]
        mark = root() / "told" / name
        if mark.exists():
            used(mark)
            return False
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return True


def _measure(place: Path) -> tuple[int, float]:
    size, newest = 0, 0.0
    below = place.rglob("*") if place.is_dir() else ()
    for path in (place, *below):
        with suppress(FileNotFoundError):  # by another process, meanwhile
            told = path.lstat()
            is_folder = path.is_dir()
            # looking into a folder, as here, counts as an access of it
            newest = max(newest, told.st_mtime, 0.0 if is_folder else told.st_atime)
            size += 0 if is_folder else told.st_size
    return size, newest


def entries(place: Path | None = None) -> Iterator[Entry]:
    """All of them, in no order; that of a kind with its own limit is one."""
    place = place or root()
    for kind in KINDS:
        folder = place / kind
        if kind in OWN_LIMIT and folder.is_dir():
            yield Entry(kind, folder, *_measure(folder))
            continue
        for path in folder.iterdir() if folder.is_dir() else ():
            yield Entry(kind, path, *_measure(path))


def _remove(entry: Entry) -> None:
    if entry.path.is_dir():
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        entry.path.unlink(missing_ok=True)


def shrink(most: int, place: Path | None = None, kept_seconds: float = KEPT_SECONDS) -> int:
    """Removes the least recently used entries until at most `most` bytes are left. How many bytes that freed."""
    known = sorted((one for one in entries(place) if one.kind not in OWN_LIMIT), key=lambda one: one.used)
    total, freed, before = sum(one.size for one in known), 0, time.time() - kept_seconds
    for entry in known:
        if total - freed <= most or entry.used > before:
            break
        _remove(entry)
        freed += entry.size
    return freed


def clear(place: Path | None = None) -> int:
    """Removes all of it, and nothing else that lies in the same directory. How many bytes that freed."""
    freed = 0
    for entry in list(entries(place)):
        _remove(entry)
        freed += entry.size
    return freed


_checked = False


def keep_limit() -> None:
    """After something new was kept: once per process."""
    global _checked
    if not _checked:
        _checked = True
        shrink(limit())
