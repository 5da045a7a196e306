# SPDX-License-Identifier: Apache-2.0
"""rs_ram_2rw compared with a dictionary, both ports in every cycle, and its assertions."""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_block import Block

WIDTH, ADDRESS_BITS = 57, 9
RAM = Block("rs_ram_2rw", Width=WIDTH, Depth=300)
test_ram = RAM.runs(__file__, testcase="accesses")
test_ram_illegal = RAM.refuses("have to be positive", {"Width": 0}, {"Depth": 0})


@pytest.mark.parametrize(
    ("testcase", "message"),
    [("beyond", "address 300 of 300"), ("write_beyond", "address 301 of 300"), ("both", "both"), ("writes", "both")],
)
def test_ram_assertions(testcase, message):
    with pytest.raises(AssertionError, match=message):
        RAM.run({}, __file__, testcase)


async def access(dut, *ports):
    """ports: by port None, an address to read, or (address, data) to write."""
    req = we = addr = data = 0
    for port, wanted in enumerate(ports):
        if wanted is not None:
            at, word = wanted if isinstance(wanted, tuple) else (wanted, 0)
            req |= 1 << port
            we |= isinstance(wanted, tuple) << port
            addr |= at << ADDRESS_BITS * port
            data |= word << WIDTH * port
    dut.req_i.value, dut.we_i.value, dut.addr_i.value, dut.wdata_i.value = req, we, addr, data
    await FallingEdge(dut.clk_i)


def read(dut, port):
    return int(dut.rdata_o.value) >> WIDTH * port & ((1 << WIDTH) - 1)


@cocotb.test()
async def accesses(dut):
    depth = RAM.fixed["Depth"]
    Clock(dut.clk_i, 10, unit="ns").start()
    memory = {address: random.getrandbits(WIDTH) for address in range(depth)}
    for address in range(0, depth, 2):  # a word through each port
        await access(dut, (address, memory[address]), (address + 1, memory[address + 1]))
    held = [(None, 0), (None, 0)]  # what a port has read, and cycles since in which it was not used
    for _ in range(4000):
        wanted = [random.choice((None, at, (at, random.getrandbits(WIDTH)))) for at in random.sample(range(depth), 2)]
        if isinstance(wanted[0], int) and random.getrandbits(1):
            wanted[1] = wanted[0]  # both may read one word
        await access(dut, *wanted)
        for port, one in enumerate(wanted):
            word, idle = held[port]
            if isinstance(one, int):
                word, idle = memory[one], 0
                assert read(dut, port) == word
            elif one is None and word is not None:
                idle += 1
                assert (read(dut, port) == word) == (idle == 1), "for one cycle more, and no longer"
            held[port] = (None, 0) if isinstance(one, tuple) or idle > 1 else (word, idle)
        for one in wanted:
            if isinstance(one, tuple):
                memory[one[0]] = one[1]


@cocotb.test()
async def beyond(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut, None, None)
    await access(dut, 300, None)
    await access(dut, None, None)


@cocotb.test()
async def write_beyond(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut, None, None)
    await access(dut, None, (301, 5))
    await access(dut, None, None)


@cocotb.test()
async def both(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut, None, None)
    await access(dut, 7, (7, 5))
    await access(dut, None, None)


@cocotb.test()
async def writes(dut):
    Clock(dut.clk_i, 10, unit="ns").start()
    await access(dut, None, None)
    await access(dut, (7, 4), (7, 5))
    await access(dut, None, None)
