# SPDX-License-Identifier: Apache-2.0
"""Gadgets: what they compute, in random shares and for all numbers where there are few; t of their toggles; their
flip-flops are those of synthesis."""

import itertools
import os

import masked_gadgets as gadgets
import numpy as np
import pytest
from masked_bench import Bench
from rs_block import Block, soak
from rs_cocotb import whole

from tree_scripts import script

pytestmark = pytest.mark.alike(3, by="gadget")

SOAK = "RINGSIDE_SOAK" in os.environ
TRACES = 1_000_000 if SOAK else 20_000
BAR = 4.5
FEW = 100  # traces after which it is seen that randomness is off

PIPELINES = [
    gadgets.dom_and(3), gadgets.add(4), gadgets.add(24), gadgets.a2b(5), gadgets.a2b(gadgets.DILITHIUM), gadgets.b2a(5),
    gadgets.b2a(gadgets.DILITHIUM), gadgets.b2a_bit(gadgets.CORE), gadgets.b2a_bit(gadgets.CORE, 1),
    gadgets.cbd(gadgets.CORE),
    gadgets.cbd(gadgets.CORE, 3), *(gadgets.compress(d) for d in (1, 4, 5, 10, 11)),
]  # fmt: skip
TESTED = [
    gadgets.dom_and(8), gadgets.add(8), gadgets.a2b(113), gadgets.b2a(113), gadgets.compress(1),
    gadgets.b2a_bit(gadgets.CORE),
    gadgets.cbd(gadgets.CORE), gadgets.differs(16),
    *soak(gadgets.add(24), gadgets.a2b(gadgets.DILITHIUM), gadgets.b2a(gadgets.DILITHIUM), gadgets.compress(10),
    gadgets.differs(64)),
]  # fmt: skip
ALL = 1 << 12  # secrets that are tried one and all


test_add_illegal = Block("rs_masked_add", "Width From").refuses("Width has to be", (1, 0), (4, 4))
test_compress_illegal = Block("rs_masked_compress", "Bits").refuses("Bits has to be 1", 0, 3, 12)
test_differs_illegal = Block("rs_masked_differs", "Width").refuses("a power of two", 1, 6)
test_cbd_illegal = Block("rs_masked_cbd", "Q Eta").refuses("Eta has to be", (17, 1), (17, 4))


@pytest.fixture(autouse=True)
def level(monkeypatch):
    """The compiler's: these run longer than other blocks'."""
    monkeypatch.setenv("RINGSIDE_SIM_LEVEL", "2" if SOAK else "1")


@pytest.mark.parametrize("gadget", PIPELINES, ids=str)
def test_results(gadget):
    with Bench(gadget) as bench:
        limits = list(bench.limits().values())
        secrets = bench.secrets(2000)
        if np.prod(limits, dtype=float) <= ALL:  # each four times, in shares that differ
            values = np.array(list(itertools.product(*map(range, limits))) * 4, np.uint64)
            secrets = {name: np.concatenate([values[:, k], secrets[name]]) for k, name in enumerate(secrets)}
        assert bench.wrong(secrets, bench.shared(secrets)) == 0
        few = {name: words[: 3 * gadget.latency] for name, words in secrets.items()}
        assert bench.wrong(few, bench.shared(few, off=True)) == 0


def test_compress_is_exact_for_all_shares():
    x = np.arange(gadgets.KYBER, dtype=np.uint64)
    for bits in (1, 4, 5, 10, 11):
        factor = np.uint64(2 ** (bits + 13 + 17) // gadgets.KYBER + 1)
        scaled = x * factor >> np.uint64(17)
        for other in x:  # share 1
            rounded = scaled + scaled[other] + np.uint64(4097) >> np.uint64(13) & np.uint64(2**bits - 1)
            assert (rounded == gadgets.compressed((x + other) % np.uint64(gadgets.KYBER), bits)).all(), (bits, other)


def test_differs_over_several_cycles():
    """Words after clear_i count until the next one, and a single bit is found wherever it is."""
    width, gap = 8, 12
    with Bench(gadgets.differs(width)) as bench:
        runs = [[0, 0, 0], [0], *([0] * at + [1 << bit] + [0] * (2 - at) for at in range(3) for bit in range(width))]
        runs = runs * 3
        words, clear, ends = [], [], []
        for run in runs:
            clear += [1] + [0] * (len(run) + gap - 1)
            words += run + [0] * gap
            ends.append(len(words) - gap - 1 + bench.gadget.latency + 2)
        inputs = bench.shared({"bits_i": np.array(words, np.uint64)}) | {"clear_i": np.array(clear, np.uint32)[:, None]}
        got = bench.results(bench.play(inputs, ["differs_o"])["differs_o"])[ends]
        assert (got == [any(run) for run in runs]).all()


@pytest.mark.parametrize("gadget", TESTED, ids=str)
def test_toggles_say_nothing(gadget):
    with Bench(gadget) as bench:
        assert bench.largest_t(TRACES) < BAR
        assert bench.largest_t(FEW, off=True) > BAR


@pytest.mark.parametrize("gadget", TESTED, ids=str)
def test_all_flip_flops_are_looked_at(gadget):
    """The model's and those of synthesis, but for bits that synthesis finds constant or sees nobody read."""
    with Bench(gadget) as bench:
        seen = sum(bits for _, bits in bench.registers)
    built = len(script("masking.netlist").synthesised(gadget.top, whole(gadget.top), gadget.parameters).registers)
    assert built <= seen <= 1.05 * built + 8, (seen, built)
