# SPDX-License-Identifier: Apache-2.0
"""Values in files: NumPy (.npy), text (.csv), grey images (.png)."""

from __future__ import annotations

import io
import math
import tokenize
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...native.files import StrPath, read_file
from .csv_file import CsvTable, read_csv
from .integers import Integers

FORMATS = ("npy", "csv", "png")
TEXT = ("csv",)  # the others are binary


_NUMPY_HINT = "np.save writes an array of numbers to one."


def format_of(path: StrPath) -> str:
    """The format that the file's name tells; UsageError if it tells none."""
    suffix = Path(path).suffix.lower()
    if suffix.removeprefix(".") in FORMATS:
        return suffix.removeprefix(".")
    known = ", ".join(f".{name}" for name in FORMATS)
    message = f"Unknown file type {suffix!r} of {path}." if suffix else f"The name {str(path)!r} tells no file type."
    raise UsageError("FILE_TYPE", message, f"Use {known}, or say it with --format.")


def read_values(
    path: StrPath, kind: str | None = None, table: CsvTable | None = None, integers: Integers | None = None
) -> NDArray[Any]:
    """Values of a file: float64 or complex128, or integers of the wanted kind, in the file's shape. kind: one of FORMATS; None: as the file's name tells.

    npy: any numeric array; csv: numbers or a+bj, one or more columns; png: grey levels in
    [0, 1], [row, column]. FileError, UsageError (format), InputError (content).
    """
    kind = kind or format_of(path)
    return parse_values(path, read_file(path), kind, table, integers)


def parse_values(
    name: StrPath, data: bytes, kind: str, table: CsvTable | None = None, integers: Integers | None = None
) -> NDArray[Any]:
    """The same of a file's content. name: for messages."""
    if table is not None and kind != "csv":
        raise UsageError("USAGE", f"{name} has no columns: --header, --columns and --separator are about CSV files.")
    if kind == "npy":
        return (
            _finite(name, _read_npy(name, data)) if integers is None else integers.checked(name, _read_npy(name, data))
        )
    if kind == "csv":
        return read_csv(name, data, replace(table or CsvTable(), integers=integers))
    if integers is not None:
        raise UsageError("FILE_TYPE", f"{name} is a picture, whose grey levels are no integers.", "Use .npy or .csv.")
    return _read_png(name, data)


def _read_npy(path: StrPath, data: bytes) -> NDArray[Any]:
    try:
        array: Any = np.load(io.BytesIO(data), allow_pickle=False)
    except MemoryError as error:  # said by the header alone, which may lie
        raise InputError("FILE_CONTENT", f"{path} claims more numbers than fit into memory.", _NUMPY_HINT) from error
    except (ValueError, EOFError, OSError, OverflowError, SyntaxError, tokenize.TokenError) as error:
        raise InputError("FILE_CONTENT", f"{path} is not a numeric NumPy file.", _NUMPY_HINT) from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biufc":
        raise InputError("FILE_CONTENT", f"{path} does not hold one array of numbers.", _NUMPY_HINT)
    return array


def _finite(path: StrPath, array: NDArray[Any]) -> NDArray[Any]:
    values = np.asarray(array, dtype=np.complex128 if array.dtype.kind == "c" else np.float64)
    for index in np.argwhere(~np.isfinite(values)):
        message = f"{path}, index {index.tolist()}: {values[tuple(index)]} is not a finite number."
        raise InputError("FILE_CONTENT", message, "Replace it, for example by np.nan_to_num.")
    return values


def _read_png(path: StrPath, data: bytes) -> NDArray[np.float64]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            if image.mode.startswith("I"):  # 16 bits
                return np.asarray(image, dtype=np.float64) / 65535
            return np.asarray(image.convert("L"), dtype=np.float64) / 255
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError("FILE_CONTENT", f"{path} is not a readable PNG image.", "Save it again as PNG.") from error


def format_values(values: NDArray[Any], kind: str, shape: tuple[int, ...] | None = None) -> bytes:
    """The content of a file of values.

    csv: one value per line, or one row of the shape. png: real values clipped to [0, 1]; without
    a shape the number of values must be a square.
    """
    if shape is None and kind == "png":
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
    if kind == "csv":
        return _csv_text(values).encode()
    if kind == "png":
        return _png_bytes(values)
    stream = io.BytesIO()
    np.save(stream, values, allow_pickle=False)
    return stream.getvalue()


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
