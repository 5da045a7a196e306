# SPDX-License-Identifier: Apache-2.0
"""Tables of Arrow and Parquet: rows to ciphertexts and back, runs that were broken off, workers that are lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine, python
from ringside import hints, tables
from ringside.errors import DeviceError, FileError, InputError, MismatchError, UsageError
from ringside.native import library
from ringside.tables import arrow, batches, engine
from ringside.tables.part import TablePart, encrypt_part
from ringside.tables.table import MANIFEST, SUCCESS

ROWS, WIDTH, PART_ROWS = 300, 16, 64
DIGITS = 0.01  # at the small scale of the set
CONTEXT = rs.Context(rs.Parameters.named("lee-12"))
SECRET = CONTEXT.keygen()
PUBLIC = CONTEXT.public_key(SECRET)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Row k has WIDTH + k mod 3 values, the first is k."""
    generator = np.random.default_rng(5)
    rows = [np.concatenate([[k], generator.normal(size=WIDTH - 1 + k % 3)]) for k in range(ROWS)]
    table = pa.table({"sensor": [f"s{k}" for k in range(ROWS)], "values": pa.array(rows, pa.list_(pa.float64()))})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=130)
    return tmp_path / "in.parquet"


def values_of(path: Path) -> list[Any]:
    return list(pq.read_table(path)["values"].to_pylist())


def check_decrypted(source: Path, folder: Path) -> None:
    out = folder.with_suffix(".out.parquet")
    assert tables.decrypt_table(folder, out, SECRET, CONTEXT).rows == ROWS
    for wanted, found in zip(values_of(source), values_of(out), strict=True):
        assert len(wanted) == len(found)
        assert np.abs(np.subtract(wanted, found)).max() < DIGITS


def test_a_table_comes_back_row_for_row(source: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    wanted = tables.TableEncryption(keep=("sensor",), part_rows=PART_ROWS)
    facts = tables.encrypt_table(
        source, tmp_path / "folder", PUBLIC, CONTEXT, wanted, progress=lambda *pair: told.append(pair)
    )
    assert (facts.rows, facts.parts, facts.kept) == (ROWS, 5, 0)
    assert told == [(0, ROWS), *((min(k * PART_ROWS, ROWS), ROWS) for k in range(1, 6))]
    manifest = tables.read_manifest(tmp_path / "folder")
    assert manifest["parms_id"] == CONTEXT.params.parms_id(CONTEXT.params.max_level)
    assert (manifest["scale"], manifest["slots"]) == (CONTEXT.params.default_scale, 2048)
    assert sum(part["rows"] for part in manifest["parts"]) == manifest["source"]["rows"] == ROWS
    part = pq.read_table(tmp_path / "folder" / manifest["parts"][1]["file"])
    assert part["sensor"].to_pylist() == [f"s{k}" for k in range(PART_ROWS, 2 * PART_ROWS)]
    # each is a file of SEAL's, with randomness of its own
    files = part["values"].to_pylist()
    assert len(set(files)) == PART_ROWS
    one = rs.Ciphertext.from_bytes(CONTEXT, files[3])
    assert CONTEXT.decrypt_values(one, SECRET, 1)[0] == pytest.approx((PART_ROWS + 3), abs=DIGITS)
    check_decrypted(source, tmp_path / "folder")
    out = pq.read_table(tmp_path / "folder.out.parquet")
    assert out.column_names == ["sensor", "values"]
    assert out["sensor"].to_pylist() == [f"s{k}" for k in range(ROWS)]


@pytest.mark.parametrize(
    "kind", [pa.list_(pa.int32(), 3), pa.large_list(pa.float32()), pa.int64(), pa.float64()], ids=str
)
def test_rows_of_every_kind_of_number(kind: Any) -> None:
    is_list = hasattr(kind, "value_type")
    rows = [[k, 2 * k, -k] if is_list else k for k in range(40)]
    batches = pa.table({"x": pa.array(rows, kind)}).to_batches(max_chunksize=25)
    found = list(tables.encrypt_batches(batches, PUBLIC, CONTEXT, column="x"))
    assert sum(batch.num_rows for batch in found) == 40
    back = pa.Table.from_batches(tables.decrypt_batches(found, SECRET, CONTEXT, column="x"))
    wanted = np.array([row if is_list else [row] for row in rows])
    assert np.abs(np.array(back["x"].to_pylist()) - wanted).max() < DIGITS


def test_batches_are_taken_one_after_the_other() -> None:
    """Memory does not grow with the table: nothing is read ahead of what is asked for."""
    read = 0

    def batches() -> Any:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield pa.record_batch({"values": [[1.0, 2.0]] * 2})

    found = tables.encrypt_batches(batches(), PUBLIC, CONTEXT)
    for _ in range(3):
        assert next(found).num_rows == 2
    assert read == 3


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([[1.0], None], "Row 101 of column 'values' is null"),
        ([[1.0], [2.0, None]], "Row 101 of column 'values' is null, or has a null"),
        ([[1.0], []], "Row 101 of column 'values' has 0 values"),
        ([[1.0], [0.5] * 2049], "Row 101 of column 'values' has 2049 values; a ciphertext has 1 to 2048"),
        ([[1.0], [float("nan")]], "Row 101 of column 'values': "),
        ([[1.0], [float("inf")]], "Row 101 of column 'values': "),
    ],
)
def test_a_row_that_cannot_be_encrypted_is_named(rows: list[Any], text: str) -> None:
    batch = pa.record_batch({"values": pa.array(rows, pa.list_(pa.float64()))})
    raises(InputError, text, list, tables.encrypt_batches([batch], PUBLIC, CONTEXT, first_row=100))


