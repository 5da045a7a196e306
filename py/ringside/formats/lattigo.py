# SPDX-License-Identifier: Apache-2.0
"""Binary files of Lattigo v6 (schemes/ckks, schemes/bgv, core/rlwe), as MarshalBinary and WriteTo make them. Checked against v6.2.0.

They name neither their kind nor a version: what is read is held against N and the moduli, byte for byte. All numbers are little-endian.

    polynomial          u64 limbs, per limb u64 N and N words
    QP                  polynomial over Q, polynomial over P
    secret key          QP                                    residues times 2^64 (Montgomery's form)
    public key          u64 2, QP, QP                         the same
    gadget              u64 0 (no base of two), u64 rows, per row: u64 1, u64 2, QP, QP      the same
    evaluation keys     u8 1 and gadget, or u8 0; u8 1 and u32 count of (u64 element, u64 element, u64 2N, gadget), or u8 0
    ciphertext          u8 1, metadata, u64 count, polynomials
    metadata            277 bytes of JSON: its length is fixed, so the scale has 39 decimals and an exponent of two digits; in schemes/bgv, which is
                        BGV and BFV, it is an integer modulo the plain modulus, which follows it
    parameters          JSON
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from ..errors import ParameterError
from .cursor import ByteCursor, LimbWords
from .rings import is_prime

LIBRARY = "Lattigo"
VERSION = "6.2.0"
METADATA_BYTES = 277
_METADATA_START = b'{"PlaintextMetaData":{"Scale":{"Value":"'
_POLYS_MAX = 16
_SCALE_DIGITS = 39
_PARAMETERS_HINT = "Write them by MarshalJSON of ckks.Parameters or bgv.Parameters, which names every prime."
_PARAMETER_BYTES_MAX = 1 << 16

Gadget = list[tuple[list[LimbWords], list[LimbWords]]]  # rows of (b, a), each limb by limb over Q, then P


# ---- parameters ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LattigoParameters:
    """ckks.Parameters or bgv.Parameters: N, the moduli of ciphertexts and the special ones. Their primes are checked by who computes with them.

    plain_modulus: of bgv. ParameterError: Lattigo refuses it, or has fewer slots than N.
    """

    n: int
    q: tuple[int, ...]
    p: tuple[int, ...]
    log_default_scale: int | None = None
    plain_modulus: int | None = None

    def __post_init__(self) -> None:
        t = self.plain_modulus
        if t is None:
            return
        reason = (
            ""
            if t % (2 * self.n) == 1 and is_prime(t)
            else "no prime that is 1 mod 2N, so that not all slots are there"
        )
        reason = "not below the first prime of Q, or one of Q" if t in self.q or t > self.q[0] else reason
        if reason:
            hint = "Take a smaller one with slots: `ringside keygen --plain-modulus batching:20` finds one."
            raise wrong_parameters(f"the plain modulus {t} is {reason}", hint)

    @property
    def moduli(self) -> tuple[int, ...]:
        return self.q + self.p

    @property
    def digits(self) -> int:
        """Rows of a key for key switching: one for so many primes of Q as P has."""
        return -(-len(self.q) // max(1, len(self.p)))

    def to_bytes(self) -> bytes:
        """What UnmarshalJSON and UnmarshalBinary of these parameters read. Distributions are those of Ringside's keys."""
        scale = self.q[-1].bit_length() if self.log_default_scale is None else self.log_default_scale
        message = {"LogDefaultScale": scale} if self.plain_modulus is None else {"PlaintextModulus": self.plain_modulus}
        members = {
            "LogN": self.n.bit_length() - 1,
            "Q": list(self.q),
            "P": list(self.p),
            "Xe": {"Type": "DiscreteGaussian", "Sigma": 3.2, "Bound": 19.2},
            "Xs": {"Type": "Ternary", "P": 2 / 3},
        }
        return json.dumps(members | message, separators=(",", ":")).encode()


def wrong_parameters(reason: str, hint: str = _PARAMETERS_HINT) -> ParameterError:
    return ParameterError("LATTIGO_PARAMETERS", f"These parameters of Lattigo are not usable: {reason}.", hint)


