# SPDX-License-Identifier: Apache-2.0
"""Proof of the lane's algebra around a stand-in multiplier. Broken lanes must not pass it."""

from pathlib import Path

from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import PIPELINE, prove

HERE = Path(__file__).parent
SOURCES = ["rs_delay", "rs_delay_en", "rs_csub", "rs_addsub_mod", "rs_half_diff", "rs_lane"]


def holds(mutation=None):
    return prove(PIPELINE, rtl(*SOURCES), [HERE / "stub" / "rs_modmul.sv", HERE / "rs_lane_formal.sv"], {}, mutation)


def test_lane_algebra():
    assert holds()


test_broken_lane_is_refuted = refuted(
    holds,
    ("fixed && !inverse ? '0 : gs_y_i", "fixed && !inverse ? '0 : gs_x_i"),
    ("half_q ? half : y_pre", "half_q ? half : x_pre"),
    ("keep_a_q <= op_i != LANE_MUL;", "keep_a_q <= 1'b1;"),
    ("keep_b_q <= op_i == LANE_CT;", "keep_b_q <= 1'b1;"),
    ("factor: op_i == LANE_GS || op_i == LANE_ADD ||", "factor: op_i == LANE_GS ||"),
    ("minus: op_i == LANE_GS || op_i == LANE_MSUB ||", "minus: op_i == LANE_GS ||"),
    ("minus: op_i == LANE_GS || ", "minus: "),
    ("(sum_q[W] ? q_i : '0)", "q_i"),
    ("(minus_q ? sum_q[W] : !moved[W])", "sum_q[W]"),
    ("twice = diff_q[W] && !diff_q[0]", "twice = diff_q[W]"),
    ("+ W'(odd)", ""),
)
