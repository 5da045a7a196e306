# SPDX-License-Identifier: Apache-2.0
"""Streamed keys: the files of write_relin_keys and write_galois_keys, in ranges; two stock SEALs compute with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine

SEED = bytes(range(64))
WAYS: dict[str, Any] = {"relin": {}, "galois": {"rotations": [1, -3, 0]}, "pow2": {"rotations": "pow2"}}


def written(context: Any, key: rs.SecretKey, path: Path, way: dict[str, Any], **more: Any) -> bytes:
    write = context.write_galois_keys if way else context.write_relin_keys
    write(key, path, compression="none", insecure_deterministic_seed=SEED, **way, **more)
    return path.read_bytes()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["lee-12", "bfv-12", "bgv-12"])
def test_files_are_those_of_keys_in_memory(name: str, way: str, tmp_path: Path) -> None:
    params = rs.Parameters.named(name)
    context = rs.Context(params) if params.scheme == "ckks" else rs.ExactContext(params)
    with context.keygen(insecure_deterministic_seed=SEED) as key:
        whole = written(context, key, tmp_path / "whole", WAYS[way])
        assert context.stream_keys(key, tmp_path / "streamed", master=SEED, **WAYS[way]) == len(whole)
        assert (tmp_path / "streamed").read_bytes() == whole
        for first, count in ((0, 1), (15, 70), (len(whole) // 2, 100_000), (len(whole) - 1, 1), (len(whole) - 9, None)):
            count = count and min(count, len(whole) - first)
            context.stream_keys(key, tmp_path / "part", master=SEED, first=first, count=count, **WAYS[way])
            assert (tmp_path / "part").read_bytes() == whole[first : first + count if count else None]


def test_options(tmp_path: Path) -> None:
    context = rs.Context(rs.Parameters.named("lee-12"))
    path = tmp_path / "relin"
    with context.keygen(insecure_deterministic_seed=SEED) as key:
        more: dict[str, Any] = {"seed_type": "blake2xb", "version": "4.0"}
        whole = written(context, key, tmp_path / "whole", {}, insecure_deterministic_index=3, **more)
        size = context.stream_keys(key, path, master=SEED, index=3, **more)
        assert path.read_bytes() == whole
        others = {"first": size, "count": 1}, {"first": size + 1}, {"first": -1}, {"count": 0}, {"index": -1}
        for other in others:
            wrong: dict[str, Any] = {"master": SEED, **more, **other}
            raises(rs.RingsideError, "RS_ERR_LENGTH|length|0 to|end", context.stream_keys, key, path, **wrong)
        raises(rs.RingsideError, "master seed has 64 bytes", context.stream_keys, key, path, master=SEED[1:])
        raises(rs.RingsideError, "rotation by", context.stream_keys, key, path, [4096], master=SEED)
        raises(rs.FileError, "exists", context.stream_keys, key, path, master=SEED, overwrite=False)
        assert path.read_bytes() == whole
    single = rs.Context(rs.Parameters.from_bits(1024, [27]))
    with single.keygen() as key:
        raises(rs.ParameterError, "special|modul", single.stream_keys, key, tmp_path / "none", master=SEED)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["relin", "whole"]


def test_keygen(ringside: CommandLine, tmp_path: Path) -> None:
    """A directory as without --stream, its keys uncompressed; another time they are others."""
    options = (
        "keygen",
        "--bits",
        "2048:20,17,17",
        "--security",
        "none",
        "--relin",
        "--galois",
        "1",
        "--coarse",
        "--stream",
    )
    for name in ("one", "two"):
        ringside(*options, "--out", tmp_path / name).ends(0)
    one, two = (rs.KeyDirectory(tmp_path / name) for name in ("one", "two"))
    assert one.file("relin.key").read_bytes() != two.file("relin.key").read_bytes()
    assert rs.inspect(one.file("galois.key")).compression == "none"
    with one.secret_key() as key:
        one.context.stream_keys(key, tmp_path / "relin", master=SEED)
    assert (tmp_path / "relin").stat().st_size == one.file("relin.key").stat().st_size


def test_seal_computes_with_them(tmp_path: Path) -> None:
    """SEAL 4.3 of TenSEAL multiplies, relinearises and rotates."""
    seal = pytest.importorskip("tenseal.sealapi")
    params = rs.Parameters.named("lee-14")
    context, values = rs.Context(params), np.linspace(-1, 1, params.slots)
    native = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
    native.set_poly_modulus_degree(params.n)
    native.set_coeff_modulus([seal.Modulus(q) for q in params.moduli])
    server = seal.SEALContext(native, True, seal.SEC_LEVEL_TYPE.TC128)
    evaluator, relin, galois, ciphertext = (
        seal.Evaluator(server),
        seal.RelinKeys(),
        seal.GaloisKeys(),
        seal.Ciphertext(),
    )
    with context.keygen() as key:
        context.stream_keys(key, tmp_path / "relin", master=SEED)
        context.stream_keys(key, tmp_path / "galois", [5], master=SEED)
        context.encrypt(values, key).save(tmp_path / "ct", compression="none")
        relin.load(server, str(tmp_path / "relin"))
        galois.load(server, str(tmp_path / "galois"))
        ciphertext.load(server, str(tmp_path / "ct"))
        evaluator.square_inplace(ciphertext)
        evaluator.relinearize_inplace(ciphertext, relin)
        evaluator.rescale_to_next_inplace(ciphertext)
        evaluator.rotate_vector_inplace(ciphertext, 5, galois)
        ciphertext.save(str(tmp_path / "answer"))
        found = context.decrypt_values(rs.Ciphertext.load(context, tmp_path / "answer"), key)
    assert np.abs(found - np.roll(values * values, -5)).max() < 1e-4
