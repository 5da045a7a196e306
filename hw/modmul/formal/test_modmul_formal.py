# SPDX-License-Identifier: Apache-2.0
"""Proofs: bounds at full width in integers, the RTL for all inputs at small widths. `make formal` adds the long ones."""

import os
from pathlib import Path

import pytest
import z3
from rs_cocotb import enum, rtl
from rs_formal import PIPELINE, implied, prove

HERE = Path(__file__).parent
LONG = os.environ.get("RINGSIDE_FORMAL") == "1"
MUL = ["rs_mul_tile", "rs_mul_add_tile", "rs_mul_carry_save", "rs_mul_row", "rs_mul", "rs_delay", "rs_csub"]
SOURCES = [*MUL, "rs_modmul_wlm_step", "rs_modmul_wlm_lean", "rs_modmul_wlm"]


def holds(top, parameters, mutation=None):
    return prove(PIPELINE, rtl(*SOURCES), [HERE / f"{top}.sv"], parameters, mutation)


def shape(*values):
    return dict(zip(("WidthA", "WidthB", "WidthP", "TileA", "TileB"), values, strict=True))


def wlm(width, word_bits, **others):
    return {"W": width, "WordBits": word_bits, **others}


CHAIN, TILES, CELLS = ({"Style": enum(name)} for name in ("MUL_CHAIN", "MUL_TILES", "MUL_CELLS"))
STYLES = (CHAIN, TILES, CELLS)
# halves of a product, and multiples of q in three tiles behind a short adder, at a width that a proof can do
SMALL_TILES = wlm(6, 2, TileA=2, TileB=2, AdderBits=6)
STEP = wlm(8, 3, Bits=5)
STEP_OF_TILES = wlm(10, 2, Bits=3, WidthIn=14, TileB=3, AdderBits=8)
# a digit of the last step, with a product around a middle of one bit; with two steps; two digits
LEAN = wlm(5, 2, TileA=2, TileB=2, AdderBits=5)
LEAN_STEPS = wlm(7, 4, TileA=3, TileB=3, AdderBits=7)
LEAN_DIGITS = wlm(8, 5, TileA=3, TileB=4, AdderBits=8)
PRODUCT = shape(6, 7, 13, 2, 3)
LOW_PRODUCT = shape(6, 7, 8, 2, 3)
BOOTH = shape(8, 4, 12, 8, 8) | CELLS  # five digits

PROOFS = [
    *(("rs_mul_formal", PRODUCT | style) for style in STYLES),
    *(("rs_mul_formal", LOW_PRODUCT | style) for style in STYLES),
    ("rs_mul_formal", BOOTH),
    ("rs_modmul_wlm_step_formal", STEP | CHAIN),
    *(("rs_modmul_wlm_step_formal", STEP_OF_TILES | style) for style in STYLES),
    ("rs_modmul_wlm_step_formal", wlm(8, 3, Bits=3)),
    ("rs_modmul_wlm_formal", wlm(6, 2)),
    ("rs_modmul_wlm_formal", SMALL_TILES | TILES),
    # R is 2^(W+1), and 2^(W+2)
    ("rs_modmul_fixed_formal", wlm(8, 3)),
    ("rs_modmul_fixed_formal", wlm(7, 3)),
    ("rs_modmul_wlm_lean_formal", LEAN),
    ("rs_modmul_wlm_lean_formal", LEAN | {"Fixed": 1}),
]
LONG_PROOFS = [
    ("rs_modmul_wlm_lean_formal", LEAN_STEPS),
    ("rs_modmul_fixed_formal", wlm(7, 3) | CELLS),
    *(("rs_modmul_wlm_formal", SMALL_TILES | style) for style in (CHAIN, CELLS)),
    *(("rs_mul_formal", shape(8, 8, 16, 3, 3) | style) for style in STYLES),
    ("rs_mul_formal", shape(8, 9, 10, 3, 4)),
    *(("rs_modmul_wlm_step_formal", wlm(12, 4, Bits=7) | style) for style in STYLES),
    ("rs_modmul_wlm_formal", wlm(7, 3)),
    ("rs_modmul_wlm_formal", wlm(7, 3, TileA=2, TileB=3)),
    ("rs_modmul_wlm_lean_formal", LEAN_DIGITS),
]


@pytest.mark.parametrize(
    "proof",
    PROOFS + (LONG_PROOFS if LONG else []),
    ids=lambda proof: "-".join([proof[0], *map(str, proof[1].values())]),
)
@pytest.mark.alike(3)
def test_proof(proof):
    assert holds(*proof)


