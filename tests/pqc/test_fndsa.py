# SPDX-License-Identifier: Apache-2.0
"""FN-DSA's verification (Falcon, provisional) against noble-post-quantum, which signs: what it accepts, what it refuses, in both forms."""

from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest

import ringside as rs
from asserting import flipped, raises
from line_process import LineProcess
from pqc.peers import noble
from ringside import pqc
from ringside.native._cdef import ffi
from ringside.native.library import lib, span

SETS = (512, 1024)
PADDED, COMPRESSED = lib.RS_FNDSA_PADDED, lib.RS_FNDSA_COMPRESSED


@pytest.fixture(scope="module")
def peer() -> Iterator[LineProcess]:
    with closing(noble()) as process:
        yield process


@pytest.mark.parametrize("number", SETS)
def test_the_package_verifies(peer: LineProcess, number: int) -> None:
    """Both forms, by ringside.pqc, and the errors of a public key that is none."""
    dsa, random = pqc.FNDSA(f"FN-DSA-{number}"), Random(number)
    public, secret = peer.ask("keygen", set=dsa.name, seed=random.randbytes(48))
    pk = bytes.fromhex(public)
    assert (len(pk), dsa.signature_bytes, dsa.category) == {512: (897, 666, 1), 1024: (1793, 1280, 5)}[number]
    signature = bytes.fromhex(peer.ask("sign", set=dsa.name, secret=secret, message=b"message"))
    assert dsa.verify(bytearray(pk), b"message", memoryview(signature), form="compressed")
    assert not dsa.verify(pk, b"massage", signature, form="compressed")
    padded = signature.ljust(dsa.signature_bytes, b"\0")
    assert dsa.verify(pk, b"message", padded)
    assert not dsa.verify(pk, b"message", padded, form="compressed")
    assert not dsa.verify(pk, b"message", padded + b"\0")
    with pytest.raises(rs.InputError, match=r"FNDSA\.verify: `pk` has 5 bytes; a public key of FN-DSA-\d+ has \d+"):
        dsa.verify(b"short", b"", padded)
    raises(rs.InputError, "public key is damaged", dsa.verify, bytes(dsa.pk_bytes), b"", padded)
    raises(rs.ParameterError, "Did you mean 'FN-DSA-512'", pqc.FNDSA, "FNDSA-512")
    with pytest.raises(rs.ArgumentError, match="'padded' or 'compressed'"):
        dsa.verify(pk, b"", padded, form="ct")  # type: ignore[arg-type]


class Verifier:
    """A public key of the C library."""

    def __init__(self, number: int, pk: bytes) -> None:
        sizes = lib.rs_fndsa_sizes(number)
        self.memory = ffi.new("uint64_t[]", -(-sizes.key // 8))
        self.workspace = ffi.new("uint64_t[]", -(-sizes.workspace // 8))
        key = ffi.new("rs_fndsa_key_t const **")
        assert lib.rs_fndsa_key_init(key, span(self.memory), number, span(pk)) == lib.RS_OK
        self.key = key[0]

    def accepts(self, form: int, message: bytes, signature: bytes) -> bool:
        status = lib.rs_fndsa_verify(self.key, form, span(message), span(signature), span(self.workspace))
        assert status in {lib.RS_OK, lib.RS_ERR_SIGNATURE}
        return bool(status == lib.RS_OK)


@pytest.mark.parametrize("number", SETS)
@pytest.mark.parametrize("count", [6, pytest.param(300, marks=pytest.mark.soak)])
def test_verdicts_are_nobles(peer: LineProcess, number: int, count: int) -> None:
    """Signatures, and the same with a bit or a byte changed, cut, and with a byte more."""
    name, random = f"FN-DSA-{number}", Random(number)
    public, secret = peer.ask("keygen", set=name, seed=random.randbytes(48))
    ours = Verifier(number, bytes.fromhex(public))

    def theirs(message: bytes, signature: bytes) -> Any:
        return peer.ask("verify", set=name, public=public, message=message, signature=signature)

    padded_bytes = lib.rs_fndsa_sizes(number).signature
    for _ in range(count):
        message = random.randbytes(random.choice([0, 1, 96, 1000]))
        signature = bytes.fromhex(peer.ask("sign", set=name, secret=secret, message=message))
        assert ours.accepts(COMPRESSED, message, signature)
        assert not ours.accepts(COMPRESSED, message + b"!", signature)
        if len(signature) < padded_bytes:
            padded = signature.ljust(padded_bytes, b"\0")
            assert ours.accepts(PADDED, message, padded)
            assert not ours.accepts(PADDED, message, padded[:-1] + b"\1")
        bit = random.randrange(8 * len(signature))
        for other in (
            flipped(signature, bit // 8, 1 << bit % 8),
            signature[:-1],
            signature + b"\0",
            signature[:41],
            b"",
        ):
            assert ours.accepts(COMPRESSED, message, other) is theirs(message, other) is False
