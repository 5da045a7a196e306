# SPDX-License-Identifier: Apache-2.0
"""NewHope-1024 and ChaCha20 of the C library against the paper in Python, and against PyPI's pynewhope, each on either side."""

import hashlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from oracle import core, newhope
from ringside.native._cdef import ffi
from ringside.native.library import lib, request, span

USENIX, LATER = 1, 2
CHACHA20, SHAKE256 = 1, 2
SERVER, CLIENT, SECRET, SHARED = 1824, 2048, 1792, 32


def seed_of(*what: object) -> bytes:
    return hashlib.sha256(repr(what).encode()).digest()


# ---- ChaCha20 -------------------------------------------------------------------------------------------------------
def chacha20(size: int, key: bytes, nonce: bytes, counter: int) -> bytes:
    out = bytearray(size + 8)
    lib.rs_chacha20_stream(ffi.from_buffer("uint8_t[]", out), size, key, nonce, counter)
    assert out[size:] == bytes(8)
    return bytes(out[:size])


def test_chacha20_of_the_rfc() -> None:
    # RFC 8439, section 2.3.2
    want = (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    key, nonce = bytes(range(32)), bytes.fromhex("000000090000004a00000000")
    assert newhope.chacha20_block(key, 1, nonce).hex() == want
    assert chacha20(64, key, nonce, 1).hex() == want


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 127, 128, 1000])
@pytest.mark.parametrize("counter", [0, 2**32 - 1])
def test_chacha20_is_the_reference(size: int, counter: int) -> None:
    key, nonce = seed_of(size), seed_of(size, counter)[:12]
    assert chacha20(size, key, nonce, counter) == newhope.chacha20(size, key, nonce, counter)


