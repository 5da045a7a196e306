# SPDX-License-Identifier: Apache-2.0
"""`ringside figures`: the recorded figures, which of them are old, and how they are made again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import FileError, RingsideError
from ..native.files import read_file, write_bytes
from ..processors import worker_processes
from .common.commands import App
from .common.options import FullFlag, JsonFlag
from .common.output import note, print_json, print_table, progress_bar, warn
from .recorded import canonical, measured

if TYPE_CHECKING:
    from ..figures.ledger import Ledger, Row

app = App(
    help="The recorded figures: README, documents, `ringside report` and `ringside soc report` read them.\n\n"
    "Example: ringside figures list",
    no_args_is_help=True,
)
OnlyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--only", metavar="TEXT", help="Text that an answer's command contains; may be repeated. Default: all answers."
    ),
]

LONG = (
    "--target osu018", "soc energy", "soc area", "synth", "soc run", "soc profile",
)  # begin first, so that no worker is left with one  # fmt: skip
ROWS_ONE_BY_ONE = 30  # that `list` prints without --full
FEW = 5  # old answers of the report that `fill` names


def _compile_firmware() -> None:
    """Whether rows of the SoC are old can be decided then; without a compiler it cannot."""
    from ..sim.verilate import SimulationError
    from ..soc.build import firmware

    try:
        firmware()
    except SimulationError as error:
        warn(f"rows of the SoC cannot be judged: {error}")


def _chosen(rows: Iterable[Row], only: list[str] | None) -> list[Row]:
    return [row for row in rows if not only or any(text in row.command for text in only)]


def _why(row: Row) -> str:
    from ..figures.ledger import State

    state = row.state()
    return f"{state}: {', '.join(row.changed())}" if state is State.old else str(state)


@app.command("list")
def list_figures(only: OnlyOption = None, full: FullFlag = False, json: JsonFlag = False) -> None:
    """List the recorded answers: the command of each, when it was recorded, and what has changed since that could make it another.

    Many are told by their commands, and those that are old one by one. A comment in a source changes nothing; a constant of the firmware changes all rows of the SoC.

    Examples: ringside figures list; ringside figures list --only "soc run" --full
    """
    from ..figures.ledger import shipped

    _compile_firmware()
    rows = _chosen(shipped(), only)
    if json:
        print_json(
            [
                {"command": row.command, "answer": row.answer, "state": _why(row), "recorded": row.recorded}
                for row in rows
            ]
        )
        return
    table = [[row.command, row.recorded, _why(row)] for row in rows]
    if not table:
        note(f"no recorded answer is of a command with {' or '.join(map(repr, only or ()))}.")
        return
    if full or len(table) <= ROWS_ONE_BY_ONE:
        print_table(["command", "recorded", "state"], table)
    else:
        _print_kinds(table)


def _print_kinds(table: list[list[str]]) -> None:
    """Rows by the first words of their commands, then those that are not fresh."""
    from ..figures.command import parse
    from ..figures.ledger import State

    kinds: dict[str, list[list[str]]] = {}
    for row in table:
        kinds.setdefault(parse(row[0]).verb, []).append(row)
    stale = [row for row in table if row[2] != str(State.fresh)]
    rows = []
    for name, some in sorted(kinds.items()):
        days = sorted(row[1].rpartition(" ")[2] for row in some)
        rows.append([name, f"{len(some):,}", str(sum(row in stale for row in some)), days[0], days[-1]])
    print_table(["commands", "answers", "not fresh", "first recorded", "last"], rows)
    if stale:
        print_table(["not fresh", "recorded", "state"], stale[:ROWS_ONE_BY_ONE])
    hidden = len(table) - min(len(stale), ROWS_ONE_BY_ONE)
    print(f"{hidden:,} more rows: --full prints all, --only TEXT some.")


@app.command("refresh")
def refresh(
    only: OnlyOption = None,
    printed: Annotated[
        bool,
        typer.Option(
            "--printed", help="Make the answers that README and documents print, and leave out the rest of the report."
        ),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes side by side.")] = 1,
    again: Annotated[bool, typer.Option("--again", help="Make fresh answers again, too.")] = False,
    carry: Annotated[
        bool, typer.Option("--carry", help="Make none: only keep those that may stay, with the hashes of today.")
    ] = False,
    dry: Annotated[bool, typer.Option("--dry-run", help="List the answers that would be made.")] = False,
    json: JsonFlag = False,
) -> None:
    """Make the answers that are old or missing again: those that README, documents and the report show. It takes hours from nothing.

    What the report leaves to a command because it takes hours is made only if it was recorded before, or if --only names it.

    RTL that has changed elsewhere makes no answer of a design old whose netlist is the same, and a driver that has changed none whose program is
    the same: such answers are kept, which takes some seconds for a design. Where the simulator or the code that makes the data has changed, the
    shortest answers of several designs are made first; if all are what they were, the others that differ in nothing else are kept. The shortest
    answer of a design with a streaming unit vouches for its longer ones in the same way, whatever core and driver are.
    Each answer is written once it is there, so a run that was broken off goes on where it was. Answers that this user has measured with the same
    sources (`ringside soc run`) are taken as they are.

    Examples: ringside figures refresh --jobs 2; ringside figures refresh --printed --only "cycles"
    """
    from ..figures.ledger import State, own, shipped
    from ..report.scope import left_out

    # what is simulated is what is hashed: an installed package has RTL of its own, as it was when it was installed
    os.environ.setdefault("RINGSIDE_TREE", str(_tree()))
    _compile_firmware()
    book, mine = shipped(), own()
    wanted = dict.fromkeys(_printed_commands())
    if not printed:
        wanted |= dict.fromkeys(one for one in _report_commands() if only or not left_out(one))
        wanted |= dict.fromkeys(row.command for row in book)
    asked = [one for one in wanted if not only or any(text in one for text in only)]
    missing: list[str] = []
    taken: list[Row] = []
    for command in asked:
        row = book.find(command)
        kept = None if row is None or again else _kept(row)
        if kept is None:
            missing.append(command)
        elif kept is not row:
            taken.append(kept)
    if dry:
        commands = [command for command in missing if again or not _is_fresh(mine, command)]
        if json:
            print_json(commands)
        else:
            print(*commands, sep="\n", end="\n" * bool(commands))
        return
    book.put(*taken)
    if carry:
        print(f"{len(asked) - len(missing)} answers kept, {len(missing)} are old or missing")
        return
    failures: dict[str, str] = {}
    if not again:
        missing, failures = _by_witnesses(missing, book, mine, jobs)
        ready = [row for row in map(mine.find, missing) if row is not None and row.state() is State.fresh]
        book.put(*(_kept(row) or row for row in ready))
        missing = [command for command in missing if not _is_fresh(book, command)]
    failures |= _measure_all(missing, book, jobs)
    if json:
        print_json({"made": len(missing) - len(failures), "failed": failures})
    else:
        print(f"{len(missing) - len(failures)} answers made, {len(asked) - len(missing)} kept or made as witnesses")
    for command, why in failures.items():
        warn(f"{command}: {why}")
    if failures:
        raise typer.Exit(1)


def _kept(row: Row) -> Row | None:
    """The row, if it may stay, with what is known today of what it was made from. None: it is old."""
    from ..figures.ledger import State
    from ..sim.verilate import SimulationError

    try:
        return row.carried_over() if row.state() is State.old else row.with_results()
    except SimulationError as error:
        warn(f"`{row.command}`: its netlist or program is not known: {error}")
        return None if row.state() is State.old else row


def _by_witnesses(missing: list[str], book: Ledger, mine: Ledger, jobs: int) -> tuple[list[str], dict[str, str]]:
    """What is left to make, and the failures of witnesses, once answers have vouched for those that differ from them in nothing but the same parts.
    What witnesses say stands in the user's own book until all have spoken, so that a run which was broken off asks none of them again."""
    from ..figures.witnesses import groups

    found = groups(filter(None, map(book.find, missing)))
    witnesses = dict.fromkeys(row.command for group in found for row in group.witnesses)
    asked = [command for command in witnesses if not _is_fresh(mine, command)]
    if found:
        vouched = sum(len(group.others) for group in found)
        note(f"{len(witnesses)} answers vouch for {vouched} others: {len(asked)} of them are made first.")
    failures = _measure_all(asked, mine, jobs)
    for group in found:
        if any(row.command in failures for row in group.witnesses):  # who has not answered does not vouch
            continue
        said = [(row, mine.find(row.command)) for row in group.witnesses]
        others = [row.command for row, new in said if new is None or not row.agrees(new)]
        if others:
            warn(
                f"{group.title}: `{others[0]}` says something else than before, so {len(group.others)} others are made."
            )
        else:
            book.put(*filter(None, (row.carried_over(group.parts) for row in group.others)))
        book.put(*(new for _, new in said if new is not None))
    return [command for command in missing if not _is_fresh(book, command)], failures


