# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's files on the command line: --format tenseal, and what inspect and decrypt make of them."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tenseal as ts

import ringside as rs
from cli_runner import CommandLine, Outcome, output, piped

N, BITS, SCALE = 8192, "8192:60,40,40,60", 2.0**40
SLOTS = N // 2
VALUES = np.linspace(-1, 2, 9)
CLOSE = 1e-5


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "keys"
    rs.make_keys(rs.Parameters.from_bits(N, [60, 40, 40, 60]), path, rs.KeySpec(relin=True, rotations="pow2"))
    return path


@pytest.fixture(scope="module")
def theirs() -> Any:
    context = ts.context(ts.SCHEME_TYPE.CKKS, N, coeff_mod_bit_sizes=[60, 40, 40, 60])
    context.global_scale = SCALE
    return context


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    path = tmp_path / "numbers.npy"
    np.save(path, VALUES)
    return path


@pytest.fixture
def done(ringside: CommandLine) -> Callable[..., Outcome]:
    """Runs a command that has to succeed."""

    def run(*arguments: object) -> Outcome:
        return ringside(*arguments).ends(0)

    return run


def test_client_on_the_command_line_server_with_tenseal(
    keys: Path, numbers: Path, tmp_path: Path, done: Callable[..., Outcome]
) -> None:
    context, vector, answer, out = (tmp_path / name for name in ("context", "vector", "answer", "out.npy"))
    done("convert", keys, context, "--format", "tenseal")
    done("encrypt", "--keys", keys, "--format", "tenseal", numbers, vector, "--scale", "2^40")
    assert "TenSEAL context" in done("inspect", context).out
    facts = done("inspect", vector, "--json").json
    assert (facts["kind"], facts["sizes"], facts["scale_log2"]) == ("TenSEAL ckks_vector", [VALUES.size], 40)

    server = ts.context_from(context.read_bytes())
    assert server.is_public()
    there = ts.ckks_vector_from(server, vector.read_bytes())
    answer.write_bytes((there * there + 1).serialize())
    done("decrypt", "--keys", keys, answer, out)  # the vector says how many values it holds
    np.testing.assert_allclose(np.load(out), VALUES * VALUES + 1, atol=CLOSE, rtol=0)
    answer.write_bytes(there.dot(there).serialize())
    done("decrypt", "--keys", keys, answer, out)
    np.testing.assert_allclose(np.load(out), [VALUES @ VALUES], atol=CLOSE, rtol=0)


def test_keys_with_a_context_beside_them(
    numbers: Path, tmp_path: Path, done: Callable[..., Outcome], ringside: CommandLine
) -> None:
    """What `convert` would make of the keys. New keys take it away, and no key is made where one lies."""
    keys, vector, out = (tmp_path / name for name in ("keys", "vector", "out.npy"))
    context = keys / "context.tenseal"
    make = ("keygen", "--bits", "4096:36,36,36", "--relin", "--out", keys)
    facts = done(*make, "--format", "tenseal", "--json").json
    assert facts["files"]["context.tenseal"] == {"path": str(context), "bytes": context.stat().st_size}
    done("convert", keys, tmp_path / "converted", "--format", "tenseal")
    assert context.read_bytes() == (tmp_path / "converted").read_bytes()
    server = ts.context_from(context.read_bytes())
    assert server.is_public()
    done("encrypt", "--keys", keys, numbers, vector, "--format", "tenseal", "--scale", "2^30")
    (keys / "answer").write_bytes((ts.ckks_vector_from(server, vector.read_bytes()) + 1).serialize())
    done("decrypt", "--keys", keys, keys / "answer", out)
    np.testing.assert_allclose(np.load(out), VALUES + 1, atol=1e-3, rtol=0)

    for name in ("params.seal", "secret.key", "public.key", "relin.key"):
        (keys / name).rename(tmp_path / name)
    ringside(*make, "--format", "tenseal").ends(4, "context.tenseal")
    assert not (keys / "secret.key").exists()
    done(*make, "--force")  # keys of SEAL's alone: the context of the old ones must not stay beside them
    names = ["answer", "params.seal", "public.key", "relin.key", "secret.key"]
    assert sorted(path.name for path in keys.iterdir()) == names


def test_vectors_and_ciphertexts(
    keys: Path, numbers: Path, tmp_path: Path, done: Callable[..., Outcome], ringside: CommandLine
) -> None:
    seal, vector, again, out = (tmp_path / name for name in ("a.seal", "a.tenseal", "b.seal", "out.npy"))
    done("encrypt", "--keys", keys, numbers, seal)
    done("convert", seal, vector, "--format", "tenseal", "--keys", keys, "--count", VALUES.size)
    done("convert", vector, again, "--format", "seal", "--keys", keys)
    for path in (vector, again):
        done("decrypt", "--keys", keys, path, out, "--count", VALUES.size)
        np.testing.assert_allclose(np.load(out), VALUES, atol=CLOSE, rtol=0)
    for arguments, words in (
        (("convert", seal, vector, "--format", "tenseal"), "--keys DIR"),
        (("convert", vector, again), "--format seal"),
        (("convert", vector, again, "--format", "tenseal"), "--format seal"),
        (("convert", seal, again, "--count", 3), "--format tenseal"),
        (("decrypt", "--keys", keys, vector, out, "--count", VALUES.size + 1), "1 to 9 values"),
        (("encrypt", "--keys", keys, "--format", "csv", "--format", "npy", numbers, seal), "csv, npy"),
        (("encrypt", "--keys", keys, "--split", numbers, vector), "--split"),
    ):
        outcome = ringside(*arguments)
        assert outcome.code in (2, 3), arguments
        assert words in outcome.err


