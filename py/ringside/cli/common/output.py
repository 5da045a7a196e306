# SPDX-License-Identifier: Apache-2.0
"""The commands' output: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import RingsideError
from ...hints import did_you_mean
from . import help as pages
from .paint import painted

if TYPE_CHECKING:
    from rich.progress import Progress

EXIT_CODES = """0 done · 1 internal error, or a signature that does not verify · 2 wrong usage · 3 bad parameters or values ·
4 file missing, damaged or not writable · 5 objects that do not belong together, wrong key · 130 interrupted"""


GAP, NARROW_GAP = "   ", "  "  # between columns of a table
WHOLE_LINES = 100_000  # columns of what is no terminal
CHOICES_TOLD = 8  # in a message; `--help` lists more
LINE_SECONDS = 10  # between lines of progress where there is no terminal
_quiet = False
BUILDS = "the first use builds it, a minute or a few; later ones take it from the cache"


def print_json(data: Any) -> None:
    """The one thing on stdout under --json. JSON has no NaN and no infinity: they are null."""
    print(json.dumps(_finite(data), indent=2, default=str, allow_nan=False))


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "", spare: Sequence[str] = ()
) -> None:
    """A table; the first column and those of words to the left, those of numbers to the right.

    Where it is wider than the terminal (or $COLUMNS), columns of `spare` are left out, one after the other; then heads and columns
    of words are broken between words. Nothing is broken within a word. A pipe or file gets whole lines.
    """
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() or os.environ.get("COLUMNS") else WHOLE_LINES
    made = [_Column(head, [row[k] for row in rows], k == 0) for k, head in enumerate(columns)]
    gap = GAP if _table_width([column.width for column in made], GAP) <= room else NARROW_GAP
    for name in spare:
        if _table_width([column.least for column in made], gap) > room:
            made = [column for column in made if column.head != name]
    while _table_width([column.width for column in made], gap) > room:
        if not (wide := [column for column in made if column.width > column.least]):
            break
        max(wide, key=lambda column: column.width).width -= 1
    head = [painted(line, "bold") for line in _table_row([column.head for column in made], made, gap)]
    print(*([title] if title else []), "", *head, sep="\n")
    print(" " + "─" * (_table_width([column.width for column in made], gap) - 1))
    for k in range(len(rows)):
        print(*_table_row([column.cells[k] for column in made], made, gap), sep="\n")
    print()


class _Column:
    """A column of a table. least: the width of its longest word, or of its longest cell if that is not to be broken."""

    def __init__(self, head: str, cells: Sequence[str], is_first: bool) -> None:
        self.head, self.cells = head, cells
        self.has_words = is_first or _are_words(cells)
        self.width = max(map(len, [head, *cells]))
        words = [word for cell in cells for word in re.findall(r"^\s*\S+|\S+", cell)]
        self.least = max(map(len, [*head.split(), *(words if self.has_words else cells)]), default=0)


def _table_width(widths: Sequence[int], gap: str) -> int:
    return 1 + sum(widths) + len(gap) * (len(widths) - 1)


def _table_row(cells: Sequence[str], columns: Sequence[_Column], gap: str) -> Iterator[str]:
    """Its lines: as many as the cell that is broken most has."""
    broken = textwrap.TextWrapper(break_long_words=False, break_on_hyphens=False)
    parts = []
    for cell, column in zip(cells, columns, strict=True):
        broken.width = max(1, column.width)
        parts.append(broken.wrap(cell))
    for line in zip_longest(*parts, fillvalue="") if any(parts) else [cells]:
        aligned = (
            f"{cell:{'<' if one.has_words else '>'}{one.width}}" for cell, one in zip(line, columns, strict=True)
        )
        yield f" {gap.join(aligned)}".rstrip()


def _are_words(cells: Sequence[str]) -> bool:
    """Whether most cells of a column begin with a letter, or as a path does; a dash stands for nothing."""
    said = [cell.strip() for cell in cells if cell.strip() not in ("", "-", "–")]
    return 2 * sum(cell[0].isalpha() or cell[0] in "/~[" for cell in said) > len(said)


def print_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Aligned `name  value` lines."""
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{painted(name, 'bold')}{'':<{width - len(name)}}  {value}")


def warn(text: str) -> None:
    print(f"{painted('warning:', 'yellow', sys.stderr)} {text}", file=sys.stderr)


def be_quiet(quiet: bool) -> None:
    """Whether notes and progress are left out."""
    global _quiet
    _quiet = quiet


def note(text: str) -> None:
    if _quiet:
        return
    print(f"{painted('note:', 'cyan', sys.stderr)} {text}", file=sys.stderr)


