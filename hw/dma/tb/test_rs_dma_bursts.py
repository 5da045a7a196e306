# SPDX-License-Identifier: Apache-2.0
"""LOAD and STORE in bursts of several lines, of half a polynomial and of words of 16 bits, in any order; addresses that are not aligned to a burst."""

import numpy as np
import pytest
from dma_bench import LOAD, LOG_N_MAX, NONE, RESIDUE, SOURCES
from rs_cocotb import elaborate
from rs_orders import reverse
from test_rs_dma_load import Load
from test_rs_dma_store import Store

from ringside.sim.asm import instruction

pytestmark = pytest.mark.alike(3, by="configuration")

# BusBits, W, Lanes; lines of a burst
SHORT = [((512, 32, 4), 4), ((128, 28, 2), 4), ((256, 60, 4), 2), ((128, 32, 1), 2)]
PACES = [(1.0, 1), (0.6, 7), (0.9, 40)]  # pace of the memory, latency


def polynomial(bench, log_n, wide, half, narrow, shift, bad=False):
    """Puts words in memory, shift lines behind a multiple of 256 bytes: all words, bytes, and the address."""
    count = 1 << log_n >> half
    values = [min(value, (1 << 16) - 1) for value in bench.words(count)] if narrow else bench.words(count)
    if bad:
        values[bench.random.randrange(count)] = bench.q
    data = np.array(values, np.uint16).tobytes() if narrow else bench.image(values, wide)
    address = -(-bench.base // 256) * 256 + 256 * bench.random.randrange(4) + 64 * shift
    bench.put(address, data)
    return values + [0] * ((1 << log_n) - count), len(data), address


def check_bursts(bench, address, count, wide, half, narrow, shift):
    """2^n lines of each stream at a time, in bursts as long as the address allows."""
    word_bytes = 2 if narrow else bench.word_bytes(wide)
    run = 16 * bench.burst_lines * word_bytes // 64
    burst = 1 if shift % bench.burst_lines else min(run, bench.burst_lines)
    bench.memory.check_transfer(address, count, bench.v >> half, run, burst)


@pytest.mark.parametrize(("configuration", "lines"), SHORT, ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_loads(configuration, lines, pace, latency):
    bench = Load(configuration, burst_lines=lines, short=True, pace=pace, latency=latency)
    for case in range(12):
        half, narrow, shift = case & 1, case >> 1 & 1, bench.random.randrange(4) if case < 8 else 0
        wide, log_n = int(bench.w > 32 or case in (4, 8)), LOG_N_MAX if case % 3 else bench.log_n_min
        values, count, address = polynomial(bench, log_n, wide, half, narrow, shift)
        cycles, fault = bench.run(LOAD, address, log_n, wide, half=half, narrow=narrow)
        assert fault == NONE
        bench.check(LOAD, values)
        check_bursts(bench, address, count, wide, half, narrow, shift)
        if pace == 1 and latency == 1:
            rate = max(1 / bench.v, count / (1 << log_n) / bench.memory.beat_bytes)
            assert cycles <= (1 << log_n) * rate * (1 + 1 / 16) + 24 + 16 * lines


@pytest.mark.parametrize(("configuration", "lines"), SHORT[:2], ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_loads_of_all_kinds_in_a_row(configuration, lines, pace, latency):
    """Halves and wholes, words of 16 and 32 bits, one behind the other: each has its words and its fault."""
    bench = Load(configuration, burst_lines=lines, short=True, pace=pace, latency=latency)
    log_n = bench.log_n_min
    bench.sim.set(log_n_i=log_n, q_i=bench.q)
    bench.twiddle_count, left, at = 0, [], 0
    for number in range(14):
        half, narrow, bad = (bench.random.getrandbits(1) for _ in range(3))
        bad &= 1 - narrow
        count = 1 << log_n >> half
        values = [min(value, (1 << 16) - 1) for value in bench.words(count)] if narrow else bench.words(count)
        if bad:
            values[bench.random.randrange(count)] = bench.q
        data = np.array(values, np.uint16).tobytes() if narrow else bench.image(values, 0)
        bench.put(bench.base + at, data)
        left.append((number, bench.base + at, half, narrow, bad, values + [0] * ((1 << log_n) - count)))
        at += len(data)
        if at + (4 << log_n) > len(bench.memory.data):
            break
    wanted, running, gap = list(left), [], 4
    bench.begin_sequence()
    bench.ntt = 0
    for _ in range(200_000):
        gap += 1
        start = bool(left) and gap >= 4 and len(running) < 3 and bench.sim.get("room_o")
        if start:
            number, address, half, narrow, *_ = item = left.pop(0)
            bench.sim.set(instr_i=instruction(LOAD, dst=number, half=half, narrow=narrow), addr_i=address)
            running.append(item)
            gap = 0
        bench.sim.set(start_i=int(start))
        fault = bench.cycle()
        if fault is not None:
            assert fault == (RESIDUE if running.pop(0)[4] else NONE)
        if not left and not running:
            break
    assert len(wanted) > 3
    assert not running
    columns = []
    for number, _, _, _, _, values in wanted:
        chunks = bench.chunks_of(values)
        order = [reverse(i, log_n - bench.v.bit_length() + 1) * bench.v for i in range(len(chunks))]
        columns += [(number, pos, chunks[pos]) for pos in order]
    assert bench.placed == columns


@pytest.mark.parametrize(("configuration", "lines"), SHORT, ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_stores(configuration, lines, pace, latency):
    bench = Store(configuration, burst_lines=lines, short=True, pace=pace, latency=latency)
    for case in range(8):
        half, shift = case & 1, bench.random.randrange(4) if case < 4 else 0
        wide, log_n = int(bench.w > 32 or case == 6), LOG_N_MAX if case % 3 else bench.log_n_min
        address = -(-bench.base // 256) * 256 + 256 * bench.random.randrange(4) + 64 * shift
        before = bytes(bench.memory.data)
        bench.begin(address, log_n, wide, half=half)
        cycles, fault = bench.finish()
        assert fault == NONE
        data = bench.image(bench.values[: 1 << log_n >> half], wide)
        at = address - bench.base
        assert bytes(bench.memory.data) == before[:at] + data + before[at + len(data) :]
        check_bursts(bench, address, len(data), wide, half, 0, shift)
        if pace == 1 and latency == 1:
            rate = max(1 / bench.v, len(data) / (1 << log_n) / bench.memory.beat_bytes)
            assert cycles <= (1 << log_n) * rate * (1 + 1 / 16) + 26 + 17 * lines


@pytest.mark.parametrize("top", [Load, Store])
def test_clear_at_any_time(top):
    bench = top((512, 32, 4), burst_lines=4, short=True, pace=0.7, latency=5)
    for when in range(1, 80, 9):
        half = bench.random.getrandbits(1)
        if top is Load:
            values, _, address = polynomial(bench, bench.log_n_min, 0, half, 0, 0)
            bench.begin(LOAD, address, bench.log_n_min, half=half)
        else:
            bench.begin(bench.base, bench.log_n_min, half=half)
        for _ in range(when):
            bench.cycle()
        bench.sim.set(clear_i=1)
        ended = bench.cycle() is not None
        bench.sim.set(clear_i=0)
        if not ended:
            bench.finish()
        bench.memory.check_drained()
        if top is Load:
            assert bench.run(LOAD, address, bench.log_n_min, half=half)[1] == NONE
            bench.check(LOAD, values)
        else:
            bench.run(bench.base, bench.log_n_min)


def test_illegal_parameters():
    assert "Short needs bursts" in elaborate("rs_dma_load", SOURCES, {"BusBits": 128, "Short": 1})
    assert "BurstLines 3" in elaborate("rs_dma_store", SOURCES, {"BusBits": 128, "BurstLines": 3})
