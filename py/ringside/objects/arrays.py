# SPDX-License-Identifier: Apache-2.0
"""What users pass as values, as the library wants it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, of_frame


def numbers(values: ArrayLike) -> NDArray[Any]:
    """Values as one contiguous row of float64 or complex128, not copied if they are that."""
    array = np.asarray(values)
    if array.dtype.kind not in "biufc":
        kind = "text" if array.dtype.kind in "US" else f"dtype {array.dtype}"
        raise InputError("VALUE_TYPE", f"Values must be real or complex numbers, not {kind}.")
    dtype = np.complex128 if array.dtype.kind == "c" else np.float64
    return np.ascontiguousarray(array, dtype=dtype).reshape(-1)


def row(index: int, frame: ArrayLike) -> NDArray[Any]:
    """One frame's values, see numbers."""
    if np.ndim(frame) == 0:
        message = f"Frame {index} is a single value."
        raise InputError("VALUE_TYPE", message, "Give one row of values per ciphertext; `encrypt` takes a single row.")
    try:
        return numbers(frame)
    except InputError as error:
        raise of_frame(index, error) from error
