# SPDX-License-Identifier: Apache-2.0
"""Where our numbers come from: questions of pages, and the ledger that answers them.

A figure of a question becomes a Measurement, whatever happens: there is no such design, it was not measured, it failed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from subprocess import SubprocessError
from typing import ClassVar, Protocol

from .. import designs
from ..errors import RingsideError
from ..figures import answers, systems
from ..figures.answers import NotBuiltError, NotMeasuredError
from ..figures.ledger import REFUSED, Books, Row, State
from ..figures.questions import Processor, ProcessorPower, Query, Question, SocRun
from ..progress import Progress
from ..sim.options import ALONE
from . import scope
from .measurement import Kind, Measurement, Status, missing

Figures = Mapping[str, float]


@dataclass(frozen=True)
class SystemQuestion(Question):
    """An operation on a simulated SoC: of a later frame, and in the core if it encodes. core: those of the cycles in which it works."""

    UNITS: ClassVar = SocRun.UNITS
    CAVEATS: ClassVar = SocRun.CAVEATS
    design: str
    op: str
    n: int
    limbs: int

    @property
    def run(self) -> SocRun:
        return systems.best(SocRun(self.design, self.op, self.n, self.limbs))

    @property
    def command(self) -> str:
        return self.run.command

    @property
    def source(self) -> str:
        return self.run.source


Asked = Query | SystemQuestion


class Provider(Protocol):
    def figures(self, query: Asked) -> Figures:
        """All figures of query.UNITS. NotBuiltError, NotMeasuredError, or what went wrong."""

    def recorded(self, query: Asked) -> str:
        """Version and date of an answer, and what has changed since."""


# ---- what pages ask --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Answer:
    figures: Figures
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
        self.queries: dict[Asked, Answer | NoAnswer | None] = {}

    def ask(self, query: Asked, figure: str) -> Measurement:
        unit = query.UNITS[figure]
        kind = Kind.modelled if figure in query.MODELLED else Kind.measured
        answer = self.queries.setdefault(query, None)
        if answer is None:
            answer = NoAnswer(Status.not_measured)
        if isinstance(answer, NoAnswer):
            return missing(answer.status, unit, kind, query.command, query.source, answer.detail, answer.phrase)
        if figure not in answer.figures:
            return missing(Status.failed, unit, kind, query.command, query.source, f"The answer has no {figure!r}.")
        caveat = query.CAVEATS.get(figure, "")
        return Measurement(
            answer.figures[figure], unit, kind, query.command, query.source, caveat=caveat, recorded=answer.recorded
        )

    def measure(self, provider: Provider, progress: Progress | None = None) -> None:
        open_queries = [query for query, answer in self.queries.items() if answer is None]
        for number, query in enumerate(open_queries):
            if progress is not None:
                progress(number, len(open_queries))
            self.queries[query] = _answer(provider, query)
        if progress is not None:
            progress(len(open_queries), len(open_queries))


def _answer(provider: Provider, query: Asked) -> Answer | NoAnswer:
    """A measurement that fails leaves the other numbers. Any other exception is a fault of ours, and ends the report."""
    from ..sim.verilate import SimulationError
    from ..synth.asic.liberty_syntax import LibertyError
    from ..synth.yosys import YosysError

    try:
        found = provider.figures(query)
        return Answer(
            {figure: float(found[figure]) for figure in query.UNITS if figure in found}, provider.recorded(query)
        )
    except NotBuiltError as error:
        return NoAnswer(Status.not_built, str(error), scope.lacks(query))
    except NotMeasuredError as error:
        phrase = scope.left_out(query.run if isinstance(query, SystemQuestion) else query)
        return NoAnswer(Status.by_command if phrase else Status.not_measured, str(error), phrase)
    except (RingsideError, SimulationError, YosysError, LibertyError, OSError, SubprocessError) as error:
        text = str(error) if isinstance(error, RingsideError) else f"{type(error).__name__}: {error}"
        return NoAnswer(Status.failed, text)


# ---- the ledger ------------------------------------------------------------------------------------------------------
class Recorded:
    """Recorded answers. measure: what is missing or old is measured, and kept for later. say: called with what is done now."""

    def __init__(self, books: Books, *, measure: bool = False, say: Callable[[str], None] = answers.silent) -> None:
        self.books, self.measure, self.say = books, measure, say

    def _row(self, query: Asked) -> Row:
        _check_design(query)
        asked: Query = query.run if isinstance(query, SystemQuestion) else query
        row = self.books.find(asked)
        if self.measure and (row is None or row.state() is State.old):
            self.say(asked.command)
            row = answers.measure(asked, say=self.say)
            self.books.own.put(row)
        if row is None:
            alone = f"`{asked.command}` or " * isinstance(asked, SocRun | Processor | ProcessorPower)  # they record it
            raise NotMeasuredError(f"run {alone}`ringside report --measure`")
        return row

    def figures(self, query: Asked) -> Figures:
        """NotBuiltError, NotMeasuredError; with `measure` also what went wrong."""
        row = self._row(query)
        if REFUSED in row.figures:
            raise NotBuiltError(row.figures[REFUSED])
        if isinstance(query, SystemQuestion):
            found = systems.system(dict(row.figures))
            core = found.stages.get("core")
            return {"cycles": found.cycles, "core": core.cycles if core else 0}
        return row.figures

    def recorded(self, query: Asked) -> str:
        row = self._row(query)
        changed = ", ".join(row.changed()) if row.state() is State.old else ""
        return row.recorded + (f" (changed since: {changed})" if changed else "")


def _check_design(query: Asked) -> None:
    """NotBuiltError: there is none of that name, or the N of a system is too large for it."""
    name = getattr(query, "design", ALONE)
    if name == ALONE:
        return
    if name not in designs.names():
        raise NotBuiltError(f"there is no design {name}")
    most = 1 << designs.load(name).log_n_max
    if isinstance(query, SystemQuestion) and query.n > most:
        raise NotBuiltError(f"{name} goes up to N = {most}")
