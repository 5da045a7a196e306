# SPDX-License-Identifier: Apache-2.0
"""FFT and IFFT of rs_compute, compared bit by bit with the library's transforms in fixed point, and their cycles."""

from functools import cache

import numpy as np
import pytest
from compute_bench import NEXT_START, Bench, Build, added, fixed_of, point_places, times

WIDTHS = (32, 54, 64)
FIRST_READ = 4  # cycles from the one after start_i to the first read


def build_of(lanes, log_n_max, width):
    return Build(lanes, log_n_max, width, groups=2, encode=True)


BUILDS = [
    build_of(1, 9, 32),
    build_of(2, 9, 32),
    build_of(4, 9, 54),
    pytest.param(build_of(8, 9, 64), marks=pytest.mark.slow),
    *(pytest.param(build_of(1 << p, 15, width), marks=pytest.mark.soak) for p in range(6) for width in WIDTHS),
]
every_build = pytest.mark.parametrize("build", BUILDS, ids=str)


@cache
def bench(build):
    return Bench(build)


def words_of(dut, group, slots):
    out = dut.take(group, *point_places(dut.log_n, dut.build.lanes, slots))
    shift = np.uint64(64 - dut.build.width)
    return (out << shift).astype(np.int64) >> np.int64(64 - dut.build.width)


def run(dut, name, points):
    """Results of one group: what comes out, over_o, cycles from the first read to the last write."""
    inverse = name == "IFFT"
    width = dut.build.width
    mask = (1 << width) - 1
    words = points.astype(np.uint64) & np.uint64(mask)
    dut.put(1, words, *point_places(dut.log_n, dut.build.lanes, inverse))
    cycles = dut.run(name, dst=1)
    over = bool(dut.sim.get("over_o"))
    return words_of(dut, 1, not inverse), over, cycles


