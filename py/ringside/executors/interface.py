# SPDX-License-Identifier: Apache-2.0
"""What an executor does: encrypt and decrypt, for any context. All give the same bits for the same seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..native.handles import ContextHandle, KeyHandle, SecretHandle
from ..native.library import CData
from ..native.rng import Rng


class Executor(Protocol):
    """Something that computes. Threads may share it.

    Descriptors are the library's: rs_plaintext_t, rs_ciphertext_t, with memory for the result. kind: rs_encryption_t,
    RS_ENCRYPT_SK for a secret key and one of the others for a public key.
    """

    @property
    def name(self) -> str:
        """As devices are called: "cpu:", "sim:rise-4"."""

    def encrypt(
        self, context: ContextHandle, key: KeyHandle, plaintext: CData, kind: int, ciphertext: CData, rng: Rng
    ) -> None:
        """One plaintext."""

    def decrypt(
        self, context: ContextHandle, key: SecretHandle, ciphertext: CData, limbs: int, plaintext: CData
    ) -> None:
        """One ciphertext, from its first `limbs` limbs."""

    def encrypt_frames(
        self,
        context: ContextHandle,
        key: KeyHandle,
        frames: Sequence[NDArray[Any]],
        scale: float,
        limbs: int,
        kind: int,
        ciphertexts: Sequence[CData],
        rng: Rng,
        threads: int | None,
    ) -> None:
        """Encodes and encrypts each frame, a contiguous row of float64 or complex128. Errors name the frame (of_frame)."""

    def decrypt_frames(
        self,
        context: ContextHandle,
        key: SecretHandle,
        ciphertexts: Sequence[CData],
        limbs: Sequence[int],
        values: NDArray[np.complex128],
        threads: int | None,
    ) -> None:
        """Decrypts and decodes each ciphertext to a row of `values`, all N/2 slots. Errors name the frame (of_frame)."""

    def close(self) -> None:
        """Wipes what it holds."""
