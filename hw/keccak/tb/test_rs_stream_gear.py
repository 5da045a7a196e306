# SPDX-License-Identifier: Apache-2.0
"""rs_stream_gear gives the same bytes in beats of another size, without a gap."""

import random
from itertools import pairwise

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_stream_gear", "OutBytes AltBytes")
SIZES = [(6, 2), (48, 2), (192, 8)]
test_stream_gear = BLOCK.runs(__file__, [*SIZES, *soak((12, 1), (24, 8))])
test_stream_gear_lint = BLOCK.lints(SIZES)
test_stream_gear_illegal = BLOCK.refuses("AltBytes must divide InBytes and OutBytes", (6, 0), (6, 3), (6, 4), (6, 8))


async def convert(dut, alt, data, offer=None, ready=None):
    """The bytes of all whole beats, and the cycles in which they were taken."""
    offer = offer or bench.always
    size = settings()["parameters"]["AltBytes" if alt else "OutBytes"]
    dut.alt_i.value = int(alt)
    dut.ready_i.value = 0
    dut.valid_i.value = 0
    await bench.pulse(dut, "clear_i")
    blocks = [int.from_bytes(data[i : i + bench.BLOCK], "little") for i in range(0, len(data), bench.BLOCK)]
    sink = bench.Sink(dut, "data_o", (ready or bench.always) if alt else None)
    count, cycles, cycle, room = len(data) // size, [], 0, False
    while len(sink.beats) < count:
        if sink.cycle():
            cycles.append(cycle)
        valid = room and bool(blocks) and offer()
        dut.valid_i.value = int(valid)
        dut.data_i.value = blocks.pop(0) if valid else random.getrandbits(8 * bench.BLOCK)
        await bench.settle()
        room = bool(int(dut.room_o.value))
        await FallingEdge(dut.clk_i)
        cycle += 1
    dut.ready_i.value = 0
    dut.valid_i.value = 0
    assert not int(dut.valid_o.value)
    return b"".join((beat & (1 << 8 * size) - 1).to_bytes(size, "little") for beat in sink.beats), cycles


@bench.test
async def same_bytes(dut):
    for trial in range(8):
        data = random.randbytes(bench.BLOCK * 24)
        offer, ready = (bench.sometimes(random.choice([0.2, 0.8, 1]), 2 * trial + k) for k in range(2))
        got, _ = await convert(dut, trial % 2, data, offer, ready)
        assert got == data[: len(got)]
        assert len(data) - len(got) < 192


@bench.test
async def without_a_gap(dut):
    out, size = (settings()["parameters"][name] for name in ("OutBytes", "AltBytes"))
    words, blocks = -(-bench.BLOCK // out), 24
    _, cycles = await convert(dut, False, random.randbytes(bench.BLOCK * blocks))
    # a block per `words` cycles: beat k is there when the word is that completes it
    for k, cycle in enumerate(cycles):
        block, byte = divmod(out * (k + 1) - 1, bench.BLOCK)
        assert (
            cycle
            == cycles[0] + words * block + byte // out - (out - 1) // bench.BLOCK * words - min(out - 1, 135) // out
        )
    # few cycles are lost between blocks, none within
    _, cycles = await convert(dut, True, random.randbytes(bench.BLOCK * blocks))
    per_block = bench.BLOCK // size
    gaps = [b - a for a, b in pairwise(cycles)]
    if out >= 5 * size:
        assert all(gap == 1 or (k + 1) % per_block == 0 for k, gap in enumerate(gaps))
    assert max(gaps) <= 5
