# SPDX-License-Identifier: Apache-2.0
"""Proofs about the schedule, on the RTL. Broken schedules must not pass them."""

from functools import partial
from pathlib import Path

import pytest
from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import COMBINATIONAL, bounded, induction, prove

HERE = Path(__file__).parent
ADDR = ["rs_ntt_pkg", "rs_ntt_walk", "rs_ntt_twiddle_index", "rs_ntt_addr"]
MAP = ["rs_ntt_pkg", "rs_ntt_twiddle_index"]
SEED = ["rs_ntt_pkg", "rs_twiddle_seed_index"]
REORDER = ["rs_delay", "rs_delay_en", "rs_ntt_pkg", "rs_swap", "rs_ntt_reorder"]


def holds(method, top, names, parameters, mutation):
    return prove(method, rtl(*names), [HERE / f"{top}.sv"], parameters, mutation)


def conflict(lanes_log2, lag, mutation=None, log_n_max=17, twiddle_latency=0, encode=0, parted=0, sliced=0):
    parameters = {
        "LogNMax": log_n_max,
        "LogLanes": lanes_log2,
        "WriteLag": lag,
        "TwiddleLatency": twiddle_latency or 1 + (lanes_log2 + 2) // 3,
        "Encode": encode,
        "Parted": parted,
        "Sliced": sliced,
    }
    steps = lag + 30 + twiddle_latency  # lag and a few until the start has left the pipeline
    return holds(induction(steps), "rs_ntt_addr_proof", ADDR, parameters, mutation)


def mapping(lanes_log2, mutation=None, log_n_max=17, encode=0, sliced=0):
    parameters = {"LogNMax": log_n_max, "LogLanes": lanes_log2, "Encode": encode, "Sliced": sliced}
    return holds(COMBINATIONAL, "rs_ntt_map_proof", MAP, parameters, mutation)


def seeds(lanes_log2, log_ring, mutation=None, log_n_max=17):
    parameters = {"LogNMax": log_n_max, "LogLanes": lanes_log2, "LogRing": log_ring}
    return holds(COMBINATIONAL, "rs_twiddle_seed_proof", SEED, parameters, mutation)


def reorder(lanes_log2, inverse, mutation=None, latency=3, encode=0):
    parameters = {"LogLanes": lanes_log2, "Inverse": inverse, "Latency": latency, "Encode": encode}
    parameters |= {"W": 1} if encode else {}
    return holds(
        bounded(14 + latency if encode else 6 + latency), "rs_ntt_reorder_proof", REORDER, parameters, mutation
    )


# log2 N up to 17. The lag's parity is what counts; longer ones take longer.
@pytest.mark.parametrize(
    ("lanes_log2", "lag"),
    [(0, 9), (5, 9), pytest.param(0, 25, marks=pytest.mark.soak), pytest.param(5, 29, marks=pytest.mark.soak)],
)
@pytest.mark.alike(3)
def test_no_bank_group_is_read_and_written_at_once(lanes_log2, lag):
    assert conflict(lanes_log2, lag)


def test_no_bank_group_is_read_and_written_at_once_with_twiddles_on_the_fly():
    assert conflict(2, 7, log_n_max=10, twiddle_latency=12)


@pytest.mark.alike(4)
@pytest.mark.parametrize("lanes_log2", range(9))
def test_every_word_is_where_the_next_stage_looks_and_every_lane_gets_its_twiddle(lanes_log2):
    assert mapping(lanes_log2)


@pytest.mark.alike(4)
@pytest.mark.parametrize("log_ring", [4, 5])
@pytest.mark.parametrize("lanes_log2", range(9))
def test_every_twiddle_on_the_fly_is_the_power_of_psi_that_the_table_has(lanes_log2, log_ring):
    assert seeds(lanes_log2, log_ring)


@pytest.mark.parametrize("inverse", [0, 1])
@pytest.mark.parametrize(("lanes_log2", "latency"), [(0, 3), (1, 3), (1, 5), (2, 5), (3, 5)])
@pytest.mark.alike(3)
def test_reordering(lanes_log2, latency, inverse):
    assert reorder(lanes_log2, inverse, latency=latency)


# ---- encode and decode ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lanes_log2", "lag"), [(0, 7), (2, 7), pytest.param(5, 21, marks=pytest.mark.soak)])
@pytest.mark.alike(3)
def test_no_bank_group_is_read_and_written_at_once_in_an_fft(lanes_log2, lag):
    assert conflict(lanes_log2, lag, log_n_max=10, encode=1)


@pytest.mark.parametrize(("lanes_log2", "lag"), [(0, 7), pytest.param(2, 7, marks=pytest.mark.soak)])
def test_no_bank_group_is_read_and_written_at_once_in_a_part_of_an_inverse(lanes_log2, lag):
    assert conflict(lanes_log2, lag, log_n_max=10, encode=1, parted=1)


test_a_broken_part_is_refuted = refuted(
    partial(conflict, 0, 7, log_n_max=10, encode=1, parted=1),
    ("last_turns(2), last_turns(1), last_turns(0)", "last_turns(1), last_turns(2), last_turns(0)"),
    ("1'b1 - LogNBits'(skipped)", "1'b1"),
    ("part_i - 1'b1 : '0", "part_i : '0"),
)


@pytest.mark.alike(3)
@pytest.mark.parametrize("lanes_log2", range(9))
def test_every_point_is_where_the_next_stage_looks_and_every_lane_gets_its_root(lanes_log2):
    assert mapping(lanes_log2, encode=1)


