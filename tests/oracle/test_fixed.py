# SPDX-License-Identifier: Apache-2.0
"""Encode and decode in fixed point: bit for bit the model in Python integers, and as precise as docs/encoding.md says."""

import itertools
import math
import random
import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oracle import core, fixed_model, reference
from oracle.fixed_model import Words
from oracle.reference import Integers
from ringside.native.library import ffi, lib, request

LIB = Path(__file__).resolve().parents[2] / "lib"
WIDTHS = [24, 32, 54, 64]
INT8, UINT8, INT16, UINT16, INT32, INT64, BINARY64 = range(7)
FORMATS: dict[int, Any] = {
    INT8: np.int8, UINT8: np.uint8, INT16: np.int16, UINT16: np.uint16, INT32: np.int32, INT64: np.int64,
    BINARY64: np.float64,
}  # fmt: skip


def sizes(quick: list[tuple[int, int]]) -> list[Any]:
    """All pairs of log2 N and word width; those not in `quick` only in soak."""
    every = [(log_n, w) for log_n in range(8, 16) for w in WIDTHS]
    return [pair if pair in quick else pytest.param(*pair, marks=pytest.mark.soak) for pair in every]


class Fixed:
    def __init__(self, log_n: int, bits: int) -> None:
        self.log_n, self.bits, self.points = log_n, bits, 1 << log_n - 1
        size = lib.rs_fixed_size(log_n)
        self.memory = np.zeros(-(-size // 8), np.uint64)
        made = ffi.new("rs_fixed_t const **")
        core.ok(lib.rs_fixed_init(made, core.words_at(self.memory), size, log_n, bits))
        self.pointer = made[0]

    def transform(self, re: Integers, im: Integers, inverse: bool, status: str = "RS_OK") -> tuple[Integers, Integers]:
        r, i = np.array(re, np.int64), np.array(im, np.int64)
        run = lib.rs_fixed_inverse if inverse else lib.rs_fixed_forward
        assert core.status_name(run(self.pointer, signed_at(r), signed_at(i))) == status
        return reference.integers(r), reference.integers(i)

    def stage(self, re: Integers, im: Integers, stage: int, inverse: bool) -> tuple[Integers, Integers, int]:
        r, i = np.array(re, np.int64), np.array(im, np.int64)
        run = lib.rs_fixed_stage_inverse if inverse else lib.rs_fixed_stage_forward
        over = run(self.pointer, stage, signed_at(r), signed_at(i))
        return reference.integers(r), reference.integers(i), over

    def load(self, values: Any, layout: Any) -> tuple[str, Integers, Integers]:
        re, im = np.full(self.points, 5, np.int64), np.full(self.points, 5, np.int64)
        status = lib.rs_fixed_load(self.pointer, signed_at(re), signed_at(im), ffi.from_buffer(values), layout)
        return core.status_name(status), reference.integers(re), reference.integers(im)

    def store(self, re: Integers, im: Integers, layout: Any) -> tuple[str, Any]:
        count = layout.count * (2 if layout.is_complex else 1)
        values = np.zeros(count, FORMATS[layout.format])
        r, i = np.array(re, np.int64), np.array(im, np.int64)
        status = lib.rs_fixed_store(self.pointer, ffi.from_buffer(values), layout, signed_at(r), signed_at(i))
        return core.status_name(status), values


def signed_at(array: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
    return ffi.from_buffer("int64_t[]", array)


def layout_of(values: Any, is_complex: bool = False, exponent: int = 0, bound: int = 0, kind: int | None = None) -> Any:
    number = next(k for k, t in FORMATS.items() if t == values.dtype) if kind is None else kind
    count = len(values) // (2 if is_complex else 1)
    return ffi.new("rs_fixed_layout_t *", [number, int(is_complex), count, exponent, bound])


def random_word(r: random.Random, bits: int) -> int:
    """A word of any length, or an extreme one."""
    limit = 1 << bits - 1
    if r.random() < 0.3:
        return r.choice([0, 1, -1, 2, -2, 3, -3, limit - 1, limit - 2, -limit, 1 - limit, limit // 2, -limit // 2])
    return r.randrange(-limit, limit) >> r.choice([0, 0, 1, r.randrange(bits)])


# ---- roots ----------------------------------------------------------------------------------------------------------
def check_roots(log_n: int, bits: int) -> None:
    fixed = Fixed(log_n, bits)
    table = ffi.buffer(lib.rs_fixed_roots(fixed.pointer), 8 << log_n - 1)
    got = np.frombuffer(table, np.uint64).reshape(-1, 2)
    for stage in range(log_n - 1):
        re, im = (abs(part) for part in fixed_model.root_words(log_n, stage, bits))
        even = got[max(1, 1 << stage) // 2 :][: max(1, (1 << stage) // 2)]
        assert even[:, 0].tolist() == re[::2].tolist()
        assert even[:, 1].tolist() == im[::2].tolist()
        if stage:  # the odd block's root is i times that of the one before, also in words
            assert re[1::2].tolist() == im[::2].tolist()
            assert im[1::2].tolist() == re[::2].tolist()


@pytest.mark.parametrize("bits", WIDTHS)
def test_roots_are_the_nearest_words(bits: int) -> None:
    for log_n in range(2, 12):
        check_roots(log_n, bits)


@pytest.mark.soak
@pytest.mark.parametrize("bits", range(24, 65))
@pytest.mark.parametrize("log_n", [14, 15, 17])
def test_all_roots_are_the_nearest_words(log_n: int, bits: int) -> None:
    check_roots(log_n, bits)


def nearest_middle(log_n: int) -> float:
    """log2 of the distance from a root to the middle between two words, the least for all widths."""
    one = 1 << fixed_model.PRECISION
    least = one
    for c, s in zip(*fixed_model.octant(log_n), strict=True):
        for x in (c, s):
            for bits in range(24, 65):
                unit = one >> bits
                least = min(least, abs((x + unit // 2) % unit - 0) or one, unit - (x + unit // 2) % unit)
    return math.log2(least) - fixed_model.PRECISION


@pytest.mark.parametrize("log_n", [12, pytest.param(17, marks=pytest.mark.soak)])
def test_no_root_is_near_the_middle_between_words(log_n: int) -> None:
    """fixed_roots.c computes them to 2^-120."""
    assert nearest_middle(log_n) > -100


# ---- steps ----------------------------------------------------------------------------------------------------------
def test_roots_of_the_lean_client_are_those_of_the_generator() -> None:
    """lib/tests/test_lean.c compares what is made of them with the roots above."""
    path = LIB / "scripts" / "gen_lean_roots.py"
    assert (LIB / "src" / "lean" / "roots.inc").read_text(encoding="utf-8") == runpy.run_path(str(path))["text"]()


def test_products() -> None:
    r = random.Random(1)
    for bits in range(24, 65):
        words = Words(bits)
        for _ in range(100):
            a, w = abs(random_word(r, bits + 1)) % (1 << bits), abs(random_word(r, bits + 1)) % (1 << bits)
            assert lib.rs_fixed_product(bits, a, w) == words.product(a, w)


def wrapped(x: int, bits: int) -> int:
    return (x + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


@pytest.mark.parametrize("inverse", [True, False], ids=["encode", "decode"])
def test_butterflies(inverse: bool) -> None:
    r = random.Random(2)
    run = lib.rs_fixed_butterfly_inverse if inverse else lib.rs_fixed_butterfly_forward
    in_range = 0
    for bits in range(24, 65):
        for turn in range(100):
            words = Words(bits)
            limit = 1 << bits - 1
            points = [[random_word(r, bits), random_word(r, bits)] for _ in range(2)]
            root = [abs(random_word(r, bits + 1)) % (1 << bits) for _ in range(2)]
            if turn % 4 == 0:  # near the largest results
                points = [[r.choice([-limit, limit - 1]) // r.choice([1, 1, 2]) for _ in range(2)] for _ in range(2)]
                root = [2 * limit - r.choice([1, 2, limit // 2]) for _ in range(2)]
            negative = r.randrange(2)
            model = words.inverse_butterfly if inverse else words.forward_butterfly
            one, other = points
            want = model(one, other, (-root[0] if negative else root[0], root[1]))
            x, y = (ffi.new("rs_fixed_point_t *", p) for p in points)
            over = run(bits, x, y, [*root, negative])
            assert over == (words.over > 0)
            in_range += not over
            if not over:
                assert (x.re, x.im, y.re, y.im) == (*map(int, want[0]), *map(int, want[1]))
            elif inverse:  # a factor that is cut off has no use, but sums wrap
                assert (y.re, y.im) == tuple(wrapped(int(v), bits) for v in want[1])
    assert 41 * 30 < in_range < 41 * 97


# ---- transforms -----------------------------------------------------------------------------------------------------
def message(kind: str, points: int, amplitude: float, seed: int = 1) -> tuple[Integers, Integers]:
    """Points of magnitudes up to `amplitude`, rounded towards zero."""
    r = np.random.default_rng(seed)
    angle = r.uniform(0, 2 * math.pi, points)
    size = np.sqrt(r.uniform(0, 1, points))
    if kind == "disc":
        re, im = size * np.cos(angle), size * np.sin(angle)
    elif kind == "real":
        re, im = r.uniform(-1, 1, points), np.zeros(points)
    elif kind == "circle":
        re, im = np.cos(angle), np.sin(angle)
    elif kind == "signs":
        re, im = r.choice([-1.0, 1.0], points), np.zeros(points)
    elif kind == "constant":
        re, im = np.ones(points), np.zeros(points)
    elif kind == "impulse":
        re, im = np.zeros(points), -np.eye(1, points, points // 3)[0]
    elif kind == "pixels":
        re, im = np.floor(r.uniform(0, 256, points)) / 256, np.zeros(points)
    else:  # one power of X: all of it in one coefficient
        power = points * 10 // 7
        turns = np.array([(2 * e + 1) * power % (4 * points) for e in reference.bit_reversed(2 * points)[:points]])
        re, im = np.cos(math.pi * turns / (2 * points)), np.sin(math.pi * turns / (2 * points))
    scale = int(amplitude)
    shrink = 1 - 2.0**-52
    return tuple(reference.integers(int(x * shrink * 2**60) * scale >> 60 for x in part) for part in (re, im))  # type: ignore[return-value]


def largest(bits: int) -> int:
    """(1 - 2^-10) in words of encode."""
    return (1 << bits - 1) - (1 << bits - 11)


KINDS = ["disc", "real", "circle", "signs", "constant", "impulse", "pixels", "power"]


@pytest.mark.parametrize(("log_n", "bits"), sizes([(8, 24), (8, 54), (9, 32), (11, 64)]))
def test_transforms_are_the_models(log_n: int, bits: int) -> None:
    fixed, words = Fixed(log_n, bits), Words(bits)
    for kind in ("disc", "signs"):
        re, im = message(kind, fixed.points, largest(bits))
        want = words.transform(re, im, True)
        assert [x.tolist() for x in fixed.transform(re, im, True)] == [x.tolist() for x in want]
        half_re, half_im = (half_of(x) for x in want)
        back = words.transform(half_re, half_im, False)
        assert [x.tolist() for x in fixed.transform(half_re, half_im, False)] == [x.tolist() for x in back]
        # 2^n of rounding comes back, in a typical slot its root
        assert max(abs(2 * x - y).max() for x, y in zip(back, (re, im), strict=True)) < 64 << log_n // 2
    assert not words.over


def half_of(x: Integers) -> Integers:
    return reference.integers(fixed_model.half_away(int(v), 2) for v in x)


@pytest.mark.parametrize("inverse", [True, False], ids=["encode", "decode"])
@pytest.mark.parametrize("bits", WIDTHS)
def test_stage_by_stage(bits: int, inverse: bool) -> None:
    fixed, words = Fixed(8, bits), Words(bits)
    for stage in range(7):
        re, im = message("disc", fixed.points, largest(bits) / (1 if inverse else 2), stage)
        got = fixed.stage(re, im, stage, inverse)
        want = words.stage(re, im, stage, inverse)
        assert got[2] == 0
        assert [x.tolist() for x in got[:2]] == [x.tolist() for x in want]
    assert not words.over


def test_the_transform_is_the_embedding() -> None:
    """Against the definition, and so against the order of slots and coefficients."""
    n = 256
    fixed = Fixed(8, 54)
    r = np.random.default_rng(3)
    z = (r.uniform(-1, 1, n // 2) + 1j * r.uniform(-1, 1, n // 2)) / 2
    status, re, im = fixed.load(z.view(np.float64).copy(), layout_of(z.view(np.float64), True))
    assert status == "RS_OK"
    coded = np.concatenate(fixed.transform(re, im, True)).astype(float) / 2.0**53
    assert np.abs(coded - reference.unembed(z)).max() < 2.0**-48


# ---- precision ------------------------------------------------------------------------------------------------------
def errors(got: tuple[Integers, Integers], exact: tuple[Integers, Integers]) -> np.ndarray[Any, np.dtype[np.float64]]:
    unit = 1 << fixed_model.FRACTION
    wide = np.concatenate(got) * unit - np.concatenate(exact)
    return np.asarray(wide / (unit >> 20), dtype=float) / 2**20


PRECISION_SIZES = sizes([(8, 24), (8, 64), (10, 32), (10, 54)])


@pytest.mark.parametrize(("log_n", "bits"), PRECISION_SIZES)
def test_encode_is_precise(log_n: int, bits: int) -> None:
    fixed = Fixed(log_n, bits)
    for kind in KINDS:
        re, im = message(kind, fixed.points, largest(bits))
        e = errors(fixed.transform(re, im, True), fixed_model.exact_transform(re, im, True))
        assert np.sqrt((e**2).mean()) <= 0.6, kind
        assert np.abs(e).max() <= 5, kind
        assert abs(e.mean()) < 5 * 0.6 / math.sqrt(2 * fixed.points), (
            kind
        )  # the mean of coefficients: what halves in one direction would give


@pytest.mark.parametrize(("log_n", "bits"), PRECISION_SIZES)
def test_decode_is_precise(log_n: int, bits: int) -> None:
    """Rounding of products alone gives a root mean square of sqrt((N/2 - 1) / 6) units."""
    fixed = Fixed(log_n, bits)
    for kind in ("disc", "real", "power"):
        coded = fixed.transform(*message(kind, fixed.points, largest(bits)), True)
        half = half_of(coded[0]), half_of(coded[1])
        e = errors(fixed.transform(*half, False), fixed_model.exact_transform(*half, False))
        assert np.sqrt((e**2).mean()) <= 1.2 * math.sqrt((fixed.points - 1) / 6), kind
        assert np.abs(e).max() <= 7 * math.sqrt(fixed.points / 6), kind


NOISE = 10.5  # variance of the smallest fresh noise, that of secret keys
ROUNDING = 1 / 12  # variance of the encoder of doubles


def words_to_coefficients(scale: float, bits: int, bound: int) -> tuple[int, int]:
    """Factor and shift, from the definition in docs/encoding.md: scale 2^(bound - (W - 1)), its mantissa rounded to W bits."""
    mantissa, exponent = math.frexp(scale)
    factor = math.floor(Fraction(mantissa) * 2**bits + Fraction(1, 2))
    shift = exponent + bound - (bits - 1)
    if factor == 1 << bits - 1:
        return 0, shift - 1
    return (0 if factor == 1 << bits else factor), shift


def coefficient(word: int, scale: float, bits: int, bound: int) -> int:
    factor, shift = words_to_coefficients(scale, bits, bound)
    return fixed_model.shifted(times(word, factor, bits) if factor else word, shift)


NO_POWERS = [1.2345, 1.5, 1.99, 1 + 2**-20, 1 + 2**-52, 2 - 2**-20, 2 - 2**-52, math.sqrt(2)]


def test_how_words_become_coefficients() -> None:
    how = ffi.new("rs_fixed_scale_t *")
    for bits in range(24, 65):
        for mantissa in (1, *NO_POWERS, *(x * (1 + 2.0**-bits) for x in (1, 1.25)), 2 - 2.0 ** (1 - bits)):
            for log_scale in (-1022, -40, 0, 30, 1022):
                for bound in (-1023, 0, 3, 1023):
                    scale = math.ldexp(mantissa, log_scale)
                    assert lib.rs_encode_fixed_scale(bits, scale, bound, how) == lib.RS_OK
                    assert (how.factor, how.shift) == words_to_coefficients(scale, bits, bound)
                    exact = Fraction(mantissa) * Fraction(2) ** (log_scale + bound - (bits - 1))
                    taken = Fraction(how.factor or 1 << bits, 1 << bits) * Fraction(2) ** how.shift
                    # the error in shares of the largest word, in units of 2^shift: a quarter with a factor, half
                    # without
                    error = abs(taken - exact) * 2 ** (bits - 1) / Fraction(2) ** how.shift
                    assert error <= Fraction(1, 4 if how.factor else 2)
                    assert (mantissa == 1) <= (not how.factor and not error)

    def status(*arguments: Any) -> str:
        return core.status_name(lib.rs_encode_fixed_scale(*arguments))

    for bad in (0.0, -0.0, -1.0, 2.0**-1023, math.nan, math.inf, -math.inf):
        assert status(32, bad, 0, how) == "RS_ERR_SCALE"
    assert status(23, 1.0, 0, how) == status(65, 1.0, 0, how) == "RS_ERR_WORD_BITS"
    assert status(32, 1.0, 1024, how) == status(32, 1.0, -1024, how) == "RS_ERR_LAYOUT"
    assert status(32, 1.0, 0, ffi.NULL) == "RS_ERR_NULL"


@pytest.mark.parametrize(("log_n", "bits"), PRECISION_SIZES)
def test_encode_is_precise_at_any_scale(log_n: int, bits: int) -> None:
    """A word of encode times a factor: the error of the word shrinks, and a rounding comes on top. In units of the product."""
    fixed = Fixed(log_n, bits)
    over = ffi.new("uint32_t *")
    for kind in KINDS:
        re, im = message(kind, fixed.points, largest(bits))
        coded = fixed.transform(re, im, True)
        exact = fixed_model.exact_transform(re, im, True)
        for mantissa in (1.01, 1.2345, 1.99):
            factor, _ = words_to_coefficients(mantissa, bits, 0)
            got = tuple(
                reference.integers(lib.rs_fixed_times(bits, int(w), factor, over) for w in part) for part in coded
            )
            numerator, denominator = (mantissa / 2).as_integer_ratio()
            e = errors(got, tuple(part * numerator // denominator for part in exact))  # type: ignore[arg-type]
            f = mantissa / 2
            assert np.sqrt((e**2).mean()) <= math.sqrt((0.6 * f) ** 2 + 1.2 / 12), (kind, mantissa)
            assert np.abs(e).max() <= 5 * f + 0.75, (kind, mantissa)
    assert not over[0]


@pytest.mark.parametrize(
    ("bits", "scale", "limit"),
    [
        (32, 2.0**30, 1.01),
        (32, 2.0**25, 1.01),
        (54, 2.0**52, 1.01),
        (64, 2.0**62, 1.01),
        # at no power of two a rounding more, which counts where a unit is half a coefficient
        (32, 1.99 * 2.0**29, 1.014),
        (32, 1.5 * 2.0**29, 1.016),
        (32, 1.99 * 2.0**28, 1.005),
        (54, 1.99 * 2.0**51, 1.014),
        (64, 1.99 * 2.0**60, 1.005),
        (32, 1.2345 * 2.0**24, 1.01),
    ],
)
@pytest.mark.parametrize(
    "log_n", [11, pytest.param(13, marks=pytest.mark.soak), pytest.param(15, marks=pytest.mark.soak)]
)
def test_errors_are_invisible_beside_the_noise(log_n: int, bits: int, scale: float, limit: float) -> None:
    """The noise of a ciphertext, rounding included, has a variance hardly above that with an exact encoder: 1 % at powers of two."""
    fixed = Fixed(log_n, bits)
    _, shift = words_to_coefficients(scale, bits, 0)
    exact_scale = Fraction(scale) / 2 ** (bits - 1)
    for kind in ("disc", "real", "circle", "pixels"):
        re, im = message(kind, fixed.points, largest(bits))
        exact = np.concatenate(fixed_model.exact_transform(re, im, True))
        words = np.concatenate(fixed.transform(re, im, True))
        e = [
            float(coefficient(int(w), scale, bits, 0) - Fraction(int(x), 1 << fixed_model.FRACTION) * exact_scale)
            for w, x in zip(words, exact, strict=True)
        ]
        variance = np.square(e).mean()
        assert (NOISE + variance) / (NOISE + ROUNDING) < limit, kind
        if shift < -4:
            assert variance == pytest.approx(ROUNDING, rel=0.1 if log_n < 13 else 0.05)


@pytest.mark.parametrize("bits", [24, 25, 32, 33, 54, 62, 63, 64])
def test_nothing_overflows_up_to_the_bound(bits: int) -> None:
    for log_n in (2, 3, 8, 11):
        fixed = Fixed(log_n, bits)
        for kind in KINDS:
            for seed in range(3):
                re, im = message(kind, fixed.points, largest(bits), seed)
                coded = fixed.transform(re, im, True)
                assert max(abs(x).max() for x in coded) < 1 << bits - 1
                fixed.transform(half_of(coded[0]), half_of(coded[1]), False)


@pytest.mark.parametrize("bits", WIDTHS)
def test_what_is_out_of_range_is_refused(bits: int) -> None:
    """Points of magnitude sqrt 2 that add up in one coefficient; coefficients that add up in one slot."""
    fixed = Fixed(10, bits)
    limit = (1 << bits - 1) - 1
    re, im = message("power", fixed.points, largest(bits) * 1.41)
    re, im = (np.clip(part, -limit, limit) for part in (re, im))
    zero = reference.integers([0] * fixed.points)
    for inverse, points in ((True, (re, im)), (False, (zero + limit // 16, zero)), (False, (zero, zero - limit - 1))):
        words = Words(bits)
        words.transform(*points, inverse)
        assert words.over
        assert not any(part.any() for part in fixed.transform(*points, inverse, status="RS_ERR_VALUE_RANGE"))


# ---- slots ----------------------------------------------------------------------------------------------------------
def random_numbers(kind: int, count: int, r: random.Random) -> Any:
    if kind == BINARY64:
        values = [
            r.choice([-1, 1]) * math.ldexp(r.uniform(0.5, 1), r.choice([0, -1, -5, -20, -40, -60, -1030]))
            for _ in range(count)
        ]
        return np.array(values)
    info = np.iinfo(FORMATS[kind])
    edges = [0, info.max, info.min, info.max - 1, 1, 3, 5]
    return np.array([r.choice([r.randint(info.min, info.max), *edges]) for _ in range(count)], FORMATS[kind])


def exact_word(x: Any, shift: int) -> int:
    numerator, denominator = x.item().as_integer_ratio()
    return fixed_model.half_away(numerator * 2 ** max(shift, 0), denominator * 2 ** max(-shift, 0))


@pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("kind", FORMATS)
def test_slots_go_in(kind: int, is_complex: bool) -> None:
    r = random.Random(kind)
    places = fixed_model.places(256)
    for bits in WIDTHS:
        fixed = Fixed(8, bits)
        own = 1 if kind == BINARY64 else 8 * np.dtype(FORMATS[kind]).itemsize
        for bound in (own, own + 1, own + 7, own + 40, own + 63, own + 64, own + 100):
            values = random_numbers(kind, r.choice([128, 77]) * (1 + is_complex), r)
            exponent = r.choice([0, 5, -9])
            status, re, im = fixed.load(values, layout_of(values, is_complex, exponent, bound + exponent))
            assert status == "RS_OK"
            parts = values.reshape(-1, 2) if is_complex else np.stack([values, np.zeros_like(values)], 1)
            want_re, want_im = [0] * 128, [0] * 128
            for (at, conjugated), (x, y) in zip(places, parts, strict=False):
                want_re[at] = exact_word(x, bits - 1 - bound)
                want_im[at] = exact_word(y, bits - 1 - bound) * (-1 if conjugated else 1)
            assert re.tolist() == want_re
            assert im.tolist() == want_im


@pytest.mark.parametrize("kind", FORMATS)
def test_slots_that_do_not_fit_are_refused(kind: int) -> None:
    for bits in WIDTHS:
        fixed = Fixed(8, bits)
        for is_complex in (False, True):
            for x, bound in ((1, 0), (1, -1), (1, -40), (1, -900), (-1, 0), (3, 1), (100, 6), (-64, 6), (-128, 7)):
                if kind in (UINT8, UINT16) and x < 0:
                    continue
                for at in (0, 1, 5):
                    values = np.zeros(20, FORMATS[kind])
                    values[at] = x
                    status, re, im = fixed.load(values, layout_of(values, is_complex, 0, bound))
                    assert status == "RS_ERR_VALUE_RANGE", (bits, x, bound)
                    assert not re.any()
                    assert not im.any()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_slots_that_are_not_finite_are_refused(bad: float) -> None:
    values = np.zeros(128)
    values[99] = bad
    for bound in (0, 1023):
        assert Fixed(8, 32).load(values, layout_of(values, False, 0, bound))[0] == "RS_ERR_NOT_FINITE"


@pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("kind", FORMATS)
def test_slots_come_out(kind: int, is_complex: bool) -> None:
    r = random.Random(kind)
    places = fixed_model.places(256)
    for bits in WIDTHS:
        fixed = Fixed(8, bits)
        limit = 1 << bits - 1
        re, im = (reference.integers(random_word(r, bits) for _ in range(128)) for _ in range(2))
        for shift in (0, -1, -(bits - 6), -(bits - 2), -bits, 3, 20, -70):
            bound = r.choice([0, 4, -6])
            exponent = bound - (bits - 2) - shift
            layout = layout_of(np.zeros(128 * (1 + is_complex), FORMATS[kind]), is_complex, exponent, bound)
            status, values = fixed.store(re, im, layout)
            if kind == BINARY64:
                want: list[Any] = []
                for at, conjugated in places:
                    numbers = [re[at], -im[at] if conjugated else im[at]][: 1 + is_complex]
                    want += [math.ldexp(float(int(x)), shift) for x in numbers]
                assert values.tolist() == want
                assert not np.signbit(values[values == 0]).any()
                continue
            info = np.iinfo(FORMATS[kind])
            want = []
            for at, conjugated in places:
                numbers = [fixed_model.shifted(int(x), shift) for x in (re[at], im[at])][: 1 + is_complex]
                want += [-x if conjugated and k else x for k, x in enumerate(numbers)]
            if all(info.min <= x <= info.max for x in want) and not (
                is_complex and kind == INT64 and -limit in (*re, *im)
            ):
                assert status == "RS_OK"
                assert values.tolist() == want
            elif status == "RS_OK":
                assert values.tolist() == want
            else:
                assert status == "RS_ERR_VALUE_RANGE"
                assert not values.any()
            if shift <= -bits or (kind == INT64 and shift == 0 and bits < 64):
                assert status == ("RS_OK" if min(want) >= info.min else "RS_ERR_VALUE_RANGE")


def test_numbers_that_do_not_fit_come_out_as_an_error() -> None:
    fixed = Fixed(8, 32)
    zero = reference.integers([0] * 128)
    for kind in (INT8, UINT8, INT16, UINT16, INT32):
        info = np.iinfo(FORMATS[kind])
        for x, fits in ((info.max, True), (info.max + 1, False), (info.min, True), (info.min - 1, False)):
            layout = layout_of(np.zeros(128, FORMATS[kind]), False, 0, 30)  # a unit of the word is one
            if abs(x) < 1 << 31 or x == -(1 << 31):
                re = zero.copy()
                re[77] = int(x)
                status, values = fixed.store(re, zero, layout)
                assert status == ("RS_OK" if fits else "RS_ERR_VALUE_RANGE"), (kind, x)
                assert bool(values.any()) == (fits and x != 0)


# ---- encode ---------------------------------------------------------------------------------------------------------
N = 512


CONTEXT = core.Context(core.params_from_bits(N, [50, 30, 40, 60, 20, 60]))


def encode(fixed: Fixed, values: Any, layout: Any, scale: float, limbs: int) -> tuple[str, core.Plain]:
    plain = core.Plain(CONTEXT, limbs, ntt=True)
    given = {**operands(fixed, plain, values, layout), "scale": scale, "limb_count": limbs}
    return core.status_name(lib.rs_encode(request("rs_encode_request_t", **given))), plain


def operands(fixed: Fixed, plain: core.Plain, values: Any, layout: Any) -> dict[str, Any]:
    members = {name: getattr(layout, name) for name in ("is_complex", "exponent", "bound")}
    given = {"layout": ffi.new("rs_layout_t *", {"format": layout.format + 1, **members}), "count": layout.count}
    given |= {"context": CONTEXT.pointer, "fixed": fixed.pointer, "plaintext": plain.pointer}
    return given | {"values": ffi.from_buffer(values)}


def decode_status(fixed: Fixed, plain: core.Plain, values: Any, layout: Any) -> str:
    given = operands(fixed, plain, values, layout)
    return core.status_name(lib.rs_decode(request("rs_decode_request_t", **given)))


@pytest.mark.parametrize("bits", WIDTHS)
def test_encoded_residues(bits: int) -> None:
    """Words, perhaps times a factor, then exact integers: a shift, half away from zero, each modulo every prime."""
    fixed, words = Fixed(9, bits), Words(bits)
    r = np.random.default_rng(bits)
    pixels = r.integers(0, 256, N // 2).astype(np.uint8)
    doubles = r.uniform(-1.9, 1.9, N)
    for values, layout in ((pixels, layout_of(pixels, False, -8, 1)), (doubles, layout_of(doubles, True, 0, 2))):
        _, re, im = fixed.load(values, layout)
        coded = np.concatenate(words.transform(re, im, True))
        cases = itertools.product((10, bits - 4, 40, bits + 30), (1.0, *NO_POWERS), (5, 3))
        for log2_scale, mantissa, limbs in cases:
            scale = mantissa * 2.0**log2_scale
            status, plain = encode(fixed, values, layout, scale, limbs)
            if log2_scale + 4 >= sum([50, 30, 40, 60, 20][:limbs]):
                continue
            assert status == "RS_OK"
            assert plain.pointer.scale == scale
            assert plain.pointer.form == lib.RS_FORM_NTT
            assert plain.pointer.limb_count == limbs
            want = [coefficient(int(c), scale, bits, layout.bound) for c in coded]
            for limb, q in enumerate(CONTEXT.moduli[:limbs]):
                assert CONTEXT.intt(limb, plain.ntt[limb]).tolist() == [c % q for c in want]


def test_encode_is_near_the_encoder_of_doubles() -> None:
    r = np.random.default_rng(5)
    z = (r.uniform(-1, 1, N // 2) + 1j * r.uniform(-1, 1, N // 2)) * 0.7
    flat = z.view(np.float64).copy()
    scales = ((32, 2.0**30), (54, 2.0**48), (64, 2.0**48), (32, 1.3e9), (54, 3e14), (64, 2**80 / CONTEXT.moduli[2]))
    for bits, scale in scales:
        status, plain = encode(Fixed(9, bits), flat, layout_of(flat, True), scale, 3)
        assert status == "RS_OK"
        got = reference.centred(reference.integers(CONTEXT.intt(0, plain.ntt[0])), CONTEXT.moduli[0])
        assert np.abs(got - reference.integers(CONTEXT.encode(z, scale, 3).coef)).max() <= 3


def test_encode_overflow_is_seals_rule() -> None:
    """As of rs_encode: refused when ceil(log2(largest coefficient)) + 1 reaches the bits of the modulus."""
    for bits in WIDTHS:
        fixed = Fixed(9, bits)
        for limbs in (1, 2):
            total = math.prod(CONTEXT.moduli[:limbs]).bit_length()
            for value, bound in ((1, 1), (1, 3), (2, 2)):
                values = np.full(N // 2, value, np.int8)
                for log2_scale, mantissa in itertools.product(range(total - 6, total + 2), (1, 1.5)):
                    layout = layout_of(values, False, 0, bound)
                    status, plain = encode(fixed, values, layout, mantissa * 2.0**log2_scale, limbs)
                    if log2_scale + 1 >= total:
                        assert status == "RS_ERR_SCALE"
                    else:
                        refused = log2_scale + math.ceil(math.log2(value * mantissa)) + 1 >= total
                        assert status == ("RS_ERR_OVERFLOW" if refused else "RS_OK")
                        assert bool(plain.ntt.any()) != refused


# ---- decode ---------------------------------------------------------------------------------------------------------
def times(word: int, factor: int, bits: int) -> int:
    """word factor 2^-W, halves away from zero: rs_fixed_times."""
    magnitude = abs(word) * factor + (1 << bits - 1) >> bits
    return -magnitude if word < 0 else magnitude


def test_words_times_a_factor() -> None:
    r = random.Random(3)
    over = ffi.new("uint32_t *")
    for bits in range(24, 65):
        limit = 1 << bits - 1
        words = [0, 1, -1, limit - 1, 1 - limit, *(random_word(r, bits) for _ in range(60))]
        factors = [
            1, 2, limit, limit + 1, 2 * limit - 1, *(abs(random_word(r, bits + 1)) % (2 * limit) for _ in range(40)),
        ]  # fmt: skip
        for word in words:
            for factor in factors:
                over[0] = 0
                got = lib.rs_fixed_times(bits, word, factor, over)
                assert (got, over[0]) == ((0, 1) if word == -limit else (times(word, factor, bits), 0))
        over[0] = 1  # stays
        assert lib.rs_fixed_times(bits, 3, limit, over) == 2
        assert over[0] == 1


@pytest.mark.parametrize("bits", WIDTHS)
def test_a_digit_times_a_scale(bits: int) -> None:
    """Digits become words within the bound of docs/encoding.md, and the largest digit is in range wherever the slots are."""
    r = random.Random(bits)
    scales, plain, over = ffi.new("rs_fixed_scale_t[2]"), ffi.new("rs_plaintext_t *"), ffi.new("uint32_t *")
    limbs, used = ffi.new("uint32_t *"), set()
    exponents = (-3, 0, 20, 29, 47, 61, 90)
    q0, q1 = CONTEXT.moduli[:2]
    for given, log_scale, mantissa, bound in itertools.product(
        (1, 2), exponents, (1, 1 + 2**-52, 1.25, 1.9999, 2 - 2**-52), (-9, 0, 7, 40)
    ):
        plain.scale, plain.limb_count = mantissa * 2.0**log_scale, given
        assert lib.rs_decode_fixed_scales(CONTEXT.pointer, bits, plain, bound, scales, limbs) == 0
        # the second limb is read where its least digit is a word
        above = given == 2 and Fraction(plain.scale) * Fraction(2) ** bound > q0
        assert limbs[0] == 1 + above
        used.add(limbs[0])
        for limb in range(limbs[0]):
            exact = Fraction(q0 if limb else 1) * Fraction(2) ** (bits - 2 - bound) / Fraction(plain.scale)
            half = (q1 if limb else q0) // 2
            least, most = (0, q0 - 1) if above and not limb else (-half, half)
            digits = [most, least, 1, 0, *(r.randrange(least, most + 1) >> r.randrange(60) for _ in range(9))]
            for digit in digits:
                over[0] = 0
                word = lib.rs_fixed_scale(bits, digit, scales[limb], over)
                if abs(digit * exact) < 2 ** (bits - 2):  # slots up to 2^bound
                    assert not over[0]
                if not over[0]:
                    clipped = scales[limb].factor == (1 << bits) - 1
                    assert abs(word - digit * exact) <= Fraction(6 if clipped else 5, 4)
                if abs(digit * exact) >= 2 ** (bits - 1):
                    assert over[0]
    assert used == {1, 2}


@pytest.mark.parametrize("bits", WIDTHS)
def test_sums_of_words(bits: int) -> None:
    r, over = random.Random(bits), ffi.new("uint32_t *")
    limit = 1 << bits - 1
    words = [0, 1, -1, limit - 1, -limit, *(random_word(r, bits) for _ in range(40))]
    for x, y in itertools.product(words, repeat=2):
        over[0] = 0
        got = lib.rs_fixed_sum(bits, x, y, over)
        assert (got, over[0]) == ((x + y + limit) % (2 * limit) - limit, not -limit <= x + y < limit)
    over[0] = 1  # stays
    assert lib.rs_fixed_sum(bits, 1, 2, over) == 3
    assert over[0] == 1


def decode(fixed: Fixed, plain: core.Plain, layout: Any) -> tuple[str, Any]:
    values = np.zeros(layout.count * (2 if layout.is_complex else 1), FORMATS[layout.format])
    status = decode_status(fixed, plain, values, layout)
    assert not plain.ntt[: plain.limbs].any()
    return status, values


def scale_word(digit: int, radix: int, scale: float, digit_bits: int, bits: int, bound: int, first: bool) -> int:
    """A digit below 2^digit_bits as a word, from the definition in docs/encoding.md: digit radix 2^(W - 2 - bound) / scale."""
    numerator, denominator = scale.as_integer_ratio()
    if first and (numerator == 1 or (denominator == 1 and numerator & (numerator - 1) == 0)):
        return fixed_model.shifted(digit, bits - 2 - bound - round(math.log2(scale)))
    top, bottom = radix * denominator, numerator
    move = bits - 2 - bound
    top, bottom = top << max(move, 0), bottom << max(-move, 0)
    log_factor = 0  # floor(log2(top / bottom))
    while top >= bottom << max(log_factor + 1, 0) and top << max(-log_factor - 1, 0) >= bottom << max(
        log_factor + 1, 0
    ):
        log_factor += 1
    while top << max(-log_factor, 0) < bottom << max(log_factor, 0):
        log_factor -= 1
    too_long = bits - 1 - digit_bits
    left = max(log_factor + 1, too_long - 1 if too_long < 0 else 0)
    power = bits - left
    constant = fixed_model.half_away(top << max(power, 0), bottom << max(-power, 0))
    constant = min(constant, (1 << bits) - 1)
    return times(fixed_model.shifted(digit, left), constant, bits)


@pytest.mark.parametrize("limbs", [1, 2])
@pytest.mark.parametrize("bits", WIDTHS)
def test_decoded_slots(bits: int, limbs: int) -> None:
    """Digits, words, transform and numbers, each as the model has it."""
    fixed = Fixed(9, bits)
    r = random.Random(bits + limbs)
    q0, q1 = CONTEXT.moduli[:2]
    seen = set()  # whether the second limb was read
    for factor, bound in (
        (2.0**20, 0),
        (2.0**47, 0),
        (2.0**40, 3),
        (3.7 * 2.0**38, 0),
        (1234567.5, 3),
        (2.0**47 * 1.999999, 3),
        (2.0**27, 0),
        (2.0**26, 3),
        (2.0**27 * 1.5, 3),
    ):
        scale = factor * 2.0**20 if limbs == 2 else factor
        size = min(scale * 2**bound / 3, math.prod(CONTEXT.moduli[:limbs]) / 2.5)
        coefficients = [int(r.gauss(0, size / 60)) for _ in range(N)]
        words = Words(bits)
        coded = []
        both = limbs == 2 and Fraction(scale) * 2**bound > q0
        seen.add(both)
        for c in coefficients:
            if both:
                d1, r0 = divmod(c, q0)
                lower = scale_word(r0, 1, scale, q0.bit_length(), bits, bound, True)
                coded.append(lower + scale_word(d1, q0, scale, q1.bit_length() - 1, bits, bound, False))
            else:
                assert abs(c) <= q0 // 2
                coded.append(scale_word(c, 1, scale, q0.bit_length() - 1, bits, bound, True))
        points = reference.integers(coded[: N // 2]), reference.integers(coded[N // 2 :])
        re, im = words.transform(*points, False)
        assert not words.over
        want = []
        for at, conjugated in fixed_model.places(N):
            want += [float(re[at]), float(-im[at] if conjugated else im[at])]
        layout = layout_of(np.zeros(N), True, 0, bound)
        status, values = decode(fixed, core.plain_from_message(CONTEXT, coefficients, scale, limbs), layout)
        assert status == "RS_OK"
        assert values.tolist() == [math.ldexp(x, bound - (bits - 2)) for x in want]
        exact = reference.embed(np.array(coefficients, np.longdouble) / np.longdouble(scale))
        assert np.abs(values.view(np.complex128) - exact).max() < 2.0 ** (bound - (bits - 2)) * 80 + 1e-12
    assert seen == ({False, True} if limbs == 2 else {False})


@pytest.mark.parametrize("bits", WIDTHS)
def test_decoded_slots_out_of_range_are_refused(bits: int) -> None:
    fixed = Fixed(9, bits)
    layout = layout_of(np.zeros(N // 2), False, 0, 0)
    for coefficients in ([2**23], [0] * 7 + [-(2**45)], [2**14] * N):
        for limbs, scale in ((1, 2.0**20), (1, 3e5), (2, 2.0**21)):
            plain = core.plain_from_message(CONTEXT, coefficients + [0] * (N - len(coefficients)), scale, limbs)
            status, values = decode(fixed, plain, layout)
            assert status == "RS_ERR_VALUE_RANGE"
            assert not values.any()


@pytest.mark.parametrize("bits", WIDTHS)
def test_there_and_back(bits: int) -> None:
    """Bytes to residues and back to the same bytes."""
    fixed = Fixed(9, bits)
    pixels = np.random.default_rng(1).integers(0, 256, N // 2).astype(np.uint8)
    layout = layout_of(pixels, False, 0, 8)
    for limbs, scale in ((1, 2.0**30), (2, 2.0**45), (1, 2.0**22), (1, 1.7 * 2.0**29), (2, 1.3 * 2.0**44)):
        status, plain = encode(fixed, pixels, layout, scale, limbs)
        assert status == "RS_OK"
        status, values = decode(fixed, plain, layout_of(pixels, False, 0, 10))
        if pixels.max() < 256 and status == "RS_OK":
            assert values.tolist() == pixels.tolist()
        assert status == "RS_OK"


# ---- bad arguments --------------------------------------------------------------------------------------------------
def test_bad_tables() -> None:
    made = ffi.new("rs_fixed_t const **")
    at, size = core.words_at(np.zeros(4096, np.uint64)), 8 * 4096

    def status(*arguments: Any) -> str:
        return core.status_name(lib.rs_fixed_init(*arguments))

    for bits in (0, 23, 65, 2**32 - 1):
        assert status(made, at, size, 10, bits) == "RS_ERR_WORD_BITS"
    for log_n in (0, 1, 18, 2**32 - 1):
        assert lib.rs_fixed_size(log_n) == 0
        assert status(made, at, size, log_n, 32) == "RS_ERR_DEGREE"
    assert status(ffi.NULL, at, size, 10, 32) == "RS_ERR_NULL"
    assert status(made, ffi.NULL, size, 10, 32) == "RS_ERR_NULL"
    assert status(made, at, lib.rs_fixed_size(10) - 1, 10, 32) == "RS_ERR_TOO_SMALL"
    assert status(made, ffi.cast("char *", at) + 4, size - 8, 10, 32) == "RS_ERR_ALIGNMENT"


def test_bad_layouts() -> None:
    fixed = Fixed(9, 32)
    values = np.zeros(N // 2 + 1)
    zero = reference.integers([0] * (N // 2))
    good = [BINARY64, 0, N // 2, 0, 0]
    cases = [
        ([7, 0, 3, 0, 0], "RS_ERR_LAYOUT"),
        ([*good[:3], 1024, 0], "RS_ERR_LAYOUT"),
        ([*good[:3], 0, -1024], "RS_ERR_LAYOUT"),
        ([BINARY64, 0, N // 2 + 1, 0, 0], "RS_ERR_VALUE_COUNT"),
    ]
    for fields, want in cases:
        layout = ffi.new("rs_fixed_layout_t *", fields)
        assert fixed.load(values, layout)[0] == want
        words = np.zeros(N // 2, np.int64)
        pointer = ffi.from_buffer(values)
        assert (
            core.status_name(lib.rs_fixed_store(fixed.pointer, pointer, layout, signed_at(words), signed_at(words)))
            == want
        )
        assert encode(fixed, values, layout, 2.0**20, 1)[0] == want
    layout = ffi.new("rs_fixed_layout_t *", [BINARY64, 0, 1, 1000, -1000])
    assert fixed.store(zero, zero, layout)[0] == "RS_ERR_LAYOUT"  # no double is so small


def test_bad_operations() -> None:
    fixed, other = Fixed(9, 32), Fixed(10, 32)
    values = np.zeros(N // 2)
    layout = layout_of(values)
    assert encode(fixed, values, layout, 2.0**20, 6)[0] == "RS_ERR_LEVEL"
    for scale in (2.0**49, 2.0**-1023, 0.0, -1.0, math.nan, math.inf, -math.inf):
        assert encode(fixed, values, layout, scale, 1)[0] == "RS_ERR_SCALE"
    assert encode(other, values, layout, 2.0**20, 1)[0] == "RS_ERR_MISMATCH"
    assert decode_status(fixed, core.plain_from_message(CONTEXT, [1] * N, 2.0**20, 3), values, layout) == "RS_ERR_LEVEL"
    plain = core.plain_from_message(CONTEXT, [1] * N, 2.0**20, 1)
    assert decode_status(other, plain, values, layout) == "RS_ERR_MISMATCH"
    plain.pointer.form = lib.RS_FORM_COEF
    assert decode_status(fixed, plain, values, layout) == "RS_ERR_FORM"
    plain.pointer.form = lib.RS_FORM_NTT
    for scale in (0.0, -1.0, math.nan, math.inf, 5e-324):
        plain.pointer.scale = scale
        assert decode_status(fixed, plain, values, layout) == "RS_ERR_SCALE"
