# SPDX-License-Identifier: Apache-2.0
"""Key files: other libraries read ours and we read theirs, in PEM and DER, in all three forms; and what is damaged or wrong is refused."""

import base64
import random
import re
import string
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from dilithium_py import ml_dsa
from dilithium_py.ml_dsa import pkcs as dilithium_files
from kyber_py import ml_kem
from kyber_py.ml_kem import pkcs as kyber_files

import ringside as rs
from asserting import flipped, raises
from ringside import pqc
from ringside.pqc import der, pem
from ringside.pqc.key_files import Encoding, PrivateForm

NAMES = (*pqc.KEM_SETS, *pqc.SIGNATURE_SETS)
OPENSSL = tuple(name for name in NAMES if name != "ML-KEM-512")  # which `cryptography` has not
FORMS: tuple[PrivateForm, ...] = ("seed", "expanded", "both")
ENCODINGS: tuple[Encoding, ...] = ("pem", "der")


def scheme(name: str) -> pqc.MLKEM | pqc.MLDSA:
    return pqc.MLKEM(name) if name in pqc.KEM_SETS else pqc.MLDSA(name)


def pair_of(name: str) -> pqc.StoredPrivateKey:
    """A pair whose seed counts from 0, as in the examples of both RFCs."""
    one = scheme(name)
    seed = bytes(range(one.seed_bytes))
    return pqc.StoredPrivateKey(one, *one.keygen(seed), seed)


def parts(key: pqc.StoredPrivateKey, *, with_seed: bool = True) -> tuple[str, bytes, bytes, bytes | None]:
    """What a private key consists of, to compare two."""
    return key.scheme.name, key.public, key.expanded, key.seed if with_seed else None


def their_files(name: str) -> tuple[Any, Any]:
    """The module for key files and the set's object of kyber-py or dilithium-py."""
    word = name.replace("-", "_")
    if name in pqc.KEM_SETS:
        return kyber_files, getattr(ml_kem, word)
    return dilithium_files, getattr(ml_dsa, word)


