# SPDX-License-Identifier: Apache-2.0
"""What both SEALs write, Ringside loads, and it means the same here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside
from asserting import raises
from interop import oracle
from interop.peers import Peer, PeerError
from interop.settings import Setting, assert_close
from ringside import Ciphertext, Plaintext, PublicKey, SecretKey

pytestmark = pytest.mark.alike(3, by="setting")


def decrypt(setting: Setting, path: Path, key: SecretKey | None = None) -> Any:
    return setting.context.decrypt_values(Ciphertext.load(setting.context, path), key or setting.secret_key)


def test_plaintext(peer: Peer, setting: Setting, tmp_path: Path) -> None:
    """At every level, word for word."""
    path = tmp_path / "plaintext.seal"
    for limbs in range(1, setting.data_limbs + 1):
        values, scale = setting.values(), setting.scale(1)
        theirs = peer.encode(values, scale, limbs)
        peer.save(theirs, path)
        assert oracle.file_version(path.read_bytes()) == peer.version
        assert oracle.file_compression(path.read_bytes()) == "zstd"
        ours = Plaintext.load(setting.context, path)
        assert (ours.level, ours.scale) == (limbs - 1, scale)
        np.testing.assert_array_equal(ours.data.ravel(), peer.words("plaintext", theirs))
        assert_close(setting.context.decode(ours), values, setting.encode_limit(scale))


@pytest.mark.parametrize("seeded", [False, True], ids=["full", "seeded"])
def test_ciphertext(peer: Peer, setting: Setting, tmp_path: Path, seeded: bool) -> None:
    """Under their secret key, which we load too; at every level for public-key encryption."""
    secret_file, path = tmp_path / "secret.seal", tmp_path / "ciphertext.seal"
    theirs = peer.make_secret_key()
    peer.save(theirs, secret_file)
    with SecretKey.load(setting.context, secret_file) as secret_key:
        levels = range(1, setting.data_limbs + 1)
        for limbs in levels:
            values, scale = setting.values(), setting.scale(1)
            peer.save(peer.encrypt_symmetric(peer.encode(values, scale, limbs), theirs, seeded), path)
            ciphertext = Ciphertext.load(setting.context, path)
            assert (ciphertext.seeded, ciphertext.level) == (seeded, limbs - 1)
            got = setting.context.decrypt_values(ciphertext, secret_key)
            assert_close(got, values, setting.fresh_limit("secret-key", scale, limbs))
            # our expansion of their seed is theirs
            loaded = peer.load("ciphertext", path)
            np.testing.assert_array_equal(ciphertext.expand().data.ravel(), peer.words("ciphertext", loaded))


@pytest.mark.parametrize("seeded", [False, True], ids=["full", "seeded"])
def test_public_key(peer: Peer, setting: Setting, tmp_path: Path, seeded: bool) -> None:
    """They decrypt what we encrypt under their public key."""
    key_file, path = tmp_path / "public.seal", tmp_path / "ciphertext.seal"
    theirs = peer.make_secret_key()
    if seeded and "public_key" not in peer.seeded_kinds:
        # this binding cannot save the seeded form: then the full one, read a second time
        seeded = False
    peer.save(peer.make_keys("public_key", theirs, seeded, []), key_file)
    public_key = PublicKey.load(setting.context, key_file)
    assert public_key.seeded == seeded
    loaded = peer.load("public_key", key_file)
    np.testing.assert_array_equal(public_key.data.ravel(), peer.words("public_key", loaded))

    values, scale = setting.values(), setting.scale(setting.data_limbs)
    for special_prime, kind in ((True, "public-key"), (False, "public-key-direct")):
        setting.context.encrypt(values, public_key, scale=scale, special_prime=special_prime).save(path)
        got = peer.decrypt_values(peer.load("ciphertext", path), theirs)
        assert_close(got, values, setting.fresh_limit(kind, scale))


def test_three_polynomials(peer: Peer, setting: Setting, tmp_path: Path) -> None:
    """A product that the server did not relinearise: c0 + c1 s + c2 s^2."""
    path = tmp_path / "product.seal"
    scale, pair, loaded = setting.product_scale, [setting.values(), setting.values()], []
    for values in pair:
        setting.context.encrypt(values, setting.secret_key, scale=scale).save(path)
        loaded.append(peer.load("ciphertext", path))
    peer.save(peer.multiply(*loaded), path)
    product = Ciphertext.load(setting.context, path)
    assert (product.poly_count, product.scale) == (3, scale * scale)
    got = setting.context.decrypt_values(product, setting.secret_key)
    assert_close(got, pair[0] * pair[1], setting.product_limit("secret-key", scale))


def test_last_level(peer: Peer, setting: Setting, tmp_path: Path) -> None:
    """The smallest answer: one limb."""
    path, values, scale = tmp_path / "answer.seal", setting.values(), setting.scale(1)
    setting.context.encrypt(values, setting.secret_key, scale=scale).save(path)
    ciphertext = peer.load("ciphertext", path)
    peer.switch_to(ciphertext, 1)
    peer.save(ciphertext, path)
    assert Ciphertext.load(setting.context, path).level == 0
    assert_close(decrypt(setting, path), values, setting.fresh_limit("secret-key", scale))


@pytest.mark.parametrize("compression", ["none", "zlib", "zstd"])
def test_compressions(peers: dict[str, Peer], small: Setting, tmp_path: Path, compression: str) -> None:
    """node-seal's native 4.1 files of every kind. (TenSEAL saves with zstd only: everywhere else.)"""
    peer = peers["node-seal"]
    small.enter(peer)
    path = tmp_path / "object.seal"
    context, values, scale = small.context, small.values(), small.scale(small.data_limbs)

    def save(thing: Any) -> None:
        peer.save(thing, path, compression)
        data = path.read_bytes()
        assert (oracle.file_version(data), oracle.file_compression(data)) == ("4.1", compression)

    theirs, plaintext = peer.make_secret_key(), peer.encode(values, scale)
    save(theirs)
    with SecretKey.load(context, path) as secret_key:
        save(plaintext)
        limit = small.encode_limit(scale)
        assert_close(context.decode(Plaintext.load(context, path)), values, limit)
        for seeded in (False, True):
            save(peer.encrypt_symmetric(plaintext, theirs, seeded))
            limit = small.fresh_limit("secret-key", scale)
            assert_close(decrypt(small, path, secret_key), values, limit)
            save(peer.make_keys("public_key", theirs, seeded, []))
            ours = context.encrypt(values, PublicKey.load(context, path), scale=scale)
            limit = small.fresh_limit("public-key", scale)
            assert_close(context.decrypt_values(ours, secret_key), values, limit)


