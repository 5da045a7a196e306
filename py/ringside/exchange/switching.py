# SPDX-License-Identifier: Apache-2.0
"""Relinearisation and Galois keys in SEAL's files, a component at a time, with seeds expanded.

SEAL permutes a ciphertext first and switches its key then: the key for the element g switches s(X^g) to s. Lattigo and OpenFHE switch first, from s
to s(X^(1/g)), and permute then. One key becomes the other by the permutation itself: `unpermuted` and `permuted`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import MismatchError
from ..formats.cursor import LimbWords
from ..native.files import StrPath
from ..native.library import CData, aligned, check, ffi, lib, words_of
from ..native.streams import KeyEntry, WireOptions, open_file, write_keys
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.params import CKKS
from ..objects.common.tables import Tables

Component = NDArray[np.uint64]  # [b or a, limb, N]


def entries_of(context: Tables, path: StrPath, *, galois: bool) -> Iterator[tuple[int, list[Component]]]:
    """The keys in a file of SEAL: the Galois element (0: relinearisation) and the components, one for each data limb."""
    kind = lib.RS_WIRE_GALOIS_KEYS if galois else lib.RS_WIRE_RELIN_KEYS
    pointer = context._pointer
    with open_file(path) as reader:
        for index, count in reader.entries(pointer, kind):
            found = []
            for _ in range(count):
                native = ffi.new("rs_ciphertext_t *")
                target = reader.begin(pointer, kind, native)
                words = aligned((2, context.params.limb_count, context.n))
                native.data = ffi.cast("uint64_t *", words_of(words))
                reader.words(target)
                check(lib.rs_expand(pointer, native))
                found.append(words)
            if found:
                yield 2 * index + 1 if galois else RELINEARISE, found


def write_entries(
    context: Tables,
    path: StrPath,
    elements: Sequence[int] | None,
    components: Callable[[int], Sequence[Component]],
    options: WireOptions,
    *,
    overwrite: bool | None,
) -> int:
    """Writes a file of SEAL; its bytes. elements: of Galois keys; None for the relinearisation key, whose element is 0."""
    wanted = {RELINEARISE} if elements is None else set(elements)
    places = [RELINEARISE] if elements is None else range(1, 2 * context.n, 2)
    native = ffi.new("rs_ciphertext_t *")
    native.parms_id = bytes.fromhex(context.params.parms_id())
    native.poly_count, native.limb_count, native.scale = 2, context.params.limb_count, 1.0
    native.correction_factor = int(context.params.scheme != CKKS)

    def natives(parts: Sequence[Component]) -> Iterator[CData]:
        for part in parts:
            native.data = ffi.cast("uint64_t *", words_of(part))
            yield native

    def entries() -> Iterator[KeyEntry]:
        for element in places:
            parts = components(element) if element in wanted else ()
            yield len(parts), natives(parts)

    kind = lib.RS_WIRE_RELIN_KEYS if elements is None else lib.RS_WIRE_GALOIS_KEYS
    total = len(wanted) * context.params.data_limbs
    what = {"kind": kind, "context": context._pointer, "entries": len(places), "components": total}
    return write_keys(path, what, options, entries(), overwrite=overwrite)


def permuted(context: Tables, words: LimbWords, element: int) -> LimbWords:
    """The residues of a(X^element), from those of a(X)."""
    out = aligned(context.n)
    source = np.ascontiguousarray(words)
    lib.rs_plan_galois(
        lib.rs_context_plan(context._pointer, 0), ffi.cast("uint64_t *", words_of(out)), words_of(source), element
    )
    return out


def unpermuted(context: Tables, words: LimbWords, element: int) -> LimbWords:
    """The inverse of it."""
    return permuted(context, words, pow(element, -1, 2 * context.n))


def refuse_several_primes(context: Tables, special: Sequence[int], library: str) -> None:
    """MismatchError unless keys for key switching have the one special prime that Ringside's have."""
    if len(special) == 1 and context.params.special_prime == special[0]:
        return
    name = f"{len(special)} special primes" if len(special) != 1 else f"the special prime {special[0]}"
    message = f"Keys for key switching of these parameters of {library} need {name}; Ringside's have one, {context.params.special_prime}."
    bits = lib.RS_MODULUS_BITS_MAX
    hint = f"Make them for {library} alone, of the secret key; or choose parameters with one special prime below 2^{bits}, and one prime to a digit."
    raise MismatchError(f"{library.upper()}_SPECIAL_PRIMES", message, hint)
