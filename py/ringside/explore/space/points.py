# SPDX-License-Identifier: Apache-2.0
"""All valid points of a space as columns of small codes: never an object for each of them.

Axes are multiplied one by one, and each rule between fields of designs (`ringside.designs.rules`) is applied as soon as all fields that it reads are
bound, so that what cannot be never multiplies with what follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...designs import Design
from ...designs.design import RESEARCH, types
from ...designs.rules import RULES, Rule
from ...errors import ParameterError
from .links import LinkError
from .reader import ASIDE, ENGINE, ENGINES, LATENCY, LATENCY_USUAL, SYSTEM, Space, fields, places

POINTS_MAX = 1 << 21  # that are held at a time
CHUNK = 1 << 17
CODES_MAX = 256  # values of an axis or a link: a code is a byte, also on the page
Codes = NDArray[np.uint8]


class TooManyError(Exception):
    """More points than are looked at one by one."""


@dataclass(frozen=True)
class Points:
    """codes: of each axis and link, by its name; choices: the values that codes mean. What is not there is the base's."""

    space: Space
    codes: dict[str, Codes]
    choices: dict[str, NDArray[Any]]
    ruled_out: dict[str, int] = field(
        default_factory=dict
    )  # sentences on what cannot be, with the number of combinations

    def __len__(self) -> int:
        return len(next(iter(self.codes.values())))

    def column(self, name: str) -> Any:
        """A field's values, or its one value."""
        if name in self.codes:
            return self.choices[name][self.codes[name]]
        if name == LATENCY:
            return LATENCY_USUAL
        if name == ENGINE:
            return ENGINES[self.space.base.stream_lanes > 0]
        return None if name in SYSTEM else getattr(self.space.base, name)

    def take(self, index: NDArray[Any]) -> Points:
        return replace(self, codes={name: codes[index] for name, codes in self.codes.items()})

    def design(self, i: int, name: str = "") -> Design:
        found = {f: self.choices[f][c[i]].item() for f, c in self.codes.items() if f not in ASIDE}
        return replace(
            self.space.base, name=name or f"{self.space.name}-{i}", source="ringside explore", status=RESEARCH, **found
        )

    def latency(self, i: int) -> int:
        return int(self.choices[LATENCY][self.codes[LATENCY][i]]) if LATENCY in self.codes else LATENCY_USUAL


