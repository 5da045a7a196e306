# SPDX-License-Identifier: Apache-2.0
"""Samplers: the same values as written-out rules on the same stream, and the right distributions on 2^22 samples.

Seeds are fixed, so a statistical test that passes once passes always. Each statistic is given in standard deviations of its own
distribution for the number of samples at hand, and may reach SIGMAS of them. RINGSIDE_SOAK=1 takes 2^24 samples (`make soak`).
"""

import math
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from oracle import core, reference
from ringside.native._cdef import ffi
from ringside.native.library import lib

SEED = bytes(range(64))
LOG_MANY = 24 if os.environ.get("RINGSIDE_SOAK") == "1" else 22
MANY = 1 << LOG_MANY
SIGMAS = 4

Small = NDArray[np.int8]
Floats = NDArray[np.float64]


def stream_order(n: int) -> NDArray[np.int64]:
    """x[stream_order(n)] are the values of x in the order in which they came: coefficient brv(k) is value k."""
    order = np.zeros(1, np.int64)
    while len(order) < n:
        order = np.concatenate([2 * order, 2 * order + 1])
    return order


STREAM_ORDER = stream_order(MANY)


def chi_square(observed: NDArray[np.int64], probability: Floats) -> float:
    """Pearson's statistic in standard deviations of its distribution; classes expected less than 10 times are put together."""
    expected = probability * int(observed.sum())
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = len(observed) - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


def moments(x: Floats, variance: float, fourth: float) -> dict[str, float]:
    """Mean and variance of x, whose mean should be 0, given its second and fourth moment; in standard deviations."""
    return {
        "mean": float(x.mean()) / math.sqrt(variance / x.size),
        "variance": (float(np.dot(x, x)) / x.size - variance) / math.sqrt((fourth - variance**2) / x.size),
    }


def correlation(x: Floats, lag: int) -> float:
    """In standard deviations of its distribution for independent samples of mean 0."""
    return float(np.dot(x[:-lag], x[lag:]) / np.dot(x, x)) * math.sqrt(len(x))


def correlations(x: Floats, lags: tuple[int, ...]) -> dict[str, float]:
    """Between neighbouring coefficients, and between neighbours in the order of the stream."""
    streamed = x[STREAM_ORDER]
    near = {f"lag {lag} of coefficients": correlation(x, lag) for lag in lags}
    return near | {f"lag {lag} of the stream": correlation(streamed, lag) for lag in lags}


def beyond(statistics: dict[str, float]) -> list[str]:
    """Those that no sample of the right distribution should have."""
    return [f"{name}: {value:.1f}" for name, value in statistics.items() if not abs(value) < SIGMAS]


# ---- same values as the rules ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("domain", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n", [1, 2, 64, 128, 1024, 2048])
def test_cbd_follows_the_rule(n: int, domain: int) -> None:
    assert core.cbd21(n, SEED, domain).tolist() == reference.cbd21(n, SEED, domain)


