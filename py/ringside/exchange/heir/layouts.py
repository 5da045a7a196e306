# SPDX-License-Identifier: Apache-2.0
"""Layouts of HEIR: which value is in which slot of which ciphertext, as a relation of isl, and the same as runs.

A relation is `{ [i0, i1] -> [ct, slot] : constraints }`. isl says that it is a function from slots to values and gives that function in pieces, which
are evaluated for all slots at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...hints import install

POINTS_MAX = 1 << 20  # slots of all ciphertexts of an argument
RELATION_CHARACTERS_MAX = 1 << 14
_OPERATIONS_MAX = 10**6  # isl counts them: seconds
_COEFFICIENT_MAX = 1 << 31  # sums of products with places then fit into 64 bits
_STEP_MAX = (1 << 15) - 1  # 16 bits each in a stub's table

SlotRun = tuple[int, int, int, int, int]  # value, its step, how many, slot, its step
Indices = NDArray[np.int64]


def _wrong(relation: str, reason: str, hint: str) -> InputError:
    return InputError("HEIR_LAYOUT", f"The layout {relation[:160]} {reason}.", hint)


def values_of_slots(relation: str, shape: Sequence[int], ciphertexts: int, slots: int) -> Indices:
    """For each slot of all ciphertexts the index of its value, in the order of memory, or -1. InputError: the relation is none of these."""
    count = ciphertexts * slots
    if not 0 < count <= POINTS_MAX or not 0 < math.prod(shape) <= POINTS_MAX:
        reason = f"is for {ciphertexts} ciphertexts of {slots} slots, {math.prod(shape)} values"
        raise _wrong(
            relation, reason, f"Up to {POINTS_MAX} of each are read; compile with a smaller min-slot-count, or tensor."
        )
    if len(relation) > RELATION_CHARACTERS_MAX:
        reason = f"has {len(relation)} characters, and {RELATION_CHARACTERS_MAX} are read"
        raise _wrong(relation, reason, "HEIR's own have some hundred: is this file what heir-opt printed?")
    try:
        import islpy as isl
    except ImportError as error:
        message = "Layouts of HEIR are relations of isl, and the package islpy is not installed."
        raise UsageError("HEIR_ISLPY", message, f"SlotRun {install('heir', 'test')}.") from error
    context = isl.Context()
    context.set_max_operations(_OPERATIONS_MAX)
    try:
        found = _inverted(isl, context, relation, shape, ciphertexts, slots)
        grid = [axis.reshape(-1) for axis in np.indices((ciphertexts, slots), dtype=np.int64)]
        owners = np.full(count, -1, np.int64)
        pieces: list[tuple[Any, Any]] = []
        found.foreach_piece(lambda domain, target: pieces.append((domain, target)))
        for domain, target in pieces:
            inside = np.zeros(count, bool)
            for basic in domain.compute_divs().get_basic_sets():
                meets = np.ones(count, bool)
                for constraint in basic.get_constraints():
                    left = _evaluated(isl, constraint.get_aff(), grid)[0]
                    meets &= (left == 0) if constraint.is_equality() else (left >= 0)
                inside |= meets
            place = np.zeros(count, np.int64)
            for axis, size in enumerate(shape):
                top, bottom = _evaluated(isl, target.get_at(axis), grid)
                place = place * size + top // bottom
            owners[inside] = place[inside]
        return owners
    except isl.Error as error:
        reason = f"is none that isl reads within {_OPERATIONS_MAX} steps"
        raise _wrong(
            relation, reason, "HEIR's are `{ [i0] -> [ct, slot] : … }`; is this file what heir-opt printed?"
        ) from error
    finally:
        context.reset_operations()


def _inverted(isl: Any, context: Any, relation: str, shape: Sequence[int], ciphertexts: int, slots: int) -> Any:
    """From slots to values, as a function in pieces."""
    whole = isl.Map.read_from_str(context, relation)
    hint = "Is this file what heir-opt printed? If so, please report it."
    if whole.dim(isl.dim_type.param) or (whole.dim(isl.dim_type.in_), whole.dim(isl.dim_type.out)) != (len(shape), 2):
        raise _wrong(relation, f"does not lead from {len(shape)} indices to a ciphertext and a slot", hint)

    def box(sizes: Sequence[int]) -> Any:
        names = [f"x{axis}" for axis in range(len(sizes))]
        bounds = " and ".join(f"0 <= {name} < {size}" for name, size in zip(names, sizes, strict=True))
        return isl.Set.read_from_str(context, f"{{ [{', '.join(names)}] : {bounds or '1 = 1'} }}")

    if not whole.range().is_subset(box((ciphertexts, slots))):
        raise _wrong(relation, f"leads beyond {ciphertexts} ciphertexts of {slots} slots", hint)
    if not whole.domain().is_subset(box(shape)):
        raise _wrong(relation, f"has values beyond the shape {list(shape)}", hint)
    reverse = whole.reverse()
    if not reverse.is_single_valued():
        raise _wrong(relation, "puts two values into one slot, which no client can fill", hint)
    return reverse.as_pw_multi_aff()


def _evaluated(isl: Any, aff: Any, grid: Sequence[Indices]) -> tuple[Indices, int]:
    """An affine expression at all places: numerators, and the denominator."""
    bottom = aff.get_denominator_val().to_python()

    def number(value: Any) -> int:
        scaled = int((value * bottom).to_python())
        if abs(scaled) > _COEFFICIENT_MAX:
            raise isl.Error("a coefficient is too large")
        return scaled

    top = np.full(grid[0].size, number(aff.get_constant_val()), np.int64)
    for axis, places in enumerate(grid):
        if factor := number(aff.get_coefficient_val(isl.dim_type.in_, axis)):
            top += factor * places
    for index in range(aff.dim(isl.dim_type.div)):
        if factor := number(aff.get_coefficient_val(isl.dim_type.div, index)):
            inner, under = _evaluated(isl, aff.get_div(index), grid)
            top += factor * (inner // under)
    return top, bottom


def runs_of(values: Indices, slots: Indices) -> list[SlotRun]:
    """Pairs of values and slots as the fewest runs found: in the order of slots, or of values."""
    by_slot, by_value = np.argsort(slots, kind="stable"), np.lexsort((slots, values))
    return min((_greedy(values[order], slots[order]) for order in (by_slot, by_value)), key=len)


def _greedy(values: Indices, slots: Indices) -> list[SlotRun]:
    """Each run is as long as its first two steps say. A step of slots is not negative."""
    value_steps, slot_steps = np.diff(values), np.diff(slots)
    fits = (abs(value_steps) <= _STEP_MAX) & (slot_steps >= 0) & (slot_steps <= _STEP_MAX)
    same = np.append((np.diff(value_steps) == 0) & (np.diff(slot_steps) == 0) & fits[1:], False)
    found: list[SlotRun] = []
    start, last = 0, len(values) - 1
    breaks = np.append(np.flatnonzero(~same), last)  # steps after which another one follows
    while start <= last:
        if start == last or not fits[start]:
            found.append((int(values[start]), 0, 1, int(slots[start]), 0))
            start += 1
            continue
        stop = int(breaks[np.searchsorted(breaks, start)]) + 1
        steps = int(value_steps[start]), int(slot_steps[start])
        found.append((int(values[start]), steps[0], stop - start + 1, int(slots[start]), steps[1]))
        start = stop + 1
    return found


def spread(runs: Sequence[SlotRun]) -> tuple[Indices, Indices]:
    """The values and the slots of runs."""
    if not runs:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    value, value_step, count, slot, slot_step = (np.array(column, np.int64) for column in zip(*runs, strict=True))
    offsets = np.concatenate([np.arange(one) for one in count.tolist()])
    return np.repeat(value, count) + offsets * np.repeat(value_step, count), np.repeat(
        slot, count
    ) + offsets * np.repeat(slot_step, count)