def _is_fresh(book: Ledger, command: str) -> bool:
    from ..figures.ledger import State

    row = book.find(command)
    return row is not None and row.state() is State.fresh


def _measure_all(commands: list[str], book: Ledger, jobs: int) -> dict[str, str]:
    """The failures, by command."""
    failures: dict[str, str] = {}
    if not commands:
        return failures
    ordered = sorted(
        commands, key=lambda command: next((i for i, kind in enumerate(LONG) if kind in command), len(LONG))
    )
    with progress_bar("Measuring") as progress, worker_processes(jobs) as pool:
        running = {pool.submit(_measured, command): command for command in ordered}
        for done, future in enumerate(as_completed(running), 1):
            try:
                book.put(future.result())
            except RingsideError as error:
                failures[running[future]] = str(error)
            except Exception as error:  # the others go on
                failures[running[future]] = f"{type(error).__name__}: {error}"
            progress(done, len(commands))
    return failures


def _measured(command: str) -> Row:
    """In a process of its own."""
    row = measured(command)
    return _kept(row) or row


def _tree() -> Path:
    from ..sim.verilate import SimulationError
    from ..soc.build import source_tree

    try:
        return source_tree()
    except SimulationError as error:
        message = "README and documents are in the source tree alone."
        raise FileError("FIGURES", message, "Set RINGSIDE_TREE to it.") from error


