# SPDX-License-Identifier: Apache-2.0
"""`ringside explore`: every design of a space in the models, the best ones in RTL, and a page of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import UsageError
from ...native.files import check_directory
from ..common.commands import App, VerbGroup
from ..common.options import JsonFlag
from ..common.output import default_folder, note, print_json, print_table, progress_bar, warn

NONE, FRONT = "none", "front"


class ExploreGroup(VerbGroup):
    """`ringside explore SPACE` is `ringside explore run SPACE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = App(
    cls=ExploreGroup,
    no_args_is_help=True,
    help="Every design of a space in models of cycles, area and energy; the best ones in RTL; one page of all. `ringside explore SPACE`.\n\n"
    "Example: ringside explore tiny",
)

FolderOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="Folder of journal and page. Default: build/explore/NAME or explore-NAME."),
]  # fmt: skip


def named_spaces(incomplete: str = "") -> list[str]:
    """For completion; the models and NumPy are loaded when they are needed."""
    from ...explore.space.schema import names

    return [name for name in names() if name.startswith(incomplete)]


def _count(verify: str) -> int | None:
    """How many of the front; None: all of it, what is near, and random points; 0: none."""
    if verify == FRONT:
        return None
    if verify == NONE:
        return 0
    if verify.isdecimal():
        return int(verify)
    raise UsageError("USAGE", f"--verify takes {FRONT}, {NONE} or a number, got {verify!r}.")


@app.command("run")
def run(
    space: Annotated[str, typer.Argument(metavar="SPACE", help="A space that comes with the package, such as tiny, or a TOML file.", autocompletion=named_spaces)],
    output: FolderOption = None,
    verify: Annotated[
        str, typer.Option("--verify", metavar="front|N|none", help="Points to simulate and synthesise: the front, points near it and random ones, until the front stays; N of the front; or none.")
    ] = NONE,
    synth: Annotated[bool, typer.Option(help="Synthesise what is verified, beside simulating it.")] = True,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=0, help="Processes. Default: one per processor.")] = 0,
    dask: Annotated[str, typer.Option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler instead.")] = "",
    resume: Annotated[bool, typer.Option(help="Go on with the journal in the folder; --no-resume: begin a new one.")] = True,
    retry: Annotated[bool, typer.Option("--retry", help="Ask again what failed before.")] = False,
    page_points: Annotated[int, typer.Option("--page-points", metavar="N", min=1000, max=200_000, help="Designs of the page at most: the front, what was verified, and a sample of the others.")] = 55_000,
    paper: Annotated[str, typer.Option("--paper", metavar="NAME", help="Print the paper's own exploration beside ours: nejatollahi.")] = "",
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Compute every design of a space by the models, and prove the best ones in RTL.

    Cycles come from the programs that the driver runs; area, clock and energy from tables of mapped parts. Each model says its error on designs it had not
    seen. A stop loses nothing: the journal has every answer, and the next run goes on.

    Example: ringside explore tiny

    Example: ringside explore aloha-task --verify 8 --output aloha
    """
    from ...explore import papers
    from ...explore.model import constants
    from ...explore.model.calibrate import is_old
    from ...explore.page.pack import write_page
    from ...explore.search import proof
    from ...explore.search import run as engine
    from ...explore.search.journal import Journal
    from ...explore.space.reader import load

    count = _count(verify)
    asked = load(Path(space))
    if paper:
        papers.check(paper)
    folder = output or default_folder(f"explore/{asked.name}", f"explore-{asked.name}")
    engine.check_place(folder, asked.name)  # what cannot be written is an error before the work
    models = constants.load()
    if is_old(models):
        note(
            "the models of area and energy were made of other RTL: `ringside explore calibrate --carry` tells whether it is the same logic"
        )
    stages: dict[str, Any] = {}
    with progress_bar(f"Exploring {asked.name}") as bar:

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages[stage] = True
                note(stage)
            bar(done, total)

        explored = engine.explore(asked, models, folder, jobs, tell, address=dask)
    with Journal(folder / engine.JOURNAL, anew=not resume) as book:
        if retry:
            book.forget_errors()
        if count != 0:
            with (
                progress_bar("Verifying", "simulations and syntheses take minutes each") as bar,
                engine.workers(jobs, dask) as executor,
            ):
                if count is None:
                    proof.close(explored, book, executor, bar, note, synth=synth)
                else:
                    proof.verified(explored, book, executor, count, bar, synth=synth)
        if count is not None:
            proof.known(explored, book)
    engine.write_summary(explored, folder)
    page = write_page(explored, folder, page_points)
    found = engine.summary(explored)
    if paper:
        found["paper"] = papers.tables(paper, models)
    if json:
        print_json(found | {"page": str(page)})
        return
    _print(found, str(page))


def _cost_text(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.5g}"


def _print(found: dict[str, Any], page: str) -> None:
    print(f"{found['space']}: {found['points']:,} designs ({found['searched']}), {found['within_constraints']:,} within the constraints, {len(found['front'])} on the front")  # fmt: skip
    for reason, number in found["refused"].items():
        print(f"refused: {number:,}: {reason}")
    if found["unmet"]:
        warn(f"no design keeps the constraints: {'; '.join(found['unmet'])}")
    names = list(dict.fromkeys([*found["objectives"], "cycles", "lut", "dsp", "bram36"]))
    front = found["front"]
    values = {name: {str(row["fields"][name]) for row in front} for name in (front[0]["fields"] if front else [])}
    varied = [name for name in values if len(values[name]) > 1]
    rows = []
    for row in front[:12]:
        costs = [_cost_text(row["costs"].get(name, float("nan"))) for name in names]
        rtl = row.get("rtl", {}).get("cycles")
        rows.append([*(str(row["fields"][name]) for name in varied), *costs, "" if rtl is None else f"{rtl:,.0f}"])
    print_table([*varied, *names, "cycles in RTL"], rows, "first designs of the front, by the first objective")
    if alike := [f"{name} {values[name].pop()}" for name in values if name not in varied]:
        print(f"the same in all of the front: {', '.join(alike)}")
    for name, value in found["residuals"].items():
        others = found["residuals_of_random"].get(name)
        beside = (
            f"; random points: {others['points']}, mean {others['mean']} %, most {others['most']} %" if others else ""
        )
        print(f"{name}: verified {value['points']}, error median {value['median']} %, mean {value['mean']} %, most {value['most']} %{beside}")  # fmt: skip
    if found["closed"]:
        ties = found["ties"]
        asked = "all of it" if ties else "all of it, and what is near it,"
        beside = f"; no other design is better by more than {100 * ties:g} %" if ties else ""
        print(f"the front is closed: {asked} has answers, turns: {len(found['turns'])}{beside}")
    else:
        asks = found["asks"]
        print(f"--verify front asks {asks['points']:,} points to begin with: {asks['simulations']:,} simulations and {asks['syntheses']:,} syntheses")  # fmt: skip
    held = ", ".join(
        f"{name} {value['mean']:g} % (most {value['most']:g} %)" for name, value in found["models"]["held_out"].items()
    )
    print(f"error of the models on designs they had not seen, mean: {held}")
    for table in found.get("paper", []):
        print_table(table["columns"], table["rows"], table["title"])
    print(f"page: {page}")


@app.command("calibrate")
def calibrate(
    spaces: Annotated[list[Path] | None, typer.Argument(metavar="[SPACE.toml…]", help="Spaces whose memories are mapped too. Default: those of the tree.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write. Default: the package's own file.")] = None,
    carry: Annotated[bool, typer.Option("--carry", help="Map nothing: keep the numbers, with today's commit, if each design that was mapped is the same logic today.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=3, help="Number of designs of the list to take, the first ones, for a trial.")] = None,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Map the designs of the list with Yosys and fit the models' numbers; print the errors on designs left out.

    What was mapped before comes from the cache; a new design takes a minute or two. The numbers are old when the RTL is another one; where it changed in
    words only, or beside these designs, `--carry` keeps them: it compares netlists, in half a minute each.

    Example: ringside explore calibrate --output constants.json
    """
    from ...explore.model import constants
    from ...explore.model.calibrate import calibrate as fitted
    from ...explore.model.calibrate import carried_over
    from ...explore.space.reader import load
    from ...sim.verilate import source_tree

    if output is not None:
        check_directory(output)  # beside the file
        if output.is_dir():
            raise UsageError("USAGE", f"{output} is a directory.", "Name a file for --output.")
    files = spaces or sorted((source_tree() / "designs" / "spaces").glob("*.toml"))
    with progress_bar("Comparing netlists" if carry else "Mapping designs, and memories by twentieths") as progress:
        if carry:
            models = carried_over(constants.load(), note, progress)
        else:
            models = fitted([load(path) for path in files], note, progress, limit)
    models.write(output or constants.SHIPPED)
    if json:
        print_json({"held_out": models.held_out, "rows": models.rows, "made_of": models.made_of})
        return
    rows = [
        [name, f"{value['designs']:g}", f"{value['mean']:g}", f"{value['most']:g}"]
        for name, value in models.held_out.items()
    ]
    title = "each design foreseen by a model of the others"
    print_table(["quantity", "designs", "mean error, %", "largest, %"], rows, title)
    print(f"written: {output or constants.SHIPPED}")


@app.command("serve")
def serve(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run, which may still be going on.")],
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port on this machine; 0: any.")] = 8032,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Show a run's page in a browser on this machine, with the newest answers of its journal. Stop it with Ctrl-C.

    Example: ringside explore serve explore-tiny
    """
    from ...explore.page.serve import serve as serving

    def ready(address: str) -> None:
        if json:
            print_json({"address": address, "folder": str(folder)})
            sys.stdout.flush()
        else:
            note(f"{address} shows {folder}; Ctrl-C ends it")

    serving(folder, port, ready)
