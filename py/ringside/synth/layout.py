# SPDX-License-Identifier: Apache-2.0
"""Where the cells of a design stand in an ECP5, as a picture: each tile of the device in the colour of the unit that has most of its cells there."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from pathlib import Path

from ..drawing import COLOURS, INK, LINE, PAPER, SOFT, Box, Drawing, Label, Shape

# unit by the beginning of a cell's name in rs_core_shell, the first one that fits (hw/core/rtl). Yosys names a flip-flop between two units by the wire
# of either, so that what has only a port's name there belongs to none of the units in it.
UNITS = {
    "lanes: butterflies": r"u_core\.u_compute_side\.u_compute\.gen_lane",
    "twiddles": r"u_core\.u_compute_side\.u_compute\.u_twiddles",
    "COMPUTE but for these": r"u_core\.u_compute_side\.(u_compute|u_contexts)",
    "polynomials": r"u_core\.u_compute_side",
    "sequencer, registers": r"u_core\.u_control",
    "LOAD": r"u_core\.u_bus\.u_load",
    "STORE": r"u_core\.u_bus",
    "SAMPLE, LIFT, EXPAND": r"u_core\.u_sampler\.(\S*\.)?u_\w+\.",
    "SPONGE, PACK": r"u_core\.u_fields\.(\S*\.)?u_\w+\.",
}
SHELL = "between units, shell"  # the shell is around the core, for place and route
PLACE = re.compile(r"X(\d+)/Y(\d+)/")
LARGE = {
    "DP16KD": ("memory", "memories"),
    "MULT18X18D": ("multiplier", "multipliers"),
}  # a cell each has a tile, or more, for itself
LOGIC = ("TRELLIS_COMB", "TRELLIS_FF")
OWN = "$"  # begins the names of cells that nextpnr adds, such as those between two carries: they belong to no unit
TILE_CELLS = 16  # LUTs and flip-flops of a full tile
TILE, MARGIN, TOP, LEGEND, ROW = 7.0, 16.0, 52.0, 290.0, 22.0
STRENGTHS = (0.45, 0.7, 1.0)


@dataclass(frozen=True)
class PlacedCell:
    """x, y: the tile, from the upper left one."""

    unit: str
    kind: str
    x: int
    y: int


def unit_of(name: str) -> str:
    return next((unit for unit, start in UNITS.items() if re.match(start, name)), SHELL)


def cells_of(netlist: Path) -> Iterator[PlacedCell]:
    """Cells of logic, memories and multipliers in what nextpnr has written after it placed them."""
    (module,) = json.loads(netlist.read_text(encoding="utf-8"))["modules"].values()
    for name, cell in module["cells"].items():
        place = PLACE.match(cell["attributes"].get("NEXTPNR_BEL", ""))
        if place is not None and cell["type"] in (*LOGIC, *LARGE) and not name.startswith(OWN):
            yield PlacedCell(unit_of(name), cell["type"], int(place[1]), int(place[2]))


def draw(cells: Iterable[PlacedCell], title: str) -> Drawing:
    """A tile is the stronger the more of its cells are used."""
    tiles: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    large, counts = [], Counter[str]()
    for cell in cells:
        if cell.kind in LARGE:
            large.append(cell)
        else:
            tiles[cell.x, cell.y][cell.unit] += 1
            counts[cell.unit] += 1
    every = [*tiles, *((cell.x, cell.y) for cell in large)]
    left, right = min(x for x, _ in every), max(x for x, _ in every)
    upper, lower = min(y for _, y in every), max(y for _, y in every)
    width = 2 * MARGIN + TILE * (right - left + 2) + LEGEND
    units = [unit for unit in (*UNITS, SHELL) if counts[unit] or any(cell.unit == unit for cell in large)]
    height = max(TOP + TILE * (lower - upper + 1) + MARGIN, TOP + ROW * (len(units) + 3))

    def at(x: int, y: int) -> tuple[float, float]:
        return MARGIN + TILE * (x - left), TOP + TILE * (y - upper)

    shapes: list[Shape] = [Box(0, 0, width, height, PAPER), Label(MARGIN, 24, title, bold=True)]
    shapes.append(Box(*at(left, upper), TILE * (right - left + 2), TILE * (lower - upper + 1), PAPER, outline=LINE))
    for x, y, length, unit, strength in sorted(_runs(tiles), key=itemgetter(3, 4)):
        shapes.append(Box(*at(x, y), TILE * length, TILE, colour_of(unit), strength=strength))
    for cell in sorted(large, key=attrgetter("unit")):
        column, row = at(cell.x, cell.y)
        shapes.append(Box(column + 0.5, row + 0.5, TILE - 1, TILE - 1, colour_of(cell.unit), outline=INK))
    return Drawing([*shapes, *_legend(units, counts, large, width - LEGEND)], width, height, title)


def colour_of(unit: str) -> str:
    return INK if unit == SHELL else COLOURS[list(UNITS).index(unit)]


def _runs(tiles: Mapping[tuple[int, int], Counter[str]]) -> Iterator[tuple[int, int, int, str, float]]:
    """Tiles beside each other that look the same: x, y, how many, unit, strength."""
    begun: tuple[int, int, int, str, float] | None = None
    for (x, y), found in sorted(tiles.items(), key=lambda item: (item[0][1], item[0][0])):
        unit, _ = found.most_common(1)[0]
        level = min(len(STRENGTHS) - 1, found.total() * len(STRENGTHS) // TILE_CELLS)
        strength = STRENGTHS[level]
        if begun and (begun[0] + begun[2], *begun[1:2], *begun[3:]) == (x, y, unit, strength):
            begun = (begun[0], y, begun[2] + 1, unit, strength)
            continue
        if begun:
            yield begun
        begun = (x, y, 1, unit, strength)
    if begun:
        yield begun


def _legend(units: Iterable[str], counts: Mapping[str, int], large: Iterable[PlacedCell], x: float) -> Iterator[Shape]:
    """Units with their cells."""
    kinds = Counter((cell.unit, cell.kind) for cell in large)
    y = TOP + ROW / 2
    for unit in units:
        numbers = [(kinds[unit, kind], words) for kind, words in LARGE.items() if kinds[unit, kind]]
        more = "".join(f", {number} {words[number > 1]}" for number, words in numbers)
        yield Box(x, y - 6, 12, 12, colour_of(unit))
        yield Label(x + 18, y, f"{unit}: {counts[unit]:,}{more}")
        y += ROW
    yield Label(x, y + ROW / 2, "numbers: LUTs and flip-flops", SOFT)
    yield Label(x, y + 1.5 * ROW, "framed: memories, multipliers", SOFT)
