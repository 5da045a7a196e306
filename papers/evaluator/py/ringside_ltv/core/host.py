# SPDX-License-Identifier: Apache-2.0
"""The host's part of products on a core, as Python on integers: for comparisons on small rings. A server's is the library's.

Reconstruction of the integers, reduction modulo Phi_m, and what hybrid key switching does before and after its products.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..hardware.engine import Residues
from ..scheme import Words

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


def reduced(polys: Residues, m: int, q: int) -> Residues:
    """[..., points] modulo Phi_m and q: [..., n]."""
    prime = np.uint64(q)
    negated = np.array([-c % q for c in cyclotomic(m)[:-1]], np.uint64)
    rest, n = polys % prime, len(negated)
    for top in reversed(range(n, rest.shape[-1])):
        rest[..., top - n : top] = (rest[..., top - n : top] + negated * rest[..., top, None]) % prime
    return rest[..., :n]


def windows(residues: Words, primes: Sequence[int], digits: int) -> NDArray[np.uint16]:
    """The integers [n] of residues [level][n], in words of 16 bits: [digits][n]."""
    q = _product(primes)
    total: Integers = np.zeros(residues.shape[1], object)
    for row, p in zip(residues, primes, strict=True):
        total = total + row.astype(object) * (q // p * pow(q // p, -1, p))
    total = total % q
    return np.array([(total >> WINDOW_BITS * t) & 0xFFFF for t in range(digits)]).astype(np.uint16)


def _product(factors: Sequence[int]) -> int:
    result = 1
    for factor in factors:
        result *= factor
    return result


def lifted(residues: Words, primes: Sequence[int], row: int, q: int, size: int) -> Residues:
    """Hybrid's digits of residues [level][n] modulo q, which is primes[row], or another one: groups of `size` primes, [groups][n].

    A group's digit is the sum of y_j G / p_j, y_j = x_j (G / p_j)^-1 modulo p_j and G the product of its primes: its integer, and some G more.
    """
    found = []
    for first in range(0, len(primes), size):
        group = list(primes[first : first + size])
        if q in group:
            found.append(residues[row].astype(np.uint64))
            continue
        total, whole = np.zeros(residues.shape[1], np.uint64), _product(group)
        for x, p in zip(residues[first : first + size], group, strict=True):
            rest = whole // p
            y = x.astype(np.uint64) * np.uint64(pow(rest, -1, p)) % np.uint64(p)
            total = (total + y * np.uint64(rest % q)) % np.uint64(q)
        found.append(total)
    return np.array(found)


def dropped(rows: Residues, primes: Sequence[int], count: int) -> Residues:
    """Divides [rows][n] by its last `count` primes, one after the other from the last on; each time what is subtracted is even: parities stay."""
    rest = [row.astype(np.int64) for row in rows]
    for last in reversed(primes[len(primes) - count :]):
        delta = rest.pop()
        delta = np.where(delta % 2 == 0, delta, delta - last)
        for i, p in enumerate(primes[: len(rest)]):
            rest[i] = (rest[i] - delta) % p * pow(last, -1, p) % p
    return np.array(rest).astype(np.uint64)
