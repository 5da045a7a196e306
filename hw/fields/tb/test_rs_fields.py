# SPDX-License-Identifier: Apache-2.0
"""Polynomials from seeds, through rs_sponge and the units behind it: as hashlib and the standards' loops say, and how many cycles that takes.

`RINGSIDE_SOAK=1 ... pytest hw/fields/tb/test_rs_fields.py -s` prints the cycles that hw/fields/README.md has, means of 40 seeds.
"""

import random
import statistics
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_cocotb import run, settings, whole

SOURCES = [
    *whole("rs_sponge", "rs_parse_uniform", "rs_sample_small"),
    Path(__file__).with_name("rs_fields_bench.sv"),
]
# rounds per cycle, lanes of a beat, candidates, words; bars of mean cycles
SHAPES = {
    (1, 1, 4, 4): {
        "ML-KEM": 125,
        "ML-DSA": 165,
        "NewHope, 14 bits": 450,
        "NewHope, 16 bits": 370,
        "Falcon-512": 240,
        "CBD2": 106,
        "CBD3": 116,
        "psi16": 800,
        "ExpandS, eta 2": 110,
        "ExpandS, eta 4": 118,
        "ExpandMask, 18 bits": 160,
        "ExpandMask, 20 bits": 160,
    },
    (2, 2, 8, 8): {
        "ML-KEM": 72,
        "ML-DSA": 90,
        "NewHope, 14 bits": 250,
        "NewHope, 16 bits": 210,
        "Falcon-512": 140,
        "CBD2": 60,
        "CBD3": 66,
        "psi16": 420,
        "ExpandS, eta 2": 66,
        "ExpandS, eta 4": 66,
        "ExpandMask, 18 bits": 90,
        "ExpandMask, 20 bits": 90,
    },
}


@pytest.mark.parametrize(
    ("shape", "seeds"),
    [
        ((1, 1, 4, 4), 3),
        *(pytest.param(shape, 40, marks=pytest.mark.soak) for shape in SHAPES),
    ],
)
def test_fields(shape, seeds):
    names = ("RoundsPerCycle", "BeatLanes", "Candidates", "Words")
    parameters = dict(zip(names, shape, strict=True))
    run("rs_fields_bench", SOURCES, parameters, __file__, seeds=seeds, bars=SHAPES[shape], level=1)


async def polynomial(dut, code, rate, is_private, coefs, seed):
    import sampler_bench as bench

    step = 8 * settings()["parameters"]["BeatLanes"]
    dut.is_private_i.value = int(is_private)
    dut.kind_i.value = code
    dut.rate_i.value = int(rate == 136)
    dut.coefs_i.value = coefs
    await bench.pulse(dut, "start_i")
    beats, got, count = [seed[at : at + step] for at in range(0, len(seed), step)], [], 1
    while not int(dut.done_o.value):
        if beats:
            dut.valid_i.value = 1
            dut.last_i.value = int(len(beats) == 1)
            dut.bytes_i.value = len(beats[0])
            dut.data_i.value = int.from_bytes(beats[0], "little")
        if int(dut.valid_o.value):
            row = int(dut.data_o.value)
            got += [row >> at & (1 << 23) - 1 for at in range(0, len(dut.data_o), 23)]
        await bench.settle()
        if beats and int(dut.ready_o.value):
            beats.pop(0)
        await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        count += 1
        assert count < 5000
    await FallingEdge(dut.clk_i)
    return [value - (value >> 22 << 23) if is_private else value for value in got], count


@cocotb.test()
async def polynomials(dut):
    import field_bench
    import sampler_bench as bench
    import test_rs_parse_uniform as public
    import test_rs_sample_small as private

    names = ("start_i", "is_private_i", "kind_i", "rate_i", "valid_i", "data_i", "last_i", "bytes_i", "coefs_i")
    await bench.reset(dut, *names)
    kinds = {name: (code, stream, False, coefs, loop, 34) for name, (code, stream, coefs, loop) in public.KINDS.items()}
    for name, (code, _, coefs, definition) in private.KINDS.items():
        kinds[name] = (code, "shake_256", True, coefs, definition, 66 if name.startswith("Expand") else 33)
    bars = settings()["bars"]
    assert bars.keys() == kinds.keys()
    for name, (code, stream, is_private, coefs, loop, size) in kinds.items():
        counts = []
        for _ in range(settings()["seeds"]):
            seed = random.randbytes(size)
            want = loop(field_bench.stream(stream, seed, 40))[:coefs]
            got, count = await polynomial(dut, code, field_bench.RATES[stream], is_private, coefs, seed)
            assert got == want, name
            counts.append(count)
        dut._log.info("%s: %.0f cycles", name, statistics.mean(counts))
        print(f"{name}: {statistics.mean(counts):.0f} cycles, {min(counts)} to {max(counts)}")
        assert statistics.mean(counts) <= bars[name] * (1.1 if len(counts) < 10 else 1), (name, counts)
