# SPDX-License-Identifier: Apache-2.0
"""rs_stream_ntt compared with the library: limbs of several moduli back to back, pauses, every kind of memory, shorter transforms."""

import random
from pathlib import Path

import cocotb
import numpy as np
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_block import Block
from rs_cocotb import Model, run, settings, whole
from rs_orders import reverse
from rs_residues import montgomery_radix

HERE = Path(__file__).parent
BITS = {32: [28, 31, 30], 64: [60, 59, 50]}
LONG = 13  # above: two limbs, nothing else


def transform(parameters, lengths, level=0, latency=0):
    sources = [*whole("rs_stream_ntt"), HERE / "rs_stream_ntt_bench.sv"]
    run("rs_stream_ntt_bench", sources, parameters, __file__, "limbs", level=level, lengths=lengths, latency=latency)


def built(lanes, width, log_n_max, engines=1, lut_rows=64):
    values = {"P": lanes, "W": width, "LogNMax": log_n_max}
    return values | {"Engines": engines, "LutRows": lut_rows}


@pytest.mark.parametrize(
    ("parameters", "lengths"),
    [
        (built(2, 64, 11, engines=2), (11,)),
        (built(4, 32, 11), (11, 10)),
        (built(8, 32, 10, lut_rows=8), (10,)),
        pytest.param(built(2, 64, 12, lut_rows=4), (12, 11, 10), marks=pytest.mark.soak),
        pytest.param(built(4, 64, 13, engines=3), (13, 12, 11, 10), marks=pytest.mark.soak),
        pytest.param(built(8, 64, 12), (12, 11, 10), marks=pytest.mark.soak),
    ],
)
@pytest.mark.alike(3)
def test_transforms(parameters, lengths):
    transform(parameters, lengths)


@pytest.mark.soak
@pytest.mark.parametrize(("lanes", "latency"), [(2, 33134), (4, 16749), (8, 8556)])
def test_the_longest_transform(lanes, latency):
    transform(built(lanes, 64, 16), (16,), level=1, latency=latency)
    print(f"N = 2^16, P = {lanes}: {latency} cycles from the first token to the first result")


test_illegal = Block("rs_stream_ntt", W=32).refuses(
    *("P 3 is not 2, 4 or 8", {"P": 3, "LogNMax": 10}, "LogNMax 9 is not in 10..17", {"LogNMax": 9}),
    *("Engines 0 has to be positive", {"Engines": 0}),
)


# ---- in the simulator -----------------------------------------------------------------------------------------------
class Limb:
    """Coefficients of all engines, with what the library makes of them; without a model, a dead one."""

    def __init__(self, model, limb, lanes, engines, width, log_n):
        n = 1 << log_n
        self.live = model is not None
        self.q = model.moduli[limb] if model else 0
        self.words, self.results = [], []
        rng = np.random.default_rng(random.getrandbits(32))
        tokens = n // lanes
        coef = [rng.integers(0, self.q or 1 << width, n, dtype=np.uint64) for _ in range(engines)]
        # token t, lane i: coefficient i N / P + t
        self.words = pack(np.stack([c.reshape(lanes, tokens).T for c in coef], axis=1), width)
        if model:
            out = [model.ntt(limb, c) for c in coef]
            self.results = pack(np.stack([r.reshape(tokens, lanes) for r in out], axis=1), width)


def pack(tokens, width):
    """One integer for the words of each token."""
    flat = tokens.reshape(len(tokens), -1).tolist()
    return [sum(word << (width * k) for k, word in enumerate(row)) for row in flat]


