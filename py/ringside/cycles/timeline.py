# SPDX-License-Identifier: Apache-2.0
"""A program's run as a picture, simulated or foreseen: units from top to bottom, cycles from left to right. SVG or PNG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..designs.units import UNITS
from ..drawing import LINE, PAPER, Box, Drawing, Label, Shape, round_step
from ..sim.asm import unit_of
from ..sim.core import Event, ProgramRun
from ..sim.timing import ProgramTime

WIDTH, ROW, BAR, LEFT, TOP, RIGHT, FOOT = 1200, 40, 28, 90, 64, 24, 66
LETTER = 7  # width of one, about
COLOURS = {  # by operation; transforms stand out
    "NTT": "#1f5fa8", "INTT": "#4a90c8", **dict.fromkeys(("MUL", "MAC", "MSUB"), "#e08a1e"),
    **dict.fromkeys(("LOAD", "LOADF"), "#5a9e6f"), "STREAM": "#8fbf6f", "CONTEXT": "#b3cf9c",
    **dict.fromkeys(("STORE", "STOREF"), "#a8577e"), **dict.fromkeys(("SAMPLE", "HASH"), "#8866bb"),
    **dict.fromkeys(("LIFT", "ROUND"), "#b9a3d9"), **dict.fromkeys(("EXPAND", "DRAW"), "#6a7fc9"),
    **dict.fromkeys(("PIPE", "PIPED", "PIPEM"), "#3b8f8f"),
}  # fmt: skip
OTHER = "#c2a05a"


def foreseen(time: ProgramTime, words: Sequence[int]) -> ProgramRun:
    """The run as the model of time has it. Instructions of LOAD that overlap are shown one behind the other, as a trace shows them."""
    events: list[Event] = []
    ended = dict.fromkeys(UNITS, 0)
    works = np.zeros((len(UNITS), time.cycles), bool)
    for pc, (word, (start, end)) in enumerate(zip(words, time.spans, strict=True)):
        if unit := unit_of(word):
            begin = max(start, ended[unit])
            ended[unit] = max(end, begin + 1)
            events.append(Event(unit, pc, begin, ended[unit] - 1))
            works[UNITS.index(unit), begin : ended[unit]] = True
    busy, at_once = works.sum(axis=1), works.sum(axis=0)
    idle, overlap = int((at_once == 0).sum()), int((at_once > 1).sum())
    counts = idle, overlap, time.read_beats, time.write_beats
    return ProgramRun(time.cycles, dict(zip(UNITS, map(int, busy), strict=True)), time.active, *counts, events)


def draw(job: ProgramRun, texts: Sequence[str], title: str) -> Drawing:
    """texts: the instructions by their program counter."""
    units = [unit for unit in UNITS if job.busy[unit]]
    height = TOP + ROW * len(units) + FOOT
    scale = (WIDTH - LEFT - RIGHT) / max(1, job.cycles)
    shapes: list[Shape] = [Box(0, 0, WIDTH, height, PAPER), Label(LEFT, 22, title)]
    bottom = TOP + ROW * len(units)
    for cycle in range(0, job.cycles + 1, max(1, round(round_step(job.cycles)))):
        x = LEFT + cycle * scale
        shapes += [Box(x, TOP - 8, 1, bottom - TOP + 12, LINE), Label(x, bottom + 18, f"{cycle:,}")]
    for row, unit in enumerate(units):
        y = TOP + ROW * row
        share = f"{100 * job.busy[unit] / max(1, job.cycles):.0f} %"
        shapes += [
            Label(LEFT - 8, y + BAR / 2 - 6, unit, anchor="end"),
            Label(LEFT - 8, y + BAR / 2 + 8, share, anchor="end"),
        ]
        for event in (event for event in job.events if event.unit == unit):
            text = texts[event.pc] if event.pc < len(texts) else "?"
            op = text.partition(" ")[0]
            cycles = event.end - event.start + 1
            x, width = LEFT + event.start * scale, max(1.0, cycles * scale - 0.5)
            what = f"{event.pc}: {text}; cycles {event.start:,} to {event.end:,} ({cycles:,})"
            shapes.append(Box(x, y, width, BAR, COLOURS.get(op, OTHER), what))
            if width > LETTER * len(op) + 4:
                shapes.append(Label(x + 4, y + BAR / 2, op, PAPER))
    seen = dict.fromkeys(texts[event.pc].partition(" ")[0] for event in job.events if event.pc < len(texts))
    return Drawing([*shapes, *_legend(list(seen), height - 16)], WIDTH, height, title)


def _legend(operations: Sequence[str], y: float) -> list[Shape]:
    """Colours of the operations, and what the numbers are."""
    shapes: list[Shape] = []
    x = float(LEFT)
    alike: dict[str, list[str]] = {}
    for op in operations:
        alike.setdefault(COLOURS.get(op, OTHER), []).append(op)
    for colour, names in alike.items():
        text = ", ".join(names)
        shapes += [Box(x, y - 6, 12, 12, colour), Label(x + 17, y, text)]
        x += 34 + LETTER * len(text)
    return [*shapes, Label(WIDTH - RIGHT, y, "clock cycles; below a unit its share of them", anchor="end")]
