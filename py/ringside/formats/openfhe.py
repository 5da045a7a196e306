# SPDX-License-Identifier: Apache-2.0
"""Binary files of OpenFHE 1.6 for CKKS, BFV and BGV: Serial::SerializeToFile with SerType::BINARY, and SerializeEvalMultKey, SerializeEvalAutomorphismKey.
Checked against 1.6.1.

Every object carries the whole context of its server. A client cannot make one up: `read_context` keeps that of a file, and what is written
has it as its first part. Residues are plain words, in the order and with the roots of SEAL. A file has no number of OpenFHE's version, but the
classes have numbers of their own; others than those below are refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ..errors import ParameterError
from .cereal import CerealReader, CerealWriter
from .cursor import LimbWords
from .rings import primes_below, smallest_root

LIBRARY = "OpenFHE"
VERSION = "1.6.1"
CKKS, BFV, BGV = "ckks", "bfv", "bgv"
PACKED = {CKKS: 4, BFV: 2, BGV: 2}  # PlaintextEncodings: CKKS_PACKED_ENCODING, PACKED_ENCODING
_PARAMETERS = {scheme: f"CryptoParameters{scheme.upper()}RNS" for scheme in PACKED}
_SCHEMES = {scheme: f"Scheme{scheme.upper()}RNS" for scheme in PACKED}
CLASS_VERSIONS = {
    "CryptoContextImpl": 1,
    "CiphertextImpl": 1,
    **dict.fromkeys((*_PARAMETERS.values(), *_SCHEMES.values()), 0),
    **dict.fromkeys(
        (
            "CryptoParametersRNS", "CryptoParametersRLWE", "CryptoParametersBase", "ILDCRTParams",
            "ElemParams<BigInteger>", "BigInteger", "ILNativeParams", "ElemParams<NativeInteger>", "NativeInteger",
            "EncodingParamsImpl", "SchemeRNS", "SchemeBase", "CryptoObject", "Key", "PublicKeyImpl", "PrivateKeyImpl",
            "EvalKeyImpl", "EvalKeyRelinImpl", "DCRTPoly", "NativePoly", "NativeVector",
        ),
        0,
    ),
}  # fmt: skip
EVALUATION_KEY_CLASS = "lbcrypto::EvalKeyRelinImpl<lbcrypto::DCRTPoly>"
SCALINGS = (
    "FIXEDMANUAL", "FIXEDAUTO", "FLEXIBLEAUTO", "FLEXIBLEAUTOEXT", "COMPOSITESCALINGAUTO", "COMPOSITESCALINGMANUAL",
    "NORESCALE",
)  # fmt: skip
_LIMBS_MAX = 64
_POLYS_MAX = 16
_SPECIAL_MARGIN_BITS = 4  # bits of P above a digit
_SETUPS_MAX = 1 << 10  # bootstrapping has one for each number of slots
_SPARSE_BITS = 33  # size of the two primes
_EXTENDED = 1  # EncryptionTechnique
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
    """What a context of OpenFHE says. facts: its numbers by their names in the file. record: all of it, to be written again.

    extra: the prime that BFV's keys have beside Q where its encryption is EXTENDED.
    """

    n: int
    q: Chain
    p: Chain
    digits: int
    scale_bits: int
    facts: dict[str, Any] = field(repr=False)
    record: list[Any] = field(repr=False)
    scheme: str = CKKS
    plain_modulus: int | None = None
    extra: Chain = ()

    @property
    def moduli(self) -> Chain:
        return self.q + self.p

    @property
    def key_moduli(self) -> Chain:
        """Those of secret and public keys."""
        return self.q + self.extra

    @property
    def switched(self) -> Chain:
        """The primes that keys for key switching have rows for; they are modulo these and P."""
        return self.q if self.p else self.key_moduli

    @property
    def digit_primes(self) -> int:
        """Primes in a digit of keys for key switching; the last digit may have fewer."""
        return -(-len(self.q) // self.digits)

    @property
    def encapsulated(self) -> Chain:
        """The moduli of the key to an ephemeral sparse secret: CryptoParametersCKKSRNS::PrecomputeCRTTables."""
        return self.q[:1] + tuple(islice(primes_below(1 << _SPARSE_BITS, 2 * self.n, self.moduli), 2))

    @property
    def sparse_element(self) -> int:
        """What stands for this key in the place of a Galois element; that of the key back is by 2 larger."""
        return 2 * self.n - 4

    @property
    def scale(self) -> float:
        """To encode with: OpenFHE takes any scale for a power of this one. 1 in BFV and BGV."""
        return 2.0**self.scale_bits

    def fresh(self, dropped: int) -> tuple[int, int]:
        """The degree of an encryption in BFV or BGV with so many primes less, and what its message is multiplied by modulo t: by more than 1 in BGV
        with FLEXIBLEAUTO and FLEXIBLEAUTOEXT, so that sums and products of one level have one factor. 0: OpenFHE does not encrypt there.
        """
        scaling, t = SCALINGS[self.facts["rs"]], self.plain_modulus
        if t is None or self.scheme != BGV or scaling not in ("FLEXIBLEAUTO", "FLEXIBLEAUTOEXT"):
            return 1, 1
        last = self.q[::-1]
        if scaling == "FLEXIBLEAUTOEXT":
            if dropped == len(last) - 1:
                return 1, 0
            if dropped == 0:
                return 2, last[0] * last[1] % t
            last, dropped = last[1:], dropped - 1
        factor = last[0] % t
        for q in last[:dropped]:
            factor = factor * factor * pow(q, -1, t) % t
        return 1, factor


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
    modulus = int(archive.value("Q"))
    for _ in range(3):
        _native_integer(archive)
    archive.value("I")
    archive.value("I")
    return modulus


def _context_head(
    archive: CerealArchive,
    scheme: str,
    chain: Callable[[], Any],
    encoding: Callable[[], None],
    pointer: Callable[[], None],
) -> dict[str, Any]:
    """CryptoContextImpl after its own pointer. chain, encoding, pointer: what stands behind the pointers in it."""
    archive.version("CryptoContextImpl")
    archive.derived(f"lbcrypto::{_PARAMETERS[scheme]}")
    pointer()
    for name in (_PARAMETERS[scheme], "CryptoParametersRNS", "CryptoParametersRLWE", "CryptoParametersBase"):
        archive.version(name)
    chain()
    encoding()
    facts = {name: archive.value(layout) for name, layout in _FIELDS_RLWE}
    facts |= {name: archive.value("I") for name in _FIELDS_RNS}
    archive.derived(f"lbcrypto::{_SCHEMES[scheme]}")
    pointer()
    for name in (_SCHEMES[scheme], "SchemeRNS", "SchemeBase"):
        archive.version(name)
    return facts


def _context_features(archive: CerealArchive, pointer: Callable[[], None]) -> dict[str, Any]:
    """What follows: features, which a server may enable and set up after it has written the context, or before."""
    if archive.perhaps("lbcrypto::FHECKKSRNS"):
        pointer()
        for _ in range(archive.count(_SETUPS_MAX, "set-ups of bootstrapping")):
            archive.value("I")  # slots
            archive.declared()
            pointer()
            for layout in "IIIIIB":  # sizes and levels of the two transforms, slots
                archive.value(layout)
        archive.value("I")  # correction factor
    archive.nothing("scheme switching", "Write the context before Enable(SCHEMESWITCH).")
    return {"enabled": archive.value("I"), "scheme": archive.value("I")}


# ---- reading ------------------------------------------------------------------------------------------------------------
class _Reader(CerealReader):
    """Reads the objects of a file that has the context `known`, or any if there is none yet."""

    def __init__(self, data: memoryview, what: str, known: OpenFheParameters | None) -> None:
        super().__init__(data, LIBRARY, what, CLASS_VERSIONS)
        self._known = known
        self.facts: dict[str, Any] = {}
        self.chain: tuple[int, Chain] = (0, ())
        self.scheme = scheme_of(data) or CKKS
        self.plain_modulus = 0
        self.forms: tuple[int, ...] = (0,)  # Format: EVALUATION

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
            self.plain_modulus = _encoding_params(self)

        self.facts = _context_head(self, self.scheme, chain, encoding, self.new_object)
        compared = self.record[start:]
        self.facts |= _context_features(self, self.new_object)
        if self._known is not None and compared != self._known.record[: len(compared)]:
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
        if (form := self.u32()) not in self.forms:
            raise self.wrong(f"a polynomial has the form {form}, not EVALUATION")
        self.forms = (form,)  # for the rest of the file

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
        wanted, moduli = -(-len(params.switched) // params.digit_primes), params.switched + params.p
        a, b = (self.polys(params.n, moduli, _LIMBS_MAX, len(moduli)) for _ in range(2))
        if not len(a) == len(b) == wanted:
            raise self.wrong(f"a key has {len(a)} and {len(b)} digits, not {wanted}")
        return a, b


def scheme_of(data: bytes | memoryview) -> str | None:
    """The scheme of a file of OpenFHE's; None: it is none of these schemes."""
    head = bytes(data[:512])
    found = (scheme for scheme, name in _PARAMETERS.items() if f"lbcrypto::{name}".encode() in head)
    return next(found, None) if head[:1] == b"\x01" else None


