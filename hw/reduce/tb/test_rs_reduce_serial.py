# SPDX-License-Identifier: Apache-2.0
"""rs_reduce_serial and rs_reduce_steps compared with the remainder: moduli of every size, words about their multiples; rates; dropped words."""

import random

import cocotb
import sampler_bench as bench
from cocotb.triggers import FallingEdge, Timer
from reduction_words import words
from rs_block import Block, soak
from rs_cocotb import settings

SERIAL = Block("rs_reduce_serial", "W")
test_reduce_serial = SERIAL.runs(__file__, [32, 64, *soak(16, 54)])
test_reduce_serial_lint = SERIAL.lints([16, 24, 30, 32, 33, 48, 54, 60, 64])
test_reduce_serial_refuses = SERIAL.refuses("W must be 16 to 64", 15, 65)

STEPS = Block("rs_reduce_steps", "W Steps")
test_reduce_steps = STEPS.runs(__file__, [(54, 6), *soak((54, 10), (64, 3), (32, 7), (16, 16))])
test_reduce_steps_lint = STEPS.lints([(16, 3), (30, 5), (32, 12), (54, 6), (54, 12), (60, 4), (64, 16)])
test_reduce_steps_refuses = STEPS.refuses(
    "W must be 16 to 64", 65, "Steps must be 3 to 16", {"Steps": 2}, {"Steps": 17}
)


def passes(width, bits):
    """How often a word goes round in rs_reduce_steps, or in rs_reduce_serial: digits of 17 bits."""
    steps = settings()["parameters"].get("Steps")
    if steps is None:
        return max(1, -(-(64 - bits) // 17))
    most = -(-53 // steps)
    fewest = max(1, -(-(64 - width) // steps))
    few = min(fewest + 1, most)
    return next(k for k in (fewest, few, (few + most + 1) // 2, most) if 64 - k * steps <= bits)


def moduli(width):
    """The smallest, the largest, about powers of two, random ones of every size."""
    found = {2**width - 1, 2 ** (width - 1) + 1}
    for bits in range(11, width + 1):
        found |= {random.randrange((1 << (bits - 1)) + 1, 1 << bits), (1 << (bits - 1)) + 1, (1 << bits) - 1}
    return sorted(found)


async def prepare(dut, q):
    dut.q_i.value = q
    if "Steps" not in settings()["parameters"]:
        dut.ratio64_i.value = 2**64 // q
    dut.prepare_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.prepare_i.value = 0
    for _ in range(90):
        if int(dut.ready_o.value):
            return
        await FallingEdge(dut.clk_i)
    raise AssertionError("the constants do not come")


async def reduce(dut, given, offer, kept):
    """The residues; how many cycles the words took from the first to the last."""
    results, lasts, times = [], [], []
    flags = []  # flags of the words of the last two cycles
    index, cycle = 0, 0
    wanted = sum(kept)
    dut.run_i.value = 1
    while len(results) < wanted:
        if int(dut.valid_o.value):
            results.append(int(dut.residue_o.value))
            lasts.append(int(dut.last_o.value))
        give = index < len(given) and offer() and int(dut.ready_o.value)
        dut.give_i.value = int(give)
        dut.word_i.value = given[index] if give else random.getrandbits(64)
        flags.append((kept[index], index == len(given) - 1) if give else (random.getrandbits(1), random.getrandbits(1)))
        keep, last = flags[-3] if len(flags) > 2 else (0, 0)
        dut.keep_i.value = int(keep)
        dut.last_i.value = int(last)
        if give:
            times.append(cycle)
            index += 1
        await Timer(1, "ns")
        await FallingEdge(dut.clk_i)
        cycle += 1
        assert cycle < 20_000
    dut.give_i.value = 0
    dut.run_i.value = 0
    assert lasts[:-1] == [0] * (wanted - 1)
    assert lasts[-1] == int(kept[-1])
    return results, times[-1] - times[0]


@cocotb.test()
async def remainders(dut):
    width = (await bench.reset(dut))["W"]
    for number, q in enumerate(moduli(width)):
        await prepare(dut, q)
        turns = passes(width, q.bit_length())
        given = list(words(q, 40))
        results, cycles = await reduce(dut, given, lambda: True, [True] * 40)
        assert results == [word % q for word in given], q
        assert cycles <= turns * 40 + 12
        if number % 5 == 0:
            kept = [*(random.random() < 0.5 for _ in range(39)), True]
            results, _ = await reduce(dut, given, lambda: random.random() < 0.3, kept)
            assert results == [word % q for word, keep in zip(given, kept, strict=True) if keep]
            dut.run_i.value = 1
            dut.give_i.value = 1 if int(dut.ready_o.value) else 0
            await FallingEdge(dut.clk_i)
            dut.give_i.value = 0
            dut.clear_i.value = 1
            await FallingEdge(dut.clk_i)
            dut.clear_i.value = 0
            dut.keep_i.value = 0
            for _ in range(60):
                assert not int(dut.valid_o.value)
                await FallingEdge(dut.clk_i)
