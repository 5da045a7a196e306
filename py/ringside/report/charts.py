# SPDX-License-Identifier: Apache-2.0
"""Charts as drawings. Bars: horizontal, in groups, a number or the reason for its absence behind each.
Pareto: points on logarithmic axes, those that no other one beats joined."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..drawing import COLOURS, LINE, PAPER, SOFT, Box, Dot, Drawing, Label, Line, Shape, round_step
from .layout import Bars, Pareto, Point
from .measurement import Kind, Measurement, Status

WIDTH, LEFT, RIGHT, TOP = 960, 210, 150, 62
NARROW, NARROW_LEFT, NARROW_RIGHT = 420, 20, 96  # on a phone: a group's name stands above its bars
ROW, GAP, BAR = 17, 12, 13
LETTER = 6.6  # width of one, about
PLOT, FOOT, DOT = 380, 48, 5  # sizes of a Pareto chart: height of the plot, of what is below it; radius of a point
# how much of its colour a bar keeps: what is measured stands out
STRENGTH = {Kind.measured: 1.0, Kind.modelled: 0.72, Kind.published: 0.42}


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
        return found.absence
    return f"{found.value:,}" if found.kind is Kind.published else number_text(found.value)


def _ticks(top: float, bottom: float, log: bool) -> list[float]:
    if log:
        return [10.0**power for power in range(round(math.log10(bottom)), round(math.log10(top)) + 1)]
    step = round_step(top)
    return [step * count for count in range(int(top / step + 1e-9) + 1)]


def _tip(name: str, group: str, unit: str, found: Measurement) -> str:
    lines = [f"{group}, {name}: {value_text(found)}{f' {unit}' if found.value is not None else ''} ({found.kind})"]
    lines += [text for text in (found.source, found.command, found.when, found.detail, found.caveat) if text]
    return "\n".join(lines)


def drawn(chart: Bars | Pareto) -> Bars | Pareto:
    """Without series and points of which nothing is recorded because it takes hours: they are named below the chart."""
    if isinstance(chart, Pareto):
        points = [point for point in chart.points if Status.by_command not in (point.x.status, point.y.status)]
        return replace(chart, points=points, note=_with_absent(chart.note, chart.points, points))
    series = [one for one in chart.series if any(value.status is not Status.by_command for value in one[1])]
    return replace(chart, series=series, note=_with_absent(chart.note, chart.series, series)) if series else chart


def _with_absent(note: str, all_of_them: Sequence[Any], shown: Sequence[Any]) -> str:
    def reason(one: Any) -> str:
        values = (one.x, one.y) if isinstance(one, Point) else one[1]
        return next(value.absence for value in values if value.status is Status.by_command)

    reasons: dict[str, list[str]] = {}
    for one in all_of_them:
        if one not in shown:
            reasons.setdefault(reason(one), []).append(one.name if isinstance(one, Point) else one[0])
    return " ".join(filter(None, [note, *(f"{', '.join(names)}: {why}." for why, names in reasons.items())]))


def draw(chart: Bars | Pareto, width: int = WIDTH) -> Drawing:
    """width: WIDTH, or NARROW for a phone."""
    chart = drawn(chart)
    shapes, height = _bars(chart, width) if isinstance(chart, Bars) else _pareto(chart, width)
    return Drawing(shapes, width, height, chart.title)


def _title(text: str, width: int) -> tuple[list[Shape], int]:
    """A title in as many lines as it needs, and the height of those beyond the first."""
    lines = textwrap.wrap(text, int((width - 20) / (LETTER + 0.6))) or [""]
    return [Label(10, 18 + ROW * number, line, bold=True) for number, line in enumerate(lines)], ROW * (len(lines) - 1)


def _legend(names: Iterable[str], width: int, y: float) -> tuple[list[Shape], int]:
    """Names with their colours, and the height of the lines beyond the first."""
    shapes: list[Shape] = []
    x, first = 10.0, y
    for index, name in enumerate(names):
        long = 34 + LETTER * len(name)
        if x > 10 and x + long > width:
            x, y = 10.0, y + ROW
        colour = COLOURS[index % len(COLOURS)]
        shapes += [Box(x, y, 11, 11, colour, series=index), Label(x + 16, y + 6, name, SOFT, series=index)]
        x += long
    return shapes, round(y - first)


def _bars(chart: Bars, width: int) -> tuple[list[Shape], int]:
    values = [one.value for _, column in chart.series for one in column if one.value is not None and one.value > 0]
    top = max(values, default=1.0)
    bottom = 0.0
    if chart.log:
        top = 10.0 ** math.ceil(math.log10(top) + 1e-9)
        # a power of ten below the smallest: its bar has a length
        bottom = 10.0 ** (math.floor(math.log10(min(values, default=0.1)) - 1e-9))
    is_narrow = width < WIDTH
    left, right = (NARROW_LEFT, NARROW_RIGHT) if is_narrow else (LEFT, RIGHT)
    span = width - left - right
    rows = len(chart.series)
    head = ROW if is_narrow else 0  # a group's name above its bars
    pitch = ROW * rows + GAP + head
    title, more = _title(f"{chart.title} [{chart.unit}]", width)
    legend, lines = _legend([name for name, _ in chart.series], width, 35 + more)
    upper = TOP + more + lines
    height = upper + pitch * len(chart.groups) + 30
    base = height - 26

    def place(value: float) -> float:
        share = math.log10(value / bottom) / math.log10(top / bottom) if chart.log else value / top
        return left + span * share

    shapes: list[Shape] = [Box(0, 0, width, height, PAPER), *title, *legend]
    ticks = _ticks(top, bottom, chart.log)
    every = 1 + (len(ticks) - 1) // 5 if is_narrow else 1  # as many as have room
    for tick in ticks[::every]:
        shapes.append(Box(place(tick or bottom), upper - 6, 1, base - upper + 8, LINE))
        text = number_text(tick)
        shapes.append(Label(max(place(tick or bottom), LETTER * len(text) / 2), base + 13, text, SOFT, "middle"))
    for number, group in enumerate(chart.groups):
        y = upper + pitch * number + head
        if is_narrow:
            shapes.append(Label(left, y - ROW / 2, group, SOFT))
        else:
            shapes.append(Label(left - 10, y + ROW * rows / 2, group, anchor="end"))
        for index, (name, column) in enumerate(chart.series):
            found, middle = column[number], y + ROW * index + ROW / 2
            colour, tip = COLOURS[index % len(COLOURS)], _tip(name, group, chart.unit, found)
            if found.value is None:
                # no bar at all: what is absent is not zero
                shapes.append(Box(left, middle - BAR / 2, 3, BAR, PAPER, tip, index, colour))
                shapes.append(Label(left + 9, middle, value_text(found), SOFT, series=index))
                continue
            end = place(found.value) if found.value > 0 else left
            long = max(1.0, end - left)
            shapes.append(Box(left, middle - BAR / 2, long, BAR, colour, tip, index, colour, STRENGTH[found.kind]))
            shapes.append(Label(end + 6, middle, value_text(found), series=index))
    return shapes, height


# ---- Pareto ---------------------------------------------------------------------------------------------------------
def _axis(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """Least and largest value of a logarithmic axis, with room around the points, and its ticks: as few digits as give three."""
    low, high = min(values) / 1.3, max(values) * 1.3
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks: list[float] = []
    for digits in ((1,), (1, 2, 5), range(1, 10)):
        ticks = [tick for power in powers for digit in digits if low <= (tick := digit * 10.0**power) <= high]
        if len(ticks) >= 3:
            break
    return low, high, ticks


def _pareto(chart: Pareto, width: int) -> tuple[list[Shape], int]:
    placed, front = chart.placed, chart.front
    absent = [point for point in chart.points if point not in [one for one, _, _ in placed]]
    title, more = _title(chart.title, width)
    legend, lines = _legend(("on the Pareto front", "another one is at least as good in both"), width, 35 + more)
    upper = TOP + more + lines
    base = upper + (PLOT if placed else 0)
    height = base + FOOT + ROW * len(absent)
    left, right = (70, width - 40) if width == WIDTH else (76, width - 14)
    shapes: list[Shape] = [Box(0, 0, width, height, PAPER), *title]
    for index, point in enumerate(absent):
        lost = point.x if point.x.value is None else point.y
        shapes.append(Label(left, base + FOOT + ROW * index, f"{point.name}: {value_text(lost)}", SOFT))
    if not placed:
        return shapes, height
    shapes += legend
    x_low, x_high, x_ticks = _axis([x for _, x, _ in placed])
    y_low, y_high, y_ticks = _axis([y for _, _, y in placed])

    def across(value: float) -> float:
        return left + (right - left) * math.log(value / x_low) / math.log(x_high / x_low)

    def up(value: float) -> float:
        return base - PLOT * math.log(value / y_low) / math.log(y_high / y_low)

    for tick in x_ticks:
        shapes.append(Box(across(tick), upper, 1, PLOT, LINE))
        shapes.append(Label(across(tick), base + 13, number_text(tick), SOFT, "middle"))
    for tick in y_ticks:
        shapes.append(Box(left, up(tick), right - left, 1, LINE))
        shapes.append(Label(left - 8, up(tick), number_text(tick), SOFT, "end"))
    shapes.append(Label(right, base + 32, f"{chart.x} [{chart.x_unit}]", anchor="end"))
    shapes.append(Label(left + 6, upper + 8, f"{chart.y} [{chart.y_unit}]"))
    places = sorted((across(x), up(y)) for point, x, y in placed if point in front)
    shapes.append(Line(tuple(places), COLOURS[0], 0))
    taken = [(across(x) - DOT, up(y) - DOT, across(x) + DOT, up(y) + DOT) for _, x, y in placed]
    for point, x, y in placed:
        series = 0 if point in front else 1
        colour, strength = COLOURS[series], STRENGTH[_weakest(point)]
        shapes.append(Dot(across(x), up(y), colour, _both(chart, point), series, colour, strength, DOT))
        spot = _spot(across(x), up(y), LETTER * len(point.name), taken, width)
        shapes.append(Label(*spot, point.name, series=series))
    return shapes, height


def _spot(
    x: float, y: float, wide: float, taken: list[tuple[float, float, float, float]], width: int
) -> tuple[float, float]:
    """Where a point's name hides nothing that is taken, and takes it. The front falls to the right: above it there is room."""

    def extent(spot: tuple[float, float]) -> tuple[float, float, float, float]:
        return spot[0], spot[1] - 7, spot[0] + wide, spot[1] + 7

    def free(spot: tuple[float, float]) -> bool:
        left, upper, right, lower = extent(spot)
        return not any(a < right and left < c and b < lower and upper < d for a, b, c, d in taken)

    spots = [(x + 7, y - 11), (x - wide / 2, y - 15), (x + 9, y), (x - 9 - wide, y), (x - wide / 2, y + 15)]
    inside = [spot for spot in spots if spot[0] > 0 and spot[0] + wide < width] or spots
    found = next(filter(free, inside), inside[0])
    taken.append(extent(found))
    return found


def _weakest(point: Point) -> Kind:
    """Measured only if both are."""
    return max((point.x.kind, point.y.kind), key=list(Kind).index)


def _both(chart: Pareto, point: Point) -> str:
    axes = ((chart.x, chart.x_unit, point.x), (chart.y, chart.y_unit, point.y))
    return "\n\n".join(_tip(name, point.name, unit, found) for name, unit, found in axes)
