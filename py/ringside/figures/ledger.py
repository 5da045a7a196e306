# SPDX-License-Identifier: Apache-2.0
"""Recorded answers: figures/ours.jsonl, which comes with the package, and what this user has measured since, in the cache.

A line is an answer: the command in its one form, what it printed with --json, hashes of what that was made from (content.py), version, date. Lines are
sorted by command, so that a change of one is a change of one line.
"""

from __future__ import annotations

import datetime as dt
import fcntl
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..errors import FileError
from ..native.files import read_file, write_bytes
from ..sim.cache import root as cache_root
from ..sim.verilate import SimulationError
from ..soc.build import source_tree
from . import content

NAME, OWN = "ours.jsonl", "answers.jsonl"  # in the source tree, and in the cache
# among the hashes: these follow from others, and keep an answer that words of sources alone would make old
NETLIST = "netlist"
PROGRAM = "program"
WITNESSED = "witnessed"  # the day on which other answers vouched for this one
PROCESSOR = "processor"  # in an answer that is a speed: whose it is
REFUSED = "refused"  # the whole answer of a design that cannot do it: why
SHIPPED = Path(__file__).with_name(NAME)  # copied there from figures/ by the build


class State(StrEnum):
    fresh = "fresh"
    old = "old"
    unknown = "unknown"  # it cannot be told here: no source tree, or no compiler


@dataclass(frozen=True)
class Row:
    """made_from: hashes by name, and those of the netlist (netlist.py) and of the program that ran."""

    command: str
    answer: Mapping[str, Any]
    made_from: dict[str, str]
    version: str
    date: str

    @property
    def key(self) -> str:
        return key(self.command)

    @property
    def line(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def recorded(self) -> str:
        """When, and on which processor if that decides."""
        return ", ".join([self.version, self.date, *filter(None, [self.answer.get(PROCESSOR)])])

    def changed(self) -> list[str]:
        """Sources that are others today than when it was made. SimulationError: that cannot be told here."""
        today = content.of(self.command)
        names = [name for name in {**self.made_from, **today} if name not in (NETLIST, PROGRAM, WITNESSED)]
        return [name for name in names if self.made_from.get(name) != today.get(name)]

    def carried_over(self, vouched: Collection[tuple[str, str]] = ()) -> Row | None:
        """The same answer with today's hashes, if sources have changed, but not what becomes of them: words of the RTL or the design's parameters and
        the same netlist, words of the driver and of its callers and the same program. vouched: parts and their former hashes which other answers have
        outlived; a program that is known to be another one is none of them. None otherwise.

        SimulationError: that cannot be told here.
        """
        changed = set(self.changed())
        by_others = {name for name in changed if (name, self.made_from.get(name)) in vouched}
        rest, core, caller = changed - by_others, {"rtl", "design"}, {"driver", "host"}
        if not rest <= core | caller or (rest & core and not self._keeps(NETLIST, content.netlist)):
            return None
        if (rest & caller or (by_others & caller and PROGRAM in self.made_from)) and not self._keeps(
            PROGRAM, content.program
        ):
            return None
        witnessed = {WITNESSED: dt.date.today().isoformat()} if by_others else {}
        return replace(self, made_from=self.made_from | content.of(self.command) | witnessed)

    def agrees(self, new: Row) -> bool:
        """Whether another answer to the same says all that this one says."""

        def within(recorded: Any, found: Any) -> bool:
            if isinstance(recorded, dict) and isinstance(found, dict):
                return all(name in found and within(one, found[name]) for name, one in recorded.items())
            return bool(recorded == found)

        return within(self.answer, new.answer)

    def _keeps(self, name: str, today: Callable[[str], str | None]) -> bool:
        return name in self.made_from and self.made_from[name] == today(self.command)

    def with_results(self) -> Row:
        """A fresh answer with the hashes of its netlist, which takes some seconds, and of its program; others as they are. SimulationError: they cannot
        be told here."""
        missing = {NETLIST: content.netlist, PROGRAM: content.program}
        wanted = {name: find for name, find in missing.items() if name not in self.made_from}
        if not wanted or REFUSED in self.answer or self.state() is not State.fresh:
            return self
        found = {name: value for name, find in wanted.items() if (value := find(self.command)) is not None}
        return replace(self, made_from=self.made_from | found) if found else self

    def state(self) -> State:
        try:
            return State.old if self.changed() else State.fresh
        except SimulationError:
            return State.unknown


def key(command: str) -> str:
    """Numbers sort as numbers."""
    return re.sub(r"\d+", lambda match: match[0].zfill(8), command)


def make_row(command: str, answer: Mapping[str, Any]) -> Row:
    """The row of an answer of now. Where nobody can tell what it is made from, as without the source tree, nothing stands there."""
    try:
        own = version("ringside-he")
    except PackageNotFoundError:  # it runs from a folder
        own = ""
    try:
        made_from = content.of(command)
    except SimulationError:
        made_from = {}
    return Row(command, answer, made_from, own, dt.date.today().isoformat())


def _row(found: Any) -> Row:
    """The row of a line. ValueError, KeyError, TypeError: it is no answer."""
    command, answer, made_from = (found[name] for name in ("command", "answer", "made_from"))
    if not isinstance(command, str) or not isinstance(answer, dict) or not isinstance(made_from, dict):
        raise TypeError("an answer and what it is made from have names")
    return Row(command, answer, made_from, str(found["version"]), str(found["date"]))


class Ledger:
    """One file. A file that is not there is empty; FileError: one that is there cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, Row] = {}
        self._read()

    def _read(self) -> None:
        self.rows.clear()
        if not self.path.exists():
            return
        for number, line in enumerate(read_file(self.path).splitlines(), 1):
            try:
                row = _row(json.loads(line.decode()))
            except (ValueError, KeyError, TypeError) as error:
                hint = "Restore the file, or delete the line: `ringside figures refresh` makes it again."
                raise FileError("FIGURES", f"{self.path}, line {number}: this is no answer ({error}).", hint) from error
            self.rows[row.key] = row

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows[name] for name in sorted(self.rows))

    def find(self, command: str) -> Row | None:
        return self.rows.get(key(command))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """The file as it is now, for this process alone, and written whole at the end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_name(f".{self.path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._read()
            yield
            write_bytes(self.path, "".join(f"{row.line}\n" for row in self).encode())

    def put(self, *rows: Row) -> None:
        with self._changing():
            self.rows |= {row.key: row for row in rows}

    def drop(self, *commands: str) -> None:
        with self._changing():
            for command in commands:
                self.rows.pop(key(command), None)


def shipped() -> Ledger:
    """The books of the source tree, where there is one; else those that came with the package."""
    try:
        return Ledger(source_tree() / "figures" / NAME)
    except SimulationError:
        return Ledger(SHIPPED)


def own() -> Ledger:
    """The book of this user's own measurements."""
    return Ledger(cache_root() / "figures" / OWN)


@dataclass(frozen=True)
class Books:
    """Both. What the user has measured comes first, unless it is old."""

    shipped: Ledger
    own: Ledger

    @staticmethod
    def open() -> Books:
        return Books(shipped(), own())

    def find(self, command: str) -> Row | None:
        mine, theirs = self.own.find(command), self.shipped.find(command)
        if mine is None or (theirs is not None and mine.state() is not State.fresh):
            return theirs
        return mine
