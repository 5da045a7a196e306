# SPDX-License-Identifier: Apache-2.0
"""A program's run as a picture: units from top to bottom, cycles from left to right. SVG or PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ..sim.core import UNITS, Job

WIDTH, ROW, BAR, LEFT, TOP, RIGHT = 1200, 40, 28, 90, 64, 24
LETTER = 7  # width of one, about
COLOURS = {  # by operation; transforms stand out
    "NTT": "#1f5fa8",
    "INTT": "#4a90c8",
    "MUL": "#e08a1e",
    "MAC": "#e08a1e",
    "MSUB": "#e08a1e",
    "LOAD": "#5a9e6f",
    "STREAM": "#8fbf6f",
    "CONTEXT": "#b3cf9c",
    "STORE": "#a8577e",
    "SAMPLE": "#8866bb",
    "LIFT": "#b9a3d9",
    "ROUND": "#b9a3d9",
    "EXPAND": "#6a7fc9",
}
OTHER, INK, LINE, PAPER = "#c2a05a", "#222222", "#dddddd", "#ffffff"


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    colour: str
    title: str = ""


@dataclass(frozen=True)
class Label:
    x: float
    y: float  # of the letters' middle
    text: str
    colour: str = INK
    end: bool = False  # x is where it ends


Shape = Box | Label


def draw(job: Job, texts: Sequence[str], title: str) -> tuple[list[Shape], int]:
    """The picture and its height. texts: the instructions by their program counter."""
    units = [unit for unit in UNITS if job.busy[unit]]
    height = TOP + ROW * len(units) + 40
    scale = (WIDTH - LEFT - RIGHT) / max(1, job.cycles)
    shapes: list[Shape] = [Box(0, 0, WIDTH, height, PAPER), Label(LEFT, 22, title)]
    bottom = TOP + ROW * len(units)
    for cycle in _ticks(job.cycles):
        x = LEFT + cycle * scale
        shapes += [Box(x, TOP - 8, 1, bottom - TOP + 12, LINE), Label(x, bottom + 18, f"{cycle:,}")]
    for row, unit in enumerate(units):
        y = TOP + ROW * row
        share = f"{100 * job.busy[unit] / max(1, job.cycles):.0f} %"
        shapes += [Label(LEFT - 8, y + BAR / 2 - 6, unit, end=True), Label(LEFT - 8, y + BAR / 2 + 8, share, end=True)]
        for event in (event for event in job.events if event.unit == unit):
            text = texts[event.pc] if event.pc < len(texts) else "?"
            op = text.partition(" ")[0]
            cycles = event.end - event.start + 1
            x, width = LEFT + event.start * scale, max(1.0, cycles * scale - 0.5)
            what = f"{event.pc}: {text}; cycles {event.start:,} to {event.end:,} ({cycles:,})"
            shapes.append(Box(x, y, width, BAR, COLOURS.get(op, OTHER), what))
            if width > LETTER * len(op) + 4:
                shapes.append(Label(x + 4, y + BAR / 2, op, PAPER))
    return shapes, height


def _ticks(cycles: int) -> range:
    """At most nine round numbers."""
    steps = (digit * 10**power for power in range(19) for digit in (1, 2, 5))
    return range(0, cycles + 1, next(step for step in steps if cycles <= 8 * step))


def svg(shapes: Sequence[Shape], height: int) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"',
        '     font-family="sans-serif" font-size="12">',
    ]
    for shape in shapes:
        if isinstance(shape, Box):
            where = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            lines.append(f'<rect {where} fill="{shape.colour}">{title}</rect>')
        else:
            anchor = ' text-anchor="end"' if shape.end else ""
            where = f'x="{shape.x:.1f}" y="{shape.y + 4:.1f}"'
            lines.append(f'<text {where} fill="{shape.colour}"{anchor}>{escape(shape.text)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def png(shapes: Sequence[Shape], height: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (WIDTH, height), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(12)
    for shape in shapes:
        if isinstance(shape, Box):
            right, bottom = shape.x + max(1, shape.width) - 1, shape.y + shape.height - 1
            pen.rectangle((shape.x, shape.y, right, bottom), fill=shape.colour)
        else:
            anchor = "rm" if shape.end else "lm"
            pen.text((shape.x, shape.y), shape.text, fill=shape.colour, font=font, anchor=anchor)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def picture(job: Job, texts: Sequence[str], title: str, *, as_png: bool) -> bytes:
    """SVG or PNG."""
    shapes, height = draw(job, texts, title)
    return png(shapes, height) if as_png else svg(shapes, height).encode()
