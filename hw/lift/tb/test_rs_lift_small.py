# SPDX-License-Identifier: Apache-2.0
"""rs_lift_small: all small values, moduli of several sizes."""

import random

import cocotb
from cocotb.triggers import Timer
from rs_block import Block
from rs_cocotb import settings

BLOCK = Block("rs_lift_small", "W Below")
test_lift_small = BLOCK.runs(__file__, [(32, 0), (32, 1), (60, 0)])
test_lift_small_lint = BLOCK.lints()
test_lift_small_illegal = BLOCK.refuses("ValueBits must be", {"ValueBits": 1})


@cocotb.test()
async def all_values(dut):
    width, below = (settings()["parameters"][name] for name in ("W", "Below"))
    for _ in range(50):
        q = random.randrange(64, 2 ** random.randrange(7, width + 1))
        factor = random.randrange(1, q)
        dut.q_i.value = q
        dut.factor_i.value = factor
        for scale, values in ((0, range(-32, 32)), (1, range(-1, 2))):
            dut.scale_i.value = scale
            for value in values:
                dut.value_sec_i.value = value
                await Timer(1, "ns")
                want = value * (factor if scale else 1) % q - below * q
                assert int(dut.residue_sec_o.value) == want % (1 << width)
