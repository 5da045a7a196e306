# SPDX-License-Identifier: Apache-2.0
"""Values in files: NumPy (.npy), text (.csv), grey images (.png)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from ..native.files import StrPath, read_file

FORMATS = ("npy", "csv", "png")
TEXT = ("csv",)  # the others are binary


@dataclass(frozen=True)
class Table:
    """How a CSV file is read.

    header: whether its first row holds the columns' names; None: it does if no cell of it is a number and none begins like one.
    columns: which to read, in this order, by name or by number from 1; empty: all. note: is told what was taken for a header.
    """

    header: bool | None = None
    columns: Sequence[str] = ()
    note: Callable[[str], None] = lambda text: None


def format_of(path: StrPath) -> str:
    """The format that the file's name tells; UsageError if it tells none."""
    suffix = Path(path).suffix.lower()
    if suffix.removeprefix(".") in FORMATS:
        return suffix.removeprefix(".")
    known = ", ".join(f".{name}" for name in FORMATS)
    raise UsageError("FILE_TYPE", f"Unknown file type {suffix!r} of {path}.", f"Use {known}, or say it with --format.")


def read_values(path: StrPath, kind: str | None = None, table: Table | None = None) -> NDArray[Any]:
    """Values of a file: float64 or complex128 in the file's shape. kind: one of FORMATS; None: as the file's name tells.

    npy: any numeric array; csv: numbers or a+bj, one or more columns; png: grey levels in
    [0, 1], [row, column]. FileError, UsageError (format), InputError (content).
    """
    kind = kind or format_of(path)
    return parse_values(path, read_file(path), kind, table)


def parse_values(name: StrPath, data: bytes, kind: str, table: Table | None = None) -> NDArray[Any]:
    """The same of a file's content. name: for messages."""
    if table is not None and kind != "csv":
        raise UsageError("USAGE", f"{name} has no columns: --header and --columns are about CSV files.")
    if kind == "npy":
        return _read_npy(name, data)
    return _read_csv(name, data, table or Table()) if kind == "csv" else _read_png(name, data)


def _read_npy(path: StrPath, data: bytes) -> NDArray[Any]:
    try:
        array: Any = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InputError("FILE_CONTENT", f"{path} is not a numeric NumPy file.") from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biufc":
        raise InputError("FILE_CONTENT", f"{path} does not hold one array of numbers.")
    return np.asarray(array, dtype=np.complex128 if array.dtype.kind == "c" else np.float64)


# ---- CSV --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Row:
    line: int  # in the file, from 1
    cells: list[str]


def _read_csv(name: StrPath, data: bytes, table: Table) -> NDArray[Any]:
    rows = _rows_of(name, data)
    names = _take_header(name, rows, table)
    for row in rows[1:]:
        if len(row.cells) != len(rows[0].cells):
            message = f"{name}, line {row.line}: {_columns(len(row.cells))}, but line {rows[0].line} has {len(rows[0].cells)}."
            raise InputError("FILE_CONTENT", message, "Every row needs the same number of columns.")
    width = len(rows[0].cells) if rows else len(names)
    chosen = _chosen_columns(name, table.columns, names, width)
    values = [[_number(name, row, index, names) for index in chosen] for row in rows]
    is_complex = any(isinstance(value, complex) for row in values for value in row)
    return np.array(values, dtype=np.complex128 if is_complex else np.float64)


def _columns(count: int) -> str:
    return f"{count} column{'s' * (count != 1)}"


def _rows_of(name: StrPath, data: bytes) -> list[_Row]:
    """All rows but empty lines."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("FILE_CONTENT", f"{name} is not a text file.") from error
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True)
    rows = []
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if stripped not in ([], [""]):
                rows.append(_Row(reader.line_num, stripped))
    except csv.Error as error:
        raise InputError("FILE_CONTENT", f"{name}, line {reader.line_num}: {error}.") from error
    return rows


def _parse(cell: str) -> float | complex | None:
    try:
        return float(cell)
    except ValueError:
        pass
    try:
        return complex(cell.replace(" ", "").replace("\t", "").replace("i", "j"))
    except ValueError:
        return None


def _take_header(name: StrPath, rows: list[_Row], table: Table) -> list[str]:
    """Takes the first row away if it is a header; the names in it."""
    if not rows or table.header is False:
        return []
    cells = rows[0].cells
    if table.header is None:
        if any(_parse(cell) is not None or cell[:1].isdigit() or cell.startswith(("+", "-", ".")) for cell in cells):
            return []
        table.note(f"{name}: line {rows[0].line} is taken for a header ({', '.join(cells)}).")
    del rows[0]
    return cells


def _chosen_columns(name: StrPath, wanted: Sequence[str], names: Sequence[str], width: int) -> Sequence[int]:
    if not wanted:
        return range(width)
    chosen = []
    for column in wanted:
        if column in names:
            chosen.append(names.index(column))
        elif column.isdecimal() and 1 <= int(column) <= width:
            chosen.append(int(column) - 1)
        else:
            known = f"It has {', '.join(names)}." if names else f"It has {_columns(width)}, and no header with names."
            raise InputError("FILE_CONTENT", f"{name} has no column {column!r}.", known)
    return chosen


def _number(name: StrPath, row: _Row, index: int, names: Sequence[str]) -> float | complex:
    cell = row.cells[index]
    value = _parse(cell)
    if value is None:
        column = f"column {index + 1}" + (f" ({names[index]})" if index < len(names) else "")
        what = f"{cell!r} is not a number" if cell else "the cell is empty"
        hint = "Columns are separated by commas, complex numbers written a+bj; --columns chooses columns, --header says that the first row names them."
        raise InputError("FILE_CONTENT", f"{name}, line {row.line}, {column}: {what}.", hint)
    return value


def _read_png(path: StrPath, data: bytes) -> NDArray[np.float64]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            if image.mode.startswith("I"):  # 16 bits
                return np.asarray(image, dtype=np.float64) / 65535
            return np.asarray(image.convert("L"), dtype=np.float64) / 255
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError("FILE_CONTENT", f"{path} is not a readable PNG image.") from error


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