@dataclass(frozen=True)
class _Told:
    """An error in the words of its report."""

    code: str
    message: str
    hint: str
    exit_code: int


def _told(error: Exception) -> _Told:
    if isinstance(error, RingsideError):
        return _Told(error.code, error.message, error.hint, error.exit_code)
    if hasattr(error, "format_message"):  # typer's: options and arguments that it cannot read
        return _usage_error(error)
    if isinstance(error, MemoryError):
        hint = "Use less data at a time, a smaller parameter set or a lower level."
        return _Told("RS_ERR_NO_MEMORY", "There is not enough memory.", hint, 1)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        hint = "RINGSIDE_CACHE has to name a folder that can be written." if _in_cache(error.filename) else ""
        return _Told("RS_ERR_IO", f"{where}{error.strerror or error}.", hint, 4)
    hint = "This is a fault of Ringside; RINGSIDE_TRACEBACK=1 shows where."
    return _Told("INTERNAL", f"{type(error).__name__}: {error}", hint, 1)


def _in_cache(name: object) -> bool:
    """Whether a file is in the cache, or a folder that leads to it."""
    from ...sim.cache import root

    path = Path(str(name))
    return root() in (path, *path.parents) or path in root().parents


def _message(error: Any) -> str:
    return str(error.format_message()).strip()


def _usage_message(error: Any) -> str:
    """What is wrong with the words of a command, in ours: Typer's are others in each of its versions."""
    kind, parameter = type(error).__name__, getattr(error, "param", None)
    if kind == "NoSuchOption":
        return f"There is no option {error.option_name}"
    if kind == "MissingParameter" and parameter is not None:
        what = pages.takes(parameter) if pages.is_argument(parameter) else pages.names(parameter)[-1]
        return f"{what} is missing"
    message = _message(error).rstrip(".")
    if extra := re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", message):
        return f"Too many words: {extra[1]}"
    if kind != "BadParameter" or parameter is None:
        return message
    name = pages.takes(parameter) if pages.is_argument(parameter) else pages.names(parameter)[-1]
    found = re.search(r"'([^']*)' is not one of", message)
    if found and len(known := pages.choices(parameter)) <= CHOICES_TOLD:
        return f"{name} cannot be {found[1]!r}. Pass {' or '.join(filter(None, [', '.join(known[:-1]), known[-1]]))}"
    if found:
        return f"{name} cannot be {found[1]!r}"
    if number := pages.wanted(parameter):
        return f"{name} has to be {number}"
    return f"{name}: {message.partition(': ')[2] or message}"


def _usage_error(error: Any) -> _Told:
    message = _usage_message(error)
    message += "" if message.endswith("?") else "."
    context = getattr(error, "ctx", None)
    if context is None:
        return _Told("USAGE", message, "`ringside --help` lists the commands.", error.exit_code)
    usage = f"{' '.join(context.get_usage().split())} (`{context.command_path} --help` explains it.)"
    return _Told("USAGE", message, _meant(error, usage), error.exit_code)


def _meant(error: Any, then: str) -> str:
    """A hint for an option or a choice that there is not: the one that was meant, then `then`."""
    if possible := getattr(error, "possibilities", None):
        return did_you_mean(error.option_name, possible, then)
    found = re.search(r"'([^']*)' is not one of", _message(error))
    return did_you_mean(found[1], pages.choices(error.param), then) if found and error.param else then


def _own_names(text: str) -> str:
    """Files are written beside their places first, under names that files.hidden_name makes; messages have the names that the caller gave."""
    return re.sub(r"(?<![^/\s'\"`])\.([^/\n]+?)\.[0-9a-f]{12}\.[a-z]+\b", r"\1", text)


def _own_options(text: str) -> str:
    """Errors name arguments of Python's with the option behind them, `overwrite=True (--force)`: on the command line it is the option alone."""

    def shown(found: re.Match[str]) -> str:
        word, value, option = found.groups()
        return option if value or word.replace("_", "-") == option[2:] else found[0]

    return re.sub(r"\b(\w+)(=\w+)? \((--[\w-]+)\)", shown, text)


def report_error(error: Exception, *, as_json: bool) -> int:
    """Prints an error as one sentence and a hint on stderr; returns the exit code."""
    if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command: its help is the message
        print(_message(error))
        return 2
    told = _told(error)
    told = replace(told, message=_own_options(_own_names(told.message)), hint=_own_options(_own_names(told.hint)))
    if told.code == "INTERNAL" and os.environ.get("RINGSIDE_TRACEBACK"):
        raise error
    if as_json:
        with suppress(OSError):  # stdout may be what is wrong
            print_json({"error": {"code": told.code, "message": told.message, "hint": told.hint}})
    print(f"{painted('ringside:', 'red', sys.stderr)} {told.message}", file=sys.stderr)
    if told.hint:
        print(f"  {painted('hint:', 'green', sys.stderr)} {told.hint}", file=sys.stderr)
    return told.exit_code


