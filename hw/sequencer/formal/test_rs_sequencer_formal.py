# SPDX-License-Identifier: Apache-2.0
"""Proofs about issue, tags and faults for all programs and all times, by induction; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_yosys import mutated, read, run

HERE = Path(__file__).parent
ISSUE = ("rs_isa_pkg", "rs_decode", "rs_scoreboard", "rs_tags", "rs_issue")
SOURCES = {"rs_issue_formal": ISSUE, "rs_sequencer_formal": ("rs_ram_1rw", *ISSUE, "rs_fetch", "rs_sequencer")}


def prove(top, place, mutation=None):
    """Whether all assertions hold. `mutation`: a text of the RTL that is there exactly once, and what replaces it."""
    files = [*mutated(rtl(*SOURCES[top]), mutation, place), HERE / f"{top}.sv"]
    log = run(
        [
            read(top, files, {}, "--no-synthesis-define"),
            "prep -flatten",
            "memory_map",
            "async2sync",
            "dffunmap",
            "chformal -lower",
            "opt -full",
            "select -assert-any t:$assert",
            "sat -prove-asserts -set-assumes -tempinduct -maxsteps 2",
        ]
    )
    if "Induction step proven: SUCCESS!" in log:
        return True
    assert "Induction step failed" in log or "FAIL!" in log, log[-3000:]
    return False


@pytest.mark.parametrize("top", SOURCES)
def test_proof(top, tmp_path):
    assert prove(top, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutation",
    [
        # rs_decode
        ("({16{form.b_group}} & b)", "({16{form.b_group}} & a)"),
        ("(instr_i & ~form.bits) != '0", "(instr_i[31:0] & ~form.bits[31:0]) != '0"),
        # rs_scoreboard
        ("(slots_i & slots_q[u]) != '0", "1'b0"),
        ("(ctx_read_q[u] | ctx_write_q[u])", "ctx_write_q[u]"),
        ("busy_q[u] && (unit_i[u] ||", "busy_q[u] && ("),
        # rs_tags
        ("tag == TAG_SECRET || tag == TAG_PRODUCT", "tag == TAG_SECRET"),
        ("dst == TAG_PRODUCT || operand == TAG_PRODUCT", "dst == TAG_PRODUCT"),
        ("form_i.unit == UNIT_STORE && a != TAG_PUBLIC", "form_i.unit == UNIT_STORE && a == TAG_SECRET"),
        ("(form_i.b_group && b == TAG_EMPTY) ||", ""),
        # rs_issue
        ("free && !hold_i", "free"),
        ("!is_end && free", "!is_end"),
        ("else if (secret) fault_o", "else if (secret && form_q.ctx) fault_o"),
        ("if (!rst_ni || clear_i) expanding_q <= 1'b0;", "if (!rst_ni) expanding_q <= 1'b0;"),
    ],
)
def test_wrong_issue_is_not_proved(mutation, tmp_path):
    assert not prove("rs_issue_formal", tmp_path, mutation)


@pytest.mark.parametrize(
    "mutation",
    [
        ("stop = unit_failed ||", "stop ="),
        ("(state_q != StRun || stop)", "(state_q != StRun)"),
        ("if (unit_busy_o == '0) begin", "begin"),
        ("state_q != StIdle && cause_q == FAULT_NONE", "state_q != StIdle"),
        ("(~Drains & {Units{clear_q}})", "'0"),
        ("if (late) fault = FAULT_WATCHDOG;", ""),
    ],
)
def test_wrong_end_is_not_proved(mutation, tmp_path):
    assert not prove("rs_sequencer_formal", tmp_path, mutation)
