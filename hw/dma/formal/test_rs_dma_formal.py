# SPDX-License-Identifier: Apache-2.0
"""Proofs about the DMA by Yosys' SAT solver; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_yosys import YosysError, mutated, read, run

HERE = Path(__file__).parent
INDUCTION = "-tempinduct -maxsteps 3"
STEPS = 10  # enough for a transfer of two bursts, and for the middle of longer ones
BOUNDED = f"-seq 1 -tempinduct-baseonly -tempinduct -maxsteps {STEPS}"
PASSED = ("Induction step proven: SUCCESS!", f"proved base case for {STEPS} steps: SUCCESS!")
REFUTED = ("model found for base case: FAIL!", "Reached maximum number of time steps -> proof failed.")

ADDRESS = ("rs_axi_address",)
WRITE = ("rs_axi_address", "rs_axi_write")
STORE = ("rs_isa_pkg", "rs_dma_pkg", "rs_axi_address", "rs_axi_write", "rs_pack", "rs_dma_store")


def prove(top, sources, sat, parameters, replace, place):
    """Whether all assertions hold. `replace` is a mutation of the RTL, whose text has to be there exactly once."""
    files = [*mutated(rtl(*sources), replace, place), HERE / f"{top}.sv"]
    passes = [
        read(top, files, parameters, "--no-synthesis-define"),
        "prep",
        "flatten",
        "async2sync",
        "dffunmap",
        "chformal -lower",
        "opt -full",
        "select -assert-any t:$assert",
        f"sat -prove-asserts -set-assumes {sat}",
    ]
    log = run(passes)
    if any(text in log for text in PASSED):
        return True
    if any(text in log for text in REFUTED):
        return False
    raise YosysError(log[-3000:])


PROOFS = [
    ("rs_axi_address_proof", ADDRESS, INDUCTION, {}),
    ("rs_axi_address_proof", ADDRESS, INDUCTION, {"BusBits": 512, "MaxBurstBytes": 4096, "Outstanding": 8}),
    ("rs_axi_address_proof", ADDRESS, INDUCTION, {"BusBits": 64, "MaxBurstBytes": 4096, "Outstanding": 4}),
    ("rs_axi_write_proof", WRITE, BOUNDED, {}),
    ("rs_dma_store_proof", STORE, INDUCTION, {}),
]
MUTANTS = [
    # bursts cross 4 KiB
    (0, ("burst = left_q < LinesBits'(room) ?", "burst = left_q < LinesBits'(BurstLines) ?")),
    # more beats than a burst may have
    (2, ("MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits", "MaxBurstBytes")),
    # one burst too many
    (0, ("&& outstanding_q != CountBits'(Outstanding)", "")),
    # what is offered goes with clear_i, or grows
    (0, ("valid_o && !ready_i ? LinesBits'(burst) : '0", "'0")),
    (0, ("if (clear_i) left_q <= valid_o && !ready_i ? LinesBits'(burst) : '0;", "if (clear_i) left_q <= left_q;")),
    # bursts leave a gap, or are announced twice
    (0, ("PlaceBits] + 1'b1, PlaceBits'(0)}", "PlaceBits] + 1'b1, line_q[PlaceBits-1:0]}")),
    (1, ("left_q - LinesBits'(burst)", "left_q - LinesBits'(room)")),
    (1, ("outstanding_q + CountBits'(taken)", "outstanding_q + CountBits'(valid_o)")),
    # WLAST too late, too early; beats before their burst, lost or changed under clear_i; done too early
    (3, ("place_q == '1 || left_q", "left_q")),
    (3, ("place_q == '1 || left_q == LeftBits'(1)", "place_q == '1")),
    (3, ("place_q <= addr_i[BeatBits+:PlaceBits]", "place_q <= '0")),
    (3, ("take = open_q != '0 &&", "take =")),
    (3, ("take = open_q != '0 && (!valid_q || wready_i) &&", "take = open_q != '0 &&")),
    (3, ("drop_q ? '0 : beat_i", "clear_i ? '0 : beat_i")),
    (3, ("open_q <= open_q +", "open_q <= clear_i ? '0 : open_q +")),
    (3, ("bresp_i != 2'b00", "bresp_i == 2'b10")),
    # chunks asked for without room
    (4, ("left_q != '0 && room_q != '0", "left_q != '0")),
    (4, ("room_q   <= room_q - 3'(chunk_req_o)", "room_q   <= room_q - 3'(coming_q[0])")),
    (4, ("room_q   <= 3'(Depth);", "room_q   <= 3'(Depth + 1);")),
]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: "-".join([proof[0], *map(str, proof[3].values())]))
def test_proof(proof, tmp_path):
    assert prove(*proof, None, tmp_path)


@pytest.mark.parametrize(("index", "replace"), MUTANTS)
def test_mutant_fails(index, replace, tmp_path):
    assert not prove(*PROOFS[index], replace, tmp_path)
