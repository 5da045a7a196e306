# SPDX-License-Identifier: Apache-2.0
"""What Ringside writes, both SEALs load, and it means the same there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interop import oracle
from interop.peers import Peer
from interop.settings import Setting, assert_close
from ringside import Ciphertext

pytestmark = pytest.mark.alike(3, by="setting")

COMPRESSIONS = ("none", "zlib", "zstd")

# How Context.encrypt is called, and the name of the noise that it makes.
ENCRYPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "sk-shake256": ({"seed_type": "shake256"}, "secret-key"),
    "sk-blake2xb": ({"seed_type": "blake2xb"}, "secret-key"),
    "sk-full": ({"seeded": False}, "secret-key"),
    "pk": ({}, "public-key"),
    "pk-direct": ({"special_prime": False}, "public-key-direct"),
}


def encrypt(setting: Setting, how: str, values: Any, scale: float, limb_count: int) -> Any:
    options, _ = ENCRYPTIONS[how]
    key = setting.secret_key if how.startswith("sk") else setting.public_key
    return setting.context.encrypt(values, key, scale=scale, level=limb_count - 1, **options)


def load(setting: Setting, path: Path) -> Ciphertext:
    return Ciphertext.load(setting.context, path)


def words_of(ciphertext: Any) -> Any:
    return ciphertext.expand().data.ravel()


def test_plaintext(peer: Peer, setting: Setting, tmp_path: Path) -> None:
    """At every level: every word as we have it, and the same values."""
    path = tmp_path / "plaintext.seal"
    for limbs in range(1, setting.data_limbs + 1):
        values, scale = setting.values(), setting.scale(limbs)
        ours = setting.context.encode(values, scale=scale, level=limbs - 1)
        ours.save(path)
        theirs = peer.load("plaintext", path)
        expected = np.concatenate([ours.limb(limb) for limb in range(limbs)])
        np.testing.assert_array_equal(peer.words("plaintext", theirs), expected)
        assert_close(peer.decode(theirs), values, setting.encode_limit(scale))


def test_secret_key(peer: Peer, setting: Setting, tmp_path: Path) -> None:
    path = tmp_path / "secret.seal"
    setting.secret_key.save(path, compression="none")
    theirs = peer.words("secret_key", peer.load("secret_key", path)).reshape(-1, setting.n)
    np.testing.assert_array_equal(theirs.ravel(), oracle.file_words(path.read_bytes()))
    first = oracle.coefficients(theirs[0], setting.moduli[0])
    assert set(np.unique(first)) == {-1, 0, 1}
    np.testing.assert_array_equal(first, oracle.coefficients(theirs[-1], setting.moduli[-1]))


@pytest.mark.parametrize("form", ["shake256", "blake2xb", "full"])
def test_public_key(peer: Peer, setting: Setting, tmp_path: Path, form: str) -> None:
    """Seeds expand to our words there; what they encrypt under it, we decrypt."""
    path = tmp_path / "public.seal"
    options: dict[str, Any] = {"seeded": False} if form == "full" else {"seed_type": form}
    ours = setting.context.public_key(setting.secret_key, **options)
    ours.save(path)
    theirs = peer.load("public_key", path)
    np.testing.assert_array_equal(peer.words("public_key", theirs), ours.data.ravel())

    values, scale = setting.values(), setting.scale(setting.data_limbs)
    answer = tmp_path / "answer.seal"
    peer.save(peer.encrypt(peer.encode(values, scale), theirs), answer)
    got = setting.context.decrypt_values(load(setting, answer), setting.secret_key)
    assert_close(got, values, setting.fresh_limit("public-key", scale))


@pytest.mark.parametrize("how", ENCRYPTIONS)
def test_ciphertext(peer: Peer, setting: Setting, tmp_path: Path, how: str) -> None:
    """At every level: every word, seeds expanded bit for bit, and the values within the noise."""
    secret = setting.peer_secret(peer)
    path = tmp_path / "ciphertext.seal"
    for limbs in range(1, setting.data_limbs + 1):
        values, scale = setting.values(), setting.scale(limbs)
        ours = encrypt(setting, how, values, scale, limbs)
        assert ours.seeded == (how in ("sk-shake256", "sk-blake2xb"))
        ours.save(path)
        theirs = peer.load("ciphertext", path)
        assert peer.describe(theirs) == (2, limbs, scale)
        np.testing.assert_array_equal(peer.words("ciphertext", theirs), words_of(ours))
        limit = setting.fresh_limit(ENCRYPTIONS[how][1], scale, limbs)
        assert_close(peer.decrypt_values(theirs, secret), values, limit)


@pytest.mark.parametrize("seed_type", ["shake256", "blake2xb"])
def test_relin_keys(peer: Peer, setting: Setting, tmp_path: Path, seed_type: str) -> None:
    """They multiply, relinearise with our keys and rescale; they and we decrypt the product."""
    keys, factor, answer = (tmp_path / f"{name}.seal" for name in ("relin", "factor", "answer"))
    setting.context.write_relin_keys(setting.secret_key, keys, seed_type=seed_type)
    relin_keys = peer.load("relin_keys", keys)
    scale = setting.product_scale
    pair = [setting.values(), setting.values()]
    loaded = []
    for how, values in zip(("sk-" + seed_type, "pk"), pair, strict=True):
        encrypt(setting, how, values, scale, setting.data_limbs).save(factor)
        loaded.append(peer.load("ciphertext", factor))
    product = peer.multiply(*loaded)
    peer.relinearize(product, relin_keys)
    peer.rescale(product)
    assert peer.describe(product)[:2] == (2, setting.data_limbs - 1)

    expected, limit = pair[0] * pair[1], setting.product_limit("public-key", scale)
    assert_close(peer.decrypt_values(product, setting.peer_secret(peer)), expected, limit)
    peer.save(product, answer)
    assert_close(setting.context.decrypt_values(load(setting, answer), setting.secret_key), expected, limit)


@pytest.mark.parametrize("seed_type", ["shake256", "blake2xb"])
def test_galois_keys(peer: Peer, setting: Setting, tmp_path: Path, seed_type: str) -> None:
    """They rotate and conjugate with our keys; they and we decrypt."""
    keys, path = tmp_path / "galois.seal", tmp_path / "ciphertext.seal"
    steps = [1, -3]
    setting.context.write_galois_keys(setting.secret_key, keys, [*steps, 0], seed_type=seed_type)
    galois_keys = peer.load("galois_keys", keys)
    values, scale = setting.complex_values(), setting.scale(setting.data_limbs)
    encrypt(setting, "sk-" + seed_type, values, scale, setting.data_limbs).save(path)
    ciphertext = peer.load("ciphertext", path)

    limit = setting.fresh_limit("secret-key", scale) + setting.key_switch_limit(scale)
    secret = setting.peer_secret(peer)
    results = [(peer.rotate(ciphertext, step, galois_keys), np.roll(values, -step)) for step in steps]
    results.append((peer.conjugate(ciphertext, galois_keys), values.conj()))
    for result, expected in results:
        assert_close(peer.decrypt_values(result, secret), expected.real, limit)
        peer.save(result, path)
        got = setting.context.decrypt_values(load(setting, path), setting.secret_key, real=False)
        assert_close(got.real, expected.real, limit)
        assert_close(got.imag, expected.imag, limit)


def test_default_galois_keys(small_peer: Peer, small: Setting, tmp_path: Path) -> None:
    """SEAL's own choice: powers of two. A rotation by 100 is then made of several."""
    keys, path = tmp_path / "galois.seal", tmp_path / "ciphertext.seal"
    small.context.write_galois_keys(small.secret_key, keys)
    values, scale = small.values(), small.scale(small.data_limbs)
    encrypt(small, "sk-shake256", values, scale, small.data_limbs).save(path)
    rotated = small_peer.rotate(small_peer.load("ciphertext", path), 100, small_peer.load("galois_keys", keys))
    fresh = small.fresh_limit("secret-key", scale)
    # three rotations; the first two spread their noisy slots
    limit = fresh + 3 * float(small.key_switch_limit(scale).max())
    got = small_peer.decrypt_values(rotated, small.peer_secret(small_peer))
    assert_close(got, np.roll(values, -100), limit)


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize(
    ("any_peer", "version"),
    [*(("tenseal", v) for v in ("3.6", "3.7", "4.3")), *(("node-seal", v) for v in ("3.6", "3.7", "4.1"))],
    indirect=["any_peer"],
)
def test_compressions_and_versions(
    small_peer: Peer, small: Setting, tmp_path: Path, compression: str, version: str
) -> None:
    """Every kind of object; 4.3 is TenSEAL's own version, 4.1 node-seal's."""
    how: dict[str, Any] = {"compression": compression, "version": version}
    context, secret_key = small.context, small.secret_key
    values, scale = small.values(), small.scale(small.data_limbs)
    plaintext = context.encode(values, scale=scale)
    full_key = context.public_key(secret_key, seeded=False)
    path = tmp_path / "object.seal"

    def through(kind: str) -> Any:
        data = path.read_bytes()
        assert oracle.file_version(data) == version
        assert oracle.file_compression(data) == compression
        return small_peer.load(kind, path)

    plaintext.save(path, **how)
    limit = small.encode_limit(scale)
    assert_close(small_peer.decode(through("plaintext")), values, limit)
    secret_key.save(path, overwrite=True, **how)
    secret = through("secret_key")
    path.unlink()  # nothing else may be written over a secret key
    for ciphertext in (encrypt(small, name, values, scale, small.data_limbs) for name in ENCRYPTIONS):
        ciphertext.save(path, **how)
        limit = small.fresh_limit("public-key-direct", scale)
        assert_close(small_peer.decrypt_values(through("ciphertext"), secret), values, limit)
    for public_key in (small.public_key, full_key):
        public_key.save(path, **how)
        ciphertext = small_peer.encrypt(small_peer.encode(values, scale), through("public_key"))
        limit = small.fresh_limit("public-key", scale)
        assert_close(small_peer.decrypt_values(ciphertext, secret), values, limit)
    context.write_relin_keys(secret_key, path, **how)
    through("relin_keys")
    context.write_galois_keys(secret_key, path, [1, -1], **how)
    rotated = small_peer.rotate(ciphertext, -1, through("galois_keys"))
    limit_there = limit + small.key_switch_limit(scale)
    assert_close(small_peer.decrypt_values(rotated, secret), np.roll(values, 1), limit_there)
