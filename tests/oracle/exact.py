# SPDX-License-Identifier: Apache-2.0
"""BFV and BGV by their definitions, with Python integers: encryption from given randomness, decryption, noise; nothing of Ringside is used.

Polynomials have dtype object, words [polynomial, limb, N] are those of files: BFV in coefficient form, or in NTT form on demand, BGV in NTT form, keys
in NTT form. Rules that are SEAL's are taken from native/src/seal: util/scalingvariant.cpp, util/rlwe.cpp, util/rns.cpp (mod_t_and_divide_q_last),
decryptor.cpp, batchencoder.cpp.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracle import reference
from oracle.reference import Integers

BFV, BGV = 1, 3
Words = NDArray[np.uint64]


def seal_ternary(data: bytes) -> Integers:
    """Coefficients from 4 bytes each: floor(3 x / 2^32) - 1."""
    return reference.integers((x * 3 >> 32) - 1 for x in np.frombuffer(data, "<u4").tolist())


def seal_cbd21(data: bytes) -> Integers:
    """Coefficients from 6 bytes each: ones of the first 21 bits less those of the other 21, of 24 each."""
    rows = np.frombuffer(data, np.uint8).reshape(-1, 2, 3) & np.array([255, 255, 31], np.uint8)
    ones = np.unpackbits(rows, axis=2).sum(axis=2, dtype=np.int64)
    return reference.integers(ones[:, 0] - ones[:, 1])


@dataclass(frozen=True)
class Exact:
    """A parameter set. moduli: all, the special prime last."""

    scheme: int
    n: int
    moduli: Sequence[int]
    t: int

    @property
    def error_factor(self) -> int:
        return self.t if self.scheme == BGV else 1

    # ---- messages ---------------------------------------------------------------------------------------------------
    def encode(self, values: Integers) -> Integers:
        """Slots, two rows of N/2, to coefficients modulo t: slot i of a row is the value at psi^(3^i) or psi^(-3^i)."""
        evaluations = np.zeros(self.n, object)
        at = reference.bit_reversed(self.n)
        for i, exponent in enumerate(reference.slot_exponents(self.n)):
            evaluations[at[exponent >> 1]] = values[i]
            evaluations[at[2 * self.n - exponent >> 1]] = values[self.n // 2 + i]
        return reference.intt(evaluations % self.t, self.t)

    def scaled(self, message: Integers, limbs: int) -> Integers:
        """What the phase of a noiseless encryption is: in BFV q m / t, halves up; in BGV m centred, t/2 below 0."""
        half = (self.t + 1) // 2
        if self.scheme == BGV:
            return np.where(message >= half, message - self.t, message)
        return (math.prod(self.moduli[:limbs]) * message + half) // self.t

    # ---- encryption -------------------------------------------------------------------------------------------------
    def _formed(self, limb: Integers, q: int, in_ntt: bool) -> list[int]:
        found: list[int] = (reference.ntt(limb % q, q) if in_ntt else limb % q).tolist()
        return found

    def encrypt_secret(self, s: Words, a: Words, message: Integers, e: Integers, ntt: bool | None = None) -> Words:
        """c_0. s: the key's words; a: c_1, in the ciphertext's form. ntt: default the scheme's form."""
        in_ntt = self.scheme == BGV if ntt is None else ntt
        limbs = len(a)
        rows = []
        for i, q in enumerate(self.moduli[:limbs]):
            product = reference.integers(s[i]) * (
                reference.integers(a[i]) if in_ntt else reference.ntt(reference.integers(a[i]), q)
            )
            small = self.scaled(message, limbs) - self.error_factor * e
            rows.append(self._formed(small - reference.intt(product % q, q), q, in_ntt))
        return np.array(rows, np.uint64)

    def _dropped(self, x: Integers, p: int, centred: bool) -> Integers:
        """What is taken off a polynomial modulo P before P divides it: x modulo P, and 0 modulo what the noise is a multiple of."""
        if self.scheme == BGV and not centred:
            multiple: Integers = x + p * (-x * pow(p, -1, self.t) % self.t)
            return multiple
        rest = reference.centred(x * pow(self.error_factor, -1, p) % p, p)
        return rest * self.error_factor

    def encrypt_public(
        self, key: Words, message: Integers, u: Integers, errors: Sequence[Integers], *, limbs: int, direct: bool = False, centred: bool = True, ntt: bool | None = None
    ) -> Words:  # fmt: skip
        """Both polynomials. key: [2, limb, N] over all moduli; unless direct, one prime more is used than `limbs`, and dropped.

        centred: as Ringside drops it in BGV, else as SEAL does. BFV has one way.
        """
        direct = direct or len(self.moduli) == 1
        moduli = self.moduli[: limbs + (not direct)]
        in_ntt = self.scheme == BGV if ntt is None else ntt
        u_ntt = [reference.ntt(u % q, q) for q in moduli]
        out = []
        for j in range(2):
            rows = [
                (reference.intt(reference.integers(key[j, i]) * u_ntt[i] % q, q) + self.error_factor * errors[j]) % q
                for i, q in enumerate(moduli)
            ]
            if not direct:
                p = moduli[-1]
                d = self._dropped(rows[-1], p, centred)
                rows = [(x - d) * pow(p, -1, q) for x, q in zip(rows[:-1], moduli, strict=False)]
            if j == 0:
                rows = [x + self.scaled(message, limbs) for x in rows]
            out.append([self._formed(x, q, in_ntt) for x, q in zip(rows, moduli, strict=False)])
        return np.array(out, np.uint64)

    # ---- decryption -------------------------------------------------------------------------------------------------
    def phase(self, s: Words, ciphertext: Words, ntt: bool | None = None) -> tuple[Integers, int]:
        """c_0 + c_1 s + c_2 s^2 … modulo q, composed; and q."""
        in_ntt = self.scheme == BGV if ntt is None else ntt
        moduli = self.moduli[: ciphertext.shape[1]]
        q = math.prod(moduli)
        total: Any = np.zeros(self.n, object)
        for i, p in enumerate(moduli):
            power, x = np.ones(self.n, object), np.zeros(self.n, object)
            for polynomial in ciphertext:
                row = reference.integers(polynomial[i])
                x = (x + power * (row if in_ntt else reference.ntt(row, p))) % p
                power = power * reference.integers(s[i]) % p
            total = total + reference.intt(x, p) * (q // p * pow(q // p, -1, p))
        return total % q, q

    def decrypt(self, phase: Integers, q: int, factor: int = 1) -> Integers:
        """BFV: t x / q, halves up. BGV: x centred, over the correction factor."""
        if self.scheme == BFV:
            return (2 * self.t * phase + q) // (2 * q) % self.t
        return reference.centred(phase, q) * pow(factor, -1, self.t) % self.t

    def noise(self, phase: Integers, q: int) -> Integers:
        return reference.centred(phase * (self.t if self.scheme == BFV else 1) % q, q)

    def noise_budget(self, phase: Integers, q: int) -> int:
        largest = int(abs(self.noise(phase, q)).max())
        return max(0, q.bit_length() - largest.bit_length() - 1)
