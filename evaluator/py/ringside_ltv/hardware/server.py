# SPDX-License-Identifier: Apache-2.0
"""Products and relinearisation by windows with the polynomial products on a core, and the rest on the host: the words of the library.

The host's part is Python on integers here, for comparisons on small rings. A server's is the library's: reconstruction of the integers, reduction
modulo Phi_m, and the factor R of products of two ciphertexts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ringside.progress import Progress
from ringside.sim.core import ProgramRun
from ringside.sim.options import Simulated

from ..scheme import Scheme, Words
from .engine import Engine, Residues, radix
from .programs import Program, product, relinearisation

WINDOW_BITS = 16
Integers = NDArray[np.object_]


def _divided(numerator: list[int], divisor: Sequence[int]) -> list[int]:
    """The quotient of integer polynomials, the divisor monic; coefficients from the lowest on."""
    rest, quotient = list(numerator), [0] * (len(numerator) - len(divisor) + 1)
    for i in reversed(range(len(quotient))):
        quotient[i] = rest[i + len(divisor) - 1]
        for j, coefficient in enumerate(divisor):
            rest[i + j] -= quotient[i] * coefficient
    return quotient


@cache
def cyclotomic(m: int) -> tuple[int, ...]:
    """Phi_m = (X^m - 1) / product of Phi_d over the proper divisors d of m."""
    found = [-1] + [0] * (m - 1) + [1]
    for d in range(1, m):
        if m % d == 0:
            found = _divided(found, cyclotomic(d))
    return tuple(found)


def reduced(poly: Residues, m: int, q: int) -> Residues:
    """Modulo Phi_m and q."""
    phi = np.array([c % q for c in cyclotomic(m)], np.uint64)
    rest, n = poly.copy() % np.uint64(q), len(phi) - 1
    for top in reversed(range(n, len(rest))):
        rest[top - n : top] = (rest[top - n : top] + (np.uint64(q) - phi[:-1]) % np.uint64(q) * rest[top]) % np.uint64(
            q
        )
    return rest[:n]


def windows(residues: Words, primes: Sequence[int], digits: int) -> NDArray[np.uint16]:
    """The integers [n] of residues [level][n], in words of 16 bits: [digits][n]."""
    q = 1
    for p in primes:
        q *= p
    total: Integers = np.zeros(residues.shape[1], object)
    for row, p in zip(residues, primes, strict=True):
        total = total + row.astype(object) * (q // p * pow(q // p, -1, p))
    total = total % q
    return np.array([(total >> WINDOW_BITS * t) & 0xFFFF for t in range(digits)]).astype(np.uint16)


class CoreServer:
    """The scheme's products on a simulated core. `jobs`: how each program went. Use it in a `with`."""

    def __init__(self, wanted: Simulated, scheme: Scheme, level: int, batch: int, progress: Progress | None = None):
        self.scheme, self.level, self.batch = scheme, level, batch
        self.primes = [scheme.prime(index) for index in range(level)]
        self.log_points = scheme.info.points.bit_length() - 1
        self.digits = -(-sum(q.bit_length() for q in self.primes) // WINDOW_BITS)
        self.jobs: list[ProgramRun] = []
        self._keys: list[NDArray[np.uint32]] = []
        size = 4 << self.log_points
        self._engine = Engine(
            wanted, self.log_points, level * (self.digits + batch + 4) * 2 * size + batch * self.digits * size, progress
        )

    def __enter__(self) -> CoreServer:
        return self

    def __exit__(self, *exc: object) -> None:
        self._engine.__exit__(None, None, None)

    def load_keys(self, keys: Sequence[Words]) -> None:
        """Digits of the evaluation key, [rows][n] each, as Scheme.make_evaluation gives them."""
        self._keys = [key[: self.level].copy() for key in keys[: self.digits]]

    def _contexts(self, program: Program, first: int) -> int:
        place = self._engine.room(program.primes * program.shape.context)
        for number in range(program.primes):
            image = self._engine.context(self.primes[first + number])
            self._engine.put(place + number * program.shape.context, image)
        return place

    def _reduced(self, poly: Residues, q: int, factor: int = 1) -> Residues:
        return reduced(poly * np.uint64(factor) % np.uint64(q), self.scheme.parameters.m, q)

    def multiply(self, a: Words, b: Words) -> Words:
        """[level][count][n], one ciphertext after the other."""
        out = np.empty_like(a)
        for index in range(a.shape[1]):
            first = 0
            while first < self.level:
                first += self._multiply_some(a[:, index], b[:, index], out[:, index], first)
        return out

    def _multiply_some(self, a: Words, b: Words, out: Words, first: int) -> int:
        """Modulo as many primes as a program takes: how many."""
        engine = self._engine
        program = product(engine.design, self.log_points, self.level - first)
        shape, count = program.shape, program.primes
        with engine.scratch():
            places = [self._contexts(program, first)]
            for operand in (a, b):
                places.append(engine.room(count * shape.half))
                for number in range(count):
                    data = operand[first + number].astype("<u4").tobytes()
                    engine.put(places[-1] + number * shape.half, data.ljust(shape.half, b"\0"))
            places.append(engine.room(count * shape.whole))
            self.jobs.append(engine.run(program, places))
            for number in range(count):
                q = self.primes[first + number]
                poly = engine.words(places[3] + number * shape.whole, shape.points)
                out[first + number] = self._reduced(poly, q, radix(engine.design.word_bits) % q)
        return count

    def relinearise(self, products: Words) -> None:
        """In place, a batch after the other; the last one may be smaller."""
        for first in range(0, products.shape[1], self.batch):
            self._relinearise_batch(products[:, first : first + self.batch])

    def _relinearise_batch(self, products: Words) -> None:
        engine, batch = self._engine, products.shape[1]
        digits = [windows(products[:, one], self.primes, self.digits) for one in range(batch)]
        first = 0
        while first < self.level:
            program = relinearisation(
                engine.design, self.log_points, self.level - first, self.digits, batch, narrow=True
            )
            shape, count = program.shape, program.primes
            with engine.scratch():
                places = [self._contexts(program, first), engine.room(count * self.digits * shape.whole)]
                for number in range(count):
                    q = self.primes[first + number]
                    for t, key in enumerate(self._keys):
                        image = engine.key(q, key[first + number].astype(np.uint64))
                        engine.put(places[1] + (number * self.digits + t) * shape.whole, image)
                places.append(engine.room(batch * self.digits * shape.digit))
                for row, digit in enumerate(digit for one in digits for digit in one):
                    data = digit.astype("<u2").tobytes()
                    engine.put(places[2] + row * shape.digit, data.ljust(shape.digit, b"\0"))
                places.append(engine.room(count * batch * shape.whole))
                self.jobs.append(engine.run(program, places))
                for number in range(count):
                    for one in range(batch):
                        place = places[3] + (number * batch + one) * shape.whole
                        poly = engine.words(place, shape.points)
                        products[first + number, one] = self._reduced(poly, self.primes[first + number])
            first += count
