# SPDX-License-Identifier: Apache-2.0
"""Nejatollahi et al.: accelerators for NewHope and BLISS; ours are cores beside the processor of the SoC, with the same two schemes, NewHope also whole."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...figures import gains
from ..layout import Bars, Grid, Headline, Ours, Section, Terms, ratio, share
from ..measurement import Measurement, derive
from ..published import Paper, TableCell, number

RATIO = 20  # the paper's clocks: processor 2 GHz, accelerator 100 MHz


@dataclass(frozen=True)
class PaperOperation:
    """One of the paper, and ours. design: whose core does the transforms of 2^log_size words."""

    name: str
    op: str
    kernel: str
    design: str
    log_size: int


SCHEMES = (
    PaperOperation("NewHope server", "newhope-server", "NTT1024", "newhope", 10),
    PaperOperation("NewHope client", "newhope-client", "NTT1024", "newhope", 10),
    PaperOperation("BLISS-BI sign", "bliss-sign", "FFT512", "bliss", 9),
    PaperOperation("BLISS-BI verify", "bliss-verify", "FFT512", "bliss", 9),
)
WHOLE = "pqc-4"  # does all of NewHope but reconciliation and the last hash
HASHING = {"bliss-sign": WHOLE, "bliss-verify": "bliss-16"}  # whose core does transforms, products and hashes of BLISS
# calls of NewHope's driver; none: the kernels that `ringside soc profile` leaves to the core
SIDES = (
    (SCHEMES[0], ("newhope-begin", "newhope-finish")),
    (SCHEMES[1], ("newhope-client",)),
    (SCHEMES[2], ()),
    (SCHEMES[3], ()),
)
FACTORS = {"NTT1024": "ntt_factor", "FFT512": "fft_factor"}
OURS = {"Keccak": "keccak", "ChaCha20": "chacha20"}  # kernels of the paper, and of `ringside soc profile`
TITLES = {
    "transform": "transforms", "product": "products of transforms", "keccak": "Keccak", "chacha20": "ChaCha20",
    "sampler": "samplers, without their hashes", "gaussian": "Gaussian sampler, rejection",
    "coding": "packing, hints, reconciliation", "rest": "the rest",
}  # fmt: skip


def headlines(paper: Paper, ours: Ours) -> list[Headline]:
    server, fastest = SCHEMES[0], min(paper.tables["points"].rows, key=lambda row: number(row, "cycles").value or 0)
    [both] = paper.tables["both"].select(scheme=server.name)
    whole = _whole_gain(ours, *SIDES[0], RATIO)
    cycles, mine = number(fastest, "cycles"), ours.scheme_transform("bliss", 9)
    why = "The paper's is a model's, with a cache; ours is RTL with the data in its banks."
    return [
        Headline(
            "transform of BLISS, 512 points, the fastest of each", cycles, mine, ratio(mine, cycles), Terms.other, why
        ),
        Headline(
            f"NewHope's server, saved by a core for the whole scheme, clock 1/{RATIO}",
            number(both, "latency"),
            whole,
            share(whole, number(both, "latency")),
            Terms.other,
            "The paper's accelerators do transforms and Keccak; ours also draws noise, multiplies and packs.",
        ),
    ]


def sections(paper: Paper, ours: Ours) -> list[Section]:
    return [_transforms(paper, ours), _schemes(paper, ours), _whole(paper, ours), _shares(paper, ours)]


def _asked(ours: Ours, scheme: PaperOperation) -> Measurement:
    """Cycles of the processor alone."""
    return ours.scheme(scheme.op, "cycles")


def _with_core(ours: Ours, scheme: PaperOperation, ratio: int) -> Measurement:
    """With transforms on a core, whose clock is the processor's by `ratio`."""
    return ours.scheme(scheme.op, "cycles", scheme.design, divider=ratio)


# ---- the kernels alone ----------------------------------------------------------------------------------------------
def _transforms(paper: Paper, ours: Ours) -> Section:
    rows: list[list[TableCell]] = []
    points = paper.tables["points"].rows
    for row in points:
        rows.append([f"paper: FFT512, {row['point']}", row["cycles"], row["power"], row["kge"]])
    absent = next(value for what, value in paper.lost if "NTT1024" in what)
    for row in paper.tables["kernels"].select(kernel="NTT1024"):
        rows.append([f"paper: NTT1024, {row['scheme']}", absent, absent, row["kge"]])
    found: list[tuple[str, Measurement]] = []
    for design, log_size, kernel in (("bliss", 9, "FFT512"), ("newhope", 9, "FFT512"), ("newhope", 10, "NTT1024")):
        alone = ours.scheme_transform(design, log_size)
        whole = ours.scheme_transform(design, log_size, "cycles")
        power = ours.lacking("mW", design, "Only designs that encrypt have energies.", "encrypts nothing")
        rows.append([f"{design}: {kernel}", alone, power, ours.asic(design, "kge")])
        rows.append([f"{design}: {kernel}, with tables, LOAD and STORE", whole, "", ""])
        found.append((f"{design}: {kernel}", alone))
    groups = [f"paper: FFT512, {row['point']}" for row in points] + [name for name, _ in found]
    values = [number(row, "cycles") for row in points] + [value for _, value in found]
    return Section(
        "Transforms",
        [
            Grid("transforms", "Cycles, power, area", ["design point", "cycles", "power [mW]", "area [kGE]"], rows),
            Bars("transforms-chart", "Cycles of a transform", "cycles", groups, [("cycles", values)], log=True),
        ],
        "The paper's figures are a model's (gem5-Aladdin), with memory accesses through a cache. Ours are cycles of RTL with the data in its banks, "
        "modulo 12289 as the schemes have it; area is that of the whole core without memories.",
    )


