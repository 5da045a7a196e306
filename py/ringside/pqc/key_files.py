# SPDX-License-Identifier: Apache-2.0
"""Files of keys: SubjectPublicKeyInfo and OneAsymmetricKey (RFC 5958), in PEM or DER, as RFC 9935 and RFC 9881 fill them for ML-KEM and ML-DSA.

A private key stands in one of three forms: its seed, the expanded key of the standard, or both. The seed is what we write: it is short, the other
form follows from it, and not the other way round. All three are read, and what can be checked of them is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hmac import compare_digest
from typing import Literal

from ..arguments import checked
from ..errors import InputError, RingsideError, SecretKeyError
from ..native.library import BytesLike
from . import pem
from .buffers import random_bytes
from .der import (
    BIT_STRING,
    INTEGER,
    OBJECT_IDENTIFIER,
    OCTET_STRING,
    SEQUENCE,
    DerValues,
    bit_string,
    context_tag,
    dotted,
    encode,
    key_file_error,
    object_identifier,
    sequence,
)
from .mldsa import MLDSA
from .mlkem import MLKEM
from .names import KEM_SETS, SIGNATURE_SETS

Encoding = Literal["pem", "der", "raw"]
PrivateForm = Literal["seed", "expanded", "both"]

_SEED = context_tag(0)
_ATTRIBUTES = context_tag(0, constructed=True)
_PUBLIC = context_tag(1)
_V1, _V2 = 0, 1  # versions of OneAsymmetricKey; V2 may have the public key
_WHOLE = "The file is damaged, or was made by something else."
_MAKERS: dict[str, Callable[[], MLKEM | MLDSA]] = {
    **{one.oid: partial(MLKEM, one.name) for one in KEM_SETS.values()},
    **{one.oid: partial(MLDSA, one.name) for one in SIGNATURE_SETS.values()},
}


@dataclass(frozen=True)
class StoredPublicKey:
    """A public key with the set that it belongs to: `ek` of ML-KEM, `pk` of ML-DSA."""

    scheme: MLKEM | MLDSA
    public: bytes = field(repr=False)


@dataclass(frozen=True)
class StoredPrivateKey:
    """A private key with its set and its public key. seed: None if the file has only the expanded key, of which no seed can be made."""

    scheme: MLKEM | MLDSA
    public: bytes = field(repr=False)
    expanded: bytes = field(repr=False)
    seed: bytes | None = field(repr=False)


@checked
def new_private_key(scheme: MLKEM | MLDSA) -> StoredPrivateKey:
    """A fresh key pair, with its seed: 64 bytes of ML-KEM, 32 of ML-DSA, from the operating system."""
    return _from_seed(scheme, random_bytes(scheme.seed_bytes))


# ---- writing ---------------------------------------------------------------------------------------------------------
@checked
def encode_public_key(scheme: MLKEM | MLDSA, public: BytesLike, encoding: Encoding = "pem") -> bytes:
    """A file of a public key. InputError: the key has another length than the set's, or is none."""
    _check_public(scheme, public)
    if encoding == "raw":
        return bytes(public)
    data = sequence(_algorithm(scheme), bit_string(bytes(public)))
    return data if encoding == "der" else pem.encode(pem.PUBLIC, data)


@checked
def encode_private_key(key: StoredPrivateKey, encoding: Encoding = "pem", form: PrivateForm = "seed") -> bytes:
    """A file of a private key. It is secret, and not encrypted. InputError: there is no seed, or the form has no raw encoding."""
    if form != "expanded" and key.seed is None:
        hint = "Write the expanded form: no seed can be computed from it."
        raise InputError("KEY_FORM", f"This key of {key.scheme.name} came without its seed.", hint)
    seed = key.seed or b""
    if encoding == "raw":
        if form == "both":
            raise InputError("KEY_FORM", "Raw files hold one form of a key.", "Write the seed, or the expanded key.")
        return key.expanded if form == "expanded" else seed
    forms = {
        "seed": encode(_SEED, seed),
        "expanded": encode(OCTET_STRING, key.expanded),
        "both": sequence(encode(OCTET_STRING, seed), encode(OCTET_STRING, key.expanded)),
    }
    version = encode(INTEGER, bytes([_V1]))
    data = sequence(version, _algorithm(key.scheme), encode(OCTET_STRING, forms[form]))
    return data if encoding == "der" else pem.encode(pem.PRIVATE, data)


def _algorithm(scheme: MLKEM | MLDSA) -> bytes:
    """AlgorithmIdentifier; the parameters are absent (RFC 9935, section 3; RFC 9881, section 2)."""
    return sequence(object_identifier(scheme.oid))


# ---- reading ---------------------------------------------------------------------------------------------------------
@checked
def decode_public_key(data: BytesLike, raw: MLKEM | MLDSA | None = None) -> StoredPublicKey:
    """The key of a file, in PEM or DER. raw: the set, if the file is the key's bytes and nothing else.

    WireError: damaged, of another kind or of an algorithm that is not known here; a key that is none.
    """
    if raw is not None:
        return _public(raw, _sized(data, {raw.public_bytes: "a public key"}, raw))
    fields = _fields(data, pem.PUBLIC, "public key")
    scheme = _scheme(fields)
    public = bytes(fields.bits(BIT_STRING, "key"))
    fields.end()
    return _public(scheme, _sized(public, {scheme.public_bytes: "a public key"}, scheme))


