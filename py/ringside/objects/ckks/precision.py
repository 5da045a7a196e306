# SPDX-License-Identifier: Apache-2.0
"""Precision in bits after the binary point."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...arguments import checked
from ...errors import InputError
from ...native.library import ffi, lib
from ..common.arrays import numbers


@checked
def measured_precision(got: ArrayLike, truth: ArrayLike) -> float:
    """-log2 of the root-mean-square of got - truth, in bits; 64 if they are equal.

    Complex values count as two numbers. InputError if the sizes differ.
    """
    rows = [numbers(got), numbers(truth)]
    dtype = np.result_type(*rows)
    got_row, truth_row = (row.astype(dtype, copy=False).view(np.float64) for row in rows)
    if got_row.size != truth_row.size:
        sizes = f"{got_row.size} and {truth_row.size}"
        raise InputError("RS_ERR_VALUE_COUNT", f"Cannot compare arrays of {sizes} numbers.", "Pass two of one size.")
    if got_row.size == 0:
        raise InputError("RS_ERR_VALUE_COUNT", "Cannot compare empty arrays.", "Pass one number or more.")
    pointers = (ffi.from_buffer("double[]", row) for row in (got_row, truth_row))
    return float(lib.rs_precision_measured(*pointers, got_row.size))
