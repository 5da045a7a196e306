# SPDX-License-Identifier: Apache-2.0
"""The noise in Ringside's ciphertexts and keys has the variance that theory says, and so has SEAL's.

Measured in coefficients, modulo the first prime, with the secret key's words from its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from interop import oracle
from interop.peers import Peer
from interop.settings import Setting

TOLERANCE = 0.10  # a share of the standard deviation
SETS = ("lee-12", "lee-13", "aloha-8192")
CIPHERTEXTS = 8

KINDS: dict[str, dict[str, Any]] = {"secret-key": {}, "public-key": {}, "public-key-direct": {"special_prime": False}}


def check(noise: Iterable[NDArray[np.int64]], variance: float) -> None:
    values = np.concatenate(list(noise)).astype(np.float64)
    deviation = np.sqrt(variance)
    assert abs(values.std() / deviation - 1) < TOLERANCE
    # the secret is the same in all of them, so the mean has longer tails than that of independent values
    assert abs(values.mean()) < 15 * deviation / np.sqrt(values.size)


@pytest.fixture(scope="session", params=SETS)
def few(request: pytest.FixtureRequest, get_setting: Callable[[str], Setting]) -> Setting:
    setting = get_setting(request.param)
    path = setting.folder / "secret-words.seal"
    setting.secret_key.save(path, compression="none", overwrite=True)
    setting.secret_words = oracle.file_words(path.read_bytes()).reshape(-1, setting.n)
    return setting


def encrypt_zero(setting: Setting, kind: str, level: int | None = None) -> Any:
    key = setting.secret_key if kind == "secret-key" else setting.public_key
    return setting.context.encrypt(np.zeros(setting.n // 2), key, level=level, **KINDS[kind]).expand()


def noise_of(setting: Setting, data: NDArray[np.uint64], limb: int = 0) -> NDArray[np.int64]:
    """data: [polynomial, limb, N]."""
    q, secret = setting.moduli[limb], setting.secret_words[limb]
    return oracle.phase(data[0, limb], data[1, limb], secret, q)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at_top", [True, False], ids=["top", "lowest"])
def test_fresh(few: Setting, kind: str, at_top: bool) -> None:
    level = few.data_limbs - 1 if at_top else 0
    noise = [noise_of(few, encrypt_zero(few, kind, level).data) for _ in range(CIPHERTEXTS)]
    variance = oracle.fresh_variance(kind, few.n, few.moduli[level + 1])
    check(noise, variance)
    ours = few.context.noise_variance(kind, level) - oracle.ROUNDING_VARIANCE
    assert ours == pytest.approx(variance, rel=0.01)
    if kind == "secret-key":
        assert np.abs(noise).max() <= 21  # a centred binomial with k = 21


@pytest.mark.parametrize("kind", KINDS)
def test_through_seal(any_peer: Peer, few: Setting, tmp_path: Path, kind: str) -> None:
    """SEAL's decryption of our ciphertexts shows the very same coefficients."""
    few.enter(any_peer)
    secret, path = few.peer_secret(any_peer), tmp_path / "zero.seal"
    seen = []
    for _ in range(2):
        ours = encrypt_zero(few, kind)
        ours.save(path)
        plaintext = any_peer.decrypt(any_peer.load("ciphertext", path), secret)
        words = any_peer.words("plaintext", plaintext).reshape(-1, few.n)
        seen.append(oracle.coefficients(words[0], few.moduli[0]))
        np.testing.assert_array_equal(seen[-1], noise_of(few, ours.data))
    check(seen, oracle.fresh_variance(kind, few.n, few.special_prime))


@pytest.mark.parametrize("kind", ["secret-key", "public-key"])
def test_seals_own(any_peer: Peer, few: Setting, kind: str) -> None:
    """The yardstick itself: SEAL's ciphertexts under our key fit the same theory."""
    few.enter(any_peer)
    secret = few.peer_secret(any_peer)
    public = any_peer.make_keys("public_key", secret, False, [])
    plaintext = any_peer.encode(np.zeros(few.n // 2), few.scale(few.data_limbs))
    noise = []
    for _ in range(4):
        if kind == "secret-key":
            ciphertext = any_peer.encrypt_symmetric(plaintext, secret, False)
        else:
            ciphertext = any_peer.encrypt(plaintext, public)
        noise.append(noise_of(few, any_peer.words("ciphertext", ciphertext).reshape(2, -1, few.n)))
    check(noise, oracle.fresh_variance(kind, few.n, few.special_prime))


def test_public_key(few: Setting) -> None:
    """b + a s = -e on every limb, the same e."""
    data = few.public_key.data
    noise = [noise_of(few, data, limb) for limb in range(len(few.moduli))]
    for other in noise[1:]:
        np.testing.assert_array_equal(noise[0], other)
    check(noise[:1], oracle.CBD_VARIANCE)


def test_switching_keys(peers: dict[str, Peer], few: Setting, tmp_path: Path) -> None:
    """Component i of the relinearisation key encrypts P s^2 on limb i and zero on the others."""
    peer, path = peers["tenseal"], tmp_path / "relin.seal"
    few.enter(peer)
    few.context.write_relin_keys(few.secret_key, path)
    keys = peer.load("relin_keys", path)  # the components below point into it
    components = keys.data(0)
    assert len(components) == few.data_limbs
    for index, component in enumerate(components):
        data = peer.words("public_key", component).reshape(2, -1, few.n)
        noise = []
        for limb, q in enumerate(few.moduli):
            secret = few.secret_words[limb]
            rest = data[0, limb]
            if limb == index:
                square = oracle.multiply(secret, secret, q)
                factor = np.full(few.n, few.special_prime % q, dtype=np.uint64)
                rest = (rest + np.uint64(q) - oracle.multiply(factor, square, q)) % np.uint64(q)
            noise.append(oracle.phase(rest, data[1, limb], secret, q))
            np.testing.assert_array_equal(noise[0], noise[-1])
        check(noise[:1], oracle.CBD_VARIANCE)
