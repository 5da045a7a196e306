# SPDX-License-Identifier: Apache-2.0
"""Keys of ML-KEM and ML-DSA that a simulated core keeps: NIST's answers, refusals, the same cycles, and who has no key."""

import random
from pathlib import Path

import pytest

from asserting import flipped, raises
from cli_runner import CommandLine
from pqc.test_standards import data
from pqc.vectors import DSA, KEM, acvp
from ringside import pqc
from ringside.devices.simulated import SimulatedDevice
from ringside.errors import DeviceError, InputError
from ringside.sim.core import ProgramRun

DEVICE = "sim:pqc-4s"
SETS = [name if name == "ML-KEM-768" else pytest.param(name, marks=pytest.mark.soak) for name in pqc.KEM_SETS]
pytestmark = pytest.mark.soak  # the model takes a minute to build


def core_of(scheme: pqc.MLKEM | pqc.MLDSA) -> SimulatedDevice:
    assert isinstance(scheme._device, SimulatedDevice)
    return scheme._device


def cycles(kem: pqc.MLKEM) -> int:
    return core_of(kem).job.cycles


@pytest.mark.parametrize("name", SETS)
def test_sealed_secrets_are_those_of_the_processor(kems: dict[str, pqc.MLKEM], name: str) -> None:
    """Ciphertexts of ours and of nobody's take the same cycles."""
    kem, plain, rng, seen = kems[name], pqc.MLKEM(name), random.Random(5), set()
    for _ in range(2):
        seed = rng.randbytes(kem.seed_bytes)
        ek, dk = plain.keygen(seed)
        assert kem.seal(seed) == ek
        kem.decaps_sealed(plain.encaps(ek)[1])
        first = cycles(kem)  # what is bound is hashed once
        for damage in range(6):
            ss, ct = plain.encaps(ek)
            for _ in range(damage):
                ct = flipped(ct, rng.randrange(len(ct)), 1 << rng.randrange(8))
            found = kem.decaps_sealed(ct)
            seen.add(cycles(kem))
            assert found == plain.decaps(dk, ct)
            assert (found == ss) == (damage == 0)
        random_one = rng.randbytes(kem.ct_bytes)
        assert kem.decaps_sealed(random_one) == plain.decaps(dk, random_one)
        assert cycles(kem) in seen
        assert first - max(seen) > 400
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
    raises(DeviceError, "no sealed key", fresh.decaps_sealed, bytes(fresh.ct_bytes))
    fresh.close()
    raises(InputError, None, kems["ML-KEM-512"].seal, bytes(63))
    raises(DeviceError, "keeps no keys", pqc.MLKEM("ML-KEM-512").seal)


@pytest.mark.parametrize(
    "commands",
    [
        ("kem keygen k p", "kem encaps p c s", "kem decaps k c a --sealed"),
        ("sign keygen k p --set ML-DSA-44", "sign sign k m s --sealed", "sign verify p m s"),
    ],
)
def test_commands(
    commands: tuple[str, ...], ringside: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m").write_bytes(b"a message")
    for words in map(str.split, commands):
        ringside(*words, *(("--device", DEVICE) if "--sealed" in words else ())).ends(0)
    assert not Path("a").exists() or Path("a").read_bytes() == Path("s").read_bytes()


@pytest.mark.parametrize("name", pqc.SIGNATURE_SETS)
def test_sealed_signatures_are_those_of_the_processor(signers: dict[str, pqc.MLDSA], name: str) -> None:
    """In as many rounds; all that are refused take the same cycles, and so do those that are not."""
    dsa, plain, rng = signers[name], pqc.MLDSA(name), random.Random(6)
    refused, passed = set(), set()
    seed = rng.randbytes(dsa.seed_bytes)
    pk, sk = plain.keygen(seed)
    assert dsa.seal(seed) == pk
    for size in (0, 1, 77, 5000):
        message, context = rng.randbytes(size), rng.randbytes(size % 50)
        ran: list[ProgramRun] = []
        core_of(dsa).finished = ran.append
        signature = dsa.sign_sealed(message, context, deterministic=True)
        *others, last = (program.cycles for program in ran)
        assert signature == plain.sign(sk, message, context, deterministic=True)
        refused |= set(others)
        passed.add(last)
        hedged = dsa.sign_sealed(message, context, prehash="SHA2-512")
        assert plain.verify(pk, message, hedged, context, prehash="SHA2-512")
        assert dsa.verify(pk, message, signature, context)  # what is open runs beside it
    assert len(refused) == len(passed) == 1


def test_acvp_signatures_of_sealed_keys(signers: dict[str, pqc.MLDSA]) -> None:
    for case in list(acvp(DSA / "ML-DSA-keyGen-FIPS204"))[::15]:
        dsa = signers[case["parameterSet"]]
        assert dsa.seal(data(case, "seed")) == data(case, "pk"), case["tcId"]
        signed = dsa.sign_sealed(b"message", deterministic=True)
        assert signed == pqc.MLDSA(dsa.name).sign(data(case, "sk"), b"message", deterministic=True)


def test_who_has_no_key_to_sign_with(signers: dict[str, pqc.MLDSA]) -> None:
    dsa = signers["ML-DSA-44"]
    _, sk = dsa.keygen()
    dsa.seal()
    dsa.sign(sk, b"message")  # an open signature wipes the core
    raises(DeviceError, "no sealed key", dsa.sign_sealed, b"message")
    raises(InputError, None, dsa.seal, bytes(31))
    raises(InputError, "255", dsa.sign_sealed, b"message", bytes(256))
    raises(DeviceError, "keeps no keys", pqc.MLDSA("ML-DSA-44").sign_sealed, b"message")
