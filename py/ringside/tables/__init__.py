# SPDX-License-Identifier: Apache-2.0
"""Tables of Arrow and Parquet: each row's list of numbers becomes one ciphertext, or one number of each of N/2 rows, batch after batch, in memory
that does not grow with the table.

encrypt_batches and decrypt_batches turn streams of record batches; encrypt_table and decrypt_table turn Parquet files, in parts that a run
which was broken off goes on from, on this machine or on a cluster of Dask. It needs pyarrow: the extra `tables`.
"""

from .batches import Cells, TableMethod, decrypt_batches, encrypt_batches
from .engine import DASK_SETTINGS, on_dask, on_this_machine
from .table import (
    TableEncryption,
    TableFacts,
    column_of,
    decrypt_table,
    encrypt_table,
    is_hashed,
    read_manifest,
    values_of_row,
)

__all__ = [
    "DASK_SETTINGS", "Cells", "TableEncryption", "TableFacts", "TableMethod", "column_of", "decrypt_batches",
    "decrypt_table", "encrypt_batches", "encrypt_table", "is_hashed", "on_dask", "on_this_machine", "read_manifest",
    "values_of_row",
]  # fmt: skip