class Bench:
    def __init__(self, dut):
        self.dut = dut
        given = settings()
        self.lanes, self.width, self.log_n_max, self.engines = (
            given["parameters"][name] for name in ("P", "W", "LogNMax", "Engines")
        )
        self.results = []  # (cycle, first, words)
        self.late = 0
        self.cycle = 0
        self.seen = []  # all words, results or not

    async def reset(self):
        dut = self.dut
        Clock(dut.clk_i, 2, unit="ns").start()
        for port in (
            dut.rst_ni,
            dut.load_i,
            dut.start_i,
            dut.starve_i,
            dut.valid_i,
            dut.first_i,
            dut.last_i,
            dut.live_i,
        ):
            port.value = 0
        await FallingEdge(dut.clk_i)
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1

    async def prepare(self, log_n):
        """A context of three moduli, its tables, and a start."""
        dut = self.dut
        self.log_n = log_n
        self.model = Model(1 << log_n, BITS[self.width])
        radix = montgomery_radix(self.width, 11)
        dut.load_i.value = 1
        for limb, q in enumerate(self.model.moduli[: 2 if log_n > LONG else 3]):
            powers, psi = [radix % q], self.model.root(limb)
            for _ in range((1 << log_n) - 1):
                powers.append(powers[-1] * psi % q)
            dut.load_modulus_i.value = limb
            for j in range(1 << log_n):
                dut.load_index_i.value = j
                dut.load_word_i.value = powers[reverse(j, log_n)]
                await FallingEdge(dut.clk_i)
        dut.load_i.value = 0
        await self.start()

    async def start(self):
        self.dut.log_n_i.value = self.log_n
        self.dut.start_i.value = 1
        await self.step()
        self.dut.start_i.value = 0
        self.results, self.late = [], 0

    async def step(self):
        dut = self.dut
        await FallingEdge(dut.clk_i)
        self.cycle += 1
        if dut.valid_o.value:
            self.results.append((self.cycle, int(dut.first_o.value), int(dut.words_o.value)))
        self.late += int(dut.late_o.value)
        self.seen.append(int(dut.words_o.value))

    def limb(self, live=True, modulus=0):
        return Limb(self.model if live else None, modulus, self.lanes, self.engines, self.width, self.log_n)

    async def feed(self, limb, pause=0.0, tokens=None):
        """Returns the cycle in which the first token was there."""
        dut = self.dut
        begun = None
        for t, words in enumerate(limb.words[:tokens]):
            while random.random() < pause:
                dut.valid_i.value = 0
                dut.words_i.value = random.getrandbits(16)
                await self.step()
            begun = self.cycle if begun is None else begun
            dut.valid_i.value = 1
            dut.words_i.value = words
            if t < 2 or t + 1 == len(limb.words):
                dut.first_i.value = int(t == 0)
                dut.last_i.value = int(t + 1 == len(limb.words))
                dut.live_i.value = int(limb.live)
                # only with the first token
                q = limb.q if t == 0 and limb.live else 3
                dut.q_i.value = q
            await self.step()
        dut.valid_i.value = 0
        return begun

    async def wipe(self):
        """A dead limb of zeros."""
        zeros = self.limb(live=False)
        zeros.words = [0] * len(zeros.words)
        await self.feed(zeros)
        for _ in range(int(self.dut.in_flight_o.value)):
            await self.step()

    async def drain(self):
        """A dead limb, and what the pipelines still have."""
        await self.feed(self.limb(live=False))
        for _ in range(int(self.dut.in_flight_o.value)):
            await self.step()

    def check(self, limbs):
        expected = [(int(t == 0), words) for limb in limbs if limb.live for t, words in enumerate(limb.results)]
        assert [(first, words) for _, first, words in self.results] == expected
        assert self.late == 0


@cocotb.test()
async def limbs(dut):
    bench = Bench(dut)
    await bench.reset()
    for log_n in settings()["lengths"]:
        await bench.prepare(log_n)
        long = log_n > LONG
        # back to back: no bubble, and the latency that the package says
        work = [bench.limb(modulus=k % 3) for k in range(2 if long else 4)]
        begun = [await bench.feed(limb) for limb in work]
        await bench.drain()
        bench.check(work)
        cycles = [cycle for cycle, _, _ in bench.results]
        assert cycles == list(range(cycles[0], cycles[0] + len(cycles)))
        latency = cycles[0] - begun[0]
        dut._log.info(
            "N = 2^%d, P = %d: %d cycles from the first token to the first result", log_n, bench.lanes, latency
        )
        assert latency == int(dut.latency_o.value)
        if bench.width == 64 and bench.lanes == 2:
            assert int(dut.LatencyOf65536.value) <= 33200
        if long:
            continue
        # pauses, dead limbs between live ones
        await bench.start()
        work = [bench.limb(), bench.limb(modulus=1), bench.limb(live=False), bench.limb(modulus=2), bench.limb()]
        for limb in work:
            await bench.feed(limb, random.choice([0.05, 0.5]))
        # nothing more comes out than the queue behind the engine has to hold
        out = len(bench.results)
        for _ in range(2 * int(dut.in_flight_o.value)):
            await bench.step()
        assert len(bench.results) - out <= int(dut.in_flight_o.value)
        await bench.drain()
        bench.check(work)
        # a start in the middle of a limb: nothing of it comes out
        await bench.start()
        await bench.feed(bench.limb())
        await bench.feed(bench.limb(modulus=1), tokens=len(work[0].words) // 2 + 7)
        await bench.start()
        work = [bench.limb()]
        await bench.feed(work[0])
        await bench.drain()
        bench.check(work)
        # no twiddles: live tokens tell, dead ones do not
        dut.starve_i.value = 1
        await bench.feed(bench.limb(live=False))
        assert bench.late == 0
        await bench.feed(bench.limb(modulus=1), tokens=3)
        await bench.step()
        dut.starve_i.value = 0
        assert bench.late >= 3
        # zeros at the largest N: after them nothing is left that could come out
        if log_n == bench.log_n_max:
            await bench.start()
            await bench.wipe()
            bench.seen = []
            await bench.wipe()
            assert len(bench.seen) > (1 << log_n) // bench.lanes
            assert not any(bench.seen)
