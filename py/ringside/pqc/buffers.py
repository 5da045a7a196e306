# SPDX-License-Identifier: Apache-2.0
"""Bytes on their way into the C library and out of it: lengths are checked, and memory that held a secret is wiped."""

from __future__ import annotations

from ..errors import InputError, InternalError
from ..native.library import BytesLike, CData, ffi, get_bytes, view_of
from ..native.rng import drawn


def given(call: str, name: str, data: BytesLike, size: int, what: str) -> CData:
    """A pointer to an argument's bytes, where they are. InputError unless there are `size` of them.

    call, name: the function and its argument, for the message. what: what such bytes are.
    """
    have = memoryview(data).nbytes
    if have != size:
        message = f"{call}: `{name}` has {have} byte{'s' * (have != 1)}; {what} has {size}."
        raise InputError("BYTES", message, "Pass all of it, as it was made, and use the set that it was made with.")
    return view_of(data)


def public_memory(size: int) -> CData:
    """Memory for a result that anybody may see."""
    return ffi.new("uint8_t[]", size)


def random_bytes(size: int) -> bytes:
    """Bytes of the operating system's generator, which cannot be wiped."""
    return get_bytes(drawn(size), size)


def known_sizes(sizes: CData, name: str) -> CData:
    """The library's sizes of a set. InternalError: it does not know the set."""
    if sizes == ffi.NULL:
        message = f"The C library has no {name}."
        raise InternalError("INTERNAL", message, "Build the library and the package from one tree.")
    return sizes
