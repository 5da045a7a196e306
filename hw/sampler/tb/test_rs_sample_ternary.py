# SPDX-License-Identifier: Apache-2.0
"""rs_sample_ternary on made-up streams: worst cases, budgets that do not suffice, and time that does not depend on bytes.

Equality with the library on real streams is in test_rs_sampler.py.
"""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_sample_ternary", "LanesOut BytesIn")
SHAPES = [(1, 1), (4, 17), *soak((8, 2), (32, 1), (4, 1), (32, 8))]
test_sample_ternary = BLOCK.runs(__file__, SHAPES)
test_sample_ternary_lint = BLOCK.lints(SHAPES)
test_sample_ternary_illegal = BLOCK.refuses("LanesOut must be positive", (0, 1), (4, 0), (4, 3), (4, 136))
test_trits5_lint = Block("rs_trits5").lints()
# lanes, bytes: with a byte of five digits for one lane, more digits than lanes, fewer, and many more


def digits(data):
    return [byte // 3**k % 3 - 1 for byte in data if byte < 243 for k in range(5)]


async def sample(dut, data, coefs, blocks, offer=None):
    """The coefficients; per cycle what happened at both ends; bytes read and limit_o at the end."""
    size, lanes = (settings()["parameters"][name] for name in ("BytesIn", "LanesOut"))
    dut.coefs_i.value = coefs
    dut.blocks_i.value = blocks
    await bench.pulse(dut, "start_i")
    beats = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
    offer = offer or bench.always
    # blocks below limit_o are made
    source = bench.Source(dut, "data_sec_i", beats, lambda: allowed() and offer())

    def allowed():
        return source.next * size < bench.BLOCK * int(dut.limit_o.value)

    sink = bench.Sink(dut, ("keep_o", "data_sec_o"), None)
    trace = []
    while not int(dut.done_o.value):
        sink.cycle()
        source.cycle()
        await bench.settle()
        trace.append((int(dut.valid_o.value), int(dut.ready_o.value), source.settled()))
        assert len(trace) < 50000
        await FallingEdge(dut.clk_i)
    dut.valid_i.value = 0
    got = [value for keep, beat in sink.beats if keep for value in bench.signed_fields(beat, lanes, 2)]
    return got, trace, source.next * size, int(dut.limit_o.value)


@bench.test
async def same_digits(dut):
    for trial in range(12):
        blocks = random.randrange(1, 5)
        data = random.randbytes(bench.BLOCK * blocks)
        coefs = len(digits(data)) // 32 * 32 - random.choice([0, 32, 64])
        offer = bench.sometimes(random.choice([0.2, 0.8, 1]), trial)
        got, _, read, limit = await sample(dut, data, coefs, blocks, offer)
        assert got == digits(data)[:coefs]
        assert (read, limit) == (len(data), blocks)


@bench.test
async def time_does_not_depend_on_bytes(dut):
    size = bench.BLOCK * 3
    cases = [
        bytes(size),  # all kept
        b"\x00\xff" * (size // 2),
        b"\xff" * 68 + bytes(size - 68),  # a long drought, then all kept
        bytes(size - 68) + b"\xff" * 68,
        random.randbytes(size),
    ]
    for chance in (1, 0.4):
        traces = []
        for data in cases:
            got, trace, _, _ = await sample(dut, data, 960, 3, bench.sometimes(chance, 1))
            assert got == digits(data)[:960]
            traces.append(trace)
        assert all(trace == traces[0] for trace in traces)


@bench.test
async def reads_on_when_short(dut):
    """Never happens with the library's budget; the library does the same."""
    for dropped in (30, 100, 136 * 3):
        data = b"\xff" * dropped + random.randbytes(bench.BLOCK * 8)
        coefs = 640
        blocks, needed = 1, 1
        while len(digits(data[: bench.BLOCK * needed])) < coefs:
            needed += 1
        got, _, read, limit = await sample(dut, data, coefs, blocks)
        assert needed > blocks
        assert got == digits(data)[:coefs]
        assert (read, limit) == (bench.BLOCK * needed, needed)
