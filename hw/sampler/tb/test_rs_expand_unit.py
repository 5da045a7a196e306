# SPDX-License-Identifier: Apache-2.0
"""rs_expand_unit compared with rs_uniform_next: several limbs, several expansions, one that is cleared."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run

MUL = ("rs_mul", "rs_mul_row", "rs_mul_tile", "rs_csub", "rs_delay")
PARTS = ("rs_sample_uniform", "rs_xof_public", "rs_reduce_word", *MUL, "rs_keccak", "rs_keccak_round")
SOURCES = ("rs_isa_pkg", "rs_expand_unit", *PARTS)
EXPAND = 17


@pytest.mark.parametrize("width", [32, 64])
def test_expand_unit(width):
    run("rs_expand_unit", rtl(*SOURCES), {"W": width, "RoundsPerCycle": 4, "LogNMax": 11}, __file__, width=width)


@pytest.mark.parametrize("width", [32, 60, 64])
def test_expand_unit_lint(width):
    assert elaborate("rs_expand_unit", rtl(*SOURCES), {"W": width}) == ""


def model(seed, log_n, moduli):
    from ringside.native._cdef import ffi
    from ringside.native.library import SEED_TYPES, lib

    state, out = ffi.new("rs_uniform_t *"), ffi.new("uint64_t[]", 1 << log_n)
    given = ffi.new("rs_seed_t *", {"bytes": seed})
    assert lib.rs_uniform_init(state, SEED_TYPES["shake256"], given, log_n, len(moduli)) == 0
    for q in moduli:
        assert lib.rs_uniform_next(state, q, out) == 0
        yield list(out)


async def begin(dut, q, instruction):
    import sampler_bench as bench

    dut.q_i.value = q
    dut.ratio64_i.value = 2**64 // q
    dut.max_multiple_i.value = 2**64 - 1 - (2**64 - 1) % q - 1
    dut.instr_i.value = instruction
    await bench.pulse(dut, "start_i")


async def limb(dut, q, n, instruction):
    """The words in the order of their indices; they have to come one by one."""
    await begin(dut, q, instruction)
    words = []
    while not int(dut.done_o.value):
        if int(dut.word_valid_o.value):
            assert int(dut.word_index_o.value) == len(words)
            words.append(int(dut.word_o.value))
        await FallingEdge(dut.clk_i)
        assert len(words) <= n
    assert not int(dut.word_valid_o.value)
    assert not int(dut.fault_o.value)
    await FallingEdge(dut.clk_i)
    assert not int(dut.done_o.value)
    return words


@cocotb.test()
async def same_words(dut):
    import sampler_bench as bench
    from rs_cocotb import settings

    inputs = ("start_i", "instr_i", "clear_i", "log_n_i", "seed_i", "q_i", "ratio64_i", "max_multiple_i")
    await bench.reset(dut, *inputs)
    largest = min(settings()["width"], 60)
    # one that rejects up to 1 word in 17 where it fits
    moduli = [(1 << largest) - 2**14 + 1, 1032193, 2**64 // 17 + 1 if largest == 60 else 3 << 29 | 1]
    for log_n, limbs in ((10, moduli), (11, moduli[:1]), (10, moduli[1:])):
        seed = random.randbytes(64)
        dut.seed_i.value = int.from_bytes(seed, "little")
        dut.log_n_i.value = log_n
        for index, expected in enumerate(model(seed, log_n, limbs)):
            given = bench.instruction(EXPAND, dst=3, alt=int(index == 0), imm=len(limbs))
            assert await limb(dut, limbs[index], 1 << log_n, given) == expected
            for _ in range(random.randrange(30)):
                await FallingEdge(dut.clk_i)
        # cut the next expansion short; the one after it has to begin anew
        await begin(dut, moduli[0], bench.instruction(EXPAND, alt=1, imm=1))
        for _ in range(random.randrange(1, 300)):
            await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "clear_i")
        for _ in range(60):
            assert (int(dut.word_valid_o.value), int(dut.done_o.value)) == (0, 0)
            await FallingEdge(dut.clk_i)
