# SPDX-License-Identifier: Apache-2.0
"""rs_sample_unit: its rows are those of the library, and its time does not depend on the seed."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings
from stream_sources import BENCH, streams

from ringside.sim.asm import instruction

SAMPLE = 14
KINDS = ("cbd", "ternary")
STREAMED = Block(BENCH, "ChunkWords LanesOut KeccakCores TernaryBytes", streams(), Unit=1, LogNMax=11)
test_sample_unit = STREAMED.runs(__file__, [(8, 2, 2, 1), (4, 4, 2, 1), *soak((1, 1, 1, 1))], level=1)
BLOCK = Block("rs_sample_unit", "ChunkWords")
MORE = {"SampleLanes": 8, "ChunkWords": 16, "TernaryBytes": 2}, {"LogNMax": 17, "Slots": 1, "PieceBytes": 4}
test_sample_unit_lint = BLOCK.lints([{}, *MORE])
test_sample_unit_illegal = BLOCK.refuses("ChunkWords must be", 2, 12, "Slots must be", {"Slots": 0})


async def begin(dut, kind, log_n, seed, slot, domain):
    dut.instr_i.value = instruction(SAMPLE, dst=slot, ternary=int(kind == "ternary"), domain=domain)
    dut.log_n_i.value = log_n
    dut.seed_sec_i.value = int.from_bytes(seed, "little")
    await bench.pulse(dut, "start_i")


async def sample(dut, kind, log_n, seed, slot=1, domain=1):
    """The values by position, the writes (cycle, row), and the cycles from start_i to done_o."""
    await begin(dut, kind, log_n, seed, slot, domain)
    chunk = settings()["parameters"]["ChunkWords"]
    values, writes, cycle = [None] * (1 << log_n), [], 1
    done = False
    while not done:
        done = bool(int(dut.done_o.value))
        written = int(dut.slot_we_o.value)
        if written:
            assert written == 1 << slot
            row = int(dut.slot_row_o.value)
            writes.append((cycle, row))
            values[chunk * row : chunk * (row + 1)] = bench.signed_fields(int(dut.slot_data_sec_o.value), chunk, 6)
        await FallingEdge(dut.clk_i)
        cycle += 1
        assert cycle < 20000
    assert int(dut.fault_o.value) == 0
    assert (int(dut.done_o.value), int(dut.slot_we_o.value)) == (0, 0)
    assert int(dut.slot_data_sec_o.value) == 0, "wiped"
    return values, writes, cycle - 1


@bench.test
async def same_polynomials(dut):
    models = {"cbd": bench.cbd21, "ternary": bench.ternary}
    rows = 1024 // settings()["parameters"]["ChunkWords"]
    for log_n in (10, 10, 11):
        for kind in KINDS:
            seed, slot, domain = random.randbytes(64), random.randrange(3), random.randrange(1, 256)
            values, writes, _ = await sample(dut, kind, log_n, seed, slot, domain)
            assert values == models[kind](1 << log_n, seed, domain), (kind, log_n)
            assert [row for _, row in writes] == list(range(rows << (log_n - 10))), "each row once"


@bench.test
async def same_time_for_all_seeds(dut):
    seeds = [bytes(64), b"\xff" * 64, random.randbytes(64), random.randbytes(64)]
    for kind in KINDS:
        runs = [await sample(dut, kind, 10, seed) for seed in seeds]
        assert len({cycles for _, _, cycles in runs}) == 1
        if kind == "cbd":
            assert all(writes == runs[0][1] for _, writes, _ in runs)


@bench.test
async def cleared_in_between(dut):
    for kind in KINDS:
        await begin(dut, kind, 10, random.randbytes(64), 1, 1)
        for _ in range(random.randrange(40, 150)):
            await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "clear_i")
        assert int(dut.done_o.value) == 0
        await FallingEdge(dut.clk_i)  # it stops and wipes a cycle later
        for _ in range(40):
            assert (int(dut.done_o.value), int(dut.slot_we_o.value), int(dut.slot_data_sec_o.value)) == (0, 0, 0)
            await FallingEdge(dut.clk_i)
        seed = random.randbytes(64)
        assert (await sample(dut, "cbd", 10, seed))[0] == bench.cbd21(1024, seed, 1)