# ---- NewHope --------------------------------------------------------------------------------------------------------
class Scheme:
    def __init__(self, parse: int, stream: int = CHACHA20) -> None:
        sizes = lib.rs_newhope_sizes()
        self.memory = np.zeros(sizes.memory // 8 + 1, np.uint64)
        self.work = np.zeros(sizes.workspace // 8, np.uint64)
        made = ffi.new("const rs_newhope_t **")
        core.ok(lib.rs_newhope_init(made, span(self.memory), parse, stream, b"research-only"))
        self.scheme = made[0]

    def request(self, call: str, **members: object) -> Any:
        return request(f"rs_newhope_{call}_request_t", scheme=self.scheme, workspace=self.work, **members)

    def server(self, seed: bytes, noise: bytes) -> tuple[bytes, bytes]:
        message, secret = bytearray(SERVER), bytearray(SECRET)
        wanted = self.request("server", message=message, secret=secret, seed=seed, noise_seed=noise)
        core.ok(lib.rs_newhope_server(wanted))
        assert not self.work.any()
        return bytes(message), bytes(secret)

    def client(self, server_message: bytes, noise: bytes) -> tuple[bytes, bytes]:
        message, shared = bytearray(CLIENT), bytearray(SHARED)
        members = {"server_message": server_message, "message": message, "shared": shared, "noise_seed": noise}
        core.ok(lib.rs_newhope_client(self.request("client", **members)))
        assert not self.work.any()
        return bytes(message), bytes(shared)

    def shared(self, client_message: bytes, secret: bytes) -> bytes:
        shared = bytearray(SHARED)
        spans = [span(part) for part in (shared, client_message, secret, self.work)]
        core.ok(lib.rs_newhope_shared(self.scheme, *spans))
        assert not self.work.any()
        return bytes(shared)


@pytest.fixture(scope="module", params=[USENIX, LATER])
def parse(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize(("number", "stream"), [(0, CHACHA20), (1, CHACHA20), (2, SHAKE256)])
def test_exchange_is_the_papers(parse: int, number: int, stream: int) -> None:
    seed, server_noise, client_noise = (seed_of(name, number) for name in ("a", "server", "client"))
    scheme = Scheme(parse, stream)
    want = newhope.exchange(seed, server_noise, client_noise, parse == LATER, stream == SHAKE256)
    assert want.client_shared == want.server_shared
    message, secret = scheme.server(seed, server_noise)
    assert message == want.server_message
    assert secret == want.secret
    assert scheme.client(message, client_noise) == (want.client_message, want.client_shared)
    assert scheme.shared(want.client_message, secret) == want.server_shared


@pytest.mark.parametrize(("number", "stream"), [(8, CHACHA20), (20, SHAKE256)])
def test_coins_are_of_the_stream(number: int, stream: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Coins decide ties alone, which are in one exchange of six: in these, coins of the other stream make other hints."""
    seed, server_noise, client_noise = (seed_of(name, number) for name in ("a", "server", "client"))
    shake = stream == SHAKE256
    want = newhope.exchange(seed, server_noise, client_noise, shake=shake)
    assert Scheme(USENIX, stream).client(want.server_message, client_noise)[0] == want.client_message
    others = newhope.coins(client_noise, not shake)
    monkeypatch.setattr(newhope, "coins", lambda *_: others)
    assert newhope.exchange(seed, server_noise, client_noise, shake=shake).client_message != want.client_message


def test_reconciliation_of_any_message() -> None:
    """Rec and HelpRec where no exchange leads: words and hints of messages that nobody would send."""
    scheme = Scheme(USENIX)
    _, secret = scheme.server(seed_of(1), seed_of(2))
    s = newhope.unpacked(secret, 14)
    rng = np.random.default_rng(1)
    for u in (rng.integers(0, newhope.Q, newhope.N).tolist(), [0] * newhope.N, [newhope.Q - 1] * newhope.N):
        hints = rng.integers(0, 4, newhope.N).tolist()
        want = newhope.shared_of(newhope.rec(newhope.untransformed(newhope.product(u, s)), hints))
        assert scheme.shared(newhope.packed(u, 14) + newhope.packed(hints, 2), secret) == want


# ---- pynewhope ------------------------------------------------------------------------------------------------------
class Fixed:
    """os.urandom of pynewhope: the very bytes that ChaCha20 gives the library."""

    def __init__(self, *parts: Iterator[bytes]) -> None:
        self.parts = [part for parts in parts for part in parts]

    def urandom(self, size: int) -> bytes:
        part = self.parts.pop(0)
        assert len(part) == size
        return part


def noise_words(seed: bytes, number: int) -> Iterator[bytes]:
    stream = newhope.chacha20(4 * newhope.N, seed, bytes(4) + number.to_bytes(8, "little"))
    return (stream[i : i + 4] for i in range(0, len(stream), 4))


def coin_words(seed: bytes) -> Iterator[bytes]:
    return (bytes([byte, 0, 0, 0]) for byte in newhope.chacha20(32, seed, bytes(11) + b"\3"))


def test_pynewhope_agrees_on_either_side(monkeypatch: pytest.MonkeyPatch) -> None:
    from pynewhope import newhope as theirs
    from pynewhope import poly

    seed, server_noise, client_noise = (seed_of(name, "pynewhope") for name in ("a", "server", "client"))
    ours = Scheme(LATER)
    fixed = Fixed(iter([seed]), noise_words(server_noise, 0), noise_words(server_noise, 1))
    for module in (theirs, poly):
        monkeypatch.setattr(module, "os", SimpleNamespace(urandom=lambda size: fixed.urandom(size)))

    private, (public, their_seed) = theirs.keygen()
    message, secret = ours.server(seed, server_noise)
    assert message == newhope.packed([x % newhope.Q for x in public], 14) + their_seed
    assert secret == newhope.packed([x % newhope.Q for x in private], 14)

    fixed.parts = [*noise_words(client_noise, 0), *noise_words(client_noise, 1), *noise_words(client_noise, 2)]
    fixed.parts += coin_words(client_noise)
    key, (hints, u) = theirs.sharedB((public, seed))
    client_message, shared = ours.client(message, client_noise)
    assert client_message == newhope.packed([x % newhope.Q for x in u], 14) + newhope.packed(hints, 2)
    assert shared == hashlib.sha3_256(bytes(key)).digest()

    assert theirs.sharedA((hints, u), private) == key
    assert ours.shared(client_message, secret) == shared
    assert not fixed.parts
