# SPDX-License-Identifier: Apache-2.0
"""`ringside synth`: what a hardware design costs on an FPGA."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from .. import designs
from ..errors import UsageError
from .options import JsonFlag
from .output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from ..synth.yosys import Resources

COLUMNS = ["LUT", "FF", "DSP", "BRAM36", "BRAM18", "memory bits"]
FLOW = "7-series FPGA, Yosys; mapped, not placed: no timing"


def _texts(found: Resources) -> list[str]:
    return [f"{value:,}" for value in found.values]


def synth(
    design: Annotated[str, typer.Argument(help="A named design (`ringside designs`) or a TOML file.")],
    quick: Annotated[bool, typer.Option("--quick", help="Mapped cells only: no place and route, no timing.")] = False,
    json: JsonFlag = False,
) -> None:
    """Count the FPGA resources of a design: LUTs, flip-flops, multipliers, memories.

    Every different part is synthesised once and kept in the cache, by its content; the design is the sum of its parts. The first
    run takes minutes, later ones seconds.

    Example: ringside synth rise-1 --quick
    """
    from ..synth.measure import synthesise

    wanted = designs.load(design)
    if not quick:
        raise UsageError(
            "USAGE", "Designs are not placed and routed here.", "--quick counts their cells after mapping."
        )
    with progress_bar("Synthesising parts") as progress:
        found = synthesise(wanted, progress)
    if json:
        print_json({"flow": FLOW, "total": asdict(found.total), **asdict(found)})
        return
    rows = [["  " * block.depth + block.module, str(block.instances), *_texts(block.total)] for block in found.blocks]
    print_table(["block, with those in it", "instances", *COLUMNS], rows, f"{found.design}: {FLOW}")
    lanes = [[name, *_texts(lane)] for name, lane in found.lane.items()]
    print_table(["reduction", *COLUMNS], lanes, f"One lane of {wanted.word_bits} bits")
