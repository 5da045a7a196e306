# SPDX-License-Identifier: Apache-2.0
"""Encoding and decoding in fixed point from Python. The arithmetic: tests/oracle/test_fixed.py."""

from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64, np.bool_, np.uint32])
def test_integers_come_back(context: rs.Context, dtype: type) -> None:
    """All values of the type, its extremes too, with the default bound."""
    kind = np.dtype(dtype)
    r = np.random.default_rng(1)
    if kind == np.bool_:
        values = r.integers(0, 2, context.slots).astype(bool)
    else:
        limits = np.iinfo(str(kind))
        top = min(int(limits.max), 2**40)  # larger ones need more than two limbs
        values = r.integers(max(int(limits.min), -top), top, context.slots, endpoint=True).astype(kind)
        values[:2] = min(top, limits.max), max(-top, limits.min)
    bits = 8 if kind == np.bool_ else 42 if kind.itemsize > 2 else 17
    plaintext = context.encode_fixed(
        values, bound=bits if kind.itemsize > 2 else None, scale=2**20, level=1, word_bits=64
    )
    assert (plaintext.form, plaintext.level, plaintext.scale) == ("ntt", 1, 2**20)
    assert np.array_equal(context.decode_fixed(plaintext, bound=bits, word_bits=64, dtype=np.int64), values)


@pytest.mark.parametrize("scale", [2**30, 2**30 / 1.01, 987654321.5])
def test_doubles_are_near_those_of_the_other_encoder(context: rs.Context, scale: float) -> None:
    r = np.random.default_rng(2)
    values = r.uniform(-1, 1, context.slots) + 1j * r.uniform(-1, 1, context.slots)
    for word_bits, tolerance in ((32, 2e-6), (54, 3e-7), (64, 3e-7)):
        ours, exact = (
            context.encode_fixed(values, word_bits=word_bits, scale=scale, level=0),
            context.encode(values, scale=scale),
        )
        assert ours.scale == scale
        assert np.abs(context.decode(ours, real=False) - context.decode(exact, real=False)).max() < tolerance
        back = context.decode_fixed(ours, 100, word_bits=word_bits, dtype=np.complex128)
        assert np.abs(back - values[:100]).max() < tolerance


def test_through_a_ciphertext(context: rs.Context, secret: rs.SecretKey) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, context.slots).astype(np.uint8)
    ciphertext = context.encrypt(context.encode_fixed(pixels, word_bits=32, scale=2**24), secret)
    for limbs in (1, 2):
        decrypted = context.decrypt(ciphertext, secret, limbs=limbs)
        assert np.array_equal(context.decode_fixed(decrypted, bound=9, dtype=np.uint8), pixels)
        values = context.decode_fixed(decrypted, 7, bound=9)  # the plaintext is kept
        assert values.dtype == np.float64
        assert np.abs(values - pixels[:7]).max() < 0.01


def test_limbs_that_are_decoded(context: rs.Context, secret: rs.SecretKey) -> None:
    """One, unless two are asked for, or needed for values up to a magnitude."""
    pixels = np.random.default_rng(4).integers(0, 256, context.slots).astype(np.uint8)
    first = context.params.modulus(0).bit_length()
    small, large = (
        context.encrypt_fixed(pixels, secret, scale=2.0**log_scale, level=1) for log_scale in (20, first + 4)
    )
    given: dict[str, Any] = {"bound": 10, "dtype": np.uint8}
    limits: list[dict[str, Any]] = [{"limbs": 2}, {"max_abs": 256}, {"limbs": 1}, {}]
    for options in limits:
        assert np.array_equal(context.decrypt_fixed(small, secret, **given, **options), pixels)
    for options in limits[:2]:
        assert np.array_equal(context.decrypt_fixed(large, secret, **given, **options), pixels)
    for one in context.decrypt_fixed_batch([small, large], secret, max_abs=256, **given):  # one limb, and two
        assert np.array_equal(one, pixels)
    assert context.decrypt_fixed_batch([], secret, limbs=2) == []
    for options in ({"limbs": 0}, {"limbs": 9}, {"limbs": 1, "max_abs": 1.0}):
        assert raises(rs.InputError, None, context.decrypt_fixed, large, secret, **options).code == "RS_ERR_LEVEL"
    with pytest.raises(rs.InputError, match="2 limbs"):
        context.decrypt_fixed(context.encrypt_fixed(pixels, secret, scale=2.0**20, level=0), secret, limbs=2)
    raises(rs.InputError, "need more", context.decrypt_fixed, large, secret, max_abs=1e30)
    if context.max_level >= 2:
        three = context.encrypt_fixed(pixels, secret, scale=2.0**20, level=2)
        raises(rs.InputError, "one limb or two", context.decrypt_fixed, three, secret, limbs=3)


def test_what_is_refused(context: rs.Context) -> None:
    def refused(code: str, **options: object) -> None:
        error = raises(rs.InputError, None, context.encode_fixed, [0.5, -1.5], **options)  # type: ignore[arg-type]
        assert error.code == code

    for word_bits in (23, 65, -1, 2**40):
        refused("RS_ERR_WORD_BITS", word_bits=word_bits)
    refused("RS_ERR_VALUE_RANGE", bound=0)
    raises(rs.InputError, "larger bound", context.encode_fixed, [2, 3])
    refused("RS_ERR_LAYOUT", bound=2000)
    refused("RS_ERR_LAYOUT", exponent=-(10**30))
    for scale in (2.0**900, 0, -3e9, float("nan"), float("inf"), 5e-324):
        refused("RS_ERR_SCALE", scale=scale)
    refused("RS_ERR_LEVEL", level=99)
    raises(rs.InputError, r"up to 64 bits|of dtype", context.encode_fixed, ["text"])
    raises(rs.InputError, "slots", context.encode_fixed, np.zeros(context.slots + 1))
    plaintext = context.encode_fixed([0.5, 1j], scale=2**30, level=0)
    raises(rs.InputError, r"[Ii]magin", context.decode_fixed, plaintext)
    assert raises(rs.InputError, None, context.decode_fixed, plaintext, bound=-5).code == "RS_ERR_VALUE_RANGE"
    with pytest.raises(rs.InputError) as error:
        context.decode_fixed(
            context.encode_fixed([100], bound=8, scale=2**24, level=0), bound=8, exponent=-1, dtype=np.int8
        )
    assert error.value.code == "RS_ERR_VALUE_RANGE"
    raises(rs.InputError, "float64", context.decode_fixed, plaintext, dtype=np.float32)
    raises(rs.InputError, "holds", context.decode_fixed, plaintext, context.slots + 1)
    if context.max_level >= 2:
        raises(rs.InputError, "limbs", context.decode_fixed, context.encode_fixed([0.5], level=2))
