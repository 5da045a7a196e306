# SPDX-License-Identifier: Apache-2.0
"""Samplers: the same values as written-out rules on the same stream, and the right distributions on 2^24 samples.

Seeds are fixed, so a statistical test that passes once passes always; bounds are five standard deviations.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from oracle import core, reference
from ringside.native._cdef import ffi
from ringside.native.library import lib

SEED = bytes(range(64))
MANY = 1 << 24
SIGMAS = 5


def stream_order(n: int) -> NDArray[np.int64]:
    """x[stream_order(n)] are the values of x in the order in which they came: coefficient brv(k) is value k."""
    order = np.zeros(1, np.int64)
    while len(order) < n:
        order = np.concatenate([2 * order, 2 * order + 1])
    return order


STREAM_ORDER = stream_order(MANY)


def chi_square(observed: NDArray[np.int64], probability: NDArray[np.float64]) -> float:
    """Pearson's statistic in standard deviations of its distribution; classes expected less than 10 times are put together."""
    total = int(observed.sum())
    expected = probability * total
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = len(observed) - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)


def correlation(x: NDArray[np.float64], lag: int) -> float:
    """In standard deviations of its distribution for independent samples."""
    x = x - x.mean()
    return float((x[:-lag] * x[lag:]).sum() / (x * x).sum()) * math.sqrt(len(x))


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
    sets = [
        [often],
        [often, most_rejected, 12289, often],
        reference.coeff_modulus(n, [60, 30, 60, 20, 59]),
    ]
    for moduli in sets:
        for kind in (core.SHAKE256, core.BLAKE2XB):
            for seed in (SEED, bytes(64), b"\xff" * 64):
                want, rejected = reference.uniform(kind, seed, n, moduli)
                share = sum(2**64 % q / 2**64 for q in moduli) * n
                assert abs(rejected - share) <= SIGMAS * math.sqrt(share) + 1
                got = core.uniform(kind, seed, moduli=moduli, log_n=10)
                assert got.tolist() == want
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
        status = lib.rs_uniform_init(state, kind, seed, 10, 1)
        assert core.status_name(status) == "RS_ERR_SEED_TYPE"
    core.ok(lib.rs_uniform_init(state, 2, seed, 10, 1))
    out = np.empty(1024, np.uint64)
    core.ok(lib.rs_uniform_next(state, 12289, core.words_at(out)))
    status = lib.rs_uniform_next(state, 12289, core.words_at(out))
    assert core.status_name(status) == "RS_ERR_LEVEL"


# ---- distributions --------------------------------------------------------------------------------------------------
def test_cbd_distribution() -> None:
    x = core.cbd21(MANY, SEED, core.DOMAIN_E0)
    assert x.min() >= -21
    assert x.max() <= 21
    counts = np.bincount(x.astype(np.int64) + 21, minlength=43)
    weights = np.array([math.comb(42, k) / 2**42 for k in range(43)])
    assert abs(chi_square(counts, weights)) < SIGMAS
    values = x.astype(np.float64)
    assert abs(values.mean()) < SIGMAS * math.sqrt(10.5 / MANY)
    fourth = 3 * 10.5**2 - 10.5 / 2  # of a sum of 42 signs of 1/2: 3 s^4 - s^2/2
    assert abs((values**2).mean() - 10.5) < SIGMAS * math.sqrt((fourth - 10.5**2) / MANY)
    for lag in (1, 2, 68):
        assert abs(correlation(values, lag)) < SIGMAS  # between neighbouring coefficients
        assert abs(correlation(values[STREAM_ORDER], lag)) < SIGMAS


def test_ternary_distribution() -> None:
    x = core.ternary(MANY, SEED, core.DOMAIN_U)
    counts = np.bincount(x.astype(np.int64) + 1, minlength=3)
    assert len(counts) == 3
    assert abs(chi_square(counts, np.full(3, 1 / 3))) < SIGMAS
    values = x.astype(np.float64)
    assert abs(values.mean()) < SIGMAS * math.sqrt(2 / 3 / MANY)
    assert abs((values**2).mean() - 2 / 3) < SIGMAS * math.sqrt(2 / 9 / MANY)
    # the five digits of a byte are independent
    digits = x[STREAM_ORDER][: MANY // 5 * 5].astype(np.int64).reshape(-1, 5) + 1
    fives = digits @ np.array([1, 3, 9, 27, 81])
    assert abs(chi_square(np.bincount(fives, minlength=243), np.full(243, 1 / 243))) < SIGMAS
    for lag in (1, 4, 5, 136 * 5):
        assert abs(correlation(values, lag)) < SIGMAS
        assert abs(correlation(values[STREAM_ORDER], lag)) < SIGMAS


@pytest.mark.parametrize("kind", [core.SHAKE256, core.BLAKE2XB])
def test_uniform_distribution(kind: int) -> None:
    """2^23 words for each of two seeds, modulo a prime where rejection matters and modulo one of 20 bits."""
    q = next(q for q in range(2**64 // 17 // 2**18 * 2**18 + 1, 2**60, 2**18) if reference.is_prime(q))
    small = 786433  # 3 * 2^18 + 1
    moduli = [q, small] * 32
    buckets = 1 << 10
    for first_byte in (0, 1):
        x = core.uniform(kind, bytes([first_byte]) + SEED[1:], 17, moduli)
        for row, modulus in ((0, q), (1, small)):
            scaled = x[row::2].ravel().astype(np.float64) / modulus
            bucket = np.minimum((scaled * buckets).astype(np.int64), buckets - 1)
            edges = [-(-i * modulus // buckets) for i in range(buckets + 1)]
            weights = np.diff(np.array(edges, np.float64)) / modulus
            assert abs(chi_square(np.bincount(bucket, minlength=buckets), weights)) < SIGMAS
            assert abs(scaled.mean() - 0.5) < SIGMAS * math.sqrt(1 / 12 / scaled.size)
            variance = ((scaled - 0.5) ** 2).mean()
            assert abs(variance - 1 / 12) < SIGMAS * math.sqrt(1 / 180 / scaled.size)
            assert abs(correlation(scaled, 1)) < SIGMAS


# ---- the byte budget of the ternary sampler -------------------------------------------------------------------------
def test_ternary_budget() -> None:
    """The bytes that are always processed suffice except with probability below 2^-128: the binomial tail in exact integers."""
    for log_n in range(10, 18):
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
