# SPDX-License-Identifier: Apache-2.0
"""Functions of bits as sums (XOR) of terms: the constant 1, variables, and products of two sums, which are not
multiplied out.

Equal products are one term, so a sum in which equal terms cancel is found equal. Sets of variables are the bits of an
int.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Sum = frozenset[int]  # 0 is the constant 1, 2 v + 1 variable v, 2 p + 2 product p
ZERO: Sum = frozenset()
ONE: Sum = frozenset([0])


class Algebra:
    def __init__(self) -> None:
        self.factors: list[tuple[Sum, Sum]] = []
        self.reach: list[int] = []  # variables of a product
        self._product: dict[tuple[Sum, Sum], int] = {}
        self._masks: dict[Sum, tuple[int, int]] = {}
        self._ranks: dict[Sum, int] = {}

    def product(self, a: Sum, b: Sum) -> Sum:
        if not a or not b or a == b ^ ONE:
            return ZERO
        if a in (ONE, b):
            return b
        if b == ONE:
            return a
        if 0 in a:  # with the constants outside, more products are equal
            return b ^ self.product(a ^ ONE, b)
        if 0 in b:
            return a ^ self.product(a, b ^ ONE)
        key = (a, b) if self._rank(a) < self._rank(b) else (b, a)
        return self._term(*key)

    def _term(self, a: Sum, b: Sum) -> Sum:
        if (a, b) not in self._product:
            self._product[a, b] = len(self.factors)
            self.factors.append((a, b))
            self.reach.append(self.support(a) | self.support(b))
        return frozenset([2 * self._product[a, b] + 2])

    def wrapped(self, f: Sum) -> Sum:
        """The same function as one term, which is not looked into: where no rule can use its terms."""
        return self._term(f, ONE) if len(f) > 1 else f

    def _rank(self, f: Sum) -> int:
        return self._ranks.setdefault(f, len(self._ranks))

    def masks(self, f: Sum) -> tuple[int, int]:
        """Variables that are terms of the sum, and those that stand in products of it."""
        if f not in self._masks:
            linear = inside = 0
            for term in f:
                if term & 1:
                    linear |= 1 << (term >> 1)
                elif term:
                    inside |= self.reach[term // 2 - 1]
            self._masks[f] = linear, inside
        return self._masks[f]

    def support(self, f: Sum) -> int:
        linear, inside = self.masks(f)
        return linear | inside

    def sums(self, functions: Iterable[Sum], variables: int) -> set[Sum]:
        """These and all sums in their products, as far as they have some of the variables."""
        found: set[Sum] = set()
        todo = list(functions)
        while todo:
            if (f := todo.pop()) not in found:
                found.add(f)
                for term in f:
                    if term and not term & 1 and self.reach[term // 2 - 1] & variables:
                        todo += self.factors[term // 2 - 1]
        return found

    def replaced(self, f: Sum, variable: int, more: Sum, done: dict[int, Sum]) -> Sum:
        """The sum with variable + more in the place of a variable. done: what products have become."""
        result = ZERO
        for term in f:
            if term == 2 * variable + 1:
                result ^= more ^ {term}
            elif term and not term & 1 and self.reach[term // 2 - 1] >> variable & 1:
                if term not in done:
                    a, b = self.factors[term // 2 - 1]
                    one = self.replaced(a, variable, more, done)
                    done[term] = self.product(one, self.replaced(b, variable, more, done))
                result ^= done[term]
            else:
                result ^= {term}
        return result


class Values:
    """Values of sums for all 2^n values of some variables: bit k of an index is the value of the k-th."""

    def __init__(self, algebra: Algebra, variables: list[int]) -> None:
        self.algebra, self.count = algebra, len(variables)
        index = np.arange(1 << self.count, dtype=np.uint32)
        self._of = {2 * v + 1: (index >> k & 1).astype(bool) for k, v in enumerate(variables)}

    def bits(self, f: Sum) -> NDArray[np.bool_]:
        result = np.zeros(1 << self.count, bool)
        for term in f:
            result = ~result if not term else result ^ self._term(term)
        return result

    def _term(self, term: int) -> NDArray[np.bool_]:
        if term not in self._of:
            a, b = self.algebra.factors[term // 2 - 1]
            self._of[term] = self.bits(a) & self.bits(b)
        return self._of[term]

    def number(self, functions: Iterable[Sum]) -> NDArray[np.int64]:
        """The bits of several, the first one lowest."""
        result = np.zeros(1 << self.count, np.int64)
        for k, f in enumerate(functions):
            result |= self.bits(f).astype(np.int64) << k
        return result
