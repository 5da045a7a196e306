# SPDX-License-Identifier: Apache-2.0
"""Keys for key switching with several special primes and several primes to a digit, as OpenFHE's HYBRID and Lattigo have them.

The key from s' to s has a row for each digit D_j of the primes of Q: an encryption of zero over Q and P, b = -(a s + e), whose b carries P s' modulo
the primes of D_j, with P the product of the special primes. With one special prime and one prime to a digit these are SEAL's rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..errors import InputError
from ..formats.cursor import LimbWords
from ..native.library import ffi, lib, secret_words, words_of
from ..native.rng import Rng, keygen_row
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.keys import SecretKey
from ..objects.common.params import BGV
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
        self._special = math.prod(p)
        self._plans = [form.plan(modulus) for modulus in self._moduli]
        self._n, own = key.context.n, key.context.params
        self._error_factor = int(own.plain_modulus or 1) if own.scheme == BGV else 1
        self._pointer, words = secret_words(3 * len(self._moduli) * self._n)
        self._secret, self._square, self._turned = words.reshape(3, len(self._moduli), self._n)
        self._secret[:] = secret_residues(key, form, self._moduli, montgomery=False, seal_order=True)
        for plan, secret, square in zip(self._plans, self._secret, self._square, strict=True):
            lib.rs_plan_mul(plan, ffi.cast("uint64_t *", words_of(square)), words_of(secret), words_of(secret))

    @property
    def digits(self) -> int:
        return -(-self._q_count // self._digit_primes)

    def rows(self, element: int) -> Iterator[KeyRow]:
        """The key for a Galois element (RELINEARISE: none), which switches s to s(X^(1/element)); RELINEARISE: the one that switches s^2 to s."""
        to, source = self._secret, self._square
        if element != RELINEARISE:
            to, source = self._turned, self._secret
            for plan, secret, turned in zip(self._plans, source, to, strict=True):
                out = ffi.cast("uint64_t *", words_of(turned))
                lib.rs_plan_galois(plan, out, words_of(secret), pow(element, -1, 2 * self._n))
        return self.switch(source, to)

    @property
    def secret(self) -> LimbWords:
        """The secret key's residues, as `switch` takes them."""
        return self._secret

    def switch(self, source: LimbWords, to: LimbWords) -> Iterator[KeyRow]:
        """The key from one secret to another, [modulus, N] in SEAL's order each."""
        for digit in range(self.digits):
            first = digit * self._digit_primes
            factors = [self._special % q for q in self._moduli[first : min(first + self._digit_primes, self._q_count)]]
            carried = first, words_of(source[first]), factors
            b, a = keygen_row(self._plans, words_of(to), carried, Rng(), error_factor=self._error_factor)
            yield list(b), list(a)

    def close(self) -> None:
        lib.rs_zeroize(self._pointer, 3 * self._secret.nbytes)
