# SPDX-License-Identifier: Apache-2.0
"""rs_ram_1rw compared with a dictionary, and its assertions; and with an integrator's memory in its place."""

import random
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import BuildError, settings, whole

# a single word, and a depth that is no power of two
RAM = Block("rs_ram_1rw", "Width Depth")
test_ram = RAM.runs(__file__, [(8, 1), (57, 300), *soak((32, 512), (64, 1024))], "accesses")
test_ram_illegal = RAM.refuses("have to be positive", {"Width": 0}, {"Depth": 0})


@pytest.mark.parametrize("case", [(8, 1), (57, 300)])
def test_a_macro_takes_its_place(case):
    own = [*whole("rs_ram_1rw"), Path(__file__).with_name("rs_ram_macro.sv")]
    Block("rs_ram_1rw", "Width Depth", own).run(case, __file__, "accesses", macros=["RS_RAM_MACRO"])


def test_a_macro_that_is_missing_is_an_error():
    with pytest.raises(BuildError, match="rs_ram_macro"):
        RAM.run((8, 1), __file__, "accesses", macros=["RS_RAM_MACRO"])


def test_ram_address_assertion():
    with pytest.raises(AssertionError, match="address 300 of 300"):
        RAM.run((57, 300), __file__, "beyond")


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
