# SPDX-License-Identifier: Apache-2.0
"""Publishing decryptions: rounding against fractions, noise flooding, the command line."""

import math
import shutil
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from ringside.native.library import ffi, lib


def rounded(values: Any, bits: int) -> Any:
    """By the library."""
    row = np.array(values, dtype=np.float64)
    assert lib.rs_publish_round(ffi.from_buffer("double[]", row), row.size, bits) == 0
    return row


def truth(value: float, bits: int) -> float:
    """The nearest multiple of 2^-bits, ties away from zero, in exact fractions."""
    scaled = abs(Fraction(value)) * Fraction(2) ** bits
    return math.copysign(float(Fraction(math.floor(scaled + Fraction(1, 2))) / Fraction(2) ** bits), value)


@pytest.mark.parametrize("bits", [-256, -40, -1, 0, 1, 7, 12, 40, 52, 100, 256])
def test_rounding_is_exact(bits: int) -> None:
    r = np.random.default_rng(bits + 256)
    unit = 2.0**-bits
    values = [k * unit / 2 for k in range(-9, 10)]  # ties and multiples
    values += [math.nextafter(value, side) for value in values for side in (-math.inf, math.inf)]
    values += list(r.normal(size=500) * unit * 2.0 ** r.integers(-60, 60, 500))
    values += [sys.float_info.max, -sys.float_info.max, sys.float_info.min, 5e-324, -5e-324]
    for value, got in zip(values, rounded(values, bits), strict=True):
        want = truth(value, bits)
        assert got == want, (value, bits)
        assert math.copysign(1, got) == (math.copysign(1, want) if want else 1), "no sign is left of what became zero"


def test_published_values_are_the_rounded_exact_ones(context: rs.Context, secret: rs.SecretKey) -> None:
    values = np.random.default_rng(1).normal(size=context.slots)
    ciphertext = context.encrypt(values, secret)
    exact = context.decrypt_values(ciphertext, secret)
    for bits in (0, 8, 12):
        want = rounded(exact, bits)
        assert np.array_equal(context.decrypt_values(ciphertext, secret, publish_bits=bits), want)
        with context.decrypt(ciphertext, secret) as plaintext:
            assert np.array_equal(context.decode(plaintext, 5, publish_bits=bits), want[:5])
            assert np.array_equal(context.decode(plaintext), exact)  # it is kept as it was
        batch = context.decrypt_batch([ciphertext, ciphertext], secret, publish_bits=bits)
        assert np.array_equal(batch, [want, want])
    as_complex = context.decrypt_values(ciphertext, secret, real=False, publish_bits=12)
    assert np.array_equal(as_complex.real, rounded(exact, 12))
    assert np.array_equal(as_complex.imag * 2**12, np.round(as_complex.imag * 2**12))
    # 17 bits survive a fresh encryption here: rounding to 12 hides the noise from all but a few of 2048 values
    assert np.mean(context.decrypt_values(ciphertext, secret, publish_bits=12) == rounded(values, 12)) > 0.9


@pytest.mark.parametrize("real", [True, False, None])
@pytest.mark.parametrize("flood_bits", [12, 18, 20])
def test_flooding_has_the_stated_spread(
    context: rs.Context, secret: rs.SecretKey, flood_bits: int, real: bool | None
) -> None:
    values = np.random.default_rng(2).uniform(-100, 100, context.slots)
    ciphertext = context.encrypt(values, secret, scale=2.0**27)
    how: dict[str, Any] = {"real": real, "publish_bits": 30, "flood_bits": flood_bits}
    got = context.decrypt_values(ciphertext, secret, **how)
    again = context.decrypt_batch([ciphertext, ciphertext], secret, **how)
    assert not np.array_equal(got, again[0])  # fresh noise each time
    assert not np.array_equal(again[0], again[1])
    predicted = context.published_precision(30, flood_bits, scale=2.0**27)
    deviation = lib.rs_flood_deviation(flood_bits)
    assert deviation == 2**flood_bits
    assert abs(predicted + math.log2(deviation * math.sqrt(context.n / 2) / 2.0**27)) < 0.01
    for row in (got, *again):  # a spread of 2048 values: it is known to 1.6 %, seven times that are 0.16 bits
        assert abs(rs.measured_precision(row, values) - predicted) < 0.16


def test_flooding_leaves_room(context: rs.Context, secret: rs.SecretKey) -> None:
    """With max_abs as many limbs are used as the noise needs; noise that no limbs hold is refused."""
    ciphertext = context.encrypt([100.0], secret, scale=2.0**20)
    assert abs(context.decrypt_values(ciphertext, secret, 1, max_abs=128, publish_bits=0, flood_bits=14)[0] - 100) < 20
    wide = context.decrypt_values(
        ciphertext, secret, max_abs=128, publish_bits=0, flood_bits=36
    )  # one limb has 36 bits
    assert abs(math.log2(wide.std()) + context.published_precision(0, 36, scale=2.0**20)) < 0.16
    with pytest.raises(rs.InputError, match="noise of 30 bits needs a modulus of 39 bits, 36 are there") as error:
        context.decrypt_values(ciphertext, secret, limbs=1, publish_bits=0, flood_bits=30)
    assert error.value.code == "RS_ERR_OVERFLOW"
    assert "more limbs" in error.value.hint