# ---- whole schemes ---------------------------------------------------------------------------------------------------
def _gain(ours: Ours, scheme: PaperOperation, ratio: int) -> Measurement:
    formula = "1 - with the core / alone" + f", core's clock 1/{ratio}" * (ratio > 1)
    alone, beside = _asked(ours, scheme), _with_core(ours, scheme, ratio)
    return derive("%", formula, gains.latency, alone, beside)


def _factor(ours: Ours, scheme: PaperOperation, ratio: int) -> Measurement:
    """A transform's factor: software / core, all that a call takes."""
    return derive(
        "×",
        "software / call of the core" + f", core's clock 1/{ratio}" * (ratio > 1),
        lambda alone, beside: alone / beside,
        ours.kernel(scheme.op, "transform"),
        ours.kernel(scheme.op, "transform", scheme.design, divider=ratio),
    )


def _schemes(paper: Paper, ours: Ours) -> Section:
    gains: list[list[TableCell]] = []
    factors: list[list[TableCell]] = []
    both = {row["scheme"]: row["latency"] for row in paper.tables["both"].rows}
    for scheme in SCHEMES:
        [row] = paper.tables["kernels"].select(scheme=scheme.name, kernel=scheme.kernel)
        alone, beside = _asked(ours, scheme), _with_core(ours, scheme, 1)
        share = derive("%", "share of transforms", lambda a, b: 100 * a / b, ours.kernel(scheme.op, "transform"), alone)
        one, twentieth = _gain(ours, scheme, 1), _gain(ours, scheme, RATIO)
        gains.append([scheme.name, row["latency"], both[scheme.name], alone, beside, share, one, twentieth])
        printed = paper.fact(FACTORS[scheme.kernel])
        factors.append([scheme.name, printed, _factor(ours, scheme, 1), _factor(ours, scheme, RATIO)])
    columns = ["operation", "paper, section 6 [×]", "same clock [×]", f"core's clock 1/{RATIO} [×]"]
    return Section(
        "Whole schemes with transforms on a core",
        [
            Grid(
                "schemes",
                "Latency",
                [
                    "operation",
                    "paper: better by, transforms [%]",
                    "paper: transforms and Keccak [%]",
                    "processor alone [cycles]",
                    "with the core [cycles]",
                    "the most it can be better by [%]",
                    "better by, same clock [%]",
                    f"better by, core's clock 1/{RATIO} [%]",
                ],
                gains,
                "The core is that of newhope for NewHope and of bliss for BLISS, beside Rocket; each transform is a call of the driver, and all of it counts.",
            ),
            Grid("factors", "A transform: software / core", columns, factors),
        ],
        "No kernel can save more than its share of the software: the paper's software spends over 40 % of NewHope in transforms, ours the share that "
        "stands here, because its transforms are faster. At a clock of 1/20 each of the core's cycles counts 20 times; memory answers after the same time, "
        "which is fewer of them (`ringside soc profile --core-divider 20`). The signature of BLISS is one of the first attempt.",
    )


# ---- all that a core with fields can do ------------------------------------------------------------------------------
def _calls(ours: Ours, calls: tuple[str, ...], figure: str) -> Measurement:
    found = [ours.scheme_system(WHOLE, op, figure) for op in calls]
    return derive("cycles", f"sum of {len(found)} calls", lambda *each: sum(each), *found) if found[1:] else found[0]


def _whole_cycles(
    ours: Ours, scheme: PaperOperation, calls: tuple[str, ...], ratio: int
) -> tuple[Measurement, Measurement]:
    """Cycles of a side with the core, and the core's part of them, in the processor's cycles."""
    if not calls:
        cycles, core = (
            ours.scheme(scheme.op, figure, HASHING[scheme.op], divider=ratio) for figure in ("cycles", "core_cycles")
        )
        return cycles, derive("cycles", f"{ratio} x core's cycles", lambda its: ratio * its, core)
    cycles, core = (_calls(ours, calls, figure) for figure in ("cycles", "core_cycles"))
    if ratio == 1:
        return cycles, core
    formula = f"cycles + {ratio - 1} x core's cycles"
    after = derive("cycles", formula, lambda all_of_them, its: gains.slowed(all_of_them, its, ratio), cycles, core)
    return after, derive("cycles", f"{ratio} x core's cycles", lambda its: ratio * its, core)


