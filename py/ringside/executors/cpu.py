# SPDX-License-Identifier: Apache-2.0
"""This machine's processor."""

from __future__ import annotations

from ..errors import of_frame
from ..native.batch import NativeBatch
from ..native.encoding import encode_error
from ..native.handles import PublicHandle
from ..native.library import check, error_of, lib, workspace
from .interface import Decryption, Encryption, Job, Plaintexts, Rows


class Cpu:
    """The library's own operations. It holds nothing."""

    name = "cpu:"
    fixed_bits = 0

    def run(self, job: Job) -> None:
        match job, job.messages:
            case Encryption(), Plaintexts():
                self._encrypt(job, job.messages)
            case Decryption(), Plaintexts():
                self._decrypt(job, job.messages)
            case Encryption(), Rows():
                self._encode_encrypt(job, job.messages)
            case Decryption(), Rows():
                self._decrypt_decode(job, job.messages)
            case _:
                raise TypeError("the processor encodes and decodes in fixed point before and after")

    def _encrypt(self, job: Encryption, messages: Plaintexts) -> None:
        pointer = job.context.pointer
        size = lib.rs_encrypt_workspace(pointer, job.kind)
        rest = (job.rng.pointer, workspace(size), size)
        for plaintext, ciphertext in zip(messages.natives, job.ciphertexts, strict=True):
            if isinstance(job.key, PublicHandle):
                key = job.key.expanded()
                check(lib.rs_encrypt_public(pointer, key, plaintext, job.kind, ciphertext, *rest))
                continue
            with job.key.borrow() as secret:
                check(lib.rs_encrypt_secret(pointer, secret, plaintext, ciphertext, *rest))

    def _decrypt(self, job: Decryption, messages: Plaintexts) -> None:
        pointer = job.context.pointer
        size = lib.rs_decrypt_workspace(pointer)
        with job.key.borrow() as secret:
            for plaintext, ciphertext, limbs in zip(messages.natives, job.ciphertexts, job.limbs, strict=True):
                check(lib.rs_decrypt(pointer, secret, ciphertext, limbs, plaintext, workspace(size), size))

    def _encode_encrypt(self, job: Encryption, messages: Rows) -> None:
        batch = NativeBatch(job.context, len(messages.values))
        for index, (frame, ciphertext) in enumerate(zip(messages.values, job.ciphertexts, strict=True)):
            batch.set_frame(index, frame, job.limbs, messages.scale)
            batch.ciphertexts[index] = ciphertext[0]
        status = batch.encrypt(job.key, job.kind, job.rng, job.threads)
        if status != 0:
            failed = batch.failed
            if failed == batch.count:
                raise error_of(status)
            error = encode_error(job.context, status, messages.values[failed], messages.scale, job.limbs)
            raise of_frame(failed, error)
        for index, ciphertext in enumerate(job.ciphertexts):
            ciphertext[0] = batch.ciphertexts[index]

    def _decrypt_decode(self, job: Decryption, messages: Rows) -> None:
        batch = NativeBatch(job.context, len(job.ciphertexts))
        for index, ciphertext in enumerate(job.ciphertexts):
            batch.set_frame(index, messages.values[index], job.limbs[index])
            batch.ciphertexts[index] = ciphertext[0]
        status = batch.decrypt(job.key, job.threads)
        if status != 0:
            error = error_of(status)
            raise error if batch.failed == batch.count else of_frame(batch.failed, error)

    def close(self) -> None:
        """Nothing to wipe."""


CPU = Cpu()
