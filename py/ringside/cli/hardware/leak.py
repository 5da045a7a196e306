# SPDX-License-Identifier: Apache-2.0
"""`ringside leak`: what toggles of a core's flip-flops say about secrets."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ...operations import KEMS, TABLE
from ...sim.options import parse_simulated
from ..common import options as opt
from ..common.output import BUILDS, print_facts, print_json, print_table, progress_bar
from ..common.places import output

if TYPE_CHECKING:
    from ...leak.count import FlipFlopCount
    from ...leak.measure import LeakRun

OPERATIONS = tuple(name for name, row in TABLE.items() if row.scheme in KEMS and row.what.startswith("decaps"))


def leak(
    design: opt.DesignArgument,
    op: Annotated[
        str,
        typer.Option(
            "--op",
            help="Operation: ml-kem-512-… (768, 1024) with decaps or, of a sealed core, decaps-sealed.",
            **opt.operation_among(OPERATIONS),
        ),
    ] = "ml-kem-768-decaps-sealed",
    traces: Annotated[
        int, typer.Option("--traces", min=4, help="Runs of the operation, about half of them with what is fixed.")
    ] = 500,
    fixed: Annotated[
        Literal["message", "key"],
        typer.Option("--fixed", help="Secret that one class of traces has in common, and the other draws anew."),
    ] = "message",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of what is drawn.")] = 1,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="File for t: a row per cycle, a column per channel.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Picture of |t| over cycles to write: .svg.")
    ] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Count the flip-flops beside those of synthesis, too; that takes minutes.")
    ] = False,
    json: opt.JsonFlag = False,
) -> None:
    """Test by Welch's t whether toggles of a simulated core's flip-flops tell a fixed message or key from random ones.

    In every cycle of the operation the flip-flops that toggle are counted, by channel: a unit of the core. |t| above 4.5
    in a channel is an alarm: its toggles depend on the secret. Below, they say nothing to this test, which is no proof.
    docs/leakage.md explains the bench, and what it cannot see.

    Example: ringside leak pqc-4s --op ml-kem-768-decaps-sealed --traces 500 --picture leak.svg
    """
    from ...leak import count as counting
    from ...leak.measure import measure, prepare
    from ...leak.picture import csv as as_csv
    from ...leak.picture import draw

    wanted = parse_simulated(design)
    with ExitStack() as stack:
        write_csv = stack.enter_context(output(csv, force=False, suffixes=(".csv",))) if csv else None
        write_picture = stack.enter_context(output(picture, force=False, suffixes=(".svg",))) if picture else None
        with progress_bar(f"Building the model of {wanted.design.name}", BUILDS) as bar:
            prepare(wanted, op, fixed, bar)
        with progress_bar("Traces") as bar:
            found, course, flip_flops = measure(wanted, op, traces, fixed, seed, bar)
        counted = None
        if count:
            with progress_bar("Synthesising parts") as bar:
                counted = counting.count(wanted.design, flip_flops, bar)
        if write_csv:
            write_csv(as_csv(course).encode())
        if write_picture and picture:
            write_picture(draw(found, course).content(picture))
    if json:
        print_json({**asdict(found), "count": counted and asdict(counted)})
        return
    _print(found, counted)


def _print(found: LeakRun, counted: FlipFlopCount | None) -> None:
    from ...leak.measure import BAR
    from ...leak.picture import t_text

    columns = [
        "channel",
        "flip-flops",
        "largest |t|",
        "in cycle",
        f"cycles above {BAR:g}",
        "above from trace",
        "cycles that vary",
    ]
    rows = [
        [one.channel, f"{one.flip_flops:,}", t_text(one.t), f"{one.cycle:,}" if one.toggling else "", f"{one.above:,}",
         "never" if one.passed is None else f"{one.passed:,}", f"{one.toggling:,}"]
        for one in found.channels
    ]  # fmt: skip
    title = f"{found.op} on {found.design}, {found.fixed} fixed against random"
    print_table(columns, rows, title)
    loud = [one.channel for one in found.channels[1:] if one.t > BAR]
    facts = [
        ("traces", f"{found.traces:,} of {found.cycles:,} cycles, {found.traces / found.seconds:.1f} per second"),
        ("verdict", f"|t| above {BAR:g} in {', '.join(loud)}" if loud else f"|t| up to {BAR:g} in all channels: no alarm"),
    ]  # fmt: skip
    if len(found.lengths) > 1:
        lengths = ", ".join(f"{many:,} of {cycles:,}" for cycles, many in sorted(found.lengths.items()))
        facts.append(("time varies", f"{lengths} cycles"))
    if counted:
        facts.append(("flip-flops", f"{counted.bench:,} bits in the bench, {counted.mapped:,} in a 7-series FPGA"))
        facts += [("", f"{one.bits:,} {one.reason}") for one in counted.differences]
    print_facts(facts)
