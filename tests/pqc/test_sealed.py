# SPDX-License-Identifier: Apache-2.0
"""Keys of ML-KEM that a simulated core keeps: NIST's answers, refusals, the same cycles, and who has no key."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runner import CommandLine
from pqc.test_standards import data
from pqc.vectors import KEM, acvp
from ringside import pqc
from ringside.errors import DeviceError, InputError
from ringside.executors.simulated import SimulatedDevice
from ringside.pqc.on_core import SchemeCore

DEVICE = "sim:pqc-4s"
SETS = [name if name == "ML-KEM-768" else pytest.param(name, marks=pytest.mark.soak) for name in pqc.KEM_SETS]
pytestmark = pytest.mark.soak  # the model takes a minute to build


@pytest.fixture(scope="module")
def kems() -> Iterator[dict[str, pqc.MLKEM]]:
    made = {name: pqc.MLKEM(name, device=DEVICE) for name in pqc.KEM_SETS}
    yield made
    for kem in made.values():
        kem.close()


def cycles(kem: pqc.MLKEM) -> int:
    assert isinstance(kem._core, SchemeCore)
    assert isinstance(kem._core.device, SimulatedDevice)
    found = kem._core.device.core.jobs()[-1].cycles
    kem._core.device.core.forget()
    return found


@pytest.mark.parametrize("name", SETS)
def test_sealed_secrets_are_those_of_the_processor(kems: dict[str, pqc.MLKEM], name: str) -> None:
    """Of ciphertexts of ours and of nobody's, in the same cycles."""
    kem, plain, rng, seen = kems[name], pqc.MLKEM(name), random.Random(5), set()
    for _ in range(2):
        seed = rng.randbytes(kem.seed_bytes)
        ek, dk = plain.keygen(seed)
        assert kem.seal(seed) == ek
        for damage in range(6):
            ss, ct = plain.encaps(ek)
            for _ in range(damage):
                at = rng.randrange(len(ct))
                ct = ct[:at] + bytes([ct[at] ^ 1 << rng.randrange(8)]) + ct[at + 1 :]
            found = kem.decaps_sealed(ct)
            seen.add(cycles(kem))
            assert found == plain.decaps(dk, ct)
            assert (found == ss) == (damage == 0)
        random_one = rng.randbytes(kem.ct_bytes)
        assert kem.decaps_sealed(random_one) == plain.decaps(dk, random_one)
        assert cycles(kem) in seen
    # Â, which is public, has candidates of its own number; else nothing changes
    assert max(seen) - min(seen) < max(seen) // 50


def test_acvp_keys_are_sealed_and_open_calls_run_beside_them(kems: dict[str, pqc.MLKEM]) -> None:
    for case in list(acvp(KEM / "ML-KEM-keyGen-FIPS203"))[::15]:
        kem = kems[case["parameterSet"]]
        assert kem.seal(data(case, "d") + data(case, "z")) == data(case, "ek"), case["tcId"]
        ss, ct = kem.encaps(data(case, "ek"))
        assert kem.decaps(data(case, "dk"), ct) == kem.decaps_sealed(ct) == ss


def test_who_has_no_key(kems: dict[str, pqc.MLKEM]) -> None:
    fresh = pqc.MLKEM("ML-KEM-512", device=DEVICE)
    with pytest.raises(DeviceError, match="no sealed key"):
        fresh.decaps_sealed(bytes(fresh.ct_bytes))
    fresh.close()
    with pytest.raises(InputError):
        kems["ML-KEM-512"].seal(bytes(63))
    with pytest.raises(DeviceError, match="keeps no keys"):
        pqc.MLKEM("ML-KEM-512").seal()


def test_the_command(ringside: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["keygen", "k", "p"],
        ["encaps", "p", "c", "s"],
        ["decaps", "k", "c", "a", "--device", DEVICE, "--sealed"],
    ):
        assert ringside("kem", *arguments).code == 0
    assert Path("a").read_bytes() == Path("s").read_bytes()
