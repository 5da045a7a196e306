# SPDX-License-Identifier: Apache-2.0
"""A paper's own exploration beside ours: the same kernels, all designs of a small space, and the points that the paper names by the same rules."""

import tomllib
from dataclasses import replace
from typing import Any

import numpy as np

from .. import designs
from ..errors import ParameterError
from ..hints import did_you_mean
from ..report.published import FOLDER
from .model.constants import Models
from .model.cycles import timed
from .space.points import Points, enumerate_all
from .space.reader import Space, Workload

NAMES = ("nejatollahi",)
CLOCK_MHZ = 100  # the clock of the paper's accelerators
KERNELS = {"NTT1024": Workload("ntt", 1024, 1, 30, (12289,)), "FFT512": Workload("ntt", 512, 1, 30, (12289,))}
PRINTED = ("points", "FFT512")  # the table of figure 9 (b), and what it is of: the only points with numbers
LANES, BUSES, GROUPS = (1, 2, 4, 8, 16), (64, 128, 256, 512), (2, 3, 4)


def check(name: str) -> None:
    """ParameterError: no such paper."""
    if name not in NAMES:
        raise ParameterError("PAPER", f"There is no exploration of {name!r}.", did_you_mean(name, NAMES, f"Papers: {', '.join(NAMES)}."))  # fmt: skip


def tables(name: str, models: Models) -> list[dict[str, Any]]:
    """models: for their numbers' commit, which stands in the titles."""
    check(name)
    found = [_points(kernel, workload, models) for kernel, workload in KERNELS.items()]
    for kernel, workload in KERNELS.items():
        found.append(_by(kernel, workload, "lanes", LANES, "figure 7: lanes"))
        found.append(_by(kernel, workload, "bus_bits", BUSES, "figure 5: ports, here bits of the bus"))
    return found


def printed_cycles() -> dict[str, int]:
    """Of the points that the paper names."""
    paper = tomllib.loads((FOLDER / "nejatollahi.toml").read_text(encoding="utf-8"))
    rows = next(table["rows"] for table in paper["table"] if table["id"] == PRINTED[0])
    return {row["point"]: int(row["cycles"]) for row in rows}


def kernel_space(workload: Workload) -> Space:
    base = replace(designs.load("bliss"), name="kernels", log_n_min=8, log_n_max=workload.log_n, slices=1)
    axes = {"lanes": LANES, "bus_bits": BUSES, "bank_groups": GROUPS, "contexts": (1, 2), "outstanding": (8, 16)}
    return Space(
        name="kernels",
        base=base,
        axes=axes,
        linked={},
        workloads=(workload,),
        fpga="xc7",
        asic="osu018",
        minimise=("cycles",),
        maximise=(),
        limits=(),
        near=0.0,
        ties=0.0,
        random=0,
        papers=(),
        text="",
    )


def _timed(workload: Workload) -> tuple[Points, Any]:
    points = enumerate_all(kernel_space(workload))
    return points, timed(points, workload).cycles


def _points(kernel: str, workload: Workload, models: Models) -> dict[str, Any]:
    points, cycles = _timed(workload)
    lanes = points.column("lanes")
    fastest, slowest = int(cycles.argmin()), int(np.lexsort((cycles, points.column("bus_bits"), lanes))[0])
    score = np.log(cycles / cycles.min()) ** 2 + np.log(lanes / lanes.min()) ** 2
    rows = []
    for rule, i in (("fastest", fastest), ("balanced", int(score.argmin())), ("smallest", slowest)):
        design = f"{lanes[i]} lanes, {points.column('bus_bits')[i]} bits, {points.column('bank_groups')[i]} groups"
        printed = printed_cycles().get(rule) if kernel == PRINTED[1] else None
        rows.append([rule, design, f"{cycles[i]:,}", f"{cycles[i] / CLOCK_MHZ:.2f}", "–" if printed is None else f"{printed:,}", "–" if printed is None else f"{printed / cycles[i]:.1f}"])  # fmt: skip
    title = (
        f"{kernel}, {len(cycles)} designs, transfers included (model of commit {models.made_of['commit'] or 'unknown'})"
    )
    return {
        "title": title,
        "columns": ["point", "design", "cycles", f"µs at {CLOCK_MHZ} MHz", "printed cycles", "printed / ours"],
        "rows": rows,
    }


def _by(kernel: str, workload: Workload, axis: str, values: tuple[int, ...], title: str) -> dict[str, Any]:
    points, cycles = _timed(workload)
    column = points.column(axis)
    rows = [
        [str(value), f"{cycles[column == value].min():,}", f"{cycles[column == value].max():,}"] for value in values
    ]
    return {"title": f"{kernel}, {title}", "columns": [axis, "fewest cycles", "most cycles"], "rows": rows}
