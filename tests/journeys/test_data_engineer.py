# SPDX-License-Identifier: Apache-2.0
"""A data engineer: a table is encrypted row by row, a server squares the cells without keys, the answers and the table come back, and nobody else's key opens them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import ringside as rs
from interop.peers import SealNative
from journeys.client import Client, readings, served

ROWS, WIDTH = 5, 40


def test_a_table_is_squared_on_a_server(client: Callable[[str], Client], seal: SealNative) -> None:
    one, other = client("one"), client("other")
    for seed, person in enumerate((one, other)):
        person.run("keygen", "--params", "lee-14", "--relin", "--out", person.keys)
        rows = readings(seed, ROWS * WIDTH).reshape(ROWS, WIDTH)
        table = pa.table({"id": np.arange(ROWS), "values": pa.array(list(rows), pa.list_(pa.float64()))})
        pq.write_table(table, person.folder / "in.parquet")
        folder = person.folder / "encrypted"
        what = ("--column", "values", "--keep", "id", "--out", folder)
        person.run("table", "encrypt", person.folder / "in.parquet", "--keys", person.keys, *what)
        (part,) = folder.glob("*.parquet")
        cells = pq.read_table(part)

        seal.use(person.keys / "params.seal")
        params = rs.Parameters.load(person.keys / "params.seal")
        context = rs.Context(params)
        with rs.SecretKey.load(context, person.keys / "secret.key") as key:
            for row, cell in zip(rows, cells["values"].to_pylist(), strict=True):
                (person.folder / "cell").write_bytes(cell)
                square = served(seal, person.folder / "cell", person.folder / "square", person.keys / "relin.key")
                back = context.decrypt_values(rs.Ciphertext.load(context, square), key, WIDTH)
                promised = params.after(1, kind="public-key")
                assert rs.measured_precision(back, row * row) >= promised.precision_bits - 1
        out = person.folder / "out.parquet"
        person.run("table", "decrypt", folder, out, "--keys", person.keys)
        again = pq.read_table(out)
        assert again["id"].to_pylist() == list(range(ROWS))
        found = rs.measured_precision(np.ravel(again["values"].to_pylist()), np.ravel(rows))
        assert found >= params.after(0, kind="public-key").precision_bits - 1
    refused = other.refused(
        "table", "decrypt", one.folder / "encrypted", other.folder / "theirs.parquet", "--keys", other.keys
    )
    assert "key" in refused
    assert not (other.folder / "theirs.parquet").exists()
