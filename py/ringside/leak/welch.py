# SPDX-License-Identifier: Apache-2.0
"""Welch's t of two classes, from sums that are kept while values come: memory does not grow with their number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Statistics = NDArray[np.float64]
FIXED, RANDOM = 0, 1  # the classes


class Sums:
    """Of two classes: how many, their sum, the sum of their squares. Whole numbers up to 2^53 are exact."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """shape: of the values of one trace."""
        self.count = np.zeros(2)
        self.total = np.zeros((2, *shape))
        self.squares = np.zeros((2, *shape))

    def add(self, of_class: int, values: NDArray[Any]) -> None:
        """values: one row for each trace."""
        rows = np.asarray(values, np.float64)
        self.count[of_class] += len(rows)
        self.total[of_class] += rows.sum(axis=0)
        self.squares[of_class] += (rows * rows).sum(axis=0)

    @property
    def traces(self) -> int:
        return int(self.count.sum())

    def t(self) -> Statistics:
        """Where nothing varies, 0 or infinity. At least two traces of each class."""
        count = self.count.reshape(2, *[1] * (self.total.ndim - 1))
        mean = self.total / count
        error = ((self.squares - mean * self.total) / (count - 1) / count).sum(axis=0)
        difference = mean[FIXED] - mean[RANDOM]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(difference == 0, 0.0, difference / np.sqrt(np.maximum(error, 0)))
