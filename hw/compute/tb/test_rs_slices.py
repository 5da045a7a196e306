# SPDX-License-Identifier: Apache-2.0
"""rs_compute on slices: several polynomials in one group, compared with the definition of the transform and with sums and products by Python."""

from functools import cache

import numpy as np
import pytest
from compute_bench import DONE_LEAD, NEXT_START, Bench, Build, places
from rs_cocotb import elaborate
from rs_formal import mutated
from rs_orders import reverse

from ringside.sim import SimulationError
from ringside.sim.asm import instruction

# (q, log2 of a slice, psi): 3329 times a second prime, as ML-KEM has no root of a higher order; NewHope's and Falcon's; ML-DSA's
KEM, TWELVE_BITS, DSA = (2560001, 7, 186441), (12289, 7, pow(7, 8, 12289)), (8380417, 8, 1753)
SHORT, LONG = (12289, 9, 49), (12289, 10, 7)
slow = pytest.mark.slow
BUILDS = [
    Build(4, 10, 32, sliced=True),
    Build(1, 9, 32, sliced=True),
    pytest.param(Build(8, 11, 32, sliced=True), marks=pytest.mark.slow),
    pytest.param(Build(4, 11, 32, encode=True, sliced=True), marks=pytest.mark.slow),
    pytest.param(Build(16, 11, 32, sliced=True), marks=pytest.mark.soak),
    pytest.param(Build(32, 11, 32, sliced=True), marks=pytest.mark.soak),
]
every_build = pytest.mark.parametrize("build", BUILDS, ids=str)


@cache
def bench(build):
    return Bench(build)


@cache
def matrix(log_n, q, psi):
    """Column j: the powers of psi^(2 brv(j) + 1)."""
    power = np.array([pow(psi, k, q) for k in range(2 << log_n)], np.uint64)
    roots = 2 * np.array([reverse(j, log_n) for j in range(1 << log_n)]) + 1
    return power[np.outer(np.arange(1 << log_n), roots) % (2 << log_n)]


def transformed(rows, log_n, q, psi):
    """q is below 2^24, so no sum of products overflows."""
    return rows @ matrix(log_n, q, psi) % np.uint64(q)


def where(dut, log_size, slices, ntt):
    """(row, word of the row) of every word of these slices: docs/core.md, Slices."""
    row, word = places(log_size, dut.build.lanes, ntt)
    rows = (1 << log_size) // (4 * dut.build.lanes)
    return np.concatenate([row + s * rows for s in slices]), np.tile(word, len(slices))


def put(dut, group, log_size, rows, ntt=False):
    """Polynomials from the first slice on."""
    dut.put(group, rows.reshape(-1), *where(dut, log_size, range(len(rows)), ntt))


def take(dut, group, log_size, slices, ntt=False):
    log_n, dut.log_n = dut.log_n, dut.build.log_n_max
    words = dut.take(group, *where(dut, log_size, slices, ntt))
    dut.log_n = log_n
    return words.reshape(len(slices), -1)


def run(dut, name, **fields):
    """Cycles from the one after start_i to that of the last write."""
    dut.sim.set(instr_i=instruction(name, **fields), start_i=1)
    dut.sim.step()
    dut.sim.set(start_i=0)
    cycles = dut.wait()
    dut.sim.step(DONE_LEAD)
    return cycles + DONE_LEAD


def fits(build, log_size):
    return build.lanes.bit_length() + 2 <= log_size <= build.log_n_max


def set_sizes(dut, log_size, q, psi):
    """Twiddles of a slice; then the program's N is that of a whole group."""
    dut.set_modulus(log_size, q, psi)
    dut.sim.set(log_n_i=dut.build.log_n_max)
    dut.sim.step(2)


@every_build
def test_transforms_of_slices(build):
    """Any range of slices: the bits, the words beside them, and the cycles of the formula."""
    dut = bench(build)
    rng = np.random.default_rng(build.lanes)
    for q, log_size, psi in (KEM, TWELVE_BITS, DSA, SHORT, LONG):
        if not fits(build, log_size):
            continue
        most = 1 << build.log_n_max - log_size
        set_sizes(dut, log_size, q, psi)
        for count in sorted({1, min(3, most), max(1, most - 1), most}):
            for first in sorted({0, most - count}):
                values = rng.integers(0, q, (most, 1 << log_size)).astype(np.uint64)
                part = slice(first, first + count)
                put(dut, 0, log_size, values)
                what = {"dst": 0, "log_size": log_size, "slice_dst": first, "slices": count - 1}
                cycles = run(dut, "NTT", **what)
                expected = transformed(values[part], log_size, q, psi)
                got = take(dut, 0, log_size, range(first, first + count), ntt=True)
                np.testing.assert_array_equal(got, expected, f"NTT, q = {q}, {count} slices from {first} on")
                others = [s for s in range(most) if not first <= s < first + count]
                if others:
                    np.testing.assert_array_equal(take(dut, 0, log_size, others), values[others])
                assert cycles == build.cycles(log_size, slices=count), (q, count)
                assert run(dut, "INTT", **what) == cycles
                np.testing.assert_array_equal(take(dut, 0, log_size, range(most)), values, "INTT")


