# SPDX-License-Identifier: Apache-2.0
"""Tables (`ringside table encrypt`) beside the C library, all in one run: `make bench ARGS=--tables`, two minutes.

Processor time of a row of 2,048 doubles in lee-12, by public key. The C library on one core, all memory reused, does three things more and more like a
worker: it encodes and encrypts; it writes SEAL's file, by zstd, to memory, too; and as many bytes go to a file on the disk and through SHA-256, which any
program pays that stores them. A worker does all of this, and reads and writes Parquet. Workers are processes (tests/soak/tables.py), started before.
"""

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console

from bench.measure import Program
from bench.plan import parameter_set
from bench.process import Worker
from ringside.tables.part import hash_of
from ringside.tables.table import PART_ROWS
from soak.tables import CLUSTER, ONE, POOL, SET, Run, in_turn, overheads, spread

ROUNDS, ROWS, WIDTH = 5, 4 * PART_ROWS, 2048
ENCRYPT, FILE = "encode_encrypt_pk", "encode_encrypt_save"
# rate: of a worker to all that the C library is counted with, the best round; scaling: of two workers by the clock, the best round;
# dask: processor time above the pool on an idle machine, the median
BARS = {"rate": 0.8, "scaling": 1.8, "dask": 0.1}


def stored_us(place: Path, size: int, rows: int) -> float:
    """So many bytes of each row in a file, and its hash."""
    some = os.urandom(32 * size)
    start = time.process_time_ns()
    with place.open("wb", buffering=0) as file:
        for _ in range(rows // 32):
            file.write(some)
    hash_of(place)
    taken = time.process_time_ns() - start
    place.unlink()
    return taken / 1000 / rows


def c_us(worker: Worker, place: Path, rows: int) -> dict[str, float]:
    """What the C library takes of so many rows, for each: as long as a worker does, on a machine as busy."""
    said = {op: worker.ask({"op": op, "runs": 1, "batch": rows}) for op in (ENCRYPT, FILE)}
    found = {op: reply["cpu"][0] / 1000 for op, reply in said.items()}
    return {**found, "stored": stored_us(place, int(said[FILE]["bytes"]), rows)}


def judged(c: Sequence[Mapping[str, float]], runs: Mapping[str, Sequence[Run]]) -> dict[str, Any]:
    """As build/bench.json has it below "tables". c, runs: round by round."""
    rows = {name: [run.processor_seconds / run.rows * 1e6 for run in some] for name, some in runs.items()}
    library = {"encrypt": [one[ENCRYPT] for one in c], "file": [one[FILE] for one in c]}
    library["stored"] = [one[FILE] + one["stored"] for one in c]
    rates = {what: max(us / row for us, row in zip(found, rows[ONE], strict=True)) for what, found in library.items()}
    got = {
        "rate": rates["stored"],
        "scaling": max(one.wall_seconds / two.wall_seconds for one, two in zip(runs[ONE], runs[POOL], strict=True)),
        "dask": spread([overheads(*pair)[2] for pair in zip(runs[POOL], runs[CLUSTER], strict=True)])["median"],
    }
    bars = [
        {
            "what": what,
            "got": value,
            "bar": BARS[what],
            "passed": value <= BARS[what] if what == "dask" else value >= BARS[what],
        }
        for what, value in got.items()
    ]
    return {
        "c_us": {what: min(found) for what, found in library.items()},
        "row_us": {name: min(found) for name, found in rows.items()},
        "rates": rates,
        "scaling_of_processor_time": max(2 * one / two for one, two in zip(rows[ONE], rows[POOL], strict=True)),
        "bars": bars,
    }


def measure(program: Program, rounds: int = ROUNDS) -> dict[str, Any]:
    """The C library and workers in turn."""
    found: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ends:
        place, worker = Path(folder), program.start()
        ends.callback(worker.close)
        worker.ask(parameter_set(SET).request())

        def library() -> None:
            found.append(c_us(worker, place / "cells", ROWS))

        runs = in_turn(place, ROWS, WIDTH, PART_ROWS, rounds, (ONE, POOL, CLUSTER), library)
    return judged(found[1:], runs)


def show(numbers: Mapping[str, Any], console: Console) -> None:
    told = {
        "encrypt": "encode + encrypt",
        "file": "and SEAL's file in memory",
        "stored": "and that in a file, and SHA-256",
    }
    console.print(f"Tables: {SET}, a row of {WIDTH} doubles, public key, zstd; processor time", highlight=False)
    for what, us in numbers["c_us"].items():
        console.print(
            f"  C library: {told[what]:32} {us:6.1f} us, {1e6 / us:7,.0f} rows/s; a worker has {numbers['rates'][what]:.2f} of that",
            highlight=False,
        )
    for name, us in numbers["row_us"].items():
        console.print(f"  table, {name:8} {us:28.1f} us, {1e6 / us:7,.0f} rows/s of a processor", highlight=False)
    console.print(f"  two workers by processor time: {numbers['scaling_of_processor_time']:.2f} x", highlight=False)
    for one in numbers["bars"]:
        text = f"  {one['what']}: {one['got']:.2f}, bar {one['bar']:g}: {'met' if one['passed'] else 'missed'}"
        console.print(text, highlight=False)