def looks_like_parameters(data: bytes | memoryview) -> bool:
    head = bytes(data[:_PARAMETER_BYTES_MAX]).lstrip()
    return head[:1] == b"{" and b'"LogN"' in head


def object_of(data: bytes | memoryview) -> dict[str, Any]:
    """The members of a JSON object. ParameterError."""
    if len(data) > _PARAMETER_BYTES_MAX:
        raise wrong_parameters(f"the file has {len(data)} bytes")
    try:
        members = json.loads(bytes(data))
    except (ValueError, RecursionError) as error:
        raise wrong_parameters("the file is not JSON") from error
    if not isinstance(members, dict):
        raise wrong_parameters("the file holds no object of JSON")
    return members


def parameters_from(members: dict[str, Any]) -> LattigoParameters:
    """ckks.Parameters, bgv.Parameters or their literals. ParameterError."""
    if members.get("LogQ") or members.get("LogP"):
        raise wrong_parameters("they give sizes of primes (LogQ, LogP), not the primes")
    log_n = integer_of(members, "LogN")
    if not 3 <= log_n <= 17:
        raise wrong_parameters(f"LogN is {log_n}")
    ring = members.get("RingType") or "Standard"
    if ring != "Standard" or members.get("LogNthRoot") not in (None, 0, log_n + 1):
        raise wrong_parameters(f"the ring {ring!r} with LogNthRoot {members.get('LogNthRoot', 0)} is not X^N + 1")
    scale = integer_of(members, "LogDefaultScale") if "LogDefaultScale" in members else None
    t = integer_of(members, "PlaintextModulus") if "PlaintextModulus" in members else None
    q, p = _primes(members, "Q"), _primes(members, "P")
    if not q:
        raise wrong_parameters("Q is empty")
    return LattigoParameters(1 << log_n, q, p, scale, t)


def integer_of(members: dict[str, Any], name: str) -> int:
    value = members.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_parameters(f"{name} is not a whole number")
    return value


def _primes(members: dict[str, Any], name: str) -> tuple[int, ...]:
    values = members.get(name) or []
    if not isinstance(values, list) or not all(isinstance(value, int) and 1 < value < 1 << 64 for value in values):
        raise wrong_parameters(f"{name} is not a list of primes")
    return tuple(values)


# ---- polynomials --------------------------------------------------------------------------------------------------------
def _polynomial(cursor: ByteCursor, n: int, moduli: Sequence[int]) -> list[LimbWords]:
    limbs = cursor.u64()
    if limbs != len(moduli):
        raise cursor.wrong(f"a polynomial has {limbs} limbs, not {len(moduli)}")
    found = []
    for modulus in moduli:
        count = cursor.u64()
        if count != n:
            raise cursor.wrong(f"a limb has {count} words, not N = {n}")
        found.append(cursor.residues(n, modulus))
    return found


def _both(cursor: ByteCursor, params: LattigoParameters) -> list[LimbWords]:
    return _polynomial(cursor, params.n, params.q) + _polynomial(cursor, params.n, params.p)


def _put_polynomial(limbs: Sequence[LimbWords]) -> Iterator[bytes | memoryview]:
    yield struct.pack("<Q", len(limbs))
    for words in limbs:
        yield struct.pack("<Q", len(words))
        yield words.data.cast("B")  # no copy: it may be secret


def _put_both(limbs: Sequence[LimbWords], q_count: int) -> Iterator[bytes | memoryview]:
    """q_count: limbs over Q; below 0 those over P, where a key is of a lower level."""
    yield from _put_polynomial(limbs[:q_count])
    yield from _put_polynomial(limbs[q_count:])


# ---- keys: residues times 2^64 ------------------------------------------------------------------------------------------
def read_secret_key(data: memoryview, params: LattigoParameters) -> list[LimbWords]:
    """Limbs over Q, then P: views of the data."""
    cursor = ByteCursor(data, LIBRARY, "secret key")
    limbs = _both(cursor, params)
    cursor.end()
    return limbs


def write_secret_key(limbs: Sequence[LimbWords], q_count: int) -> Iterator[bytes | memoryview]:
    return _put_both(limbs, q_count)


