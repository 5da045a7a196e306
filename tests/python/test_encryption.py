# SPDX-License-Identifier: Apache-2.0
"""Encryption and decryption."""

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from cli_runner import python
from ringside.native.library import ffi

SEED = bytes(64)


@pytest.fixture(scope="module")
def values(context: rs.Context) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.random.default_rng(7).normal(size=context.slots)


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("secret-key", {}),
        ("secret-key", {"seed_type": "blake2xb"}),
        ("secret-key", {"seeded": False}),
        ("public-key", {}),
        ("public-key-direct", {"special_prime": False}),
    ],
)
def test_predicted_precision_is_measured(
    context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey, values: Any, kind: str, options: dict[str, Any],
    level: int,
) -> None:  # fmt: skip
    key = secret if kind == "secret-key" else public
    scale = 2.0**30
    ciphertext = context.encrypt(values, key, scale=scale, level=level, **options)
    assert (ciphertext.level, ciphertext.scale, ciphertext.poly_count) == (level, scale, 2)
    assert ciphertext.parms_id == context.params.parms_id(level)
    got = context.decrypt_values(ciphertext, secret)
    predicted = context.predicted_precision(scale=scale, kind=kind, level=level)
    assert abs(rs.measured_precision(got, values) - predicted) < 0.3


def test_seeded_is_half_and_expands(context: rs.Context, secret: rs.SecretKey, values: Any) -> None:
    seeded = context.encrypt(values, secret)
    assert seeded.seeded
    assert seeded.seed_type == "shake256"
    assert seeded.seed is not None
    assert seeded.data.shape == (1, 2, 4096)
    full = seeded.expand()
    assert not full.seeded
    assert full.seed is None
    assert full.data.shape == (2, 2, 4096)
    assert np.array_equal(full.data[0], seeded.data[0])
    assert full.expand() is full
    assert np.array_equal(context.decrypt_values(full, secret), context.decrypt_values(seeded, secret))
    assert (len(seeded.to_bytes(compression="none")) / len(full.to_bytes(compression="none"))) < 0.502


def test_seed_expansion_does_not_change_the_message(context: rs.Context, secret: rs.SecretKey, values: Any) -> None:
    written, seeded = (
        context.encrypt(values, secret, seeded=flag, insecure_deterministic_seed=SEED) for flag in (False, True)
    )
    assert np.array_equal(written.data, seeded.expand().data)


