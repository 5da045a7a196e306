# SPDX-License-Identifier: Apache-2.0
"""Switching keys of a device (lib/bare/keys_cost.c): the library's bytes, and what they take."""

import hashlib
import re
from pathlib import Path

import pytest

import ringside
from bare.machines import TARGETS
from bare.test_sensor import printed_by
from builds import ROOT, output_of
from lean_client import LeanClient

MASTER = bytes([1, 2, 3]).ljust(64, b"\0")
SETS = {4096: [27, 26, 26, 30], 8192: [29, 28, 28, 28, 30], 16384: [30, 30, 30]}
KIB = 1024
RAM_BYTES_MAX = {4096: 56 * KIB, 8192: 64 * KIB, 16384: 64 * KIB}
MILLIONS_MAX = {"cortex-m4": 60, "rv32": 82}  # instructions of a relinearisation key, N = 4096


@pytest.mark.parametrize(
    "name", [pytest.param("cortex-m4", marks=pytest.mark.slow), pytest.param("rv32", marks=pytest.mark.soak)]
)
def test_a_device_makes_the_librarys_keys(name: str, tmp_path: Path) -> None:
    hashes = re.findall(r"^hash (\w+)$", printed_by(name, "keys_cost"), re.MULTILINE)
    for (n, bits), found in zip(SETS.items(), hashes, strict=True):
        params = ringside.Parameters.from_bits(n, bits)
        key = (b"\x41\x94\x26\x58\x65" * n)[: n // 4]
        context = ringside.Context(params)
        path = LeanClient(params, key, small=False).write_secret_key(tmp_path / f"{n}.key")
        with ringside.SecretKey.load(context, path) as secret:
            context.write_galois_keys(
                secret, tmp_path / "keys", [1], compression="none", overwrite=True, insecure_deterministic_seed=MASTER
            )
        assert hashlib.shake_256((tmp_path / "keys").read_bytes()).hexdigest(16) == found


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.soak) for name in MILLIONS_MAX])
def test_keys_fit_a_small_device(name: str) -> None:
    """scripts/bare_tables.py keys_cost: the bars."""
    printed_by(name, "keys_cost")  # the tools are there
    lines = output_of("python3", ROOT / "scripts" / "bare_tables.py", "keys_cost", name).splitlines()[2:]
    for n, line in zip(SETS, lines, strict=True):
        target, degree, *cells = (cell.strip().replace(",", "") for cell in line.strip("|").split("|"))
        ram, memory, key, parameters, stack, _ = map(int, cells[:6])
        assert (target, int(degree)) == (TARGETS[name].title, n)
        assert ram == memory + key + parameters + stack <= RAM_BYTES_MAX[n]
        assert n > 4096 or 30 < float(cells[6]) <= MILLIONS_MAX[name]