def test_columns_are_checked() -> None:
    batch = pa.record_batch({"values": [[1.0]], "name": ["a"]})
    with pytest.raises(InputError, match=r"no column 'value'.*") as caught:
        list(tables.encrypt_batches([batch], PUBLIC, CONTEXT, column="value"))
    assert "Did you mean 'values'?" in str(caught.value.hint)
    raises(InputError, "of type string", list, tables.encrypt_batches([batch], PUBLIC, CONTEXT, column="name"))
    raises(InputError, "no column 'nam'", list, tables.encrypt_batches([batch], PUBLIC, CONTEXT, keep=("nam",)))
    with pytest.raises(InputError, match="of type string; ciphertexts are binary"):
        list(tables.decrypt_batches([batch], SECRET, CONTEXT, column="name"))
    empty = pa.record_batch({"values": pa.array([None], pa.binary())})
    raises(InputError, "Row 0: There is no ciphertext", list, tables.decrypt_batches([empty], SECRET, CONTEXT))
    with pytest.raises(rs.RingsideError, match="Row 0: "):
        list(tables.decrypt_batches([pa.record_batch({"values": [b"no ciphertext"]})], SECRET, CONTEXT))


# ---- packed rows -------------------------------------------------------------------------------------------------------
def test_packed_rows_come_back(tmp_path: Path) -> None:
    """N/2 rows in a ciphertext, in batches of other sizes, with the columns that are kept beside them."""
    rows = 2 * 2048 * 8 + 100  # two rounds of packs, and some
    numbers = np.sin(np.arange(rows))
    table = pa.table(
        {"name": [f"s{k % 7}" if k % 3 else None for k in range(rows)], "x": numbers, "k": np.arange(rows)}
    )
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=5000)
    wanted = tables.TableEncryption(column="x", keep=("k", "name"), part_rows=9, pack=True)
    facts = tables.encrypt_table(tmp_path / "in.parquet", tmp_path / "folder", PUBLIC, CONTEXT, wanted)
    assert (facts.rows, facts.parts, facts.bytes < 3_000_000) == (rows, 2, True)
    cells = pq.read_table(tmp_path / "folder" / "part-000001.parquet")
    assert cells["x_count"].to_pylist() == [2048] * 7 + [100]
    assert cells["name"][7].as_py() == table["name"].to_pylist()[-100:]
    assert tables.decrypt_table(tmp_path / "folder", tmp_path / "out.parquet", SECRET, CONTEXT).rows == rows
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.select(["k", "name"]) == table.select(["k", "name"])
    assert np.abs(found["x"].to_numpy() - numbers).max() < DIGITS
    # a run that was broken off
    (tmp_path / "folder" / "part-000001.parquet").unlink()
    assert tables.encrypt_table(tmp_path / "in.parquet", tmp_path / "folder", PUBLIC, CONTEXT, wanted).kept == 1


def test_what_cannot_be_packed() -> None:
    def packed(rows: list[Any], kind: Any) -> list[Any]:
        batch = pa.record_batch({"x": pa.array(rows, kind)})
        return list(tables.encrypt_batches([batch, batch], PUBLIC, CONTEXT, column="x", first_row=10, pack=True))

    raises(InputError, r"list<.*; only rows of one number are packed", packed, [[1.0]], pa.list_(pa.float64()))
    raises(InputError, "Row 11 of column 'x' is null", packed, [1.0, None, None], pa.float64())
    raises(InputError, "Row 12 of column 'x' is inf, which is not finite", packed, [1, 2, float("inf")], pa.float32())
    found = packed([1, 2, -3], pa.int16())
    assert [batch.num_rows for batch in found] == [1]
    assert len(next(tables.decrypt_batches(found, SECRET, CONTEXT, column="x"))["x"][0]) == 6
    whole = pa.Table.from_batches(
        tables.decrypt_batches(found, SECRET, CONTEXT, column="x", cells=tables.Cells(packed=True))
    )
    assert np.abs(whole["x"].to_numpy() - [1, 2, -3, 1, 2, -3]).max() < DIGITS
    for count in (None, 0, -1, 2049):
        damaged = found[0].set_column(1, "x_count", pa.array([count], pa.int32()))
        with pytest.raises(InputError, match=f"Row 0: It has {count} values"):
            list(tables.decrypt_batches([damaged], SECRET, CONTEXT, column="x"))


