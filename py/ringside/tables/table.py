# SPDX-License-Identifier: Apache-2.0
"""A Parquet file becomes a folder of encrypted parts, and back.

The folder has a manifest, a part for so many rows each, and _SUCCESS once all parts are there. A part is written beside and renamed, so it is
whole or absent: a run that was broken off goes on with the parts that are missing, and no row is lost or twice there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..arguments import checked, checks_arguments
from ..errors import FileError, InputError, MismatchError
from ..native.files import read_file, replace_file, write_bytes, write_error
from ..objects.ckks.context import Context
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import Parameters
from ..progress import Progress
from .arrow import arrow, check_column, check_numbers
from .batches import DEFAULT, TableMethod, check_kept, decrypt_batches
from .engine import Engine, on_this_machine
from .part import TablePart, batches_of, is_whole, opened, write

MANIFEST, SUCCESS = "manifest.json", "_SUCCESS"
KIND, VERSION = "ringside-table", 1
PART_ROWS = 1024
FOOTER_BYTES = 1 << 20  # of the source: its description and statistics are at its end


@dataclass(frozen=True)
class TableFacts:
    """rows: of the table; parts: of the folder; kept: parts that an earlier run has left. bytes: of all parts."""

    rows: int
    parts: int
    kept: int
    bytes: int


@checks_arguments
@dataclass(frozen=True)
class TableEncryption:
    """What is encrypted, and how. part_rows: rows of a part, which is what is lost when a run is broken off."""

    column: str = "values"
    keep: tuple[str, ...] = ()
    method: TableMethod = DEFAULT
    part_rows: int = PART_ROWS


# ---- encrypting ------------------------------------------------------------------------------------------------------
@checked
def encrypt_table(
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    key: PublicKey,
    context: Context,
    wanted: TableEncryption,
    *,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> TableFacts:
    """Encrypts a Parquet file, a ciphertext for each row. A folder that holds a part of the same work already is completed.

    engine: who encrypts parts, on_this_machine() by default. progress(done, total) counts rows.
    InputError: a column is missing, a row cannot be encrypted (it names the row of its part). MismatchError: the folder holds other work.
    FileError: it cannot be read or written. Parts that were written stay, and another run goes on from them.
    """
    place, file = Path(source), opened(source)
    check_numbers(check_column(file.schema_arrow, wanted.column, str(source)), wanted.column)
    check_kept(file.schema_arrow, wanted.keep, wanted.column, str(source))
    params = context.params
    manifest = _manifest(place, file.metadata.num_rows, key, params, wanted)
    begun = (Path(folder) / MANIFEST).exists()
    target = _folder(Path(folder), manifest)
    files = params.to_bytes(), key.to_bytes()  # one copy, however many parts there are
    parts = [
        TablePart(
            str(place.resolve()),
            str(target.resolve() / one["file"]),
            one["first"],
            one["rows"],
            wanted.column,
            wanted.keep,
            files[0],
            params.security,
            files[1],
            wanted.method,
        )
        for one in manifest["parts"]
    ]
    left = [part for part in parts if not is_whole(part)]
    rows = sum(part.rows for part in parts)
    done = rows - sum(part.rows for part in left)

    def told(part: TablePart) -> None:
        nonlocal done
        done += part.rows
        if progress is not None:
            progress(done, rows)

    if progress is not None:
        progress(done, rows)
    try:
        (engine or on_this_machine())(left, told)
    except BaseException:
        if not begun:
            _remove_if_empty(target)
        raise
    missing = [part.file for part in parts if not is_whole(part)]
    if missing:
        raise FileError("TABLE", f"{missing[0]} is missing, or not whole.", "Run the command again.")
    for scrap in target.glob(".part-*"):  # of workers that were lost
        scrap.unlink(missing_ok=True)
    write_bytes(target / SUCCESS, b"")
    size = sum(Path(part.file).stat().st_size for part in parts)
    return TableFacts(rows, len(parts), len(parts) - len(left), size)


def _manifest(source: Path, rows: int, key: PublicKey, params: Parameters, wanted: TableEncryption) -> dict[str, Any]:
    """What the folder holds. Two runs that have the same one do the same work."""
    if wanted.part_rows < 1:
        raise InputError("RS_ERR_VALUE_COUNT", f"A part of {wanted.part_rows} rows is none.", "Take 1 or more.")
    method = asdict(wanted.method)
    del method["threads"]
    method["seal_version"] = method.pop("version")
    method["scale"] = params.default_scale if wanted.method.scale is None else wanted.method.scale
    method["level"] = params.max_level if wanted.method.level is None else wanted.method.level
    starts = range(0, rows, wanted.part_rows)
    return {
        "kind": KIND,
        "version": VERSION,
        "column": wanted.column,
        "keep": list(wanted.keep),
        "parms_id": params.parms_id(method["level"]),
        "n": params.n,
        "slots": params.slots,
        **method,
        "key_id": key_id(key),
        "source": {"name": source.name, "bytes": source.stat().st_size, "rows": rows, "footer": _footer(source)},
        "parts": [
            {"file": f"part-{number:06d}.parquet", "first": first, "rows": min(wanted.part_rows, rows - first)}
            for number, first in enumerate(starts)
        ],
    }


def key_id(key: PublicKey) -> str:
    """Tells public keys apart: a hash of the uncompressed file."""
    return hashlib.sha256(key.to_bytes(compression="none")).hexdigest()[:16]


def _footer(source: Path) -> str:
    with source.open("rb") as file:
        file.seek(max(0, source.stat().st_size - FOOTER_BYTES))
        return hashlib.sha256(file.read()).hexdigest()[:16]


def _folder(folder: Path, manifest: dict[str, Any]) -> Path:
    """The folder with this manifest."""
    file = folder / MANIFEST
    if file.exists():
        there = read_manifest(folder)
        other = [name for name in manifest if there.get(name) != manifest[name]]
        if other:
            raise MismatchError(
                "TABLE",
                f"{folder} holds a table that was encrypted otherwise: {', '.join(other)} differ.",
                "Name another folder, or give the same source, key and options to go on with it.",
            )
        return folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileError("FILE_EXISTS", f"{folder} is there, and holds something else.", "Name another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error.errno or 0) from error
    write_bytes(file, json.dumps(manifest, indent=1).encode())
    return folder


def _remove_if_empty(folder: Path) -> None:
    """Of a run that has failed before its first part: nothing is there to go on from."""
    if not any(folder.glob("part-*")):
        (folder / MANIFEST).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()


@checked
def read_manifest(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What a folder of an encrypted table says of itself. FileError: it is none."""
    file = Path(folder) / MANIFEST
    if not file.exists():
        message = f"{Path(folder)} is no folder of an encrypted table: it has no {MANIFEST}."
        raise FileError("FILE_MISSING", message, "Name a folder that `ringside table encrypt` has made.")
    try:
        found = json.loads(read_file(file))
        if found["kind"] != KIND or found["version"] != VERSION or not isinstance(found["parts"], list):
            raise ValueError("it is of another kind or version")
        if not isinstance(found["column"], str) or not all(map(_is_part, found["parts"])):
            raise ValueError("a part of it is no file of the folder")
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(
            "TABLE", f"{file} is no manifest of an encrypted table ({error}).", "Check the folder."
        ) from error
    return dict(found)


