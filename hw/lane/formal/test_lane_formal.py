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
        ("rs_lane", "LANE_CT: factor = y_pre", "LANE_CT: factor = x_pre"),
        ("rs_lane", "LANE_MAC, LANE_MSUB: addend", "LANE_MAC: addend"),
        ("rs_lane", "LANE_GS, LANE_ADD, LANE_SUB: other", "LANE_GS, LANE_ADD: other"),
        ("rs_lane", "op_post == LANE_MSUB || ", ""),
        ("rs_addsub_mod", "(sum_q[W] ? q_i : '0)", "q_i"),
        ("rs_csub", "diff[W] ?", "x_i[W] ?"),
    ],
)
def test_broken_lane_is_refuted(mutation):
    assert not holds(mutation)
