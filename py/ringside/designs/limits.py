# SPDX-License-Identifier: Apache-2.0
"""Limits of a design's fields: which values are allowed, and the words for one that is not.

A limit takes one value or a NumPy array of them. `fields` is a design, or arrays under the names of its fields; a bound is a number, or a function of the
fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Edge = int | Callable[[Any], Any]


def words_per_cycle(fields: Any) -> Any:
    """Words that enter or leave the banks in a cycle."""
    return np.minimum(fields.bus_bits // np.where(np.less_equal(fields.word_bits, 32), 32, 64), 4 * fields.lanes)


def smallest_log_n(lanes: Any) -> Any:
    """log2 of the smallest N of so many lanes: 16 words each (docs/ntt_schedule.md)."""
    return np.log2(np.asarray(np.maximum(lanes, 1), float)).astype(int) + 4


def _at(bound: Edge, fields: Any) -> Any:
    return bound(fields) if callable(bound) else bound


@dataclass(frozen=True)
class Limit(ABC):
    """zero: 0 is allowed, too. note: it follows the allowed values in messages; also a function of the design. manual: the allowed values in
    docs/designs.md, where they depend on other fields.
    """

    zero: bool = field(default=False, kw_only=True)
    note: str | Callable[[Any], str] = field(default="", kw_only=True)
    manual: str = field(default="", kw_only=True)

    def allows(self, value: Any, fields: Any) -> Any:
        held = self._holds(value, fields)
        return held | np.equal(value, 0) if self.zero else held

    def problem(self, name: str, value: Any, fields: Any) -> str:
        note = self.note(fields) if callable(self.note) else self.note
        return f"{name} must {self.allowed(fields)}{note}, got {value!r}"

    @abstractmethod
    def _holds(self, value: Any, fields: Any) -> Any: ...

    @abstractmethod
    def allowed(self, fields: Any) -> str:
        """The allowed values in words, after `must`."""


@dataclass(frozen=True)
class Within(Limit):
    low: Edge
    high: Edge

    def _holds(self, value: Any, fields: Any) -> Any:
        return np.greater_equal(value, _at(self.low, fields)) & np.less_equal(value, _at(self.high, fields))

    def allowed(self, fields: Any) -> str:
        return f"be {_at(self.low, fields)} to {_at(self.high, fields)}"


@dataclass(frozen=True)
class Power(Within):
    """Powers of two."""

    def _holds(self, value: Any, fields: Any) -> Any:
        return super()._holds(value, fields) & (np.bitwise_and(value, np.subtract(value, 1)) == 0)

    def allowed(self, fields: Any) -> str:
        return super().allowed(fields).replace("be ", "be a power of two, ")


@dataclass(frozen=True)
class OneOf(Limit):
    values: tuple[Any, ...]

    def _holds(self, value: Any, fields: Any) -> Any:
        return np.isin(value, self.values)

    def allowed(self, fields: Any) -> str:
        return f"be one of {', '.join(map(str, self.values))}"
