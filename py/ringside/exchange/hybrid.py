# SPDX-License-Identifier: Apache-2.0
"""Keys for key switching with several special primes and several primes to a digit, as OpenFHE's HYBRID and Lattigo have them.

The key from s' to s has a row for each digit D_j of the primes of Q: an encryption of zero over Q and P, b = -(a s + e), whose b carries P s' modulo
the primes of D_j, with P the product of the special primes. With one special prime and one prime to a digit these are SEAL's rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError
from ..formats.cursor import LimbWords
from ..native.handles import ContextHandle
from ..native.library import aligned, ffi, lib, secret_words, words_of
from ..native.rng import Randomness, keygen
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.keys import SecretKey
from ..objects.common.params import Parameters
from .residues import ResidueForm
from .secrets import secret_residues

KeyRow = tuple[list[LimbWords], list[LimbWords]]  # (b, a), limb by limb, in SEAL's order


def check_elements(elements: Sequence[int], n: int) -> None:
    """InputError unless each is a Galois element, or RELINEARISE."""
    for element in elements:
        if element != RELINEARISE and not (0 < element < 2 * n and element % 2):
            message = f"{element} is no Galois element of a ring with N = {n}."
            hint = "Galois elements are odd and below 2N; galois_elements makes them of steps."
            raise InputError("RS_ERR_GALOIS", message, hint)


class HybridKeys:
    """Makes such keys over Q and P for one secret key. Wiped when it goes away."""

    def __init__(
        self, key: SecretKey, form: ResidueForm, q: Sequence[int], p: Sequence[int], digit_primes: int
    ) -> None:
        self._moduli, self._q_count, self._digit_primes = (*q, *p), len(q), digit_primes
        self._product = 1
        for prime in p:
            self._product *= prime
        n = key.context.n
        own = key.context.params
        exact: Any = {"scheme": own.scheme, "plain_modulus": own.plain_modulus}  # BGV's errors are multiples of it
        self._params = Parameters.from_moduli(n, self._moduli, security=0, **exact)
        self._ring = ContextHandle(self._params._native)
        self._n = n
        self._pointer, words = secret_words(2 * len(self._moduli) * n)
        self._secret, self._target = words.reshape(2, len(self._moduli), n)
        self._secret[:] = secret_residues(key, form, self._moduli, montgomery=False, seal_order=True)
        self._native = ffi.new("rs_secret_key_t *")
        self._native.parms_id = bytes.fromhex(self._params.parms_id())
        self._native.ntt = ffi.cast("uint64_t *", words_of(self._target[0]))

    @property
    def digits(self) -> int:
        return -(-self._q_count // self._digit_primes)

    def rows(self, element: int) -> Iterator[KeyRow]:
        """The key for a Galois element (RELINEARISE: none), which switches s to s(X^(1/element)); RELINEARISE: the one that switches s^2 to s."""
        self._aim(element)
        _, source = secret_words(self._n)
        factor = aligned(self._n)
        for digit in range(self.digits):
            b, a = self._zero()
            first = digit * self._digit_primes
            for limb in range(first, min(first + self._digit_primes, self._q_count)):
                self._source(element, limb, source)
                factor[:] = self._product % self._moduli[limb]
                out = ffi.cast("uint64_t *", words_of(b[limb]))
                lib.rs_plan_mul_add(
                    lib.rs_context_plan(self._ring.pointer, limb), out, words_of(source), words_of(factor), out
                )
            yield b, a

    def _aim(self, element: int) -> None:
        """Sets the secret that keys lead to."""
        for secret, target in zip(self._secret, self._target, strict=True):
            if element == RELINEARISE:
                target[:] = secret
            else:
                out = ffi.cast("uint64_t *", words_of(target))
                lib.rs_plan_galois(
                    lib.rs_context_plan(self._ring.pointer, 0), out, words_of(secret), pow(element, -1, 2 * self._n)
                )

    def _source(self, element: int, limb: int, out: LimbWords) -> None:
        secret = words_of(self._secret[limb])
        if element == RELINEARISE:
            lib.rs_plan_mul(
                lib.rs_context_plan(self._ring.pointer, limb), ffi.cast("uint64_t *", words_of(out)), secret, secret
            )
        else:
            out[:] = self._secret[limb]

    def _zero(self) -> KeyRow:
        """An encryption of zero over all moduli, under the secret aimed at: a public key."""
        native = ffi.new("rs_ciphertext_t *")
        words = aligned((2, len(self._moduli), self._n))
        native.data = ffi.cast("uint64_t *", words_of(words))
        rng = Randomness(None, 0).of_keys("hybrid", self._params.parms_id())
        keygen(self._ring.pointer, self._native, native, rng)
        return list(words[0]), list(words[1])

    def close(self) -> None:
        lib.rs_zeroize(self._pointer, 2 * self._secret.nbytes)
