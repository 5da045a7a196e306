# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations never read and write a bank group in one cycle; broken address walks do."""

from functools import partial
from pathlib import Path

import pytest
from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import induction, prove

CHECKS = [Path(__file__).parent / "rs_vector_walk_proof.sv"]


def holds(lanes_log2, lag, mutation=None, log_n=17, streamed=0):
    parameters = {"LogNMax": log_n, "LogLanes": lanes_log2, "WriteLag": lag, "Streamed": streamed}
    sources = rtl("rs_ntt_pkg", "rs_next_reversed", "rs_vector_walk")
    return prove(induction(lag + 10), sources, CHECKS, parameters, mutation)


@pytest.mark.parametrize(
    ("lanes_log2", "lag"),
    [(0, 23), *(pytest.param(*case, marks=pytest.mark.soak) for case in [(2, 25), (8, 39)]), (5, 23)],
)
@pytest.mark.alike(2)
def test_one_access_per_cycle(lanes_log2, lag):
    assert holds(lanes_log2, lag)


test_broken_walks_are_refuted = refuted(
    partial(holds, 2, 25),
    ("start_i ? 1'b0 : !phase_q", "1'b0"),  # a read in every cycle
    ("pending_q[WriteLag-1]", "pending_q[WriteLag-2]"),  # an even lag
    ("write_next = write_q + 1'b1", "write_next = write_q + 2'd2"),  # rows left out
    alike=3,
)


def test_order_of_a_stream():
    """With the places of chunks in NTT form, whenever they come."""
    assert holds(0, 7, log_n=11, streamed=1)


test_broken_orders_are_refuted = refuted(
    partial(holds, 0, 7, log_n=11, streamed=1),
    ("after[i][2] = !row[i][2]", "after[i][1] = !row[i][1]"),
    ("(!Streamed || !stream_i || stream_valid_i)", "1'b1"),
    ("if (row[i][2]) after[i][1] =", "if (!row[i][2]) after[i][1] ="),
)