def _pages() -> list[Path]:
    """Markdown of the source tree."""
    tree = _tree()
    found = [tree / "README.md", *sorted((tree / "docs").glob("*.md"))]
    return found + [
        path for room in ("lib", "py", "hw", "sim", "soc") for path in sorted((tree / room).rglob("README.md"))
    ]


def _printed_commands() -> list[str]:
    from ..figures.markers import printed

    return [canonical(command) for page in _pages() for command in printed(read_file(page).decode())]


def _report_commands() -> list[str]:
    """All that the report's pages ask."""
    from ..report.provider import NotMeasuredError
    from ..report.run import make

    asked: list[str] = []

    class Collecting:
        def answer(self, command: str) -> Mapping[str, Any]:
            asked.append(command)
            raise NotMeasuredError

        def recorded(self, command: str) -> str:
            return ""

    make([], Collecting(), command="")
    return asked


@app.command("fill")
def fill(
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; fail if a page is behind the ledger, or prints an old figure."),
    ] = False,
    accept_old: Annotated[
        bool,
        typer.Option("--accept-old", help="Old figures are counted and do not fail: they take hours to make again."),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Write the ledger's figures into README and documents, where comments mark their places.

    Example: ringside figures fill
    """
    from ..explore.model.calibrate import is_old
    from ..explore.model.constants import load
    from ..figures.ledger import State, shipped
    from ..figures.markers import fill as filled
    from ..figures.markers import printed

    _compile_firmware()
    book, problems = shipped(), []

    def answer(command: str) -> Mapping[str, Any]:
        row = book.find(canonical(command))
        if row is None:
            raise LookupError(command)
        return row.answer

    tree = _tree()
    shown: set[str] = set()
    written: list[str] = []
    for page in _pages():
        text, name = read_file(page).decode(), page.relative_to(tree)
        commands = list(dict.fromkeys(map(canonical, printed(text))))
        shown.update(commands)
        lost = [one for one in commands if book.find(one) is None]
        problems += [f"{name}: nothing is recorded of `{command}`" for command in lost]
        for row in filter(None, map(book.find, commands)):
            if row.state() is State.old and not accept_old:
                problems.append(f"{name}: `{row.command}` is old: changed {', '.join(row.changed())}")
        if lost:
            continue
        new = filled(text, answer)
        if new != text:
            problems += [f"{name} prints other figures than the ledger: `ringside figures fill`"] * check
            if not check:
                write_bytes(page, new.encode())
                written.append(str(name))
    if is_old(load()):
        warn(
            "the models of `ringside explore` were made of other RTL: `ringside explore calibrate --carry`, or without --carry"
        )
    old = [row for row in book if row.state() is State.old]
    unprinted = [row for row in old if row.command not in shown]
    if accept_old and len(old) > len(unprinted):
        warn(f"{len(old) - len(unprinted)} answers that pages print are old: `ringside figures refresh --printed`")
    if len(unprinted) <= FEW:
        for row in unprinted:
            warn(f"`{row.command}`, which the report shows, is old: changed {', '.join(row.changed())}")
    else:
        warn(f"{len(unprinted)} answers that the report alone shows are old: `ringside figures list --full` names them")
    if problems:
        hint = "`ringside figures refresh --printed` makes them again."
        raise FileError("FIGURES", "\n".join(dict.fromkeys(problems)), hint)
    if json:
        print_json({"written": written, "commands": len(shown), "stale": len(old)})
        return
    print(
        f"written: {', '.join(written)}"
        if written
        else f"{len(shown)} commands in README and documents: nothing to change"
    )
    print(f"stale answers: {len(old)}")
