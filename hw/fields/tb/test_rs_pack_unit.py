# SPDX-License-Identifier: Apache-2.0
"""rs_pack_unit with a memory and a group: every kind and width against the standards' formulas, faults, waiting, aborts, equal handshakes.

RINGSIDE_SOAK=1 python -m pytest hw/fields -k figures -s      prints the columns of the README's table of PACK and compares them with it
"""

import random
from collections import deque
from pathlib import Path

import pytest
from axi_memory import DECERR, SLAVES, SLVERR
from field_unit import LOADF, LOG_N, LOG_N_MAX, NORM, OLD, STOREF, FieldUnit
from rs_block import Block, soak
from rs_orders import reverse
from test_rs_store_fields import COMPOSITE, DILITHIUM, KYBER, WIDTHS, compress, decompose, power2round

NONE, ILLEGAL, BUS_READ, BUS_WRITE, VALUE = 0, 1, 7, 8, 15
PLAIN, MINUS, GROW = range(3)
SHRINK, UPPER, LOWER, HIGH = range(2, 6)
README = Path(__file__).parents[1] / "README.md"
PLACES = {
    "form": 6, "dst": 8, "a": 12, "pointer": 16, "ctx": 20, "kind": 24, "secret": 26, "log_size": 28, "first": 32,
    "near": 38, "count": 47, "power": 51, "margin": 56,
}  # fmt: skip
PORTS = ("get_req_o", "put_valid_o", "arvalid_o", "rready_o", "awvalid_o", "wvalid_o", "bready_o", "active_o")

# W, BusBits, Words, V
BLOCK = Block("rs_pack_unit", "W BusBits Words V", LogNMax=LOG_N_MAX)
SHAPES = [(32, 128, 4, 4), *soak((32, 512, 2, 16), (54, 128, 2, 2), (24, 64, 2, 2))]
test_pack_unit_lint = BLOCK.lints(SHAPES)
REFUSED = {"W": 32, "BusBits": 128, "Words": 4, "V": 4, "LogSizeMax": 12}
test_pack_unit_illegal = BLOCK.refuses("must be", (32, 64, 4, 2), (32, 128, 1, 4), REFUSED)


# ---- the standards ---------------------------------------------------------------------------------------------------
def load_value(kind, field, width, q, offset):
    """FIPS 203's Decompress (4.8), FIPS 204's BitUnpack (algorithm 19), and plain."""
    if kind == GROW:
        return (2 * KYBER * field + (1 << width)) >> width + 1
    return (offset - field) % q if kind == MINUS else field


def store_value(kind, x, width, q, offset):
    """The field, which may have more bits than fit."""
    if kind == SHRINK:
        return compress(x % KYBER, width)
    if kind in (UPPER, LOWER):
        high, low = power2round(x)
        return high if kind == UPPER else 4096 - low
    if kind == HIGH:
        return decompose(x, width)[0]
    if kind == MINUS:
        return (offset - x) % q
    return x % KYBER if (width, q) == (12, COMPOSITE) else x


def norm(kind, x, q):
    """What NORM compares with its bound."""
    if kind in (1, 2):
        return abs(decompose(x, 6 if kind == 1 else 4)[1])
    return min(x, q - x)


def bound(kind, power, margin):
    return ((1 << power, 95232, 261888, 95232, 261888)[kind]) - margin


