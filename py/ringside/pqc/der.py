# SPDX-License-Identifier: Apache-2.0
"""The part of DER that key files need (X.690, chapters 8 and 10), strictly: one value has one encoding, and no other is read.

Decision 7 (docs/decisions/library.md) says why this is not a package's.
"""

from __future__ import annotations

from ..errors import WireError

INTEGER = 0x02
BIT_STRING = 0x03
OCTET_STRING = 0x04
OBJECT_IDENTIFIER = 0x06
SEQUENCE = 0x30

_NAMES = {
    INTEGER: "an INTEGER",
    BIT_STRING: "a BIT STRING",
    OCTET_STRING: "an OCTET STRING",
    OBJECT_IDENTIFIER: "an OBJECT IDENTIFIER",
    SEQUENCE: "a SEQUENCE",
}
_LENGTH_BYTES_MAX = 4  # more than any file that is read whole
_IDENTIFIER_BYTES_MAX = 63  # bytes of an OBJECT IDENTIFIER; a number of a whole file's bits takes hours to put together


def key_file_error(message: str, hint: str = "") -> WireError:
    """The one error of damaged or foreign key files."""
    return WireError("KEY_FILE", message, hint)


def context_tag(number: int, *, constructed: bool = False) -> int:
    """The identifier of [number]; constructed where it holds other values."""
    return 0x80 | 0x20 * constructed | number


# ---- writing ---------------------------------------------------------------------------------------------------------
def encode(tag: int, content: bytes) -> bytes:
    """One value."""
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*values: bytes) -> bytes:
    return encode(SEQUENCE, b"".join(values))


def bit_string(content: bytes) -> bytes:
    """A BIT STRING of whole bytes."""
    return encode(BIT_STRING, b"\0" + content)


def object_identifier(dotted: str) -> bytes:
    """`2.16.840.1.101.3.4.4.2` as a value."""
    first, second, *rest = map(int, dotted.split("."))
    content = bytearray()
    for number in (40 * first + second, *rest):
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.append(number & 0x7F | 0x80)
        content += bytes(reversed(groups))
    return encode(OBJECT_IDENTIFIER, bytes(content))


# ---- reading ---------------------------------------------------------------------------------------------------------
class DerValues:
    """The values that follow each other in a piece of DER, taken from the front."""

    def __init__(self, data: memoryview, where: str) -> None:
        """where: what the piece is, for errors."""
        self._rest = data
        self._where = where

    def next_tag(self) -> int | None:
        """The identifier of the next value. None: there is none."""
        return self._rest[0] if self._rest else None

    def take(self, tag: int, what: str) -> memoryview:
        """The content of the next value, which must have this identifier. WireError."""
        if not self._rest:
            raise key_file_error(f"The {self._where} ends where {what} should be.")
        if self._rest[0] != tag:
            wanted = _NAMES.get(tag, f"the tag 0x{tag:02x}")
            raise key_file_error(
                f"The {what} of the {self._where} has the tag 0x{self._rest[0]:02x}, and not {wanted}."
            )
        start, size = self._length(what)
        if size > len(self._rest) - start:
            have = len(self._rest) - start
            raise key_file_error(f"The {what} of the {self._where} should have {size} bytes, and {have} are left.")
        content, self._rest = self._rest[start : start + size], self._rest[start + size :]
        return content

    def _length(self, what: str) -> tuple[int, int]:
        """Bytes of identifier and length, and the length. DER: definite, and in as few bytes as can be."""
        first = self._rest[1] if len(self._rest) > 1 else None
        if first is not None and first < 0x80:
            return 2, first
        count = 0 if first is None else first & 0x7F
        digits = self._rest[2 : 2 + count]
        size = int.from_bytes(digits, "big")
        if not 0 < count <= _LENGTH_BYTES_MAX or len(digits) < count or size < 0x80 or digits[0] == 0:
            raise key_file_error(f"The {what} of the {self._where} has no length that DER allows.")
        return 2 + count, size

    def values(self, what: str) -> DerValues:
        """What is in the next value, a SEQUENCE."""
        return DerValues(self.take(SEQUENCE, what), what)

    def bits(self, tag: int, what: str) -> memoryview:
        """The bytes of a BIT STRING, which must be whole ones."""
        content = self.take(tag, what)
        if not content or content[0] != 0:
            raise key_file_error(f"The {what} of the {self._where} is no string of whole bytes.")
        return content[1:]

    def small_integer(self, what: str) -> int:
        """An INTEGER from 0 to 127."""
        content = self.take(INTEGER, what)
        if len(content) != 1 or content[0] > 0x7F:
            raise key_file_error(f"The {what} of the {self._where} is none that is known.")
        return content[0]

    def end(self) -> None:
        """WireError if there is more."""
        if self._rest:
            count = len(self._rest)
            raise key_file_error(
                f"The {self._where} is followed by {count} byte{'s' * (count > 1)} that nothing explains."
            )


def dotted(content: memoryview) -> str:
    """The content of an OBJECT IDENTIFIER as numbers and dots. WireError: it is none that DER allows."""
    numbers: list[int] = []
    number = 0
    begins = True
    for byte in content[: _IDENTIFIER_BYTES_MAX + 1]:
        if begins and byte == 0x80:
            break
        number = number << 7 | byte & 0x7F
        begins = byte < 0x80
        if begins:
            numbers.append(number)
            number = 0
    else:
        if numbers and begins and len(content) <= _IDENTIFIER_BYTES_MAX:
            first = min(numbers[0] // 40, 2)
            return ".".join(map(str, (first, numbers[0] - 40 * first, *numbers[1:])))
    raise key_file_error("The OBJECT IDENTIFIER of the algorithm is damaged.")
