# SPDX-License-Identifier: Apache-2.0
"""Proofs: a commutator brings every word to its pair, for each kind of memory. Broken ones are refuted."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import bounded, prove

HERE = Path(__file__).parent
COMMUTATOR = ["rs_delay", "rs_delay_en", "rs_ram_1rw", "rs_ram_1r1w", "rs_stream_delay", "rs_stream_commutator"]


def commutator(log_rows, lut_rows, mutation=None):
    """For three times D tokens, so that all rows are read that were written by both ways, two pauses, the reset and the last result."""
    parameters = {"LogRows": log_rows, "LutRows": lut_rows}
    method = bounded((3 << log_rows) + 4)
    return prove(method, rtl(*COMMUTATOR), [HERE / "rs_stream_commutator_proof.sv"], parameters, mutation)


# one register, two, look-up tables, a memory of two rows, and of four
@pytest.mark.parametrize(
    ("log_rows", "lut_rows"), [(0, 64), (1, 64), (2, 64), (2, 2), pytest.param(3, 2, marks=pytest.mark.soak)]
)
def test_every_word_comes_to_its_pair(log_rows, lut_rows):
    assert commutator(log_rows, lut_rows)


@pytest.mark.parametrize(
    ("log_rows", "lut_rows", "mutation"),
    [
        (1, 64, ("crossed ? late : upper_i", "upper_i")),
        (1, 64, ("crossed ? upper_i : late", "late")),
        (1, 64, ("waits_q && row == '0", "waits_q")),
        (1, 64, ("first ? live_i : live_q", "live_i")),
        (1, 64, ("token_i && live && last", "token_i && last")),
        (2, 64, (".raddr_i(row_i)", ".raddr_i(row_i + 1'b1)")),
        (2, 2, ("pair + 1'b1", "pair")),
        (2, 2, ("if (fresh_q) next_q", "if (token_i) next_q")),
        (2, 2, ("odd_q  <= next_q[1]", "odd_q  <= next_q[0]")),
        (2, 2, ("fresh_q <= token_i && !odd", "fresh_q <= token_i")),
    ],
)
def test_a_broken_commutator_is_refuted(log_rows, lut_rows, mutation):
    assert not commutator(log_rows, lut_rows, mutation)
