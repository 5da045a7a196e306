# SPDX-License-Identifier: Apache-2.0
"""pyarrow, which only tables need: imported when somebody asks for it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ..errors import InputError, UsageError
from ..hints import did_you_mean, install
from ..objects.common.integers import ROUND_HINT

DEFAULT_COLUMN = "values"


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


def is_list(kind: Any) -> bool:
    """Whether a type is one of lists."""
    types = arrow("pyarrow.types")
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def is_numeric(kind: Any) -> bool:
    """Whether a column holds a list of numbers, or one number, in each row."""
    return is_integer(kind) or bool(arrow("pyarrow.types").is_floating(_item(kind)))


def is_integer(kind: Any) -> bool:
    """Whether these are integers."""
    return bool(arrow("pyarrow.types").is_integer(_item(kind)))


def _item(kind: Any) -> Any:
    return kind.value_type if is_list(kind) else kind


def check_numbers(kind: Any, column: str, *, packed: bool = False, integers: bool = False) -> None:
    """InputError unless a column is numeric. packed: and has one number in each row. integers: of BFV and BGV."""
    if not is_numeric(kind):
        hint = "A row holds a list of numbers, list<double> or another list of numbers, or one number."
        raise InputError("COLUMN", f"Column {column!r} is of type {kind}; rows of numbers are wanted.", hint)
    if integers and not is_integer(kind):
        raise InputError("VALUE_TYPE", f"Column {column!r} is of type {kind}; integers are wanted.", ROUND_HINT)
    if packed and is_list(kind):
        message = f"Column {column!r} is of type {kind}; only rows of one number are packed."
        raise InputError("COLUMN", message, "Leave packing (--pack) out: a list of numbers fills a ciphertext itself.")


def numeric_column(schema: Any, keep: Sequence[str], what: str) -> str:
    """The column to encrypt, if nobody says which: `values`, or the only numeric one that is not kept. InputError: there is no such one."""
    if DEFAULT_COLUMN in schema.names:
        return DEFAULT_COLUMN
    found = [field.name for field in schema if field.name not in keep and is_numeric(field.type)]
    if len(found) != 1:
        named = f"has {len(found)} numeric columns" if found else "has no numeric column"
        hint = (
            f"Name the one to encrypt by --column: {', '.join(found)}."
            if found
            else "A row holds a list of numbers, or one."
        )
        raise InputError("COLUMN", f"{what} {named}.", hint)
    return str(found[0])


def check_binary(kind: Any, column: str) -> None:
    """InputError unless a column holds bytes."""
    types = arrow("pyarrow.types")
    if not any(is_binary(kind) for is_binary in (types.is_binary, types.is_large_binary, types.is_fixed_size_binary)):
        raise InputError("COLUMN", f"Column {column!r} is of type {kind}; ciphertexts are binary.")
