# SPDX-License-Identifier: Apache-2.0
"""The commands' output: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import RingsideError
from ...hints import did_you_mean
from .paint import painted

if TYPE_CHECKING:
    from rich.progress import Progress

EXIT_CODES = """0 done · 1 internal error, or a signature that does not verify · 2 wrong usage · 3 bad parameters or values ·
4 file missing, damaged or not writable · 5 objects that do not belong together, wrong key · 130 interrupted"""


LINE_SECONDS = 10  # between lines of progress where there is no terminal
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


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A table; the first column and those of words to the left, those of numbers to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        is_text = index == 0 or _are_words([row[index] for row in rows])
        table.add_column(column, justify="left" if is_text else "right", overflow="fold", no_wrap=index == 0)
    for row in rows:
        table.add_row(*row)
    # a pipe or file has no width: leave the lines whole
    Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False).print(table)


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


def note(text: str) -> None:
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
        hint = "Use a smaller parameter set or a lower level."
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


def _usage_error(error: Any) -> _Told:
    message = _message(error).rstrip(".")
    message += "" if message.endswith("?") else "."
    context = getattr(error, "ctx", None)
    if context is None:
        return _Told("USAGE", message, "`ringside --help` lists the commands.", error.exit_code)
    usage = f"{' '.join(context.get_usage().split())} (`{context.command_path} --help` explains it.)"
    return _Told("USAGE", message, _of_choices(message, usage), error.exit_code)


def _of_choices(message: str, then: str) -> str:
    """A hint for a word that is none of an option's choices: the one that was meant, then `then`."""
    found = re.search(r"'([^']*)' is not one of (.*)\.", message)
    return did_you_mean(found[1], re.findall(r"'([^']*)'", found[2]), then) if found else then


def _own_names(text: str) -> str:
    """Files are written beside their places first, under names that files.hidden_name makes; people are told the names that they gave."""
    return re.sub(r"(?<![^/\s'\"`])\.([^/\n]+?)\.[0-9a-f]{12}\.[a-z]+\b", r"\1", text)


def report_error(error: Exception, *, as_json: bool) -> int:
    """Prints an error as one sentence and a hint on stderr; returns the exit code."""
    if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command: its help is the message
        print(_message(error))
        return 2
    told = _told(error)
    told = replace(told, message=_own_names(told.message), hint=_own_names(told.hint))
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
    if not sys.stderr.isatty():
        with Lines(text, announced, cycles=cycles) as lines:
            yield lines
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as drawn:
        yield _DrawnBar(drawn, text)


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
