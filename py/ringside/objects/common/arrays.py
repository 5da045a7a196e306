# SPDX-License-Identifier: Apache-2.0
"""Values that users pass, as the library wants them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import InputError, of_frame

NUMBERS_HINT = "Pass numbers; np.asarray(values, dtype=float) says which of them is none."


def as_array(values: ArrayLike) -> NDArray[Any]:
    """Values that users pass, as an array: not copied if they are one. All values come in here.

    InputError: rows of several lengths, and masked values, which np.asarray would bring to light.
    """
    if _hides(values):
        hint = "Say what stands in their place: values.filled(0), or values.compressed() to leave them out."
        raise InputError("VALUE_MASKED", "Some values are masked, and would count like all others.", hint)
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        hint = "Give one row of numbers, or rows of one length."
        message = f"Values must be an array of numbers: {str(error).partition('. ')[0]}."
        raise InputError("VALUE_TYPE", message, hint) from error


def _hides(values: object) -> bool:
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.ma.is_masked(values))
    return isinstance(values, (list, tuple)) and any(map(_hides, values))


def numbers(values: ArrayLike) -> NDArray[Any]:
    """Values as one contiguous row of float64 or complex128, not copied if they are that."""
    array = as_array(values)
    if array.dtype.kind not in "biufc":
        kind = "text" if array.dtype.kind in "US" else f"dtype {array.dtype}"
        raise InputError("VALUE_TYPE", f"Values must be real or complex numbers, not {kind}.", NUMBERS_HINT)
    dtype = np.complex128 if array.dtype.kind == "c" else np.float64
    return np.ascontiguousarray(array, dtype=dtype).reshape(-1)


def row(index: int, frame: ArrayLike) -> NDArray[Any]:
    """One frame's values, see numbers."""
    try:
        array = numbers(frame)
    except InputError as error:
        raise of_frame(index, error) from error
    if np.ndim(frame) == 0:
        message = f"Frame {index} is a single value."
        raise InputError("VALUE_TYPE", message, "Give one row of values per ciphertext; `encrypt` takes a single row.")
    return array