def _is_part(one: Any) -> bool:
    """Whether a manifest, which a server may have written, names a file in its own folder. KeyError, TypeError: it names none."""
    name, rows = one["file"], one["rows"]
    is_name = isinstance(name, str) and Path(name).name == name and name not in ("", "..") and "\0" not in name
    return is_name and type(rows) is int and rows >= 0


# ---- decrypting -------------------------------------------------------------------------------------------------------
@checked
def decrypt_table(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str],
    key: SecretKey,
    context: Context,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **publish: int | None,
) -> TableFacts:
    """Decrypts a folder that encrypt_table has made, or a server in its image, to a Parquet file `out`, in order of the rows.

    publish: publish_bits, flood_bits, as for Context.decrypt. FileError: the folder is no encrypted table, a part is missing or damaged, or `out`
    cannot be written; what was there stays then.
    """
    parquet = arrow("pyarrow.parquet")
    place, manifest = Path(folder), read_manifest(folder)
    files = [(place / one["file"], int(one["rows"])) for one in manifest["parts"]]
    if not (place / SUCCESS).exists():
        raise FileError("TABLE", f"{place} is not whole: there is no {SUCCESS}.", "Run `ringside table encrypt` again.")
    rows = sum(count for _, count in files)

    def pieces() -> Iterator[Any]:
        done = 0
        for path, count in files:
            file = opened(path)
            if file.metadata.num_rows != count:
                raise FileError("TABLE", f"{path} has {file.metadata.num_rows} rows, not {count}.", "Encrypt it again.")
            batches = batches_of(file, path)
            for batch in decrypt_batches(batches, key, context, column=manifest["column"], threads=threads, **publish):
                yield batch
                done += batch.num_rows
                if progress is not None:
                    progress(done, rows)

    def table() -> Iterator[Any]:
        yield from pieces() if files else [_empty(manifest)]

    with replace_file(out) as fd, open(fd, "wb", closefd=False) as file:
        found = write(parquet, file, table(), "")
    return TableFacts(found, len(files), 0, Path(out).stat().st_size)


def _empty(manifest: Mapping[str, Any]) -> Any:
    """No row of a table whose other columns have no types: there is no part that would tell them."""
    pa = arrow()
    kept = {name: pa.array([], pa.null()) for name in manifest.get("keep", [])}
    return pa.record_batch(kept | {manifest["column"]: pa.array([], pa.list_(pa.float64()))})
