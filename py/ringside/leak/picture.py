# SPDX-License-Identifier: Apache-2.0
"""t over the cycles of an operation: a strip for each channel, its bar dotted in by a line; and the same as CSV."""

from __future__ import annotations

import math

import numpy as np

from ..drawing import COLOURS, INK, LINE, PAPER, SOFT, Box, Drawing, Label, Shape, round_step
from ..drawing import Line as Joined
from .measure import BAR, Course, LeakRun

WIDTH, ROW, GAP, LEFT, TOP, RIGHT, FOOT = 1200, 46, 10, 190, 64, 70, 40
PLACES = 470  # at most; of more cycles the largest |t| of several is drawn
LARGEST = 1e6  # in place of infinity
QUIET, LOUD, BARRED = COLOURS[0], COLOURS[5], COLOURS[1]


def _height(t: float) -> float:
    """Logarithmic, so that 2 and 200 are both seen."""
    return math.log1p(min(abs(t), LARGEST))


def draw(found: LeakRun, course: Course) -> Drawing:
    """Channels in the order of the table; of each its largest |t|."""
    amounts = np.abs(course.t)
    top = max(2 * _height(BAR), *(_height(one.t) for one in found.channels))
    scale = (WIDTH - LEFT - RIGHT) / max(1, found.cycles)
    height = TOP + (ROW + GAP) * len(found.channels) + FOOT
    bottom = height - FOOT
    title = f"{found.design}: {found.op}, {found.fixed} fixed against random, {found.traces:,} traces, |t| by cycle"
    shapes: list[Shape] = [Box(0, 0, WIDTH, height, PAPER), Label(LEFT, 22, title)]
    for cycle in range(0, found.cycles + 1, max(1, round(round_step(found.cycles)))):
        x = LEFT + cycle * scale
        shapes += [Box(x, TOP - 8, 1, bottom - TOP + 8, LINE), Label(x, bottom + 14, f"{cycle:,}", SOFT)]
    width = max(1, -(-found.cycles // PLACES))
    for row, channel in enumerate(found.channels):
        base = TOP + (ROW + GAP) * row + ROW
        column = amounts[:, course.names.index(channel.channel)]
        largest = [float(column[at : at + width].max()) for at in range(0, len(column), width)]
        places = [(LEFT + (i + 0.5) * width * scale, base - ROW * _height(t) / top) for i, t in enumerate(largest)]
        places = [(min(x, WIDTH - RIGHT), y) for x, y in places]
        bar = base - ROW * _height(BAR) / top
        shapes += [
            Box(LEFT, base, WIDTH - LEFT - RIGHT, 1, LINE),
            Box(LEFT, bar, WIDTH - LEFT - RIGHT, 1, BARRED, f"{BAR:g}"),
            Joined(tuple(places), LOUD if channel.t > BAR else QUIET, -1),
            Label(LEFT - 8, base - ROW / 2, channel.channel, INK, "end"),
            Label(WIDTH - RIGHT + 8, base - ROW / 2, t_text(channel.t), LOUD if channel.t > BAR else QUIET),
        ]
    text = f"clock cycles; the line across is |t| = {BAR:g}, above it logarithmic as below"
    return Drawing([*shapes, Label(WIDTH - RIGHT, 42, text, SOFT, "end")], WIDTH, height, title)


def t_text(t: float) -> str:
    return f"{t:.1f}" if t < LARGEST else "infinite"


def csv(course: Course) -> str:
    """A row for each cycle: t with its sign, a column for each channel."""
    lines = [",".join(["cycle", *course.names])]
    lines += [f"{cycle}," + ",".join(f"{t:.3f}" for t in row) for cycle, row in enumerate(course.t)]
    return "\n".join([*lines, ""])
