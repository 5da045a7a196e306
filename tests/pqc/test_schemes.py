# SPDX-License-Identifier: Apache-2.0
"""The classes of ringside.pqc: sizes, checks, errors, arguments that are bytes in any guise, wiped memory, and consent for research."""

import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import flipped, raises
from ringside import pqc
from ringside.devices import cpu
from ringside.native import library, rng
from ringside.pqc import mldsa, mlkem

KEM, DSA = pqc.MLKEM("ML-KEM-512"), pqc.MLDSA("ML-DSA-44")
EK, DK = KEM.keygen()
SS, CT = KEM.encaps(EK)
PK, SK = DSA.keygen()
SIGNATURE = DSA.sign(SK, b"message")


# ---- sizes -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "sets"), [(pqc.MLKEM, pqc.KEM_SETS), (pqc.MLDSA, pqc.SIGNATURE_SETS)])
def test_the_docstring_has_the_sizes(kind: Any, sets: Any) -> None:
    """They are FIPS 203's table 3 and FIPS 204's table 2; whether the library's are, NIST's answers say (test_standards.py)."""
    rows = re.findall(r"^ +(ML-\w+-\d+) +(\d+) +(\d+) +(\d+) +(\d) ", kind.__doc__, re.MULTILINE)
    assert [row[0] for row in rows] == list(sets)
    for name, public, private, message, category in rows:
        scheme = kind(name)
        sent = scheme.ct_bytes if kind is pqc.MLKEM else scheme.signature_bytes
        found = (scheme.public_bytes, scheme.private_bytes, sent, scheme.category)
        assert found == (int(public), int(private), int(message), int(category))
        assert repr(scheme) == f"{kind.__name__}({name!r})"


def test_bytes_in_any_guise() -> None:
    """bytes, bytearrays, views and arrays of bytes, and parts of larger ones."""
    guises: list[Callable[[bytes], Any]] = [
        bytes, bytearray, memoryview, lambda data: memoryview(b"xx" + data + b"yy")[2:-2],
        lambda data: np.frombuffer(data, np.uint8),
    ]  # fmt: skip
    for guise in guises:
        assert KEM.decaps(guise(DK), guise(CT)) == SS
        assert KEM.decaps(DK, KEM.encaps(guise(EK))[1]) is not None
        assert DSA.verify(guise(PK), guise(b"message"), guise(SIGNATURE))
        assert DSA.verify(PK, b"text", DSA.sign(guise(SK), guise(b"text"), guise(b"about")), guise(b"about"))
        KEM.check(guise(EK), guise(DK))
        DSA.check(guise(PK), guise(SK))
        assert KEM.public_key(guise(DK)) == EK
    assert DSA.verify(PK, b"", DSA.sign(SK, b""))


# ---- errors ----------------------------------------------------------------------------------------------------------
WRONG_LENGTHS: dict[str, tuple[Callable[[], object], str]] = {
    "seed": (lambda: KEM.keygen(bytes(63)), r"MLKEM\.keygen: `seed` has 63 bytes; a seed of ML-KEM-512 has 64\."),
    "ek": (lambda: KEM.encaps(EK[:-1]), r"encaps: `ek` has 799 bytes; an encapsulation key of ML-KEM-512 has 800\."),
    "m": (lambda: KEM.encaps(EK, b"x"), r"encaps: `randomness` has 1 byte; the randomness of ML-KEM-512 has 32\."),
    "dk": (lambda: KEM.decaps(DK + b"x", CT), r"`dk` has 1633 bytes; a decapsulation key of ML-KEM-512 has 1632\."),
    "ct": (lambda: KEM.decaps(DK, b""), r"MLKEM\.decaps: `ct` has 0 bytes; a ciphertext of ML-KEM-512 has 768\."),
    "check ek": (lambda: KEM.check(ek=DK), r"MLKEM\.check: `ek` has 1632 bytes"),
    "check dk": (lambda: KEM.check(dk=EK), r"MLKEM\.check: `dk` has 800 bytes"),
    "xi": (lambda: DSA.keygen(bytes(64)), r"MLDSA\.keygen: `seed` has 64 bytes; a seed of ML-DSA-44 has 32\."),
    "sk": (lambda: DSA.sign(PK, b""), r"MLDSA\.sign: `sk` has 1312 bytes; a secret key of ML-DSA-44 has 2560\."),
    "pk": (lambda: DSA.verify(SK, b"", SIGNATURE), r"`pk` has 2560 bytes; a public key of ML-DSA-44 has 1312\."),
    "context": (lambda: DSA.sign(SK, b"", bytes(256)), r"sign: `context` has 256 bytes; a context has 255 at most\."),
    "context of verify": (lambda: DSA.verify(PK, b"", SIGNATURE, bytes(256)), r"verify: `context` has 256 bytes"),
    "public_key": (lambda: DSA.public_key(b""), r"MLDSA\.public_key: `sk` has 0 bytes"),
    "check pk": (lambda: DSA.check(pk=b""), r"MLDSA\.check: `pk` has 0 bytes"),
}


