# SPDX-License-Identifier: Apache-2.0
"""Aloha-HE: latency, throughput, resources."""

from ...figures.command import FRAMES
from ..layout import Bars, Grid, Headline, Ours, Section, Terms, ratio
from ..measurement import Measurement, derive
from ..published import Paper, TableCell, number

LIKE = "aloha-he"  # words of 54 bits, and it encodes
NEAR = ("rise-4", "ringside-32")
N, LIMBS, BITS, KINTEX = 8192, 3, 54, 200.0
NARROW_LIMBS = 6  # limbs of 30 bits, for about as large a modulus as three of 54
OPERATIONS = {
    "encode-encrypt-pk-direct": ("encode, encrypt with the public key", LIMBS, "flow_encrypt"),
    "encode-encrypt-sk": ("encode, encrypt with the secret key, seeded", LIMBS, "flow_encrypt"),
    "decrypt-decode": ("decrypt, decode", 1, "flow_decrypt"),
}


def headlines(paper: Paper, ours: Ours) -> list[Headline]:
    stated, computed, lut = (paper.fact(key) for key in ("stated_cycles", "flow_encrypt", "flow_lut"))
    mine, my_lut = ours.frame(LIKE, "encode-encrypt-pk-direct", N, LIMBS, BITS), ours.resource(LIKE, "lut")

    def product(cells: Measurement, cycles: Measurement) -> Measurement:
        return derive("M LUT cycles", "LUT × cycles / 10^6", lambda one, two: one * two / 1e6, cells, cycles)

    theirs, both = product(lut, computed), product(my_lut, mine)
    task = f"N = {N}, {LIMBS} primes of {BITS} bits"
    why = "The paper's time and clock; ours in simulation, on a memory without waits, a further frame of a call."
    return [
        Headline(f"slots to ciphertext, {task}, with transfers", stated, mine, ratio(mine, stated), Terms.near, why),
        Headline(
            f"the same, cells × cycles, {task}",
            theirs,
            both,
            ratio(both, theirs),
            Terms.near,
            "Both mapped by the same flow. The paper's cycles are those of its core alone, ours contain all transfers.",
        ),
    ]


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_latency(paper, ours), _task(paper, ours), _resources(paper, ours)]


def _task(paper: Paper, ours: Ours) -> Section:
    """The same task: slots to ciphertext and back, N = 8192, three limbs of 54 bits."""
    stated = paper.fact("stated_cycles")
    lut, their_lut = ours.resource(LIKE, "lut"), paper.fact("flow_lut")
    rows: list[list[TableCell]] = []
    for op, (what, limbs, theirs) in OPERATIONS.items():
        first = ours.frame(LIKE, op, N, limbs, BITS, first=True)
        further = ours.frame(LIKE, op, N, limbs, BITS)
        computed = paper.fact(theirs)
        products = [
            derive(
                "×",
                "our LUT × cycles / theirs",
                lambda my_lut, mine, lut, cycles: my_lut * mine / (lut * cycles),
                lut,
                further,
                their_lut,
                cycles,
            )
            for cycles in ([computed] if op == "decrypt-decode" else [computed, stated])
        ]
        absent = "" if op == "decrypt-decode" else stated
        rows.append([what, first, further, computed, absent, products[0], products[1] if len(products) > 1 else ""])
    heads = [
        "task", f"{LIKE}, the first frame", "a further frame of a call", "Aloha-HE, computing alone",
        "Aloha-HE, 1.87 ms at 200 MHz", "LUT × cycles / theirs, computing", "LUT × cycles / theirs, with transfers",
    ]  # fmt: skip
    note = (
        f"Ours include all transfers, on a bus of 128 bits and a memory without waits; {FRAMES} frames of one call, of which a further one counts in "
        "LUT × cycles. What our LUTs have that theirs have not: SHAKE256 in place of 64-bit Trivium, any prime that is 1 modulo 2^11, every N from 2^10 on, "
        "slots in SEAL's order and all integer formats, tags of secrets. docs/synthesis.md counts each unit."
    )
    return Section(
        "The same task: slots to ciphertext and back",
        [Grid("task", f"N = {N}, {LIMBS} limbs of {BITS} bits; decryption of one", heads, rows, note)],
        "Aloha-HE has one kind of encryption, with the public key; a seeded one with the secret key is set beside it.",
    )


def _latency(paper: Paper, ours: Ours) -> Section:
    table = paper.tables["latency"]
    rows: list[list[TableCell]] = []
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
    speed: list[list[TableCell]] = [
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
    columns = ["platform", "clock [MHz]", "encryptions [1/s]", "energy [mJ]"]
    return Section(
        "Encryption: latency and throughput",
        [
            Grid("latency", "Latency", ["design", "platform", "latency [ms]", "× Aloha-HE's Kintex-7"], rows, note),
            Bars("latency-chart", "Latency of an encryption", "ms", groups, [("latency", theirs)], log=True),
            Grid("performance", "Throughput and energy", columns, speed, performance.caveat),
        ],
        f"Aloha-HE encodes, as {LIKE} does. {NARROW_LIMBS} limbs of 30 bits stand for {LIMBS} of {BITS}: as large a modulus in narrower words.",
    )


def _resources(paper: Paper, ours: Ours) -> Section:
    absent = next(value for what, value in paper.lost if what.startswith("LUT"))
    rows: list[list[TableCell]] = [[f"{paper.short}, paper", absent, absent, absent, absent]]
    rows.append(
        [
            f"{paper.short}, in our flow",
            paper.fact("flow_lut"),
            paper.fact("flow_ff"),
            paper.fact("flow_dsp"),
            paper.fact("flow_bram"),
        ]
    )
    for design in (LIKE, *NEAR):
        rows.append([design, *(ours.resource(design, figure) for figure in ("lut", "ff", "dsp")), ours.bram(design)])
    return Section("Resources", [Grid("resources", "FPGA resources", ["design", "LUT", "FF", "DSP", "BRAM36"], rows)])
