# SPDX-License-Identifier: Apache-2.0
"""Checks that engines share: which keys a design file has, of which type, and what their values may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

from ..errors import ParameterError
from ..hints import did_you_mean
from .engine import Design

Keys = Mapping[str, Mapping[str, str]]  # [table] key -> field of the design
Absent = Mapping[
    str, tuple[str, Any, Mapping[str, Any]]
]  # table -> the key that says that a part is not there, how, and its other keys

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAMES = {int: "a whole number", str: "a text", bool: "true or false"}


def bad(path: Path, what: str, hint: str = "") -> ParameterError:
    return ParameterError("DESIGN", f"Design {path.name}: {what}.", hint)


def fields(
    path: Path, tables: dict[str, Any], design: type[Design], keys: Keys, absent: Absent, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """The design's fields; defaults: those that may be left out. ParameterError: a key is missing, unknown or of another type."""
    kinds = get_type_hints(design)
    found: dict[str, Any] = {}
    names = set(tables)
    # what is misspelt is told first: it is also missing under its right name
    if unknown := [table for table in tables if table not in keys]:
        raise bad(path, f"unknown tables: {', '.join(unknown)}", did_you_mean(unknown, keys))
    for table, of_table in keys.items():
        given = tables.pop(table, {})
        if not isinstance(given, dict):
            raise bad(path, f"[{table}] must be a table")
        if table not in names and table not in absent:
            raise bad(path, f"the section [{table}] is missing: it has {', '.join(of_table)}")
        if unknown := [key for key in given if key not in of_table]:
            raise bad(path, f"[{table}] has unknown keys: {', '.join(unknown)}", did_you_mean(unknown, of_table))
        switch, off, rest = absent.get(table, ("", None, {}))
        if switch and given.get(switch) == off and type(given.get(switch)) is type(off):
            given = {**rest, **given}
        for key, field in of_table.items():
            value = given.pop(key, defaults.get(field))
            if value is None:
                raise bad(path, f"[{table}] {key} is missing: it must be given as {_NAMES[kinds[field]]}")
            if type(value) is not kinds[field]:
                raise bad(path, f"[{table}] {key} must be given as {_NAMES[kinds[field]]}, got {value!r}")
            found[field] = value
    if not _NAME.fullmatch(found["name"]):
        allowed = "letters, digits, and . _ - between them"
        raise bad(path, f"[design] name must consist of {allowed}, as files are called by it, got {found['name']!r}")
    return found


# ---- values: a sentence about what is wrong, or nothing -------------------------------------------------------------
def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    return "" if value in allowed else f"{name} must be one of {', '.join(allowed)}, got {value!r}"


def power(name: str, value: int, low: int, high: int, note: str = "") -> str:
    is_power = value > 0 and value & (value - 1) == 0
    problem = f"{name} must be a power of two, {low} to {high}{note}, got {value}"
    return "" if is_power and low <= value <= high else problem


def within(name: str, value: int, low: int, high: int, note: str = "") -> str:
    return "" if low <= value <= high else f"{name} must be {low} to {high}{note}, got {value}"
