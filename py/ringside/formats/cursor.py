# SPDX-License-Identifier: Apache-2.0
"""A place in the bytes of a file, never behind their end. Numbers are little-endian."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import WireError

LimbWords = NDArray[np.uint64]
HINT = "docs/openfhe-lattigo.md says which files are read."


@dataclass
class ByteCursor:
    """library, what: for messages, such as "Lattigo" and "ciphertext"."""

    data: memoryview
    library: str
    what: str
    place: int = 0

    def wrong(self, reason: str, hint: str = HINT) -> WireError:
        """The error for data that are not what they should be."""
        code = f"{self.library.upper()}_FORMAT"
        return WireError(code, f"This is not a {self.what} of {self.library} that Ringside reads: {reason}.", hint)

    def take(self, size: int) -> memoryview:
        if not 0 <= size <= len(self.data) - self.place:
            raise self.wrong(f"{len(self.data)} bytes end before byte {self.place + size}")
        start, self.place = self.place, self.place + size
        return self.data[start : self.place]

    def _number(self, layout: str, size: int) -> Any:
        return struct.unpack(layout, self.take(size))[0]

    def u8(self) -> int:
        return int(self._number("<B", 1))

    def u32(self) -> int:
        return int(self._number("<I", 4))

    def u64(self) -> int:
        return int(self._number("<Q", 8))

    def f64(self) -> float:
        return float(self._number("<d", 8))

    def words(self, count: int) -> LimbWords:
        """A view of the words, not a copy."""
        return np.frombuffer(self.take(8 * count), dtype="<u8")

    def residues(self, count: int, modulus: int) -> LimbWords:
        """The same, each below the modulus."""
        words = self.words(count)
        if bool((words >= modulus).any()):
            raise self.wrong(f"a residue is not below its modulus {modulus}")
        return words

    def end(self) -> None:
        if self.place != len(self.data):
            raise self.wrong(f"{len(self.data) - self.place} bytes follow it")
