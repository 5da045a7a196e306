# SPDX-License-Identifier: Apache-2.0
"""What an executor does: encrypt and decrypt, for any context. All give the same bits for the same seeds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..native.fixed import FixedHandle
from ..native.handles import ContextHandle, KeyHandle, SecretHandle
from ..native.library import CData
from ..native.rng import Rng


@dataclass(frozen=True)
class Encryption:
    """A batch to encode and encrypt. frames: contiguous rows of float64 or complex128; ciphertexts: rs_ciphertext_t of each."""

    frames: Sequence[NDArray[Any]]
    scale: float
    limbs: int
    kind: int
    ciphertexts: Sequence[CData]


@dataclass(frozen=True)
class Decryption:
    """A batch to decrypt and decode. limbs: how many of each ciphertext; values: a row of all N/2 slots for each."""

    ciphertexts: Sequence[CData]
    limbs: Sequence[int]
    values: NDArray[np.complex128]


@dataclass(frozen=True)
class Slots:
    """Numbers to encode in fixed point, or room for those that are decoded: rs_fixed_layout_t, and what rs_encode_fixed wants besides."""

    fixed: FixedHandle
    values: NDArray[Any]
    exponent: int
    bound: int
    scale: float = 1.0
    limbs: int = 1


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
        self, context: ContextHandle, key: KeyHandle, job: Encryption, rng: Rng, threads: int | None
    ) -> None:
        """Every frame. Errors name the frame (of_frame)."""

    def decrypt_frames(self, context: ContextHandle, key: SecretHandle, job: Decryption, threads: int | None) -> None:
        """Every ciphertext. Errors name the frame (of_frame)."""

    def close(self) -> None:
        """Wipes what it holds."""


class SlotExecutor(ABC):
    """An executor whose core may also encode and decode, in fixed point: slots go in, ciphertexts come out, and back. The bits are the library's."""

    @property
    @abstractmethod
    def fixed_bits(self) -> int:
        """Of the words in which the core encodes and decodes; 0: it does not."""

    @abstractmethod
    def encode_encrypt_frames(
        self,
        context: ContextHandle,
        key: KeyHandle,
        frames: Sequence[Slots],
        kind: int,
        ciphertexts: Sequence[CData],
        rng: Rng,
        threads: int | None,
    ) -> None:
        """rs_encode_fixed and an encryption of each; slots of one layout, scale and level."""

    @abstractmethod
    def decrypt_decode_frames(
        self,
        context: ContextHandle,
        key: SecretHandle,
        ciphertexts: Sequence[CData],
        frames: Sequence[Slots],
        threads: int | None,
    ) -> None:
        """rs_decrypt of the first slots.limbs limbs of each and rs_decode_fixed; slots, of one layout and as many limbs, receive the results."""

    def encode_encrypt(
        self, context: ContextHandle, key: KeyHandle, slots: Slots, kind: int, ciphertext: CData, rng: Rng
    ) -> None:
        """One frame."""
        self.encode_encrypt_frames(context, key, [slots], kind, [ciphertext], rng, 1)

    def decrypt_decode(self, context: ContextHandle, key: SecretHandle, ciphertext: CData, slots: Slots) -> None:
        """One frame."""
        self.decrypt_decode_frames(context, key, [ciphertext], [slots], 1)
