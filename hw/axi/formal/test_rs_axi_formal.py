# SPDX-License-Identifier: Apache-2.0
"""Proofs about transfers over AXI by Yosys' SAT solver; each with mutants that must fail."""

from pathlib import Path

import pytest
from rs_cocotb import rtl
from rs_formal import bounded, invariant, prove

HERE = Path(__file__).parent
INVARIANT = invariant(3)
TRANSFERS = bounded(12)  # enough for a transfer of two bursts, and for the middle of longer ones

ADDRESS = ("rs_axi_address",)
LINES = ("rs_axi_pkg", "rs_axi_lines")
SHARE = ("rs_axi_pkg", "rs_axi_share")
VAULT = ("rs_axi_pkg", "rs_ram_1rw", "rs_axi_vault")
WRITE = ("rs_axi_pkg", "rs_axi_address", "rs_axi_write", "rs_pack")


def holds(top, names, method, parameters, mutation=None):
    more = [HERE / "rs_axi_channel_check.sv"] if names == ADDRESS else []
    return prove(method, rtl(*names), [*more, HERE / f"{top}.sv"], parameters, mutation)


PROOFS = [
    ("rs_axi_address_proof", ADDRESS, INVARIANT, {}),
    ("rs_axi_address_proof", ADDRESS, INVARIANT, {"BusBits": 512, "MaxBurstBytes": 4096, "Outstanding": 8}),
    ("rs_axi_address_proof", ADDRESS, INVARIANT, {"BusBits": 64, "MaxBurstBytes": 4096, "Outstanding": 4}),
    ("rs_axi_write_proof", WRITE, TRANSFERS, {}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {"Streams": 2, "BusBits": 512}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {"Streams": 16, "BusBits": 64, "LinesBits": 7}),
    ("rs_bus_guard_proof", ("rs_bus_guard",), INVARIANT, {}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {"BurstLines": 4}),
    ("rs_axi_streams_proof", ADDRESS, INVARIANT, {"Streams": 16, "BusBits": 512, "BurstLines": 2, "LinesBits": 7}),
    ("rs_axi_vault_proof", VAULT, INVARIANT, {}),
    ("rs_axi_share_proof", SHARE, INVARIANT, {}),
    ("rs_axi_share_proof", SHARE, INVARIANT, {"Writes": 3, "Reads": 2}),
    ("rs_axi_lines_proof", LINES, INVARIANT, {}),
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
    (0, ("len_q   <= streams ? stream_len : f", "end\n    begin\n      len_q   <= streams ? stream_len : f")),
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
            "open_q + CountBits'(aw_valid && write_i.aw_ready) - CountBits'(last);\n      some_q   <= (aw_valid && write_i.aw_ready) ||",
        ),
    ),
    (3, ("assign w_valid = some_q &&", "assign w_valid = some_q && write_i.w_ready &&")),
    (3, ("b_ready: busy", "b_ready: busy && write_i.w_ready")),
    # WLAST too late, too early; beats before their burst, lost or changed under clear_i; done too early
    (3, ("(place_q | beyond) == ~PlaceBits'(1) || beyond[0] || left_q", "left_q")),
    (3, ("(place_q | beyond) == '1 || left_q == '0", "left_q == '0")),
    (3, ("left_q == LeftBits'(1)", "left_q == LeftBits'(0)")),
    (3, ("place_q <= addr_i[BeatBits+:PlaceBits]", "place_q <= '0")),
    (3, ("some_q && (beat_valid_i || drop_q)", "beat_valid_i || drop_q")),
    (3, ("some_q && (beat_valid_i || drop_q)", "some_q && beat_valid_i")),
    (3, ("some_q ? write_i.w_ready : drop_q", "write_i.w_ready || drop_q")),
    (3, ("some_q ? write_i.w_ready : drop_q", "write_i.w_ready")),
    (3, ("if (clear_i && room) beat_q", "if (clear_i) beat_q")),
    (3, ("if (clear_i && room) beat_q <= '0;\n    else if", "if")),
    (3, ("open_q   <= open_q +", "open_q   <= clear_i ? '0 : open_q +")),
    (3, ("last && open_q == CountBits'(1)", "last")),
    (3, ("write_i.b_resp != 2'b00", "write_i.b_resp == 2'b10")),
    # streams: of the next one, of the first again, of the second of a pair; the high bits; too long
    (4, ("high ^ (high + 1'b1)", "'1")),
    (4, ("last_of_part[0] && !pairs_i", "last_of_part[0]")),
    (4, ("stream_q == '1", "1'b0")),
    (5, ("!streams_i || !move", "!streams_i")),
    (6, ("| (LowBits + 1)'(last_of_part + 1'b1);", ";")),
    (4, ("len_q   <= streams ? stream_len : (", "len_q   <= (")),
    # given up too late, never, twice, or without need; hangs for too short or long; a reset that does nothing, or that nobody needs
    (7, ("TimerBits'(DrainCycles - 1)", "TimerBits'(DrainCycles)")),
    (7, ("(clear_i || timing_q)", "clear_i")),
    (7, ("&& !late && (clear_i", "&& (clear_i")),
    (7, ("timer_q == '0 && any", "timer_q == '0")),
    (7, ("any && (late || hung_q)", "late")),
    (7, ("hung_q   <= any && (", "hung_q   <= (")),
    (7, ("if (!rst_ni || reset_q) begin", "if (!rst_ni) begin")),
    (7, ("rst_ni && reset_i && hung_q && !reset_q", "rst_ni && reset_i")),
    # runs of lines: a stride too long, of all streams where half are wanted, of a burst that is not aligned, too many bursts
    (8, ("last_of_part & ~LinesBits'(last_of_run)", "last_of_part")),
    (8, ("lines_i >> (LogStreams - 32'(Halves && half_i))", "lines_i >> LogStreams")),
    (8, ("!aligned_q ? 2'd0 :", "")),
    (8, ("stream_after = lines_i >> log", "stream_after = lines_i")),
    (9, ("(run_q | burst) == last_of_run", "1'b1")),
    # the vault: what was begun before a wipe lands after it, or as soon as it has ended; rows lost to reads; a read that shows what was there; what is
    # left on offer and behind the memory; a word lost
    (10, ("(write_takes && !drop_q)", "write_takes")),
    (10, ("(sweeps || !idle_i)", "sweeps")),
    (10, ("we    = wiping_q || (!clean_q && (word_we_i || !reads));", "we    = !clean_q && (word_we_i || !reads);")),
    (10, ("found_q <= asks && !sweeps;", "found_q <= asks;")),
    (10, ("if (sweeps) given_sec_q", "if (1'b0) given_sec_q")),
    (10, ("if (sweeps || !given_q || takes) behind_sec_q", "if (!given_q || takes) behind_sec_q")),
    (10, ("wiping_q && wipe_row_q == '1 && !wipe_i;", "1'b0;")),
    (10, ("(sweeps || !word_we_i)", "1'b1")),
    # a wipe that ends with a reset of the units; addresses and data of the inside go outside; data wait for AWREADY, or go without their address
    (10, ("wiping_q <= rst_ni && (wipe_i", "wiping_q <= units_rst_ni && (wipe_i")),
    (10, ("s_read_i.ar_valid && !ar_inside && !reading", "s_read_i.ar_valid && !reading")),
    (10, ("!write_busy && writes_q == '0", "!write_busy")),
    (10, ("w_out ? s_wdata_i : '0", "s_wdata_i")),
    (10, ("offer       = aw_out && !counted_q", "offer       = aw_out && m_write_i.aw_ready")),
    (10, ("m_write_o.w_valid  = s_write_i.w_valid && w_out", "m_write_o.w_valid  = s_write_i.w_valid")),
    # beats lost or exchanged, where the master waits; one every two cycles; outside beside inside
    (10, ("|| !(coming_q || behind_q));", "|| !behind_q);")),
    (10, ("given_beat_q <= behind_q ? behind_beat_q : coming_beat_q;", "given_beat_q <= coming_beat_q;")),
    (10, ("given_sec_q <= behind_q ? behind_sec_q : coming_sec;", "given_sec_q <= coming_sec;")),
    (10, ("(!given_q || takes || !(coming_q || behind_q))", "!given_q && !coming_q")),
    (10, ("reading   = asking_q || coming_q || given_q;", "reading   = asking_q || given_q;")),
    (
        10,
        (
            "ar_in     = s_read_i.ar_valid && ar_inside && !asking_q && reads_q == '0;",
            "ar_in     = s_read_i.ar_valid && ar_inside && !asking_q;",
        ),
    ),
    # what is bound: a word of the program, a write, a wipe that nobody tells of; other parts that end verdicts
    (10, ("bound_o = sweeps || (req && we &&", "bound_o = sweeps || (req && we && !word_we_i &&")),
    (10, ("bound_o = sweeps || (req && we &&", "bound_o = sweeps || (word_we_i &&")),
    (10, ("bound_o = sweeps || (req && we &&", "bound_o = (word_we_i || write_takes) && (req && we &&")),
    (10, ("&& 32'(row) < 2 * 32'(ProgramRow)", "&& 32'(row) < 32'(ProgramRow)")),
    (10, (" && 32'(row) < 2 * 32'(ProgramRow)", "")),
    # the share: an address lost, of nobody, without room; data before their address, after AWREADY, of another burst, taken from both; no turns
    (11, ("(!ar_q || m_read_i.ar_ready) && ar_valid != '0", "ar_valid != '0")),
    (11, ("if (owner) named.id |= Second;", "")),
    (12, ("&& open_q != OpenBits'(Writes)", "")),
    (11, ("w_goes = open_q != '0 && w_valid", "w_goes = w_valid")),
    (11, ("open_q + OpenBits'(aw_take)", "open_q + OpenBits'(aw_q && m_write_i.aw_ready)")),
    (12, ("put_q     <= put_q == ListBits'(Writes - 1) ? '0 : put_q", "put_q     <= put_q")),
    (11, ("list_q[put_q] <= aw_owner", "list_q[get_q] <= aw_owner")),
    (11, ("m_write_i.w_ready && w_owner == 1'(i)", "m_write_i.w_ready")),
    (11, ("r_ready: r_readies[r_owner]", "r_ready: r_readies[0]")),
    (11, ("aw_turn_q <= !aw_owner", "aw_turn_q <= aw_owner")),
    (11, ("ar_valid[0] ? ar_turn_q + 1'b1 : '0", "ar_turn_q")),
    # lines: data after AWREADY, before their address; an offer that goes
    (13, ("(SlotBits + 1)'(w_offer)", "(SlotBits + 1)'(w_said)")),
    (13, ("w_goes = w_full_q && w_due_q != '0", "w_goes = w_full_q")),
    (13, ("w_says = w_left_q != '0 &&", "w_says = w_left_q != '0 && m_write_i.w_ready &&")),
    # one of several instructions forgotten
    (7, ("runs_q[u] + 2'(start_i[u]) -", "2'(start_i[u] || runs_q[u] != '0) -")),
]


LONG = 9  # the same of more streams
PROVED = [pytest.param(proof, marks=[pytest.mark.soak] * (i == LONG)) for i, proof in enumerate(PROOFS)]


@pytest.mark.parametrize("proof", PROVED, ids=lambda proof: "-".join([proof[0], *map(str, proof[3].values())]))
@pytest.mark.alike(4)
def test_proof(proof):
    assert holds(*proof)


@pytest.mark.alike(24)
@pytest.mark.parametrize(("index", "mutation"), MUTANTS)
def test_mutant_fails(index, mutation):
    assert not holds(*PROOFS[index], mutation)
