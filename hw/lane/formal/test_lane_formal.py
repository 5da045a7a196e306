# SPDX-License-Identifier: Apache-2.0
"""Proof of the lane's algebra around a stand-in multiplier, and that broken lanes do not pass it."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_yosys import prove

HERE = Path(__file__).parent
SOURCES = ["rs_delay", "rs_csub", "rs_addsub_mod", "rs_lane"]


def holds(mutation=None):
    return prove(
        "rs_lane_formal", [*rtl(*SOURCES), HERE / "stub" / "rs_modmul.sv", HERE / "rs_lane_formal.sv"], {}, mutation
    )


def test_lane_algebra():
    assert holds()


@pytest.mark.parametrize(
    "mutation",
    [
        ("rs_lane", ".a_i(y_i),", ".a_i(x_i),"),
        ("rs_lane", "pre_q.factor_y ? y_pre", "pre_q.factor_y ? x_pre"),
        ("rs_lane", "addend_y: op_q == LANE_MAC || op_q == LANE_MSUB", "addend_y: op_q == LANE_MAC"),
        ("rs_lane", "op_q == LANE_GS || op_q == LANE_ADD || op_q == LANE_SUB;", "op_q == LANE_GS || op_q == LANE_ADD;"),
        ("rs_lane", "a_diff: op_q == LANE_MSUB || ", "a_diff: "),
        ("rs_addsub_mod", "(sum_q[W] ? q_i : '0)", "q_i"),
        ("rs_csub", "diff[W] ?", "x_i[W] ?"),
    ],
)
def test_broken_lane_is_refuted(mutation):
    assert not holds(mutation)
