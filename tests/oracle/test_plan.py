# SPDX-License-Identifier: Apache-2.0
"""Plans for one ring, without parameters of a scheme, against Python's integers."""

import random

import numpy as np
import pytest

from oracle import core, reference
from ringside.native._cdef import ffi
from ringside.native.library import lib, span

WIDEST = (1 << 61) + (1 << 57)  # end of the moduli of keys alone


def wide_prime(n: int, end: int = 1 << 60) -> int:
    """The largest prime = 1 mod 2N below a multiple of 2N."""
    q = end + 1 - 2 * n
    while not reference.is_prime(q):
        q -= 2 * n
    return q


# NewHope; BLISS and Falcon; Kyber's first version; the smallest ring there is; the widest moduli, also of keys alone.
RINGS = [
    (1024, 12289),
    (512, 12289),
    (256, 7681),
    (4, 17),
    (4, wide_prime(4)),
    (64, wide_prime(64)),
    (4, wide_prime(4, WIDEST)),
    (1024, wide_prime(1024, WIDEST)),
]


class Plan:
    def __init__(self, n: int, q: int) -> None:
        log_n = n.bit_length() - 1
        self.memory = np.zeros(lib.rs_plan_size(log_n) // 8 + 1, np.uint64)
        made = ffi.new("const rs_plan_t **")
        core.ok(lib.rs_plan_init(made, span(core.words_at(self.memory)), log_n, q, 0))
        self.pointer = made[0]

    def transformed(self, poly: np.ndarray, inverse: bool = False) -> np.ndarray:
        out = poly.copy()
        (lib.rs_plan_inverse if inverse else lib.rs_plan_forward)(self.pointer, core.words_at(out))
        return out


@pytest.mark.parametrize(("n", "q"), RINGS)
def test_ring(n: int, q: int) -> None:
    plan = Plan(n, q)
    r = random.Random(n)
    assert lib.rs_plan_n(plan.pointer) == n
    assert lib.rs_plan_modulus(plan.pointer) == q
    assert lib.rs_plan_root(plan.pointer) == reference.minimal_root(q, n)
    for kind in range(3):
        a, b, c = (np.array([r.randrange(q) if kind else q - 1 for _ in range(n)], np.uint64) for _ in range(3))
        x, y, z = map(reference.integers, (a, b, c))
        u, v = plan.transformed(a), plan.transformed(b)
        assert u.tolist() == reference.ntt(x, q).tolist()
        assert plan.transformed(u, inverse=True).tolist() == a.tolist()
        out = np.empty(n, np.uint64)
        o, s, t, w = map(core.words_at, (out, u, v, plan.transformed(c)))
        lib.rs_plan_mul(plan.pointer, o, s, t)
        product = reference.schoolbook(x, y, q)
        assert plan.transformed(out, inverse=True).tolist() == product.tolist()
        lib.rs_plan_mul_add(plan.pointer, o, s, t, w)
        assert plan.transformed(out, inverse=True).tolist() == ((product + z) % q).tolist()
        lib.rs_plan_mul_sub(plan.pointer, o, s, t, w)
        assert plan.transformed(out, inverse=True).tolist() == ((z - product) % q).tolist()
        lib.rs_plan_add(plan.pointer, o, s, t)
        assert plan.transformed(out, inverse=True).tolist() == ((x + y) % q).tolist()
        lib.rs_plan_sub(plan.pointer, o, s, t)
        assert plan.transformed(out, inverse=True).tolist() == ((x - y) % q).tolist()


@pytest.mark.parametrize(
    ("log_n", "q", "status"),
    [
        (1, 12289, "RS_ERR_DEGREE"),
        (18, 12289, "RS_ERR_DEGREE"),
        (10, 1, "RS_ERR_MODULUS_RANGE"),
        (10, WIDEST + 1, "RS_ERR_MODULUS_RANGE"),
        (10, 7681, "RS_ERR_MODULUS_NTT"),
        (10, 4097, "RS_ERR_MODULUS_PRIME"),
    ],
)
def test_refused(log_n: int, q: int, status: str) -> None:
    memory = np.zeros(5000, np.uint64)
    made = ffi.new("const rs_plan_t **")
    assert core.status_name(lib.rs_plan_init(made, span(core.words_at(memory)), log_n, q, 0)) == status
    assert made[0] == ffi.NULL
