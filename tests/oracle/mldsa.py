# SPDX-License-Identifier: Apache-2.0
"""ML-DSA of the C core on bytes. No mathematics here."""

from typing import Any

from oracle.core import ok, status_name
from ringside.native._cdef import ffi
from ringside.native.library import lib, request, span

# FIPS 204's names of the functions for HashML-DSA, as hashlib has them
PREHASHES = {
    "sha256": lib.RS_MLDSA_SHA2_256, "sha384": lib.RS_MLDSA_SHA2_384, "sha512": lib.RS_MLDSA_SHA2_512,
    "sha224": lib.RS_MLDSA_SHA2_224, "sha512_224": lib.RS_MLDSA_SHA2_512_224, "sha512_256": lib.RS_MLDSA_SHA2_512_256,
    "sha3_224": lib.RS_MLDSA_SHA3_224, "sha3_256": lib.RS_MLDSA_SHA3_256, "sha3_384": lib.RS_MLDSA_SHA3_384,
    "sha3_512": lib.RS_MLDSA_SHA3_512, "shake_128": lib.RS_MLDSA_SHAKE128, "shake_256": lib.RS_MLDSA_SHAKE256,
}  # fmt: skip


def text(form: int, content: bytes, context: bytes = b"", name: str | None = None) -> dict[str, Any]:
    """rs_mldsa_message_t."""
    number = PREHASHES[name] if name else 0
    return {"form": form, "hash": number, "bytes": span(content), "context": span(context)}


class MlDsa:
    """One parameter set. `fast`: signing keeps the matrix."""

    def __init__(self, number: int, fast: bool = False) -> None:
        self.set = number
        self.sizes = lib.rs_mldsa_sizes(number)
        self.workspace_bytes = self.sizes.fast_workspace if fast else self.sizes.workspace
        self.signature_bytes = self.sizes.signature

    def _request(self, call: str, workspace: int, **members: Any) -> Any:
        memory = ffi.new("uint64_t[]", -(-workspace // 8))
        return request(f"rs_mldsa_{call}_request_t", set=self.set, workspace=memory, **members)

    def keygen(self, xi: bytes) -> tuple[bytes, bytes]:
        pk, sk = bytearray(self.sizes.pk), bytearray(self.sizes.sk)
        ok(lib.rs_mldsa_keygen(self._request("keygen", self.workspace_bytes, pk=pk, sk=sk, seed=xi)))
        return bytes(pk), bytes(sk)

    def public_key(self, sk: bytes) -> bytes:
        pk, workspace = bytearray(self.sizes.pk), ffi.new("uint64_t[]", -(-self.workspace_bytes // 8))
        ok(lib.rs_mldsa_public_key(self.set, span(pk), span(sk), span(workspace)))
        return bytes(pk)

    def _signature(self, sk: bytes, message: dict[str, Any], rnd: bytes | None) -> bytes:
        signature = bytearray(self.signature_bytes)
        mode = lib.RS_MLDSA_DETERMINISTIC if rnd is None else lib.RS_MLDSA_GIVEN
        members = {"mode": mode, "sk": sk, "message": message, "signature": signature, "rnd": rnd}
        ok(lib.rs_mldsa_sign(self._request("sign", self.workspace_bytes, **members)))
        return bytes(signature)

    def sign(self, sk: bytes, message: bytes, context: bytes, rnd: bytes | None = None) -> bytes:
        """Without rnd: the deterministic variant."""
        return self._signature(sk, text(lib.RS_MLDSA_PURE, message, context), rnd)

    def sign_internal(self, sk: bytes, prepared: bytes, rnd: bytes) -> bytes:
        return self._signature(sk, text(lib.RS_MLDSA_INTERNAL, prepared), rnd)

    def sign_mu(self, sk: bytes, mu: bytes, rnd: bytes) -> bytes:
        return self._signature(sk, text(lib.RS_MLDSA_MU, mu), rnd)

    def sign_prehash(self, sk: bytes, name: str, digest: bytes, context: bytes, rnd: bytes | None = None) -> bytes:
        return self._signature(sk, text(lib.RS_MLDSA_DIGEST, digest, context, name), rnd)

    def mu(self, pk: bytes, message: bytes, context: bytes) -> bytes:
        mu, pure = bytearray(lib.RS_MLDSA_MU_BYTES), text(lib.RS_MLDSA_PURE, message, context)
        ok(lib.rs_mldsa_mu(self.set, span(mu), span(pk), ffi.new("rs_mldsa_message_t *", pure)))
        return bytes(mu)

    def _verdict(self, pk: bytes, message: dict[str, Any], signature: bytes) -> str:
        members = {"pk": pk, "message": message, "signature": signature}
        return status_name(lib.rs_mldsa_verify(self._request("verify", self.sizes.verify_workspace, **members)))

    def verify(self, pk: bytes, message: bytes, context: bytes, signature: bytes) -> str:
        """The name of the status."""
        return self._verdict(pk, text(lib.RS_MLDSA_PURE, message, context), signature)

    def verify_internal(self, pk: bytes, prepared: bytes, signature: bytes) -> str:
        return self._verdict(pk, text(lib.RS_MLDSA_INTERNAL, prepared), signature)

    def verify_mu(self, pk: bytes, mu: bytes, signature: bytes) -> str:
        return self._verdict(pk, text(lib.RS_MLDSA_MU, mu), signature)

    def verify_prehash(self, pk: bytes, name: str, digest: bytes, context: bytes, signature: bytes) -> str:
        return self._verdict(pk, text(lib.RS_MLDSA_DIGEST, digest, context, name), signature)
