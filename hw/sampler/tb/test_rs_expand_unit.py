# SPDX-License-Identifier: Apache-2.0
"""rs_expand_unit compared with rs_uniform_next: several limbs, several expansions, one that is cleared."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings
from rs_orders import orders
from stream_sources import BENCH, streams, uniform

from ringside.sim.asm import instruction

EXPAND = 17
STREAMED = Block(BENCH, "W Words Slices Steps", streams(), Unit=3, LogNMax=12)
SHAPES = [(54, 4, 64, 0), (54, 1, 64, 10), (32, 1, 16, 0)]
SHAPES += soak((32, 1, 64, 0), (64, 2, 64, 0), (54, 1, 64, 6), (60, 1, 32, 0), (60, 1, 32, 12))
test_expand_unit = STREAMED.runs(__file__, SHAPES, level=1)
BLOCK = Block("rs_expand_unit", "W Words")
test_expand_unit_lint = BLOCK.lints([(32, 1), (64, 1), (54, 8)])
test_expand_unit_illegal = BLOCK.refuses(
    *("W must be 16 to 64", {"W": 65}, "Serial and Steps make one word", {"Words": 2, "Steps": 6}),
    *("Words must be a power of two", {"Words": 3}),
)


def rejects(q):
    """More than one word in a thousand."""
    return 2**64 % q > 2**54


async def begin(dut, q, word):
    dut.q_i.value = q
    dut.ratio64_i.value = 2**64 // q
    dut.max_multiple_i.value = 2**64 - 1 - (2**64 - 1) % q - 1
    dut.instr_i.value = word
    await bench.pulse(dut, "start_i")


async def limb(dut, q, n, word):
    """The words by their indices, and how many came side by side. They come in order, and each once, unless the limb begins again."""
    parameters = settings()["parameters"]
    width, words = parameters["W"], parameters["Words"]
    await begin(dut, q, word)
    found, count, side = {}, 0, 0
    while not int(dut.done_o.value):
        if int(dut.valid_o.value):
            if count and int(dut.word_index_o.value) == 0:  # the limb begins again, word by word
                assert side == count
                assert not int(dut.side_o.value)
                count, side = 0, 0
            assert int(dut.word_index_o.value) == count
            row = int(dut.data_o.value)
            if int(dut.side_o.value):
                # the positions that follow each other have indices whose high bits count backwards
                high = orders(words)
                for i in range(words):
                    found[count + high[i] * (n // words)] = row >> width * i & (1 << width) - 1
                side += 1
            else:
                found[count] = row & (1 << width) - 1
            count += 1
        await FallingEdge(dut.clk_i)
        assert count <= n
    assert not int(dut.valid_o.value)
    assert side in (0, count)
    assert not int(dut.fault_o.value)
    await FallingEdge(dut.clk_i)
    assert not int(dut.done_o.value)
    assert sorted(found) == list(range(n))
    return [found[index] for index in range(n)], side


@bench.test
async def same_words(dut):
    parameters = settings()["parameters"]
    largest, at_once = parameters["W"], parameters["Words"]
    # one that rejects up to 1 word in 17 where it fits
    moduli = [(1 << largest) - 2**14 + 1, 1032193, 2**64 // 17 + 1 if largest >= 60 else 3 << 29 | 1]
    for log_n, limbs in ((10, moduli), (12, moduli[:1])):
        seed = random.randbytes(64)
        dut.seed_i.value = int.from_bytes(seed, "little")
        dut.log_n_i.value = log_n
        for index, expected in enumerate(uniform(seed, log_n, limbs)):
            given = instruction(EXPAND, dst=3, first=int(index == 0), limbs=len(limbs))
            words, side = await limb(dut, limbs[index], 1 << log_n, given)
            assert words == expected
            # side by side if a stream has a whole block, and nothing is rejected
            fits = 1 << log_n >= 512 * at_once
            assert (side > 0) == (at_once > 1 and (fits and not rejects(limbs[index])))
            for _ in range(random.randrange(30)):
                await FallingEdge(dut.clk_i)
        # cut the next expansion short; the one after it has to begin anew
        await begin(dut, moduli[0], instruction(EXPAND, first=1, limbs=1))
        for _ in range(random.randrange(1, 300)):
            await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "clear_i")
        for _ in range(60):
            assert (int(dut.valid_o.value), int(dut.done_o.value)) == (0, 0)
            await FallingEdge(dut.clk_i)