# ---- memory and files ---------------------------------------------------------------------------------------------------
FILES = """
import sys
import numpy as np, pyarrow as pa
import ringside as rs
from ringside.native.rng import DeterministicRng, ffi
from ringside.tables import TableMethod, batches

seeds = lambda rng: DeterministicRng.__init__(rng, ffi.new("rs_seed_t *", {"bytes": bytes(range(64))}))
batches.Rng = type("Rng", (), {"__init__": seeds})
rs.native.rng.Rng.__init__ = seeds

class Other(rs.devices.cpu.AnyDevice):  # makes ciphertexts, which become files one by one
    name, compute = "other:", lambda self, call: rs.devices.cpu.CPU.compute(call)
    prepare = close = lambda *_: None

for name, kind in (("lee-12", pa.large_list(pa.float64())), ("bfv-12", pa.list_(pa.int16()))):
    context = rs.ExactContext(rs.Parameters.named(name)) if "bfv" in name else rs.Context(rs.Parameters.named(name))
    table = pa.table({"x": pa.array([np.arange(-k, 2 * k + 1) for k in range(70)], kind)}).slice(3)
    seed = {"insecure_deterministic_seed": bytes(range(64))}
    for index in range(2):
        secret = context.keygen(**seed, insecure_deterministic_index=index)
        key = context.public_key(secret, **seed)
        found = []
        for place, threads in ((context, 1), (context, 3), (context.on(Other()), 1)):
            made = batches.encrypt_batches(
                table.to_batches(), key, place, column="x", method=TableMethod(threads=threads, special_prime=not index)
            )
            found.append([cell for batch in made for cell in batch["x"].to_pylist()])
        assert len(found[0]) == 67 and found[0] == found[1] == found[2]
        print(hash(b"".join(found[0])))
"""


def test_files_are_those_of_the_ciphertexts() -> None:
    """Bit for bit, of two sets and two keys each, for any number of threads, in two processes: with the same seeds in place of fresh ones."""
    told = [python(FILES, env=os.environ | {"PYTHONHASHSEED": "0"}, check=True).stdout.split() for _ in range(2)]
    assert told[0] == told[1]
    assert len(set(told[0])) == 4


def test_large_memory_serves_again() -> None:
    """Of a batch's ciphertexts, and of a table's cells, but never while somebody has it; and what is kept has a bound."""
    frames = np.ones((9, 2048))
    first = CONTEXT.encrypt_batch(frames, PUBLIC)
    places = {one.data.ctypes.data for one in first}
    kept, copy = first[4].data[1:], first[4].data[1:].copy()
    del first
    again = {one.data.ctypes.data for one in CONTEXT.encrypt_batch(frames, PUBLIC)}
    assert len(places & again) >= len(places) - 1
    assert kept.ctypes.data - kept.nbytes not in again
    assert np.array_equal(kept, copy)
    rows = pa.table({"values": pa.array(list(frames) * 32)}).to_batches()
    cells = {batch["values"].buffers()[2].address for batch in tables.encrypt_batches(rows, PUBLIC, CONTEXT)}
    assert len(cells) <= 2  # nine batches
    blocks = [library.aligned(1 << 17) for _ in range(100)]
    del blocks
    assert sum(size * len(some) for size, some in library._kept.items()) <= library.KEPT_BYTES


def test_values_are_read_where_arrow_has_them() -> None:
    values = pa.array(np.arange(12.0))
    for array in (pa.FixedSizeListArray.from_arrays(values, 3), pa.LargeListArray.from_arrays([0, 3, 6, 12], values)):
        piece = pa.record_batch([array], ["x"]).slice(1)
        found = batches._rows(piece, "x", 0, 2048, batches._Taken(None))
        assert [row[0] for row in found] == [3.0, 6.0, 9.0][: len(found)]
        assert found[0].ctypes.data == values.buffers()[1].address + 3 * 8


# ---- integers ----------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module", params=["bfv", "bgv"])
def exact(request: pytest.FixtureRequest) -> rs.ExactContext:
    return rs.ExactContext(rs.Parameters.named(f"{request.param}-12"))


INTEGERS: list[tuple[Any, Callable[[int], Any]]] = [
    (pa.int64(), lambda k: (k * 7919) % 65537 - 32768),
    (pa.uint16(), lambda k: k % 32769),
    (pa.list_(pa.int32()), lambda k: [k, -32768, 32768][: 1 + k % 3]),
]