def how_far(done: int, total: int, seconds: float, *, cycles: bool = False) -> str:
    """The part that is done, the time it took, and about how long the rest takes. cycles: `done` and `total` are a simulation's, and `total` is an estimate."""
    parts = [f"{done} of {total}"] if total > 1 else []
    if cycles and total:
        parts = [f"{done / 1e6:.1f} of about {total / 1e6:.1f} million cycles"]
        parts += [f"{100 * done // total} %"] if done < total else ["more than expected"]
    parts.append(f"{seconds:.0f} s")
    if 0 < done < total:
        parts.append(f"about {_duration(seconds * (total - done) / done)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class Lines:
    """Progress as lines on stderr: one when something begins that takes long, and one each ten seconds."""

    def __init__(self, text: str, announced: str = "", *, cycles: bool = False) -> None:
        self._text, self._announced, self._cycles = text, announced, cycles
        self._state: tuple[int, int] | None = None
        self._start = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Lines:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._ended.set()
        self._thread.join()

    def __call__(self, done: int, total: int) -> None:
        if self._state is None and self._announced:
            self._say(self._announced)
        self._state = done, total

    def simulated(self, done: int, total: int) -> None:
        """The cycles of a simulation that follows: `total` is an estimate."""
        if not self._cycles:
            self._cycles, self._start = True, time.monotonic()
        self._state = done, total

    def _tick(self) -> None:
        while not self._ended.wait(LINE_SECONDS):
            far = how_far(*(self._state or (0, 0)), time.monotonic() - self._start, cycles=self._cycles)
            self._say(far)

    def _say(self, what: str) -> None:
        """In one write: two threads call it."""
        print(f"{self._text}: {what}\n", end="", file=sys.stderr, flush=True)


class Bar(Protocol):
    """Progress: called with what is done and what there is in all."""

    def __call__(self, done: int, total: int) -> None: ...
    def simulated(self, done: int, total: int) -> None:
        """The same of the cycles of a simulation that follows; `total` is an estimate."""


class _NoBar:
    def __call__(self, done: int, total: int) -> None:
        pass

    simulated = __call__


class _DrawnBar:
    """On a terminal."""

    def __init__(self, drawn: Progress, text: str) -> None:
        self._drawn = drawn
        self._task = drawn.add_task(text, total=None)
        self._simulates = False

    def __call__(self, done: int, total: int) -> None:
        self._drawn.update(self._task, completed=done, total=total)

    def simulated(self, done: int, total: int) -> None:
        if not self._simulates:
            self._drawn.reset(self._task)  # the time left follows from what is done since
            self._simulates = True
        self(done, max(done, total))


@contextmanager
def progress_bar(text: str, announced: str = "", *, cycles: bool = False) -> Iterator[Bar]:
    """Progress on stderr as a callable (done, total): a bar on a terminal with the time left, else lines.

    announced: what is printed at the first call where there is no bar, for work that takes a minute. cycles: as for how_far.
    """
    if _quiet:
        yield _NoBar()
        return
    if not sys.stderr.isatty():
        with Lines(text, announced, cycles=cycles) as lines:
            yield lines
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as drawn:
        yield _DrawnBar(drawn, text)


def default_folder(name: str, elsewhere: str) -> Path:
    """For results: inside build/ where there is one."""
    return Path("build") / name if Path("build").is_dir() else Path(elsewhere)


def counted(number: int, what: str) -> str:
    """`1 value`, `3 values`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def size_text(count: int) -> str:
    """Bytes for people: 98498 -> 98.5 kB."""
    if count < 1000:
        return f"{count} B"
    for unit in ("kB", "MB", "GB"):
        value = count / 1000 ** ("kB", "MB", "GB").index(unit) / 1000
        if value < 999.5 or unit == "GB":
            return f"{value:.3g} {unit}"
    return str(count)


def scale_text(scale: float) -> str:
    """2^40, or 2^40.0013 after a server has rescaled."""
    if not (math.isfinite(scale) and scale > 0):
        return str(scale)
    return f"2^{math.log2(scale):.6g}"


def security_text(bits: int) -> str:
    return f"{bits} bits" if bits else "below 128 bits"
