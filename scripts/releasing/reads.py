# SPDX-License-Identifier: Apache-2.0
"""Files that a command reads, as strace sees them: what decides whether its outputs are those of today's tree.

A read is a path below the tree: of a file, of a folder with a slash at its end (its names were listed), or of what
was looked for and is not there. What a command looks at counts as read: a build asks for a source's time alone.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from common import BUILD, ROOT, StopError, environment, files_below, say, tracked
from releasing.pieces import file_hash

STRACE = ("strace", "-f", "-y", "-qq", "--seccomp-bpf", "-e", "trace=%file,getdents64", "-e", "signal=none")
_AT = re.compile(r'\b\w+\((?:AT_FDCWD|\d+)<([^>]*)>, "((?:[^"\\]|\\.)+)"')  # openat, newfstatat, statx …
_BY_NAME = re.compile(r'^\d+ +\w+\("((?:[^"\\]|\\.)+)"')  # access, execve, readlink …
_LISTED = re.compile(r"\bgetdents64\(\d+<([^>]*)>")
PACKAGES = ("ringside", "ringside_ltv")  # installed from this tree


def seen(lines: Iterable[str]) -> Iterator[str]:
    """Absolute paths of a log."""
    for line in lines:
        if found := _LISTED.search(line):
            yield f"{os.path.normpath(found[1])}/"
        elif found := _AT.search(line):
            yield os.path.normpath(os.path.join(found[1], found[2]))
        elif found := _BY_NAME.search(line):
            yield os.path.normpath(os.path.join(ROOT, found[1]))


def _name(path: str) -> str:
    return path.removeprefix(f"{ROOT}/") or "./"


@cache
def _tree() -> tuple[frozenset[str], frozenset[str]]:
    """Files of the tree, and its folders."""
    files = [path.relative_to(ROOT) for path in tracked()]
    return frozenset(map(str, files)), frozenset(str(folder) for path in files for folder in path.parents)


def counts(path: str, own: Path) -> bool:
    """Whether a path decides. own: the folder of the release, whose files are made from one another; listings of it
    are of no use."""
    if not path.startswith(f"{ROOT}/"):
        return False
    name = _name(path)
    parts = name.rstrip("/").split("/")
    if "__pycache__" in parts or parts[0] == ".git" or parts[-1].endswith((".pyc", ".new", ">")):
        return False
    if parts[0] == "build":
        if "site-packages" in parts[:-1]:
            return parts[parts.index("site-packages") + 1] in PACKAGES
        return Path(path).parent == own and Path(path).is_file()
    files, folders = _tree()
    return not os.path.lexists(path) or (name.rstrip("/") in folders if name.endswith("/") else name in files)


@cache
def _names(folder: Path) -> list[str]:
    """What a folder has, without what git leaves out."""
    _, folders = _tree()
    place = str(folder.relative_to(ROOT))
    if place in folders:
        return sorted(
            {
                Path(name).parts[len(folder.relative_to(ROOT).parts)]
                for name in _tree()[0]
                if Path(name).is_relative_to(place)
            }
        )
    return sorted({path.name for path in files_below(folder)})


@cache
def fingerprint(name: str) -> str:
    """What stands at a read."""
    path = ROOT / name
    if name.endswith("/"):
        return " ".join(_names(path)) if path.is_dir() else "absent"
    if path.is_file():
        return file_hash(path)
    return "folder" if path.is_dir() else "absent"


def is_possible() -> bool:
    """Whether this machine lets a process be watched."""
    if not shutil.which("strace"):
        return False
    return subprocess.run([*STRACE, "-o", os.devnull, "true"], capture_output=True).returncode == 0


def run(command: Sequence[str | Path], log: Path, own: Path) -> list[str]:
    """Runs a command, whose output is seen, and gives what it has read: everything where that cannot be watched.
    StopError: it failed."""
    log.parent.mkdir(parents=True, exist_ok=True)
    watched = is_possible()
    if not watched:
        say("    strace cannot watch here: taken to read the whole tree")
    done = subprocess.run(
        [*(STRACE if watched else ()), *(("-o", log) if watched else ()), *command],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise StopError(f"it ended with code {done.returncode}; what it says is above.")
    fingerprint.cache_clear()
    if not watched:
        return sorted(_tree()[0])
    with log.open(encoding="utf-8", errors="replace") as lines:
        found = {path for path in set(seen(lines)) if counts(path, own)}
    log.unlink()
    pins = {str(path) for path in (ROOT / "requirements").glob("*.txt")}  # what the venv is
    return sorted(map(_name, found | pins))


def newest(reads: Iterable[str]) -> float:
    """The time of the last change of a file that was read."""
    return max(
        (
            path.stat().st_mtime
            for path in map(ROOT.joinpath, reads)
            if path.is_file() and not path.is_relative_to(BUILD)
        ),
        default=0,
    )
