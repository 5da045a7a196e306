# SPDX-License-Identifier: Apache-2.0
"""Other implementations make the same keys, ciphertexts and signatures as ours of the same seeds, and take ours as we take theirs."""

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ringside as rs
from asserting import flipped
from pqc.peers import DilithiumPy, DsaPeer, GoKem, KemPeer, KyberPy, NobleDsa, NobleKem, OpensslDsa, OpensslKem, new_go
from ringside import pqc

HERE = Path(__file__).resolve().parent
KEMS: dict[str, Callable[[], KemPeer]] = {"kyber-py": KyberPy, "openssl": OpensslKem, "noble": NobleKem}
DSAS: dict[str, Callable[[], DsaPeer]] = {"dilithium-py": DilithiumPy, "openssl": OpensslDsa, "noble": NobleDsa}
# Keys of each set. What is written in Python takes 20 ms for a key of ML-KEM, and 0.3 s for one of ML-DSA; noble 50 ms for one of ML-DSA.
KEM_KEYS = {"kyber-py": 15, "openssl": 100, "noble": 25, "go": 100}
DSA_KEYS = {"dilithium-py": 3, "openssl": 100, "noble": 25}
MANY_KEM_KEYS = {"kyber-py": 1000, "openssl": 10000, "noble": 10000, "go": 10000}
MANY_DSA_KEYS = {"dilithium-py": 200, "openssl": 10000, "noble": 1000}
few_and_many = pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["few", "many"])


