# SPDX-License-Identifier: Apache-2.0
"""`ringside report`: published figures beside ours."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from .options import ClockOption, JsonFlag
from .output import note, print_json, print_table, progress_bar, warn


def default_output() -> Path:
    """Inside build/ where there is one."""
    return Path("build/report") if Path("build").is_dir() else Path("ringside-report")


def report(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Replaced as a whole; default: build/report or ringside-report."
        ),
    ] = None,
    paper: Annotated[
        list[str] | None,
        typer.Option(
            "--paper", metavar="NAME", help="Only this one; may be repeated. `designs`: ours alone. Default: all."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only what is in the caches or takes seconds.")] = False,
    clock: ClockOption = 500,
    json: JsonFlag = False,
) -> None:
    """Set the figures of papers beside ours: one HTML page, with pictures, CSV and JSON.

    Ours are measured by the functions behind `ringside cycles` and `ringside synth`, and kept in the cache by content. The first
    run builds models, synthesises designs and simulates their gates, which takes more than an hour; later ones take seconds. A
    number that cannot be had says why: not built yet, not measured yet, or its error.

    Example: ringside report --quick --paper rise --output report

    Example: ringside report --paper designs --output our-designs
    """
    from ..report.provider import Package
    from ..report.run import check_place, make, write

    place = output or default_output()
    check_place(place)
    chosen = [word for name in paper or [] for word in ("--paper", name)]
    command = shlex.join(
        ["ringside", "report", *["--quick"] * quick, *chosen, "--clock", f"{clock:g}", "--output", str(place)]
    )
    with progress_bar("Measuring") as progress:
        found = make(paper or [], Package(quick=quick, say=note), command=command, clock=clock, progress=progress)
    write(found, place)
    for failure in found.failures:
        warn(f"{failure.command}: {failure.detail}")
    if json:
        print_json({"output": str(place), **found.as_dict()})
        return
    counts = found.counts()
    reasons = list(next(iter(counts.values())))
    rows = [[name, *(str(count) for count in row.values())] for name, row in counts.items()]
    print_table(["paper", *reasons], rows, f"{place / 'index.html'}: numbers in its tables")
