# SPDX-License-Identifier: Apache-2.0
"""This machine's processor."""

from __future__ import annotations

from ..errors import of_frame
from ..native.batch import Items, decrypt, encrypt
from ..native.encoding import encode_error
from ..native.library import check, error_of, lib
from .calls import Decryption, Encryption, FixedRows, Job, Plaintexts, Rows


class Cpu:
    """The library's own operations. It holds nothing."""

    name = "cpu:"
    fixed_bits = 0

    def run(self, job: Job) -> None:
        if isinstance(job.messages, FixedRows):
            raise TypeError("the processor encodes and decodes in fixed point before and after")
        if isinstance(job, Encryption):
            self._encrypt(job, job.messages)
        else:
            self._decrypt(job, job.messages)

    def _encrypt(self, job: Encryption, messages: Plaintexts | Rows) -> None:
        items = Items("rs_encrypt_item_t", job.ciphertexts)
        if isinstance(messages, Plaintexts):
            for index, plaintext in enumerate(messages.natives):
                items.members[index]["plaintext"] = plaintext
            check(encrypt(job.context, items, job.key, job.kind, job.rng, job.threads))
            return
        for index, values in enumerate(messages.values):
            items.set_values(index, values, job.limbs, messages.scale)
        status = encrypt(job.context, items, job.key, job.kind, job.rng, job.threads)
        if status == lib.RS_ERR_RNG:
            raise error_of(status)
        if status != 0:
            failed = items.failed
            raise of_frame(
                failed, encode_error(job.context, status, messages.values[failed], messages.scale, job.limbs)
            )

    def _decrypt(self, job: Decryption, messages: Plaintexts | Rows) -> None:
        items = Items("rs_decrypt_item_t", job.ciphertexts)
        for index, limbs in enumerate(job.limbs):
            if isinstance(messages, Plaintexts):
                items.members[index] |= {"plaintext": messages.natives[index], "limb_count": limbs}
            else:
                items.set_values(index, messages.values[index], limbs)
        status = decrypt(job.context, items, job.key, job.threads)
        if status != 0:
            error = error_of(status)
            raise error if isinstance(messages, Plaintexts) else of_frame(items.failed, error)

    def close(self) -> None:
        """Nothing to wipe."""


CPU = Cpu()
