# SPDX-License-Identifier: Apache-2.0
"""Fixed point: stock SEAL decrypts what it encoded to the precision that the noise allows, and it decodes what SEAL encrypted."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside
from interop import oracle
from interop.peers import Peer
from interop.settings import Setting, assert_close

# Width of words and the largest scale at which its errors are invisible beside the noise (docs/encoding.md, "In fixed point")
LIMITS = {32: 30, 54: 52, 64: 58}
SETS = ("lee-12", "lee-13", "aloha-8192")
QUICK = [
    ("tenseal", "lee-12", 32),
    ("tenseal", "aloha-8192", 54),
    ("tenseal", "aloha-8192", 64),
    ("node-seal", "aloha-8192", 32),
]
CASES = [
    pytest.param(*case, marks=() if case in QUICK else pytest.mark.soak)
    for case in itertools.product(("tenseal", "node-seal"), SETS, LIMITS)
]
RMS_TOLERANCE = 0.03
# The root mean square of the errors of M real slots has a relative deviation of 1 / sqrt(2 M); a ciphertext has M = N / 2 of them.
# With 6 deviations within the tolerance, chance fails one test in 10^8.
RMS_SLOTS = math.ceil((6 / RMS_TOLERANCE) ** 2 / 2)


def values_of(setting: Setting, is_complex: bool) -> NDArray[Any]:
    return setting.complex_values() * 0.99 if is_complex else setting.values() * 0.99


@pytest.mark.parametrize("portion", [1, 0.6180339887], ids=["power", "no-power"])  # portions of a scale
@pytest.mark.parametrize(("peer_name", "name", "word_bits"), CASES)
def test_seal_decrypts(
    peers: dict[str, Peer], get_setting: Any, tmp_path: Path, peer_name: str, name: str, word_bits: int, portion: float
) -> None:
    setting, peer = get_setting(name), peers[peer_name]
    setting.enter(peer)
    limbs = setting.data_limbs
    scale = portion * 2.0 ** min(LIMITS[word_bits], int(np.log2(setting.scale(limbs))) + 4 * (word_bits == 64))
    secret, path = setting.peer_secret(peer), tmp_path / "fixed.seal"
    values = values_of(setting, False)
    plaintext = setting.context.encode_fixed(values, word_bits=word_bits, bound=0, scale=scale)
    squares = []
    for _ in range(math.ceil(RMS_SLOTS / len(values))):
        setting.context.encrypt(plaintext, setting.secret_key).save(path)
        got = peer.decode(peer.decrypt(peer.load("ciphertext", path), secret))
        assert_close(got, values, setting.fresh_limit("secret-key", scale))
        squares.append(np.square(got - values).mean())
    # and typically: as with an exact encoder
    variance = oracle.CBD_VARIANCE + oracle.ROUNDING_VARIANCE
    expected = oracle.slot_error(variance, setting.n, scale)
    assert np.sqrt(np.mean(squares)) == pytest.approx(expected, rel=RMS_TOLERANCE)


@pytest.mark.parametrize(("peer_name", "name", "word_bits"), CASES)
def test_fixed_point_decodes_seals(
    peers: dict[str, Peer], get_setting: Any, tmp_path: Path, peer_name: str, name: str, word_bits: int
) -> None:
    setting, peer = get_setting(name), peers[peer_name]
    setting.enter(peer)
    limbs = 1 if int(np.log2(setting.moduli[0])) > 32 or setting.data_limbs < 2 else 2
    total = int(np.log2(float(np.prod([float(q) for q in setting.moduli[:limbs]]))))
    scale = 2.0 ** (min(word_bits - 4, total - 4))
    secret, path = setting.peer_secret(peer), tmp_path / "theirs.seal"
    values = values_of(setting, False)
    peer.save(peer.encrypt_symmetric(peer.encode(values, scale), secret, False), path)
    ciphertext = ringside.Ciphertext.load(setting.context, path)
    decrypted = setting.context.decrypt(ciphertext, setting.secret_key, limbs=limbs)
    got = setting.context.decode_fixed(decrypted, word_bits=word_bits, bound=1)
    # the transform's own error: sqrt(N/12) units of 2^(bound - (W - 2)) in a component
    own = np.sqrt(setting.n / 12) * 2.0 ** (3 - word_bits)
    assert_close(got, values, setting.fresh_limit("secret-key", scale) + oracle.GAUSSIAN_SIGMAS * own)
    exact = setting.context.decode(decrypted)
    assert np.abs(got - exact).max() < oracle.GAUSSIAN_SIGMAS * own + 2.0**-49  # doubles err too
