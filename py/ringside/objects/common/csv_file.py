# SPDX-License-Identifier: Apache-2.0
"""Numbers in a text file: CSV, or columns separated by semicolons, tabs or blanks."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...native.files import StrPath
from .integers import ROUND_HINT, Integers, rows_of_integers

# A file whose columns are separated by one of these may hold the later ones inside of its cells.
SEPARATORS = {"tab": "\t", "semicolon": ";", "comma": ",", "blank": " "}
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_BLANKS = re.compile(r"[ \t]+")
_INNER_SIGN = re.compile(r"(?<=[\d.]) +([+-]) *(?=[\d.ij])")  # the sign of a complex number
_DEMAND = f"Name what separates columns by --separator {', '.join(SEPARATORS)}; numbers have a decimal point."


@dataclass(frozen=True)
class Reading:
    """How a file was read. separator: one of SEPARATORS; None: it has one column. header: names that its line `line` was taken to hold, unasked."""

    name: str
    separator: str | None
    header: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class CsvTable:
    """How a CSV file is to be read.

    header: whether its first row holds the columns' names; None: it does if no cell of it is a number and none begins like one.
    columns: which to read, in this order, by name or by number from 1; empty: all. separator: one of SEPARATORS; None: the one that
    makes numbers of the cells. told: is called with how the file was read. integers: what numbers have to be; None: real or complex ones.
    """

    header: bool | None = None
    columns: Sequence[str] = ()
    separator: str | None = None
    told: Callable[[Reading], None] = lambda reading: None
    integers: Integers | None = None


@dataclass(frozen=True)
class _Row:
    line: int  # in the file, from 1
    cells: list[str]


def read_csv(name: StrPath, data: bytes, table: CsvTable) -> NDArray[Any]:
    """float64 or complex128, or integers where they are wanted, [row, column]. Lines that are empty or begin with # are left out. InputError names line and column."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("FILE_CONTENT", f"{name} is not a text file.", "Save it as text in UTF-8.") from error
    lines = ["" if line.lstrip().startswith("#") else line for line in re.split("\r\n|\r|\n", text)]
    possible: Sequence[str | None] = [table.separator] if table.separator else _occurring(lines)
    values, reading = _read_either(name, lines, table, possible or [None])
    table.told(reading)
    return values


def _occurring(lines: Sequence[str]) -> list[str]:
    """Separators outside of quotes, but for the first row, which may be a header of words. No blank beside another counts."""
    bare = [line for line in _QUOTED.sub("", "\n".join(lines)).split("\n") if line.strip()]
    text = "\n".join(line.strip(" ") for line in bare[1:] or bare)
    found = [name for name, mark in SEPARATORS.items() if name != "blank" and mark in text]
    blank = "tab" not in found and re.search(r"[^\s,;] +[^\s,;]", text)
    return [*found, "blank"] if blank else found


def _read_either(
    name: StrPath, lines: Sequence[str], table: CsvTable, possible: Sequence[str | None]
) -> tuple[NDArray[Any], Reading]:
    """The file read by the only separator that makes sense of it."""
    readings, errors = [], []
    for separator in possible:
        try:
            readings.append(_read(name, lines, table, separator))
        except InputError as error:
            errors.append(error)
    if not readings:
        raise errors[0]
    if len(readings) > 1:
        marks = " and by ".join(f"{reading.separator}s" for _, reading in readings)
        raise InputError("FILE_CONTENT", f"{name} can be read by {marks}.", _DEMAND)
    return readings[0]


def _read(name: StrPath, lines: Sequence[str], table: CsvTable, separator: str | None) -> tuple[NDArray[Any], Reading]:
    rows = _rows_of(name, lines, separator)
    guessed = table.header is None
    header = _take_header(rows, table.header)
    names = header.cells if header else []
    if (
        rows
        and all(len(row.cells) > 1 and not row.cells[-1] for row in rows)
        and names[len(rows[0].cells) - 1 :] in ([], [""])
    ):
        for row in rows:
            del row.cells[-1]  # each row ends with a separator
        del names[len(rows[0].cells) :]
    for row in rows[1:]:
        if len(row.cells) != len(rows[0].cells):
            message = f"{name}, line {row.line}: {_columns(len(row.cells))}, but line {rows[0].line} has {len(rows[0].cells)}."
            raise InputError("FILE_CONTENT", message, f"Every row needs the same number of columns. {_DEMAND}")
    width = len(rows[0].cells) if rows else len(names)
    chosen = _chosen_columns(name, table.columns, names, width)
    place = _Place(name, names, separator, table.separator is not None)
    if table.integers is not None:
        array = rows_of_integers([[place.integer(row, index, table.integers) for index in chosen] for row in rows])
    else:
        array = _finite(place, rows, chosen)
    reading = Reading(str(name), separator if width > 1 else None)
    return array, replace(reading, header=tuple(names), line=header.line) if header and guessed else reading


