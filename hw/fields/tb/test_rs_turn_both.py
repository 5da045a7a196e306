# SPDX-License-Identifier: Apache-2.0
"""rs_turn_both: each coefficient at its position and back, every size, pauses on both sides; no gap; stops and wipes."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings
from rs_orders import by_position

W = 23
BLOCK = Block("rs_turn_both", "LogNMin LogNMax Words", W=W)
SHAPES = [(7, 9, 4), *soak((6, 8, 2), (7, 8, 8))]
test_turn_both = BLOCK.runs(__file__, SHAPES, inside=True)
test_turn_both_lint = BLOCK.lints(SHAPES)
test_turn_both_illegal = BLOCK.refuses("must be", (8, 10, 3), (3, 10, 4))


async def turn(dut, back, polys, chances=(1.0, 1.0)):
    """What leaves, polynomial by polynomial; per cycle whether something was there."""
    words, size = settings()["parameters"]["Words"], len(polys[0])
    dut.back_i.value = int(back)
    dut.log_n_i.value = size.bit_length() - 1
    offer, take = bench.sometimes(chances[0], 1), bench.sometimes(chances[1], 2)
    pieces = [poly[at : at + words] for poly in polys for at in range(0, size, words)]
    per_poly, used, waiting = size // words, 0, None  # used: halves
    found, now, trace, at = [], {}, [], 0
    while len(found) < len(polys):
        fresh = at % per_poly == 0
        # without pauses the next polynomial comes although its half is read just now
        sent = at < len(pieces) and offer() and (not fresh or used < 2)
        dut.valid_i.value = int(sent)
        ready = take()
        dut.ready_i.value = int(ready)
        piece = pieces[at] if sent else [random.getrandbits(W) for _ in range(words)]
        dut.data_sec_i.value = sum(value << W * i for i, value in enumerate(piece))
        await bench.settle()
        used += int(sent and fresh) - int(dut.free_o.value)
        at += int(sent)
        valid, last = int(dut.valid_o.value), int(dut.last_o.value)
        trace.append(valid)
        out = int((dut.row_sec_o if back else dut.chunk_sec_o).value)
        if valid:
            got = (out, last, int(dut.pos_o.value))
            assert waiting in (None, got), "what waits changed"
            waiting = None if ready else got
        else:
            assert not out
        if valid and ready:
            place = len(now) if back else int(dut.pos_o.value)
            assert place % words == 0
            now |= {place + i: out >> W * i & (1 << W) - 1 for i in range(words)}
            assert last == (len(now) == size)
            if last:
                found.append([now[i] for i in range(size)])
                now = {}
        await FallingEdge(dut.clk_i)
        assert len(trace) < 20_000
    dut.valid_i.value = 0
    return found, trace


@bench.test
async def every_size(dut):
    parameters = settings()["parameters"]
    for log_n in range(parameters["LogNMin"], parameters["LogNMax"] + 1):
        polys = [[random.getrandbits(W) for _ in range(1 << log_n)] for _ in range(3)]
        turned = [by_position(poly) for poly in polys]
        for back, given, want in ((False, polys, turned), (True, turned, polys)):
            for chances in ((1.0, 1.0), (0.6, 1.0), (1.0, 0.5), (0.7, 0.7)):
                got, trace = await turn(dut, back, given, chances)
                assert got == want, (log_n, back, chances)
                if chances == (1.0, 1.0):
                    rows = (1 << log_n) // parameters["Words"]
                    assert trace.index(1) == rows + 1
                    assert len(trace) <= 4 * (rows + 2)


@bench.test
async def rows_without_a_pause(dut):
    """Rows of many polynomials one a cycle: the banks of a half are written when their last chunk has left."""
    parameters = settings()["parameters"]
    log_n, words = parameters["LogNMin"], parameters["Words"]
    dut.back_i.value, dut.log_n_i.value, dut.ready_i.value, dut.valid_i.value = 0, log_n, 1, 1
    polys = [[random.getrandbits(W) for _ in range(1 << log_n)] for _ in range(5)]
    got = []
    for at in range(0, (6 << log_n) + 2 * words, words):
        poly, first = divmod(at, 1 << log_n)
        dut.valid_i.value = int(poly < 5)
        if poly < 5:
            dut.data_sec_i.value = sum(value << W * i for i, value in enumerate(polys[poly][first : first + words]))
        await FallingEdge(dut.clk_i)
        if int(dut.valid_o.value):
            out = int(dut.chunk_sec_o.value)
            got += [out >> W * i & (1 << W) - 1 for i in range(words)]
    assert got == [value for poly in polys for value in by_position(poly)]


@bench.test
async def stopped_and_wiped(dut):
    parameters = settings()["parameters"]
    log_n, words = parameters["LogNMax"], parameters["Words"]
    rows = (1 << log_n) // words
    for back in (0, 1):
        for cut in (1, rows - 1, rows, rows + 1, rows + 7, 2 * rows):
            dut.back_i.value, dut.log_n_i.value, dut.ready_i.value = back, log_n, 0
            dut.valid_i.value = 1
            for _ in range(cut):
                dut.data_sec_i.value = random.getrandbits(W * words)
                await FallingEdge(dut.clk_i)
            dut.valid_i.value = 0
            await bench.pulse(dut, "clear_i")
            for _ in range(3):
                assert (int(dut.valid_o.value), int(dut.row_sec_o.value)) == (0, 0)
                assert not any(map(int, dut.held_sec_q.value))
                await FallingEdge(dut.clk_i)
            poly = [random.getrandbits(W) for _ in range(1 << log_n)]
            given, want = (by_position(poly), poly) if back else (poly, by_position(poly))
            assert (await turn(dut, back, [given], (0.9, 0.9)))[0] == [want], (back, cut)
    banks = [dut.gen_half[h].gen_bank[b].u_bank.mem_q for h in range(2) for b in range(words)]
    assert any(int(bank[rows - 1].value) for bank in banks)
    dut.wipe_i.value = 1
    for row in range(rows):
        dut.wipe_row_i.value = row
        await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    await FallingEdge(dut.clk_i)
    assert not any(int(bank[row].value) for bank in banks for row in range(rows))
