# SPDX-License-Identifier: Apache-2.0
"""rs_sample_uniform against rs_uniform_next for moduli that reject next to nothing and up to a sixteenth of all words."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run, settings

MUL = ("rs_mul", "rs_mul_row", "rs_mul_tile", "rs_csub", "rs_delay")
SOURCES = ("rs_sample_uniform", "rs_xof_public", "rs_reduce_word", *MUL, "rs_keccak", "rs_keccak_round")
# limbs of one expansion, the last two rejecting up to 1 word in 17 (the rule does not ask for primes)
MODULI = [2**60 - 2**14 + 1, 1032193, 2**64 // 18 + 1, 2**64 // 17 + 1]


@pytest.mark.parametrize("rounds", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_sample_uniform(rounds):
    run("rs_sample_uniform", rtl(*SOURCES), {"RoundsPerCycle": rounds, "LogNMax": 13}, __file__)


def test_sample_uniform_lint():
    for top in ("rs_sample_uniform", "rs_reduce_word"):
        assert elaborate(top, rtl(*SOURCES)) == ""
    assert "W must be 16 to 60" in elaborate("rs_reduce_word", rtl(*SOURCES), {"W": 61})
    assert "LogNMax must be" in elaborate("rs_sample_uniform", rtl(*SOURCES), {"LogNMax": 8})


def model(seed, log_n, moduli):
    from ringside._cdef import ffi
    from ringside._native import SEED_TYPES, lib

    state, out = ffi.new("rs_uniform_t *"), ffi.new("uint64_t[]", 1 << log_n)
    given = ffi.new("rs_seed_t *", {"bytes": seed})
    assert lib.rs_uniform_init(state, SEED_TYPES["shake256"], given, log_n, len(moduli)) == 0
    for q in moduli:
        assert lib.rs_uniform_next(state, q, out) == 0
        yield list(out)


async def expand(dut, seed, log_n, moduli, chance=1):
    """All limbs, and the cycles of each from start_i to done_o."""
    import sampler_bench as bench

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
        sink, count = bench.Sink(dut, "data_o", bench.sometimes(chance, 3)), 1
        while not int(dut.done_o.value):
            sink.cycle()
            await FallingEdge(dut.clk_i)
            count += 1
        limbs.append(sink.beats)
        cycles.append(count)
    return limbs, cycles


@cocotb.test()
async def same_words(dut):
    import sampler_bench as bench

    inputs = ("init_i", "seed_i", "log_n_i", "limb_count_i", "start_i", "q_i", "ratio64_i", "max_multiple_i", "ready_i")
    await bench.reset(dut, *inputs)
    for chance in (1, 0.5):
        seed = random.randbytes(64)
        limbs, _ = await expand(dut, seed, 10, MODULI, chance)
        assert limbs == list(model(seed, 10, MODULI))
    seed = random.randbytes(64)
    limbs, _ = await expand(dut, seed, 13, MODULI[2:])  # more than one block of replacements
    assert limbs == list(model(seed, 13, MODULI[2:]))


@cocotb.test()
async def throughput(dut):
    """Small modulus: nothing is rejected, so the time is that of the generator."""
    import sampler_bench as bench

    permutation = 24 // settings()["parameters"]["RoundsPerCycle"]
    inputs = ("init_i", "seed_i", "log_n_i", "limb_count_i", "start_i", "q_i", "ratio64_i", "max_multiple_i", "ready_i")
    await bench.reset(dut, *inputs)
    _, cycles = await expand(dut, bytes(64), 12, MODULI[1:2])
    per_block = max(512, 31 * permutation)
    assert 8 * per_block - permutation <= cycles[0] <= 8 * (per_block + permutation) + 40, cycles
    dut._log.info("4096 words in %d cycles", cycles[0])
