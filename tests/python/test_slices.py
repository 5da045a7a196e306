# SPDX-License-Identifier: Apache-2.0
"""`ringside cycles --log-size`: what is measured, and what is refused before a model is built."""

from dataclasses import replace

import numpy as np
import pytest

from asserting import raises
from ringside import DeviceError, ParameterError, designs
from ringside.cycles import slices
from ringside.sim.options import parse_simulated


def test_rings_have_their_roots() -> None:
    """psi^N = -1, and products of values are products modulo X^N + 1."""
    for log_size, (q, psi, _) in slices.RINGS.items():
        size = 1 << log_size
        assert pow(psi, size, q) == q - 1
        rng = np.random.default_rng(log_size)
        a, b = (rng.integers(0, q, (1, size)).astype(np.uint64) for _ in range(2))
        full = np.convolve(a[0].astype(object), b[0].astype(object))
        product = full[:size].copy()
        product[: size - 1] -= full[size:]
        values = slices.evaluated(a, log_size, q, psi) * slices.evaluated(b, log_size, q, psi) % np.uint64(q)
        expected = slices.evaluated((product % q).astype(np.uint64)[None], log_size, q, psi)
        np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize(
    ("design", "log_size", "count", "error", "words"),
    [
        ("rise-4", 7, 2, DeviceError, "does not work on slices"),
        ("newhope", 7, 16, ParameterError, "do not fit"),
        ("newhope", 10, 2, ParameterError, "do not fit"),
        ("newhope", 11, 1, ParameterError, "do not fit"),
        ("bliss", 8, 1, ParameterError, "more than the 16 bits of bliss"),
        ("bliss", 10, 1, ParameterError, "do not fit"),
    ],
)
def test_what_cannot_be_measured(design: str, log_size: int, count: int, error: type[Exception], words: str) -> None:
    raises(error, words, slices.measure, parse_simulated(design), "ntt", log_size, count)


def test_a_narrow_design_has_a_modulus_that_fits() -> None:
    assert slices.ring_of(designs.load("bliss"), 7)[0] == 12289
    assert slices.ring_of(replace(designs.load("bliss"), word_bits=22), 7)[0] == 3329 * 769


@pytest.mark.soak  # it builds a model
@pytest.mark.parametrize(
    ("design", "log_size", "count", "most"),
    [("newhope", 7, 8, 926), ("newhope", 10, 1, 1310), ("newhope", 9, 1, 606), ("bliss", 9, 1, 350)],
)
def test_transforms_are_as_fast_as_their_formula(design: str, log_size: int, count: int, most: int) -> None:
    for op in ("ntt", "intt"):
        found = slices.measure(parse_simulated(design), op, log_size, count)
        assert found.bound <= found.transform <= most
