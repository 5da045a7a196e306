# SPDX-License-Identifier: Apache-2.0
"""`ringside designs` and `ringside cycles`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from .. import designs
from .options import JsonFlag
from .output import print_facts, print_json, print_table


class Operation(StrEnum):
    ntt = "ntt"
    intt = "intt"


def list_designs(json: JsonFlag = False) -> None:
    """List the named hardware designs.

    Example: ringside designs
    """
    found = [designs.load(name) for name in designs.names()]
    if json:
        print_json([vars(design) for design in found])
        return
    rows = [
        (
            design.name,
            str(design.lanes),
            str(design.word_bits),
            design.reduction,
            str(1 << design.log_n_max),
            design.source,
        )
        for design in found
    ]
    print_table(["design", "lanes", "word bits", "reduction", "largest N", "source"], rows)


def cycles(
    design: Annotated[str, typer.Argument(help="A named design (`ringside designs`) or a TOML file.")],
    op: Annotated[Operation, typer.Option(help="Forward or inverse transform.")] = Operation.ntt,
    n: Annotated[int, typer.Option("--n", help="Ring degree N.")] = 4096,
    bits: Annotated[int, typer.Option(help="Bits of the prime modulus.")] = 30,
    json: JsonFlag = False,
) -> None:
    """Measure a transform on a design's RTL in simulation, and compare its result with the library's.

    The first run of a design builds its model (half a minute to a few minutes), later ones take it from the cache.
    Cycles count from the one after the start to that of the last write; they do not depend on the data. The bound is
    N/2 log2 N butterflies, one per lane and cycle.

    Example: ringside cycles rise-32 --op ntt --n 4096
    """
    from ..sim.transform import measure

    measured = measure(designs.load(design), op.value, n, bits)
    if json:
        print_json(vars(measured))
        return
    print_facts(
        [
            ("design", f"{measured.design}, {measured.lanes} lanes"),
            ("operation", f"{measured.op}, N = {measured.n}, modulus {measured.modulus}"),
            ("cycles", f"{measured.cycles:,} (measured, RTL simulation)"),
            ("bound", f"{measured.bound:,} (N/2 log2 N / lanes)"),
            ("ratio", f"{measured.ratio:.3f}, lanes busy {100 / measured.ratio:.1f} % of the time"),
            ("result", "identical to the library's"),
        ]
    )
