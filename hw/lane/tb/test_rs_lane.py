# SPDX-License-Identifier: Apache-2.0
"""rs_lane: a new operation in every cycle, compared with Python's integers; whole polynomials, compared with the C library."""

import random

import cocotb
import numpy as np
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_cocotb import Model, elaborate, enum, rtl, run, settings
from rs_residues import barrett_constants, moduli, montgomery_radix, operands

MODMUL = [
    "rs_mul_tile",
    "rs_mul_add_tile",
    "rs_mul_carry_save",
    "rs_mul_row",
    "rs_mul",
    "rs_delay",
    "rs_csub",
    "rs_modmul_barrett",
    "rs_modmul_wlm_step",
]
LANE = [*MODMUL, "rs_modmul_wlm", "rs_modmul", "rs_addsub_mod", "rs_half_diff", "rs_lane"]
OPS = ["LANE_CT", "LANE_GS", "LANE_MUL", "LANE_MAC", "LANE_MSUB", "LANE_ADD", "LANE_SUB"]
WORD_BITS = 11


@pytest.mark.parametrize(
    ("width", "reduction"),
    [
        (32, "RS_BARRETT"),
        (64, "RS_BARRETT"),
        pytest.param(32, "RS_WLM", marks=pytest.mark.soak),
        (54, "RS_WLM"),
        # hw/modmul has these multipliers
        pytest.param(54, "RS_BARRETT", marks=pytest.mark.soak),
        pytest.param(64, "RS_WLM", marks=pytest.mark.soak),
    ],
)
def test_lane(width, reduction):
    parameters = {"W": width, "Reduction": enum(reduction)}
    ops = {name: enum(name) for name in OPS}
    bits = {32: [30, 31, 20], 54: [30, 54, 50], 64: [30, 45, 60]}[width]
    run("rs_lane", rtl(*LANE), parameters, __file__, reduction=reduction, ops=ops, bits=bits)


def test_lane_illegal():
    assert "W 65 is not in 16..64" in elaborate("rs_lane", rtl(*LANE), {"W": 65})


# ---- in the simulator -----------------------------------------------------------------------------------------------
def expected(name, x, y, w, q):
    """a, and b for butterflies."""
    half = (q + 1) // 2
    return {
        "LANE_CT": ((x + y * w) % q, (x - y * w) % q),
        "LANE_GS": ((x + y) * half % q, (y - x) * w * half % q),
        "LANE_MUL": (y * w % q, None),
        "LANE_MAC": ((x + y * w) % q, None),
        "LANE_MSUB": ((x - y * w) % q, None),
        "LANE_ADD": ((x + y) % q, None),
        "LANE_SUB": ((x - y) % q, None),
    }[name]


async def feed(dut, q, calls):
    """One (op, x, y, w) per cycle, back to back -> (a, b) of each; w is brought to the form of the reduction."""
    given = settings()
    width = given["parameters"]["W"]
    dut.q_i.value = q
    dut.mu_i.value, dut.shift_i.value = barrett_constants(q, width)
    radix = montgomery_radix(width, WORD_BITS) if given["reduction"] == "RS_WLM" else 1
    latency = int(dut.Latency.value)
    results = []
    for index in range(len(calls) + latency - 1):
        if index < len(calls):
            op, x, y, w = calls[index]
            dut.op_i.value = given["ops"][op]
            dut.x_i.value, dut.y_i.value, dut.w_i.value = x, y, w * radix % q
            dut.gs_x_i.value, dut.gs_y_i.value = x, y
            if op == "LANE_GS":
                dut.y_i.value = random.randrange(q)
        await FallingEdge(dut.clk_i)
        if index + 1 >= latency:
            results.append((int(dut.a_o.value), int(dut.b_o.value)))
    return results


@cocotb.test()
async def operations(dut):
    given = settings()
    width = given["parameters"]["W"]
    Clock(dut.clk_i, 2, unit="ns").start()
    for q in moduli(width, WORD_BITS if given["reduction"] == "RS_WLM" else 0):
        calls = [(op, x, y, w) for op in OPS for x, y in operands(q, 10) for w in (0, 1, q - 1, random.randrange(q))]
        random.shuffle(calls)
        calls = calls[:700]
        for (op, x, y, w), (a, b) in zip(calls, await feed(dut, q, calls), strict=True):
            want_a, want_b = expected(op, x, y, w, q)
            assert a == want_a, (op, q, x, y, w)
            assert want_b is None or b == want_b, (op, q, x, y, w)


@cocotb.test()
async def library(dut):
    """Polynomials through poly.c, and a first butterfly stage undone by a last one as in ntt.c."""
    Clock(dut.clk_i, 2, unit="ns").start()
    model = Model(1024, settings()["bits"])
    rng = np.random.default_rng(1)
    for limb, q in enumerate(model.moduli):
        x, y, w = (rng.integers(0, q, model.n, np.uint64) for _ in range(3))
        wanted = {
            "LANE_MUL": model.mul(limb, y, w),
            "LANE_MAC": model.mul_add(limb, y, w, x),
            "LANE_MSUB": model.mul_sub(limb, y, w, x),
            "LANE_ADD": model.add(limb, x, y),
        }
        for op, want in wanted.items():
            words = zip(x, y, w, strict=True)
            got = await feed(dut, q, [(op, *map(int, word)) for word in words])
            assert [a for a, _ in got] == want.tolist(), (op, q)
        # psi^(N/2) = brv-th twiddle 1; its mirror is itself, and GS after CT gives x, y again
        root = pow(model.root(limb), model.n // 2, q)
        pairs = [(int(u), int(v)) for u, v in zip(x, y, strict=True)]
        there = await feed(dut, q, [("LANE_CT", u, v, root) for u, v in pairs])
        back = await feed(dut, q, [("LANE_GS", u, v, root) for u, v in there])
        assert back == pairs
