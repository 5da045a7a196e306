# SPDX-License-Identifier: Apache-2.0
"""Nejatollahi et al.: accelerators for NewHope and BLISS; ours at N = 1024, the size of NewHope's transform."""

from __future__ import annotations

from ..layout import Bars, Grid, Ours, Section
from ..measurement import Measurement
from ..published import Paper, TableCell, number

UNITS = (1, 2, 4, 8, 16, 32)
NEWHOPE, BLISS = 1024, 512


def sections(paper: Paper, ours: Ours) -> list[Section]:
    rows: list[list[TableCell]] = []
    points = paper.tables["points"].rows
    for row in points:
        rows.append([f"paper: FFT512, {row['point']}", "512", row["cycles"], row["power"], row["kge"]])
    for row in paper.tables["kernels"].rows:
        if row["kernel"] == "NTT1024":
            absent = next(value for what, value in paper.lost if "NTT1024" in what)
            rows.append([f"paper: NTT1024, {row['scheme']}", "1024", absent, absent, row["kge"]])
    cycles: list[Measurement] = []
    for lanes in UNITS:
        design = f"rise-{lanes}"
        for n in (BLISS, NEWHOPE):
            found = ours.transform(design, n)
            rows.append([design, str(n), found, ours.energy(design, "power_mw"), ours.asic(design, "kge")])
        cycles.append(found)
    groups = [f"FFT512, {row['point']}" for row in points] + [f"NTT1024, {lanes} units" for lanes in UNITS]
    printed = [number(row, "cycles") for row in points]
    return [
        Section(
            "Transforms",
            [
                Grid(
                    "transforms",
                    "Cycles, power, area",
                    ["design point", "N", "cycles", "power [mW]", "area [kGE]"],
                    rows,
                ),
                Bars(
                    "transforms-chart",
                    "Cycles of a transform",
                    "cycles",
                    groups,
                    [("cycles", [*printed, *cycles])],
                    log=True,
                ),
            ],
            "The paper's figures are a model's (gem5-Aladdin), with memory accesses through a cache; ours are cycles of RTL with the data in its banks, "
            "a 30-bit prime instead of 12289, and power and area of the whole core.",
        )
    ]
