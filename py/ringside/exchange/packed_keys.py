# SPDX-License-Identifier: Apache-2.0
"""Seeded keys for key switching with as many bits to a word as its modulus has, for the way from a client to a gateway, which needs no key.

magic "RSKP", u8 version 1, u8 kind (0: relinearisation, 1: Galois), u8 type of the seeds, u8 moduli, u32 number of keys, 32 bytes parms_id,
20 bytes 0
key after key, ascending: u32 Galois element (0: relinearisation); component after component, one for each modulus but the last:
    limb after limb N residues in NTT form, each of its modulus' bits, the lowest bit first
    64 bytes of seed, 32 bytes of SHAKE256 of the head, the element, the component's number as u32, and what is before it of the component
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MismatchError
from ..formats.cursor import ByteCursor
from ..native.files import StrPath, named_to_read, read_error, write_pieces
from ..native.library import (
    SEED_BYTES,
    SEED_TYPE_NAMES,
    CData,
    aligned,
    ffi,
    get_bytes,
    lib,
    seed_type_number,
    words_of,
)
from ..native.streams import KeyEntry, WireOptions, open_file, write_keys
from ..objects.ckks.inspection import inspect
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.params import CKKS
from ..objects.common.tables import Tables
from ..progress import Progress
from .packed import pack_words, unpack_words

MAGIC = b"RSKP"
_HEAD = struct.Struct("<4sBBBBI32s20s")
_ELEMENT = struct.Struct("<I")
_TAG_BYTES = 32
_KINDS = {"relinearisation keys": lib.RS_WIRE_RELIN_KEYS, "Galois keys": lib.RS_WIRE_GALOIS_KEYS}
_AGAIN = "Send it again."


def _tag(head: bytes, element: int, index: int, body: bytes | memoryview) -> bytes:
    bound = hashlib.shake_256(head + struct.pack("<II", element, index))
    bound.update(body)
    return bound.digest(_TAG_BYTES)


def pack_keys(context: Tables, source: StrPath, path: StrPath, *, overwrite: bool | None = None) -> int:
    """A file of keys of SEAL's as a packed one; its bytes. FileError, WireError, MismatchError; InputError: they have no seeds."""
    params, name = context.params, os.fspath(source)
    found = inspect(source, params, full=True)
    if found.kind not in _KINDS:
        message = f"{name} holds {found.kind}, no relinearisation or Galois keys."
        raise MismatchError("RS_ERR_KIND", message, "`ringside keygen --relin --galois` makes such keys.")
    if found.seed_type is None:
        message = f"{name} has keys without seeds."
        raise InputError("RS_ERR_SEEDED", message, "Send the file as it is, or make its keys anew.")
    kind, parms_id = _KINDS[found.kind], bytes.fromhex(params.parms_id())
    count = 1 if found.elements is None else len(found.elements)
    numbers = [*_KINDS].index(found.kind), seed_type_number(found.seed_type), params.limb_count
    head = _HEAD.pack(MAGIC, 1, *numbers, count, parms_id, b"")

    def pieces() -> Iterator[bytes]:
        yield head
        words = aligned((params.limb_count, context.n))
        native = ffi.new("rs_ciphertext_t *")
        with open_file(source) as reader:
            for place, components in reader.entries(context._pointer, kind):
                element = 2 * place + 1 if kind == lib.RS_WIRE_GALOIS_KEYS else RELINEARISE
                yield _ELEMENT.pack(element) if components else b""
                for index in range(components):
                    target = reader.begin(context._pointer, kind, native)
                    native.data = ffi.cast("uint64_t *", words_of(words))
                    reader.words(target)
                    rows = zip(words, params.moduli, strict=True)
                    body = b"".join(pack_words(row, q.bit_length()) for row, q in rows)
                    body += get_bytes(native.seed.bytes, SEED_BYTES)
                    yield body + _tag(head, element, index, body)

    return write_pieces(path, pieces(), overwrite=overwrite)


