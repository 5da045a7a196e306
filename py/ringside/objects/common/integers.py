# SPDX-License-Identifier: Apache-2.0
"""Files of values that have to be integers: of which kind, and what is said of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...native.files import StrPath

ROUND_HINT = "Round them, as by np.rint(values).astype(np.int64); keys of CKKS encrypt real numbers."


@dataclass(frozen=True)
class Integers:
    """The integers that values have to be. span: the lowest and the highest; None: any. hint: what to do about others."""

    span: tuple[int, int] | None = None
    hint: str = ""

    def trouble(self, value: int) -> str:
        """What is wrong with a value, as the end of a sentence; '' if nothing is."""
        if self.span is None or self.span[0] <= value <= self.span[1]:
            return ""
        return f"is not from {self.span[0]} to {self.span[1]}"

    def checked(self, name: StrPath, array: NDArray[Any]) -> NDArray[Any]:
        """An array of a file, if it holds such integers. InputError names the first other one."""
        if array.dtype.kind not in "iub":
            raise InputError("VALUE_TYPE", f"{name} must hold integers, not {array.dtype}.", ROUND_HINT)
        if self.span is not None:
            for index in np.argwhere((array < self.span[0]) | (array > self.span[1])):
                value = int(array[tuple(index)])
                message = f"{name}, index {index.tolist()}: {value} {self.trouble(value)}."
                raise InputError("RS_ERR_VALUE_RANGE", message, self.hint)
        return array.astype(np.int64) if array.dtype.kind == "b" else array


def rows_of_integers(rows: Sequence[Sequence[int]]) -> NDArray[Any]:
    """int64 [row, column]; objects, where a number has more bits."""
    try:
        return np.array(rows, dtype=np.int64)
    except OverflowError:
        return np.array(rows, dtype=object)
