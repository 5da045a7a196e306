# SPDX-License-Identifier: Apache-2.0
"""Proofs about the samplers by Yosys' SAT solver, for all inputs and, by induction, all times; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_yosys import YosysError, mutated, read, run

HERE = Path(__file__).parent
COMBINATIONAL = ""
INDUCTION = "-tempinduct -maxsteps 3"
SUCCESS = ("SAT proof finished - no model found: SUCCESS!", "Induction step proven: SUCCESS!")


def prove(top, sources, options, parameters, replace, place):
    """Whether all assertions hold. `replace` is a mutation of the RTL, whose text has to be there exactly once."""
    files = [*mutated(rtl(*sources), replace, place), HERE / "rs_handshake.sv", HERE / f"{top}.sv"]
    passes = [
        read(top, files, parameters, "--no-synthesis-define"),
        "prep",
        "flatten",
        "async2sync",
        "dffunmap",
        "chformal -lower",
        "opt -full",
        "select -assert-any t:$assert",
    ]
    run(passes)  # so that what follows can only fail by the proof
    try:
        log = run([*passes, f"sat -prove-asserts -set-assumes {options} -verify"])
    except YosysError as error:
        if "proof did fail" in str(error):
            return False
        raise
    assert any(text in log for text in SUCCESS), log[-3000:]
    return True


CBD, TRITS = ("rs_cbd21",), ("rs_trits5",)
PROOFS = [
    ("rs_cbd21_formal", CBD, COMBINATIONAL, {}),
    ("rs_trits5_formal", TRITS, COMBINATIONAL, {}),
    ("rs_sample_cbd_formal", ("rs_sample_cbd", *CBD), INDUCTION, {}),
    ("rs_stream_gear_formal", ("rs_stream_gear",), INDUCTION, {"InBytes": 34, "OutBytes": 6, "AltBytes": 2}),
    *(
        ("rs_sample_ternary_formal", ("rs_sample_ternary", *TRITS), INDUCTION, {"LanesOut": lanes, "BytesIn": size})
        for lanes, size in [(1, 1), (4, 1), (8, 2), (16, 2)]
    ),
]
MUTANTS = [
    (0, ("weight - 6'd21", "weight - 6'd20")),
    (0, ("bytes_sec_i[44:24]", "bytes_sec_i[45:25]")),
    (1, ("8'd243", "8'd244")),
    (1, ("rest >= 8'(3 ** k)", "rest > 8'(3 ** k)")),
    (2, ("if (room) valid_q <= take", "valid_q <= take")),
    (2, ("left_q != '0 && room", "left_q != '0 && room && data_q[0] != 6'd3")),
    (3, ("else if (take || fill)", "else if (fill)")),
    (3, ("ready_o = count_rest < beat", "ready_o = count_rest <= beat")),
    (5, ("end else if (ready_i) begin\n      valid_q <= 1'b0;", "end else begin\n      valid_q <= 1'b0;")),
    (5, ("ready_o = wants && room", "ready_o = wants && room && data_sec_i[0] != 8'd7")),
    (5, ("if (!Paced || state_q != Read) credit_q", "if (!Paced) credit_q")),
    (6, ("credit >= CreditBits'(Digits)", "credit >= CreditBits'(LanesOut)")),
]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: "-".join([proof[0], *map(str, proof[3].values())]))
def test_proof(proof, tmp_path):
    assert prove(*proof, None, tmp_path)


@pytest.mark.parametrize(("index", "replace"), MUTANTS)
def test_mutant_fails(index, replace, tmp_path):
    assert not prove(*PROOFS[index], replace, tmp_path)
