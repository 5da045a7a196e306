# SPDX-License-Identifier: Apache-2.0
"""The real OpenFHE computes in BFV and BGV on what Ringside writes, with Ringside's keys, and the reverse: every technique, all integers equal."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from interop.judges import same_evaluation_keys_of_openfhe, same_secret_and_public
from line_process import LineProcess

pytestmark = pytest.mark.alike(3, by="number")

Integers = NDArray[np.int64]
MULTIPLICATIONS = ("BEHZ", "HPS", "HPSPOVERQ", "HPSPOVERQLEVELED")
TECHNIQUES: list[tuple[str, dict[str, str]]] = [
    *(("bfv", {"MultiplicationTechnique": m, "EncryptionTechnique": e})
      for m, e in product(MULTIPLICATIONS, ("STANDARD", "EXTENDED"))),
    *(("bgv", {"ScalingTechnique": one}) for one in ("FIXEDMANUAL", "FIXEDAUTO", "FLEXIBLEAUTO", "FLEXIBLEAUTOEXT")),
]  # fmt: skip
SETS = [
    pytest.param(number, marks=[pytest.mark.soak] * (number >= len(TECHNIQUES)))
    for number in range(5 * len(TECHNIQUES))
]


class Case:
    """A random context of a technique with keys of OpenFHE's making, and a folder for the files of either side."""

    def __init__(self, number: int, folder: Path, judge: LineProcess, **options: object) -> None:
        draw = random.Random(f"exact openfhe {number}")
        self.folder, self.judge = folder, judge
        self.scheme, technique = TECHNIQUES[number % len(TECHNIQUES)]
        self.n, bits = draw.choice((1024, 2048)), draw.choice((17, 20, 28, 40))
        if {"BEHZ", "FIXEDMANUAL", "FIXEDAUTO", "FLEXIBLEAUTO"} & set(technique.values()):
            bits = min(bits, 28)  # OpenFHE's own values may be wrong above, or it makes no context
        self.t = 65537 if draw.random() < 0.3 else batching(self.n, bits)
        depth, extended = draw.randint(3, 4), technique.get("ScalingTechnique") == "FLEXIBLEAUTOEXT"
        self.set: dict[str, object] = {"PlaintextModulus": self.t, "MultiplicativeDepth": depth, **technique}
        if self.scheme == "bgv" or draw.random() < 0.5:  # else BV
            digits = (0, 2, depth + 1 + extended) if self.scheme == "bgv" else (0, 1, 2)
            self.set |= {"KeySwitchTechnique": "HYBRID", "NumLargeDigits": draw.choice(digits)}
        self.set |= options
        self.steps = draw.choice((1, -1)) * draw.randrange(1, self.n // 2)
        self.files = {name: folder / name for name in ("context", "secret", "public", "relin", "galois")}
        judge.ask("create", scheme=self.scheme.upper(), n=self.n, set=self.set, rotations=[self.steps], **self.files)
        self.server = rs.OpenFHE.read(self.files["context"], security=0)
        self.top = self.server.context.max_level
        generator = np.random.default_rng(draw.getrandbits(64))
        self.one, self.other = (generator.integers(-(self.t // 2), self.t // 2 + 1, self.n) for _ in range(2))

    @property
    def levels(self) -> range:
        """How many primes less OpenFHE encrypts with; only with several does it compress."""
        multiplication, encryption = (
            str(self.set.get(f"{name}Technique")) for name in ("Multiplication", "Encryption")
        )
        if self.scheme == "bfv" and (multiplication in ("BEHZ", "HPS") or encryption == "EXTENDED"):
            return range(1)
        return range(self.top + (self.set.get("ScalingTechnique") != "FLEXIBLEAUTOEXT"))

    def ask(self, do: str, ciphertext: str, out: str, **more: object) -> Path:
        path = self.folder / out
        asked = {"ciphertext": self.folder / ciphertext, "out": path, "scheme": self.scheme.upper(), **self.files}
        self.judge.ask(do, **asked, **more)
        return path

    def write(self, name: str, values: Integers, key: rs.SecretKey | rs.PublicKey, **options: Any) -> None:
        data = self.server.ciphertext_to_bytes(self.server.encrypt(values, key, **options))
        (self.folder / name).write_bytes(data)

    def expect(self, name: str, wanted: NDArray[Any], key: rs.SecretKey) -> rs.Ciphertext:
        """Both sides decrypt it to this, modulo t."""
        theirs = np.fromfile(self.ask("decrypt", name, "values.out", count=self.n), dtype=np.int64)
        assert not np.any((theirs - wanted) % self.t), f"OpenFHE's {name}"
        ciphertext = self.server.read_ciphertext(self.folder / name)
        ours = self.server.decrypt_values(ciphertext, key, margin_bits=2)
        assert not np.any((ours - wanted) % self.t), f"our {name}"
        return ciphertext


def batching(n: int, bits: int) -> int:
    """The largest plain modulus of so many bits with slots, or of a few more."""
    try:
        found = rs.Parameters.from_bits(n, [60, 60], scheme="bfv", plain_modulus=f"batching:{bits}", security=0)
    except rs.RingsideError:
        return batching(n, bits + 1)
    assert found.plain_modulus is not None
    return found.plain_modulus


def exact(values: Integers) -> NDArray[Any]:
    """Whose products do not wrap around."""
    return values.astype(object)


def turned(values: NDArray[Any], steps: int) -> NDArray[Any]:
    return np.roll(values.reshape(2, -1), -steps, axis=1).reshape(-1)


@pytest.mark.parametrize("number", SETS)
def test_openfhe_computes_with_our_keys(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    server, one, other, t = case.server, case.one, case.other, case.t
    with server.context.keygen() as key:
        server.save_secret_key(key, case.files["secret"], overwrite=True)
        public = server.context.public_key(key)
        case.files["public"].write_bytes(server.public_key_to_bytes(public))
        server.make_relin_keys(key, case.files["relin"], overwrite=True)
        server.make_rotation_keys(key, case.files["galois"], [case.steps, 0], overwrite=True)
        case.write("sk", one, key)
        case.write("pk", other, public)
        case.expect("sk", one, key)
        case.expect("pk", other, key)
        one.tofile(tmp_path / "values")
        case.ask("encrypt", "", "theirs", values=tmp_path / "values", dropped=0)
        case.expect("theirs", one, key)
        case.ask("double", "sk", "sum", other=tmp_path / "pk")
        case.expect("sum", one + other, key)
        case.ask("double", "theirs", "mixed", other=tmp_path / "pk")
        case.expect("mixed", one + other, key)
        wanted = exact(one) * other % t
        case.ask("square3", "sk", "three")
        assert case.expect("three", exact(one) * one, key).poly_count == 3
        case.ask("square", "sk", "product", other=tmp_path / "pk")
        if case.set.get("ScalingTechnique") == "FIXEDMANUAL":
            case.ask("rescale", "product", "product")
        case.expect("product", wanted, key)
        case.ask("rotate", "product", "rotated", steps=case.steps)
        case.expect("rotated", turned(wanted, case.steps), key)
        case.ask("exchange", "product", "exchanged")
        case.expect("exchanged", np.roll(wanted, case.n // 2), key)
        case.ask("square", "rotated", "again", other=tmp_path / "product")
        if case.set.get("ScalingTechnique") == "FIXEDMANUAL":
            case.ask("rescale", "again", "again")
        case.expect("again", turned(wanted, case.steps) * wanted, key)
        if case.levels != range(1):
            case.ask("compress", "again", "compressed", limbs=1)
            assert case.expect("compressed", turned(wanted, case.steps) * wanted, key).level == 0


@pytest.mark.parametrize("number", SETS)
def test_we_use_keys_of_openfhe(number: int, judge: LineProcess, tmp_path: Path) -> None:
    """At every level that OpenFHE encrypts at; keys there and back are the same files, byte for byte."""
    case = Case(number, tmp_path, judge)
    server = rs.OpenFHE(case.server.context, case.server.parameters, case.server.tag_in(case.files["public"]))
    case.server = server
    case.one.tofile(tmp_path / "values")
    assert server.elements_in(case.files["relin"], galois=False) == [0]
    assert server.elements_in(case.files["galois"], galois=True) == server.galois_elements([case.steps])
    with server.read_secret_key(case.files["secret"]) as key:
        public = server.read_public_key(case.files["public"])
        assert public.data_only is (case.set.get("EncryptionTechnique") != "EXTENDED")
        for dropped in case.levels:
            case.ask("encrypt", "", "theirs", values=tmp_path / "values", dropped=dropped)
            assert case.expect("theirs", case.one, key).level == case.top - dropped
            for name, own in (("sk", key), ("pk", public)):
                case.write(name, case.other, own, level=case.top - dropped)
                case.expect(name, case.other, key)
                case.ask("double", "theirs", "sum", other=tmp_path / name)
                case.expect("sum", case.one + case.other, key)
        same_secret_and_public(server, key, public, tmp_path)
    if server.has_seal_keys:
        same_evaluation_keys_of_openfhe(server, tmp_path)


def test_contexts_with_the_defaults_of_openfhe(judge: LineProcess, tmp_path: Path) -> None:
    """BV, which BFV takes by itself, has no special prime: that of Ringside's own files leaves 128 bits of security. BV with digits has no keys of ours."""
    case = Case(0, tmp_path, judge, KeySwitchTechnique="BV", RingDim=8192, PlaintextModulus=65537)
    server = rs.OpenFHE.read(case.files["context"])
    assert sum(q.bit_length() for q in server.parameters.q) == 180
    assert server.context.params.security == 128
    server = Case(0, tmp_path, judge, KeySwitchTechnique="BV", DigitSize=20).server
    with server.context.keygen() as key:
        told = r"BV with digits of 20 bits.*SetDigitSize\(0\)"
        raises(rs.MismatchError, told, server.make_relin_keys, key, tmp_path / "r")
