# SPDX-License-Identifier: Apache-2.0
"""Parameter sets: ring degree N and the chain of RNS moduli."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from ...arguments import checked, checks_arguments
from ...errors import HINT_OF_CODE, InputError, ParameterError, RingsideError
from ...formats.lattigo import LattigoParameters
from ...formats.openfhe import OpenFheParameters
from ...formats.rings import is_prime, spare_prime
from ...hints import did_you_mean
from ...native.files import StrPath
from ...native.library import PARMS_ID_BYTES, CData, check, error_of, fail, ffi, get_bytes, lib, request, u32
from ...native.streams import (
    DEFAULT_COMPRESSION,
    DEFAULT_VERSION,
    Reader,
    WireObject,
    WireOptions,
    open_file,
    open_memory,
    write_file,
    write_memory,
)
from ...notebook import facts_html, power_of_two
from . import evaluation
from .evaluation import KINDS, SECRET_KEY, Remaining

CKKS, BFV, BGV = "ckks", "bfv", "bgv"
SCHEMES: dict[str, int] = {CKKS: lib.RS_SCHEME_CKKS, BFV: lib.RS_SCHEME_BFV, BGV: lib.RS_SCHEME_BGV}
CUSTOM = "custom"  # in place of the name of a set of our own
BATCHING = "batching:"  # "batching:20": the largest prime of 20 bits with slots, as SEAL's PlainModulus::Batching


@dataclass(frozen=True)
class NamedSet:
    """A named parameter set. limb_count includes the special prime; default_scale suits its moduli. plain_modulus: of BFV and BGV."""

    name: str
    source: str
    n: int
    limb_count: int
    default_scale: float
    scheme: str = CKKS
    plain_modulus: int | None = None


@dataclass(frozen=True)
class SecurityTable:
    """Security of a parameter set by a published table of limits; ternary secret, classical attacks.

    security: 256, 192, 128, or 0 if the set reaches none. max_bits: the most modulus bits that the table allows for 128 bits at
    this N, None if it has no number there. margin_bits: max_bits less the set's; 0 is on the limit, below 0 over it.
    """

    key: str
    title: str
    security: int
    max_bits: int | None
    margin_bits: int | None

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "key"}


STANDARD_2018 = "standard-2018"
GUIDELINES_2024 = "guidelines-2024"

_SECURITY_TABLES = {
    STANDARD_2018: (lib.RS_SECURITY_STANDARD_2018, "HomomorphicEncryption.org standard, 2018"),
    GUIDELINES_2024: (lib.RS_SECURITY_GUIDELINES_2024, "Bossuat et al., Security Guidelines, 2024"),
}


def _scheme_number(scheme: str) -> int:
    if scheme not in SCHEMES:
        raise ParameterError("RS_ERR_SCHEME", f"Unknown scheme {scheme!r}.", f"Use one of: {', '.join(SCHEMES)}.")
    return SCHEMES[scheme]


@checked
def named_sets(scheme: str | None = CKKS) -> list[NamedSet]:
    """The parameter sets that have a name, of a scheme: "ckks", "bfv" or "bgv". None: of all."""
    numbers = {number: name for name, number in SCHEMES.items()}
    if scheme is not None:
        _scheme_number(scheme)
    sets: list[NamedSet] = []
    info = ffi.new("rs_set_info_t *")
    while lib.rs_params_set_info(len(sets), info) == lib.RS_OK:
        name, source = (bytes(ffi.string(text)).decode() for text in (info.name, info.source))
        own, t = numbers[int(info.scheme)], int(info.plain_modulus) or None
        sets.append(NamedSet(name, source, 1 << info.log_n, info.limb_count, 2.0**info.default_scale_bits, own, t))
    return [one for one in sets if scheme in (None, one.scheme)]


def twin(params: Parameters) -> str | None:
    """The smallest named set with as many slots or more that can be multiplied at each level, and rotated."""
    for item in sorted(named_sets(), key=lambda item: item.n):
        one = Parameters.named(item.name, security=0)
        scale, count = item.default_scale, evaluation.depth(one, item.default_scale)
        if one.n >= params.n and count == one.max_level > 0 and evaluation.rotates(one, scale):
            return item.name
    return None


# The product of 64 primes can have 3840 bits, and 3523 are secure at the largest N, so chains of more primes only make every
# operation slower than the same bits in fewer, larger primes. Arrays of this length are in the library's structs.
OPERATIONS_MAX = 2**20  # operations of a forecast
_LIMBS_HINT = "SEAL takes 256. Use fewer, larger primes: 64 of 55 bits reach what is secure at N = 131072."


def _limb_array(values: Sequence[int], kind: str, upper: int, status: int) -> CData:
    if not 0 < len(values) <= lib.RS_LIMBS_MAX:
        fail(lib.RS_ERR_LIMB_COUNT, f"{len(values)} limbs given, 1 to {lib.RS_LIMBS_MAX} are possible", _LIMBS_HINT)
    for value in values:
        if not 0 <= value < upper:
            fail(status, f"got {value}")
    return ffi.new(kind, [int(value) for value in values])


def _level(security: int) -> int:
    """rs_security_t; 0 waives the check, which the library wants by name."""
    level = u32(security, lib.RS_ERR_SECURITY_LEVEL)
    if level == lib.RS_SECURITY_UNCHECKED:
        fail(lib.RS_ERR_SECURITY_LEVEL, f"got {security}")
    return level or int(lib.RS_SECURITY_UNCHECKED)


def _plain(plain_modulus: int | str | None, scheme: str | None) -> dict[str, int]:
    """Members of rs_params_request_t. scheme: None where a set has a plain modulus of its own."""
    if plain_modulus is None:
        if scheme in (None, CKKS):
            return {}
        hint = HINT_OF_CODE["RS_ERR_PLAIN_MODULUS"]
        raise ParameterError("RS_ERR_PLAIN_MODULUS", f"{str(scheme).upper()} needs a plain modulus.", hint)
    if scheme == CKKS:
        message = "CKKS has no plain modulus."
        raise ParameterError("RS_ERR_SCHEME", message, "BFV and BGV have one: choose their scheme.")
    if not isinstance(plain_modulus, str):
        if not 0 < plain_modulus < 1 << 64:
            fail(lib.RS_ERR_PLAIN_MODULUS, f"got {plain_modulus}")
        return {"plain_modulus": int(plain_modulus)}
    bits = plain_modulus.removeprefix(BATCHING)
    if bits == plain_modulus or not bits.isascii() or not bits.isdigit() or not 0 < int(bits) < 100:
        fail(lib.RS_ERR_PLAIN_MODULUS, f"got {plain_modulus!r}")
    return {"plain_bits": int(bits)}


def _checked(
    n: int, total_bits: int, said: str, scheme: str, plain_modulus: int | str | None, security: int, **primes: CData
) -> CData:
    """rs_params_t. said: what was asked for, of an error. primes: or their sizes, as a member of rs_params_request_t."""
    native, count = ffi.new("rs_params_t *"), max(map(len, primes.values()))
    members = {"n": u32(n, lib.RS_ERR_DEGREE), "security": _level(security), "limb_count": count}
    members |= {"scheme": _scheme_number(scheme), **_plain(plain_modulus, scheme)}
    status = lib.rs_params_init(native, request("rs_params_request_t", **primes, **members))
    if status != 0:
        raise _creation_error(status, n, total_bits, security, said)
    return native


@checks_arguments
class Parameters:
    """An immutable, fully checked parameter set in SEAL's convention: of CKKS (Context), or of BFV or BGV (ExactContext).

    With two or more moduli the last one is the special prime; ciphertexts live on the others. A ciphertext with L limbs is at
    level L - 1 (SEAL's chain index): level 0 is the lowest.

    scheme: "ckks", "bfv" or "bgv". plain_modulus: of BFV and BGV, t: messages are integers modulo it; a number, or "batching:BITS" for the largest prime
    of so many bits that has slots.

    security: 128, 192 or 256 refuses weaker parameters (ternary secret, classical attacks; homomorphic encryption standard of
    2018 as SEAL checks it, for N above 32768 the guidelines of 2024) with ParameterError; 0 accepts any.
    """

    def __init__(self, native: CData) -> None:
        self._native = native

    # ---- making ---------------------------------------------------------------------------------------------------
    @classmethod
    def from_bits(
        cls,
        n: int,
        bits: Sequence[int],
        *,
        scheme: str = CKKS,
        plain_modulus: int | str | None = None,
        security: int = 128,
    ) -> Parameters:
        """Primes of these bit sizes, chosen as SEAL's CoeffModulus::Create does. n: 2^9 … 2^17; bits: up to 60 each."""
        array = _limb_array(bits, "uint32_t[]", 1 << 32, lib.RS_ERR_PRIMES)
        said = f"N = {n}, bits {', '.join(map(str, bits))}"
        return cls(_checked(n, sum(bits), said, scheme, plain_modulus, security, bits=array))

    @classmethod
    def from_moduli(
        cls,
        n: int,
        moduli: Sequence[int],
        *,
        scheme: str = CKKS,
        plain_modulus: int | str | None = None,
        security: int = 128,
    ) -> Parameters:
        """These moduli: distinct primes, 1 mod 2N, in (2N, 2^60)."""
        array = _limb_array(moduli, "uint64_t[]", 1 << 64, lib.RS_ERR_MODULUS_RANGE)
        total_bits = math.prod(moduli).bit_length()
        return cls(_checked(n, total_bits, f"N = {n}", scheme, plain_modulus, security, moduli=array))

    @classmethod
    def named(cls, name: str, *, plain_modulus: int | str | None = None, security: int = 128) -> Parameters:
        """The set of that name (see named_sets), of BFV and BGV also with another plain modulus."""
        native = ffi.new("rs_params_t *")
        text = ffi.new("char[]", name.encode(errors="replace").replace(b"\0", b"?"))
        is_ckks = plain_modulus is not None and name in [item.name for item in named_sets()]
        members = {"name": text, "security": _level(security), **_plain(plain_modulus, CKKS if is_ckks else None)}
        status = lib.rs_params_init(native, request("rs_params_request_t", **members))
        if status == lib.RS_ERR_SET:
            known = [item.name for item in named_sets(None)]
            fail(status, f"{name!r}", did_you_mean(name, known, "`ringside params` lists the sets."))
        check(status, f"{name!r}")
        return cls(native)

    # ---- SEAL files -----------------------------------------------------------------------------------------------
    @classmethod
    def _read(cls, reader: Reader, security: int) -> Parameters:
        native = ffi.new("rs_params_t *")
        reader.check(lib.rs_wire_read_params(reader.pointer, native, _level(security)))
        return cls(native)

    @classmethod
    def load(cls, path: StrPath, *, security: int = 128) -> Parameters:
        """Reads a file of SEAL's EncryptionParameters. FileError, WireError, ParameterError."""
        with open_file(path) as reader:
            return cls._read(reader, security)

    @classmethod
    def from_bytes(cls, data: bytes | memoryview, *, security: int = 128) -> Parameters:
        """The same from memory."""
        with open_memory(data) as reader:
            return cls._read(reader, security)

    def _written(self) -> WireObject:
        return {"kind": lib.RS_WIRE_PARAMS, "params": self._native}

    def save(
        self,
        path: StrPath,
        *,
        compression: str = DEFAULT_COMPRESSION,
        version: str = DEFAULT_VERSION,
        overwrite: bool | None = None,
    ) -> int:
        """Writes a file that SEAL's EncryptionParameters::load reads; returns its bytes."""
        return write_file(path, self._written(), WireOptions(compression, version), overwrite=overwrite)

    def to_bytes(self, *, compression: str = DEFAULT_COMPRESSION, version: str = DEFAULT_VERSION) -> bytes:
        """The same to memory."""
        return write_memory(self._written(), WireOptions(compression, version))

    # ---- properties -----------------------------------------------------------------------------------------------
    @cached_property
    def scheme(self) -> str:
        """ "ckks", "bfv" or "bgv"."""
        return next(name for name, number in SCHEMES.items() if number == self._native.scheme)

    @property
    def plain_modulus(self) -> int | None:
        """The modulus of messages in BFV and BGV; None in CKKS."""
        return int(self._native.plain_modulus) or None

    @cached_property
    def batching(self) -> bool:
        """Whether BFV or BGV has slots: the plain modulus is prime and 1 mod 2N."""
        t = self.plain_modulus
        return t is not None and t % (2 * self.n) == 1 and is_prime(t)

    @property
    def log_n(self) -> int:
        """The binary logarithm of N."""
        return int(self._native.log_n)

    @property
    def n(self) -> int:
        """Ring degree N."""
        return 1 << self.log_n

    @property
    def slots(self) -> int:
        """Values per ciphertext: N/2 in CKKS, N in BFV and BGV."""
        return self.n // 2 if self.scheme == CKKS else self.n

    @property
    def limb_count(self) -> int:
        """Moduli, special prime included."""
        return int(self._native.limb_count)

    @property
    def data_limbs(self) -> int:
        """Limbs of a fresh ciphertext."""
        return int(lib.rs_params_data_limbs(self._native))

    @property
    def max_level(self) -> int:
        """Level of a fresh ciphertext, data_limbs - 1: how many times the server can rescale. What a product leaves: see `after`."""
        return self.data_limbs - 1

    @cached_property
    def moduli(self) -> tuple[int, ...]:
        """All moduli; the special prime, if there is one, comes last."""
        return tuple(int(q) for q in self._native.moduli[0 : self.limb_count])

    @property
    def special_prime(self) -> int | None:
        """The last modulus, of key switching and public-key encryption. None: there is a single modulus."""
        return self.moduli[-1] if self.limb_count > 1 else None

    @property
    def total_bits(self) -> int:
        """Bits of the product of all moduli, on which the security depends."""
        return int(lib.rs_params_total_bits(self._native, self.limb_count))

    @property
    def security(self) -> int:
        """Highest of 256, 192, 128 bits that the set reaches by the limits that are checked; 0 if none. See security_tables."""
        return int(lib.rs_params_security(self._native, lib.RS_SECURITY_CHECKED))

    @property
    def security_tables(self) -> dict[str, SecurityTable]:
        """The set's security by each published table: "standard-2018" (SEAL's) and "guidelines-2024", which is stricter."""
        tables = {}
        for key, (number, title) in _SECURITY_TABLES.items():
            limit = int(lib.rs_security_bits(number, self.log_n, 128)) or None
            margin = None if limit is None else limit - self.total_bits
            security = int(lib.rs_params_security(self._native, number))
            tables[key] = SecurityTable(key, title, security, limit, margin)
        return tables

    def _security_facts(self) -> dict[str, Any]:
        """The size, and what it says of security, in plain values for JSON."""
        tables = {key: table.as_dict() for key, table in self.security_tables.items()}
        facts = {"n": self.n, "modulus_bits": [q.bit_length() for q in self.moduli], "security": self.security}
        return facts | {"security_tables": tables, "seal_sec_level_type": self.seal_security}

    @property
    def seal_security(self) -> str:
        """The sec_level_type that a SEALContext of this set takes: "tc128", which is SEAL's default, or "none".

        Stock SEAL knows the limits of the standard of 2018 only: it refuses every set with N = 512 or above 32768 otherwise.
        """
        return "tc128" if self.security_tables[STANDARD_2018].security else "none"

    @cached_property
    def name(self) -> str | None:
        """Name of the named set with exactly these moduli."""
        found = self._named_set
        return found.name if found else None

    @cached_property
    def default_scale(self) -> float:
        """1 in BFV and BGV. Scale to encode with: a named set's own, else that of the size of the middle primes, so that products keep it.

        Where they differ in size, or the first prime has no room above them, it is smaller: results of products lose bits then.
        """
        if self.scheme != CKKS:
            return 1.0
        return self._named_set.default_scale if self._named_set else evaluation.default_scale(self)

    # ---- a server's operations -------------------------------------------------------------------------------------
    def noise_variance(self, kind: str = SECRET_KEY, level: int | None = None) -> float:
        """Predicted variance per coefficient of a fresh ciphertext, rounding of encode included. kind: "secret-key", "public-key", "public-key-direct"."""
        if kind not in KINDS:
            raise InputError("KIND", f"Unknown encryption {kind!r}.", f"Use one of: {', '.join(KINDS)}.")
        variance = ffi.new("double *")
        check(lib.rs_params_noise_variance(self._native, KINDS[kind], self.limbs_at(level), variance))
        return float(variance[0])

    def after(
        self,
        products: int = 0,
        rotations: int = 0,
        *,
        scale: float | None = None,
        level: int | None = None,
        kind: str = SECRET_KEY,
        nominal: bool = False,
    ) -> Remaining:
        """What is left after so many products one after another (each relinearised and rescaled) and rotations: level, scale, precision_bits.

        For values of magnitude 1 at most. nominal: on TenSEAL and OpenFHE, which count a dropped prime as the scale. InputError if
        there are too few levels.
        """
        chosen = self._scale_of(scale)
        if not (0 <= products <= OPERATIONS_MAX and 0 <= rotations <= OPERATIONS_MAX):
            message = f"products and rotations must be 0 to {OPERATIONS_MAX:,}, got {products} and {rotations}."
            raise InputError("OPERATIONS", message, "Pass how many a server computes one after another.")
        return evaluation.after(self, products, rotations, scale=chosen, level=level, kind=kind, nominal=nominal)

    def rotation_error(self, *, scale: float | None = None, level: int | None = None) -> float | None:
        """About what the worst slot is off by after one rotation on SEAL. None: one modulus, so no rotations."""
        return evaluation.rotation_error(self, self._scale_of(scale), level)

    def _scale_of(self, scale: float | None) -> float:
        """The default scale for None. InputError: not positive, or not finite."""
        chosen = self.default_scale if scale is None else float(scale)
        if not (math.isfinite(chosen) and chosen > 0):
            raise InputError("SCALE", f"A scale must be positive, got {chosen}.", "Pass a power of two, as 2.0**40.")
        return chosen

    @cached_property
    def _named_set(self) -> NamedSet | None:
        for item in named_sets(self.scheme):
            if (item.n, item.limb_count, item.plain_modulus) == (self.n, self.limb_count, self.plain_modulus):
                try:
                    candidate = Parameters.named(item.name, security=0)
                except RingsideError:
                    continue
                if candidate.moduli == self.moduli:
                    return item
        return None

    def modulus(self, level: int) -> int:
        """Product of the moduli of a level."""
        return math.prod(self.moduli[: self.limbs_at(level)])

    def limbs_at(self, level: int | None) -> int:
        """Limbs of a level (None: of a fresh ciphertext). InputError outside of the chain."""
        if level is None:
            return self.data_limbs
        if not 0 <= level < self.data_limbs:
            fail(lib.RS_ERR_LEVEL, f"level {level}; this set has levels 0 to {self.max_level}")
        return level + 1

    def at_level(self, level: int) -> Parameters:
        """A set of its own whose highest level is this one: the first moduli, and the special prime."""
        moduli = [*self.moduli[: self.limbs_at(level)], *self.moduli[self.data_limbs :]]
        return self.from_moduli(
            self.n, moduli, scheme=self.scheme, plain_modulus=self.plain_modulus, security=0
        )  # as secure as the whole set, or more

    def parms_id(self, level: int | None = None) -> str:
        """SEAL's parms_id of a level, 64 hex digits. None: of the keys (all moduli)."""
        limbs = self.limb_count if level is None else self.limbs_at(level)
        digest = ffi.new("uint8_t[]", PARMS_ID_BYTES)
        check(lib.rs_params_id(self._native, limbs, digest))
        return get_bytes(digest, PARMS_ID_BYTES).hex()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as N and moduli; the security was checked, or waived by name, when the set was made."""
        return _restored, self._identity

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parameters):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[int, tuple[int, ...], str, int | None]:
        return self.n, self.moduli, self.scheme, self.plain_modulus

    def _repr_html_(self) -> str:
        bits = ", ".join(str(q.bit_length()) for q in self.moduli)
        facts: list[tuple[str, object]] = [("set", self.name)] if self.name else []
        facts += [("N", self.n), ("slots", self.slots), ("bits of the moduli", f"{bits}: {self.total_bits}")]
        facts += [("security", f"{self.security} bits"), ("levels", f"0 to {self.max_level}")]
        of_message = [("scale", power_of_two(self.default_scale))]
        if self.plain_modulus:
            of_message = [("scheme", self.scheme), ("plain modulus", str(self.plain_modulus))]
        return facts_html("Parameters", [*facts, *of_message])

    def __repr__(self) -> str:
        bits = ",".join(str(q.bit_length()) for q in self.moduli)
        name = f"{self.name!r}, " if self.name else ""
        scheme = f"scheme={self.scheme!r}, plain_modulus={self.plain_modulus}, " if self.plain_modulus else ""
        return f"Parameters({name}{scheme}n={self.n}, bits={bits}, security={self.security})"


def _restored(n: int, moduli: Sequence[int], scheme: str = CKKS, plain_modulus: int | None = None) -> Parameters:
    return Parameters.from_moduli(n, moduli, scheme=scheme, plain_modulus=plain_modulus, security=0)


def check_security(n: int, moduli: Sequence[int], security: int) -> None:
    """ParameterError unless keys modulo all of these have that security; they may be larger than those that this library computes with."""
    bits, limit = (
        math.prod(moduli).bit_length(),
        int(lib.rs_security_bits(lib.RS_SECURITY_CHECKED, n.bit_length() - 1, security)),
    )
    if limit and bits > limit:
        raise _creation_error(lib.RS_ERR_INSECURE, n, bits, security, "")


def chain_of(found: LattigoParameters | OpenFheParameters, security: int) -> Parameters:
    """A library's parameters: the moduli of ciphertexts, then one special prime."""
    bits = lib.RS_MODULUS_BITS_MAX
    for q in found.q:
        if q >> bits:
            message = f"These parameters of Lattigo have the prime {q} in Q, which is above 2^{bits}: Ringside cannot compute with it."
            hint = f"Choose primes of Q of at most {bits - 1} bits (LogQ): for {bits}, Lattigo takes primes on either side of 2^{bits}."
            raise ParameterError("LATTIGO_PARAMETERS", message, hint)
    scheme, t, special_primes = CKKS, found.plain_modulus, found.p
    if isinstance(found, OpenFheParameters):
        scheme, special_primes = found.scheme, found.extra + found.p
    elif t is not None:
        scheme = BGV  # Lattigo's bgv is BFV too, but BGV's files have a place for its scales
    taken = (*found.q, *([t] if t else []))
    special = [p for p in special_primes if not p >> bits][:1] or [spare_prime(found.n, taken, small=bool(t))]
    if isinstance(found, LattigoParameters) and len(found.moduli) == 1:
        special = []  # nothing is rescaled or switched, and a small ring has no bits to spare
    check_security(found.n, found.moduli, security)  # keys for key switching are public modulo all of them
    return Parameters.from_moduli(found.n, [*found.q, *special], scheme=scheme, plain_modulus=t, security=security)


def _creation_error(status: int, n: int, total_bits: int, security: int, detail: str) -> RingsideError:
    if status == lib.RS_ERR_INSECURE:
        limit = lib.rs_security_bits(lib.RS_SECURITY_CHECKED, max(0, n.bit_length() - 1), security)
        allowed = f"{limit} are allowed" if limit else "no limit is published"
        detail = f"{total_bits} modulus bits at N = {n}, {allowed} for {security}-bit security"
    return error_of(status, detail)