@pytest.mark.parametrize(("kind", "row"), INTEGERS, ids=["int64", "uint16", "list"])
@pytest.mark.parametrize("packing", [None, "coefficients"])
def test_integers_come_back(
    tmp_path: Path, exact: rs.ExactContext, kind: Any, row: Callable[[int], Any], packing: str | None
) -> None:
    """All of them; packed, N rows in a ciphertext."""
    pack = not arrow.is_list(kind)
    rows = 2 * exact.n + 5 if pack else 40
    table = pa.table({"id": range(rows), "x": pa.array([row(k) for k in range(rows)], kind)})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=3000)
    method = tables.TableMethod(packing=packing)
    wanted = tables.TableEncryption(column="x", keep=("id",), method=method, part_rows=30, pack=pack)
    with exact.keygen() as secret:
        public = exact.public_key(secret)
        facts = tables.encrypt_table(tmp_path / "in.parquet", tmp_path / "folder", public, exact, wanted)
        manifest = tables.read_manifest(tmp_path / "folder")
        assert (facts.rows, manifest["slots"], manifest["packing"]) == (rows, exact.n, packing or "slots")
        assert (manifest["scheme"], manifest["plain_modulus"]) == (exact.params.scheme, 65537)
        tables.decrypt_table(tmp_path / "folder", tmp_path / "out.parquet", secret, exact, margin_bits=8)
        cell = pq.read_table(tmp_path / "folder" / "part-000000.parquet")["x"][0].as_py()
        one = rs.Ciphertext.from_bytes(exact, cell)
        first = exact.decrypt_values(one, secret, 1, packing=packing or "slots")
        assert first.tolist() == np.ravel(table["x"][0].as_py()).tolist()
    found = pq.read_table(tmp_path / "out.parquet")
    assert found["id"] == table["id"]
    assert found["x"].to_pylist() == table["x"].to_pylist()
    assert found["x"].type == (pa.int64() if pack else pa.list_(pa.int64()))


def test_integers_that_cannot_be_encrypted_are_named(exact: rs.ExactContext) -> None:
    with exact.keygen() as secret:
        key = exact.public_key(secret)

    def sealed(rows: list[Any], kind: Any, pack: bool = False, **method: Any) -> list[Any]:
        batches = [pa.record_batch({"x": pa.array(rows, kind)})]
        how: Any = {"column": "x", "first_row": 100, "pack": pack, "method": tables.TableMethod(**method)}
        return list(tables.encrypt_batches(batches, key, exact, **how))

    for bad in (32769, -32769, 1 << 62):
        told = f"is {bad}, which is not from -32768 to 32768"
        raises(InputError, f"Row 102 of column 'x' {told}", sealed, [1, 2, bad], pa.int64(), True)
        raises(InputError, f"Row 101 of column 'x', number 0, {told}", sealed, [1, bad], pa.int64())
        raises(InputError, f"Row 101 of column 'x', number 1, {told}", sealed, [[1], [2, bad]], pa.list_(pa.int64()))
    raises(InputError, "is 18446744073709551615", sealed, [2**64 - 1], pa.uint64(), True)
    raises(InputError, "Row 101 of column 'x' is null", sealed, [1, None], pa.int64(), True)
    raises(InputError, "has 4097 values; a ciphertext has 1 to 4096", sealed, [[1] * 4097], pa.list_(pa.int8()))
    raises(InputError, "of type double; integers are wanted", sealed, [1.0], pa.float64())
    with (even := rs.ExactContext(rs.Parameters.named("bfv-12", plain_modulus=16))).keygen() as secret:
        batches = [pa.record_batch({"values": [-8, 7, 8]})]
        method = tables.TableMethod(packing="coefficients")
        found = tables.encrypt_batches(batches, even.public_key(secret), even, method=method)
        raises(InputError, "Row 2 of column 'values', number 0, is 8, which is not from -8 to 7", list, found)
    raises(rs.ParameterError, "has no scale", sealed, [1], pa.int64(), scale=4.0)
    doubles = pa.record_batch({"values": [1.0]})
    found = tables.encrypt_batches([doubles], PUBLIC, CONTEXT, method=tables.TableMethod(packing="slots"))
    raises(rs.ParameterError, "CKKS has no packing", list, found)


# ---- runs that were broken off ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["values", "values_count"])
def test_what_is_encrypted_is_not_kept_as_it_is(tmp_path: Path, name: str) -> None:
    """It stood beside its ciphertext, for all to read; and a count of that name stood twice."""
    table = pa.table({"values": [[1.0]], "values_count": [7]})
    pq.write_table(table, tmp_path / "in.parquet")
    wanted = tables.TableEncryption(keep=(name,))
    with pytest.raises(InputError, match=f"Column '{name}'"):
        tables.encrypt_table(tmp_path / "in.parquet", tmp_path / "out", PUBLIC, CONTEXT, wanted)
    assert not (tmp_path / "out").exists()
    with pytest.raises(InputError, match=f"Column '{name}'"):
        list(tables.encrypt_batches(table.to_batches(), PUBLIC, CONTEXT, keep=[name]))


