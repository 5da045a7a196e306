# SPDX-License-Identifier: Apache-2.0
"""rs_ram_1rw1w compared with a dictionary, both ports in every cycle, and its assertions."""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_block import Block

RAM = Block("rs_ram_1rw1w", Width=57, Depth=300)
test_ram = RAM.runs(__file__, testcase="accesses")
test_ram_illegal = RAM.refuses("have to be positive", {"Width": 0}, {"Depth": 0})


@pytest.mark.parametrize(
    ("testcase", "message"),
    [("beyond", "address 300 of 300"), ("write_beyond", "address 301 of 300"), ("both", "both")],
)
def test_ram_assertions(testcase, message):
    with pytest.raises(AssertionError, match=message):
        RAM.run({}, __file__, testcase)


async def access(dut, req=0, we=0, addr=0, data=0, write=None):
    dut.req_i.value = req
    dut.we_i.value = we
    dut.addr_i.value = addr
    dut.wdata_i.value = data
    dut.write_i.value = write is not None
    dut.waddr_i.value, dut.data_i.value = write or (0, 0)
    await FallingEdge(dut.clk_i)


@cocotb.test()
async def accesses(dut):
    width, depth = RAM.fixed["Width"], RAM.fixed["Depth"]
    Clock(dut.clk_i, 10, unit="ns").start()
    memory = {address: random.getrandbits(width) for address in range(depth)}
    for address in range(0, depth, 2):  # a word through each port
        first = (address, memory[address])
        await access(dut, 1, 1, address + 1, memory[address + 1], first)
    for _ in range(2000):
        here, there = random.sample(range(depth), 2)
        req, we = random.getrandbits(1), random.getrandbits(1)
        data, other = (random.getrandbits(width) for _ in range(2))
        write = (there, other) if random.getrandbits(1) else None
        await access(dut, req, we, here, data, write)
        if req and not we:
            assert int(dut.rdata_o.value) == memory[here]
            read = memory[here]
            second = (random.choice((here, there)), other) if random.getrandbits(1) else None
            await access(dut, 0, we, here, data, second)
            if second:
                memory[second[0]] = other
            assert int(dut.rdata_o.value) == read, "not held for a second cycle"
            await access(dut, 0, we, here, data)
            assert int(dut.rdata_o.value) != read, "held longer than anybody may count on"
        if req and we:
            memory[here] = data
        if write:
            memory[there] = other


@cocotb.test()
async def beyond(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut)
    await access(dut, 1, 0, 300)
    await access(dut)


@cocotb.test()
async def write_beyond(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut)
    await access(dut, write=(301, 5))
    await access(dut)


@cocotb.test()
async def both(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut)
    await access(dut, 1, 0, 7, 0, (7, 5))
    await access(dut)
