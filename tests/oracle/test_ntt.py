# SPDX-License-Identifier: Apache-2.0
"""Transforms and pointwise kernels against evaluation at the roots, schoolbook products and the coefficient domain."""

import random

import numpy as np
import pytest

from oracle import core, reference
from ringside.native._cdef import ffi
from ringside.native.library import lib

# Smallest and largest residues, odd and even log2 N: 14, 20, 27, 45, 59 and 60 bits.
SHAPES = [(512, [14, 30, 48, 60]), (1024, [14, 20, 60]), (2048, [27, 59]), (4096, [30, 60]), (8192, [20, 60])]


def contexts(log_n: int, bits: list[int]) -> core.Context:
    return core.Context(core.params_from_bits(log_n, bits))


def edge_polynomials(n: int, q: int, r: random.Random) -> list[np.ndarray]:
    """Random, all largest, all zero, one coefficient each, alternating extremes."""
    first, last = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    first[0], last[-1] = q - 1, 1
    alternating = np.zeros(n, np.uint64)
    alternating[::2] = q - 1
    return [
        np.array([r.randrange(q) for _ in range(n)], np.uint64), np.full(n, q - 1, np.uint64), np.zeros(n, np.uint64),
        first, last, alternating,
    ]  # fmt: skip


@pytest.mark.parametrize(("n", "bits"), SHAPES)
def test_root_is_minimal(n: int, bits: list[int]) -> None:
    context = contexts(n, bits)
    for limb, q in enumerate(context.moduli):
        assert context.root(limb) == reference.minimal_root(q, n)
    assert lib.rs_context_plan(context.pointer, len(bits)) == ffi.NULL


def test_root_is_minimal_by_search() -> None:
    """Where q is small: the first number of order 2N, counting up from 2."""
    context = contexts(1024, [14, 15])
    for limb, q in enumerate(context.moduli):
        assert context.root(limb) == next(x for x in range(2, q) if pow(x, 1024, q) == q - 1)


