# SPDX-License-Identifier: Apache-2.0
"""The part of cereal's portable binary archives that OpenFHE's classes use.

An archive begins with a byte that is 1 for little-endian. A shared pointer is an id: with the top bit set where its object follows, without where
the object was met before; ids count from 1. A pointer to a class with virtual functions has a word before it: 0 for none, 2^30 for the declared class,
else the number of a derived class, with the top bit and the class's name at its first use. A class with a version writes it where its first object
begins, and there only. (cereal, types/memory.hpp and details/polymorphic_impl.hpp.)

One description of a structure serves both directions: reading records every number, writing takes the numbers from a record.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from .cursor import ByteCursor, LimbWords

_NEW = 1 << 31
DECLARED_CLASS = 1 << 30
_TEXT_BYTES_MAX = 256


class CerealReader(ByteCursor):
    """Reads numbers and records them."""

    def __init__(self, data: memoryview, library: str, what: str, versions: dict[str, int]) -> None:
        super().__init__(data, library, what)
        self.record: list[Any] = []
        self._versions = versions
        self._met: set[str] = set()
        self._objects: list[Any] = []  # by id - 1; what the caller made of them
        self._names: list[str] = []
        if self.u8() != 1:
            raise self.wrong("it is not a little-endian binary archive", "Serialise it with SerType::BINARY.")

    # ---- numbers, recorded --------------------------------------------------------------------------------------------
    def value(self, layout: str) -> Any:
        number = self._number(f"<{layout}", struct.calcsize(f"<{layout}"))
        self.record.append(number)
        return number

    def text(self) -> str:
        size = self.u64()
        if size > _TEXT_BYTES_MAX:
            raise self.wrong(f"a name has {size} bytes")
        try:
            text = bytes(self.take(size)).decode("ascii")
        except UnicodeDecodeError as error:
            raise self.wrong("a name is not ASCII") from error
        self.record.append(text)
        return text

    def count(self, most: int, what: str) -> int:
        number = int(self.value("Q"))
        if number > most:
            raise self.wrong(f"it has {number} {what}, more than {most}")
        return number

    # ---- structure ----------------------------------------------------------------------------------------------------
    def version(self, name: str) -> None:
        if name in self._met:
            return
        self._met.add(name)
        number = self.u32()
        if number != self._versions[name]:
            reason = (
                f"it was written by another version: class {name} has the number {number}, not {self._versions[name]}"
            )
            raise self.wrong(reason, "Ringside reads the files of OpenFHE 1.6.")

    def declared(self) -> None:
        """A pointer to the declared class follows."""
        if (number := self.u32()) != DECLARED_CLASS:
            raise self.wrong(f"a pointer is of the kind {number:#x}")

    def derived(self, name: str) -> None:
        """A pointer to the class of this name follows."""
        self._derived(name, self.u32())

    def perhaps(self, name: str) -> bool:
        """The same, or an empty pointer: whether there is an object."""
        number = self.u32()
        self.record.append(number != 0)
        if number:
            self._derived(name, number)
        return number != 0

    def _derived(self, name: str, number: int) -> None:
        if number & _NEW:
            size = self.u64()
            if number & ~_NEW != len(self._names) + 1 or size > _TEXT_BYTES_MAX:
                raise self.wrong(f"a class has the number {number:#x}")
            self._names.append(bytes(self.take(size)).decode("ascii", errors="replace"))
        number &= ~_NEW
        if not 1 <= number <= len(self._names):
            raise self.wrong(f"a class has the unknown number {number}")
        if (found := self._names[number - 1]) != name:
            raise self.wrong(f"it holds a {found}, not a {name}")

    def nothing(self, what: str, hint: str) -> None:
        """An empty pointer; the error where there is `what`."""
        if self.u32():
            raise self.wrong(f"it has {what}", hint)

    def pointer(self) -> int | None:
        """None: its object follows, and gets the next id; else the id of one that was met before."""
        number = self.u32()
        if number & _NEW:
            if number & ~_NEW != len(self._objects) + 1:
                raise self.wrong(f"an object has the id {number & ~_NEW}, not {len(self._objects) + 1}")
            self._objects.append(None)
            return None
        if not 1 <= number <= len(self._objects):
            raise self.wrong(f"a pointer leads to the unknown id {number}")
        return number

    @property
    def newest(self) -> int:
        return len(self._objects)

    def keep(self, number: int, made: Any) -> None:
        self._objects[number - 1] = made

    def kept(self, number: int) -> Any:
        return self._objects[number - 1]


class CerealWriter:
    """Writes pieces of an archive. record: numbers that a reader recorded, for what is described once for both."""

    def __init__(self, versions: dict[str, int]) -> None:
        self._versions = versions
        self._met: set[str] = set()
        self._names: list[str] = []
        self._ids: dict[Any, int] = {}
        self._count = 0
        self._record: Iterator[Any] = iter(())
        self.pieces: list[bytes | memoryview] = [b"\x01"]

    def replay(self, record: list[Any]) -> None:
        self._record = iter(record)

    def put(self, layout: str, *numbers: Any) -> None:
        self.pieces.append(struct.pack(f"<{layout}", *numbers))

    def value(self, layout: str) -> Any:
        number = next(self._record)
        self.put(layout, number)
        return number

    def put_text(self, text: str) -> None:
        self.pieces.append(struct.pack("<Q", len(text)) + text.encode("ascii"))

    def text(self) -> str:
        text = str(next(self._record))
        self.put_text(text)
        return text

    def count(self, most: int, what: str) -> int:
        return int(self.value("Q"))

    def words(self, words: LimbWords) -> None:
        self.put("Q", len(words))
        self.pieces.append(words.data.cast("B"))  # no copy: it may be secret

    def version(self, name: str) -> None:
        if name not in self._met:
            self._met.add(name)
            self.put("I", self._versions[name])

    def declared(self) -> None:
        self.put("I", DECLARED_CLASS)

    def derived(self, name: str) -> None:
        if name in self._names:
            self.put("I", self._names.index(name) + 1)
            return
        self._names.append(name)
        self.put("I", _NEW | len(self._names))
        self.put_text(name)

    def perhaps(self, name: str) -> bool:
        is_there = bool(next(self._record))
        if is_there:
            self.derived(name)
        else:
            self.put("I", 0)
        return is_there

    def nothing(self, what: str, hint: str) -> None:
        self.put("I", 0)

    def new(self, name: Any = None) -> None:
        """A pointer whose object follows. name: what `known` calls it."""
        self._count += 1
        self.put("I", _NEW | self._count)
        if name is not None:
            self._ids[name] = self._count

    def known(self, name: Any) -> bool:
        """Whether there is an object of that name: then the pointer to it was written."""
        if name in self._ids:
            self.put("I", self._ids[name])
            return True
        return False
