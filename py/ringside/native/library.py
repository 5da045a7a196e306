# SPDX-License-Identifier: Apache-2.0
"""The C library: loading, memory, status codes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import CLASS_OF_CODE, HINT_OF_CODE, InternalError, RingsideError

try:
    from ._cdef import ffi as ffi
except ImportError as error:  # a source tree that was never built
    raise ImportError("ringside is not built: install it with `pip install .` in the source tree") from error

CData = Any  # cffi has no static types for C values

PARMS_ID_BYTES = 32
SEED_BYTES = 64

SEED_TYPES = {"blake2xb": 1, "shake256": 2}  # as in SEAL's files
SEED_TYPE_NAMES = {number: name for name, number in SEED_TYPES.items()}


def _load() -> Any:
    path = Path(__file__).with_name("libringside.dylib" if sys.platform == "darwin" else "libringside.so")
    try:
        return ffi.dlopen(str(path))
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}") from error


lib: Any = _load()

LINE_BYTES = 64  # vectors of the library's kernels do not straddle lines of the cache in memory that begins with one

# Large blocks that nobody has any more, by their size, the size that was freed last at the end. The system maps memory that it gives anew, page by
# page, and clears it, which takes as long as a small set's encryption.
KEPT_BYTES, KEPT_BLOCK_BYTES = 64 << 20, 64 << 10  # at most, of all together; at least, of one
_kept: dict[int, list[CData]] = {}


def _take(size: int) -> CData:
    try:
        return _kept[size].pop()
    except (KeyError, IndexError):
        return ffi.from_buffer("char[]", np.empty(size, np.uint8))


def _keep(raw: CData) -> None:
    """Lets go of blocks of the size that was not freed for longest, where there are too many. Any thread may come in between: each step is whole."""
    size = ffi.sizeof(raw)
    blocks = _kept.pop(size, [])
    blocks.append(raw)
    _kept[size] = blocks
    while sum(each * len(blocks) for each, blocks in list(_kept.items())) > KEPT_BYTES:
        with suppress(StopIteration, RuntimeError, KeyError, IndexError):
            oldest = next(iter(_kept))
            _kept[oldest].pop() if _kept[oldest] else _kept.pop(oldest)


_new_block: Callable[..., CData] = ffi.new_allocator(_take, _keep, should_clear_after_alloc=False)


def aligned(shape: int | tuple[int, ...], dtype: Any = np.uint64) -> NDArray[Any]:
    """np.empty on a cache line. Large memory serves again once nobody has it."""
    size = (shape if isinstance(shape, int) else math.prod(shape)) * np.dtype(dtype).itemsize + LINE_BYTES
    raw = np.empty(size, np.uint8) if size < KEPT_BLOCK_BYTES else ffi.buffer(_new_block("char[]", size))
    start = -int(ffi.cast("uintptr_t", ffi.from_buffer(raw))) % LINE_BYTES
    return np.ndarray(shape, dtype, raw, start)


def _allocate(size: int) -> CData:
    return ffi.from_buffer("char[]", aligned(size, np.uint8))


def _wipe(raw: CData) -> None:
    lib.rs_zeroize(raw, ffi.sizeof(raw))


# Memory that is wiped when the last reference to it (array views included) is gone.
_new_secret: Callable[..., CData] = ffi.new_allocator(_allocate, _wipe, should_clear_after_alloc=False)


def error_of(status: int, detail: str = "", hint: str = "") -> RingsideError:
    """The exception for a status; `detail` follows the library's sentence, `hint` replaces the usual one."""
    code = ffi.string(lib.rs_status_name(status)).decode()
    message = ffi.string(lib.rs_status_message(status)).decode()
    message = message[:1].upper() + message[1:].rstrip(".")
    message = f"{message}: {detail}." if detail else f"{message}."
    return CLASS_OF_CODE.get(code, InternalError)(code, message, hint or HINT_OF_CODE.get(code, ""))


def check(status: int, detail: str = "", hint: str = "") -> None:
    """Raises unless the status is RS_OK."""
    if status != 0:
        raise error_of(status, detail, hint)


def fail(status: int, detail: str = "", hint: str = "") -> NoReturn:
    raise error_of(status, detail, hint)