def test_data_is_the_memory(context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertext = context.encrypt([1.0], secret)
    assert ciphertext.data.ctypes.data % 64 == 0  # on a cache line, for the vectors of the kernels
    assert ciphertext.data.ctypes.data == int(ffi.cast("uintptr_t", ciphertext._native.data))
    ciphertext.data[:] = context.encrypt([2.0], secret, insecure_deterministic_seed=SEED).data
    assert ciphertext.seed is not None
    with pytest.raises(rs.SecretKeyError):  # the library sees it: another first half, the old seed
        context.decrypt_values(ciphertext, secret)


def test_from_data_takes_the_array(context: rs.Context, secret: rs.SecretKey) -> None:
    made = context.encrypt([1.0, 2.0], secret)
    array = made.data.copy()
    assert made.seed is not None
    copy = rs.Ciphertext.from_data(context, array, scale=made.scale, seed=made.seed)
    assert np.shares_memory(copy.data, array)
    assert copy.to_bytes() == made.to_bytes()
    assert rs.Ciphertext.from_data(context, made.expand().data, scale=made.scale).level == 1
    array[0, 1, 5] = context.params.moduli[1]
    error = raises(rs.RingsideError, None, rs.Ciphertext.from_data, context, array, scale=1.0, seed=made.seed)
    assert error.code == "RS_ERR_RESIDUE"
    for shape in ((2, 4096), (1, 1, 4096), (2, 1, 2048), (2, 3, 4096), (17, 1, 4096)):
        raises(rs.RingsideError, None, rs.Ciphertext.from_data, context, np.zeros(shape, dtype=np.uint64), scale=1.0)


def test_three_polynomials(context: rs.Context, secret: rs.SecretKey) -> None:
    """A server's product without relinearisation decrypts: c0 + c1 s + c2 s^2."""
    params, scale = context.params, 2.0**24
    a, b = (context.encrypt(x, secret, scale=scale).expand() for x in ([3.0, 0.5], [2.0, -4.0]))
    product = np.empty((3, *a.data.shape[1:]), dtype=np.uint64)
    for limb, q in enumerate(params.moduli[: params.data_limbs]):
        (a0, a1), (b0, b1) = (c.data[:, limb].astype(object) for c in (a, b))
        for index, poly in enumerate((a0 * b0, a0 * b1 + a1 * b0, a1 * b1)):
            product[index, limb] = (poly % q).astype(np.uint64)
    ciphertext = rs.Ciphertext.from_data(context, product, scale=scale**2)
    got = context.decrypt_values(ciphertext, secret, 2)
    assert np.allclose(got, [6, -2], atol=1e-2)
    loaded = rs.Ciphertext.from_bytes(context, ciphertext.to_bytes())
    assert loaded.poly_count == 3
    assert np.array_equal(context.decrypt_values(loaded, secret, 2), got)


def test_fewer_limbs_are_exact(context: rs.Context, secret: rs.SecretKey, values: Any) -> None:
    ciphertext = context.encrypt(values, secret, scale=2**24)
    full = context.decrypt_values(ciphertext, secret)
    assert np.array_equal(full, context.decrypt_values(ciphertext, secret, limbs=1))
    plaintext = context.decrypt(ciphertext, secret, max_abs=8)
    assert plaintext.level == 0
    assert np.array_equal(full, context.decode(plaintext))
    assert context.decrypt(ciphertext, secret, max_abs=1e9).level == 1
    raises(rs.InputError, "more than 2 limbs", context.decrypt, ciphertext, secret, max_abs=1e30)
    for bad in ({"limbs": 0}, {"limbs": 3}, {"limbs": 1, "max_abs": 1.0}, {"max_abs": -1.0}):
        raises(rs.InputError, None, context.decrypt, ciphertext, secret, **bad)


@pytest.mark.parametrize("limbs", [1, 2])
def test_wrong_key_is_noticed(context: rs.Context, secret: rs.SecretKey, limbs: int) -> None:
    ciphertext = context.encrypt([1.0, 2.0], secret)
    with context.keygen() as other, pytest.raises(rs.SecretKeyError) as error:
        context.decrypt_values(ciphertext, other, limbs=limbs)
    assert error.value.code == "WRONG_KEY"


def test_wrong_key_at_large_modulus() -> None:
    # 1500 bits: the noise exceeds the range of a double, after division by the scale too
    context = rs.Context(rs.Parameters.from_bits(1024, [60] * 25, security=0))
    with context.keygen() as secret, context.keygen() as other:
        ciphertext = context.encrypt([1.0, 2.0], secret, scale=2**40)
        assert np.allclose(context.decrypt_values(ciphertext, secret, 2), [1, 2], atol=1e-6)
        raises(rs.RingsideError, None, context.decrypt_values, ciphertext, other)


def test_largest_values_are_not_taken_for_noise(context: rs.Context, secret: rs.SecretKey) -> None:
    rng = np.random.default_rng(3)
    scale, modulus = 2.0**20, context.params.modulus(0)
    # as much as encode takes: coefficients up to a quarter of the modulus
    values = rng.choice([-1.0, 1.0], size=context.slots) * (modulus / scale / 12)
    ciphertext = context.encrypt(values, secret, scale=scale, level=0)
    assert np.allclose(context.decrypt_values(ciphertext, secret), values, rtol=1e-6)
    constant = np.full(context.slots, 0.24 * modulus / scale)
    ciphertext = context.encrypt(constant, secret, scale=scale, level=0)
    assert np.allclose(context.decrypt_values(ciphertext, secret), constant, rtol=1e-6)


def test_mixing_raises(context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey) -> None:
    other = rs.Context(rs.Parameters.named("lee-12"))
    ciphertext = context.encrypt([1.0], secret)
    plaintext = context.encode([1.0], scale=2**30, level=0)
    with other.keygen() as other_secret:
        for use in (
            lambda: other.decrypt(ciphertext, other_secret),
            lambda: context.decrypt(ciphertext, other_secret),
            lambda: context.encrypt([1.0], other_secret),
            lambda: other.encrypt([1.0], public),
            lambda: other.encrypt(plaintext, other_secret),
            lambda: other.public_key(secret),
            lambda: rs.Ciphertext.from_bytes(other, ciphertext.to_bytes()),
            lambda: rs.PublicKey.from_bytes(other, public.to_bytes()),
            lambda: context.encrypt(plaintext, secret, level=1),
            lambda: context.encrypt(plaintext, secret, scale=2**31),
            lambda: context.encrypt([1.0], public, seeded=True),
        ):
            raises(rs.MismatchError, None, use)
    assert context.encrypt(plaintext, secret, level=0, scale=2**30).level == 0
    raises(TypeError, None, context.decrypt, ciphertext, public)  # type: ignore[arg-type]
    raises(TypeError, None, context.decrypt, plaintext, secret)  # type: ignore[arg-type]


def test_a_ciphertext_is_no_key(
    tmp_path: Path, context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey
) -> None:
    path = tmp_path / "file.seal"
    context.encrypt([1.0], secret).save(path)
    raises(rs.RingsideError, None, rs.PublicKey.load, context, path)
    raises(rs.WireError, None, rs.SecretKey.load, context, path)
    public.save(path)
    raises(rs.RingsideError, None, rs.Ciphertext.load, context, path)


@pytest.mark.parametrize("version", ["3.6", "3.7", "4.0", "4.1", "4.2", "4.3", "4.4"])
@pytest.mark.parametrize("compression", ["none", "zlib", "zstd"])
def test_files(
    tmp_path: Path, context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey, compression: str, version: str
) -> None:
    path = tmp_path / "ciphertext.seal"
    for key in (secret, public):
        ciphertext = context.encrypt([1.0, 2.0], key)
        assert ciphertext.save(path, compression=compression, version=version) == path.stat().st_size
        data = path.read_bytes()
        assert data == ciphertext.to_bytes(compression=compression, version=version)
        assert f"{data[3]}.{data[4]}" == version
        loaded = rs.Ciphertext.load(context, path)
        assert np.array_equal(loaded.data, ciphertext.data)
        assert loaded.seed == ciphertext.seed
    for cut in (0, 1, 15, 16, 40, len(data) // 2, len(data) - 1):
        raises(rs.WireError, None, rs.Ciphertext.from_bytes, context, data[:cut])
    raises(rs.WireError, None, rs.Ciphertext.from_bytes, context, data + b"x")


def test_bad_wire_options(context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertext = context.encrypt([1.0], secret)
    raises(rs.WireError, "zstd", ciphertext.to_bytes, compression="lzma")
    raises(rs.WireError, r"4\.4", ciphertext.to_bytes, version="2.3")
    raises(rs.ParameterError, "shake256", context.encrypt, [1.0], secret, seed_type="md5")


def test_deterministic_only_on_request(context: rs.Context, secret: rs.SecretKey) -> None:
    def data(seed: bytes | None) -> bytes:
        return context.encrypt([1.0], secret, insecure_deterministic_seed=seed).to_bytes()

    assert data(None) != data(None)
    assert data(SEED) == data(SEED)
    assert data(SEED) != data(bytes(63) + b"\1")
    raises(rs.ParameterError, None, data, b"short")


def test_devices() -> None:
    params = rs.Parameters.named("seal-embedded-1024")
    assert rs.Context(params, device="cpu:").device == "cpu:"
    raises(rs.DeviceError, "cpu:", rs.Context, params, device="fpga:0")


def test_precision_helpers(context: rs.Context) -> None:
    assert rs.measured_precision([1, 2], [1, 2]) == 64
    assert math.isclose(rs.measured_precision([1.5, 2.5], [1, 2]), 1)
    assert math.isclose(rs.measured_precision([1 + 1j], [1.0]), 0.5)
    raises(rs.InputError, None, rs.measured_precision, [1], [1, 2])
    raises(rs.InputError, None, rs.measured_precision, [], [])
    raises(rs.InputError, "secret-key", context.noise_variance, "magic")


@pytest.mark.parametrize("backend", ["portable", "fma", "neon", "neonsha3", "avx2", "avx512", "avx512ifma"])
def test_smallest_degree_on_every_back_end(backend: str) -> None:
    """N = 512, all the way and with the same bits by every back end, each in a process of its own."""
    code = """
import sys, ringside as rs, numpy as np
params = rs.Parameters.from_bits(512, [60, 30, 14, 48, 60], security=0)
context, seed = rs.Context(params), bytes(64)
with context.keygen(insecure_deterministic_seed=seed) as key:
    public = context.public_key(key, insecure_deterministic_seed=seed)
    values = np.linspace(-1, 1, 256)
    for by in (key, public):
        sealed = context.encrypt(values, by, scale=2**30, insecure_deterministic_seed=seed)
        assert np.abs(context.decrypt_values(sealed, key) - values).max() < 2**-20
        sys.stdout.write(sealed.to_bytes(compression="none").hex())
"""

    def run(name: str) -> str:
        done = python(code, env=os.environ | {"RINGSIDE_BACKEND": name})
        if "DeviceError" in done.stderr:
            pytest.skip(f"this machine has no {name}")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(backend) == run("portable")
