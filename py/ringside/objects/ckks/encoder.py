# SPDX-License-Identifier: Apache-2.0
"""Encoding and decoding, and how precise they are: the part of a Context that needs no key."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arguments import checks_arguments
from ...errors import InputError
from ...native.encoding import decode, encode, publish_options
from ...native.library import CData
from ..common.arrays import numbers
from ..common.evaluation import SECRET_KEY
from ..common.plaintext import Plaintext
from .fixed_encoder import FixedEncoder
from .noise import noise_variance, predicted_precision, published_precision, refuse_imaginary, refuse_noise
from .options import Publish


@checks_arguments
class Encoder(FixedEncoder):
    """Tables that encode and decode. See Context."""

    # ---- encode and decode ---------------------------------------------------------------------
    def encode(self, values: ArrayLike, *, scale: float | None = None, level: int | None = None) -> Plaintext:
        """Encodes up to N/2 real or complex values; missing slots are zero.

        values: any shape, read in row-major order; float64 and complex128 are not copied.
        scale: default params.default_scale. level: default the highest, max_level.
        Rounds scale * embedding^-1(values), half away from zero (Cheon-Kim-Kim-Song 2017), to the
        same integers as SEAL.
        InputError: too many values, NaN or infinity, scale or level out of range, values that
        overflow the modulus of the level.
        """
        array = numbers(values)
        plaintext = Plaintext._new_coef(self)
        encode(self._handle, plaintext._native, array, self._scale(scale), self.params.limbs_at(level))
        return plaintext

    @overload
    def decode(
        self,
        plaintext: Plaintext,
        count: int | None = None,
        *,
        real: Literal[True] | None = None,
        **publish: Unpack[Publish],
    ) -> NDArray[np.float64]: ...
    @overload
    def decode(
        self, plaintext: Plaintext, count: int | None = None, *, real: Literal[False], **publish: Unpack[Publish]
    ) -> NDArray[np.complex128]: ...
    @overload
    def decode(
        self, plaintext: Plaintext, count: int | None = None, *, real: bool, **publish: Unpack[Publish]
    ) -> NDArray[Any]: ...
    def decode(
        self, plaintext: Plaintext, count: int | None = None, *, real: bool | None = None, **publish: Unpack[Publish]
    ) -> NDArray[Any]:
        """The first `count` (default: all N/2) slot values.

        real: None gives real parts, and InputError if the imaginary parts are more than noise: complex data are not dropped unasked.
        True gives real parts in any case, False complex values.

        The plaintext is kept. SecretKeyError if the plaintext fills the modulus the way only a
        decryption with a wrong key does. InputError: count above N/2, value beyond a double.

        publish_bits: for values that others will see. Exact values carry the ciphertext's noise, and with it the secret key
        (docs/threat-model.md, "Publishing decryptions"). Rounds to the nearest multiple of 2^-publish_bits, ties away from zero;
        -256 to 256. flood_bits, with publish_bits only: first adds discrete Gaussian noise of standard deviation
        2^flood_bits to each of the N integer coefficients; 4 to 57. published_precision() tells what is left.
        """
        how = publishing(publish)
        with self._as_own(plaintext)._as_ntt(copy=True) as scratch:
            return self._decode_in_place(scratch, count, real, how)

    def _decode_in_place(
        self, plaintext: Plaintext, count: int | None, real: bool | None, publish: CData | None
    ) -> NDArray[Any]:
        count = self._decode_count(count)
        values = np.empty(self.slots, dtype=np.complex128)
        decode(self._handle, plaintext._native, values, publish)
        refuse_noise(self.params, values, plaintext.scale, plaintext.level)
        if real is None:
            refuse_imaginary(self, values[:count], plaintext.scale, publish)
        return (values if real is False else values.real)[:count].copy()

    # ---- precision -----------------------------------------------------------------------------
    def noise_variance(self, kind: str = SECRET_KEY, level: int | None = None) -> float:
        """Variance per coefficient of a fresh ciphertext's noise, encode rounding included.

        kind: "secret-key", "public-key", or "public-key-direct" (without special prime).
        """
        return noise_variance(self, kind, level)

    def predicted_precision(
        self, *, scale: float | None = None, kind: str = SECRET_KEY, level: int | None = None
    ) -> float:
        """Bits after the point that survive a fresh encryption: -log2 of the rms slot error."""
        return predicted_precision(self, kind, level, self._scale(scale))

    def published_precision(
        self, publish_bits: int, flood_bits: int | None = None, *, scale: float | None = None
    ) -> float:
        """Bits after the point that publishing leaves: -log2 of the rms error that rounding and flooding add to a slot.

        scale: of the ciphertext. The noise that the ciphertext has already comes on top (predicted_precision, if it is fresh).
        """
        return published_precision(self, publish_options(publish_bits, flood_bits), self._scale(scale))

    # ---- checks --------------------------------------------------------------------------------
    def _scale(self, scale: float | None) -> float:
        return self.params.default_scale if scale is None else float(scale)

    def _as_own(self, plaintext: Plaintext) -> Plaintext:
        _ = plaintext.data  # raises if it was closed
        self._same(plaintext, Plaintext)
        return plaintext


def publishing(options: Publish) -> CData | None:
    """rs_publish_t, None for exact values."""
    publish_bits, flood_bits = options["publish_bits"], options["flood_bits"]
    if publish_bits is not None:
        return publish_options(publish_bits, flood_bits)
    if flood_bits is not None:
        message = "flood_bits (--flood-bits) needs publish_bits (--publish-bits)."
        raise InputError("RS_ERR_PUBLISH", message, "Give both: what is published is rounded, with noise or without.")
    return None
