# SPDX-License-Identifier: Apache-2.0
"""TenSEAL computes on our bfv_vectors under our contexts, and we read its own, on random sets; and the same on the command line."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tenseal as ts
from numpy.typing import NDArray

import ringside as rs
from asserting import raises, written
from cli_runner import CommandLine
from ringside.tenseal import protobuf
from ringside.tenseal.files import inspect_tenseal

pytestmark = pytest.mark.alike(3, by="number")

SETS = [number if number < 3 else pytest.param(number, marks=pytest.mark.soak) for number in range(20)]
BITS = {4096: [36, 36, 37], 8192: [43, 43, 44, 44, 44], 16384: [50, 50, 50, 50, 51]}


class Case:
    """A random set, and values: a short vector, which products and rotations go with, and one that takes several ciphertexts."""

    def __init__(self, number: int) -> None:
        self.draw = random.Random(f"exact tenseal {number}")
        n = self.n = self.draw.choice(tuple(BITS))
        t = self.draw.choice(
            (65537, f"batching:{self.draw.randint(17, 18) if n == 4096 else self.draw.randint(20, 24)}")
        )
        self.params = rs.Parameters.from_bits(n, BITS[n], scheme="bfv", plain_modulus=t)
        self.t = self.params.plain_modulus or 0
        self.short, self.other = (self.values(self.draw.choice((2, 4, 7))) for _ in range(2))
        self.other = np.resize(self.other, self.short.size)
        self.long = self.values(self.draw.randint(n + 1, 3 * n))

    def values(self, count: int) -> NDArray[np.int64]:
        half = self.t // 2
        return np.array([self.draw.choice((-half, half, self.draw.randint(-half, half))) for _ in range(count)])

    def same(self, found: Any, wanted: NDArray[np.int64]) -> None:
        assert len(found) == len(wanted)
        assert ((np.array(found, dtype=object) - wanted.astype(object)) % self.t == 0).all()


@pytest.mark.parametrize("number", SETS)
def test_tenseal_computes_with_our_keys(number: int, tmp_path: Path) -> None:
    case = Case(number)
    context, a, b = rs.ExactContext(case.params), case.short.astype(object), case.other.astype(object)
    with context.keygen() as key:
        context.write_relin_keys(key, tmp_path / "relin")
        context.write_galois_keys(key, tmp_path / "galois")
        public = context.public_key(key)
        ours = rs.TensealContext(context, public, tmp_path / "relin", tmp_path / "galois")
        server = ts.context_from(ours.to_bytes())
        assert server.is_public()
        assert (server.auto_relin, server.auto_rescale, server.auto_mod_switch) == (True, False, False)

        def back(answer: Any) -> NDArray[Any]:
            return rs.from_tenseal(answer.serialize(), context).decrypt_values(key, margin_bits=2)

        for by in (key, public):
            vector = rs.TensealVector.encrypt(ours, case.short, by)
            case.same(context.decrypt_values(vector.ciphertexts[0], key), np.resize(case.short, case.n))
            x = ts.bfv_vector_from(server, vector.to_bytes())
            case.same(back(x), a)
            case.same(back(x * x - case.other.tolist()), a * a - b)
            case.same(back(x.dot(case.other.tolist())), np.array([a @ b]))
            case.same(back(x.dot(x)), np.array([a @ a]))
            long = ts.bfv_vector_from(server, rs.TensealVector.encrypt(ours, case.long, by).to_bytes())
            case.same(back(long + long), 2 * case.long)
        case.same(back(ts.bfv_vector(server, case.short.tolist())), a)
        ours.save(tmp_path / "private", secret_key=key)
        case.same(
            ts.bfv_vector_from(ts.context_from((tmp_path / "private").read_bytes()), vector.to_bytes()).decrypt(), a
        )


@pytest.mark.parametrize("number", SETS)
def test_we_read_tenseal(number: int, tmp_path: Path) -> None:
    case = Case(number)
    a = case.short.astype(object)
    theirs = ts.context(ts.SCHEME_TYPE.BFV, case.n, case.t)
    theirs.generate_galois_keys()
    path = written(tmp_path / "context", theirs.serialize(save_secret_key=True))
    context = rs.from_tenseal(path)
    assert (context.scale, context.auto_relin, context.auto_rescale) == (None, True, False)
    assert context.params.plain_modulus == case.t
    assert context.public_key is not None
    with rs.secret_key_from_tenseal(path) as key:
        for values in (case.short, case.long):
            vector = rs.from_tenseal(ts.bfv_vector(theirs, values.tolist()).serialize(), context)
            assert sum(vector.sizes) == values.size
            repeated = rs.ExactContext(context.params).decrypt_values(vector.ciphertexts[0], key)
            case.same(repeated, np.resize(values[: case.n], case.n))
            case.same(vector.decrypt_values(key), values)
        for by in (key, context.public_key):
            x = ts.bfv_vector_from(theirs, rs.TensealVector.encrypt(context, case.short, by).to_bytes())
            case.same(x.dot(case.other.tolist()).decrypt(), np.array([a @ case.other.astype(object)]))
    # read and written again their keys are as good as before
    server = ts.context_from(rs.to_tenseal(rs.from_tenseal(theirs.serialize())))
    x = ts.bfv_vector_from(server, ts.bfv_vector(theirs, case.short.tolist()).serialize())
    case.same(ts.bfv_vector_from(theirs, x.dot(x).serialize()).decrypt(), np.array([a @ a]))


def test_refused() -> None:
    """TenSEAL itself takes a value that is too large for another."""
    case = Case(0)
    context = rs.ExactContext(case.params)
    ckks = rs.Context(rs.Parameters.from_bits(case.n, BITS[case.n]))
    bgv = rs.ExactContext(rs.Parameters.from_moduli(case.n, case.params.moduli, scheme="bgv", plain_modulus=case.t))
    large = case.t // 2 + 1
    with context.keygen() as key, ckks.keygen() as other, bgv.keygen() as third:
        values = [1] * case.n + [2, large]
        raises(rs.InputError, f"Frame 1: .*value 1 is {large}", rs.TensealVector.encrypt, context, values, key)
        raises(rs.InputError, "coefficient form", rs.TensealVector.encrypt, context, [1], key, form="ntt")
        raises(rs.ParameterError, "has no BGV", rs.TensealVector.encrypt, bgv, [1], third)
        vector = rs.TensealVector.encrypt(context, [1, 2], key).to_bytes()
        raises(rs.WireError, "ckks_vector of TenSEAL: its scale", rs.from_tenseal, vector, ckks)
        scaled = rs.TensealVector.encrypt(ckks, [1.0], other).to_bytes()
        raises(rs.WireError, "it has a field 3, which bfv_vectors do not have", rs.from_tenseal, scaled, context)
    raises(rs.ParameterError, "has no BGV", rs.to_tenseal, bgv)
    raises(rs.InputError, "BFV has no scale", rs.to_tenseal, context, scale=2.0)
    sized = b"".join(map(bytes, protobuf.packed_field(1, [case.n + 1]))) + vector[3:]
    raises(rs.WireError, "cannot hold", rs.from_tenseal, sized, context)
    draw, refused = random.Random(1), 0
    for _ in range(100):
        place = draw.randrange(64)
        damaged = vector[:place] + draw.randbytes(draw.randint(0, 3)) + vector[place + draw.randint(0, 2) :]
        try:
            rs.from_tenseal(damaged, context)
        except rs.RingsideError:
            refused += 1
    assert refused > 80


def test_by_commands(ringside: CommandLine, tmp_path: Path) -> None:
    keys, source, sealed, out = (
        tmp_path / "keys",
        written(tmp_path / "in.csv", "12\n-7\n300\n"),
        tmp_path / "x.tenseal",
        tmp_path / "o.csv",
    )
    words = ("--params", "bfv-13", "--relin", "--galois", "pow2", "--format", "tenseal")
    ringside("keygen", *words, "--out", keys).ends(0)
    ringside("encrypt", "--keys", keys, source, sealed).ends(0)
    assert inspect_tenseal(sealed).kind == "TenSEAL bfv_vector"
    ringside("inspect", sealed).ends(0).shows("TenSEAL bfv_vector")
    ringside("inspect", keys / "context.tenseal").ends(0).shows("BFV", "65537")
    server = ts.context_from((keys / "context.tenseal").read_bytes())
    x = ts.bfv_vector_from(server, sealed.read_bytes())
    dot = written(tmp_path / "dot.tenseal", x.dot([1, 2, 3]).serialize())
    ringside("decrypt", "--keys", keys, sealed, dot, out).ends(0)
    assert out.read_text().split() == ["12", "-7", "300", "898"]
    ringside("decrypt", "--keys", keys, dot, out, "--count", 2, "--force").refused(3, "--count is 2")
    seal, again = tmp_path / "x.seal", tmp_path / "again.tenseal"
    ringside("convert", sealed, seal, "--format", "seal", "--keys", keys).ends(0)
    ringside("convert", seal, again, "--format", "tenseal", "--keys", keys, "--count", 3).ends(0).shows("bfv_vector")
    assert ts.bfv_vector_from(server, again.read_bytes()).size() == 3
    ringside("convert", keys / "context.tenseal", tmp_path / "back", "--format", "seal").ends(0)
    assert (tmp_path / "back" / "relin.key").read_bytes() == (keys / "relin.key").read_bytes()
    ringside("encrypt", "--keys", keys, source, sealed, "--form", "ntt").refused(2, "--form is not for vectors")
    ringside("inspect", sealed, "--keys", keys, "--budget").refused(2, "not for vectors of TenSEAL")
