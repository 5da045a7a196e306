# SPDX-License-Identifier: Apache-2.0
"""Damaged files of every kind through `ringside inspect` and `ringside convert`: each ends well or with an error of ours, and errors leave nothing.

lib/fuzz has the readers of the C library to itself; here it is what Python makes of the answers.
"""

import os
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

import ringside as rs
from asserting import written
from cli_runner import CommandLine

CASES = 140 if os.environ.get("RINGSIDE_SOAK") else 10  # damaged files of each sample
HEAD_BYTES = 160  # headers and members before the words
COMPRESSIONS = ("none", "zlib", "zstd")
OBJECTS = ("params.seal", "secret.key", "public.key", "relin.key", "galois.key", "ciphertext.seal", "plaintext.seal")
MESSAGES = ("context.tenseal", "vector.tenseal")
EXTREMES = [
    *(struct.pack("<Q", number) for number in (0, 1, 2, 2**31, 2**32, 2**63, 2**64 - 1)),
    *(struct.pack("<d", number) for number in (0.0, -1.0, 1.0, 1e308, 5e-324, float("inf"), float("nan"))),
]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key directory of a small set, without security, and data; each object in every compression."""
    folder = tmp_path_factory.mktemp("samples") / "keys"
    params = rs.Parameters.from_bits(1024, [30, 20, 30], security=0)
    rs.make_keys(params, folder, rs.KeySpec(relin=True, rotations=[1]))
    context = rs.Context(params)
    public = rs.PublicKey.load(context, folder / "public.key")
    context.encrypt([1.0], public).save(folder / "ciphertext.seal")
    context.encode([1.0]).save(folder / "plaintext.seal")
    message = rs.to_tenseal(context, public_key=public, relin_keys=folder / "relin.key")
    (folder / "context.tenseal").write_bytes(message)
    (folder / "vector.tenseal").write_bytes(rs.TensealVector.encrypt(context, [1.0], public).to_bytes())
    for name in OBJECTS:
        for compression in COMPRESSIONS:
            rs.convert(folder / name, folder.parent / f"{name}-{compression}", compression=compression)
    return folder


# ---- damage ---------------------------------------------------------------------------------------------------------
def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.choice((chance.randrange(HEAD_BYTES), chance.randrange(len(data))))]


def flip(data: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        damaged[chance.choice((chance.randrange(len(data)), chance.randrange(min(len(data), HEAD_BYTES))))] ^= (
            1 << chance.randrange(8)
        )
    return bytes(damaged)


def extreme(data: bytes, chance: random.Random) -> bytes:
    """A number of the head, at any place, is another."""
    at = chance.randrange(min(len(data), HEAD_BYTES))
    return data[:at] + chance.choice(EXTREMES) + data[at + 8 :]


def no_parameters(data: bytes, _chance: random.Random) -> bytes:
    """The parms_id behind SEAL's header is zero, as in objects of other schemes."""
    return data[:16] + bytes(32) + data[48:]


def longer(data: bytes, chance: random.Random) -> bytes:
    return data + data[: chance.choice((1, 8, 100))]


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    cut, flip, flip, extreme, extreme, no_parameters, longer,
)  # fmt: skip


# ---- what becomes of it ---------------------------------------------------------------------------------------------
def check(run: CommandLine, folder: Path, bad: Path, messages: bool) -> int:
    """How many of the commands succeed. Anything but an error of ours is raised."""
    out = bad.parent / "copy"
    more = ["--format", "seal", "--keys", folder] if messages else []
    commands = [
        ("inspect", bad),
        ("inspect", bad, "--keys", folder, "--json"),
        ("inspect", bad, "--keys", folder, "--full"),
        ("convert", bad, out, *more, "--compression", "none"),
    ]
    good = 0
    for command in commands:
        outcome = run(*command)
        good += outcome.code == 0
        assert outcome.code == 0 or outcome.err.count("ringside: ") == 1, (command, outcome)
    # a message becomes several files: none is left unless all are
    assert out.exists() == (outcome.code == 0)
    return good


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*(f"{name}-{compression}" for name in OBJECTS for compression in COMPRESSIONS), *MESSAGES]
)
def test_damaged_files(
    samples: Path, tmp_path: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("RINGSIDE_TRACEBACK", "1")  # what is no error of ours is raised
    data = (samples / name if name in MESSAGES else samples.parent / name).read_bytes()
    chance = random.Random(name)
    succeeded = 0
    for case in range(CASES):
        folder = tmp_path / str(case)
        folder.mkdir()
        bad = written(folder / "bad", DAMAGES[case % len(DAMAGES)](data, chance))
        succeeded += check(ringside, samples, bad, name in MESSAGES)
    assert 0 < succeeded < 4 * CASES
