# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA: cycles that others' documents print, beside ours on a core and on the processor alone."""

from __future__ import annotations

from ..layout import Bars, Grid, Ours, Section
from ..measurement import Measurement, derive
from ..published import Paper, TableCell, number

SIGNATURES = 10  # seeds of an average


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_software(paper, ours)]


def _times(what: str, theirs: Measurement, mine: Measurement) -> Measurement:
    return derive("×", what, lambda a, b: a / b, theirs, mine)


def _software(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    names: list[str] = []
    bars: tuple[list[Measurement], list[Measurement]] = [], []
    for row in paper.tables["pqm4"].rows:
        op, printed = str(row["op"]), number(row, "cycles")
        mine = ours.scheme(op, "cycles", runs=SIGNATURES if op.endswith("-sign") else 1)
        keccak = ours.scheme(op, "keccak", runs=SIGNATURES if op.endswith("-sign") else 1)
        share = derive("%", "Keccak / all", lambda a, b: 100 * a / b, keccak, mine)
        rows.append([row["operation"], printed, mine, _times("printed / ours", printed, mine), share])
        names.append(str(row["operation"]))
        bars[0].append(printed)
        bars[1].append(mine)
    return Section(
        "Software",
        [
            Grid(
                "software",
                "Cycles of software",
                [
                    "operation",
                    "pqm4, Cortex-M4 [cycles]",
                    "ours, Rocket [cycles]",
                    "pqm4 / ours [×]",
                    "Keccak's share of ours [%]",
                ],
                rows,
            ),
            Bars(
                "software-chart",
                "Cycles of software",
                "cycles",
                names,
                [("pqm4", bars[0]), ("ours", bars[1])],
                log=True,
            ),
        ],
        "Different processors: pqm4's is assembly for a core of 32 bits, ours portable C on one of 64 bits. What an accelerator beside Rocket has to beat is ours.",
    )
