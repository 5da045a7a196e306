# SPDX-License-Identifier: Apache-2.0
"""NewHope-1024 straight from the paper (USENIX Security 2016) and ChaCha20 from RFC 8439, in Python's integers and fractions.

What the paper leaves open (nonces, the order of noise, encodings) is taken from its reference implementation. Nothing of Ringside is used.
"""

import hashlib
import itertools
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np

from oracle import reference

N, Q, PSI, LOG_N = 1024, 12289, 7, 10
POLY_BYTES = 1792
HALF = Fraction(1, 2)

Poly = list[int]


# ---- ChaCha20 -------------------------------------------------------------------------------------------------------
def chacha20_block(key: bytes, counter: int, nonce: bytes) -> bytes:
    mask = 0xFFFFFFFF
    state = [
        *struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce),
    ]  # fmt: skip
    x = list(state)

    def step(a: int, b: int, d: int, count: int) -> None:
        x[a] = x[a] + x[b] & mask
        x[d] ^= x[a]
        x[d] = (x[d] << count | x[d] >> (32 - count)) & mask

    for _ in range(10):
        for turn in (0, 1):
            for i in range(4):
                a, b, c, d = (4 * k + (i + turn * k) % 4 for k in range(4))  # a column, or a diagonal
                step(a, b, d, 16)
                step(c, d, b, 12)
                step(a, b, d, 8)
                step(c, d, b, 7)
    return struct.pack("<16I", *((u + v) & mask for u, v in zip(x, state, strict=True)))


def chacha20(size: int, key: bytes, nonce: bytes, counter: int = 0) -> bytes:
    blocks = -(-size // 64)
    return b"".join(chacha20_block(key, (counter + i) % 2**32, nonce) for i in range(blocks))[:size]


# ---- ring: transforms by their definition ---------------------------------------------------------------------------
def transformed(poly: Poly) -> Poly:
    """Values at psi^1, psi^3, psi^5, …"""
    return list(map(int, reference.evaluations(np.array(poly, np.int64), Q, PSI)))


def untransformed(values: Poly) -> Poly:
    return list(map(int, reference.interpolated(np.array(values, np.int64), Q, PSI)))


def brv(k: int) -> int:
    return int(f"{k:0{LOG_N}b}"[::-1], 2)


# ---- samples --------------------------------------------------------------------------------------------------------
def words_of(seed: bytes) -> Iterator[int]:
    for (word,) in struct.iter_unpack("<H", hashlib.shake_128(seed).digest(1 << 14)):
        yield word


def parse(seed: bytes, later: bool) -> Poly:
    """The public polynomial, transformed: the paper's rule, or that of later versions."""
    if later:
        accepted = (word % Q for word in words_of(seed) if word < 5 * Q)
    else:
        accepted = (word % 2**14 for word in words_of(seed) if word % 2**14 < Q)
    return list(itertools.islice(accepted, N))


def noise(seed: bytes, number: int, shake: bool = False) -> Poly:
    """psi_16: a difference of two sums of 16 bits. shake: of the stream that cores have in the place of the reference's."""
    if shake:
        stream = hashlib.shake_256(seed + bytes([number])).digest(4 * N)
    else:
        stream = chacha20(4 * N, seed, bytes(4) + number.to_bytes(8, "little"))
    poly = [0] * N
    for k in range(N):
        first, second = struct.unpack_from("<2H", stream, 4 * k)
        poly[brv(k)] = first.bit_count() - second.bit_count()
    return poly


def coins(seed: bytes, shake: bool = False) -> list[int]:
    if shake:
        stream = hashlib.shake_256(seed + bytes([3])).digest(32)
    else:
        stream = chacha20(32, seed, bytes(4) + (3).to_bytes(8, "big"))
    return [stream[i // 8] >> i % 8 & 1 for i in range(256)]


# ---- reconciliation: the paper's algorithms 1 to 4, r = 2 -----------------------------------------------------------
def rounded(x: Fraction) -> int:
    return floor(x + HALF)


def closest(x: list[Fraction]) -> list[int]:
    """CVP in D4: coordinates of a closest vector in the basis (u0, u1, u2, g)."""
    v0 = [rounded(c) for c in x]
    v1 = [rounded(c - HALF) for c in x]
    k = 0 if sum(abs(c - v) for c, v in zip(x, v0, strict=True)) < 1 else 1
    v = v1 if k else v0
    return [v[0] - v[3], v[1] - v[3], v[2] - v[3], k + 2 * v[3]]


def help_rec(v: Poly, bits: list[int]) -> Poly:
    """Hints of 2 bits, in the places of the coefficients that they belong to."""
    hints = [0] * N
    for i, bit in enumerate(bits):
        x = [Fraction(4, Q) * (v[i + 256 * j] + HALF * bit) for j in range(4)]
        for j, hint in enumerate(closest(x)):
            hints[i + 256 * j] = hint % 4
    return hints


def rec(v: Poly, hints: Poly) -> list[int]:
    """1 where the point is within a norm of 1 of the lattice: the reference implementation's bit, the complement of algorithm 1's."""
    bits = []
    for i in range(256):
        r = [hints[i + 256 * j] for j in range(4)]
        point = [Fraction(r[j] if j < 3 else 0, 4) + Fraction(r[3], 8) for j in range(4)]
        x = [Fraction(v[i + 256 * j], Q) - point[j] for j in range(4)]
        bits.append(int(sum(abs(c - rounded(c)) for c in x) < 1))
    return bits


# ---- bytes ----------------------------------------------------------------------------------------------------------
def packed(values: Poly, bits: int) -> bytes:
    return sum(value << bits * i for i, value in enumerate(values)).to_bytes(len(values) * bits // 8, "little")


def unpacked(data: bytes, bits: int) -> Poly:
    whole = int.from_bytes(data, "little")
    return [whole >> bits * i & (1 << bits) - 1 for i in range(len(data) * 8 // bits)]


# ---- exchange -------------------------------------------------------------------------------------------------------
@dataclass
class Exchange:
    server_message: bytes
    secret: bytes
    client_message: bytes
    client_shared: bytes
    server_shared: bytes


def shared_of(bits: list[int]) -> bytes:
    return hashlib.sha3_256(packed(bits, 1)).digest()


def product(a: Poly, b: Poly) -> Poly:
    return [x * y % Q for x, y in zip(a, b, strict=True)]


def added(a: Poly, b: Poly) -> Poly:
    return [(x + y) % Q for x, y in zip(a, b, strict=True)]


def exchange(
    seed: bytes, server_noise: bytes, client_noise: bytes, later: bool = False, shake: bool = False
) -> Exchange:
    a = parse(seed, later)
    s, e = (transformed(noise(server_noise, k, shake)) for k in range(2))
    b = added(product(a, s), e)
    s2, e2 = (transformed(noise(client_noise, k, shake)) for k in range(2))
    u = added(product(a, s2), e2)
    v = added(untransformed(product(b, s2)), noise(client_noise, 2, shake))
    hints = help_rec(v, coins(client_noise, shake))
    return Exchange(
        server_message=packed(b, 14) + seed,
        secret=packed(s, 14),
        client_message=packed(u, 14) + packed(hints, 2),
        client_shared=shared_of(rec(v, hints)),
        server_shared=shared_of(rec(untransformed(product(u, s)), hints)),
    )