# each with the smallest proof that covers it
BROKEN = [
    ("rs_mul_formal", PRODUCT, ("int unsigned Lsb = r * TileA;", "int unsigned Lsb = r;")),
    ("rs_mul_formal", PRODUCT, ("c_i + m;", "c_i | m;")),
    ("rs_mul_formal", PRODUCT, ("sum >> TileB);", "sum >> TileB - 1);")),
    ("rs_mul_formal", PRODUCT | TILES, ("sum_d = sum_d + apart;", "sum_d = sum_d | apart;")),
    ("rs_mul_formal", BOOTH, ("bits[2*d] ^ bits[2*d+1];", "bits[2*d] | bits[2*d+1];")),
    ("rs_mul_formal", BOOTH, ("{!neg[d], neg[d], neg[d], v}", "{!neg[d], 1'b0, neg[d], v}")),
    ("rs_mul_formal", shape(8, 4, 12, 8, 8) | CELLS, ("a ^ b ^ c", "a | b | c")),
    ("rs_modmul_wlm_step_formal", STEP, ("- {1'b0, z};", "+ {1'b0, z};")),
    ("rs_modmul_wlm_step_formal", STEP, (".data_i(borrow)", ".data_i(1'b0)")),
    ("rs_modmul_wlm_step_formal", STEP, ("signed'({high, {Above{", "unsigned'({high, {Above{")),
    ("rs_modmul_wlm_step_formal", STEP_OF_TILES, ("top_q - (Rest - AdderBits + 1)'(sum[AdderBits-1])", "top_q")),
    ("rs_modmul_wlm_step_formal", STEP_OF_TILES | TILES, ("even = even | part[t]", "even = part[t]")),
    ("rs_modmul_wlm_step_formal", STEP_OF_TILES | TILES, ("c - even - odd", "c - even")),
    ("rs_modmul_wlm_step_formal", STEP_OF_TILES | CELLS, ("{{Wide - WidthB - 2{1'b1}}", "{{Wide - WidthB - 2{1'b0}}")),
    ("rs_modmul_wlm_formal", wlm(6, 2), ("s : 0][W-1:Word])", "s : 0][W-1:Word] ^ (W - Word)'(s))")),
    ("rs_modmul_wlm_formal", wlm(6, 2), ("(x[Steps][W] ? q_i[Taps-1] : '0)", "q_i[Taps-1]")),
    ("rs_modmul_wlm_formal", wlm(6, 2), ("TileA'(first[0])", "TileA'(first[Rows-1] ^ 1)")),
    ("rs_modmul_fixed_formal", wlm(8, 3), ("(fixed_i && dropped[0])", "fixed_i")),
    ("rs_modmul_fixed_formal", wlm(7, 3), ("dropped[More:1]} :", "{More{1'b0}}} :")),
    ("rs_modmul_wlm_lean_formal", LEAN, ("TileB - Middle;", "TileB;")),
    ("rs_modmul_wlm_lean_formal", LEAN, ("minus || r == Rows - 1", "minus")),
    ("rs_modmul_wlm_lean_formal", LEAN, ("WordBits - Rest + 2 * r", "WordBits - Rest + r + 1")),
    ("rs_modmul_wlm_lean_formal", LEAN, ("two ? {q_i[W-1:WordBits], 1'b0}", "two ? {1'b0, q_i[W-1:WordBits]}")),
    ("rs_modmul_wlm_formal", SMALL_TILES, ("lower[W+Split-1:Split])", "lower[W+Split-1:Split] >> 1)")),
]


@pytest.mark.parametrize(("top", "parameters", "mutation"), BROKEN)
@pytest.mark.alike(4)
def test_broken_design_is_refuted(top, parameters, mutation):
    assert not holds(top, parameters, mutation)


# ---- integers, full width -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("width", [16, 32, 54, 64])
def test_montgomery_bounds(width):
    """Of rs_modmul_wlm's header, for q < 2^width and R = 2^radix_bits, after every number of bits up to those of R."""
    q, y, p, total = z3.Ints("q y p total")
    radix_bits = 11 * -(-width // 11)
    for done in range(1, radix_bits + 1):
        assumptions = [q > 0, q < 2**width, p >= 0, p <= (q - 1) * (q - 1), total >= 0, total < 2**done]
        claims = [-q < y, y * 2**done < 4**width]
        if done == radix_bits:
            claims.append(y < q)
        assert implied(claims, *assumptions, y * 2**done == p - total * q), done
    assert not implied([y >= 0], *assumptions, y * 2**radix_bits == p - total * q)
