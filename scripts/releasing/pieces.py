# SPDX-License-Identifier: Apache-2.0
"""Work in pieces: a piece whose sources and outputs are as they were is not made again, so a run that was broken off
goes on where it was."""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import StopError, digest, replace_file, say


@dataclass(frozen=True)
class MadePiece:
    """make: gives the files that it made; none says that there was nothing to make. Whether it is as it was is
    decided by the sources, or by what it has read: make puts names into `reads`, and `fingerprint` says what stands
    there."""

    name: str
    about: str
    make: Callable[[], Sequence[Path]]
    sources: Callable[[], Sequence[Path]] = field(default=tuple)
    reads: list[str] = field(default_factory=list)
    fingerprint: Callable[[str], str] = str

    def state(self, reads: Sequence[str]) -> str:
        return digest(self.sources(), *(f"{name} {self.fingerprint(name)}" for name in reads))


def file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class Pieces:
    """What was made, in a file: of each piece its state, its outputs with their hashes, and how long it took."""

    def __init__(self, book: Path) -> None:
        self._book = book
        try:
            self._rows: dict[str, dict[str, Any]] = json.loads(book.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self._rows = {}

    def outputs(self, name: str) -> list[Path]:
        return [Path(path) for path in self._rows.get(name, {}).get("outputs", {})]

    def is_made(self, piece: MadePiece) -> bool:
        row = self._rows.get(piece.name)
        if row is None or row["state"] != piece.state(row.get("reads", ())):
            return False
        return all(Path(path).is_file() and file_hash(Path(path)) == was for path, was in row["outputs"].items())

    def _left(self, pieces: Sequence[MadePiece]) -> str:
        known = [self._rows[piece.name]["seconds"] for piece in pieces if piece.name in self._rows]
        if not known:
            return ""
        more = "" if len(known) == len(pieces) else " and more"
        return f", about {duration(sum(known))}{more} left in all"

    def run(self, pieces: Sequence[MadePiece], *, anew: bool = False) -> list[Path]:
        """Makes what is not as it was, and tells how far it is. All outputs. StopError: a piece failed; the others
        are kept."""
        todo = [piece for piece in pieces if anew or not self.is_made(piece)]
        if len(todo) < len(pieces):
            kept = [piece.name for piece in pieces if piece not in todo]
            say(f"kept as it is: {', '.join(kept)}")
        for number, piece in enumerate(todo):
            say(f"[{number + 1}/{len(todo)}] {piece.name}: {piece.about}{self._left(todo[number:])}")
            start = time.monotonic()
            state = piece.state(())
            try:
                made = list(piece.make())
            except StopError as stop:
                raise StopError(f"{piece.name}: {stop}\nThe same command goes on with this piece.") from stop
            seconds = time.monotonic() - start
            state = piece.state(piece.reads) if piece.reads else state
            hashes = {os.fspath(path): file_hash(path) for path in made}
            self._rows[piece.name] = {
                "state": state,
                "outputs": hashes,
                "seconds": round(seconds, 1),
                "reads": piece.reads,
            }
            self._book.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._book, json.dumps(self._rows, indent=1) + "\n")
            say(f"    {duration(seconds)}: {', '.join(path.name for path in made) or 'nothing to make'}")
        if stale := [piece for piece in pieces if piece not in todo and not self.is_made(piece)]:
            self.run(stale)  # they read what was made now
        return [path for piece in pieces for path in self.outputs(piece.name)]


def chosen(pieces: Sequence[MadePiece], names: Sequence[str]) -> list[MadePiece]:
    """Those of these names, or else beginnings, or all. StopError: there is none."""
    known = {piece.name for piece in pieces}
    wanted = {name: {name} if name in known else {one for one in known if one.startswith(name)} for name in names}
    if unknown := [name for name, found in wanted.items() if not found]:
        raise StopError(f"There is no piece {', '.join(unknown)}; there are {', '.join(one.name for one in pieces)}.")
    return [piece for piece in pieces if not names or any(piece.name in found for found in wanted.values())]
