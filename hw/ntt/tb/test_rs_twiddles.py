# SPDX-License-Identifier: Apache-2.0
"""rs_twiddles behind the addresses of a transform: every twiddle of every step of every stage, in the cycle of its operands."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rs_block import Block, soak
from rs_cocotb import whole
from rs_orders import reverse
from rs_residues import montgomery_radix, prime_below
from twiddle_image import image

from ringside.sim import SimulationError, Simulator, build
from ringside.sim.verilate import pack, unpack

BENCH = Path(__file__).with_name("rs_twiddles_bench.sv")
WORD_BITS = 11  # rs_pkg::WlmWordBits
slow = pytest.mark.slow


def sources():
    return [*whole("rs_twiddles", "rs_ntt_addr"), BENCH]


def mul_latency(width_a, width_b):
    return 2 + -(-width_b // 24) + (-(-width_a // 17) - 1).bit_length()


@dataclass(frozen=True)
class Design:
    lanes: int
    log_n_max: int
    on_the_fly: bool
    width: int = 32
    contexts: int = 2
    chunk: int = 4

    @property
    def log_lanes(self):
        return self.lanes.bit_length() - 1

    def __str__(self):
        mode = "fly" if self.on_the_fly else "stored"
        return f"P{self.lanes}-N{1 << self.log_n_max}-W{self.width}-{mode}"

    @property
    def radix(self):
        return montgomery_radix(self.width, WORD_BITS)

    @property
    def modmul_latency(self):
        """rs_pkg::modmul_latency"""
        # from the product's low bits on, steps of at most 17 bits, 3 cycles each
        width, split = self.width, min(self.width, 34)
        start = max(3, mul_latency(split, width) + (split < width) - 2)
        steps = -(-(WORD_BITS * -(-width // WORD_BITS)) // 17)
        return start + 3 * steps + -(-(width - WORD_BITS) // 24)

    @property
    def twiddle_latency(self):
        """rs_ntt_pkg::twiddle_latency"""
        return 1 + (self.log_lanes + 2) // 3 + (self.modmul_latency + 4 if self.on_the_fly else 0)

    def cycles(self, log_n):
        """docs/ntt_schedule.md"""
        lane = self.modmul_latency + 3
        lag = (lane + (8 if self.log_lanes > 0 and lane <= 25 else 6)) | 1
        column = (1 << log_n) // (4 * self.lanes)
        pause = (lag - column - 1 + 3) // 4 * 4 if lag > column + 1 else 0
        return log_n * 2 * column + (log_n - 1) * pause + lag + 1 + max(0, self.twiddle_latency - 3)


class Bench:
    def __init__(self, design):
        parameters = {
            "W": design.width, "LogNMax": design.log_n_max, "LogLanes": design.log_lanes, "Contexts": design.contexts,
            "ChunkWords": design.chunk, "OnTheFly": design.on_the_fly,
        }  # fmt: skip
        self.design = design
        self.sim = Simulator(build("rs_twiddles_bench", sources(), parameters))
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(1)

    def chunks(self, modulus):
        """The chunks of a load; the words past its end are no residues."""
        words = modulus.image(self.design)
        words += [(1 << self.design.width) - 1] * (-len(words) % self.design.chunk)
        return pack(np.array(words, np.uint64).reshape(-1, self.design.chunk), self.design.width)

    def offer(self, chunk):
        self.sim.set(load_valid_i=1, load_i=int.from_bytes(chunk.tobytes(), "little"))

    def load(self, ctx, modulus):
        """Cycles of the load."""
        sim = self.sim
        sim.set(log_n_i=modulus.log_n, load_ctx_i=ctx, load_start_i=1)
        assert sim.get("words_o") == len(modulus.image(self.design))
        sim.step()
        sim.set(load_start_i=0)
        before = sim.cycles
        for chunk in self.chunks(modulus):
            self.offer(chunk)
            while not sim.get("load_ready_o"):
                assert not sim.get("load_done_o")
                sim.step()
            sim.step()
        sim.set(load_valid_i=0)
        assert sim.get("load_done_o")
        sim.step()
        assert not sim.get("load_done_o")
        return sim.cycles - before - 1

    def use(self, ctx, modulus, inverse):
        self.sim.set(log_n_i=modulus.log_n, ctx_i=ctx, inverse_i=inverse, q_i=modulus.q)

    def transform(self, ctx, modulus, inverse):
        """The twiddles of a transform, step by step; its cycles are asserted."""
        self.use(ctx, modulus, inverse)
        cycles = self.design.cycles(modulus.log_n)
        start = np.zeros(cycles + 8, np.uint32)
        start[0] = 1
        taken = self.sim.play({"start_i": start}, ["operands_o", "done_o", "twiddle_o"])
        assert np.flatnonzero(taken["done_o"][:, 0]).tolist() == [cycles]
        return self.twiddles(taken)

    def twiddles(self, taken):
        return unpack(taken["twiddle_o"], self.design.width, self.design.lanes)[taken["operands_o"][:, 0] == 1]


@cache
def bench(design):
    return Bench(design)


# ---- what is expected ------------------------------------------------------------------------------------------------
class Modulus:
    """A prime and a root of order 2N."""

    def __init__(self, bits, log_n):
        self.log_n = log_n
        self.q = prime_below(1 << bits, max(log_n + 1, WORD_BITS))
        base, cofactor = 2, (self.q - 1) >> (log_n + 1)
        while pow(base, cofactor << log_n, self.q) != self.q - 1:
            base += 1
        self.psi = pow(base, cofactor, self.q)

    def image(self, design):
        return image(self.log_n, design.lanes, self.q, self.psi, design.radix, design.on_the_fly)

    def table(self, radix):
        """w[j] = psi^brv(j), as in the library."""
        n, powers = 1 << self.log_n, [radix % self.q]
        for _ in range(n - 1):
            powers.append(powers[-1] * self.psi % self.q)
        return np.array([powers[reverse(j, self.log_n)] for j in range(n)], np.uint64)


@cache
def table_indices(log_n, lanes, inverse):
    """[step of the transform, lane] -> j of w[j], by the layout: the element of operand h = 0 of the lane (docs/ntt_schedule.md)."""
    p = lanes.bit_length() - 1
    a = log_n - 2 - p
    step, lane = np.ogrid[: 2 << a, :lanes]
    column, group = step >> 1, step & 1
    rows = []
    for stage in range(log_n - 1, -1, -1) if inverse else range(log_n):
        turn = stage % a
        address = (column << turn | column >> (a - turn)) & ((1 << a) - 1)
        places = [0 * step, group, *(lane >> i & 1 for i in range(p))]
        places += [address >> (stage + k) % a & 1 for k in range(a)]
        # place r holds index bit b_(stage + r), b_0 the most significant
        element = sum(bit << (log_n - 1 - (stage + r) % log_n) for r, bit in enumerate(places))
        block = element >> (log_n - stage)
        rows.append((2 << stage) - 1 - block if inverse else (1 << stage) + block)
    return np.concatenate([row + 0 * (step + lane) for row in rows])


@cache
def moduli(width, log_n):
    return [Modulus(bits, log_n) for bits in (width, width - 3, width - 1, width - 2)]


def expected(design, modulus, inverse):
    return modulus.table(design.radix)[table_indices(modulus.log_n, design.lanes, inverse)]


# ---- twiddles --------------------------------------------------------------------------------------------------------
DESIGNS = [
    Design(1, 10, False, contexts=1),
    Design(4, 10, False),
    Design(8, 11, False, contexts=3, chunk=8),
    Design(1, 10, True),
    Design(2, 10, True, chunk=8, contexts=1),
    Design(4, 11, True, contexts=4, chunk=2),
    pytest.param(Design(2, 12, False, width=64, chunk=1), marks=slow),
    pytest.param(Design(8, 11, True, width=54, chunk=32), marks=slow),
    pytest.param(Design(32, 11, True, chunk=16), marks=slow),
    *soak(Design(32, 12, False, chunk=16), Design(4, 11, True, width=64), Design(16, 11, True, chunk=64, contexts=3)),
    # the same with larger N
    *soak(Design(1, 14, True, chunk=1), Design(4, 12, True, width=64), Design(4, 13, True, width=64)),
    *soak(Design(8, 12, True, width=54, chunk=32), Design(32, 14, True, chunk=16)),
]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.alike(2)
def test_every_twiddle(design):
    dut = bench(design)
    for log_n in range(design.log_lanes + 4, design.log_n_max + 1):
        chosen = moduli(design.width, log_n)[: design.contexts]
        for ctx, modulus in enumerate(chosen):
            pieces = -(-len(modulus.image(design)) // min(design.chunk, design.lanes))
            assert dut.load(ctx, modulus) == pieces
        for inverse in (0, 1):
            for ctx, modulus in enumerate(chosen):
                result = dut.transform(ctx, modulus, inverse)
                np.testing.assert_array_equal(
                    result, expected(design, modulus, inverse), f"N = 2^{log_n}, context {ctx}, inverse {inverse}"
                )


@pytest.mark.parametrize("design", [DESIGNS[1], DESIGNS[5]], ids=str)
def test_a_context_is_loaded_while_another_is_used(design):
    dut = bench(design)
    old, new = moduli(design.width, 8)[:2]
    dut.load(0, old)
    dut.load(1, old)
    dut.use(0, old, 1)
    sim, chunks = dut.sim, list(dut.chunks(new))
    recorded = []

    def cycle():
        recorded.append((sim.get("operands_o"), sim.get("twiddle_o")))
        sim.step()

    sim.set(start_i=1, load_ctx_i=1, load_start_i=1)
    cycle()
    sim.set(start_i=0, load_start_i=0)
    waited = 0
    while not sim.get("done_o"):
        if chunks:
            dut.offer(chunks[0])
            if sim.get("load_ready_o"):
                chunks.pop(0)
            else:
                waited += 1
        else:
            sim.set(load_valid_i=0)
        cycle()
    sim.step()
    assert not chunks
    # on the fly, reads of the one memory go first
    assert (waited > 0) == design.on_the_fly
    mask = (1 << design.width) - 1
    result = [[word >> design.width * k & mask for k in range(design.lanes)] for valid, word in recorded if valid]
    np.testing.assert_array_equal(result, expected(design, old, 1))
    for ctx, modulus in ((1, new), (0, old)):
        np.testing.assert_array_equal(dut.transform(ctx, modulus, 0), expected(design, modulus, 0))


@pytest.mark.parametrize("design", [DESIGNS[1], DESIGNS[5]], ids=str)
def test_a_load_begins_again(design):
    """A load works after an abort of the transfer in the middle of a row."""
    dut = bench(design)
    broken, modulus = moduli(design.width, 7)[:2]
    dut.sim.set(log_n_i=7, load_ctx_i=0, load_start_i=1)
    dut.sim.step()
    dut.sim.set(load_start_i=0)
    dut.offer(dut.chunks(broken)[0])
    dut.sim.step(3)
    dut.sim.set(load_valid_i=0)
    dut.load(0, modulus)
    np.testing.assert_array_equal(dut.transform(0, modulus, 0), expected(design, modulus, 0))


# ---- what must not pass ----------------------------------------------------------------------------------------------
test_illegal_parameters = Block("rs_twiddles").refuses(
    *("Contexts", {"Contexts": 5}, "ChunkWords", {"ChunkWords": 3}),
    *("LogNMax", {"LogNMax": 5, "LogLanes": 2}, {"LogNMax": 5, "LogLanes": 0, "OnTheFly": 1}),
    *("a multiplier of more", {"W": 64, "WordBits": 2, "OnTheFly": 1}),
)


def test_a_load_into_the_context_in_use_stops_the_simulation():
    design = DESIGNS[1]
    dut = Bench(design)
    modulus = moduli(design.width, 8)[0]
    dut.load(0, modulus)
    dut.use(0, modulus, 0)
    dut.sim.set(start_i=1, load_start_i=1)
    dut.sim.step()
    dut.sim.set(start_i=0, load_start_i=0)
    dut.offer(dut.chunks(modulus)[0])
    with pytest.raises(SimulationError, match="is loaded while a transform uses it"):
        dut.sim.step(20)
    dut.sim.close()
