# SPDX-License-Identifier: Apache-2.0
"""Many frames at once, on the library's threads. Used through Context.encrypt_batch and Context.decrypt_batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RingsideError
from ..native.library import CData, Rng, check, error_of, fail, ffi, lib, workspace
from .ciphertext import Ciphertext
from .keys import PublicKey, SecretKey

if TYPE_CHECKING:
    from .context import Context


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


def of_frame(index: int, error: RingsideError) -> RingsideError:
    """The same error, with the frame's index in front."""
    return _renamed(error, f"Frame {index}", error.message, index)


def _renamed(error: RingsideError, name: str, message: str, index: int) -> RingsideError:
    renamed = type(error)(error.code, f"{name}: {message}", error.hint)
    renamed.frame = index
    return renamed


@contextmanager
def frames_called(names: Sequence[object]) -> Iterator[None]:
    """Errors that name a frame by its index name it so instead."""
    try:
        yield
    except RingsideError as error:
        if error.frame is None:
            raise
        message = error.message.removeprefix(f"Frame {error.frame}: ")
        raise _renamed(error, str(names[error.frame]), message, error.frame) from error


class Batch:
    """rs_batch_t: descriptors of `count` frames and ciphertexts."""

    def __init__(self, context: Context, count: int) -> None:
        self.context = context
        self.count = count
        self.frames: CData = ffi.new("rs_frame_t[]", max(1, count))
        self.ciphertexts: CData = ffi.new("rs_ciphertext_t[]", max(1, count))
        self.native: CData = ffi.new(
            "rs_batch_t *", {"frames": self.frames, "ciphertexts": self.ciphertexts, "count": count}
        )
        self._arrays: list[NDArray[Any]] = []  # that the frames point to

    def set_frame(self, index: int, values: NDArray[Any], limbs: int, scale: float = 0.0) -> None:
        """values: contiguous float64 or complex128."""
        memory = values if values.size else np.zeros(1, dtype=values.dtype)
        self._arrays.append(memory)
        frame = self.frames[index]
        frame.values, frame.count = ffi.cast("double *", ffi.from_buffer(memory)), values.size
        frame.is_complex = int(values.dtype == np.complex128)
        frame.limb_count, frame.scale = limbs, scale

    def encrypt(self, key: SecretKey | PublicKey, kind: int, rng: Rng, threads: int | None) -> int:
        """The status; native.failed is the frame."""
        pointer = self.context._pointer
        with thread_pool(threads, self.count) as pool:
            size = lib.rs_encrypt_batch_workspace(pointer, kind, self.count, pool)
            rest = (self.native, rng.pointer, pool, workspace(size), size)
            if isinstance(key, PublicKey):
                return int(lib.rs_encrypt_batch_public(pointer, key._for_encryption(), kind, *rest))
            with key._borrow() as secret:
                return int(lib.rs_encrypt_batch_secret(pointer, secret, *rest))

    def decrypt(self, key: SecretKey, threads: int | None) -> int:
        pointer = self.context._pointer
        limbs = max((int(frame.limb_count) for frame in self.frames), default=0)
        with thread_pool(threads, self.count) as pool, key._borrow() as secret:
            size = lib.rs_decrypt_batch_workspace(pointer, limbs, self.count, pool)
            return int(lib.rs_decrypt_batch(pointer, secret, self.native, pool, workspace(size), size))


def encrypt_arrays(
    context: Context,
    arrays: Sequence[NDArray[Any]],
    key: SecretKey | PublicKey,
    scale: float,
    limbs: int,
    kind: int,
    seeded: bool,
    seed_type: str,
    rng: Rng,
    threads: int | None,
) -> list[Ciphertext]:
    """arrays: contiguous rows of float64 or complex128."""
    batch = Batch(context, len(arrays))
    ciphertexts = [Ciphertext._new(context, limbs, seeded, seed_type) for _ in arrays]
    for index, (array, ciphertext) in enumerate(zip(arrays, ciphertexts, strict=True)):
        batch.set_frame(index, array, limbs, scale)
        batch.ciphertexts[index] = ciphertext._native[0]
    status = batch.encrypt(key, kind, rng, threads)
    if status != 0:
        failed = int(batch.native.failed)
        if failed == len(arrays):
            raise error_of(status)
        raise of_frame(failed, context._encode_error(status, arrays[failed], scale, limbs))
    for index, ciphertext in enumerate(ciphertexts):
        ciphertext._native[0] = batch.ciphertexts[index]
    return ciphertexts


def decrypt_slots(
    context: Context, ciphertexts: Sequence[Ciphertext], key: SecretKey, limbs: Sequence[int], threads: int | None
) -> NDArray[np.complex128]:
    """All slots of every ciphertext, from its first `limbs` limbs: [len(ciphertexts), N/2]."""
    values = np.empty((len(ciphertexts), context.slots), dtype=np.complex128)
    batch = Batch(context, len(ciphertexts))
    for index, ciphertext in enumerate(ciphertexts):
        batch.set_frame(index, values[index], limbs[index])
        batch.ciphertexts[index] = ciphertext._native[0]
    status = batch.decrypt(key, threads)
    if status != 0:
        failed = int(batch.native.failed)
        error = error_of(status)
        raise error if failed == len(ciphertexts) else of_frame(failed, error)
    return values
