# SPDX-License-Identifier: Apache-2.0
"""Proofs about the DMA by Yosys' SAT solver; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent
INVARIANT = invariant(3)

STORE = ("rs_ram_1r1w", "rs_next_reversed", "rs_isa_pkg", "rs_dma_pkg", "rs_axi_pkg")
STORE += ("rs_axi_address", "rs_axi_write", "rs_pack", "rs_transpose", "rs_dma_store")
SLOTS = ("rs_ram_1r1w", "rs_dma_pkg", "rs_shift_round", "rs_slot_number", "rs_slot_walk", "rs_store_slots")


def holds(top, names, method, parameters, mutation=None):
    return prove(method, rtl(*names), [HERE / f"{top}.sv"], parameters, mutation)


PROOFS = [
    ("rs_dma_store_proof", STORE, INVARIANT, {}),
    ("rs_dma_store_proof", STORE, INVARIANT, {"BusBits": 128}),  # four words, with a queue
    ("rs_store_slots_proof", SLOTS, INVARIANT, {}),
    ("rs_dma_store_proof", STORE, INVARIANT, {"BurstLines": 2, "Short": 1, "LogNMax": 7}),
    ("rs_dma_store_proof", STORE, INVARIANT, {"BusBits": 128, "BurstLines": 4, "Short": 1, "LogNMax": 8}),
]
MUTANTS = [
    # chunks asked for without room
    (0, ("more_q && room_q != '0", "more_q")),
    (0, ("room_q   <= room_q - RoomBits'(row_req)", "room_q   <= room_q - RoomBits'(coming_q[0])")),
    (0, ("room_q   <= RoomBits'(Depth);", "room_q   <= RoomBits'(Depth + 1);")),
    (1, ("more_q && room_q != '0", "more_q")),
    (1, ("assign pop = column_valid && column_ready;", "assign pop = column_ready;")),
    # the same of STORES: words without room, one place too many; a beat that changes or goes
    (2, ("more_q && room_q != '0", "more_q")),
    (2, ("room_q  <= 3'(Depth);", "room_q  <= 3'(Depth + 1);")),
    (2, ("fill_q != '0 && room", "room")),
    (2, ("assign room = !valid_q || beat_ready_i", "assign room = 1'b1")),
    # bursts of several lines, halves
    (3, ("more_q && room_q != '0", "more_q")),
    (3, ("RoomBits'(row_req) + RoomBits'(pop)", "RoomBits'(row_req) + RoomBits'(pop || coming_q[0])")),
    (4, ("Depth = Direct ? Places :", "Depth = Direct ? Places + 1 :")),
]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: "-".join([proof[0], *map(str, proof[3].values())]))
def test_proof(proof):
    assert holds(*proof)


@pytest.mark.alike(6)
@pytest.mark.parametrize(("index", "mutation"), MUTANTS)
def test_mutant_fails(index, mutation):
    assert not holds(*PROOFS[index], mutation)
