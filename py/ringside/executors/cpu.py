# SPDX-License-Identifier: Apache-2.0
"""This machine's processor."""

from __future__ import annotations

from ..errors import of_frame
from ..native.batch import Batch
from ..native.encoding import encode_error
from ..native.handles import ContextHandle, KeyHandle, PublicHandle, SecretHandle
from ..native.library import CData, check, error_of, lib, workspace
from ..native.rng import Rng
from .interface import Decryption, Encryption


class Cpu:
    """The library's own operations. It holds nothing."""

    name = "cpu:"

    def encrypt(
        self, context: ContextHandle, key: KeyHandle, plaintext: CData, kind: int, ciphertext: CData, rng: Rng
    ) -> None:
        pointer = context.pointer
        size = lib.rs_encrypt_workspace(pointer, kind)
        rest = (ciphertext, rng.pointer, workspace(size), size)
        if isinstance(key, PublicHandle):
            check(lib.rs_encrypt_public(pointer, key.expanded(), plaintext, kind, *rest))
            return
        with key.borrow() as secret:
            check(lib.rs_encrypt_secret(pointer, secret, plaintext, *rest))

    def decrypt(
        self, context: ContextHandle, key: SecretHandle, ciphertext: CData, limbs: int, plaintext: CData
    ) -> None:
        pointer = context.pointer
        size = lib.rs_decrypt_workspace(pointer)
        with key.borrow() as secret:
            check(lib.rs_decrypt(pointer, secret, ciphertext, limbs, plaintext, workspace(size), size))

    def encrypt_frames(
        self, context: ContextHandle, key: KeyHandle, job: Encryption, rng: Rng, threads: int | None
    ) -> None:
        batch = Batch(context, len(job.frames))
        for index, (frame, ciphertext) in enumerate(zip(job.frames, job.ciphertexts, strict=True)):
            batch.set_frame(index, frame, job.limbs, job.scale)
            batch.ciphertexts[index] = ciphertext[0]
        status = batch.encrypt(key, job.kind, rng, threads)
        if status != 0:
            failed = batch.failed
            if failed == batch.count:
                raise error_of(status)
            raise of_frame(failed, encode_error(context, status, job.frames[failed], job.scale, job.limbs))
        for index, ciphertext in enumerate(job.ciphertexts):
            ciphertext[0] = batch.ciphertexts[index]

    def decrypt_frames(self, context: ContextHandle, key: SecretHandle, job: Decryption, threads: int | None) -> None:
        batch = Batch(context, len(job.ciphertexts))
        for index, ciphertext in enumerate(job.ciphertexts):
            batch.set_frame(index, job.values[index], job.limbs[index])
            batch.ciphertexts[index] = ciphertext[0]
        status = batch.decrypt(key, threads)
        if status != 0:
            error = error_of(status)
            raise error if batch.failed == batch.count else of_frame(batch.failed, error)

    def close(self) -> None:
        """Nothing to wipe."""


CPU = Cpu()
