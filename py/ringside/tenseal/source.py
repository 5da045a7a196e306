# SPDX-License-Identifier: Apache-2.0
"""Where a message comes from: bytes, or a file, read into memory that is wiped."""

from __future__ import annotations

import os

from ..native.files import StrPath, named_to_read, read_error
from ..native.library import secret_words
from .protobuf import MESSAGE_BYTES_MAX, malformed

Source = bytes | bytearray | memoryview | StrPath


def contents(source: Source, name: str) -> memoryview:
    """The bytes of a source. Those of a file are wiped when the last view is gone: they may hold a secret key."""
    if not isinstance(source, str | os.PathLike):
        return memoryview(source).cast("B")
    try:
        with open(named_to_read(source), "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MESSAGE_BYTES_MAX:
                raise malformed(name, f"it has {size} bytes, and a message at most {MESSAGE_BYTES_MAX}")
            _, words = secret_words(size // 8 + 1)
            view = words.data.cast("B")
            place = 0
            while place < size and (count := file.readinto(view[place:size])):
                place += count
            return view[:place]
    except OSError as error:
        raise read_error(source, error) from error
