# SPDX-License-Identifier: Apache-2.0
"""Proofs about the ring of descriptors by Yosys' SAT solver; each with mutants that must fail."""

from functools import partial
from pathlib import Path

import pytest
from rs_block import refuted
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent
HANDSHAKE = HERE.parents[1] / "common" / "formal" / "rs_handshake.sv"
SOURCES = ("rs_axi_pkg", "rs_ring_pkg", "rs_ring")


def holds(method, parameters=None, mutation=None):
    return prove(method, rtl(*SOURCES), [HANDSHAKE, HERE / "rs_ring_proof.sv"], parameters or {}, mutation)


# one, two and eight beats of a descriptor
@pytest.mark.parametrize("bus_bits", [256, *(pytest.param(bits, marks=pytest.mark.soak) for bits in (64, 512))])
def test_proof(bus_bits):
    assert holds(invariant(2), {"BusBits": bus_bits})


@pytest.mark.soak
def test_reads_beside_writes():
    """The host's reads and writes at the same time."""
    assert holds(invariant(2), {"BusBits": 256, "Together": 1})


test_wrong_turns_are_not_proved = refuted(
    partial(holds, invariant(2), {"BusBits": 256, "Together": 1}),
    ("!(s_axil_i.ar_valid && !own_ar && passing)", "1'b1"),
    ("!(s_axil_i.aw_valid && s_axil_i.w_valid && !own_aw && passing)", "1'b1"),
    mark="soak",
)

test_wrong_rings_are_not_proved = refuted(
    partial(holds, invariant(2), {"BusBits": 256}),
    # a descriptor runs again, or counts though it failed; another one is read, or beyond the ring, or past tail
    ("default: if (done_i) state_q <= StIdle;", "default: if (done_i) state_q <= StPort;"),
    ("if (ends) head_q <=", "if (ends || fails) head_q <="),
    ("{42'd0, head_q &", "{42'd0, tail_q &"),
    ("~(16'hffff << size_q)", "~(16'hfffe << size_q)"),
    ("!error_q && head_q != tail_q", "!error_q"),
    ("if (!enable_q && s_axil_i.w_data[RingControlEnableBit]) head_q <= '0;", ""),
    # reads, or writes, while a program runs; LOG_N stays in a pointer, a register is left out
    ("if (more && calm_i)", "if (more)"),
    ("if (!write_q[0]) ring_data[5:0] = '0;", ""),
    ("write_q <= write_q + 1'b1;", "write_q <= write_q + 5'd2;"),
    ("32'(beat_q) == i", "32'(beat_q) != i"),
    # failures that go by: of the first beat, of a start, of a program; an error that does not stop, or goes with any write
    ("(bad_q || read_i.r_resp != 2'b00)", "read_i.r_resp != 2'b00"),
    ("(write_q == WriteStart && !started_q && !start_i)", "1'b0"),
    ("fails = done_i && cause_i != '0;", "fails = 1'b0;"),
    ("enable_q && !error_q &&", "enable_q &&"),
    ("if (!s_axil_i.w_data[RingControlEnableBit]) error_q", "error_q"),
    ("if (fails || (ends && head_q + 16'd1 == tail_q)) irq_q", "if (ends && head_q + 16'd1 == tail_q) irq_q"),
    # one that comes while the host clears another is lost
    ("      else if (to_control && s_axil", "      if (to_control && s_axil"),
    # the ring's writes and the host's accesses get in each other's way; the host's own program starts where the ring's did
    ("assign free = claim_q && !pending_q;", "assign free = !pending_q;"),
    ("&& (!claim_q || pending_q)", ""),
    ("assign first_o = state_q == StIdle ? '0 :", "assign first_o ="),
    # a wipe, after which the ring goes on, with this descriptor or with the next; bits that say nothing
    ("fails = stopped_q || reserved != '0;", "fails = reserved != '0;"),
    ("if (stop_i) enable_q <= 1'b0;", ""),
    ("fails = stopped_q || reserved != '0;", "fails = stopped_q;"),
    # a valid is withdrawn, an answer too
    ("aw_q <= state_q == StWrite && (aw_q || m_axil_i.aw_ready);", "aw_q <= state_q == StWrite;"),
    ("(rvalid_q && !s_axil_i.r_ready)", "1'b0"),
    mark="soak",
)
