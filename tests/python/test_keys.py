# SPDX-License-Identifier: Apache-2.0
"""Keys: secrecy, files, keys for the server."""

import gc
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import contents, flipped, mode, raises
from cli_runner import python
from ringside.native.library import ffi

SEED = bytes(64)


def test_secret_key_file(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    path = tmp_path / "secret.key"
    secret.save(path)
    assert mode(path) == 0o600
    before = path.read_bytes()
    ciphertext = context.encrypt([4.25], secret)
    with rs.SecretKey.load(context, path) as loaded:
        assert loaded.parms_id == context.params.parms_id()
        assert np.allclose(context.decrypt_values(ciphertext, loaded, 1), [4.25], atol=1e-4)
    with context.keygen() as other:
        assert raises(rs.FileError, None, other.save, path).code == "FILE_EXISTS"
        assert path.read_bytes() == before
        path.chmod(0o644)
        other.save(path, overwrite=True)
    assert mode(path) == 0o600
    assert path.read_bytes() != before
    assert [item.name for item in tmp_path.iterdir()] == ["secret.key"]


def test_damaged_secret_key(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    path = tmp_path / "secret.key"
    secret.save(path, compression="none")
    path.write_bytes(flipped(path.read_bytes(), -8))  # one residue of the last limb
    error = raises(rs.RingsideError, None, rs.SecretKey.load, context, path)
    assert error.code in {"RS_ERR_SECRET_KEY", "RS_ERR_RESIDUE"}


def test_zero_secret_key(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    """s = 0 is ternary, but encrypts nothing: c0 would be the message and its noise."""
    path = tmp_path / "secret.key"
    secret.save(path, compression="none")
    data = bytearray(path.read_bytes())
    words = 8 * context.n * context.params.limb_count
    data[-words:] = bytes(words)
    path.write_bytes(data)
    assert raises(rs.SecretKeyError, "or it is zero", rs.SecretKey.load, context, path).code == "RS_ERR_SECRET_KEY"


def test_public_key_of_a_pair(context: rs.Context, secret: rs.SecretKey) -> None:
    other_parameters = rs.Context(rs.Parameters.from_bits(4096, [36, 36, 36, 36], security=0))
    with context.keygen() as another, other_parameters.keygen() as foreign:
        for seeded in (True, False):
            public = context.public_key(secret, seeded=seeded)
            public.check(secret)
            assert raises(rs.SecretKeyError, "does not belong", public.check, another).code == "RS_ERR_KEY_PAIR"
            raises(rs.MismatchError, None, public.check, foreign)
            raises(TypeError, "Pass a SecretKey", public.check, public)  # type: ignore[arg-type]


def test_a_fault_in_key_generation_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bit of the public key flips while it is made: no file of the pair is left."""
    made = rs.Context.public_key

    def faulty(context: rs.Context, *arguments: object, **options: object) -> rs.PublicKey:
        public = made(context, *arguments, **options)  # type: ignore[arg-type]
        public._handle.data[0, 1, 77] ^= np.uint64(1 << 20)
        return public

    parameters = rs.Parameters.from_bits(4096, [36, 36, 36], security=128)
    with monkeypatch.context() as patch:
        patch.setattr(rs.Context, "public_key", faulty)
        raises(rs.SecretKeyError, "a fault damaged them", rs.make_keys, parameters, tmp_path / "keys")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert rs.make_keys(parameters, tmp_path / "keys")


def test_closed_key(tmp_path: Path, context: rs.Context) -> None:
    key = context.keygen()
    assert any(ffi.unpack(key._handle.native.ntt, 4096))
    key.close()
    key.close()
    assert key.closed
    assert not any(ffi.unpack(key._handle.native.ntt, 4096))
    for use in (
        lambda: context.encrypt([1.0], key),
        lambda: context.public_key(key),
        lambda: key.save(tmp_path / "secret.key"),
        lambda: context.write_relin_keys(key, tmp_path / "relin.key"),
    ):
        raises(rs.SecretKeyError, "closed", use)
    assert not list(tmp_path.iterdir())


def test_wiped_when_forgotten(context: rs.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    wiped: list[int] = []

    class Library:
        @staticmethod
        def rs_zeroize(_: object, size: int) -> None:
            wiped.append(size)

    key = context.keygen()
    gc.collect()
    monkeypatch.setattr("ringside.native.library.lib", Library)
    del key
    assert wiped == [8 * context.params.limb_count * context.n]


def test_close_waits_for_users(context: rs.Context) -> None:
    key = context.keygen()
    closed = threading.Event()

    def close() -> None:
        key.close()
        closed.set()

    with key._borrow():
        thread = threading.Thread(target=close)
        thread.start()
        assert not closed.wait(0.1)
        assert any(ffi.unpack(key._handle.native.ntt, 64))
    thread.join(600)
    assert closed.is_set()


def test_secret_never_shows(context: rs.Context, secret: rs.SecretKey) -> None:
    assert repr(secret) == "SecretKey(n=4096)"
    assert not hasattr(secret, "data")
    raises(TypeError, None, pickle.dumps, secret)


@pytest.mark.parametrize("seed_type", ["shake256", "blake2xb", None])
def test_public_key(tmp_path: Path, context: rs.Context, secret: rs.SecretKey, seed_type: str | None) -> None:
    key = context.public_key(secret, seeded=seed_type is not None, seed_type=seed_type or "shake256")
    assert (key.seeded, key.seed_type) == (seed_type is not None, seed_type)
    path = tmp_path / "public.key"
    assert key.save(path, compression="none") == len(key.to_bytes(compression="none"))
    loaded = rs.PublicKey.load(context, path)
    assert loaded.seeded == key.seeded
    assert np.array_equal(loaded.data, key.data)
    assert loaded.to_bytes() == key.to_bytes()  # expanding keeps the seed
    assert np.allclose(context.decrypt_values(context.encrypt([1.5], loaded), secret, 1), [1.5], atol=1e-3)


def test_public_key_hides_half(context: rs.Context, secret: rs.SecretKey) -> None:
    seeded, full = (context.public_key(secret, seeded=flag) for flag in (True, False))
    sizes = [len(key.to_bytes(compression="none")) for key in (seeded, full)]
    assert sizes[0] < 0.502 * sizes[1]


def test_keys_for_the_server(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    calls: list[tuple[int, int]] = []
    relin, galois = tmp_path / "relin.key", tmp_path / "galois.key"
    size = context.write_relin_keys(secret, relin, progress=lambda done, total: calls.append((done, total)))
    assert size == relin.stat().st_size
    assert calls == [(1, 2), (2, 2)]
    info = rs.inspect(relin, context.params, full=True)
    assert (info.kind, info.entries, info.seeded) == ("relinearisation keys", 1, True)
    context.write_galois_keys(secret, galois, [1, -1, 0, 1], compression="none")
    info = rs.inspect(galois, context.params, full=True)
    assert info.kind == "Galois keys"
    assert info.elements == tuple(sorted({3, pow(3, -1, 8192), 8191}))
    assert info.seed_type == "shake256"


def test_server_keys_are_never_whole_in_memory(tmp_path: Path) -> None:
    code = """
import resource, sys
import ringside as rs

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

context = rs.Context(rs.Parameters.named("lee-14"))
with context.keygen() as secret:
    context.write_relin_keys(secret, sys.argv[1])
    before = peak()
    size = context.write_galois_keys(secret, sys.argv[1], range(1, 9), compression="none")
    print(size, peak() - before)
"""
    size, growth = map(int, python(code, tmp_path / "keys", check=True).stdout.split())
    assert size > 50e6
    assert growth < 4e6


def test_default_rotations(context: rs.Context) -> None:
    elements = context.galois_elements("pow2")
    assert set(elements) == ({pow(3, sign * (1 << i), 8192) for i in range(11) for sign in (1, -1)} | {8191})


@pytest.mark.parametrize("steps", [2048, -2048, 1 << 40])
def test_bad_rotations(tmp_path: Path, context: rs.Context, secret: rs.SecretKey, steps: int) -> None:
    error = raises(rs.InputError, None, context.write_galois_keys, secret, tmp_path / "galois.key", [1, steps])
    assert error.code == "RS_ERR_GALOIS"
    assert not list(tmp_path.iterdir())


def test_no_special_prime(tmp_path: Path) -> None:
    context = rs.Context(rs.Parameters.named("seal-embedded-1024"))
    with context.keygen() as secret:
        error = raises(rs.ParameterError, None, context.write_relin_keys, secret, tmp_path / "relin.key")
        assert error.code == "RS_ERR_NO_SPECIAL"
        ciphertext = context.encrypt([0.5], context.public_key(secret), scale=2**20)
        assert np.allclose(context.decrypt_values(ciphertext, secret, 1), [0.5], atol=0.05)
    assert not list(tmp_path.iterdir())


def test_directory(tmp_path: Path) -> None:
    path = tmp_path / "a" / "keys"
    params = rs.Parameters.named("lee-12")
    sizes = rs.make_keys(params, path, rs.KeySpec(relin=True, rotations=[1]))
    assert mode(path) == 0o700
    assert mode(path / "secret.key") == 0o600
    assert sizes == {item.name: item.stat().st_size for item in path.iterdir()}
    assert set(sizes) == {"params.seal", "secret.key", "public.key", "relin.key", "galois.key"}
    before = contents(path)
    raises(rs.FileError, None, rs.make_keys, params, path)
    assert before == contents(path)
    rs.make_keys(params, path, overwrite=True)
    # keys of the old secret are gone
    assert {item.name for item in path.iterdir()} == {"params.seal", "secret.key", "public.key"}
    assert (path / "secret.key").read_bytes() != before["secret.key"]


def test_failed_directory_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    raises(rs.InputError, None, rs.make_keys, rs.Parameters.named("lee-12"), path, rs.KeySpec(rotations=[10**6]))
    assert not path.exists()


def test_encrypting_needs_no_secret(tmp_path: Path, keys: Path) -> None:
    for name in ("params.seal", "public.key"):
        (tmp_path / name).write_bytes((keys / name).read_bytes())
    directory = rs.KeyDirectory(tmp_path)
    ciphertext = directory.context.encrypt([1.0], directory.public_key())
    raises(rs.FileError, r"secret\.key", directory.secret_key)
    with rs.KeyDirectory(keys).secret_key() as secret:
        assert np.allclose(directory.context.decrypt_values(ciphertext, secret, 1), [1], atol=0.05)
