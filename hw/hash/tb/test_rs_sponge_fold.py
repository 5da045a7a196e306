# SPDX-License-Identifier: Apache-2.0
"""rs_sponge_fold compared with hashlib: every rate, lengths around ends of beats and blocks, both sides waiting; cycles; nothing stays."""

import hashlib
import itertools
import random

import cocotb
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_sponge_fold", "Slices")
test_sponge_fold = BLOCK.runs(__file__, [32, *soak(16, 8)], inside=True)
test_sponge_fold_lint = BLOCK.lints([32, 16, 8])
test_sponge_fold_illegal = BLOCK.refuses("must be 8, 16 or 32", 4)


async def prepare(dut):
    from test_rs_sponge import Driver

    driver = Driver(dut)
    await bench.reset(dut)
    steps = 64 // settings()["parameters"]["Slices"]
    for _ in range(steps):  # a reset wipes, too
        await FallingEdge(dut.clk_i)
    return driver, steps


@cocotb.test()
async def every_hash(dut):
    from test_rs_sponge import HASHES, digest

    driver, _ = await prepare(dut)
    for name, (rate, _, _) in HASHES.items():
        ends = [0, 8, rate - 8, rate, 2 * rate]
        sizes = [max(0, end + step) for end in ends for step in (-1, 0, 1)]
        for index, length in enumerate([*random.sample(sizes, 4), 3 * rate + 5]):
            message = random.randbytes(length)
            want = digest(name, message, 500 if index == 4 else 40)
            chances = ((1, 1), (0.3, 1), (1, 0.1), (0.6, 0.6))[index % 4]
            offer, take = (bench.sometimes(chance, index) for chance in chances)
            got, _ = await driver.hash(name, message, len(want), offer, take)
            assert got == want, (name, length)
            if index % 2:
                await driver.clear()


@cocotb.test()
async def cycles(dut):
    """Blocks of a message every 25 passes or as beats come, those of a digest every 24 passes; the same for all messages."""
    from test_rs_sponge import HASHES

    driver, steps = await prepare(dut)
    for name, (rate, _, _) in HASHES.items():
        traces = []
        blocks, lanes = 3, rate // 8
        for message in (bytes(blocks * rate - 3), random.randbytes(blocks * rate - 3)):
            _, trace = await driver.hash(name, message, 4 * rate if name.startswith("shake") else 32)
            traces.append(trace)
            await driver.clear()
            for _ in range(steps):  # a message waits for the wipe
                await FallingEdge(dut.clk_i)
        assert traces[0] == traces[1]
        valid = [cycle for cycle, (is_valid, _) in enumerate(traces[0]) if is_valid]
        # beats come while a permutation runs, but not while a block is absorbed
        pace = max(25 * steps, (lanes + 1) * steps)
        assert valid[0] <= lanes * steps + blocks * pace + 2 * steps + 4, name
        if name.startswith("shake"):
            begins = valid[::lanes]
            assert {b - a for a, b in itertools.pairwise(begins)} == {24 * steps}, name


@cocotb.test()
async def cleared_at_any_time(dut):
    driver, steps = await prepare(dut)
    for cut in range(1, 40 * steps, 11):
        await driver.begin("shake_256")
        for _ in range(cut):
            dut.valid_i.value = 1
            dut.last_i.value = int(random.random() < 0.05)
            dut.bytes_i.value = 7
            dut.ready_i.value = random.getrandbits(1)
            dut.data_sec_i.value = random.getrandbits(64)
            await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        await driver.clear()
        if cut % 2:
            for _ in range(steps):
                await FallingEdge(dut.clk_i)
            held = [dut.result_sec_q[step] for step in range(steps)]
            held += [dut.gen_lane[lane].block_sec_q[step] for lane in range(21) for step in range(steps)]
            assert not any(int(row.value) for row in held)
            assert not int(dut.word_sec_q.value)
        message = random.randbytes(cut)
        assert (await driver.hash("sha3_256", message, 32))[0] == hashlib.sha3_256(message).digest()