@pytest.mark.parametrize("what", WRONG_LENGTHS)
def test_wrong_lengths_say_both_lengths(what: str) -> None:
    call, words = WRONG_LENGTHS[what]
    error = raises(rs.InputError, words, call)
    assert re.match(r"(MLKEM|MLDSA)\.\w+: `", error.message)
    assert error.hint


def test_a_signature_of_another_length_is_not_valid() -> None:
    assert DSA.verify(PK, b"message", SIGNATURE)
    for wrong in (b"", SIGNATURE[:-1], SIGNATURE + b"\0"):
        assert not DSA.verify(PK, b"message", wrong)


@pytest.mark.parametrize("wrong", ["text", 5, [1, 2], np.zeros(4), memoryview(bytes(64))[::2], object()])
def test_what_is_not_bytes_is_no_argument(wrong: Any) -> None:
    for call in (
        KEM.keygen,
        KEM.encaps,
        DSA.keygen,
        lambda data: KEM.decaps(DK, data),
        lambda data: DSA.verify(PK, data, SIGNATURE),
    ):
        raises(rs.ArgumentError, r"`\w+` cannot be .*Pass bytes", call, wrong)


def test_unknown_sets_are_told_with_what_was_meant() -> None:
    raises(rs.ParameterError, r"'mlkem768' is no set of ML-KEM\. Did you mean 'ML-KEM-768'\?", pqc.MLKEM, "mlkem768")
    raises(rs.ParameterError, r"no set of ML-DSA\. .*There are ML-DSA-44, ML-DSA-65, ML-DSA-87", pqc.MLDSA, "ML-DSA-66")
    raises(rs.ArgumentError, None, pqc.MLKEM, 768)  # type: ignore[arg-type]


def test_damaged_keys_are_refused_before_they_are_used() -> None:
    """FIPS 203, sections 7.2 and 7.3; FIPS 204 has no such check, ours finds entries out of range and parts of two keys."""
    raises(rs.InputError, "not below its modulus", KEM.encaps, b"\xff" * len(EK))
    for name in pqc.KEM_SETS:  # one coefficient of 4095, one bit of H(ek)
        kem = pqc.MLKEM(name)
        ek, dk = kem.keygen()
        raises(rs.InputError, "not below its modulus", kem.encaps, b"\xff" + ek[1:2] + b"\xff" + ek[3:])
        raises(rs.SecretKeyError, "contradict each other", kem.decaps, flipped(dk, -33), kem.encaps(ek)[1])
    damaged = flipped(DK, 800)  # in ek
    for call in (lambda: KEM.decaps(damaged, CT), lambda: KEM.check(dk=damaged), lambda: KEM.public_key(damaged)):
        raises(rs.SecretKeyError, "contradict each other", call)
    eta = bytearray(SK)
    eta[128] |= 7  # the first entry of s1 would be -5
    raises(rs.SecretKeyError, None, DSA.sign, eta, b"")
    t0 = flipped(SK, -1, 0x80)
    for call in (lambda: DSA.public_key(t0), lambda: DSA.check(sk=t0)):
        raises(rs.SecretKeyError, "out of range or contradict each other", call)


def test_pairs_are_told_from_strangers() -> None:
    KEM.check()
    checks: list[Any] = [(KEM.check, (EK, DK), KEM.keygen()), (DSA.check, (PK, SK), DSA.keygen())]
    for check, mine, other in checks:
        check(*mine)
        check(*other)
        for mixed in ((mine[0], other[1]), (other[0], mine[1])):
            assert raises(rs.SecretKeyError, "are not one pair", check, *mixed).code == "KEY_PAIR"


