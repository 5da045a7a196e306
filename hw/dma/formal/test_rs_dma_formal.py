# SPDX-License-Identifier: Apache-2.0
"""Proofs about the DMA by Yosys' SAT solver; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import bounded, invariant, prove

HERE = Path(__file__).parent
INVARIANT = invariant(3)
TRANSFERS = bounded(12)  # enough for a transfer of two bursts, and for the middle of longer ones

ADDRESS = ("rs_axi_address",)
WRITE = ("rs_axi_address", "rs_axi_write", "rs_pack")
STORE = ("rs_ram_1r1w", "rs_next_reversed", "rs_isa_pkg", "rs_dma_pkg", "rs_axi_address", "rs_axi_write", "rs_pack")
STORE += ("rs_transpose", "rs_dma_store")
SLOTS = ("rs_ram_1r1w", "rs_dma_pkg", "rs_shift_round", "rs_slot_number", "rs_slot_walk", "rs_store_slots")


def holds(top, names, method, parameters, mutation=None):
    return prove(method, rtl(*names), [HERE / f"{top}.sv"], parameters, mutation)


PROOFS = [
    ("rs_axi_address_proof", ADDRESS, INVARIANT, {}),
    ("rs_axi_address_proof", ADDRESS, INVARIANT, {"BusBits": 512, "MaxBurstBytes": 4096, "Outstanding": 8}),
    ("rs_axi_address_proof", ADDRESS, INVARIANT, {"BusBits": 64, "MaxBurstBytes": 4096, "Outstanding": 4}),
    ("rs_axi_write_proof", WRITE, TRANSFERS, {}),
    ("rs_dma_store_proof", STORE, INVARIANT, {}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {"Streams": 2, "BusBits": 512}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {"Streams": 16, "BusBits": 64, "LinesBits": 7}),
    ("rs_bus_guard_proof", ("rs_bus_guard",), INVARIANT, {}),
    ("rs_dma_store_proof", STORE, INVARIANT, {"BusBits": 128}),  # four words, with a queue
    ("rs_store_slots_proof", SLOTS, INVARIANT, {}),
]
MUTANTS = [
    # bursts cross 4 KiB
    (0, ("(after_q != '0 ? '1 : end_q) - line_q[PlaceBits-1:0]", "(after_q != '0 ? '1 : end_q)")),
    # more beats than a burst may have
    (2, ("MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits", "MaxBurstBytes")),
    # one burst too many
    (0, ("next && free_q != '0 && !clear_i", "next && !clear_i")),
    # what is offered goes with clear_i, grows, or is followed by more
    (0, ("offer || (valid_q && !ready_i)", "offer || (valid_q && !ready_i && !clear_i)")),
    (
        0,
        (
            "len_q   <= streams ? '0 : final_q ? end_q : '1;\n      final_q",
            "end\n    begin\n      len_q   <= streams ? '0 : final_q ? end_q : '1;\n      final_q",
        ),
    ),
    (0, ("if (clear_i) more_q <= 1'b0;\n      else if", "if")),
    # bursts leave a gap, or are announced twice; the last one is too long, or one too late
    (0, ("low_q | LowBits'(PlaceBits'({PlaceBits{!streams}}))", "low_q")),
    (0, ("(differ_q & {AtBits - LowBits{flip_q}})", "differ_q")),
    (0, ("if (count_q) differ_q", "if (taken) differ_q")),
    (1, ("else if (taken) line_q", "else if (offer) line_q")),
    (1, ("final_q ? end_q : '1", "'1")),
    (1, ("32'(after_q) == 2", "32'(after_q) == 1")),
    # addresses wait for a ready, or for answers that need not be there yet
    (0, ("next && free_q != '0 && !clear_i", "next && free_q != '0 && !clear_i && ready_i")),
    (0, ("assign valid_o = valid_q;", "assign valid_o = valid_q && ready_i;")),
    (0, ("next && free_q != '0 && !clear_i", "next && 32'(free_q) > 1 && !clear_i")),
    (0, ("assign offer_o = offer;", "assign offer_o = taken;")),
    # idle before the last answer
    (1, ("free_q + CountBits'(answer_i) != CountBits'(Outstanding)", "free_q == '0")),
    # beats wait until their address is taken, or for a ready; answers wait for one
    (
        3,
        (
            "open_q + CountBits'(offer) - CountBits'(last);\n      some_q   <= offer ||",
            "open_q + CountBits'(awvalid_o && awready_i) - CountBits'(last);\n      some_q   <= (awvalid_o && awready_i) ||",
        ),
    ),
    (3, ("assign wvalid_o = some_q &&", "assign wvalid_o = some_q && wready_i &&")),
    (3, ("assign bready_o = busy;", "assign bready_o = busy && wready_i;")),
    # WLAST too late, too early; beats before their burst, lost or changed under clear_i; done too early
    (3, ("(place_q | beyond) == ~PlaceBits'(1) || beyond[0] || left_q", "left_q")),
    (3, ("(place_q | beyond) == '1 || left_q == '0", "left_q == '0")),
    (3, ("left_q == LeftBits'(1)", "left_q == LeftBits'(0)")),
    (3, ("place_q <= addr_i[BeatBits+:PlaceBits]", "place_q <= '0")),
    (3, ("some_q && (beat_valid_i || drop_q)", "beat_valid_i || drop_q")),
    (3, ("some_q && (beat_valid_i || drop_q)", "some_q && beat_valid_i")),
    (3, ("some_q ? wready_i : drop_q", "wready_i || drop_q")),
    (3, ("some_q ? wready_i : drop_q", "wready_i")),
    (3, ("if (clear_i && room) beat_q", "if (clear_i) beat_q")),
    (3, ("if (clear_i && room) beat_q <= '0;\n    else if", "if")),
    (3, ("open_q   <= open_q +", "open_q   <= clear_i ? '0 : open_q +")),
    (3, ("last && open_q == CountBits'(1)", "last")),
    (3, ("bresp_i != 2'b00", "bresp_i == 2'b10")),
    # chunks asked for without room
    (4, ("more_q && room_q != '0", "more_q")),
    (4, ("room_q   <= room_q - RoomBits'(row_req)", "room_q   <= room_q - RoomBits'(coming_q[0])")),
    (4, ("room_q   <= RoomBits'(Depth);", "room_q   <= RoomBits'(Depth + 1);")),
    (9, ("more_q && room_q != '0", "more_q")),
    (9, ("assign pop = column_valid && column_ready;", "assign pop = column_ready;")),
    # the same of STORES: words without room, one place too many; a beat that changes or goes
    (10, ("more_q && room_q != '0", "more_q")),
    (10, ("room_q  <= 3'(Depth);", "room_q  <= 3'(Depth + 1);")),
    (10, ("fill_q != '0 && room", "room")),
    (10, ("assign room = !valid_q || beat_ready_i", "assign room = 1'b1")),
    # streams: of the next one, of the first again, of the second of a pair; the high bits; too long
    (5, ("high ^ (high + 1'b1)", "'1")),
    (5, ("last_of_part[0] && !pairs_i", "last_of_part[0]")),
    (5, ("stream_q == '1", "1'b0")),
    (6, ("!streams_i || !move", "!streams_i")),
    (7, ("| (LowBits + 1)'(last_of_part + 1'b1)", "")),
    (5, ("len_q   <= streams ? '0 : (", "len_q   <= (")),
    # given up too late, never, twice, or without need; hangs for too short or long; a reset that does nothing, or that nobody needs
    (8, ("TimerBits'(DrainCycles - 1)", "TimerBits'(DrainCycles)")),
    (8, ("(clear_i || timing_q)", "clear_i")),
    (8, ("&& !late && (clear_i", "&& (clear_i")),
    (8, ("timer_q == '0 && any", "timer_q == '0")),
    (8, ("any && (late || hung_q)", "late")),
    (8, ("hung_q   <= any && (", "hung_q   <= (")),
    (8, ("if (!rst_ni || reset_q) begin", "if (!rst_ni) begin")),
    (8, ("rst_ni && reset_i && hung_q && !reset_q", "rst_ni && reset_i")),
    # one of several instructions forgotten
    (8, ("runs_q[u] + 2'(start_i[u]) -", "2'(start_i[u] || runs_q[u] != '0) -")),
]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: "-".join([proof[0], *map(str, proof[3].values())]))
def test_proof(proof):
    assert holds(*proof)


@pytest.mark.alike(6)
@pytest.mark.parametrize(("index", "mutation"), MUTANTS)
def test_mutant_fails(index, mutation):
    assert not holds(*PROOFS[index], mutation)
