# SPDX-License-Identifier: Apache-2.0
"""The S-box as bilinear forms, derived from the basis that the library keeps a state in: a second derivation, beside src/aes/tables.c.

The basis is a tower's: bytes below 16 are a subfield GF(16), those below 4 are GF(4), and x = a y + b has the halves a and b.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..scheme import BLOCK, Scheme

AES_POLYNOMIAL, BYTES, BITS = 0x11B, 256, 8


@dataclass(frozen=True)
class Forms:
    """count sums: number k is the sum of left[i] right[j] over i and the bits j of masks[k][i]."""

    left: int
    right: int
    masks: Sequence[Sequence[int]]

    @property
    def count(self) -> int:
        return len(self.masks)

    @property
    def pairs(self) -> list[tuple[int, int, int]]:
        """k, i and the mask, where it is not zero."""
        return [(k, i, mask) for k, row in enumerate(self.masks) for i, mask in enumerate(row) if mask]


def _times(a: int, b: int) -> int:
    """In AES's field and basis."""
    product = 0
    for k in range(BITS):
        product ^= a << k if b >> k & 1 else 0
    for k in reversed(range(BITS, 2 * BITS - 1)):
        product ^= AES_POLYNOMIAL << k - BITS if product >> k & 1 else 0
    return product


def _affine(x: int) -> int:
    """The S-box's affine map without its constant, which the round keys have."""
    return (x ^ x << 1 ^ x << 2 ^ x << 3 ^ x << 4) & 255 ^ (x << 1 ^ x << 2 ^ x << 3 ^ x << 4) >> BITS


def _basis(scheme: Scheme) -> list[int]:
    """What the library keeps of each byte: all bytes are in sixteen blocks."""
    blocks = np.zeros((scheme.info.slots, BLOCK), np.uint8)
    blocks[: BYTES // BLOCK] = np.arange(BYTES, dtype=np.uint8).reshape(-1, BLOCK)
    bits = np.array([scheme.decode(message) for message in scheme.messages(blocks)])  # [128][slots]
    places = ((byte % BLOCK, byte // BLOCK) for byte in range(BYTES))
    return [sum(int(bits[BITS * i + b, block]) << b for b in range(BITS)) for i, block in places]


class Boxes:
    """Tables of both S-boxes for an instance's basis."""

    def __init__(self, scheme: Scheme) -> None:
        self._to = _basis(scheme)
        self._from = [self._to.index(x) for x in range(BYTES)]
        self.doubling = self._linear(lambda x: self.times(x, self._to[2]), BITS, BITS)
        self.norm16 = self._forms(self.times, 4, 4, 4)  # forms of a and b
        self.norm16_linear = self._linear(
            lambda x: self._power(x, 17), BITS, 4
        )  # with a or b zero, it is all of the norm
        self.norm4 = self._forms(self.times, 2, 2, 2)
        self.norm4_linear = self._linear(lambda d: self._power(d, 5), 4, 2)
        self.inverse16 = self._forms(lambda d, norm: self._halves(d, self._power(norm, 2), 2, mixed=True), 4, 2, 4)
        self.output = self._forms(lambda x, inverse: self._out(self._halves(x, inverse, 4, mixed=True)), 8, 4, 8)
        self.numerator = self._forms(lambda x, d: self._halves(x, self._power(d, 2), 4, mixed=True), 8, 4, 8)
        self.twelfth = self._forms(lambda d, e: self.times(self._power(d, 4), self._power(e, 8)), 4, 4, 4)
        self.output3 = self._forms(lambda x, power: self._out(self._halves(x, power, 4, mixed=False)), 8, 4, 8)

    def times(self, x: int, y: int) -> int:
        return self._to[_times(self._from[x], self._from[y])]

    def _power(self, x: int, exponent: int) -> int:
        result = x
        for _ in range(exponent - 1):
            result = self.times(result, x)
        return result

    def _halves(self, x: int, factor: int, bits: int, *, mixed: bool) -> int:
        """Both halves (a, b) of x times the factor; mixed: (a, a + b)."""
        a, b = x >> bits, x & (1 << bits) - 1
        return self.times(a, factor) << bits | self.times(a ^ b if mixed else b, factor)

    def _out(self, inverse: int) -> int:
        return self._to[_affine(self._from[inverse])]

    def _forms(self, product: Callable[[int, int], int], left: int, right: int, count: int) -> Forms:
        values = [[product(1 << i, 1 << j) for j in range(right)] for i in range(left)]
        masks = [[sum((value >> k & 1) << j for j, value in enumerate(row)) for row in values] for k in range(count)]
        return Forms(left, right, masks)

    def _linear(self, of: Callable[[int], int], bits: int, count: int) -> list[int]:
        """Row k: which bits are summed for bit k."""
        values = [of(1 << i) for i in range(bits)]
        return [sum((value >> k & 1) << i for i, value in enumerate(values)) for k in range(count)]
