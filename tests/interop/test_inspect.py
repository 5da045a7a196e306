# SPDX-License-Identifier: Apache-2.0
"""`ringside inspect` names what stock SEAL writes, of schemes other than CKKS too, and objects that hold nothing."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

import ringside
from interop.peers import KINDS, Held, Peer, SealNative, SealWasm

LEVEL = {"enum": ["SecLevelType", "tc128"]}


def write_all(node: SealWasm, scheme: str, folder: Path) -> None:
    """One file of each kind: N = 4096 and the moduli that SEAL recommends."""
    made: dict[str, Held] = {}
    made["parameters"] = parameters = node.new("EncryptionParameters", {"enum": ["SchemeType", scheme]})
    node.call(parameters, "setPolyModulusDegree", 4096)
    node.call(parameters, "setCoeffModulus", node.get("CoeffModulus", "BFVDefault", 4096, LEVEL))
    node.call(parameters, "setPlainModulus", node.get("PlainModulus", "Batching", 4096, 20))
    node.context = node.new("SEALContext", parameters, True, LEVEL)
    made["secret_key"] = secret = node.make_secret_key()
    for kind in ("public_key", "relin_keys", "galois_keys"):
        made[kind] = node.make_keys(kind, secret, seeded=True, steps=[1])
    made["plaintext"] = plaintext = node.new("Plaintext")
    node.call(node.new("BatchEncoder", node.context), "encode", {"longs": [1, 2, 3]}, plaintext)
    made["ciphertext"] = node.encrypt_symmetric(plaintext, secret, seeded=True)
    made["product"] = node.encrypt_symmetric(plaintext, secret, seeded=False)
    for name, thing in made.items():
        node.save(thing, folder / name)


UNCLEAR = "ciphertext or public key"


@pytest.mark.parametrize(
    ("scheme", "plaintexts", "ciphertexts", "kind"),
    [("bfv", "BFV or BGV", "BFV", "ciphertext"), ("bgv", "BFV or BGV", None, UNCLEAR)],
)
def test_other_schemes(
    peers: dict[str, Peer], tmp_path: Path, scheme: str, plaintexts: str, ciphertexts: str | None, kind: str
) -> None:
    write_all(cast(SealWasm, peers["node-seal"]), scheme, tmp_path)
    found = {path.name: ringside.inspect(path) for path in tmp_path.iterdir()}
    assert {name: (info.kind, info.scheme) for name, info in found.items()} == {
        "parameters": ("parameters", scheme.upper()),
        "secret_key": ("plaintext or secret key", None),
        "public_key": (UNCLEAR, None),
        "relin_keys": ("relinearisation keys", None),
        "galois_keys": ("Galois keys", None),
        "plaintext": ("plaintext", plaintexts),
        "ciphertext": (kind, ciphertexts),
        "product": (kind, ciphertexts),
    }
    assert (found["parameters"].n, found["parameters"].limbs) == (4096, 3)
    assert found["plaintext"].parms_id is None
    assert all(info.named is None for info in found.values())
    for path in tmp_path.iterdir():  # parameters that are not its own change nothing
        info = ringside.inspect(path, ringside.Parameters.named("lee-12"))
        assert (info.kind, info.scheme) == (found[path.name].kind, found[path.name].scheme)
        assert not info.belongs


def test_what_holds_nothing(peers: dict[str, Peer], tmp_path: Path) -> None:
    seal = cast(SealNative, peers["tenseal"]).seal
    path = tmp_path / "empty.seal"
    for kind, name in KINDS.items():
        getattr(seal, name)().save(str(path))
        info = ringside.inspect(path)
        assert (info.scheme, info.parms_id, info.named) == (None, None, None)
        assert kind.endswith("keys") or kind.partition("_")[0] in info.kind
    for scheme in ("NONE", "BFV", "CKKS"):
        seal.EncryptionParameters(getattr(seal.SCHEME_TYPE, scheme)).save(str(path))
        info = ringside.inspect(path)
        assert (info.kind, str(info.scheme).upper(), info.parameters) == ("parameters", scheme, None)
