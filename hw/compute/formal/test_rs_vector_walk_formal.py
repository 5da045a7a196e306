# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations never read and write in one cycle; broken walks do."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_yosys import YosysError, mutated, read, run

HERE = Path(__file__).parent
TOP = "rs_vector_walk_proof"


def prove(place, lanes_log2, lag, mutation=None, log_n_max=17):
    sources = [*mutated(rtl("rs_ntt_pkg", "rs_vector_walk"), mutation, place), HERE / f"{TOP}.sv"]
    parameters = {"LogNMax": log_n_max, "LogLanes": lanes_log2, "WriteLag": lag}
    passes = [
        read(TOP, sources, parameters, "--no-synthesis-define", "-D", "FORMAL"),
        "hierarchy -check",
        "proc",
        "flatten",
        "async2sync",
        "dffunmap",
        "chformal -lower",
        "opt -full",
        "select -assert-any t:$assert",
        f"sat -prove-asserts -set-assumes -tempinduct -seq 1 -maxsteps {lag + 10}",
    ]
    log = run(passes)
    if "Induction step proven: SUCCESS!" in log:
        return True
    if "model found for base case: FAIL!" in log:
        return False
    raise YosysError("\n".join(log.splitlines()[-30:]))


@pytest.mark.parametrize(("lanes_log2", "lag"), [(0, 23), (2, 25), (5, 23), (8, 39)])
def test_one_access_per_cycle(lanes_log2, lag, tmp_path):
    assert prove(tmp_path, lanes_log2, lag)


@pytest.mark.parametrize(
    "mutation",
    [
        ("start_i ? 1'b0 : !phase_q", "1'b0"),  # a read in every cycle
        ("pending_q[WriteLag-1]", "pending_q[WriteLag-2]"),  # an even lag
        ("if (write) write_q <= write_q + 1'b1", "if (write) write_q <= write_q + 2'd2"),  # rows left out
    ],
)
def test_broken_walks_are_refuted(mutation, tmp_path):
    assert not prove(tmp_path, 2, 25, mutation)