def u32(value: int, status: int, bits: int = 32) -> int:
    """The value if a uint32_t, or an unsigned word of so many bits, can hold it, else the exception for `status`."""
    if isinstance(value, bool) or not 0 <= value < 1 << bits:
        fail(status, f"got {value}")
    return int(value)


def workspace(size: int) -> CData:
    """Uninitialised memory for one call, on a cache line."""
    return words_of(aligned(max(1, (size + 7) // 8)))


def secret_doubles(count: int) -> tuple[CData, NDArray[np.float64]]:
    pointer = _new_secret("double[]", count)
    return pointer, np.frombuffer(ffi.buffer(pointer), dtype=np.float64)


def secret_words(count: int) -> tuple[CData, NDArray[np.uint64]]:
    pointer = _new_secret("uint64_t[]", count)
    return pointer, np.frombuffer(ffi.buffer(pointer), dtype=np.uint64)


def secret_bytes(count: int) -> CData:
    """uint8_t[] that is wiped when its last reference is gone; get_bytes() copies it into an object that Python cannot wipe."""
    return _new_secret("uint8_t[]", count)


BytesLike = bytes | bytearray | memoryview


def view_of(data: BytesLike) -> CData:
    """The bytes where they are, without a copy; keeps their object alive, and a bytearray from changing its length."""
    return ffi.from_buffer("uint8_t[]", data)


NO_BYTES = (ffi.NULL, 0)  # a span that is not given


def span(memory: Any) -> tuple[CData, int]:
    """rs_view_t, rs_bytes_t or rs_memory_t as an argument: bytes, an array or a workspace where they are, and their size."""
    held = memory if isinstance(memory, ffi.CData) else ffi.from_buffer("uint8_t[]", memory)
    return held, ffi.sizeof(held)


_SPANS = ("struct rs_view", "struct rs_bytes", "struct rs_memory")


@cache
def _shape(kind: str) -> tuple[CData, int, frozenset[str]]:
    """The type of a pointer to such a request, its size, and which members are spans."""
    spans = (name for name, field in ffi.typeof(kind).fields if field.type.cname in _SPANS)
    return ffi.typeof(f"{kind} *"), ffi.sizeof(kind), frozenset(spans)


def request(kind: str, /, **members: Any) -> CData:
    """A request of the library, `kind *`, with its size set; members left out or None are 0. It keeps alive what it points to.

    Where the struct has a span (rs_view_t, rs_bytes_t, rs_memory_t), give the bytes, the array or the workspace itself.
    """
    pointer, size, spans = _shape(kind)
    given: dict[str, Any] = {"size": size}
    kept: list[Any] = [members]
    for name, value in members.items():
        if name in spans and value is not None:
            memory, count = span(value)
            kept.append(memory)
            given[name] = [ffi.cast("void *", memory), count]
        elif value is not None:
            given[name] = value
    # it goes with the request, without any code of Python's, in which a signal could come that nobody would see
    return ffi.gc(ffi.new(pointer, given), kept.append)


def work_in(wanted: CData, size: int) -> CData:
    """Gives a request a workspace of so many bytes, and gives that memory, which is to live as long as the call."""
    memory = workspace(size)
    wanted.workspace.p, wanted.workspace.n = memory, ffi.sizeof(memory)
    return memory


def fd_stream() -> CData:
    """rs_fd_stream_t: its buffer may hold a part of a secret key, whatever becomes of the file."""
    return _new_secret("rs_fd_stream_t *")


def words_of(array: NDArray[np.uint64]) -> CData:
    """Pointer to the words of a contiguous array; keeps the array alive."""
    return ffi.from_buffer("uint64_t[]", array)


def get_bytes(pointer: CData, size: int) -> bytes:
    return bytes(ffi.buffer(pointer, size))


def native_version() -> str:
    version = ffi.string(lib.rs_version())
    return version.decode() if isinstance(version, bytes) else str(version)


def seed_type_number(name: str) -> int:
    """SEAL's number of a seed expansion, "shake256" or "blake2xb"."""
    if name not in SEED_TYPES:
        fail(lib.RS_ERR_SEED_TYPE, f"{name!r}", f"Use one of: {', '.join(SEED_TYPES)}.")
    return SEED_TYPES[name]
