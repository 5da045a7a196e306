# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the Python tests: a small context with keys, a key directory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import ringside as rs

SEED = bytes(range(64))


@pytest.fixture(scope="session")
def context() -> rs.Context:
    """N = 4096 and three moduli of 36 bits: 2048 slots, levels 0 and 1, scale 2^27 by default."""
    return rs.Context(rs.Parameters.from_bits(4096, [36, 36, 36], security=128))


@pytest.fixture(scope="session")
def secret(context: rs.Context) -> Iterator[rs.SecretKey]:
    with context.keygen(insecure_deterministic_seed=SEED) as key:
        yield key


@pytest.fixture(scope="session")
def public(context: rs.Context, secret: rs.SecretKey) -> rs.PublicKey:
    return context.public_key(secret)


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key directory of lee-12 with relinearisation and rotation keys."""
    path = tmp_path_factory.mktemp("keys") / "keys"
    rs.make_keys(rs.Parameters.named("lee-12"), path, rs.KeySpec(relin=True, rotations=[1, -1, 0]))
    return path
