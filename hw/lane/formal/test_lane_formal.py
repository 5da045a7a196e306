# SPDX-License-Identifier: Apache-2.0
"""Proof of the lane's algebra around a stand-in multiplier. Broken lanes must not pass it."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import PIPELINE, prove

HERE = Path(__file__).parent
SOURCES = ["rs_delay", "rs_csub", "rs_addsub_mod", "rs_lane"]


def holds(mutation=None):
    return prove(PIPELINE, rtl(*SOURCES), [HERE / "stub" / "rs_modmul.sv", HERE / "rs_lane_formal.sv"], {}, mutation)


def test_lane_algebra():
    assert holds()


@pytest.mark.parametrize(
    "mutation",
    [
        (".a_i(y_i),", ".a_i(x_i),"),
        ("pre_q.factor_y ? y_pre", "pre_q.factor_y ? x_pre"),
        ("addend_y: op_q == LANE_MAC || op_q == LANE_MSUB", "addend_y: op_q == LANE_MAC"),
        ("op_q == LANE_GS || op_q == LANE_ADD || op_q == LANE_SUB;", "op_q == LANE_GS || op_q == LANE_ADD;"),
        ("a_diff: op_q == LANE_MSUB || ", "a_diff: "),
        ("(sum_q[W] ? q_i : '0)", "q_i"),
        ("diff[W] ?", "x_i[W] ?"),
    ],
)
def test_broken_lane_is_refuted(mutation):
    assert not holds(mutation)
