# SPDX-License-Identifier: Apache-2.0
"""rs_load_fields with every width, compared with plain Python; Decompress of all fields; faults at the limit; cycles; nothing stays."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_load_fields", "W BusBits Words")
SHAPES = [(32, 128, 4), *soak((24, 64, 1), (54, 512, 2), (32, 128, 2))]
test_load_fields = BLOCK.runs(__file__, SHAPES, inside=True)
test_load_fields_lint = BLOCK.lints(SHAPES)
test_load_fields_illegal = BLOCK.refuses("must be", (32, 128, 8), (16, 128, 2))
WIDTHS = (1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20)
KYBER, DILITHIUM = 3329, 8380417
PLAIN, MINUS, GROW = range(3)


def packed(fields, width, bus):
    """Fields side by side, noise behind them, in beats."""
    bits = sum(field << width * at for at, field in enumerate(fields))
    size = -(-len(fields) * width // bus)
    bits |= random.getrandbits(size * bus) << width * len(fields)
    return [bits >> bus * at & (1 << bus) - 1 for at in range(size)]


async def load(dut, kind, fields, width, q=DILITHIUM, offset=0, limit=None, chance=1.0, least=0):
    """Words, whether there was a fault, cycles from start_i to done_o, and when rows came."""
    w, bus, words = (settings()["parameters"][name] for name in ("W", "BusBits", "Words"))
    dut.kind_i.value = kind
    dut.width_i.value = width
    dut.count_i.value = len(fields)
    dut.offset_i.value = offset
    dut.least_i.value = least
    dut.limit_i.value = (1 << width) - 1 if limit is None else limit
    dut.q_i.value = q
    await bench.pulse(dut, "start_i")
    beats, offer, offered, got, trace = packed(fields, width, bus), bench.sometimes(chance, 1), False, [], []
    while not int(dut.done_o.value):
        offered = bool(beats) and (offered or offer())
        dut.valid_i.value = int(offered)
        dut.beat_sec_i.value = beats[0] if offered else random.getrandbits(bus)
        if int(dut.valid_o.value):
            got += [int(dut.data_sec_o.value) >> w * i & (1 << w) - 1 for i in range(words)]
        await bench.settle()
        trace.append((int(dut.valid_o.value), int(dut.ready_o.value)))
        if offered and int(dut.ready_o.value):
            beats.pop(0)
            offered = False
        await FallingEdge(dut.clk_i)
        assert len(trace) < 20_000
    dut.valid_i.value = 0
    return got, bool(int(dut.fault_o.value)), len(trace) + 1, trace


@bench.test
async def every_width(dut):
    for width in WIDTHS:
        fields = [0, (1 << width) - 1, *(random.randrange(1 << width) for _ in range(254))]
        got, fault, _, _ = await load(dut, PLAIN, fields, width, chance=0.6)
        assert (got, fault) == (fields, False), width
        offset = random.choice([1 << width - 1, 2, 4, 1 << 12]) if width < 14 else 1 << width - 1
        got, fault, _, _ = await load(dut, MINUS, fields, width, offset=offset)
        assert (got, fault) == ([(offset - field) % DILITHIUM for field in fields], False), width


@bench.test
async def decompress_of_all_fields(dut):
    """FIPS 203: 3329 y / 2^d, rounded to the nearest, halves upwards."""
    for width in (1, 4, 5, 10, 11):
        fields = [*range(1 << width)] * 2
        want = [(2 * KYBER * field + (1 << width)) >> width + 1 for field in fields]
        got, fault, _, _ = await load(dut, GROW, fields, width, KYBER)
        assert (got, fault) == (want, False), width


@bench.test
async def limits(dut):
    """One field beyond a limit is a fault, wherever it is; what follows the last one is none."""
    words = settings()["parameters"]["Words"]
    for limit, width in ((KYBER - 1, 12), (4, 3), (8, 4)):
        good = [random.randrange(limit + 1) for _ in range(255)] + [limit]
        assert not (await load(dut, PLAIN, good, width, KYBER, limit=limit))[1]
        for _ in range(4):  # noise in the last beat, behind the last field
            assert not (await load(dut, PLAIN, good[:-words], width, KYBER, limit=limit))[1]
        for at in (0, 1, 100, 255 - words, 255):
            bad = good.copy()
            bad[at] = limit + 1
            got, fault, _, _ = await load(dut, PLAIN, bad, width, KYBER, limit=limit, chance=0.8)
            assert (got, fault) == (bad, True), (limit, at)
    good = [random.randrange(79, 1 << 18) for _ in range(255)] + [79]
    assert not (await load(dut, PLAIN, good, 18, least=79))[1]
    for at in (0, 254, 255):
        bad = good.copy()
        bad[at] = 78
        assert (await load(dut, PLAIN, bad, 18, least=79))[:2] == (bad, True), at


@bench.test
async def cycles_and_secrets(dut):
    """V fields per cycle, or 64 bits; the same for all fields; nothing of them stays."""
    words = settings()["parameters"]["Words"]
    registers = (dut.u_gear.buffer_sec_q, dut.field_sec_q, dut.made_sec_q, dut.data_sec_q)
    for width in WIDTHS:
        traces = []
        for fields in ([0] * 256, [random.randrange(1 << width) for _ in range(256)]):
            _, _, count, trace = await load(dut, PLAIN, fields, width)
            assert count <= max(256 // words, 4 * width) + 8, (width, count)
            traces.append(trace)
            for _ in range(2):
                await FallingEdge(dut.clk_i)
            for register in registers:
                parts = register.value if isinstance(register.value, list) else [register.value]
                assert not any(map(int, parts)), register._name
        assert traces[0] == traces[1]


@bench.test
async def cleared_at_any_time(dut):
    for cut in range(1, 30, 3):
        dut.kind_i.value = random.randrange(3)
        dut.width_i.value = random.choice((1, 10, 11))
        dut.count_i.value = 256
        await bench.pulse(dut, "start_i")
        dut.valid_i.value = 1
        for _ in range(cut):
            dut.beat_sec_i.value = random.getrandbits(len(dut.beat_sec_i))
            await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        await bench.pulse(dut, "clear_i")
        for _ in range(8):
            assert (int(dut.valid_o.value), int(dut.done_o.value), int(dut.u_gear.buffer_sec_q.value)) == (0, 0, 0)
            await FallingEdge(dut.clk_i)
        fields = [random.randrange(1 << 12) for _ in range(256)]
        assert (await load(dut, PLAIN, fields, 12))[0] == fields
