# SPDX-License-Identifier: Apache-2.0
"""Encode and decode against the O(N^2) canonical embedding in extended precision, and exact decoding against Python integers."""

import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from oracle import core, reference
from ringside.native.library import ffi, lib

N = 1024
EPSILON = 2.0**-53


CONTEXT = core.Context(core.params_from_bits(N, [60, 40, 20, 50, 60, 60]))


def values(kind: str, seed: int) -> np.ndarray:
    r = np.random.default_rng(seed)
    if kind == "real":
        return r.uniform(-1, 1, N // 2)
    if kind == "complex":
        return r.uniform(-1, 1, N // 2) + 1j * r.uniform(-1, 1, N // 2)
    if kind == "few":
        return r.uniform(-1, 1, 5)
    if kind == "one":
        return np.eye(1, N // 2, 77).ravel()
    return np.full(N // 2, 3.25 - 1.5j)  # constant


# ---- encode ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["real", "complex", "few", "one", "constant"])
@pytest.mark.parametrize("scale", [2.0**20, 2.0**30, 2.0**40, 1234567.891, 2.0**52])
def test_encode_is_the_inverse_embedding(kind: str, scale: float) -> None:
    z = values(kind, 1)
    padded = np.zeros(N // 2, np.complex128)
    padded[: len(z)] = z
    exact = reference.unembed(padded) * np.longdouble(scale)
    got = CONTEXT.encode(z, scale).coef
    assert (got == np.rint(got)).all()
    # error of the transform: at most a few eps log2 N times the size of the largest partial sum
    slack = 4 * EPSILON * math.log2(N) * scale * float(np.abs(padded).max())
    assert np.abs(got - exact).max() <= 0.5 + slack
    # the nearest integer, wherever the exact value is not within the error of a half
    nearest = np.rint(exact)
    decided = np.abs(np.abs(exact - nearest) - 0.5) > slack
    assert (got[decided] == nearest[decided]).all()
    assert decided.mean() > 1 - 4 * max(slack, 1e-6) or slack > 0.1


def test_encode_rounds_halves_away_from_zero() -> None:
    """A real constant c encodes to the polynomial c: exact halves, without any rounding before."""
    for value in (0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, -0.49999999999999994):
        for scale in (1.0, 2.0):
            got = CONTEXT.encode(np.full(N // 2, value), scale).coef
            want = math.copysign(math.floor(abs(value) * scale + 0.5), value)
            if abs(value) < 0.5 and scale == 1:
                want = 0.0  # floor(x + 1/2) rounds in the addition
            assert got[0] == want
            assert not got[1:].any()


def test_encode_wide_values() -> None:
    z = values("complex", 2)
    for scale in (2.0**90, 2.0**150):
        exact = reference.unembed(z) * np.longdouble(scale)
        got = CONTEXT.encode(z, scale).coef
        assert np.abs(got - exact).max() <= (4 * EPSILON * math.log2(N) * scale * np.sqrt(2.0))


def test_encode_at_every_level() -> None:
    z = values("real", 3)
    coefs = [CONTEXT.encode(z, 2.0**15, limbs).coef for limbs in range(1, 6)]
    assert all((c == coefs[0]).all() for c in coefs)


def test_encode_overflow_is_seals_rule() -> None:
    """Refused when ceil(log2(largest coefficient)) + 1 reaches the bits of the modulus (ckks.h, encode_internal)."""
    for limbs in range(1, 6):
        bits = math.prod(CONTEXT.moduli[:limbs]).bit_length()
        for exponent in (bits - 3, bits - 2, bits - 1):
            for factor in (1.0, 1 + 2 * EPSILON, 1.999):
                value = 2.0 ** (exponent - 10) * factor
                largest = value * 2.0**10
                refused = math.ceil(math.log2(largest) - 1e-18) + 1 >= bits
                if factor == 1 + 2 * EPSILON:
                    refused = exponent + 2 >= bits
                plain = core.Plain(CONTEXT, limbs)
                status = CONTEXT.encode_status(plain, np.full(N // 2, value), N // 2, 2.0**10)
                assert core.status_name(status) == ("RS_ERR_OVERFLOW" if refused else "RS_OK")
                if refused:
                    assert not plain.coef.any()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_encode_refuses_what_is_not_finite(bad: float) -> None:
    for position in (0, 100, N // 2 - 1):
        z = np.zeros(N // 2)
        z[position] = bad
        plain = core.Plain(CONTEXT, 1)
        assert core.status_name(CONTEXT.encode_status(plain, z, N // 2, 2.0**10)) == "RS_ERR_NOT_FINITE"


# ---- numbers too small to matter ------------------------------------------------------------------------------------
ENCODING_PAGE = Path(__file__).resolve().parents[2] / "docs" / "encoding.md"
FLOOR_BITS = 80


def granule_bits(log_n: int) -> int:
    """Numbers that are at least 1 or zero at first are multiples of 2^-x after all stages of a transform; this gives x."""
    bits = 52
    for log_blocks in range(log_n - 1):
        blocks = 2**log_blocks
        angles = math.pi / (4 * blocks) * (4 * np.arange(blocks) + 1)
        smallest = min(np.abs(np.cos(angles)).min(), np.abs(np.sin(angles)).min())
        bits += 52 + math.ceil(-math.log2(smallest))
    return bits


def test_the_page_on_encoding_says_where_nothing_is_subnormal() -> None:
    text = ENCODING_PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| 2\^(\d+) \| (\d+|none) \| (\d+|none) \|$", text, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(range(12, 18))
    for log_n, encode, decode in rows:
        lost = granule_bits(int(log_n))
        # the smallest number is 2^-80 / S at first; a quotient of a non-zero integer and the scale exceeds 1 / 2S
        limits = [1022 - FLOOR_BITS - lost, 1022 - 1 - lost]
        # the last product, by scale / N, gives at least that power of two
        assert encode == "none" or FLOOR_BITS + lost + int(log_n) - 1 <= 1022
        assert [encode, decode] == [str(limit) if limit >= 0 else "none" for limit in limits]


@pytest.mark.parametrize("scale", [1.0, 2.0**40, 3e12, 2.0**150])
def test_encode_drops_what_is_too_small(scale: float) -> None:
    floor = 2.0 ** -(FLOOR_BITS + math.floor(math.log2(scale)))
    r = np.random.default_rng(8)
    ordinary = r.uniform(-1, 1, N // 2) + 1j * r.uniform(-1, 1, N // 2)
    tiny = floor * ordinary / 2
    want = CONTEXT.encode(np.where(np.arange(N // 2) % 3, ordinary, 0), scale).coef
    for small in (tiny, tiny * 1e-200, np.full(N // 2, 5e-324 - 5e-324j)):
        assert (CONTEXT.encode(np.where(np.arange(N // 2) % 3, ordinary, small), scale).coef == want).all()
        assert not CONTEXT.encode(small, scale).coef.any()


# ---- slots ----------------------------------------------------------------------------------------------------------
def test_slot_positions_follow_powers_of_three() -> None:
    conjugated = ffi.new("uint32_t *")
    order = reference.bit_reversed(N)
    for slot, exponent in enumerate(reference.slot_exponents(N)):
        position = int(order[(exponent - 1) // 2])
        at = lib.rs_slot_position(CONTEXT.pointer, slot, conjugated)
        assert conjugated[0] == (position >= N // 2)
        assert at == (N - 1 - position if position >= N // 2 else position)


# ---- decode ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("limbs", [1, 2, 3, 5])
@pytest.mark.parametrize("scale", [2.0**20, 2.0**30, 2.0**40])
def test_decode_is_the_embedding(limbs: int, scale: float) -> None:
    r = random.Random(limbs)
    message = [r.randrange(-int(scale), int(scale) + 1) for _ in range(N)]
    got = CONTEXT.decode(core.plain_from_message(CONTEXT, message, scale, limbs))
    want = reference.embed(np.array(message, np.longdouble) / np.longdouble(scale))
    assert np.abs(got - want).max() < 8 * EPSILON * math.log2(N) * math.sqrt(N)


@pytest.mark.parametrize("kind", ["real", "complex", "few", "one", "constant"])
def test_decode_inverts_encode(kind: str) -> None:
    z = values(kind, 4)
    for limbs in (1, 3, 5):
        scale = 2.0**45
        plain = CONTEXT.encode(z, scale, limbs)
        rows = np.zeros((limbs, N), np.uint64)
        for limb in range(limbs):
            row = rows[limb]
            core.ok(lib.rs_plaintext_limb(CONTEXT.pointer, plain.pointer, limb, core.words_at(row)))
            q = CONTEXT.moduli[limb]
            assert CONTEXT.intt(limb, row).tolist() == [int(c) % q for c in plain.coef]
        got = CONTEXT.decode(core.plain_from_integers(CONTEXT, rows, scale, limbs), len(z))
        # each coefficient is off by at most 1/2: N/2 at most, its typical size is the root of N/12
        assert np.abs(got - z).max() < 6 * math.sqrt(N / 12) / scale


def exact_doubles(context: core.Context, message: list[int], scale: float) -> np.ndarray:
    """What decode must compute: each integer to the nearest double (ties to even), over the scale, then the core's FFT."""
    x = np.array([float(m) / scale for m in message])
    re, im = x[: N // 2].copy(), x[N // 2 :].copy()
    lib.rs_fft_forward(context.pointer, core.doubles_at(re), core.doubles_at(im))
    out = []
    order = reference.bit_reversed(N)
    for exponent in reference.slot_exponents(N):
        position = int(order[(exponent - 1) // 2])
        if position < N // 2:
            out.append(complex(re[position], im[position]))
        else:
            out.append(complex(re[N - 1 - position], -im[N - 1 - position]))
    return np.array(out)


def edge_integers(product: int, r: random.Random) -> list[int]:
    """Extremes of the centred range, ties and near-ties of rounding to double, powers of two, and everything between."""
    half = (product - 1) // 2
    out = [0, 1, half, half - 1, half // 2]
    for bits in range(1, half.bit_length()):
        out += [2**bits - 1, 2**bits, 2**bits + 1]
        if bits >= 54:
            kept = (r.randrange(2**52) | 2**52) << (bits - 53)
            tie = 1 << (bits - 54)
            out += [kept + tie - 1, kept + tie, kept + tie + 1, 2**bits - tie, 2**bits - tie - 1]
        out.append(r.randrange(2**bits))
    out = [x for x in out if x <= half]
    return [s * x for x in out for s in (1, -1)]


SETS = [
    [60],
    [20, 20],
    [30, 33],  # products around the width of a word
    [30, 34],
    [31, 33],
    [60, 40, 20, 50, 60],
    [14, 20, 60, 15],
    [60] * 10,
    [55] * 18,  # 990 bits: within the range of a double
]


@pytest.mark.parametrize("bits", SETS)
def test_decode_is_exact(bits: list[int]) -> None:
    context = core.Context(core.params_from_bits(N, [*bits, 59]))
    limbs = len(bits)
    product = math.prod(context.moduli[:limbs])
    r = random.Random(product)
    edges = edge_integers(product, r)
    for q in context.moduli[:limbs]:  # around the limits of the mixed-radix digits
        edges += [s * (q // 2 + d) for s in (1, -1) for d in (-1, 0, 1, 2)]
    partial = 1
    for q in context.moduli[: limbs - 1]:
        partial *= q
        edges += [s * (partial // 2 + d) for s in (1, -1) for d in (-1, 0, 1, 2)]
    edges = [e for e in edges if abs(e) <= (product - 1) // 2]
    scales = [1.0, 3.0, 2.0**20, 2.0**90 if product.bit_length() > 92 else 2.0**15]
    for start in range(0, len(edges), N):
        message = edges[start : start + N]
        message += [0] * (N - len(message))
        for scale in scales:
            got = context.decode(core.plain_from_message(context, message, scale, limbs))
            assert got.tobytes() == exact_doubles(context, message, scale).tobytes()
    # Alone, so that nothing else makes the fast path give up: one coefficient, which every slot shows unchanged.
    for value in [*edges[:6], *r.sample(edges, min(60, len(edges)))]:
        for scale in scales[1:]:
            got = context.decode(core.plain_from_message(context, [value] + [0] * (N - 1), scale, limbs), 4)
            assert (got == float(value) / scale).all()


def test_decode_near_the_headroom() -> None:
    """Values around the size from which the fast path must fall back on all digits."""
    context = core.Context(core.params_from_bits(N, [40, 40, 40, 40, 59]))
    product = math.prod(context.moduli[:4])
    r = random.Random(5)
    for scale_bits in range(10, 140, 3):
        scale = 2.0**scale_bits
        for exponent in range(scale_bits + 15, min(scale_bits + 70, product.bit_length() - 1)):
            value = r.randrange(2 ** (exponent - 1), 2**exponent) * r.choice((1, -1))
            at = r.randrange(N)
            message = [0] * N
            message[at] = value
            got = context.decode(core.plain_from_message(context, message, scale, 4), 3)
            assert got.tobytes() == exact_doubles(context, message, scale)[:3].tobytes()


def test_decode_beyond_double() -> None:
    """64 limbs of 60 bits: integers up to 2^3839, of which a double holds those up to 2^1024."""
    context = core.Context(core.params_from_bits(N, [60] * 64))
    limbs = 63
    half = (math.prod(context.moduli[:limbs]) - 1) // 2
    for value, scale in ((half, 1.0), (-half, 1.0), (2**1100, 2.0**60)):
        plain = core.plain_from_message(context, [value] + [0] * (N - 1), scale, limbs)
        assert len(context.decode(plain, 4, lib.RS_ERR_VALUE_RANGE)) == 4
    largest = int(np.finfo(np.float64).max)
    for value, scale in (
        (largest, 1.0),
        (-largest, 1.0),
        (largest * 2**200, 2.0**200),
        (2**1022 * 3**100, 2.0**500),
        (-(3**900), 2.0**700),
    ):
        got = context.decode(core.plain_from_message(context, [value] + [0] * (N - 1), scale, limbs), 4)
        shift = max(0, value.bit_length() - 1000)
        rounded = float(value >> shift | 1) if shift > 64 else float(value)
        assert (got == math.ldexp(rounded / scale, shift if shift > 64 else 0)).all()


# ---- limbs needed ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bits", [[60, 40, 20, 50, 60, 60], [14, 20, 60, 15], [60] * 20])
def test_limbs_needed(bits: list[int]) -> None:
    context = core.Context(core.params_from_bits(N, bits))
    r = random.Random(6)
    for _ in range(2000):
        scale = 2.0 ** r.uniform(0, sum(bits) * 0.8)
        max_abs = 2.0 ** r.uniform(-10, 40)
        noise = r.randrange(0, 60)
        limb_count = r.randrange(1, len(bits) + 1)
        bound = 2 * (int(scale * max_abs) + 2**noise)
        product, want = 1, 0
        for limbs, q in enumerate(context.moduli[:limb_count], 1):
            product *= q
            if bound < product:
                want = limbs
                break
        got = lib.rs_limbs_needed(context.pointer, limb_count, scale, max_abs, noise)
        close = want and product * (1 - 1e-6) < bound
        assert got == want or (close and got in (0, want + 1)) or (bound >= 2**1000 and got == 0)
        if got:  # never too few
            assert bound < math.prod(context.moduli[:got])


def test_limbs_needed_refuses_nonsense() -> None:
    for scale, max_abs, noise, limbs in (
        (0.0, 1.0, 20, 5),
        (-1.0, 1.0, 20, 5),
        (math.nan, 1.0, 20, 5),
        (math.inf, 1.0, 20, 5),
        (2.0**20, math.nan, 20, 5),
        (2.0**20, -1.0, 20, 5),
        (2.0**20, math.inf, 20, 5),
        (2.0**20, 1.0, 1001, 5),
        (2.0**20, 1.0, 20, 7),
        (2.0**20, 1.0, 20, 0),
    ):
        assert lib.rs_limbs_needed(CONTEXT.pointer, limbs, scale, max_abs, noise) == 0
