# SPDX-License-Identifier: Apache-2.0
"""Encode and decode in fixed point, in Python integers, from the definition in docs/encoding.md; nothing of Ringside is used.

Words are integers in numpy arrays of dtype object, points in the bit-reversed order of the transform. Results that W bits do not hold are
kept as they are, and counted.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from oracle import reference
from oracle.reference import Integers

PRECISION = 400  # bits of exact roots


@cache
def octant(log_n: int) -> tuple[list[int], list[int]]:
    """cos and sin of pi k / N for k <= N/4, in units of 2^-PRECISION: half angles by square roots, then products."""
    guard = 64
    one = 1 << PRECISION + guard
    cosine, sine = 0, one  # cosine and sine of a right angle
    for _ in range(log_n - 1):
        cosine = math.isqrt((one + cosine) * one >> 1)
        sine = math.isqrt(one * one - cosine * cosine)
    c, s = [one], [0]
    for _ in range(1 << log_n - 2):
        c0, s0 = c[-1], s[-1]
        c.append(c0 * cosine - s0 * sine >> PRECISION + guard)
        s.append(s0 * cosine + c0 * sine >> PRECISION + guard)
    return [x >> guard for x in c], [x >> guard for x in s]


def exact_root(log_n: int, exponent: int) -> tuple[int, int]:
    """zeta^exponent for 0 <= exponent <= N, in units of 2^-PRECISION."""
    n = 1 << log_n
    if exponent > n // 2:
        c, s = exact_root(log_n, n - exponent)
        return -c, s
    if exponent > n // 4:
        c, s = exact_root(log_n, n // 2 - exponent)
        return s, c
    c_all, s_all = octant(log_n)
    return c_all[exponent], s_all[exponent]


def exponents(log_n: int, stage: int) -> Iterator[int]:
    """Exponents of the roots of a stage's blocks."""
    for block in range(1 << stage):
        reversed_block = int(f"{block:0{stage}b}"[::-1], 2) if stage else 0
        yield (4 * reversed_block + 1) << log_n - 2 - stage


def nearest_word(x: int, word_bits: int) -> int:
    """The magnitude of an exact number, rounded to W bits."""
    drop = PRECISION - word_bits
    return min(abs(x) + (1 << drop - 1) >> drop, (1 << word_bits) - 1)


@cache
def exact_roots(log_n: int, stage: int) -> tuple[Integers, Integers]:
    pairs = [exact_root(log_n, e) for e in exponents(log_n, stage)]
    return reference.integers(c for c, _ in pairs), reference.integers(s for _, s in pairs)


@cache
def root_words(log_n: int, stage: int, word_bits: int) -> tuple[Integers, Integers]:
    """With their signs."""
    re, im = exact_roots(log_n, stage)
    return tuple(reference.integers(int(np.sign(x)) * nearest_word(x, word_bits) for x in part) for part in (re, im))  # type: ignore[return-value]


def half_to_even(s: Any) -> Any:
    """s / 2 to the nearest integer, halves to even."""
    return s // 2 + (s % 4 == 3)


