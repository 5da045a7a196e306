# SPDX-License-Identifier: Apache-2.0
"""Loading and saving, the same for every object that a SEAL file can hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Self

from ...arguments import checks_arguments
from ...errors import ArgumentError
from ...native.files import StrPath
from ...native.library import PARMS_ID_BYTES, CData, get_bytes
from ...native.streams import (
    DEFAULT_COMPRESSION,
    DEFAULT_VERSION,
    VERSIONS,
    Reader,
    WireObject,
    WireOptions,
    open_file,
    open_memory,
    write_file,
    write_memory,
)
from .params import Parameters
from .tables import Tables


@checks_arguments
class SealObject(ABC):
    """Gives load, from_bytes, save and to_bytes to a class that can read and write the object itself."""

    _private_files: ClassVar[bool] = False  # mode 0600
    context: Tables
    _native: CData

    @property
    def parms_id(self) -> str:
        """SEAL's parms_id of the parameters and the level, 64 hex digits."""
        return get_bytes(self._native.parms_id, PARMS_ID_BYTES).hex()

    @classmethod
    @abstractmethod
    def _read(cls, context: Tables, reader: Reader) -> Self:
        """The object that the reader is open on."""

    @abstractmethod
    def _written(self) -> WireObject:
        """What is written of the object."""

    @classmethod
    def load(cls, context: Tables, path: StrPath) -> Self:
        """Reads SEAL's object of the same name. FileError, WireError, MismatchError (other parameters)."""
        with open_file(path) as reader:
            return cls._read(context, reader)

    @classmethod
    def from_bytes(cls, context: Tables, data: bytes | memoryview) -> Self:
        """The same from memory."""
        with open_memory(data) as reader:
            return cls._read(context, reader)

    def save(
        self,
        path: StrPath,
        *,
        compression: str = DEFAULT_COMPRESSION,
        version: str = DEFAULT_VERSION,
        overwrite: bool | None = None,
    ) -> int:
        """Writes a file that SEAL's load of the same class reads; returns its bytes.

        overwrite: None replaces an existing file unless it holds a secret key (FileError); True replaces any, False none.
        A plaintext's file has mode 0600: its values can be read by anyone who has the file.
        """
        options = WireOptions(compression, version)
        return write_file(path, self._written(), options, private=self._private_files, overwrite=overwrite)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as its parameters and a file's bytes. What can be read by anyone who has the file is refused."""
        if self._private_files:
            message = f"A {type(self).__name__} is not pickled or copied: it holds values in clear, and its memory is wiped after use."
            hint = "Pass the values and encode them where they are needed, or save() it to a file of mode 0600."
            raise ArgumentError("PICKLE", message, hint)
        return _restored, (
            type(self),
            type(self.context).shared,
            self.context.params,
            self.to_bytes(compression="none", version=VERSIONS[-1]),  # which has all that a ciphertext can have
        )

    def to_bytes(self, *, compression: str = DEFAULT_COMPRESSION, version: str = DEFAULT_VERSION) -> bytes:
        """The same to memory."""
        return write_memory(self._written(), WireOptions(compression, version))


class LevelledObject(SealObject):
    """What has a level, and in CKKS a scale."""

    @property
    def level(self) -> int:
        """Level in the modulus chain, limbs - 1."""
        return int(self._native.limb_count) - 1

    @property
    def scale(self) -> float:
        """What values were multiplied by before they were rounded."""
        return float(self._native.scale)


def _restored(
    kind: type[SealObject], shared: Callable[[Parameters], Tables], params: Parameters, data: bytes
) -> SealObject:
    return kind.from_bytes(shared(params), data)
