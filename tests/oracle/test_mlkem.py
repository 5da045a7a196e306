# SPDX-License-Identifier: Apache-2.0
"""ML-KEM against kyber-py, and its keys and ciphertexts taken apart by FIPS 203's definitions: hashlib, and polynomials without a fast transform."""

import hashlib
from random import Random
from typing import Any

import numpy as np
import pytest
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024
from numpy.typing import NDArray

from asserting import raises
from oracle import core

Poly = NDArray[np.int64]

Q, N = 3329, 256
THEIRS: dict[int, Any] = {512: ML_KEM_512, 768: ML_KEM_768, 1024: ML_KEM_1024}
# FIPS 203, table 2
RANK = {512: 2, 768: 3, 1024: 4}
ETA1 = {512: 3, 768: 2, 1024: 2}
BITS = {512: (10, 4), 768: (10, 4), 1024: (11, 5)}  # d_u, d_v
SETS = pytest.mark.parametrize("number", THEIRS)
ROUNDS = [8, pytest.param(1000, marks=pytest.mark.soak)]


# ---- bytes of another implementation ---------------------------------------------------------------------------------
@SETS
@pytest.mark.parametrize("rounds", ROUNDS)
def test_bytes_are_kyber_pys(number: int, rounds: int) -> None:
    """Keys, ciphertexts, secrets; and the secrets of damaged ciphertexts, and of others that nobody made."""
    ours, theirs, random = core.MlKem(number), THEIRS[number], Random(number)
    for _ in range(rounds):
        d, z, m = (random.randbytes(32) for _ in range(3))
        ek, dk = ours.keygen(d, z)
        assert (ek, dk) == theirs._keygen_internal(d, z)
        ct, shared = ours.encaps(ek, m)
        assert (shared, ct) == theirs._encaps_internal(ek, m)
        assert ours.decaps(dk, ct) == shared == theirs.decaps(dk, ct)
        damaged = bytearray(ct)
        damaged[random.randrange(len(ct))] ^= 1 << random.randrange(8)
        for other in (bytes(damaged), random.randbytes(len(ct))):
            assert ours.decaps(dk, other) == theirs.decaps(dk, other) != shared


@SETS
def test_keys_are_refused_where_kyber_py_refuses_them(number: int) -> None:
    ours, theirs = core.MlKem(number), THEIRS[number]
    ek, dk = ours.keygen(bytes(32), bytes(32))
    ct, _ = ours.encaps(ek, bytes(32))
    bad_ek = b"\xff" + ek[1:2] + b"\xff" + ek[3:]
    bad_dk = dk[:-33] + bytes([dk[-33] ^ 1]) + dk[-32:]
    raises(ValueError, "Modulus check", theirs._encaps_internal, bad_ek, bytes(32))
    raises(AssertionError, "RS_ERR_PUBLIC_KEY", ours.encaps, bad_ek, bytes(32))
    raises(ValueError, "hash check", theirs.decaps, bad_dk, ct)
    raises(AssertionError, "RS_ERR_SECRET_KEY", ours.decaps, bad_dk, ct)


