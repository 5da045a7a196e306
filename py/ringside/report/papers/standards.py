# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA: cycles that others' documents print, beside ours on a core and on the processor alone."""

from ...figures.tables import BASE_OPS
from ...sim.options import ALONE
from ..layout import Bars, Grid, Ours, Section
from ..measurement import Measurement, derive
from ..published import Paper, TableCell, number

DESIGN = "pqc-4"
SIGNATURES = 10  # seeds of an average


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_hardware(paper, ours), _software(paper, ours), _system(ours)]


def _hardware(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    names: list[str] = []
    bars: tuple[list[Measurement], list[Measurement]] = [], []
    for row in paper.tables["adams_bridge"].rows:
        printed, mine = number(row, "cycles"), ours.scheme_on_core(DESIGN, str(row["op"]))
        ratio = derive("×", "ours / printed", lambda a, b: a / b, mine, printed)
        rows.append([row["operation"], printed, mine, ratio])
        names.append(str(row["operation"]))
        bars[0].append(printed)
        bars[1].append(mine)
    [kali] = paper.tables["kali"].rows
    area = [["KaLi, ZCU102", *(kali[key] for key in ("lut", "ff", "dsp", "bram"))]]
    figures = [ours.resource(DESIGN, key) for key in ("lut", "ff", "dsp")]
    area.append([f"{DESIGN}, 7 series", *figures, ours.bram(DESIGN)])
    columns = ["operation", "Adams Bridge [cycles]", f"{DESIGN} [cycles]", f"{DESIGN} / Adams Bridge [×]"]
    return Section(
        "Hardware",
        [
            Grid("hardware", "Cycles of the core", columns, rows),
            Bars(
                "hardware-chart", "Cycles of the core", "cycles", names, [("Adams Bridge", bars[0]), (DESIGN, bars[1])]
            ),
            Grid("area", "Area on FPGAs", ["design", "LUT", "FF", "DSP", "BRAM36"], area),
        ],
        f"Both have four butterflies and a permutation of 12 cycles. {DESIGN} leaves the challenge's polynomial, hints and the rejection loop to the processor, and takes secrets that the processor knows; "
        "Adams Bridge does all of it in hardware, and can mask. A signature is one round that is not refused, without the set-up before it.",
    )


def _times(what: str, theirs: Measurement, mine: Measurement) -> Measurement:
    return derive("×", what, lambda a, b: a / b, theirs, mine)


def _software(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    names: list[str] = []
    bars: tuple[list[Measurement], list[Measurement]] = [], []
    for row in paper.tables["pqm4"].rows:
        op, printed = str(row["op"]), number(row, "cycles")
        runs = SIGNATURES if op.endswith("-sign") else 1
        mine, keccak = ours.scheme(op, "cycles", runs=runs), ours.kernel(op, "keccak", runs=runs)
        share = derive("%", "Keccak / all", lambda a, b: 100 * a / b, keccak, mine)
        rows.append([row["operation"], printed, mine, _times("printed / ours", printed, mine), share])
        names.append(str(row["operation"]))
        bars[0].append(printed)
        bars[1].append(mine)
    columns = [
        "operation", "pqm4, Cortex-M4 [cycles]", "ours, Rocket [cycles]", "pqm4 / ours [×]",
        "Keccak's share of ours [%]",
    ]  # fmt: skip
    items: list[Grid | Bars] = [
        Grid("software", "Cycles of software", columns, rows),
        Bars("software-chart", "Cycles of software", "cycles", names, [("pqm4", bars[0]), ("ours", bars[1])], log=True),
    ]
    return Section(
        "Software",
        items,
        "Different processors: pqm4's is assembly for a core of 32 bits, ours portable C on one of 64 bits. What an accelerator beside Rocket has to beat is ours.",
    )


def _system(ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    for op in BASE_OPS:
        alone, beside = (ours.scheme_system(design, op) for design in (ALONE, DESIGN))
        core = ours.scheme_system(DESIGN, op, "core_cycles")
        rows.append([op, alone, beside, core, _times("processor alone / with core", alone, beside)])
    columns = [
        "operation", "Rocket alone [cycles]", f"Rocket and {DESIGN} [cycles]", "of them the core [cycles]",
        "processor alone / with core [×]",
    ]  # fmt: skip
    return Section(
        "On a system",
        [Grid("system", "Cycles of a call, from arguments to results", columns, rows)],
        "The same simulated processor, with the driver and the core, and by our own C alone. Programs are made when the core is set up.",
    )
