# SPDX-License-Identifier: Apache-2.0
"""A paper of a reader's own: which of our figures stand beside which of its, as its file says ([[beside]], docs/tutorials/own-paper.md)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .. import designs
from ..errors import ParameterError
from ..figures.command import FRAMES, asic, cycles, synth
from ..hints import did_you_mean
from .layout import Grid, Headline, Ours, Section, Terms, ratio, share
from .measurement import Measurement
from .published import Paper, TableCell

DESIGN: Mapping[str, type] = {"design": str}
TASK: Mapping[str, type] = {**DESIGN, "op": str, "n": int}
FREE: Mapping[str, type] = {"limbs": int, "bits": int}
# what a file calls a figure: the command, the path in its answer, what has to be said, and what may be
FIGURES: Mapping[str, tuple[Callable[..., str], str, Mapping[str, type], Mapping[str, type]]] = {
    "cycles": (cycles, "cycles", TASK, FREE),
    "transform": (cycles, "units.COMPUTE.busy", TASK, FREE),
    "frame": (partial(cycles, frames=FRAMES), "cycles_per_frame", TASK, FREE),
    "first_frame": (partial(cycles, frames=FRAMES), "cycles", TASK, FREE),
    **{figure: (synth, f"{figure}.value", DESIGN, {"device": str}) for figure in ("lut", "ff", "dsp", "bram36")},
    **{figure: (asic, figure, DESIGN, {}) for figure in ("kge", "fmax_mhz")},
    "energy_uj": (partial(asic, energy=True), "energy.energy_uj", DESIGN, {}),
}
KEYS = ("what", "theirs", "ours", "terms", "why", "more_is_better")
TIMES = ("ms", "µs")  # units that cycles of ours become, by --clock


def headlines(paper: Paper, ours: Ours) -> list[Headline]:
    return [_headline(paper, number, given, ours) for number, given in enumerate(paper.beside, 1)]


def sections(paper: Paper, ours: Ours) -> list[Section]:
    rows: list[list[TableCell]] = [
        [one.what, one.printed, one.ours, one.better, one.terms, one.why] for one in headlines(paper, ours)
    ]
    heads = ["what", f"{paper.short}'s", "ours", "ours is better by", "how sure", "why"]
    return [Section("Beside ours", [Grid("beside", "Their figures and ours", heads, rows)])] if rows else []


def _headline(paper: Paper, number: int, given: Any, ours: Ours) -> Headline:
    def wrong(what: str, hint: str = "") -> ParameterError:
        return ParameterError("PAPER", f"{paper.source}: [[beside]] {number}: {what}.", hint)

    def known(what: str, given: Any, keys: Sequence[str]) -> dict[str, Any]:
        if not isinstance(given, dict):
            raise wrong(f"{what} must be a table")
        for key in given:
            if key not in keys:
                raise wrong(f"{what} has no key {key!r}", did_you_mean(key, keys, f"Keys: {', '.join(keys)}."))
        return given

    def theirs(given: Any) -> Measurement:
        asked = known("theirs", given, ("fact", "table", "column", "row"))
        if "fact" in asked:
            if asked["fact"] not in paper.facts:
                raise wrong(f"there is no fact {asked['fact']!r}", f"Facts: {', '.join(paper.facts) or 'none'}.")
            return paper.fact(asked["fact"])
        if asked.get("table") not in paper.tables:
            raise wrong(f"there is no table {asked.get('table')!r}", f"Tables: {', '.join(paper.tables) or 'none'}.")
        table = paper.tables[asked["table"]]
        titles = [column.key for column in table.columns]
        row = known("row", asked.get("row", {}), titles)
        if asked.get("column") not in titles:
            raise wrong(f"{table.key} has no column {asked.get('column')!r}", f"Columns: {', '.join(titles)}.")
        if (found := len(table.select(**row))) != 1:
            raise wrong(f"{found} rows of {table.key} are like {row}", "Name more of its columns in `row`.")
        cell = table.value(asked["column"], **row) if asked["column"] not in _texts(table.rows) else None
        if cell is None:
            raise wrong(f"the column {asked['column']!r} has no numbers")
        return cell

    def mine(given: Any) -> Measurement:
        name = str(given.get("figure", "")) if isinstance(given, dict) else ""
        if name not in FIGURES:
            raise wrong(f"there is no figure {name!r} of ours", f"Figures: {', '.join(FIGURES)}.")
        command, path, needed, free = FIGURES[name]
        asked = known("ours", given, ("figure", *needed, *free))
        values = {key: value for key, value in asked.items() if key != "figure"}
        for key, kind in {**needed, **free}.items():
            if key in needed and key not in values:
                raise wrong(f"ours needs `{key}`")
            if key in values and type(values[key]) is not kind:
                raise wrong(f"`{key}` of ours must be of type {kind.__name__}")
        designs.load(values["design"])
        return ours.ask(command(**values), path)

    entry = known("it", given, KEYS)
    for key in ("what", "theirs", "ours", "terms"):
        if key not in entry:
            raise wrong(f"`{key}` is missing")
    if entry["terms"] not in Terms.__members__:
        raise wrong(f"terms cannot be {entry['terms']!r}", f"Terms: {', '.join(Terms.__members__)}.")
    printed, own = theirs(entry["theirs"]), mine(entry["ours"])
    if printed.unit in TIMES and own.unit == "cycles":
        own = ours.time(own, printed.unit)
    if printed.unit != own.unit:
        hint = "Give the column or fact the unit of ours; cycles of ours become ms or µs."
        raise wrong(f"theirs is in {printed.unit or 'no unit'}, ours in {own.unit or 'no unit'}", hint)
    better = (share if entry.get("more_is_better") is True else ratio)(own, printed)
    what = f"{entry['what']}: {entry['ours']['design']}"
    return Headline(what, printed, own, better, Terms[entry["terms"]], str(entry.get("why", "")))


def _texts(rows: Sequence[Mapping[str, TableCell]]) -> set[str]:
    return {key for row in rows for key, cell in row.items() if isinstance(cell, str)}
