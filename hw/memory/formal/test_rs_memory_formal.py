# SPDX-License-Identifier: Apache-2.0
"""Banks keep their words, whichever port they come and go by; broken ones do not."""

from functools import partial
from pathlib import Path

import pytest
from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import bounded, prove

CHECKS = [Path(__file__).parent / "rs_bank_group_proof.sv"]
# an access follows from the inputs of its cycle alone: a write, two accesses of others and a read are all that there is
STEPS = 6


def keeps(dual, log_lanes=0, pairs=0, mutation=None):
    parameters = {"LogNMax": 4 + log_lanes, "LogLanes": log_lanes, "Dual": dual, "Pairs": pairs}
    sources = rtl("rs_pkg", "rs_ram_1rw", "rs_ram_2rw", "rs_ntt_pkg", "rs_bank_group")
    return prove(bounded(STEPS), sources, CHECKS, parameters, mutation)


@pytest.mark.parametrize(("log_lanes", "pairs"), [(0, 0), (1, 1)])
@pytest.mark.parametrize("dual", [0, 1])
@pytest.mark.alike(3)
def test_a_word_stays_until_it_is_written(dual, log_lanes, pairs):
    assert keeps(dual, log_lanes, pairs)


WRITES, ADDRESSES = "{wipe_i || row_we_i, half_we_i[g]}", "'0), half_addr_i[g]}"
test_broken_banks_are_refuted = refuted(
    partial(keeps, 1, 1, 1),
    (ADDRESSES, "'0), AddrBits'(half_addr_i[g][0])}"),  # the lanes' address without its upper bits
    (ADDRESSES, "'0), half_addr_i[0]}"),  # one address for both halves
    (WRITES, "{wipe_i || row_we_i, half_we_i != '0}"),  # what is read in one half is written in the other
    (WRITES, "{row_we_i, half_we_i[g]}"),  # a wipe that reads
    alike=4,
)
