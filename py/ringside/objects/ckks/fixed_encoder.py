# SPDX-License-Identifier: Apache-2.0
"""Encoding and decoding in fixed point: what gates compute, bit for bit (docs/encoding.md, "In fixed point")."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ...arguments import checks_arguments
from ...devices.calls import Slots
from ...errors import InputError
from ...native.fixed import FORMATS, FixedHandles, decode_fixed, encode_fixed
from ..common.arrays import NUMBERS_HINT, as_array
from ..common.params import Parameters
from ..common.plaintext import Plaintext
from ..common.tables import Tables
from .noise import refuse_imaginary

DEFAULT_BITS = 54  # bits of a word
DECODED_LIMBS = 2  # at most

_LARGER = {
    "b": np.uint8,
    "u": np.int64,
    "f": np.float64,
    "c": np.complex128,
}  # names of types that the library has no format for


def _numbers(values: ArrayLike) -> NDArray[Any]:
    """Values as one contiguous row of a type that the library reads, not copied if they are that."""
    array = as_array(values)
    if array.dtype.newbyteorder("=") not in FORMATS:
        larger = _LARGER.get(array.dtype.kind)
        if larger is None or (array.dtype.kind == "u" and array.size and int(array.max()) >= 1 << 63):
            message = f"Values must be numbers of up to 64 bits, not of dtype {array.dtype}."
            raise InputError("VALUE_TYPE", message, NUMBERS_HINT)
        array = array.astype(larger)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).reshape(-1)


def _bound(dtype: np.dtype[Any], exponent: int) -> int:
    """A bound that every integer of up to 16 bits keeps; for all else one that values up to 1 keep, complex ones too.

    Numbers of 64 bits are seldom that large: a bound for all of them would leave nothing of small ones in a word.
    """
    if dtype.kind in "fc" or dtype.itemsize > 2:
        return 1
    # 65535 is more than (1 - 2^-10) 2^16; 255 and 2^15 sqrt 2 are not more than that part of 2^8 and 2^16
    return exponent + 8 * dtype.itemsize + (dtype == np.uint16)


def slot_type(dtype: DTypeLike) -> np.dtype[Any]:
    """The type of decoded slots."""
    hint = "Pass np.float64, np.complex128 or np.int8 to np.int64."
    try:
        wanted = np.dtype(dtype)
    except (TypeError, ValueError) as error:
        raise InputError("VALUE_TYPE", "Slots are decoded to a type of NumPy's.", hint) from error
    if wanted not in FORMATS:
        raise InputError("VALUE_TYPE", f"Slots are decoded to float64, complex128 or integers, not to {wanted}.", hint)
    return wanted


@checks_arguments
class FixedEncoder(Tables):
    """Tables that encode and decode in fixed point too. See Context."""

    def __init__(self, params: Parameters) -> None:
        super().__init__(params)
        self._fixed = FixedHandles(params.log_n)

    def encode_fixed(
        self,
        values: ArrayLike,
        *,
        word_bits: int = DEFAULT_BITS,
        exponent: int = 0,
        bound: int | None = None,
        scale: float | None = None,
        level: int | None = None,
    ) -> Plaintext:
        """Encodes up to N/2 values times 2^exponent with words of word_bits (24 to 64) bits; missing slots are zero.

        values: integers of 8 to 64 bits are read as they are, so that bytes of a picture need no conversion; other numbers as float64
        or complex128.
        bound: magnitudes of slots are at most (1 - 2^-10) 2^bound. Default: what all integers of the type keep, if it has 8 or 16 bits;
        else 1, so that magnitudes up to 1.99 fit. A smaller one keeps more bits of small values.
        scale, level: as for encode.
        The coefficients differ from those of encode by an error with a root mean square of 0.54 scale 2^(bound + 1 - word_bits), of 0.6 to 0.8 times
        that if the scale is no power of two.
        InputError: as for encode, and for values above the bound, and word_bits out of range.
        """
        return self._encode_slots(self._slots_of(values, word_bits, exponent, bound, scale, level))

    def _slots_of(
        self,
        values: ArrayLike,
        word_bits: int,
        exponent: int,
        bound: int | None,
        scale: float | None,
        level: int | None,
    ) -> Slots:
        array = _numbers(values)
        limbs = self.params.limbs_at(level)
        if bound is None:
            bound = _bound(np.asarray(values).dtype, exponent)
        scale = self.params.default_scale if scale is None else float(scale)
        return Slots(self._fixed[word_bits], array, exponent, bound, scale, limbs)

    def _encode_slots(self, slots: Slots) -> Plaintext:
        plaintext = Plaintext._new_ntt(self, slots.limbs)
        rest = (slots.values, slots.exponent, slots.bound, slots.scale, slots.limbs)
        encode_fixed(self._handle, slots.fixed, plaintext._native, *rest)
        return plaintext

    def decode_fixed(
        self,
        plaintext: Plaintext,
        count: int | None = None,
        *,
        word_bits: int = DEFAULT_BITS,
        exponent: int = 0,
        bound: int = 1,
        dtype: DTypeLike = np.float64,
    ) -> NDArray[Any]:
        """The first `count` (default: all N/2) slots of a plaintext with one or two limbs: decrypt with limbs=1 or limbs=2.

        dtype: float64 (real parts, InputError if the imaginary parts are more than noise), complex128, or integers of 8, 16, 32 or 64 bits:
        real parts over 2^exponent, rounded half away from zero.
        bound: slots, noise included, are at most (1 - 2^-10) 2^bound; of two limbs half of that. The error of a slot is about sqrt(N/12) 2^(bound + 2 - word_bits).
        The plaintext is kept. InputError: count above N/2, more than two limbs, a slot above the bound or out of the range of dtype.
        """
        count = self._decode_count(count)
        wanted = slot_type(dtype)
        _ = plaintext.data  # raises if it was closed
        self._same(plaintext, Plaintext)
        # real parts of doubles: with the imaginary ones, to see that there is nothing in them
        values = np.zeros(count, np.complex128 if wanted == np.float64 else wanted)
        with plaintext._as_ntt(copy=True) as scratch:
            decode_fixed(self._handle, self._fixed[word_bits], scratch._native, values, exponent, bound)
        if wanted == np.float64:
            refuse_imaginary(self, values, plaintext.scale)
            return np.ascontiguousarray(values.real)
        return values

    def _decode_count(self, count: int | None) -> int:
        count = self.slots if count is None else count
        if not 0 <= count <= self.slots:
            message = f"The count is {count}; a ciphertext holds 0 to {self.slots} values."
            raise InputError("RS_ERR_VALUE_COUNT", message, f"Pass a count of 0 to {self.slots}, or none for all.")
        return count
