# SPDX-License-Identifier: Apache-2.0
"""Encode and decode in fixed point (fixed.h), for one frame."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .encoding import memory_of, power_text
from .handles import ContextHandle
from .library import CData, aligned, check, ffi, lib, request, u32, words_of

FORMATS: dict[Any, int] = {
    np.dtype(np.int8): lib.RS_FIXED_INT8,
    np.dtype(np.uint8): lib.RS_FIXED_UINT8,
    np.dtype(np.int16): lib.RS_FIXED_INT16,
    np.dtype(np.uint16): lib.RS_FIXED_UINT16,
    np.dtype(np.int32): lib.RS_FIXED_INT32,
    np.dtype(np.int64): lib.RS_FIXED_INT64,
    np.dtype(np.float64): lib.RS_FIXED_BINARY64,
    np.dtype(np.complex128): lib.RS_FIXED_BINARY64,
}


class FixedHandle:
    """rs_fixed_t: the roots for one N and one width of words. Immutable, threads may share it."""

    def __init__(self, log_n: int, word_bits: int) -> None:
        size = lib.rs_fixed_size(log_n)
        self._memory = aligned(size // 8)
        out = ffi.new("rs_fixed_t const **")
        check(lib.rs_fixed_init(out, words_of(self._memory), size, log_n, word_bits), f"got {word_bits}")
        self.pointer: CData = out[0]


class FixedHandles:
    """Tables of one N, by width of words; made when they are first asked for."""

    def __init__(self, log_n: int) -> None:
        self._log_n = log_n
        self._made: dict[int, FixedHandle] = {}
        self._lock = threading.Lock()

    def __getitem__(self, word_bits: int) -> FixedHandle:
        with self._lock:
            if word_bits not in self._made:
                self._made[word_bits] = FixedHandle(self._log_n, u32(word_bits, lib.RS_ERR_WORD_BITS))
            return self._made[word_bits]


def layout_of(array: NDArray[Any], exponent: int, bound: int) -> CData:
    """rs_fixed_layout_t of an array of a type in FORMATS."""
    limit = lib.RS_FIXED_EXPONENT_MAX + 1  # beyond it, for the library to refuse
    exponent, bound = (max(-limit, min(limit, int(x))) for x in (exponent, bound))
    is_complex = int(array.dtype.kind == "c")
    return ffi.new("rs_fixed_layout_t *", [FORMATS[array.dtype], is_complex, array.size, exponent, bound])


def _slots_of(layout: CData) -> CData:
    """rs_layout_t of a rs_fixed_layout_t."""
    members = {"is_complex": layout.is_complex, "exponent": layout.exponent, "bound": layout.bound}
    return ffi.new("rs_layout_t *", {"format": layout.format + 1, **members})


def encode_fixed(
    context: ContextHandle,
    fixed: FixedHandle,
    plaintext: CData,
    array: NDArray[Any],
    exponent: int,
    bound: int,
    scale: float,
    limbs: int,
) -> None:
    """array: contiguous, of a type in FORMATS. plaintext: rs_plaintext_t with memory for the NTT form of all limbs."""
    memory = memory_of(array)
    given = {"context": context.pointer, "fixed": fixed.pointer, "plaintext": plaintext, "count": array.size}
    how = {"layout": _slots_of(layout_of(array, exponent, bound)), "scale": scale, "limb_count": limbs}
    status = lib.rs_encode(request("rs_encode_request_t", values=ffi.from_buffer(memory), **given, **how))
    check(status, encode_detail(context, status, array.size, bound, scale, limbs))


def encode_detail(context: ContextHandle, status: int, count: int, bound: int, scale: float, limbs: int) -> str:
    """The fault that rs_encode found in fixed point, or a device that encodes."""
    detail = {
        lib.RS_ERR_VALUE_COUNT: f"{count} values, {context.n // 2} slots",
        lib.RS_ERR_VALUE_RANGE: f"magnitudes must stay below 2^{bound} (1 - 2^-10)",
        lib.RS_ERR_OVERFLOW: f"values below 2^{bound} at scale {power_text(scale)}, level {limbs - 1}",
        lib.RS_ERR_SCALE: f"scale {power_text(scale)} at level {limbs - 1}",
    }
    return detail.get(status, "")


def decode_fixed(
    context: ContextHandle, fixed: FixedHandle, plaintext: CData, values: NDArray[Any], exponent: int, bound: int
) -> None:
    """The first slots. plaintext: in NTT form, of one or two limbs; its memory is used up."""
    memory = memory_of(values)
    given = {"context": context.pointer, "fixed": fixed.pointer, "plaintext": plaintext, "count": values.size}
    layout = _slots_of(layout_of(values, exponent, bound))
    status = lib.rs_decode(request("rs_decode_request_t", values=ffi.from_buffer(memory), layout=layout, **given))
    if status == lib.RS_ERR_LEVEL:
        hint = "Decrypt with limbs=1, or limbs=2 if values and noise need it."
        check(status, f"{plaintext.limb_count} limbs; fixed point decodes one or two", hint)
    check(status, f"slots must stay below 2^{bound}" if status == lib.RS_ERR_VALUE_RANGE else "")
