# SPDX-License-Identifier: Apache-2.0
"""pyarrow, which only tables need: imported when somebody asks for it."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import InputError, UsageError
from ..hints import did_you_mean, install


def arrow(name: str = "pyarrow") -> Any:
    """A module of pyarrow. UsageError: it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UsageError("TABLES", "Tables need pyarrow, which is not installed.", install("tables", "test")) from error


def check_column(schema: Any, column: str, what: str) -> Any:
    """The type of a column. InputError: there is none of that name."""
    if column not in schema.names:
        columns = ", ".join(schema.names) or "none"
        hint = did_you_mean(column, schema.names, f"Columns: {columns}.")
        raise InputError("COLUMN", f"{what} has no column {column!r}.", hint)
    return schema.field(column).type


def check_numbers(kind: Any, column: str) -> None:
    """InputError unless a column holds a list of numbers, or one number, in each row."""
    types = arrow("pyarrow.types")
    lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    item = kind.value_type if any(is_list(kind) for is_list in lists) else kind
    if not (types.is_integer(item) or types.is_floating(item)):
        raise InputError(
            "COLUMN",
            f"Column {column!r} is of type {kind}; rows of numbers are wanted.",
            "A row holds a list of numbers, list<double> or another list of numbers, or one number.",
        )


def check_binary(kind: Any, column: str) -> None:
    """InputError unless a column holds bytes."""
    types = arrow("pyarrow.types")
    if not any(is_binary(kind) for is_binary in (types.is_binary, types.is_large_binary, types.is_fixed_size_binary)):
        raise InputError("COLUMN", f"Column {column!r} is of type {kind}; ciphertexts are binary.")
