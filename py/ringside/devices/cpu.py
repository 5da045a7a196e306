# SPDX-License-Identifier: Apache-2.0
"""This machine's processor."""

from __future__ import annotations

from ..errors import of_frame
from ..native.batch import Items, decrypt, encrypt
from ..native.encoding import encode_error
from ..native.library import check, error_of, ffi, lib, secret_bytes, span
from ..native.rng import Rng, keygen
from ..native.streams import Files
from .calls import Call, Decryption, DeviceSet, Encryption, Plaintexts, Rows, SchemeCall, SwitchRow, Transform
from .device import AnyDevice

WORKSPACES = {
    "mldsa_keygen": "verify_workspace",
    "mldsa_sign": "fast_workspace",
    "mldsa_verify": "verify_workspace",
}  # others: workspace


class Cpu(AnyDevice):
    """The library's own operations. It holds nothing."""

    name = "cpu:"

    def compute(self, call: Call) -> None:
        match call:
            case Encryption(messages=Plaintexts() | Rows() as messages):
                self._encrypt(call, messages)
            case Decryption(messages=Plaintexts() | Rows() as messages):
                self._decrypt(call, messages)
            case SwitchRow():
                with call.key.borrow() as secret:
                    keygen(call.context.pointer, secret, call.row, call.rng, **call.members)
            case Transform():
                plan = lib.rs_context_plan(call.context.pointer, call.limb)
                (lib.rs_plan_inverse if call.inverse else lib.rs_plan_forward)(plan, call.words)
            case SchemeCall():
                check(self._of_scheme(call))

    def _encrypt(self, job: Encryption, messages: Plaintexts | Rows) -> None:
        items = Items("rs_encrypt_item_t", job.ciphertexts)
        if isinstance(messages, Plaintexts):
            for index, plaintext in enumerate(messages.natives):
                items.members[index]["plaintext"] = plaintext
            check(encrypt(job.context, items, job.key, job.kind, job.rng, job.threads, ntt=job.ntt))
            return
        self._encrypt_rows(job, messages, items)

    def encrypt_to(self, files: Files, job: Encryption, messages: Rows) -> None:
        """The same files as of the job's ciphertexts, of which it has none, without them. It has rows and a public key."""
        self._encrypt_rows(job, messages, Items("rs_encrypt_item_t", [ffi.NULL] * len(messages.values)), files)

    def _encrypt_rows(self, job: Encryption, messages: Rows, items: Items, files: Files | None = None) -> None:
        for index, values in enumerate(messages.values):
            items.set_values(index, values, job.limbs, messages.scale, messages.packing)
        status = encrypt(job.context, items, job.key, job.kind, job.rng, job.threads, ntt=job.ntt, files=files)
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
                items.set_values(index, messages.values[index], limbs, packing=messages.packing)
        status = decrypt(job.context, items, job.key, job.threads, margin_bits=job.margin_bits)
        if status != 0:
            error = error_of(status)
            raise error if isinstance(messages, Plaintexts) else of_frame(items.failed, error)

    def _of_scheme(self, call: SchemeCall) -> int:
        """The status."""
        scheme = call.scheme
        sizes = lib.rs_newhope_sizes() if scheme.newhope else getattr(lib, f"rs_{scheme.name}_sizes")(scheme.number)
        room = secret_bytes(getattr(sizes, WORKSPACES.get(call.name, "workspace")))
        if call.name == "newhope_shared":
            spans = call.outputs["shared"], call.inputs["client_message"], call.inputs["secret"], room
            return int(lib.rs_newhope_shared(scheme.newhope, *map(span, spans)))
        own = {"scheme": scheme.newhope} if scheme.newhope else {"set": scheme.number}
        rng = {"rng": Rng().pointer} if call.random else {}
        return int(getattr(lib, f"rs_{call.name}")(call.request(workspace=room, **own, **rng)))

    def prepare(self, scheme: DeviceSet) -> None:
        """Nothing to prepare."""

    def close(self) -> None:
        """Nothing to wipe."""


CPU = Cpu()
