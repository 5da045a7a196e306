# SPDX-License-Identifier: Apache-2.0
"""FN-DSA's verification (Falcon, provisional) against noble-post-quantum, which signs: what it accepts, what it refuses, in both forms."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pqc.peers import Process, noble
from ringside.native._cdef import ffi
from ringside.native.library import lib

SETS = (512, 1024)
PADDED, COMPRESSED = lib.RS_FNDSA_PADDED, lib.RS_FNDSA_COMPRESSED


@pytest.fixture(scope="module")
def peer() -> Iterator[Process]:
    process = noble()
    yield process
    process.close()


class Verifier:
    """A public key of the C library."""

    def __init__(self, number: int, pk: bytes) -> None:
        self.memory = ffi.new("uint64_t[]", -(-lib.rs_fndsa_key_size(number) // 8))
        self.workspace = ffi.new("uint64_t[]", -(-lib.rs_fndsa_workspace_size(number) // 8))
        key = ffi.new("rs_fndsa_key_t const **")
        status = lib.rs_fndsa_key_init(key, self.memory, ffi.sizeof(self.memory), number, pk, len(pk))
        assert status == lib.RS_OK
        self.key = key[0]

    def accepts(self, form: int, message: bytes, signature: bytes) -> bool:
        workspace = self.workspace
        status = lib.rs_fndsa_verify(
            self.key, form, message, len(message), signature, len(signature), workspace, ffi.sizeof(workspace)
        )
        assert status in {lib.RS_OK, lib.RS_ERR_SIGNATURE}
        return bool(status == lib.RS_OK)


@pytest.mark.parametrize("number", SETS)
@pytest.mark.parametrize("count", [6, pytest.param(300, marks=pytest.mark.soak)])
def test_verdicts_are_nobles(peer: Process, number: int, count: int) -> None:
    """Signatures, and the same with a bit or a byte changed, cut, and with a byte more."""
    name, random = f"FN-DSA-{number}", Random(number)
    public, secret = peer.ask(set=name, do="keygen", seed=random.randbytes(48))
    ours = Verifier(number, bytes.fromhex(public))

    def theirs(message: bytes, signature: bytes) -> Any:
        return peer.ask(set=name, do="verify", public=public, message=message, signature=signature)

    padded_bytes = lib.rs_fndsa_signature_bytes(number)
    for _ in range(count):
        message = random.randbytes(random.choice([0, 1, 96, 1000]))
        signature = bytes.fromhex(peer.ask(set=name, do="sign", secret=secret, message=message))
        assert ours.accepts(COMPRESSED, message, signature)
        assert not ours.accepts(COMPRESSED, message + b"!", signature)
        if len(signature) < padded_bytes:
            padded = signature.ljust(padded_bytes, b"\0")
            assert ours.accepts(PADDED, message, padded)
            assert not ours.accepts(PADDED, message, padded[:-1] + b"\1")
        bit = random.randrange(8 * len(signature))
        flipped = bytearray(signature)
        flipped[bit // 8] ^= 1 << bit % 8
        for other in (bytes(flipped), signature[:-1], signature + b"\0", signature[:41], b""):
            assert ours.accepts(COMPRESSED, message, other) is theirs(message, other) is False
