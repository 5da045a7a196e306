# SPDX-License-Identifier: Apache-2.0
"""rs_lane: a new operation in every cycle, compared with Python's integers; whole polynomials, compared with the C library.

A pair of lanes: butterflies of encode and decode in fixed point, compared with the library; then residues through the same lanes.
"""

import random
from pathlib import Path

import cocotb
import numpy as np
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from rs_cocotb import Model, elaborate, enum, run, settings, whole
from rs_residues import moduli, montgomery_radix, operands

LANE = whole("rs_lane")
OPS = ["LANE_CT", "LANE_GS", "LANE_MUL", "LANE_MAC", "LANE_MSUB", "LANE_ADD", "LANE_SUB"]
WORD_BITS = 11
PAIR_WIDTHS = [54, *(pytest.param(width, marks=pytest.mark.soak) for width in (32, 60, 64))]


@pytest.mark.parametrize("width", [32, 54, 64])
@pytest.mark.alike(2)
def test_lane(width):
    ops = {name: enum(name) for name in OPS}
    bits = {32: [30, 31, 20], 54: [30, 54, 50], 64: [30, 45, 60]}[width]
    run("rs_lane", LANE, {"W": width}, __file__, ["operations", "library"], ops=ops, bits=bits)


@pytest.mark.parametrize("width", PAIR_WIDTHS)
def test_lane_pair(width):
    sources = [*LANE, Path(__file__).parent / "rs_lane_pair.sv"]
    ops = {name: enum(name) for name in OPS}
    run("rs_lane_pair", sources, {"W": width}, __file__, ["butterflies", "residues"], ops=ops)


def test_lane_illegal():
    assert "W 65 is not in 16..64" in elaborate("rs_lane", LANE, {"W": 65})


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
    """One (op, x, y, w) per cycle, back to back -> (a, b) of each; w becomes w R."""
    given = settings()
    width = given["parameters"]["W"]
    dut.q_i.value = q
    radix = montgomery_radix(width, WORD_BITS)
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
        dut.rinse_i.value = random.getrandbits(1)
        await FallingEdge(dut.clk_i)
        if index + 1 >= latency:
            results.append((int(dut.a_o.value), int(dut.b_o.value)))
    return results


@cocotb.test()
async def operations(dut):
    width = settings()["parameters"]["W"]
    Clock(dut.clk_i, 2, unit="ns").start()
    for q in moduli(width, WORD_BITS):
        calls = [(op, x, y, w) for op in OPS for x, y in operands(q, 10) for w in (0, 1, q - 1, random.randrange(q))]
        random.shuffle(calls)
        calls = calls[:700]
        for (op, x, y, w), (a, b) in zip(calls, await feed(dut, q, calls), strict=True):
            want_a, want_b = expected(op, x, y, w, q)
            assert a == want_a, (op, q, x, y, w)
            assert want_b is None or b == want_b, (op, q, x, y, w)


@cocotb.test()
async def library(dut):
    """Polynomials through plan.c, and a first butterfly stage undone by a last one as in ntt.c."""
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


