# SPDX-License-Identifier: Apache-2.0
"""Values to plaintexts and back, for one frame; errors say what is wrong with the values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RingsideError
from .handles import ContextHandle
from .library import CData, check, error_of, ffi, lib, request, work_in
from .rng import Rng


def power_text(scale: float) -> str:
    """A scale as a power of two."""
    if not (math.isfinite(scale) and scale > 0):
        return str(scale)
    return f"2^{math.log2(scale):.6g}"


def memory_of(array: NDArray[Any]) -> NDArray[Any]:
    """The array, or one element in place of none: the library wants an address."""
    return array if array.size else np.zeros(1, dtype=array.dtype)


COMPLEX: CData = ffi.new("rs_layout_t *", {"is_complex": 1})
SLOTS, COEFFICIENTS = 0, 1  # rs_layout_t's packing
_INTEGERS: dict[tuple[str, int], CData] = {
    (dtype, packing): ffi.new("rs_layout_t *", {"format": number, "packing": packing})
    for number, dtype in enumerate(("int64", "uint64"))
    for packing in (SLOTS, COEFFICIENTS)
}


def layout_of(array: NDArray[Any], packing: int = SLOTS) -> CData | None:
    """rs_layout_t of float64 or complex128; of int64 or uint64, for BFV and BGV."""
    if array.dtype.kind in "iu":
        return _INTEGERS[array.dtype.name, packing]
    return COMPLEX if array.dtype == np.complex128 else None


def encode(
    context: ContextHandle, plaintext: CData, array: NDArray[Any], scale: float, limbs: int, packing: int = SLOTS
) -> None:
    """array: contiguous float64 or complex128, int64 or uint64. plaintext: rs_plaintext_t with memory for coefficients. InputError."""
    memory = memory_of(array)
    members = {
        "size": ffi.sizeof("rs_encode_request_t"),
        "context": context.pointer,
        "plaintext": plaintext,
        "values": ffi.from_buffer(memory),
        "layout": layout_of(array, packing) or ffi.NULL,
        "scale": scale,
        "count": array.size,
        "limb_count": limbs,
    }
    status = lib.rs_encode(ffi.new("rs_encode_request_t *", members))
    if status != 0:
        raise encode_error(context, status, array, scale, limbs)


def encode_error(context: ContextHandle, status: int, array: NDArray[Any], scale: float, limbs: int) -> RingsideError:
    """The fault that rs_encode found in these values."""
    if array.dtype.kind in "iu":
        return _integer_error(context, status, array)
    if status == lib.RS_ERR_VALUE_COUNT:
        slots = context.n // 2
        needed = -(-array.size // slots)
        detail = f"{array.size} values, {slots} slots; {needed} ciphertexts are needed"
        return error_of(status, detail, "Encode at most N/2 values at a time.")
    if status == lib.RS_ERR_NOT_FINITE:
        index = int(np.flatnonzero(~np.isfinite(array))[0])
        return error_of(status, f"value {index} is {array[index]}")
    if status in (lib.RS_ERR_OVERFLOW, lib.RS_ERR_SCALE):
        bits = lib.rs_params_total_bits(context.params, limbs)
        largest = float(np.abs(array).max(initial=0.0))
        return error_of(
            status, f"values up to {largest:.4g} at scale {power_text(scale)}, {bits} modulus bits at level {limbs - 1}"
        )
    return error_of(status)


def centred(t: int) -> tuple[int, int]:
    """The lowest and the highest integer that come back from modulo t: t/2 of an even t would be -t/2."""
    return -(t // 2), (t - 1) // 2


def _integer_error(context: ContextHandle, status: int, array: NDArray[Any]) -> RingsideError:
    t = int(context.params.plain_modulus)
    if status == lib.RS_ERR_VALUE_COUNT:
        detail = f"{array.size} values, room for {context.n}; {-(-array.size // context.n)} ciphertexts are needed"
        return error_of(status, detail, "Encrypt at most N values at a time.")
    if status == lib.RS_ERR_VALUE_RANGE:
        low, high = (0, t - 1) if array.dtype.kind == "u" else centred(t)
        index = int(np.flatnonzero((array < low) | (array > high))[0])
        hint = "Take a larger plain modulus, or wrap=True for values modulo it."
        return error_of(status, f"value {index} is {array[index]}, and values lie from {low} to {high}", hint)
    return error_of(status)


def publish_options(bits: int, flood_bits: int | None) -> CData:
    """rs_publish_t. InputError: out of range."""
    low, high = int(lib.RS_PUBLISH_BITS_MIN), int(lib.RS_PUBLISH_BITS_MAX)
    if not low <= bits <= high:
        hint = f"Give a whole number from {low} to {high}: 12 rounds to multiples of 2^-12."
        raise error_of(lib.RS_ERR_PUBLISH, f"{bits} bits to publish", hint)
    low, high = int(lib.RS_FLOOD_BITS_MIN), int(lib.RS_FLOOD_BITS_MAX)
    if flood_bits is not None and not low <= flood_bits <= high:
        hint = f"Give a whole number from {low} to {high}, or leave it out: 30 adds noise of deviation 2^30 to each coefficient."
        raise error_of(lib.RS_ERR_PUBLISH, f"{flood_bits} bits of noise", hint)
    return ffi.new("rs_publish_t *", {"bits": int(bits), "flood_bits": int(flood_bits or lib.RS_FLOOD_NONE)})


def publish_round(values: NDArray[np.complex128], options: CData) -> None:
    """Rounds them in place."""
    memory = ffi.cast("double *", ffi.from_buffer(values))
    check(lib.rs_publish_round(memory, 2 * values.size, options.bits))


def decode(
    context: ContextHandle, plaintext: CData, values: NDArray[Any], options: CData | None = None, packing: int = SLOTS
) -> None:
    """All N/2 slots of complex128, or so many of int64 or uint64; for others to see, with the noise of `options` from the operating system's
    seeds, and rounded. plaintext: its memory is used up."""
    rng = None if options is None else Rng().pointer
    given = {
        "context": context.pointer,
        "plaintext": plaintext,
        "values": ffi.from_buffer(values),
        "count": values.size,
    }
    layout = layout_of(values, packing)
    wanted = request("rs_decode_request_t", layout=layout, publish=options, rng=rng, **given)
    _memory = work_in(wanted, lib.rs_decode_workspace(wanted))
    status = lib.rs_decode(wanted)
    if status == lib.RS_ERR_OVERFLOW and options is not None:
        bits = lib.rs_params_total_bits(context.params, plaintext.limb_count)
        detail = (
            f"noise of {options.flood_bits} bits needs a modulus of {options.flood_bits + 9} bits, {bits} are there"
        )
        hint = "Use less noise, more limbs (leave out max_abs), or parameters with a larger scale."
        raise error_of(status, detail, hint)
    check(status)
