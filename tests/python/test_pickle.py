# SPDX-License-Identifier: Apache-2.0
"""Pickling and copying: what data frames, joblib and multiprocessing do with our objects."""

import copy
import gc
import multiprocessing
import pickle
import weakref
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from ringside.objects.ckks import context as context_module

VALUES = np.linspace(-1, 1, 100)


def again(item: Any) -> Any:
    return pickle.loads(pickle.dumps(item))


def test_parameters(context: rs.Context) -> None:
    for params in (context.params, rs.Parameters.named("lee-14")):
        for other in (again(params), copy.copy(params), copy.deepcopy(params)):
            assert other == params
            assert other.parms_id() == params.parms_id()


def test_parameters_below_the_security_level_stay_what_they_are() -> None:
    weak = rs.Parameters.from_bits(1024, [30, 30], security=0)
    assert again(weak) == weak


@pytest.mark.parametrize("options", [{}, {"seed_type": "blake2xb"}, {"seeded": False}, {"level": 0, "scale": 2.0**20}])
def test_ciphertext(context: rs.Context, secret: rs.SecretKey, options: dict[str, Any]) -> None:
    ciphertext = context.encrypt(VALUES, secret, **options)
    for other in (again(ciphertext), copy.copy(ciphertext), copy.deepcopy(ciphertext)):
        assert np.array_equal(other.data, ciphertext.data)
        assert other.data is not ciphertext.data
        for name in ("level", "scale", "seeded", "seed", "seed_type", "parms_id", "poly_count"):
            assert getattr(other, name) == getattr(ciphertext, name)
        assert np.abs(context.decrypt_values(other, secret, VALUES.size) - VALUES).max() < 1e-2


def test_public_key(context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey) -> None:
    other = again(public)
    assert np.array_equal(other.data, public.data)
    assert other.seed_type == public.seed_type
    got = context.decrypt_values(context.encrypt(VALUES, other), secret, VALUES.size)
    assert np.abs(got - VALUES).max() < 1e-3


def test_a_list_of_ciphertexts_shares_one_context(context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertexts = again(context.encrypt_batch([VALUES] * 3, secret))
    assert len({id(ciphertext.context) for ciphertext in ciphertexts}) == 1


def test_a_context_is_made_once_for_what_is_unpickled_one_after_the_other() -> None:
    params = rs.Parameters.from_bits(1024, [27], security=0)
    other = rs.Context(params)
    with other.keygen() as key:
        blobs = [pickle.dumps(other.encrypt([1.0], key, scale=2.0**15)) for _ in range(3)]
    del other, key
    gc.collect()
    contexts = {id(pickle.loads(blob).context) for blob in blobs}  # each ciphertext is gone before the next
    assert len(contexts) == 1
    kept = weakref.ref(context_module.Context.shared(params))
    context_module.Context.shared(rs.Parameters.from_bits(1024, [26], security=0))  # another one takes its place
    gc.collect()
    assert kept() is None


def test_context(context: rs.Context) -> None:
    assert copy.copy(context) is context
    assert copy.deepcopy({"context": context})["context"] is context
    other = again(context)
    assert (other.params, other.device) == (context.params, context.device)


def test_secret_key_and_plaintext_refuse_and_name_the_remedy(context: rs.Context, secret: rs.SecretKey) -> None:
    for item, remedy in ((secret, "SecretKey.load"), (context.encode(VALUES), "save()")):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            assert remedy in str(raises(TypeError, "not pickled", attempt, item))


def test_errors_come_back_from_a_worker_as_they_were() -> None:
    error = rs.InputError("RS_ERR_SCALE", "The scale is wrong.", "Use another one.")
    error.frame = 3
    other = again(error)
    assert type(other) is rs.InputError
    assert (other.code, other.message, other.hint, other.frame) == (error.code, error.message, error.hint, 3)
    assert str(other) == str(error)


def test_damaged_pickles_are_refused(context: rs.Context, secret: rs.SecretKey) -> None:
    """The bytes in a pickle are read as a file's are."""
    reduced: Any = context.encrypt(VALUES, secret).__reduce__()
    restore, (kind, shared, params, data) = reduced
    assert callable(restore)
    broken = bytearray(data)
    broken[200:208] = b"\xff" * 8  # a residue
    for bad in (bytes(broken), data[:-1]):
        raises(rs.WireError, None, restore, kind, shared, params, bad)


def test_worker_processes(context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey) -> None:
    """As joblib and multiprocessing do it: methods of a context and their arguments go to fresh processes."""
    frames = [VALUES + i for i in range(4)]
    # a Pool of multiprocessing would wait for ever for a process that has ended
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        ciphertexts = list(pool.map(context.encrypt, frames, [public] * 4))
        caught = raises(rs.InputError, None, pool.submit(context.encrypt, [np.nan], public).result)
    assert caught.code == "RS_ERR_NOT_FINITE"
    assert np.abs(context.decrypt_batch(ciphertexts, secret, VALUES.size) - frames).max() < 1e-2
