# SPDX-License-Identifier: Apache-2.0
"""Figures that papers print: papers/published/*.toml, read and checked."""

import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import FileError, ParameterError
from ..hints import did_you_mean
from .measurement import Kind, Measurement, Status, missing

FOLDER = Path(__file__).parents[1] / "from-tree" / "papers" / "published"  # copied there by the build
SUMS = "SHA256SUMS"
OWN = "designs"  # the page of our designs alone
KEY = r"[a-z0-9][a-z0-9-]{0,40}"  # the name of a paper: it is the name of a folder, too
TableCell = Measurement | str


@dataclass(frozen=True)
class Column:
    key: str
    title: str
    unit: str = ""

    @property
    def head(self) -> str:
        return f"{self.title} [{self.unit}]" if self.unit else self.title


def number(row: Mapping[str, TableCell], key: str) -> Measurement:
    """The number in this column."""
    cell = row[key]
    if not isinstance(cell, Measurement):
        raise TypeError(f"{key} is {cell!r}, not a number")
    return cell


def whole(row: Mapping[str, TableCell], key: str) -> int:
    """A size, such as N."""
    value = number(row, key).value
    assert value is not None
    return int(value)


@dataclass(frozen=True)
class PublishedTable:
    """rows: by column; a text, or a number as it is printed."""

    key: str
    title: str
    where: str
    caveat: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, TableCell], ...]

    def select(self, **wanted: str | float) -> list[Mapping[str, TableCell]]:
        """The rows with these contents."""

        def content(cell: TableCell) -> str | float | None:
            return cell.value if isinstance(cell, Measurement) else cell

        return [row for row in self.rows if all(content(row[key]) == value for key, value in wanted.items())]

    def value(self, column: str, **wanted: str | float) -> Measurement:
        """The number in this column of the one row with these contents."""
        rows = self.select(**wanted)
        if len(rows) != 1:
            raise KeyError(f"{self.key}: {len(rows)} rows with {wanted}")
        return number(rows[0], column)


@dataclass(frozen=True)
class Paper:
    """facts: (what, number) by key. lost: (what, number that the text does not have). source: its file. beside: what a file of a reader's own sets beside ours."""

    key: str
    title: str
    short: str
    reference: str
    text: str
    tables: Mapping[str, PublishedTable]
    facts: Mapping[str, tuple[str, Measurement]]
    lost: Sequence[tuple[str, Measurement]]
    source: str
    beside: Sequence[Any] = ()

    def fact(self, key: str) -> Measurement:
        return self.facts[key][1]


def verify(folder: Path | None = None) -> None:
    """FileError: a file is missing, unknown or not the one that SHA256SUMS was made from."""
    folder = folder or FOLDER
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
        listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
        found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.toml")}
    except (OSError, ValueError) as error:
        raise FileError("PUBLISHED", f"Cannot check the published figures in {folder}: {error}.") from error
    wrong = sorted(name for name in listed.keys() | found.keys() if listed.get(name) != found.get(name))
    if wrong:
        hint = f"Install them again; after a correction: sha256sum *.toml > {SUMS} in papers/published/."
        raise FileError("PUBLISHED", f"Published figures have changed: {', '.join(wrong)}.", hint)


def names(folder: Path | None = None) -> list[str]:
    """The papers, RISE first: most of ours is made after it."""
    return sorted((path.stem for path in (folder or FOLDER).glob("*.toml")), key=lambda name: (name != "rise", name))


def load(name: str, folder: Path | None = None) -> Paper:
    """A paper of ours, or a TOML file. ParameterError: there is none of that name, or the file is not as it should be."""
    path = Path(name) if name.endswith(".toml") else (folder or FOLDER) / f"{name}.toml"
    if name.endswith(".toml") and (path.stem in (*names(), OWN) or not re.fullmatch(KEY, path.stem)):
        hint = "Rename it: small letters, digits and -, and no name of a paper that comes with the package."
        raise ParameterError("PAPER", f"{path.name} cannot be the name of a paper of yours.", hint)
    if not name.endswith(".toml") and name not in names(folder):
        known = [*names(folder), OWN]
        hint = did_you_mean(name, known, f"Known: {', '.join(known)}; or a .toml file.")
        raise ParameterError("PAPER", f"There is no paper {name!r}.", hint)
    try:
        source = path.name if name.endswith(".toml") else f"papers/published/{path.name}"
        return _paper(path.stem, source, tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ParameterError("PAPER", f"Cannot read {path}: {error.strerror}.") from error
    except KeyError as error:
        raise ParameterError("PAPER", f"Cannot read {path}: the key {error} is missing.") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ParameterError("PAPER", f"Cannot read {path}: {type(error).__name__}: {error}.") from error


def _paper(name: str, source: str, data: dict[str, Any]) -> Paper:
    head = data.pop("paper")
    short = head["short"]

    def printed(value: float, unit: str, where: str, caveat: str) -> Measurement:
        return Measurement(value, unit, Kind.published, source, f"{short}, {where}", caveat=caveat.strip())

    tables = {}
    for given in data.pop("table", []):
        table = _table(given, printed)
        tables[table.key] = table
    facts = {
        fact["id"]: (
            fact["what"],
            printed(_checked(fact["value"]), fact["unit"], fact["where"], fact.get("caveat", "")),
        )
        for fact in data.pop("fact", [])
    }
    lost = [
        (
            entry["what"],
            missing(Status.absent, "", Kind.published, source, f"{short}, {entry['where']}", entry["where"]),
        )
        for entry in data.pop("lost", [])
    ]
    beside = data.pop("beside", [])
    if data:
        raise ValueError(f"unknown tables: {', '.join(data)}")
    return Paper(name, head["title"], short, head["reference"], head["text"], tables, facts, lost, source, beside)


def _checked(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{value!r} is not a number")
    return value


def _table(given: dict[str, Any], printed: Callable[[float, str, str, str], Measurement]) -> PublishedTable:
    columns = tuple(Column(column["id"], column["title"], column.get("unit", "")) for column in given["columns"])
    rows = []
    for row in given["rows"]:
        caveat = row.pop("caveat", "")
        if set(row) != {column.key for column in columns}:
            raise ValueError(f"a row of {given['id']} has the columns {', '.join(row)}")
        cells: dict[str, TableCell] = {}
        for column in columns:
            content = row[column.key]
            cells[column.key] = (
                content
                if isinstance(content, str)
                # a size such as N has no unit, and needs no warning
                else printed(_checked(content), column.unit, given["where"], caveat if column.unit else "")
            )
        rows.append(cells)
    return PublishedTable(given["id"], given["title"], given["where"], given.get("caveat", ""), columns, tuple(rows))
