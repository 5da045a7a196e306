# SPDX-License-Identifier: Apache-2.0
"""Values in files: NumPy (.npy), text (.csv), grey images (.png)."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from ..native.files import StrPath, read_error, write_bytes

SUFFIXES = (".npy", ".csv", ".png")


def check_suffix(path: StrPath) -> str:
    """The file's suffix, if it is a known one; UsageError otherwise."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise UsageError("FILE_TYPE", f"Unknown file type {suffix!r} of {path}.", f"Use {known}.")
    return suffix


def read_values(path: StrPath) -> NDArray[Any]:
    """Values of a file: float64 or complex128 in the file's shape.

    .npy: any numeric array; .csv: numbers or a+bj, one or more columns; .png: grey levels in
    [0, 1], [row, column]. FileError, UsageError (suffix), InputError (content).
    """
    suffix = check_suffix(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise read_error(path, error) from error
    if suffix == ".npy":
        return _read_npy(path, data)
    return _read_csv(path, data) if suffix == ".csv" else _read_png(path, data)


def _read_npy(path: StrPath, data: bytes) -> NDArray[Any]:
    try:
        array: Any = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputError("FILE_CONTENT", f"{path} is not a numeric NumPy file.") from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biufc":
        raise InputError("FILE_CONTENT", f"{path} does not hold one array of numbers.")
    return np.asarray(array, dtype=np.complex128 if array.dtype.kind == "c" else np.float64)


def _read_csv(path: StrPath, data: bytes) -> NDArray[Any]:
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("FILE_CONTENT", f"{path} is not a text file.") from error
    rows: list[list[complex]] = []
    is_complex = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row: list[complex] = []
        for field in line.split(","):
            text = field.replace(" ", "").replace("\t", "").replace("i", "j")
            try:
                row.append(float(field))
                continue
            except ValueError:
                pass
            try:
                row.append(complex(text))
                is_complex = True
            except ValueError as error:
                message = f"{path}, line {number}: {field.strip()!r} is not a number."
                hint = "Columns are separated by commas, complex numbers written a+bj."
                raise InputError("FILE_CONTENT", message, hint) from error
        rows.append(row)
    dtype = np.complex128 if is_complex else np.float64
    if len({len(row) for row in rows}) > 1:  # rows of unequal length: one flat row
        rows = [[value for row in rows for value in row]]
    return np.array(rows, dtype=dtype)


def _read_png(path: StrPath, data: bytes) -> NDArray[np.float64]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            if image.mode.startswith("I"):  # 16 bits
                return np.asarray(image, dtype=np.float64) / 65535
            return np.asarray(image.convert("L"), dtype=np.float64) / 255
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError("FILE_CONTENT", f"{path} is not a readable PNG image.") from error


def write_values(path: StrPath, values: NDArray[Any], shape: tuple[int, ...] | None = None) -> None:
    """Writes a row of values, in `shape` if one is given; the suffix decides the format.

    .csv: one value per line, or one row of the shape. .png: real values clipped to [0, 1]; without
    a shape the number of values must be a square.
    """
    suffix = check_suffix(path)
    if shape is None and suffix == ".png":
        side = math.isqrt(values.size)
        if side * side != values.size:
            message = f"The shape of {values.size} pixels is unknown."
            raise UsageError("SHAPE", message, "Give --shape ROWSxCOLUMNS.")
        shape = (side, side)
    if shape is not None:
        if math.prod(shape) != values.size:
            wanted = "x".join(map(str, shape))
            message = f"{values.size} values do not fill the shape {wanted}."
            raise UsageError("SHAPE", message, "Change --shape or --count.")
        values = values.reshape(shape)
    if suffix == ".npy":
        stream = io.BytesIO()
        np.save(stream, values, allow_pickle=False)
        data = stream.getvalue()
    elif suffix == ".csv":
        data = _csv_text(values).encode()
    else:
        data = _png_bytes(values)
    write_bytes(path, data)


def _csv_text(values: NDArray[Any]) -> str:
    rows = values.reshape(-1, 1) if values.ndim < 2 else values.reshape(values.shape[0], -1)

    def text(value: Any) -> str:
        if isinstance(value, complex):
            return f"{value.real!r}{'' if repr(value.imag).startswith('-') else '+'}{value.imag!r}j"
        return repr(value)

    return "".join(",".join(map(text, row)) + "\n" for row in rows.tolist())


def _png_bytes(values: NDArray[Any]) -> bytes:
    from PIL import Image

    if values.dtype.kind == "c":
        raise UsageError("FILE_TYPE", "Complex values do not fit into a PNG image.", "Use .npy.")
    if values.ndim != 2:
        raise UsageError("SHAPE", "An image needs two dimensions.", "Give --shape ROWSxCOLUMNS.")
    grey = np.rint(np.clip(values, 0.0, 1.0) * 255).astype(np.uint8)
    stream = io.BytesIO()
    Image.fromarray(grey).save(stream, format="PNG")
    return stream.getvalue()
