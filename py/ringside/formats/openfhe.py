# SPDX-License-Identifier: Apache-2.0
"""Binary files of OpenFHE 1.6 for CKKS: Serial::SerializeToFile with SerType::BINARY, and SerializeEvalMultKey, SerializeEvalAutomorphismKey.
Checked against 1.6.1.

Every object carries the whole context of its server. A client cannot make one up: `read_context` keeps that of a file, and what is written
has it as its first part. Residues are plain words, in the order and with the roots of SEAL. A file has no number of OpenFHE's version, but the
classes have numbers of their own; others than those below are refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ParameterError
from .cereal import CerealReader, CerealWriter
from .cursor import LimbWords
from .rings import is_prime, smallest_root

LIBRARY = "OpenFHE"
VERSION = "1.6.1"
CLASS_VERSIONS = {
    "CryptoContextImpl": 1,
    "CiphertextImpl": 1,
    **dict.fromkeys(
        (
            "CryptoParametersCKKSRNS",
            "CryptoParametersRNS",
            "CryptoParametersRLWE",
            "CryptoParametersBase",
            "ILDCRTParams",
            "ElemParams<BigInteger>",
            "BigInteger",
            "ILNativeParams",
            "ElemParams<NativeInteger>",
            "NativeInteger",
            "EncodingParamsImpl",
            "SchemeCKKSRNS",
            "SchemeRNS",
            "SchemeBase",
            "CryptoObject",
            "Key",
            "PublicKeyImpl",
            "PrivateKeyImpl",
            "EvalKeyImpl",
            "EvalKeyRelinImpl",
            "DCRTPoly",
            "NativePoly",
            "NativeVector",
        ),
        0,
    ),
}
PARAMETERS_CLASS = "lbcrypto::CryptoParametersCKKSRNS"
SCHEME_CLASS = "lbcrypto::SchemeCKKSRNS"
EVALUATION_KEY_CLASS = "lbcrypto::EvalKeyRelinImpl<lbcrypto::DCRTPoly>"
SCALINGS = (
    "FIXEDMANUAL",
    "FIXEDAUTO",
    "FLEXIBLEAUTO",
    "FLEXIBLEAUTOEXT",
    "COMPOSITESCALINGAUTO",
    "COMPOSITESCALINGMANUAL",
    "NORESCALE",
)
KEY_SWITCHINGS = ("none", "BV", "HYBRID")
_LIMBS_MAX = 64
_POLYS_MAX = 16
_SPECIAL_MARGIN_BITS = 4  # bits of P above a digit
_PACKED = 4  # PlaintextEncodings: CKKS_PACKED_ENCODING
_FIELDS_RLWE = (
    ("dp", "f"), ("am", "f"), ("ns", "Q"), ("rw", "I"), ("nest", "d"), ("muld", "I"), ("addc", "I"), ("kswc", "I"), ("phops", "I"), ("md", "I"),
    ("mo", "I"), ("pmo", "I"), ("mmo", "I"), ("exm", "I"), ("dnm", "I"), ("slv", "I"), ("fdp", "d"), ("ss", "d"), ("aq", "d"), ("tp", "I"),
)  # fmt: skip
_FIELDS_RNS = ("ks", "rs", "encs", "muls", "dnum", "ab", "eb", "ccl", "cd", "rws", "cdt")

Chain = tuple[int, ...]
Polys = list[list[LimbWords]]
CerealArchive = CerealReader | CerealWriter


@dataclass(frozen=True)
class OpenFheParameters:
    """What a context of OpenFHE says. facts: its numbers by their names in the file. record: all of it, to be written again."""

    n: int
    q: Chain
    p: Chain
    digits: int
    scale_bits: int
    facts: dict[str, Any] = field(repr=False)
    record: list[Any] = field(repr=False)

    @property
    def moduli(self) -> Chain:
        return self.q + self.p

    @property
    def digit_primes(self) -> int:
        """Primes of Q in a digit of keys for key switching; the last digit may have fewer."""
        return -(-len(self.q) // self.digits)

    @property
    def scale(self) -> float:
        """To encode with: OpenFHE takes any scale for a power of this one."""
        return 2.0**self.scale_bits


# ---- the context, both ways ---------------------------------------------------------------------------------------------
def _big_integer(archive: CerealArchive) -> int:
    archive.version("BigInteger")
    words = [archive.value("Q") for _ in range(archive.count(_LIMBS_MAX + 1, "words in a number"))]
    archive.value("I")  # bits
    return sum(int(word) << (64 * index) for index, word in enumerate(words))


def _native_integer(archive: CerealArchive) -> int:
    archive.version("NativeInteger")
    return int(archive.value("Q"))


def _native_params(archive: CerealArchive) -> int:
    """The modulus."""
    archive.version("ILNativeParams")
    archive.version("ElemParams<NativeInteger>")
    archive.value("I")
    archive.value("I")
    modulus = _native_integer(archive)
    for _ in range(3):
        _native_integer(archive)
    return modulus


def _chain_params(archive: CerealArchive, limb: Callable[[], int]) -> tuple[int, Chain]:
    """N and the moduli. limb: a pointer to a limb's parameters."""
    archive.version("ILDCRTParams")
    archive.version("ElemParams<BigInteger>")
    archive.value("I")
    n = int(archive.value("I"))
    for _ in range(4):
        _big_integer(archive)
    return n, tuple(limb() for _ in range(archive.count(_LIMBS_MAX, "limbs")))


