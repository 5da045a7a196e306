# SPDX-License-Identifier: Apache-2.0
"""The real Lattigo computes on what Ringside encrypts in BGV and BFV, by both of its evaluators, and the reverse, on random sets of either side."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from interop.exact_sets import ExactSetting, Message
from interop.judges import same_evaluation_keys_of_lattigo, same_secret_and_public
from interop.peers import SealNative
from line_process import LineProcess
from oracle.reference import is_prime

pytestmark = pytest.mark.alike(3, by="number")

SETS = [number if number < 4 else pytest.param(number, marks=pytest.mark.soak) for number in range(30)]
Integers = NDArray[np.object_]


class Case:
    """One random set. Keys are Ringside's, in BGV (even numbers) or BFV, or those that Lattigo makes."""

    def __init__(self, number: int, folder: Path, judge: LineProcess) -> None:
        self.draw = random.Random(f"exact lattigo {number}")
        self.folder, self.judge, self.scheme = folder, judge, ("bgv", "bfv")[number % 2]
        self.n = self.draw.choice((1024, 1024, 2048, 4096))
        self.bits = [self.draw.randint(45, 56) for _ in range(self.draw.randint(2, 4))]
        self.t = 65537
        while self.draw.random() < 0.6 or not is_prime(self.t):
            self.t = self.draw.randrange(8, 1 << self.draw.randint(4, 18)) * 2 * self.n + 1
        self.rotations = [0, *self.draw.sample(range(1, self.n // 2), 2), -1]
        self.params_file = folder / "params.json"
        self.data = np.array(
            [self.draw.choice((0, self.t - 1, self.draw.randrange(self.t))) for _ in range(self.n)], object
        )
        self.data.astype("<u8").tofile(folder / "values")

    def ours(self) -> tuple[rs.Lattigo, rs.SecretKey]:
        how: Any = {"scheme": self.scheme, "plain_modulus": self.t, "security": 0}
        lattigo = rs.Lattigo(rs.ExactContext(rs.Parameters.from_bits(self.n, [*self.bits, 57], **how)))
        context, key = lattigo.context, lattigo.context.keygen()
        self.params_file.write_bytes(lattigo.parameters_to_bytes())
        lattigo.save_secret_key(key, self.folder / "secret")
        (self.folder / "public").write_bytes(lattigo.public_key_to_bytes(context.public_key(key)))
        relin, galois, out = (self.folder / name for name in ("relin.key", "galois.key", "evaluation"))
        if lattigo.has_seal_keys:
            context.write_relin_keys(key, relin)
            context.write_galois_keys(key, galois, self.rotations, generator=5)
            lattigo.convert_evaluation_keys(out, relin_keys=relin, galois_keys=galois)
        else:
            lattigo.make_evaluation_keys(key, out, rotations=self.rotations)
        return lattigo, key

    def theirs(self, special: tuple[int, ...] = (57,)) -> rs.Lattigo:
        files = {
            name: self.folder / name.lower() for name in ("Secret", "Public", *["Evaluation"] * (len(special) == 1))
        }
        self.judge.ask(
            "create", LogN=self.n.bit_length() - 1, LogQ=self.bits, LogP=special, T=self.t, Params=self.params_file,
            Rotations=self.rotations, **files,
        )  # fmt: skip
        return rs.Lattigo.read(self.params_file, security=0)

    def ask(self, do: str, ciphertext: str, out: str, **more: object) -> Path:
        files = {name: self.folder / name.lower() for name in ("Secret", "Public", "Evaluation", "Values")}
        path = self.folder / out
        self.judge.ask(
            do, Params=self.params_file, T=self.t, Ciphertext=self.folder / ciphertext, Out=path, **files, **more
        )
        return path

    def seen(self, ciphertext: str) -> Integers:
        """Decrypted by Lattigo."""
        return np.fromfile(self.ask("decrypt", ciphertext, "values.out"), "<u8").astype(object)

    def rotated(self, data: Integers, steps: int) -> Integers:
        rows = data.reshape(2, -1)
        return (np.roll(rows, -steps, axis=1) if steps else rows[::-1]).reshape(-1)


def same(found: NDArray[Any], wanted: Integers) -> None:
    assert len(found) == len(wanted)
    assert int((found.astype(object) != wanted).sum()) == 0


@pytest.mark.parametrize("number", SETS)
def test_lattigo_computes_with_our_keys(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    lattigo, key = case.ours()
    context, data, t = lattigo.context, case.data, case.t
    public = lattigo.read_public_key(tmp_path / "public")
    public.check(key)

    def ours(name: str) -> NDArray[Any]:
        return lattigo.decrypt_values(lattigo.read_ciphertext(tmp_path / name), key, unsigned=True, margin_bits=4)

    for level in range(context.max_level + 1):
        for by in (key, public):
            ciphertext = lattigo.encrypt(data.astype(np.uint64), by, level=level)
            (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(ciphertext))
            same(case.seen("ct"), data)
            same(ours("ct"), data)
    square = data * data % t
    for invariant in (False, True):
        how = {"Invariant": invariant}
        case.ask("square", "ct", "square", **how)
        same(case.seen("square"), square)
        same(ours("square"), square)
        for steps in case.rotations:
            case.ask("rotate", "square", "rotated", Steps=steps, **how)
            same(ours("rotated"), case.rotated(square, steps))
        case.ask("square3", "ct", "three", **how)
        assert lattigo.read_ciphertext(tmp_path / "three").poly_count == 3
        same(ours("three"), square)
        case.ask("double", "three", "doubled", **how)
        same(ours("doubled"), 2 * square % t)
    case.ask("square", "ct", "square")
    case.ask("rescale", "square", "rescaled")
    back = lattigo.read_ciphertext(tmp_path / "rescaled")
    assert back.level == context.max_level - 1
    assert back.correction_factor != 1
    same(ours("rescaled"), square)
    assert lattigo.ciphertext_to_bytes(back) == (tmp_path / "rescaled").read_bytes()
    # Lattigo encrypts with the public key that we made
    case.ask("encrypt", "", "theirs", Level=context.max_level, Scale=5)
    assert lattigo.read_ciphertext(tmp_path / "theirs").correction_factor == 5
    same(ours("theirs"), data)
    key.close()


@pytest.mark.parametrize("number", SETS)
def test_we_use_keys_of_lattigo(number: int, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(number, tmp_path, judge)
    theirs, data = case.theirs(), case.data
    assert theirs.context.params.scheme == "bgv"
    how: Any = {"scheme": "bfv", "plain_modulus": case.t, "security": 0}
    lattigo = theirs
    if case.scheme == "bfv":
        params = rs.Parameters.from_moduli(case.n, theirs.parameters.moduli, **how)
        lattigo = rs.Lattigo(rs.ExactContext(params), theirs.parameters)
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        for level in range(lattigo.context.max_level + 1):
            case.ask("encrypt", "", "ct", Level=level, Scale=case.draw.randrange(1, case.t))
            read = lattigo.read_ciphertext(tmp_path / "ct")
            assert read.level == level
            same(lattigo.decrypt_values(read, key, unsigned=True), data)
        public = lattigo.read_public_key(tmp_path / "public")
        public.check(key)
        ciphertext = lattigo.encrypt(data.astype(np.uint64), public)
        (tmp_path / "ours").write_bytes(lattigo.ciphertext_to_bytes(ciphertext))
        same(case.seen("ours"), data)
        same_secret_and_public(lattigo, key, public, tmp_path)
        if case.scheme == "bgv":
            raises(rs.MismatchError, "multiples of t", same_evaluation_keys_of_lattigo, lattigo, tmp_path)
        else:
            same_evaluation_keys_of_lattigo(lattigo, tmp_path)


@pytest.mark.parametrize("number", SETS[:6])
def test_seal_and_lattigo_read_each_other(number: int, judge: LineProcess, tmp_path: Path) -> None:
    """Answers of SEAL at every level become Lattigo's, and of BGV the reverse. Slots are in another order."""
    case = Case(number, tmp_path, judge)
    how: Any = {"scheme": case.scheme, "plain_modulus": case.t, "security": 0}
    peer, params = SealNative(), rs.Parameters.from_bits(case.n, [*case.bits, 57], **how)
    seal = ExactSetting(peer, params, tmp_path, their_keys=number > 2, version=peer.version)
    lattigo = rs.Lattigo(seal.context)
    case.params_file.write_bytes(lattigo.parameters_to_bytes())
    lattigo.save_secret_key(seal.secret, tmp_path / "secret", overwrite=True)
    lattigo.make_evaluation_keys(seal.secret, tmp_path / "evaluation")
    message = Message(params, case.data)
    theirs = peer.encrypt(seal.peer_plaintext(message), seal.their_public)
    peer.evaluator.square_inplace(theirs)
    peer.evaluator.relinearize_inplace(theirs, seal.relin_keys)
    for limbs in range(params.data_limbs, 1, -1):
        (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(seal.ours(theirs)))
        same(case.seen("ct"), lattigo.from_seal_slots(message.squared().data))
        if limbs > 2:
            peer.evaluator.mod_switch_to_next_inplace(theirs)
    upload = seal.context.encrypt(message.signed, seal.secret)
    (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(upload))
    for name in ("square", "rescale"):
        answer = lattigo.read_ciphertext(case.ask(name, "ct" if name == "square" else "square", name))
        assert answer.context is lattigo.answers
        if case.scheme == "bgv":
            assert (seal.peer_values(seal.theirs(answer)) == message.squared().data).all()


@pytest.mark.parametrize("special", [(), (50, 51)])
def test_other_numbers_of_special_primes(special: tuple[int, ...], judge: LineProcess, tmp_path: Path) -> None:
    case = Case(2, tmp_path, judge)
    lattigo = case.theirs(special)
    public = lattigo.read_public_key(tmp_path / "public")
    with lattigo.read_secret_key(tmp_path / "secret") as key:
        for by in (key, public):
            ciphertext = lattigo.encrypt(case.data.astype(np.uint64), by)
            (tmp_path / "ct").write_bytes(lattigo.ciphertext_to_bytes(ciphertext))
            same(case.seen("ct"), case.data)
        if special:
            lattigo.make_evaluation_keys(key, tmp_path / "evaluation", rotations=case.rotations)
            case.ask("square", "ct", "square")
            same(case.seen("square"), case.data**2 % case.t)


@pytest.mark.parametrize("wrong", ["a modulus", "too large"])
def test_plain_moduli_that_lattigo_refuses(wrong: str, judge: LineProcess, tmp_path: Path) -> None:
    case = Case(2, tmp_path, judge)
    q = case.theirs().parameters.q
    case.t = q[1]
    if wrong == "too large":
        case.t = next(
            p for p in range(q[0] // (2 * case.n) * 2 * case.n + 1, 1 << 60, 2 * case.n) if p > q[0] and is_prime(p)
        )
    raises(AssertionError, r"t\|Q|larger than Q", case.theirs)
    raises(rs.ParameterError, "not below the first prime of Q", rs.Lattigo.read, json_of(q, case.t), security=0)


def json_of(q: tuple[int, ...], t: int) -> bytes:
    return f'{{"LogN":10,"Q":{list(q)},"PlaintextModulus":{t}}}'.encode()
