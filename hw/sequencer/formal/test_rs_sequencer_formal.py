# SPDX-License-Identifier: Apache-2.0
"""Proofs about issue, tags and faults for all programs and all times, by induction; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent
ISSUE = ("rs_isa_pkg", "rs_decode", "rs_scoreboard", "rs_tags", "rs_issue")
SOURCES = {"rs_issue_formal": ISSUE, "rs_sequencer_formal": ("rs_ram_1rw", *ISSUE, "rs_fetch", "rs_sequencer")}


def holds(top, mutation=None):
    return prove(invariant(2), rtl(*SOURCES[top]), [HERE / f"{top}.sv"], {}, mutation)


@pytest.mark.parametrize("top", SOURCES)
def test_proof(top):
    assert holds(top)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutation",
    [
        # rs_decode
        ("({16{form_i.b_group}} & b)", "({16{form_i.b_group}} & a)"),
        ("(64'(instr_i) & ~form_i.bits) != '0", "(32'(instr_i) & ~form_i.bits[31:0]) != '0"),
        # rs_scoreboard
        ("(slots_i & slots_q[u]) != '0", "1'b0"),
        ("(ctx_read_q[u] | ctx_write_q[u])", "ctx_write_q[u]"),
        ("conflict_q[u] <= unit_i[u] ||", "conflict_q[u] <="),
        # rs_tags
        ("tag == TAG_SECRET || tag == TAG_PRODUCT", "tag == TAG_SECRET"),
        ("dst_q == TAG_PRODUCT || operand == TAG_PRODUCT", "dst_q == TAG_PRODUCT"),
        ("form_i.unit == UNIT_STORE && a_q != TAG_PUBLIC", "form_i.unit == UNIT_STORE && a_q == TAG_SECRET"),
        ("(form_i.b_group && b_q == TAG_EMPTY) ||", ""),
        ("result_q      <= result;", "if (issue_i) result_q <= result;"),
        # rs_issue
        ("ready_q && free", "ready_q"),
        ("issue_q & ~{Units{hold_i}}", "issue_q"),
        ("!look_q && !judge_q && !held_q", "!judge_q && !held_q"),
        ("ready_q <= fault == FAULT_NONE && !is_end", "ready_q <= !is_end"),
        ("else if (secret) fault", "else if (secret && form_q.ctx) fault"),
        ("if (!rst_ni || clear_i) expanding_q <= 1'b0;", "if (!rst_ni) expanding_q <= 1'b0;"),
    ],
)
def test_wrong_issue_is_not_proved(mutation):
    assert not holds("rs_issue_formal", mutation)


@pytest.mark.parametrize(
    "mutation",
    [
        ("stop = failed_q != '0 ||", "stop ="),
        ("(state_q != StRun || stop)", "(state_q != StRun)"),
        ("state_q == StDrain && unit_busy_o == '0;", "state_q == StDrain;"),
        ("running && cause_q == FAULT_NONE", "running"),
        ("(~Drains & {Units{clear_q}})", "'0"),
        ("if (late_q) fault = FAULT_WATCHDOG;", ""),
        ("cycles_q >= watchdog_i", "cycles_q > watchdog_i"),
    ],
)
def test_wrong_end_is_not_proved(mutation):
    assert not holds("rs_sequencer_formal", mutation)
