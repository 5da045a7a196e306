# SPDX-License-Identifier: Apache-2.0
"""Proofs about the schedule, on the RTL, and that broken schedules do not pass them."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_yosys import YosysError, read, run

HERE = Path(__file__).parent
PASSED = ("no model found: SUCCESS!", "Induction step proven: SUCCESS!", "proved base case for 9 steps: SUCCESS!")
REFUTED = ("model found: FAIL!", "model found for base case: FAIL!")

ADDR = ["rs_ntt_pkg", "rs_ntt_walk", "rs_ntt_twiddle_index", "rs_ntt_addr"]
MAP = ["rs_ntt_pkg", "rs_ntt_twiddle_index"]
SEED = ["rs_ntt_pkg", "rs_twiddle_seed_index"]
REORDER = ["rs_delay", "rs_ntt_pkg", "rs_swap", "rs_ntt_reorder"]


def prove(top, names, sat, parameters, place, mutation=None):
    """Whether the assertions hold; `mutation` is a text of a source, found exactly once, and what replaces it."""
    sources = [*rtl(*names), HERE / f"{top}.sv"]
    if mutation:
        stem, old, new = mutation
        (original,) = [path for path in sources if path.stem == stem]
        text = original.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{stem} has {text.count(old)} times: {old}"
        broken = place / original.name
        broken.write_text(text.replace(old, new), encoding="utf-8")
        sources[sources.index(original)] = broken
    passes = [
        read(top, sources, parameters, "--no-synthesis-define", "-D", "FORMAL"),
        "hierarchy -check",
        "proc",
        "flatten",
        "async2sync",
        "dffunmap",
        "chformal -lower",
        "opt -full",
        "select -assert-none t:$mem* t:$*latch*",
        "select -assert-any t:$assert",
        f"sat -prove-asserts -set-assumes {sat}",
    ]
    log = run(passes)
    if any(line in log for line in PASSED):
        return True
    if any(line in log for line in REFUTED):
        return False
    raise YosysError("\n".join(log.splitlines()[-30:]))


def conflict(lanes_log2, lag, place, mutation=None, log_n_max=17, twiddle_latency=0):
    parameters = {
        "LogNMax": log_n_max,
        "LogLanes": lanes_log2,
        "WriteLag": lag,
        "TwiddleLatency": twiddle_latency or 1 + (lanes_log2 + 2) // 3,
    }
    steps = lag + 30 + twiddle_latency  # lag and a few until the start has left the pipeline
    sat = f"-tempinduct -seq 1 -maxsteps {steps}"
    return prove("rs_ntt_addr_proof", ADDR, sat, parameters, place, mutation)


def mapping(lanes_log2, place, mutation=None, log_n_max=17):
    return prove("rs_ntt_map_proof", MAP, "", {"LogNMax": log_n_max, "LogLanes": lanes_log2}, place, mutation)


def seeds(lanes_log2, log_ring, place, mutation=None, log_n_max=17):
    parameters = {"LogNMax": log_n_max, "LogLanes": lanes_log2, "LogRing": log_ring}
    return prove("rs_twiddle_seed_proof", SEED, "", parameters, place, mutation)


def reorder(lanes_log2, inverse, place, mutation=None):
    parameters = {"LogLanes": lanes_log2, "Inverse": inverse}
    return prove(
        "rs_ntt_reorder_proof", REORDER, "-seq 1 -tempinduct-baseonly -maxsteps 9", parameters, place, mutation
    )


# log2 N up to 17, W = 32 with both reductions (lags 25 and 25) and 64 (29); the lag's parity is what counts
@pytest.mark.parametrize(("lanes_log2", "lag"), [(0, 25), pytest.param(5, 29, marks=pytest.mark.slow)])
def test_no_bank_group_is_read_and_written_at_once(lanes_log2, lag, tmp_path):
    assert conflict(lanes_log2, lag, tmp_path)


def test_no_bank_group_is_read_and_written_at_once_with_twiddles_on_the_fly(tmp_path):
    assert conflict(2, 7, tmp_path, log_n_max=10, twiddle_latency=12)


@pytest.mark.parametrize("lanes_log2", range(9))
def test_every_word_is_where_the_next_stage_looks_and_every_lane_gets_its_twiddle(lanes_log2, tmp_path):
    assert mapping(lanes_log2, tmp_path)


@pytest.mark.parametrize("log_ring", [4, 5])
@pytest.mark.parametrize("lanes_log2", range(9))
def test_every_twiddle_on_the_fly_is_the_power_of_psi_that_the_table_has(lanes_log2, log_ring, tmp_path):
    assert seeds(lanes_log2, log_ring, tmp_path)


@pytest.mark.parametrize("inverse", [0, 1])
@pytest.mark.parametrize("lanes_log2", range(4))
def test_reordering(lanes_log2, inverse, tmp_path):
    assert reorder(lanes_log2, inverse, tmp_path)


def test_an_even_lag_is_refuted(tmp_path):
    assert not conflict(2, 8, tmp_path, log_n_max=8)


def test_a_stage_of_odd_length_is_refuted(tmp_path):
    mutation = ("rs_ntt_pkg", "busy  = 2 << addr_bits;", "busy  = (2 << addr_bits) + 1;")
    assert not conflict(2, 7, tmp_path, mutation, log_n_max=6)


@pytest.mark.parametrize(
    "mutation",
    [
        ("rs_ntt_pkg", "x << amount", "x << (amount + 1'b1)"),
        ("rs_ntt_pkg", "mirrored >> (LogNBits'(LogNLimit) - bits)", "mirrored >> (LogNBits'(LogNLimit) - bits + 1'b1)"),
        ("rs_ntt_twiddle_index", "LogNBits'(j + 3)", "LogNBits'(j + 2)"),
        ("rs_ntt_twiddle_index", "step_i[0] ^ inverse_i", "step_i[0]"),
    ],
)
def test_a_broken_map_is_refuted(mutation, tmp_path):
    assert not mapping(2, tmp_path, mutation)


@pytest.mark.parametrize(
    "mutation",
    [
        ("rs_twiddle_seed_index", "LogNBits'(j + 3)", "LogNBits'(j + 2)"),
        ("rs_twiddle_seed_index", "stage_i < addr_bits", "stage_i <= addr_bits + 1'b1"),
        (
            "rs_twiddle_seed_index",
            "+ LogNBits'(LogRing) > addr_bits",
            "+ LogNBits'(LogRing) > addr_bits + LogNBits'(2)",
        ),
        ("rs_twiddle_seed_index", "WordBits'(step_i & ~held_i)", "WordBits'(step_i)"),
        ("rs_twiddle_seed_index", "((step_i & held_i) >> LogRing) == '0", "1'b1"),
        ("rs_twiddle_seed_index", "step_left <= LogNBits'(LogLanes + 2)", "step_left <= LogNBits'(LogLanes + 3)"),
    ],
)
def test_broken_seeds_are_refuted(mutation, tmp_path):
    assert not seeds(2, 4, tmp_path, mutation, log_n_max=13)


@pytest.mark.parametrize(
    ("lanes_log2", "mutation"),
    [
        (0, ("rs_ntt_reorder", "phase_1 == 2'd3 ? late_2_q", "phase_1 == 2'd1 ? late_2_q")),
        (2, ("rs_ntt_reorder", "phase_1[1]),", "phase_i[1]),")),
        (2, ("rs_ntt_reorder", "k % 2 * Lanes + k / 2 * (Lanes / 2) + r", "k / 2 * Lanes + k % 2 * (Lanes / 2) + r")),
    ],
)
def test_broken_reordering_is_refuted(lanes_log2, mutation, tmp_path):
    assert not reorder(lanes_log2, 0, tmp_path, mutation)