def _encoding_params(archive: CerealArchive) -> int:
    """The plaintext modulus, which in CKKS is the logarithm of the scale."""
    archive.version("EncodingParamsImpl")
    bits = int(archive.value("Q"))
    for _ in range(3):
        _native_integer(archive)
    archive.value("I")
    archive.value("I")
    return bits


def _context_head(
    archive: CerealArchive, chain: Callable[[], Any], encoding: Callable[[], None], pointer: Callable[[], None]
) -> dict[str, Any]:
    """CryptoContextImpl after its own pointer. chain, encoding, pointer: what stands behind the pointers in it."""
    archive.version("CryptoContextImpl")
    archive.derived(PARAMETERS_CLASS)
    pointer()
    for name in ("CryptoParametersCKKSRNS", "CryptoParametersRNS", "CryptoParametersRLWE", "CryptoParametersBase"):
        archive.version(name)
    chain()
    encoding()
    facts = {name: archive.value(layout) for name, layout in _FIELDS_RLWE}
    facts |= {name: archive.value("I") for name in _FIELDS_RNS}
    archive.derived(SCHEME_CLASS)
    pointer()
    for name in ("SchemeCKKSRNS", "SchemeRNS", "SchemeBase"):
        archive.version(name)
    archive.nothing("bootstrapping", "Write the context before Enable(FHE).")
    archive.nothing("scheme switching", "Write the context before Enable(SCHEMESWITCH).")
    facts["enabled"] = archive.value("I")
    facts["scheme"] = archive.value("I")
    return facts


