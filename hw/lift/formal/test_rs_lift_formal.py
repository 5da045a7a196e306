# SPDX-License-Identifier: Apache-2.0
"""Proof of LIFT's and LIFTON's sums and ROUND's comparison for every modulus of eight bits. Broken RTL must not pass it."""

from pathlib import Path

from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import PIPELINE, prove

HERE = Path(__file__).parent
SOURCES = ["rs_lift_small", "rs_lift_lane", "rs_lift_onto", "rs_round_bit"]


def holds(mutation=None):
    return prove(PIPELINE, rtl(*SOURCES), [HERE / "rs_lift_formal.sv"], {"W": 8}, mutation)


def test_lift_and_round():
    assert holds()


test_broken_is_refuted = refuted(
    holds,
    (": q_i & {W{negative_sec}}", ": q_i"),
    ("scale_i && negative_sec", "negative_sec"),
    ("~q_i & {W{!negative_sec}}", "~q_i"),
    ("{W{value_sec_i[0]}}", "{W{value_sec_i[1]}}"),
    ("scale_i || !negative_sec", "!negative_sec"),
    ("{1'b0, addend_sec_i}", "'0"),
    ("if (valid_i) lifted_sec_q", "lifted_sec_q"),
    (": q & {W{sum_sec_q[W]}}", ": q & {W{sum_sec_q[W-1]}}"),
    ("{W{!sum_sec_q[W]}}", "{W{1'b1}}"),
    ("below_i && !sum_sec_q[W]", "!sum_sec_q[W]"),
    ("{below_i, a_sec_i}", "{1'b0, a_sec_i}"),
    ("q_i & {W{sum_sec_q[W]}}", "'0"),
    ("{1'b0, q_i[W-1:1]}", "{1'b0, q_i[W-1:2], 1'b1}"),
    ("{W - ErrorBits{error_sec_i[ErrorBits-1]}}", "{W - ErrorBits{1'b0}}"),
    ("limit_sec_q < value_sec_i", "limit_sec_q <= value_sec_i"),
)
