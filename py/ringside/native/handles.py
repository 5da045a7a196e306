# SPDX-License-Identifier: Apache-2.0
"""Descriptors of the library with the memory they live in: what objects hold and devices compute on."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import RingsideError, SecretKeyError
from .library import CData, aligned, check, ffi, lib, request, secret_words, span, words_of


class ContextHandle:
    """rs_context_t: everything precomputed from a parameter set. Immutable, threads may share it."""

    def __init__(self, params: CData) -> None:
        """params: rs_params_t. Its security level was checked, or waived by name, when it was made."""
        self.params = params
        words = (lib.rs_context_size(params) + 7) // 8
        self._memory = aligned(max(1, words))
        out = ffi.new("rs_context_t const **")
        security = lib.RS_SECURITY_UNCHECKED
        check(
            lib.rs_context_init(
                out, request("rs_context_request_t", params=params, security=security, memory=words_of(self._memory))
            )
        )
        self.pointer: CData = out[0]

    @property
    def n(self) -> int:
        """Ring degree N."""
        return 1 << int(self.params.log_n)

    @property
    def limb_count(self) -> int:
        """Moduli, special prime included."""
        return int(self.params.limb_count)

    @property
    def nbytes(self) -> int:
        """Bytes of precomputed tables."""
        return self._memory.nbytes


class PlanHandle:
    """rs_plan_t: one ring. Immutable, threads may share it."""

    def __init__(self, n: int, q: int, psi: int = 0) -> None:
        """psi: 0: the smallest root of order 2N. ParameterError: the library has no such ring."""
        log_n, out = n.bit_length() - 1, ffi.new("rs_plan_t const **")
        self._memory = aligned(max(1, int(lib.rs_plan_size(log_n)) // 8 + 1))
        check(lib.rs_plan_init(out, span(words_of(self._memory)), log_n, q, psi), f"got {q}")
        self.pointer: CData = out[0]
        self.n, self.q = n, q


class KeyCopy(Protocol):
    """Something that holds a copy of a secret key, such as an accelerator's memory."""

    def forget(self, key: SecretHandle) -> None:
        """Wipes the copy."""


class SecretHandle:
    """rs_secret_key_t and its words. Threads may share it; close() waits for those that are using it."""

    def __init__(self, context: ContextHandle, native: CData) -> None:
        self.native = native
        self.words = context.limb_count * context.n
        self._owner, _ = secret_words(self.words)
        native.ntt = self._owner
        self._state = threading.Condition()
        self._users = 0
        self._copies: weakref.WeakSet[KeyCopy] = weakref.WeakSet()
        self.closed = False

    @contextmanager
    def borrow(self) -> Iterator[CData]:
        """The descriptor, safe from close() for the time of the block. SecretKeyError if the key was closed."""
        with self._state:
            if self.closed:
                raise SecretKeyError("CLOSED", "This secret key was closed and wiped.")
            self._users += 1
        try:
            yield self.native
        finally:
            with self._state:
                self._users -= 1
                self._state.notify_all()

    def copied_to(self, copy: KeyCopy) -> None:
        """close() tells this copy to wipe itself. To be called by who borrows the key."""
        with self._state:
            self._copies.add(copy)

    def close(self) -> None:
        """Wipes the key, and every copy of it, as soon as no thread uses it any more. DeviceError: a device could not be wiped."""
        with self._state:
            self.closed = True
            while self._users:
                self._state.wait()
            lib.rs_zeroize(self._owner, 8 * self.words)
            copies = list(self._copies)
            self._copies.clear()
        # Outside of the lock: a device that is busy holds its own lock and may be about to borrow this key.
        failed: RingsideError | None = None
        for copy in copies:
            try:
                copy.forget(self)
            except RingsideError as error:  # the others are wiped nevertheless
                failed = failed or error
        if failed is not None:
            raise failed


class PublicHandle:
    """rs_ciphertext_t that holds a public key, and its words."""

    def __init__(self, context: ContextHandle, native: CData) -> None:
        """native: with its counts set; it gets memory for both polynomials."""
        self.native = native
        self._context = context
        self.data: NDArray[np.uint64] = aligned((2, context.limb_count, context.n))
        native.data = ffi.cast("uint64_t *", words_of(self.data))
        self._expanded: CData | None = None
        self._lock = threading.Lock()

    def expanded(self) -> CData:
        """A descriptor with both polynomials; the second is expanded from its seed the first time."""
        with self._lock:
            if self._expanded is None:
                native = ffi.new("rs_ciphertext_t *")
                native[0] = self.native[0]
                if native.seeded:
                    check(lib.rs_expand(self._context.pointer, native))
                self._expanded = native
            return self._expanded


KeyHandle = SecretHandle | PublicHandle
