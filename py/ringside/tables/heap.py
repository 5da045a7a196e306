# SPDX-License-Identifier: Apache-2.0
"""The heap of a worker of Dask while it encrypts.

Dask starts workers with MALLOC_TRIM_THRESHOLD_=65536, so that memory which a task frees goes back to the system. That also ends glibc's own
adaption (mallopt(3), M_MMAP_THRESHOLD): what is above 128 KiB, or at the end of the heap, is mapped anew and cleared page by page. A part of a
table frees and takes the same sizes for each batch, beside the arrays that the package keeps (native/library.py).
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

VARIABLE = "MALLOC_TRIM_THRESHOLD_"
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # glibc's malloc.h
MMAP_DEFAULT = 128 << 10
HELD_BYTES = 64 << 20  # free memory that stays with the process during a part
LARGE_BYTES = 32 << 20  # the most that glibc takes from its heaps

_lock = threading.Lock()
_users = 0


@contextmanager
def held_heap() -> Iterator[None]:
    """Freed memory stays with the process until the end, where the environment says otherwise. Several threads may be inside."""
    before = _threshold()
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if before is not None else None
    if before is None or mallopt is None:  # glibc adapts by itself, or it is another C library
        yield
        return
    _change(1, mallopt, HELD_BYTES, LARGE_BYTES)
    try:
        yield
    finally:
        _change(-1, mallopt, before, MMAP_DEFAULT)
        ctypes.CDLL(None).malloc_trim(0)


def _threshold() -> int | None:
    try:
        return int(os.environ[VARIABLE])
    except (KeyError, ValueError):
        return None


def _change(by: int, mallopt: Callable[[int, int], int], trim: int, large: int) -> None:
    """The first one in and the last one out change the heap."""
    global _users
    with _lock:
        if by < 0:
            _users += by
        if _users == 0:
            mallopt(TRIM_THRESHOLD, trim)
            mallopt(MMAP_THRESHOLD, large)
        if by > 0:
            _users += by
