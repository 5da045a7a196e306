# SPDX-License-Identifier: Apache-2.0
"""rs_parse_uniform on streams of hashlib, compared with the standards' loops in plain Python; bounds, cycles, restarts."""

import random

import field_bench
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from field_bench import bits_of
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_parse_uniform", "BeatLanes Candidates Words")
SHAPES = [(1, 4, 4), (2, 8, 4), *soak((1, 1, 1), (2, 4, 2), (2, 16, 16))]
test_parse_uniform = BLOCK.runs(__file__, SHAPES)
test_parse_uniform_lint = BLOCK.lints(SHAPES)
test_parse_uniform_illegal = BLOCK.refuses("Candidates must be", (1, 3, 3), (1, 32, 4), (1, 4, 8), (1, 4, 0))
# lanes of a beat, candidates per cycle, words per row


def kept(data, bits, mask, bound, order="little", modulus=0):
    """Candidates that the standards keep."""
    if order == "big":
        words = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
    else:
        words = [word & mask for word in bits_of(data, bits)]
    found = [word for word in words if word < bound]
    return [word % modulus for word in found] if modulus else found


# code, stream, coefficients, the loop
KINDS = {
    "ML-KEM": (0, "shake_128", 256, lambda data: kept(data, 12, 0xFFF, 3329)),
    "ML-DSA": (1, "shake_128", 256, lambda data: kept(data, 24, 0x7FFFFF, 8380417)),
    "NewHope, 14 bits": (2, "shake_128", 1024, lambda data: kept(data, 16, 0x3FFF, 12289)),
    "NewHope, 16 bits": (3, "shake_128", 1024, lambda data: kept(data, 16, 0xFFFF, 61445, modulus=12289)),
    "Falcon-512": (4, "shake_256", 512, lambda data: kept(data, 16, 0, 61445, "big", 12289)),
}


def extremes(name, size):
    """A stream of words around the bounds, and of runs that are rejected."""
    values = [0, 1, 3328, 3329, 4095, 8380416, 8380417, 0x7FFFFF, 0xFFFFFF, 12288, 12289, 16383, 61444, 61445, 65535]
    values += [k * 12289 + step for k in range(1, 5) for step in (-1, 0, 1)]
    bits = {"ML-KEM": 12, "ML-DSA": 24}.get(name, 16)
    order = "big" if name == "Falcon-512" else "little"
    data, word, filled = b"", 0, 0
    while len(data) < size:
        value = random.choice(values) & (1 << bits) - 1
        if order == "big":
            data += value.to_bytes(2, "big")
            continue
        word |= value << filled
        filled += bits
        while filled >= 8:
            data += bytes([word & 255])
            word, filled = word >> 8, filled - 8
    return data[:size]


async def parse(dut, name, data, chance=1.0, seed=0):
    code, stream, coefs, _ = KINDS[name]
    lanes = settings()["parameters"]["BeatLanes"]
    offer = bench.sometimes(chance, seed)
    rate = field_bench.RATES[stream]
    return await field_bench.sample(dut, code, coefs, data, rate, lanes, "data_i", 23, offer)


@bench.test
async def as_the_standards(dut):
    for trial in range(3):
        for name, (_, stream, coefs, loop) in KINDS.items():
            data = field_bench.stream(stream, random.randbytes(34), 24)
            if trial == 2:
                data = extremes(name, 16 * len(data))
            want = loop(data)[:coefs]
            assert len(want) == coefs
            got, _, _ = await parse(dut, name, data, (1, 0.4, 0.8)[trial], trial)
            assert got == want, name


@bench.test
async def cycles(dut):
    """With beats as they are wanted: that of candidates, or of beats."""
    parameters = settings()["parameters"]
    lanes, candidates, words = (parameters[key] for key in ("BeatLanes", "Candidates", "Words"))
    for name, (_, stream, coefs, loop) in KINDS.items():
        bits = {"ML-KEM": 12, "ML-DSA": 24}.get(name, 16)
        data = field_bench.stream(stream, bytes(34), 24)
        size = field_bench.needed(loop, data, coefs)
        per_cycle = min(candidates * bits, 64 * lanes)
        bound = 8 * size // per_cycle + 9
        # a block's last beat has one lane
        bound += (lanes - 1) * (size // field_bench.RATES[stream] + 1) if candidates * bits > 64 * lanes else 0
        if words < candidates:
            bound = max(bound, coefs // words * 5 // 4 + 9)
        got, count, _ = await parse(dut, name, data)
        assert len(got) == coefs
        assert count <= bound, (name, count, bound)
        dut._log.info("%s: %d cycles, %d bytes", name, count, size)


@bench.test
async def restarted_and_cleared(dut):
    for cut in range(2, 60, 5):
        for stop in ("clear_i", "start_i"):
            dut.kind_i.value = cut % 5
            dut.coefs_i.value = 256
            await bench.pulse(dut, "start_i")
            dut.valid_i.value = 1
            dut.half_i.value = 0
            for _ in range(cut):
                dut.data_i.value = random.getrandbits(len(dut.data_i))
                await FallingEdge(dut.clk_i)
            dut.valid_i.value = 0
            if stop == "clear_i":
                await bench.pulse(dut, "clear_i")
                for _ in range(9):
                    assert (int(dut.valid_o.value), int(dut.done_o.value)) == (0, 0)
                    await FallingEdge(dut.clk_i)
            data = field_bench.stream("shake_128", bytes([cut]), 8)
            assert (await parse(dut, "ML-KEM", data))[0] == KINDS["ML-KEM"][3](data)[:256]
