# SPDX-License-Identifier: Apache-2.0
"""Constants, moduli and operands for tests of the modular multipliers, in Python's integers."""

import random


def montgomery_radix(width: int, word_bits: int) -> int:
    """R of rs_modmul_wlm."""
    return 1 << (word_bits * -(-width // word_bits))


def is_prime(n: int) -> bool:
    """Miller-Rabin; these bases decide below 2^64 (Sorenson, Webster 2015)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        x = pow(base, odd, n)
        if x not in (1, n - 1) and all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


def prime_below(limit: int, word_bits: int) -> int:
    """The largest prime below limit that is 1 mod 2^word_bits."""
    step = 1 << word_bits
    first = (limit - 2) // step * step + 1
    return next(q for q in range(first, 1, -step) if is_prime(q))


def prime_above(limit: int, word_bits: int) -> int:
    step = 1 << word_bits
    q = limit // step * step + 1
    while q <= limit or not is_prime(q):
        q += step
    return q


def moduli(width: int, word_bits: int) -> list[int]:
    """Primes of many sizes: the largest and smallest of W bits, and just below and above powers of two."""
    smallest = word_bits + 3
    sizes = {width, width - 1, (width + smallest) // 2, smallest + 1, min(60, width), min(30, width)}
    found = {prime_below(1 << bits, word_bits) for bits in sizes}
    found |= {prime_above(1 << (bits - 1), word_bits) for bits in sizes}
    return sorted(q for q in found if q < 1 << width)


def operands(q: int, count: int) -> list[tuple[int, int]]:
    """Pairs of residues: all of the corners, then random ones."""
    corners = sorted({0, 1, 2 % q, q // 2, q // 2 + 1, q - 2, q - 1})
    pairs = [(a, b) for a in corners for b in corners]
    return pairs + [(random.randrange(q), random.randrange(q)) for _ in range(count)]
