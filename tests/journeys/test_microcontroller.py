# SPDX-License-Identifier: Apache-2.0
"""A microcontroller: its firmware sends a file, stock SEAL multiplies with keys that the owner made at a desk, and the owner decrypts. What the set cannot
do is said before a server finds out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ringside as rs
from bare.test_sensor import printed_by, readings, save_file
from interop.peers import SealNative
from journeys.client import Client, served

pytestmark = pytest.mark.slow  # compiles firmware
SET = "seal-embedded-4096"


def test_from_a_sensor_to_a_product(client: Callable[[str], Client], seal: SealNative, tmp_path: Path) -> None:
    text = printed_by("cortex-m4")
    context = rs.Context(rs.Parameters.named(SET))
    relin, upload = tmp_path / "relin", save_file(text, "file", tmp_path / "upload")
    context.params.save(tmp_path / "params")
    seal.use(tmp_path / "params")
    with rs.SecretKey.load(context, save_file(text, "key-file", tmp_path / "key")) as key:
        context.write_relin_keys(key, relin)
        served(seal, upload, tmp_path / "answer", relin)
        square = context.decrypt_values(rs.Ciphertext.load(context, tmp_path / "answer"), key, readings().size)
        promised = context.params.after(1, scale=2.0**25)
        assert rs.measured_precision(square, readings() ** 2) >= promised.precision_bits - 1
        with context.keygen() as other, pytest.raises(rs.RingsideError, match="key"):
            context.decrypt_values(rs.Ciphertext.load(context, tmp_path / "answer"), other)
    # its special prime has 19 bits: rotations would leave nothing
    owner = client("owner")
    assert "rotation" in owner.refused("keygen", "--params", SET, "--galois", "1", "--out", owner.keys)
    assert not (owner.keys / "secret.key").exists()
