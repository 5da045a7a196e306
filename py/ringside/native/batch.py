# SPDX-License-Identifier: Apache-2.0
"""Many frames at once, on the library's threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray

from .encoding import SLOTS, layout_of, memory_of
from .handles import ContextHandle, KeyHandle, PublicHandle, SecretHandle
from .library import CData, aligned, check, fail, ffi, lib, request, words_of, work_in
from .rng import Rng
from .streams import Files

CIPHERTEXTS_AT_ONCE = 8  # each thread has so many, where they become files


def usable_threads() -> int:
    """Threads that run at the same time on the processors this process may use."""
    return int(lib.rs_pool_threads())


def threads_of(threads: int | None) -> int:
    """So many, or usable_threads(). InputError: nobody starts so many."""
    wanted = usable_threads() if threads is None else threads
    if not 1 <= wanted <= lib.RS_POOL_THREADS_MAX:
        fail(lib.RS_ERR_THREADS, f"{threads} threads asked for")
    return wanted


@contextmanager
def thread_pool(threads: int | None, count: int) -> Iterator[CData]:
    """A pool for `count` frames, NULL where this thread is enough. None: as many threads as the process may use."""
    wanted = min(threads_of(threads), count)
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
    """Members of rs_encrypt_item_t or rs_decrypt_item_t, one a frame, with the arrays that they point to."""

    def __init__(self, kind: str, ciphertexts: Sequence[CData]) -> None:
        self._kind = f"{kind}[]"
        self.count = len(ciphertexts)
        self.members: list[dict[str, Any]] = [{"ciphertext": ciphertext} for ciphertext in ciphertexts]
        self._native: CData = None

    def set_values(
        self, index: int, values: NDArray[Any], limbs: int, scale: float = 0.0, packing: int = SLOTS
    ) -> None:
        """values: contiguous float64 or complex128, or int64 or uint64."""
        item = self.members[index]
        item["values"], item["count"] = ffi.from_buffer(memory_of(values)), values.size
        item["limb_count"] = limbs
        if scale:
            item["scale"] = scale
        if (layout := layout_of(values, packing)) is not None:
            item["layout"] = layout

    @property
    def native(self) -> CData:
        """The array."""
        if self._native is None:
            self._native = ffi.new(self._kind, self.members)
        return self._native

    @property
    def failed(self) -> int:
        """Index of the first frame that failed."""
        return next(index for index in range(self.count) if self.native[index].status)


def encrypt(
    context: ContextHandle, items: Items, key: KeyHandle, kind: int, rng: Rng, threads: int | None, *,
    ntt: bool = False, files: Files | None = None,
) -> int:  # fmt: skip
    """The status. Ciphertexts say beforehand how they are seeded. ntt: of BFV. files: of a public key's, in place of ciphertexts."""
    members = {
        "kind": kind,
        "ntt": ntt,
        "context": context.pointer,
        "items": items.native,
        "count": items.count,
        "rng": rng.pointer,
    }
    if isinstance(key, PublicHandle):
        wanted = request("rs_encrypt_request_t", public_key=key.expanded(), **members)
        return _run("encrypt", wanted, threads) if files is None else _to_files(context, items, wanted, threads, files)
    first = items.members[0]["ciphertext"] if items.count else None
    seeded, seed_type = (first.seeded, first.seed_type) if first else (0, 0)
    with key.borrow() as secret:
        wanted = request("rs_encrypt_request_t", secret_key=secret, seeded=seeded, seed_type=seed_type, **members)
        return _run("encrypt", wanted, threads)


def decrypt(
    context: ContextHandle, items: Items, key: SecretHandle, threads: int | None, *, margin_bits: int = 0
) -> int:
    """Likewise. margin_bits: of BFV and BGV."""
    members = {"context": context.pointer, "items": items.native, "count": items.count, "margin_bits": margin_bits}
    with key.borrow() as secret:
        wanted = request("rs_decrypt_request_t", secret_key=secret, **members)
        return _run("decrypt", wanted, threads)


def _to_files(context: ContextHandle, items: Items, wanted: CData, threads: int | None, files: Files) -> int:
    """A few ciphertexts at a time, all in the same memory, so that what is written is in the processor's cache."""
    count = int(wanted.count)
    with thread_pool(threads, count) as pool:
        _memory = work_in(wanted, lib.rs_encrypt_batch_workspace(wanted, pool))
        at_once = min(count, CIPHERTEXTS_AT_ONCE * (pool.threads if pool else 1))
        words = aligned((at_once, 2 * files.limbs * context.n))
        made = ffi.new("rs_ciphertext_t[]", [{"data": ffi.cast("uint64_t *", words_of(one))} for one in words])
        for first in range(0, count, at_once):
            wanted.items, wanted.count = items.native + first, min(at_once, count - first)
            for index in range(wanted.count):
                wanted.items[index].ciphertext = made + index
            if status := int(lib.rs_encrypt_batch(wanted, pool)):
                return status
            for index in range(wanted.count):
                files.add(made + index)
    return 0


def _run(operation: str, wanted: CData, threads: int | None) -> int:
    if threads == 1 or wanted.count == 1:
        call, size = (
            (lib.rs_encrypt, lib.rs_encrypt_workspace)
            if operation == "encrypt"
            else (lib.rs_decrypt, lib.rs_decrypt_workspace)
        )
        _memory = work_in(wanted, size(wanted))
        return int(call(wanted))
    with thread_pool(threads, wanted.count) as pool:
        _memory = work_in(wanted, getattr(lib, f"rs_{operation}_batch_workspace")(wanted, pool))
        return int(getattr(lib, f"rs_{operation}_batch")(wanted, pool))
