# SPDX-License-Identifier: Apache-2.0
"""rs_ram_1rw compared with a dictionary, and its assertions."""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run, settings

# a single word, and a depth that is no power of two
SIZES = [(8, 1), (57, 300), *(pytest.param(*size, marks=pytest.mark.soak) for size in [(32, 512), (64, 1024)])]


@pytest.mark.parametrize(("width", "depth"), SIZES)
def test_ram(width, depth):
    run("rs_ram_1rw", rtl("rs_ram_1rw"), {"Width": width, "Depth": depth}, __file__, testcase="accesses")


def test_ram_address_assertion():
    with pytest.raises(AssertionError, match="address 300 of 300"):
        run("rs_ram_1rw", rtl("rs_ram_1rw"), {"Width": 57, "Depth": 300}, __file__, testcase="beyond")


@pytest.mark.parametrize("name", ["Width", "Depth"])
def test_ram_illegal(name):
    assert "have to be positive" in elaborate("rs_ram_1rw", rtl("rs_ram_1rw"), {name: 0})


async def access(dut, req, we=0, addr=0, data=0):
    dut.req_i.value = req
    dut.we_i.value = we
    dut.addr_i.value = addr
    dut.wdata_i.value = data
    await FallingEdge(dut.clk_i)


@cocotb.test()
async def accesses(dut):
    width, depth = (settings()["parameters"][name] for name in ("Width", "Depth"))
    Clock(dut.clk_i, 10, unit="ns").start()
    dut.req_i.value = 0
    await FallingEdge(dut.clk_i)
    memory = {}
    for address in [*range(depth), *(random.randrange(depth) for _ in range(500))]:
        memory[address] = random.getrandbits(width)
        await access(dut, 1, 1, address, memory[address])
    for _ in range(1000):
        address = random.randrange(depth)
        await access(dut, 1, 0, address)
        assert int(dut.rdata_o.value) == memory[address]
        await access(dut, 0, random.getrandbits(1), address, random.getrandbits(width))
        assert int(dut.rdata_o.value) != memory[address], "held, which a macro might not do"


@cocotb.test()
async def beyond(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut, 0)
    await access(dut, 1, 0, settings()["parameters"]["Depth"])
    await access(dut, 0)
