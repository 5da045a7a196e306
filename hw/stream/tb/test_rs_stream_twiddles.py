# SPDX-License-Identifier: Apache-2.0
"""rs_stream_twiddles: every twiddle of every stage in the cycle in which engines use it, for limbs that come with and without pauses.

What engines do with tokens depends on the tokens' cycles alone, so a test computes all of it beforehand: when each stage uses a set for the first
and for the last time. Images are those of the C library, moduli and roots too.
"""

from functools import cache

import numpy as np
import pytest
from rs_block import Block
from rs_cocotb import Model
from rs_orders import reverse
from stream_design import COMMUTATOR, CONTEXTS, Design, sources

from ringside.sim import SimulationError, Simulator, build
from ringside.sim.verilate import unpack

ANNOUNCED = 2  # cycles from a limb's announcement to its first token, at least


def stages(design, log_n):
    """Built stage -> (stage of the transform, tokens that a set lasts, cycles from a token's entry to its use)."""
    found = {}
    for built in {0, design.log_lanes - 1}:
        found[built] = (built, (1 << log_n) // design.lanes, built * design.butterfly)
    for stage in range(design.log_lanes, log_n):
        commutators = stage - design.log_lanes + 1
        built = stage + design.log_n_max - log_n
        found[built] = (stage, 1 << (log_n - 1 - stage), stage * design.butterfly + commutators * COMMUTATOR)
    return found


class Bench:
    def __init__(self, design):
        self.design = design
        self.sim = Simulator(build("rs_stream_twiddles", sources(), design.parameters))
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(1)

    def pulse(self, name):
        self.sim.set(**{name: 1})
        self.sim.step()
        self.sim.set(**{name: 0})


@cache
def bench(design):
    return Bench(design)


@cache
def model_of(design, log_n):
    return Model(1 << log_n, design.bits)


@cache
def table(design, log_n, limb):
    """w[j] = psi^brv(j) R."""
    model = model_of(design, log_n)
    q, psi = model.moduli[limb], model.root(limb)
    power = design.radix(q)
    out = np.zeros(1 << log_n, np.uint64)
    for k in range(1 << log_n):
        out[reverse(k, log_n)] = power
        power = power * psi % q
    return out


# ---- tokens ----------------------------------------------------------------------------------------------------------
def entries(limbs, tokens, pause, rng):
    """Cycles in which tokens enter. pause: the share of cycles without one, or how it is made."""
    count = limbs * tokens
    if pause == "none":
        gaps = np.zeros(count, int)
    elif pause == "bursts":  # as many tokens as a queue has sets, then a pause in which all of it fills up
        gaps = np.zeros(count, int)
        at = 0
        while at < count:
            gaps[at] = rng.integers(1, 90)
            at += int(rng.integers(1, 70))
    elif pause == "limbs":  # limbs far from each other
        gaps = np.zeros(count, int)
        gaps[::tokens] = rng.integers(0, 3 * tokens, limbs)
    else:
        gaps = (rng.random(count) < pause) * rng.integers(1, 6, count)
    return np.arange(count) + np.cumsum(gaps)


def play(design, log_n, limbs, pause, rng, late=True):
    """limbs: a context for each, None for dead tokens. late: a limb is announced as late as it may be."""
    dut, tokens = bench(design), (1 << log_n) // design.lanes
    first = ANNOUNCED + 60
    enter = first + entries(len(limbs) + 1, tokens, pause, rng)  # the last limb pushes the others out
    cycles = int(enter[-1]) + 40 * log_n
    live = np.repeat([limb is not None for limb in limbs], tokens)
    inputs = {name: np.zeros(cycles, np.uint32) for name in ("limb_valid_i", "limb_ctx_i")}
    taken = 0
    before = -1
    for number, context in enumerate(limbs):
        if context is None:
            continue
        latest = int(enter[number * tokens]) - ANNOUNCED
        # not more at once than there are slots
        earliest = before + 1 if number < 2 else max(before + 1, int(enter[(number - 2) * tokens]))
        before = latest if late else int(rng.integers(min(earliest, latest), latest + 1))
        inputs["limb_valid_i"][before], inputs["limb_ctx_i"][before] = 1, context
    uses = {}
    for built, (stage, lasts, latency) in stages(design, log_n).items():
        delay = 0 if built < design.log_lanes else tokens - lasts
        at = enter[np.flatnonzero(live) + delay] + latency
        number = np.flatnonzero(live) % tokens
        uses[built] = (stage, lasts, at, number)
        last = at[(number + 1) % lasts == 0]
        takes = np.zeros(cycles, np.uint32)
        takes[last] = 1 << built
        taken = taken | takes
    inputs["take_i"] = taken
    got = dut.sim.play(inputs, ["twiddle_o", "twiddle_valid_o", "limb_ready_o", "busy_o"])
    assert got["limb_ready_o"][inputs["limb_valid_i"] == 1].all()
    assert got["busy_o"][-1, 0] == 0
    words = unpack(got["twiddle_o"], design.width, design.log_n_max * design.pairs)
    words = words.reshape(cycles, design.log_n_max, design.pairs)
    contexts = [limb for limb in limbs if limb is not None]
    tables = np.stack([table(design, log_n, context) for context in contexts])
    for built, (stage, lasts, at, number) in uses.items():
        assert (got["twiddle_valid_o"][at, 0] >> built & 1).all(), f"stage {stage} of N = 2^{log_n}"
        start = 0 if stage < design.log_lanes - 1 else 1 << stage
        index = start + (number // lasts * design.pairs)[:, None] + np.arange(design.pairs)
        limb = np.repeat(np.arange(len(contexts)), tokens)
        np.testing.assert_array_equal(
            words[at, built], tables[limb[:, None], index], f"stage {stage}, N = 2^{log_n}, {pause}"
        )


def prepare(design, log_n):
    dut, model = bench(design), model_of(design, log_n)
    dut.sim.set(log_n_i=log_n)
    dut.sim.set(**design.constants(model.moduli))
    dut.pulse("start_i")
    # P/2 words of the first table in a cycle, one of the second
    low = 1 << design.log_n_max // 2
    for context in range(CONTEXTS):
        assert design.load(dut.sim, context, model, context) == low // design.pairs + model.n // low


DESIGNS = [
    Design(2, 11, 32, (30, 29, 28, 27), 4),
    Design(8, 12, 32, (30, 31, 29, 28), 8),
    pytest.param(Design(4, 12, 64, (60, 50, 58, 40), 2), marks=pytest.mark.soak),
    pytest.param(Design(8, 12, 54, (54, 40, 50, 45), 8), marks=pytest.mark.soak),
    pytest.param(Design(2, 13, 64, (60, 59, 58, 57), 8), marks=pytest.mark.soak),
    pytest.param(Design(4, 14, 64, (60, 59, 58, 57), 8), marks=pytest.mark.soak),
    pytest.param(Design(8, 16, 64, (60, 59, 58, 57), 8), marks=pytest.mark.soak),
]
PAUSES = ["none", 0.1, 0.6, "bursts", "limbs"]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_every_twiddle(design):
    """Every N that is built, limbs that are announced at the last moment and earlier ones."""
    rng = np.random.default_rng(1)
    for log_n in range(10, design.log_n_max + 1):
        prepare(design, log_n)
        for pause in PAUSES:
            limbs = [int(context) for context in rng.integers(0, CONTEXTS, 4)]
            limbs.insert(2, None)
            play(design, log_n, limbs, pause, rng, late=True)
        play(design, log_n, limbs, 0.1, rng, late=False)


def test_a_new_length_forgets_what_was_under_way():
    """Limbs that were announced and did not come, sets that are being made: start_i drops all of it."""
    design = DESIGNS[0]
    rng = np.random.default_rng(2)
    for log_n in (11, 10):
        prepare(design, log_n)
        dut = bench(design)
        dut.sim.set(limb_valid_i=1, limb_ctx_i=1)
        for before in range(8):
            assert dut.sim.get("limb_ready_o"), before
            dut.sim.step()
        assert not dut.sim.get("limb_ready_o")  # eight at once
        assert dut.sim.get("busy_o") == 2
        dut.sim.set(limb_valid_i=0)
        dut.sim.step(int(rng.integers(1, 40)))
        dut.pulse("start_i")
        assert dut.sim.get("busy_o") == 0
        assert dut.sim.get("twiddle_valid_o") == 0
        play(design, log_n, [0, 2, 3], "none", rng)


# ---- what must not pass ----------------------------------------------------------------------------------------------
test_illegal_parameters = Block("rs_stream_twiddles").refuses(
    *("P 16", {"P": 16}, "LogNMax 9", {"LogNMax": 9}, "Contexts 9", {"Contexts": 9}),
    *("ChunkWords 3", {"ChunkWords": 3}, "ChunkWords 2", {"P": 8, "ChunkWords": 2}),
)


@pytest.mark.parametrize(
    ("name", "message"), [("take_i", "a set is late"), ("load_valid_i", "is loaded while limbs use it")]
)
def test_what_would_go_wrong_unseen_stops_the_simulation(name, message):
    design = DESIGNS[0]
    prepare(design, 10)
    dut = Bench(design)
    dut.sim.set(log_n_i=10)
    dut.pulse("start_i")
    if name == "load_valid_i":
        dut.pulse("limb_valid_i")
        dut.pulse("load_start_i")
    dut.sim.set(**{name: 1 << design.log_n_max - 1 if name == "take_i" else 1})
    with pytest.raises(SimulationError, match=message):
        dut.sim.step(100)
    dut.sim.close()
