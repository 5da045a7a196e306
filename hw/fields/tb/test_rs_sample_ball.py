# SPDX-License-Identifier: Apache-2.0
"""rs_sample_ball on streams of hashlib, compared with FIPS 204, algorithm 29, in plain Python; streams that are too short, the same cycles, nothing stays."""

import hashlib
import random

import cocotb
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_sample_ball", "Words")
test_sample_ball = BLOCK.runs(__file__, [4, *soak(8)])
test_sample_ball_illegal = BLOCK.refuses("Words must be", 2, 6)
LANES, TAUS = 16, (39, 49, 60)


def ball(stream, tau):
    """The coefficients, and whether 128 bytes are enough."""
    c, place = [0] * 256, 256 - tau
    for byte in stream[8:]:
        if place < 256 and byte <= place:
            sign = place + tau - 256
            c[place] = c[byte]
            c[byte] = -1 if stream[sign // 8] >> sign % 8 & 1 else 1
            place += 1
    return c, place == 256


async def draw(dut, stream, tau, words):
    """Rows until the last one, whether they were too few, and cycles."""
    lanes = [int.from_bytes(stream[8 * k : 8 * k + 8], "little") for k in range(LANES)]
    taken, found, cycles = 0, [], 0
    dut.tau_i.value, dut.start_i.value = tau, 1
    await FallingEdge(dut.clk_i)
    dut.start_i.value = 0
    while True:
        dut.lane_sec_i.value = lanes[min(taken, LANES - 1)]
        cycles += 1
        if dut.valid_o.value:
            row = int(dut.row_sec_o.value)
            found += [(0, 1, None, -1)[row >> 2 * i & 3] for i in range(words)]
        ends, short = int(dut.done_o.value), int(dut.short_o.value)
        taken += int(dut.take_o.value)
        await FallingEdge(dut.clk_i)
        if ends:
            assert taken == LANES
            return found, short, cycles


@cocotb.test()
async def streams(dut):
    words, rng, seen = settings()["parameters"]["Words"], random.Random(1), set()
    await bench.reset(dut)
    for case in range(40):
        tau = TAUS[case % 3]
        stream = hashlib.shake_256(rng.randbytes(32)).digest(128)
        if case == 30:  # nothing is accepted
            stream = stream[:8] + b"\xff" * 120
        if case == 31:  # the last place comes with the last byte, and a coefficient moves onto itself
            stream = stream[:8] + b"\xff" * (120 - tau) + bytes(range(256 - tau, 256))
        if case == 32:
            stream = bytes(128)
        if case % 5 == 4:  # left in the middle: the next one begins with zeros all the same
            dut.start_i.value = 1
            await FallingEdge(dut.clk_i)
            dut.start_i.value = 0
            for _ in range(rng.randrange(400)):
                dut.lane_sec_i.value = rng.getrandbits(64)
                await FallingEdge(dut.clk_i)
            dut.clear_i.value = 1
            await FallingEdge(dut.clk_i)
            dut.clear_i.value = 0
        wanted, enough = ball(stream, tau)
        found, short, cycles = await draw(dut, stream, tau, words)
        assert found == wanted, case
        assert short == (not enough), case
        seen.add(cycles)
    assert len(seen) == 1, seen
