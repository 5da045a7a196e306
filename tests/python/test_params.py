# SPDX-License-Identifier: Apache-2.0
"""Parameter sets: making, refusing, saving."""

import os
from pathlib import Path

import pytest

import ringside as rs
from asserting import raises
from cli_runner import python

COMPRESSIONS = ["none", "zlib", "zstd"]
VERSIONS = ["3.6", "3.7", "4.0", "4.1", "4.2", "4.3", "4.4"]


def test_seal_prime_choice() -> None:
    # the primes of SEAL's 128-bit default for N = 4096; Create hands out the smaller one first
    params = rs.Parameters.from_bits(4096, [36, 36, 37])
    assert [hex(q) for q in params.moduli] == ["0xffffc4001", "0xffffee001", "0x1ffffe0001"]
    assert (params.n, params.slots, params.max_level, params.security) == (4096, 2048, 1, 128)
    assert params.special_prime == params.moduli[-1]
    assert params.total_bits == 109


def test_every_named_set_is_secure_and_knows_its_name() -> None:
    names = [item.name for item in rs.named_sets()]
    assert "lee-14" in names
    for name in names:
        params = rs.Parameters.named(name)
        assert params.name == name
        assert params.security >= 128


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_save_and_load(tmp_path: Path, compression: str, version: str) -> None:
    params = rs.Parameters.named("lee-14")
    path = tmp_path / "params.seal"
    assert params.save(path, compression=compression, version=version) == path.stat().st_size
    assert rs.Parameters.load(path) == params
    data = params.to_bytes(compression=compression, version=version)
    assert data == path.read_bytes()
    assert rs.Parameters.from_bytes(data) == params


@pytest.mark.parametrize(
    ("n", "bits", "code"),
    [
        (1000, [27], "RS_ERR_DEGREE"),
        (256, [20], "RS_ERR_DEGREE"),
        (1 << 18, [50], "RS_ERR_DEGREE"),
        (-1, [50], "RS_ERR_DEGREE"),
        (1 << 40, [50], "RS_ERR_DEGREE"),
        (4096, [], "RS_ERR_LIMB_COUNT"),
        (4096, [30] * 65, "RS_ERR_LIMB_COUNT"),
        (4096, [60, 60], "RS_ERR_INSECURE"),
        (8192, [20] * 6, "RS_ERR_PRIMES"),  # only five exist
    ],
)
def test_bad_bits(n: int, bits: list[int], code: str) -> None:
    assert raises(rs.ParameterError, None, rs.Parameters.from_bits, n, bits).code == code


@pytest.mark.parametrize("bits", [0, -3, 61, 64, 1 << 40])
def test_bad_bit_sizes(bits: int) -> None:
    raises(rs.ParameterError, None, rs.Parameters.from_bits, 4096, [bits])


@pytest.mark.parametrize(
    ("moduli", "code"),
    [
        ([16385], "RS_ERR_MODULUS_PRIME"),  # 5 x 29 x 113, but 1 mod 8192
        ([1000003], "RS_ERR_MODULUS_NTT"),  # prime, but not 1 mod 8192
        ([0xFFFFEE001, 0xFFFFEE001], "RS_ERR_MODULUS_TWICE"),
        ([1 << 63], "RS_ERR_MODULUS_RANGE"),
        ([1 << 70], "RS_ERR_MODULUS_RANGE"),
        ([-5], "RS_ERR_MODULUS_RANGE"),
        ([0], "RS_ERR_MODULUS_RANGE"),
    ],
)
def test_bad_moduli(moduli: list[int], code: str) -> None:
    assert raises(rs.ParameterError, None, rs.Parameters.from_moduli, 4096, moduli, security=0).code == code


def test_too_many_primes_name_the_remedy() -> None:
    with pytest.raises(rs.ParameterError, match="65 limbs given, 1 to 64 are possible") as error:
        rs.Parameters.from_bits(131072, [50] * 65, security=0)
    assert "SEAL takes 256. Use fewer, larger primes" in error.value.hint


def test_insecure_needs_consent() -> None:
    raises(rs.ParameterError, "120 modulus bits at N = 4096, 109 are allowed", rs.Parameters.from_bits, 4096, [60, 60])
    params = rs.Parameters.from_bits(4096, [60, 60], security=0)
    assert params.security == 0
    data = params.to_bytes()
    raises(rs.ParameterError, None, rs.Parameters.from_bytes, data)
    assert rs.Parameters.from_bytes(data, security=0) == params


