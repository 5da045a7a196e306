# SPDX-License-Identifier: Apache-2.0
"""BLISS-BI in Python's integers, from the papers (CRYPTO 2013; ePrint 2014/874) and the encodings of lib/include/ringside/research.h.

`sign` is the plain BLISS of CRYPTO 2013 with a sampler of its own; `sign_from_seed` repeats the library's signing from its seed, with exact
probabilities (Decimal). Nothing of Ringside is used.
"""

from __future__ import annotations

import hashlib
import math
import random
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
from numpy.typing import NDArray

from oracle import reference

N, Q, PSI, SIGMA, KAPPA, D, P = 512, 12289, 49, 215, 23, 10, 24
WEIGHT, NORM_MAX, Z_MAX = 154, 12872, 2100
ZETA = pow(Q - 2, -1, 2 * Q)
PRODUCT_NORM_MAX = KAPPA * (5 * WEIGHT + 5)
KEY_DOMAIN, SIGN_DOMAIN = 7, 8

Poly = list[int]
Vector = NDArray[np.int64]


# ---- ring -----------------------------------------------------------------------------------------------------------
def vector(values: object) -> Vector:
    return np.array(values, np.int64)


def product(a: Vector, b: Vector) -> Vector:
    """In Z[X]/(X^N + 1), without any modulus: numbers stay below 2^63."""
    long = np.convolve(a, b)
    out = long[:N].copy()
    out[: N - 1] -= long[N:]
    return out


def transformed(poly: Vector) -> Vector:
    return reference.evaluations(poly, Q, PSI)


def untransformed(values: Vector) -> Vector:
    return reference.interpolated(values, Q, PSI)


