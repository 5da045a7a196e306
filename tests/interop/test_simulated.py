# SPDX-License-Identifier: Apache-2.0
"""What a simulated accelerator encrypts, both SEALs compute with; what they answer, it decrypts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from device.jobs import design
from interop import oracle
from interop.peers import Peer
from interop.settings import SIMULATED_SET, Setting, assert_close
from interop.test_they_read import ENCRYPTIONS, words_of
from ringside.devices.calls import SwitchRow
from ringside.devices.simulated import open_simulated
from ringside.objects.common import evaluation_keys
from ringside.sim.options import Simulated

pytestmark = pytest.mark.slow  # builds a simulator
DESIGN = "lanes4-w32"
SEED = bytes(range(64))
EXPONENT, BOUND = -28, 2  # layout of decoded numbers
Values = NDArray[np.float64]


@pytest.fixture(scope="module")
def setting(get_setting: Callable[[str], Setting]) -> Setting:
    return get_setting(SIMULATED_SET)


@pytest.fixture(scope="module")
def simulated(setting: Setting) -> Iterator[rs.Context]:
    """The setting's context with an accelerator below it."""
    context = rs.Context(setting.params)
    with closing(open_simulated(Simulated(design(DESIGN), checked=True), setting.params._native)) as accelerator:
        yield context.on(accelerator)


def encrypt(
    setting: Setting, simulated: rs.Context, how: str, scale: float, level: int
) -> tuple[rs.Ciphertext, Values]:
    key = setting.secret_key if how.startswith("sk") else setting.public_key
    values = setting.values()
    assert simulated.accelerator is not None
    before = len(simulated.accelerator.runs)
    ciphertext = simulated.encrypt(values, key, scale=scale, level=level, **ENCRYPTIONS[how][0])
    assert len(simulated.accelerator.runs) == before + 1
    return ciphertext, values


@pytest.mark.parametrize("how", ENCRYPTIONS)
def test_they_decrypt_its_ciphertexts(
    peer: Peer, setting: Setting, simulated: rs.Context, tmp_path: Path, how: str
) -> None:
    """At both levels: every word, seeds expanded, and the values within the noise."""
    path = tmp_path / "ciphertext.seal"
    for limbs in (1, 2):
        scale = setting.scale(limbs)
        ours, values = encrypt(setting, simulated, how, scale, limbs - 1)
        ours.save(path)
        theirs = peer.load("ciphertext", path)
        assert peer.describe(theirs) == (2, limbs, scale)
        np.testing.assert_array_equal(peer.words("ciphertext", theirs), words_of(ours))
        limit = setting.fresh_limit(ENCRYPTIONS[how][1], scale, limbs)
        assert_close(peer.decrypt_values(theirs, setting.peer_secret(peer)), values, limit)


def test_they_compute_with_its_keys(
    peer: Peer, setting: Setting, simulated: rs.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A product is relinearised, a ciphertext is rotated, with keys whose rows the core makes: the files are those of the processor."""
    context, secret, core = setting.context, setting.secret_key, simulated._device
    steps, scale = [1, 0], setting.product_scale
    relin, galois, path = (tmp_path / f"{name}.seal" for name in ("relin", "galois", "ciphertext"))

    def by_core(pointer: Any, native: Any, row: Any, rng: Any, **members: int) -> None:
        row.seeded, row.seed_type = members["seeded"], members["seed_type"]
        core.run(SwitchRow(context._handle, secret._handle, members["element"], members["index"], row, rng))

    files = []
    for _ in range(2):
        context.write_relin_keys(secret, relin, insecure_deterministic_seed=SEED, overwrite=True)
        context.write_galois_keys(secret, galois, steps, insecure_deterministic_seed=SEED, overwrite=True)
        files.append([relin.read_bytes(), galois.read_bytes()])
        monkeypatch.setattr(evaluation_keys, "keygen", by_core)
    assert files[0] == files[1]
    assert simulated.accelerator is not None
    assert simulated.accelerator.totals.pop("switch-key").operations == 3 * setting.data_limbs

    values = setting.values()
    context.encrypt(values, secret, scale=scale).save(path)
    theirs, opened = peer.load("ciphertext", path), setting.peer_secret(peer)
    limit = setting.fresh_limit("secret-key", scale) + setting.key_switch_limit(scale)
    rotated = peer.rotate(theirs, 1, peer.load("galois_keys", galois))
    assert_close(peer.decrypt_values(rotated, opened), np.roll(values, -1), limit)
    product = peer.multiply(theirs, theirs)
    peer.relinearize(product, peer.load("relin_keys", relin))
    peer.rescale(product)
    assert_close(peer.decrypt_values(product, opened), values * values, setting.product_limit("secret-key", scale))


def test_it_decrypts_their_products(peer: Peer, setting: Setting, simulated: rs.Context, tmp_path: Path) -> None:
    """Products of its ciphertexts have three polynomials, and two when they have relinearised and rescaled."""
    path, keys = tmp_path / "ciphertext.seal", tmp_path / "relin.seal"
    setting.context.write_relin_keys(setting.secret_key, keys)
    factors, truth = [], np.ones(setting.n // 2)
    for how in ("sk-shake256", "pk"):
        ours, values = encrypt(setting, simulated, how, setting.product_scale, 1)
        ours.save(path)
        factors.append(peer.load("ciphertext", path))
        truth = truth * values
    product = peer.multiply(*factors)
    limit = setting.product_limit("public-key", setting.product_scale)

    def decrypted(polys: int) -> Values:
        peer.save(product, path)
        theirs = rs.Ciphertext.load(simulated, path)
        assert theirs.poly_count == polys
        return simulated.decrypt_values(theirs, setting.secret_key)

    def decoded(limbs: int) -> Values:
        """In gates, too."""
        given: dict[str, Any] = {"exponent": EXPONENT, "bound": BOUND, "dtype": np.int32, "max_abs": 2.0}
        assert simulated.accelerator is not None
        assert "decrypt-decode" not in simulated.accelerator.totals
        numbers = simulated.decrypt_fixed(rs.Ciphertext.load(simulated, path), setting.secret_key, **given)
        assert simulated.accelerator.totals.pop("decrypt-decode").operations == 1
        assert simulated.accelerator.runs[-1].limbs == limbs
        by_processor = setting.context.decrypt_fixed(
            rs.Ciphertext.load(setting.context, path), setting.secret_key, word_bits=simulated.fixed_bits, **given
        )
        np.testing.assert_array_equal(numbers, by_processor)
        return numbers * 2.0**EXPONENT

    # the transform's own error: sqrt(N/12) units of 2^(bound - (W - 2)) in a component, of each limb
    own = oracle.GAUSSIAN_SIGMAS * math.sqrt(setting.n / 12) * 2.0 ** (BOUND + 2 - simulated.fixed_bits)
    # three polynomials, and coefficients that the first modulus does not hold
    assert_close(decrypted(3), truth, limit)
    assert_close(decoded(2), truth, limit + 2 * own)
    peer.relinearize(product, peer.load("relin_keys", keys))
    peer.rescale(product)
    assert_close(decrypted(2), truth, limit)
    # after a rescaling the scale is no power of two
    theirs = rs.Ciphertext.load(simulated, path)
    assert theirs.level == 0
    assert math.frexp(theirs.scale)[0] != 0.5
    assert_close(decoded(1), truth, limit + own)
    assert_close(peer.decrypt_values(product, setting.peer_secret(peer)), truth, limit)
