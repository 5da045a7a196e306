# SPDX-License-Identifier: Apache-2.0
"""Residues between SEAL's order and another library's: a gather, and for Montgomery's form a product. All limbs of one library's chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..formats.cursor import LimbWords
from ..formats.rings import residue_places, smallest_root
from ..native.handles import PlanHandle
from ..native.library import CData, aligned, fail, ffi, lib, words_of

_RADIX = 1 << 64


class ResidueForm:
    """The form in which a library keeps residues. root: which root of order 2N it takes, as root(q, N). Moduli are those of a plan (plan.h)."""

    def __init__(self, n: int, moduli: Sequence[int], root: Callable[[int, int], int]) -> None:
        self.n = n
        if len(set(moduli)) < len(moduli):
            fail(lib.RS_ERR_MODULUS_TWICE)
        self._plans = {modulus: PlanHandle(n, modulus) for modulus in moduli}
        self._root = root

    def plan(self, modulus: int) -> CData:
        """rs_plan_t const *: the ring of a modulus."""
        return self._plans[modulus].pointer

    def to_library(
        self, words: LimbWords, modulus: int, *, montgomery: bool = False, factor: int = 1, out: LimbWords | None = None
    ) -> LimbWords:
        """factor: what all are multiplied by. out: memory for the result, if it must be wiped."""
        found = aligned(self.n) if out is None else out
        if self._root is smallest_root:
            found[:] = words
        else:
            places = residue_places(modulus, self.n, self._root)
            np.take(words, places, out=found, mode="clip")  # "raise" would make a copy first
        self._multiply(found, modulus, factor * (_RADIX if montgomery else 1))
        return found

    def from_library(
        self, words: LimbWords, modulus: int, out: LimbWords, *, montgomery: bool = False, factor: int = 1
    ) -> None:
        if self._root is smallest_root:
            out[:] = words
        else:
            out[residue_places(modulus, self.n, self._root)] = words
        self._multiply(out, modulus, factor * (pow(_RADIX, -1, modulus) if montgomery else 1))

    def _multiply(self, words: LimbWords, modulus: int, factor: int) -> None:
        if factor == 1:
            return
        factors = aligned(self.n)
        factors[:] = factor % modulus
        pointer = ffi.cast("uint64_t *", words_of(words))
        lib.rs_plan_mul(self.plan(modulus), pointer, pointer, words_of(factors))

    def lift(self, small: NDArray[np.int8], modulus: int, out: LimbWords) -> None:
        """A small polynomial, N coefficients of one byte, as residues in SEAL's order."""
        plan, pointer = self.plan(modulus), ffi.cast("uint64_t *", words_of(out))
        lib.rs_plan_lift(plan, pointer, ffi.cast("int8_t const *", small.ctypes.data), 1)
        lib.rs_plan_forward(plan, pointer)
