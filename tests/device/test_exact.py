# SPDX-License-Identifier: Apache-2.0
"""BFV and BGV on two small designs, of three groups and of six, where the core rounds and decodes: the same bits as by the processor, and one context, key or level
after another."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from device.jobs import design
from ringside.cycles.operation import key_row
from ringside.devices.simulated import open_simulated
from ringside.sim.options import Simulated

pytestmark = pytest.mark.slow  # builds two simulators, which test_jobs has, too
DESIGNS = ("lanes4-w32", "lanes1-w64")
SETS = {"lanes4-w32": [31, 30, 32], "lanes1-w64": [50, 43, 54]}
SEED = bytes(range(64))
WAYS: dict[str, dict[str, Any]] = {
    "seeded": {}, "whole": {"seeded": False}, "blake2xb": {"seed_type": "blake2xb"}, "ntt": {"form": "ntt"},
    "public": {}, "public ntt": {"form": "ntt"}, "direct": {"special_prime": False}, "lower": {"level": 0},
    "coefficients": {"packing": "coefficients"},
}  # fmt: skip


@dataclass(frozen=True)
class Bench:
    cpu: rs.ExactContext
    core: rs.ExactContext
    secret: rs.SecretKey
    public: rs.PublicKey

    def key(self, way: str) -> rs.SecretKey | rs.PublicKey:
        return self.public if way.startswith(("public", "direct")) else self.secret

    def there(self, values: Any, way: str) -> rs.Ciphertext:
        """By both, with the same bits."""
        given: dict[str, Any] = WAYS[way] | {"insecure_deterministic_seed": SEED}
        wanted = self.cpu.encrypt(values, self.key(way), **given)
        found = self.core.encrypt(values, self.key(way), **given)
        assert found.to_bytes(compression="none") == wanted.to_bytes(compression="none")
        return found

    def back(self, ciphertext: rs.Ciphertext, **given: Any) -> Any:
        found = self.core.decrypt_values(ciphertext, self.secret, **given)
        assert np.array_equal(found, self.cpu.decrypt_values(ciphertext, self.secret, **given))
        return found


def benches(name: str, scheme: str, t: int, bits: list[int], stack: ExitStack, device: Any = None) -> Bench:
    params = rs.Parameters.from_bits(1024, bits, scheme=scheme, plain_modulus=t, security=0)
    if device is None:
        device = open_simulated(Simulated(design(name), {"latency": 30, "stall": 40}, checked=True), params._native)
        stack.callback(device.close)
    cpu = rs.ExactContext(params)
    secret = stack.enter_context(cpu.keygen())
    return Bench(cpu, cpu.on(device), secret, cpu.public_key(secret))


@pytest.fixture(scope="module", params=[(name, scheme) for name in DESIGNS for scheme in ("bfv", "bgv")], ids=str)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    name, scheme = request.param
    with ExitStack() as stack:
        yield benches(name, scheme, 65537, SETS[name], stack)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.alike(3)
def test_there_and_back(bench: Bench, way: str) -> None:
    values = np.arange(1024) * 61 % 65537 - 32768
    core = bench.core.accelerator
    assert core is not None
    if way.startswith("public") and not core.design.slots:
        raises(rs.DeviceError, "needs a slot", bench.core.encrypt, values, bench.public, **WAYS[way])
        return
    ciphertext = bench.there(values, way)
    packing = WAYS[way].get("packing", "slots")
    assert np.array_equal(bench.back(ciphertext, packing=packing), values)
    assert np.array_equal(bench.back(ciphertext, packing=packing, count=5), values[:5])
    assert np.array_equal(bench.back(ciphertext, packing=packing, unsigned=True), values % 65537)
    if way != "lower":  # with one modulus there is no margin
        assert np.array_equal(bench.back(ciphertext, packing=packing, margin_bits=4), values)


@pytest.mark.parametrize("element", [0, 3])
def test_rows_of_keys(bench: Bench, element: int) -> None:
    """Between encryptions, which have other constants."""
    for index in range(bench.cpu.params.data_limbs):
        words = []
        for context in (bench.cpu, bench.core):
            row, made = key_row(context, bench.secret, index)
            context._device.run(replace(row, element=element))
            words.append(made)
        assert np.array_equal(words[0], words[1])
        bench.there(np.arange(1024), "whole")


def test_frames(bench: Bench) -> None:
    """In one call: each is what it is alone, and the one that is wrong is named."""
    frames = np.arange(3 * 1024).reshape(3, 1024) % 1000 - 500
    given: dict[str, Any] = {"insecure_deterministic_seed": SEED}
    found = bench.core.encrypt_batch(frames, bench.secret, **given)
    for one, other in zip(found, bench.cpu.encrypt_batch(frames, bench.secret, **given), strict=True):
        assert np.array_equal(one.data, other.data)
    assert np.array_equal(bench.core.decrypt_batch([one.expand() for one in found], bench.secret), frames)
    frames[1, 7] = 40000
    raises(rs.InputError, "Frame 1.*value 7 is 40000.*-32768 to 32768", bench.core.encrypt_batch, frames, bench.secret)


def test_noise_near_a_half_is_refused(bench: Bench) -> None:
    """Any residues are: of three frames the first."""
    rng = np.random.default_rng(5)
    moduli = np.array(bench.cpu.params.moduli[:2], np.uint64)[:, None]
    frames = [rs.Ciphertext.from_data(bench.cpu, rng.integers(0, moduli, (2, 2, 1024), np.uint64)) for _ in range(3)]
    raises(rs.InputError, "Frame 0.*RS_ERR_NOISE|noise", bench.core.decrypt_batch, frames, bench.secret, margin_bits=4)
    for frame in frames:
        bench.back(frame)


def test_one_after_another(bench: Bench) -> None:
    """Two keys, two sets, two schemes and CKKS take turns on one core."""
    device = bench.core._device
    name, values = device.name.removeprefix("sim:"), np.arange(1024) - 512
    with ExitStack() as stack:
        others = [
            benches(name, scheme, t, SETS[name][:limbs], stack, device)
            for scheme, t, limbs in (("bgv", 12289, 3), ("bfv", 12289, 2), ("bfv", 65537, 3))
        ]
        reals = rs.Context(rs.Parameters.from_bits(1024, SETS[name], security=0))
        key = stack.enter_context(reals.keygen())
        plain = reals.encode(np.linspace(-1, 1, 512), scale=2**20)
        for _ in range(2):
            for one in (*others, bench):
                for way in ("seeded", "direct", "whole", "blake2xb"):
                    assert np.array_equal(one.back(one.there(values, way)), values)
            wanted = reals.encrypt(plain, key, insecure_deterministic_seed=SEED)
            assert np.array_equal(
                reals.on(device).encrypt(plain, key, insecure_deterministic_seed=SEED).data, wanted.data
            )
