# SPDX-License-Identifier: Apache-2.0
"""BFV and BGV where things meet: contexts of the same moduli, seeds, processes, one object twice."""

import copy
import itertools
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises

SEED = bytes(range(64))
VALUES = np.arange(-500, 500)
KINDS: list[tuple[str, int | None]] = [("bfv", 65537), ("bgv", 65537), ("bfv", 12289), ("bgv", 12289), ("ckks", None)]


def params_of(scheme: str, t: int | None) -> rs.Parameters:
    return rs.Parameters.from_bits(1024, [40, 40, 41], scheme=scheme, plain_modulus=t, security=0)


def context_of(scheme: str, t: int | None) -> Any:
    params = params_of(scheme, t)
    return rs.Context(params) if scheme == "ckks" else rs.ExactContext(params)


def refused(kind: type[rs.RingsideError], code: str, call: Callable[..., object], *args: Any, **options: Any) -> None:
    assert raises(kind, None, call, *args, **options).code == code


@pytest.fixture(scope="module")
def exact() -> rs.ExactContext:
    return rs.ExactContext(params_of("bfv", 65537))


@pytest.fixture(params=["bfv", "bgv"])
def either(request: pytest.FixtureRequest) -> rs.ExactContext:
    return rs.ExactContext(params_of(request.param, 65537))


# ---- the same moduli ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("mine", "theirs"), list(itertools.permutations(KINDS, 2)), ids=str)
def test_other_schemes_and_plain_moduli_refuse(
    tmp_path: Path, mine: tuple[str, int | None], theirs: tuple[str, int | None]
) -> None:
    """Keys and ciphertexts of other contexts of the same moduli: as objects and as files."""
    one, other = context_of(*mine), context_of(*theirs)
    assert one.params.moduli == other.params.moduli
    own, foreign = one.keygen(), other.keygen()
    public, ciphertext = other.public_key(foreign), other.encrypt([1], foreign)
    foreign.save(tmp_path / "secret")
    calls: list[tuple[Callable[..., object], tuple[Any, ...]]] = [
        (one.encrypt, ([1], foreign)),
        (one.encrypt, ([1], public)),
        (one.public_key, (foreign,)),
        (one.write_galois_keys, (foreign, tmp_path / "galois")),
        (one.decrypt_values, (ciphertext, own)),
        (one.decrypt_values, (one.encrypt([1], own), foreign)),
    ]
    files: list[tuple[Callable[..., object], object]] = [
        (rs.SecretKey.load, tmp_path / "secret"),
        (rs.PublicKey.from_bytes, public.to_bytes()),
        (rs.Ciphertext.from_bytes, ciphertext.to_bytes()),
    ]
    for call, arguments in calls:
        refused(rs.MismatchError, "RS_ERR_MISMATCH", call, *arguments)
    # another scheme of the same t is named, and so is t = 65537 where CKKS is asked, or CKKS itself
    twins = mine[0] != theirs[0] and (
        mine[1] == theirs[1] or "ckks" in (theirs[0], mine[0] if theirs[1] == 65537 else "")
    )
    for call, file in files:
        refused(rs.MismatchError, "RS_ERR_SCHEME" if twins else "RS_ERR_MISMATCH", call, one, file)
    if mine[0] != "ckks":
        refused(rs.MismatchError, "RS_ERR_MISMATCH", one.noise_budget, ciphertext, own, consent="owner")
    assert not (tmp_path / "galois").exists()


def test_contexts_know_their_schemes() -> None:
    refused(rs.ParameterError, "RS_ERR_SCHEME", rs.Context, params_of("bfv", 65537))
    refused(rs.ParameterError, "RS_ERR_SCHEME", rs.ExactContext, params_of("ckks", None))


# ---- seeds ----------------------------------------------------------------------------------------------------------
def test_encryptions_of_one_seed_share_no_randomness(exact: rs.ExactContext) -> None:
    """With one a in two forms and one error, two ciphertexts of a message would give the secret key away."""
    with exact.keygen(insecure_deterministic_seed=SEED) as secret:
        ways: list[dict[str, Any]] = [
            {"form": form, "packing": packing, "level": level, "seed_type": seed_type}
            for form in ("coef", "ntt")
            for packing in ("slots", "coefficients")
            for level in (0, 1)
            for seed_type in ("shake256", "blake2xb")
        ]
        seeds = {exact.encrypt(VALUES, secret, insecure_deterministic_seed=SEED, **way).seed for way in ways}
        assert len(seeds) == len(ways)
        full = exact.encrypt(VALUES, secret, seeded=False, insecure_deterministic_seed=SEED)
        assert np.array_equal(full.data, exact.encrypt(VALUES, secret, insecure_deterministic_seed=SEED).expand().data)


