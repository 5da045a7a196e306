# SPDX-License-Identifier: Apache-2.0
"""rs_modmul compared with Python's integers, with a new product in every cycle; its parts; illegal parameters."""

import random
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from rs_block import Block, soak
from rs_cocotb import Model, enum, settings, whole
from rs_residues import moduli, montgomery_radix, operands

BLOCK = Block("rs_modmul", "W WordBits")
LATENCY = {16: 10, 32: 10, 54: 19, 64: 20}


# rs_modmul_wlm_lean has words of 49 to 54 bits
@pytest.mark.parametrize("width", [32, 54, 64, *soak(16, 49)])
def test_modmul(width):
    library = Model(4096, [30, 45, 60]).moduli if width == 64 else []
    BLOCK.run(width, __file__, "products", library=library)


# what a target has for products, by the macros of rs_pkg: no latency may depend on it
TARGETS = {None: [], "tiles": ["RS_MUL_TILE_B=18"], "cells": ["RS_MUL_CELLS"], "wide": ["RS_MUL_WIDE"]}
OF_TARGETS = [(54, "cells"), (32, "tiles"), (32, "wide")]


# (64, "wide") takes ten seconds
@pytest.mark.parametrize("case", [*OF_TARGETS, *soak((64, "wide"), (16, "cells"), (32, "cells"), (54, "tiles"))])
def test_modmul_of_targets(case):
    """The same products in the same cycles."""
    width, target = case
    BLOCK.run(width, __file__, "products", macros=TARGETS[target], library=[], latency=LATENCY[width])


MOVING = [(64, True, None), (32, False, "cells")]
MOVING += soak((32, False, None), (54, True, "tiles"), (54, True, "wide"), (64, True, "wide"))


@pytest.mark.parametrize("case", MOVING, ids=str)
@pytest.mark.alike(2)
def test_modulus_that_moves(case):
    """Products modulo another modulus in every cycle, or as soon as registers that load once can take it."""
    *values, target = case
    sources = [*whole("rs_modmul", "rs_modmul_taps"), Path(__file__).parent / "rs_modmul_moving_bench.sv"]
    bench = Block("rs_modmul_moving_bench", "W Held", sources)
    bench.run(tuple(values), __file__, "moving", macros=TARGETS[target])


SMALL = [3329, 12289, 8380417]  # ML-KEM, NewHope and BLISS, ML-DSA: all are 1 mod 2^8


@pytest.mark.parametrize("case", [(64, 16), (24, 8), *soak((17, 8), (32, 8))], ids=str)
def test_modmul_word_bits(case):
    width, word_bits = case
    library = [q for q in SMALL if q < 1 << width and word_bits == 8]
    BLOCK.run(case, __file__, "products", library=library)


test_modmul_illegal = BLOCK.refuses(
    *("W 15 is not in 16..64", 15, "W 65 is not in 16..64", 65, "WordBits 32 not in", {"WordBits": 32}),
    *("WordBits 0 not in", {"WordBits": 0}, "one modulus for all data", {"Encode": 1, "Moving": 1}),
)

# the low part alone, tiles of odd sizes, one tile
# several tiles each way, one row, tiles much smaller than the product; then what lies between
SHAPES = [(66, 66, 132, 17, 24), (11, 53, 64, 17, 24), (23, 29, 24, 3, 5)]
MORE_SHAPES = [(32, 32, 33, 17, 24), (16, 16, 32, 17, 24)]
CHAIN, *STYLES = map(enum, ("MUL_CHAIN", "MUL_TILES", "MUL_CELLS"))
CASES = [(*shape, CHAIN) for shape in SHAPES] + [(*SHAPES[-1], style) for style in STYLES]
ALL_CASES = [(*shape, style) for shape in (*SHAPES[:-1], *MORE_SHAPES) for style in (CHAIN, *STYLES)]
MUL = Block("rs_mul", "WidthA WidthB WidthP TileA TileB Style", SoftBits=4)
MORE = soak(*(case for case in ALL_CASES if case not in CASES))
test_mul = MUL.runs(__file__, [*CASES, *MORE], "integers")


# ---- in the simulator -----------------------------------------------------------------------------------------------
async def stream(dut, latency, inputs, output):
    """Drives one tuple per cycle and returns the outputs, which come `latency` cycles later."""
    results = []
    for index in range(len(inputs) + latency):
        if index < len(inputs):
            for port, value in inputs[index].items():
                port.value = value
        await FallingEdge(dut.clk_i)
        if index + 1 >= latency:
            results.append(int(output.value))
    return results[: len(inputs)]


def latency_of(dut):
    return int(dut.Latency.value)


@cocotb.test()
async def products(dut):
    given = settings()
    width = given["parameters"]["W"]
    word_bits = given["parameters"].get("WordBits", 11)
    assert latency_of(dut) == given.get("latency", latency_of(dut))
    Clock(dut.clk_i, 2, unit="ns").start()
    for q in moduli(width, word_bits) + given["library"]:
        dut.q_i.value = q
        factor = pow(montgomery_radix(width, word_bits), -1, q)
        pairs = operands(q, 300)
        inputs = [{dut.a_i: a, dut.b_i: b} for a, b in pairs]
        got = await stream(dut, latency_of(dut), inputs, dut.p_o)
        for (a, b), p in zip(pairs, got, strict=True):
            assert p == a * b * factor % q, (q, a, b)
    await ClockCycles(dut.clk_i, 1)


@cocotb.test()
async def moving(dut):
    given = settings()
    width, held = (given["parameters"][name] for name in ("W", "Held"))
    Clock(dut.clk_i, 2, unit="ns").start()
    primes = moduli(width, 11)
    inverse = {q: pow(montgomery_radix(width, 11), -1, q) for q in primes}
    inputs, expected = [], []
    q, left = 0, 0
    for _ in range(1500):
        if left == 0:
            q = random.choice([prime for prime in primes if prime != q])
            left = random.choice([0, 0, 1, 30]) + int(dut.MinRun.value) if held else 1
            load = 1
        a, b = random.choice(operands(q, 1)) if random.random() < 0.2 else (random.randrange(q), random.randrange(q))
        inputs.append({dut.load_i: load, dut.q_i: q, dut.a_i: a, dut.b_i: b})
        expected.append(a * b * inverse[q] % q)
        left, load = left - 1, 0
    assert await stream(dut, latency_of(dut), inputs, dut.p_o) == expected


@cocotb.test()
async def integers(dut):
    given = settings()["parameters"]
    wa, wb, wp = (given[name] for name in ("WidthA", "WidthB", "WidthP"))
    Clock(dut.clk_i, 2, unit="ns").start()
    pairs = [(a, b) for a in (0, 1, 2**wa - 1) for b in (0, 1, 2**wb - 1)]
    pairs += [(random.getrandbits(wa), random.getrandbits(wb)) for _ in range(1000)]
    got = await stream(dut, latency_of(dut), [{dut.a_i: a, dut.b_i: b} for a, b in pairs], dut.p_o)
    assert got == [a * b % 2**wp for a, b in pairs]