@pytest.mark.parametrize("inverse", [0, 1])
@pytest.mark.parametrize(
    ("lanes_log2", "latency"), [(0, 3), (1, 5), (2, 5), pytest.param(3, 5, marks=pytest.mark.soak)]
)
@pytest.mark.alike(3)
def test_reordering_of_points(lanes_log2, latency, inverse):
    assert reorder(lanes_log2, inverse, latency=latency, encode=1)


test_a_broken_map_of_points_is_refuted = refuted(
    partial(mapping, 2, log_n_max=12, encode=1),
    ("second_i ^ odd_o", "second_i"),
    ("low[AddrBits:1]", "low[AddrBits-1:0]"),
    ("low[0] && stage_i != '0", "low[0]"),
    ("stage_i - LogNBits'(fft)", "stage_i"),
    ("fixed_o[SelectBits-1] = 1'b1", "fixed_o[SelectBits-1] = 1'b0"),
    alike=3,
)


@pytest.mark.parametrize(
    ("lanes_log2", "mutation"),
    [
        (0, ("fft_second_q <= step[1]", "fft_second_q <= step[0]")),
        (1, ("!(fft && Lanes == 2)", "1'b1")),
        (2, ("high_late_q : phase_late_q[1]", "phase_late_q[1] : phase_late_q[1]")),
        (2, ("!fft || last_q", "1'b1")),
    ],
)
@pytest.mark.alike(3)
def test_broken_reordering_of_points_is_refuted(lanes_log2, mutation):
    assert not reorder(lanes_log2, 0, mutation, latency=5 if lanes_log2 else 3, encode=1)


def test_an_even_lag_of_an_fft_is_refuted():
    assert not conflict(2, 8, log_n_max=8, encode=1)


# ---- slices ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lanes_log2", "lag"), [(0, 7), (2, 9), pytest.param(2, 21, marks=pytest.mark.soak)])
@pytest.mark.alike(3)
def test_no_bank_group_is_read_and_written_at_once_of_slices(lanes_log2, lag):
    assert conflict(lanes_log2, lag, log_n_max=10, sliced=1)


@pytest.mark.alike(4)
@pytest.mark.parametrize("lanes_log2", range(9))
def test_every_word_of_every_slice_is_where_the_next_stage_looks(lanes_log2):
    assert mapping(lanes_log2, sliced=1)


test_a_broken_map_of_slices_is_refuted = refuted(
    partial(mapping, 2, log_n_max=12, sliced=1),
    ("rotate(x & ~above, amount, bits) | (x & above)", "rotate(x, amount, bits)"),  # modulo the group's
    ("rotate(x & ~above, amount, bits) | (x & above)", "rotate(x, amount, bits) | (x & above)"),  # no mask
    ("rotate(x & ~above, amount, bits) | (x & above)", "rotate(x & ~above, amount, bits) | (x >> 1 & above)"),
    ("mirrored >> (LogNBits'(LogNLimit) - bits)", "mirrored >> (LogNBits'(LogNLimit) - bits - 1'b1)"),
    alike=3,
)

test_a_broken_walk_of_slices_is_refuted = refuted(
    partial(conflict, 2, 9, log_n_max=9, sliced=1),
    # a stage of odd length; a pause that is no whole block
    ("CountBits'(slices_i) << addr_bits << 1 |", "CountBits'(slices_i) << addr_bits << 1 | CountBits'(slices_i[0]) |"),
    ("sliced_pause(a, s + 1, WriteLag));", "sliced_pause(a, s + 1, WriteLag) + 1);"),
    alike=3,
)


# ---- broken schedules -----------------------------------------------------------------------------------------------
def test_an_even_lag_is_refuted():
    assert not conflict(2, 8, log_n_max=8)


def test_a_stage_of_odd_length_is_refuted():
    mutation = ("busy  = 2 << addr_bits;", "busy  = (2 << addr_bits) + 1;")
    assert not conflict(2, 7, mutation, log_n_max=6)


test_a_broken_map_is_refuted = refuted(
    partial(mapping, 2),
    ("x << amount", "x << (amount + 1'b1)"),
    ("mirrored >> (LogNBits'(LogNLimit) - bits)", "mirrored >> (LogNBits'(LogNLimit) - bits + 1'b1)"),
    ("LogNBits'(j + 3)", "LogNBits'(j + 2)"),
    ("group ^ inverse_i", "group"),
    alike=3,
)

test_broken_seeds_are_refuted = refuted(
    partial(seeds, 2, 4, log_n_max=13),
    ("LogNBits'(j + 3)", "LogNBits'(j + 2)"),
    ("stage_i < addr_bits", "stage_i <= addr_bits + 1'b1"),
    ("+ LogNBits'(LogRing) > addr_bits", "+ LogNBits'(LogRing) > addr_bits + LogNBits'(2)"),
    ("WordBits'(step_i & ~held_i)", "WordBits'(step_i)"),
    ("((step_i & held_i) >> LogRing) == '0", "1'b1"),
    ("step_left <= LogNBits'(LogLanes + 2)", "step_left <= LogNBits'(LogLanes + 3)"),
    alike=3,
)


@pytest.mark.parametrize(
    ("lanes_log2", "mutation"),
    [
        (0, ("twice_q  <= turn == 2'd3", "twice_q  <= turn == 2'd1")),
        (2, ("high_late_q : phase_late_q[1]", "high_late_q : phase[1]")),
        (2, ("k % 2 * Lanes + k / 2 * (Lanes / 2) + r", "k / 2 * Lanes + k % 2 * (Lanes / 2) + r")),
    ],
)
@pytest.mark.alike(3)
def test_broken_reordering_is_refuted(lanes_log2, mutation):
    assert not reorder(lanes_log2, 0, mutation)
