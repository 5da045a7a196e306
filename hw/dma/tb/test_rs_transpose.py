# SPDX-License-Identifier: Apache-2.0
"""The transposer alone: rows to columns and back, with pauses on both sides, at full speed, after a clear; what stays behind."""

import random

import pytest
from rs_cocotb import elaborate, whole
from rs_orders import orders

from ringside.sim import verilate

pytestmark = pytest.mark.alike(3, by="v")

SOURCES = whole("rs_transpose")
# words of a row, columns come in, columns of a block; the tests of LOAD and STORE have the others
BENCHES = ((8, 0, 16), (4, 1, 16), (16, 0, 64), (16, 1, 64), (4, 0, 32))
W = 16


class Transpose:
    def __init__(self, v, columns, places, pace=(1.0, 1.0), seed=1, halves=0):
        self.v, self.pace, self.places = v, pace, places
        parameters = {"W": W, "V": v, "Columns": columns, "Places": places, "Halves": halves}
        self.sim = verilate.Simulator(verilate.build("rs_transpose", SOURCES, parameters))
        self.random = random.Random(seed)
        self.offered, self.waiting = False, None
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step()

    def cycle(self, word, half=0):
        """One cycle with this word on offer, or None: whether it was taken; what came out. half: its block has half of the streams alone."""
        sim = self.sim
        self.offered = word is not None and (self.offered or self.random.random() < self.pace[0])
        ready = int(self.random.random() < self.pace[1])
        noise = self.random.getrandbits(W * self.v)
        given = noise if word is None or not self.offered else sum(x << W * i for i, x in enumerate(word))
        sim.set(in_valid_i=int(self.offered), in_i=given, half_i=half, out_ready_i=ready)
        out = sim.get("out_o") if sim.get("out_valid_o") else None
        assert self.waiting in (None, out), "an output changed while it waited"
        self.waiting = None if ready else out
        taken = self.offered and bool(sim.get("in_ready_o"))
        self.offered = self.offered and not taken
        sim.step()
        return taken, None if out is None or not ready else [out >> W * i & (1 << W) - 1 for i in range(self.v)]

    def run(self, words, expected, halves=()):
        """Cycles from the first word to the last. halves: of each word, whether its block has half of the streams alone."""
        got, cycles, given = [], 0, 0
        while len(got) < expected:
            taken, out = self.cycle(
                *((words[given], halves[given] if halves else 0) if given < len(words) else (None,))
            )
            given += taken
            got += [] if out is None else [out]
            cycles += 1
            assert cycles < 100 * len(words) + 1000
        assert not any(self.cycle(None)[1] for _ in range(5))
        assert not self.sim.get("busy_o")
        return got, cycles


def blocks(v, places, count, rng):
    """Rows and columns of some blocks."""
    rows, columns = [], []
    for _ in range(count):
        streams = [[rng.getrandbits(W) for _ in range(places)] for _ in range(v)]
        rows += [stream[m : m + v] for stream in streams for m in range(0, places, v)]
        columns += [[streams[i][j] for i in orders(v)] for j in range(places)]
    return rows, columns


@pytest.mark.parametrize(("v", "columns", "places"), BENCHES)
@pytest.mark.parametrize("pace", [(1.0, 1.0), (0.5, 1.0), (1.0, 0.5), (0.6, 0.6)], ids=str)
def test_blocks(v, columns, places, pace):
    bench = Transpose(v, columns, places, pace)
    for count in (1, 20, 3):  # places come back to where they were after twelve blocks at most
        rows, turned = blocks(v, places, count, bench.random)
        given, wanted = (turned, rows) if columns else (rows, turned)
        got, cycles = bench.run(given, len(wanted))
        assert got == wanted
        if pace == (1.0, 1.0):
            assert cycles <= len(given) + places + 2


@pytest.mark.parametrize(("v", "columns", "places"), BENCHES[:2])
def test_clear_at_any_time(v, columns, places):
    bench = Transpose(v, columns, places, (0.8, 0.7))
    for when in range(1, 50, 3):
        rows, turned = blocks(v, places, 3, bench.random)
        given, wanted = (turned, rows) if columns else (rows, turned)
        at = 0
        for _ in range(when):
            at += bench.cycle(given[at])[0]
        bench.sim.set(clear_i=1, in_valid_i=0)
        bench.sim.step()
        bench.sim.set(clear_i=0)
        bench.offered, bench.waiting = False, None
        assert bench.run(given, len(wanted))[0] == wanted


@pytest.mark.parametrize(("v", "places"), [(16, 64), (8, 16), (2, 32)])
@pytest.mark.parametrize("pace", [(1.0, 1.0), (0.4, 1.0), (1.0, 0.4)], ids=str)
def test_half_blocks(v, places, pace):
    """In some blocks only the rows of the lower streams come; the others are zero. They cost one cycle each at most."""
    bench = Transpose(v, 0, places, pace, halves=1)
    rows, halves, columns = [], [], []
    for _ in range(30):
        half = bench.random.getrandbits(1)
        some, turned = blocks(v, places, 1, bench.random)
        if half:
            some = some[: places // 2]
            turned = [[0 if i >= v // 2 else x for i, x in zip(orders(v), column, strict=True)] for column in turned]
        rows += some
        halves += [half] * len(some)
        columns += turned
    got, cycles = bench.run(rows, len(columns), halves)
    assert got == columns
    if pace == (1.0, 1.0):
        assert cycles <= len(columns) + places + 2 + 30


def test_wiped():
    """Zeros go to every place (the module asserts it), and nothing is left of the sweep, also of one that is cut short."""
    bench = Transpose(*BENCHES[0])
    for cycles in (20, 5, 17):
        rows, columns = blocks(bench.v, bench.places, 3, bench.random)
        assert bench.run(rows, len(columns))[0] == columns
        bench.sim.set(in_i=0, in_valid_i=0, wipe_i=1)
        bench.sim.step(cycles)
        bench.sim.set(wipe_i=0)
        bench.sim.step(3)


def test_illegal_parameters():
    assert "V 3 is not" in elaborate("rs_transpose", SOURCES, {"V": 3})
    assert "V 32 is not" in elaborate("rs_transpose", SOURCES, {"V": 32})
    assert "Places 48 is not" in elaborate("rs_transpose", SOURCES, {"V": 4, "Places": 48})
