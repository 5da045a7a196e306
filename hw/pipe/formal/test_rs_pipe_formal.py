# SPDX-License-Identifier: Apache-2.0
"""Proofs: the bursts of the streaming unit are legal and never too many, each line has its place, and nothing is lost, for all times. Broken ones are refuted."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent
METHOD = replace(invariant(2), options=())  # without the RTL's own assertions: a memory's hold only after a reset
PARTS = ("rs_axi_pkg", "rs_ram_1r1w", "rs_pipe_queue", "rs_pipe_turns")


def holds(name, mutation=None, parameters=None):
    checks = [HERE / "rs_pipe_bursts.sv", HERE / f"{name}_proof.sv"]
    return prove(METHOD, rtl(*PARTS, name), checks, parameters, mutation)


@pytest.mark.parametrize("name", ["rs_pipe_read", "rs_pipe_write"])
@pytest.mark.parametrize(
    "parameters",
    [{}, {"Streams": 1, "Depth": 2, "Outstanding": 2}, {"Streams": 3, "Depth": 4, "Outstanding": 8}],
    ids=lambda parameters: "-".join(map(str, parameters.values())),
)
@pytest.mark.alike(2)
def test_proof(name, parameters):
    assert holds(name, parameters=parameters)


test_broken_reading_is_refuted = refuted(
    partial(holds, "rs_pipe_read"),
    # too many under way; an offer that changes, or goes with clear_i; one that comes with it
    ("open_q != OpenBits'(Outstanding) && ", ""),
    ("(!ar_q || read_i.ar_ready) && open_q", "open_q"),
    ("ask || (ar_q && !read_i.ar_ready)", "ask || (ar_q && !read_i.ar_ready && !clear_i)"),
    (" && !drop_q && !clear_i),", " && !drop_q),"),
    # more bytes than a line; an address that waits for a ready
    ("len: '0}", "len: 8'd1}"),
    ("(!ar_q || read_i.ar_ready) && open_q", "read_i.ar_ready && open_q"),
    # lines without a place
    ("room[s] = room_q != '0", "room[s] = 1'b1"),
    ("CountBits'(taken) - CountBits'(asked)", "CountBits'(taken) - CountBits'(came)"),
    # another's lines; those of before clear_i
    ("head == StreamBits'(s)", "put_q[0] == StreamBits'(s)"),
    ("put_q == OrderBits'(Outstanding - 1)", "put_q == OrderBits'(Outstanding - 2)"),
    ("clear_i || (drop_q && open_q != '0)", "clear_i"),
    # rs_pipe_queue: the end of the rows; a wipe that leaves the pointers apart
    ("place == PlaceBits'(Depth - 1) ? '0 :", "place == PlaceBits'(Depth) ? '0 :"),
    ("if (take_i || wipe_i) take_q", "if (take_i) take_q"),
    # rs_pipe_turns: a job in another's place, a line too few, one twice
    ("!next_q && !clear_i", "!clear_i"),
    ("!active_q || (goes && left_q == '0)", "!active_q || (goes && 32'(left_q) <= 1)"),
    ("end else if (goes) begin", "end else if (goes && !put) begin"),
    # idle while lines are under way
    ("quiet && open_q == '0", "quiet"),
    ("read_i.r_resp != 2'b00", "read_i.r_resp == 2'b10"),
    ("read_i.r_id != '0", "read_i.r_id[0]"),
    (" || !read_i.r_last)", ")"),
    alike=9,
    mark="slow",
)

test_broken_writing_is_refuted = refuted(
    partial(holds, "rs_pipe_write"),
    # too many without an answer; an offer that changes, or goes with clear_i
    ("open_q != OpenBits'(Outstanding) && ", ""),
    ("(!aw_q || write_i.aw_ready) && !ahead_q", "!ahead_q"),
    ("go || (aw_q && !write_i.aw_ready)", "go || (aw_q && !write_i.aw_ready && !clear_i)"),
    ("show || (w_q && !write_i.w_ready)", "show || (w_q && !write_i.w_ready && !clear_i)"),
    ("ahead_q != '0 && (!w_q || write_i.w_ready)", "ahead_q != '0"),
    # a beat that waits until its address is taken, or for a ready; an address that waits for a beat
    ("ahead_q != '0 && (!w_q || write_i.w_ready)", "ahead_q != '0 && !aw_q && (!w_q || write_i.w_ready)"),
    ("ahead_q != '0 && (!w_q || write_i.w_ready)", "ahead_q != '0 && write_i.w_ready"),
    ("(!aw_q || write_i.aw_ready) && !ahead_q", "(!aw_q || write_i.aw_ready) && (!w_q || write_i.w_ready) && !ahead_q"),
    # bursts of 128 bytes; beats that are not the last of their burst
    ("len: '0}", "len: 8'd1}"),
    ("w_last: 1'b1", "w_last: aw_q"),
    # more addresses than are kept; one without a line, two for one
    ("!ahead_q[ListBits] && ", ""),
    ("silent[s] = silent_q != '0", "silent[s] = 1'b1"),
    ("CountBits'(comes) - CountBits'(goes)", "CountBits'(comes) - CountBits'(shows)"),
    # lines of another stream; lines that nobody wants any more; lines beyond the buffer
    ("list_q[put_q] <= chosen;", "list_q[put_q] <= {chosen[0], chosen[Streams-1:1]};"),
    ("if (owner[s] && !clear_i && !drop_q)", "if (owner[s] && !drop_q)"),
    ("lines != CountBits'(Depth) && !drop_q", "!drop_q"),
    ("lines != CountBits'(Depth) && !drop_q", "lines != CountBits'(Depth)"),
    # idle before the last answer
    ("&& here == '0 && open_q == '0", "&& here == '0"),
    ("write_i.b_resp != 2'b00", "write_i.b_resp == 2'b10"),
    (" || write_i.b_id != '0)", ")"),
    alike=9,
    mark="slow",
)
