# SPDX-License-Identifier: Apache-2.0
"""rs_ntt_engine against the library, bit by bit, and its cycles against the bars. The RTL's own assertions watch every run:
no bank group is read and written in the same cycle, no word is read before the stage before has written it."""

from functools import cache
from math import log2

import numpy as np
import pytest
from rs_cocotb import BUILD, Model, elaborate

from ringside.sim import SimulationError, Simulator, build
from ringside.sim.ntt import Design, Engine, cycle_bound, lane_latency, measure, sources

CACHE = BUILD / "sim"
slow = pytest.mark.slow
# one build each; every N from the smallest that it takes
DESIGNS = [
    Design(1, 11, 32, "barrett"),
    Design(4, 12, 32, "wlm"),
    pytest.param(Design(2, 12, 32, "barrett"), marks=slow),
    pytest.param(Design(8, 13, 32, "barrett"), marks=slow),
    pytest.param(Design(16, 13, 32, "wlm"), marks=slow),
    pytest.param(Design(32, 14, 32, "barrett"), marks=slow),
    pytest.param(Design(1, 12, 64, "barrett"), marks=slow),
    pytest.param(Design(2, 12, 54, "wlm"), marks=slow),
]
PRIME_BITS = {32: 30, 54: 50, 64: 60}


def smallest(lanes):
    return int(log2(4 * lanes)) + 2


def reverse(index, bits):
    return int(f"{index:0{bits}b}"[::-1], 2)


@cache
def engine(design):
    return Engine(design, CACHE)


# ---- what is expected ------------------------------------------------------------------------------------------------
class Small:
    """The definition, for N that the library does not have: out[j] = a(psi^(2 brv(j) + 1))."""

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


def table_of(log_n, q, psi):
    powers = [1]
    for _ in range((1 << log_n) - 1):
        powers.append(powers[-1] * psi % q)
    return np.array([powers[reverse(i, log_n)] for i in range(1 << log_n)], np.uint64)


# ---- results ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"P{d.lanes}-N{1 << d.log_n_max}-W{d.width}-{d.reduction}")
def test_bit_exact(design):
    dut = engine(design)
    rng = np.random.default_rng(design.lanes)
    for log_n in range(smallest(design.lanes), design.log_n_max + 1):
        expected, q, psi = reference(log_n, PRIME_BITS[design.width])
        dut.set_modulus(q)
        dut.set_twiddles(table_of(log_n, q, psi))
        for values in (rng.integers(0, q, 1 << log_n, np.uint64), np.full(1 << log_n, q - 1, np.uint64)):
            dut.load(values)
            dut.run("ntt", log_n)
            result = dut.store(log_n)
            np.testing.assert_array_equal(result, expected.ntt(values), f"NTT, N = {1 << log_n}")
            # what the NTT leaves is what the inverse takes
            dut.run("intt", log_n)
            np.testing.assert_array_equal(dut.store(log_n, transformed=False), values, f"INTT, N = {1 << log_n}")
            if log_n >= 12:
                dut.load(values, transformed=True)
                dut.run("intt", log_n)
                inverse = expected.model.intt(0, values)
                np.testing.assert_array_equal(dut.store(log_n, transformed=False), inverse, f"INTT, N = {1 << log_n}")


def test_product_in_the_transformed_layout():
    """NTT, product row by row, INTT: a negacyclic product without moving anything."""
    log_n, dut = 6, engine(Design(4, 12, 32, "wlm"))
    _, q, psi = reference(log_n, 30)
    n = 1 << log_n
    dut.set_modulus(q)
    dut.set_twiddles(table_of(log_n, q, psi))
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, q, n, np.uint64) for _ in range(2))
    transformed = []
    for values in (a, b):
        dut.load(values)
        dut.run("ntt", log_n)
        transformed.append(dut.store(log_n))
    product = np.array([int(x) * int(y) % q for x, y in zip(*transformed, strict=True)], np.uint64)
    dut.load(product, transformed=True)
    dut.run("intt", log_n)
    expected = [0] * n
    for i, x in enumerate(a.tolist()):
        for j, y in enumerate(b.tolist()):
            expected[(i + j) % n] += x * y if i + j < n else -x * y
    assert dut.store(log_n, transformed=False).tolist() == [value % q for value in expected]


# ---- cycles ----------------------------------------------------------------------------------------------------------
BARS = {(12, 32): 845, (13, 8): 6860, (12, 1): 24_900, (14, 32): 3700}  # (log2 N, P): cycles