# ---- both ways -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", OPENSSL)
def test_openssl_reads_and_writes_the_same_files(name: str) -> None:
    """By `cryptography`: the same bytes for a public key, and for a private one as its seed."""
    key = pair_of(name)
    secret: Any = serialization.load_pem_private_key(pqc.encode_private_key(key), None)
    assert secret.private_bytes_raw() == key.seed
    public: Any = serialization.load_der_public_key(pqc.encode_public_key(key.scheme, key.public, "der"))
    assert public.public_bytes_raw() == key.public
    for encoding in ENCODINGS:
        kind = getattr(serialization.Encoding, encoding.upper())
        written = secret.private_bytes(kind, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        assert written == pqc.encode_private_key(key, encoding)
        assert parts(pqc.decode_private_key(written)) == parts(key)
        written = public.public_bytes(kind, serialization.PublicFormat.SubjectPublicKeyInfo)
        assert written == pqc.encode_public_key(key.scheme, key.public, encoding)
        assert pqc.decode_public_key(written).public == key.public


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_python_libraries_read_and_write_the_same_files(name: str, form: PrivateForm) -> None:
    """kyber-py and dilithium-py have all sets and forms."""
    key, (files, their_set) = pair_of(name), their_files(name)
    letters = ("ek", "dk") if name in pqc.KEM_SETS else ("pk", "sk")
    for encoding in ENCODINGS:
        ours = pqc.encode_private_key(key, encoding, form)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _, secret, seed, public = getattr(files, f"{letters[1]}_from_{encoding}")(ours)
        assert (secret, public) == (key.expanded, key.public)
        assert seed == (key.seed if form != "expanded" else None)
        made = getattr(files, f"{letters[1]}_to_{encoding}")(their_set, key.expanded, key.seed, form=form)
        assert parts(pqc.decode_private_key(as_bytes(made))) == parts(key, with_seed=form != "expanded")
        assert encoding == "pem" or made == ours

        ours = pqc.encode_public_key(key.scheme, key.public, encoding)
        assert getattr(files, f"{letters[0]}_from_{encoding}")(ours)[1] == key.public
        made = getattr(files, f"{letters[0]}_to_{encoding}")(their_set, key.public)
        assert pqc.decode_public_key(as_bytes(made)).public == key.public


def as_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@pytest.mark.parametrize("name", NAMES)
def test_raw_files(name: str) -> None:
    """The bytes of the standard, where the set is named; a seed or an expanded key is known by its length."""
    key = pair_of(name)
    assert pqc.encode_private_key(key, "raw") == key.seed
    assert pqc.encode_private_key(key, "raw", "expanded") == key.expanded
    assert pqc.encode_public_key(key.scheme, key.public, "raw") == key.public
    assert parts(pqc.decode_private_key(key.seed or b"", raw=key.scheme)) == parts(key)
    assert parts(pqc.decode_private_key(key.expanded, raw=key.scheme)) == parts(key, with_seed=False)
    assert pqc.decode_public_key(key.public, raw=key.scheme).public == key.public
    with pytest.raises(
        rs.WireError, match=r"The key has 7 bytes; a seed of .* has \d+ and an expanded key of .* has \d+"
    ):
        pqc.decode_private_key(bytes(7), raw=key.scheme)
    raises(rs.InputError, "Raw files hold one form", pqc.encode_private_key, key, "raw", "both")


def test_a_key_without_a_seed_is_written_expanded_alone() -> None:
    key = pair_of("ML-KEM-512")
    bare = pqc.decode_private_key(pqc.encode_private_key(key, "der", "expanded"))
    assert bare.seed is None
    assert pqc.encode_private_key(bare, "pem", "expanded") == pqc.encode_private_key(key, "pem", "expanded")
    for form in ("seed", "both"):
        raises(rs.InputError, "came without its seed", pqc.encode_private_key, bare, form=form)


def test_fresh_keys_are_shown_without_their_secrets() -> None:
    key = pqc.new_private_key(pqc.MLDSA("ML-DSA-44"))
    assert key.seed is not None
    assert key != pqc.new_private_key(pqc.MLDSA("ML-DSA-44"))
    assert repr(key) == "StoredPrivateKey(scheme=MLDSA('ML-DSA-44'))"


# ---- what is wrong is refused ----------------------------------------------------------------------------------------
def wrapped(name: str, choice: bytes, *more: bytes, version: int = 0, algorithm: bytes = b"") -> bytes:
    """OneAsymmetricKey around the CHOICE of a private key. algorithm: what is in the AlgorithmIdentifier, by default the set's identifier."""
    named = der.sequence(algorithm or der.object_identifier(scheme(name).oid))
    return der.sequence(der.encode(der.INTEGER, bytes([version])), named, der.encode(der.OCTET_STRING, choice), *more)


def octets(content: bytes) -> bytes:
    return der.encode(der.OCTET_STRING, content)


@pytest.mark.parametrize("name", NAMES)
def test_two_forms_that_are_two_keys(name: str) -> None:
    """RFC 9935, section 8, and RFC 9881, section 8.2: the seed is expanded and compared, every byte of it."""
    key, chance = pair_of(name), random.Random(name)
    assert parts(
        pqc.decode_private_key(wrapped(name, der.sequence(octets(key.seed or b""), octets(key.expanded))))
    ) == parts(key)
    for _ in range(20):
        at = chance.randrange(len(key.expanded))
        other = flipped(key.expanded, at, 1 << chance.randrange(8))
        with pytest.raises(rs.SecretKeyError, match="are two keys"):
            pqc.decode_private_key(wrapped(name, der.sequence(octets(key.seed or b""), octets(other))))


@pytest.mark.parametrize("name", NAMES)
def test_an_expanded_key_that_contradicts_itself(name: str) -> None:
    """ML-KEM: its ek is not that of the hash in it. ML-DSA: t0 or the hash of the public key is not that of its vectors."""
    key = pair_of(name)
    middle = len(key.expanded) - 40 if name in pqc.KEM_SETS else len(key.expanded) - 1
    raises(rs.SecretKeyError, None, pqc.decode_private_key, wrapped(name, octets(flipped(key.expanded, middle))))


def test_versions_attributes_and_public_keys() -> None:
    """RFC 5958: version 2 has the public key, which is compared, and version 1 has none; attributes are passed over."""
    name = "ML-KEM-768"
    key = pair_of(name)
    seed = der.encode(0x80, key.seed or b"")
    public, attributes = der.encode(0x81, b"\0" + key.public), der.encode(0xA0, b"\x30\x00")
    for good in (
        wrapped(name, seed, public, version=1),
        wrapped(name, seed, attributes, public, version=1),
        wrapped(name, seed, attributes),
    ):
        assert parts(pqc.decode_private_key(good)) == parts(key)
    other = der.encode(0x81, b"\0" + pair_of("ML-KEM-512").public)
    with pytest.raises(rs.SecretKeyError, match="not that of its private key"):
        pqc.decode_private_key(wrapped(name, seed, other, version=1))
    for bad, says in (
        (wrapped(name, seed, public), "version 1, and has a public key"),
        (wrapped(name, seed, attributes, public), "version 1, and has a public key"),
        (wrapped(name, seed, version=1), "version 2, and has no public key"),
        (wrapped(name, seed, attributes, version=1), "version 2, and has no public key"),
        (wrapped(name, seed, public, attributes, version=1), "that nothing explains"),
        (wrapped(name, seed, version=2), "version 3; 1 and 2 are known"),
    ):
        raises(rs.WireError, says, pqc.decode_private_key, bad)


KEM_768, DSA_44 = pair_of("ML-KEM-768"), pair_of("ML-DSA-44")
PAIR_768 = KEM_768.scheme, KEM_768.public
OID_768, OID_65 = (der.object_identifier(f"2.16.840.1.101.3.4.{end}") for end in ("4.2", "3.18"))
PUBLIC_768 = pqc.encode_public_key(KEM_768.scheme, KEM_768.public, "der")
PRIVATE_768 = pqc.encode_private_key(KEM_768, "der")
SEED_768, OCTETS_768 = der.encode(0x80, KEM_768.seed or b""), octets(KEM_768.seed or b"")
PEM_768 = pqc.encode_private_key(KEM_768)
X25519 = "302e020100300506032b656e042204207c7fe4f4ac7b5b6ea1b0a1de4f6b1ca0e6c6d3f1e2a5b4c3d2e1f0a9b8c7d6e5"


def next_digit(found: re.Match[bytes]) -> bytes:
    """The last digit of base64 before the padding is the next one: of its six bits the last two belong to no byte."""
    digits = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    return found[0].replace(found[1] + b"=", digits[digits.index(found[1].decode()) + 1].encode() + b"=")


BAD_PRIVATE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "no private key in PEM or DER"),
    "text": (b"hello\n", "no private key in PEM or DER"),
    "a public key": (PUBLIC_768, "This is a public key, and a private one was expected"),
    "a public key in PEM": (pqc.encode_public_key(*PAIR_768), "labelled PUBLIC KEY, and PRIVATE KEY was expected"),
    "an encrypted key": (PEM_768.replace(b"PRIVATE KEY", b"ENCRYPTED PRIVATE KEY"), "encrypted keys are not read"),
    "another algorithm": (bytes.fromhex(X25519), r"not known here, 1\.3\.101\.110"),
    "OID of another set": (PRIVATE_768.replace(OID_768, OID_65), "The key has 64 bytes; a seed of ML-DSA-65 has 32"),
    "trailing byte": (PRIVATE_768 + b"\0", "followed by 1 byte that"),
    "parameters": (wrapped("ML-KEM-768", SEED_768, algorithm=OID_768 + b"\x05\0"), "algorithm is followed by 2 bytes"),
    "seed as OCTET STRING": (wrapped("ML-KEM-768", OCTETS_768), "The key has 64 bytes; an expanded key"),
    "seed constructed": (wrapped("ML-KEM-768", der.encode(0xA0, KEM_768.seed or b"")), "tag 0xa0"),
    "seed too short": (wrapped("ML-KEM-768", der.encode(0x80, bytes(63))), "The key has 63 bytes; a seed"),
    "no key at all": (wrapped("ML-KEM-768", b""), "ends where expanded key should be"),
    "two seeds": (wrapped("ML-KEM-768", SEED_768 * 2), "followed by 66 bytes"),
    "half of both": (wrapped("ML-KEM-768", der.sequence(OCTETS_768)), "ends where expanded key"),
    "length in too many bytes": (b"\x30\x81" + PRIVATE_768[1:], "no length that DER allows"),
    "indefinite length": (b"\x30\x80" + PRIVATE_768[2:] + b"\0\0", "no length that DER allows"),
    "a length of 5 bytes": (b"\x30\x85\x01\0\0\0\0" + PRIVATE_768[2:], "no length that DER allows"),
    "no end line": (PEM_768.replace(b"-----END", b"----END"), "no line -----END PRIVATE KEY-----"),
    "another end": (PEM_768.replace(b"-----END PRIVATE", b"-----END PUBLIC"), "no line -----END PRIVATE KEY-----"),
    "two blocks": (PEM_768 * 2, "Something follows the PEM block"),
    "text behind": (PEM_768 + b"x", "Something follows the PEM block"),
    "no base64": (PEM_768.replace(b"MFQC", b"MF*C"), "not base64"),
    "padding": (PEM_768.replace(b"\n-----END", b"=\n-----END"), "not base64|mean nothing"),
    "bits that mean nothing": (re.sub(rb"(.)=\n-----END", next_digit, PEM_768), "ends in bits that mean nothing"),
}


