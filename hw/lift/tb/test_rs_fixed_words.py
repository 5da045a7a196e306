# SPDX-License-Identifier: Apache-2.0
"""Words of fixed point to residues and back, and their order: rs_shift_round, rs_fixed_word, rs_turn_words."""

import random
from fractions import Fraction

import pytest
from rs_cocotb import elaborate, rtl

from ringside.sim.verilate import Simulator, build

SHIFTS = [*range(-65, 65)]


def rounded(value):
    """To the nearest integer, halves away from zero."""
    magnitude = abs(Fraction(value)) + Fraction(1, 2)
    return (magnitude.numerator // magnitude.denominator) * (1 if value >= 0 else -1)


def scaled(number, shift):
    return rounded(Fraction(number) * Fraction(2) ** shift)


def simulator(top, width, *sources):
    sim = Simulator(build(top, rtl(*sources, top), {"W": width}))
    sim.set(en_i=1)
    return sim


def numbers(rng, top):
    """Corners, and numbers of every length below 2^top."""
    found = {0, 1, 2, 3, 2**top - 1, 2**top - 2, 2 ** (top - 1), 2 ** (top - 1) - 1}
    return [*found, *(rng.getrandbits(rng.randrange(1, top + 1)) for _ in range(8))]


def signed(bits, width):
    return bits - (bits >> (width - 1) << width)


def passed(sim, latency, port, values, *outputs):
    """What comes out for each value, one per cycle."""
    seen = []
    for value in [*values, *latency * [0]]:
        sim.set(**{port: value})
        sim.step()
        seen.append(tuple(sim.get(name) for name in outputs))
    return seen[latency - 1 : latency - 1 + len(values)]


def test_magnitudes():
    width = 54
    rng = random.Random(width)
    sim = simulator("rs_shift_round", width)
    for shift in SHIFTS:
        sim.set(shift_i=shift & 255)
        sim.step(2)
        values = numbers(rng, width)
        found = passed(sim, 2, "magnitude_sec_i", values, "magnitude_sec_o", "over_sec_o")
        for value, (magnitude, over) in zip(values, found, strict=True):
            want = scaled(value, shift)
            assert over == (want >= 1 << width), (value, shift)
            assert over or magnitude == want, (value, shift)


@pytest.mark.parametrize("width", [32, 64])
def test_words_to_residues(width):
    rng = random.Random(width)
    sim = simulator("rs_fixed_word", width, "rs_shift_round")
    for shift in [*rng.sample(SHIFTS, 16), -width, -1, 0, 1]:
        q = rng.getrandbits(rng.randrange(8, width + (shift != 0))) | 1 | 1 << 7
        sim.set(shift_i=shift & 255, q_i=q, centre_i=0, whole_i=rng.getrandbits(1))
        sim.step(2)
        edges = [(q - below) << max(0, -shift) for below in (0, 1)]  # a magnitude of q is too large
        edges = [edge for edge in edges if edge < 1 << (width - 1)]
        values = [x % (1 << width) for y in [*edges, *numbers(rng, width - 1)] for x in (y, -y, -y - 1)]
        found = passed(sim, 4, "word_sec_i", values, "word_sec_o", "over_sec_o")
        for value, (residue, over) in zip(values, found, strict=True):
            want = scaled(signed(value, width), shift)
            assert over == (abs(want) >= q), (value, shift, q)
            assert residue == (0 if over else want % q), (value, shift, q)


@pytest.mark.parametrize("width", [32, 64])
def test_residues_to_words(width):
    rng = random.Random(width)
    sim = simulator("rs_fixed_word", width, "rs_shift_round")
    for shift in [*rng.sample(SHIFTS, 16), -width, -1, 0, 1]:
        q = rng.getrandbits(rng.randrange(8, width + 1)) | 1 | 1 << 7
        for whole in (0, 1):
            sim.set(shift_i=shift & 255, q_i=q, centre_i=1, whole_i=whole)
            sim.step(2)
            values = [x % q for y in numbers(rng, width - 1) for x in (y, -y)] + [q // 2, q // 2 + 1, q - 1]
            found = passed(sim, 4, "word_sec_i", values, "word_sec_o", "over_sec_o")
            for value, (word, over) in zip(values, found, strict=True):
                want = scaled(value if whole or value <= q // 2 else value - q, shift)
                assert over == (not -(1 << (width - 1)) <= want < 1 << (width - 1)), (value, shift, q)
                assert signed(word, width) == (0 if over else want), (value, shift, q)


def rotated(k, bits):
    """Right by one, of the low `bits`."""
    low = k & ((1 << bits) - 1)
    return k ^ low ^ (low >> 1 | (low & 1) << (bits - 1))


@pytest.mark.parametrize(
    ("words", "lanes", "gap"), [(4, 1, 1), (2, 4, 2), (8, 4, 1), (8, 4, 4), (16, 4, 1), (16, 4, 2)]
)
@pytest.mark.parametrize("back", [0, 1])
@pytest.mark.alike(4)
def test_order(words, lanes, gap, back):
    """A whole polynomial of positions, chunk after chunk as LIFTW and CENTRE take them, with pauses and without."""
    rng = random.Random(words)
    low = max(1, lanes.bit_length() - 1) + 2  # bits that are rotated
    size = 256
    whole = words == 4 * lanes and lanes > 1
    # residues' chunks in order; in fixed point that of re and that of im in turns
    plain = [[*range(at, at + words)] for at in range(0, size, words)]
    fixed = [min(rotated(k, low) for k in chunk) for chunk in plain]  # where its first word is
    if not whole:
        fixed = [
            rotated(chunk[0], low) // words * words
            for pair in zip(plain[::2], plain[1::2], strict=True)
            for chunk in pair
        ]
        fixed = [at for i in range(0, len(fixed), 2) for at in (fixed[i], fixed[i] + (1 << (low - 1)))]
    contents = {rotated(k, low): k for k in range(size)}
    turned = [[contents[at + i] for i in range(words)] for at in fixed]
    into, want = (plain, turned) if back else (turned, plain)
    parameters = {"W": 16, "V": words, "Lanes": lanes, "Gap": gap}
    sim = Simulator(build("rs_turn_words", rtl("rs_turn_words"), parameters))
    for pause in (0, 0.3):
        sim.set(clear_i=1, en_i=1, back_i=back, in_valid_i=0, in_sec_i=0)
        sim.step(2)
        sim.set(clear_i=0)
        left, seen, cycles, since = list(into), [], 0, gap
        while len(seen) < len(want):
            valid = bool(left) and since >= gap and rng.random() >= pause
            since = 1 if valid else since + 1
            chunk = left.pop(0) if valid else words * [0]
            sim.set(in_valid_i=valid, in_sec_i=sum((x + 1 if valid else 0) << 16 * i for i, x in enumerate(chunk)))
            out = sim.get("out_sec_o")
            if sim.get("out_valid_o"):
                seen.append([(out >> 16 * i & 0xFFFF) - 1 for i in range(words)])
            else:
                assert out == 0
            sim.step()
            cycles += 1
            assert cycles < 4 * size * gap
        assert seen == want
        if not pause:
            assert cycles == (len(want) - 1) * gap + 1 + (0 if whole else gap)


def test_illegal():
    assert elaborate("rs_turn_words", rtl("rs_turn_words")) == ""
    assert "is not a power of two" in elaborate("rs_turn_words", rtl("rs_turn_words"), {"V": 32})


def test_no_clock():
    """What enters while a part is not clocked never leaves it."""
    sim = simulator("rs_fixed_word", 32, "rs_shift_round")
    sim.set(q_i=(1 << 32) - 1)
    sim.step(8)
    sim.set(en_i=0, word_sec_i=5)
    sim.step(8)
    sim.set(en_i=1, word_sec_i=0)
    for _ in range(8):
        sim.step()
        assert sim.get("word_sec_o") == 0
