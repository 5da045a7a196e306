# SPDX-License-Identifier: Apache-2.0
"""Many frames at once, on the library's threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from numpy.typing import NDArray

from .encoding import layout_of, memory_of
from .handles import ContextHandle, KeyHandle, PublicHandle, SecretHandle
from .library import CData, check, fail, ffi, lib, request, span, workspace
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


class Items:
    """rs_encrypt_item_t or rs_decrypt_item_t, one a frame, with the arrays that they point to."""

    def __init__(self, kind: str, ciphertexts: Sequence[CData]) -> None:
        self.count = len(ciphertexts)
        self.native: CData = ffi.new(f"{kind}[]", max(1, self.count))
        for index, ciphertext in enumerate(ciphertexts):
            self.native[index].ciphertext = ciphertext
        self._arrays: list[NDArray[Any]] = []

    def set_values(self, index: int, values: NDArray[Any], limbs: int) -> None:
        """values: contiguous float64 or complex128."""
        memory = memory_of(values)
        self._arrays.append(memory)
        item = self.native[index]
        item.values, item.count, item.limb_count = ffi.from_buffer(memory), values.size, limbs
        item.layout = layout_of(values) or ffi.NULL

    @property
    def failed(self) -> int:
        """Index of the first frame that failed."""
        return next(index for index in range(self.count) if self.native[index].status)


def encrypt(context: ContextHandle, items: Items, key: KeyHandle, kind: int, rng: Rng, threads: int | None) -> int:
    """The status. Ciphertexts say beforehand how they are seeded."""
    members = {
        "kind": kind,
        "context": context.pointer,
        "items": items.native,
        "count": items.count,
        "rng": rng.pointer,
    }
    with thread_pool(threads, items.count) as pool, ExitStack() as stack:
        if isinstance(key, PublicHandle):
            members["public_key"] = key.expanded()
        else:
            members["secret_key"] = stack.enter_context(key.borrow())
            if items.count:
                first = items.native[0].ciphertext
                members |= {"seeded": first.seeded, "seed_type": first.seed_type}
        wanted = request("rs_encrypt_request_t", **members)
        scratch = workspace(lib.rs_encrypt_batch_workspace(wanted, pool))
        wanted.workspace = span(scratch)
        return int(lib.rs_encrypt_batch(wanted, pool))


def decrypt(context: ContextHandle, items: Items, key: SecretHandle, threads: int | None) -> int:
    """Likewise."""
    with thread_pool(threads, items.count) as pool, key.borrow() as secret:
        members = {"context": context.pointer, "secret_key": secret, "items": items.native, "count": items.count}
        wanted = request("rs_decrypt_request_t", **members)
        scratch = workspace(lib.rs_decrypt_batch_workspace(wanted, pool))
        wanted.workspace = span(scratch)
        return int(lib.rs_decrypt_batch(wanted, pool))
