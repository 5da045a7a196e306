# SPDX-License-Identifier: Apache-2.0
"""rs_sample_uniform compared with rs_uniform_next, for moduli that reject almost nothing and up to a sixteenth of all words."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block
from stream_sources import BENCH, streams, uniform

PERMUTATION = 24  # cycles
# limbs of one expansion, the last two rejecting up to 1 word in 17 (the rule does not ask for primes)
MODULI = [2**60 - 2**14 + 1, 1032193, 2**64 // 18 + 1, 2**64 // 17 + 1]
BLOCK = Block("rs_sample_uniform", "LogNMax")
test_sample_uniform = Block(BENCH, "", streams(), Unit=2, LogNMax=13).runs(__file__, level=1)
test_sample_uniform_lint = BLOCK.lints()
test_sample_uniform_illegal = BLOCK.refuses("LogNMax must be", 8)


def replacements(seed, log_n, moduli):
    """For each limb the words of the bulk that it rejects, and those of the second stream's blocks that it takes and rejects."""
    from hashlib import shake_256

    blocks = (len(moduli) << log_n) >> 9

    def word(number):
        if number >> 9 not in made:
            made[number >> 9] = shake_256(seed + (number >> 9).to_bytes(8, "little")).digest(4096)
        at = 8 * (number & 511)
        return int.from_bytes(made[number >> 9][at : at + 8], "little")

    made: dict[int, bytes] = {}
    spare = blocks << 9
    for limb, q in enumerate(moduli):
        limit = 2**64 - 1 - (2**64 - 1) % q - 1
        rejected = [index for index in range(1 << log_n) if word((limb << log_n) + index) >= limit]
        taken, refused = [], []
        while len(taken) < len(rejected):
            (taken if word(spare) < limit else refused).append(spare & 511)
            spare += 1
        yield rejected, taken, refused


async def expand(dut, seed, log_n, moduli, pause=0):
    """All limbs, and the cycles of each from start_i to done_o."""
    dut.seed_i.value = int.from_bytes(seed, "little")
    dut.log_n_i.value = log_n
    dut.limb_count_i.value = len(moduli)
    await bench.pulse(dut, "init_i")
    limbs, cycles = [], []
    for q in moduli:
        dut.q_i.value = q
        dut.ratio64_i.value = 2**64 // q
        dut.max_multiple_i.value = 2**64 - 1 - (2**64 - 1) % q - 1
        await bench.pulse(dut, "start_i")
        words, count = [], 1
        while not int(dut.done_o.value):
            if int(dut.valid_o.value):
                words.append(int(dut.data_o.value))
            await FallingEdge(dut.clk_i)
            count += 1
            assert count < 500_000
        assert not int(dut.valid_o.value)
        limbs.append(words)
        cycles.append(count)
        for name in ("q_i", "ratio64_i"):  # nothing of the next limb may be made of them
            getattr(dut, name).value = random.getrandbits(len(getattr(dut, name)))
        for _ in range(random.randrange(pause + 1)):
            await FallingEdge(dut.clk_i)
            assert (int(dut.valid_o.value), int(dut.done_o.value)) == (0, 0)
    return limbs, cycles


@bench.test
async def same_words(dut):
    for pause in (0, 100):
        seed = random.randbytes(64)
        limbs, _ = await expand(dut, seed, 10, MODULI, pause)
        assert limbs == list(uniform(seed, 10, MODULI))


@bench.test
async def rejections(dut):
    """Limbs of one block, first and last words rejected too, until replacements come from a second block; what one costs."""
    block = 31 * max(PERMUTATION, 17)
    moduli = [2**64 // 17 + 1] * 6 + [2**60 - 2**14 + 1] + [2**64 // 17 + 1] * 12
    counts, ends, crossed = [], set(), False
    while not (ends >= {0, 511} and crossed):  # also a search that goes on in the next block
        seed = random.randbytes(64)
        counts = list(replacements(seed, 9, moduli))
        ends = {index for rejected, _, _ in counts for index in rejected}
        crossed = any(511 in refused for _, _, refused in counts)
    limbs, cycles = await expand(dut, seed, 9, moduli, 3)
    assert limbs == list(uniform(seed, 9, moduli))
    for (rejected, _, _), count in zip(counts, cycles, strict=True):
        assert count <= block + PERMUTATION + 40 + len(rejected) * (2 * block + 2 * PERMUTATION + 10)


@bench.test
async def throughput(dut):
    """Small modulus: nothing is rejected, so the time is that of the generator."""
    _, cycles = await expand(dut, bytes(64), 12, MODULI[1:2])
    per_block = 1 + max(510 + PERMUTATION, 31 * PERMUTATION)
    # the first permutation is not hidden, nor are the last part and the pipeline: 17 cycles of rs_reduce_word and 5
    assert cycles[0] == 22 + PERMUTATION + 7 * per_block + 30 * max(17, PERMUTATION) + 2, cycles
    dut._log.info("4096 words in %d cycles", cycles[0])
