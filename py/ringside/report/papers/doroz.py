# SPDX-License-Identifier: Apache-2.0
"""Doröz 2015: the polynomial multiplier of LTV."""

from __future__ import annotations

from ..layout import Bars, Grid, Ours, Section
from ..measurement import REPORT, Kind, Measurement, Status, derive
from ..published import Paper, TableCell

LIKE = "doroz2015"  # a design with 256 multipliers, transforms of 65536 points
POINTS, LEVELS = 65536, 15  # the first level's twiddle factors are all 1
MULTIPLIERS, INTERVAL = 256, 4  # a multiplier starts a product every four cycles
BITS = 32


def sections(paper: Paper, ours: Ours) -> list[Section]:
    transform = ours.transform(LIKE, POINTS, BITS)
    bound = Measurement(
        LEVELS * POINTS / 2 * INTERVAL / MULTIPLIERS,
        "cycles",
        Kind.modelled,
        REPORT,
        f"{LEVELS} levels of N/2 products, {MULTIPLIERS} multipliers, one product in {INTERVAL} cycles each",
    )
    inner = paper.fact("inner_cycles")
    product_bound = derive(
        "cycles", "3 transforms + 2 coefficientwise products", lambda one, two: 3 * one + 2 * two, bound, inner
    )
    product = derive(
        "cycles", "3 transforms + 2 coefficientwise products", lambda one, two: 3 * one + 2 * two, transform, inner
    )
    clock = paper.fact("clock")
    in_paper = derive("cycles", "time × clock", lambda time, mhz: time * mhz, paper.fact("product_time"), clock)
    rows: list[list[TableCell]] = [
        [
            "products of one transform",
            derive("cycles", f"{LEVELS} levels", lambda level: LEVELS * level, paper.fact("level_cycles")),
            transform,
            bound,
        ],
        ["product, as printed in cycles", paper.fact("product_cycles"), product, product_bound],
        ["product, from the printed time", in_paper, product, product_bound],
    ]
    per_prime = derive("ms", "cycles / clock × 41 primes", lambda cycles, mhz: 41 * cycles / mhz / 1e3, product, clock)
    at_bound = derive(
        "ms", "cycles / clock × 41 primes", lambda cycles, mhz: 41 * cycles / mhz / 1e3, product_bound, clock
    )
    rows.append(["all 41 primes, computing [ms]", paper.fact("multiply_compute"), per_prime, at_bound])
    in_ms = derive("ms", "µs / 1000", lambda time: time / 1e3, paper.fact("product_time"))
    once = derive("ms", "cycles / clock", lambda cycles, mhz: cycles / mhz / 1e3, product, clock)
    steps = {"one product": (in_ms, once), "all primes, computing": (paper.fact("multiply_compute"), per_prime)}
    # the rest is a processor's, and a design's that has the operation
    status = transform.status if transform.value is None else Status.not_measured
    rest = ours.unknown("ms", LIKE, transform.detail, status)
    others = {
        "all primes, with transfers": "multiply",
        "reduction": "reduction",
        "CRT": "crt",
        "relinearisation": "relin",
    }
    steps |= {name: (paper.fact(key), rest) for name, key in others.items()}
    series = [("paper", [theirs for theirs, _ in steps.values()]), (LIKE, [mine for _, mine in steps.values()])]
    return [
        Section(
            "Polynomial product",
            [
                Grid("product", "Cycles at 256 multipliers of 32 bits", ["what", "paper", LIKE, "bound"], rows),
                Bars("steps", "Time of an operation", "ms", list(steps), series, log=True),
            ],
            "A product modulo one 32-bit prime is two transforms of 65536 points, a coefficientwise product, an inverse transform and a scaling.",
        )
    ]