@pytest.mark.parametrize(("n", "bits"), SHAPES)
def test_forward_is_evaluation(n: int, bits: list[int]) -> None:
    context = contexts(n, bits)
    r = random.Random(n)
    order = reference.bit_reversed(n)
    for limb, q in enumerate(context.moduli):
        psi = reference.minimal_root(q, n)
        for coef in edge_polynomials(n, q, r):
            got = context.ntt(limb, coef)
            assert int(got.max()) < q
            a = coef.tolist()
            for j in [0, 1, 2, n // 2, n - 1, *r.sample(range(n), 3)]:
                assert int(got[j]) == reference.evaluate(a, pow(psi, 2 * int(order[j]) + 1, q), q)


def test_forward_is_evaluation_everywhere() -> None:
    n = 1024
    context = contexts(n, [14, 60])
    order = reference.bit_reversed(n)
    for limb, q in enumerate(context.moduli):
        r = random.Random(q)
        a = [r.randrange(q) for _ in range(n)]
        psi = reference.minimal_root(q, n)
        points = np.array([pow(psi, 2 * int(e) + 1, q) for e in order], object)
        want = np.zeros(n, object)
        for c in reversed(a):  # Horner at all points at once
            want = (want * points + c) % q
        assert context.ntt(limb, np.array(a, np.uint64)).tolist() == want.tolist()


@pytest.mark.parametrize(("n", "bits"), SHAPES)
def test_transforms_are_the_reference_transforms(n: int, bits: list[int]) -> None:
    """The reference transform serves other tests; here it and the core confirm each other."""
    context = contexts(n, bits)
    r = random.Random(n + 1)
    for limb, q in enumerate(context.moduli):
        for coef in edge_polynomials(n, q, r):
            values = context.ntt(limb, coef)
            a = reference.integers(coef)
            assert values.tolist() == reference.ntt(a, q).tolist()
            assert (context.intt(limb, values) == coef).all()
            back = context.intt(limb, coef)
            assert int(back.max()) < q
            assert back.tolist() == reference.intt(a, q).tolist()


def test_all_degrees_round_trip() -> None:
    for log_n in range(9, 18):
        context = contexts(1 << log_n, [60])
        q = context.moduli[0]
        a = np.random.default_rng(log_n).integers(0, q, 1 << log_n, np.uint64)
        values = context.ntt(0, a)
        assert (context.intt(0, values) == a).all()
        psi = reference.minimal_root(q, 1 << log_n)
        for j in (0, 1, 3 << (log_n - 2), (1 << log_n) - 1):
            x = pow(psi, 2 * int(reference.bit_reversed(1 << log_n)[j]) + 1, q)
            assert int(values[j]) == reference.evaluate(a.tolist(), x, q)


@pytest.mark.parametrize(("n", "bits"), SHAPES)
def test_product_is_negacyclic(n: int, bits: list[int]) -> None:
    context = contexts(n, bits)
    r = random.Random(n + 2)
    for limb, q in enumerate(context.moduli):
        polynomials = edge_polynomials(n, q, r)
        for a, b in ((0, 0), (0, 1), (1, 1), (0, 3), (0, 4), (5, 1)):
            x, y = polynomials[a], polynomials[b]
            product = np.empty(n, np.uint64)
            u, v = context.ntt(limb, x), context.ntt(limb, y)
            lib.rs_plan_mul(lib.rs_context_plan(context.pointer, limb), *map(core.words_at, (product, u, v)))
            got = context.intt(limb, product).tolist()
            x, y = reference.integers(x), reference.integers(y)
            assert got == reference.multiply(x, y, q).tolist()
            if n == 1024:
                assert got == reference.schoolbook(x, y, q).tolist()


@pytest.mark.parametrize(("n", "bits"), SHAPES)
def test_pointwise_kernels(n: int, bits: list[int]) -> None:
    context = contexts(n, bits)
    r = random.Random(n + 3)
    for limb, q in enumerate(context.moduli):
        plan, polynomials = lib.rs_context_plan(context.pointer, limb), edge_polynomials(n, q, r)
        for a in polynomials[:2]:
            for b in polynomials:
                for c in polynomials[:3]:
                    x, y, z = (reference.integers(v) for v in (a, b, c))
                    out = np.empty(n, np.uint64)
                    o, s, t, u = map(core.words_at, (out, a, b, c))
                    lib.rs_plan_mul_add(plan, o, s, t, u)
                    assert out.tolist() == ((x * y + z) % q).tolist()
                    lib.rs_plan_mul_sub(plan, o, s, t, u)
                    assert out.tolist() == ((z - x * y) % q).tolist()
                    lib.rs_plan_add(plan, o, s, t)
                    assert out.tolist() == ((x + y) % q).tolist()


# ---- lifts ----------------------------------------------------------------------------------------------------------
def test_lift_small() -> None:
    context = contexts(1024, [14, 30, 60])
    r = random.Random(4)
    small = np.array([r.randrange(-21, 22) for _ in range(1024)], np.int8)
    for limb, q in enumerate(context.moduli):
        for factor in (0, 1, 2, q // 2, q - 1, r.randrange(q)):
            out = np.empty(1024, np.uint64)
            arguments = (core.words_at(out), core.small_at(small), factor)
            lib.rs_plan_lift(lib.rs_context_plan(context.pointer, limb), *arguments)
            assert out.tolist() == [int(x) * factor % q for x in small]


@pytest.mark.parametrize("bits", [1, 20, 52, 53, 54, 60, 61, 62, 63, 64, 65, 100, 128, 200, 900, 1023])
def test_lift_message(bits: int) -> None:
    """Integers of up to so many bits, as doubles; the arithmetic changes at 2^61."""
    context = contexts(1024, [14, 30, 60])
    r = random.Random(bits)
    values = [r.randrange(2**bits) * r.choice((1, -1)) for _ in range(1024)]
    edges = [2**bits, 2**bits - 1, 2 ** (bits - 1), 2 ** max(0, bits - 53) * 3, 1, 0]
    edges = [float(e) for e in edges if e <= 2**bits]
    edges += [np.nextafter(2.0**bits, 0) // 1]
    values[: 2 * len(edges)] = [*edges, *(-e for e in edges)]
    values = [0 if v == 0 else v for v in values] + []
    message = np.array(values, np.float64)
    message[-1] = -0.0
    error = np.array([r.randrange(-21, 22) for _ in range(1024)], np.int8)
    for limb, q in enumerate(context.moduli):
        assert context.lift_message(limb, message).tolist() == [int(m) % q for m in message]
        want = [(int(m) + int(e)) % q for m, e in zip(message, error, strict=True)]
        assert context.lift_message(limb, message, error).tolist() == want


# ---- Galois ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("n", "bits"), SHAPES[:2])
def test_galois_is_substitution(n: int, bits: list[int]) -> None:
    context = contexts(n, bits)
    r = random.Random(n + 5)
    elements = [1, 3, 5, n - 1, n + 1, 2 * n - 1, *(r.randrange(1, 2 * n, 2) for _ in range(4))]
    for limb, q in enumerate(context.moduli):
        coef = np.array([r.randrange(q) for _ in range(n)], np.uint64)
        values = context.ntt(limb, coef)
        for element in elements:
            got = context.intt(limb, context.galois(values, element)).tolist()
            assert got == reference.automorphism(reference.integers(coef), element, q).tolist()


def test_galois_elements() -> None:
    element = ffi.new("uint32_t *")
    for n in (1024, 2048, 4096):
        context = contexts(n, [30, 31])
        for steps in [0, 1, -1, 2, 7, n // 4, -n // 4, n // 2 - 1, 1 - n // 2]:
            core.ok(lib.rs_galois_element(context.pointer, steps, element))
            # A left rotation by k moves slot i + k to slot i; slots are the powers of 3. A right one by k is a left one by N/2 - k.
            assert element[0] == (pow(3, steps % (n // 2), 2 * n) if steps else 2 * n - 1)
        for steps in (n // 2, -n // 2, 2**31 - 1, -(2**31)):
            assert core.status_name(lib.rs_galois_element(context.pointer, steps, element)) == "RS_ERR_GALOIS"
        elements = ffi.new("uint32_t[64]")
        got = list(elements[0 : lib.rs_galois_powers_of_two(context.pointer, elements, 64)])
        powers = [1 << i for i in range(n.bit_length() - 2)]  # 1 … N/4
        wanted = {2 * n - 1} | {pow(3, k % (n // 2), 2 * n) for p in powers for k in (p, -p)}
        assert len(got) == len(set(got))
        assert set(got) == wanted
