# SPDX-License-Identifier: Apache-2.0
"""rs_compute with its bank groups, compared bit by bit with the library: transforms and their cycles, elementwise operations."""

from functools import cache
from math import log2

import numpy as np
import pytest
from compute_bench import DONE_LEAD, NEXT_START, Bench, Build, bound
from rs_cocotb import Model, elaborate
from rs_formal import mutated
from rs_orders import reverse
from twiddle_image import image

from ringside.sim import SimulationError

slow = pytest.mark.slow
# one build each; every N from the smallest that it takes
BUILDS = [
    Build(1, 10, 32),
    Build(4, 11, 32, on_the_fly=True),
    pytest.param(Build(8, 13, 32), marks=pytest.mark.soak),
    pytest.param(Build(32, 11, 32, on_the_fly=True), marks=pytest.mark.soak),
    pytest.param(Build(32, 14, 32, on_the_fly=True), marks=pytest.mark.soak),
    pytest.param(Build(1, 10, 64, on_the_fly=True), marks=slow),
    pytest.param(Build(2, 11, 54), marks=slow),
]
PRIME_BITS = {32: 30, 54: 50, 64: 60}
every_build = pytest.mark.parametrize("build", BUILDS, ids=str)


def smallest(lanes):
    return int(log2(4 * lanes)) + 2


@cache
def bench(build):
    return Bench(build)


# ---- what is expected ------------------------------------------------------------------------------------------------
class Small:
    """The definition of the transform, for N that the library does not support: out[j] = a(psi^(2 brv(j) + 1))."""

    def __init__(self, log_n, q, psi):
        self.log_n, self.q, self.psi = log_n, q, psi

    def ntt(self, values):
        n, q = 1 << self.log_n, self.q
        power = [pow(self.psi, k, q) for k in range(2 * n)]
        out = []
        for j in range(n):
            step = 2 * reverse(j, self.log_n) + 1
            out.append(sum(int(a) * power[i * step % (2 * n)] for i, a in enumerate(values)) % q)
        return np.array(out, np.uint64)


class Library:
    def __init__(self, model, limb):
        self.model, self.limb = model, limb

    def ntt(self, values):
        return self.model.ntt(self.limb, values)


@cache
def model_of(log_n, bits):
    return Model(1 << log_n, (bits, 40))


def reference(log_n, bits):
    """(the transform, q, psi)"""
    model = model_of(max(log_n, 12), bits)
    q, psi = model.moduli[0], model.root(0)
    if log_n >= 12:
        return Library(model, 0), q, psi
    psi = pow(psi, model.n >> log_n, q)
    return Small(log_n, q, psi), q, psi


# ---- transforms ------------------------------------------------------------------------------------------------------
@every_build
def test_transforms(build):
    dut = bench(build)
    rng = np.random.default_rng(build.lanes)
    for log_n in range(smallest(build.lanes), build.log_n_max + 1):
        expected, q, psi = reference(log_n, PRIME_BITS[build.width])
        dut.set_modulus(log_n, q, psi)
        for group, values in enumerate(
            (rng.integers(0, q, 1 << log_n, np.uint64), np.full(1 << log_n, q - 1, np.uint64))
        ):
            dut.load(group, values)
            dut.run("NTT", dst=group)
            result = dut.store(group, transformed=True)
            np.testing.assert_array_equal(result, expected.ntt(values), f"NTT, N = {1 << log_n}")
            # what the NTT leaves is what the inverse takes
            dut.run("INTT", dst=group)
            np.testing.assert_array_equal(dut.store(group), values, f"INTT, N = {1 << log_n}")
            if log_n >= 12:
                dut.load(group, values, transformed=True)
                dut.run("INTT", dst=group)
                inverse = expected.model.intt(0, values)
                np.testing.assert_array_equal(dut.store(group), inverse, f"INTT, N = {1 << log_n}")


