# SPDX-License-Identifier: Apache-2.0
"""Where our numbers come from: commands that pages ask, and the ledger that answers them.

A figure of an answer becomes a Measurement, whatever happens: there is no such design, it was not measured, it failed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .. import designs
from ..errors import RingsideError
from ..figures import units
from ..figures.command import parse, value
from ..figures.ledger import REFUSED, Books, Row, State
from ..progress import Progress
from ..sim.options import ALONE
from . import scope
from .measurement import Kind, Measurement, Status, missing

KEPT = ("soc run", "soc area", "soc energy")  # commands that keep their answers themselves


class NotBuiltError(Exception):
    """There is no such design, or it cannot do what is asked."""


class NotMeasuredError(Exception):
    """It could be measured, but was not; the text says what is missing."""


class Provider(Protocol):
    def answer(self, command: str) -> Mapping[str, Any]:
        """What the command prints. NotBuiltError, NotMeasuredError, or what went wrong."""

    def recorded(self, command: str) -> str:
        """Version and date of an answer, and what has changed since."""


# ---- what pages ask --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Answer:
    found: Mapping[str, Any]
    recorded: str


@dataclass(frozen=True)
class NoAnswer:
    """detail, phrase: as of a Measurement."""

    status: Status
    detail: str = ""
    phrase: str = ""


class Questions:
    """Asked once, it only remembers them; asked again after measure(), it knows the answers."""

    def __init__(self) -> None:
        self.commands: dict[str, Answer | NoAnswer | None] = {}

    def ask(self, command: str, path: str, absent: float | None = None) -> Measurement:
        """absent: what stands for a figure that an answer does not have."""
        unit, source = units.unit(command, path), units.source(command, path)
        kind = Kind.modelled if units.is_modelled(command, path) else Kind.measured
        answer = self.commands.setdefault(command, None)
        if answer is None:
            answer = NoAnswer(Status.not_measured)
        if isinstance(answer, NoAnswer):
            return missing(answer.status, unit, kind, command, source, answer.detail, answer.phrase)
        try:
            found = float(value(answer.found, path))
        except LookupError:
            if absent is None:
                return missing(Status.failed, unit, kind, command, source, f"The answer has no {path!r}.")
            found = absent
        caveat = units.caveat(command, path)
        return Measurement(found, unit, kind, command, source, caveat=caveat, recorded=answer.recorded)

    def measure(self, provider: Provider, progress: Progress | None = None) -> None:
        unanswered = [command for command, answer in self.commands.items() if answer is None]
        for number, command in enumerate(unanswered):
            if progress is not None:
                progress(number, len(unanswered))
            self.commands[command] = _answer(provider, command)
        if progress is not None:
            progress(len(unanswered), len(unanswered))


def _answer(provider: Provider, command: str) -> Answer | NoAnswer:
    """A measurement that fails leaves the other numbers. Any other exception is a fault of ours, and ends the report."""
    try:
        return Answer(provider.answer(command), provider.recorded(command))
    except NotBuiltError as error:
        return NoAnswer(Status.not_built, str(error), scope.lacks(command))
    except NotMeasuredError as error:
        phrase = scope.left_out(command)
        return NoAnswer(Status.by_command if phrase else Status.not_measured, str(error), phrase)
    except RingsideError as error:
        return NoAnswer(Status.failed, str(error))


# ---- the ledger ------------------------------------------------------------------------------------------------------
class Recorded:
    """Recorded answers. measure: makes what is missing or old, which is kept for later."""

    def __init__(self, books: Books, measure: Callable[[str], Row] | None = None) -> None:
        self.books, self.measure = books, measure

    def _row(self, command: str) -> Row:
        _check_design(command)
        row = self.books.find(command)
        if self.measure is not None and (row is None or row.state() is State.old):
            row = self.measure(command)
            self.books.own.put(row)
        if row is None:
            alone = f"`{command}` or " * (parse(command).verb in KEPT)
            raise NotMeasuredError(f"run {alone}`ringside report --measure`")
        return row

    def answer(self, command: str) -> Mapping[str, Any]:
        """NotBuiltError, NotMeasuredError; with `measure` also what went wrong."""
        row = self._row(command)
        if REFUSED in row.answer:
            raise NotBuiltError(row.answer[REFUSED])
        return row.answer

    def recorded(self, command: str) -> str:
        row = self._row(command)
        changed = ", ".join(row.changed()) if row.state() is State.old else ""
        return row.recorded + (f" (changed since: {changed})" if changed else "")


def _check_design(command: str) -> None:
    """NotBuiltError: there is none of that name, or the N of a system is too large for it."""
    asked = parse(command)
    if asked.design == ALONE:
        return
    if asked.design not in designs.names():
        raise NotBuiltError(f"there is no design {asked.design}")
    most = 1 << designs.load(asked.design).log_n_max
    if asked.verb == "soc run" and asked.number("n") > most:
        raise NotBuiltError(f"{asked.design} goes up to N = {most}")
