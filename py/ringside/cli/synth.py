# SPDX-License-Identifier: Apache-2.0
"""`ringside synth`: what a hardware design costs, on an FPGA or as an ASIC."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import designs
from ..errors import UsageError
from . import synth_asic
from .options import BitsOption, DegreeOption, JsonFlag, LimbsOption, Operation, OperationOption
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
    target: Annotated[str, typer.Option("--target", help="osu018: an ASIC of 180 nm cells.")] = "",
    liberty: Annotated[
        list[Path] | None, typer.Option("--liberty", metavar="FILE", help="An ASIC of these cells; may be repeated.")
    ] = None,
    sram: Annotated[
        list[Path] | None, typer.Option("--sram", metavar="FILE", help="Liberty of memory macros; default: CACTI's.")
    ] = None,
    node: Annotated[
        int, typer.Option("--node", metavar="NM", help="Of --liberty: CACTI's memories are scaled to it.")
    ] = 0,
    clock: Annotated[
        float | None, typer.Option("--clock", metavar="MHz", min=1, help="Of an ASIC's power; default: its fastest.")
    ] = None,
    energy: Annotated[bool, typer.Option(help="Of an ASIC: simulate its gates while it does an operation.")] = True,
    op: OperationOption = Operation.encrypt_pk_direct,
    n: DegreeOption = 4096,
    limbs: LimbsOption = 1,
    bits: BitsOption = 30,
    json: JsonFlag = False,
) -> None:
    """What a design costs: on an FPGA LUTs, flip-flops, multipliers, memories; as an ASIC area, clock, power, energy.

    Every different part is synthesised once and kept in the cache, by its content; the design is the sum of its parts. The first
    run takes minutes, later ones seconds.

    Example: ringside synth rise-1 --quick

    Example: ringside synth rise-1 --target osu018
    """
    if target or liberty:
        operation = {"op": op.value, "n": n, "limbs": limbs, "bits": bits} if energy else None
        synth_asic.report(design, target, liberty or [], sram or [], node, clock, operation, json)
        return
    from ..synth.measure import synthesise

    wanted = designs.load(design)
    if not quick:
        raise UsageError(
            "USAGE",
            "Designs are not placed and routed here.",
            "--quick counts cells after mapping; --target osu018 is an ASIC.",
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
