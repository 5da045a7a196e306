# SPDX-License-Identifier: Apache-2.0
"""Ringside's encoder gives the integers of SEAL's CKKSEncoder: compared in NTT form, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside
from interop import oracle
from interop.peers import Peer

# One data limb is compared: an integer that is off by one is off by one modulo every prime.
CHAINS = {4096: [54, 54], 8192: [60, 60], 16384: [60, 60]}
AT_2_40 = 1_000_000  # coefficients per degree and kind at scale 2^40; none may differ
AT_2_50 = 4_000_000  # at scale 2^50, N = 2^14; fewer than one in a million may differ


def random_values(random: np.random.Generator, n: int, is_complex: bool) -> Iterator[NDArray[Any]]:
    """Vectors of many kinds: full and short, tiny and large, smooth and integer."""
    while True:
        count = n // 2 if random.random() < 0.7 else int(random.integers(1, n // 2 + 1))
        values: NDArray[Any] = random.uniform(-1, 1, count)
        if is_complex:
            values = values + 1j * random.uniform(-1, 1, count)
        kind = random.integers(4)
        if kind == 1:
            values = values * 2.0 ** random.integers(-20, 3)
        elif kind == 2:
            values = np.round(values * 4)
        elif kind == 3:
            values = np.cumsum(values) / np.abs(np.cumsum(values)).max()
        yield values


def count_differences(peer: Peer, context: ringside.Context, values: NDArray[Any], scale: float) -> int:
    ours = context.encode(values, scale=scale).limb(0)
    padded = np.zeros(context.slots, dtype=values.dtype)
    padded[: len(values)] = values
    theirs = peer.words("plaintext", peer.encode(padded, scale))
    if np.array_equal(ours, theirs):
        return 0
    q = context.params.moduli[0]
    difference = (ours + (np.uint64(q) - theirs)) % np.uint64(q)
    return int(np.count_nonzero(oracle.coefficients(difference, q)))


def enter(peer: Peer, n: int, tmp_path: Path) -> ringside.Context:
    params = ringside.Parameters.from_bits(n, CHAINS[n], security=0)
    path = tmp_path / "params.seal"
    params.save(path)
    peer.use(path, security=0)
    return ringside.Context(params)


@pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])
@pytest.mark.parametrize("n", CHAINS)
def test_every_coefficient(peers: dict[str, Peer], tmp_path: Path, n: int, is_complex: bool) -> None:
    peer = peers["tenseal"]
    context = enter(peer, n, tmp_path)
    source = random_values(np.random.default_rng(n + is_complex), n, is_complex)
    for _ in range(-(-AT_2_40 // n)):
        assert count_differences(peer, context, next(source), 2.0**40) == 0


@pytest.mark.parametrize("n", CHAINS)
def test_every_coefficient_in_node(peers: dict[str, Peer], tmp_path: Path, n: int) -> None:
    """node-seal encodes real values only."""
    peer = peers["node-seal"]
    context = enter(peer, n, tmp_path)
    source = random_values(np.random.default_rng(n), n, False)
    for _ in range(-(-AT_2_40 // 4 // n)):
        assert count_differences(peer, context, next(source), 2.0**40) == 0


@pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])
def test_large_scale(peers: dict[str, Peer], tmp_path: Path, is_complex: bool) -> None:
    peer, n = peers["tenseal"], 16384
    context = enter(peer, n, tmp_path)
    random = np.random.default_rng(50 + is_complex)
    different, total = 0, 0
    while total < AT_2_50:
        values: NDArray[Any] = random.uniform(-1, 1, n // 2)
        if is_complex:
            values = values + 1j * random.uniform(-1, 1, n // 2)
        different += count_differences(peer, context, values, 2.0**50)
        total += n
    assert different < total / 1e6
