# SPDX-License-Identifier: Apache-2.0
"""Named hardware designs: one TOML file each, the only place where a design's parameters live.

A design is looked up by name among the files that come with the package, or given as the path of a TOML file.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import ArgumentError, ParameterError
from ..hints import did_you_mean
from .design import SUPPORTED, Design, FieldRow, table, types
from .rules import problems

FOLDER = Path(__file__).parents[1] / "from-tree" / "designs"  # copied there from designs/ by the build
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TYPES = {int: "a whole number", str: "a text", bool: "true or false"}


def names() -> list[str]:
    """The named designs, by family and then by number of lanes."""

    def key(name: str) -> tuple[str, int]:
        family, _, number = name.rpartition("-")
        return (family, int(number)) if number.isdigit() else (name, 0)

    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=key)


def supported() -> list[str]:
    """Those of the named designs whose files say so."""
    return [name for name in names() if load(name).status == SUPPORTED]


def load(design: str) -> Design:
    """A named design or a TOML file. ParameterError: no such design, or a field missing, unknown or out of range."""
    if not isinstance(design, str):
        message = f"designs.load: `design` cannot be a {type(design).__name__}."
        raise ArgumentError("ARGUMENT", message, "Pass a string.")
    path = Path(design) if design.endswith(".toml") else FOLDER / f"{design}.toml"
    try:
        content = path.read_bytes()
    except (FileNotFoundError, ValueError):  # ValueError: that is no name of a file
        hint = did_you_mean(design, names(), f"Known designs: {', '.join(names())}; or a .toml file.")
        raise ParameterError("DESIGN", f"There is no design {design!r}.", hint) from None
    except OSError as error:
        hint = "Name a TOML file, or a design of `ringside designs`."
        raise ParameterError("DESIGN", f"Cannot read the design {path}: {error.strerror}.", hint) from error
    return _read(path, content)


@lru_cache(maxsize=256)
def _read(path: Path, content: bytes) -> Design:
    """By content: a report asks for the same thirty designs some thousand times."""
    try:
        tables = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError("DESIGN", f"Cannot read the design {path}: {error}.") from error
    found = Design(**_fields(path, tables))
    for problem in problems(found):
        raise _bad(path, problem)
    return found


def _bad(path: Path, what: str, hint: str = "") -> ParameterError:
    return ParameterError("DESIGN", f"Design {path.name}: {what}.", hint)


def _fields(path: Path, tables: dict[str, Any]) -> dict[str, Any]:
    """The fields of a file. ParameterError: a key is missing, unknown or of another type."""
    rows: dict[str, dict[str, str]] = {}  # table -> key -> field
    for field, row in table().items():
        rows.setdefault(row.table, {})[row.key] = field
    # A misspelt key is reported first: it is also missing under its right name.
    if unknown := [name for name in tables if name not in rows]:
        raise _bad(path, f"unknown tables: {', '.join(unknown)}", did_you_mean(unknown, rows))
    for name, keys in rows.items():
        given = tables.get(name, {})
        if not isinstance(given, dict):
            raise _bad(path, f"[{name}] must be a table")
        if unknown := [key for key in given if key not in keys]:
            raise _bad(path, f"[{name}] has unknown keys: {', '.join(unknown)}", did_you_mean(unknown, keys))
    found: dict[str, Any] = {}
    for field, row in table().items():
        if row.table not in tables and _default(field, row, found) is None:
            raise _bad(path, f"the section [{row.table}] is missing: it has {', '.join(rows[row.table])}")
        value = tables.get(row.table, {}).get(row.key, _default(field, row, found))
        kind = types()[field]
        if value is None:
            raise _bad(path, f"[{row.table}] {row.key} is missing: it must be given as {_TYPES[kind]}")
        if type(value) is not kind:
            raise _bad(path, f"[{row.table}] {row.key} must be given as {_TYPES[kind]}, got {value!r}")
        if isinstance(value, int) and abs(value) >> 31:
            raise _bad(path, f"[{row.table}] {row.key} must be below 2^31, got {value}")
        found[field] = value
    if not _NAME.fullmatch(found["name"]):
        allowed = "letters, digits, and . _ - between them"
        raise _bad(path, f"[design] name must consist of {allowed}, as files are called by it, got {found['name']!r}")
    return found


def _default(field: str, row: FieldRow, found: dict[str, Any]) -> Any:
    """The value of a key that is left out, None: it must be given."""
    if row.default:
        return row.default(found)
    if row.part and not found[row.part]:
        return getattr(Design, field, 1)
    return getattr(Design, field, None)