def messages(log_n, width, inverse):
    """Points of the unit disc with a margin, one slot alone, words of all sizes, the smallest, and neighbours as different as can be."""
    rng = np.random.default_rng(width * log_n)
    count = 1 << (log_n - 1)
    one = 1 << (width - 1 if inverse else width - 2 - (log_n + 1) // 2)
    angle, size = rng.uniform(0, 2 * np.pi, count), np.sqrt(rng.random(count)) * (1 - 2**-10)
    parts = np.stack([size * np.cos(angle), size * np.sin(angle)])
    yield np.array([[int(x * one) for x in row] for row in parts], np.int64)
    alone = np.zeros((2, count), np.int64)
    alone[:, count // 3] = one - (one >> 10), 0
    yield alone
    top = 1 << (width - 1)
    yield np.array(rng.integers(-top, top - 1, (2, count), endpoint=True), np.int64)
    yield np.full((2, count), -top, np.int64)
    yield np.array([[(top - 1) * (1 - i % 2 * 2) for i in range(count)]] * 2, np.int64)


@every_build
def test_transforms(build):
    """Every N of a build: words, the flag, and cycles that do not depend on words."""
    dut = bench(build)
    for log_n in range(max(8, build.lanes.bit_length() + 3), build.log_n_max + 1):
        fixed = fixed_of(log_n, build.width)
        dut.set_roots(log_n, fixed.roots)
        flags = set()
        for name in ("IFFT", "FFT"):
            for points in messages(log_n, build.width, name == "IFFT"):
                want, want_over = fixed.transform(points, name == "IFFT")
                out, over, cycles = run(dut, name, points)
                np.testing.assert_array_equal(out, want, f"{name}, N = {1 << log_n}")
                assert over == want_over, name
                flags.add((name, over))
                assert cycles == build.fft_cycles(log_n) + FIRST_READ, (name, log_n)
        assert flags == {("IFFT", False), ("IFFT", True), ("FFT", False), ("FFT", True)}


@every_build
def test_words_times_a_factor(build):
    """In their own group or another one, every N; the flag, and as many cycles as an elementwise operation with residues takes."""
    dut = bench(build)
    top = 1 << (build.width - 1)
    rng = np.random.default_rng(build.lanes)
    factors = [top, 2 * top - 1, 1, 0, *(int(x) for x in rng.integers(0, 2 * top - 1, 2, np.uint64, endpoint=True))]
    for log_n in range(max(8, build.lanes.bit_length() + 3), min(build.log_n_max, 12) + 1):
        dut.set_roots(log_n, fixed_of(log_n, build.width).roots)
        where = point_places(log_n, build.lanes, slots=False)
        usual = dut.run("MUL", dst=0, a=0, b=1)
        for k, factor in enumerate(factors):
            words = np.array(rng.integers(1 - top, top - 1, (2, 1 << (log_n - 1)), endpoint=True), np.int64)
            words[:, :4] = [top - 1, 1 - top, 0, 1], [-1, 2, -2, 3]
            if k % 2:
                words[1, -1 - k] = -top  # a magnitude that its double does not fit
            dst = k // 2 % 2
            dut.sim.set(constant_i=factor)
            dut.put(1, words.astype(np.uint64) & np.uint64(2 * top - 1), *where)
            assert dut.run("SCALEW", dst=dst, a=1) == usual
            want, want_over = times(words, factor, build.width)
            assert bool(dut.sim.get("over_o")) == want_over == bool(k % 2)
            np.testing.assert_array_equal(words_of(dut, dst, False), want, f"times {factor}, N = {1 << log_n}")


@every_build
def test_words_times_a_factor_are_added(build):
    """To their own group or another one, every N; sums and products out of range, also the first or the last one alone."""
    dut = bench(build)
    top = 1 << (build.width - 1)
    rng = np.random.default_rng(build.lanes)
    factors = [top, 2 * top - 1, 1, 0, *(int(x) for x in rng.integers(0, 2 * top - 1, 5, np.uint64, endpoint=True))]
    for log_n in range(max(8, build.lanes.bit_length() + 3), min(build.log_n_max, 12) + 1):
        dut.set_roots(log_n, fixed_of(log_n, build.width).roots)
        where = point_places(log_n, build.lanes, slots=False)
        usual = dut.run("MUL", dst=0, a=0, b=1)
        ends = ((0, 0), (where[0].max(), where[1].max()))
        first, last = (tuple(np.argwhere((where[0] == row) & (where[1] == word))[0]) for row, word in ends)
        for k, given in enumerate(factors):
            factor = given if k < 5 else 2 * top - 1
            shape = (2, 1 << (log_n - 1))
            words = np.array(rng.integers(1 - top, top - 1, shape, endpoint=True), np.int64)
            words[:, :4] = [top - 1, 1 - top, 0, 1], [-1, 2, -2, 3]
            # sums of all sizes that fit: up to the largest word and down to the least one
            products = [int(x) for x in times(words, factor, build.width)[0].reshape(-1)]
            sums = [int(x) for x in rng.integers(-top, top - 1, len(products), endpoint=True)]
            sums[:4] = top - 1, -top, -top, top - 1
            old = [min(max(s - p, -top), top - 1) for s, p in zip(sums, products, strict=True)]
            old = np.array(old, np.int64).reshape(shape)
            dst = k % 2
            if dst:
                words = old = old >> 1  # with itself
            if k == 4:
                words[last] = -top
            if k >= 5:  # the first or the last sum, above with itself or below
                at = first if k > 6 else last
                words[at] = top - 1 if dst else 1 - top
                old[at] = words[at] if dst else -top
            dut.sim.set(constant_i=factor)
            mask = np.uint64(2 * top - 1)
            dut.put(1, words.astype(np.uint64) & mask, *where)
            dut.put(0, old.astype(np.uint64) & mask, *where)
            assert dut.run("MACW", dst=dst, a=1) == usual
            want, want_over = added(words if dst else old, words, factor, build.width)
            assert bool(dut.sim.get("over_o")) == want_over == (k >= 4), k
            if k != 4:
                np.testing.assert_array_equal(words_of(dut, dst, False), want, f"times {factor}, N = {1 << log_n}")


@every_build
def test_transforms_that_follow_each_other(build):
    """As close as the sequencer starts them: a group there and back, and another one. What was out of range is reported with its own transform alone."""
    dut = bench(build)
    log_n = max(8, build.lanes.bit_length() + 3)
    fixed = fixed_of(log_n, build.width)
    dut.set_roots(log_n, fixed.roots)
    points, *_, wild = messages(log_n, build.width, True)
    mask = np.uint64((1 << build.width) - 1)
    for group, slots in ((0, points), (1, wild)):
        dut.put(group, slots.astype(np.uint64) & mask, *point_places(log_n, build.lanes, True))
    flags = []
    factor = (1 << build.width) // 3 * 2
    dut.sim.set(constant_i=factor)
    steps = (
        ("IFFT", 0), ("SCALEW", 0), ("FFT", 0), ("SCALEW", 0), ("IFFT", 1), ("SCALEW", 1), ("SCALEW", 1), ("FFT", 1),
        ("MACW", 1), ("MACW", 1), ("IFFT", 0), ("SCALEW", 0), ("MACW", 0),
    )  # fmt: skip
    for name, group in steps:
        dut.start(name, dst=group, a=group)
        dut.wait()
        flags.append(bool(dut.sim.get("over_o")))
        dut.sim.step(NEXT_START)
    want, over = {0: points, 1: wild}, []
    for name, group in steps:
        words = want[group]
        if name == "SCALEW":
            want[group], out_of_range = times(words, factor, build.width)
        elif name == "MACW":
            want[group], out_of_range = added(words, words, factor, build.width)
        else:
            want[group], out_of_range = fixed.transform(words, name == "IFFT")
        over.append(out_of_range)
    assert flags == over
    assert len(set(over)) == 2
    np.testing.assert_array_equal(words_of(dut, 0, False), want[0])
    np.testing.assert_array_equal(words_of(dut, 1, True), want[1])