PARTED = [
    Build(1, 9, 32, encode=True),
    Build(4, 9, 54, encode=True),
    pytest.param(Build(8, 9, 64, encode=True), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("build", PARTED, ids=str)
def test_inverse_in_parts(build):
    """As close as the sequencer starts them, with twiddles that come in any order; the same words, and the cycles of so many stages."""
    dut = bench(build)
    rng = np.random.default_rng(build.lanes)
    for log_n in range(smallest(build.lanes), build.log_n_max + 1):
        n = 1 << log_n
        expected, q, psi = reference(log_n, PRIME_BITS[build.width])
        dut.set_modulus(log_n, q, psi)
        values = rng.integers(0, q, n, np.uint64)
        dut.load(0, values)
        dut.run("NTT", dst=0)
        transformed = dut.store(0, transformed=True)
        np.testing.assert_array_equal(transformed, expected.ntt(values))
        words = image(log_n, build.lanes, q, psi, build.radix, build.on_the_fly)
        places = {1: slice(n // 2, n), 2: slice(n // 4, n // 2), 3: slice(0, n // 4)}
        for order in ((1, 2, 3), (3, 1, 2)):
            dut.set_part(0, [0] * n)
            for part in order:
                dut.set_part(part, words[places[part]])
            dut.load(0, transformed, transformed=True)
            for part in (1, 2, 3):
                dut.start("INTT", dst=0, part=part)
                assert dut.wait() + DONE_LEAD == build.cycles(log_n, log_n - 2 if part == 3 else 1)
                dut.sim.step(NEXT_START)
            dut.sim.step(DONE_LEAD)
            np.testing.assert_array_equal(dut.store(0), values, f"N = {n}")
            dut.run("NTT", dst=0)
            np.testing.assert_array_equal(dut.store(0, transformed=True), transformed)


# ---- elementwise -----------------------------------------------------------------------------------------------------
def elementwise(name, q, c, a, b, constant):
    results = {
        "MUL": a * b, "MAC": c + a * b, "MSUB": c - a * b, "ADD": c + a, "SUB": c - a, "SCALE": a * constant,
        "MSUBC": c - a * constant,
    }  # fmt: skip
    return results[name] % q


OPERATIONS = ("MUL", "MAC", "MSUB", "ADD", "SUB", "SCALE", "MSUBC")


@every_build
def test_elementwise(build):
    """Every operation, with operands in different groups and in the same one. A transform in between must not disturb them."""
    dut = bench(build)
    rng = np.random.default_rng(build.lanes)
    log_n = smallest(build.lanes) + 1
    _, q, psi = reference(log_n, PRIME_BITS[build.width])
    dut.set_modulus(log_n, q, psi)
    n = 1 << log_n
    radix = build.radix % q
    for name in OPERATIONS:
        for dst, a, b in ((0, 1, 2), (2, 0, 1), (1, 1, 0), (0, 2, 0), (2, 2, 2)):
            stored = [rng.integers(0, q, n, np.uint64) for _ in range(3)]
            wide = name in ("SCALE", "MSUBC") and a != dst
            if wide:  # any word is reduced
                stored[a] = rng.integers(0, (1 << build.width) - 1, n, np.uint64, endpoint=True)
                stored[a][:2] = (1 << build.width) - 1, q
            factor = stored[b] if b in (dst, a) else np.array([int(x) * radix % q for x in stored[b]], np.uint64)
            constant = int(rng.integers(0, q))
            dut.sim.set(constant_i=constant * radix % q)
            for group in range(3):
                dut.load(group, factor if group == b else stored[group])
            dut.run(name, dst=dst, a=a, b=b)
            values = [stored[group].astype(object) for group in range(3)]
            multiplier = values[b] if b not in (dst, a) else values[b] * pow(build.radix, -1, q)
            expected = elementwise(name, q, values[dst], values[a], multiplier, constant)
            assert dut.store(dst).tolist() == expected.tolist(), (name, dst, a, b)
            for group in {0, 1, 2} - {dst}:
                np.testing.assert_array_equal(dut.store(group), factor if group == b else stored[group])
        dut.run("NTT", dst=0)


def test_product_in_the_transformed_layout():
    """NTT, MUL, INTT, as close to each other as the sequencer starts them: a negacyclic product without moving anything."""
    log_n, build = 6, BUILDS[1]
    dut = bench(build)
    _, q, psi = reference(log_n, 30)
    n = 1 << log_n
    dut.set_modulus(log_n, q, psi)
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, q, n, np.uint64) for _ in range(2))
    dut.load(0, a)
    dut.load(1, np.array([int(x) * build.radix % q for x in b], np.uint64))
    for name, dst in (("NTT", 0), ("NTT", 1), ("MUL", 0), ("INTT", 0)):
        dut.start(name, dst=dst, a=0, b=1)
        dut.wait()
        dut.sim.step(NEXT_START)
    dut.sim.step(DONE_LEAD)
    expected = [0] * n
    for i, x in enumerate(a.tolist()):
        for j, y in enumerate(b.tolist()):
            expected[(i + j) % n] += x * y if i + j < n else -x * y
    assert dut.store(0).tolist() == [value % q for value in expected]


# ---- cycles ----------------------------------------------------------------------------------------------------------
BARS = {(12, 32): 845, (13, 8): 6860, (12, 1): 24_900, (14, 32): 3700}  # (log2 N, P): cycles


def bar(log_n, build):
    """The cycles that a transform may take. None for fewer than 128 words per lane, or an N that the library does not support."""
    if (log_n, build.lanes) in BARS:
        return BARS[log_n, build.lanes]
    per_lane = (1 << log_n) // build.lanes if log_n >= 10 else 0
    if per_lane >= 512:
        return int(1.03 * bound(log_n, build.lanes))
    return int(1.10 * bound(log_n, build.lanes)) if per_lane >= 128 else None


@every_build
def test_cycles(build):
    dut = bench(build)
    print(f"\n{build}")
    print("|      N |    NTT |   INTT | / bound |    bar | elementwise |")
    late = []
    for log_n in range(smallest(build.lanes), build.log_n_max + 1):
        _, q, psi = reference(log_n, PRIME_BITS[build.width])
        dut.set_modulus(log_n, q, psi)
        ntt, intt, product = (dut.run(name, dst=0, a=1, b=2) for name in ("NTT", "INTT", "MAC"))
        limit = bar(log_n, build)
        ratio = ntt / bound(log_n, build.lanes)
        print(f"| {1 << log_n:6} | {ntt:6} | {intt:6} | {ratio:7.3f} | {limit or '':6} | {product:11} |")
        assert ntt == intt == build.cycles(log_n), "the formula of docs/ntt_schedule.md"
        assert product <= (1 << log_n) // build.lanes + build.lane_latency + 6
        if limit is not None and ntt > limit:
            late.append((log_n, ntt, limit))
    assert not late


# ---- what must not pass ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("parameters", [{"Lanes": 3}, {"Lanes": 4, "LogNMax": 5}, {"LogNMax": 18}])
def test_illegal_parameters(parameters):
    assert "Lanes" in elaborate("rs_compute", Build(1, 11).sources(), parameters)


@pytest.mark.parametrize(("name", "text"), [("NTT", "two ports"), ("MAC", "two ports")])
def test_misuse_stops_the_simulation(name, text):
    dut = Bench(BUILDS[0])
    _, q, psi = reference(8, 30)
    dut.set_modulus(8, q, psi)
    dut.start(name, dst=0, a=1, b=2)
    dut.sim.set(row_groups_i=1)
    with pytest.raises(SimulationError, match=text):
        dut.sim.step(8)
    dut.close()


@slow
@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("return busy + (lag > slack ? (lag - slack + 3) / 4 * 4 : 0);", "return busy;", "is not at stage"),  # no pause
        ("lane_latency)) | 1", "lane_latency) + 1) & ~1", "a write out of step"),  # an even lag
    ],
)
def test_broken_schedules_are_noticed(old, new, text, tmp_path):
    files = mutated(Build(1, 6).sources(), (old, new), tmp_path)
    dut = Bench(Build(1, 6), files=files, cache=tmp_path)
    _, q, psi = reference(5, 30)
    dut.set_modulus(5, q, psi)
    with pytest.raises(SimulationError, match=text):
        dut.run("NTT", dst=0)
    dut.close()
