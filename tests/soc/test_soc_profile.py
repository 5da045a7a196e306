# SPDX-License-Identifier: Apache-2.0
"""`ringside soc profile`: whole schemes on the simulated processor, their results, and the counts of their kernels."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside.cycles import profile
from ringside.soc.job import SEED_BYTES
from ringside.soc.run import SimulatedSoc, simulate

RATE = 168  # of SHAKE128
BELOW, NEEDED = 3329, 256


def blocks_of_matrix(rho: bytes, k: int) -> int:
    """Permutations for A of ML-KEM, by FIPS 203, algorithm 7."""
    count = 0
    for i in range(k):
        for j in range(k):
            stream = hashlib.shake_128(rho + bytes([j, i])).digest(8 * RATE)
            found = used = 0
            while found < NEEDED:
                triple = int.from_bytes(stream[used : used + 3], "little")
                found += (triple % 4096 < BELOW) + (found + (triple % 4096 < BELOW) < NEEDED and triple >> 12 < BELOW)
                used += 3
            count += -(-used // RATE)
    return count


@pytest.fixture(scope="module")
def kept() -> list[SimulatedSoc]:
    """The simulation of the first test, for the second one."""
    return []


def test_a_key_pair_of_ml_kem(ringside: CommandLine, kept: list[SimulatedSoc], monkeypatch: pytest.MonkeyPatch) -> None:
    def keeping(*given: Any, **how: Any) -> SimulatedSoc:
        kept.append(simulate(*given, **how))
        return kept[-1]

    monkeypatch.setattr(profile, "simulate", keeping)
    done = ringside("soc", "profile", "ml-kem-512-keygen", "--json")
    assert done.code == 0, done.err
    found = done.json
    assert found["bit_exact"]
    kernels = found["kernels"]
    drawn = hashlib.shake_256(bytes(SEED_BYTES) + bytes(8)).digest(32)
    rho = hashlib.sha3_512(drawn + bytes([2])).digest()[:32]
    # G; A; 4 polynomials of 192 bytes; H of the 800 bytes of ek
    assert kernels["keccak"]["calls"] == 1 + blocks_of_matrix(rho, 2) + 4 * 2 + 6
    assert kernels["transform"]["calls"] == 4
    assert kernels["product"]["calls"] == 2
    assert "chacha20" not in kernels
    assert sum(one["cycles"] for one in kernels.values()) == pytest.approx(found["cycles"], rel=0.02)
    assert sum(one["share"] for one in kernels.values()) == pytest.approx(1, rel=0.02)
    assert all(0 < one["instructions"] <= one["cycles"] for one in kernels.values())
    assert found["instructions"] < found["cycles"] < found["simulated"]


@pytest.mark.soak
@pytest.mark.parametrize("operation", profile.OPERATIONS)
def test_every_operation_gives_the_librarys_outputs(operation: str) -> None:
    found = profile.profile(operation, 2)
    assert found.bit_exact
    assert {"transform", "keccak", "sampler", "coding"} <= set(found.kernels) | {"coding"}


def test_other_outputs_are_told(
    ringside: CommandLine, kept: list[SimulatedSoc], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile, "simulate", lambda *given, **how: kept[0] if kept else simulate(*given, **how))
    monkeypatch.setattr(profile, "expected_digest", lambda *_: bytes(32))
    done = ringside("soc", "profile", "ml-kem-512-keygen")
    assert done.code == 1
    assert "NOT the library's" in done.out
    assert "not the library's" in done.err
    assert "Keccak-f[1600]" in done.out


def test_an_unknown_operation_names_all(ringside: CommandLine) -> None:
    done = ringside("soc", "profile", "ml-kem-767-keygen")
    assert done.code == 3, done.err
    assert "ml-kem-768-keygen" in done.err
    assert ringside("soc", "profile", "ml-kem-512-keygen", "--runs", "0").code == 2
