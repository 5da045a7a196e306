# SPDX-License-Identifier: Apache-2.0
"""Encrypted tables that were damaged: each is refused, or comes back as it was. No row is lost, doubled or changed in silence."""

import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ringside as rs
from asserting import flipped, raises
from ringside import tables
from ringside.errors import FileError, InputError, MismatchError
from ringside.objects.keydir import context_for
from ringside.tables.part import TablePart, encrypt_part
from ringside.tables.table import MANIFEST

SOAK = bool(os.environ.get("RINGSIDE_SOAK"))
DAMAGED = 2500 if SOAK else 60  # files of each kind; there are six
PARTS = ("part-000000.parquet", "part-000001.parquet", "part-000002.parquet")
DIGITS = 1e-3
Manifest = dict[str, Any]


class Table:
    """Eight rows in three parts, and the same without hashes, as the version before wrote it."""

    def __init__(self, place: Path, scheme: str, pack: bool) -> None:
        self.place, self.out = place, place / "out.parquet"
        t = None if scheme == "ckks" else 12289
        params = rs.Parameters.from_bits(512, [30, 30, 30], scheme=scheme, plain_modulus=t, security=0)
        self.context = context_for(params)
        self.secret = self.context.keygen()
        rows = params.slots * 8 if pack else 8
        values = np.cos(np.arange(rows)) if t is None else np.arange(rows) - 6144
        self.wanted = pa.table({"id": range(rows), "name": [f"n{k}" for k in range(rows)], "x": values})
        pq.write_table(self.wanted, place / "in.parquet")
        how = tables.TableEncryption(column="x", keep=("id", "name"), part_rows=3, pack=pack)
        public = self.context.public_key(self.secret)
        tables.encrypt_table(place / "in.parquet", place / "folder", public, self.context, how)
        self.folder = place / "folder"
        self.manifest: Manifest = tables.read_manifest(self.folder)
        assert [one["file"] for one in self.manifest["parts"]] == list(PARTS)
        self.files = {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def write(self, manifest: Manifest | None = None, changed: dict[str, bytes] | None = None) -> None:
        """The folder as it was but for these."""
        said = {} if manifest is None else {MANIFEST: json.dumps(manifest).encode()}
        for name, data in (self.files | said | (changed or {})).items():
            (self.folder / name).write_bytes(data)

    def decrypted(self) -> Any:
        tables.decrypt_table(self.folder, self.out, self.secret, self.context)
        return pq.read_table(self.out)

    def is_right(self, found: Any) -> bool:
        """Whether these are all rows, in their order, with their values."""
        if found.select(["id", "name"]) != self.wanted.select(["id", "name"]):
            return False
        values = found["x"].combine_chunks()
        values = values.flatten() if hasattr(values, "flatten") and pa.types.is_list(values.type) else values
        return bool(np.abs(np.subtract(values.to_numpy(), self.wanted["x"].to_numpy())).max() < DIGITS)

    def ends_well(self) -> bool:
        """Whether it is refused. AssertionError: it is not, and is wrong."""
        try:
            assert self.is_right(self.decrypted())
            return False
        except rs.RingsideError:
            return True


@pytest.fixture(scope="module", params=[("ckks", False), ("ckks", True), ("bgv", True)], ids=str)
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return Table(tmp_path_factory.mktemp("table"), *request.param)


def hashed(manifest: Manifest) -> Manifest:
    """With the hash that belongs to it, so that nothing else is left to tell."""
    rest = {name: value for name, value in manifest.items() if name != "sha256"}
    return rest | {"sha256": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}


def unhashed(manifest: Manifest) -> Manifest:
    """As the version before wrote it, but for packed tables, which that had not."""
    parts = [{name: one[name] for name in ("file", "first", "rows")} for one in manifest["parts"]]
    return {name: manifest[name] for name in manifest if name != "sha256"} | {"version": 1, "parts": parts}


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Bytes changed, cut out, put in or cut off, mostly in the last ones, where the footer is."""
    copy = bytearray(data)
    for _ in range(draw.randint(1, 2)):
        place = draw.randrange(max(0, len(copy) - 2500) if draw.random() < 0.7 else 0, len(copy))
        kind = draw.random()
        if kind < 0.8:
            copy[place] ^= draw.randrange(1, 256)
        elif kind < 0.87:
            del copy[place : place + draw.randint(1, 8)]
        elif kind < 0.94:
            copy[place:place] = draw.randbytes(draw.randint(1, 8))
        else:
            del copy[max(1, place) :]
    return bytes(copy)


def test_a_table_that_is_whole(table: Table) -> None:
    table.write()
    assert table.is_right(table.decrypted())
    table.write(unhashed(table.manifest))
    assert table.is_right(table.decrypted())


def test_damaged_parts(table: Table) -> None:
    draw = random.Random("parts")
    for _ in range(DAMAGED):
        name = draw.choice(PARTS)
        data = damaged(table.files[name], draw)
        table.write(changed={name: data})
        assert table.ends_well() == (data != table.files[name])


def test_damaged_parts_without_hashes_lose_no_row(table: Table) -> None:
    """What was encrypted or kept may be another value then, as the guide says."""
    draw, refused = random.Random("no hashes"), 0
    for _ in range(DAMAGED):
        name = draw.choice(PARTS)
        table.write(unhashed(table.manifest), {name: damaged(table.files[name], draw)})
        try:
            assert table.decrypted().num_rows == table.wanted.num_rows
        except rs.RingsideError:
            refused += 1
    assert refused > DAMAGED // 2


def test_damaged_manifests(table: Table) -> None:
    draw, refused = random.Random("manifests"), 0
    for _ in range(DAMAGED):
        table.write(changed={MANIFEST: damaged(table.files[MANIFEST], draw)})
        refused += table.ends_well()
    assert refused > DAMAGED // 2
    table.write()


def _doubled(manifest: Manifest) -> None:
    manifest["parts"][1] = dict(manifest["parts"][0])


def _again(manifest: Manifest) -> None:
    manifest["parts"][1] = manifest["parts"][0] | {"first": manifest["parts"][1]["first"]}


def _less(manifest: Manifest) -> None:
    del manifest["parts"][2]


def _first_less(manifest: Manifest) -> None:
    del manifest["parts"][0]


def _turned(manifest: Manifest) -> None:
    manifest["parts"].reverse()


def _exchanged(manifest: Manifest) -> None:
    one, other = manifest["parts"][:2]
    one["file"], other["file"] = other["file"], one["file"]


def _fewer_rows(manifest: Manifest) -> None:
    manifest["parts"][2]["rows"] -= 1
    manifest["source"]["rows"] -= 1


def _more_rows(manifest: Manifest) -> None:
    manifest["source"]["rows"] += 1


def _scale(manifest: Manifest) -> None:
    manifest["scale"] *= 2


def _level(manifest: Manifest) -> None:
    manifest["parms_id"] = "0" * 64


def _kept(manifest: Manifest) -> None:
    manifest["column"] = "id"


def _packed(manifest: Manifest) -> None:
    manifest["pack"] = not manifest["pack"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_doubled, "part-000000.parquet is there twice"),
        (_again, "part-000000.parquet is there twice"),
        (_less, r"its parts have \d+ rows, and the source has"),
        (_first_less, "part-000001.parquet does not begin where the part before it ends"),
        (_turned, "part-000002.parquet does not begin where"),
        (_exchanged, "its hash is another one"),
        (_fewer_rows, r"part-000002.parquet has \d+ rows, not"),
        (_more_rows, r"its parts have \d+ rows, and the source has"),
        (_scale, r"part-000000.parquet: (Row|Ciphertext) 0: The ciphertext has the scale"),
        (_level, r"The ciphertext has the parms_id [0-9a-f]{64}, and the table says 0000"),
        (_kept, "Column 'id' is of type"),
    ],
)
def test_manifests_that_do_not_fit(table: Table, change: Callable[[Manifest], None], says: str, tmp_path: Path) -> None:
    """With the right hash of the manifest, and without hashes, as of the version before."""
    changed = json.loads(table.files[MANIFEST])
    change(changed)
    table.write(hashed(changed))
    raises((FileError, MismatchError, InputError), says, table.decrypted)
    table.write(changed)
    raises(FileError, r"its hash is that of another one", table.decrypted)
    if change is not _exchanged:  # nothing else tells parts of equal length apart
        table.write(unhashed(changed))
        raises((FileError, MismatchError, InputError), says, table.decrypted)


def test_packed_and_unpacked_tables_are_not_taken_for_each_other(table: Table) -> None:
    changed = json.loads(table.files[MANIFEST])
    _packed(changed)
    table.write(hashed(changed))
    raises((FileError, InputError), r"rows, not|was not packed", table.decrypted)


@pytest.mark.parametrize("part", ["../in.parquet", "/etc/passwd", "", "..", 7, None])
def test_a_manifest_names_files_of_its_own_folder(part: Any, tmp_path: Path) -> None:
    """It may come from a server."""
    one = {"file": part, "first": 0, "rows": 1}
    manifest = {"kind": "ringside-table", "version": 1, "column": "values", "parts": [one], "source": {"rows": 1}}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    raises(FileError, "no manifest", tables.read_manifest, tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        {"parts": [{}]},
        {"parts": [1]},
        {"parts": None},
        {"column": None},
        {"parts": [{"file": "a", "first": 0, "rows": "1"}]},
        {"parts": [{"file": "a", "first": 0, "rows": -1}, {"file": "b", "first": -1, "rows": 1}]},
        {"source": {}},
        {"version": 3},
        {"version": 2},
    ],
)
def test_manifests_that_are_none(other: Manifest, tmp_path: Path) -> None:
    manifest = {"kind": "ringside-table", "version": 1, "column": "values", "parts": [], "source": {"rows": 0}}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    assert tables.read_manifest(tmp_path) == manifest
    (tmp_path / MANIFEST).write_text(json.dumps(manifest | other))
    raises(FileError, "no manifest", tables.read_manifest, tmp_path)


# ---- what a run goes on from ----------------------------------------------------------------------------------------------
def test_a_damaged_part_is_encrypted_again(table: Table) -> None:
    """Its footer is whole, and it is another one than was written."""
    table.write()
    public = rs.PublicKey.from_bytes(table.context, table.context.public_key(table.secret).to_bytes())
    how = tables.TableEncryption(column="x", keep=("id", "name"), part_rows=3, pack=table.manifest["pack"])
    shutil.rmtree(table.place / "more", ignore_errors=True)
    more: Any = (table.place / "in.parquet", table.place / "more", public, table.context, how)
    assert tables.encrypt_table(*more).kept == 0
    assert tables.encrypt_table(*more).kept == 3
    part = table.place / "more" / PARTS[1]
    data = part.read_bytes()
    part.write_bytes(flipped(data, len(data) // 2))

    def forgetful(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        for one in parts:
            encrypt_part(one)
            told(one)  # without the hash of what it has written

    assert tables.encrypt_table(*more, engine=forgetful).kept == 2
    assert tables.encrypt_table(*more).kept == 3
    tables.decrypt_table(table.place / "more", table.out, table.secret, table.context)
    assert table.is_right(pq.read_table(table.out))


def test_names_that_are_not_utf8(table: Table, tmp_path: Path) -> None:
    """A byte of a column's name, in the source or in a part."""
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"sensor": ["a"], "x": [1.0]}), source, store_schema=False)
    source.write_bytes(source.read_bytes().replace(b"sensor", b"sens\xffr"))
    public = table.context.public_key(table.secret)
    with pytest.raises(FileError, match=r"in\.parquet has a name that is not UTF-8"):
        tables.encrypt_table(source, tmp_path / "out", public, table.context, tables.TableEncryption(column="x"))
    raises(FileError, "not UTF-8", tables.column_of, source)
    shutil.copytree(table.folder, tmp_path / "folder")
    (tmp_path / "folder" / MANIFEST).write_text(json.dumps(unhashed(table.manifest)))
    part = tmp_path / "folder" / PARTS[0]
    pq.write_table(pq.read_table(part), part, store_schema=False)
    part.write_bytes(part.read_bytes().replace(b"name", b"n\xffme"))
    with pytest.raises(FileError, match=r"part-000000\.parquet has a name that is not UTF-8"):
        tables.decrypt_table(tmp_path / "folder", tmp_path / "out.parquet", table.secret, table.context)


def test_a_footer_that_claims_more_than_it_can_hold(table: Table, tmp_path: Path) -> None:
    """A million row groups in some hundred bytes: 700 MiB were taken for them before the first was looked at."""
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"x": [1.0]}), source, store_schema=False)
    data = source.read_bytes()
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer = data[start:-8]
    for place in (at for at in range(len(footer)) if footer[at : at + 2] == b"\x19\x1c"):  # lists of one struct
        claims = footer[: place + 1] + b"\xfc\xc0\x84\x3d" + footer[place + 2 :]
        source.write_bytes(data[:start] + claims + len(claims).to_bytes(4, "little") + b"PAR1")
        with pytest.raises(FileError, match=r"in\.parquet is not a whole Parquet file: .*Exceeded size limit\. Write"):
            tables.column_of(source)