@pytest.fixture(scope="module", params=[*KEMS, "go"])
def kem_peer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, KemPeer]]:
    if request.param == "go":
        go = new_go()
        if go is None:
            pytest.skip("crypto/mlkem came with Go 1.24, and Debian 12 has 1.19; three other peers are always there")
        program = tmp_path_factory.mktemp("go") / "peer"
        env = dict(os.environ) | {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"}
        subprocess.run([go, "build", "-o", program, "."], cwd=HERE / "go", env=env, check=True)
        peer: KemPeer = GoKem(program)
    else:
        peer = KEMS[request.param]()
    yield request.param, peer
    peer.close()


@pytest.fixture(scope="module", params=list(DSAS))
def dsa_peer(request: pytest.FixtureRequest) -> Iterator[tuple[str, DsaPeer]]:
    peer = DSAS[request.param]()
    yield request.param, peer
    peer.close()


# ---- ML-KEM ----------------------------------------------------------------------------------------------------------
@few_and_many
def test_kem(kem_peer: tuple[str, KemPeer], many: bool) -> None:
    """Same seeds, same bytes; each side's ciphertexts with the other's keys; and the same secret where a ciphertext is nobody's.

    OpenSSL (by `cryptography`) and Go have no ML-KEM-512; kyber-py and noble have all sets.
    """
    who, peer = kem_peer
    chance = random.Random(f"{who} {many}")
    count = (MANY_KEM_KEYS if many else KEM_KEYS)[who]
    for name in (name for name in peer.sets for _ in range(count)):
        kem = pqc.MLKEM(name)
        seed, m = chance.randbytes(64), chance.randbytes(32)
        ek, dk = kem.keygen(seed)
        their_ek, their_dk = peer.keys(name, seed)
        assert their_ek == ek
        assert their_dk in (None, dk)

        ours = kem.encaps(ek, m)
        shared, ct, used_m = peer.encaps(name, ek, m)
        assert kem.decaps(dk, ct) == shared
        assert peer.decaps(name, seed, dk, ours[1]) == ours[0]
        assert not used_m or (shared, ct) == ours

        turned = flipped(ct, chance.randrange(len(ct)), 1 << chance.randrange(8))
        for wrong in (turned, chance.randbytes(kem.ct_bytes)):
            rejected = kem.decaps(dk, wrong)
            assert rejected == peer.decaps(name, seed, dk, wrong)
            assert rejected != shared


def test_fresh_pairs_are_fresh() -> None:
    """Without a seed each call draws its own."""
    kem, dsa = pqc.MLKEM("ML-KEM-512"), pqc.MLDSA("ML-DSA-44")
    assert len({kem.keygen() for _ in range(4)}) == 4
    assert len({dsa.keygen() for _ in range(4)}) == 4
    ek, dk = kem.keygen()
    made = {kem.encaps(ek) for _ in range(4)}
    assert len(made) == 4
    assert all(kem.decaps(dk, ct) == ss for ss, ct in made)


# ---- ML-DSA ----------------------------------------------------------------------------------------------------------
@few_and_many
@pytest.mark.parametrize("name", pqc.SIGNATURE_SETS)
def test_dsa(dsa_peer: tuple[str, DsaPeer], name: str, many: bool) -> None:
    """Same seeds, same keys and, where the peer signs without randomness, same signatures; each verifies the other's, and none of a changed one."""
    who, peer = dsa_peer
    dsa, chance = pqc.MLDSA(name), random.Random(f"{who} {name} {many}")
    for number in range((MANY_DSA_KEYS if many else DSA_KEYS)[who]):
        seed, message = chance.randbytes(32), chance.randbytes(chance.randrange(300))
        context = chance.randbytes((0, 1, 255, 20)[number % 4])
        pk, sk = dsa.keygen(seed)
        their_pk, their_sk = peer.keys(name, seed)
        assert their_pk == pk
        assert their_sk in (None, sk)
        assert dsa.public_key(sk) == pk

        theirs, deterministic = peer.sign(name, seed, sk, message, context)
        ours = dsa.sign(sk, message, context, deterministic=deterministic)
        assert not deterministic or theirs == ours
        hedged = dsa.sign(sk, message, context)
        assert hedged != ours
        assert dsa.verify(pk, message, theirs, context)
        assert peer.verify(name, pk, message, hedged, context)

        changed = flipped(theirs, chance.randrange(len(theirs)), 1 << chance.randrange(8))
        assert not dsa.verify(pk, message, changed, context)
        assert not peer.verify(name, pk, message, changed, context)
        assert not dsa.verify(pk, message + b"!", theirs, context)
        assert not dsa.verify(pk, message, theirs, context[:-1] if context else b"!")


@pytest.mark.parametrize("name", pqc.SIGNATURE_SETS)
@pytest.mark.parametrize("make_peer", [DilithiumPy, NobleDsa])  # `cryptography` signs no digests
def test_prehashed_messages(make_peer: Callable[[], DsaPeer], name: str) -> None:
    """HashML-DSA by each function that a peer has. Signatures of one kind are none of another."""
    peer = make_peer()
    dsa, chance = pqc.MLDSA(name), random.Random(name)
    seed, message, context = chance.randbytes(32), chance.randbytes(100), b"context"
    pk, sk = dsa.keygen(seed)
    assert peer.hashes
    for hash_ in peer.hashes:
        theirs, _ = peer.sign(name, seed, sk, message, context, hash_)
        assert dsa.sign(sk, message, context, deterministic=True, prehash=hash_) == theirs
        assert dsa.verify(pk, message, theirs, context, prehash=hash_)
        assert peer.verify(name, pk, message, dsa.sign(sk, message, context, prehash=hash_), context, hash_)
        assert not dsa.verify(pk, message, theirs, context)
        other = next(one for one in pqc.PREHASHES if one != hash_)
        assert not dsa.verify(pk, message, theirs, context, prehash=other)
    peer.close()


def test_every_prehash_function() -> None:
    """Each has its own object identifier: a signature verifies by its own function alone, of twelve."""
    dsa = pqc.MLDSA("ML-DSA-44")
    pk, sk = dsa.keygen()
    signatures = {hash_: dsa.sign(sk, b"message", prehash=hash_) for hash_ in pqc.PREHASHES}
    assert len(signatures) == 12
    for hash_, signature in signatures.items():
        valid = [other for other in pqc.PREHASHES if dsa.verify(pk, b"message", signature, prehash=other)]
        assert valid == [hash_]
    with pytest.raises(rs.InputError, match=r"no hash function of ML-DSA\. Did you mean 'SHA2-256'"):
        dsa.sign(sk, b"", prehash="sha2-256")
