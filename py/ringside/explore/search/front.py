# SPDX-License-Identifier: Apache-2.0
"""Pareto fronts of many points: those that no other point is as good as in everything, and better in something."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 2048
Index = NDArray[np.int64]


def front(values: NDArray[np.float64]) -> Index:
    """Points of the front, by their first value. values: a row for each point, small is good; of equal rows the first one stands for all."""
    if not len(values):
        return np.zeros(0, np.int64)
    different, first = np.unique(values, axis=0, return_index=True)  # sorted by the first column, then the next
    kept = np.zeros((0, values.shape[1]))
    places: list[Any] = []
    for begin in range(0, len(different), BLOCK):
        block = different[begin : begin + BLOCK]
        alive = np.flatnonzero(~_beaten(block, kept))
        block = block[alive]
        own = ~_beaten_inside(block)
        kept = np.concatenate([kept, block[own]])
        places.append(first[begin + alive[own]])
    return np.asarray(np.concatenate(places), np.int64)


def _beaten(block: NDArray[np.float64], kept: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rows that are unlike every kept one, so as good in everything is enough."""
    found = np.zeros(len(block), bool)
    for begin in range(0, len(kept), 256):
        rest = np.flatnonzero(~found)
        some = kept[begin : begin + 256]
        found[rest] = np.any(np.all(some[None, :, :] <= block[rest, None, :], axis=2), axis=1)
    return found


def _beaten_inside(block: NDArray[np.float64]) -> NDArray[np.bool_]:
    found = np.zeros(len(block), bool)
    for i in range(len(block)):
        if not found[i]:
            worse = (block[i] <= block[i + 1 :]).all(axis=1)
            found[i + 1 :] |= worse
    return found


def near(values: NDArray[np.float64], chosen: Index, distance: float) -> Index:
    """Points that would be on the front, or beside it, if every value were better by this part of it."""
    best = values[chosen]
    better = values - np.abs(values) * distance
    found = np.zeros(len(values), bool)
    for begin in range(0, len(values), BLOCK):
        block = better[begin : begin + BLOCK]
        found[begin : begin + BLOCK] = ~np.any(np.all(best[None, :, :] < block[:, None, :], axis=2), axis=1)
    return np.flatnonzero(found)


def covered(values: NDArray[np.float64], by: NDArray[np.float64], distance: float) -> NDArray[np.bool_]:
    """Whether a row of `by` is as good as the point in everything, but for this part of each value."""
    best = by[front(by)]
    limit = values + np.abs(values) * distance
    found = np.zeros(len(values), bool)
    for begin in range(0, len(values), BLOCK):
        block = limit[begin : begin + BLOCK]
        found[begin : begin + BLOCK] = np.any(np.all(best[None, :, :] <= block[:, None, :], axis=2), axis=1)
    return found


def knee(values: NDArray[np.float64], chosen: Index) -> int:
    """The point of a front that is nearest to being best in everything, on logarithmic scales; the balanced one."""
    some = np.log(np.maximum(values[chosen], 1e-12))
    span = np.maximum(some.max(axis=0) - some.min(axis=0), 1e-12)
    distance = (((some - some.min(axis=0)) / span) ** 2).sum(axis=1)
    return int(chosen[int(distance.argmin())])