def test_bars():
    """Cycles of the transforms that the schemes need, at four lanes."""
    build = BUILDS[0]
    dut = bench(build)
    for (q, log_size, psi), count, bar in ((LONG, 1, 1310), (SHORT, 1, 606), (KEM, 8, 926)):
        set_sizes(dut, log_size, q, psi)
        assert run(dut, "NTT", dst=0, log_size=log_size, slices=count - 1) <= bar


def test_cycles_do_not_depend_on_data():
    build = BUILDS[0]
    dut = bench(build)
    q, log_size, psi = KEM
    set_sizes(dut, log_size, q, psi)
    counted = set()
    for value in (0, q - 1, 12345):
        put(dut, 0, log_size, np.full((8, 1 << log_size), value, np.uint64))
        counted.add(
            (run(dut, "NTT", dst=0, log_size=log_size, slices=7), run(dut, "MAC", dst=0, a=1, b=2, log_size=log_size))
        )
    assert len(counted) == 1


def expected_sum(name, q, radix, c, a, b, constant):
    product = a.astype(object) * b.astype(object) * pow(radix, -1, q)
    terms = {
        "MUL": product, "MAC": c + product, "MSUB": c - product, "ADD": c + a.astype(object),
        "SUB": c - a.astype(object), "SCALE": a.astype(object) * constant,
    }  # fmt: skip
    return (terms[name] % q).astype(np.uint64)


def b_slices(mapping, first, count):
    return [first + {0: i, 1: 0, 2: i & 1}[mapping] for i in range(count)]


