# SPDX-License-Identifier: Apache-2.0
"""LOADS and STORES with a memory: words and numbers as rs_fixed_load and rs_fixed_store have them, their places and time, faults, aborts."""

import math
import random
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from axi_memory import SLVERR
from dma_bench import BUS_READ, BUS_WRITE, ILLEGAL, LOAD, LOADS, NONE, STORES, VALUE
from rs_orders import reverse
from test_rs_dma_load import Load
from test_rs_dma_store import Store

from ringside.native.library import ffi, lib
from ringside.sim.asm import instruction

pytestmark = pytest.mark.alike(3, by="configuration")

FORMATS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.float64)
DOUBLE = 6  # LOADS alone has them
# BusBits, W, Lanes: V = 4 Lanes, V = 2 Lanes, less; every kind of beat
CONFIGURATIONS = [(64, 64, 1), (128, 32, 1), (128, 54, 4), (256, 24, 2), (512, 32, 32)]
# waits of the memory: pace, latency
WITHOUT_WAITS, WITH_WAITS = (1.0, 1), (0.6, 7)
RUNS = [*((configuration, *WITHOUT_WAITS) for configuration in CONFIGURATIONS)]
RUNS += [(configuration, *WITH_WAITS) for configuration in CONFIGURATIONS[::2]]
# two numbers per cycle
PAIRS = [(CONFIGURATIONS[2], *WITHOUT_WAITS), (CONFIGURATIONS[3], *WITH_WAITS), (CONFIGURATIONS[4], *WITHOUT_WAITS)]
LOAD_RUNS = [*((*run, 1) for run in RUNS), *((*run, 2) for run in PAIRS)]


class Numbers(NamedTuple):
    """What an instruction says about them."""

    format: int
    pairs: int
    shift: int
    count: int

    @property
    def type(self):
        return np.dtype(FORMATS[self.format])

    @property
    def bytes(self):
        return self.type.itemsize * self.count << self.pairs

    @property
    def field(self):
        return self.format | self.pairs << 3 | (self.shift & 255) << 4 | self.count - 1 << 12

    def layout(self, exponent):
        return ffi.new("rs_fixed_layout_t *", [self.format, self.pairs, self.count, exponent, 0])


def scaled(number, shift):
    """To the nearest integer, halves away from zero."""
    exact = abs(Fraction(number if isinstance(number, float) else int(number))) * Fraction(2) ** shift + Fraction(1, 2)
    return exact.numerator // exact.denominator * (-1 if number < 0 else 1)


