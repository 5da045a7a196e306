# SPDX-License-Identifier: Apache-2.0
"""Proof about kept verdicts of key slots by Yosys' SAT solver, with mutants that must fail."""

from pathlib import Path

from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent
STOPS = "!rst_ni || wipe_i || clear_i || bound_i || renewed"


def holds(mutation=None):
    sources = rtl("rs_isa_pkg", "rs_checked", "rs_key_slots")
    return prove(invariant(2), sources, [HERE / "rs_key_slots_formal.sv"], {}, mutation)


def test_proof():
    assert holds()


test_wrong_verdicts_are_not_proved = refuted(
    holds,
    # one clear is missing: of a reset, a wipe, a program that is stopped, a write of what is bound, a lane of a key; or it is of the other slot
    (STOPS, STOPS.replace("!rst_ni || ", "")),
    (STOPS, STOPS.replace("wipe_i || ", "")),
    (STOPS, STOPS.replace("clear_i || ", "")),
    (STOPS, STOPS.replace("bound_i || ", "")),
    (STOPS, STOPS.replace(" || renewed", "")),
    ("key_we_o && given == SlotBits'(s)", "key_we_o && given != SlotBits'(s)"),
    # the same while a HASH 13 runs: before its last lane, or before it begins
    ("disturbs = bound_i || key_we_o || wipe_i;", "disturbs = key_we_o || wipe_i;"),
    ("disturbs = bound_i || key_we_o || wipe_i;", "disturbs = bound_i || wipe_i;"),
    ("disturbs = bound_i || key_we_o || wipe_i;", "disturbs = bound_i || key_we_o;"),
    ("(start_i || compare_i || rest_i || (key_i && disturbs))", "(start_i || compare_i || rest_i)"),
    # a verdict of any slot, of one that is not whole, of the last lane alone, of what differs
    ("judge_i && slot_i == SlotBits'(s)", "judge_i"),
    ("kept_o  = verdict_q[slot_i];", "kept_o  = verdict_q != '0;"),
    ("equal = !key_i || valid_q[slot_i];", "equal = 1'b1;"),
    ("compare_i ? equal_o && same_i : rest_i", "compare_i ? same_i : rest_i"),
    (".data_i (equal_o),\n        .data_o (verdict_q[s])", ".data_i (1'b1),\n        .data_o (verdict_q[s])"),
    # slots that keep a lane
    ("lane == 4'(KeyLanes - 1) && next_q[given] == lane;", "lane == 4'(KeyLanes - 1);"),
    ("lane == '0 || lane == next_q[given] ? lane + 4'd1 : '0;", "lane + 4'd1;"),
    alike=4,
)
