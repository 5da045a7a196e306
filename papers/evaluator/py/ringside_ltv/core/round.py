# SPDX-License-Identifier: Apache-2.0
"""A round of AES on ciphertexts whose products and relinearisations are somebody else's: the library's round (src/aes/evaluate.c), step by step."""

from typing import Protocol

import numpy as np

from ..scheme import BLOCK, ROUNDS, Scheme, Words
from .boxes import BITS, Boxes, Forms


class Products(Protocol):
    """What a core does."""

    def bilinear(self, forms: Forms, left: Words, right: Words) -> Words: ...

    def relinearise(self, products: Words) -> None: ...


class Round:
    """One instance's rounds. told: called after each step of STEPS."""

    def __init__(self, scheme: Scheme, products: Products) -> None:
        self.scheme, self.products = scheme, products
        self.boxes = Boxes(scheme)

    def _product(self, forms: Forms, left: Words, right: Words, level: int) -> Words:
        """The product of values [...][16][bits][n], at level - 1."""
        found = self.products.bilinear(forms, left[:level, :, : forms.left], right[:level, :, : forms.right])
        self.products.relinearise(found)
        return self.scheme.switch(found).reshape(level - 1, BLOCK, forms.count, -1)

    def _add(self, to: Words, rows: list[int], values: Words) -> None:
        """Sums of a byte's bits to bits of the same byte."""
        for k, row in enumerate(rows):
            for i in range(values.shape[2]):
                if row >> i & 1:
                    self._add_bits(to[:, :, k], values[: len(to), :, i])

    def _add_bits(self, to: Words, bits: Words) -> None:
        for prime, (a, b) in enumerate(zip(to, bits, strict=True)):
            a[:] = (a.astype(np.uint64) + b) % np.uint64(self.scheme.prime(prime))

    def _outputs(self, x: Words, level: int) -> Words:
        """Outputs of sixteen S-boxes, without the constant."""
        boxes = self.boxes
        norm = self._product(boxes.norm16, x[:, :, 4:], x, level)
        self._add(norm, boxes.norm16_linear, x)
        if self.scheme.parameters.sbox_depth == 3:
            a = self._product(boxes.numerator, x, norm, level - 1)
            return self._product(boxes.output3, a, self._product(boxes.twelfth, norm, norm, level - 1), level - 2)
        small = self._product(boxes.norm4, norm[:, :, 2:], norm, level - 1)
        self._add(small, boxes.norm4_linear, norm)
        return self._product(boxes.output, x, self._product(boxes.inverse16, norm, small, level - 2), level - 3)

    def run(self, number: int, state: Words, key: Words) -> Words:
        """The state after round `number`, of the one before it and the round key."""
        level, n = len(state), state.shape[-1]
        outputs = self._outputs(state.reshape(level, BLOCK, BITS, n), level)
        result = key.copy()
        bits = result.reshape(len(key), BLOCK, BITS, n)
        for byte in range(BLOCK):
            column, row = divmod(byte, 4)
            for k in range(1 if number == ROUNDS else 4):
                from_row = (row + k) % 4  # ShiftRows: its column is as many further
                self._mix(bits[:, byte], outputs[:, 4 * ((column + from_row) % 4) + from_row], k, number < ROUNDS)
        return result

    def _mix(self, to: Words, byte: Words, k: int, mixes: bool) -> None:
        """to += the byte times 2, 3, 1, 1 for k = 0 to 3; as it is in the last round."""
        for bit in range(BITS):
            mask = 1 << bit
            if mixes and k == 0:
                mask = self.boxes.doubling[bit]
            elif mixes and k == 1:
                mask ^= self.boxes.doubling[bit]
            for i in range(BITS):
                if mask >> i & 1:
                    self._add_bits(to[:, bit], byte[:, i])
