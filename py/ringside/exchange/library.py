# SPDX-License-Identifier: Apache-2.0
"""What exchange with Lattigo and with OpenFHE has in common: slots in the order of 5^k, ciphertexts, keys, files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import checks_arguments
from ..errors import InputError
from ..formats.cursor import LimbWords
from ..formats.rings import rotation_element, slot_places
from ..native.files import StrPath, replace_file
from ..native.library import aligned
from ..objects.ckks.context import Context
from ..objects.common.arrays import numbers
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.keys import PublicKey, SecretKey
from ..tenseal.source import Source
from .residues import ResidueForm

Pieces = Iterable[bytes | memoryview]


@checks_arguments
class ForeignLibrary(ABC):
    """Ringside as the client of a server that runs another library. `context` has its parameters; its methods work as ever, in SEAL's order
    of slots. Those of this class keep slots in the order of 5^k, which both libraries have.
    """

    name: str
    context: Context
    _form: ResidueForm

    @property
    @abstractmethod
    def default_scale(self) -> float:
        """Scale to encode with."""

    # ---- slots ------------------------------------------------------------------------------------------------------
    def to_seal_slots(self, values: ArrayLike) -> NDArray[Any]:
        """Values in the library's slots, moved to the slots in which Ringside encodes them. At most N/2; the rest is 0."""
        given = numbers(values)
        if given.size > self.context.slots:
            message = f"{given.size} values do not fit into {self.context.slots} slots."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Encode at most N/2 values at a time.")
        places, conjugate = slot_places(self.context.n)
        places, conjugate = places[: given.size], conjugate[: given.size]
        found = np.zeros(self.context.slots, dtype=given.dtype)
        found[places] = np.where(conjugate, np.conj(given), given)
        return found

    def from_seal_slots(self, values: ArrayLike, count: int | None = None) -> NDArray[Any]:
        """The reverse, of all N/2 values; count: how many are wanted."""
        given, slots = numbers(values), self.context.slots
        if given.size != slots:
            message = f"There are {given.size} values, and {slots} slots."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Pass all that decrypt_values returns.")
        if count is not None and not 0 < count <= slots:
            raise InputError("RS_ERR_VALUE_COUNT", f"The count is {count}.", f"It is 1 to {slots}, or None for all.")
        places, conjugate = slot_places(self.context.n)
        places, conjugate = places[:count], conjugate[:count]
        found = given[places]
        return np.where(conjugate, np.conj(found), found)

    def galois_elements(self, rotations: Sequence[int]) -> list[int]:
        """Galois elements of rotations to the left in the library's order, negative to the right, 0 for conjugation; ascending."""
        slots = self.context.slots
        for steps in rotations:
            if not -slots < steps < slots:
                raise InputError(
                    "RS_ERR_GALOIS", f"A rotation by {steps} with {slots} slots.", "Rotate by fewer than N/2."
                )
        return sorted({rotation_element(steps, self.context.n) for steps in rotations})

    # ---- encrypt and decrypt ----------------------------------------------------------------------------------------
    def encrypt(self, values: ArrayLike, key: SecretKey | PublicKey, **options: Any) -> Ciphertext:
        """As Context.encrypt, with values in the library's slots. scale: default the library's."""
        options["scale"] = options.get("scale") or self.default_scale
        return self.context.encrypt(self.to_seal_slots(values), key, **options)

    def decrypt_values(
        self, ciphertext: Ciphertext, secret_key: SecretKey, count: int | None = None, **options: Any
    ) -> NDArray[Any]:
        """As Context.decrypt_values, with values in the library's slots."""
        return self.from_seal_slots(self.context.decrypt_values(ciphertext, secret_key, **options), count)

    # ---- files ------------------------------------------------------------------------------------------------------
    @abstractmethod
    def ciphertext_to_bytes(self, ciphertext: Ciphertext) -> bytes:
        """What the library reads."""

    @abstractmethod
    def read_ciphertext(self, source: Source) -> Ciphertext:
        """From bytes, or from the file of that name. FileError, WireError."""

    @abstractmethod
    def public_key_to_bytes(self, key: PublicKey) -> bytes:
        """What the library reads."""

    @abstractmethod
    def read_public_key(self, source: Source) -> PublicKey:
        """From bytes, or from the file of that name. FileError, WireError."""

    @abstractmethod
    def save_secret_key(self, key: SecretKey, path: StrPath, *, overwrite: bool = False) -> int:
        """Writes the file that the library reads (mode 0600); its bytes."""

    @abstractmethod
    def read_secret_key(self, source: Source) -> SecretKey:
        """From the file of that name, whose copy in memory is wiped. FileError, WireError, SecretKeyError."""

    @property
    @abstractmethod
    def has_seal_keys(self) -> bool:
        """Whether a key for key switching of the library and one of SEAL are the same numbers."""

    # ---- residues ---------------------------------------------------------------------------------------------------
    def _to_library(self, ciphertext: Ciphertext) -> list[list[LimbWords]]:
        self.context._same(ciphertext, Ciphertext)
        data, moduli = ciphertext.expand().data, self.context.params.moduli
        return [
            [self._form.to_library(words, modulus) for words, modulus in zip(poly, moduli, strict=False)]
            for poly in data
        ]

    def _from_library(self, polys: Sequence[Sequence[LimbWords]], scale: float) -> Ciphertext:
        moduli = self.context.params.moduli
        data = aligned((len(polys), len(polys[0]), self.context.n))
        for poly, rows in zip(polys, data, strict=True):
            for words, modulus, row in zip(poly, moduli, rows, strict=False):
                self._form.from_library(words, modulus, row)
        return Ciphertext.from_data(self.context, data, scale=scale)


def write_pieces(path: StrPath, pieces: Pieces, *, private: bool = False, overwrite: bool | None = None) -> int:
    """A file of these pieces, whole or not at all; its bytes. Nothing of them stays in a buffer of Python's."""
    written = 0
    with (
        replace_file(path, private=private, overwrite=overwrite) as fd,
        open(fd, "wb", buffering=0, closefd=False) as file,
    ):
        for piece in pieces:
            view = memoryview(piece)
            while view:
                count = file.write(view) or 0
                view, written = view[count:], written + count
    return written
