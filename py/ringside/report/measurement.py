# SPDX-License-Identifier: Apache-2.0
"""A number with what one must know to trust it, or the reason why there is none."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

REPORT = "ringside report"  # makes what follows from a formula alone


class Kind(StrEnum):
    measured = "measured"  # by simulation, synthesis or a clock
    modelled = "modelled"  # computed from other numbers
    published = "published"  # printed in a paper


class Status(StrEnum):
    present = "present"
    not_built = "not built yet"  # there is no such design, or it cannot do that
    not_measured = "not measured yet"
    by_command = "by command"  # left out by the rule of scope.py: it takes hours
    absent = "not in the text"  # the paper has it, the text that we have does not
    failed = "failed"


@dataclass(frozen=True)
class Measurement:
    """value: None unless the status is present. command: what makes it. source: what it comes from.

    detail: of a missing value, why; phrase: the same in a few words, for a cell. caveat: what a reader should know about a value. recorded: with which
    version, and when.
    """

    value: float | None
    unit: str
    kind: Kind
    command: str
    source: str
    status: Status = Status.present
    detail: str = ""
    caveat: str = ""
    recorded: str = ""
    phrase: str = ""

    @property
    def when(self) -> str:
        """For a page."""
        return f"recorded: {self.recorded}" if self.recorded else ""

    @property
    def absence(self) -> str:
        """Why a value is missing, for a page."""
        return self.phrase or str(self.status)

    def __post_init__(self) -> None:
        if (self.value is None) == (self.status is Status.present):
            raise ValueError(f"{self.value} and {self.status} contradict each other")


def missing(
    status: Status, unit: str, kind: Kind, command: str, source: str, detail: str = "", phrase: str = ""
) -> Measurement:
    return Measurement(None, unit, kind, command, source, status, detail, phrase=phrase)


def derive(
    unit: str, formula: str, function: Callable[..., float], *inputs: Measurement, caveat: str = ""
) -> Measurement:
    """function(values of the inputs), modelled; missing like the first input that is. formula: the function in words."""
    command = " ; ".join(dict.fromkeys(given.command for given in inputs if given.command))
    for given in inputs:
        if given.value is None:
            return missing(given.status, unit, Kind.modelled, command, formula, given.detail, given.phrase)
    value = function(*(given.value for given in inputs))
    sources = ", ".join(dict.fromkeys(given.source for given in inputs))
    caveats = " ".join(dict.fromkeys(text for text in (*(given.caveat for given in inputs), caveat) if text))
    recorded = "; ".join(dict.fromkeys(given.recorded for given in inputs if given.recorded))
    return Measurement(
        value, unit, Kind.modelled, command, f"{formula}; from {sources}", caveat=caveats, recorded=recorded
    )