def _finite(place: _Place, rows: Sequence[_Row], chosen: Sequence[int]) -> NDArray[Any]:
    """The chosen columns as float64 or complex128."""
    values = [[place.number(row, index) for index in chosen] for row in rows]
    is_complex = any(isinstance(value, complex) for row in values for value in row)
    array = np.array(values, dtype=np.complex128 if is_complex else np.float64)
    for at, column in np.argwhere(~np.isfinite(array)) if array.size else ():
        message = "{!r} is not a finite number"
        raise place.error(rows[at], chosen[column], message, "Leave such rows out, or replace them.")
    return array


def _columns(count: int) -> str:
    return f"{count} column{'s' * (count != 1)}"


def _rows_of(name: StrPath, lines: Sequence[str], separator: str | None) -> list[_Row]:
    """All rows but empty lines."""
    blanks = separator == "blank"
    # what csv does with runs of blanks depends on Python's version: here each is one tab
    given: Iterator[str] = ((_BLANKS.sub("\t", line.strip()) if blanks else line) + "\n" for line in lines)
    mark = "\t" if blanks else SEPARATORS[separator or "comma"]
    reader = csv.reader(given, delimiter=mark, skipinitialspace=True, strict=True)
    rows = []
    try:
        for cells in reader:
            stripped = [cell.replace("\t", " ").strip() for cell in cells]
            if stripped not in ([], [""]):
                rows.append(_Row(reader.line_num, stripped))
    except csv.Error as error:
        message = f"{name}, line {reader.line_num}: {error}."
        raise InputError("FILE_CONTENT", message, "Quotes come in pairs.") from error
    return rows


def _parse(cell: str) -> float | complex | None:
    try:
        return float(cell)
    except ValueError:
        pass
    try:
        return complex(_INNER_SIGN.sub(r"\1", cell).replace("+-", "-").replace("i", "j"))  # np.savetxt writes 1+-2j
    except ValueError:
        return None


def _take_header(rows: list[_Row], wanted: bool | None) -> _Row | None:
    """Takes the first row away if it is a header."""
    if not rows or wanted is False:
        return None
    if wanted is None and any(
        _parse(cell) is not None or cell[:1].isdigit() or cell.startswith(("+", "-", ".")) for cell in rows[0].cells
    ):
        return None
    return rows.pop(0)


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


@dataclass(frozen=True)
class _Place:
    """Cells of a file, and what is wrong with them."""

    name: StrPath
    names: Sequence[str]
    separator: str | None
    asked: bool  # for this separator

    def number(self, row: _Row, index: int) -> float | complex:
        if index >= len(row.cells):
            message = "the row ends after {!r}"
            raise self.error(row, len(row.cells) - 1, message, "Every row needs the same number of columns.")
        cell = row.cells[index]
        value = _parse(cell)
        if value is None:
            raise self._no_number(row, index)
        # `1 +2j` is a number to some and two to others
        if (
            self.separator == "blank"
            and not self.asked
            and index
            and cell[0] in "+-"
            and isinstance(value, complex)
            and not value.real
        ):
            raise self.error(row, index, "{!r} may be a cell, or the end of the one before", _DEMAND)
        return value

    def integer(self, row: _Row, index: int, wanted: Integers) -> int:
        self.number(row, index)  # says what is no number at all
        try:
            value = int(row.cells[index])
        except ValueError:
            raise self.error(row, index, "{!r} is not an integer", ROUND_HINT) from None
        if trouble := wanted.trouble(value):
            raise self.error(row, index, f"{{}} {trouble}", wanted.hint, "RS_ERR_VALUE_RANGE")
        return value

    def _no_number(self, row: _Row, index: int) -> InputError:
        cell = row.cells[index]
        if not cell:
            return self.error(row, index, "the cell is empty", "Fill it, or choose other columns by --columns.")
        inside = [name for name, mark in SEPARATORS.items() if mark in cell]
        if inside and any(letter.isdigit() for letter in cell):
            return self.error(row, index, f"{{!r}} is not a number: it has a {inside[0]} inside", _DEMAND)
        hint = (
            "--columns chooses columns, --header says that the first row names them; complex numbers are written a+bj."
        )
        return self.error(row, index, "{!r} is not a number", hint)

    def error(self, row: _Row, index: int, what: str, hint: str, code: str = "FILE_CONTENT") -> InputError:
        """what: with a place for the cell."""
        column = f"column {index + 1}" + (f" ({self.names[index]})" if index < len(self.names) else "")
        return InputError(code, f"{self.name}, line {row.line}, {column}: {what.format(row.cells[index])}.", hint)
