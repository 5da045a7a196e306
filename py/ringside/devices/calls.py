# SPDX-License-Identifier: Apache-2.0
"""The interface of executors: they encrypt and decrypt, for any context. All give the same bits for the same seeds."""

from __future__ import annotations

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
class Slots:
    """Numbers to encode in fixed point, or room for those that are decoded: rs_fixed_layout_t, and what rs_encode wants besides."""

    fixed: FixedHandle
    values: NDArray[Any]
    exponent: int
    bound: int
    scale: float = 1.0
    limbs: int = 1


@dataclass(frozen=True)
class Plaintexts:
    """rs_plaintext_t of each frame: nothing is encoded or decoded."""

    natives: Sequence[CData]


@dataclass(frozen=True)
class Rows:
    """Numbers to encode, contiguous rows of float64 or complex128 at one scale, or rows of complex128 for all N/2 slots that are decoded."""

    values: Sequence[NDArray[Any]] | NDArray[np.complex128]
    scale: float = 0.0


@dataclass(frozen=True)
class FixedRows:
    """Slots that the core itself encodes or decodes, of one layout, scale and level: for executors with fixed_bits."""

    slots: Sequence[Slots]


Messages = Plaintexts | Rows | FixedRows


@dataclass(frozen=True)
class Encryption:
    """Messages that become ciphertexts. kind: rs_encryption_t, RS_ENCRYPT_SK for a secret key and one of the others for a public one. ciphertexts:
    rs_ciphertext_t of each with memory for the result. limbs: of each. threads: None, as many as there are processors."""

    context: ContextHandle
    key: KeyHandle
    messages: Messages
    ciphertexts: Sequence[CData]
    kind: int
    limbs: int
    rng: Rng
    threads: int | None = 1


@dataclass(frozen=True)
class Decryption:
    """Ciphertexts that become messages, each from its first limbs."""

    context: ContextHandle
    key: SecretHandle
    messages: Messages
    ciphertexts: Sequence[CData]
    limbs: Sequence[int]
    threads: int | None = 1


Job = Encryption | Decryption


class Executor(Protocol):
    """Something that computes. Threads may share it."""

    @property
    def name(self) -> str:
        """A name as devices have it: "cpu:", "sim:rise-4"."""

    @property
    def fixed_bits(self) -> int:
        """Width of the words in which the core encodes and decodes FixedRows, with the library's bits; 0: it does not."""

    def run(self, job: Job) -> None:
        """Every frame of the job. Errors name the frame (of_frame) where the messages are rows."""

    def close(self) -> None:
        """Wipes what it holds."""
