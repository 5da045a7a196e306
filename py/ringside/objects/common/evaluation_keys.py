# SPDX-License-Identifier: Apache-2.0
"""Relinearisation and Galois keys, written while they are made.

A key that switches s' to s has one component per data limb; each is a seeded public key over all
moduli (SEAL: KSwitchKeys). Only one component is in memory at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal, TypedDict

from ...errors import InputError
from ...native.files import StrPath, append_file, begun_bytes, replace_file
from ...native.library import (
    SEED_BYTES,
    CData,
    aligned,
    check,
    fail,
    ffi,
    lib,
    secret_bytes,
    seed_type_number,
    words_of,
)
from ...native.rng import Randomness, Rng, keygen
from ...native.streams import (
    DEFAULT_COMPRESSION,
    DEFAULT_VERSION,
    WireOptions,
    file_bytes,
    stream_keys,
    streamed_bytes,
    write_keys,
)
from ...progress import Progress, repeated
from .keys import SecretKey
from .tables import Tables

RELINEARISE = 0  # element that stands for s' = s^2
SEAL_GENERATOR = 3  # slot j of SEAL is the value at zeta^(3^j)
STREAM_BYTES = (
    7 << 19
)  # memory of streamed keys up to N = STREAM_N, or more where one modulus needs more; twice as much above
STREAM_N = 1 << 15
TOLD_SECONDS = 0.5  # between two looks at how long a file is
OTHER_GENERATOR = 5  # the generator of Lattigo and OpenFHE


def galois_elements(
    tables: Tables, rotations: Sequence[int] | Literal["pow2"], generator: int = SEAL_GENERATOR
) -> list[int]:
    """See Context.galois_elements."""
    if generator not in (SEAL_GENERATOR, OTHER_GENERATOR):
        raise InputError("RS_ERR_GALOIS", f"Slots are not ordered by powers of {generator}.", "Use 3 (SEAL) or 5.")
    if isinstance(rotations, str) and rotations != "pow2":
        raise InputError("RS_ERR_GALOIS", f"Unknown rotations {rotations!r}.", 'Use "pow2".')
    if generator == OTHER_GENERATOR:
        return _by_fives(tables, rotations)
    if isinstance(rotations, str):
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
        steps = [1 << bit for bit in range(slots.bit_length() - 1)]
        rotations = [0, *steps, *(-step for step in steps)]
    for step in rotations:
        if not -slots < step < slots:
            fail(lib.RS_ERR_GALOIS, f"rotation by {step} with {slots} slots")
    return sorted({pow(OTHER_GENERATOR, step, order) if step else order - 1 for step in rotations})


def stream_bytes(context: Tables, count: int | None, version: str) -> int:
    """Bytes of a file of streamed keys. count: of Galois keys; None: the relinearisation key."""
    kind = lib.RS_WIRE_RELIN_KEYS if count is None else lib.RS_WIRE_GALOIS_KEYS
    rows = (1 if count is None else count) * context.params.data_limbs
    what = {"kind": kind, "context": context._pointer, "entries": 1 if count is None else context.n}
    return file_bytes({**what, "components": rows, "seeded": 1}, WireOptions("none", version))


def stream_keys_for(
    secret_key: SecretKey,
    path: StrPath | int,
    elements: Sequence[int] | None,
    master: bytes | memoryview,
    version: str,
    how: dict[str, int | None],
    *,
    overwrite: bool | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> int:
    """See Context.stream_keys. path: or an open descriptor. elements: of Galois keys; None: the relinearisation key. how: members of rs_keys_stream_request_t."""
    params, galois = secret_key.context.params, elements is not None
    if how["bytes"] == 0 or any(not 0 <= (value or 0) < 1 << 64 for value in how.values()):
        fail(lib.RS_ERR_LENGTH, "first, count and index are 0 to 2^64 - 1, and count is not 0")
    if len(master) != SEED_BYTES:
        fail(lib.RS_ERR_BYTES, f"a master seed has {SEED_BYTES} bytes, and this one {len(master)}")
    if params.special_prime is None:
        fail(lib.RS_ERR_NO_SPECIAL)
    seed, options = secret_bytes(SEED_BYTES), WireOptions("none", version)
    ffi.memmove(seed, master, SEED_BYTES)
    wanted: dict[str, Any] = {"kind": lib.RS_WIRE_GALOIS_KEYS if galois else lib.RS_WIRE_RELIN_KEYS, **how}
    if elements:
        wanted |= {"elements": ffi.new("uint32_t[]", elements), "count": len(elements)}
    wanted |= {"params": params._native, "master": ffi.cast("rs_seed_t *", seed)}
    room = STREAM_BYTES if params.n <= STREAM_N else 2 * STREAM_BYTES
    whole = stream_bytes(secret_key.context, None if elements is None else len(elements), version)

    def write(fd: int, name: StrPath, first: int) -> None:
        start, end = os.fstat(fd).st_size, how["bytes"] or whole - first
        tell = progress or (lambda done, all_: None)
        with repeated(TOLD_SECONDS, lambda: tell(min(end, os.fstat(fd).st_size - start), end)):
            stream_keys(fd, name, options, room, **wanted | {"first": first})

    with secret_key._borrow() as secret:
        wanted["secret"] = secret.ntt
        if isinstance(path, int):
            write(path, "standard output", how["first"] or 0)
        elif resume:

            def again(first: int, count: int) -> bytes:
                return streamed_bytes(options, room, **wanted | {"first": first, "bytes": count})

            first = begun_bytes(path, whole, again)
            if first < whole:
                with append_file(path) as fd:
                    write(fd, path, first)
            return whole - first
        else:
            with replace_file(path, overwrite=overwrite) as fd:
                write(fd, path, how["first"] or 0)
    return how["bytes"] or whole - (how["first"] or 0)


class KeyFileOptions(TypedDict, total=False):
    """How keys are made and written (objects/ckks/options.py says how options have their defaults): see Context.write_relin_keys."""

    seed_type: Annotated[str, "shake256"]
    compression: Annotated[str, DEFAULT_COMPRESSION]
    version: Annotated[str, DEFAULT_VERSION]
    overwrite: Annotated[bool | None, None]
    progress: Annotated[Progress | None, None]
    insecure_deterministic_seed: Annotated[bytes | None, None]
    insecure_deterministic_index: Annotated[int, 0]


def write_keys_for(
    secret_key: SecretKey, path: StrPath, kind: int, elements: Sequence[int | None], how: KeyFileOptions
) -> int:
    """`elements`: per entry of the file its Galois element (RELINEARISE: of products) or None if empty. Bytes of the file."""
    context = secret_key.context
    params, pointer, progress = context.params, context._pointer, how["progress"]
    randomness = Randomness(how["insecure_deterministic_seed"], how["insecure_deterministic_index"])
    options = WireOptions(how["compression"], how["version"])
    if params.special_prime is None:
        fail(lib.RS_ERR_NO_SPECIAL)
    component = ffi.new("rs_ciphertext_t *")
    words = aligned(params.limb_count * context.n)
    component.data = ffi.cast("uint64_t *", words_of(words))
    number = seed_type_number(how["seed_type"])
    done, total = 0, sum(element is not None for element in elements) * params.data_limbs

    def components(element: int, secret: CData, rng_of: Callable[[int, int], Rng]) -> Iterator[CData]:
        nonlocal done
        for index in range(params.data_limbs):
            row = {"kind": lib.RS_KEY_SWITCH, "element": element, "index": index}
            keygen(pointer, secret, component, rng_of(element, index), seeded=1, seed_type=number, **row)
            yield component
            done += 1
            if progress is not None:
                progress(done, total)

    what = {"kind": kind, "context": pointer, "entries": len(elements), "components": total, "seeded": 1}
    with secret_key._borrow() as secret:
        rng_of = randomness.of_rows(params.parms_id(), number, pointer, secret, context.n)
        entries = ((0, ()) if it is None else (params.data_limbs, components(it, secret, rng_of)) for it in elements)
        return write_keys(path, what, options, entries, overwrite=how["overwrite"])