@pytest.mark.parametrize("what", BAD_PRIVATE)
def test_wrong_private_keys(what: str) -> None:
    data, words = BAD_PRIVATE[what]
    raises(rs.WireError, words, pqc.decode_private_key, data)


def public_768(algorithm: bytes = OID_768, key: bytes = KEM_768.public) -> bytes:
    return der.sequence(der.sequence(algorithm), der.bit_string(key))


DAMAGED_OID = "OBJECT IDENTIFIER of the algorithm is damaged"
BAD_PUBLIC: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "no public key in PEM or DER"),
    "a private key": (PRIVATE_768, "This is a private key, and a public one was expected"),
    "a private key in PEM": (PEM_768, "labelled PRIVATE KEY, and PUBLIC KEY was expected"),
    "a certificate": (pem.encode("CERTIFICATE", PUBLIC_768), "labelled CERTIFICATE"),
    "trailing bytes": (PUBLIC_768 + b"\0\0", "followed by 2 bytes that"),
    "another length": (public_768(key=KEM_768.public[1:]), "The key has 1183 bytes"),
    "unused bits": (PUBLIC_768.replace(b"\x03\x82\x04\xa1\0", b"\x03\x82\x04\xa1\1"), "no string of whole bytes"),
    "an octet string": (der.sequence(der.sequence(OID_768), octets(KEM_768.public)), "and not a BIT STRING"),
    "a coefficient of 4095": (public_768(key=b"\xff" * 3 + KEM_768.public[3:]), "not below its modulus"),
    "a broken OID": (PUBLIC_768.replace(OID_768, OID_768[:-1] + b"\x82"), DAMAGED_OID),
    "an OID with a digit too many": (public_768(der.encode(0x06, OID_768[2:-1] + b"\x80" + OID_768[-1:])), DAMAGED_OID),
    # a number whose digits Python does not print, and one that takes hours to be put together
    **{
        f"an OID of {size} bytes": (public_768(der.encode(0x06, b"\x60" + b"\xff" * size + b"\x7f")), DAMAGED_OID)
        for size in (2100, 1 << 20)
    },
    "parameters": (public_768(OID_768 + b"\x05\0"), "algorithm is followed by 2 bytes"),
    "no OID": (public_768(b""), "ends where identifier should be"),
    "an empty sequence": (b"\x30\0", "no key in PEM or DER"),
}


