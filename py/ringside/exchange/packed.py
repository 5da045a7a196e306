# SPDX-License-Identifier: Apache-2.0
"""Ciphertexts of CKKS with as many bits to a word as its modulus has, for links where bytes are dear. A gateway makes a server's file of it, without a key.

magic "RSPK", u8 version, u8 polynomials (1: the other is a seed), u8 type of the seed or 0, u8 limbs,
u8 whose slots (0: SEAL's, 1: Lattigo's, 2: OpenFHE's), u8 1 if values are in coefficients, f64 scale, 32 bytes parms_id
version 2: u8 dropped bits of c_0, u8 of c_1
64 bytes of seed, if there is one
polynomial after polynomial, limb after limb: N residues, each of its modulus' bits, the lowest bit first
8 bytes of BLAKE2b of all that

Residues are in NTT form in version 1. Version 2 has an answer of one limb as coefficients, each rounded to a multiple of 2^dropped, of which
the quotient is there: an error of 4^d_0 / 12 + 4^d_1 / 12 * 2N / 3 to a coefficient's variance, as s has 2N / 3 coefficients that are not 0.
"""

from __future__ import annotations

import hashlib
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MismatchError
from ..formats.cursor import ByteCursor
from ..native.files import read_file
from ..native.library import PARMS_ID_BYTES, SEED_BYTES, SEED_TYPE_NAMES, aligned, ffi, lib, seed_type_number, words_of
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.params import CKKS
from ..objects.common.tables import Tables
from ..objects.exact.options import COEFFICIENTS, SLOTS
from .library import LibraryName

MAGIC = b"RSPK"
_HEAD = struct.Struct("<4sBBBBBBd")
_SLOTS: tuple[LibraryName | None, ...] = (None, "lattigo", "openfhe")
_PACKINGS = (SLOTS, COEFFICIENTS)
_SUM_BYTES = 8
_DENSITY = 2 / 3  # a uniform ternary secret's


def is_packed(source: bytes | Path) -> bool:
    """Whether a file is one of these."""
    if isinstance(source, bytes):
        return source[: len(MAGIC)] == MAGIC
    try:
        with open(source, "rb", buffering=0) as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False  # who reads it says what is wrong


def values_in(source: bytes | Path) -> tuple[LibraryName | None, str]:
    """In whose slots the values of such a file are, None: SEAL's; and their packing. WireError."""
    data = memoryview(source if isinstance(source, bytes) else read_file(source))
    cursor = ByteCursor(data, "Ringside", "packed ciphertext")
    *_, slots, packing, _ = _HEAD.unpack(cursor.take(_HEAD.size))
    if slots >= len(_SLOTS) or packing >= len(_PACKINGS):
        raise cursor.wrong("its values are packed in another way")
    return _SLOTS[slots], _PACKINGS[packing]


def to_packed(
    ciphertext: Ciphertext,
    slots: LibraryName | None = None,
    packing: str = SLOTS,
    *,
    dropped: tuple[int, int] | None = None,
) -> bytes:
    """The file of a ciphertext. slots: in whose its values are. dropped: bits of c_0 and c_1, of which the first limb is kept alone. MismatchError: it is not of CKKS."""
    params = ciphertext.context.params
    if params.scheme != CKKS:
        message = f"Packed files hold ciphertexts of CKKS, and this one is of {params.scheme.upper()}."
        raise MismatchError("RS_ERR_SCHEME", message, "Write a file of SEAL.")
    polys, limbs, _ = ciphertext.data.shape
    limbs = limbs if dropped is None else 1
    seed_type = seed_type_number(ciphertext.seed_type) if ciphertext.seed_type else 0
    meaning = _SLOTS.index(slots), _PACKINGS.index(packing)
    version = 1 if dropped is None else 2
    head = _HEAD.pack(MAGIC, version, polys, seed_type, limbs, *meaning, ciphertext.scale)
    head += bytes.fromhex(params.parms_id(limbs - 1)) + bytes(dropped or ())
    if dropped is None:
        rows = [(row, q.bit_length()) for poly in ciphertext.data for row, q in zip(poly, params.moduli, strict=False)]
    else:
        q = params.moduli[0]
        rows = [(_rounded(ciphertext, poly, bits), _quotient_bits(q, bits)) for poly, bits in enumerate(dropped)]
    data = head + (ciphertext.seed or b"") + b"".join(pack_words(row, bits) for row, bits in rows)
    return data + _sum(data)