def words(width, count):
    """Points: corners of the range, small ones, and random ones."""
    top = 1 << (width - 1)
    corners = (-top, 1 - top, -1, 0, 1, 2, 3, top // 2, top - 2, top - 1)

    def any_word():
        choice = random.randrange(4)
        if choice == 0:
            return random.choice(corners)
        return random.randrange(-top, top) >> (0, 1, 2, width // 2)[random.randrange(4)]

    return [tuple(any_word() for _ in range(4)) for _ in range(count)]


@cocotb.test()
async def butterflies(dut):
    """Back to back, as the schedule sends them: two cycles each."""
    from ringside.native.library import ffi, lib

    given = settings()
    width = given["parameters"]["W"]
    mask = (1 << width) - 1
    Clock(dut.clk_i, 2, unit="ns").start()
    dut.q_i.value, dut.fixed_i.value = 1, 1
    latency = int(dut.Latency.value)
    for inverse in (1, 0):
        dut.op_i.value = given["ops"]["LANE_GS" if inverse else "LANE_CT"]
        await FallingEdge(dut.clk_i)
        calls = []
        for point in words(width, 300):
            root = [random.choice((mask, random.getrandbits(width), mask >> 1, 1)) for _ in range(2)]
            calls.append((point, *root, random.getrandbits(1)))
        flags, got = [], []
        for cycle in range(2 * len(calls) + latency + 2):
            index, second = divmod(cycle, 2)
            if index < len(calls):
                (xr, xi, yr, yi), wr, wi, negative = calls[index]
                dut.x_i.value = (xr & mask) | (xi & mask) << width
                dut.y_i.value = (yr & mask) | (yi & mask) << width
                dut.w_i.value = wi if second else wr
                dut.second_i.value = second
                # signs of the second products: decode re - im im, encode im - re im
                dut.minus_i.value = (2 if inverse else 1) if second else 3 * negative
            await FallingEdge(dut.clk_i)
            # the clock edge of this cycle is behind us: outputs are those of cycle + 1
            if cycle >= 1 and cycle % 2 == 1:
                flags.append(int(dut.factor_over_o.value))
            if cycle + 1 >= latency and (cycle + 1 - latency) % 2 == 0:
                flags_sum = int(dut.sum_over_o.value)
            if cycle + 1 >= latency + 1 and (cycle - latency) % 2 == 0:
                got.append((int(dut.a_o.value), int(dut.b_o.value), flags_sum))
        assert len(got) >= len(calls)
        overflows = 0
        for (point, wr, wi, negative), (a, b, sum_over), factor_over in zip(calls, got, flags, strict=False):
            x, y = ffi.new("rs_fixed_point_t *", point[:2]), ffi.new("rs_fixed_point_t *", point[2:])
            root = ffi.new("rs_fixed_root_t *", [wr, wi, negative])[0]
            butterfly = lib.rs_fixed_butterfly_inverse if inverse else lib.rs_fixed_butterfly_forward
            over = butterfly(width, x, y, root)
            pair = [(p.re & mask) | (p.im & mask) << width for p in (x, y)]
            assert [a, b] == pair, (inverse, point, wr, wi, negative)
            assert over == (factor_over | sum_over), (inverse, point, wr, wi, negative)
            overflows += over
        assert 0 < overflows < len(calls)


@cocotb.test()
async def factors(dut):
    """Words times a factor, one in each cycle, in both lanes; what x and the partner have does not matter."""
    from ringside.native.library import ffi, lib

    given = settings()
    width = given["parameters"]["W"]
    mask = (1 << width) - 1
    Clock(dut.clk_i, 2, unit="ns").start()
    dut.q_i.value, dut.fixed_i.value = 1, 1
    dut.second_i.value, dut.minus_i.value = 0, 0
    dut.op_i.value = given["ops"]["LANE_MUL"]
    latency = int(dut.Latency.value)
    await FallingEdge(dut.clk_i)
    calls = [(*y, random.choice((mask, 1 << width - 1, random.getrandbits(width), 1, 0))) for y in words(width, 400)]
    got, flags = [], []
    for cycle in range(len(calls) + latency):
        if cycle < len(calls):
            x, y, x_other, y_other, w = calls[cycle]
            dut.x_i.value = (x & mask) | (x_other & mask) << width
            dut.y_i.value = (y & mask) | (y_other & mask) << width
            dut.w_i.value = w
        await FallingEdge(dut.clk_i)
        if cycle >= 1:
            flags.append(int(dut.factor_over_o.value))
        if cycle + 1 >= latency:
            got.append(int(dut.a_o.value))
    refused = 0
    for (_, y, _, y_other, w), a, over in zip(calls, got, flags, strict=False):
        want_over = ffi.new("uint32_t *")
        pair = [lib.rs_fixed_times(width, word, w, want_over) & mask for word in (y, y_other)]
        assert a == pair[0] | pair[1] << width, (y, y_other, w)
        assert over == want_over[0], (y, y_other)
        refused += over
    assert 0 < refused < len(calls)


@cocotb.test()
async def residues(dut):
    """What a lane does for residues, it does as well when it can do fixed point."""
    given = settings()
    width = given["parameters"]["W"]
    Clock(dut.clk_i, 2, unit="ns").start()
    dut.fixed_i.value, dut.second_i.value, dut.minus_i.value = 0, 0, 0
    latency = int(dut.Latency.value)
    for q in moduli(width, WORD_BITS)[-2:]:
        dut.q_i.value = q
        radix = montgomery_radix(width, WORD_BITS)
        calls = [(op, x, y, random.randrange(q)) for op in OPS for x, y in operands(q, 20)]
        random.shuffle(calls)
        for index in range(len(calls) + latency - 1):
            if index < len(calls):
                op, x, y, w = calls[index]
                dut.op_i.value = given["ops"][op]
                dut.x_i.value, dut.y_i.value, dut.w_i.value = x | x << width, y | y << width, w * radix % q
            await FallingEdge(dut.clk_i)
            if index + 1 >= latency:
                op, x, y, w = calls[index + 1 - latency]
                a, b = expected(op, x, y, w, q)
                assert int(dut.a_o.value) == a | a << width, (op, q, x, y, w)
                assert b is None or int(dut.b_o.value) == b | b << width, (op, q, x, y, w)