def bar(log_n, design):
    """Cycles that a transform may take; None for those with fewer than 128 words per lane."""
    if (log_n, design.lanes) in BARS:
        return BARS[log_n, design.lanes]
    bound = cycle_bound(log_n, design.lanes)
    per_lane = (1 << log_n) // design.lanes
    if per_lane >= 512:
        return int(1.03 * bound)
    # stages of 64 cycles hide a lane of 27 cycles: WLM has 30 at W = 54, where N = 128 P takes 1.13 times the bound
    shallow = lane_latency(design.width, design.reduction) <= 27
    return int((1.10 if shallow else 1.13) * bound) if per_lane >= 128 else None


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: f"P{d.lanes}-N{1 << d.log_n_max}-W{d.width}-{d.reduction}")
def test_cycles(design):
    dut = engine(design)
    dut.set_modulus((1 << design.width) - 1)
    print(f"\nP = {design.lanes}, W = {design.width}, {design.reduction}")
    print("|      N |    NTT |   INTT | / bound |    bar |")
    late = []
    for log_n in range(smallest(design.lanes), design.log_n_max + 1):
        ntt, intt = dut.run("ntt", log_n), dut.run("intt", log_n)
        limit = bar(log_n, design)
        ratio = ntt / cycle_bound(log_n, design.lanes)
        print(f"| {1 << log_n:6} | {ntt:6} | {intt:6} | {ratio:7.3f} | {limit or '':6} |")
        assert ntt == intt == dut.cycles(log_n), "the formula of docs/ntt_schedule.md"
        if limit is not None and ntt > limit:
            late.append((log_n, ntt, limit))
    assert not late


@pytest.mark.parametrize("op", ["ntt", "intt"])
def test_measure(op):
    assert measure(1, 9, op, log_n_max=11, cache=CACHE) == engine(DESIGNS[0]).cycles(9)


# ---- what must not pass ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("parameters", [{"Lanes": 3}, {"Lanes": 4, "LogNMax": 5}, {"LogNMax": 18}])
def test_illegal_parameters(parameters):
    assert "Lanes" in elaborate("rs_ntt_engine", sources(), parameters)


def test_start_is_ignored_while_busy():
    dut = engine(DESIGNS[0])
    alone = dut.run("ntt", 6)
    dut.sim.set(op_i=0, log_n_i=6, start_i=1)
    dut.sim.step(9)
    dut.sim.set(op_i=1, log_n_i=9)
    dut.sim.step(1)
    dut.sim.set(start_i=0)
    assert dut.sim.wait("done_o") == alone - 9


@pytest.mark.parametrize(
    ("access", "text"),
    [
        ({"row_req_i": 1}, "a row is accessed"),
        ({"twiddle_we_i": 1}, "a twiddle is written"),
        ({"log_n_i": 3}, "log2 N 3"),
    ],
)
def test_misuse_stops_the_simulation(access, text):
    dut = Engine(DESIGNS[0], CACHE)
    dut.sim.set(log_n_i=8, start_i=1)
    if "log_n_i" not in access:
        dut.sim.step()
        dut.sim.set(start_i=0)
    dut.sim.set(**access)
    with pytest.raises(SimulationError, match=text):
        dut.sim.step(2)
    dut.close()


@slow
@pytest.mark.parametrize(
    ("stem", "old", "new", "text"),
    [
        ("rs_ntt_pkg", "(lag - slack + 3) / 4 * 4", "0", "is not at stage"),  # no pause
        ("rs_ntt_pkg", "ReorderLatency) | 1", "ReorderLatency + 1) & ~1", "a write out of step"),  # an even lag
    ],
)
def test_broken_schedules_are_noticed(stem, old, new, text, tmp_path):
    files = []
    for path in sources():
        code = path.read_text(encoding="utf-8")
        files.append(tmp_path / path.name)
        if path.stem == stem:
            assert code.count(old) == 1
            code = code.replace(old, new)
        files[-1].write_text(code, encoding="utf-8")
    library = build("rs_ntt_engine", files, {"LogNMax": 5, "Lanes": 1}, cache=tmp_path)
    with Simulator(library) as sim:
        sim.step(2)
        sim.set(rst_ni=1, log_n_i=5, start_i=1)
        sim.step()
        sim.set(start_i=0)
        with pytest.raises(SimulationError, match=text):
            sim.wait("done_o", 1, 2000)
