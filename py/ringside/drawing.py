# SPDX-License-Identifier: Apache-2.0
"""Drawings of boxes, letters, dots and lines: SVG inside of a page, SVG and PNG as files."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

INK, SOFT, LINE, PAPER = "#171b26", "#6a7385", "#dfe3eb", "#ffffff"
COLOURS = ("#1f5fa8", "#e08a1e", "#2f8f6b", "#a8577e", "#6a7fc9", "#b3372f", "#7a8a99", "#7b5a3a", "#16899a")
# inside of a page its style sheet says what these are, by day and by night
IN_PAGE = {INK: "var(--ink)", SOFT: "var(--soft)", LINE: "var(--line)", PAPER: "var(--panel)"}
IN_PAGE |= {colour: f"var(--series-{index})" for index, colour in enumerate(COLOURS)}
# by night in files of their own, as the style sheet of pages has them
NIGHT = {INK: "#eceff5", SOFT: "#9ea8ba", LINE: "#2b3344", PAPER: "#191e2a"}
BLACK = "#000000"  # letters on pale boxes, by day and by night
LEAST_CONTRAST = 3.0  # contrast of white letters, by WCAG's measure
# what Pillow's own font does not have
PLAIN = {ord("×"): "x", ord("µ"): "u", ord("²"): "^2", ord("–"): "-"}


@dataclass(frozen=True)
class Box:
    """strength: how much of its colour it keeps, the rest is paper. title: shown beside the pointer. corner: its radius."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    title: str = ""
    series: int = -1
    outline: str = ""
    strength: float = 1.0
    corner: float = 0.0

    @property
    def looks(self) -> tuple[str, float, str] | None:
        """All of it but its place. None: it has more than colours."""
        own = self.title or self.series >= 0 or self.corner
        return None if own else (self.colour, self.strength, self.outline)


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


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    colour: str
    title: str
    series: int
    outline: str
    strength: float = 1.0
    radius: float = 5.0


@dataclass(frozen=True)
class Line:
    """Joins places (x, y)."""

    places: tuple[tuple[float, float], ...]
    colour: str
    series: int


Shape = Box | Label | Dot | Line


@dataclass(frozen=True)
class Drawing:
    """name: for those who cannot see it."""

    shapes: Sequence[Shape]
    width: float
    height: float
    name: str

    def in_page(self) -> str:
        """SVG that takes its colours from the page around it."""
        return _svg(self, "", _page_colour)

    def file(self) -> str:
        """SVG that stands alone: on white, and dark where the reader's system is."""
        nights: dict[str, str] = {}

        def paint(colour: str, strength: float) -> str:
            day = mixed(colour, strength)
            nights[day] = mixed(NIGHT.get(colour, colour), strength, NIGHT[PAPER])
            return day

        drawing = replace(self, shapes=_with_readable_letters(self.shapes))
        text = _svg(drawing, ' xmlns="http://www.w3.org/2000/svg"', paint)
        rules = " ".join(  # white letters stand on boxes, and stay white
            f'{":not(text)" * (day == PAPER)}[{what}="{day}"] {{ {what}: {night} }}'
            for day, night in nights.items()
            for what in ("fill", "stroke")
            if night != day and f'{what}="{day}"' in text
        )
        head, end, rest = text.partition(">\n")
        return f"{head}{end}<style>@media (prefers-color-scheme: dark) {{ {rules} }}</style>\n{rest}"

    def png(self, scale: int = 2) -> bytes:
        return _png(replace(self, shapes=_with_readable_letters(self.shapes)), scale)

    def content(self, name: Path, scale: int = 1) -> bytes:
        """PNG or SVG, as the file's name says."""
        return self.png(scale) if name.suffix.lower() == ".png" else self.file().encode()


def round_step(top: float) -> float:
    """The smallest of 1, 2, 5, 10, … and their tenths that divides 0 to `top` into eight parts at most."""
    steps = (digit * 10.0**power for power in range(-6, 19) for digit in (1, 2, 5))
    return next((step for step in steps if top <= 8 * step), top)


def _parts(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def mixed(colour: str, strength: float, paper: str = PAPER) -> str:
    """The colour on paper."""
    if strength == 1.0:
        return colour
    pairs = zip(_parts(paper), _parts(colour), strict=True)
    return "#" + "".join(f"{round(under - strength * (under - part)):02x}" for under, part in pairs)


def contrast(one: str, other: str) -> float:
    """WCAG's, from 1 to 21."""

    def luminance(colour: str) -> float:
        linear = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (value / 255 for value in _parts(colour))
        )
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _with_readable_letters(shapes: Sequence[Shape]) -> list[Shape]:
    """White letters on a box before them that is too pale become black."""
    found: list[Shape] = []
    behind = PAPER
    for shape in shapes:
        if isinstance(shape, Box):
            behind = mixed(shape.colour, shape.strength)
        elif isinstance(shape, Label) and shape.colour == PAPER and contrast(PAPER, behind) < LEAST_CONTRAST:
            shape = replace(shape, colour=BLACK)
        found.append(shape)
    return found


