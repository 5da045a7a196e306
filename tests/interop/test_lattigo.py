# SPDX-License-Identifier: Apache-2.0
"""The real Lattigo reads, decrypts and computes on what Ringside writes, and the reverse, for random parameters of its own choice and of ours."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from interop.judges import (
    random_values,
    read_values,
    same_evaluation_keys_of_lattigo,
    same_secret_and_public,
    write_values,
)
from line_process import LineProcess

SETS = 50


class Case:
    """One random set: primes of Lattigo's choice (even cases) or Ringside's, keys of either side, and values."""

    def __init__(self, number: int, folder: Path, judge: LineProcess) -> None:
        self.draw = random.Random(f"lattigo {number}")
        self.folder, self.judge = folder, judge
        self.log_n = self.draw.choice((9, 10, 11, 12))
        self.bits = [self.draw.randint(40, 55), *(self.draw.randint(30, 40) for _ in range(self.draw.randint(1, 4)))]
        self.special = max(self.bits) + self.draw.randint(0, 4)
        self.scale = 2.0 ** (min(self.bits[1:]) - 1)
        self.params_file = folder / "params.json"
        self.rotations = [0, *self.draw.sample(range(1, 2 ** (self.log_n - 1)), 2), -1]

    def theirs(self) -> rs.Lattigo:
        """Lattigo makes parameters and keys."""
        self.judge.ask(
            "create", LogN=self.log_n, LogQ=self.bits, LogP=[self.special], LogScale=int(np.log2(self.scale)),
            Params=self.params_file, Secret=self.folder / "secret", Public=self.folder / "public",
            Evaluation=self.folder / "evaluation", Rotations=self.rotations,
        )  # fmt: skip
        return rs.Lattigo.read(self.params_file, security=0)

    def ours(self) -> tuple[rs.Lattigo, rs.SecretKey]:
        """Ringside makes parameters and keys."""
        params = rs.Parameters.from_bits(2**self.log_n, [*self.bits, self.special], security=0)
        lattigo = rs.Lattigo(rs.Context(params))
        context, key = lattigo.context, lattigo.context.keygen()
        self.params_file.write_bytes(lattigo.parameters_to_bytes())
        lattigo.save_secret_key(key, self.folder / "secret")
        (self.folder / "public").write_bytes(lattigo.public_key_to_bytes(context.public_key(key)))
        relin, galois = self.folder / "relin.key", self.folder / "galois.key"
        context.write_relin_keys(key, relin)
        context.write_galois_keys(key, galois, self.rotations, generator=5)
        lattigo.convert_evaluation_keys(self.folder / "evaluation", relin_keys=relin, galois_keys=galois)
        return lattigo, key

    def values(self) -> NDArray[np.complex128]:
        return random_values(self.draw, 2 ** (self.log_n - 1))

    def ask(self, do: str, ciphertext: str, out: str, **more: object) -> Path:
        files = {name: self.folder / name.lower() for name in ("Secret", "Public", "Evaluation")}
        path = self.folder / out
        self.judge.ask(do, Params=self.params_file, Ciphertext=self.folder / ciphertext, Out=path, **files, **more)
        return path

    def decrypted(self, ciphertext: str) -> NDArray[np.complex128]:
        return read_values(self.ask("decrypt", ciphertext, "values.out"))

    def limit(self, level: int) -> float:
        """The limit of errors: some bits above the noise of a public key that is not rounded."""
        return 2.0 ** (self.log_n + 9) / self.scale if level else 2.0 ** (self.log_n + 11) / self.scale

    def rescaled_limit(self, scale: float) -> float:
        """Rounding adds noise of deviation N/sqrt(18) in a slot, at a scale that may be small: 17 deviations are never seen."""
        return self.limit(1) + 4 * 2.0**self.log_n / scale


def error(found: NDArray[np.complex128], wanted: NDArray[np.complex128]) -> float:
    return float(np.abs(found - wanted).max())


def rotated(values: NDArray[np.complex128], steps: int) -> NDArray[np.complex128]:
    return np.roll(values, -steps) if steps else np.conj(values)


@pytest.mark.alike(8)
@pytest.mark.parametrize("number", range(SETS))
def test_lattigo_computes_with_our_keys(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    lattigo, key = case.ours()
    context, values = lattigo.context, case.values()
    for level in range(context.max_level + 1):
        ciphertext = lattigo.encrypt(values, key, scale=case.scale, level=level)
        (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(ciphertext))
        assert error(case.decrypted("ct"), values) < case.limit(level)
    square = values * values
    case.ask("square", "ct", "square")
    assert error(case.decrypted("square"), square) < case.limit(1)
    for steps in case.rotations:
        case.ask("rotate", "ct", "rotated", Steps=steps)
        assert error(case.decrypted("rotated"), rotated(values, steps)) < case.limit(1)
    case.ask("rescale", "square", "rescaled")
    back = lattigo.read_ciphertext(tmp_path / "rescaled")
    assert back.level == context.max_level - 1
    assert error(lattigo.decrypt_values(back, key, real=False), square) < case.rescaled_limit(back.scale)
    case.ask("square3", "ct", "three")
    three = lattigo.read_ciphertext(tmp_path / "three")
    assert three.poly_count == 3
    assert error(lattigo.decrypt_values(three, key, real=False), square) < case.limit(1)
    # Lattigo encrypts with the public key that we made
    write_values(tmp_path / "values", values)
    case.ask("encrypt", "", "theirs", Values=tmp_path / "values", Level=context.max_level, Scale=case.scale)
    theirs = lattigo.read_ciphertext(tmp_path / "theirs")
    assert error(lattigo.decrypt_values(theirs, key, real=False), values) < case.limit(1)
    key.close()


@pytest.mark.alike(8)
@pytest.mark.parametrize("number", range(SETS))
def test_we_use_keys_of_lattigo(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    lattigo = case.theirs()
    context, values = lattigo.context, case.values()
    assert context.params.moduli == lattigo.parameters.moduli
    write_values(tmp_path / "values", values)
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        for level in range(context.max_level + 1):
            case.ask("encrypt", "", "ct", Values=tmp_path / "values", Level=level, Scale=case.scale)
            read = lattigo.read_ciphertext(tmp_path / "ct")
            assert read.level == level
            assert error(lattigo.decrypt_values(read, key, real=False), values) < case.limit(level)
        public = lattigo.read_public_key(tmp_path / "public")
        assert not public.data_only
        (tmp_path / "ours").write_bytes(lattigo.ciphertext_to_bytes(lattigo.encrypt(values, public, scale=case.scale)))
        assert error(case.decrypted("ours"), values) < case.limit(1)
        same_secret_and_public(lattigo, key, public, tmp_path)
        same_evaluation_keys_of_lattigo(lattigo, tmp_path)


def test_parameters_are_equal_on_both_sides(judge: LineProcess, tmp_path: Path) -> None:
    case = Case(0, tmp_path, judge)
    written = json.loads(case.theirs().parameters_to_bytes())
    theirs = json.loads(case.params_file.read_bytes())
    assert {name: theirs[name] for name in ("LogN", "Q", "P", "LogDefaultScale")} == {
        name: written[name] for name in ("LogN", "Q", "P", "LogDefaultScale")
    }
    assert {**theirs["Xe"]} == {**written["Xe"]}


def test_keys_with_several_special_primes(judge: LineProcess, tmp_path: Path) -> None:
    """Two primes of Q to a row; the last row has one."""
    case = Case(2, tmp_path, judge)
    case.bits, case.log_n, case.scale, case.rotations = [50, 40, 40], 10, 2.0**40, [0, 1, -5]
    names = {"Params": case.params_file, "Secret": tmp_path / "secret", "Public": tmp_path / "public"}
    judge.ask("create", LogN=10, LogQ=case.bits, LogP=[51, 51], LogScale=40, **names)
    lattigo = rs.Lattigo.read(case.params_file, security=0)
    values = case.values()
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        lattigo.make_evaluation_keys(key, tmp_path / "evaluation", rotations=case.rotations)
        (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(lattigo.encrypt(values, key)))
    case.ask("square", "ct", "square")
    assert error(case.decrypted("square"), values * values) < case.limit(1)
    for steps in case.rotations:
        case.ask("rotate", "ct", "rotated", Steps=steps)
        assert error(case.decrypted("rotated"), rotated(values, steps)) < case.limit(1)


@pytest.mark.parametrize("special", [[], [45, 45]])
def test_other_numbers_of_special_primes(special: list[int], judge: LineProcess, tmp_path: Path) -> None:
    """None or two: ciphertexts and secret keys pass, keys that need what we do not have are refused by name."""
    case = Case(1, tmp_path, judge)
    names = {"Params": case.params_file, "Secret": tmp_path / "secret", "Public": tmp_path / "public"}
    judge.ask("create", LogN=10, LogQ=[45, 35], LogP=special, LogScale=35, **names)
    lattigo = rs.Lattigo.read(case.params_file, security=0)
    case.scale, values = 2.0**35, random_values(case.draw, 512)
    public = lattigo.read_public_key(tmp_path / "public")
    assert public.data_only == (not special)
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        for ciphertext in (lattigo.encrypt(values, key, scale=2.0**35), lattigo.encrypt(values, public, scale=2.0**35)):
            (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(ciphertext))
            assert error(case.decrypted("ct"), values) < 2.0**-15
        lattigo.save_secret_key(key, tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "secret").read_bytes()
        lattigo.context.write_relin_keys(key, tmp_path / "relin")
    with pytest.raises(rs.MismatchError, match="special prime"):
        lattigo.convert_evaluation_keys(tmp_path / "evaluation", relin_keys=tmp_path / "relin")
    if special:
        raises(rs.MismatchError, "special prime", lattigo.public_key_to_bytes, public)
    else:
        assert lattigo.public_key_to_bytes(public) == (tmp_path / "public").read_bytes()
        raises(rs.MismatchError, "file of SEAL", public.save, tmp_path / "public.seal")


@pytest.mark.parametrize(
    ("bits", "special"),
    [
        ([55, 45, 45], [61]),
        ([60, 45], [60]),
        ([55, 45, 45], [61, 50]),
        ([55, 45, 45, 45], [61, 61]),
        pytest.param([55, *[45] * 8], [61, 61, 61], marks=pytest.mark.slow),
    ],
)
def test_special_primes_above_those_of_ciphertexts(
    bits: list[int], special: list[int], judge: LineProcess, tmp_path: Path
) -> None:
    """Lattigo's default sets have LogP 61: ciphertexts and keys of either side pass, whoever makes them."""
    case = Case(1, tmp_path, judge)
    case.log_n, case.scale, case.rotations = 14 if len(bits) > 5 else 12, 2.0**45, [0, 3, -100]
    names = {name: tmp_path / name.lower() for name in ("Secret", "Public", "Evaluation")}
    judge.ask(
        "create", LogN=case.log_n, LogQ=bits, LogP=special, LogScale=45, Rotations=case.rotations,
        Params=case.params_file, **names,
    )  # fmt: skip
    lattigo = rs.Lattigo.read(case.params_file, security=0)
    assert max(lattigo.parameters.p) > 2**60 > max(lattigo.parameters.q)
    values = case.values()
    write_values(tmp_path / "values", values)
    public = lattigo.read_public_key(tmp_path / "public")
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        lattigo.save_secret_key(key, tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == (tmp_path / "secret").read_bytes()
        for made_by_us in (False, True):
            if made_by_us:
                lattigo.make_evaluation_keys(key, tmp_path / "evaluation", rotations=case.rotations, overwrite=True)
            for ciphertext in (lattigo.encrypt(values, key), lattigo.encrypt(values, public)):
                (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(ciphertext))
                assert error(case.decrypted("ct"), values) < case.limit(1)
            case.ask("square", "ct", "square")
            found = lattigo.decrypt_values(lattigo.read_ciphertext(tmp_path / "square"), key, real=False)
            assert error(found, values * values) < case.limit(1)
            for steps in case.rotations:
                case.ask("rotate", "ct", "turned", Steps=steps)
                found = lattigo.decrypt_values(lattigo.read_ciphertext(tmp_path / "turned"), key, real=False)
                assert error(found, rotated(values, steps)) < case.limit(1)
        case.ask("encrypt", "", "theirs", Values=tmp_path / "values", Level=1, Scale=case.scale)
        found = lattigo.decrypt_values(lattigo.read_ciphertext(tmp_path / "theirs"), key, real=False)
        assert error(found, values) < case.limit(1)
        keys, out = tmp_path / "evaluation", tmp_path / "relin.seal"
        raises(rs.MismatchError, "special prime.*for Lattigo alone", lattigo.read_evaluation_keys, keys, relin_keys=out)


@pytest.mark.parametrize("log_slots", [1, 5, 10])
def test_fewer_slots_than_half_of_n(log_slots: int, judge: LineProcess, tmp_path: Path) -> None:
    """Lattigo's values come back once for each time that they fit; ours with as many slots are the same to Lattigo."""
    case = Case(3, tmp_path, judge)
    case.log_n, case.scale, case.bits = 11, 2.0**40, [50, 40]
    names = {name: tmp_path / name.lower() for name in ("Secret", "Public", "Evaluation")}
    judge.ask(
        "create", LogN=11, LogQ=case.bits, LogP=[50], LogScale=40, Rotations=[1], Params=case.params_file, **names
    )
    lattigo = rs.Lattigo.read(case.params_file, security=0)
    values = random_values(case.draw, 2**log_slots)
    repeated = np.tile(values, 2 ** (10 - log_slots))
    write_values(tmp_path / "values", values)
    case.ask("encrypt", "", "ct", Values=tmp_path / "values", Level=1, Scale=case.scale, LogSlots=log_slots)
    case.ask("rotate", "ct", "turned", Steps=1)
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        found = lattigo.decrypt_values(lattigo.read_ciphertext(tmp_path / "ct"), key, real=False)
        assert error(found, repeated) < case.limit(1)
        turned = lattigo.read_ciphertext(tmp_path / "turned")
        again = lattigo.decrypt_values(turned, key, 2**log_slots, real=False)
        assert error(again, np.roll(values, -1)) < case.limit(1)
        (tmp_path / "back").write_bytes(lattigo.ciphertext_to_bytes(turned))
    assert error(case.decrypted("back"), np.roll(repeated, -1)) < case.limit(1)
