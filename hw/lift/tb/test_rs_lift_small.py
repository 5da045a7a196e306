# SPDX-License-Identifier: Apache-2.0
"""rs_lift_small: all small values, moduli of several sizes."""

import random

import cocotb
import pytest
from cocotb.triggers import Timer
from rs_cocotb import elaborate, rtl, run, settings


@pytest.mark.parametrize("width", [32, 60])
def test_lift_small(width):
    run("rs_lift_small", rtl("rs_lift_small"), {"W": width}, __file__)


def test_lift_small_lint():
    assert elaborate("rs_lift_small", rtl("rs_lift_small")) == ""
    assert "ValueBits must be" in elaborate("rs_lift_small", rtl("rs_lift_small"), {"ValueBits": 1})


@cocotb.test()
async def all_values(dut):
    width = settings()["parameters"]["W"]
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
                assert int(dut.residue_sec_o.value) == value * (factor if scale else 1) % q