def test_a_run_that_fails_at_once_leaves_no_folder(tmp_path: Path) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out"
    pq.write_table(pa.table({"values": [[1.0], [float("nan")], [2.0]]}), source)
    with pytest.raises(InputError, match=r"in\.parquet: Row 1 of column 'values': "):
        tables.encrypt_table(source, out, PUBLIC, CONTEXT, tables.TableEncryption())
    assert not out.exists()
    one_by_one = tables.TableEncryption(part_rows=1, method=tables.TableMethod(threads=1))
    with pytest.raises(InputError, match="Row 1 of column 'values': "):
        tables.encrypt_table(source, out, PUBLIC, CONTEXT, one_by_one)
    assert sorted(path.name for path in out.iterdir()) == [MANIFEST, "part-000000.parquet"]  # to go on from


UNTYPED: Any = tables


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda c, k: UNTYPED.encrypt_table(None, "out", k, c, tables.TableEncryption()), "source.* cannot be None"),
        (lambda c, k: UNTYPED.encrypt_table("in", "out", k, c, "values"), "`wanted` cannot be 'values'"),
        (lambda c, k: UNTYPED.TableEncryption(keep="sensor"), "`keep` cannot be 'sensor'"),
        (lambda c, k: UNTYPED.TableMethod(scale="2^40"), "`scale` cannot be '2\\^40'"),
        (lambda c, k: UNTYPED.read_manifest(5), "`folder` cannot be 5"),
        (lambda c, k: list(UNTYPED.encrypt_batches(5, k, c)), "cannot be a int.* RecordBatchReader"),
        (lambda c, k: list(UNTYPED.encrypt_batches([[1.0]], k, c)), "gives a list.* RecordBatchReader"),
    ],
)
def test_wrong_arguments_are_told(call: Callable[[Any, Any], object], words: str) -> None:
    raises(rs.ArgumentError, words, call, CONTEXT, PUBLIC)


def test_what_is_no_table_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no Parquet")
    with pytest.raises(FileError, match="Is a directory"):
        tables.encrypt_table(tmp_path, tmp_path / "out", PUBLIC, CONTEXT, tables.TableEncryption())
    with pytest.raises(FileError, match=r"text is not a whole Parquet file: .*[^.]\. Write it again"):
        tables.encrypt_table(tmp_path / "text", tmp_path / "out", PUBLIC, CONTEXT, tables.TableEncryption())
    raises(FileError, "no folder of an encrypted table", tables.read_manifest, tmp_path)


