# SPDX-License-Identifier: Apache-2.0
"""ML-DSA against dilithium-py: bytes of keys and signatures of every kind, and signatures that only one check refuses."""

import hashlib
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87
from dilithium_py.modules.modules import Matrix

from oracle.mldsa import PREHASHES, MlDsa
from tree_scripts import module_at

LIB = Path(__file__).resolve().parents[2] / "lib"
THEIRS: dict[int, Any] = {44: ML_DSA_44, 65: ML_DSA_65, 87: ML_DSA_87}
# FIPS 204, table 1
GAMMA1 = {44: 2**17, 65: 2**19, 87: 2**19}
BETA = {44: 78, 65: 196, 87: 120}
SETS = pytest.mark.parametrize("number", THEIRS)
ROUNDS = [4, pytest.param(200, marks=pytest.mark.soak)]


# ---- bytes of another implementation ---------------------------------------------------------------------------------
@SETS
@pytest.mark.parametrize("rounds", ROUNDS)
def test_bytes_are_dilithium_pys(number: int, rounds: int) -> None:
    """Keys of seeds; deterministic signatures and those of a given rnd, contexts of every kind, with A kept and not."""
    theirs, random = THEIRS[number], Random(number)
    ours = [MlDsa(number), MlDsa(number, fast=True)]
    for round_ in range(rounds):
        mine = ours[round_ % 2]
        xi, rnd = random.randbytes(32), random.randbytes(32)
        message = random.randbytes(random.choice([0, 1, 135, 1000]))
        context = random.randbytes([0, 1, 255, 17][round_ % 4])
        pk, sk = mine.keygen(xi)
        assert (pk, sk) == theirs.key_derive(xi)
        assert mine.public_key(sk) == pk
        prepared = bytes([0, len(context)]) + context + message
        hedged = theirs._sign_internal(sk, prepared, rnd)
        assert mine.sign(sk, message, context, rnd) == hedged == mine.sign_internal(sk, prepared, rnd)
        assert mine.sign(sk, message, context) == theirs.sign(sk, message, context, deterministic=True)
        assert mine.verify(pk, message, context, hedged) == "RS_OK" == mine.verify_internal(pk, prepared, hedged)


@SETS
def test_external_mu_is_dilithium_pys(number: int) -> None:
    ours, theirs = MlDsa(number), THEIRS[number]
    pk, sk = ours.keygen(bytes(range(32)))
    mu = ours.mu(pk, b"a message", b"a context")
    assert mu == theirs.prehash_external_mu(pk, b"a message", b"a context")
    signature = theirs.sign_external_mu(sk, mu, deterministic=True)
    assert ours.sign_mu(sk, mu, bytes(32)) == signature
    assert ours.verify_mu(pk, mu, signature) == "RS_OK"
    assert ours.verify(pk, b"a message", b"a context", signature) == "RS_OK"


def digest_of(name: str, message: bytes) -> bytes:
    digest: Any = hashlib.new(name, message)
    size = {"shake_128": 32, "shake_256": 64}.get(name)
    return bytes(digest.digest(size) if size else digest.digest())


@pytest.mark.parametrize("name", PREHASHES)
def test_what_a_prehashed_signature_signs(name: str) -> None:
    """Algorithm 4, line by line: 1, the context, the DER of the function's OID, the digest."""
    ours = MlDsa(44)
    pk, sk = ours.keygen(bytes(32))
    arcs = [2 * 40 + 16, 840, 1, 101, 3, 4, 2, PREHASHES[name]]  # 2.16.840.1.101.3.4.2.x
    content = b"".join(bytes([arc]) if arc < 128 else bytes([0x80 | arc >> 7, arc & 0x7F]) for arc in arcs)
    digest = digest_of(name, b"a message")
    prepared = b"\1\4text" + bytes([6, len(content)]) + content + digest
    signature = ours.sign_prehash(sk, name, digest, b"text", bytes(range(32)))
    assert signature == ours.sign_internal(sk, prepared, bytes(range(32)))
    assert ours.verify_prehash(pk, name, digest, b"text", signature) == "RS_OK"


# ---- signatures that only one check refuses ----------------------------------------------------------------------------
@SETS
def test_z_beyond_its_bound_is_refused(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signer who leaves out the check of z makes signatures whose challenge is right, with z at the bound and above it."""
    ours, theirs, random = MlDsa(number), THEIRS[number], Random(3)
    pk, sk = ours.keygen(bytes(32))
    checked = Matrix.check_norm_bound
    seen: list[bool] = []

    def lax(vector: Any, bound: int) -> bool:
        if bound != GAMMA1[number] - BETA[number]:
            return bool(checked(vector, bound))
        seen.append(bool(checked(vector, bound)))
        return bool(checked(vector, GAMMA1[number]))  # what cannot be packed

    monkeypatch.setattr(Matrix, "check_norm_bound", lax)
    verdicts = set()
    for _ in range(40):
        seen.clear()
        signature = theirs._sign_internal(sk, b"\0\0a message", random.randbytes(32))
        too_large = seen[-1]
        verdict = ours.verify(pk, b"a message", b"", signature)
        assert verdict == ("RS_ERR_SIGNATURE" if too_large else "RS_OK")
        verdicts.add(verdict)
        if len(verdicts) == 2:
            return
    pytest.fail("no signature of both kinds")


# ---- constants -----------------------------------------------------------------------------------------------------------
def generator() -> ModuleType:
    return module_at(LIB / "scripts" / "gen_mldsa_zetas.py")


def test_zetas_are_those_of_the_generator() -> None:
    assert (LIB / "src" / "mldsa" / "zetas.inc").read_text(encoding="utf-8") == generator().text()


def test_zetas_are_those_of_appendix_b() -> None:
    """The first entries of the standard's table, and what the second column is for."""
    q, r = 8380417, 2**32
    rows = generator().pairs()
    plain = [zeta * pow(r, -1, q) % q for zeta, _ in rows]
    assert plain[1:9] == [4808194, 3765607, 3761513, 5178923, 5496691, 5234739, 5178987, 7778734]
    assert all((quotient * q - zeta) % r == 0 for zeta, quotient in rows)
