# SPDX-License-Identifier: Apache-2.0
"""rs_store_fields with every width, compared with plain Python; Compress of all 3329 residues; FIPS 204's parts; over; cycles; wipes."""

import random

import numpy as np
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_store_fields", "W BusBits Words")
SHAPES = [(32, 128, 4), *soak((24, 64, 1), (54, 512, 2), (32, 128, 2))]
test_store_fields = BLOCK.runs(__file__, SHAPES, inside=True)
test_store_fields_lint = BLOCK.lints(SHAPES)
test_store_fields_illegal = BLOCK.refuses("must be", (32, 128, 8), (16, 128, 2))
WIDTHS = (1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20)
KYBER, COMPOSITE, DILITHIUM = 3329, 3329 * 769, 8380417
PLAIN, MINUS, SHRINK, UPPER, LOWER, HIGH = range(6)


def step_of(width):
    """Twice gamma_2, where high parts have so many bits."""
    return (DILITHIUM - 1) // (44 if width == 6 else 16)


def decompose(x, width):
    """FIPS 204, algorithm 36, with divisions."""
    step = step_of(width)
    low = x % step
    low -= step if low > step // 2 else 0
    return (0, low - 1) if x - low == DILITHIUM - 1 else ((x - low) // step, low)


def power2round(x):
    """FIPS 204, algorithm 35."""
    low = x % 8192
    low -= 8192 if low > 4096 else 0
    return (x - low) >> 13, low


def compress(x, width):
    """FIPS 203, 4.7: 2^d x / 3329, rounded to the nearest, modulo 2^d; also of arrays."""
    return ((x << width + 1) + KYBER) // (2 * KYBER) & (1 << width) - 1


def test_products_are_exact():
    """The products of the module's head, for every residue of both standards."""
    x = np.arange(KYBER, dtype=np.int64)
    for factor, shift, widths in ((315, 20, (1, 4, 5)), (2580335, 33, (10, 11))):
        for width in widths:
            want = compress(x, width)
            got = ((x << width) * factor + (1 << shift - 1)) >> shift & (1 << width) - 1
            assert (got == want).all(), width
    x = np.arange(DILITHIUM, dtype=np.int64)
    for width, factor, shift, steps in ((6, 11275, 24, 44), (4, 1025, 22, 16)):
        got = ((x + 127 >> 7) * factor + (1 << shift - 1)) >> shift
        step = (DILITHIUM - 1) // steps
        want = (x + step // 2 - (step % 2 == 0)) // step  # the nearest multiple, halves downwards
        assert (got % steps == want % steps).all(), width
        assert got.max() == steps, width
        halves = (k * step // 2 + e for k in range(2 * steps) for e in (0, 1))
        some = [*range(0, DILITHIUM, 9973), *halves, DILITHIUM - 1]
        assert [decompose(value, width)[0] for value in some] == [int(want[value]) % steps for value in some]


def test_reduction_is_exact():
    """The quotient of the module's head, for every x below 2^24."""
    x = np.arange(1 << 24, dtype=np.int64)
    rest = x - KYBER * ((x >> 9) * 315 + 512 >> 11)
    assert rest.min() >= -4096
    assert rest.max() < 4096
    assert (np.where(rest < 0, rest + KYBER, rest) == x % KYBER).all()


async def store(dut, kind, values, width, q=DILITHIUM, offset=0, chances=(1.0, 1.0), bound=None):
    """Fields that are in memory, whether one did not fit, cycles from start_i to done_o, and what happened at both ends."""
    w, bus, words = (settings()["parameters"][name] for name in ("W", "BusBits", "Words"))
    dut.kind_i.value = kind
    dut.width_i.value = width
    dut.offset_i.value = offset
    dut.q_i.value = q
    dut.norm_i.value = int(bound is not None)
    dut.bound_i.value = bound or 0
    await bench.pulse(dut, "start_i")
    rows = [values[at : at + words] for at in range(0, len(values), words)]
    offer, take = bench.sometimes(chances[0], 1), bench.sometimes(chances[1], 2)
    offered, beats, trace, waiting = False, [], [], None
    while not int(dut.done_o.value):
        offered = bool(rows) and (offered or offer())
        dut.valid_i.value = int(offered)
        dut.last_i.value = int(len(rows) == 1) if offered else random.getrandbits(1)
        row = sum(value << w * i for i, value in enumerate(rows[0])) if offered else random.getrandbits(w * words)
        dut.data_sec_i.value = row
        ready = take()
        dut.ready_i.value = int(ready)
        await bench.settle()
        valid = int(dut.valid_o.value)
        if valid:
            beat = int(dut.beat_sec_o.value)
            assert waiting in (None, beat), "a waiting beat changed"
            waiting = None if ready else beat
            if ready:
                beats.append(beat)
        trace.append((valid, int(dut.ready_o.value)))
        if offered and int(dut.ready_o.value):
            rows.pop(0)
            offered = False
        await FallingEdge(dut.clk_i)
        assert len(trace) < 20_000
    dut.valid_i.value = 0
    if bound is not None:
        assert not beats
        return None, bool(int(dut.over_o.value)), len(trace) + 1, trace
    assert len(beats) == -(-len(values) * width // bus)
    bits = sum(beat << bus * at for at, beat in enumerate(beats))
    assert bits >> width * len(values) == 0, "no zeros behind the last field"
    got = [bits >> width * at & (1 << width) - 1 for at in range(len(values))]
    return got, bool(int(dut.over_o.value)), len(trace) + 1, trace


@bench.test
async def every_width(dut):
    for width in WIDTHS:
        fields = [0, (1 << width) - 1, *(random.randrange(1 << width) for _ in range(254))]
        got, over, _, _ = await store(dut, PLAIN, fields, width, chances=(0.7, 0.5))
        assert (got, over) == (fields, False), width
        offset = 1 << width - 1
        residues = [(offset - field) % DILITHIUM for field in fields]
        got, over, _, _ = await store(dut, MINUS, residues, width, offset=offset, chances=(1, 0.5))
        assert (got, over) == (fields, False), width


@bench.test
async def compress_of_all_residues(dut):
    """FIPS 203: 2^d x / 3329, rounded to the nearest, modulo 2^d."""
    residues = [*range(KYBER), 0, 1, 2]  # a whole number of rows
    for width in (1, 4, 5, 10, 11):
        want = [compress(x, width) for x in residues]
        got, over, _, _ = await store(dut, SHRINK, residues, width, KYBER)
        assert (got, over) == (want, False), width


@bench.test
async def modulo_3329(dut):
    """Numbers around all multiples of 3329, and everywhere; Compress of all numbers of 24 bits."""
    ends = [max(k * KYBER + e, 0) for k in random.sample(range(770), 100) for e in (-2, -1, 0, 1)]
    ends = [0, COMPOSITE - 1, 511, 512, *(end % COMPOSITE for end in ends)]
    for kind, width in ((PLAIN, 12), (SHRINK, 10), (SHRINK, 1)):
        top = COMPOSITE if kind == PLAIN else 1 << 24
        residues = [*ends, top - 1, *(random.randrange(top) for _ in range(1023 - len(ends)))]
        want = [x % KYBER if kind == PLAIN else compress(x % KYBER, width) for x in residues]
        got, over, _, _ = await store(dut, kind, residues, width, COMPOSITE, chances=(0.9, 0.9))
        assert (got, over) == (want, False), (kind, width)


@bench.test
async def bounds(dut):
    """Bounds of the smaller one of x and q - x, and of FIPS 204's LowBits: one coefficient at the bound, wherever it is."""
    cases = ((MINUS, 4, 1 << 17), (MINUS, 4, 95232), (MINUS, 4, 1), (HIGH, 6, 95154), (HIGH, 4, 261692))
    for kind, width, bound in cases:

        def size(x, kind=kind, width=width):
            return abs(decompose(x, width)[1]) if kind == HIGH else min(x, DILITHIUM - x)

        step = step_of(width)
        places = [step * k for k in range(DILITHIUM // step + 1)] if kind == HIGH else [0]
        near = (-bound, bound, 1 - bound, bound - 1, bound + 1, 0)
        values = [(place + e) % DILITHIUM for place in places for e in near]
        good = [x for x in values if size(x) < bound]
        good += [random.choice(good) for _ in range(256 - len(good))]
        assert (await store(dut, kind, good[:256], width, bound=bound))[1] is False, (kind, width)
        for bad in [x for x in values if size(x) >= bound][-8:]:
            some = random.sample(good, 256)
            some[random.randrange(256)] = bad
            assert (await store(dut, kind, some, width, bound=bound, chances=(0.9, 1)))[1] is True, (kind, width, bad)
    assert (await store(dut, MINUS, [0] * 256, 4, bound=0))[1] is True


@bench.test
async def parts_of_fips_204(dut):
    for kind, width in ((UPPER, 10), (LOWER, 13), (HIGH, 6), (HIGH, 4)):
        step = 8192 if kind != HIGH else step_of(width)
        ends = [k * step // 2 + e for k in random.sample(range(2 * (DILITHIUM // step)), 30) for e in (-1, 0, 1, 2)]
        residues = [0, 1, DILITHIUM - 1, DILITHIUM - 2, *(max(0, end) for end in ends)]
        residues += [random.randrange(DILITHIUM) for _ in range(256 - len(residues))]
        if kind == HIGH:
            want = [decompose(x, width)[0] for x in residues]
        else:
            parts = [power2round(x) for x in residues]
            want = [high if kind == UPPER else 4096 - low for high, low in parts]
        got, over, _, _ = await store(dut, kind, residues, width, chances=(0.9, 0.9))
        assert (got, over) == (want, False), (kind, width)


@bench.test
async def over(dut):
    """A residue that needs more bits shows, wherever it is, and no field beside it changes."""
    words = settings()["parameters"]["Words"]
    for width in WIDTHS:
        for at in (0, 255 - words, 255):
            fields = [random.randrange(1 << width) for _ in range(256)]
            fields[at] |= 1 << width
            got, fault, _, _ = await store(dut, PLAIN, fields, width)
            fields[at] &= (1 << width) - 1
            assert (got, fault) == (fields, True), (width, at)


WORDS = (
    "first", "quotient", "second", "word", "factor", "product", "plain", "beside", "part", "carried", "low", "corner",
)  # fmt: skip


def inside(dut):
    """All registers of data, the beat on offer last."""
    values = [int(dut.u_gear.buffer_sec_q.value), *map(int, dut.field_sec_q.value)]
    for word in dut.gen_word:
        values += [int(getattr(word, f"{name}_sec_q").value) for name in WORDS]
    return [*values, int(dut.beat_sec_q.value)]


@bench.test
async def cycles_and_secrets(dut):
    """V residues per cycle, or 64 bits; the same for all residues; nothing of them stays."""
    words = settings()["parameters"]["Words"]
    cases = ((PLAIN, 12, None), (SHRINK, 10, None), (SHRINK, 4, None), (UPPER, 10, None), (MINUS, 20, None))
    for kind, width, bound in (*cases, (MINUS, 4, 1 << 17), (HIGH, 6, 95154)):
        traces, held = [], []
        for _ in range(2):
            q = KYBER if kind == SHRINK else DILITHIUM
            residues = [random.randrange(min(q, 1 << width)) for _ in range(256)]
            offset = 1 << width - 1 if bound is None else 0
            _, _, count, trace = await store(dut, kind, residues, width, q, offset, bound=bound)
            assert count <= max(256 // words, 4 * width) + 12, (width, count)
            traces.append(trace)
            for _ in range(2):
                await FallingEdge(dut.clk_i)
            held.append(inside(dut))
        assert traces[0] == traces[1]
        assert held[0] == held[1], "something of the residues stays"
        assert (held[0][0], held[0][-1]) == (0, 0)


@bench.test
async def cleared_at_any_time(dut):
    """Nothing stays, or with keep_i the beat on offer alone, until it is taken."""
    kept = 0
    for cut in range(1, 80, 2):
        dut.kind_i.value = random.randrange(6)
        dut.width_i.value = random.choice(WIDTHS)
        await bench.pulse(dut, "start_i")
        dut.valid_i.value = 1
        for _ in range(cut):
            dut.data_sec_i.value = random.getrandbits(len(dut.data_sec_i))
            dut.last_i.value = int(random.random() < 0.05)
            dut.ready_i.value = random.getrandbits(1)
            await FallingEdge(dut.clk_i)
        dut.valid_i.value = dut.ready_i.value = 0
        await bench.settle()
        beat = int(dut.beat_sec_o.value) if int(dut.valid_o.value) and random.random() < 0.7 else 0
        dut.keep_i.value = int(beat != 0)
        dut.clear_i.value = 1
        for _ in range(3 if beat else 1):
            await FallingEdge(dut.clk_i)
            assert inside(dut) == [0] * (len(inside(dut)) - 1) + [beat]
            assert int(dut.valid_o.value) == int(beat != 0)
        if beat:
            dut.ready_i.value = 1
            dut.keep_i.value = 0
            await FallingEdge(dut.clk_i)
            kept += 1
        dut.clear_i.value = 0
        for _ in range(8):
            assert (int(dut.valid_o.value), int(dut.done_o.value), int(dut.u_gear.buffer_sec_q.value)) == (0, 0, 0)
            await FallingEdge(dut.clk_i)
        fields = [random.randrange(1 << 11) for _ in range(256)]
        assert (await store(dut, PLAIN, fields, 11))[0] == fields
    assert kept > 2