@pytest.mark.parametrize("seeded", [False, True], ids=["full", "seeded"])
@pytest.mark.parametrize("kind", ["relin_keys", "galois_keys"])
def test_switching_keys(small_peer: Peer, small: Setting, tmp_path: Path, kind: str, seeded: bool) -> None:
    """Ringside has no use for another's keys but can check them, residue by residue."""
    path, steps = tmp_path / "keys.seal", [1, -3]
    small_peer.save(small_peer.make_keys(kind, small.peer_secret(small_peer), seeded, steps), path)
    info = ringside.inspect(path, small.params, full=True)
    assert info.kind == {"relin_keys": "relinearisation keys", "galois_keys": "Galois keys"}[kind]
    assert (info.version, info.compression, info.checked) == (small_peer.version, "zstd", True)
    if kind == "galois_keys":
        assert list(info.elements or ()) == small.context.galois_elements(steps)


def test_convert(peers: dict[str, Peer], small: Setting, tmp_path: Path) -> None:
    """A file of one SEAL does not load in the other; re-headed by Ringside it does."""
    native, converted = tmp_path / "native.seal", tmp_path / "converted.seal"
    values, scale = small.values(), small.scale(small.data_limbs)
    limit = small.fresh_limit("public-key", scale) + small.key_switch_limit(scale)

    def carry(kind: str, thing: Any, source: Peer, target: Peer) -> Any:
        source.save(thing, native)
        assert oracle.file_version(native.read_bytes()) == source.version
        raises(PeerError, "incompatible version", target.load, kind, native)
        converted.unlink(missing_ok=True)
        ringside.convert(native, converted)
        assert oracle.file_version(converted.read_bytes()) == "3.6"
        return target.load(kind, converted)

    for source, target in (tuple(peers.values()), tuple(peers.values())[::-1]):
        small.enter(source)
        small.enter(target)
        secret = source.make_secret_key()
        there = carry("secret_key", secret, source, target)
        plaintext = source.encode(values, scale)
        decoded = target.decode(carry("plaintext", plaintext, source, target))
        assert_close(decoded, values, small.encode_limit(scale))
        for seeded in (False, True):
            thing = source.encrypt_symmetric(plaintext, secret, seeded)
            ciphertext = carry("ciphertext", thing, source, target)
            assert_close(target.decrypt_values(ciphertext, there), values, limit)
            galois_keys = carry("galois_keys", source.make_keys("galois_keys", secret, seeded, [1]), source, target)
            rotated = target.rotate(ciphertext, 1, galois_keys)
            assert_close(target.decrypt_values(rotated, there), np.roll(values, -1), limit)
        public_key = carry("public_key", source.make_keys("public_key", secret, False, []), source, target)
        ciphertext = target.encrypt(target.encode(values, scale), public_key)
        assert_close(target.decrypt_values(ciphertext, there), values, limit)
