# SPDX-License-Identifier: Apache-2.0
"""Points packed into the page: codes of axes as bytes, costs as 16 bits of their logarithm, sorted so that they compress, and shuffled again by the page."""

import base64
import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from ...designs.design import table
from ...native.files import write_bytes
from ...report import kit, published
from ...report.published import PublishedTable
from ..search.exploration import Exploration
from ..search.proof import residuals
from ..search.run import summary
from ..space.reader import ASIDE, COSTS, LATENCY, places

TEMPLATE = Path(__file__).with_name("explore.html")
PAGE = "index.html"
POINTS, POINTS_MAX = (
    55_000,
    200_000,
)  # in a page, by itself and at most; of more, the front, what was verified and a sample
STEPS = 65534  # steps of a cost's logarithm; the last value is for what is unknown
SEED = 7
UNITS = {"cycles": "cycles", "time_us": "µs", "lut": "LUT", "ff": "flip-flops", "dsp": "DSP", "bram36": "BRAM36", "kge": "kGE", "lut_cycles": "LUT × cycles", "energy_uj": "µJ", "edp": "µJ ms", "mhz": "MHz", "fps": "1/s"}  # fmt: skip


def chosen(explored: Exploration, most: int = POINTS) -> NDArray[np.int64]:
    """Points of the page, sorted."""
    count = len(explored.found.points)
    if count <= most:
        return np.arange(count)
    always = np.unique(np.concatenate([explored.front, explored.random, np.array(sorted(explored.answers), np.int64)]))
    rest = np.setdiff1d(np.random.default_rng(SEED).permutation(count)[:most], always)[: max(0, most - len(always))]
    return np.sort(np.concatenate([always, rest]))


def packed(column: NDArray[np.float32]) -> tuple[NDArray[np.uint16], float, float]:
    """Steps of the logarithm between the two limits; STEPS + 1 where there is no value."""
    good = np.isfinite(column)
    safe = np.log(np.maximum(np.where(good, column, 1), 1e-9).astype(float))
    low, high = (float(safe[good].min()), float(safe[good].max())) if good.any() else (0.0, 1.0)
    steps = np.rint((safe - low) / max(high - low, 1e-12) * STEPS).astype(np.uint16)
    return np.where(good, steps, STEPS + 1).astype(np.uint16), low, high


def unpacked(steps: NDArray[np.uint16], low: float, high: float) -> NDArray[np.float64]:
    return np.where(steps > STEPS, np.nan, np.exp(low + steps / STEPS * (high - low)))


def data(explored: Exploration, most: int = POINTS) -> dict[str, Any]:
    """What the page is told, with the columns as text."""
    found, space = explored.found, explored.space
    index = chosen(explored, most)
    place = {int(point): i for i, point in enumerate(index)}
    names = [name for name in dict.fromkeys([*space.minimise, *space.maximise, "cycles", *COSTS, "time_us", "energy_uj"]) if np.isfinite(found.costs[name]).any()]  # fmt: skip
    blob = bytearray()
    axes, costs = [], []
    named = places()
    for name, codes in found.points.codes.items():
        values = found.points.choices[name].tolist()
        axes.append({"name": named.get(name, name), "field": name, "values": values, "system": name in ASIDE})
        blob += codes[index].tobytes()
    for name in names:
        steps, low, high = packed(found.costs[name][index])
        costs.append({"name": name, "unit": UNITS[name], "low": low, "high": high})
        blob += (steps & 255).astype(np.uint8).tobytes() + (steps >> 8).astype(np.uint8).tobytes()
    blob += explored.source[index].tobytes()
    points = {}
    for number in sorted({*explored.front.tolist(), *explored.answers}):
        if number in place:
            points[str(place[number])] = explored.answers.get(number, {}) | {"blocks": blocks(explored, number)}
    return {
        "name": space.name,
        "count": len(index),
        "total": len(found.points),
        "axes": axes,
        "costs": costs,
        "steps": STEPS,
        "objectives": {"minimise": space.minimise, "maximise": space.maximise},
        "front": [place[int(i)] for i in explored.front if int(i) in place],
        "points": points,
        "base": asdict(space.base),
        "places": {field: row.place for field, row in table().items()},
        "latency": LATENCY,
        "blob": base64.b64encode(gzip.compress(bytes(blob), 9, mtime=0)).decode(),
    }


def blocks(explored: Exploration, number: int) -> dict[str, int]:
    """LUTs of each module of a design, by the model."""
    fields = {name: np.asarray([value]) for name, value in asdict(explored.found.points.design(number)).items()}
    found = explored.models.area.columns(fields, blocks=True)
    sizes = {
        name.removeprefix("block "): round(float(size[0])) for name, size in found.items() if name.startswith("block ")
    }
    return {name: size for name, size in sorted(sizes.items(), key=lambda item: -item[1]) if size}


def _papers(names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Published tables, as they are printed."""
    papers = [published.load(name) for name in names]
    return [{"title": paper.title, "tables": [_printed(one) for one in paper.tables.values()]} for paper in papers]


def _printed(table: PublishedTable) -> dict[str, Any]:
    rows = [[row[column.key] for column in table.columns] for row in table.rows]
    texts = [[cell if isinstance(cell, str) else str(cell.value) for cell in row] for row in rows]
    return {"title": f"{table.title}, {table.where}", "columns": [one.head for one in table.columns], "rows": texts}


def write_page(explored: Exploration, folder: Path, most: int = POINTS) -> Path:
    """most: of designs in it."""
    told = json.dumps(data(explored, most), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    found = summary(explored)
    text = kit.render(
        TEMPLATE,
        name=explored.space.name,
        points=len(explored.found.points),
        shown=len(chosen(explored, most)),
        searched=explored.searched,
        fits=found["within_constraints"],
        front=len(explored.front),
        refused=found["refused"],
        residuals=residuals(explored),
        residuals_of_random=residuals(explored, explored.random),
        closed=explored.closed,
        ties=explored.space.ties,
        turns=len(explored.turns),
        held_out=explored.models.held_out,
        made_of=explored.models.made_of,
        units=UNITS,
        papers=_papers(explored.space.papers),
        script=Markup(TEMPLATE.with_name("explore.js").read_text(encoding="utf-8")),
        data=Markup(told),
    )
    path = folder / PAGE
    write_bytes(path, text.encode())
    return path
