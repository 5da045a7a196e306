# SPDX-License-Identifier: Apache-2.0
"""Encoding and decoding."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from oracle.reference import embed


@pytest.mark.parametrize("is_complex", [False, True])
def test_against_the_definition(is_complex: bool) -> None:
    context = rs.Context(rs.Parameters.named("seal-embedded-1024"))
    rng = np.random.default_rng(1)
    values: NDArray[Any] = rng.normal(size=context.slots)
    if is_complex:
        values = values + 1j * rng.normal(size=context.slots)
    plaintext = context.encode(values, scale=2**20)
    assert plaintext.form == "coef"
    assert np.array_equal(plaintext.data, np.rint(plaintext.data))
    slots = embed(plaintext.data).astype(complex) / 2**20
    # rounding of N coefficients: sqrt(N/12) / scale
    assert np.abs(slots - values).max() < 8 * math.sqrt(context.n / 12) / 2**20


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.bool_, np.complex64])
def test_types_round_trip(context: rs.Context, dtype: type) -> None:
    values: NDArray[Any] = (np.arange(100) % 7).astype(dtype)
    got = context.decode(context.encode(values), 100, real=not np.iscomplexobj(values))
    assert np.abs(got - values).max() < 1e-6


def test_shapes_and_padding(context: rs.Context) -> None:
    image = np.arange(12.0).reshape(3, 4)
    everything = context.decode(context.encode(image.T), real=True)  # not contiguous: copied
    assert everything.shape == (context.slots,)
    assert np.allclose(everything[:12], image.T.ravel(), atol=1e-6)
    assert np.allclose(everything[12:], 0, atol=1e-6)
    assert np.allclose(context.decode(context.encode(3.5), 2), [3.5, 0], atol=1e-6)
    assert np.allclose(context.decode(context.encode([]), 2), 0)
    assert context.decode(context.encode([1.0]), 0).size == 0


def test_input_is_not_modified(context: rs.Context) -> None:
    values = np.linspace(-1, 1, context.slots)
    values.flags.writeable = False
    before = values.copy()
    context.encode(values)
    assert np.array_equal(values, before)


def test_decode_keeps_the_plaintext(context: rs.Context, secret: rs.SecretKey) -> None:
    plaintext = context.decrypt(context.encrypt([1.0, 2.0], secret), secret)
    before = plaintext.data.copy()
    first = context.decode(plaintext)
    assert np.array_equal(before, plaintext.data)
    assert np.array_equal(first, context.decode(plaintext))


def test_too_many_values(context: rs.Context) -> None:
    error = raises(rs.InputError, "5 ciphertexts are needed", context.encode, np.zeros(4 * context.slots + 1))
    assert error.code == "RS_ERR_VALUE_COUNT"
    raises(rs.InputError, None, context.decode, context.encode([1.0]), context.slots + 1)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, complex(0, math.nan)])
def test_not_finite(context: rs.Context, bad: complex) -> None:
    assert raises(rs.InputError, "value 2 is", context.encode, [0.0, 1.0, bad]).code == "RS_ERR_NOT_FINITE"


@pytest.mark.parametrize("bad", ["text", b"x", None, {}])
def test_not_numbers(context: rs.Context, bad: Any) -> None:
    raises(rs.InputError, None, context.encode, bad)


MASKED = np.ma.MaskedArray([1.0, 2.0, 3.0], mask=[False, True, False])


@pytest.mark.parametrize("hidden", [MASKED, [MASKED, MASKED], [1.0, np.ma.masked], ((1.0, 2.0), MASKED[:2])])
def test_masked_values_are_not_brought_to_light(context: rs.Context, secret: rs.SecretKey, hidden: Any) -> None:
    """In every function that takes values."""
    calls: list[Callable[[], object]] = [
        lambda: context.encode(hidden),
        lambda: context.encode_fixed(hidden),
        lambda: context.encrypt(hidden, secret),
        lambda: context.encrypt_fixed(hidden, secret),
        lambda: context.encrypt_batch([hidden], secret),
        lambda: context.encrypt_fixed_batch([hidden], secret),
        lambda: rs.TensealVector.encrypt(context, hidden, secret),
        lambda: rs.measured_precision(hidden, [1.0] * 3),
    ]
    for call in calls:
        assert raises(rs.InputError, "filled", call).code == "VALUE_MASKED"


def test_masked_arrays_that_hide_nothing(context: rs.Context) -> None:
    for values in (MASKED.filled(0), MASKED.compressed(), np.ma.MaskedArray([1.0, 2.0]), MASKED[::2]):
        assert np.allclose(context.decode(context.encode(values), len(values)), values, atol=1e-6)


def test_overflow(context: rs.Context) -> None:
    for values in ([1e300], [2.0**40], np.full(context.slots, 2.0**8)):
        error = raises(rs.InputError, None, context.encode, values, level=0)
        assert error.code == "RS_ERR_OVERFLOW"
        assert error.hint


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, math.inf, 2.0**200])
def test_bad_scale(context: rs.Context, scale: float) -> None:
    raises(rs.InputError, None, context.encode, [1.0], scale=scale)


@pytest.mark.parametrize("level", [-1, 2, 99])
def test_bad_level(context: rs.Context, level: int) -> None:
    assert raises(rs.InputError, "levels 0 to 1", context.encode, [1.0], level=level).code == "RS_ERR_LEVEL"


def test_plaintext_files(context: rs.Context, secret: rs.SecretKey) -> None:
    encoded = context.encode([1.0, -2.0], scale=2**30, level=0)
    loaded = rs.Plaintext.from_bytes(context, encoded.to_bytes())
    assert (loaded.form, loaded.level, loaded.scale) == ("ntt", 0, 2.0**30)
    assert loaded.parms_id == context.params.parms_id(0) == encoded.parms_id
    assert np.array_equal(loaded.data[0], encoded.limb(0))
    assert np.allclose(context.decode(loaded, 2), [1, -2], atol=1e-6)
    # a loaded plaintext encrypts as well as an encoded one
    assert np.allclose(context.decrypt_values(context.encrypt(loaded, secret), secret, 2), [1, -2], atol=1e-4)


def test_closed_plaintext(context: rs.Context, secret: rs.SecretKey) -> None:
    with context.encode([1.0]) as plaintext:
        view = plaintext.data
    assert not view.any()
    for use in (
        lambda: plaintext.data,
        lambda: context.decode(plaintext),
        lambda: context.encrypt(plaintext, secret),
        plaintext.to_bytes,
    ):
        raises(rs.MismatchError, "closed", use)


def test_view_outlives_its_plaintext(context: rs.Context) -> None:
    view = context.encode([5.0]).data
    assert view.any()  # wiped only when the last view is gone


def test_other_parameters(context: rs.Context) -> None:
    raises(rs.MismatchError, None, rs.Context(rs.Parameters.named("lee-12")).decode, context.encode([1.0]))
    same = rs.Context(rs.Parameters.from_moduli(4096, context.params.moduli))
    assert np.allclose(same.decode(context.encode([1.0]), 1), [1.0])
