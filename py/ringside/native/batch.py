# SPDX-License-Identifier: Apache-2.0
"""Many frames at once, on the library's threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .encoding import memory_of
from .handles import ContextHandle, KeyHandle, PublicHandle, SecretHandle
from .library import CData, check, fail, ffi, lib, workspace
from .rng import Rng


def usable_threads() -> int:
    """Threads that run at the same time on the processors this process may use."""
    return int(lib.rs_pool_threads())


@contextmanager
def thread_pool(threads: int | None, count: int) -> Iterator[CData]:
    """A pool for `count` frames, NULL where this thread is enough. None: as many threads as the process may use."""
    wanted = usable_threads() if threads is None else threads
    if not 1 <= wanted <= lib.RS_POOL_THREADS_MAX:
        fail(lib.RS_ERR_THREADS, f"{threads} threads asked for")
    wanted = min(wanted, count)
    if wanted <= 1:
        yield ffi.NULL
        return
    pool = ffi.new("rs_pool_t *")
    check(lib.rs_pool_create(pool, wanted), f"{wanted} threads asked for")
    try:
        yield pool
    finally:
        lib.rs_pool_destroy(pool)


class NativeBatch:
    """rs_batch_t: descriptors of `count` frames and ciphertexts."""

    def __init__(self, context: ContextHandle, count: int) -> None:
        self.context = context
        self.count = count
        self.frames: CData = ffi.new("rs_frame_t[]", max(1, count))
        self.ciphertexts: CData = ffi.new("rs_ciphertext_t[]", max(1, count))
        self.native: CData = ffi.new(
            "rs_batch_t *", {"frames": self.frames, "ciphertexts": self.ciphertexts, "count": count}
        )
        self._arrays: list[NDArray[Any]] = []  # that the frames point to

    @property
    def failed(self) -> int:
        """Index of the frame at fault; `count`: none in particular."""
        return int(self.native.failed)

    def set_frame(self, index: int, values: NDArray[Any], limbs: int, scale: float = 0.0) -> None:
        """values: contiguous float64 or complex128."""
        memory = memory_of(values)
        self._arrays.append(memory)
        frame = self.frames[index]
        frame.values, frame.count = ffi.cast("double *", ffi.from_buffer(memory)), values.size
        frame.is_complex = int(values.dtype == np.complex128)
        frame.limb_count, frame.scale = limbs, scale

    def encrypt(self, key: KeyHandle, kind: int, rng: Rng, threads: int | None) -> int:
        """The status; `failed` is the frame."""
        pointer = self.context.pointer
        with thread_pool(threads, self.count) as pool:
            size = lib.rs_encrypt_batch_workspace(pointer, kind, self.count, pool)
            rest = (self.native, rng.pointer, pool, workspace(size), size)
            if isinstance(key, PublicHandle):
                return int(lib.rs_encrypt_batch_public(pointer, key.expanded(), kind, *rest))
            with key.borrow() as secret:
                return int(lib.rs_encrypt_batch_secret(pointer, secret, *rest))

    def decrypt(self, key: SecretHandle, threads: int | None) -> int:
        """Likewise."""
        pointer = self.context.pointer
        limbs = max((int(frame.limb_count) for frame in self.frames), default=0)
        with thread_pool(threads, self.count) as pool, key.borrow() as secret:
            size = lib.rs_decrypt_batch_workspace(pointer, limbs, self.count, pool)
            return int(lib.rs_decrypt_batch(pointer, secret, self.native, pool, workspace(size), size))
