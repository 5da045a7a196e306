# SPDX-License-Identifier: Apache-2.0
"""Files of the npm package and stock SEAL: the server decrypts, adds, multiplies and rotates, and the client decrypts its answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interop.peers import Peer, SealNative, SealWasm
from wasm.packed import node

SLOTS = 2048
TOLERANCE = 0.02  # the bound for lee-12, whose scale is 2^20


@pytest.fixture(scope="module", params=["tenseal", pytest.param("node-seal", marks=pytest.mark.soak)])
def server(request: pytest.FixtureRequest) -> Iterator[Peer]:
    if request.param == "tenseal":
        yield SealNative()
        return
    peer = SealWasm()
    yield peer
    peer.close()


def values() -> Any:
    return np.random.default_rng(5).uniform(-1, 1, SLOTS)


def decoded(server: Peer, ciphertext: Any, secret: Any) -> Any:
    return np.real(server.decode(server.decrypt(ciphertext, secret)))[:SLOTS]


@pytest.mark.parametrize("simd", [True, False], ids=["simd", "portable"])
def test_seal_computes_on_our_files(server: Peer, simd: bool, tmp_path: Path) -> None:
    sent = values()
    node("client", {"place": str(tmp_path), "set": "lee-12", "values": sent.tolist(), "simd": simd})
    server.use(tmp_path / "params.seal")
    secret = server.load("secret_key", tmp_path / "secret.seal")
    for name in ("pk", "sk"):
        got = decoded(server, server.load("ciphertext", tmp_path / f"{name}.seal"), secret)
        assert np.abs(got - sent).max() < TOLERANCE
    server.load("public_key", tmp_path / "public.seal")
    relin = server.load("relin_keys", tmp_path / "relin.seal")
    server.load("galois_keys", tmp_path / "galois.seal")
    first, second = (server.load("ciphertext", tmp_path / f"{name}.seal") for name in ("pk", "sk"))
    product = server.multiply(first, second)
    server.relinearize(product, relin)
    expected = {}
    for compression in server.compressions:
        name = f"product-{compression}.seal"
        server.save(product, tmp_path / name, compression)
        expected[name] = sent * sent
    answers = node("decrypt", {"place": str(tmp_path), "files": list(expected)})
    for name, wanted in expected.items():
        assert np.abs(np.array(answers[name]) - wanted).max() < TOLERANCE, name
