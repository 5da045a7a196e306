# SPDX-License-Identifier: Apache-2.0
"""Plain mathematics that the interop tests measure both sides with, beside oracle/reference.py; nothing of Ringside or SEAL is used.

Sources: SEAL's native/src/seal (dynarray.h, plaintext.cpp, ciphertext.cpp, encryptionparams.cpp, util/ntt.cpp) for layouts and
orders; the variances are derived where they stand.
"""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle.reference import minimal_root, slot_exponents

MAGIC = 0xA15E
CBD_VARIANCE = 10.5  # centred binomial, k = 21
ROUNDING_VARIANCE = 1 / 12
TERNARY_VARIANCE = 2 / 3


# ---- files ----------------------------------------------------------------------------------------------------------
def file_words(data: bytes) -> NDArray[np.uint64]:
    """The coefficient words of an uncompressed plaintext or ciphertext (or key of the same layout)."""
    magic, size, major, _, compression, _, total = struct.unpack_from("<HBBBBHQ", data)
    assert (magic, size, compression, total) == (MAGIC, 16, 0, len(data))
    for start in (64, 81, 89):  # plaintext; ciphertext of 3.x; of 4.x, which has a correction factor
        if struct.unpack_from("<H", data, start)[0] == MAGIC:
            count = struct.unpack_from("<Q", data, start + 16)[0]
            return np.frombuffer(data, "<u8", count, start + 24).astype(np.uint64)
    raise AssertionError(f"no array found in a file of version {major}.x")


def file_version(data: bytes) -> str:
    return f"{data[3]}.{data[4]}"


def file_compression(data: bytes) -> str:
    return ("none", "zlib", "zstd")[data[5]]


# ---- transforms -----------------------------------------------------------------------------------------------------
Residues = NDArray[Any]  # uint64 where products fit, else Python integers


def _residues(values: list[int], q: int) -> Residues:
    return np.array(values, dtype=np.uint64 if q < 2**32 else object)


def _powers(first: int, base: int, count: int, q: int) -> list[int]:
    powers = [first]
    for _ in range(count - 1):
        powers.append(powers[-1] * base % q)
    return powers


@cache
def _inverse_tables(q: int, n: int) -> tuple[Residues, Residues]:
    """Powers of omega^-1 = psi^-2, and psi^-i / n."""
    inverse = pow(minimal_root(q, n), -1, q)
    omegas = _powers(1, inverse * inverse % q, n // 2, q)
    return _residues(omegas, q), _residues(_powers(pow(n, -1, q), inverse, n, q), q)


def coefficients(ntt: NDArray[np.uint64], q: int) -> NDArray[np.int64]:
    """Signed coefficients of one limb: position j of the input holds a(psi^(2 brv(j) + 1))."""
    n = len(ntt)
    omegas, untwist = _inverse_tables(q, n)
    modulus = np.uint64(q) if omegas.dtype == np.uint64 else q
    values = ntt.astype(omegas.dtype).reshape(n, 1)
    while values.shape[0] > 1:  # bit-reversed in, natural out
        even, odd = values[0::2], values[1::2] * omegas[:: n // 2 // values.shape[1]] % modulus
        values = np.concatenate([(even + odd) % modulus, (even + modulus - odd) % modulus], axis=1)
    signed: NDArray[np.int64] = (values[0] * untwist % modulus).astype(np.int64)
    return np.where(signed > q // 2, signed - q, signed)


def multiply(a: NDArray[np.uint64], b: NDArray[np.uint64], q: int) -> NDArray[np.uint64]:
    if q < 2**32:
        return a * b % np.uint64(q)
    products: NDArray[np.uint64] = (a.astype(object) * b.astype(object) % q).astype(np.uint64)
    return products


def phase(c0: NDArray[np.uint64], c1: NDArray[np.uint64], s: NDArray[np.uint64], q: int) -> NDArray[np.int64]:
    """Signed coefficients of c0 + c1 s on one limb: message plus noise."""
    total = (c0.astype(np.uint64) + multiply(c1, s, q)) % np.uint64(q)
    return coefficients(total, q)


# ---- noise, as variances of a coefficient ---------------------------------------------------------------------------
def rounding_variance(n: int) -> float:
    """Division by a prime: both polynomials are rounded, the second is multiplied by the ternary secret."""
    return ROUNDING_VARIANCE * (1 + TERNARY_VARIANCE * n)


def fresh_variance(kind: str, n: int, special_prime: int | None) -> float:
    """kind secret-key, public-key or public-key-direct (the names of Context.encrypt), encode rounding not included."""
    direct = CBD_VARIANCE * (1 + 2 * TERNARY_VARIANCE * n)  # e u + e0 + e1 s
    if kind == "secret-key":
        return CBD_VARIANCE
    if kind == "public-key-direct" or special_prime is None:
        return direct
    return direct / special_prime**2 + rounding_variance(n)


def slot_error(variance: float, n: int, scale: float) -> float:
    """Standard deviation of a slot's real part."""
    return math.sqrt(variance * n / 2) / scale


@cache
def slot_roots(n: int) -> NDArray[np.complex128]:
    """zeta^(3^j), the root of unity of slot j; zeta = exp(i pi / n)."""
    roots: NDArray[np.complex128] = np.exp(1j * np.pi * np.array(slot_exponents(n)) / n)
    return roots


def key_switch_slot_error(n: int, data_moduli: list[int], special_prime: int, scale: float) -> NDArray[np.float64]:
    """Standard deviation of each slot's real part after relinearising or rotating in SEAL.

    The noise is the sum of d_i e_i / P over the limbs, rounded. SEAL's digits d_i are residues in [0, q_i), not centred:
    their mean q_i / 2 puts |d_i| = q_i / |1 - root| on a slot, a spike where the root is near 1; the rest is q_i^2 N / 12.
    """
    modulus = math.sqrt(sum(q * q for q in data_moduli))
    digits = np.sqrt(1 / np.abs(1 - slot_roots(n)) ** 2 + n / 12)
    products = modulus * digits * math.sqrt(CBD_VARIANCE * n / 2) / special_prime / scale
    return np.hypot(products, slot_error(rounding_variance(n), n, scale))


# No slot of any test may be further off than this many standard deviations of its real part. A run compares four million slots. A complex Gaussian
# is further off with probability exp(-k^2 / 2), 3 * 10^-18.
GAUSSIAN_SIGMAS = 9.0
# Where a random polynomial meets the fixed secret (rounding, e u), a slot is the product of two complex Gaussians. Its real part is Laplace
# distributed, P(|x| > k sigma) = exp(-sqrt(2) k); for the magnitude it is sqrt(pi) (k^2 / 2)^(1/4) exp(-sqrt(2) k), 10^-15.
PRODUCT_SIGMAS = 26.0
# What both sides' floating-point arithmetic may add to values up to 1.
FLOAT_ERROR = 1e-11
