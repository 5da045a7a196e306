# SPDX-License-Identifier: Apache-2.0
"""Proofs about streaming transforms, for all integers. Broken claims must not pass them."""

import pytest
import z3
from rs_formal import implied

LOG_TOKENS = range(17)  # log2 of the tokens of a set: 2^16 is the longest, of N = 2^17 and two lanes
START = 2  # cycles from a limb's announcement to its first token: the header of rs_stream_twiddles


def never_late(log_tokens, depth=None, make=None, announced=0):
    """Whether set m of a stage is there when its first token comes, if set m - 1 and all before it were.

    Cycles of set m: its stage may make it from the cycle after `known`, it has its turn in `turn`, is at the port from `there` on, has its first token in
    `first` and its last in `taken`. depth, make: other claims about rs_stream_pkg::set_depth and set_latency. announced: cycles that are missing between
    `known` and `first`.
    """
    tokens = 1 << log_tokens
    latency = z3.Int("set_latency")
    sets = z3.Int("set_depth")
    known, first_before, first = z3.Ints("known first_before first")
    turn_before, turn, taken_before, taken_oldest, latest = z3.Ints("turn_before turn taken_before taken_oldest latest")
    there_before = turn_before + latency
    there = turn + (latency if make is None else latency + make)
    assumptions = [
        latency >= 1,
        # rs_stream_pkg::set_depth: 2 + ceil((set_latency - 1) / tokens)
        sets == 2 + (latency - 1 + tokens - 1) / tokens + (depth or 0),
        # the turn comes once in as many cycles as a set has tokens, and is used if the limb is known, set m - depth was taken and m - 1 made
        z3.Or(latest == known, latest == taken_oldest, latest == turn_before),
        latest >= known,
        latest >= taken_oldest,
        latest >= turn_before,
        turn > latest,
        turn <= latest + tokens,
        # one token per cycle at most
        taken_before >= first_before + tokens - 1,
        first >= taken_before + 1,
        taken_before >= taken_oldest + (sets - 1) * tokens,  # set m - depth is depth - 1 sets before m - 1
        # twiddles of a limb that is known
        first >= known + tokens + latency - announced,
        # what is to be shown of m holds for m - 1
        there_before <= first_before,
    ]
    return implied([there <= first], *assumptions)


@pytest.mark.parametrize("log_tokens", LOG_TOKENS)
def test_no_set_is_late(log_tokens):
    assert never_late(log_tokens)


@pytest.mark.parametrize("log_tokens", [0, 1, 5, 16])
@pytest.mark.parametrize("broken", [{"depth": -1}, {"make": 1}, {"announced": 1}])
def test_a_shorter_queue_a_slower_multiplier_and_a_later_limb_are_refuted(log_tokens, broken):
    assert not never_late(log_tokens, **broken)


def known_in_time(start=START, before=0):
    """Whether a limb that was announced START cycles before its first token is known early enough at every stage with a commutator.

    A stage whose sets last d tokens uses the first set of a limb N/P - d tokens after the limb's first token, and behind `before` cycles of arithmetic.
    """
    limb, tokens, latency, log_lanes, butterfly, commutator = z3.Ints(
        "limb tokens latency log_lanes butterfly commutator"
    )
    assumptions = [
        tokens >= 1,
        limb >= 2 * tokens,  # the longest sets are those of the first commutator: half a limb
        log_lanes >= 1,
        butterfly >= 1,
        commutator >= 0,
        # rs_stream_twiddles does not elaborate otherwise
        latency <= START + log_lanes * butterfly + commutator,
    ]
    first = start + limb - tokens + log_lanes * butterfly + commutator - before
    return implied([first >= tokens + latency], *assumptions)


def test_a_limb_is_known_in_time():
    assert known_in_time()


@pytest.mark.parametrize("broken", [{"start": START - 1}, {"before": 1}])
def test_a_limb_that_is_announced_later_is_refuted(broken):
    assert not known_in_time(**broken)
