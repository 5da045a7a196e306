# SPDX-License-Identifier: Apache-2.0
"""The real OpenFHE decrypts and computes on what Ringside writes, and the reverse, for random contexts of OpenFHE's making."""

from __future__ import annotations

import math
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from interop.judges import (
    random_values,
    read_values,
    same_evaluation_keys_of_openfhe,
    same_secret_and_public,
    write_values,
)
from line_process import LineProcess

SETS = 50
EDGES = 90
FILES = ("context", "secret", "public", "relin", "galois")


class Case:
    """One random context with keys of OpenFHE's making, and a folder for the files of either side."""

    def __init__(self, number: int, folder: Path, judge: LineProcess, **more: object) -> None:
        self.draw = random.Random(f"openfhe {number}")
        self.folder, self.judge = folder, judge
        self.n = 2 ** self.draw.choice((9, 10, 11))
        bits, depth = self.draw.randint(30, 45), self.draw.randint(1, 5)
        self.rotations = self.draw.sample(range(1, self.n // 2), 2)
        self.rotations[1] -= self.n // 2
        self.files = {name: folder / name for name in FILES}
        options: dict[str, Any] = {
            "n": self.n, "depth": depth, "first": bits + self.draw.randint(6, 12), "bits": bits, "digits": depth + 1,
        }  # fmt: skip
        options |= {"complex": self.draw.random() < 0.5, "rotations": self.rotations} | more
        self.scale: float = 2.0 ** options["bits"]
        judge.ask("create", **(self.files | options))

    @property
    def limit(self) -> float:
        return 2.0**16 / self.scale

    def switched_limit(self, foreign: rs.OpenFHE) -> float:
        """OpenFHE divides by its k special primes with a remainder that is not centred: each coefficient is k/2 too large.

        Times the secret key s, a constant polynomial of k/2 is worth k/2 (2n/pi) |s| in the slot of the root next to 1.
        Of a ternary key, |s| has a mean square of 2n/3, and passes four times its root once in e^16 keys.
        """
        bias = len(foreign.parameters.p) / 2 * (2 * self.n / math.pi)
        return self.limit + bias * 4 * math.sqrt(2 * self.n / 3) / self.scale

    def rescaled_limit(self, foreign: rs.OpenFHE) -> float:
        """OpenFHE counts the dropped prime as the scale itself: the values are off by what it is not."""
        return self.switched_limit(foreign) + 1.01 * abs(foreign.parameters.q[-1] / self.scale - 1)

    def foreign(self, security: int = 0) -> rs.OpenFHE:
        return rs.OpenFHE.read(self.files["context"], security=security)

    def values(self) -> NDArray[np.complex128]:
        return random_values(self.draw, self.n // 2).real.astype(np.complex128)

    def ask(self, do: str, ciphertext: str, out: str, **more: object) -> Path:
        path = self.folder / out
        self.judge.ask(do, ciphertext=self.folder / ciphertext, out=path, **self.files, **more)
        return path

    def decrypted(self, ciphertext: str) -> NDArray[np.complex128]:
        return read_values(self.ask("decrypt", ciphertext, "values.out", count=self.n // 2))


def error(found: NDArray[np.complex128], wanted: NDArray[np.complex128]) -> float:
    return float(np.abs(found.real - wanted.real).max())


@pytest.mark.alike(8)
@pytest.mark.parametrize("number", range(SETS))
def test_openfhe_computes_with_our_keys(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    foreign = case.foreign()
    context, values = foreign.context, case.values()
    with context.keygen() as key:
        foreign.save_secret_key(key, case.files["secret"], overwrite=True)
        public = context.public_key(key)
        case.files["public"].write_bytes(foreign.public_key_to_bytes(public))
        relin, galois = tmp_path / "relin.seal", tmp_path / "galois.seal"
        context.write_relin_keys(key, relin)
        context.write_galois_keys(key, galois, case.rotations, generator=5)
        foreign.convert_relin_keys(relin, case.files["relin"])
        foreign.convert_rotation_keys(galois, case.files["galois"])
        for level in range(context.max_level + 1):
            ciphertext = foreign.encrypt(values, key, scale=case.scale, level=level)
            (tmp_path / "ct").write_bytes(foreign.ciphertext_to_bytes(ciphertext))
            assert error(case.decrypted("ct"), values) < case.limit
        (tmp_path / "ct").write_bytes(foreign.ciphertext_to_bytes(foreign.encrypt(values, public, scale=case.scale)))
        case.ask("double", "ct", "double")
        assert error(case.decrypted("double"), 2 * values) < case.limit
        for steps in case.rotations:
            case.ask("rotate", "ct", "rotated", steps=steps)
            assert error(case.decrypted("rotated"), np.roll(values, -steps)) < case.switched_limit(foreign)
        case.ask("square", "ct", "square")
        case.ask("rescale", "square", "rescaled")
        assert error(case.decrypted("rescaled"), values * values) < case.rescaled_limit(foreign)
        back = foreign.read_ciphertext(tmp_path / "rescaled")
        assert back.level == context.max_level - 1
        assert error(foreign.decrypt_values(back, key, real=False), values * values) < case.rescaled_limit(foreign)
        case.ask("square3", "ct", "three")
        three = foreign.read_ciphertext(tmp_path / "three")
        assert three.poly_count == 3
        assert error(foreign.decrypt_values(three, key, real=False), values * values) < case.limit
        write_values(tmp_path / "values", values)
        case.ask("encrypt", "", "theirs", values=tmp_path / "values", dropped=0)
        theirs = foreign.read_ciphertext(tmp_path / "theirs")
        assert error(foreign.decrypt_values(theirs, key, real=False), values) < case.limit


@pytest.mark.alike(8)
@pytest.mark.parametrize("number", range(SETS))
def test_we_use_keys_of_openfhe(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    values = case.values()
    write_values(tmp_path / "values", values)
    foreign = case.foreign()
    foreign = rs.OpenFHE(foreign.context, foreign.parameters, foreign.tag_in(case.files["public"]))
    context = foreign.context
    with foreign.read_secret_key(case.files["secret"]) as key:
        for dropped in range(context.max_level + 1):
            case.ask("encrypt", "", "ct", values=tmp_path / "values", dropped=dropped)
            read = foreign.read_ciphertext(tmp_path / "ct")
            assert read.level == context.max_level - dropped
            assert error(foreign.decrypt_values(read, key, real=False), values) < case.limit
        public = foreign.read_public_key(case.files["public"])
        assert public.data_only
        (tmp_path / "ours").write_bytes(foreign.ciphertext_to_bytes(foreign.encrypt(values, public, scale=case.scale)))
        assert error(case.decrypted("ours"), values) < case.limit
        same_secret_and_public(foreign, key, public, tmp_path)
        same_evaluation_keys_of_openfhe(foreign, tmp_path)


def openfhe_uses(case: Case, foreign: rs.OpenFHE, key: rs.SecretKey, values: NDArray[np.complex128]) -> None:
    """Keys of Ringside's making: OpenFHE multiplies, rescales and rotates with them."""
    foreign.save_secret_key(key, case.files["secret"], overwrite=True)
    foreign.make_relin_keys(key, case.files["relin"], overwrite=True)
    foreign.make_rotation_keys(key, case.files["galois"], case.rotations, overwrite=True)
    (case.folder / "ct").write_bytes(foreign.ciphertext_to_bytes(foreign.encrypt(values, key, scale=case.scale)))
    case.ask("square", "ct", "square")
    case.ask("rescale", "square", "rescaled")
    assert error(case.decrypted("rescaled"), values * values) < case.rescaled_limit(foreign)
    for steps in case.rotations:
        case.ask("rotate", "ct", "rotated", steps=steps)
        assert error(case.decrypted("rotated"), np.roll(values, -steps)) < case.switched_limit(foreign)


@pytest.mark.parametrize(("digits", "primes", "special"), [(2, 3, 3), (3, 2, 2), (1, 6, 5)])
def test_several_primes_to_a_digit(digits: int, primes: int, special: int, judge: LineProcess, tmp_path: Path) -> None:
    """Ringside makes such keys itself; SEAL's cannot be converted, and are refused by name."""
    case = Case(3, tmp_path, judge, depth=5, bits=45, first=55, digits=digits)
    foreign = case.foreign()
    assert (foreign.parameters.digit_primes, len(foreign.parameters.p)) == (primes, special)
    values = case.values()
    with foreign.context.keygen() as key:
        openfhe_uses(case, foreign, key, values)
        foreign.context.write_relin_keys(key, tmp_path / "relin.seal")
    with pytest.raises(rs.MismatchError, match="special prime"):
        foreign.convert_relin_keys(tmp_path / "relin.seal", tmp_path / "relin.again")


def edge(number: int) -> dict[str, int]:
    """A context whose longest digit has 1, 2 or 3 primes and 56 to 60, 116 to 120 or 176 to 180 bits, or about so many."""
    draw = random.Random(f"edge {number}")
    primes = 1 + number % 3
    digits = draw.randint(2 if primes == 1 else 1, 3)
    first = draw.randint(56 if primes == 1 else 58, 60)
    bits = draw.randint(30, first - 5) if primes == 1 else min(first, draw.randint(58 if primes == 3 else 57, 59))
    return {"depth": primes * digits - 1, "first": first, "bits": bits, "digits": digits}


def check_evaluation_keys(case: Case) -> tuple[int, int]:
    """OpenFHE uses the keys that Ringside makes, and Ringside reads those of OpenFHE. The bits of the longest digit, and special primes."""
    foreign, folder = case.foreign(), case.folder
    params, values = foreign.parameters, case.values() / 16  # a scale may be nearly as large as the first prime
    assert foreign.elements_in(case.files["relin"], galois=False) == [0]
    theirs = foreign.elements_in(case.files["galois"], galois=True)
    assert sorted(theirs) == foreign.galois_elements(case.rotations)
    if foreign.has_seal_keys:
        assert foreign.read_relin_keys(case.files["relin"], folder / "relin.seal")
        assert foreign.read_rotation_keys(case.files["galois"], folder / "galois.seal")
    with foreign.context.keygen() as key:
        openfhe_uses(case, foreign, key, values)
    size = params.digit_primes
    longest = max(math.prod(params.q[at : at + size]).bit_length() for at in range(0, len(params.q), size))
    return longest, len(params.p)


@pytest.mark.alike(6)
@pytest.mark.parametrize("number", range(EDGES))
def test_digits_as_long_as_special_primes(number: int, judge: LineProcess, tmp_path: Path) -> None:
    longest, special = check_evaluation_keys(Case(number, tmp_path, judge, **edge(number)))
    assert special == -(-(longest + 4) // 60)


def test_contexts_with_the_defaults_of_openfhe(judge: LineProcess, tmp_path: Path, ringside: CommandLine) -> None:
    """A first prime of 60 bits, and as many digits as OpenFHE takes by itself. Its directory is taken; keys that SEAL's files cannot hold stay there."""
    for depth in (1, 4):
        folder = tmp_path / str(depth)
        folder.mkdir()
        case = Case(depth, folder, judge, depth=depth, first=60, bits=50, digits=0)
        server = folder / "server"
        server.mkdir()
        for name, file in zip(
            FILES, ("cryptocontext", "key-private", "key-public", "key-eval-mult", "key-eval-rot"), strict=True
        ):
            shutil.copy(case.files[name], server / f"{file}.txt")
        ringside("convert", server, folder / "keys", "--format", "seal", "--secret-key").ends(0)
        assert not (folder / "keys" / "relin.key").exists()
        shutil.copy(case.files["relin"], server / "key-eval-rot.txt")
        done = ringside("convert", server, folder / "more", "--format", "seal", "--secret-key")
        assert (done.code, "This is not a set of evaluation keys of OpenFHE" in done.err) == (4, True)
        assert check_evaluation_keys(case)[1] > 1


@pytest.mark.parametrize(
    ("options", "says"), [({"scaling": "FLEXIBLEAUTO"}, "FLEXIBLEAUTO"), ({"scaling": "FIXEDAUTO"}, "FIXEDAUTO")]
)
def test_contexts_that_are_refused(options: dict[str, str], says: str, judge: LineProcess, tmp_path: Path) -> None:
    raises(rs.ParameterError, says, Case(4, tmp_path, judge, **options).foreign)


@pytest.mark.parametrize("setups", [[], [8, 64]])
def test_features_and_contexts_are_in_any_order(setups: list[int], judge: LineProcess, tmp_path: Path) -> None:
    """A context after Enable(FHE), also set up for bootstrapping, and one before: objects of either belong to both."""
    early, late = tmp_path / "early", tmp_path / "late"
    early.mkdir()
    late.mkdir()
    options: dict[str, Any] = {"depth": 20, "first": 60, "bits": 50, "digits": 3}
    features = ["PKE", "KEYSWITCH", "LEVELEDSHE", "ADVANCEDSHE"]
    before = Case(7, early, judge, features=features, **options)
    after = Case(7, late, judge, features=[*features, "FHE"], setups=setups, **options)
    values = after.values() / 16
    write_values(late / "values", values)
    after.ask("encrypt", "", "theirs", values=late / "values", dropped=0)
    for foreign in (before.foreign(), after.foreign()):
        with foreign.read_secret_key(after.files["secret"]) as key:
            found = foreign.decrypt_values(foreign.read_ciphertext(late / "theirs"), key, real=False)
            assert error(found, values) < after.limit
            openfhe_uses(after, foreign, key, values)


def test_security_counts_all_special_primes(judge: LineProcess, tmp_path: Path) -> None:
    """N = 4096 allows 109 bits: enough for Q and one special prime, not for two."""
    case = Case(8, tmp_path, judge, n=4096, depth=1, bits=22, first=24, digits=1, relin="")
    foreign = case.foreign()
    assert sum(q.bit_length() for q in foreign.parameters.q) + 60 <= 109
    assert len(foreign.parameters.p) == 1
    rs.OpenFHE.read(case.files["context"])
    params = f'{{"LogN":12,"Q":{list(foreign.parameters.q)},"P":{[*foreign.parameters.p, 1073692673]}}}'
    raises(rs.ParameterError, "128-bit security", rs.Context.from_lattigo, params.encode())
    # N = 8192 allows 218 bits: enough for a first prime of 60 bits, one of 40 and one special prime, and OpenFHE has two
    case = Case(8, tmp_path, judge, n=8192, depth=1, bits=40, first=60, digits=2, relin="")
    raises(rs.ParameterError, "128-bit security", case.foreign, security=128)


def test_key_switching_that_is_not_hybrid(judge: LineProcess, tmp_path: Path) -> None:
    case = Case(5, tmp_path, judge, switching="BV", relin="")
    foreign = case.foreign()
    values = case.values()
    with foreign.context.keygen() as key:
        foreign.save_secret_key(key, case.files["secret"], overwrite=True)
        (tmp_path / "ct").write_bytes(foreign.ciphertext_to_bytes(foreign.encrypt(values, key, scale=case.scale)))
        assert error(case.decrypted("ct"), values) < case.limit
        raises(rs.MismatchError, "BV", foreign.make_relin_keys, key, tmp_path / "relin")


def test_another_context_is_refused(judge: LineProcess, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    case, stranger = Case(6, one, judge), Case(6, other, judge, complex=True, depth=1, digits=2)
    raises(rs.WireError, "another context", case.foreign().read_public_key, stranger.files["public"])