def test_many_values_in_one_vector_and_many_files(keys: Path, tmp_path: Path, done: Callable[..., Outcome]) -> None:
    values = np.random.default_rng(1).normal(size=SLOTS + 5)
    np.save(tmp_path / "big.npy", values)
    np.save(tmp_path / "small.npy", VALUES)
    folder = tmp_path / "out"
    done("encrypt", "--keys", keys, "--format", "tenseal", tmp_path / "big.npy", tmp_path / "small.npy", folder)
    assert sorted(path.name for path in folder.iterdir()) == ["big.tenseal", "small.tenseal"]
    out = tmp_path / "out.npy"
    done("decrypt", "--keys", keys, folder / "big.tenseal", folder / "small.tenseal", out)
    np.testing.assert_allclose(np.load(out), [*values, *VALUES], atol=CLOSE, rtol=0)
    done("convert", folder / "big.tenseal", tmp_path / "big.seal", "--format", "seal", "--keys", keys)
    assert (tmp_path / "big-0.seal").exists()
    assert (tmp_path / "big-1.seal").exists()


def test_a_context_of_theirs_becomes_a_key_directory(theirs: Any, tmp_path: Path, done: Callable[..., Outcome]) -> None:
    private, public = tmp_path / "private", tmp_path / "public"
    private.write_bytes(theirs.serialize(save_secret_key=True))
    public.write_bytes(theirs.serialize(save_galois_keys=False))
    done("convert", public, tmp_path / "public-keys", "--format", "seal")
    names = {path.name for path in (tmp_path / "public-keys").iterdir()}
    assert names == {"params.seal", "public.key", "relin.key"}

    keys, vector, out = tmp_path / "keys", tmp_path / "vector", tmp_path / "out.npy"
    done("convert", private, keys, "--format", "seal", "--secret-key")
    assert stat.S_IMODE(keys.stat().st_mode) == 0o700
    assert stat.S_IMODE((keys / "secret.key").stat().st_mode) == 0o600
    vector.write_bytes(ts.ckks_vector(theirs, VALUES.tolist()).serialize())
    done("decrypt", "--keys", keys, vector, out)
    np.testing.assert_allclose(np.load(out), VALUES, atol=CLOSE, rtol=0)
    np.save(tmp_path / "in.npy", VALUES)
    how = ("--keys", tmp_path / "public-keys", "--public-key", "--scale", "2^40")
    done("encrypt", *how, tmp_path / "in.npy", tmp_path / "sent.tenseal")
    sent = ts.ckks_vector_from(theirs, (tmp_path / "sent.tenseal").read_bytes())
    np.testing.assert_allclose(sent.decrypt(), VALUES, atol=CLOSE, rtol=0)


def test_no_secret_key_is_lost_or_given_away(
    keys: Path, tmp_path: Path, done: Callable[..., Outcome], ringside: CommandLine
) -> None:
    private = tmp_path / "private"
    done("convert", keys, private, "--format", "tenseal", "--secret-key")
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert ts.context_from(private.read_bytes()).is_private()
    before = private.read_bytes()
    for arguments in (
        ("convert", keys, private, "--format", "tenseal"),
        ("convert", keys, private, "--format", "tenseal", "--secret-key"),
        ("convert", private, keys, "--format", "seal", "--secret-key"),
        ("convert", keys, keys / "secret.key", "--format", "tenseal"),
    ):
        ringside(*arguments).ends(4, "--force")
    assert private.read_bytes() == before
    assert ringside("convert", keys, "-", "--format", "tenseal", "--secret-key").ends(2).out == ""


def test_pipes(keys: Path, tmp_path: Path) -> None:
    """CSV in, a message out, and back."""
    text = "".join(f"{value}\n" for value in VALUES).encode()
    sent = output(piped("encrypt", "--keys", keys, "--format", "csv", "--format", "tenseal", "-", "-", given=text))
    assert rs.from_tenseal(sent, rs.KeyDirectory(keys).ckks_context()).sizes == (VALUES.size,)
    back = output(piped("decrypt", "--keys", keys, "--format", "csv", "-", "-", given=sent))
    np.testing.assert_allclose(np.loadtxt(back.decode().split()), VALUES, atol=CLOSE, rtol=0)
    assert b"TenSEAL ckks_vector" in output(piped("inspect", "-", given=sent))
