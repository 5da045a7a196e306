# SPDX-License-Identifier: Apache-2.0
"""Inspecting and converting files."""

import re
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from ringside.objects.ckks.advice import advise
from ringside.objects.common.params import CUSTOM


@pytest.mark.parametrize(
    ("name", "kind", "known"),
    [
        ("params.seal", "parameters", "parameters"),
        ("secret.key", "secret key", "secret key"),
        ("public.key", "public key", "public key"),
        ("relin.key", "relinearisation keys", "relinearisation keys"),
        ("galois.key", "Galois keys", "Galois keys"),
    ],
)
def test_kinds(keys: Path, name: str, kind: str, known: str) -> None:
    path, params = keys / name, rs.KeyDirectory(keys).params
    info = rs.inspect(path)
    assert (info.kind, info.version, info.compression) == (kind, "3.6", "zstd")
    assert info.file_bytes == info.declared_bytes == path.stat().st_size
    assert not info.checked
    if name != "params.seal":
        assert (info.named, info.scheme, info.n) == ("lee-12", "CKKS", 4096)
    info = rs.inspect(path, params, full=True)
    assert info.kind == known
    assert info.parameters == params
    if name != "params.seal":
        assert info.belongs
        assert info.checked
        assert info.level is None
    other = rs.Parameters.named("lee-13")
    if name != "params.seal":
        assert rs.inspect(path, other).belongs is False


def test_data_kinds(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    path = tmp_path / "file.seal"
    context.encrypt([1.0], secret, level=0, scale=2**20).save(path, version="4.1", compression="none")
    info = rs.inspect(path)
    assert (info.kind, info.scheme, info.named) == ("ciphertext", "CKKS", None)
    assert (info.n, info.limbs, info.level, info.polynomials, info.seeded) == (4096, 1, 0, 2, True)
    assert (info.version, info.scale, info.ntt) == ("4.1", 2.0**20, True)
    info = rs.inspect(path, context.params, full=True)
    assert (info.kind, info.seed_type) == ("ciphertext", "shake256")
    context.encode([1.0], scale=2**20).save(path)
    info = rs.inspect(path, context.params, full=True)
    assert (info.kind, info.level) == ("plaintext", 1)


def test_the_named_set_is_told(tmp_path: Path, ringside: CommandLine) -> None:
    """At every level, from the parms_id alone; a set without a name may hold keys or data of scale 1."""
    path = tmp_path / "file.seal"
    context = rs.Context(rs.Parameters.named("lee-14"))
    for level in range(context.params.max_level + 1):
        context.encode([1.0], scale=1, level=level).save(path, overwrite=True)
        info = rs.inspect(path)
        assert (info.named, info.kind, info.level) == ("lee-14", "plaintext", level)
    done = ringside("inspect", path)
    assert re.search(r"^set +lee-14$", done.out, re.MULTILINE)
    assert re.search(r"^scheme +CKKS$", done.out, re.MULTILINE)
    other = rs.Context(rs.Parameters.from_bits(1024, [27], security=0))
    other.encode([1.0], scale=1).save(path, overwrite=True)
    info = rs.inspect(path)
    assert (info.named, info.kind, info.scheme) == (None, "plaintext or secret key", None)


def test_damage_is_found(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    path = tmp_path / "file.seal"
    context.encrypt([1.0], secret).save(path, compression="none")
    data = bytearray(path.read_bytes())
    data[1000:1008] = b"\xff" * 8
    path.write_bytes(data)
    assert rs.inspect(path).kind  # the first bytes are sound
    assert raises(rs.WireError, None, rs.inspect, path, context.params, full=True).code == "RS_ERR_RESIDUE"
    path.write_bytes(data[:-1])
    info = rs.inspect(path)
    assert info.file_bytes == info.declared_bytes - 1
    path.write_bytes(b"not SEAL at all, but long enough to hold a header")
    raises(rs.WireError, None, rs.inspect, path)
    path.write_bytes(b"")
    raises(rs.WireError, None, rs.inspect, path)


@pytest.mark.parametrize("name", ["params.seal", "secret.key", "public.key", "relin.key", "galois.key"])
def test_convert_there_and_back(tmp_path: Path, keys: Path, name: str) -> None:
    original, one, two, three = (tmp_path / stem for stem in ("original", "one", "two", "three"))
    info = rs.convert(keys / name, one, compression="none", version="4.4")
    assert (info.version, info.compression) == ("4.4", "none")
    rs.inspect(one, rs.KeyDirectory(keys).params, full=True)
    rs.convert(one, two)
    # without parameters the compressed bytes may be others: what they hold is compared
    rs.convert(keys / name, original, compression="none")
    rs.convert(two, three, compression="none")
    assert three.read_bytes() == original.read_bytes()
    secret = name == "secret.key"
    assert stat.S_IMODE(two.stat().st_mode) == (0o600 if secret else two.stat().st_mode & 0o777)
    if secret:
        raises(rs.FileError, None, rs.convert, one, two)
        rs.convert(one, two, compression="zlib", overwrite=True)
    else:
        rs.convert(two, two, compression="zlib")  # in place
    assert rs.inspect(two).compression == "zlib"


def test_convert_refuses_damage(tmp_path: Path, keys: Path) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    data = (keys / "public.key").read_bytes()
    for bad in (data[:-1], data + b"x", data[:100], b""):
        source.write_bytes(bad)
        raises(rs.WireError, None, rs.convert, source, target)
        assert not target.exists()


def test_advice_is_sorted_and_kept() -> None:
    advices = advise(20, 2, 4096, measure=False)
    assert all(item.params.max_level >= 2 and item.params.security >= 128 for item in advices)
    fits = [item.fits for item in advices]
    assert fits == sorted(fits, reverse=True)
    sizes = [item.ciphertexts * item.seeded_bytes for item in advices if item.fits]
    assert sizes == sorted(sizes)
    custom = next(item for item in advices if item.name == CUSTOM)
    assert custom.fits
    context = rs.Context(custom.params)
    with context.keygen() as secret:
        values = np.random.default_rng(2).normal(size=context.slots)
        ciphertext = context.encrypt(values, secret, scale=custom.scale, level=custom.level)
        assert len(ciphertext.to_bytes(compression="none")) == custom.seeded_bytes
        assert len(ciphertext.expand().to_bytes(compression="none")) == custom.full_bytes
        measured = rs.measured_precision(context.decrypt_values(ciphertext, secret), values)
    assert abs(measured - custom.fresh_precision_bits) < 0.3


@pytest.mark.parametrize("arguments", [(0, 1, 1), (61, 1, 1), (float("nan"), 1, 1), (10, -1, 1), (10, 0, 0)])
def test_bad_questions(arguments: Any) -> None:
    raises(rs.InputError, None, advise, *arguments, measure=False)


def test_more_than_possible() -> None:
    assert not any(item.fits for item in advise(58, 30, 4096, measure=False))
    assert advise(20, 70, 10, measure=False) == []
