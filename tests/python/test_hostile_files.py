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


# ---- BFV and BGV ----------------------------------------------------------------------------------------------------
EXACT_CASES = 10_000 if os.environ.get("RINGSIDE_SOAK") else 120  # damaged files of each kind and scheme
EXACT_KINDS = ("params", "secret key", "public key", "seeded ciphertext", "ciphertext", "another form or factor")
FORM, SCALE, FACTOR = 48, 73, 81  # where a ciphertext's file of SEAL 4 has them
T = 12289


class ExactFiles:
    """Objects of a scheme as files of SEAL 4, and what a program does with one that it reads."""

    def __init__(self, scheme: str, folder: Path) -> None:
        params = rs.Parameters.from_bits(512, [30, 25, 30], scheme=scheme, plain_modulus=T, security=0)
        self.folder, self.context = folder, rs.ExactContext(params)
        self.secret = self.context.keygen()
        public = self.context.public_key(self.secret)
        self.secret.save(folder / "secret", compression="none", version="4.4")
        full = self.context.encrypt([1], public)
        other = rs.Ciphertext.from_data(self.context, full.data, correction_factor=2)
        if scheme == "bfv":
            other = self.context.encrypt([1], public, form="ntt")
        seeded = self.context.encrypt([1], self.secret)
        objects = (params, self.secret, public, seeded, full, other)
        self.kept = dict(zip(EXACT_KINDS, objects, strict=True))

    def file(self, kind: str, compression: str = "none") -> bytes:
        kept = self.kept[kind]
        if isinstance(kept, rs.SecretKey):
            path = self.folder / "kept"
            kept.save(path, compression=compression, version="4.4", overwrite=True)
            return path.read_bytes()
        assert isinstance(kept, rs.Parameters | rs.PublicKey | rs.Ciphertext)
        return kept.to_bytes(compression=compression, version="4.4")

    def use(self, kind: str, data: bytes) -> None:
        """Reads it, computes with it, and writes it again: the same bytes, if they were of a version that is written."""
        if kind == "secret key":
            rs.SecretKey.load(self.context, written(self.folder / "bad", data)).close()
            return
        item: rs.Parameters | rs.PublicKey | rs.Ciphertext
        if kind == "params":
            item = rs.Parameters.from_bytes(data, security=0)
        elif kind == "public key":
            item = rs.PublicKey.from_bytes(self.context, data)
            self.context.encrypt([1], item)
        else:
            item = rs.Ciphertext.from_bytes(self.context, data)
            self.context.decrypt_values(item, self.secret)
            self.context.noise_budget(item, self.secret, consent="owner")
        if data[3:6] == bytes([4, 4, 0]):
            again = item.to_bytes(compression="none", version="4.4")
            # an inner header may say an older version
            assert len(again) == len(data)
            assert sum(one != other for one, other in zip(again, data, strict=True)) <= 4


@pytest.fixture(scope="module", params=["bfv", "bgv"])
def exact_files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ExactFiles:
    return ExactFiles(request.param, tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize("kind", EXACT_KINDS)
def test_damaged_files_of_bfv_and_bgv(exact_files: ExactFiles, kind: str) -> None:
    samples = [exact_files.file(kind, compression) for compression in COMPRESSIONS]
    chance = random.Random(kind)
    codes: list[str] = []
    for case in range(EXACT_CASES):
        bad = DAMAGES[case % len(DAMAGES)](samples[case // len(DAMAGES) % 3], chance)
        try:
            exact_files.use(kind, bad)
        except rs.RingsideError as error:
            codes.append(error.code)
    good = EXACT_CASES - len(codes)
    assert good < EXACT_CASES // 2
    assert good > 0 or kind == "secret key"  # every word is checked
    assert {"RS_ERR_MAGIC", "RS_ERR_LENGTH", "RS_ERR_TRUNCATED"} < set(codes)
    assert not {"RS_ERR_INTERNAL", "RS_ERR_NULL", "RS_ERR_SEQUENCE", "RS_ERR_STRUCT"} & set(codes)


def number(value: int) -> bytes:
    return struct.pack("<Q", value)


def test_wrong_members_of_bfv_and_bgv(exact_files: ExactFiles) -> None:
    """Each by its name."""
    context = exact_files.context
    bgv, modulus = context.params.scheme == "bgv", context.params.moduli[1]
    end = len(exact_files.file("params")) - 8
    cases: list[tuple[str, int, bytes, str | None]] = [
        *(("params", end, number(t), "RS_ERR_PLAIN_MODULUS") for t in (0, 1, 1 << 60, modulus, 2 * modulus, 2**64 - 1)),
        *(("params", 16, bytes([scheme]), "RS_ERR_SCHEME") for scheme in (0, 2, 4, 255)),
        *(("ciphertext", FACTOR, number(factor), "RS_ERR_CORRECTION") for factor in (0, T, T + 1, 1 << 63, 2**64 - 1)),
        *(("seeded ciphertext", FACTOR, number(factor), "RS_ERR_CORRECTION") for factor in (0, T, 2**64 - 1)),
        ("ciphertext", FACTOR, number(T - 1), None if bgv else "RS_ERR_CORRECTION"),
        ("public key", FACTOR, number(2), "RS_ERR_CORRECTION"),
        *((kind, FORM, bytes([form]), "RS_ERR_NOT_NTT") for kind in EXACT_KINDS[2:] for form in (2, 255)),
        *((kind, FORM, bytes([form]), None) for kind in EXACT_KINDS[3:] for form in (0, 1)),
        ("public key", FORM, bytes(1), "RS_ERR_NOT_NTT"),
        *((kind, SCALE, struct.pack("<d", 2.0), "RS_ERR_SCALE") for kind in EXACT_KINDS[2:]),
    ]
    for kind, at, what, code in cases:
        data = exact_files.file(kind)
        data = data[:at] + what + data[at + len(what) :]
        try:
            exact_files.use(kind, data)
            found = None
        except rs.RingsideError as error:
            found = error.code
        assert found == code, (kind, at, what)