@dataclass
class PackedKeys:
    """A file of packed keys, read component by component."""

    context: Tables
    name: str
    kind: int
    count: int
    seed_type: int
    _head: bytes
    _file: BinaryIO

    @classmethod
    def of_file(cls, context: Tables, source: StrPath) -> Self:
        """FileError, WireError: it is damaged; MismatchError: it is of other parameters."""
        try:
            file = open(named_to_read(source), "rb")  # noqa: SIM115
        except OSError as error:
            raise read_error(source, error) from error
        try:
            return cls._checked(context, os.fspath(source), file)
        except BaseException:
            file.close()
            raise

    @classmethod
    def _checked(cls, context: Tables, name: str, file: BinaryIO) -> Self:
        head, size, params = file.read(_HEAD.size), os.fstat(file.fileno()).st_size, context.params
        cursor = ByteCursor(memoryview(head), "Ringside", f"file of packed keys ({name})")
        magic, version, kind, seed_type, limbs, count, parms_id, zeros = _HEAD.unpack(cursor.take(_HEAD.size))
        if (magic, version) != (MAGIC, 1) or kind >= len(_KINDS) or seed_type not in SEED_TYPE_NAMES or any(zeros):
            raise cursor.wrong("it is damaged, or of another version", _AGAIN)
        if parms_id.hex() != params.parms_id() or limbs != params.limb_count:
            message = f"The packed keys in {name} belong to other parameters."
            raise MismatchError(
                "RS_ERR_MISMATCH", message, "Name a directory with the params.seal that they were made with."
            )
        found = cls(context, name, [*_KINDS.values()][kind], count, seed_type, head, file)
        if (kind == 0 and count != 1) or count > context.n:
            raise cursor.wrong(f"it has {count} keys", _AGAIN)
        if size != (wanted := _HEAD.size + count * (_ELEMENT.size + params.data_limbs * found._row_bytes)):
            raise cursor.wrong(f"it has {size} bytes instead of {wanted}", _AGAIN)
        return found

    @property
    def _row_bytes(self) -> int:
        bits = sum(q.bit_length() for q in self.context.params.moduli)
        return self.context.n * bits // 8 + SEED_BYTES + _TAG_BYTES

    def _cursor(self, size: int) -> ByteCursor:
        return ByteCursor(memoryview(self._file.read(size)), "Ringside", f"file of packed keys ({self.name})")

    def elements(self) -> Iterator[int]:
        """Of each key in turn. What follows is read by `row`."""
        last, end = -1, 2 * self.context.n
        for _ in range(self.count):
            cursor = self._cursor(_ELEMENT.size)
            element = cursor.u32()
            is_galois = self.kind == lib.RS_WIRE_GALOIS_KEYS
            if element <= last or element >= end or (element & 1) != is_galois or (element and not is_galois):
                raise cursor.wrong(f"it has a key for the element {element} behind that for {last}", _AGAIN)
            last = element
            yield element

    def row(self, element: int, index: int, words: NDArray[np.uint64]) -> bytes:
        """The next component: its words, and its seed."""
        cursor, params = self._cursor(self._row_bytes), self.context.params
        body = cursor.data[:-_TAG_BYTES]
        if _tag(self._head, element, index, body) != cursor.data[-_TAG_BYTES:]:
            raise cursor.wrong(f"component {index} of the key for {element} is damaged", _AGAIN)
        for row, q in zip(words, params.moduli, strict=True):
            bits = q.bit_length()
            row[:] = unpack_words(cursor.take(self.context.n * bits // 8), bits)
            if int(row.max()) >= q:
                raise cursor.wrong(f"a residue is not below its modulus {q}", _AGAIN)
        return bytes(cursor.take(SEED_BYTES))

    def close(self) -> None:
        self._file.close()


def unpack_keys(
    context: Tables,
    source: StrPath,
    path: StrPath,
    *,
    options: WireOptions | None = None,
    overwrite: bool | None = None,
    progress: Progress | None = None,
) -> int:
    """The file of SEAL that was packed; its bytes. progress(done, total): of rows. FileError, WireError, MismatchError."""
    params = context.params
    packed = PackedKeys.of_file(context, source)
    words = aligned((params.limb_count, context.n))
    members = {"poly_count": 2, "limb_count": params.limb_count, "scale": 1.0, "seeded": 1}
    native: CData = ffi.new("rs_ciphertext_t *", members | {"seed_type": packed.seed_type})
    native.parms_id = bytes.fromhex(params.parms_id())
    native.correction_factor = int(params.scheme != CKKS)
    native.data = ffi.cast("uint64_t *", words_of(words))
    is_galois = packed.kind == lib.RS_WIRE_GALOIS_KEYS
    done, total = 0, packed.count * params.data_limbs

    def rows(element: int) -> Iterator[CData]:
        nonlocal done
        for index in range(params.data_limbs):
            native.seed.bytes = packed.row(element, index, words)
            yield native
            done += 1
            if progress is not None:
                progress(done, total)

    def entries() -> Iterator[KeyEntry]:
        elements, places = packed.elements(), range(1, 2 * context.n, 2) if is_galois else [RELINEARISE]
        wanted = next(elements, None)
        for element in places:
            if element != wanted:
                yield 0, ()
                continue
            yield params.data_limbs, rows(element)
            wanted = next(elements, None)

    what = {"kind": packed.kind, "context": context._pointer, "components": total, "seeded": 1}
    what["entries"] = context.n if is_galois else 1
    try:
        return write_keys(path, what, options or WireOptions("none"), entries(), overwrite=overwrite)
    finally:
        packed.close()


def kind_in(source: StrPath) -> tuple[str, str]:
    """What keys a file holds, and the parms_id of their parameters. FileError, WireError."""
    try:
        with open(named_to_read(source), "rb", buffering=0) as file:
            head = file.read(_HEAD.size)
    except OSError as error:
        raise read_error(source, error) from error
    cursor = ByteCursor(memoryview(head), "Ringside", f"file of packed keys ({os.fspath(source)})")
    magic, _, kind, *_, parms_id, _ = _HEAD.unpack(cursor.take(_HEAD.size))
    if magic != MAGIC or kind >= len(_KINDS):
        hint = "`ringside convert FILE OUT --format packed --keys DIR` makes one of a file of keys."
        raise cursor.wrong("it begins otherwise", hint)
    return [*_KINDS][kind], parms_id.hex()