# ---- bits -----------------------------------------------------------------------------------------------------------
def packed(*fields: tuple[Poly, int]) -> bytes:
    """Fields of numbers of so many bits each, the least significant bit first; filled up with zeros."""
    whole = size = 0
    for values, bits in fields:
        for value in values:
            assert 0 <= value < 1 << bits
            whole |= value << size
            size += bits
    return whole.to_bytes(-(-size // 8), "little")


def unpacked(data: bytes, *fields: tuple[int, int]) -> list[Poly]:
    """Fields of (count, bits), and what is left as one number."""
    whole = int.from_bytes(data, "little")
    out = []
    for count, bits in fields:
        out.append([whole >> bits * i & (1 << bits) - 1 for i in range(count)])
        whole >>= bits * count
    return [*out, [whole]]


# ---- rounding, hash, norms ------------------------------------------------------------------------------------------
def high(x: Vector) -> Vector:
    return (x % (2 * Q) + (1 << (D - 1)) >> D) % P


def challenge(rounded: Vector, message: bytes) -> Poly:
    digest = hashlib.shake_256(packed((rounded.tolist(), 5)) + hashlib.shake_256(message).digest(64)).digest(4096)
    places: Poly = []
    for i in range(0, len(digest), 2):
        place = int.from_bytes(digest[i : i + 2], "little") % N
        if place not in places:
            places.append(place)
        if len(places) == KAPPA:
            return places
    raise AssertionError


def sparse(places: Poly) -> Vector:
    c = np.zeros(N, np.int64)
    c[places] = 1
    return c


def committed(a: Vector, x: Vector) -> Vector:
    """zeta (2a) x mod 2q, a in coefficients."""
    return ZETA * 2 * (product(a, x) % Q) % (2 * Q)


@dataclass
class Signature:
    z1: Vector
    z2: Vector
    places: Poly

    def encoded(self) -> bytes:
        return packed(((self.z1 + Z_MAX).tolist(), 13), ((self.z2 + 2).tolist(), 3), (self.places, 9), ([0], 1))

    @classmethod
    def decoded(cls, data: bytes) -> Signature:
        assert len(data) == 1050
        z1, z2, places, rest = unpacked(data, (N, 13), (N, 3), (KAPPA, 9))
        assert rest == [0]
        return cls(vector(z1) - Z_MAX, vector(z2) - 2, places)

    def is_short(self) -> bool:
        both = np.concatenate([self.z1, self.z2 << D])
        return bool(np.abs(both).max() <= Z_MAX) and int((both**2).sum()) <= NORM_MAX**2


# ---- keys -----------------------------------------------------------------------------------------------------------
@dataclass
class Key:
    f: Vector
    g: Vector

    @property
    def s(self) -> tuple[Vector, Vector]:
        return self.f, 2 * self.g + np.eye(1, N, dtype=np.int64)[0]

    @property
    def a_values(self) -> Vector:
        s1, s2 = map(transformed, self.s)
        return s2 * vector([pow(int(x), -1, Q) for x in s1]) % Q

    @property
    def a(self) -> Vector:
        return untransformed(self.a_values)

    def public(self) -> bytes:
        return packed((self.a_values.tolist(), 14))

    def secret(self) -> bytes:
        digits = [[int(x) % 3 for x in poly] for poly in (self.f, self.g)]
        return packed((digits[0], 2), (digits[1], 2)) + self.public()

    @classmethod
    def of_secret(cls, data: bytes) -> Key:
        f, g, _ = unpacked(data[:256], (N, 2), (N, 2))
        assert 3 not in f + g
        return cls(*(vector([(0, 1, -1)[digit] for digit in poly]) for poly in (f, g)))


def keygen(rng: random.Random) -> Key:
    while True:
        polys = []
        for _ in range(2):
            poly = [0] * N
            for place in rng.sample(range(N), WEIGHT):
                poly[place] = rng.choice([-1, 1])
            polys.append(vector(poly))
        if np.all(transformed(polys[0])):
            return Key(*polys)


def keygen_from_seed(seed: bytes) -> Key:
    """The library's: numbers of 62 bits bring 154 signs and 358 zeros into their order."""
    for attempt in range(64):
        polys = []
        for k in range(2):
            data = reference.private_stream(8 * N, seed, KEY_DOMAIN, (2 * attempt + k) * 8 * N)
            words = [int.from_bytes(data[8 * i : 8 * i + 8], "little") for i in range(N)]
            values = [(1, -1)[word & 1] if i < WEIGHT else 0 for i, word in enumerate(words)]
            polys.append(vector([values[i] for i in sorted(range(N), key=lambda i: words[i] >> 2)]))
        if np.all(transformed(polys[0])):
            return Key(*polys)
    raise AssertionError


# ---- verification ---------------------------------------------------------------------------------------------------
def verify(a: Vector, message: bytes, signature: Signature) -> bool:
    if not signature.is_short():
        return False
    w = committed(a, signature.z1) + ZETA * Q * sparse(signature.places)
    return challenge((high(w) + signature.z2) % P, message) == signature.places


def compressed(u: Vector, z1: Vector, z2: Vector, places: Poly) -> Signature:
    difference = (high(u) - high(u - z2) + P // 2 - 1) % P - (P // 2 - 1)
    return Signature(z1, difference, places)


# ---- signing, plain -------------------------------------------------------------------------------------------------
def gaussian(rng: random.Random) -> int:
    while True:
        x = rng.randrange(-13 * SIGMA, 13 * SIGMA + 1)
        if rng.random() < math.exp(-x * x / (2 * SIGMA**2)):
            return x


def sign(key: Key, message: bytes, rng: random.Random) -> Signature:
    norm_max = 46479  # M = 1.65: S c is as long as it happens to be
    s1, s2 = key.s
    a = key.a
    while True:
        y1, y2 = (vector([gaussian(rng) for _ in range(N)]) for _ in range(2))
        u = (committed(a, y1) + y2) % (2 * Q)
        places = challenge(high(u), message)
        v1, v2 = product(s1, sparse(places)), product(s2, sparse(places))
        flip = rng.choice([-1, 1])
        z1, z2 = y1 + flip * v1, y2 + flip * v2
        norm, inner = int((v1**2).sum() + (v2**2).sum()), int((z1 * v1).sum() + (z2 * v2).sum())
        assert norm < norm_max
        if rng.random() < math.exp(-(norm_max - norm) / (2 * SIGMA**2)) / math.cosh(inner / SIGMA**2):
            signature = compressed(u, z1, z2, places)
            if signature.is_short():
                return signature


# ---- signing as the library does ------------------------------------------------------------------------------------
STEP, BASE_BITS, COARSE, RARE = 128, 95, 63, 40  # parts of a sample: z = 128 x + y
COIN_BITS = 56
DRAW_BYTES, PAIR_BYTES, ATTEMPT_DRAWS = 640, 40, 127


@cache
def tails() -> list[int]:
    """P(x > i) for the base of a sample in units of 2^-95, of which the last 32 bits are zero where the probability is 2^-40 or more."""
    with localcontext() as context:
        context.prec = 100
        weight = [(-Decimal((STEP * x) ** 2) / (2 * SIGMA**2)).exp() for x in range(50)]
        total = sum(weight)
        rows = []
        for x in range(40):
            tail = sum(weight[x + 1 :]) / total
            bits = COARSE if tail >= Decimal(2) ** -RARE else BASE_BITS
            if tail >= Decimal(2) ** -83:
                rows.append(int((tail * 2**bits).to_integral_value()) << (BASE_BITS - bits))
        return rows


def is_kept(x: int, y: int, coin: int) -> bool:
    with localcontext() as context:
        context.prec = 60
        exact = (-Decimal(y * (y + 2 * STEP * x)) / (2 * SIGMA**2)).exp()
        # the library's probability is 2^-50 off: seeds of tests have no coin so near
        assert abs(Decimal(coin) / 2**COIN_BITS - exact) > Decimal(2) ** -45
        return bool(Decimal(coin) / 2**COIN_BITS < exact)


def samples(data: bytes) -> Poly:
    """What is kept of the candidates."""
    out = []
    for at in range(0, len(data), PAIR_BYTES):
        words = [int.from_bytes(data[at + 8 * i : at + 8 * i + 8], "little") for i in range(5)]
        for k in range(2):
            number = words[2 * k] >> 1 << 32 | words[4] >> 32 * k & 0xFFFFFFFF
            x = sum(number < row for row in tails())
            y, sign, coin = words[2 * k + 1] % STEP, words[2 * k + 1] >> 7 & 1, words[2 * k + 1] >> 8
            z = STEP * x + y
            if is_kept(x, y, coin) and (z or not sign):
                out.append(-z if sign else z)
    return out


def drawn(seed: bytes, attempt: int) -> Poly:
    """The y of an attempt."""
    key = reference.private_stream(64, seed, SIGN_DOMAIN)
    y: Poly = []
    number = attempt * ATTEMPT_DRAWS
    while len(y) < 2 * N:
        y += samples(hashlib.shake_256(key + number.to_bytes(2, "little")).digest(DRAW_BYTES))
        number += 1
    return y[: 2 * N]


def greedy(key: Key, places: Poly) -> tuple[Vector, Vector]:
    """GreedySC: minus the signed sum of the rotations, each sign that of the inner product with the sum so far."""
    v1, v2 = (np.zeros(N, np.int64) for _ in range(2))
    for place in places:
        r1, r2 = (product(s, np.eye(1, N, place, dtype=np.int64)[0]) for s in key.s)
        sign = 1 if int((v1 * r1).sum() + (v2 * r2).sum()) >= 0 else -1
        v1, v2 = v1 - sign * r1, v2 - sign * r2
    return v1, v2


def probability(norm: int, inner: int) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        t = Decimal(inner) / SIGMA**2
        cosh = (t.exp() + (-t).exp()) / 2
        return (-Decimal(PRODUCT_NORM_MAX - norm) / (2 * SIGMA**2)).exp() / cosh


@dataclass
class Attempt:
    z: Vector  # both halves
    v: Vector
    signature: Signature | None


def attempts_from_seed(key: Key, message: bytes, seed: bytes) -> list[Attempt]:
    """All attempts, the last one accepted."""
    a = key.a
    out = []
    for k in range(128):
        y = vector(drawn(seed, k))
        u = (committed(a, y[:N]) + y[N:]) % (2 * Q)
        places = challenge(high(u), message)
        v = np.concatenate(greedy(key, places))
        number = int.from_bytes(reference.private_stream(8, seed, SIGN_DOMAIN, (k + 1) * 136), "little")
        z = y - v if number >> 63 else y + v
        accepted = Decimal(number % 2**62) / 2**62 < probability(int((v**2).sum()), int((z * v).sum()))
        signature = compressed(u, z[:N], z[N:], places) if accepted else None
        out.append(Attempt(z, v, signature))
        if signature and signature.is_short():
            return out
    raise AssertionError
