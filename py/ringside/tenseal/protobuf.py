# SPDX-License-Identifier: Apache-2.0
"""The part of the protocol-buffers wire format that TenSEAL's messages use, read strictly.

A message is a sequence of fields: a tag, which is 8 times the field's number plus a wire type, then the value. Wire type 0 is a varint (7 bits per
byte, low bits first, the top bit says that more follow), 1 is eight bytes, 2 is a length and that many bytes. A number that is not in the message has
the value zero. (Protocol Buffers, "Encoding".)

A general reader skips fields that it does not know and lets the last of two equal ones win. This one refuses both, so that a file of another kind is
never taken for the one that was expected.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final

from ..errors import WireError

MESSAGE_BYTES_MAX: Final = (1 << 31) - 1  # protocol buffers count in an int
_VARINT_BYTES_MAX: Final = 10
_COPY_BYTES: Final = 1 << 20


_VARINT, _FIXED64, _LENGTH = 0, 1, 2  # wire types


class WireKind(Enum):
    """A field of a message: a name, and its wire type."""

    UINT32 = ("uint32", _VARINT)
    BOOL = ("bool", _VARINT)
    DOUBLE = ("double", _FIXED64)
    BYTES = ("bytes", _LENGTH)

    @property
    def wire_type(self) -> int:
        return self.value[1]


@dataclass(frozen=True)
class MessageField:
    number: int
    name: str
    kind: WireKind
    repeated: bool = False


@dataclass
class Message:
    """The values of a message's fields, by name, in the order of the data."""

    name: str
    numbers: dict[str, list[int]] = field(default_factory=dict)
    doubles: dict[str, float] = field(default_factory=dict)
    bytes: dict[str, list[memoryview]] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """A number or flag; 0 if the message has none."""
        return self.numbers.get(name, [0])[0]

    def data(self, name: str) -> memoryview | None:
        """Bytes; None if the message has none, or none of them."""
        found = self.bytes.get(name)
        return found[0] if found and len(found[0]) else None


def malformed(name: str, reason: str) -> WireError:
    message = f"This is not a {name} of TenSEAL: {reason}."
    return WireError("TENSEAL_FORMAT", message, "`ringside inspect` tells what a file holds.")


class _Cursor:
    """A place in the data; never behind their end."""

    def __init__(self, data: memoryview, name: str) -> None:
        self.data, self.name, self.place = data, name, 0

    def take(self, count: int) -> memoryview:
        if count > len(self.data) - self.place:
            raise malformed(self.name, f"a field is longer than the {len(self.data)} bytes there are")
        self.place += count
        return self.data[self.place - count : self.place]

    def varint(self) -> int:
        value = 0
        for index in range(_VARINT_BYTES_MAX):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                if value >> 64:
                    break
                return value
        raise malformed(self.name, "a number is longer than 64 bits")


def _numbers(cursor: _Cursor, found: MessageField, wire_type: int) -> Iterator[int]:
    """One number, or several in one block (packed)."""
    inner = cursor
    if wire_type == _LENGTH:
        inner = _Cursor(cursor.take(cursor.varint()), cursor.name)
    limit = 1 if found.kind is WireKind.BOOL else (1 << 32) - 1
    while True:
        if inner is not cursor and inner.place == len(inner.data):
            return
        value = inner.varint()
        if value > limit:
            raise malformed(cursor.name, f"{found.name} is {value}")
        yield value
        if inner is cursor:
            return


def read(data: memoryview, name: str, fields: Sequence[MessageField]) -> Message:
    """The fields of the message that fills `data`; bytes are views, not copies. WireError for anything unexpected."""
    if len(data) > MESSAGE_BYTES_MAX:
        raise malformed(name, f"it has {len(data)} bytes, and a message at most {MESSAGE_BYTES_MAX}")
    known: Mapping[int, MessageField] = {item.number: item for item in fields}
    message, cursor, seen = Message(name), _Cursor(data, name), set()
    while cursor.place < len(data):
        tag = cursor.varint()
        number, wire_type = tag >> 3, tag & 7
        found = known.get(number)
        if found is None:
            raise malformed(name, f"it has a field {number}, which {name}s do not have")
        packed = found.kind is WireKind.UINT32 and found.repeated and wire_type == _LENGTH
        if wire_type != found.kind.wire_type and not packed:
            raise malformed(name, f"{found.name} has wire type {wire_type}")
        if number in seen and not found.repeated:
            raise malformed(name, f"{found.name} is there twice")
        seen.add(number)
        if found.kind is WireKind.BYTES:
            message.bytes.setdefault(found.name, []).append(cursor.take(cursor.varint()))
        elif found.kind is WireKind.DOUBLE:
            (message.doubles[found.name],) = struct.unpack("<d", cursor.take(8))
        else:
            message.numbers.setdefault(found.name, []).extend(_numbers(cursor, found, wire_type))
    return message


def first_block(data: memoryview) -> memoryview:
    """The bytes that follow the first field's tag and length, whatever it is; empty if there is no such field."""
    cursor = _Cursor(data, "message")
    try:
        is_block = cursor.varint() & 7 == _LENGTH
        return cursor.take(cursor.varint()) if is_block else data[:0]
    except WireError:
        return data[:0]


# ---- writing --------------------------------------------------------------------------------------------------------
Piece = bytes | memoryview | Path  # a path stands for the content of the file


def size_of(part: Piece) -> int:
    return os.stat(part).st_size if isinstance(part, Path) else len(part)


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _tag(number: int, kind: WireKind) -> bytes:
    return varint(number << 3 | kind.wire_type)


def number_field(number: int, value: int) -> list[Piece]:
    """Nothing for zero, the value of a field that is not there."""
    return [_tag(number, WireKind.UINT32) + varint(value)] if value else []


def packed_field(number: int, values: Iterable[int]) -> list[Piece]:
    block = b"".join(varint(value) for value in values)
    return bytes_field(number, [block]) if block else []


def double_field(number: int, value: float) -> list[Piece]:
    return [_tag(number, WireKind.DOUBLE) + struct.pack("<d", value)] if value else []


def bytes_field(number: int, parts: Sequence[Piece]) -> list[Piece]:
    """The parts one after the other as one field: bytes, or a message in the message."""
    size = sum(map(size_of, parts))
    return [_tag(number, WireKind.BYTES) + varint(size), *parts]


def check_size(parts: Sequence[Piece]) -> int:
    """Bytes of the message. WireError for one that no reader of protocol buffers takes."""
    size = sum(map(size_of, parts))
    if size > MESSAGE_BYTES_MAX:
        message = f"The message would have {size} bytes, and TenSEAL reads at most {MESSAGE_BYTES_MAX}."
        hint = "Make fewer Galois keys (--galois with the rotations that are needed), or use smaller parameters."
        raise WireError("TENSEAL_SIZE", message, hint)
    return size


def pieces(parts: Sequence[Piece]) -> Iterator[bytes | memoryview]:
    """The bytes of the parts, files in pieces."""
    for part in parts:
        if not isinstance(part, Path):
            yield part
            continue
        with part.open("rb") as file:
            while piece := file.read(_COPY_BYTES):
                yield piece
