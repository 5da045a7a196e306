# SPDX-License-Identifier: Apache-2.0
"""`ringside table`."""

from __future__ import annotations

import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ...errors import UsageError
from ...objects.ckks.context import Context
from ...objects.common import evaluation
from ...objects.keydir import KeyDirectory
from ..common import options as opt
from ..common.commands import App
from ..common.output import note, print_facts, print_json, progress_bar, scale_text, size_text
from ..common.places import Outputs
from ..common.security import note_exact
from .decrypt import FloodBits, Margin, PublishBits
from .exact import is_exact, refuse_options
from .uploads import secret_key_of, warn_if_weak

app = App(
    help="Encrypt tables of Parquet, a ciphertext for each row, in parts: on this machine or on a cluster.\n\n"
    "Examples: ringside table encrypt readings.parquet --keys keys --out readings.encrypted; "
    "ringside table decrypt readings.encrypted decrypted.parquet --keys keys",
    no_args_is_help=True,
)


_Out = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the parts; one that a run has begun goes on.")
]
_Column = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="COLUMN",
        help="The column to encrypt: a list of numbers in each row, or one number. Default: `values`, or the only numeric one.",
    ),
]
_Keep = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="COLUMN", help="A column to copy as it is, for all to read; may be repeated."),
]
_Pack = Annotated[
    bool,
    typer.Option("--pack", help="Put the numbers of many rows into a ciphertext. For columns of one number a row."),
]
_NoSpecialPrime = Annotated[
    bool, typer.Option("--no-special-prime", help="As for `ringside encrypt`: faster, with more noise.")
]
_PartRows = Annotated[
    int, typer.Option("--part-rows", min=1, help="Ciphertexts of a part, which is what a broken run does again.")
]
_Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Encrypt on the workers of this scheduler, tcp://HOST:8786: they must see IN and DIR. They get the public key alone.",
    ),
]


@app.command("encrypt")
def encrypt(
    source: Annotated[Path, typer.Argument(metavar="IN.parquet", help="The table.")],
    keys: opt.KeysOption,
    out: _Out,
    column: _Column = None,
    keep: _Keep = None,
    pack: _Pack = False,
    level: opt.LevelOption = None,
    scale: opt.ScaleOption = None,
    packing: opt.PackingOption = None,
    no_special_prime: _NoSpecialPrime = False,
    part_rows: _PartRows = 1024,
    dask: _Dask = None,
    compression: opt.CompressionOption = "zstd",
    seal_version: opt.VersionOption = "3.6",
    threads: opt.ThreadsOption = None,
    json: opt.JsonFlag = False,
) -> None:
    """Encrypt a column of a Parquet table with the public key, row by row: of numbers in CKKS, of integers in BFV and BGV.

    DIR gets a Parquet file for every --part-rows rows, a manifest with their hashes, and _SUCCESS when all is there. A ciphertext is a
    whole file of SEAL's format. With --pack it has the numbers of as many rows as it has slots, else of one. A run that was broken off goes on with the parts
    that are missing, each with randomness of its own. All other columns are left out unless --keep names them.

    Examples: ringside table encrypt readings.parquet --keys keys --column values --keep sensor --out readings.encrypted;
    ringside table encrypt sales.parquet --keys keys --column price --pack --out sales.encrypted
    """
    from ... import tables

    directory = KeyDirectory(keys)
    context = directory.context
    if is_exact(directory, {"--packing": packing}):
        refuse_options(directory, {"--scale": scale})
    warn_if_weak(directory)
    method = tables.TableMethod(scale, level, not no_special_prime, compression, seal_version, threads, packing)
    kept_columns = tuple(keep or ())
    column = column or tables.column_of(source, kept_columns)
    slots = context.slots
    if not pack and tables.values_of_row(source, column) == 1:
        note(
            f"1 of {slots:,} slots used: a row of {column!r} is one number. --pack puts {slots:,} rows into a ciphertext."
        )
    wanted = tables.TableEncryption(column, kept_columns, method, part_rows, pack)
    engine = tables.on_this_machine() if dask is None else tables.on_dask(dask)
    start = time.perf_counter()
    with progress_bar("Encrypting rows") as progress:
        found = tables.encrypt_table(
            source, out, directory.public_key(), context, wanted, engine=engine, progress=progress
        )
    seconds = time.perf_counter() - start
    manifest = tables.read_manifest(out)
    if json:
        print_json({"folder": str(out), **asdict(found), "manifest": manifest, "seconds": seconds})
        return
    level_text = f"level {manifest['level']}, N = {manifest['n']}"
    if isinstance(context, Context):
        kind = evaluation.encryption_name(True, not no_special_prime)
        predicted = context.predicted_precision(scale=manifest["scale"], kind=kind, level=manifest["level"])
        facts = [
            ("encryption", f"{level_text}, scale {scale_text(manifest['scale'])}"),
            ("precision", f"{predicted:.1f} bits, as predicted"),
        ]
    else:
        values = f"{manifest['scheme'].upper()}, integers modulo {manifest['plain_modulus']} in {manifest['packing']}"
        facts = [("encryption", f"{level_text}, {values}")]
    kept = f", {found.kept} of them from an earlier run" if found.kept else ""
    print_facts(
        [
            (
                str(out),
                f"{found.rows} rows in {found.parts} part{'s' * (found.parts != 1)}{kept}, {size_text(found.bytes)}, in {seconds:.1f} s",
            ),
            ("key", manifest["key_id"]),
            *facts,
        ]
    )


@app.command("decrypt")
def decrypt(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `ringside table encrypt` has made.")],
    out: Annotated[Path, typer.Argument(metavar="OUT.parquet", help="The table of values.")],
    keys: opt.KeysOption,
    publish_bits: PublishBits = None,
    flood_bits: FloodBits = None,
    margin: Margin = None,
    force: opt.ForceFlag = False,
    threads: opt.ThreadsOption = None,
    json: opt.JsonFlag = False,
) -> None:
    """Decrypt a folder of an encrypted table to one Parquet file, in the order of its rows.

    Example: ringside table decrypt readings.encrypted decrypted.parquet --keys keys
    """
    from ... import tables

    if out.suffix != ".parquet":
        raise UsageError("USAGE", f"{out} must end in .parquet.")
    directory = KeyDirectory(keys)
    publish = {"--publish-bits": publish_bits, "--flood-bits": flood_bits}
    if exact := is_exact(directory, {"--margin": margin}):
        refuse_options(directory, publish)
    start = time.perf_counter()
    with Outputs(force=force) as files, secret_key_of(directory) as secret, progress_bar("Decrypting rows") as progress:
        found = tables.decrypt_table(
            folder,
            files.add(out),
            secret,
            directory.context,
            threads=threads,
            progress=progress,
            publish_bits=publish_bits,
            flood_bits=flood_bits,
            margin_bits=margin,
        )
    seconds = time.perf_counter() - start
    if json:
        print_json({"file": str(out), **asdict(found), "publish_bits": publish_bits, "seconds": seconds})
        return
    if not tables.is_hashed(tables.read_manifest(folder)):
        note("the manifest has no hashes: rows were counted, damaged values of columns that were kept are not noticed.")
    if publish_bits is None and not exact:
        note_exact(keys, found.rows)
    rate = found.rows / seconds if seconds else math.inf
    print_facts([(str(out), f"{found.rows} rows, {size_text(found.bytes)}, in {seconds:.1f} s ({rate:,.0f} rows/s)")])