@every_build
def test_elementwise_on_slices(build):
    """Ranges of slices, pairs of a changed, and every map of b; words beside them stay."""
    dut = bench(build)
    rng = np.random.default_rng(build.lanes + 1)
    q, log_size, psi = KEM if fits(build, 7) else DSA
    most = 1 << build.log_n_max - log_size
    set_sizes(dut, log_size, q, psi)
    radix = build.radix % q
    counts = sorted({1, 2, most // 2, max(1, most - 1)})
    cases = [
        (name, count, flip, mapping)
        for name in ("MUL", "MAC", "MSUB", "ADD", "SUB", "SCALE")
        for count in counts
        for flip in ((0, 1) if count % 2 == 0 else (0,))
        for mapping in ((0, 1, 2) if name in ("MUL", "MAC", "MSUB") and most > 1 else (0,))
        if name in ("MAC", "ADD") or count == counts[-1]
    ]
    for name, count, flip, mapping in cases:
        stored = [rng.integers(0, q, (most, 1 << log_size)).astype(np.uint64) for _ in range(3)]
        constant = int(rng.integers(0, q))
        dut.sim.set(constant_i=constant * radix % q)
        for group in range(3):
            put(dut, group, log_size, stored[group])
        needed = {0: count, 1: 1, 2: 2}[mapping]
        if needed > most:
            continue
        first = [int(rng.integers(0, most - count + 1)) for _ in range(2)]
        first_b = int(rng.integers(0, most - needed + 1))
        fields = {
            "dst": 0, "a": 1, "b": 2, "log_size": log_size, "slices": count - 1, "slice_dst": first[0],
            "slice_a": first[1],
        }  # fmt: skip
        if name in ("MUL", "MAC", "MSUB"):
            fields |= {"slice_b": first_b, "b_map": mapping}
        cycles = run(dut, name, **fields, a_xor=flip)
        a = stored[1][[first[1] + (i ^ flip) for i in range(count)]]
        b = stored[2][b_slices(mapping, first_b, count)]
        expected = stored[0].copy()
        here = slice(first[0], first[0] + count)
        expected[here] = expected_sum(name, q, build.radix, stored[0][here], a, b, constant)
        np.testing.assert_array_equal(take(dut, 0, log_size, range(most)), expected, f"{name} {count} {flip} {mapping}")
        for group in (1, 2):
            np.testing.assert_array_equal(take(dut, group, log_size, range(most)), stored[group])
        assert cycles <= (count << log_size) // build.lanes + build.lane_latency + 6


def test_product_of_two_columns():
    """A product modulo Y^2 - X of polynomials in X, as ML-KEM's: NTT, three passes and INTT, as close to each other as the sequencer starts them."""
    build = BUILDS[0]
    dut = bench(build)
    q, log_size, psi = KEM
    size = 1 << log_size
    set_sizes(dut, log_size, q, psi)
    rng = np.random.default_rng(5)
    a, s = (rng.integers(0, 3329, (2, size)).astype(np.uint64) for _ in range(2))
    radix = build.radix % q
    gamma = [pow(psi, 2 * reverse(j, log_size) + 1, q) for j in range(size)]
    z = np.array([[g * radix % q for g in gamma], [radix] * size], np.uint64)
    groups = {0: a, 1: s * np.uint64(radix) % np.uint64(q)}
    for group, rows in groups.items():
        put(dut, group, log_size, rows)
    pair = {"log_size": log_size, "slices": 1}
    # C = (a0 s0, a1 s0), D = (a1 s1, a0 s1): C + D Z is the product's even and odd part
    program = [
        ("NTT", {"dst": 0}),
        ("NTT", {"dst": 1}),
        ("MUL", {"dst": 2, "a": 0, "b": 1, "b_map": 1}),
        ("MUL", {"dst": 0, "a": 0, "slice_a": 0, "b": 1, "slice_b": 1, "b_map": 1}),
    ]
    for name, fields in program:
        dut.sim.set(instr_i=instruction(name, **pair, **fields), start_i=1)
        dut.sim.step()
        dut.sim.set(start_i=0)
        dut.wait()
        dut.sim.step(NEXT_START)
    dut.sim.step(DONE_LEAD)
    # group 0 is now (a0 s1, a1 s1): the other one of the pair first, times Z
    put(dut, 1, log_size, z, ntt=True)
    run(dut, "MAC", dst=2, a=0, a_xor=1, b=1, b_map=2, **pair)
    run(dut, "INTT", dst=2, **pair)
    full = np.zeros(2 * size, object)
    left, right = (np.stack([x[0], x[1]], 1).reshape(-1).astype(object) for x in (a, s))
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            full[(i + j) % (2 * size)] += x * y if i + j < 2 * size else -x * y
    expected = np.array([int(x) % 3329 for x in full]).reshape(size, 2).T
    np.testing.assert_array_equal(take(dut, 2, log_size, range(2)) % np.uint64(3329), expected)


MUTANTS = {
    "addresses are turned modulo the group's size": (
        "read_low << read_turn | read_low >> read_rest_q",
        "read_row << read_turn | read_row >> read_rest_q",
    ),
    "the number of a slice is left out": ("& addr_mask_q | (write_row & ~addr_mask_q)", "& addr_mask_q"),
    "a slice more": ("CountBits'(slices_i) << addr_bits << 1", "CountBits'(slices_i + 1'b1) << addr_bits << 1"),
    "no pause": ("slack = slices * (2 << addr_bits) - (1 << addr_bits) + 1;", "slack = 99;"),
    "elementwise a slice more": ("row_t'(slices_i) <<", "row_t'(slices_i + 1'b1) <<"),
    "all operands at dst": ("is_dst_q ? dst_addr : is_a_q ? a_addr : b_addr", "dst_addr"),
    "pairs stay": ("walk_read_addr ^ a_flip_q", "walk_read_addr"),
    "one for all is each": ("b_mask_q <= below_slice;", "b_mask_q <= '1;"),
}


@slow
@pytest.mark.alike(3)
@pytest.mark.parametrize("name", [None, *MUTANTS], ids=str)
def test_broken_slices_are_noticed(name, tmp_path):
    build = Build(1, 8, 32, sliced=True)
    files = mutated(build.sources(), MUTANTS.get(name), tmp_path)
    dut = Bench(build, files=files, cache=tmp_path)
    q, log_size, psi = 12289, 5, pow(7, 32, 12289)
    set_sizes(dut, log_size, q, psi)
    rng = np.random.default_rng(7)
    rows = [rng.integers(0, q, (8, 32)).astype(np.uint64) for _ in range(3)]
    try:
        for group in range(3):
            put(dut, group, log_size, rows[group])
        for number in (1, 2):  # one alone has to wait between stages
            run(dut, "NTT", dst=0, log_size=log_size, slice_dst=number)
        run(dut, "NTT", dst=0, log_size=log_size, slice_dst=4, slices=3)  # rows of several slices
        run(
            dut,
            "MUL",
            dst=1,
            a=2,
            b=0,
            log_size=log_size,
            slice_dst=2,
            slice_a=4,
            slice_b=1,
            slices=3,
            a_xor=1,
            b_map=1,
        )
        first, second = take(dut, 0, log_size, [1, 2], ntt=True), take(dut, 1, log_size, range(8))
        beside, together = take(dut, 0, log_size, [0, 3]), take(dut, 0, log_size, range(4, 8), ntt=True)
        values = transformed(rows[0][1:3], log_size, q, psi)
        expected = rows[1].copy()
        row, word = places(log_size, 1, False)
        turned, same = places(log_size, 1, True)
        moved = np.zeros((32, 4), np.uint64)
        moved[turned, same] = values[0]  # elementwise, words meet where they stand
        factor = moved[row, word]
        expected[2:6] = expected_sum(
            "MUL", q, build.radix, rows[1][2:6], rows[2][[5, 4, 7, 6]], np.stack([factor] * 4), 0
        )
        right = (
            np.array_equal(first, values)
            and np.array_equal(together, transformed(rows[0][4:8], log_size, q, psi))
            and np.array_equal(second, expected)
            and np.array_equal(beside, rows[0][[0, 3]])
        )
    except SimulationError:
        right = False
    dut.close()
    assert right == (name is None)


def test_slices_need_stored_twiddles():
    assert "anew" in elaborate("rs_compute", Build(1, 11).sources(), {"Sliced": 1, "OnTheFly": 1})