def read_public_key(data: memoryview, params: LattigoParameters) -> tuple[list[LimbWords], list[LimbWords]]:
    """(b, a)."""
    cursor = ByteCursor(data, LIBRARY, "public key")
    if (count := cursor.u64()) != 2:
        raise cursor.wrong(f"it has {count} polynomials, not 2")
    pair = _both(cursor, params), _both(cursor, params)
    cursor.end()
    return pair


def write_public_key(b: Sequence[LimbWords], a: Sequence[LimbWords], q_count: int) -> Iterator[bytes | memoryview]:
    yield struct.pack("<Q", 2)
    yield from _put_both(b, q_count)
    yield from _put_both(a, q_count)


def _gadget(cursor: ByteCursor, params: LattigoParameters) -> Gadget:
    if base := cursor.u64():
        raise cursor.wrong(f"its keys are decomposed to base 2^{base}, not by primes alone")
    rows = cursor.u64()
    if len(cursor.data) - cursor.place >= 24:  # how many limbs the first polynomial has says the level
        limbs = struct.unpack_from("<Q", cursor.data, cursor.place + 16)[0]
        params = replace(params, q=params.q[: max(1, min(limbs, len(params.q)))])
    if rows != params.digits:
        raise cursor.wrong(f"a key has {rows} rows, not {params.digits}")
    found: Gadget = []
    for _ in range(rows):
        if (columns := cursor.u64()) != 1:
            raise cursor.wrong(f"a row has {columns} columns, not 1")
        if (polys := cursor.u64()) != 2:
            raise cursor.wrong("its keys are compressed" if polys == 1 else f"an entry has {polys} polynomials")
        found.append((_both(cursor, params), _both(cursor, params)))
    return found


def put_gadget(rows: Gadget, q_count: int) -> Iterator[bytes | memoryview]:
    yield struct.pack("<QQ", 0, len(rows))
    for b, a in rows:
        yield struct.pack("<QQ", 1, 2)
        yield from _put_both(b, q_count)
        yield from _put_both(a, q_count)


@dataclass
class LattigoKeys:
    """rlwe.MemEvaluationKeySet. galois: by element."""

    relin: Gadget | None = None
    galois: dict[int, Gadget] = field(default_factory=dict)


def read_evaluation_keys(data: memoryview, params: LattigoParameters) -> LattigoKeys:
    cursor = ByteCursor(data, LIBRARY, "set of evaluation keys")
    keys = LattigoKeys()
    if _flag(cursor):
        keys.relin = _gadget(cursor, params)
    if _flag(cursor):
        for _ in range(cursor.u32()):
            element, again, order = cursor.u64(), cursor.u64(), cursor.u64()
            if element != again or order != 2 * params.n or element % 2 == 0 or element >= order:
                raise cursor.wrong(f"a Galois key is for {element} and {again} mod {order}, with N = {params.n}")
            if element in keys.galois:
                raise cursor.wrong(f"it has two keys for the Galois element {element}")
            keys.galois[element] = _gadget(cursor, params)
    cursor.end()
    return keys


def _flag(cursor: ByteCursor) -> bool:
    flag = cursor.u8()
    if flag > 1:
        raise cursor.wrong(f"a flag is {flag}")
    return bool(flag)


def write_evaluation_keys(
    has_relin: bool, elements: Sequence[int], key_of: Callable[[int], Gadget], n: int, q_count: int
) -> Iterator[bytes | memoryview]:
    """elements: of Galois keys. q_count: see _put_both. One key after the other is asked for, so that one is in memory at a time; the relinearisation key is 0."""
    yield struct.pack("<B", has_relin)
    if has_relin:
        yield from put_gadget(key_of(0), q_count)
    yield struct.pack("<B", bool(elements))
    if elements:
        yield struct.pack("<I", len(elements))
        for element in sorted(elements):
            yield struct.pack("<QQQ", element, element, 2 * n)
            yield from put_gadget(key_of(element), q_count)


# ---- ciphertexts --------------------------------------------------------------------------------------------------------
def looks_like_ciphertext(data: bytes | memoryview) -> bool:
    return bytes(data[: 1 + len(_METADATA_START)]) == b"\x01" + _METADATA_START


