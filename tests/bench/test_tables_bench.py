# SPDX-License-Identifier: Apache-2.0
"""What `make bench ARGS=--tables` makes of times. Not speed."""

import io

from rich.console import Console

from bench import tables
from soak.tables import CLUSTER, ONE, POOL, Run


def run(name: str, processor: float, wall: float) -> Run:
    return Run(name, 1000, processor, wall, 0, 0, 0, False)


def test_what_times_come_to() -> None:
    runs = {
        ONE: [run(ONE, 0.2, 0.3), run(ONE, 0.25, 0.2)],
        POOL: [run(POOL, 0.2, 0.15), run(POOL, 0.2, 0.11)],
        CLUSTER: [run(CLUSTER, 0.23, 0.15), run(CLUSTER, 0.23, 0.15)],
    }
    found = tables.judged([{tables.ENCRYPT: 50.0, tables.FILE: 70.0, "stored": 60.0}] * 2, runs)
    assert found["c_us"] == {"encrypt": 50, "file": 70, "stored": 130}
    assert [round(one["got"], 3) for one in found["bars"]] == [0.65, 2.0, 0.15]
    assert [one["passed"] for one in found["bars"]] == [False, True, False]
    console = Console(file=io.StringIO(), width=160)
    tables.show(found, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "encode + encrypt                   50.0 us,  20,000 rows/s; a worker has 0.25 of that" in text
    assert "rate: 0.65, bar 0.8: missed" in text
