# SPDX-License-Identifier: Apache-2.0
"""rs_sample_small on streams of hashlib, compared with the standards' definitions in plain Python; times; nothing stays."""

import random

import field_bench
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from field_bench import bits_of
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_sample_small", "BeatLanes Words Psi16")
SHAPES = [(1, 4, 1), *soak((2, 2, 0), (1, 1, 0), (2, 8, 1))]
test_sample_small = BLOCK.runs(__file__, SHAPES, inside=True)
test_sample_small_lint = BLOCK.lints(SHAPES)
test_sample_small_illegal = BLOCK.refuses("Words must be", (1, 3, 0), (1, 64, 0))


def binomial(data, eta):
    bits = bits_of(data, 1)
    parts = [bits[at : at + eta] for at in range(0, len(bits) - eta + 1, eta)]
    return [sum(plus) - sum(minus) for plus, minus in zip(parts[::2], parts[1::2], strict=False)]


def mask(data, bits):
    return [(1 << bits - 1) - value for value in bits_of(data, bits)]


def nibbles(data, eta):
    if eta == 2:
        return [2 - value % 5 for value in bits_of(data, 4) if value < 15]
    return [4 - value for value in bits_of(data, 4) if value < 9]


# code, bits of a coefficient, coefficients, definition
KINDS = {
    "CBD2": (0, 4, 256, lambda data: binomial(data, 2)),
    "CBD3": (1, 6, 256, lambda data: binomial(data, 3)),
    "psi16": (2, 32, 1024, lambda data: binomial(data, 16)),
    "ExpandS, eta 2": (3, 0, 256, lambda data: nibbles(data, 2)),
    "ExpandS, eta 4": (4, 0, 256, lambda data: nibbles(data, 4)),
    "ExpandMask, 18 bits": (5, 18, 256, lambda data: mask(data, 18)),
    "ExpandMask, 20 bits": (6, 20, 256, lambda data: mask(data, 20)),
}


def kinds():
    psi16 = settings()["parameters"]["Psi16"]
    return {name: kind for name, kind in KINDS.items() if psi16 or name != "psi16"}


async def sample(dut, name, data, chance=1.0, seed=0):
    code, _, coefs, _ = KINDS[name]
    lanes = settings()["parameters"]["BeatLanes"]
    offer = bench.sometimes(chance, seed)
    got, count, trace = await field_bench.sample(dut, code, coefs, data, 136, lanes, "data_sec_i", 21, offer)
    return [value - (value >> 20 << 21) for value in got], count, trace


@bench.test
async def as_the_standards(dut):
    for trial in range(3):
        for name, (_, bits, coefs, definition) in kinds().items():
            data = field_bench.stream("shake_256", random.randbytes(66), 40)
            if trial == 2:  # all zeros, all ones: both ends
                data = bytes(68) + (b"\xff" * 68 if bits else b"\x0e\x8e" * 34) + data
            want = definition(data)[:coefs]
            got, _, _ = await sample(dut, name, data, (1, 0.4, 1)[trial], trial)
            assert got == want, name


@bench.test
async def cycles(dut):
    """A row per cycle, or as beats come; nibbles as fast as both allow."""
    parameters = settings()["parameters"]
    lanes, words = parameters["BeatLanes"], parameters["Words"]
    for name, (_, bits, coefs, definition) in kinds().items():
        data = field_bench.stream("shake_256", bytes(66), 40)
        got, count, _ = await sample(dut, name, data)
        assert len(got) == coefs
        size = field_bench.needed(definition, data, coefs)
        rows = coefs // words
        beats = -(-size // (8 * lanes)) + (lanes - 1) * (size // 136 + 1)
        scans = -(-2 * size // (2 * words)) if not bits else 0
        assert count <= max(rows, beats, scans) + 12 + (rows // 6 if not bits else 0), (name, count)
        dut._log.info("%s: %d cycles", name, count)


@bench.test
async def time_depends_on_nothing_or_on_rejections(dut):
    for name, (_, bits, coefs, _) in kinds().items():
        data = field_bench.stream("shake_256", random.randbytes(66), 40)
        traces = []
        for _ in range(3):
            if bits:
                other = random.randbytes(len(data))
            else:  # other values that are rejected where those of the first one are
                limit = 15 if name.endswith("2") else 9
                values = [
                    random.randrange(limit) if value < limit else random.randrange(limit, 16)
                    for value in field_bench.bits_of(data, 4)
                ]
                other = bytes(low | high << 4 for low, high in zip(values[::2], values[1::2], strict=True))
            got, _, trace = await sample(dut, name, other, 0.7, 3)
            assert len(got) == coefs
            traces.append(trace)
        assert traces[0] == traces[1] == traces[2], name


@bench.test
async def nothing_stays(dut):
    """Two cycles after done_o no data register depends on the stream; a cycle after clear_i all are zero."""
    registers = [
        *(dut.u_gear.buffer_sec_q, dut.plus_sec_q, dut.minus_sec_q, dut.mask_sec_q, dut.difference_sec_q),
        *(dut.mask_value_sec_q, dut.fixed_sec_q, dut.nibble_sec_q, dut.judged_sec_q),
        *(dut.u_compact.packed_sec_q, dut.u_compact.buffer_sec_q, dut.u_compact.data_sec_q),
    ]

    def held():
        values = [(register._name, register.value) for register in registers]
        return {
            name: [int(part) for part in value] if isinstance(value, list) else int(value) for name, value in values
        }

    for name, (code, _, _, _) in kinds().items():
        left = []
        for _ in range(2):
            await sample(dut, name, field_bench.stream("shake_256", random.randbytes(66), 40))
            await FallingEdge(dut.clk_i)
            await FallingEdge(dut.clk_i)
            left.append(held())
        assert left[0] == left[1], name  # what constants make of zeros
        assert left[0]["buffer_sec_q"] == 0
        for cut in (3, 9, 20):
            dut.kind_i.value = code
            dut.coefs_i.value = 256
            await bench.pulse(dut, "start_i")
            dut.valid_i.value = 1
            dut.half_i.value = 0
            for _ in range(cut):
                dut.data_sec_i.value = random.getrandbits(len(dut.data_sec_i))
                await FallingEdge(dut.clk_i)
            dut.valid_i.value = 0
            await bench.pulse(dut, "clear_i")
            assert not any(any(value) if isinstance(value, list) else value for value in held().values()), name
            assert not int(dut.valid_o.value)
