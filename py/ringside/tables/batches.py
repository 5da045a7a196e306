# SPDX-License-Identifier: Apache-2.0
"""Streams of record batches: a column of numbers becomes one of ciphertexts, in SEAL's file format, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import checks_arguments
from ..errors import ArgumentError, InputError, frames_called, in_frame
from ..objects.ckks.ciphertext import Ciphertext
from ..objects.ckks.context import Context
from ..objects.common.keys import PublicKey, SecretKey
from .arrow import arrow, check_binary, check_column, check_numbers

COUNT = "_count"  # behind the name of the column: how many values a row has
ROWS_AT_ONCE = 32  # ciphertexts in memory


@checks_arguments
@dataclass(frozen=True)
class TableMethod:
    """How rows are encrypted, and written: as for Context.encrypt and Ciphertext.to_bytes. Fresh randomness for each row, whatever is run again."""

    scale: float | None = None
    level: int | None = None
    special_prime: bool = True
    compression: str = "zstd"
    version: str = "3.6"
    threads: int | None = None


DEFAULT = TableMethod()


def check_kept(schema: Any, keep: Sequence[str], column: str, what: str) -> None:
    """InputError: a column to keep is missing, or is the one to encrypt, or has a name that the result needs."""
    for name in keep:
        check_column(schema, name, what)
        if name == column:
            message = f"Column {column!r} is to be encrypted, and to be kept as it is for all to read."
            raise InputError("COLUMN", message, "Leave it out of the columns to keep.")
        if name == column + COUNT:
            message = f"Column {name!r} cannot be kept: the result has the number of values of a row there."
            raise InputError("COLUMN", message, "Rename it.")


def encrypt_batches(
    reader: Iterable[Any],
    key: PublicKey,
    context: Context,
    *,
    column: str = "values",
    keep: Sequence[str] = (),
    method: TableMethod = DEFAULT,
    first_row: int = 0,
) -> Iterator[Any]:
    """Record batches with the columns `keep` as they are, which anybody can read, `column` as binary ciphertexts, and how many values each row has.

    reader: record batches, such as a RecordBatchReader. A row of `column` is a list of up to N/2 finite numbers, or one number.
    Each ciphertext is a whole file of SEAL's format. A batch that is given is taken in pieces, so memory is bounded by the given batches.
    key, context: a public key, and the context that it is of.
    UsageError: pyarrow is missing. InputError: a column is missing or of another type; a row is null or empty, longer than N/2, or not finite: it
    names the row, counted from first_row through all batches.
    """
    pa = arrow()
    row = first_row
    for batch in _batches(reader):
        check_numbers(check_column(batch.schema, column, "The table"), column)
        check_kept(batch.schema, keep, column, "The table")
        for start in range(0, batch.num_rows, ROWS_AT_ONCE):
            piece = batch.slice(start, ROWS_AT_ONCE)
            values = _rows(piece.column(column), row + start, context.slots)
            with frames_called([f"Row {row + start + index}" for index in range(len(values))]):
                found = context.encrypt_batch(
                    values,
                    key,
                    threads=method.threads,
                    scale=method.scale,
                    level=method.level,
                    special_prime=method.special_prime,
                )
            files = [one.to_bytes(compression=method.compression, version=method.version) for one in found]
            fields = [batch.schema.field(name) for name in keep]
            fields += [pa.field(column, pa.large_binary(), False), pa.field(column + COUNT, pa.int32(), False)]
            counts = [value.size for value in values]
            arrays = [piece.column(name) for name in keep]
            arrays += [pa.array(files, pa.large_binary()), pa.array(counts, pa.int32())]
            yield pa.record_batch(arrays, schema=pa.schema(fields))
        row += batch.num_rows


def _batches(reader: Iterable[Any]) -> Iterator[Any]:
    """ArgumentError: something else than record batches comes."""
    hint = "Pass record batches: a RecordBatchReader, or the to_batches() of a table."
    if not isinstance(reader, Iterable):
        raise ArgumentError("ARGUMENT", f"`reader` cannot be a {type(reader).__name__}.", hint)
    for batch in reader:
        if not isinstance(batch, arrow().RecordBatch):
            raise ArgumentError("ARGUMENT", f"`reader` gives a {type(batch).__name__}.", hint)
        yield batch


def _rows(column: Any, first: int, slots: int) -> list[NDArray[np.float64]]:
    """The numbers of each row."""
    rows = []
    for index, value in enumerate(column):
        found = value.as_py() if not hasattr(value, "values") else value.values
        if found is None or getattr(found, "null_count", False):
            raise InputError(
                "COLUMN", f"Row {first + index} is null, or has a null.", "Fill it, or leave the row out: 0 is a value."
            )
        numbers = np.atleast_1d(
            found.to_numpy(zero_copy_only=False) if hasattr(found, "to_numpy") else np.asarray(found)
        ).astype(np.float64)
        if not 0 < numbers.size <= slots:
            raise InputError(
                "RS_ERR_VALUE_COUNT",
                f"Row {first + index} has {numbers.size} values; a ciphertext has 1 to {slots}.",
                "Take parameters with a larger N, or split the rows." if numbers.size else "Leave empty rows out.",
            )
        rows.append(numbers)
    return rows


def _loaded(context: Context, cell: Any, index: int) -> Ciphertext:
    with in_frame(index):
        if not cell.is_valid:
            raise InputError("COLUMN", "There is no ciphertext.", "A column of ciphertexts has no nulls.")
        return Ciphertext.from_bytes(context, memoryview(cell.as_buffer()))


def decrypt_batches(
    reader: Iterable[Any],
    key: SecretKey,
    context: Context,
    *,
    column: str = "values",
    threads: int | None = None,
    **publish: int | None,
) -> Iterator[Any]:
    """The reverse: `column` becomes a list of doubles, as many as its count says, or all N/2 where there is no count. Other columns stay.

    publish: publish_bits and flood_bits, as for Context.decrypt: for values that others will see. InputError: a column is missing or no
    ciphertexts; MismatchError and others of Ciphertext.from_bytes, with the row.
    """
    pa = arrow()
    row = 0
    for batch in _batches(reader):
        check_binary(check_column(batch.schema, column, "The table"), column)
        counted = column + COUNT in batch.schema.names
        kept = [name for name in batch.schema.names if name not in (column, column + COUNT)]
        for start in range(0, batch.num_rows, ROWS_AT_ONCE):
            piece = batch.slice(start, ROWS_AT_ONCE)
            with frames_called([f"Row {row + start + index}" for index in range(piece.num_rows)]):
                loaded = [_loaded(context, one, index) for index, one in enumerate(piece.column(column))]
                options: Any = {"publish_bits": publish.get("publish_bits"), "flood_bits": publish.get("flood_bits")}
                found = context.decrypt_batch(loaded, key, threads=threads, **options)
            counts = piece.column(column + COUNT).to_pylist() if counted else [context.slots] * piece.num_rows
            lists = [np.asarray(values)[:count] for values, count in zip(found, counts, strict=True)]
            arrays = [*(piece.column(name) for name in kept), pa.array(lists, pa.list_(pa.float64()))]
            fields = [*(batch.schema.field(name) for name in kept), pa.field(column, pa.list_(pa.float64()))]
            yield pa.record_batch(arrays, schema=pa.schema(fields))
        row += batch.num_rows
