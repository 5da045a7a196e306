# SPDX-License-Identifier: Apache-2.0
"""`ringside synth`: what a hardware design costs, on an FPGA or as an ASIC."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ... import designs
from ...errors import UsageError
from ...hints import did_you_mean
from ..common import options as opt
from ..common.places import PICTURES
from . import synth_asic, synth_fpga

FPGAS = ("xc7", "xcup", "ecp5")


def synth(
    design: opt.PlainDesignArgument,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            help="Technology. xc7: 7 series; xcup: UltraScale+; ecp5: Lattice ECP5, placed and routed; osu018: ASIC, 180 nm.",
        ),
    ] = FPGAS[0],
    device: Annotated[
        str, typer.Option("--device", help="FPGA by name, such as xc7vx690t: the output says whether the design fits.")
    ] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Map cells only, without place and route or timing.")] = False,
    liberty: Annotated[
        list[Path] | None,
        typer.Option("--liberty", metavar="FILE", help="Liberty file of an ASIC's cells; may be repeated."),
    ] = None,
    sram: Annotated[
        list[Path] | None,
        typer.Option(
            "--sram", metavar="FILE", help="Liberty file of memory macros; may be repeated. Default: CACTI's memories."
        ),
    ] = None,
    node: Annotated[
        int,
        typer.Option("--node", metavar="NM", min=0, help="Node of --liberty in nm: CACTI's memories are scaled to it."),
    ] = 0,
    clock: Annotated[float | None, opt.other_clock("Clock for an ASIC's power. Default: its fastest.")] = None,
    energy: Annotated[bool, typer.Option(help="Simulate an ASIC's gates during an operation, for its energy.")] = True,
    clock_gating: Annotated[
        bool, typer.Option(help="Gate the clocks of an ASIC's flip-flops that have an enable.")
    ] = True,
    layout: Annotated[
        Path | None,
        typer.Option(
            "--layout",
            metavar="FILE",
            help="Draw where the cells stand in an ECP5, by unit (.svg or .png); with --quick they are placed and not routed.",
        ),
    ] = None,
    op: opt.OperationOption = "encrypt-pk-direct",
    n: opt.DegreeOption = 4096,
    limbs: opt.LimbsOption = 1,
    bits: opt.BitsOption = 30,
    json: opt.JsonFlag = False,
) -> None:
    """Estimate a design's cost: LUTs, flip-flops, multipliers and memories on an FPGA; area, clock, power and energy as an ASIC.

    Every different part is synthesised once and kept in the cache, by its content; the design is the sum of its parts. The first
    run takes minutes, later ones seconds.

    Example: ringside synth rise-1 --target xc7 --device xc7vx690t

    Examples: ringside synth ecp5-2 --target ecp5; ringside synth race --target ecp5 --quick --layout race.svg

    Example: ringside synth rise-1 --target osu018
    """
    from ...synth.asic import technology

    if layout is not None and (liberty or target != "ecp5"):
        raise UsageError("USAGE", "Only cells of an ECP5 are placed, for --layout.", "Add --target ecp5.")
    if layout is not None and layout.suffix.lower() not in PICTURES:
        raise UsageError("USAGE", f"{layout} must end in {' or '.join(PICTURES)}.")
    if liberty or target in technology.TARGETS:
        operation = {"op": op, "n": n, "limbs": limbs, "bits": bits} if energy else None
        cells = target * (target not in FPGAS)
        synth_asic.report(design, cells, liberty or [], sram or [], node, clock, operation, json, clock_gating)
        return
    if target not in FPGAS:
        known = (*FPGAS, *technology.TARGETS)
        hint = did_you_mean(target, known, f"Targets: {', '.join(known)}; or name --liberty files.")
        raise UsageError("USAGE", f"There is no target {target}.", hint)
    synth_fpga.report(designs.load(design), target, device, quick=quick, json=json, layout=layout)
