# SPDX-License-Identifier: Apache-2.0
"""Streamed keys: the files of write_relin_keys and write_galois_keys, in ranges; two stock SEALs compute with them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import mode, raises
from cli_runner import CommandLine, output, piped

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


@pytest.fixture(scope="module")
def streamed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of keygen --stream."""
    keys = tmp_path_factory.mktemp("streamed") / "keys"
    options = "keygen", "--bits", "2048:20,17,17", "--security", "none", "--relin", "--galois", "1,-3", "--coarse"
    output(piped(*options, "--stream", "--out", keys))
    assert mode(keys / "master.seed") == 0o600
    return keys


def test_any_part_again(ringside: CommandLine, streamed: Path, tmp_path: Path) -> None:
    """In another process, as HTTP cuts a file; the parts are the whole."""
    part, whole = tmp_path / "part", (streamed / "galois.key").read_bytes()
    command = "stream-keys", part, "--keys", streamed, "--galois", "1,-3"
    ringside(*command).ends(0)
    assert part.read_bytes() == whole
    ringside("stream-keys", part, "--keys", streamed, "--relin").ends(0)
    assert part.read_bytes() == (streamed / "relin.key").read_bytes()
    cuts = [0, 1, 16, 71, 16_000, len(whole) // 3, len(whole) - 9, len(whole)]
    found = [
        output(piped("stream-keys", "-", *command[2:], "--range", f"{first}-{end - 1}"))
        for first, end in pairwise(cuts)
    ]
    assert b"".join(found) == whole
    for range_, wanted in (("100-", whole[100:]), ("-7", whole[-7:]), (f"bytes=5-{1 << 40}", whole[5:])):
        ringside(*command, "--range", range_).ends(0)
        assert part.read_bytes() == wanted
    ringside(*command, "--range", f"{len(whole)}-").refused(3, "no byte")
    for wrong in ("7", "9-8", "-", "a-b", "1-2-3", "-0"):
        assert ringside(*command, f"--range={wrong}").code != 0, wrong
    ringside(*command, "--relin").refused(2, "either")
    ringside(*command, "--resume", "--range", "1-2").refused(2, "--range")
    ringside("stream-keys", streamed / "galois.key", *command[2:]).refused(4, "key directory")


@pytest.mark.parametrize("kept", [0, 1, 15, 5_000, 40_000, -1, None])
def test_an_interrupted_file_is_gone_on_with(
    kept: int | None, ringside: CommandLine, streamed: Path, tmp_path: Path
) -> None:
    part, whole = tmp_path / "part", (streamed / "galois.key").read_bytes()
    command = "stream-keys", part, "--keys", streamed, "--galois", "1,-3", "--resume"
    part.write_bytes(whole[:kept])
    ringside(*command).ends(0)
    assert part.read_bytes() == whole
    for wrong in (whole + b"\0", b"?" + whole[1:5000], whole[:4999] + b"?" if kept == 0 else b"??"):
        part.write_bytes(wrong)
        ringside(*command).refused(4, "not the beginning")
        assert part.read_bytes() == wrong
    part.unlink()
    ringside(*command).ends(0)
    assert part.read_bytes() == whole


def test_masters(ringside: CommandLine, streamed: Path, tmp_path: Path) -> None:
    """A directory without one gets one. Other seeds or other keys: no row of one key is a row of another."""
    keys = tmp_path / "keys"
    ringside("keygen", "--bits", "2048:20,17,17", "--security", "none", "--out", keys).ends(0)
    files = []
    for number in range(3):
        if number == 2:
            (keys / "master.seed").unlink()
        ringside("stream-keys", tmp_path / "one", "--keys", keys, "--relin", "--force").ends(0)
        files.append((tmp_path / "one").read_bytes())
        assert mode(keys / "master.seed") == 0o600
    assert files[0] == files[1]
    files.append((streamed / "relin.key").read_bytes())
    rows = [
        file[at : at + 2048 * 8] for file in (files[0], *files[2:]) for at in range(200, len(file) - 2048 * 8, 2048 * 8)
    ]
    assert len({*rows}) == len(rows)
    (keys / "master.seed").write_bytes(b"short")
    ringside("stream-keys", tmp_path / "one", "--keys", keys, "--relin").refused(4, "5 bytes", "64")


def test_a_secret_that_is_zero() -> None:
    """Such a key is refused where it is read, and again where it is streamed."""
    context = rs.Context(rs.Parameters.named("lee-12"))
    with context.keygen() as key, key._borrow() as native:
        for word in range(context.params.limb_count * context.n):
            native.ntt[word] = 0
        raises(rs.RingsideError, "or it is zero", context.stream_keys, key, "never", master=SEED)
    assert not Path("never").exists()


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
