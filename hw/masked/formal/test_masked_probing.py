# SPDX-License-Identifier: Apache-2.0
"""Gadgets are secure against one probe with glitches and transitions, each net decided; broken ones are not
(scripts/masking)."""

import masked_gadgets as gadgets
import pytest
from rs_block import soak
from rs_cocotb import whole
from rs_formal import mutated

from tree_scripts import script


def checked(gadget, place=None, mutation=None, transitions=True, limit=20):
    netlist, probing = script("masking.netlist"), script("masking.probing")
    sources = mutated(whole(gadget.top), mutation, place)
    built = netlist.synthesised(gadget.top, sources, gadget.parameters)
    return probing.Check(built, gadget.ports, transitions, limit).run()


DAY = [
    gadgets.dom_and(2), gadgets.add(8), gadgets.a2b(113), gadgets.b2a(5), gadgets.b2a(113, lemma=True),
    gadgets.b2a_bit(251),
    gadgets.cbd(3), gadgets.compress(1), *(gadgets.differs(4, cleared) for cleared in (5, 8, 11)),
]  # fmt: skip
NIGHT = [
    gadgets.add(24), gadgets.a2b(gadgets.DILITHIUM), gadgets.b2a(gadgets.DILITHIUM, lemma=True), gadgets.cbd(5),
    gadgets.b2a_bit(65537),
    *(gadgets.compress(d) for d in (4, 5, 10, 11)), gadgets.differs(64, 20),
]  # fmt: skip


@pytest.mark.parametrize("gadget", [*DAY, *soak(*NIGHT)], ids=str)
def test_no_probe_sees_a_secret(gadget):
    result = checked(gadget)
    assert (result.verdict, result.opens, result.leaks) == ("PASS", [], [])
    assert result.cones
    assert (result.lemmas > 0) == bool(gadget.ports.lemma)


AND, SUM, A2B, B2A = gadgets.dom_and(1), gadgets.add(4), gadgets.a2b(5), gadgets.b2a(5)
BIT, OR = gadgets.b2a_bit(5), gadgets.differs(4, 5)
MIXED = "(a_i[s] & b_i[1-s]) ^ rand_i;"
OWN, SUMS = "own_q[s]   <= a_i[s] & b_i[s];", "assign c_o = own_q ^ mixed_q;"
KEPT = f"{SUMS} (* keep *) logic kept_q; always_ff @(posedge clk_i) kept_q <= ^a_i;"
MUTANTS = {
    "an AND without its fresh bit": (AND, MIXED, "a_i[s] & b_i[1-s];"),
    "an AND whose products meet before a flip-flop": (AND, OWN, f"own_q[s] <= (a_i[s] & b_i[s]) ^ {MIXED}"),
    "an AND that sums shares for a tool": (AND, SUMS, KEPT),
    "a sum whose ANDs have one fresh bit": (SUM, ".rand_i(rand_i[i])", ".rand_i(rand_i[0])"),
    "a sum whose bits wait too little": (SUM, ".Cycles(i + 1)", ".Cycles(i)"),
    "a sum that is no flip-flop's, joined": (B2A, ".Cycles(Width - i)", ".Cycles(Width - 1 - i)"),
    "the sign's sharing for all bits of Q": (A2B, "& Bits'(Q)) ^ rand_i[2*Bits-1+:Bits]", "& Bits'(Q))"),
    "one fresh word for both shares": (A2B, "{second ^ fresh[1], fresh[1]}", "{second ^ fresh[0], fresh[0]}"),
    "a residue without a mask of its own": (B2A, "{negative ^ fresh, fresh}", "{negative, (Bits + 1)'(0)}"),
    "a bit that meets its share": (BIT, "minus(Bits'(bit_i[0]), residue_i)", "minus(Bits'(^bit_i), residue_i)"),
    "a bit without a residue": (BIT, "minus(Bits'(bit_i[0]), residue_i)", "Bits'(bit_i[0])"),
    "one residue for two bits": (gadgets.cbd(3), ".residue_i(residue_i[k])", ".residue_i(residue_i[0])"),
    "an OR whose sum comes back at once": (OR, "second_q ? 2'b01 : so_far_q", "second_q ? 2'b01 : next"),
    "an OR of two sums one behind the other": (OR, ".Cycles(3)", ".Cycles(1)"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_gadget_fails(name, tmp_path):
    gadget, old, new = MUTANTS[name]
    result = checked(gadget, tmp_path, (old, new))
    assert result.verdict == "FAIL", result


def test_what_cannot_be_decided_is_open():
    assert checked(gadgets.b2a(113), limit=8).verdict == "OPEN"


def test_a_loop_needs_a_schedule():
    gadget = gadgets.differs(4)
    with pytest.raises(ValueError, match="a loop that no schedule opens"):
        checked(gadgets.Gadget(gadget.top, type(gadget.ports)({"bits_i": 0}), "", 0, gadget.model, gadget.parameters))
