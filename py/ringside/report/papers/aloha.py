# SPDX-License-Identifier: Apache-2.0
"""Aloha-HE: latency, throughput, resources."""

from __future__ import annotations

from ..layout import Bars, Grid, Ours, Section
from ..measurement import Measurement, derive
from ..published import Cell, Paper, number

LIKE = "aloha-he"  # words of 54 bits, and it encodes
NEAR = ("rise-4", "ringside-32")
N, LIMBS, BITS, KINTEX = 8192, 3, 54, 200.0
NARROW_LIMBS = 6  # of 30 bits, for about as large a modulus as three of 54


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_latency(paper, ours), _resources(paper, ours)]


def _latency(paper: Paper, ours: Ours) -> Section:
    table = paper.tables["latency"]
    rows: list[list[Cell]] = []
    groups: list[str] = []
    theirs: list[Measurement] = []
    for row in table.rows:
        name, latency = str(row["design"]), number(row, "latency")
        rows.append([name, row["platform"], latency, row["factor"]])
        groups.append(name)
        theirs.append(latency)
    printed = theirs[0]
    mine = [(LIKE, f"{LIMBS} × {BITS} bits", ours.cycles(LIKE, "encode-encrypt-pk-direct", N, LIMBS, BITS))]
    mine += [
        (name, f"{NARROW_LIMBS} × 30 bits", ours.cycles(name, "encrypt-pk-direct", N, NARROW_LIMBS)) for name in NEAR
    ]
    for name, moduli, cycles in mine:
        time = ours.time(cycles, "ms", KINTEX)
        factor = derive("×", "ours / paper's Kintex-7", lambda one, kintex: one / kintex, time, printed)
        rows.append([f"{name}, N = {N}, {moduli}", "RTL", time, factor])
        groups.append(f"{name}, {moduli}")
        theirs.append(time)
    performance = paper.tables["performance"]
    speed: list[list[Cell]] = [
        [row[key] for key in ("platform", "clock", "throughput", "energy")] for row in performance.rows
    ]
    for name, _, cycles in mine:
        energy = derive(
            "mJ",
            "power × latency",
            lambda power, time: power * time / 1e3,
            ours.energy(name, "power_mw"),
            ours.time(cycles),
        )
        clock = derive("MHz", "assumed", lambda _: KINTEX, cycles)
        speed.append([name, clock, ours.rate(cycles, KINTEX), energy])
    note = f"{table.caveat} Ours at {KINTEX:g} MHz, the Kintex-7's clock, public key without special prime; {LIKE} encodes, the others do not."
    return Section(
        "Encryption: latency and throughput",
        [
            Grid("latency", "Latency", ["design", "platform", "latency [ms]", "× Aloha-HE's Kintex-7"], rows, note),
            Bars("latency-chart", "Latency of an encryption", "ms", groups, [("latency", theirs)], log=True),
            Grid(
                "performance",
                "Throughput and energy",
                ["platform", "clock [MHz]", "encryptions [1/s]", "energy [mJ]"],
                speed,
                performance.caveat,
            ),
        ],
        f"Aloha-HE encodes, as {LIKE} does. {NARROW_LIMBS} limbs of 30 bits stand for {LIMBS} of {BITS}: as large a modulus in narrower words.",
    )


def _resources(paper: Paper, ours: Ours) -> Section:
    absent = next(value for what, value in paper.lost if what.startswith("LUT"))
    rows: list[list[Cell]] = [[f"{paper.short}, paper", absent, absent, absent, absent]]
    for design in (LIKE, *NEAR):
        rows.append([design, *(ours.resource(design, figure) for figure in ("lut", "ff", "dsp")), ours.bram(design)])
    return Section("Resources", [Grid("resources", "FPGA resources", ["design", "LUT", "FF", "DSP", "BRAM36"], rows)])