def test_security_by_each_table() -> None:
    tables = rs.Parameters.named("seal-embedded-4096").security_tables
    assert list(tables) == ["standard-2018", "guidelines-2024"]
    old, new = tables.values()
    assert (old.security, old.max_bits, old.margin_bits) == (128, 109, 0)
    assert (new.security, new.max_bits, new.margin_bits) == (0, 106, -3)
    strong = rs.Parameters.from_bits(8192, [38, 38, 38], security=256)  # 114 bits: on the newer limit for 256 bits
    assert {table.security for table in strong.security_tables.values()} == {256}
    assert strong.seal_security == "tc128"


def test_security_above_the_standard() -> None:
    """N = 65536 and 131072: the standard has no row, the guidelines have; a SEAL server must be told `none`."""
    params = rs.Parameters.named("lee-16")
    old, new = params.security_tables.values()
    assert (old.security, old.max_bits, old.margin_bits) == (0, None, None)
    assert (new.security, new.max_bits, new.margin_bits) == (128, 1747, 1747 - 1560)
    assert (params.security, params.seal_security) == (128, "none")
    with pytest.raises(rs.ParameterError, match="1764 modulus bits at N = 65536, 1747 are allowed"):
        rs.Parameters.from_bits(65536, [54] * 6 + [60] * 24)
    assert rs.Parameters.from_bits(131072, [54] * 6 + [60] * 24).security == 256


def test_unknown_names() -> None:
    raises(rs.ParameterError, "lee-99", rs.Parameters.named, "lee-99")
    raises(rs.ParameterError, None, rs.Parameters.named, "lee-14", security=100)


def test_wire_errors(tmp_path: Path) -> None:
    data = rs.Parameters.named("lee-12").to_bytes(compression="none")
    assert raises(rs.WireError, None, rs.Parameters.from_bytes, data[:-1]).code == "RS_ERR_TRUNCATED"
    raises(rs.WireError, None, rs.Parameters.from_bytes, data + b"\0")
    assert raises(rs.WireError, None, rs.Parameters.from_bytes, b"PK" + data[2:]).code == "RS_ERR_MAGIC"
    raises(rs.WireError, None, rs.Parameters.from_bytes, b"")
    assert raises(rs.FileError, None, rs.Parameters.load, tmp_path / "none.seal").code == "FILE_MISSING"
    raises(rs.FileError, None, rs.Parameters.load, tmp_path)


def test_default_scale() -> None:
    assert rs.Parameters.from_bits(8192, [60, 40, 40, 60]).default_scale == 2.0**40
    assert rs.Parameters.named("seal-embedded-1024").default_scale == 2.0**20
    assert rs.Parameters.from_bits(4096, [40]).default_scale == 2.0**30


def test_a_back_end_that_there_is_not() -> None:
    """The choice is made once per process, so in one of its own."""
    code = "import ringside; ringside.Context(ringside.Parameters.named('lee-12'))"
    done = python(code, env=os.environ | {"RINGSIDE_BACKEND": "abacus"})
    assert done.returncode == 1
    assert "DeviceError" in done.stderr
    assert "portable, avx2, avx512" in done.stderr


def test_a_name_that_is_nearly_one() -> None:
    raises(rs.ParameterError, r"Did you mean 'lee-12'\?", rs.Parameters.named, "lee12")
    error = raises(rs.ParameterError, None, rs.Parameters.named, "nothing like it")
    assert error.hint == "`ringside params` lists the sets."


def test_the_largest_ring_with_a_single_modulus() -> None:
    """No special prime, and files of N = 131,072 are read."""
    params = rs.Parameters.from_bits(1 << 17, [50])
    assert params.special_prime is None
    context = rs.Context(params)
    with context.keygen() as secret:
        sent = context.encrypt([0.5, -2.0], secret, scale=2.0**30).to_bytes(compression="none")
        values = context.decrypt_values(rs.Ciphertext.from_bytes(context, sent), secret)
    assert values[:2] == pytest.approx([0.5, -2.0], abs=1e-3)