@pytest.mark.parametrize("what", BAD_PUBLIC)
def test_wrong_public_keys(what: str) -> None:
    data, words = BAD_PUBLIC[what]
    raises(rs.WireError, words, pqc.decode_public_key, data)


def test_what_may_stand_around_a_pem_block() -> None:
    """RFC 7468: text before it, blanks behind its lines, other line ends and widths. The key is the same."""
    lines = PEM_768.splitlines()
    for data in (
        b"Key of Alice\nand a second line\n" + PEM_768,
        b"\r\n".join(lines) + b"\r\n",
        PEM_768 + b"\n \n",
        b"\n".join([lines[0], b"".join(lines[1:-1]), lines[-1]]),
        b"\n".join(line + b"  " for line in lines),
    ):
        assert parts(pqc.decode_private_key(data)) == parts(KEM_768)


# ---- hostile files ---------------------------------------------------------------------------------------------------
def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def flip(data: bytes, chance: random.Random) -> bytes:
    """A bit of the head, where the structure is, or of anything."""
    at = chance.choice((chance.randrange(min(40, len(data))), chance.randrange(len(data))))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def longer(data: bytes, chance: random.Random) -> bytes:
    return data + chance.randbytes(chance.choice((1, 8, 100)))


def inside(data: bytes, chance: random.Random) -> bytes:
    """Bytes are taken out, or put in."""
    at = chance.randrange(len(data))
    return data[:at] + chance.choice((b"", b"\0", b"\x80", b"\xff\xff")) + data[at + chance.randrange(3) :]


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (cut, flip, flip, longer, inside)


