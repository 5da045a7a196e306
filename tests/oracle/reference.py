# SPDX-License-Identifier: Apache-2.0
"""Independent mathematics: Python integers, hashlib and numpy; nothing of Ringside is used.

Arrays of big integers are numpy arrays of dtype object. Rules that are SEAL's are taken from its sources under native/src/seal:
util/ntt.cpp, util/rlwe.cpp, util/rns.cpp (divide_and_round_q_last_ntt_inplace), randomgen.cpp, modulus.cpp.
"""

import hashlib
import itertools
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[Any]  # arrays of dtype object


def integers(values: Iterable[Any]) -> Integers:
    """Python integers in an object array; from numpy arrays too."""
    if isinstance(values, np.ndarray):
        values = values.ravel().tolist()
    return np.array(list(map(int, values)), object)


def centred(x: Integers, q: int) -> Integers:
    """Representatives in [-floor(q/2), ceil(q/2) - 1]; for odd q symmetric."""
    return (x + q // 2) % q - q // 2


# ---- number theory --------------------------------------------------------------------------------------------------
def is_prime(n: int) -> bool:
    """Strong pseudoprime to 2 and strong Lucas pseudoprime (Baillie, Wagstaff): no composite below 2^64 is both."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
    if n < 2 or any(n % p == 0 for p in small):
        return n in small
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    x = pow(2, d, n)
    strong = x in (1, n - 1)
    for _ in range(s - 1):
        x = x * x % n
        strong = strong or x == n - 1
    return strong and _strong_lucas(n)


def _jacobi(a: int, n: int) -> int:
    a, result = a % n, 1
    while a:
        while a % 2 == 0:
            a //= 2
            if n % 8 in (3, 5):
                result = -result
        a, n = n, a
        if a % 4 == n % 4 == 3:
            result = -result
        a %= n
    return result if n == 1 else 0


def _strong_lucas(n: int) -> bool:
    if int(n**0.5 + 0.5) ** 2 == n:
        return False
    d = 5
    while _jacobi(d, n) != -1:
        d = -d - 2 if d > 0 else -d + 2
    p, q = 1, (1 - d) // 4
    k, s = n + 1, 0
    while k % 2 == 0:
        k, s = k // 2, s + 1
    u, v, qk = 1, p, q
    for bit in bin(k)[3:]:
        u, v, qk = u * v % n, (v * v - 2 * qk) % n, qk * qk % n
        if bit == "1":
            u, v = p * u + v, d * u + p * v
            u = (u + n if u % 2 else u) // 2 % n
            v = (v + n if v % 2 else v) // 2 % n
            qk = qk * q % n
    if u == 0 or v == 0:
        return True
    for _ in range(s - 1):
        v, qk = (v * v - 2 * qk) % n, qk * qk % n
        if v == 0:
            return True
    return False


def coeff_modulus(n: int, bits: Sequence[int]) -> list[int]:
    """SEAL's CoeffModulus::Create: of each size as many of the largest primes = 1 mod 2N as asked for, smallest first."""
    tables: dict[int, list[int]] = {}
    for size in set(bits):
        candidates = range((1 << size) - 2 * n + 1, 1 << (size - 1), -2 * n)
        found: list[int] = []
        for q in candidates:
            if len(found) == list(bits).count(size):
                break
            if is_prime(q):
                found.append(q)
        tables[size] = found
    return [tables[size].pop() for size in bits]


@cache
def minimal_root(q: int, n: int) -> int:
    """The smallest element of order 2N: all of them are the odd powers of any one."""
    exponent = (q - 1) // (2 * n)
    root = next(r for g in range(2, q) if pow(r := pow(g, exponent, q), n, q) == q - 1)
    square, power, smallest = root * root % q, root, root
    for _ in range(n - 1):
        power = power * square % q
        smallest = min(smallest, power)
    return smallest


def parms_id(n: int, moduli: Sequence[int], scheme: int = 2, plain_modulus: int = 0) -> bytes:
    words = [scheme, n, *moduli, plain_modulus]
    return hashlib.blake2b(struct.pack(f"<{len(words)}Q", *words), digest_size=32).digest()


# ---- negacyclic polynomials -----------------------------------------------------------------------------------------
@cache
def bit_reversed(n: int) -> NDArray[np.int64]:
    width = n.bit_length() - 1
    return np.array([int(format(i, f"0{width}b")[::-1], 2) for i in range(n)])


def evaluate(coef: Sequence[int], x: int, q: int) -> int:
    value = 0
    for c in reversed(coef):
        value = (value * x + c) % q
    return value


def schoolbook(a: Integers, b: Integers, q: int) -> Integers:
    n = len(a)
    product = np.convolve(a, b)
    out = product[:n].copy()
    out[: n - 1] -= product[n:]
    return out % q


def multiply(a: Integers, b: Integers, q: int) -> Integers:
    """a b mod (X^N + 1, q) as one product of integers (Kronecker 1882); any signs."""
    n = len(a)
    width = (2 * q.bit_length() + n.bit_length() + 7) // 8

    def pack(x: Integers) -> int:
        return int.from_bytes(b"".join(int(c).to_bytes(width, "little") for c in x % q), "little")

    product = (pack(a) * pack(b)).to_bytes(2 * n * width, "little")
    parts = [int.from_bytes(product[i * width : (i + 1) * width], "little") for i in range(2 * n)]
    return (integers(parts[:n]) - integers(parts[n:])) % q


@cache
def _powers(q: int, n: int) -> tuple[Integers, Integers]:
    """psi^i for i below 2N, psi minimal; N^-1 psi^-i."""
    psi = minimal_root(q, n)
    out = [1]
    for _ in range(2 * n - 1):
        out.append(out[-1] * psi % q)
    inverse_n = pow(n, -1, q)
    back = [inverse_n * out[-i % (2 * n)] % q for i in range(n)]
    return integers(out), integers(back)


def _cyclic(x: Integers, q: int, powers: Integers) -> Integers:
    """sum_k x_k w^(j k), w = powers[2]: recursive decimation in time, all blocks of a level at once."""
    n = len(x)
    x = x[bit_reversed(n)]
    length = 1
    while length < n:
        blocks = x.reshape(-1, 2, length)
        odd = blocks[:, 1] * powers[: 2 * n : n // length][:length] % q
        x = np.stack([(blocks[:, 0] + odd) % q, (blocks[:, 0] - odd) % q], axis=1).ravel()
        length *= 2
    return x


def ntt(coef: Integers, q: int) -> Integers:
    """out[j] = a(psi^(2 brv(j) + 1)): twist by psi^k, cyclic transform, bit-reversed order."""
    n = len(coef)
    powers, _ = _powers(q, n)
    return _cyclic(coef * powers[:n] % q, q, powers)[bit_reversed(n)]


def intt(values: Integers, q: int) -> Integers:
    n = len(values)
    powers, back = _powers(q, n)
    return _cyclic(values[bit_reversed(n)], q, powers)[-np.arange(n) % n] * back % q


def automorphism(coef: Integers, element: int, q: int) -> Integers:
    """a(X^element) mod X^N + 1."""
    n = len(coef)
    out = np.zeros(n, object)
    for i, c in enumerate(coef):
        at = i * element % (2 * n)
        out[at % n] = c if at < n else -c
    return out % q


@cache
def _root_powers(n: int, q: int, psi: int, sign: int) -> NDArray[np.int64]:
    """psi^(sign (2i + 1) j) at row i, column j."""
    table = np.array([pow(psi, sign * k % (2 * n), q) for k in range(2 * n)], np.int64)
    rows, columns = np.arange(n)[:, None], np.arange(n)[None, :]
    powers: NDArray[np.int64] = table[(2 * rows + 1) * columns % (2 * n)]
    return powers


def evaluations(poly: NDArray[np.int64], q: int, psi: int) -> NDArray[np.int64]:
    """Values at psi^1, psi^3, psi^5, … of a polynomial with a small q, by the definition."""
    values: NDArray[np.int64] = _root_powers(len(poly), q, psi, 1) @ (poly % q) % q
    return values


def interpolated(values: NDArray[np.int64], q: int, psi: int) -> NDArray[np.int64]:
    """The polynomial with these evaluations."""
    poly: NDArray[np.int64] = _root_powers(len(values), q, psi, -1).T @ values % q * pow(len(values), -1, q) % q
    return poly


# ---- hashes and samplers --------------------------------------------------------------------------------------------
_IV = [0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1]
_IV += [0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179]
_SIGMA = [
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
    "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
]  # fmt: skip


def blake2b_last_block(params: NDArray[np.uint64], data: bytes) -> NDArray[np.uint64]:
    """BLAKE2b of at most 128 bytes under each column of parameter blocks (RFC 7693, section 3.2)."""
    width = params.shape[1]
    constants = np.array(_IV, np.uint64)[:, None]
    m = np.frombuffer(data.ljust(128, b"\0"), "<u8")
    h = params ^ constants
    v = np.concatenate([h, np.broadcast_to(constants, (8, width))])
    v[12] ^= np.uint64(len(data))
    v[14] = ~v[14]

    def rotate(x: NDArray[np.uint64], n: int) -> NDArray[np.uint64]:
        return x >> np.uint64(n) | x << np.uint64(64 - n)

    for round_ in range(12):
        s = [int(c, 16) for c in _SIGMA[round_ % 10]]
        for i in range(8):
            column, turn = i % 4, i // 4
            a, b, c, d = (4 * k + (column + turn * k) % 4 for k in range(4))
            for word, first, second in ((s[2 * i], 32, 24), (s[2 * i + 1], 16, 63)):
                v[a] += v[b] + m[word]
                v[d] = rotate(v[d] ^ v[a], first)
                v[c] += v[d]
                v[b] = rotate(v[b] ^ v[c], second)
    mixed: NDArray[np.uint64] = h ^ v[:8] ^ v[8:]
    return mixed


def blake2xb(size: int, data: bytes, key: bytes = b"") -> bytes:
    """BLAKE2X (Aumasson, Neves, O'Hearn, Winnerlein 2016). Root from hashlib, whose 64-bit node offset is the 32-bit node offset
    followed by the 32-bit length of the output; leaves have depth 0, which hashlib refuses."""
    root = hashlib.blake2b(data, digest_size=64, key=key, node_offset=size << 32).digest()
    leaves = -(-size // 64)
    params = np.zeros((8, leaves), np.uint64)
    params[0] = 64 | 64 << 32  # digest length, no key, fanout 0, depth 0; leaf length
    params[0, -1] -= np.uint64(-size % 64)  # digest length of the last leaf
    params[1] = np.arange(leaves, dtype=np.uint64) | np.uint64(size << 32)  # node offset, output length
    params[2] = 64 << 8  # node depth 0, inner length
    return blake2b_last_block(params, root).T.astype("<u8").tobytes()[:size]


def seed_block(kind: int, seed: bytes, counter: int) -> bytes:
    message = struct.pack("<Q", counter)
    if kind == 1:
        return blake2xb(4096, message, seed)
    return hashlib.shake_256(seed + message).digest(4096)


def private_stream(size: int, seed: bytes, domain: int, offset: int = 0) -> bytes:
    first, last = offset // 136, (offset + size + 135) // 136
    blocks = (
        hashlib.shake_256(seed + struct.pack("<Q", (domain << 56) + block)).digest(136) for block in range(first, last)
    )
    return b"".join(blocks)[offset - 136 * first :][:size]


RNG_SEED = bytes(range(1, 65))


def drawn_seed(index: int) -> bytes:
    """The seeds that a deterministic generator of RNG_SEED gives are 64 bytes each of its private stream, of domain 5."""
    return private_stream(64, RNG_SEED, 5, 64 * index)


def in_coefficient_order(values: Sequence[int]) -> list[int]:
    """Value k of a stream is coefficient brv(k)."""
    return [values[k] for k in bit_reversed(len(values))]


def cbd21(n: int, seed: bytes, domain: int) -> list[int]:
    data = private_stream(6 * n, seed, domain)
    out = []
    for i in range(n):
        x = list(data[6 * i : 6 * i + 6])
        x[2] &= 0x1F
        x[5] &= 0x1F
        weights = [b.bit_count() for b in x]
        out.append(sum(weights[:3]) - sum(weights[3:]))
    return in_coefficient_order(out)


def ternary(n: int, seed: bytes, domain: int) -> list[int]:
    out: list[int] = []
    for block in itertools.count():
        if len(out) >= n:
            break
        for byte in private_stream(136, seed, domain, 136 * block):
            if byte < 243:
                out += [byte // 3**k % 3 - 1 for k in range(5)]
    return in_coefficient_order(out[:n])


def uniform(kind: int, seed: bytes, n: int, moduli: Sequence[int]) -> tuple[list[list[int]], int]:
    """Residues limb by limb, and how many words were rejected (sample_poly_uniform)."""
    blocks: list[bytes] = []

    def word(index: int) -> int:
        while len(blocks) * 512 <= index:
            blocks.append(seed_block(kind, seed, len(blocks)))
        at = 8 * (index % 512)
        return int.from_bytes(blocks[index // 512][at : at + 8], "little")

    following = bulk = n * len(moduli)
    out = []
    for limb, q in enumerate(moduli):
        top = 2**64 - 1
        max_multiple = top - top % q - 1
        row = []
        for i in range(n):
            w = word(limb * n + i)
            while w >= max_multiple:
                w = word(following)
                following += 1
            row.append(w % q)
        out.append(row)
    return out, following - bulk


# ---- canonical embedding --------------------------------------------------------------------------------------------
@cache
def _slot_roots(n: int) -> NDArray[np.clongdouble]:
    """zeta^e for e below 2N in extended precision (64-bit mantissa): octants by symmetry, so that each is accurate."""
    angles = np.longdouble("3.14159265358979323846264338327950288") * np.arange(2 * n).astype(np.longdouble) / n
    return (np.cos(angles) + 1j * np.sin(angles)).astype(np.clongdouble)


def slot_exponents(n: int) -> list[int]:
    return [pow(3, i, 2 * n) for i in range(n // 2)]


def embed(coef: NDArray[Any]) -> NDArray[np.clongdouble]:
    """Slot i: m(zeta^(3^i)), the O(N^2) sum."""
    n = len(coef)
    roots = _slot_roots(n)
    index = np.arange(n)
    x = coef.astype(np.longdouble)
    return np.array([np.sum(x * roots[e * index % (2 * n)]) for e in slot_exponents(n)])


def unembed(slots: NDArray[Any]) -> NDArray[np.longdouble]:
    """The real polynomial with these slots: coefficient k is (2/N) Re sum_i z_i zeta^(-3^i k)."""
    n = 2 * len(slots)
    roots = _slot_roots(n)
    index = np.arange(n)
    total = np.zeros(n, np.longdouble)
    for z, e in zip(slots.astype(np.clongdouble), slot_exponents(n), strict=True):
        w = roots[-e * index % (2 * n)]
        total += z.real * w.real - z.imag * w.imag
    return total * 2 / n


# ---- encryption as SEAL computes it, in the coefficient domain --------------------------------------------------------
def divide_and_round_last(limbs: list[Integers], moduli: Sequence[int]) -> list[Integers]:
    """divide_and_round_q_last: half is added modulo the last prime and taken off again in the others."""
    *rest, last = limbs
    *moduli_rest, p = moduli
    half = p >> 1
    rounded = (last + half) % p
    out = []
    for x, q in zip(rest, moduli_rest, strict=True):
        temporary = (rounded % q - half % q) % q
        out.append((x - temporary) * pow(p, -1, q) % q)
    return out