def test_a_run_goes_on_where_another_one_ended(source: Path, tmp_path: Path) -> None:
    folder, wanted = tmp_path / "folder", tables.TableEncryption(part_rows=PART_ROWS)

    def until_the_third(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        for part in parts[:2]:
            told(encrypt_part(part))
        # the third one is cut off while it is written, the fourth one by a machine that lost its disk
        Path(parts[2].file).with_name(".part-000002.parquet.12.new").write_bytes(b"PAR1")
        Path(parts[3].file).write_bytes(b"PAR1 and no more")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.encrypt_table(source, folder, PUBLIC, CONTEXT, wanted, engine=until_the_third)
    assert not (folder / SUCCESS).exists()
    raises(FileError, "not whole", tables.decrypt_table, folder, tmp_path / "out.parquet", SECRET, CONTEXT)
    before = {path.name: path.read_bytes() for path in folder.glob("part-00000[01].parquet")}
    facts = tables.encrypt_table(source, folder, PUBLIC, CONTEXT, wanted)
    assert (facts.parts, facts.kept) == (5, 2)
    assert {path.name: path.read_bytes() for path in folder.glob("part-00000[01].parquet")} == before
    parts = [f"part-{number:06d}.parquet" for number in range(5)]
    assert sorted(path.name for path in folder.iterdir()) == [SUCCESS, MANIFEST, *parts]
    check_decrypted(source, folder)
    assert tables.encrypt_table(source, folder, PUBLIC, CONTEXT, wanted).kept == 5


def test_two_runs_do_not_work_in_one_folder(source: Path, tmp_path: Path) -> None:
    """Both would tell that all is well, and parts of the one would have the hashes of the other."""
    wanted = tables.TableEncryption(part_rows=PART_ROWS)

    def twice(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        with pytest.raises(FileError, match="Another run is at work in"):
            tables.encrypt_table(source, tmp_path / "enc", PUBLIC, CONTEXT, wanted)
        tables.on_this_machine()(parts, told)

    tables.encrypt_table(source, tmp_path / "enc", PUBLIC, CONTEXT, wanted, engine=twice)
    check_decrypted(source, tmp_path / "enc")
    assert tables.encrypt_table(source, tmp_path / "enc", PUBLIC, CONTEXT, wanted).kept == 5


def test_other_work_is_not_mixed_with_it(source: Path, tmp_path: Path) -> None:
    folder, wanted = tmp_path / "folder", tables.TableEncryption(part_rows=200)
    tables.encrypt_table(source, folder, PUBLIC, CONTEXT, wanted)
    other = CONTEXT.public_key(SECRET)
    raises(MismatchError, "key_id differ", tables.encrypt_table, source, folder, other, CONTEXT, wanted)
    lower = tables.TableEncryption(part_rows=200, method=tables.TableMethod(level=1))
    raises(MismatchError, "level", tables.encrypt_table, source, folder, PUBLIC, CONTEXT, lower)
    pq.write_table(pq.read_table(source).slice(0, ROWS - 1), source)
    raises(MismatchError, "source", tables.encrypt_table, source, folder, PUBLIC, CONTEXT, wanted)
    raises(FileError, "holds something else", tables.encrypt_table, source, tmp_path, PUBLIC, CONTEXT, wanted)
    (folder / MANIFEST).write_text("{}")
    raises(FileError, "no manifest", tables.decrypt_table, folder, tmp_path / "out.parquet", SECRET, CONTEXT)
    raises(FileError, "no such file", tables.encrypt_table, tmp_path / "none.parquet", folder, PUBLIC, CONTEXT, wanted)
    source.write_bytes(b"no Parquet")
    raises(FileError, "not a whole Parquet file", tables.encrypt_table, source, folder, PUBLIC, CONTEXT, wanted)


def test_a_table_that_cannot_be_decrypted_leaves_what_was_there(source: Path, tmp_path: Path) -> None:
    """Half of a table would look like a whole one: its footer is written in any case."""
    folder, out = tmp_path / "folder", tmp_path / "out.parquet"
    tables.encrypt_table(source, folder, PUBLIC, CONTEXT, tables.TableEncryption(part_rows=200))
    out.write_bytes(b"before")
    out.chmod(0o600)
    part = folder / "part-000001.parquet"
    whole = part.read_bytes()
    for at in (len(whole) // 2, 20):  # a ciphertext, and the header of a page
        damaged = bytearray(whole)
        damaged[at : at + 64] = bytes(64)
        part.write_bytes(damaged)
        with pytest.raises(FileError, match=r"part-000001\.parquet is not as it was written"):
            tables.decrypt_table(folder, out, SECRET, CONTEXT)
        assert out.read_bytes() == b"before"
    part.write_bytes(whole)
    tables.decrypt_table(folder, out, SECRET, CONTEXT)
    assert out.stat().st_mode & 0o777 == 0o600
    assert len(values_of(out)) == ROWS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "in.parquet", "out.parquet"]


def test_damaged_pages_of_the_source_are_told_as_such(source: Path, tmp_path: Path) -> None:
    data = bytearray(source.read_bytes())
    data[10:30] = bytes(20)
    source.write_bytes(data)
    with pytest.raises(FileError, match=r"in\.parquet is not a whole Parquet file"):
        tables.encrypt_table(source, tmp_path / "folder", PUBLIC, CONTEXT, tables.TableEncryption(keep=("sensor",)))


def test_a_table_of_no_rows(tmp_path: Path) -> None:
    none = pa.table({"sensor": pa.array([], pa.string()), "values": pa.array([], pa.list_(pa.float64()))})
    pq.write_table(none, tmp_path / "in.parquet")
    wanted = tables.TableEncryption(keep=("sensor",))
    assert tables.encrypt_table(tmp_path / "in.parquet", tmp_path / "folder", PUBLIC, CONTEXT, wanted).parts == 0
    assert tables.decrypt_table(tmp_path / "folder", tmp_path / "out.parquet", SECRET, CONTEXT).rows == 0
    found = pq.read_table(tmp_path / "out.parquet")
    assert (found.num_rows, found.column_names) == (0, ["sensor", "values"])


# ---- the heap of a worker ------------------------------------------------------------------------------------------------
FAULTS = """
import resource, threading
from contextlib import nullcontext
from ringside.tables.heap import held_heap
def faults(place):
    with place, place:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(64):
            b"x" * (1 << 20)
        found.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
class Held:
    def __enter__(self):
        self.inside = [*getattr(self, "inside", []), held_heap()]
        self.inside[-1].__enter__()
    def __exit__(self, *error):
        self.inside.pop().__exit__(None, None, None)
found = []
for place in (nullcontext(), Held(), nullcontext()):
    thread = threading.Thread(target=faults, args=(place,))  # as a worker's tasks run
    thread.start()
    thread.join()
print(*found)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc's heap")
def test_memory_of_a_batch_serves_the_next_one() -> None:
    """Where Dask has told glibc to give back what is freed, and only during a part."""
    page = os.sysconf("SC_PAGE_SIZE")

    def faults(**more: str) -> list[int]:
        return [int(word) for word in python(FAULTS, env=os.environ | more, check=True).stdout.split()]

    before, inside, after = faults(MALLOC_TRIM_THRESHOLD_="65536")
    once = 1 << 20
    assert inside < 4 * once / page
    assert min(before, after) > 60 * once / page


def test_an_interrupt_ends_all_parts_at_work(source: Path, tmp_path: Path) -> None:
    """They are side by side on threads; none is half there, and none begins any more."""
    folder, wanted = tmp_path / "folder", tables.TableEncryption(part_rows=5, method=tables.TableMethod(threads=2))

    def interrupt(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.encrypt_table(source, folder, PUBLIC, CONTEXT, wanted, progress=interrupt)
    assert 0 < len(list(folder.glob("part-*"))) < ROWS / 5 / 2
    assert not list(folder.glob(".part-*"))
    part = TablePart(
        str(source),
        str(folder / "x"),
        0,
        5,
        "values",
        (),
        CONTEXT.params.to_bytes(),
        128,
        PUBLIC.to_bytes(),
        wanted.method,
    )
    raises(CancelledError, None, encrypt_part, part, lambda: True)
    assert not (folder / "x").exists()
    tables.encrypt_table(source, folder, PUBLIC, CONTEXT, wanted)
    check_decrypted(source, folder)


# ---- a cluster ----------------------------------------------------------------------------------------------------------
def test_no_row_is_lost_with_a_worker(source: Path, tmp_path: Path) -> None:
    """Two workers; one is killed as soon as a part is there."""
    distributed = pytest.importorskip("distributed")
    folder, wanted = tmp_path / "folder", tables.TableEncryption(part_rows=20, method=tables.TableMethod(threads=1))
    killed: list[int] = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert len([worker["id"] for worker in client.scheduler_info()["workers"].values()]) == 2
        pids = client.run(os.getpid)

        def told(done: int, _: int) -> None:
            if done and not killed:
                killed.append(next(iter(pids.values())))
                os.kill(killed[0], signal.SIGKILL)

        facts = tables.encrypt_table(
            source, folder, PUBLIC, CONTEXT, wanted, engine=tables.on_dask(client), progress=told
        )
    assert killed
    assert (facts.rows, facts.parts) == (ROWS, 15)
    check_decrypted(source, folder)


class FailingFuture:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def exception(self) -> Exception:
        return self.error


def test_what_a_worker_says(monkeypatch: pytest.MonkeyPatch) -> None:
    part = TablePart("in", "out", 20, 10, "values", (), b"", 128, b"", tables.TableMethod())
    raises(InputError, "Row 25", engine._check, FailingFuture(InputError("COLUMN", "Row 25 is null.")), part)
    raises(DeviceError, r"Rows 20 to 29 failed: OSError: gone", engine._check, FailingFuture(OSError("gone")), part)
    monkeypatch.setattr(engine, "TIMEOUT_SECONDS", 0.2)
    raises(DeviceError, "No scheduler of Dask answers", tables.on_dask("tcp://127.0.0.1:1"), [part], lambda _: None)
    monkeypatch.setitem(sys.modules, "distributed", None)
    raises(UsageError, "Dask is not installed", tables.on_dask("tcp://127.0.0.1:1"), [part], lambda _: None)


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert raises(UsageError, "Tables need pyarrow", arrow.arrow).hint == hints.install("tables", "test")


# ---- the command ---------------------------------------------------------------------------------------------------------
DYING = """
import os, signal, sys
from ringside.cli import main
from ringside.tables import part
write, calls = part.write, []
def dying(parquet, place, batches, column):
    def cut():
        yield next(batches)
        os.kill(os.getpid(), signal.SIGKILL)
    calls.append(place)
    return write(parquet, place, cut() if len(calls) == 4 else batches, column)
part.write = dying
main(sys.argv[1:])
"""


def test_the_command_goes_on_after_a_kill(source: Path, tmp_path: Path, ringside: CommandLine) -> None:
    keys, folder, out = tmp_path / "keys", tmp_path / "folder", tmp_path / "out.parquet"
    assert ringside("keygen", "--params", "lee-12", "--out", keys).code == 0
    options = ("table", "encrypt", source, "--keys", keys, "--keep", "sensor", "--out", folder, "--part-rows", "10")
    # in the middle of the fourth part
    assert python(DYING, *options, "--threads", "1").returncode == -signal.SIGKILL
    assert len(list(folder.glob("part-*"))) == 3
    assert len(list(folder.glob(".part-000003*"))) == 1
    assert not (folder / SUCCESS).exists()
    done = ringside(*options, "--json").ends(0)
    assert (done.json["kept"], done.json["parts"]) == (3, 30)
    assert not list(folder.glob(".part-*"))
    assert done.json["rows"] == ROWS
    assert done.json["manifest"] == json.loads((folder / MANIFEST).read_text())
    assert "30 of them from an earlier run" in ringside(*options).out
    ringside("table", "decrypt", folder, out, "--keys", keys, "--publish-bits", "4").ends(0)
    for wanted, found in zip(values_of(source), values_of(out), strict=True):
        assert np.array_equal(np.array(found) * 16, np.round(np.array(found) * 16))
        assert np.abs(np.subtract(wanted, found)).max() < 1 / 32 + DIGITS
    told = [ringside("table", "decrypt", folder, tmp_path / "exact.parquet", "--keys", keys).err for _ in range(2)]
    assert "do not publish these exact values" not in told[1]
    assert ringside("table", "decrypt", folder, tmp_path / "out.csv", "--keys", keys).code == 2
    shutil.rmtree(folder)
    assert ringside("table", "decrypt", folder, out, "--keys", keys).code == 4


def test_a_column_of_doubles_by_the_command(tmp_path: Path, ringside: CommandLine) -> None:
    """Packed it takes less than 2 MB for 3,000 rows; unpacked each number takes a ciphertext, and the command says so."""
    keys, source, out = tmp_path / "keys", tmp_path / "in.parquet", tmp_path / "out.parquet"
    assert ringside("keygen", "--params", "lee-12", "--out", keys).code == 0
    price = np.round(np.linspace(0, 5, 3000), 2)
    pq.write_table(pa.table({"day": [f"d{k}" for k in range(3000)], "price": price}), source)
    options = ("table", "encrypt", source, "--keys", keys)
    done = ringside(*options, "--pack", "--out", tmp_path / "packed", "--json")  # the only numeric column
    assert (done.code, done.err) == (0, "")
    assert (done.json["manifest"]["column"], done.json["rows"], done.json["parts"]) == ("price", 3000, 1)
    assert sum(path.stat().st_size for path in (tmp_path / "packed").iterdir()) <= 2_000_000
    done = ringside("table", "decrypt", tmp_path / "packed", out, "--keys", keys).ends(0)
    assert "no hashes" not in done.err
    assert np.abs(pq.read_table(out)["price"].to_numpy() - price).max() < DIGITS
    pq.write_table(pa.table({"a": [1.0], "b": [2.0], "name": ["x"]}), source)
    done = ringside(*options, "--out", tmp_path / "one")
    done.ends(3, "has 2 numeric columns.\n  hint: Name the one to encrypt by --column: a, b.")
    done = ringside(*options, "--keep", "b", "--out", tmp_path / "one")
    done.ends(0, "1 of 2,048 slots used: a row of 'a' is one number. --pack puts 2,048 rows into a ciphertext.")
    pq.write_table(pa.table({"name": ["x"]}), source)
    ringside(*options, "--out", tmp_path / "two").ends(3, "has no numeric column")


@pytest.mark.soak
def test_a_large_table_survives_the_loss_of_a_worker() -> None:
    """20,000 rows of 2,048 numbers on two workers, one of which is killed in the middle (tests/soak/tables.py)."""
    pytest.importorskip("distributed")
    program = Path(__file__).parents[1] / "soak" / "tables.py"
    done = subprocess.run([sys.executable, program, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert not any(told["wrong"].values())
    assert {name: run["rows"] for name, run in told["runs"].items()} == dict.fromkeys(told["runs"], 20_000)
    assert [name for name, run in told["runs"].items() if run["killed"]] == ["kill"]
    assert max(run["mebibytes"] for run in told["runs"].values()) <= 1024


@pytest.mark.soak
def test_a_cluster_takes_little_above_a_pool() -> None:
    """Processor time, as medians of pairs of runs, whether the machine is busy or not (tests/soak/tables.py --pairs)."""
    pytest.importorskip("distributed")
    program = Path(__file__).parents[1] / "soak" / "tables.py"
    done = subprocess.run([sys.executable, program, "--pairs", "5", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["cluster"]["of processor time on an idle machine"]["median"] <= told["bar"] == 0.1
    assert {len(runs) for runs in told["runs"].values()} == {5}


def test_a_column_of_integers_by_the_command(tmp_path: Path, ringside: CommandLine) -> None:
    keys, source, folder, out = (tmp_path / name for name in ("keys", "in.parquet", "folder", "out.parquet"))
    ringside("keygen", "--params", "bfv-12", "--out", keys).ends(0)
    table = pa.table({"count": np.arange(-3000, 3000)})
    pq.write_table(table, source)
    options = ("table", "encrypt", source, "--keys", keys, "--out", folder, "--pack")
    ringside(*options).ends(0).shows("level 1, N = 4096, BFV, integers modulo 65537 in slots", "6000 rows")
    rest = ("table", "decrypt", folder, out, "--keys", keys)
    ringside(*rest, "--publish-bits", 4).refused(2, "--publish-bits is for CKKS")
    ringside(*options, "--scale", 4).refused(2, "--scale is for CKKS")
    done = ringside(*rest, "--margin", 8).ends(0)
    assert (done.err, pq.read_table(out) == table) == ("", True)
    ringside("keygen", "--params", "bfv-12", "--out", keys, "--force").ends(0)
    ringside(*rest, "--margin", 8, "--force").refused(3, "noise is too near")
    assert pq.read_table(out) == table
    ringside("keygen", "--params", "lee-12", "--out", keys, "--force").ends(0)
    ringside(*rest, "--margin", 8).refused(2, "--margin is for BFV and BGV")
    ringside(*rest, "--force").refused(5, "The object belongs to other parameters")