# ---- one object twice -----------------------------------------------------------------------------------------------
def test_the_same_objects_twice(either: rs.ExactContext) -> None:
    secret = either.keygen()
    public, frame = either.public_key(secret), VALUES.copy()
    for key in (secret, public):
        found = either.encrypt_batch([frame, frame, frame], key, threads=3)
        assert len({one.to_bytes() for one in found}) == 3
        assert np.array_equal(frame, VALUES)
        got = either.decrypt_batch([found[0], found[1], found[0], found[0]], secret, VALUES.size, threads=2)
        assert (got == VALUES).all()
    twin = rs.ExactContext(params_of(either.params.scheme, 65537))  # equal parameters: objects are as good as its own
    assert np.array_equal(twin.decrypt_values(found[0], secret, VALUES.size), VALUES)
    before = found[0].data.copy()
    assert either.noise_budget(found[0], secret, consent="owner") == twin.noise_budget(
        found[0], secret, consent="owner"
    )
    assert np.array_equal(found[0].data, before)


# ---- pickles and processes ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options", [{}, {"form": "ntt"}, {"seeded": False}, {"seed_type": "blake2xb", "level": 0}], ids=str
)
def test_pickled_ciphertexts(either: rs.ExactContext, options: dict[str, Any]) -> None:
    secret = either.keygen()
    ciphertext = either.encrypt(VALUES, secret, **options)
    for other in (pickle.loads(pickle.dumps(ciphertext)), copy.copy(ciphertext), copy.deepcopy(ciphertext)):
        assert np.array_equal(other.data, ciphertext.data)
        for name in ("form", "correction_factor", "level", "seeded", "seed", "seed_type", "parms_id", "poly_count"):
            assert getattr(other, name) == getattr(ciphertext, name)
        assert np.array_equal(either.decrypt_values(other, secret, VALUES.size), VALUES)


def test_a_factor_goes_along(exact: rs.ExactContext) -> None:
    """BGV's correction factor, which files of SEAL 3 do not have: the message is that times the factor's inverse."""
    bgv = rs.ExactContext(params_of("bgv", 65537))
    secret = bgv.keygen()
    data = bgv.encrypt(VALUES, secret, seeded=False).data
    answer = rs.Ciphertext.from_data(bgv, data, correction_factor=3)
    for other in (answer, pickle.loads(pickle.dumps(answer)), copy.copy(answer)):
        assert other.correction_factor == 3
        assert np.array_equal(bgv.decrypt_values(other, secret, VALUES.size) * 3 % 65537, VALUES % 65537)
    refused(rs.WireError, "RS_ERR_VERSION", answer.to_bytes)
    for context, factor in ((bgv, 0), (bgv, 65537), (bgv, 2**64 - 1), (exact, 2)):
        own = context.keygen()
        bad = rs.Ciphertext.from_data(context, data, correction_factor=factor)
        refused(rs.WireError, "RS_ERR_CORRECTION", context.decrypt_values, bad, own)
        refused(rs.WireError, "RS_ERR_CORRECTION", bad.to_bytes, version="4.4")


def test_worker_processes(either: rs.ExactContext) -> None:
    secret = either.keygen()
    public = either.public_key(secret)
    frames = [VALUES + i for i in range(3)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        ciphertexts = list(pool.map(either.encrypt, frames, [public] * 3))
        refused(rs.InputError, "RS_ERR_VALUE_RANGE", pool.submit(either.encrypt, [1 << 40], public).result)
    assert (either.decrypt_batch(ciphertexts, secret, VALUES.size) == frames).all()


# ---- plaintexts -----------------------------------------------------------------------------------------------------
def test_plaintexts(either: rs.ExactContext) -> None:
    """Decoding leaves them as they are; what closes them wipes them."""
    with either.encode([1, -2, 3]) as plaintext, either.encode([40000], wrap=True, packing="coefficients") as other:
        for _ in range(2):
            assert either.decode(plaintext, 3).tolist() == [1, -2, 3]
        assert either.decode(plaintext, 2, unsigned=True).tolist() == [1, 65535]
        assert (other.form, other.data.dtype.name, other.data[:2].tolist()) == ("coef", "uint64", [40000, 0])
        assert either.decode(other, 1, packing="coefficients").tolist() == [40000 - 65537]
        refused(rs.InputError, "RS_ERR_VALUE_COUNT", either.decode, plaintext, 1025)
        refused(rs.InputError, "PACKING", either.decode, plaintext, packing="rows")
        refused(rs.MismatchError, "RS_ERR_FORM", plaintext.limb, 0)
        refused(rs.MismatchError, "RS_ERR_MISMATCH", context_of("ckks", None).decode, plaintext)
        refused(rs.MismatchError, "RS_ERR_MISMATCH", context_of("bfv", 12289).decode, plaintext)
    refused(rs.MismatchError, "CLOSED", either.decode, plaintext)
    refused(rs.InputError, "RS_ERR_VALUE_RANGE", either.encode, [40000])
    refused(rs.InputError, "RS_ERR_VALUE_RANGE", context_of("bfv", 1024).encode, [512], packing="coefficients")
