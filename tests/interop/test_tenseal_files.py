# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's own files: what Ringside writes TenSEAL computes with, what TenSEAL writes Ringside reads. TenSEAL is the Python package as it is installed."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tenseal as ts
from numpy.typing import NDArray

import ringside as rs
from asserting import raises, written
from ringside.tenseal.files import inspect_tenseal, is_tenseal

N, BITS, SCALE = 8192, [60, 40, 40, 60], 2.0**40
VALUES = np.linspace(-1.5, 2, 11)
CLOSE = 1e-5  # a thousand times the noise, a thousandth of the values


def assert_close(got: NDArray[Any], truth: Any) -> None:
    np.testing.assert_allclose(got, truth, atol=CLOSE, rtol=0)


class Client:
    """Ringside's side: everything is made by it. Its server has no secret key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.context = rs.Context(rs.Parameters.from_bits(N, BITS))
        self.secret = self.context.keygen()
        self.public = self.context.public_key(self.secret)
        self.context.write_relin_keys(self.secret, folder / "relin.key")
        self.context.write_galois_keys(self.secret, folder / "galois.key")
        self.file = rs.TensealContext(
            self.context, self.public, folder / "relin.key", folder / "galois.key", scale=SCALE
        )
        self.server = ts.context_from(self.file.to_bytes())

    def send(self, values: Any, key: Any = None) -> Any:
        vector = rs.TensealVector.encrypt(self.file, values, key or self.secret)
        return ts.ckks_vector_from(self.server, vector.to_bytes())

    def receive(self, vector: Any) -> NDArray[Any]:
        return rs.from_tenseal(vector.serialize(), self.context).decrypt_values(self.secret)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client(tmp_path_factory.mktemp("tenseal"))
    yield client
    client.secret.close()


@pytest.fixture(scope="module")
def theirs() -> Any:
    context = ts.context(ts.SCHEME_TYPE.CKKS, N, coeff_mod_bit_sizes=BITS)
    context.global_scale = SCALE
    context.generate_galois_keys()
    return context


# ---- ours, evaluated by TenSEAL -------------------------------------------------------------------------------------
def test_the_server_has_what_it_needs_and_no_secret(client: Client) -> None:
    server = client.server
    assert server.is_public()
    assert server.global_scale == SCALE
    assert server.has_public_key()
    assert server.has_relin_keys()
    assert server.has_galois_keys()
    assert server.auto_relin
    assert server.auto_rescale
    assert server.auto_mod_switch


@pytest.mark.parametrize("by", ["secret", "public"])
def test_product_relinearised_and_rescaled(client: Client, by: str) -> None:
    vector = client.send(VALUES, getattr(client, by))
    assert_close(client.receive(vector * vector + 1), VALUES * VALUES + 1)


def test_dot_products_rotate(client: Client) -> None:
    vector = client.send(VALUES)
    assert_close(client.receive(vector.dot(vector)), [VALUES @ VALUES])
    assert_close(client.receive(vector.dot(VALUES[::-1].tolist())), [VALUES @ VALUES[::-1]])
    assert_close(client.receive(vector.sum()), [VALUES.sum()])


def test_matrix_product_needs_the_values_repeated(client: Client) -> None:
    """It rotates over the end of the values; with zeros behind them the result is wrong."""
    matrix = np.random.default_rng(3).normal(size=(VALUES.size, 5))
    assert_close(client.receive(client.send(VALUES).matmul(matrix.tolist())), VALUES @ matrix)
    plain = client.context.encrypt(VALUES, client.secret, scale=SCALE)
    vector = ts.ckks_vector_from(client.server, rs.to_tenseal(plain, count=VALUES.size))
    assert_close(client.receive(vector * vector), VALUES * VALUES)
    assert np.abs(client.receive(vector.matmul(matrix.tolist())) - VALUES @ matrix).max() > 0.1


def test_a_vector_of_several_ciphertexts(client: Client) -> None:
    values = np.random.default_rng(4).normal(size=N // 2 + 100)
    vector = rs.TensealVector.encrypt(client.file, values, client.secret)
    assert vector.sizes == (N // 2, 100)
    there = ts.ckks_vector_from(client.server, vector.to_bytes())
    assert_close(client.receive(there + there), 2 * values)


def test_the_server_encrypts_for_us(client: Client) -> None:
    assert_close(client.receive(ts.ckks_vector(client.server, VALUES.tolist())), VALUES)


@pytest.mark.parametrize("members", [{"auto_rescale": False}, {"auto_relin": False, "auto_mod_switch": False}])
def test_switches(client: Client, members: dict[str, bool]) -> None:
    server = ts.context_from(rs.to_tenseal(client.context, **members))
    for name in ("auto_relin", "auto_rescale", "auto_mod_switch"):
        assert getattr(server, name) is members.get(name, True)
    assert not server.has_relin_keys()


def test_a_secret_key_is_written_only_by_name(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "private"
    client.file.save(path)
    assert ts.context_from(path.read_bytes()).is_public()
    path.unlink()
    assert client.file.save(path, secret_key=client.secret) == path.stat().st_size
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    there = ts.context_from(path.read_bytes())
    assert there.is_private()
    sent = rs.TensealVector.encrypt(client.file, VALUES, client.public)
    assert_close(np.array(ts.ckks_vector_from(there, sent.to_bytes()).decrypt()), VALUES)
    assert there.has_galois_keys()  # made there again
    before = path.read_bytes()
    raises(rs.FileError, "exists already", client.file.save, path, secret_key=client.secret)
    assert path.read_bytes() == before
    with rs.secret_key_from_tenseal(path) as again:
        assert_close(sent.decrypt_values(again), VALUES)


# ---- TenSEAL's, read here -------------------------------------------------------------------------------------------
def test_their_context_and_vector(theirs: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "context", theirs.serialize(save_secret_key=True))
    context = rs.from_tenseal(path)
    assert context.has_secret_key
    assert context.scale == SCALE
    assert context.params == rs.Parameters.from_bits(N, BITS)
    with rs.secret_key_from_tenseal(path) as secret:
        vector = rs.from_tenseal(ts.ckks_vector(theirs, VALUES.tolist()).serialize(), context)
        assert vector.sizes == (VALUES.size,)
        assert_close(vector.decrypt_values(secret), VALUES)


def test_we_encrypt_under_their_public_key(theirs: Any) -> None:
    context = rs.from_tenseal(theirs.serialize())
    assert not context.has_secret_key
    assert context.public_key is not None
    vector = rs.TensealVector.encrypt(context, VALUES, context.public_key)
    there = ts.ckks_vector_from(theirs, vector.to_bytes())
    assert_close(np.array((there * there + 1).decrypt()), VALUES * VALUES + 1)
    assert_close(np.array(there.dot(there).decrypt()), [VALUES @ VALUES])


def test_their_evaluation_keys_come_back_to_them(theirs: Any) -> None:
    """Read and written again, they are as good as before."""
    server = ts.context_from(rs.to_tenseal(rs.from_tenseal(theirs.serialize())))
    vector = ts.ckks_vector_from(server, ts.ckks_vector(theirs, VALUES.tolist()).serialize())
    product = vector.dot(vector)
    assert_close(np.array(ts.ckks_vector_from(theirs, product.serialize()).decrypt()), [VALUES @ VALUES])


def test_symmetric_context() -> None:
    theirs = ts.context(ts.SCHEME_TYPE.CKKS, N, coeff_mod_bit_sizes=BITS, encryption_type=ts.ENCRYPTION_TYPE.SYMMETRIC)
    whole = theirs.serialize(save_public_key=False, save_secret_key=True)
    context = rs.from_tenseal(whole)
    assert context.symmetric
    assert context.public_key is None
    assert context.scale == context.params.default_scale  # it has none
    with rs.secret_key_from_tenseal(whole) as secret:
        vector = rs.from_tenseal(ts.ckks_vector(theirs, VALUES.tolist(), SCALE).serialize(), context)
        assert_close(vector.decrypt_values(secret), VALUES)


def test_other_kinds_of_theirs_are_refused(theirs: Any) -> None:
    context = rs.from_tenseal(theirs.serialize(save_galois_keys=False, save_relin_keys=False))
    bfv = ts.context(ts.SCHEME_TYPE.BFV, 4096, 1032193)
    for other in (ts.bfv_vector(bfv, [1, 2]), ts.ckks_tensor(theirs, ts.plain_tensor([[1.0, 2.0], [3.0, 4.0]]))):
        raises(rs.WireError, "not a ckks_vector of TenSEAL", rs.from_tenseal, other.serialize(), context)


# ---- inspect --------------------------------------------------------------------------------------------------------
def test_inspect(client: Client, theirs: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "file", theirs.serialize(save_secret_key=True))
    assert is_tenseal(path)
    facts = inspect_tenseal(path).as_dict()
    assert (facts["kind"], facts["secret_key"], facts["galois_keys"]) == ("TenSEAL context", True, False)
    assert facts["parameters"]["n"] == N
    path.write_bytes(client.send(VALUES).serialize())
    assert is_tenseal(path)
    facts = inspect_tenseal(path).as_dict()
    assert (facts["kind"], facts["values"], facts["level"]) == ("TenSEAL ckks_vector", VALUES.size, 2)
    assert facts["parms_id"] == client.context.params.parms_id(2)
    client.public.save(path)
    assert not is_tenseal(path)
