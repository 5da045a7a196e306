# SPDX-License-Identifier: Apache-2.0
"""Public-key encryptions by the library, limb by limb: what comes to the streaming unit, and what must come out."""

from dataclasses import dataclass

import numpy as np

from ringside.native.library import ffi, lib


@dataclass
class Limb:
    context: int
    small: list
    words: list
    factors: list
    want: list
    message: np.ndarray | None = None  # signed


def at(kind, array):
    return ffi.from_buffer(f"{kind}[]", array)


def public_frame(design, model, rng, rounds=True, keys=None, bound=1 << 20, samples=None, numbers=None):
    """The limbs of a public-key encryption: what the rest of the core makes of the seed, and what must come out.

    rounds: with special prime. keys: pk_0 and pk_1 modulo each prime, the special one last; others for each frame if there are none.
    numbers: the message; without one it is random up to bound, which it reaches. samples: u, and both errors, others for
    each frame if there are none.
    """
    n, drop = model.n, len(design.bits) - 1
    small, errors = samples or (rng.integers(-1, 2, n).astype(np.int8), rng.integers(-21, 22, (2, n)).astype(np.int8))
    if numbers is None:
        numbers = rng.integers(-bound, bound, n, endpoint=True)
        numbers[:2] = bound, -bound
    message = numbers.astype(np.float64)
    prime = model.moduli[drop]
    v, bits, remainders = np.zeros((2, n), np.uint64), errors.copy(), np.zeros((2, n), np.int64)
    for j in range(2 if rounds else 0):
        drawn = rng.integers(0, prime, n, np.uint64) if keys is None else keys[drop][j]
        key, d = model.at(drawn), at("int64_t", remainders[j])
        small_error = at("int8_t", small), at("int8_t", errors[j])
        lib.rs_pk_remainder(model.pointer, drop, d, key, *small_error, model.at(v[j]))
        # v + e - P b = d
        bits[j] = [(int(x) + int(e) - int(y)) // prime for x, e, y in zip(v[j], errors[j], remainders[j], strict=True)]
        assert set(bits[j]) == {0, 1}
    limbs = []
    for limb in range(drop):
        q = model.moduli[limb]
        both = rng.integers(0, q, (2, n), np.uint64) if keys is None else keys[limb]
        lifted, u = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        lib.rs_lift_message(model.pointer, limb, model.at(lifted), at("double", message), ffi.NULL)
        factor = lib.rs_drop_inverse(model.pointer, drop, limb) if rounds else 1
        lib.rs_plan_lift(lib.rs_context_plan(model.pointer, limb), model.at(u), at("int8_t", small), factor)
        lib.rs_plan_forward(lib.rs_context_plan(model.pointer, limb), model.at(u))
        want = np.zeros((3, n), np.uint64)
        for j in range(2):
            polys = model.at(want[1 + j]), model.at(both[j]), model.at(u), at("int8_t", errors[j])
            given = at("double", message) if j == 0 else ffi.NULL
            if rounds:
                lib.rs_pk_limb(model.pointer, drop, limb, *polys, at("int64_t", remainders[j]), given)
            else:
                lib.rs_pk_direct_limb(model.pointer, limb, *polys, given)
        unused = rng.integers(0, 1 << min(62, design.width), (2, n), np.uint64)
        limbs.append(Limb(limb, [small, *bits], [lifted, *v], [*both, *unused], list(want), numbers))
    return limbs


def direct_frame(design, model, rng):
    return public_frame(design, model, rng, rounds=False)