def _whole_gain(ours: Ours, scheme: PaperOperation, calls: tuple[str, ...], ratio: int) -> Measurement:
    after, _ = _whole_cycles(ours, scheme, calls, ratio)
    return derive("%", "1 - with the core / alone", gains.latency, _asked(ours, scheme), after)


def _whole_products(
    before: Measurement, after: Measurement, core: Measurement, printed: Measurement
) -> list[TableCell]:
    """What EDP is better by, if the core draws nothing, and as much as the processor; and what it may draw for the paper's."""
    bounds: list[TableCell] = [
        derive(
            "%",
            f"1 - (all + {power} x core's) x all / alone^2",
            lambda a, b, c, power=power: gains.energy_delay(a, b, c, power),
            before,
            after,
            core,
        )
        for power in (0, 1)
    ]
    most = derive("×", "power at which both gains are equal", gains.most_power, before, after, core, printed)
    return [*bounds, most]


def _whole(paper: Paper, ours: Ours) -> Section:
    latencies: list[list[TableCell]] = []
    products: list[list[TableCell]] = []
    for scheme, calls in SIDES:
        [both] = paper.tables["both"].select(scheme=scheme.name)
        before = _asked(ours, scheme)
        for clock in (1, RATIO):
            name = scheme.name if clock == 1 else f"{scheme.name}, core's clock 1/{clock}"
            after, core = _whole_cycles(ours, scheme, calls, clock)
            share = derive("%", "core's cycles / all", lambda a, b: 100 * a / b, core, after)
            gain = _whole_gain(ours, scheme, calls, clock)
            latencies.append([name, both["latency"], gain, before, after, core, share])
            products.append([name, both["edp"], *_whole_products(before, after, core, number(both, "edp"))])
    return Section(
        "NewHope whole on a core, BLISS-BI's transforms and hashes",
        [
            Grid(
                "whole",
                "Latency",
                [
                    "operation",
                    "paper: better by, transforms and Keccak [%]",
                    "better by [%]",
                    "processor alone [cycles]",
                    "with the core [cycles]",
                    "of these the core [cycles]",
                    "the core's share [%]",
                ],
                latencies,
                f"{WHOLE} beside Rocket: `ringside soc run {WHOLE} --op newhope-client --frames 2 --core-divider {RATIO}`. A server makes two calls. The core makes a "
                "and noise, transforms, multiplies, packs and hashes coins; the processor checks messages, reconciles, makes the last hash, copies and wipes. Both with "
                "noise of their own: the software's is ChaCha20, the core's SHAKE256. "
                f"Each of the core's cycles counts {RATIO} times at that clock, those in which it waits for memory among them, so no such core takes longer. BLISS-BI is "
                f"`ringside soc profile bliss-verify --on {HASHING['bliss-verify']} --core-divider {RATIO}`, signatures on {HASHING['bliss-sign']}: transforms, products and "
                f"hashes; there memory answers after the same time at either clock.",
            ),
            Grid(
                "whole-edp",
                "Energy-delay product",
                [
                    "operation",
                    "paper: better by [%]",
                    "better by, if the core drew nothing [%]",
                    "if it drew as much as the processor [%]",
                    "what it may draw for the paper's gain [× processor's power]",
                ],
                products,
                "Energy is P T0 of the processor alone and at most P (T1 + r Tc) with the core: T0 and T1 are the times without and with it, Tc that in which it computes, P the "
                "processor's power, which it is taken to draw while it waits, too, and r the core's power by the processor's. So EDP is better by 1 - (T1 + r Tc) T1 / T0^2. "
                "Neither power is measured for these operations: r = 0 and r = 1 bound the gain where the core draws less than the processor, and the last column is the r "
                "at which it is the paper's.",
            ),
        ],
        f"As much as the units of {WHOLE} do, in NewHope in place of two kernels. NewHope's messages are those of the reference implementation on both sides.",
    )


def _shares(paper: Paper, ours: Ours) -> Section:
    printed: Mapping[tuple[TableCell, TableCell], TableCell] = {
        (row["scheme"], row["kernel"]): row["share"] for row in paper.tables["shares"].rows
    }
    rows: list[list[TableCell]] = []
    for scheme in SCHEMES:
        names = {"transform": scheme.kernel, **{ours_name: theirs for theirs, ours_name in OURS.items()}}
        for kernel, title in TITLES.items():
            cycles = ours.kernel(scheme.op, kernel)
            if cycles.value == 0:
                continue
            whole = _asked(ours, scheme)
            share = derive("%", "cycles / all", lambda a, b: 100 * a / b, cycles, whole)
            rows.append([scheme.name, title, printed.get((scheme.name, names.get(kernel, "")), ""), share, cycles])
    columns = ["operation", "kernel", "paper [%]", "ours [%]", "ours [cycles]"]
    return Section(
        "Where the processor's time goes",
        [Grid("shares", "Kernels of the software", columns, rows, folded=True)],
        "Ours is the portable C library on Rocket. ChaCha20 and Keccak are without what samples from them.",
    )
