# SPDX-License-Identifier: Apache-2.0
"""LIFTW and CENTRE of rs_lift_unit, with lists in place of slot and group: the library's residues and words.

Their places are those of docs/core.md, "Order of coefficients".
"""

import random

import numpy as np
import pytest
from rs_block import Block
from rs_cocotb import Model
from rs_orders import by_position, reverse

from ringside.sim.asm import instruction
from ringside.sim.verilate import Simulator, build

pytestmark = pytest.mark.alike(3, by="unit")

BLOCK = Block("rs_lift_unit", "W ChunkWords Lanes FixedWords LogNMax", Encode=1)
LOG_N_MAX = 11
CENTRE, LIFTW = 21, 22
WHOLE = instruction(0, whole=1)  # a CENTRE that takes residues as they are
VALUE = 15  # the fault
DATA = ("chunk_data_o", "slot_wdata_sec_o")


def packed(values, bits):
    return sum((value & (1 << bits) - 1) << bits * i for i, value in enumerate(values))


def unpacked(word, count, bits):
    return [word >> bits * i & (1 << bits) - 1 for i in range(count)]


class Unit:
    """The unit, its sizes, and the two orders."""

    def __init__(self, width, words, lanes, fixed, log_n, bits):
        parameters = BLOCK.parameters((width, words, lanes, fixed, LOG_N_MAX))
        self.sim = Simulator(build(BLOCK.top, BLOCK.sources, parameters))
        self.width, self.words, self.lanes = width, words, lanes
        self.model = Model(1 << log_n, (bits,))
        self.q, self.n, self.log_n = self.model.moduli[0], 1 << log_n, log_n
        self.rows = self.n // words
        self.parts = words // (fixed or words)  # cycles of a chunk
        self.rng = random.Random(f"{width} {words} {lanes} {log_n}")
        self.sim.set(rst_ni=0, start_i=0, clear_i=0)
        self.sim.step(3)
        self.sim.set(rst_ni=1)

    # ---- orders: what a position holds --------------------------------------------------------------------------------
    def residues(self, coefficients):
        return by_position(coefficients)

    def fixed(self, coefficients):
        """position(r, c) of docs/core.md."""
        found, low = [None] * self.n, 1 << (max(1, self.lanes.bit_length() - 1) + 1)
        for i in range(self.n // 2):
            r = reverse(i, self.log_n - 1)
            for c in (0, 1):
                found[2 * low * (r // low) + low * c + r % low] = coefficients[i + c * self.n // 2]
        return found

    # ---- the library --------------------------------------------------------------------------------------------------
    def scaled(self, width, number, shift):
        """A number times 2^shift, rounded; whether `width` bits do not hold it."""
        over = self.model.ffi.new("uint32_t *")
        return self.model.lib.rs_fixed_scale(width, number, (0, shift), over), bool(over[0])

    def lifted(self, slot, words, shift):
        """Residues, and whether a word is out of range: these are zero."""
        over = [beyond or abs(word) >= self.q for word, beyond in (self.scaled(64, word, shift) for word in words)]
        given = np.array([0 if bad else word for word, bad in zip(words, over, strict=True)], np.int64)
        residues, errors = (np.zeros(self.n, np.uint64) for _ in range(2))
        model, ffi = self.model, self.model.ffi
        model.lib.rs_lift_fixed(model.pointer, 0, model.at(residues), ffi.from_buffer("int64_t[]", given), shift)
        model.lib.rs_plan_lift(
            model.lib.rs_context_plan(model.pointer, 0), model.at(errors), ffi.new("int8_t[]", slot), 1
        )
        return model.add(0, residues, errors).tolist(), any(over)

    def centred(self, residues, shift, whole=False):
        digits = [x if whole or x <= self.q // 2 else x - self.q for x in residues]
        found = [self.scaled(self.width, x, shift) for x in digits]
        return [0 if over else word for word, over in found], any(over for _, over in found)

    # ---- a run --------------------------------------------------------------------------------------------------------
    def start(self, op, shift):
        """Numbers of operands are noise. The reply: the slot's."""
        rng = self.rng
        dst, a, b = (rng.randrange(16) for _ in range(3))
        self.sim.set(instr_i=op | instruction(0, dst=dst, a=a, b=b if op == LIFTW else 0, shift=shift & 255))
        self.sim.set(log_n_i=self.log_n, start_i=1)
        return a

    def run(self, op, shift, group, slot=(), ready=lambda: True, cycles=None):
        """The result by positions, the fault, and what could be seen in each cycle but data. Cleared after `cycles`."""
        sim, rng, width, count = self.sim, self.rng, self.width, self.words
        number = self.start(op, shift)
        out, trace, fault, done = [None] * self.n, [], None, False
        row, requests = None, [None, None]
        while not done and len(trace) != cycles:
            asked = requests.pop(0)
            chunk = rng.getrandbits(width * count) if asked is None else packed(group[asked : asked + count], width)
            values = rng.getrandbits(6 * count) if row is None else packed(slot[row * count : (row + 1) * count], 6)
            go = ready()
            sim.set(chunk_data_i=chunk, slot_rdata_sec_i=values, chunk_ready_i=go)
            sim.set(stream_i=rng.getrandbits(width * count), stream_valid_i=rng.getrandbits(1))
            # the modulus is there from the cycle after start_i on
            sim.set(q_i=self.q if trace else rng.getrandbits(width), factor_i=rng.getrandbits(width))
            names = ("done_o", "stream_ready_o", "chunk_valid_o", "chunk_req_o", "slot_req_o", "slot_we_o")
            done, stream, valid, asks, reads, writes = (sim.get(name) for name in names)
            assert not stream
            assert not writes
            requests.append(sim.get("chunk_rpos_o") if asks and go else None)
            row = sim.get("slot_row_o") if reads else None
            at = sim.get("chunk_pos_o") if valid else None
            trace.append((done, asks and sim.get("chunk_rpos_o"), row, at))
            if reads:
                assert op == LIFTW
                assert sim.get("slot_o") == number
            if valid:
                assert out[at] is None, "written twice"
                out[at : at + count] = unpacked(sim.get("chunk_data_o"), count, width)
            fault = sim.get("fault_o") if done else None
            sim.set(clear_i=len(trace) == cycles)
            sim.step()
            sim.set(start_i=0, clear_i=0)
            assert len(trace) < 20 * self.n
        return out, fault, trace

    def lift(self, slot, words, shift, **how):
        return self.run(LIFTW, shift, self.fixed(words), self.residues(slot), **how)

    def centre(self, residues, shift, whole=False, **how):
        return self.run(CENTRE | WHOLE * whole, shift, self.residues(residues), **how)

    # ---- contents -----------------------------------------------------------------------------------------------------
    def numbers(self, corners, below):
        """Signed, of all lengths; the corners in places of their own."""
        rng, bits = self.rng, below.bit_length()
        found = [rng.getrandbits(rng.randrange(1, bits + 1)) % below * rng.choice((1, -1)) for _ in range(self.n)]
        for at, corner in zip(rng.sample(range(self.n), len(corners)), corners, strict=True):
            found[at] = corner
        return found

    def words_for(self, shift):
        """In range: the largest magnitude that stays below q, halves, the least word if it fits."""
        top = 1 << (self.width - 1)
        limit = self.q - 1 >> shift if shift >= 0 else min(top - 1, (self.q << -shift) - (1 << -shift - 1) - 1)
        limit = min(limit, top - 1)
        half = 1 << max(0, -shift - 1)
        corners = [x for y in (0, 1, limit, half, half - 1, 3 * half) for x in (y, -y) if y <= limit]
        if not self.scaled(64, -top, shift)[1] and abs(self.scaled(64, -top, shift)[0]) < self.q:
            corners.append(-top)
        return self.numbers(corners, limit + 1)

    def errors(self):
        values = list(range(-32, 32))
        return self.rng.sample(values, len(values)) + [self.rng.choice(values) for _ in range(self.n - len(values))]

    def sometimes(self, chance, seed):
        dice = random.Random(seed)
        return lambda: dice.random() < chance


# width, words of a chunk, lanes, words per cycle, log2 N, bits of the modulus
SHAPES = [
    (32, 8, 4, 0, 9, 30),
    (54, 16, 4, 0, 11, 54),
    (64, 4, 1, 0, 10, 60),
    (32, 4, 8, 0, 10, 27),
    (54, 2, 4, 1, 9, 54),
    (32, 16, 4, 4, 9, 30),
    (32, 8, 4, 1, 9, 30),
]


@pytest.fixture(scope="module", params=SHAPES, ids=lambda shape: "-".join(map(str, shape)))
def unit(request):
    return Unit(*request.param)


def cycles(unit, op):
    """From start_i to done_o, both counted."""
    pairs = 0 if unit.words == 4 * unit.lanes > 4 else unit.parts
    return 1 + unit.rows * unit.parts + (9 if op == LIFTW else 7) + pairs


def test_words_to_residues(unit):
    width, bits = unit.width, unit.q.bit_length()
    for shift in (0, 1, -1, bits - 4, bits - width, -width, -65, 64):
        words, slot = unit.words_for(shift), unit.errors()
        want, over = unit.lifted(slot, words, shift)
        assert not over
        out, fault, trace = unit.lift(slot, words, shift)
        assert (out, fault) == (unit.residues(want), 0), shift
        assert len(trace) == cycles(unit, LIFTW)
    for chance in (0.3, 0.8):  # another reader goes first
        out, fault, _ = unit.lift(slot, words, shift, ready=unit.sometimes(chance, 1))
        assert (out, fault) == (unit.residues(want), 0)


def test_residues_to_words(unit):
    q, mask = unit.q, (1 << unit.width) - 1
    for shift in (0, -1, unit.width - 1 - q.bit_length(), -unit.width, -65):
        residues = [x % q for x in unit.numbers([0, 1, -1, q // 2, q // 2 + 1, q // 2 - 1, q - 1, 2, -2, 3, -3], q)]
        want, over = unit.centred(residues, shift)
        assert not over
        out, fault, trace = unit.centre(residues, shift)
        assert (out, fault) == (unit.fixed([word & mask for word in want]), 0), shift
        assert len(trace) == cycles(unit, CENTRE)
    for shift in (-1, unit.width - 1 - q.bit_length(), -unit.width, -65):  # not centred: of a bit more
        residues = [x % q for x in unit.numbers([0, 1, -1, q // 2, q // 2 + 1, q // 2 - 1, q - 1, 2, -2, 3, -3], q)]
        want, over = unit.centred(residues, shift, True)
        out, fault, trace = unit.centre(residues, shift, True)
        assert (out, fault) == (unit.fixed([word & mask for word in want]), VALUE if over else 0), shift
        assert not over or q.bit_length() == unit.width
        assert len(trace) == cycles(unit, CENTRE)
    want, over = unit.centred(residues, shift)
    for chance in (0.3, 0.8):
        out, fault, _ = unit.centre(residues, shift, ready=unit.sometimes(chance, 1))
        assert (out, fault) == (unit.fixed([word & mask for word in want]), 0)


def test_out_of_range(unit):
    """One word, the first, the last or any: it is zero, the fault comes with done_o, and the next run has none."""
    q, width, mask = unit.q, unit.width, (1 << unit.width) - 1
    slot = unit.errors()
    places = [reverse(at, unit.log_n) for at in (0, unit.n - 1)] + [0, unit.n - 1, unit.rng.randrange(unit.n)]
    for i, at in enumerate(places):
        # a magnitude of q itself where a word holds it, one just above, one of which nothing but shifted-out bits would remain
        shift = (int(q >> (width - 1) != 0), 2, 64)[i % 3]
        words = unit.words_for(shift)
        words[at] = unit.rng.choice((1, -1)) * -(-q >> shift)
        want, over = unit.lifted(slot, words, shift)
        assert over
        assert unit.lift(slot, words, shift)[:2] == (unit.residues(want), VALUE)
        # a residue that does not fit any more, and the least word, which just does
        shift = width - 1 - i
        residues = unit.n * [0]
        residues[at] = q - (1 << i)
        want, over = unit.centred(residues, shift)
        assert not over
        assert unit.centre(residues, shift)[:2] == (unit.fixed([word & mask for word in want]), 0)
        residues[at] = 1 << i
        assert unit.centred(residues, shift) == (unit.n * [0], True)
        assert unit.centre(residues, shift)[:2] == (unit.n * [0], VALUE)
    words = unit.words_for(0)
    assert unit.lift(slot, words, 0)[:2] == (unit.residues(unit.lifted(slot, words, 0)[0]), 0)


def test_same_time_for_all_data(unit):
    n, q = unit.n, unit.q
    for chance in (1, 0.4):
        lifts = [
            unit.lift(slot, words, 3, ready=unit.sometimes(chance, 2))[2]
            for slot, words in ((n * [-1], n * [0]), (n * [0], n * [q]), (unit.errors(), unit.words_for(3)))
        ]
        assert lifts[0] == lifts[1] == lifts[2]
        data = (n * [0], n * [q - 1], [x % q for x in unit.numbers([q // 2], q)])
        centres = [unit.centre(residues, 3, ready=unit.sometimes(chance, 2))[2] for residues in data]
        assert centres[0] == centres[1] == centres[2]


def test_cleared_at_any_time(unit):
    """Nothing goes on, nothing is left 8 cycles later and two for each more of a chunk, and what comes next is right: soon or then."""
    words, slot = unit.words_for(0), unit.errors()
    residues = [x % unit.q for x in unit.numbers([unit.q // 2], unit.q)]
    lifted = unit.residues(unit.lifted(slot, words, 0)[0])
    centred = unit.fixed([word & (1 << unit.width) - 1 for word in unit.centred(residues, -2)[0]])
    for when in [*range(2, 20), unit.rows + 3, unit.rows + 7]:
        for run in (lambda n: unit.lift(slot, words, 0, cycles=n), lambda n: unit.centre(residues, -2, cycles=n)):
            run(when)
            pause = unit.rng.choice((0, 1, 3, 12, 24))
            for i in range(pause):
                unit.sim.set(chunk_data_i=unit.rng.getrandbits(unit.width * unit.words))
                assert not any(unit.sim.get(name) for name in ("done_o", "chunk_valid_o", "chunk_req_o", "slot_req_o"))
                assert i < 6 + 2 * unit.parts or [unit.sim.get(name) for name in DATA] == [0, 0]
                unit.sim.step()
            assert unit.lift(slot, words, 0)[:2] == (lifted, 0)
            assert unit.centre(residues, -2)[:2] == (centred, 0)


test_lint = BLOCK.lints([(54, 2, 8, 1), (54, 16, 4), (54, 4, 1, 2), (54, 16, 4, 2)])
test_illegal = BLOCK.refuses(
    "Encode needs ChunkWords",
    {"ChunkWords": 8, "Lanes": 1},
    "FixedWords 3 is not",
    {"FixedWords": 3},
    "FixedWords 16",
    {"FixedWords": 16},
)
