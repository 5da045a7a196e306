# SPDX-License-Identifier: Apache-2.0
"""rs_reduce_word compared with the remainder: words for which the estimate of the quotient is worst, moduli of every size."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from reduction_words import words
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_reduce_word", "W")
test_reduce_word = BLOCK.runs(__file__, [16, *soak(32, 54), 64])
test_reduce_word_lint = BLOCK.lints([16, 32, 33, 54, 62, 64])
test_reduce_word_refuses = BLOCK.refuses("W must be 16 to 64", 15, 65)


def moduli(width):
    """The smallest, the largest, about powers of two, random ones of every size."""
    found = {3, 4, 5, 2**width - 1, 2 ** (width - 1) + 1}
    for bits in range(3, width + 1):
        found |= {random.randrange(1 << (bits - 1), 1 << bits), (1 << (bits - 1)) + 1}
    return sorted(found)


@cocotb.test()
async def remainders(dut):
    width = settings()["parameters"]["W"]
    latency = int(dut.Latency.value)
    Clock(dut.clk_i, 10, unit="ns").start()
    for q in moduli(width):
        dut.q_i.value = q
        dut.ratio64_i.value = 2**64 // q
        await FallingEdge(dut.clk_i)
        given = list(words(q, 60))
        for cycle in range(len(given) + latency):
            if cycle >= latency:
                assert int(dut.residue_o.value) == given[cycle - latency] % q, (q, given[cycle - latency])
            dut.word_i.value = given[cycle] if cycle < len(given) else random.getrandbits(64)
            await FallingEdge(dut.clk_i)
