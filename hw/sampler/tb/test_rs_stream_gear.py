# SPDX-License-Identifier: Apache-2.0
"""rs_stream_gear: the same bytes in beats of another size, without a gap."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run, settings

SIZES = [(6, 1), (24, 17), (48, 4), (192, 136)]


@pytest.mark.parametrize(("out", "alt"), SIZES)
def test_stream_gear(out, alt):
    run("rs_stream_gear", rtl("rs_stream_gear"), {"OutBytes": out, "AltBytes": alt}, __file__)


@pytest.mark.parametrize(("out", "alt"), [(6, 0), (6, 3), (6, 8)])
def test_stream_gear_illegal(out, alt):
    parameters = {"OutBytes": out, "AltBytes": alt}
    assert "AltBytes must divide InBytes" in elaborate("rs_stream_gear", rtl("rs_stream_gear"), parameters)


@pytest.mark.parametrize(("out", "alt"), SIZES)
def test_stream_gear_lint(out, alt):
    assert elaborate("rs_stream_gear", rtl("rs_stream_gear"), {"OutBytes": out, "AltBytes": alt}) == ""


async def convert(dut, alt, data, offer=None, ready=None):
    """The bytes of all whole beats, and the number of cycles."""
    import sampler_bench as bench

    size = settings()["parameters"]["AltBytes" if alt else "OutBytes"]
    dut.alt_i.value = int(alt)
    dut.ready_i.value = 0
    dut.valid_i.value = 0
    await bench.pulse(dut, "clear_i")
    blocks = [int.from_bytes(data[i : i + bench.BLOCK], "little") for i in range(0, len(data), bench.BLOCK)]
    source = bench.Source(dut, "data_i", blocks, offer or bench.always)
    sink = bench.Sink(dut, "data_o", ready or bench.always)
    count, cycles = len(data) // size, 0
    while len(sink.beats) < count:
        sink.cycle()
        source.cycle()
        await bench.settle()
        source.settled()
        await FallingEdge(dut.clk_i)
        cycles += 1
    dut.ready_i.value = 0
    await FallingEdge(dut.clk_i)
    assert not int(dut.valid_o.value)
    return b"".join((beat & (1 << 8 * size) - 1).to_bytes(size, "little") for beat in sink.beats), cycles


@cocotb.test()
async def same_bytes(dut):
    import sampler_bench as bench

    await bench.reset(dut, "clear_i", "alt_i", "valid_i", "data_i", "ready_i")
    for trial in range(8):
        data = random.randbytes(bench.BLOCK * 24)
        offer, ready = (bench.sometimes(random.choice([0.2, 0.8, 1]), 2 * trial + k) for k in range(2))
        got, _ = await convert(dut, trial % 2, data, offer, ready)
        assert got == data[: len(got)]
        assert len(data) - len(got) < 192


@cocotb.test()
async def without_a_gap(dut):
    import sampler_bench as bench

    await bench.reset(dut, "clear_i", "alt_i", "valid_i", "data_i", "ready_i")
    for alt in (False, True):
        size = settings()["parameters"]["AltBytes" if alt else "OutBytes"]
        blocks = 24
        _, cycles = await convert(dut, alt, random.randbytes(bench.BLOCK * blocks))
        # one cycle to take the first block; a beat larger than a block waits for blocks instead
        assert cycles == 1 + (blocks if size > bench.BLOCK else blocks * bench.BLOCK // size)
