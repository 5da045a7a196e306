# SPDX-License-Identifier: Apache-2.0
"""rs_xof_private compared with rs_private_stream; its cycles."""

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


class Blocks:
    """Grants room when `room` says so: a block may then come in the next cycle, and in no other."""

    def __init__(self, dut, room=None):
        self.dut, self.room, self.granted, self.data = dut, room or (lambda: True), False, []

    def cycle(self):
        """Once per cycle; true if there is a block."""
        valid = bool(int(self.dut.valid_o.value))
        assert self.granted or not valid
        if valid:
            self.data.append(int(self.dut.block_sec_o.value).to_bytes(136, "little"))
        self.granted = self.room()
        self.dut.room_i.value = int(self.granted)
        return valid


async def stream(dut, seed, domain, count, room=None):
    """The blocks, and in which cycles after start_i they came."""
    import sampler_bench as bench

    dut.seed_sec_i.value = int.from_bytes(seed, "little")
    dut.domain_i.value = domain
    dut.limit_i.value = count
    await bench.pulse(dut, "start_i")
    blocks = Blocks(dut, room)
    cycles, cycle = [], 1
    while len(cycles) < count:
        if blocks.cycle():
            cycles.append(cycle)
        await FallingEdge(dut.clk_i)
        cycle += 1
    dut.room_i.value = 1
    for _ in range(30):  # nothing beyond the limit
        assert not int(dut.valid_o.value)
        await FallingEdge(dut.clk_i)
    dut.room_i.value = 0
    return b"".join(blocks.data), cycles


async def prepare(dut):
    import sampler_bench as bench

    await bench.reset(dut, "clear_i", "start_i", "seed_sec_i", "domain_i", "limit_i", "room_i")
    return bench, settings()["parameters"]


@cocotb.test()
async def same_bytes(dut):
    bench, _ = await prepare(dut)
    for trial, count in enumerate((1, 2, 9, 12, 5, 300)):  # block numbers of two bytes, too
        seed, domain = random.randbytes(64), random.randrange(256)
        chance = (1, 0.5, 0.5, 0.05, 1, 1)[trial]
        data, _ = await stream(dut, seed, domain, count, bench.sometimes(chance, trial))
        assert data == bench.private_stream(count * bench.BLOCK, seed, domain)


@cocotb.test()
async def on_time(dut):
    _, parameters = await prepare(dut)
    cores, period = parameters["KeccakCores"], 24 // parameters["RoundsPerCycle"]
    _, cycles = await stream(dut, bytes(64), 1, 5 * cores)
    for k in range(5 * cores):
        assert cycles[k] == 2 + period + k // cores * max(period, cores) + k % cores


@cocotb.test()
async def same_time_for_all_seeds(dut):
    bench, _ = await prepare(dut)
    seeds = [bytes(64), b"\xff" * 64, random.randbytes(64)]
    for chance in (1, 0.3):
        times = [(await stream(dut, seed, 2, 12, bench.sometimes(chance, 7)))[1] for seed in seeds]
        assert times[0] == times[1] == times[2]


@cocotb.test()
async def limit_may_grow_and_clear_wipes(dut):
    bench, _ = await prepare(dut)
    seed = random.randbytes(64)
    await stream(dut, seed, 3, 4)
    dut.limit_i.value = 5
    blocks = Blocks(dut)
    while not blocks.cycle():
        await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    assert blocks.data == [bench.private_stream(bench.BLOCK, seed, 3, 4 * bench.BLOCK)]
    dut.limit_i.value = 60
    for _ in range(6):
        await FallingEdge(dut.clk_i)
    await bench.pulse(dut, "clear_i")
    for _ in range(60):
        assert not int(dut.valid_o.value)
        await FallingEdge(dut.clk_i)
