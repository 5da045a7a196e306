# SPDX-License-Identifier: Apache-2.0
"""The AXI engines with a memory that others wrote: AxiRam of cocotbext-axi, with random pauses on every channel."""

import itertools
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import AxiBus, AxiRam
from rs_cocotb import run, settings, whole

SIZE = 1 << 16


@pytest.mark.parametrize("bus_bits", [pytest.param(64, marks=pytest.mark.soak), 512])
@pytest.mark.soak
def test_engines(bus_bits):
    sources = [*whole("rs_axi_read", "rs_axi_write"), Path(__file__).with_name("axi_engines.sv")]
    run("axi_engines", sources, {"BusBits": bus_bits}, __file__, transfers=40)


def pauses(seed, share):
    chance = random.Random(seed)
    return (chance.random() < share for _ in itertools.count())


async def write(dut, data, address, dice):
    """One transfer; its beats come when they like."""
    size = len(dut.w_i) // 8
    beats = [data[i : i + size] for i in range(0, len(data), size)]
    dut.write_addr_i.value, dut.write_lines_i.value = address, len(data) // 64 - 1
    dut.write_start_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.write_start_i.value = 0
    for beat in beats:
        while dice.random() < 0.3:
            await RisingEdge(dut.clk_i)
        dut.w_i.value = int.from_bytes(beat, "little")
        dut.w_valid_i.value = 1
        while True:
            await ReadOnly()
            taken = int(dut.w_ready_o.value)
            await RisingEdge(dut.clk_i)
            if taken:
                break
        dut.w_valid_i.value = 0
    while int(dut.write_busy_o.value):
        await RisingEdge(dut.clk_i)


async def read(dut, count, address, dice):
    """The bytes of one transfer."""
    size = len(dut.r_o) // 8
    found = b""
    dut.read_addr_i.value, dut.read_lines_i.value = address, count // 64 - 1
    dut.read_start_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.read_start_i.value = 0
    while len(found) < count:
        dut.r_ready_i.value = int(dice.random() < 0.7)
        await ReadOnly()
        if int(dut.r_valid_o.value) and int(dut.r_ready_i.value):
            found += int(dut.r_o.value).to_bytes(size, "little")
        await RisingEdge(dut.clk_i)
    dut.r_ready_i.value = 0
    while int(dut.read_busy_o.value):
        await RisingEdge(dut.clk_i)
    return found


@cocotb.test
async def transfers_both_ways(dut):
    dice = random.Random(3)
    for name in ("read_start_i", "write_start_i", "r_ready_i", "w_valid_i", "rst_ni"):
        getattr(dut, name).value = 0
    cocotb.start_soon(Clock(dut.clk_i, 2, "ns").start())
    memory = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_ni, reset_active_level=False, size=SIZE)
    for _ in range(4):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk_i)
    channels = [*(getattr(memory.write_if, f"{name}_channel") for name in ("aw", "w", "b"))]
    channels += [getattr(memory.read_if, f"{name}_channel") for name in ("ar", "r")]
    for trial in range(settings()["transfers"]):
        for channel in channels:
            channel.set_pause_generator(pauses(dice.random(), dice.choice((0, 0.3, 0.9))))
        counts = [64 * dice.randrange(1, 65) for _ in range(2)]
        places = [64 * dice.randrange((SIZE // 2 - count) // 64) for count in counts]
        places[1] += SIZE // 2  # reads and writes do not meet
        new, old = (dice.randbytes(count) for count in counts)
        before = memory.read(0, SIZE // 2)
        memory.write(places[1], old)
        writing = cocotb.start_soon(write(dut, new, places[0], dice))
        found = await with_timeout(read(dut, counts[1], places[1], dice), 100, "us")
        await with_timeout(writing, 100, "us")
        assert found == old, f"transfer {trial}"
        after = before[: places[0]] + new + before[places[0] + counts[0] :]
        assert memory.read(0, SIZE // 2) == after, f"transfer {trial}"
        assert int(dut.error_o.value) == 0
