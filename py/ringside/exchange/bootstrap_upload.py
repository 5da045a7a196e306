# SPDX-License-Identifier: Apache-2.0
"""Uploads with as few limbs as a server's bootstrapping takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, in_frame
from ..objects.ckks.context import Context
from ..objects.common.arrays import numbers
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.exact.options import COEFFICIENTS, SLOTS


@dataclass(frozen=True)
class BootstrapUpload:
    """How to encrypt one. level, scale: that the library takes. packing: values in slots, or one in each coefficient.

    largest: magnitude of a value that bootstrapping keeps.
    """

    context: Context
    packing: str
    level: int
    scale: float
    largest: float

    @property
    def capacity(self) -> int:
        """Values in a ciphertext: N/2 slots, or N coefficients, which hold real numbers."""
        return self.context.n if self.packing == COEFFICIENTS else self.context.slots

    @property
    def precision_gain_bits(self) -> float:
        """Bits by which a value is more precise than one in a slot, to which the errors of all coefficients add up."""
        return float(np.log2(self.context.n)) / 2 if self.packing == COEFFICIENTS else 0.0

    def encrypt_batch(self, frames: Iterable[ArrayLike], key: SecretKey | PublicKey, **how: Any) -> list[Ciphertext]:
        """frames: values in SEAL's slots, or coefficients. how: as for Context.encrypt_batch."""
        rows = [numbers(frame).reshape(-1) for frame in frames]
        for index, row in enumerate(rows):
            with in_frame(index):
                self._check(row)
        how |= {"level": self.level, "scale": self.scale}
        if self.packing == SLOTS:
            return self.context.encrypt_batch(rows, key, **how)
        progress, found = how.pop("progress", None), list[Ciphertext]()
        how.pop("threads", None)
        for row in rows:
            with self.context.encode([], scale=self.scale, level=self.level) as plaintext:
                np.multiply(row, self.scale, out=plaintext.data[: row.size])
                np.rint(plaintext.data, out=plaintext.data)
                found.append(self.context.encrypt(plaintext, key, **how))
            if progress is not None:
                progress(len(found), len(rows))
        return found

    def _check(self, row: Any) -> None:
        """InputError: what is encoded would not come back."""
        if self.packing == COEFFICIENTS and np.iscomplexobj(row):
            raise InputError("PACKING", "Coefficients hold real numbers.", "Leave packing out: slots are complex.")
        if row.size > self.capacity:
            message = f"{row.size} values do not fit into {self.capacity} {self.packing}."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Encrypt at most as many at a time.")
        if not np.isfinite(row).all():
            raise InputError("RS_ERR_NOT_FINITE", "A value is not finite.", "Values must be numbers.")
        if np.abs(row).max(initial=0.0) > self.largest:
            message = f"At the scale 2^{np.log2(self.scale):g} bootstrapping keeps values up to {self.largest:g}."
            raise InputError("RS_ERR_OVERFLOW", message, "Divide the values, or choose a smaller scale.")
