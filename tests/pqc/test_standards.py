# SPDX-License-Identifier: Apache-2.0
"""NIST's answers (ACVP) for ML-KEM and ML-DSA, and Project Wycheproof's cases for ML-DSA: every one, on the C library through the package."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import ringside as rs
from asserting import raises
from pqc.vectors import DSA, KEM, Case, acvp, wycheproof
from ringside import pqc
from ringside.native.library import check, lib, request, secret_bytes, span

SETS = ("44", "65", "87")


def data(case: Case, name: str) -> bytes:
    return bytes.fromhex(case[name])


def counts(cases: list[Case], *keys: str) -> set[int]:
    """How many cases there are of each value of these fields: NIST's files have equally many."""
    return set(Counter(tuple(str(case.get(key)) for key in keys) for case in cases).values())


# ---- ML-KEM ----------------------------------------------------------------------------------------------------------
def test_acvp_kem_keys() -> None:
    cases = list(acvp(KEM / "ML-KEM-keyGen-FIPS203"))
    assert counts(cases, "parameterSet") == {25}
    assert len(cases) == 75
    kem_keys_are_nists(pqc.MLKEM)


def kem_keys_are_nists(kem_of: Callable[[str], pqc.MLKEM]) -> None:
    for case in acvp(KEM / "ML-KEM-keyGen-FIPS203"):
        pair = kem_of(case["parameterSet"]).keygen(data(case, "d") + data(case, "z"))
        assert pair == (data(case, "ek"), data(case, "dk")), case["tcId"]


def test_acvp_encapsulation_and_decapsulation() -> None:
    cases = list(acvp(KEM / "ML-KEM-encapDecap-FIPS203"))
    assert Counter(case["function"] for case in cases) == {"encapsulation": 75, "decapsulation": 30}
    kem_secrets_are_nists(pqc.MLKEM)


def kem_secrets_are_nists(kem_of: Callable[[str], pqc.MLKEM]) -> None:
    for case in acvp(KEM / "ML-KEM-encapDecap-FIPS203"):
        kem = kem_of(case["parameterSet"])
        if case["function"] == "encapsulation":
            assert kem.encaps(data(case, "ek"), data(case, "m")) == (data(case, "k"), data(case, "c")), case["tcId"]
        else:  # among them ciphertexts that nobody made: implicit rejection
            assert kem.decaps(data(case, "dk"), data(case, "c")) == data(case, "k"), case["tcId"]


# ---- ML-DSA ----------------------------------------------------------------------------------------------------------
def test_acvp_signature_keys() -> None:
    cases = list(acvp(DSA / "ML-DSA-keyGen-FIPS204"))
    assert counts(cases, "parameterSet") == {25}
    assert len(cases) == 75
    signature_keys_are_nists(pqc.MLDSA)


def signature_keys_are_nists(signer_of: Callable[[str], pqc.MLDSA]) -> None:
    for case in acvp(DSA / "ML-DSA-keyGen-FIPS204"):
        pair = signer_of(case["parameterSet"]).keygen(data(case, "seed"))
        assert pair == (data(case, "pk"), data(case, "sk")), case["tcId"]


def internal(call: str, case: Case, memory: str = "workspace", **members: Any) -> int:
    """The status of signing or verifying bytes as they are (FIPS 204, algorithms 7 and 8), which the package has no name for."""
    number = pqc.SIGNATURE_SETS[case["parameterSet"]].number
    members |= {"set": number, "workspace": secret_bytes(getattr(lib.rs_mldsa_sizes(number), memory))}
    members["message"] = {"form": lib.RS_MLDSA_INTERNAL, "bytes": span(data(case, "message"))}
    return int(getattr(lib, f"rs_mldsa_{call}")(request(f"rs_mldsa_{call}_request_t", **members)))


def test_acvp_signing() -> None:
    cases = list(acvp(DSA / "ML-DSA-sigGen-FIPS204"))
    assert counts(cases, "parameterSet", "deterministic") == {10}
    assert len(cases) == 60
    for case in cases:
        signature = bytearray(pqc.MLDSA(case["parameterSet"]).signature_bytes)
        random = {"mode": lib.RS_MLDSA_DETERMINISTIC}
        if not case["deterministic"]:
            random = {"mode": lib.RS_MLDSA_GIVEN, "rnd": data(case, "rnd")}
        for memory in ("workspace", "small_workspace"):
            check(internal("sign", case, memory, sk=data(case, "sk"), signature=signature, **random))
            assert signature == data(case, "signature"), case["tcId"]


def test_acvp_verification() -> None:
    cases = list(acvp(DSA / "ML-DSA-sigVer-FIPS204"))
    assert counts(cases, "parameterSet") == {15}
    assert len(cases) == 45
    assert sum(case["testPassed"] for case in cases) == 9
    for case in cases:
        for memory in ("workspace", "small_verify_workspace"):
            status = internal("verify", case, memory, pk=data(case, "pk"), signature=data(case, "signature"))
            assert status == (0 if case["testPassed"] else lib.RS_ERR_SIGNATURE), case["tcId"]


@pytest.mark.parametrize("number", SETS)
def test_wycheproof_verification(number: str) -> None:
    """A wrong length of a key, or of a context, is an error; anything else that is invalid does not verify."""
    dsa = pqc.MLDSA(f"ML-DSA-{number}")
    cases = list(wycheproof(f"mldsa_{number}_verify_test.json.gz"))
    assert len(cases) == {"44": 80, "65": 83, "87": 76}[number]
    for case in cases:
        arguments = (
            data(case, "publicKey"), data(case, "msg"), data(case, "sig"),
            data(case | {"ctx": case.get("ctx", "")}, "ctx"),
        )  # fmt: skip
        if {"IncorrectPublicKeyLength", "InvalidContext"} & set(case["flags"]):
            raises(rs.InputError, r"has \d+ bytes", dsa.verify, *arguments)
        else:
            assert dsa.verify(*arguments) == (case["result"] == "valid"), (case["tcId"], case["comment"])


@pytest.mark.parametrize("seeded", [True, False])
@pytest.mark.parametrize("number", SETS)
def test_wycheproof_signing(number: str, seeded: bool) -> None:
    """Deterministic signatures of keys that are given as seeds, or as bytes: of those some are of a wrong length, or none that key generation makes."""
    kind = "seed" if seeded else "noseed"
    name = f"{kind}_sign" if number == "65" else f"sign_{kind}"
    dsa = pqc.MLDSA(f"ML-DSA-{number}")
    cases = list(wycheproof(f"mldsa_{number}_{name}_test.json.gz"))
    assert len(cases) == {"44": (65, 59), "65": (67, 63), "87": (58, 54)}[number][seeded]
    for case in cases:
        context = bytes.fromhex(case.get("ctx", ""))
        sk = dsa.keygen(data(case, "privateSeed"))[1] if seeded else data(case, "privateKey")
        if case["result"] == "valid":
            assert dsa.sign(sk, data(case, "msg"), context, deterministic=True) == data(case, "sig"), case["tcId"]
        else:
            kind_of_error = rs.SecretKeyError if "InvalidPrivateKey" in case["flags"] else rs.InputError
            raises(kind_of_error, None, dsa.sign, sk, data(case, "msg"), context, deterministic=True)