class _Recorder:
    """Values of a design that remember which of them were read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values, self.read = values, set[str]()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return self._values[name]


def needs(base: Design) -> list[tuple[Rule, frozenset[str]]]:
    """Every rule with the fields that it reads."""
    found = []
    for rule in RULES:
        recorder = _Recorder(asdict(base))
        rule.breaks(recorder)
        found.append((rule, frozenset(recorder.read)))
    return found


def enumerate_all(space: Space, most: int = POINTS_MAX) -> Points:
    """TooManyError: there are more than `most` before the last axis is multiplied. ParameterError: a link takes too many values."""
    names = fields()
    codes: dict[str, Codes] = {}
    choices: dict[str, NDArray[Any]] = {}
    waiting = dict(space.linked)
    open_fields = set(space.axes) | set(waiting)
    rules = [(rule, reads & open_fields) for rule, reads in needs(space.base)]
    ruled_out: dict[str, int] = {}
    count = 1
    for axis in [None, *sorted(space.axes, key=lambda name: name in SYSTEM)]:
        if axis is not None:
            values = space.axes[axis]
            if count * len(values) > 4 * most:
                raise TooManyError
            codes = {name: np.repeat(column, len(values)) for name, column in codes.items()}
            codes[axis] = np.tile(np.arange(len(values), dtype=np.uint8), count)
            choices[axis] = np.asarray(values)
            count *= len(values)
        for linked_field in list(waiting):
            linked = {names.get(name, name) for name in waiting[linked_field].names}
            if all(name in codes or name not in open_fields for name in linked):
                point = Points(space, codes, choices)
                of = {name: point.column(names.get(name, name)) for name in waiting[linked_field].names}
                _bind(point, linked_field, of, count)
                del waiting[linked_field]
        ready = [(rule, reads) for rule, reads in rules if reads <= codes.keys()]
        rules = [(rule, reads) for rule, reads in rules if not reads <= codes.keys()]
        if ready:
            keep = _valid(space.base, codes, choices, [rule for rule, _ in ready], count)
            if not keep.any():
                ruled_out = reasons(Points(space, codes, choices), [rule for rule, _ in ready])
            codes = {name: column[keep] for name, column in codes.items()}
            count = len(next(iter(codes.values()))) if codes else int(keep.all())
        if not count:
            break
        if count > most:
            raise TooManyError
    return _of_engines(Points(space, codes, choices, ruled_out))


def reasons(points: Points, rules: Sequence[Rule] = RULES) -> dict[str, int]:
    """What rules out points, in the sentence about the first one, and how many it does."""
    found: dict[str, int] = {}
    count = len(points) if points.codes else 1
    for rule in rules:
        keep = _valid(points.space.base, points.codes, points.choices, [rule], count)
        if not keep.all():
            found[rule.says(points.design(int(np.argmin(keep))))] = int(count - keep.sum())
    return found


def engine_of(points: Points) -> Any:
    """Of every point, or of all: which engine it is."""
    return np.where(np.asarray(points.column("stream_lanes")) > 0, ENGINES[1], ENGINES[0])


def _is_engine(points: Points) -> NDArray[np.bool_]:
    """Where the axis `engine` says what the design is."""
    if ENGINE not in points.codes:
        return np.ones(len(points), bool)
    return np.asarray(points.column(ENGINE) == engine_of(points), bool)


def _of_engines(points: Points) -> Points:
    return points.take(np.flatnonzero(_is_engine(points))) if ENGINE in points.codes else points


def _bind(points: Points, field: str, of: Mapping[str, Any], count: int) -> None:
    link = points.space.linked[field]
    kind, place = types()[field], places().get(field, field)
    try:
        values = np.broadcast_to(np.asarray(link.value(of)), count)
        if (kind is str) != (values.dtype.kind == "U"):
            raise LinkError(
                f"{link.text} is {'a number' if kind is str else 'a text'}, where {place} is {'a text' if kind is str else 'none'}"
            )
    except LinkError as error:
        hint = "Numbers go with numbers; `A // B if B else C` divides where B is not zero."
        raise ParameterError("SPACE", f"{points.space.name}: [link] {place}: {error}.", hint) from None
    different, where = np.unique(values, return_inverse=True)
    if len(different) > CODES_MAX:
        message = (
            f"{points.space.name}: [link] {place} takes {len(different)} different values; {CODES_MAX} are the most."
        )
        raise ParameterError("SPACE", message, "Let it follow fewer axes, or axes of fewer values.")
    points.choices[field] = different.astype({int: np.int64, bool: np.bool_}.get(kind, np.str_))
    points.codes[field] = where.astype(np.uint8)


def _valid(
    base: Design, codes: Mapping[str, Codes], choices: Mapping[str, NDArray[Any]], rules: Sequence[Rule], count: int
) -> NDArray[np.bool_]:
    keep = np.ones(count, bool)
    for first in range(0, count, CHUNK):
        part = slice(first, first + CHUNK)
        columns = {name: choices[name][column[part]] for name, column in codes.items() if name not in ASIDE}
        given = SimpleNamespace(**{**asdict(base), **columns})
        for rule in rules:
            keep[part] &= ~np.asarray(rule.breaks(given), bool)
    return keep


def from_rows(space: Space, rows: Sequence[Mapping[str, Any]]) -> Points:
    """Points given one by one, by their axes; links are bound; what is invalid stays (`valid` says which)."""
    choices = {name: np.asarray(values) for name, values in space.axes.items()}
    codes = {name: np.array([values.index(row[name]) for row in rows], np.uint8) for name, values in space.axes.items()}
    found = Points(space, codes, choices)
    names = fields()
    for linked_field, link in space.linked.items():
        _bind(found, linked_field, {name: found.column(names.get(name, name)) for name in link.names}, len(rows))
    return found


def valid(points: Points) -> NDArray[np.bool_]:
    return _valid(points.space.base, points.codes, points.choices, RULES, len(points)) & _is_engine(points)