@pytest.mark.parametrize("domain", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n", [1, 2, 4, 8, 1024, 4096, 32768])
def test_ternary_follows_the_rule(n: int, domain: int) -> None:
    assert core.ternary(n, SEED, domain).tolist() == reference.ternary(n, SEED, domain)


def test_uniform_follows_seals_rule() -> None:
    """Near 2^60 up to a sixteenth of all words is rejected; just below 2^64 / 17 that is nearly reached."""
    n = 1024
    most_rejected = next(q for q in range(2**64 // 17 // 2048 * 2048 + 1 - 2048 * 1, 0, -2048) if reference.is_prime(q))
    often = next(q for q in range(2**64 // 17 // 2048 * 2048 + 1 + 2048, 2**60, 2048) if reference.is_prime(q))
    assert 2**64 % often / 2**64 > 0.058
    sets = [[often], [often, most_rejected, 12289, often], reference.coeff_modulus(n, [60, 30, 60, 20, 59])]
    for moduli in sets:
        for kind in (core.SHAKE256, core.BLAKE2XB):
            for seed in (SEED, bytes(64), b"\xff" * 64):
                want, rejected = reference.uniform(kind, seed, n, moduli)
                share = sum(2**64 % q / 2**64 for q in moduli) * n
                assert abs(rejected - share) <= SIGMAS * math.sqrt(share) + 1
                assert core.uniform(kind, seed, moduli=moduli, log_n=10).tolist() == want
    assert reference.uniform(core.SHAKE256, SEED, n, sets[1])[1] > 100


def test_uniform_refills_spare_words() -> None:
    """More rejections than one block of 512 replacement words holds."""
    q = next(q for q in range(2**64 // 17 // 8192 * 8192 + 8193, 2**60, 8192) if reference.is_prime(q))
    want, rejected = reference.uniform(core.SHAKE256, SEED, 4096, [q] * 3)
    assert rejected > 512
    assert core.uniform(core.SHAKE256, SEED, 12, [q] * 3).tolist() == want


def test_uniform_checks() -> None:
    state = ffi.new("rs_uniform_t *")
    seed = core.make_seed(SEED)
    for kind in (0, 3):
        assert core.status_name(lib.rs_uniform_init(state, kind, seed, 10, 1)) == "RS_ERR_SEED_TYPE"
    core.ok(lib.rs_uniform_init(state, 2, seed, 10, 1))
    out = np.empty(1024, np.uint64)
    core.ok(lib.rs_uniform_next(state, 12289, core.words_at(out)))
    assert core.status_name(lib.rs_uniform_next(state, 12289, core.words_at(out))) == "RS_ERR_LEVEL"


# ---- distributions --------------------------------------------------------------------------------------------------
def cbd_statistics(x: Small) -> dict[str, float]:
    counts = np.bincount(x.astype(np.int64) + 21, minlength=43)
    weights = np.array([math.comb(42, k) / 2**42 for k in range(43)])
    values = x.astype(np.float64)
    fourth = 3 * 10.5**2 - 10.5 / 2  # the fourth moment of a sum of 42 signs of 1/2: 3 s^4 - s^2/2
    statistics = {"counts": chi_square(counts, weights)}
    return statistics | moments(values, 10.5, fourth) | correlations(values, (1, 2, 68))


def ternary_statistics(x: Small) -> dict[str, float]:
    counts = np.bincount(x.astype(np.int64) + 1, minlength=3)
    values = x.astype(np.float64)
    # the five digits of a byte are independent
    digits = x[STREAM_ORDER][: MANY // 5 * 5].astype(np.int64).reshape(-1, 5) + 1
    fives = digits @ np.array([1, 3, 9, 27, 81])
    statistics = {
        "counts": chi_square(counts, np.full(3, 1 / 3)),
        "bytes": chi_square(np.bincount(fives, minlength=243), np.full(243, 1 / 243)),
    }
    return statistics | moments(values, 2 / 3, 2 / 3) | correlations(values, (1, 4, 5, 136 * 5))


def uniform_statistics(words: core.Words, modulus: int) -> dict[str, float]:
    buckets = 1 << 10
    scaled = words.astype(np.float64) / modulus
    bucket = np.minimum((scaled * buckets).astype(np.int64), buckets - 1)
    edges = [-(-i * modulus // buckets) for i in range(buckets + 1)]
    weights = np.diff(np.array(edges, np.float64)) / modulus
    centred = scaled - 0.5
    statistics = {"counts": chi_square(np.bincount(bucket, minlength=buckets), weights)}
    return statistics | moments(centred, 1 / 12, 1 / 80) | {"lag 1": correlation(centred, 1)}


def test_cbd_distribution() -> None:
    x = core.cbd21(MANY, SEED, core.DOMAIN_E0)
    assert x.min() >= -21
    assert x.max() <= 21
    assert not beyond(cbd_statistics(x))


def test_ternary_distribution() -> None:
    x = core.ternary(MANY, SEED, core.DOMAIN_U)
    assert x.min() == -1
    assert x.max() == 1
    assert not beyond(ternary_statistics(x))


# A third of the words' residues would come 17 times for 16 of the others, were they not rejected.
Q_REJECTING = next(q for q in range(2**66 // 67 // 2**18 * 2**18 + 1, 2**60, 2**18) if reference.is_prime(q))
Q_SMALL = 786433  # 3 * 2^18 + 1
words_statistics = partial(uniform_statistics, modulus=Q_REJECTING)


@pytest.mark.parametrize("kind", [core.SHAKE256, core.BLAKE2XB])
def test_uniform_distribution(kind: int) -> None:
    """MANY words, half of them modulo a prime where rejection matters and half modulo one of 20 bits."""
    x = core.uniform(kind, SEED, 17, [Q_REJECTING, Q_SMALL] * (MANY >> 18))
    assert not beyond(uniform_statistics(x[0::2].ravel(), Q_REJECTING))
    assert not beyond(uniform_statistics(x[1::2].ravel(), Q_SMALL))


# ---- samplers with small faults, each of which must show ------------------------------------------------------------
Random = np.random.Generator


def fixed() -> Random:
    return np.random.default_rng(12)


def random_words(r: Random) -> core.Words:
    return r.integers(0, 2**64, MANY, np.uint64)


def ones(words: core.Words, bits: int) -> NDArray[np.int8]:
    counted: NDArray[np.int8] = np.bitwise_count(words & np.uint64((1 << bits) - 1)).astype(np.int8)
    return counted


def in_order(stream: Small) -> Small:
    """Coefficients from the values in the order of the stream."""
    x = np.empty_like(stream)
    x[STREAM_ORDER] = stream
    return x


def sound_cbd(r: Random) -> Small:
    words = random_words(r)
    return ones(words, 21) - ones(words >> np.uint64(21), 21)


def cbd_of_41_bits(r: Random) -> Small:
    words = random_words(r)
    return ones(words, 21) - ones(words >> np.uint64(21), 20)


def cbd_with_one_added_to_a_64th(r: Random) -> Small:
    more: Small = sound_cbd(r) + (ones(random_words(r), 6) == 6)
    return more


def cbd_with_a_bit_twice(r: Random) -> Small:
    words = random_words(r)
    return 2 * ones(words, 1) + ones(words >> np.uint64(2), 19) - ones(words >> np.uint64(21), 21)


def cbd_with_a_bit_of_its_neighbour(r: Random) -> Small:
    words = random_words(r)
    words = (words >> np.uint64(1) << np.uint64(1)) | (np.roll(words, 1) >> np.uint64(40) & np.uint64(1))
    return in_order(ones(words, 21) - ones(words >> np.uint64(21), 21))


def digits_of(digits: NDArray[np.integer]) -> Small:
    """Five digits from each number."""
    powers = np.array([1, 3, 9, 27, 81])
    return in_order((digits[:, None] // powers % 3).astype(np.int8).ravel()[:MANY] - np.int8(1))


def sound_ternary(r: Random, numbers: int = 243) -> Small:
    return digits_of(r.integers(0, numbers, MANY // 5 + 1))


def ternary_with_more_zeros(r: Random) -> Small:
    x = sound_ternary(r)
    x[r.integers(0, 512, MANY) == 0] = 0
    return x


def ternary_with_a_digit_of_its_neighbour(r: Random) -> Small:
    numbers = r.integers(0, 243, MANY // 5 + 1)
    copied = r.integers(0, 32, len(numbers)) == 0
    return digits_of(np.where(copied, numbers % 81 + np.roll(numbers, 1) // 81 * 81, numbers))


def sound_words(r: Random) -> core.Words:
    return r.integers(0, Q_REJECTING, MANY // 2, np.uint64)


def words_that_repeat(r: Random) -> core.Words:
    x = sound_words(r)
    return np.where(r.integers(0, 128, x.size) == 0, np.roll(x, 1), x)


def test_the_statistics_of_sound_samplers() -> None:
    assert not beyond(cbd_statistics(sound_cbd(fixed())))
    assert not beyond(ternary_statistics(sound_ternary(fixed())))
    assert not beyond(words_statistics(sound_words(fixed())))


FAULTS: dict[str, tuple[Callable[[Any], dict[str, float]], Callable[[Random], Any]]] = {
    "cbd of 41 bits": (cbd_statistics, cbd_of_41_bits),
    "cbd with one added to a 64th": (cbd_statistics, cbd_with_one_added_to_a_64th),
    "cbd with a bit twice": (cbd_statistics, cbd_with_a_bit_twice),
    "cbd with a bit of its neighbour": (cbd_statistics, cbd_with_a_bit_of_its_neighbour),
    "ternary of all bytes": (ternary_statistics, lambda r: sound_ternary(r, 256)),
    "ternary of 244 bytes": (ternary_statistics, lambda r: sound_ternary(r, 244)),
    "ternary with more zeros": (ternary_statistics, ternary_with_more_zeros),
    "ternary with a digit of its neighbour": (ternary_statistics, ternary_with_a_digit_of_its_neighbour),
    "words without rejection": (words_statistics, lambda r: random_words(r)[: MANY // 2] % np.uint64(Q_REJECTING)),
    "words below a power of two": (words_statistics, lambda r: random_words(r)[: MANY // 2] & np.uint64(2**59 - 1)),
    "words that repeat": (words_statistics, words_that_repeat),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_sampler_shows(fault: str) -> None:
    statistics, sampler = FAULTS[fault]
    assert beyond(statistics(sampler(fixed())))


# ---- the byte budget of the ternary sampler -------------------------------------------------------------------------
def test_ternary_budget() -> None:
    """The bytes that are always processed suffice except with probability below 2^-128: the binomial tail in exact integers."""
    for log_n in range(9, 18):
        n = 1 << log_n
        needed = -(-n // 5)
        total = lib.rs_sample_ternary_bytes(n)
        assert total % 136 == 0
        # The sum of C(total, k) 243^k 13^(total - k) over k < needed, from the largest term down: term(k-1) / term(k) =
        # 13 k / (243 (total - k + 1)) grows with k, so the first of these ratios bounds the sum by a geometric series.
        k = needed - 1
        numerator, denominator = 13 * k, 243 * (total - k + 1)
        assert numerator < denominator
        first = math.comb(total, k) * 243**k * 13 ** (total - k)
        assert first * denominator << 128 < 256**total * (denominator - numerator)


def test_ternary_writes_n_values() -> None:
    for n in (1, 1024, 4096):
        out = np.full(n + 8, 99, np.int8)
        lib.rs_sample_ternary(core.small_at(out), n, core.make_seed(SEED), core.DOMAIN_S)
        assert out[:n].tolist() == reference.ternary(n, SEED, core.DOMAIN_S)
        assert (out[n:] == 99).all()


@pytest.mark.parametrize(("n", "weight"), [(512, 0), (512, 1), (512, 512), (4096, 32), (1 << 17, 32)])
def test_sparse_has_its_weight_at_the_places_of_the_stream(n: int, weight: int) -> None:
    out = np.full(n + 8, 99, np.int8)
    lib.rs_sample_sparse(core.small_at(out), n, weight, core.make_seed(SEED))
    free, wanted = list(range(n)), np.zeros(n, np.int8)
    words = np.frombuffer(reference.private_stream(16 * weight, SEED, core.DOMAIN_SPARSE), "<u8").reshape(-1, 2)
    for place, sign in words.tolist():
        wanted[free.pop(place * len(free) >> 64)] = 1 - 2 * (sign & 1)
    assert (out[:n] == wanted).all()
    assert np.count_nonzero(wanted) == weight
    assert (out[n:] == 99).all()
