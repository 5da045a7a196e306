# SPDX-License-Identifier: Apache-2.0
"""`ringside report`: published figures beside ours."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common.options import ClockOption, JsonFlag
from .common.output import default_folder, note, print_json, print_table, progress_bar, warn
from .recorded import measured

if TYPE_CHECKING:
    from ..figures.ledger import Row


def report(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder of the report, replaced as a whole. Default: build/report or ringside-report.",
        ),
    ] = None,
    paper: Annotated[
        list[str] | None,
        typer.Option(
            "--paper",
            metavar="NAME",
            help="Paper to show, or a TOML file of another one (docs/tutorials/own-paper.md); may be repeated. `designs` shows ours alone. Default: all.",
        ),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="Measure figures that were not recorded, or that are older than the sources; it takes hours.",
        ),
    ] = False,
    clock: ClockOption = 500,
    json: JsonFlag = False,
) -> None:
    """Set the figures of papers beside ours: one HTML page, with pictures, CSV and JSON.

    Ours are those that came with the package, or that this user has measured since; each says with which version and when. A number that
    is missing says why: what a design lacks, that it takes hours, or its error. `--measure` simulates and synthesises what is missing or old.

    Example: ringside report --paper rise --output report

    Example: ringside report --paper designs --output our-designs
    """
    from ..figures.ledger import Books
    from ..report.provider import Recorded
    from ..report.run import check_place, make, write

    place = output or default_folder("report", "ringside-report")
    check_place(place)
    chosen = [word for name in paper or [] for word in ("--paper", name)]
    command = shlex.join(
        ["ringside", "report", *["--measure"] * measure, *chosen, "--clock", f"{clock:g}", "--output", str(place)]
    )

    def made(command: str) -> Row:
        note(command)
        return measured(command)

    provider = Recorded(Books.open(), made if measure else None)
    with progress_bar("Measuring" if measure else "Reading") as progress:
        found = make(paper or [], provider, command=command, clock=clock, progress=progress)
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
    if found.unrecorded:
        note(f"figures nobody recorded: {len(found.unrecorded)}, listed in report.json")