# ---- secrets ---------------------------------------------------------------------------------------------------------
def test_memory_that_held_a_secret_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the library writes secrets into, and every workspace, is zero when the call has returned."""
    held: list[tuple[bytes, bytes]] = []  # content before and after the wiping of each piece

    def wiped(raw: Any) -> None:
        before = bytes(library.ffi.buffer(raw))
        library._wipe(raw)
        held.append((before, bytes(library.ffi.buffer(raw))))

    allocate = library.ffi.new_allocator(library._allocate, wiped, should_clear_after_alloc=False)

    def secret(count: int) -> Any:
        return allocate("uint8_t[]", count)

    for module in (cpu, rng, mlkem, mldsa):
        monkeypatch.setattr(module, "secret_bytes", secret)
    _, dk = KEM.keygen()
    ss, ct = KEM.encaps(EK)
    assert KEM.decaps(DK, ct) == ss
    _, sk = DSA.keygen()
    DSA.sign(sk, b"")
    before = [one for one, _ in held]
    assert not any(any(after) for _, after in held)
    for result in (dk, ss, sk):
        assert result in before  # it was there, and has gone
    assert before.count(ss) == 2
    workspaces = [one for one in before if len(one) > len(sk)]
    assert len(workspaces) == 5
    assert not any(map(any, workspaces))  # by the library, before it returned


def test_that_memory_is_the_one_that_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test above puts in the place of secret_bytes does as secret_bytes does: a piece is wiped with its last reference."""
    wiped: list[bytes] = []

    class Watched:
        """The library, with a note of what is wiped."""

        def rs_zeroize(self, memory: Any, size: int) -> None:
            wiped.append(bytes(library.ffi.buffer(memory, size)))

    memory = library.secret_bytes(5)
    library.ffi.memmove(memory, b"12345", 5)
    copy = library.get_bytes(memory, 5)
    monkeypatch.setattr(library, "lib", Watched())
    assert not wiped
    del memory
    assert wiped == [copy] == [b"12345"]


def test_threads_share_an_object() -> None:
    kem = pqc.MLKEM()
    wrong: list[object] = []

    def work() -> None:
        for _ in range(20):
            ek, dk = kem.keygen()
            ss, ct = kem.encaps(ek)
            if kem.decaps(dk, ct) != ss:
                wrong.append(ek)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- for research ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "words"), [(pqc.NewHope, "passive attackers alone"), (pqc.Bliss, "side channels")])
def test_research_needs_consent(kind: Any, words: str) -> None:
    for arguments in ({}, {"research": False}):
        caught = raises(rs.ParameterError, rf"is for research only: .*{words}.*Pass research=True", kind, **arguments)
        assert caught.code == "RS_ERR_CONSENT"
    raises(rs.ArgumentError, None, kind, research=1)
    assert repr(kind(research=True)) == f"{kind.__name__}(research=True)"


@pytest.mark.parametrize("parse", ["usenix", "5q"])
def test_newhope(parse: Any) -> None:
    hope = pqc.NewHope(research=True, parse=parse)
    for _ in range(5):
        message, secret = hope.server()
        answer, theirs = hope.client(message)
        assert hope.shared(secret, answer) == theirs
        assert (len(message), len(answer), len(theirs)) == (1824, 2048, 32)
    seeds = bytes(32), bytes(range(32))
    assert hope.server(seeds) == hope.server(seeds) != hope.server((seeds[1], seeds[0]))
    other = pqc.NewHope(research=True, parse="5q" if parse == "usenix" else "usenix")
    assert other.server(seeds)[0] != hope.server(seeds)[0]
    assert hope.client(message, seeds[0]) == hope.client(message, seeds[0])
    raises(rs.InputError, r"`server_message` has 1823 bytes; a server's message has 1824", hope.client, message[1:])
    raises(rs.WireError, None, hope.client, b"\xff" * 1824)
    raises(rs.InputError, r"`seeds` has 31 bytes", hope.server, (bytes(32), bytes(31)))


def test_bliss() -> None:
    bliss = pqc.Bliss(research=True)
    pk, sk = bliss.keygen()
    signature = bliss.sign(sk, b"message")
    assert (len(pk), len(sk), len(signature)) == (896, 1152, 1050)
    assert bliss.verify(pk, b"message", signature)
    assert not bliss.verify(pk, b"massage", signature)
    assert not bliss.verify(bliss.keygen()[0], b"message", signature)
    assert not bliss.verify(pk, b"message", signature[:-1])
    assert not bliss.verify(pk, b"message", flipped(signature, 0))
    seed = bytes(range(64))
    assert bliss.keygen(seed) == bliss.keygen(seed)
    assert bliss.sign(sk, b"", seed) == bliss.sign(sk, b"", seed) != bliss.sign(sk, b"")
    raises(rs.InputError, "`sk` has 896 bytes; a secret key of BLISS-BI has 1152", bliss.sign, pk, b"")
    raises((rs.SecretKeyError, rs.WireError), None, bliss.sign, bytes(1152), b"")
