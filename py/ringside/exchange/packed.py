# SPDX-License-Identifier: Apache-2.0
"""Ciphertexts of CKKS with as many bits to a word as its modulus has, for links where bytes are dear. A gateway makes a server's file of it, without a key.

magic "RSPK", u8 version 1, u8 polynomials (1: the other is a seed), u8 type of the seed or 0, u8 limbs,
u8 whose slots (0: SEAL's, 1: Lattigo's, 2: OpenFHE's), u8 1 if values are in coefficients, f64 scale, 32 bytes parms_id
64 bytes of seed, if there is one
polynomial after polynomial, limb after limb: N residues in NTT form, each of its modulus' bits, the lowest bit first
8 bytes of BLAKE2b of all that
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import MismatchError
from ..formats.cursor import ByteCursor
from ..native.files import read_file
from ..native.library import PARMS_ID_BYTES, SEED_BYTES, SEED_TYPE_NAMES, seed_type_number
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


def to_packed(ciphertext: Ciphertext, slots: LibraryName | None = None, packing: str = SLOTS) -> bytes:
    """The file of a ciphertext. slots: in whose its values are. MismatchError: it is not of CKKS."""
    params = ciphertext.context.params
    if params.scheme != CKKS:
        message = f"Packed files hold ciphertexts of CKKS, and this one is of {params.scheme.upper()}."
        raise MismatchError("RS_ERR_SCHEME", message, "Write a file of SEAL.")
    polys, limbs, _ = ciphertext.data.shape
    seed_type = seed_type_number(ciphertext.seed_type) if ciphertext.seed_type else 0
    meaning = _SLOTS.index(slots), _PACKINGS.index(packing)
    head = _HEAD.pack(MAGIC, 1, polys, seed_type, limbs, *meaning, ciphertext.scale) + bytes.fromhex(
        ciphertext.parms_id
    )
    body = b"".join(
        _packed(words, q) for poly in ciphertext.data for words, q in zip(poly, params.moduli, strict=False)
    )
    data = head + (ciphertext.seed or b"") + body
    return data + _sum(data)


def from_packed(context: Tables, source: bytes | Path) -> Ciphertext:
    """The reverse. FileError, WireError, MismatchError: it is of other parameters."""
    data = memoryview(source if isinstance(source, bytes) else read_file(source))
    cursor = ByteCursor(data[:-_SUM_BYTES], "Ringside", "packed ciphertext")
    magic, version, polys, seed_type, limbs, _, _, scale = _HEAD.unpack(cursor.take(_HEAD.size))
    if (magic, version) != (MAGIC, 1) or _sum(cursor.data) != data[-_SUM_BYTES:]:
        raise cursor.wrong("it is damaged, or of another version", "Send it again.")
    params, parms_id = context.params, bytes(cursor.take(PARMS_ID_BYTES)).hex()
    if not 1 <= limbs <= params.data_limbs or params.parms_id(limbs - 1) != parms_id:
        message = "This packed ciphertext belongs to other parameters."
        raise MismatchError("RS_ERR_MISMATCH", message, "Name the keys that it was made with.")
    if (seed_type != 0) != (polys == 1) or seed_type not in (0, *SEED_TYPE_NAMES):
        raise cursor.wrong(f"it has {polys} polynomials and a seed of type {seed_type}")
    seed = bytes(cursor.take(SEED_BYTES)) if seed_type else None
    words = np.empty((polys, limbs, context.n), dtype=np.uint64)
    for row, q in _rows(words, params.moduli):
        bits = q.bit_length()
        row[:] = _unpacked(cursor.take(context.n * bits // 8), bits)
    cursor.end()
    name = SEED_TYPE_NAMES.get(seed_type, "shake256")
    return Ciphertext.from_data(context, words, scale=scale, seed=seed, seed_type=name)


def _rows(words: NDArray[np.uint64], moduli: tuple[int, ...]) -> Iterator[tuple[NDArray[np.uint64], int]]:
    return ((row, q) for poly in words for row, q in zip(poly, moduli, strict=False))


def _packed(words: NDArray[np.uint64], q: int) -> bytes:
    bits = np.unpackbits(words.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return np.packbits(bits[:, : q.bit_length()], bitorder="little").tobytes()


def _unpacked(data: memoryview, bits: int) -> NDArray[np.uint64]:
    found = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little").reshape(-1, bits)
    return np.packbits(np.pad(found, ((0, 0), (0, 64 - bits))), axis=1, bitorder="little").view("<u8")[:, 0]


def _sum(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM_BYTES).digest()