@checked
def decode_private_key(data: BytesLike, raw: MLKEM | MLDSA | None = None) -> StoredPrivateKey:
    """The key of a file, in PEM or DER. raw: the set, if the file is the bytes of a seed or an expanded key and nothing else.

    WireError: damaged, of another kind or of an algorithm that is not known here. SecretKeyError: a key that key generation does not make, or two
    forms of it, or a public key beside it, that do not belong together.
    """
    if raw is not None:
        sizes = {raw.seed_bytes: "a seed", raw.private_bytes: "an expanded key"}
        content = _sized(data, sizes, raw)
        return _from_seed(raw, content) if len(content) == raw.seed_bytes else _from_expanded(raw, content)
    fields = _fields(data, pem.PRIVATE, "private key")
    if fields.next_tag() == SEQUENCE:
        hint = "Name the file of the private key."
        raise key_file_error("This is a public key, and a private one was expected.", hint)
    version = fields.small_integer("version")
    if version not in (_V1, _V2):
        raise key_file_error(f"The private key has version {version + 1}; 1 and 2 are known.", _WHOLE)
    scheme = _scheme(fields)
    key = _private(scheme, fields.take(OCTET_STRING, "key"))
    if fields.next_tag() == _ATTRIBUTES:  # such as a name: nothing here depends on them
        fields.take(_ATTRIBUTES, "attributes")
    has_public = fields.next_tag() == _PUBLIC
    if has_public != (version == _V2):  # RFC 5958: if it is present, the version is 2, else 1
        beside = "has a public key" if has_public else "has no public key"
        raise key_file_error(f"The private key has version {version + 1}, and {beside} beside it.", _WHOLE)
    if has_public:
        public = fields.bits(_PUBLIC, "public key")
        if bytes(public) != key.public:
            message = f"The public key in this file is not that of its private key, {scheme.name}."
            raise SecretKeyError("KEY_PAIR", message, _WHOLE)
    fields.end()
    return key


def _fields(data: BytesLike, label: str, what: str) -> DerValues:
    """The values in the one SEQUENCE of a file."""
    view = memoryview(data).cast("B")
    if pem.is_pem(view):
        view = memoryview(pem.decode(label, view))
    elif not view or view[0] != SEQUENCE:
        hint = "Name the set and say --raw if it is the bytes of a key and nothing else."
        raise key_file_error(f"This is no {what} in PEM or DER.", hint)
    whole = DerValues(view, "file")
    fields = whole.values(what)
    whole.end()
    return fields


def _scheme(fields: DerValues) -> MLKEM | MLDSA:
    """What the AlgorithmIdentifier names. A public key in place of a private one, and the reverse, are reported as such."""
    if fields.next_tag() == INTEGER:
        hint = "Name the file of the public key."
        raise key_file_error("This is a private key, and a public one was expected.", hint)
    if fields.next_tag() != SEQUENCE:
        raise key_file_error("This is no key in PEM or DER.", _WHOLE)
    algorithm = fields.values("algorithm")
    oid = dotted(algorithm.take(OBJECT_IDENTIFIER, "identifier"))
    if oid not in _MAKERS:
        known = ", ".join((*KEM_SETS, *SIGNATURE_SETS))
        raise key_file_error(f"The key is of an algorithm that is not known here, {oid}.", f"Keys of {known} are read.")
    algorithm.end()
    return _MAKERS[oid]()


def _private(scheme: MLKEM | MLDSA, content: memoryview) -> StoredPrivateKey:
    """The CHOICE of RFC 9935 and RFC 9881, section 6 of both: seed [0], expandedKey, both."""
    choice = DerValues(content, "private key")
    seed: bytes | None = None
    expanded: bytes | None = None
    tag = choice.next_tag()
    if tag == _SEED:
        seed = bytes(choice.take(_SEED, "seed"))
    elif tag == SEQUENCE:
        both = choice.values("pair of forms")
        seed = bytes(both.take(OCTET_STRING, "seed"))
        expanded = bytes(both.take(OCTET_STRING, "expanded key"))
        both.end()
    else:
        expanded = bytes(choice.take(OCTET_STRING, "expanded key"))
    choice.end()
    if seed is not None:
        _sized(seed, {scheme.seed_bytes: "a seed"}, scheme)
    if expanded is not None:
        _sized(expanded, {scheme.private_bytes: "an expanded key"}, scheme)
    if seed is None:
        assert expanded is not None
        return _from_expanded(scheme, expanded)
    key = _from_seed(scheme, seed)
    if expanded is not None and not compare_digest(key.expanded, expanded):
        hint = "One of them was changed: make the pair again, or use a copy of the file."
        raise SecretKeyError("KEY_FORMS", f"Seed and expanded key of this file are two keys of {scheme.name}.", hint)
    return key


def _from_seed(scheme: MLKEM | MLDSA, seed: bytes) -> StoredPrivateKey:
    public, expanded = scheme.keygen(seed)
    return StoredPrivateKey(scheme, public, expanded, seed)


def _from_expanded(scheme: MLKEM | MLDSA, expanded: bytes) -> StoredPrivateKey:
    return StoredPrivateKey(scheme, scheme.public_key(expanded), expanded, None)


def _public(scheme: MLKEM | MLDSA, public: bytes) -> StoredPublicKey:
    try:
        _check_public(scheme, public)
    except RingsideError as error:
        raise key_file_error(error.message, _WHOLE) from error
    return StoredPublicKey(scheme, public)


def _check_public(scheme: MLKEM | MLDSA, public: BytesLike) -> None:
    if isinstance(scheme, MLKEM):
        scheme.check(ek=public)
    else:
        scheme.check(pk=public)


def _sized(data: BytesLike, sizes: dict[int, str], scheme: MLKEM | MLDSA) -> bytes:
    """The bytes. WireError unless they are as many as one of these things of the scheme has."""
    have = memoryview(data).nbytes
    if have not in sizes:
        wanted = " and ".join(f"{what} of {scheme.name} has {size}" for size, what in sizes.items())
        raise key_file_error(f"The key has {have} bytes; {wanted}.", "Check the set; the file may be damaged.")
    return bytes(data)