@dataclass
class Words:
    """Arithmetic on words of `bits` bits; `over` counts what was out of range."""

    bits: int
    over: int = 0

    def product(self, a: Any, root: Any) -> Any:
        """Half of a signed factor times a signed root: of magnitudes, to nearest."""
        magnitude = abs(a)
        self.over += int(np.sum(magnitude >= 1 << self.bits))
        p = magnitude * abs(root) + (1 << self.bits) >> self.bits + 1
        return p * (1 - 2 * ((a < 0) != (root < 0)))

    def word(self, x: Any) -> Any:
        limit = 1 << self.bits - 1
        self.over += int(np.sum(x >= limit)) + int(np.sum(x < -limit))
        return x

    def inverse_butterfly(self, x: Any, y: Any, root: Any) -> tuple[Any, Any]:
        (xr, xi), (yr, yi), (wr, wi) = x, y, root
        dr, di = xr - yr, xi - yi
        out = self.product(dr, wr) + self.product(di, wi), self.product(di, wr) - self.product(dr, wi)
        return (half_to_even(xr + yr), half_to_even(xi + yi)), (self.word(out[0]), self.word(out[1]))

    def forward_butterfly(self, x: Any, y: Any, root: Any) -> tuple[Any, Any]:
        (xr, xi), (yr, yi), (wr, wi) = x, y, root
        tr = self.product(2 * yr, wr) - self.product(2 * yi, wi)
        ti = self.product(2 * yr, wi) + self.product(2 * yi, wr)
        return (self.word(xr + tr), self.word(xi + ti)), (self.word(xr - tr), self.word(xi - ti))

    def stage(self, re: Integers, im: Integers, stage: int, inverse: bool) -> tuple[Integers, Integers]:
        log_n = len(re).bit_length()
        shape = (1 << stage, 2, len(re) >> stage + 1)
        r, i = re.reshape(shape), im.reshape(shape)
        root = tuple(part[:, None] for part in root_words(log_n, stage, self.bits))
        butterfly = self.inverse_butterfly if inverse else self.forward_butterfly
        x, y = butterfly((r[:, 0], i[:, 0]), (r[:, 1], i[:, 1]), root)
        return np.stack([x[0], y[0]], 1).reshape(-1), np.stack([x[1], y[1]], 1).reshape(-1)

    def transform(self, re: Integers, im: Integers, inverse: bool) -> tuple[Integers, Integers]:
        stages = range(len(re).bit_length() - 1)
        for stage in reversed(stages) if inverse else stages:
            re, im = self.stage(re, im, stage, inverse)
        return re, im


# ---- exact, for errors ----------------------------------------------------------------------------------------------
FRACTION = 120  # bits after the point of exact transforms, more than their errors need


def exact_transform(re: Integers, im: Integers, inverse: bool) -> tuple[Integers, Integers]:
    """The transform of words, in units of 2^-FRACTION of a word. The inverse is divided by N/2, as in fixed point."""
    log_n = len(re).bit_length()
    r, i = re * (1 << FRACTION), im * (1 << FRACTION)
    stages = range(log_n - 1)
    for stage in reversed(stages) if inverse else stages:
        shape = (1 << stage, 2, len(re) >> stage + 1)
        r, i = r.reshape(shape), i.reshape(shape)
        wr, wi = (part[:, None] for part in exact_roots(log_n, stage))
        xr, xi, yr, yi = r[:, 0], i[:, 0], r[:, 1], i[:, 1]
        if inverse:
            dr, di = xr - yr, xi - yi
            parts = [xr + yr, dr * wr + di * wi >> PRECISION, xi + yi, di * wr - dr * wi >> PRECISION]
        else:
            tr, ti = yr * wr - yi * wi >> PRECISION, yr * wi + yi * wr >> PRECISION
            parts = [xr + tr, xr - tr, xi + ti, xi - ti]
        r, i = np.stack(parts[:2], 1).reshape(-1), np.stack(parts[2:], 1).reshape(-1)
    return (r >> log_n - 1, i >> log_n - 1) if inverse else (r, i)


# ---- slots ----------------------------------------------------------------------------------------------------------
def places(n: int) -> list[tuple[int, bool]]:
    """For each slot its point, and whether that is its conjugate."""
    order = reference.bit_reversed(n)
    out = []
    for exponent in reference.slot_exponents(n):
        position = int(order[(exponent - 1) // 2])
        out.append((n - 1 - position, True) if position >= n // 2 else (position, False))
    return out


def half_away(numerator: int, denominator: int) -> int:
    """The nearest integer to a fraction, halves away from zero."""
    magnitude = (2 * abs(numerator) + denominator) // (2 * denominator)
    return magnitude if numerator >= 0 else -magnitude


def shifted(x: int, shift: int) -> int:
    return x << shift if shift >= 0 else half_away(x, 1 << -shift)
