# SPDX-License-Identifier: Apache-2.0
"""Proof about the wipe by Yosys' SAT solver, with mutants that must fail."""

from pathlib import Path

import pytest
from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent


def holds(row_bits=3, mutation=None):
    return prove(invariant(2), rtl("rs_wipe"), [HERE / "rs_wipe_proof.sv"], {"RowBits": row_bits}, mutation)


@pytest.mark.parametrize("row_bits", [3, pytest.param(11, marks=pytest.mark.soak)])
def test_proof(row_bits):
    assert holds(row_bits)


test_wrong_wipes_are_not_proved = refuted(
    holds,
    # a second stop does not begin the wait anew, as it was; nor does a command
    ("else if (command_i || clear_i) settle_q <=", "else if ((command_i || clear_i) && settle_q == '0) settle_q <="),
    ("else if (command_i || clear_i) settle_q <=", "else if (clear_i) settle_q <="),
    ("SettleBits = 5", "SettleBits = 3"),
    # rows that are left out
    ("if (!rst_ni || command_i || clear_i) next_row_q", "if (!rst_ni) next_row_q"),
    ("next && next_row_q == '1 && !clear_i", "next && next_row_q[RowBits-1:1] == '1 && !clear_i"),
    ("row_q    <= next ? next_row_q : '0;", "row_q    <= next ? next_row_q | RowBits'(1) : '0;"),
    # no end of the program is waited for, too short a rinse, none, or while rows are still written
    ("&& !sweeps_q && !busy_i", "&& !busy_i"),
    ("&& !sweeps_q && !busy_i", "&& !sweeps_q"),
    ("RinseBits = 7", "RinseBits = 6"),
    (
        "if (!rst_ni || command_i) {sweeps_q, rinses_q} <= '1;",
        "if (!rst_ni || command_i) {sweeps_q, rinses_q} <= 2'b10;",
    ),
    ("rst_ni && rinse && !command_i ? rinsed_q", "rst_ni && rinses_q ? rinsed_q"),
    # it is said to be over too early
    ("sweeps_q || rinses_q || rinse_q;", "sweeps_q;"),
    alike=4,
)
