# SPDX-License-Identifier: Apache-2.0
"""The lean client's keys for a server (lean.h) on this machine."""

from collections.abc import Sequence
from pathlib import Path

import ringside
from ringside.native.library import CData, check, ffi, get_bytes, lib, request, workspace


class LeanClient:
    """Of a set and a key, N/4 bytes. small: in memory for keys alone, with blocks of transforms where N is above 4096."""

    def __init__(self, params: ringside.Parameters, key: bytes, *, small: bool) -> None:
        size = int(lib.rs_lean_size(params._native)) - 8 * small
        self._kept, self._key = (params, workspace(size)), key
        lean = ffi.new("rs_lean_t **")
        check(lib.rs_lean_init(lean, (self._kept[1], size), params._native, lib.RS_SECURITY_UNCHECKED))
        self._lean = lean[0]
        self._capacity = 1 << 26

    @classmethod
    def of_key(cls, context: ringside.Context, key: ringside.SecretKey, *, small: bool = False) -> "LeanClient":
        packed, memory = ffi.new("uint8_t[]", context.n // 4), workspace(8 * context.n)
        with key._borrow() as native:
            check(lib.rs_lean_pack_key(context._pointer, native, (packed, context.n // 4), (memory, 8 * context.n)))
        return cls(context.params, get_bytes(packed, context.n // 4), small=small)

    def _sink(self) -> tuple[CData, CData, CData]:
        state, sink, memory = ffi.new("rs_memory_sink_t *"), ffi.new("rs_sink_t *"), workspace(self._capacity)
        out = ffi.cast("uint8_t *", memory)
        lib.rs_sink_to_memory(sink, state, out, self._capacity)
        return sink, state, (memory, out)

    def keys(self, elements: Sequence[int], master: bytes, first: int = 0, count: int = 0) -> bytes:
        """The file of these Galois elements, of [0] the relinearisation key, or `count` bytes of it from `first` on."""
        sink, state, (_memory, out) = self._sink()
        array = ffi.new("uint32_t[]", list(elements))
        members = {"count": len(elements), "elements": array, "master": master, "secret_key": self._key}
        wanted = request("rs_lean_keys_request_t", sink=sink, first=first, bytes=count, **members)
        check(lib.rs_lean_write_switch_keys(self._lean, wanted))
        return get_bytes(out, state.bytes)

    def write_secret_key(self, path: Path) -> Path:
        sink, state, (_memory, out) = self._sink()
        key = ffi.from_buffer("uint8_t[]", self._key)
        check(lib.rs_lean_write_secret_key(self._lean, (key, len(key)), sink, ffi.NULL))
        path.write_bytes(get_bytes(out, state.bytes))
        return path
