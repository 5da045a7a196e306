# SPDX-License-Identifier: Apache-2.0
"""The table of ML-KEM and ML-DSA: its arithmetic, and that peers are judged by Ringside's keys before they are timed. Not speed."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

import ringside as rs
from bench import schemes
from bench.peers.native import peer as native
from bench.process import AbsentError
from bench.schemes import C_AVX2, OPENSSL, OURS, RUST, C


def times(**found: float) -> dict[str, dict[str, float]]:
    return {peer: {"cpu_ns_median": value, "cpu_ns_min": value} for peer, value in found.items()}


def test_verdicts() -> None:
    operations = {
        "keygen": times(ringside=50, openssl=100),
        "sign": times(ringside=101, openssl=100),
        "verify": times(ringside=1),
    }
    found = schemes.verdicts({"ML-DSA-44": {"operations": operations}})
    assert [(one["op"], one["peer"], one["ratio"], one["passed"]) for one in found] == [
        ("keygen", OPENSSL, 0.5, True),
        ("sign", OPENSSL, 1.01, False),
    ]


def absent() -> Path:
    raise AbsentError("no cargo on PATH")


def test_native_bars_are_of_the_fastest_peer() -> None:
    sides = {C: 90, C_AVX2: 110, "aws-lc": 120, "liboqs": 100}
    found = schemes.verdicts({"ML-KEM-768": {"operations": {"encaps": times(**sides)}}})
    assert [(one["ours"], one["peer"], one["ratio"], one["passed"]) for one in found] == [
        (C, "liboqs", 0.9, True),
        (C_AVX2, "liboqs", 1.1, True),
    ]


def test_native_figures_come_from_the_worker(tmp_path: Path) -> None:
    figures = {side: [3000.0, 2000.0] for side in (C, C_AVX2, *native.TITLES)}
    row = {"set": "ML-KEM-768", "op": "decaps", "times": figures}
    worker = tmp_path / "worker"
    worker.write_text(f"#!/bin/sh\necho '{json.dumps(row)}'\n", encoding="utf-8")
    worker.chmod(0o755)
    numbers = schemes.measure(rounds=1, sample_ns=1, sets=("ML-KEM-768",), prepare=lambda: worker)
    assert numbers["sets"]["ML-KEM-768"]["operations"]["decaps"]["liboqs"] == {
        "cpu_ns_median": 2500,
        "cpu_ns_min": 2000,
    }
    numbers["sets"] = {"ML-KEM-768": {"operations": {"decaps": numbers["sets"]["ML-KEM-768"]["operations"]["decaps"]}}}
    console = Console(file=io.StringIO(), width=160)
    schemes.show(numbers, console)
    assert "2.0 = 1.00× / 1.00×" in console.file.getvalue()  # type: ignore[attr-defined]


def test_what_is_measured_and_shown() -> None:
    numbers = schemes.measure(rounds=1, sample_ns=1, sets=("ML-KEM-768", "ML-DSA-44"), prepare=absent)
    assert numbers["peers"]["liboqs"] == {"absent": "no cargo on PATH"}
    there = {peer for peer, what in numbers["peers"].items() if "version" in what}
    assert {OURS, OPENSSL} <= there  # OpenSSL comes with the tests' requirements
    operations = numbers["sets"]["ML-KEM-768"]["operations"]
    assert list(operations) == ["keygen", "encaps", "decaps"]
    assert all(set(found) == there for found in operations.values())
    console = Console(file=io.StringIO(), width=160)
    numbers["peers"][RUST] = {"absent": "No module named 'pqcrypto'"}
    missed = {
        "set": "ML-DSA-44", "op": "sign", "ours": OURS, "peer": OPENSSL, "bar": 1.0, "ratio": 1.5, "passed": False,
    }  # fmt: skip
    numbers["bars"] = [missed]
    schemes.show(numbers, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "absent: No module named 'pqcrypto'" in text
    assert "missed: sign of ML-DSA-44 by ringside takes 1.50" in text
    assert "0 of 1 reached" in text


def test_a_peer_with_other_answers_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    from cryptography.hazmat.primitives.asymmetric import mlkem

    real = mlkem.MLKEM768PrivateKey

    class Wrong(real):  # type: ignore[misc, valid-type]
        @classmethod
        def from_seed_bytes(cls, data: bytes) -> mlkem.MLKEM768PrivateKey:
            return real.from_seed_bytes(data[::-1])

    monkeypatch.setattr(mlkem, "MLKEM768PrivateKey", Wrong)
    with pytest.raises(rs.InternalError, match="decapsulation of ML-KEM-768"):
        schemes.measure(rounds=1, sample_ns=1, sets=("ML-KEM-768",), prepare=absent)
