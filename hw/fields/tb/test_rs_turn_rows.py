# SPDX-License-Identifier: Apache-2.0
"""rs_turn_rows: each coefficient at its position, every size, rows with pauses and without, polynomials begun again; wiping."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings
from rs_orders import by_position

BLOCK = Block("rs_turn_rows", "LogNMin LogNMax Words")
SHAPES = [(8, 10, 4), *soak((7, 9, 8), (4, 8, 2))]
test_turn_rows = BLOCK.runs(__file__, SHAPES, inside=True)
test_turn_rows_lint = BLOCK.lints(SHAPES)
test_turn_rows_illegal = BLOCK.refuses("must be", (8, 10, 3), (3, 10, 4))


async def turn(dut, log_n, polys, chance, again=0.0):
    """Positions of all polynomials, from their rows one after the other; and when chunks came."""
    words, width = settings()["parameters"]["Words"], 23
    dut.log_n_i.value = log_n
    dice = random.Random(3)
    rows = [poly[at : at + words] for poly in polys for at in range(0, len(poly), words)]
    per_poly = len(polys[0]) // words
    found, now, at, trace, dones = [], {}, 0, [], 0
    while len(found) < len(polys):
        chunks_left = at > 0 and at // per_poly > len(found)
        last = at % per_poly == per_poly - 1
        # the last row waits for the chunks of the polynomial before
        offer = at < len(rows) and dice.random() < chance and not (last and chunks_left)
        begins = at < len(rows) and at % per_poly > 3 and dice.random() < again
        dut.valid_i.value = int(offer and not begins)
        dut.again_i.value = int(begins)
        row = rows[at] if offer else [random.getrandbits(width) for _ in range(words)]
        dut.row_sec_i.value = sum(word << width * i for i, word in enumerate(row))
        if begins:
            at -= at % per_poly
        elif offer:
            at += 1
        await FallingEdge(dut.clk_i)
        trace.append(int(dut.valid_o.value))
        assert len(trace) < 20_000
        if trace[-1]:
            chunk, pos = int(dut.chunk_sec_o.value), int(dut.pos_o.value)
            assert pos % words == 0
            for i in range(words):
                now[pos + i] = chunk >> width * i & (1 << width) - 1
        dones += int(dut.done_o.value)
        if int(dut.done_o.value):
            found.append([now[pos] for pos in range(len(polys[0]))])
            now = {}
    dut.valid_i.value = 0
    assert dones == len(polys)
    return found, trace


@bench.test
async def every_size(dut):
    parameters = settings()["parameters"]
    for log_n in range(parameters["LogNMin"], parameters["LogNMax"] + 1):
        polys = [[random.getrandbits(23) for _ in range(1 << log_n)] for _ in range(3)]
        want = [by_position(poly) for poly in polys]
        for chance, again in ((1, 0), (0.5, 0.0), (0.9, 0.01)):
            got, trace = await turn(dut, log_n, polys, chance, again)
            assert got == want, (log_n, chance)
            if chance == 1:
                rows = (1 << log_n) // parameters["Words"]
                # without a gap: rows, one cycle, chunks; the last row of the next one waits for two cycles
                assert trace.index(1) == rows
                assert len(trace) <= 4 * (rows + 2) + 2


@bench.test
async def wiped(dut):
    parameters = settings()["parameters"]
    log_n, words = parameters["LogNMax"], parameters["Words"]
    polys = [[random.getrandbits(23) for _ in range(1 << log_n)] for _ in range(2)]
    await turn(dut, log_n, polys, 1)
    dut.wipe_i.value = 1
    for row in range(2 << log_n):
        if row == (2 << log_n) // words:
            break
        dut.wipe_row_i.value = row
        await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    await FallingEdge(dut.clk_i)
    for bank in range(words):
        memory = dut.gen_bank[bank].u_bank.mem_q
        assert not any(int(memory[row].value) for row in range((2 << log_n) // words))
    assert not int(dut.chunk_sec_o.value)
