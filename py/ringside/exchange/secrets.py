# SPDX-License-Identifier: Apache-2.0
"""Secret keys to and from residues of other chains. Everything that depends on the key is in memory that is wiped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..formats.cursor import LimbWords
from ..native.library import check, ffi, lib, secret_words, span, words_of, workspace
from ..objects.common.keys import SecretKey
from ..objects.common.tables import Tables
from .residues import ResidueForm


def secret_residues(
    key: SecretKey, form: ResidueForm, moduli: Sequence[int], *, montgomery: bool, seal_order: bool = False
) -> LimbWords:
    """s modulo each of these in the form of a library, or in SEAL's order: [modulus, N]."""
    found = lifted(small_secret(key), form, moduli)
    for row, modulus in zip(found, moduli, strict=True) if not seal_order else ():
        _, buffer = secret_words(key.context.n)
        buffer[:] = row
        form.to_library(buffer, modulus, montgomery=montgomery, out=row)
    return found


def small_secret(key: SecretKey) -> NDArray[np.int8]:
    """The coefficients of s, in memory that is wiped."""
    with key._borrow() as native:
        first = np.frombuffer(ffi.buffer(native.ntt, 8 * key.context.n), dtype=np.uint64)
        return _small(key.context, first)


def lifted(small: NDArray[np.int8], form: ResidueForm, moduli: Sequence[int]) -> LimbWords:
    """A small secret modulo each of these in SEAL's order: [modulus, N]."""
    _, words = secret_words(len(moduli) * form.n)
    found = words.reshape(len(moduli), form.n)
    for row, modulus in zip(found, moduli, strict=True):
        form.lift(small, modulus, row)
    return found


def secret_key_from(
    context: Tables, form: ResidueForm, limbs: Mapping[int, LimbWords], *, montgomery: bool
) -> SecretKey:
    """The key whose residues a file holds, by modulus. Those of a modulus that the file does not have are computed from the first ones.

    SecretKeyError if it is not ternary, or not the same key modulo each.
    """
    native = ffi.new("rs_secret_key_t *")
    native.parms_id = bytes.fromhex(context.params.parms_id())
    key = SecretKey(context, native)
    n, moduli = context.n, context.params.moduli
    rows = np.frombuffer(ffi.buffer(native.ntt, 8 * n * len(moduli)), dtype=np.uint64).reshape(len(moduli), n)
    present = [index for index, modulus in enumerate(moduli) if modulus in limbs]
    for index in present:
        form.from_library(limbs[moduli[index]], moduli[index], rows[index], montgomery=montgomery)
    small = _small(context, rows[0])
    for index in set(range(len(moduli))) - set(present):
        pointer = ffi.cast("uint64_t *", words_of(rows[index]))
        lib.rs_plan_lift(
            lib.rs_context_plan(context._pointer, index), pointer, ffi.cast("int8_t const *", small.ctypes.data), 1
        )
        lib.rs_plan_forward(lib.rs_context_plan(context._pointer, index), pointer)
    check(lib.rs_key_check(context._pointer, native, ffi.NULL, span(workspace(16 * n))))
    return key


def moved(key: SecretKey, context: Tables) -> SecretKey:
    """The same key in a context of the same moduli, of another scheme."""
    native = ffi.new("rs_secret_key_t *")
    native.parms_id = bytes.fromhex(context.params.parms_id())
    other = SecretKey(context, native)
    with key._borrow() as source:
        ffi.memmove(native.ntt, source.ntt, 8 * context.n * context.params.limb_count)
    return other


def _small(context: Tables, first: LimbWords) -> NDArray[np.int8]:
    """The coefficients -1, 0, 1 as bytes, from the residues modulo the first prime. What is neither becomes 0."""
    n, q = context.n, context.params.moduli[0]
    _, buffer = secret_words(n)
    buffer[:] = first
    lib.rs_plan_inverse(lib.rs_context_plan(context._pointer, 0), ffi.cast("uint64_t *", words_of(buffer)))
    _, small = secret_words(-(-n // 8))
    _, other = secret_words(-(-n // 8))
    one, minus = small.view(np.int8)[:n], other.view(np.int8)[:n]
    np.equal(buffer, np.uint64(1), out=one.view(np.bool_))
    np.equal(buffer, np.uint64(q - 1), out=minus.view(np.bool_))
    np.subtract(one, minus, out=one)
    return one
