# SPDX-License-Identifier: Apache-2.0
"""Proofs about the samplers by Yosys' SAT solver, for all inputs and, by induction, all times; each with mutants that must fail."""

import pytest
from rs_cocotb import rtl
from rs_formal import COMBINATIONAL, invariant, prove
from rs_yosys import HW

INVARIANT = invariant(3)


def holds(top, names, method, parameters, mutation=None):
    checks = [path for path in HW.glob("*/formal/*.sv") if path.stem in ("rs_handshake", top)]
    return prove(method, rtl(*names), sorted(checks), parameters, mutation)


CBD, TRITS = ("rs_cbd21",), ("rs_trits5",)
PROOFS = [
    ("rs_cbd21_formal", CBD, COMBINATIONAL, {}),
    ("rs_trits5_formal", TRITS, COMBINATIONAL, {}),
    ("rs_sample_cbd_formal", ("rs_sample_cbd", *CBD), INVARIANT, {}),
    ("rs_stream_gear_formal", ("rs_stream_gear",), INVARIANT, {"InBytes": 34, "OutBytes": 12, "AltBytes": 2}),
    *(
        ("rs_sample_ternary_formal", ("rs_sample_ternary", *TRITS), INVARIANT, {"LanesOut": lanes, "BytesIn": size})
        for lanes, size in [(1, 1), (4, 1), (8, 2), (16, 2)]
    ),
]
MUTANTS = [
    (0, ("weight - 6'd21", "weight - 6'd20")),
    (0, ("bytes_sec_i[44:24]", "bytes_sec_i[45:25]")),
    (1, ("8'(27 * k))", "8'(27 * k + 1))")),
    (1, ("multiple |= 5'(27 * k)", "multiple |= 5'(27 * k + 1)")),
    (2, ("valid_q <= parts_valid_q", "valid_q <= parts_valid_q && parts_q[0][0] != 3'd3")),
    (2, ("take = valid_i && more_q", "take = valid_i && more_q && data_q[0] != 6'd3")),
    (3, ("else if (!alt_i || ready_i || !valid_q)", "else if (!alt_i || ready_i || held_q)")),
    (3, ("!held_q && !step_q", "!step_q")),
    (3, ("room_o = left_q <= (alt_i ? LeftBits'(0)", "room_o = left_q <= (alt_i ? LeftBits'(1)")),
    (3, ("!step_q && !came_q", "!step_q")),
    (3, ("valid_q <= came_q && full", "valid_q <= came_q && full && word_q[0]")),
    (5, ("ready_o = !halves_valid_q || wants", "ready_o = (!halves_valid_q || wants) && data_sec_i[0] != 8'd7")),
    (5, ("valid_q <= slot", "valid_q <= slot && packed_sec_q[1:0] != 2'd2")),
    (5, ("if (!Paced || state_q != Read) credit_q", "if (!Paced) credit_q")),
    (6, ("credit >= CreditBits'(Digits)", "credit >= CreditBits'(LanesOut)")),
]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: "-".join([proof[0], *map(str, proof[3].values())]))
def test_proof(proof):
    assert holds(*proof)


@pytest.mark.parametrize(("index", "mutation"), MUTANTS)
@pytest.mark.alike(4)
def test_mutant_fails(index, mutation):
    assert not holds(*PROOFS[index], mutation)