def looks_like_openfhe(data: bytes | memoryview) -> bool:
    """Whether a file is one of OpenFHE's."""
    return scheme_of(data) is not None


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
        raise _wrong_parameters(f"N is {n} and it has {len(q)} limbs", "Its ring needs a power of two, and primes.")
    scheme, t = reader.scheme, None if reader.scheme == CKKS else reader.plain_modulus
    _check_scaling(scheme, facts, reader.plain_modulus)
    switching = facts["ks"]
    if switching not in (1, 2):
        raise _wrong_parameters(f"its key switching is number {switching}", "Use HYBRID or BV.")
    digits = len(q)
    p: Chain = ()
    if switching == 2:
        digits = facts["dnum"]
        if not (1 <= digits <= len(q) and 20 <= facts["ab"] <= 60):
            hint = "Use 1 to L digits."
            raise _wrong_parameters(f"it has {digits} digits and special primes of {facts['ab']} bits", hint)
        # they are 1 modulo t too in BGV, of which OpenFHE takes 32 bits there
        factor = (t or 0) & 0xFFFFFFFF if scheme == BGV else 1
        p = special_primes(2 * n * (factor or 1), q, digits, facts["ab"])
    extra = tuple(islice(primes_below(q[-1], 2 * n, q), int(scheme == BFV and facts["encs"] == _EXTENDED)))
    bits = reader.plain_modulus if t is None else 0
    return OpenFheParameters(n, q, p, digits, bits, facts, reader.record, scheme, t, extra)


