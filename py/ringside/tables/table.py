# SPDX-License-Identifier: Apache-2.0
"""A Parquet file becomes a folder of encrypted parts, and back.

The folder has a manifest, a part for so many rows each, and _SUCCESS once all parts are there. A part is written beside and renamed, so it is
whole or absent: a run that was broken off goes on with the parts that are missing, and no row is lost or twice there. The manifest has the hashes of
the parts, and its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..arguments import checked, checks_arguments
from ..errors import FileError, InputError, MismatchError, RingsideError
from ..native.files import read_file, replace_file, write_bytes, write_error
from ..native.leftovers import alone
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import CKKS, Parameters
from ..objects.exact.options import PACKINGS, SLOTS
from ..objects.keydir import AnyContext
from ..progress import Progress
from .arrow import DEFAULT_COLUMN, arrow, check_column, check_numbers, is_list, numeric_column
from .batches import DEFAULT, Cells, TableMethod, check_kept, decrypt_batches, kind_of
from .engine import Engine, on_this_machine
from .part import TablePart, batches_of, has_rows, hash_of, in_file, is_whole, opened, write

MANIFEST, SUCCESS = "manifest.json", "_SUCCESS"
KIND, VERSION = "ringside-table", 2
UNHASHED = 1  # the version before: no hashes, and rows are not packed
HASH = "sha256"
PART_ROWS = 1024
_AGAIN = "It is damaged: take it from where it was encrypted, or encrypt the table again."
FOOTER_BYTES = 1 << 20  # bytes of the source: its description and statistics are at its end


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
    """What is encrypted, and how. part_rows: ciphertexts of a part, which is what is lost when a run is broken off.

    pack: a ciphertext for as many rows of one number each as it has slots, in CKKS N/2. It has the same bytes however many there are.
    """

    column: str = DEFAULT_COLUMN
    keep: tuple[str, ...] = ()
    method: TableMethod = DEFAULT
    part_rows: int = PART_ROWS
    pack: bool = False


@checked
def column_of(source: str | os.PathLike[str], keep: Sequence[str] = ()) -> str:
    """The column of a Parquet file to encrypt, if nobody says which: `values`, or the only numeric one that is not kept.

    FileError: it cannot be read. InputError: there is no such column, or several.
    """
    return numeric_column(opened(source).schema_arrow, keep, str(source))


@checked
def values_of_row(source: str | os.PathLike[str], column: str) -> int | None:
    """How many numbers each row of a column has by its type; None: rows may differ."""
    kind = check_column(opened(source).schema_arrow, column, str(source))
    return int(kind.list_size) if hasattr(kind, "list_size") else None if is_list(kind) else 1


# ---- encrypting ------------------------------------------------------------------------------------------------------
@checked
def encrypt_table(
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    key: PublicKey,
    context: AnyContext,
    wanted: TableEncryption,
    *,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> TableFacts:
    """Encrypts a Parquet file, a ciphertext for each row. A folder that holds a part of the same work already is completed.

    engine: who encrypts parts, on_this_machine() by default. progress(done, total) counts rows.
    InputError: a column is missing, a row cannot be encrypted (it names the row of its part). MismatchError: the folder holds other work.
    FileError: it cannot be read or written, or another run is at work there. Parts that were written stay, and another run goes on from them.
    """
    place, file = Path(source), opened(source)
    kind = check_column(file.schema_arrow, wanted.column, str(source))
    check_numbers(kind, wanted.column, packed=wanted.pack, integers=context.params.scheme != CKKS)
    check_kept(file.schema_arrow, wanted.keep, wanted.column, str(source))
    manifest = _manifest(place, file.metadata.num_rows, key, context.params, wanted)
    begun = (Path(folder) / MANIFEST).exists()
    target = _folder(Path(folder), manifest)
    with alone(target):  # parts of two runs differ, and so do their hashes
        return _encrypt_parts(place, target, manifest, key, context, wanted, engine, progress, begun=begun)


def _encrypt_parts(
    place: Path,
    target: Path,
    manifest: dict[str, Any],
    key: PublicKey,
    context: AnyContext,
    wanted: TableEncryption,
    engine: Engine | None,
    progress: Progress | None,
    *,
    begun: bool,
) -> TableFacts:
    """The parts that are missing. begun: an earlier run has left the folder."""
    params = context.params
    hashes = {one["file"]: one.get(HASH, "") for one in read_manifest(target)["parts"]}
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
            params.slots if wanted.pack else 0,
            hashes[one["file"]],
        )
        for one in manifest["parts"]
    ]
    left = [replace(part, sha256="") for part in parts if not is_whole(part)]
    rows = sum(part.rows for part in parts)
    done = rows - sum(part.rows for part in left)

    def told(part: TablePart) -> None:
        nonlocal done
        done += part.rows
        hashes[Path(part.file).name] = part.sha256
        if progress is not None:
            progress(done, rows)

    if progress is not None:
        progress(done, rows)
    try:
        (engine or on_this_machine())(left, told)
    except BaseException:
        with contextlib.suppress(RingsideError):  # what went wrong first is reported
            _write_manifest(target / MANIFEST, manifest, hashes)
        if not begun:
            _remove_if_empty(target)
        raise
    missing = [part.file for part in parts if not has_rows(part)]
    if missing:
        raise FileError("TABLE", f"{missing[0]} is missing, or not whole.", "Run the command again.")
    for part in parts:  # those of a run that was killed, or whose engine does not tell
        hashes[Path(part.file).name] = hashes[Path(part.file).name] or hash_of(part.file)
    _write_manifest(target / MANIFEST, manifest, hashes)
    for scrap in target.glob(".part-*"):  # scraps of workers that were lost
        scrap.unlink(missing_ok=True)
    write_bytes(target / SUCCESS, b"")
    size = sum(Path(part.file).stat().st_size for part in parts)
    return TableFacts(rows, len(parts), len(parts) - len(left), size)


def _manifest(source: Path, rows: int, key: PublicKey, params: Parameters, wanted: TableEncryption) -> dict[str, Any]:
    """What the folder holds. Two runs that have the same one do the same work."""
    if wanted.part_rows < 1:
        raise InputError("RS_ERR_VALUE_COUNT", f"A part of {wanted.part_rows} rows is none.", "Take 1 or more.")
    method = asdict(wanted.method)
    del method["threads"], method["packing"]
    method["seal_version"] = method.pop("version")
    method |= {"scale": params.default_scale, **wanted.method.of(params)}
    if params.scheme != CKKS:
        method |= {"scheme": params.scheme, "plain_modulus": params.plain_modulus}
    method["level"] = params.max_level if wanted.method.level is None else wanted.method.level
    part_rows = wanted.part_rows * (params.slots if wanted.pack else 1)
    starts = range(0, rows, part_rows)
    return {
        "kind": KIND,
        "version": VERSION,
        "column": wanted.column,
        "keep": list(wanted.keep),
        "pack": wanted.pack,
        "parms_id": params.parms_id(method["level"]),
        "n": params.n,
        "slots": params.slots,
        **method,
        "key_id": key_id(key),
        "source": {"name": source.name, "bytes": source.stat().st_size, "rows": rows, "footer": _footer(source)},
        "parts": [
            {"file": f"part-{number:06d}.parquet", "first": first, "rows": min(part_rows, rows - first)}
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
        there = _with_hashes(read_manifest(folder), {})
        other = [name for name in manifest if there.get(name) != manifest[name]]
        if other:
            message = f"{folder} holds a table that was encrypted otherwise: {', '.join(other)} differ."
            hint = "Name another folder, or give the same source, key and options to go on with it."
            raise MismatchError("TABLE", message, hint)
        return folder
    # hidden: what another run of the same work writes at this moment
    if folder.exists() and (not folder.is_dir() or any(not item.name.startswith(".") for item in folder.iterdir())):
        raise FileError("FILE_EXISTS", f"{folder} is there, and holds something else.", "Name another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error.errno or 0) from error
    _write_manifest(file, manifest, {})
    return folder


def _with_hashes(manifest: Mapping[str, Any], hashes: Mapping[str, str]) -> dict[str, Any]:
    """The manifest with these hashes of parts, by their names, and no others."""
    parts = []
    for one in manifest["parts"]:
        known = hashes.get(one["file"])
        parts.append({name: one[name] for name in one if name != HASH} | ({HASH: known} if known else {}))
    return {**manifest, "parts": parts}


def _write_manifest(file: Path, manifest: Mapping[str, Any], hashes: Mapping[str, str]) -> None:
    whole = _with_hashes(manifest, hashes)
    write_bytes(file, json.dumps(whole | {HASH: _hash(whole)}, indent=1).encode())


def _hash(manifest: Mapping[str, Any]) -> str:
    """The hash of all that a manifest says but the hash itself."""
    said = {name: manifest[name] for name in manifest if name != HASH}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _remove_if_empty(folder: Path) -> None:
    """Removes the folder of a run that failed before its first part: nothing is there to go on from."""
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
        if found["kind"] != KIND or found["version"] not in (UNHASHED, VERSION):
            raise ValueError("it is of another kind or version")
        if is_hashed(found) and found[HASH] != _hash(found):
            raise ValueError("its hash is that of another one")
        _check_manifest(found)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{file} is no manifest of an encrypted table ({error})."
        raise FileError("TABLE", message, "It is damaged, or of something else.") from error
    return dict(found)


def is_hashed(manifest: Mapping[str, Any]) -> bool:
    """Whether a manifest has the hashes of its parts; those of older versions have none."""
    return bool(manifest["version"] != UNHASHED)


def _check_manifest(found: Mapping[str, Any]) -> None:
    """ValueError, KeyError, TypeError, unless its parts hold each row of the source once. A server may have written it."""
    if not isinstance(found["column"], str) or not isinstance(found["parts"], list):
        raise ValueError("it names no column, or no parts")
    if found.get("packing", SLOTS) not in list(PACKINGS):
        raise ValueError("its packing is unknown")
    next_row, names = 0, set()
    for one in found["parts"]:
        name, first, rows = one["file"], one["first"], one["rows"]
        if not isinstance(name, str) or Path(name).name != name or name in ("", "..") or "\0" in name:
            raise ValueError("a part of it is no file of the folder")
        if name in names:
            raise ValueError(f"{name} is there twice")
        if type(first) is not int or type(rows) is not int or rows < 0 or first != next_row:
            raise ValueError(f"{name} does not begin where the part before it ends")
        names.add(name)
        next_row += rows
    if found["source"]["rows"] != next_row:
        raise ValueError(f"its parts have {next_row} rows, and the source has {found['source']['rows']}")


# ---- decrypting -------------------------------------------------------------------------------------------------------
@checked
def decrypt_table(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str],
    key: SecretKey,
    context: AnyContext,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: int | None,
) -> TableFacts:
    """Decrypts a folder that encrypt_table has made, or a server in its image, to a Parquet file `out`, in order of the rows.

    Rows are counted, and parts and ciphertexts held against the manifest: their hashes, scale and parms_id. One that has no hashes, as older versions
    wrote it and a server may, is read without that check; a scale or parms_id that it does not have is not compared.
    options: as for decrypt_batches. FileError: the folder is no encrypted table, a part is missing or damaged, or `out`
    cannot be written; what was there stays then.
    """
    parquet = arrow("pyarrow.parquet")
    place, manifest = Path(folder), read_manifest(folder)
    parts = manifest["parts"]
    if not (place / SUCCESS).exists():
        raise FileError("TABLE", f"{place} is not whole: there is no {SUCCESS}.", "Run `ringside table encrypt` again.")
    said = {name: manifest[name] for name in ("scale", "parms_id", "packing") if name in manifest}
    cells = Cells(packed=bool(manifest.get("pack")), **said)

    def pieces() -> Iterator[Any]:
        done, schema = 0, None
        for one in parts:
            path, rows = place / one["file"], one["rows"]
            if is_hashed(manifest) and hash_of(path) != one.get(HASH):
                raise FileError("TABLE", f"{path} is not as it was written: its hash is another one.", _AGAIN)
            batches = batches_of(opened(path), path)
            end = done + rows
            with in_file(path):
                for batch in decrypt_batches(
                    batches, key, context, column=manifest["column"], cells=cells, threads=threads, **options
                ):
                    schema = batch.schema if schema is None else schema
                    if not batch.schema.equals(schema, check_metadata=False):
                        raise FileError("TABLE", f"{path} has other columns than the parts before it.", _AGAIN)
                    yield batch
                    done += batch.num_rows
                    if progress is not None:
                        progress(done, manifest["source"]["rows"])
            if done != end:
                raise FileError("TABLE", f"{path} has {rows + done - end} rows, not {rows}.", _AGAIN)

    def table() -> Iterator[Any]:
        yield from pieces() if parts else [_empty(manifest, context.params.scheme)]

    with replace_file(out) as fd, open(fd, "wb", closefd=False) as file:
        found = write(parquet, file, table(), "")
    return TableFacts(found, len(parts), 0, Path(out).stat().st_size)


def _empty(manifest: Mapping[str, Any], scheme: str) -> Any:
    """No row of a table whose other columns have no types: there is no part that would tell them."""
    pa = arrow()
    kept = {name: pa.array([], pa.null()) for name in manifest.get("keep", [])}
    kind = kind_of(scheme, bool(manifest.get("pack")))
    return pa.record_batch(kept | {manifest["column"]: pa.array([], kind)})