def from_packed(context: Tables, source: bytes | Path) -> Ciphertext:
    """The reverse. FileError, WireError, MismatchError: it is of other parameters."""
    data = memoryview(source if isinstance(source, bytes) else read_file(source))
    cursor = ByteCursor(data[:-_SUM_BYTES], "Ringside", "packed ciphertext")
    magic, version, polys, seed_type, limbs, _, _, scale = _HEAD.unpack(cursor.take(_HEAD.size))
    if magic != MAGIC or version not in (1, 2) or _sum(cursor.data) != data[-_SUM_BYTES:]:
        raise cursor.wrong("it is damaged, or of another version", "Send it again.")
    params, parms_id = context.params, bytes(cursor.take(PARMS_ID_BYTES)).hex()
    if not 1 <= limbs <= params.data_limbs or params.parms_id(limbs - 1) != parms_id:
        message = "This packed ciphertext belongs to other parameters."
        raise MismatchError("RS_ERR_MISMATCH", message, "Name the keys that it was made with.")
    if (seed_type != 0) != (polys == 1) or seed_type not in (0, *SEED_TYPE_NAMES):
        raise cursor.wrong(f"it has {polys} polynomials and a seed of type {seed_type}")
    dropped = tuple(cursor.take(2)) if version == 2 else ()
    if dropped and (polys, limbs) != (2, 1):
        raise cursor.wrong(f"it has {polys} polynomials of {limbs} limbs, and dropped bits")
    if any(bits >= params.moduli[0].bit_length() for bits in dropped):
        raise cursor.wrong("all bits are dropped")
    seed = bytes(cursor.take(SEED_BYTES)) if seed_type else None
    words = aligned((polys, limbs, context.n))
    for poly, rows in enumerate(words):
        for row, q in zip(rows, params.moduli, strict=False):
            bits = _quotient_bits(q, dropped[poly]) if dropped else q.bit_length()
            row[:] = unpack_words(cursor.take(context.n * bits // 8), bits)
            if dropped:
                _restore(context, row, dropped[poly], cursor)
    cursor.end()
    name = SEED_TYPE_NAMES.get(seed_type, "shake256")
    return Ciphertext.from_data(context, words, scale=scale, seed=seed, seed_type=name)


# ---- answers ------------------------------------------------------------------------------------------------------------
def dropped_bits(context: Tables, scale: float, precision: float | None = None) -> tuple[int, int]:
    """How many bits of c_0 and c_1 may go, for what is left to have so many bits of precision. None: for a quarter of the variance that rescaling leaves."""
    weights = 1, _DENSITY * context.n
    variance = (1 + weights[1]) / 12 / 4
    if precision is not None:
        variance = 4 ** (float(lib.rs_precision_predicted(context._pointer, 1.0, scale)) - precision)
    most = context.params.moduli[0].bit_length() - 1
    one, other = (min(most, max(0, math.floor(math.log(6 * variance / weight, 4)))) for weight in weights)
    return one, other


def precision_after(context: Tables, scale: float, dropped: tuple[int, int]) -> float:
    """Bits of precision that an answer without other errors has left. Infinite, if nothing is dropped."""
    weights = 1, _DENSITY * context.n
    variance = sum((4**bits - 1) / 12 * weight for bits, weight in zip(dropped, weights, strict=True))
    return float(lib.rs_precision_predicted(context._pointer, variance, scale)) if variance else math.inf


def check_answer(ciphertext: Ciphertext) -> None:
    """InputError: not an answer that can be made smaller."""
    if ciphertext.seeded:
        hint = "`ringside encrypt --format packed` makes a smaller file of it."
        raise InputError("RS_ERR_SEEDED", "A ciphertext with a seed has no second polynomial to make smaller.", hint)
    if ciphertext.poly_count != 2:
        message = f"The answer has {ciphertext.poly_count} polynomials."
        raise InputError("RS_ERR_POLY_COUNT", message, "Let the server relinearise it.")


def _ring(context: Tables) -> Any:
    return lib.rs_context_plan(context._pointer, 0)


def _quotient_bits(q: int, dropped: int) -> int:
    """Bits of the quotients of 0 to q - 1, rounded, where the one that stands for q is 0."""
    return ((q - 1) >> dropped).bit_length()


def _rounded(ciphertext: Ciphertext, poly: int, dropped: int) -> NDArray[np.uint64]:
    context, q = ciphertext.context, ciphertext.context.params.moduli[0]
    words = aligned(context.n)
    words[:] = ciphertext.data[poly, 0]
    lib.rs_plan_inverse(_ring(context), ffi.cast("uint64_t *", words_of(words)))
    found = (words + np.uint64((1 << dropped) >> 1)) >> np.uint64(dropped)
    found[found > (q - 1) >> dropped] = 0  # a multiple at q or above it: q itself is as near as that
    return found


def _restore(context: Tables, row: NDArray[np.uint64], dropped: int, cursor: ByteCursor) -> None:
    """Quotients become residues in NTT form."""
    if int(row.max()) > (context.params.moduli[0] - 1) >> dropped:
        raise cursor.wrong("a residue is not below its modulus")
    row <<= np.uint64(dropped)
    lib.rs_plan_forward(_ring(context), ffi.cast("uint64_t *", words_of(row)))


# ---- bits ---------------------------------------------------------------------------------------------------------------
_LANES = 64  # words that fill whole words of 64 bits, whatever their bits


def pack_words(words: NDArray[np.uint64], bits: int) -> bytes:
    """Words of so many bits one behind the other, the lowest bit first. Their number is a multiple of 64."""
    lanes = words.reshape(-1, _LANES)
    out = np.zeros((len(lanes), bits), dtype="<u8")
    for lane in range(_LANES):
        word, shift = divmod(lane * bits, 64)
        out[:, word] |= lanes[:, lane] << np.uint64(shift)
        if shift + bits > 64:
            out[:, word + 1] |= lanes[:, lane] >> np.uint64(64 - shift)
    return out.tobytes()


def unpack_words(data: memoryview, bits: int) -> NDArray[np.uint64]:
    """The reverse."""
    packed = np.frombuffer(data, "<u8").reshape(-1, bits)
    out = np.empty((len(packed), _LANES), dtype=np.uint64)
    for lane in range(_LANES):
        word, shift = divmod(lane * bits, 64)
        out[:, lane] = packed[:, word] >> np.uint64(shift)
        if shift + bits > 64:
            out[:, lane] |= packed[:, word + 1] << np.uint64(64 - shift)
    out &= np.uint64((1 << bits) - 1)
    return out.reshape(-1)


def _sum(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM_BYTES).digest()
