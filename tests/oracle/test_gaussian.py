# SPDX-License-Identifier: Apache-2.0
"""The noise that covers published values: the distribution that the tables make, against the discrete Gaussian, as lib/src/sampling/gaussian.c states it."""

import random
import re
import runpy
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

LIB = Path(__file__).resolve().parents[2] / "lib"
TWO = Decimal(2)


def text(table: str) -> str:
    return (LIB / "src" / "sampling" / f"gaussian_{table}.inc").read_text(encoding="utf-8")


def rows(table: str, word: int) -> list[int]:
    return [int(high, 16) << word | int(low, 16) for high, low in re.findall(r"\{(0x\w+), (0x\w+)\}", text(table))]


BASE, SERIES = rows("base", 63), rows("series", 64)


@pytest.mark.parametrize("table", ["base", "series"])
def test_tables_are_those_of_the_script(table: str) -> None:
    assert runpy.run_path(str(LIB / "scripts" / "gen_gaussian_tables.py"))["text"](table) == text(table)


def product(a: int, b: int) -> int:
    """As the library cuts it, word by word."""
    (a1, a0), (b1, b0) = divmod(a, 2**64), divmod(b, 2**64)
    return a1 * b1 + (a1 * b0 >> 64) + (a0 * b1 >> 64)


def kept(x: int, fine: int, bits: int) -> Decimal:
    """The probability to keep the candidate x K + fine, K = 2^(bits - 1): a coin of 95 bits is below it."""
    w = fine * (fine + (x << bits)) << (124 - 2 * bits)
    result = SERIES[-1]
    for row in SERIES[-2::-1]:
        result = row - product(w, result)
    for _ in range(5):
        result = product(result, result)
    return Decimal(result >> 1) / 2**95


def test_distribution_is_the_gaussian() -> None:
    """All values of the narrowest noise that the library adds, of deviation 16."""
    with localcontext() as context:
        context.prec = 70
        chance = [Decimal(row - below) / 2**126 for row, below in zip([*BASE, 2**126], [0, *BASE], strict=True)]
        made = {8 * x + fine: chance[x] * kept(x, fine, 4) for x in range(len(chance)) for fine in range(8)}
        made[0] /= 2
        assert Decimal("0.833") < sum(made.values()) / 8 < Decimal("0.835")
        exact = {z: (Decimal(-z * z) / 512).exp() / (1 if z else 2) for z in range(8 * 40)}
        all_made, all_exact = sum(made.values()), sum(exact.values())
        error = {z: made.get(z, Decimal(0)) / all_made - one / all_exact for z, one in exact.items()}
        assert max(abs(error[z]) / (exact[z] / all_exact) for z in range(8 * 16)) < TWO**-80
        assert sum(abs(one) for one in error.values()) / 2 < TWO**-81


@pytest.mark.parametrize("bits", [4, 5, 12, 40, 57])
def test_candidates_are_kept_as_exp_says(bits: int) -> None:
    """At every width, at the ends of the range and between them."""
    size = 2 ** (bits - 1)
    fine = {0, 1, size // 2, size - 2, size - 1, *random.Random(bits).sample(range(size), min(size, 50))}
    with localcontext() as context:
        context.prec = 70
        for x in range(len(BASE) + 1):
            for y in fine:
                exact = (-Decimal(y * (y + 2 * x * size)) / (8 * size**2)).exp()
                assert abs(kept(x, y, bits) / exact - 1) < TWO**-81