def _check_scaling(scheme: str, facts: dict[str, Any], modulus: int) -> None:
    scaling = facts["rs"]
    allowed = {CKKS: range(1), BFV: range(len(SCALINGS)), BGV: range(4)}[scheme]
    if scaling not in allowed:
        name = SCALINGS[scaling] if scaling < len(SCALINGS) else str(scaling)
        hint = "Call SetScalingTechnique(FIXEDMANUAL): the others change scales from level to level."
        raise _wrong_parameters(f"its scaling technique is {name}", hint)
    if scheme == CKKS and not 8 <= modulus <= 60:
        raise _wrong_parameters(f"its scale is 2^{modulus}", "Use SetScalingModSize of 20 to 59.")
    if scheme != CKKS and facts["ns"] != (modulus if scheme == BGV else 1):
        hint = "Make the context anew by GenCryptoContext."
        raise _wrong_parameters(f"errors are multiples of {facts['ns']}, with the plain modulus {modulus}", hint)


def special_primes(step: int, q: Chain, digits: int, bits: int) -> Chain:
    """The primes P of HYBRID key switching: a context does not have them, OpenFHE computes them anew (CryptoParametersRNS::PrecomputeCRTTables).

    P is some bits longer than the longest digit: keys with fewer primes than OpenFHE counts on make it read behind their end.
    """
    size = -(-len(q) // digits)
    longest = max(math.prod(q[start : start + size]).bit_length() for start in range(0, len(q), size))
    wanted = -(-(longest + _SPECIAL_MARGIN_BITS) // bits)
    found = tuple(islice(primes_below(1 << bits, step, q), wanted))
    if len(found) < wanted:
        raise _wrong_parameters(f"it has {len(found)} special primes of {bits} bits", "Use a smaller plain modulus.")
    return found


@dataclass(frozen=True)
class OpenFheCiphertext:
    """scale: of its values in CKKS. factor: of its values in BGV, else 1. is_coef: residues are coefficients, as products in BFV may be."""

    polys: Polys
    is_coef: bool
    scale: float
    factor: int
    tag: str


def read_ciphertext(data: memoryview, params: OpenFheParameters) -> OpenFheCiphertext:
    reader = _Reader(data, "ciphertext", params)
    reader.declared()
    reader.new_object()
    reader.version("CiphertextImpl")
    tag = reader.owner()
    if params.scheme == BFV:
        reader.forms = (0, 1)
    polys = reader.polys(params.n, params.q, _POLYS_MAX)
    slots, level, _, degree = (reader.u32() for _ in range(4))
    scale, factor, encoding = reader.f64(), reader.u64(), reader.u32()
    reader.new_object()
    scheme, packed = params.scheme, PACKED[params.scheme]
    if reader.count(0, "entries of metadata") or encoding != packed:
        raise reader.wrong(f"its encoding has the number {encoding}, not {packed} for {scheme.upper()}")
    reader.end()
    if len(polys) < 2:
        raise reader.wrong("it has a single polynomial")
    most = {CKKS: 1 << 64, BFV: 1, BGV: (params.plain_modulus or 0) - 1}[scheme]
    if not (math.isfinite(scale) and scale > 0 and 1 <= factor <= most and degree <= 64 and level <= len(params.q)):
        raise reader.wrong(f"its scale is {scale}, its factor {factor}, its degree {degree}, its level {level}")
    if scheme == CKKS and slots != params.n // 2:
        hint = "Call SetBatchSize with N/2, or leave it out."
        raise reader.wrong(f"it has {slots} slots, and Ringside decodes all {params.n // 2}", hint)
    return OpenFheCiphertext(polys, reader.forms == (1,), scale, factor, tag)


def _key_head(reader: _Reader, name: str) -> str:
    reader.declared()
    reader.new_object()
    reader.version(name)
    reader.version("Key")
    return reader.owner()


def read_public_key(data: memoryview, params: OpenFheParameters) -> tuple[Polys, str]:
    """(b, a) over Q, or Q and `extra`, and the key's tag."""
    reader = _Reader(data, "public key", params)
    tag = _key_head(reader, "PublicKeyImpl")
    polys = reader.polys(params.n, params.key_moduli, 2)
    reader.end()
    if len(polys) != 2 or len(polys[0]) != len(params.key_moduli):
        raise reader.wrong(f"it has {len(polys)} polynomials of {len(polys[0])} limbs")
    return polys, tag


def read_secret_key(data: memoryview, params: OpenFheParameters) -> tuple[list[LimbWords], str]:
    """s over Q and `extra`, and the key's tag."""
    reader = _Reader(data, "private key", params)
    tag = _key_head(reader, "PrivateKeyImpl")
    limbs = reader._poly(params.n, params.key_moduli)
    reader.end()
    if len(limbs) != len(params.key_moduli):
        raise reader.wrong(f"it has {len(limbs)} limbs, not {len(params.key_moduli)}")
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

        _context_head(self, self._params.scheme, chain, encoding, self.new)
        _context_features(self, self.new)

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
        """OpenFHE keeps the limbs of Q with others apart from those of Q."""
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

    def poly(self, limbs: Sequence[LimbWords], moduli: Chain) -> None:
        moduli = moduli[: len(limbs)]
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

    def polys(self, polys: Sequence[Sequence[LimbWords]], moduli: Chain) -> None:
        """moduli: of the limbs, more if there are fewer limbs."""
        self.put("Q", len(polys))
        for poly in polys:
            self.poly(poly, moduli)


def write_ciphertext(
    polys: Sequence[Sequence[LimbWords]], scale: float, tag: str, params: OpenFheParameters, *, factor: int = 1
) -> list[bytes | memoryview]:
    """scale: of CKKS. factor: of BGV, as OpenFheParameters.fresh has it at this level."""
    writer = _Writer(params)
    writer.declared()
    writer.new()
    writer.version("CiphertextImpl")
    writer.owner(tag)
    writer.polys(polys, params.q)
    level, slots = len(params.q) - len(polys[0]), 0
    if params.scheme == CKKS:
        degree, slots = max(1, round(math.log2(scale) / params.scale_bits)), params.n // 2
    else:
        degree, _ = params.fresh(level)
    writer.put("IIIIdQI", slots, level, 0, degree, scale, factor, PACKED[params.scheme])
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
    writer.polys([b, a], params.key_moduli)
    return writer.pieces


def write_secret_key(limbs: Sequence[LimbWords], tag: str, params: OpenFheParameters) -> list[bytes | memoryview]:
    writer = _Writer(params)
    _put_key_head(writer, "PrivateKeyImpl", tag)
    writer.poly(limbs, params.key_moduli)
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
            moduli = params.encapsulated if element == params.sparse_element else params.switched + params.p
            writer.polys(polys, moduli)
        yield from writer.pieces
        writer.pieces = []
