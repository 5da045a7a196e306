# SPDX-License-Identifier: Apache-2.0
"""Proofs: bounds at full width in integers, the RTL for all inputs at small widths. `make formal` adds the long ones."""

import os
from pathlib import Path

import pytest
import z3
from rs_cocotb import rtl
from rs_yosys import prove

HERE = Path(__file__).parent
LONG = os.environ.get("RINGSIDE_FORMAL") == "1"
MUL = ["rs_mul_tile", "rs_mul_row", "rs_mul", "rs_delay", "rs_csub"]
SOURCES = [*MUL, "rs_modmul_barrett", "rs_modmul_wlm_step", "rs_modmul_wlm"]


def holds(top, parameters, mutation=None):
    return prove(top, [*rtl(*SOURCES), HERE / f"{top}.sv"], parameters, mutation)


def shape(*values):
    return dict(zip(("WidthA", "WidthB", "WidthP", "TileA", "TileB"), values, strict=True))


def wlm(width, word_bits):
    return {"W": width, "WordBits": word_bits}


PROOFS = [
    ("rs_mul_formal", shape(6, 7, 13, 2, 3)),
    ("rs_mul_formal", shape(6, 7, 8, 2, 3)),
    ("rs_modmul_barrett_formal", {"W": 4}),
    ("rs_modmul_barrett_formal", {"W": 5}),
    ("rs_modmul_wlm_step_formal", wlm(8, 3)),
    ("rs_modmul_wlm_formal", wlm(6, 2)),
]
LONG_PROOFS = [
    ("rs_mul_formal", shape(8, 8, 16, 3, 3)),
    ("rs_mul_formal", shape(8, 9, 10, 3, 4)),
    ("rs_modmul_barrett_formal", {"W": 6}),
    ("rs_modmul_wlm_step_formal", wlm(12, 4)),
    ("rs_modmul_wlm_formal", wlm(7, 3)),
]


@pytest.mark.parametrize(("top", "parameters"), PROOFS + (LONG_PROOFS if LONG else []))
def test_proof(top, parameters):
    assert holds(top, parameters)


# each with the smallest proof that covers it
BROKEN = [
    (
        "rs_mul_formal",
        PROOFS[0][1],
        ("rs_mul", "localparam int unsigned Lsb = r * TileA;", "localparam int unsigned Lsb = r;"),
    ),
    ("rs_mul_formal", PROOFS[0][1], ("rs_mul_row", "even + odd", "even | odd")),
    ("rs_mul_formal", PROOFS[0][1], ("rs_mul_tile", "i < WidthA; i++", "i < WidthA - 1; i++")),
    ("rs_modmul_barrett_formal", {"W": 5}, ("rs_modmul_barrett", "scaled[W+3+:W]", "scaled[W+4+:W]")),
    ("rs_modmul_barrett_formal", {"W": 5}, ("rs_modmul_barrett", "product >> shift_i", "product >> shift_i << 1")),
    ("rs_modmul_barrett_formal", {"W": 5}, ("rs_csub", "diff[W] ?", "x_i[W] ?")),
    ("rs_modmul_wlm_step_formal", wlm(8, 3), ("rs_modmul_wlm_step", "= -low;", "= ~low;")),
    ("rs_modmul_wlm_step_formal", wlm(8, 3), ("rs_modmul_wlm_step", "low != '0", "1'b1")),
    (
        "rs_modmul_wlm_formal",
        wlm(6, 2),
        ("rs_modmul_wlm", ".qh_i(q_i[W-1:WordBits])", ".qh_i(q_i[W-1-:W-WordBits] ^ (W-WordBits)'(s))"),
    ),
    ("rs_modmul_wlm_formal", wlm(6, 2), ("rs_csub", "diff[W] ?", "1'b1 ?")),
]


@pytest.mark.parametrize(("top", "parameters", "mutation"), BROKEN)
def test_broken_design_is_refuted(top, parameters, mutation):
    assert not holds(top, parameters, mutation)


# ---- integers, full width -------------------------------------------------------------------------------------------
def refuted(claims, *assumptions):
    """z3 finds values that meet the assumptions and break a claim."""
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    solver.add(*assumptions, z3.Not(z3.And(claims)))
    answer = solver.check()
    assert answer != z3.unknown
    return answer == z3.sat


def barrett(width, bits, guard=3):
    """The claims of rs_modmul_barrett's header about p < q^2, and their assumptions."""
    q, p, mu, t, e = z3.Ints("q p mu t e")
    scale, shift, cut = 2 ** (width - 2 + guard + bits), 2 ** (bits - 2), 2 ** (width + guard)
    assumptions = [
        q > 2 ** (bits - 1),
        q < 2**bits,
        p >= 0,
        p <= (q - 1) * (q - 1),
        mu * q <= scale,
        scale < mu * q + q,
        t * shift <= p,
        p < t * shift + shift,
        e * cut <= t * mu,
        t * mu < e * cut + cut,
    ]
    claims = [mu < 2 ** (width + 2), t < 2 ** (width + 2), e >= 0, e < 2**width, p - e * q >= 0, p - e * q < 2 * q]
    return claims, assumptions


@pytest.mark.parametrize("width", [16, 32, 54, 64])
def test_barrett_bounds(width):
    for bits in sorted({2, 3, width // 2, width - 1, width}):
        claims, assumptions = barrett(width, bits)
        for claim in claims:
            assert not refuted([claim], *assumptions), (bits, claim)


def test_barrett_bounds_need_the_guard_bits():
    claims, assumptions = barrett(8, 8, guard=1)
    assert refuted(claims[-1:], *assumptions)


@pytest.mark.parametrize("width", [16, 32, 54, 64])
def test_montgomery_bounds(width):
    q, x, y, m, p, total = z3.Ints("q x y m p total")
    word = 2**11
    radix = 2 ** (11 * -(-width // 11))
    step = [q > 0, q < 2**width, m >= 0, m < word, y * word == x + m * q]
    for left in range(2 * width, width, -11):
        bound = 2**left - 1 if left == 2 * width else 2**left + q
        smaller = 2 ** max(left - 11, 0) + q
        assert not refuted([y < smaller, y < 2 ** (max(left - 11, width) + 1)], *step, x >= 0, x < bound), left
    whole = [q > 0, q < 2**width, p >= 0, p <= (q - 1) * (q - 1), total >= 0, total < radix]
    assert not refuted([y < 2 * q], *whole, y * radix == p + total * q)
    assert refuted([y < q], *whole, y * radix == p + total * q, q == 2**width - 1)
