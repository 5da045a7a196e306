# SPDX-License-Identifier: Apache-2.0
"""Bar charts: horizontal bars in groups, a number or the reason for its absence behind each. SVG and PNG from the same shapes."""

from __future__ import annotations

import io
import math
import unicodedata
from dataclasses import dataclass
from html import escape

from .layout import Bars
from .measurement import Kind, Measurement

WIDTH, LEFT, RIGHT, TOP = 960, 210, 150, 62
ROW, GAP, BAR = 17, 12, 13
LETTER = 6.6  # width of one, about
INK, SOFT, LINE, PAPER = "#171b26", "#6a7385", "#dfe3eb", "#ffffff"
COLOURS = ("#1f5fa8", "#e08a1e", "#2f8f6b", "#a8577e", "#6a7fc9", "#b3372f", "#7a8a99")
# what Pillow's own font does not have
PLAIN = {ord("×"): "x", ord("µ"): "u", ord("²"): "^2", ord("–"): "-"}
# how much of its colour a bar keeps: what is measured stands out
STRENGTH = {Kind.measured: 1.0, Kind.modelled: 0.72, Kind.published: 0.42}


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    colour: str
    title: str = ""
    series: int = -1
    outline: str = ""


@dataclass(frozen=True)
class Label:
    """y: of the letters' middle. anchor: start, middle or end."""

    x: float
    y: float
    text: str
    colour: str = INK
    anchor: str = "start"
    series: int = -1
    bold: bool = False


Shape = Box | Label


def number_text(value: float) -> str:
    """For people, four digits of what is not a whole number: 1,492; 0.934; 36.5."""
    if value == 0 or (float(value).is_integer() and abs(value) < 1e9):
        return f"{int(value):,}"
    size = math.floor(math.log10(abs(value)))
    if size >= 9 or size < -5:
        return f"{value:.3g}"
    text = f"{value:,.{max(0, 3 - size)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def value_text(found: Measurement) -> str:
    """What is printed is shown as it is printed."""
    if found.value is None:
        return found.status.value
    return f"{found.value:,}" if found.kind is Kind.published else number_text(found.value)


def _mixed(colour: str, strength: float) -> str:
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - strength * (255 - part)):02x}" for part in parts)


def _ticks(top: float, bottom: float, log: bool) -> list[float]:
    if log:
        return [10.0**power for power in range(round(math.log10(bottom)), round(math.log10(top)) + 1)]
    steps = (digit * 10.0**power for power in range(-6, 12) for digit in (1, 2, 5))
    step = next(step for step in steps if top <= 8 * step)
    return [step * count for count in range(int(top / step + 1e-9) + 1)]


def _tip(name: str, group: str, unit: str, found: Measurement) -> str:
    lines = [f"{group}, {name}: {value_text(found)}{f' {unit}' if found.value is not None else ''} ({found.kind})"]
    lines += [text for text in (found.source, found.command, found.detail, found.caveat) if text]
    return "\n".join(lines)


def draw(chart: Bars) -> tuple[list[Shape], int]:
    """The chart and its height."""
    values = [one.value for _, column in chart.series for one in column if one.value is not None and one.value > 0]
    top = max(values, default=1.0)
    bottom = 0.0
    if chart.log:
        top = 10.0 ** math.ceil(math.log10(top) + 1e-9)
        # a power of ten below the smallest: its bar has a length
        bottom = 10.0 ** (math.floor(math.log10(min(values, default=0.1)) - 1e-9))
    span = WIDTH - LEFT - RIGHT
    rows = len(chart.series)
    pitch = ROW * rows + GAP
    height = TOP + pitch * len(chart.groups) + 30
    base = height - 26

    def place(value: float) -> float:
        share = math.log10(value / bottom) / math.log10(top / bottom) if chart.log else value / top
        return LEFT + span * share

    shapes: list[Shape] = [Box(0, 0, WIDTH, height, PAPER)]
    shapes.append(Label(10, 18, f"{chart.title} [{chart.unit}]", bold=True))
    x = 10.0
    for index, (name, _) in enumerate(chart.series):
        colour = COLOURS[index % len(COLOURS)]
        shapes += [Box(x, 35, 11, 11, colour, series=index), Label(x + 16, 41, name, SOFT, series=index)]
        x += 34 + LETTER * len(name)
    for tick in _ticks(top, bottom, chart.log):
        shapes.append(Box(place(tick or bottom), TOP - 6, 1, base - TOP + 8, LINE))
        shapes.append(Label(place(tick or bottom), base + 13, number_text(tick), SOFT, "middle"))
    for number, group in enumerate(chart.groups):
        y = TOP + pitch * number
        shapes.append(Label(LEFT - 10, y + ROW * rows / 2, group, anchor="end"))
        for index, (name, column) in enumerate(chart.series):
            found, middle = column[number], y + ROW * index + ROW / 2
            colour, tip = COLOURS[index % len(COLOURS)], _tip(name, group, chart.unit, found)
            if found.value is None:
                # no bar at all: what is absent is not zero
                shapes.append(Box(LEFT, middle - BAR / 2, 3, BAR, PAPER, tip, index, colour))
                shapes.append(Label(LEFT + 9, middle, value_text(found), SOFT, series=index))
                continue
            end = place(found.value) if found.value > 0 else LEFT
            strong = _mixed(colour, STRENGTH[found.kind])
            shapes.append(Box(LEFT, middle - BAR / 2, max(1.0, end - LEFT), BAR, strong, tip, index, colour))
            shapes.append(Label(end + 6, middle, value_text(found), series=index))
    return shapes, height


def svg(chart: Bars) -> str:
    shapes, height = draw(chart)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"',
        f'     aria-label="{escape(chart.title)}" font-family="system-ui, sans-serif" font-size="12">',
    ]
    for shape in shapes:
        series = f' data-series="{shape.series}"' if shape.series >= 0 else ""
        if isinstance(shape, Box):
            legend = ' class="legend"' if shape.series >= 0 and not shape.title else ""
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            stroke = f' stroke="{shape.outline}"' if shape.outline else ""
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            lines.append(f'<rect {place} fill="{shape.colour}"{stroke}{series}{legend}>{title}</rect>')
        else:
            weight = ' font-weight="600"' if shape.bold else ""
            lines.append(
                f'<text x="{shape.x:.1f}" y="{shape.y + 4:.1f}" fill="{shape.colour}" text-anchor="{shape.anchor}"'
                f"{weight}{series}>{escape(shape.text)}</text>"
            )
    return "\n".join([*lines, "</svg>", ""])


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text.translate(PLAIN)).encode("ascii", "ignore").decode()


def png(chart: Bars, scale: int = 2) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    shapes, height = draw(chart)
    image = Image.new("RGB", (WIDTH * scale, height * scale), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(12 * scale)  # Latin letters without accents, and little else
    anchors = {"start": "lm", "middle": "mm", "end": "rm"}
    for shape in shapes:
        if isinstance(shape, Box):
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            left, upper, right, lower = (scale * edge for edge in box)
            outline = shape.outline or None
            pen.rectangle((left, upper, max(left, right - 1), lower - 1), fill=shape.colour, outline=outline)
        else:
            place = (shape.x * scale, shape.y * scale)
            pen.text(place, _plain(shape.text), fill=shape.colour, font=font, anchor=anchors[shape.anchor])
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
