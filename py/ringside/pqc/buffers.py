# SPDX-License-Identifier: Apache-2.0
"""Bytes on their way into the C library and out of it: lengths are checked, and memory that held a secret is wiped."""

from __future__ import annotations

from ..errors import InputError, InternalError
from ..native.library import CData, check, ffi, get_bytes, secret_bytes, view_of
from ..native.rng import Rng

BytesLike = bytes | bytearray | memoryview


def given(call: str, name: str, data: BytesLike, size: int, what: str) -> CData:
    """A pointer to an argument's bytes, where they are. InputError unless there are `size` of them.

    call, name: the function and its argument, for the message. what: what such bytes are.
    """
    have = memoryview(data).nbytes
    if have != size:
        message = f"{call}: `{name}` has {have} byte{'s' * (have != 1)}; {what} has {size}."
        raise InputError("BYTES", message, "Pass all of it, as it was made, and use the set that it was made with.")
    return view_of(data)


class Workspace:
    """Memory for one call. The library wipes it before it returns, and this once more."""

    def __init__(self, size: int) -> None:
        self.size = int(size)
        self.memory: CData = secret_bytes(self.size)


def public_memory(size: int) -> CData:
    """Memory for a result that anybody may see."""
    return ffi.new("uint8_t[]", size)


def drawn(size: int) -> CData:
    """Bytes of the operating system's generator, from which the library draws too; wiped when nobody has them any more. InternalError: it gives none."""
    rng, out = Rng().pointer, secret_bytes(size)
    check(rng.fill(rng.state, out, size))
    return out


def random_bytes(size: int) -> bytes:
    """The same as bytes, which cannot be wiped."""
    return get_bytes(drawn(size), size)


def known_size(size: int, name: str) -> int:
    """A size from the library, which is 0 for a set that it does not know. InternalError."""
    if size == 0:
        raise InternalError(
            "INTERNAL", f"The C library has no {name}.", "Build the library and the package from one tree."
        )
    return int(size)