def _page_colour(colour: str, strength: float) -> str:
    found = IN_PAGE.get(colour, colour)
    return found if strength == 1.0 else f"color-mix(in srgb, {found} {100 * strength:.0f}%, var(--panel))"


def _outline(box: Any) -> str:
    return f"M{box.x:g} {box.y:g}h{box.width:g}v{box.height:g}h-{box.width:g}z"


def _svg(drawing: Drawing, namespace: str, paint: Callable[[str, float], str]) -> str:
    lines = [
        f'<svg{namespace} viewBox="0 0 {drawing.width:g} {drawing.height:g}" role="img"',
        f'     aria-label="{escape(drawing.name)}" font-family="system-ui, sans-serif" font-size="12">',
    ]

    def painted(colour: str, strength: float = 1.0, outline: str = "") -> str:
        found = {"fill": paint(colour, strength)} if colour else {"fill": "none"}
        if outline:
            found["stroke"] = paint(outline, 1.0)
        if any("(" in value for value in found.values()):  # an attribute knows no functions, a style does
            return f'style="{"; ".join(f"{name}: {value}" for name, value in found.items())}"'
        return " ".join(f'{name}="{value}"' for name, value in found.items())

    def look(pair: tuple[int, Shape]) -> Any:
        return (isinstance(pair[1], Box) and pair[1].looks) or pair[0]

    for _, group in groupby(enumerate(drawing.shapes), look):
        shape, *more = [shape for _, shape in group]
        series = f' data-series="{shape.series}"' if shape.series >= 0 else ""
        if isinstance(shape, Line):
            places = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.places)
            lines.append(f'<polyline points="{places}" {painted("", outline=shape.colour)} stroke-width="2"{series}/>')
        elif isinstance(shape, Dot):
            place = f'cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:g}"'
            title = f"<title>{escape(shape.title)}</title>"
            paint_it = painted(shape.colour, shape.strength, shape.outline)
            lines.append(f"<circle {place} {paint_it}{series}>{title}</circle>")
        elif isinstance(shape, Box) and more:  # boxes one after another that look the same are one path
            places = "".join(map(_outline, (shape, *more)))
            lines.append(f'<path d="{places}" {painted(shape.colour, shape.strength, shape.outline)}/>')
        elif isinstance(shape, Box):
            legend = ' class="legend"' if shape.series >= 0 and not shape.title else ""
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            corner = f' rx="{shape.corner:g}"' if shape.corner else ""
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            paint_it = painted(shape.colour, shape.strength, shape.outline)
            lines.append(f"<rect {place}{corner} {paint_it}{series}{legend}>{title}</rect>")
        else:
            weight = ' font-weight="600"' if shape.bold else ""
            lines.append(
                f'<text x="{shape.x:.1f}" y="{shape.y + 4:.1f}" {painted(shape.colour)} text-anchor="{shape.anchor}"'
                f"{weight}{series}>{escape(shape.text)}</text>"
            )
    return "\n".join([*lines, "</svg>", ""])


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text.translate(PLAIN)).encode("ascii", "ignore").decode()


def _png(drawing: Drawing, scale: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (round(drawing.width * scale), round(drawing.height * scale)), PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(12 * scale)  # Latin letters without accents, and little else
    anchors = {"start": "lm", "middle": "mm", "end": "rm"}
    for shape in drawing.shapes:
        if isinstance(shape, Line):
            pen.line([(x * scale, y * scale) for x, y in shape.places], fill=shape.colour, width=2 * scale)
        elif isinstance(shape, Dot):
            radius = shape.radius
            box = (shape.x - radius, shape.y - radius, shape.x + radius, shape.y + radius)
            inside = mixed(shape.colour, shape.strength)
            pen.ellipse([scale * edge for edge in box], fill=inside, outline=shape.outline, width=scale)
        elif isinstance(shape, Box):
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            left, upper, right, lower = (scale * edge for edge in box)
            inside, outline = mixed(shape.colour, shape.strength), shape.outline or None
            pen.rectangle((left, upper, max(left, right - 1), lower - 1), fill=inside, outline=outline)
        else:
            place = (shape.x * scale, shape.y * scale)
            pen.text(place, _plain(shape.text), fill=shape.colour, font=font, anchor=anchors[shape.anchor])
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
