# SPDX-License-Identifier: Apache-2.0
"""Parts of a table: what a worker needs for one, and how it makes it."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors import FileError, InputError, MismatchError, WireError
from ..native.files import read_error, staged_file
from ..objects.common.keys import PublicKey
from ..objects.common.params import Parameters
from ..objects.keydir import AnyContext, context_for
from .arrow import arrow
from .batches import ROWS_AT_ONCE, TableMethod, encrypt_batches
from .heap import held_heap

READ_BYTES = 1 << 20  # bytes of a column's pages at a time
FOOTER_BYTES_MAX = 100_000_000  # as pyarrow has it for a string in there


@dataclass(frozen=True)
class TablePart:
    """What a worker needs for one part: no secret is in it. file: where the part is to be; first, rows: of the source.

    pack: a ciphertext for so many rows; 0: for each. sha256: of the file, once it is known.
    """

    source: str
    file: str
    first: int
    rows: int
    column: str
    keep: tuple[str, ...]
    params: bytes
    security: int
    key: bytes
    method: TableMethod
    pack: int = 0
    sha256: str = ""

    @property
    def cells(self) -> int:
        """Its ciphertexts."""
        return -(-self.rows // (self.pack or 1))


def encrypt_part(part: TablePart, stopped: Callable[[], bool] = lambda: False) -> TablePart:
    """In any process, on any machine that sees source and folder. Gives the part with the hash of its file, without parameters and key.

    stopped: asked before a few rows are read; then there is no part (CancelledError).
    """
    parquet = arrow("pyarrow.parquet")
    context, key = _loaded(part.params, part.security, part.key)
    rows = _read(part.source, [*part.keep, part.column], part.first, part.rows, stopped)
    options: Any = {"column": part.column, "keep": part.keep, "method": part.method, "first_row": part.first}
    options["pack"] = part.pack > 0
    try:
        with held_heap(), staged_file(Path(part.file)) as staged, in_file(part.source):
            write(parquet, staged, encrypt_batches(rows, key, context, **options), part.column)
            digest = hash_of(staged)
    except OSError as error:
        message = f"Cannot write {part.file}: {error.strerror or error}."
        raise FileError("TABLE", message, "Free some space, and go on.") from error
    return replace(part, params=b"", key=b"", sha256=digest)


@contextmanager
def in_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Errors of a row name the file too."""
    try:
        yield
    except (InputError, MismatchError, WireError) as error:
        raise type(error)(error.code, f"{os.fspath(path)}: {error.message}", error.hint) from error


def hash_of(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file. FileError: it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise read_error(path, error) from error


@lru_cache(maxsize=4)
def _loaded(params: bytes, security: int, key: bytes) -> tuple[AnyContext, PublicKey]:
    context = context_for(Parameters.from_bytes(params, security=security))
    return context, PublicKey.from_bytes(context, key)


def _read(source: str, columns: Sequence[str], first: int, rows: int, stopped: Callable[[], bool]) -> Iterator[Any]:
    """So many rows from the first one on, a few at a time."""
    file, skip = opened(source), first
    for group in range(file.metadata.num_row_groups):
        held = file.metadata.row_group(group).num_rows
        if skip >= held:
            skip -= held
            continue
        for batch in batches_of(file, source, row_groups=[group], columns=list(columns)):
            if skip >= batch.num_rows:
                skip -= batch.num_rows
                continue
            piece = batch.slice(skip, rows)
            skip = 0
            if stopped():
                raise CancelledError
            rows -= piece.num_rows
            if piece.num_rows:
                yield piece
            if rows == 0:
                return


def write(parquet: Any, place: Any, batches: Iterator[Any], column: str) -> int:
    """A Parquet file of the batches, at a path or in an open file; ciphertexts are random, so they are not compressed. The number of rows."""
    writer, rows = None, 0
    try:
        for batch in batches:
            if writer is None:
                plain = [name for name in batch.schema.names if name != column]
                squeezed = dict.fromkeys(plain, "zstd") | {column: "none"}
                writer = parquet.ParquetWriter(place, batch.schema, compression=squeezed, use_dictionary=plain)
            writer.write_batch(batch)
            rows += batch.num_rows
            del batch  # so that the next one is made in its memory
    finally:
        if writer is not None:
            writer.close()
    return rows


@contextmanager
def _reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """What pyarrow says of a file as FileError."""
    lib = arrow("pyarrow.lib")
    try:
        yield
    except FileNotFoundError as error:
        raise FileError("FILE_MISSING", f"Cannot read {path}: there is no such file.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise FileError("TABLE", f"{path} has a name that is not UTF-8.", "Write it again.") from error
    except (OSError, lib.ArrowException) as error:
        if os.path.isdir(path):
            raise read_error(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))) from error
        if isinstance(error, PermissionError):
            raise read_error(path, error) from error
        message = f"{path} is not a whole Parquet file: {str(error).strip().rstrip('.')}."
        raise FileError("TABLE", message, "Write it again.") from error


def opened(path: str | os.PathLike[str]) -> Any:
    """A Parquet file. What its footer says has as many pieces as the footer has bytes, at most: more memory is not taken for it."""
    parquet = arrow("pyarrow.parquet")
    with _reading(path):
        limits = {"thrift_string_size_limit": FOOTER_BYTES_MAX, "thrift_container_size_limit": _footer_bytes(path)}
        file = parquet.ParquetFile(path, pre_buffer=False, buffer_size=READ_BYTES, **limits)
        _ = file.schema_arrow.names  # which are decoded then
        return file


def _footer_bytes(path: str | os.PathLike[str]) -> int:
    """As a Parquet file says behind its footer, or what is possible."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 8))
        said = int.from_bytes(file.read(4), "little")
    return max(1, min(said, size, FOOTER_BYTES_MAX))


def batches_of(file: Any, path: str | os.PathLike[str], **which: Any) -> Iterator[Any]:
    """A few rows of an opened file at a time. FileError: its pages are damaged, which its footer does not tell."""
    with _reading(path):
        batches = iter(file.iter_batches(ROWS_AT_ONCE, use_threads=False, **which))
    while True:
        with _reading(path):
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def has_rows(part: TablePart) -> bool:
    """Whether it is there, with a ciphertext for each of its rows, or pack of them."""
    try:
        metadata = opened(part.file).metadata
    except FileError:
        return False
    groups = sum(metadata.row_group(group).num_rows for group in range(metadata.num_row_groups))
    return bool(metadata.num_rows == groups == part.cells)


def is_whole(part: TablePart) -> bool:
    """Whether it is there, as it was written if its hash is known."""
    return has_rows(part) and part.sha256 in ("", hash_of(part.file))