# ---- reading ------------------------------------------------------------------------------------------------------------
class _Reader(CerealReader):
    """Reads the objects of a file that has the context `known`, or any if there is none yet."""

    def __init__(self, data: memoryview, what: str, known: OpenFheParameters | None) -> None:
        super().__init__(data, LIBRARY, what, CLASS_VERSIONS)
        self._known = known
        self.facts: dict[str, Any] = {}
        self.chain: tuple[int, Chain] = (0, ())
        self.scale_bits = 0

    def new_object(self) -> None:
        if self.pointer() is not None:
            raise self.wrong("an object is not where it should be")

    def _limb(self) -> int:
        self.declared()
        number = self.pointer()
        if number is None:
            number = self.newest
            self.keep(number, _native_params(self))
        modulus = self.kept(number)
        if not isinstance(modulus, int):
            raise self.wrong("a limb's parameters are something else")
        return modulus

    def _chain(self) -> tuple[int, Chain]:
        self.declared()
        number = self.pointer()
        if number is None:
            number = self.newest
            self.keep(number, _chain_params(self, self._limb))
        found = self.kept(number)
        if not isinstance(found, tuple):
            raise self.wrong("a polynomial's parameters are something else")
        return found

    def context(self) -> None:
        self.declared()
        number = self.pointer()
        if number is not None:
            if self.kept(number) != "context":
                raise self.wrong("an object's context is something else")
            return
        self.keep(self.newest, "context")
        start = len(self.record)

        def chain() -> None:
            self.chain = self._chain()

        def encoding() -> None:
            self.declared()
            self.new_object()
            self.scale_bits = _encoding_params(self)

        self.facts = _context_head(self, chain, encoding, self.new_object)
        if self._known is not None and self.record[start:] != self._known.record:
            raise self.wrong("it belongs to another context", "Use the context file of the server that wrote it.")

    def owner(self) -> str:
        """CryptoObject: context and tag of the key."""
        self.version("CryptoObject")
        self.context()
        return self.text()

    def _poly(self, n: int, allowed: Chain, least: int = 1) -> list[LimbWords]:
        """A polynomial over the first moduli of `allowed`, `least` of them or more."""
        self.version("DCRTPoly")
        count = self.count(_LIMBS_MAX, "limbs")
        if not least <= count <= len(allowed):
            wanted = f"{least} to {len(allowed)}" if least < len(allowed) else str(least)
            raise self.wrong(f"a polynomial has {count} limbs, not {wanted}")
        found = []
        for modulus in allowed[:count]:
            self.version("NativePoly")
            self.declared()
            if self.u8() != 1:
                raise self.wrong("a polynomial is empty")
            self.version("NativeVector")
            if (size := self.u64()) != n:
                raise self.wrong(f"a limb has {size} words, not N = {n}")
            found.append(self.residues(n, modulus))
            if (stated := self.u64()) != modulus:
                raise self.wrong(f"a limb has the modulus {stated}, not {modulus}")
            self._evaluations()
            if (stated := self._limb()) != modulus:
                raise self.wrong(f"a limb has the modulus {stated}, not {modulus}")
        self._evaluations()
        if self._chain() != (n, allowed[:count]):
            raise self.wrong("a polynomial's moduli are not those of its limbs")
        return found

    def _evaluations(self) -> None:
        if (form := self.u32()) != 0:
            raise self.wrong(f"a polynomial has the form {form}, not EVALUATION")

    def polys(self, n: int, allowed: Chain, most: int, least: int = 1) -> Polys:
        polys = [self._poly(n, allowed, least) for _ in range(self.count(most, "polynomials"))]
        if not polys or len({len(poly) for poly in polys}) != 1:
            raise self.wrong("it has no polynomials, or some of different levels")
        return polys

    def evaluation_key(self, params: OpenFheParameters) -> tuple[Polys, Polys]:
        """(a, b), one polynomial for each digit."""
        self.derived(EVALUATION_KEY_CLASS)
        self.new_object()
        for name in ("EvalKeyRelinImpl", "EvalKeyImpl", "Key"):
            self.version(name)
        self.owner()
        wanted = -(-len(params.q) // params.digit_primes)
        a, b = (self.polys(params.n, params.moduli, _LIMBS_MAX, len(params.moduli)) for _ in range(2))
        if not len(a) == len(b) == wanted:
            raise self.wrong(f"a key has {len(a)} and {len(b)} digits, not {wanted}")
        return a, b


def looks_like_openfhe(data: bytes | memoryview) -> bool:
    """Whether a file is one of OpenFHE's for CKKS."""
    return bytes(data[:1]) == b"\x01" and PARAMETERS_CLASS.encode() in bytes(data[:512])


def looks_like_context(data: bytes | memoryview) -> bool:
    head = bytes(data[:14])
    return (
        looks_like_openfhe(data)
        and head[1:5] == b"\x00\x00\x00\x40"
        and head[9:13] == b"\x01\x00\x00\x00"
        and bytes(data[13:17]) == b"\x01\x00\x00\x80"
    )


def _wrong_parameters(reason: str, hint: str) -> ParameterError:
    return ParameterError("OPENFHE_PARAMETERS", f"This context of OpenFHE is not usable: {reason}.", hint)


def read_context(data: memoryview) -> OpenFheParameters:
    """From the file of a CryptoContext. WireError, ParameterError."""
    reader = _Reader(data, "CryptoContext", None)
    reader.context()
    reader.end()
    facts, (n, q) = reader.facts, reader.chain
    if not (8 <= n <= 1 << 17 and n & (n - 1) == 0 and q):
        raise _wrong_parameters(f"N is {n} and it has {len(q)} limbs", "CKKS needs a power of two, and primes.")
    scaling = facts["rs"]
    if scaling != 0:
        name = SCALINGS[scaling] if scaling < len(SCALINGS) else str(scaling)
        hint = "Call SetScalingTechnique(FIXEDMANUAL): the others change scales from level to level."
        raise _wrong_parameters(f"its scaling technique is {name}", hint)
    switching = facts["ks"]
    if switching not in (1, 2):
        raise _wrong_parameters(f"its key switching is number {switching}", "Use HYBRID or BV.")
    if not 8 <= reader.scale_bits <= 60:
        raise _wrong_parameters(f"its scale is 2^{reader.scale_bits}", "Use SetScalingModSize of 20 to 59.")
    digits = len(q)
    p: Chain = ()
    if switching == 2:
        digits = facts["dnum"]
        if not (1 <= digits <= len(q) and 20 <= facts["ab"] <= 60):
            raise _wrong_parameters(
                f"it has {digits} digits and special primes of {facts['ab']} bits", "Use 1 to L digits."
            )
        p = special_primes(n, q, digits, facts["ab"])
    return OpenFheParameters(n, q, p, digits, reader.scale_bits, facts, reader.record)


def special_primes(n: int, q: Chain, digits: int, bits: int) -> Chain:
    """The primes P of HYBRID key switching: a context does not have them, OpenFHE computes them anew (CryptoParametersRNS::PrecomputeCRTTables).

    P is some bits longer than the longest digit: keys with fewer primes than OpenFHE counts on make it read behind their end.
    """
    size = -(-len(q) // digits)
    longest = max(math.prod(q[start : start + size]).bit_length() for start in range(0, len(q), size))
    wanted = -(-(longest + _SPECIAL_MARGIN_BITS) // bits)
    found: list[int] = []
    for candidate in range(((1 << bits) - 2) // (2 * n) * 2 * n + 1, 2 * n, -2 * n):
        if len(found) == wanted:
            break
        if candidate not in q and is_prime(candidate):
            found.append(candidate)
    return tuple(found)


@dataclass(frozen=True)
class OpenFheCiphertext:
    """scale: of its values. degree: how many factors of the scale OpenFHE counts in it."""

    polys: Polys
    scale: float
    tag: str


def read_ciphertext(data: memoryview, params: OpenFheParameters) -> OpenFheCiphertext:
    reader = _Reader(data, "ciphertext", params)
    reader.declared()
    reader.new_object()
    reader.version("CiphertextImpl")
    tag = reader.owner()
    polys = reader.polys(params.n, params.q, _POLYS_MAX)
    slots, level, _, degree = (reader.u32() for _ in range(4))
    scale, encoding_scale, encoding = reader.f64(), reader.u64(), reader.u32()
    reader.new_object()
    if reader.count(0, "entries of metadata") or encoding != _PACKED:
        raise reader.wrong(f"its encoding has the number {encoding}, not {_PACKED} for CKKS")
    reader.end()
    if len(polys) < 2:
        raise reader.wrong("it has a single polynomial")
    if not (
        math.isfinite(scale) and scale > 0 and encoding_scale >= 1 and 1 <= degree <= 64 and level <= len(params.q)
    ):
        raise reader.wrong(f"its scale is {scale}, its degree {degree}, its level {level}")
    if slots != params.n // 2:
        raise reader.wrong(
            f"it has {slots} slots, and Ringside decodes all {params.n // 2}",
            "Call SetBatchSize with N/2, or leave it out.",
        )
    return OpenFheCiphertext(polys, scale, tag)


def _key_head(reader: _Reader, name: str) -> str:
    reader.declared()
    reader.new_object()
    reader.version(name)
    reader.version("Key")
    return reader.owner()


def read_public_key(data: memoryview, params: OpenFheParameters) -> tuple[Polys, str]:
    """(b, a) over Q, and the key's tag."""
    reader = _Reader(data, "public key", params)
    tag = _key_head(reader, "PublicKeyImpl")
    polys = reader.polys(params.n, params.q, 2)
    reader.end()
    if len(polys) != 2 or len(polys[0]) != len(params.q):
        raise reader.wrong(f"it has {len(polys)} polynomials of {len(polys[0])} limbs")
    return polys, tag


def read_secret_key(data: memoryview, params: OpenFheParameters) -> tuple[list[LimbWords], str]:
    """s over Q, and the key's tag."""
    reader = _Reader(data, "private key", params)
    tag = _key_head(reader, "PrivateKeyImpl")
    limbs = reader._poly(params.n, params.q)
    reader.end()
    if len(limbs) != len(params.q):
        raise reader.wrong(f"it has {len(limbs)} limbs, not {len(params.q)}")
    return limbs, tag


RELIN_ELEMENT = 0
EvaluationKeys = dict[int, tuple[Polys, Polys]]


def read_evaluation_keys(data: memoryview, params: OpenFheParameters, *, galois: bool) -> tuple[EvaluationKeys, str]:
    """(a, b) by Galois element (0: relinearisation), and the key's tag."""
    reader = _Reader(data, "set of evaluation keys", params)
    if (tags := reader.u64()) != 1:
        raise reader.wrong(f"it has keys for {tags} secret keys, not for one")
    tag = reader.text()
    if not galois:
        if (count := reader.u64()) != 1:
            raise reader.wrong(f"it has {count} keys for products, and Ringside reads the one for s^2")
        keys = {RELIN_ELEMENT: reader.evaluation_key(params)}
        reader.end()
        return keys, tag
    reader.new_object()
    keys = {}
    for _ in range(reader.count(params.n, "keys for rotations")):
        element = reader.u32()
        if element % 2 == 0 or element >= 2 * params.n or element in keys:
            raise reader.wrong(f"a key is for the Galois element {element}")
        keys[element] = reader.evaluation_key(params)
    reader.end()
    return keys, tag


# ---- writing ------------------------------------------------------------------------------------------------------------
class _Writer(CerealWriter):
    def __init__(self, params: OpenFheParameters) -> None:
        super().__init__(CLASS_VERSIONS)
        self._params = params

    def context(self) -> None:
        self.declared()
        if self.known("context"):
            return
        self.new("context")
        self.replay(self._params.record)
        moduli = iter(self._params.q)

        def limb() -> int:
            self.declared()
            self.new(("Q", next(moduli)))
            return _native_params(self)

        def chain() -> None:
            self.declared()
            self.new(("chain", self._params.q))
            _chain_params(self, limb)

        def encoding() -> None:
            self.declared()
            self.new()
            _encoding_params(self)

        _context_head(self, chain, encoding, self.new)

    def owner(self, tag: str) -> None:
        self.version("CryptoObject")
        self.context()
        self.put_text(tag)

    def _limb(self, modulus: int, chain: str) -> None:
        self.declared()
        if self.known((chain, modulus)):
            return
        self.new((chain, modulus))
        n = self._params.n
        self.replay([2 * n, n, modulus, smallest_root(modulus, n), 0, 0])
        _native_params(self)

    def _name(self, moduli: Chain) -> str:
        """OpenFHE keeps the limbs of Q with P apart from those of Q."""
        return "QP" if len(moduli) > len(self._params.q) else "Q"

    def _chain(self, moduli: Chain) -> None:
        self.declared()
        if self.known(("chain", moduli)):
            return
        self.new(("chain", moduli))
        product, n = math.prod(moduli), self._params.n
        words = [product >> (64 * index) & ((1 << 64) - 1) for index in range(-(-product.bit_length() // 64))]
        self.replay([2 * n, n, len(words), *words, product.bit_length(), *3 * (1, 0, 0), len(moduli)])
        limbs = iter(moduli)

        def limb() -> int:
            self._limb(next(limbs), self._name(moduli))
            return 0

        _chain_params(self, limb)

    def poly(self, limbs: Sequence[LimbWords]) -> None:
        moduli = self._params.moduli[: len(limbs)]
        self.version("DCRTPoly")
        self.put("Q", len(limbs))
        for words, modulus in zip(limbs, moduli, strict=True):
            self.version("NativePoly")
            self.declared()
            self.put("B", 1)
            self.version("NativeVector")
            self.words(words)
            self.put("QI", modulus, 0)
            self._limb(modulus, self._name(moduli))
        self.put("I", 0)
        self._chain(moduli)

    def polys(self, polys: Sequence[Sequence[LimbWords]]) -> None:
        self.put("Q", len(polys))
        for poly in polys:
            self.poly(poly)


def write_ciphertext(
    polys: Sequence[Sequence[LimbWords]], scale: float, tag: str, params: OpenFheParameters
) -> list[bytes | memoryview]:
    writer = _Writer(params)
    writer.declared()
    writer.new()
    writer.version("CiphertextImpl")
    writer.owner(tag)
    writer.polys(polys)
    degree = max(1, round(math.log2(scale) / params.scale_bits))
    writer.put("IIIIdQI", params.n // 2, len(params.q) - len(polys[0]), 0, degree, scale, 1, _PACKED)
    writer.new()
    writer.put("Q", 0)
    return writer.pieces


def _put_key_head(writer: _Writer, name: str, tag: str) -> None:
    writer.declared()
    writer.new()
    writer.version(name)
    writer.version("Key")
    writer.owner(tag)


def write_public_key(
    b: Sequence[LimbWords], a: Sequence[LimbWords], tag: str, params: OpenFheParameters
) -> list[bytes | memoryview]:
    writer = _Writer(params)
    _put_key_head(writer, "PublicKeyImpl", tag)
    writer.polys([b, a])
    return writer.pieces


def write_secret_key(limbs: Sequence[LimbWords], tag: str, params: OpenFheParameters) -> list[bytes | memoryview]:
    writer = _Writer(params)
    _put_key_head(writer, "PrivateKeyImpl", tag)
    writer.poly(limbs)
    return writer.pieces


def write_evaluation_keys(
    elements: Sequence[int], key_of: Callable[[int], tuple[Polys, Polys]], tag: str, params: OpenFheParameters
) -> Iterator[bytes | memoryview]:
    """elements: of Galois keys, or RELIN_ELEMENT alone. key_of: (a, b) of one, asked for one after the other, ascending."""
    writer = _Writer(params)
    writer.put("Q", 1)
    writer.put_text(tag)
    galois = list(elements) != [RELIN_ELEMENT]
    if galois:
        writer.new()
    writer.put("Q", len(elements))
    for element in sorted(elements):
        if galois:
            writer.put("I", element)
        writer.derived(EVALUATION_KEY_CLASS)
        writer.new()
        for name in ("EvalKeyRelinImpl", "EvalKeyImpl", "Key"):
            writer.version(name)
        writer.owner(tag)
        for polys in key_of(element):
            writer.polys(polys)
        yield from writer.pieces
        writer.pieces = []
