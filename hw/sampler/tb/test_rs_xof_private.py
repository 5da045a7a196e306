# SPDX-License-Identifier: Apache-2.0
"""rs_xof_private against rs_private_stream; its cycles."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run, settings

SOURCES = ("rs_xof_private", "rs_keccak", "rs_keccak_round")


@pytest.mark.parametrize(("cores", "rounds"), [(1, 24), (3, 4)])
def test_xof_private(cores, rounds):
    run("rs_xof_private", rtl(*SOURCES), {"KeccakCores": cores, "RoundsPerCycle": rounds}, __file__)


@pytest.mark.parametrize("parameters", [{"KeccakCores": 0}, {"BlockBits": 57}])
def test_xof_private_illegal(parameters):
    assert "KeccakCores must be positive" in elaborate("rs_xof_private", rtl(*SOURCES), parameters)


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_xof_private_lint(cores):
    assert elaborate("rs_xof_private", rtl(*SOURCES), {"KeccakCores": cores}) == ""


async def stream(dut, seed, domain, first, count, ready=None):
    """The blocks, and in which cycles after start_i they were taken."""
    import sampler_bench as bench

    dut.seed_sec_i.value = int.from_bytes(seed, "little")
    dut.domain_i.value = domain
    dut.first_i.value = first
    dut.limit_i.value = first + count
    await bench.pulse(dut, "start_i")
    sink = bench.Sink(dut, "block_sec_o", ready or bench.always)
    cycles, cycle = [], 1
    while len(cycles) < count:
        if sink.cycle():
            cycles.append(cycle)
        await FallingEdge(dut.clk_i)
        cycle += 1
    for _ in range(30):  # nothing beyond the limit
        assert not int(dut.valid_o.value)
        await FallingEdge(dut.clk_i)
    return b"".join(beat.to_bytes(bench.BLOCK, "little") for beat in sink.beats), cycles


async def prepare(dut):
    import sampler_bench as bench

    await bench.reset(dut, "clear_i", "start_i", "seed_sec_i", "domain_i", "first_i", "limit_i", "ready_i")
    return bench, settings()["parameters"]


@cocotb.test()
async def same_bytes(dut):
    bench, _ = await prepare(dut)
    for trial in range(8):
        seed, domain = random.randbytes(64), random.randrange(256)
        first, count = (0, 9) if trial < 4 else (random.randrange(60000), random.randrange(1, 12))
        chance = random.choice([1, 0.5, 0.05])
        data, _ = await stream(dut, seed, domain, first, count, bench.sometimes(chance, trial))
        assert data == bench.private_stream(count * bench.BLOCK, seed, domain, first * bench.BLOCK)


@cocotb.test()
async def on_time(dut):
    _, parameters = await prepare(dut)
    cores, period = parameters["KeccakCores"], 24 // parameters["RoundsPerCycle"]
    _, cycles = await stream(dut, bytes(64), 1, 0, 5 * cores)
    assert cycles[0] == 1 + period
    for k in range(5 * cores):
        assert cycles[k] == 1 + period + k // cores * max(period, cores) + k % cores


@cocotb.test()
async def same_time_for_all_seeds(dut):
    bench, _ = await prepare(dut)
    seeds = [bytes(64), b"\xff" * 64, random.randbytes(64)]
    for chance in (1, 0.3):
        times = [(await stream(dut, seed, 2, 5, 12, bench.sometimes(chance, 7)))[1] for seed in seeds]
        assert times[0] == times[1] == times[2]


@cocotb.test()
async def limit_may_grow_and_clear_wipes(dut):
    bench, _ = await prepare(dut)
    seed = random.randbytes(64)
    await stream(dut, seed, 3, 0, 4)
    dut.limit_i.value = 5
    sink = bench.Sink(dut, "block_sec_o")
    while not sink.cycle():
        await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    expected = bench.private_stream(bench.BLOCK, seed, 3, 4 * bench.BLOCK)
    assert sink.beats == [int.from_bytes(expected, "little")]
    dut.limit_i.value = 60
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    await bench.pulse(dut, "clear_i")
    for _ in range(60):
        assert not int(dut.valid_o.value)
        assert not int(dut.block_sec_o.value)
        await FallingEdge(dut.clk_i)
