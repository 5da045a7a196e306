# SPDX-License-Identifier: Apache-2.0
"""Pages that commands write, as they are, beside the site's own: the demo, the report, an exploration."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PAGE = "docs/gallery.md"
FOLDER = "live"
# folder, its first page, what it is, and the command, to which the folder is added
MADE: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("report", "index.html", "The report: published accelerators, and ours beside each", ("report", "--output")),
    ("explore", "index.html", "An exploration of 216 designs", ("explore", "designs/spaces/tiny.toml", "--output")),
    ("demo", "report.html", "The demo's page, with every number of it", ("demo", "--out")),
)
if "SOURCE_DATE_EPOCH" in os.environ:  # a build that others repeat bit for bit: no page with times of this machine
    MADE = tuple(one for one in MADE if one[0] != "demo")
SHOWN = {".html", ".png", ".svg", ".csv", ".json", ".css", ".js"}


def make(root: Path, place: Path) -> None:
    """Runs the commands in the tree, and keeps what a browser shows."""
    shutil.rmtree(place, ignore_errors=True)
    for name, first, _, command in MADE:
        folder = place / FOLDER / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        words: list[str | Path] = [sys.executable, "-m", "ringside", *command, folder.relative_to(root)]  # pages print it
        # what this user has measured is no part of a site of the tree
        env = os.environ | {"RINGSIDE_CACHE": str(place / "cache")}
        done = subprocess.run(words, cwd=root, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"ringside {' '.join(command)} fails:\n{done.stderr}")
        drop(path for path in folder.rglob("*") if path.is_file() and path.suffix not in SHOWN)
        if not (folder / first).is_file():
            raise RuntimeError(f"ringside {' '.join(command)} has written no {first}")
    shutil.rmtree(place / "cache", ignore_errors=True)


def drop(files: Iterable[Path]) -> None:
    for path in files:
        path.unlink()


def section() -> str:
    """What the gallery's page gets at its end."""
    lines = ["", "## Whole pages", "These pages were written by their commands when the site was built.", ""]
    for name, first, about, command in MADE:
        words = f"<code>ringside {' '.join(command)} DIR</code>"
        lines.append(f'* <a href="../{FOLDER}/{name}/{first}">{about}</a> ({words})')
    return "\n".join(lines) + "\n"