@pytest.mark.parametrize(
    ("publish_bits", "flood_bits", "word"),
    [
        (257, None, "-256 to 256"),
        (-257, None, "-256 to 256"),
        (1.5, None, "whole number"),
        (True, None, "whole number"),
        (10, 3, "4 to 57"),
        (10, 58, "4 to 57"),
        (10, 0, "4 to 57"),
        (10, 20.0, "whole number"),
        (None, 20, "Give both"),
    ],
)
def test_bad_bits(context: rs.Context, secret: rs.SecretKey, publish_bits: Any, flood_bits: Any, word: str) -> None:
    ciphertext = context.encrypt([1.0], secret)
    for decrypt in (context.decrypt_values, lambda *a, **k: context.decrypt_batch([a[0]], *a[1:], **k)):
        with pytest.raises(rs.InputError) as error:
            decrypt(ciphertext, secret, publish_bits=publish_bits, flood_bits=flood_bits)
        assert error.value.code == ("ARGUMENT" if word == "whole number" else "RS_ERR_PUBLISH")
        assert word in error.value.hint


def test_wrong_keys_are_noticed(context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertext = context.encrypt([1.0], secret)
    with context.keygen() as other:
        for how in ({"publish_bits": 10}, {"publish_bits": 10, "flood_bits": 20}):
            raises(rs.SecretKeyError, None, context.decrypt_values, ciphertext, other, real=True, **how)


# ---- the command line ---------------------------------------------------------------------------
@pytest.fixture
def sealed(tmp_path: Path, ringside: CommandLine, keys: Path) -> tuple[Path, Path]:
    numbers, path = tmp_path / "numbers.npy", tmp_path / "x.seal"
    np.save(numbers, np.random.default_rng(3).normal(size=100))
    assert ringside("encrypt", "--keys", keys, numbers, path).code == 0
    return numbers, path


def test_why_exact_values_stay_private_is_told_once(
    tmp_path: Path, ringside: CommandLine, keys: Path, sealed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each key directory, and where there are values; each time, where that cannot be kept."""
    _, path = sealed
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    other = shutil.copytree(keys, tmp_path / "other")
    words = "do not publish these exact values"

    def told(directory: Path) -> bool:
        return words in ringside("decrypt", "--keys", directory, path, tmp_path / "out.npy").err

    assert [told(one) for one in (keys, keys, other, other, keys)] == [True, False, True, False, False]
    assert ringside("cache", "--json").json["kinds"] == {"told": {"entries": 2, "bytes": 0}}
    (tmp_path / "file").touch()
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "file"))
    assert [told(keys), told(keys)] == [True, True]


def test_command(tmp_path: Path, ringside: CommandLine, keys: Path, sealed: tuple[Path, Path]) -> None:
    numbers, path = sealed
    exact, published = tmp_path / "exact.npy", tmp_path / "published.npy"
    ringside("decrypt", "--keys", keys, path, exact, "--truth", numbers)
    assert ringside("decrypt", "--keys", keys, path, exact, "--json").json["publish"] is None
    options = ("decrypt", "--keys", keys, path, published, "--count", 100)
    done = ringside(*options, "--publish-bits", 6)
    done.ends(0).shows("published: rounded to multiples of 2^-6, about 7.8 bits of precision left")
    assert not done.err
    assert np.array_equal(np.load(published), rounded(np.load(exact)[:100], 6))
    done = ringside(*options, "--publish-bits", 6, "--json")
    assert done.json["publish"] == {
        "bits": 6,
        "flood_bits": None,
        "predicted_precision_bits": pytest.approx(6 + math.log2(12) / 2),
        "fresh_precision_bits": pytest.approx(12.8, abs=0.1),
    }
    assert "rounding to 12 bits leaves its noise visible" in ringside(*options, "--publish-bits", 12).err
    done = ringside(*options, "--publish-bits", 12, "--flood-bits", 12, "--truth", numbers, "--json")
    assert done.json["publish"]["flood_bits"] == 12
    assert abs(done.json["measured_precision_bits"] - done.json["publish"]["predicted_precision_bits"]) < 0.7


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--publish-bits", 300], "-256 to 256"),
        (["--flood-bits", 20], "--publish-bits"),
        (["--publish-bits", 5, "--flood-bits", 99], "4 to 57"),
    ],
)
def test_command_refuses(
    tmp_path: Path, ringside: CommandLine, keys: Path, sealed: tuple[Path, Path], options: list[Any], word: str
) -> None:
    out = tmp_path / "out.npy"
    ringside("decrypt", "--keys", keys, sealed[1], out, *options).ends(3, word)
    assert not out.exists()
