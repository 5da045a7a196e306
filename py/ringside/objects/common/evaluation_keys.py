# SPDX-License-Identifier: Apache-2.0
"""Relinearisation and Galois keys, written while they are made.

A key that switches s' to s has one component per data limb; each is a seeded public key over all
moduli (SEAL: KSwitchKeys). Only one component is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from ...errors import InputError
from ...native.files import StrPath
from ...native.library import CData, aligned, check, fail, ffi, lib, seed_type_number, words_of
from ...native.rng import Randomness, keygen
from ...native.streams import WireOptions, write_keys
from ...progress import Progress
from .keys import SecretKey
from .tables import Tables

_RELINEARISE = 0  # element that stands for s' = s^2


SEAL_GENERATOR = 3  # slot j of SEAL is the value at zeta^(3^j)
OTHER_GENERATOR = 5  # the generator of Lattigo and OpenFHE


def galois_elements(
    tables: Tables, rotations: Sequence[int] | Literal["pow2"], generator: int = SEAL_GENERATOR
) -> list[int]:
    """See Context.galois_elements."""
    if generator not in (SEAL_GENERATOR, OTHER_GENERATOR):
        raise InputError("RS_ERR_GALOIS", f"Slots are not ordered by powers of {generator}.", "Use 3 (SEAL) or 5.")
    if generator == OTHER_GENERATOR:
        return _by_fives(tables, rotations)
    if isinstance(rotations, str):
        if rotations != "pow2":
            raise InputError("RS_ERR_GALOIS", f"Unknown rotations {rotations!r}.", 'Use "pow2".')
        count = lib.rs_galois_powers_of_two(tables._pointer, ffi.NULL, 0)
        array = ffi.new("uint32_t[]", count)
        lib.rs_galois_powers_of_two(tables._pointer, array, count)
        return sorted({int(element) for element in array})
    elements = set()
    for steps in rotations:
        element = ffi.new("uint32_t *")
        if not -tables.slots < steps < tables.slots:
            fail(lib.RS_ERR_GALOIS, f"rotation by {steps} with {tables.slots} slots")
        check(lib.rs_galois_element(tables._pointer, steps, element), f"rotation by {steps}")
        elements.add(int(element[0]))
    return sorted(elements)


def _by_fives(tables: Tables, rotations: Sequence[int] | Literal["pow2"]) -> list[int]:
    order, slots = 2 * tables.n, tables.n // 2
    if isinstance(rotations, str):
        if rotations != "pow2":
            raise InputError("RS_ERR_GALOIS", f"Unknown rotations {rotations!r}.", 'Use "pow2".')
        steps = [1 << bit for bit in range(slots.bit_length() - 1)]
        rotations = [0, *steps, *(-step for step in steps)]
    for step in rotations:
        if not -slots < step < slots:
            fail(lib.RS_ERR_GALOIS, f"rotation by {step} with {slots} slots")
    return sorted({pow(OTHER_GENERATOR, step, order) if step else order - 1 for step in rotations})


def _write(
    secret_key: SecretKey,
    path: StrPath,
    kind: int,
    elements: Sequence[int | None],
    seed_type: str,
    options: WireOptions,
    randomness: Randomness,
    *,
    overwrite: bool | None,
    progress: Progress | None,
) -> int:
    """`elements`: per entry of the file its Galois element (0: relinearisation) or None if empty."""
    context = secret_key.context
    params, pointer = context.params, context._pointer
    if params.special_prime is None:
        fail(lib.RS_ERR_NO_SPECIAL)
    component = ffi.new("rs_ciphertext_t *")
    words = aligned(params.limb_count * context.n)
    component.data = ffi.cast("uint64_t *", words_of(words))
    number = seed_type_number(seed_type)
    done, total = 0, sum(element is not None for element in elements) * params.data_limbs

    def components(element: int, secret: CData) -> Iterator[CData]:
        nonlocal done
        for index in range(params.data_limbs):
            label = f"switching key {seed_type} {element} {index}"
            rng = randomness.of_keys(label, params.parms_id(), secret.ntt, context.n)
            row = {"kind": lib.RS_KEY_SWITCH, "element": element, "index": index}
            keygen(pointer, secret, component, rng, seeded=1, seed_type=number, **row)
            yield component
            done += 1
            if progress is not None:
                progress(done, total)

    what = {"kind": kind, "context": pointer, "entries": len(elements), "components": total, "seeded": 1}
    with secret_key._borrow() as secret:
        entries = ((0, ()) if it is None else (params.data_limbs, components(it, secret)) for it in elements)
        return write_keys(path, what, options, entries, overwrite=overwrite)


def write_relin_keys(
    secret_key: SecretKey,
    path: StrPath,
    seed_type: str,
    options: WireOptions,
    randomness: Randomness,
    *,
    overwrite: bool | None,
    progress: Progress | None,
) -> int:
    """See Context.write_relin_keys."""
    return _write(
        secret_key,
        path,
        lib.RS_WIRE_RELIN_KEYS,
        [_RELINEARISE],
        seed_type,
        options,
        randomness,
        overwrite=overwrite,
        progress=progress,
    )


def write_galois_keys(
    secret_key: SecretKey,
    path: StrPath,
    elements: Sequence[int],
    seed_type: str,
    options: WireOptions,
    randomness: Randomness,
    *,
    overwrite: bool | None,
    progress: Progress | None,
) -> int:
    """See Context.write_galois_keys. elements: odd, below 2N, each once."""
    wanted = set(elements)
    # entry i holds the key of element 2i + 1
    entries = [element if element in wanted else None for element in range(1, 2 * secret_key.context.n, 2)]
    return _write(
        secret_key,
        path,
        lib.RS_WIRE_GALOIS_KEYS,
        entries,
        seed_type,
        options,
        randomness,
        overwrite=overwrite,
        progress=progress,
    )