@cache
def fixed_of(log_n, width):
    size = lib.rs_fixed_size(log_n)
    memory = np.zeros(size // 8, np.uint64)
    out = ffi.new("rs_fixed_t const **")
    assert not lib.rs_fixed_init(out, ffi.from_buffer("uint64_t[]", memory), size, log_n, width)
    return out[0], memory


def words_array(values):
    return np.array(values, np.int64)


def places(log_n, lanes):
    """The position of re and im of each entry of the library's arrays: docs/core.md."""
    low = 1 + max(lanes.bit_length() - 1, 1)  # bits of r below the one that tells re from im
    bits = log_n - 1
    address = bits - low
    found = []
    for i in range(1 << bits):
        r = reverse(i, bits)
        row, bank = r >> low, r & ((1 << low) - 1)
        turn = bits % address
        row = (row << turn | row >> (address - turn)) & ((1 << address) - 1)
        found.append((row << low + 1 | bank, row << low + 1 | 1 << low | bank))
    return found


def some_numbers(rng, numbers, limit):
    """Numbers of the format, at most 2^limit in magnitude, corners among them."""
    if numbers.format == DOUBLE:
        return some_doubles(rng, numbers, limit)
    info = np.iinfo(numbers.type)
    low, high = max(int(info.min), -(1 << limit)), min(int(info.max), 1 << limit)
    corners = [low, high, 0, 1, max(-1, low), low // 2, high // 2]
    size = numbers.count << numbers.pairs
    values = [rng.randint(low, high) >> rng.randrange(0, 8) for _ in range(size)]
    for corner in corners:
        values[rng.randrange(size)] = corner
    return values


def some_doubles(rng, numbers, limit):
    """Likewise; those that are rounded, halves and their neighbours, the smallest ones and zeros."""
    size, half = numbers.count << numbers.pairs, 0.5 * 2.0**-numbers.shift
    values = [math.ldexp(rng.uniform(-1, 1), limit - rng.randrange(80)) for _ in range(size)]
    near = [half, math.nextafter(half, 0), math.nextafter(half, math.inf), 3 * half, 5 * math.nextafter(half, 0)]
    corners = [2.0**limit, math.nextafter(2.0**limit, 0), 0.0, -0.0, 5e-324, 2.2e-308, 1e-300]
    for corner in [*corners, *(x for x in near if x <= 2.0**limit)]:
        values[rng.randrange(size)] = rng.choice((corner, -corner))
    return values


class Slots:
    """What is common to both: their bench begins with an instruction of their own."""

    def instruct(self, op, numbers, address, log_n):
        self.memory.bursts.clear()
        self.sim.set(log_n_i=log_n)
        assert [self.cycle(), self.cycle()] == [None, None]
        self.sim.set(instr_i=instruction(op, dst=1, a=1, numbers=numbers.field), addr_i=address)
        self.sim.set(start_i=1)
        assert self.cycle() is None
        self.sim.set(start_i=0)

    def line_bytes(self, numbers):
        return -(-numbers.bytes // 64) * 64


class LoadSlots(Slots, Load):
    def __init__(self, configuration, **options):
        super().__init__(configuration, encode=True, **options)
        self.lanes = configuration[2]
        self.loading = True

    def begin_slots(self, numbers, values, log_n):
        self.loading = True
        self.words_seen = {}
        address = self.address(self.line_bytes(numbers))
        filled = self.random.randbytes(self.line_bytes(numbers))  # what is behind the last number is nobody's
        data = np.array(values, numbers.type).tobytes()
        self.put(address, data + filled[len(data) :])
        self.instruct(LOADS, numbers, address, log_n)
        return address

    def begin(self, *arguments, **options):
        self.loading = False
        super().begin(*arguments, **options)

    def cycle(self):
        if not self.loading:
            assert not self.sim.get("chunk_word_o")
            return super().cycle()
        sim = self.sim
        self.memory.drive_read(sim)
        assert sim.get("chunk_valid_o") == sim.get("chunk_word_o")
        if sim.get("chunk_word_o"):
            assert not sim.get("chunk_ntt_o")
            assert sim.get("chunk_group_o") == 1
            pos = sim.get("chunk_pos_o")
            (word,) = set(self.split(sim.get("chunk_data_o")))
            self.write(pos, word)
            if sim.get("chunk_real_o"):
                assert self.lanes > 1
                self.write(pos + 2 * self.lanes, sim.get("chunk_other_o"))
        done = sim.get("fault_o") if sim.get("done_o") else None
        self.memory.sample_read(sim)
        sim.step()
        return done

    def write(self, pos, word):
        assert pos not in self.words_seen, "written twice"
        self.words_seen[pos] = word

    def expected(self, numbers, values, log_n):
        """(words by position, whether all fit)."""
        limit = (1 << self.w - 1) - 1
        words, fits = [], True
        for value in values:
            word = scaled(value, numbers.shift)
            fits &= abs(word) <= limit
            words.append(word if abs(word) <= limit else 0)
        re = np.zeros(1 << log_n - 1, np.int64)
        im = re.copy()
        at, bits = 0, log_n - 1
        for i in range(numbers.count):
            entry = reverse(at, bits)
            if numbers.pairs:
                re[entry], im[entry] = words[2 * i], words[2 * i + 1] * (-1 if i & 1 else 1)
            else:
                re[entry] = words[i]
            at = ~(3 * at) & ((1 << bits) - 1)
        if fits:  # the library agrees
            out = np.zeros((2, 1 << bits), np.int64)
            array = np.array(values, numbers.type)
            assert np.isfinite(array).all()
            status = lib.rs_fixed_load(
                fixed_of(log_n, self.w)[0],
                ffi.from_buffer("int64_t[]", out[0]),
                ffi.from_buffer("int64_t[]", out[1]),
                ffi.from_buffer(array),
                numbers.layout(numbers.shift - (self.w - 1)),
            )
            assert status == 0
            assert np.array_equal(out, [re, im])
        found = {}
        for i, (real, imaginary) in enumerate(places(log_n, self.lanes)):
            found[real], found[imaginary] = int(re[i]) % (1 << self.w), int(im[i]) % (1 << self.w)
        return found, fits


class StoreSlots(Slots, Store):
    def __init__(self, configuration, **options):
        super().__init__(configuration, encode=True, **options)
        self.lanes = configuration[2]

    def begin_slots(self, numbers, words, log_n):
        """words: of points, re and im."""
        self.by_position = {}
        for i, positions in enumerate(places(log_n, self.lanes)):
            for c, position in enumerate(positions):
                chunk = self.by_position.setdefault(position // self.v * self.v, [0] * self.v)
                chunk[position % self.v] = int(words[c][i]) % (1 << self.w)
        address = self.address(self.line_bytes(numbers))
        self.instruct(STORES, numbers, address, log_n)
        return address

    def expected(self, numbers, words, log_n):
        """(numbers in memory, whether all fit)."""
        info = np.iinfo(numbers.type)
        out, fits = [], True
        at, bits = 0, log_n - 1
        for i in range(numbers.count):
            entry = reverse(at, bits)
            for c in range(1 + numbers.pairs):
                before = scaled(words[c][entry], numbers.shift)
                number = -before if c and i & 1 else before
                fit = info.min <= number <= info.max and -(1 << 63) <= before < 1 << 63
                fits &= fit
                out.append(number if fit else 0)
            at = ~(3 * at) & ((1 << bits) - 1)
        array = np.array(out, numbers.type)
        library = np.zeros_like(array)
        status = lib.rs_fixed_store(
            fixed_of(log_n, self.w)[0],
            ffi.from_buffer(library),
            numbers.layout(-(numbers.shift + self.w - 2)),
            *(ffi.from_buffer("int64_t[]", row) for row in words),
        )
        assert (status == 0) == fits
        assert not fits or np.array_equal(library, array)
        return array.tobytes(), fits


def cases(rng, bench, fast, formats=DOUBLE):
    """Every format, pairs or not, counts from 1 to all, two sizes."""
    for number_format in range(formats):
        for pairs in range(2):
            log_n = bench.log_n_min + (fast and rng.random() < 0.3)
            points = 1 << log_n - 1
            count = rng.choice([points, 1, points - 1, rng.randrange(1, points + 1)])
            yield number_format, pairs, count, log_n


@pytest.mark.parametrize(("configuration", "pace", "latency", "slot_words"), LOAD_RUNS)
def test_loads(configuration, pace, latency, slot_words):
    bench = LoadSlots(configuration, pace=pace, latency=latency, slot_words=slot_words)
    rng = random.Random(str(configuration))
    for number_format, pairs, count, log_n in cases(rng, bench, pace == 1, 1 + DOUBLE):
        bits = 8 * FORMATS[number_format]().itemsize
        for shift in (bench.w - 1 - bits - rng.randrange(1, 4), rng.choice([-65, -64, -bits, -1, 0, 1, 63, 64])):
            numbers = Numbers(number_format, pairs, shift, count)
            values = some_numbers(rng, numbers, max(0, min(63, bench.w - 2 - shift)) if rng.random() < 0.7 else 64)
            address = bench.begin_slots(numbers, values, log_n)
            cycles, fault = bench.finish()
            want, fits = bench.expected(numbers, values, log_n)
            assert fault == (NONE if fits else VALUE), numbers
            assert bench.words_seen == want, numbers
            bench.memory.check_transfer(address, bench.line_bytes(numbers))
            if pace == 1 and latency == 1:
                padding = (bench.line_bytes(numbers) - numbers.bytes) // bench.memory.beat_bytes
                both = (1 << log_n - 1) if bench.lanes == 1 else count * pairs * (2 - slot_words)
                assert cycles <= (1 << log_n - 1) + both + 13 + padding


@pytest.mark.parametrize(("configuration", "pace", "latency"), RUNS)
def test_stores(configuration, pace, latency):
    bench = StoreSlots(configuration, pace=pace, latency=latency)
    rng = random.Random(str(configuration))
    top = 1 << bench.w - 1
    for number_format, pairs, count, log_n in cases(rng, bench, pace == 1):
        bits = 8 * FORMATS[number_format]().itemsize
        for shift in (bits - bench.w - rng.randrange(0, 2), rng.choice([-65, -64, 1 - bench.w, -1, 0, 1, 63, 64])):
            numbers = Numbers(number_format, pairs, shift, count)
            small = max(0, min(bench.w - 1, bits - 1 - shift)) if rng.random() < 0.7 else bench.w - 1
            low = 0 if number_format in (1, 3) and rng.random() < 0.8 else -min(top, 1 << small)
            high = min(top, 1 << small) - 1
            words = [words_array([rng.randint(low, high) for _ in range(1 << log_n - 1)]) for _ in range(2)]
            for row in words:
                for corner in (low, high, 0):
                    row[rng.randrange(len(row))] = corner
            before = bytearray(bench.memory.data)
            address = bench.begin_slots(numbers, words, log_n)
            cycles, fault = bench.finish()
            data, fits = bench.expected(numbers, words, log_n)
            assert fault == (NONE if fits else VALUE), numbers
            at = address - bench.base
            lines = bench.line_bytes(numbers)
            before[at : at + lines] = data.ljust(lines, b"\0")
            assert bench.memory.data == before, numbers
            bench.memory.check_transfer(address, lines)
            if pace == 1 and latency == 1:
                padding = (lines - numbers.bytes) // bench.memory.beat_bytes
                assert cycles <= (count << pairs) + 20 + padding


@pytest.mark.parametrize("slot_words", [1, 2])
def test_doubles_that_are_no_numbers(slot_words):
    """Infinities and NaNs are out of range with any shift, in either part; so is what has too many digits."""
    bench = LoadSlots(CONFIGURATIONS[2], slot_words=slot_words)
    log_n = bench.log_n_min
    for shift in (-65, 0, 64):
        for value in (math.inf, -math.inf, math.nan, 1.7e308, -1.7e308, 0.0):
            for at in (0, 3):
                numbers = Numbers(DOUBLE, 1, shift, 4)
                values = [0.0] * 8
                values[at] = value
                bench.begin_slots(numbers, values, log_n)
                assert bench.finish()[1] == (VALUE if value else NONE), (shift, value, at)
                assert set(bench.words_seen.values()) == {0}


def test_limits_of_formats():
    """Numbers at the limits of each format, and one beyond, of even and odd slots: -2^63 fits, but not as the negative of 2^63."""
    bench = StoreSlots(CONFIGURATIONS[0])
    log_n, points = bench.log_n_min, 1 << bench.log_n_min - 1
    for number_format, kind in enumerate(FORMATS[:DOUBLE]):
        info = np.iinfo(kind)
        for shift in (0, 1):
            for value in (info.min, info.min - 1, -info.min, info.max, info.max + 1, -info.max - 1, 0, -1):
                word = int(value) >> shift
                if not -1 << 63 <= word < 1 << 63:
                    continue
                numbers = Numbers(number_format, 1, shift, 4)
                for part in range(2):
                    for negative in range(2 if part else 1):  # the imaginary part of an odd slot is negated
                        words = [np.zeros(points, np.int64) for _ in range(2)]
                        words[part][points - 1 if negative else 0] = word  # slot 1, slot 0
                        address = bench.begin_slots(numbers, words, log_n)
                        fault = bench.finish()[1]
                        data, fits = bench.expected(numbers, words, log_n)
                        assert fault == (NONE if fits else VALUE), (kind, shift, value, negative)
                        at = bench.memory.part(address, len(data))
                        assert bench.memory.data[at] == data, (kind, shift, value, negative)


def test_beats_behind_the_last_number():
    """A slow memory is still at them when all points are written."""
    bench = LoadSlots(CONFIGURATIONS[0], pace=0.15, latency=7)
    log_n = bench.log_n_min
    numbers = Numbers(5, 1, 0, (1 << log_n - 1) - 3)
    values = [bench.random.randint(-1000, 1000) for _ in range(2 * numbers.count)]
    for _ in range(3):
        address = bench.begin_slots(numbers, values, log_n)
        assert bench.finish()[1] == NONE
        assert bench.words_seen == bench.expected(numbers, values, log_n)[0]
        bench.memory.check_transfer(address, bench.line_bytes(numbers))


@pytest.mark.parametrize("unit", [LoadSlots, StoreSlots])
@pytest.mark.parametrize("configuration", CONFIGURATIONS[::3], ids=str)
def test_faults(unit, configuration):
    """More slots than points touch no memory; a bus error is reported; what comes next is as ever."""
    bench = unit(configuration, pace=0.8, latency=3)
    log_n = bench.log_n_min
    points = 1 << log_n - 1
    rng = random.Random(1)

    def message(count):
        if unit is LoadSlots:
            return [rng.randint(-100, 100) for _ in range(count)]
        return [words_array([rng.randint(-100, 100) for _ in range(points)]) for _ in range(2)]

    for error in (None, None, SLVERR, None):
        numbers = Numbers(0, 0, 0, points)
        if error is None:
            for count in (points + 1, 2 * points, 1 << 16):
                before = bytes(bench.memory.data)
                too_many = Numbers(0, 0, 0, count)
                bench.instruct(LOADS if unit is LoadSlots else STORES, too_many, bench.base, log_n)
                cycles, fault = bench.finish()
                assert fault == ILLEGAL
                assert cycles < 8
                assert bytes(bench.memory.data) == before
                assert not bench.memory.bursts
        values = message(points)
        seen = bench.begin_slots(numbers, values, log_n)
        if error is not None:
            bench.memory.errors = {seen + bench.memory.beat_bytes: error}
        fault = bench.finish()[1]
        bench.memory.errors = {}
        want, fits = bench.expected(numbers, values, log_n)
        assert fits
        if error is not None:
            assert fault == (BUS_READ if unit is LoadSlots else BUS_WRITE)
        else:
            assert fault == NONE
            if unit is LoadSlots:
                assert bench.words_seen == want
            else:
                assert bytes(bench.memory.data[bench.memory.part(seen, points)]) == want
    assert rest(bench) is None


def check_cut(bench, address, whole):
    """Beats as they have to be, then zeros, then what was there before."""
    beat = bench.memory.beat_bytes
    data = bytes(bench.memory.data[bench.memory.part(address, len(whole))])
    kinds = ""
    for at in range(0, len(whole), beat):
        part = data[at : at + beat]
        kinds += {whole[at : at + beat]: "w", bytes(beat): "z", b"\xee" * beat: "o"}[part]
    assert kinds == "".join(sorted(kinds, key="wzo".index))


def rest(bench):
    """Cycles that are enough for all that is left to become zeros: assertions of the units look. The fault if one of them was the last, or None."""
    return next((fault for fault in [bench.cycle() for _ in range(40)] if fault is not None), None)


@pytest.mark.parametrize("unit", [LoadSlots, StoreSlots])
@pytest.mark.parametrize("configuration", CONFIGURATIONS[1:3], ids=str)
def test_clear(unit, configuration):
    """Cut at any time, nothing is left of it: no write to a group, zeros to memory, and the next instruction is right, of either kind."""
    bench = unit(configuration, pace=0.6, latency=9)
    log_n = bench.log_n_min
    points = 1 << log_n - 1
    rng = random.Random(2)
    for when in [1, 2, 3, *(rng.randrange(4, 2 * points) for _ in range(5))]:
        numbers = Numbers(4, 1, 0, points)
        if unit is LoadSlots:
            values = [rng.randint(-100, 100) for _ in range(2 * points)]
        else:
            values = [words_array([rng.randint(1, 100) for _ in range(points)]) for _ in range(2)]
        if unit is StoreSlots:
            bench.memory.data = bytearray(b"\xee" * len(bench.memory.data))
        address = bench.begin_slots(numbers, values, log_n)
        done = None
        for _ in range(when):
            done = bench.cycle()
            if done is not None:
                break
        pace = bench.memory.pace
        if done is None and unit is StoreSlots and when & 2:  # a memory that takes nothing holds up beats, but no zeros
            bench.memory.pace = 0
            done = rest(bench)
        if done is None:
            bench.sim.set(clear_i=1)
            done = bench.cycle()
            bench.sim.set(clear_i=0)
            if unit is LoadSlots:
                bench.words_seen = {}
            if done is None and not bench.memory.pace:
                done = rest(bench)
            bench.memory.pace = pace
            if done is None:
                bench.finish()
            bench.memory.check_drained()
            if unit is LoadSlots:
                assert not bench.words_seen
            else:
                check_cut(bench, address, bench.expected(numbers, values, log_n)[0])
        if when & 1:
            assert rest(bench) is None
        wide = 1
        if unit is LoadSlots:
            polynomial, at, _ = bench.polynomial(log_n, wide)
            assert bench.run(LOAD, at, log_n, wide)[1] == NONE
            bench.check(LOAD, polynomial)
        else:
            assert bench.run(bench.address(8 << log_n), log_n, wide)[1] == NONE
        if when & 2:
            assert rest(bench) is None