# ---- the bench -------------------------------------------------------------------------------------------------------
class Pack(FieldUnit):
    """`ready`: how often the group gives what is asked for."""

    def __init__(self, case=SHAPES[0], seed=1, ready=1.0, **memory):
        super().__init__(BLOCK, case, PLACES, PORTS, case[2], 0, seed, **memory)
        self.v, self.ready = case[3], ready
        self.asked = deque([None, None])

    def drive(self):
        sim, taken = self.sim, self.random.random() < self.ready
        pos = self.asked.popleft()
        chunk = self.random.getrandbits(self.w * self.v)
        if pos is not None:
            chunk = sum(value << self.w * i for i, value in enumerate(self.group[pos : pos + self.v]))
        sim.set(get_data_sec_i=chunk, get_ready_i=int(taken))
        request = bool(sim.get("get_req_o"))
        self.asked.append(sim.get("get_pos_o") if request and taken else None)
        assert not request or sim.get("get_pos_o") % self.v == 0

    def fill(self, log_size, number, values):
        for i, value in enumerate(values):
            self.group[(number << log_size) + reverse(i, log_size)] = value

    def load(self, fields, width, kind=PLAIN, log_size=8, first=0, power=0, margin=0, secret=0, form=0):
        """Packs the fields into memory, loads them and checks the group if there is no fault of the bus."""
        count = len(fields) >> log_size
        data = sum(field << width * i for i, field in enumerate(fields)).to_bytes(len(fields) * width // 8, "little")
        size = -(-len(data) // 64) * 64
        address = self.address(size)
        self.put(address, data + self.random.randbytes(size - len(data)))
        before = list(self.group)
        how = {"a": WIDTHS.index(width), "kind": kind, "log_size": log_size % LOG_N, "first": first, "power": power}
        self.begin(LOADF, address, dst=3, secret=secret, form=form, count=count - 1, margin=margin, **how)
        assert (self.sim.get("group_o"), self.sim.get("ntt_o")) == (3, int(form > 0))
        assert self.sim.get("size_o") == log_size - (form == 2)
        cycles, fault = self.finish()
        if fault in (NONE, VALUE):
            self.reads.check_transfer(address, size)
            want = [load_value(kind, field, width, self.q, 1 << power) for field in fields]
            for k in range(count):
                assert self.poly(log_size, first + k) == want[k << log_size : k + 1 << log_size], k
            assert self.words_put == len(fields)
            begin, end = first << log_size, first + count << log_size
            assert self.group[:begin] + self.group[end:] == before[:begin] + before[end:]
        return cycles, fault

    def store(self, values, width, kind=PLAIN, log_size=8, first=0, power=0):
        """Stores residues and checks all of memory."""
        count = len(values) >> log_size
        for k in range(count):
            self.fill(log_size, first + k, values[k << log_size : k + 1 << log_size])
        size = -(-len(values) * width // 512) * 64
        address = self.address(size)
        fields = [store_value(kind, x, width, self.q, 1 << power) & (1 << width) - 1 for x in values]
        want = sum(field << width * i for i, field in enumerate(fields)).to_bytes(size, "little")
        before = bytes(self.reads.data)
        how = {"dst": WIDTHS.index(width), "kind": kind, "log_size": log_size % LOG_N, "first": first, "power": power}
        self.begin(STOREF, address, a=5, count=count - 1, **how)
        assert self.sim.get("group_o") == 5
        result = self.finish()
        at = address - self.base
        assert bytes(self.reads.data) == before[:at] + want + before[at + size :]
        self.writes.check_transfer(address, size)
        assert not self.words_put
        return result

    def norm(self, values, kind, power=0, margin=0, log_size=8, first=0):
        for k in range(len(values) >> log_size):
            self.fill(log_size, first + k, values[k << log_size : k + 1 << log_size])
        count = (len(values) >> log_size) - 1
        self.begin(NORM, a=2, kind=kind, power=power, margin=margin, log_size=log_size, first=first, count=count)
        cycles, fault = self.finish()
        far = max(norm(kind, x, self.q) for x in values) >= bound(kind, power, margin)
        assert fault == (VALUE if far else NONE), (kind, power, margin)
        assert not self.reads.bursts
        assert not self.writes.bursts
        return cycles, fault


def chances(case):
    return {"case": case, "pace": 0.7, "latency": 5, "ready": 0.6}


# ---- LOADF -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_load_every_width(case):
    for options in ({"case": case}, chances(case))[case != SHAPES[0] :]:
        bench = Pack(**options)
        for width in WIDTHS:
            log_size, count = bench.random.choice([(8, 1), (8, 3), (7, 2), (10, 1)])
            first = bench.random.randrange((1 << LOG_N_MAX - log_size) - count + 1)
            fields = [bench.random.randrange(1 << width) for _ in range(count << log_size)]
            fields[:2] = [0, (1 << width) - 1]
            assert bench.load(fields, width, log_size=log_size, first=first)[1] == NONE
            power = width - 1 if width > 4 else bench.random.choice([width - 1, width])
            assert bench.load(fields, width, MINUS, log_size, first, power, secret=1)[1] == NONE
            if width <= 11:
                bench.q = KYBER
                assert bench.load(fields, width, GROW, log_size, first)[1] == NONE
                bench.q = DILITHIUM


def test_load_forms_and_sizes():
    """Coefficients, NTT form, ML-KEM's NTT form; every size, and all slices of a group."""
    bench = Pack()
    bench.q = COMPOSITE
    for width, form in ((12, 2), (14, 1), (12, 0)):
        fields = [bench.random.randrange(KYBER) for _ in range(512)]
        assert bench.load(fields, width, first=6, form=form)[1] == NONE
    for log_size in (7, 8, 9, 10):
        fields = [bench.random.randrange(1 << 12) for _ in range(min(16 << log_size, 1 << LOG_N_MAX))]
        assert bench.load(fields, 12, log_size=log_size)[1] == NONE


def test_load_bounds():
    """FIPS 203's check of a key; FIPS 204's of eta, of t0 and of z; wherever the field is, but not of a secret load."""
    bench = Pack()
    cases = [
        (PLAIN, 12, 0, 1, 0, 3328), (MINUS, 3, 1, 0, 0, 4), (MINUS, 4, 2, 0, 0, 8), (MINUS, 13, 12, 0, 0, 8191),
        (MINUS, 18, 17, 79, 79, 2**18 - 79), (MINUS, 20, 19, 197, 197, 2**20 - 197), (MINUS, 20, 19, 0, 0, 2**20 - 1),
        (PLAIN, 12, 0, 0, 0, 4095), (PLAIN, 11, 0, 1, 0, 2047), (MINUS, 3, 0, 5, 8, 0),
    ]  # fmt: skip
    for kind, width, power, margin, least, most in cases:
        every, good = range(1 << width), range(least, most + 1)
        fits = [field for field in (least, most, *bench.random.sample(every, min(6, len(every)))) if field in good]
        wrong = [field for field in (least - 1, most + 1, 0, every[-1]) if field in every and field not in good]
        fields = [bench.random.choice(fits or [0]) for _ in range(512)]
        if fits:
            assert bench.load(fields, width, kind, power=power, margin=margin)[1] == NONE, (width, margin)
        for field in wrong:
            for at in (0, 511, bench.random.randrange(512)):
                bad = list(fields)
                bad[at] = field
                assert bench.load(bad, width, kind, power=power, margin=margin)[1] == VALUE, (width, field)
            assert bench.load(bad, width, kind, power=power, margin=margin, secret=1)[1] == NONE


# ---- STOREF ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_store_every_width(case):
    for options in ({"case": case}, chances(case))[case != SHAPES[0] :]:
        bench = Pack(**options)
        for width in WIDTHS:
            log_size, count = bench.random.choice([(8, 1), (8, 3), (7, 1), (10, 1)])
            first = bench.random.randrange((1 << LOG_N_MAX - log_size) - count + 1)
            values = [bench.random.randrange(KYBER if width == 12 else 1 << width) for _ in range(count << log_size)]
            assert bench.store(values, width, PLAIN, log_size, first)[1] == NONE
            power = width - 1
            values = [((1 << power) - bench.random.randrange(1 << width)) % bench.q for _ in values]
            assert bench.store(values, width, MINUS, log_size, first, power)[1] == NONE


@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_store_of_the_standards(case):
    bench = Pack(**chances(case))
    bench.q = COMPOSITE
    for kind, width in ((PLAIN, 12), *((SHRINK, width) for width in (1, 4, 5, 10, 11))):
        edges = [k * KYBER + e for k in bench.random.sample(range(769), 40) for e in (-1, 0, 1)]
        values = [0, COMPOSITE - 1, *(x % COMPOSITE for x in edges)]
        values += [bench.random.randrange(COMPOSITE) for _ in range(512 - len(values))]
        assert bench.store(values, width, kind)[1] == NONE
    bench.q = DILITHIUM
    for kind, width in ((UPPER, 10), (LOWER, 13), (HIGH, 6), (HIGH, 4)):
        values = [0, DILITHIUM - 1, *(bench.random.randrange(DILITHIUM) for _ in range(254))]
        assert bench.store(values, width, kind, first=2)[1] == NONE


def test_store_over():
    """A field that does not fit is a fault, wherever it is; memory has its low bits."""
    bench = Pack()
    for width in WIDTHS:
        good = [bench.random.randrange(min(KYBER, 1 << width)) for _ in range(512)]
        for at in (0, 511):
            values = list(good)
            values[at] |= 1 << width
            assert bench.store(values, width)[1] == VALUE, width
        assert bench.store(good, width)[1] == NONE


# ---- NORM ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_norm(case):
    bench = Pack(case, ready=0.8)
    for kind, power, margin in (
        (0, 17, 78), (0, 19, 196), (0, 22, 0), (0, 3, 9), (1, 0, 78), (2, 0, 196), (3, 0, 0), (4, 0, 120), (2, 0, 0),
    ):  # fmt: skip
        limit = bound(kind, power, margin)
        gamma = (DILITHIUM - 1) // (88 if kind == 1 else 32)
        highs = [2 * gamma * k for k in range(DILITHIUM // (2 * gamma) + 1)] if kind in (1, 2) else [0]
        top = max(limit - 1, 0)
        near = [0, *(h + e for h in highs for e in (-top, top, -top + 1, top - 1))]
        good = [x % bench.q for x in near if norm(kind, x % bench.q, bench.q) < limit] or [0]
        good += [bench.random.choice(good) for _ in range(256 - len(good))]
        bench.norm(good, kind, power, margin, 7, first=3)
        # just at the bound, on every side; the last high part has a low part that is less by one
        places = [highs[-1], bench.random.choice(highs)] if len(highs) > 1 else highs
        edges = [(place + e) % bench.q for place in places for e in (-limit, limit, -limit + 1, limit - 1)]
        for x in edges:
            values = list(good)
            values[bench.random.choice((0, 255))] = x
            bench.norm(values, kind, power, margin, 7, first=3)
    values = [bench.random.randrange(DILITHIUM) for _ in range(256)]
    assert bench.norm(values, 4)[1] == VALUE


# ---- refused, errors, aborts -------------------------------------------------------------------------------------------
def test_refused():
    """Kinds, widths and sizes that are not there: nothing is asked of memory or of the group."""
    bench = Pack()
    cases = [
        (LOADF, {"a": 12}), (LOADF, {"kind": 3}), (LOADF, {"kind": GROW, "a": 7}), (LOADF, {"kind": MINUS, "power": 20}),
        (STOREF, {"dst": 13}), (STOREF, {"kind": 6}), (STOREF, {"kind": SHRINK, "dst": 7}), (STOREF, {"kind": UPPER}),
        (STOREF, {"kind": LOWER, "dst": 7}), (STOREF, {"kind": HIGH, "dst": 5}), (STOREF, {"kind": MINUS, "power": 20}),
        (NORM, {"kind": 5}), (NORM, {"power": 24}), (NORM, {"log_size": 6}), (LOADF, {"log_size": 0}),
    ]  # fmt: skip
    for op, fields in cases:
        bench.begin(op, bench.base, **({"log_size": 8} | fields))
        cycles, fault = bench.finish()
        assert (fault, cycles <= 3, bench.words_put) == (ILLEGAL, True, 0), (op, fields)
        assert not any(map(any, bench.trace))
        assert bench.load([7] * 256, 5)[1] == NONE


@pytest.mark.parametrize("answer", [SLVERR, DECERR])
def test_bus_errors(answer):
    bench = Pack(pace=0.8, latency=3)
    bench.ready = 0.7
    for _ in range(4):
        bench.base_beats = range(0, 1 << 16, bench.bus_bits // 8)
        errors = {bench.base + at: answer for at in bench.base_beats}
        bench.reads.errors, bench.writes.errors = errors, {}
        fields = [bench.random.randrange(16) for _ in range(512)]
        assert bench.load(fields, 4)[1] == BUS_READ
        bench.reads.errors, bench.writes.errors = {}, errors
        assert bench.store(fields, 4)[1] == BUS_WRITE
        bench.writes.errors = {}
        assert bench.store(fields, 4)[1] == NONE
        assert bench.load(fields, 4)[1] == NONE


def test_one_bad_beat():
    """An error of any beat, of that behind the last field as well."""
    bench = Pack(pace=0.9)
    for at in range(4):
        fields = [1] * 128
        bench.reads.errors = {bench.base + 16 * beat: SLVERR for beat in range(at, 1 << 12, 4)}
        for width in (1, 3):
            assert bench.load(fields, width, log_size=7)[1] == BUS_READ


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.alike(4, by="slave")
def test_clear(slave):
    """At any time: the unit drains, memory has what was written or zeros, and the next instruction is as always."""
    bench = Pack(pace=0.6, latency=6, slave=slave, ready=0.8)
    for when in [0, 1, 2, 3, 4, *(bench.random.randrange(5, 400) for _ in range(24))]:
        op = bench.random.choice([LOADF, STOREF, STOREF, NORM])
        address = bench.address(2048)
        at = bench.reads.part(address, 2048)
        bench.reads.data[at] = bytes([OLD] * 2048)
        bench.group = [bench.random.randrange(1 << 10) for _ in bench.group]
        stored = enumerate(bench.poly(8, 0) + bench.poly(8, 1) + bench.poly(8, 2))
        want = sum(x << 10 * i for i, x in stored).to_bytes(960, "little")
        width = {"a": 5} if op == LOADF else {"dst": 5}
        bench.begin(op, address, clear=int(when == 0), log_size=8, count=2, **({} if op == NORM else width))
        bench.clear(when)
        if op == STOREF:
            bench.check_beats(at, want)
            assert set(bench.reads.data[at][960:]) == {OLD}
        fields = [bench.random.randrange(1 << 10) for _ in range(512)]
        assert bench.load(fields, 10)[1] == NONE
        assert bench.store(fields, 10)[1] == NONE


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.alike(4, by="slave")
def test_slaves(slave):
    for pace, ready in ((1.0, 1.0), (0.4, 0.4)):
        bench = Pack(pace=pace, latency=9, slave=slave, ready=ready)
        values = [bench.random.randrange(1 << 18) for _ in range(1024)]
        assert bench.store(values, 18)[1] == NONE
        assert bench.load(values, 18)[1] == NONE


# ---- time --------------------------------------------------------------------------------------------------------------
def rate(bench, width, log_size):
    """Cycles of a polynomial."""
    return max((1 << log_size) // bench.words, (width << log_size) // 64)


@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_cycles(case):
    """The first polynomial is turned, and then one follows the other."""
    bench = Pack(case)
    for width in (1, 12, 20):
        for log_size, count in ((8, 1), (8, 3), (7, 4), (10, 2)):
            turn = (1 << log_size) // bench.words
            values = [bench.random.randrange(min(KYBER, 1 << width)) for _ in range(count << log_size)]
            cycles, _ = bench.load(values, width, log_size=log_size)
            assert cycles <= count * rate(bench, width, log_size) + turn + 20, (width, log_size, count)
            cycles, _ = bench.store(values, width, log_size=log_size)
            assert cycles <= count * (rate(bench, width, log_size) + 6) + turn + 30, (width, log_size, count)
            cycles, _ = bench.norm(values, 0, 22, log_size=log_size)
            assert cycles <= count * turn + 16


@pytest.mark.soak
@pytest.mark.parametrize("index", range(2))
def test_figures(index):
    """From the cycle after start_i to done_o, of one polynomial of 256 coefficients, and of each one more of 8; memory answers at once."""
    bench, found = Pack((32, 128, (2, 4)[index], 4)), {}
    for width in (1, 4, 10, 12, 18, 20):
        values = [[bench.random.randrange(1 << width) % KYBER for _ in range(count << 8)] for count in (1, 8)]
        found[f"LOADF, {width} bits"] = [bench.load(some, width)[0] for some in values]
        found[f"STOREF, {width} bits"] = [bench.store(some, width)[0] for some in values]
    found["NORM"] = [bench.norm(some, 1)[0] for some in values]
    found = {name: [str(one), str((more - one + 3) // 7)] for name, (one, more) in found.items()}
    rows = [line.split("|")[1:-1] for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    told = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows if len(row) == 5}
    for name, cycles in found.items():
        print(f"{name}: {' | '.join(cycles)}")
    assert found == {name: told.get(name, [])[2 * index : 2 * index + 2] for name in found}


def test_equal_handshakes():
    """Whatever the data are, what is seen from outside is the same."""
    for op in ("load", "store", "norm"):
        traces = []
        for fill in (lambda dice: 0, lambda dice: dice.randrange(3329), lambda dice: 3328):
            bench = Pack(seed=7, pace=0.7, latency=4, ready=0.7)
            values = [fill(random.Random(i)) for i in range(768)]
            getattr(bench, op)(values, *((12,) if op != "norm" else (3,)))
            traces.append(bench.trace)
        assert traces[0] == traces[1] == traces[2]
        assert len(traces[0]) > 192