def read_ciphertext(data: memoryview, params: LattigoParameters) -> tuple[Decimal, list[list[LimbWords]]]:
    """Scale, with a plain modulus t an integer from 1 to t - 1, and residues [polynomial][limb], not in Montgomery's form.

    Fewer slots than N/2 in CKKS: values that repeat, since their polynomial is one in a power of X.
    """
    cursor = ByteCursor(data, LIBRARY, "ciphertext")
    if not looks_like_ciphertext(data):
        raise cursor.wrong("it does not begin with the metadata of Lattigo 6")
    cursor.take(1)
    scale = _read_metadata(cursor, params)
    count = cursor.u64()
    if not 2 <= count <= _POLYS_MAX:
        raise cursor.wrong(f"it has {count} polynomials; Ringside reads 2 to {_POLYS_MAX}")
    if len(cursor.data) - cursor.place < 8:
        raise cursor.wrong("its polynomials are missing")
    limbs = struct.unpack_from("<Q", cursor.data, cursor.place)[0]
    if not 1 <= limbs <= len(params.q):
        raise cursor.wrong(f"it has {limbs} limbs, and these parameters {len(params.q)}")
    polys = [_polynomial(cursor, params.n, params.q[:limbs]) for _ in range(count)]
    cursor.end()
    return scale, polys


def _read_metadata(cursor: ByteCursor, params: LattigoParameters) -> Decimal:
    text = bytes(cursor.take(METADATA_BYTES))
    try:
        members = json.loads(text)
        plain, outer = members["PlaintextMetaData"], members["CiphertextMetaData"]
        scale, modulus = (_finite(plain["Scale"][name]) for name in ("Value", "Mod"))
        flags = [int(str(value), 16) for value in (plain["IsBatched"], plain["IsBitReversed"])]
        flags += [int(str(value), 16) for value in (outer["IsNTT"], outer["IsMontgomery"])]
        rows, columns = (int(str(value), 16) for value in plain["LogDimensions"])
    except (ValueError, ArithmeticError, KeyError, TypeError, RecursionError) as error:
        raise cursor.wrong("its metadata are not those of Lattigo 6") from error
    t = params.plain_modulus
    if not 0 < float(scale) < (t or math.inf) or (t and scale != int(scale)) or modulus != (t or 0):
        raise cursor.wrong(f"its scale is {scale} with modulus {modulus}")
    if flags != [1, 0, 1, 0]:
        names = "IsBatched, IsBitReversed, IsNTT, IsMontgomery"
        raise cursor.wrong(f"{names} are {flags}, not [1, 0, 1, 0]")
    most = params.n.bit_length() - 2
    if rows != int(t is not None) or not (most if rows else 0) <= columns <= most:
        raise cursor.wrong(f"it has 2^{rows} x 2^{columns} slots, with N = {params.n}")
    return scale


def _finite(text: object) -> Decimal:
    number = Decimal(str(text))
    if not math.isfinite(float(number)):
        raise ValueError
    return number


def _decimal(number: float) -> str:
    mantissa, exponent = f"{Decimal(number):.{_SCALE_DIGITS}e}".split("e")
    if abs(int(exponent)) > 99:
        raise ParameterError("RS_ERR_SCALE", f"Lattigo's files cannot hold the scale {number}.", "Use one below 2^300.")
    return f"{mantissa}e{0 if number == 0 else int(exponent):+03d}"


def _metadata(scale: float, n: int, plain_modulus: int | None) -> bytes:
    plain = {
        "Scale": {"Value": _decimal(scale), "Mod": _decimal(plain_modulus or 0)},
        "IsBatched": "0x01",
        "IsBitReversed": "0x00",
        "LogDimensions": [f"0x{plain_modulus is not None:02x}", f"0x{n.bit_length() - 2:02x}"],
    }
    outer = {"IsNTT": "0x01", "IsMontgomery": "0x00"}
    text = json.dumps({"PlaintextMetaData": plain, "CiphertextMetaData": outer}, separators=(",", ":")).encode()
    assert len(text) == METADATA_BYTES
    return text


def write_ciphertext(
    scale: float, polys: Sequence[Sequence[LimbWords]], n: int, plain_modulus: int | None = None
) -> Iterator[bytes | memoryview]:
    yield b"\x01" + _metadata(scale, n, plain_modulus)
    yield struct.pack("<Q", len(polys))
    for poly in polys:
        yield from _put_polynomial(poly)