# ---- definitions -------------------------------------------------------------------------------------------------------
# Row i: the powers of gamma_i = 17^(2 brv(i) + 1), brv the reversal of 7 bits.
GAMMAS = [pow(17, 2 * int(f"{i:07b}"[::-1], 2) + 1, Q) for i in range(N // 2)]
POWERS = np.array([[pow(gamma, j, Q) for j in range(N // 2)] for gamma in GAMMAS], np.int64)
INVERSES = np.array([[pow(gamma, -j, Q) for gamma in GAMMAS] for j in range(N // 2)], np.int64) * pow(N // 2, -1, Q) % Q


def transformed(f: Poly) -> Poly:
    """The residues of f modulo X^2 - gamma_i, by a product of matrices."""
    out = np.empty(N, np.int64)
    out[0::2], out[1::2] = POWERS @ f[0::2] % Q, POWERS @ f[1::2] % Q
    return out


def restored(f: Poly) -> Poly:
    out = np.empty(N, np.int64)
    out[0::2], out[1::2] = INVERSES @ f[0::2] % Q, INVERSES @ f[1::2] % Q
    return out


def product(a: Poly, b: Poly) -> Poly:
    """a b modulo X^256 + 1 and q."""
    full = np.convolve(a, b)
    full = np.append(full, np.zeros(2 * N - len(full), np.int64))
    return (full[:N] - full[N:]) % Q


def decoded(data: bytes, bits: int) -> Poly:
    """ByteDecode of one polynomial (algorithm 6)."""
    flat = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little").reshape(N, bits)
    return flat.astype(np.int64) @ (1 << np.arange(bits))


def polynomials(data: bytes, bits: int = 12) -> list[Poly]:
    size = N * bits // 8
    return [decoded(data[at : at + size], bits) for at in range(0, len(data), size)]


def uniform(rho: bytes, column: int, row: int) -> Poly:
    """SampleNTT (algorithm 7), as a polynomial."""
    stream = np.frombuffer(hashlib.shake_128(rho + bytes([column, row])).digest(1344), np.uint8)
    candidates = np.unpackbits(stream, bitorder="little").reshape(-1, 12).astype(np.int64) @ (1 << np.arange(12))
    return restored(candidates[candidates < Q][:N])


def binomial(seed: bytes, nonce: int, eta: int) -> Poly:
    """SamplePolyCBD of PRF (algorithm 8)."""
    stream = hashlib.shake_256(seed + bytes([nonce])).digest(64 * eta)
    bits = np.unpackbits(np.frombuffer(stream, np.uint8), bitorder="little").reshape(N, 2, eta).astype(np.int64)
    weights = bits.sum(axis=2)
    difference: Poly = weights[:, 0] - weights[:, 1]
    return difference


def compressed(f: Poly, bits: int) -> Poly:
    """The nearest integers to f 2^bits / q, modulo 2^bits."""
    out: Poly = ((f % Q << bits) + Q // 2) // Q % (1 << bits)
    return out


@SETS
def test_key_pairs_by_definition(number: int) -> None:
    """t = A s + e with A, s, e as hashlib expands them; dk is s, ek, H(ek), z."""
    random, k, eta = Random(number + 1), RANK[number], ETA1[number]
    for _ in range(3):
        d, z = random.randbytes(32), random.randbytes(32)
        ek, dk = core.MlKem(number).keygen(d, z)
        seeds = hashlib.sha3_512(d + bytes([k])).digest()
        rho, sigma = seeds[:32], seeds[32:]
        s = [binomial(sigma, i, eta) for i in range(k)]
        assert dk == dk[: 384 * k] + ek + hashlib.sha3_256(ek).digest() + z
        assert ek[384 * k :] == rho
        for got, want in zip(polynomials(dk[: 384 * k]), s, strict=True):
            assert np.array_equal(got, transformed(want))
        for i, got in enumerate(polynomials(ek[: 384 * k])):
            t = binomial(sigma, k + i, eta) + sum(product(uniform(rho, j, i), s[j]) for j in range(k))
            assert np.array_equal(restored(got), t % Q)


@SETS
def test_ciphertexts_by_definition(number: int) -> None:
    """u = A^T r + e1 and v = t r + e2 + m q / 2, rounded up, compressed."""
    random, k, (du, dv) = Random(number + 2), RANK[number], BITS[number]
    for _ in range(3):
        ek, _ = core.MlKem(number).keygen(random.randbytes(32), random.randbytes(32))
        m = random.randbytes(32)
        ct, shared = core.MlKem(number).encaps(ek, m)
        secrets = hashlib.sha3_512(m + hashlib.sha3_256(ek).digest()).digest()
        assert shared == secrets[:32]
        coins, rho = secrets[32:], ek[-32:]
        r = [binomial(coins, i, ETA1[number]) for i in range(k)]
        parts = polynomials(ct[: 32 * du * k], du)
        for i, got in enumerate(parts):
            u = binomial(coins, k + i, 2) + sum(product(uniform(rho, i, j), r[j]) for j in range(k))
            assert np.array_equal(got, compressed(u, du))
        t = [restored(part) for part in polynomials(ek[: 384 * k])]
        v = binomial(coins, 2 * k, 2) + sum(product(t[j], r[j]) for j in range(k)) + (Q + 1) // 2 * decoded(m, 1)
        assert np.array_equal(decoded(ct[32 * du * k :], dv), compressed(v, dv))