@pytest.mark.parametrize("cases", [60, pytest.param(3000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("form", [*FORMS, "public"])
@pytest.mark.parametrize("name", NAMES)
def test_damaged_files(name: str, form: PrivateForm | str, cases: int) -> None:
    """Each is refused with an error of ours, or is another key of the same set: a seed or a public key has no checksum."""
    key, chance = pair_of(name), random.Random(f"{name} {form}")
    refused = 0
    for case in range(cases):
        encoding = ENCODINGS[case % 2]
        if form == "public":
            data, read = pqc.encode_public_key(key.scheme, key.public, encoding), pqc.decode_public_key
        else:
            data, read = pqc.encode_private_key(key, encoding, form), pqc.decode_private_key  # type: ignore[assignment, arg-type]
        bad = DAMAGES[case % len(DAMAGES)](data, chance)
        try:
            found = read(bad)
        except (rs.WireError, rs.SecretKeyError):
            refused += 1
        else:
            assert found.scheme.name in NAMES
            assert len(found.public) == found.scheme.public_bytes
            if form == "both":  # nothing of it can change unseen
                assert found.public == key.public
    assert refused > cases // 2
    assert refused < cases or form in ("expanded", "both")


def test_noise_is_refused() -> None:
    """Random bytes that begin as DER, or as a PEM block of them."""
    chance = random.Random("noise")
    for _ in range(200):
        noise = b"\x30" + chance.randbytes(chance.randrange(100))
        for data in (noise, pem.encode(pem.PRIVATE, noise), b"-----BEGIN PRIVATE KEY-----\n" + base64.b64encode(noise)):
            raises(rs.WireError, None, pqc.decode_private_key, data)
