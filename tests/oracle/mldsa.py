# SPDX-License-Identifier: Apache-2.0
"""ML-DSA of the C core on bytes. No mathematics here."""

from __future__ import annotations

from typing import Any

from oracle.core import ok, status_name
from ringside.native._cdef import ffi
from ringside.native.library import lib

# FIPS 204's names of the functions for HashML-DSA, as hashlib has them
PREHASHES = {
    "sha256": lib.RS_MLDSA_SHA2_256,
    "sha384": lib.RS_MLDSA_SHA2_384,
    "sha512": lib.RS_MLDSA_SHA2_512,
    "sha224": lib.RS_MLDSA_SHA2_224,
    "sha512_224": lib.RS_MLDSA_SHA2_512_224,
    "sha512_256": lib.RS_MLDSA_SHA2_512_256,
    "sha3_224": lib.RS_MLDSA_SHA3_224,
    "sha3_256": lib.RS_MLDSA_SHA3_256,
    "sha3_384": lib.RS_MLDSA_SHA3_384,
    "sha3_512": lib.RS_MLDSA_SHA3_512,
    "shake_128": lib.RS_MLDSA_SHAKE128,
    "shake_256": lib.RS_MLDSA_SHAKE256,
}


def sized(*arrays: bytes | None) -> list[Any]:
    """Arguments of a C function: each array and its length."""
    return [value for array in arrays for value in ((ffi.NULL, 0) if array is None else (array, len(array)))]


class MlDsa:
    """One parameter set. `fast`: signing keeps the matrix."""

    def __init__(self, number: int, fast: bool = False) -> None:
        self.set = number
        size = lib.rs_mldsa_fast_workspace_size if fast else lib.rs_mldsa_workspace_size
        self.workspace = ffi.new("uint64_t[]", -(-size(number) // 8))
        self.verify_workspace = ffi.new("uint64_t[]", -(-lib.rs_mldsa_verify_workspace_size(number) // 8))
        self.signature_bytes = lib.rs_mldsa_signature_bytes(number)

    def _tail(self) -> tuple[Any, int]:
        return self.workspace, ffi.sizeof(self.workspace)

    def keygen(self, xi: bytes) -> tuple[bytes, bytes]:
        pk = ffi.new("uint8_t[]", lib.rs_mldsa_pk_bytes(self.set))
        sk = ffi.new("uint8_t[]", lib.rs_mldsa_sk_bytes(self.set))
        ok(lib.rs_mldsa_keygen_seed(self.set, pk, len(pk), sk, len(sk), *sized(xi), *self._tail()))
        return bytes(pk), bytes(sk)

    def public_key(self, sk: bytes) -> bytes:
        pk = ffi.new("uint8_t[]", lib.rs_mldsa_pk_bytes(self.set))
        ok(lib.rs_mldsa_public_key(self.set, pk, len(pk), *sized(sk), *self._tail()))
        return bytes(pk)

    def _signature(self, function: Any, sk: bytes, *arguments: Any) -> bytes:
        signature = ffi.new("uint8_t[]", self.signature_bytes)
        ok(function(self.set, signature, len(signature), *sized(sk), *arguments, *self._tail()))
        return bytes(signature)

    def sign(self, sk: bytes, message: bytes, context: bytes, rnd: bytes | None = None) -> bytes:
        """Without rnd: the deterministic variant."""
        if rnd is None:
            return self._signature(lib.rs_mldsa_sign_deterministic, sk, *sized(message, context))
        return self._signature(lib.rs_mldsa_sign_derand, sk, *sized(message, context, rnd))

    def sign_internal(self, sk: bytes, prepared: bytes, rnd: bytes) -> bytes:
        return self._signature(lib.rs_mldsa_sign_internal, sk, *sized(prepared, rnd))

    def sign_mu(self, sk: bytes, mu: bytes, rnd: bytes) -> bytes:
        return self._signature(lib.rs_mldsa_sign_mu, sk, *sized(mu, rnd))

    def sign_prehash(self, sk: bytes, name: str, digest: bytes, context: bytes, rnd: bytes | None = None) -> bytes:
        head = (PREHASHES[name], *sized(digest, context))
        if rnd is None:
            return self._signature(lib.rs_mldsa_sign_prehash_deterministic, sk, *head)
        return self._signature(lib.rs_mldsa_sign_prehash_derand, sk, *head, *sized(rnd))

    def mu(self, pk: bytes, message: bytes, context: bytes) -> bytes:
        mu = ffi.new("uint8_t[]", lib.RS_MLDSA_MU_BYTES)
        ok(lib.rs_mldsa_mu(self.set, mu, len(mu), *sized(pk, message, context)))
        return bytes(mu)

    def _verdict(self, function: Any, pk: bytes, *arguments: Any) -> str:
        workspace = self.verify_workspace
        return status_name(function(self.set, *sized(pk), *arguments, workspace, ffi.sizeof(workspace)))

    def verify(self, pk: bytes, message: bytes, context: bytes, signature: bytes) -> str:
        """The name of the status."""
        return self._verdict(lib.rs_mldsa_verify, pk, *sized(message, context, signature))

    def verify_internal(self, pk: bytes, prepared: bytes, signature: bytes) -> str:
        return self._verdict(lib.rs_mldsa_verify_internal, pk, *sized(prepared, signature))

    def verify_mu(self, pk: bytes, mu: bytes, signature: bytes) -> str:
        return self._verdict(lib.rs_mldsa_verify_mu, pk, *sized(mu, signature))

    def verify_prehash(self, pk: bytes, name: str, digest: bytes, context: bytes, signature: bytes) -> str:
        return self._verdict(lib.rs_mldsa_verify_prehash, pk, PREHASHES[name], *sized(digest, context, signature))
