# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations never read and write a bank group in one cycle; broken address walks do."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import induction, prove

CHECKS = [Path(__file__).parent / "rs_vector_walk_proof.sv"]


def holds(lanes_log2, lag, mutation=None):
    parameters = {"LogNMax": 17, "LogLanes": lanes_log2, "WriteLag": lag}
    return prove(induction(lag + 10), rtl("rs_ntt_pkg", "rs_vector_walk"), CHECKS, parameters, mutation)


@pytest.mark.parametrize(
    ("lanes_log2", "lag"),
    [(0, 23), *(pytest.param(*case, marks=pytest.mark.soak) for case in [(2, 25), (8, 39)]), (5, 23)],
)
def test_one_access_per_cycle(lanes_log2, lag):
    assert holds(lanes_log2, lag)


@pytest.mark.alike(3)
@pytest.mark.parametrize(
    "mutation",
    [
        ("start_i ? 1'b0 : !phase_q", "1'b0"),  # a read in every cycle
        ("pending_q[WriteLag-1]", "pending_q[WriteLag-2]"),  # an even lag
        ("if (write) write_q <= write_q + 1'b1", "if (write) write_q <= write_q + 2'd2"),  # rows left out
    ],
)
def test_broken_walks_are_refuted(mutation):
    assert not holds(2, 25, mutation)
