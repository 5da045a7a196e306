# SPDX-License-Identifier: Apache-2.0
"""rs_ram_1rw1w compared with a dictionary, both ports in every cycle, and its assertions."""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run

PARAMETERS = {"Width": 57, "Depth": 300}


def test_ram():
    run("rs_ram_1rw1w", rtl("rs_ram_1rw1w"), PARAMETERS, __file__, testcase="accesses")


@pytest.mark.parametrize(
    ("testcase", "message"),
    [("beyond", "address 300 of 300"), ("write_beyond", "address 301 of 300"), ("both", "both")],
)
def test_ram_assertions(testcase, message):
    with pytest.raises(AssertionError, match=message):
        run("rs_ram_1rw1w", rtl("rs_ram_1rw1w"), PARAMETERS, __file__, testcase=testcase)


@pytest.mark.parametrize("name", ["Width", "Depth"])
def test_ram_illegal(name):
    assert "have to be positive" in elaborate("rs_ram_1rw1w", rtl("rs_ram_1rw1w"), {name: 0})


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
    width, depth = PARAMETERS["Width"], PARAMETERS["Depth"]
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
