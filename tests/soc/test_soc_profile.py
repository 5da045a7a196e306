# SPDX-License-Identifier: Apache-2.0
"""`ringside soc profile`: whole schemes on the simulated processor, their results, and the counts of their kernels."""

import dataclasses
import hashlib
from pathlib import Path
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside import designs
from ringside.cycles import profile
from ringside.cycles.known import KnownCall
from ringside.sim.asm import assemble
from ringside.soc import job, run
from ringside.soc.job import PLACE, RAM, SEED_BYTES
from ringside.soc.run import SimulatedSoc, simulate

TRANSFORM = profile.KERNELS.index("transform")
RATE = 168  # the rate of SHAKE128
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

    monkeypatch.setattr(run, "simulate", keeping)
    found = ringside("soc", "profile", "ml-kem-512-keygen", "--json").ends(0).json
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


@pytest.mark.soak
@pytest.mark.parametrize(
    ("operation", "design", "programs"),
    [
        ("newhope-server", "newhope", 3),
        ("newhope-client", "newhope", 3),
        ("bliss-verify", "bliss", 1),
        ("bliss-verify", "pqc-4", 3),
    ],
)
def test_kernels_on_a_core_give_the_same(operation: str, design: str, programs: int) -> None:
    alone, beside = profile.profile(operation), profile.profile(operation, design=designs.load(design))
    assert beside.bit_exact
    assert beside.core_runs == programs
    if design != "pqc-4":
        assert beside.kernels["transform"].calls == programs
    assert beside.cycles > beside.core_cycles > 0
    assert beside.kernels["transform"].cycles < alone.kernels["transform"].cycles / 3
    saved = sum(alone.kernels[name].cycles - beside.kernels[name].cycles for name in ("transform", "keccak"))
    assert alone.cycles - beside.cycles > saved * 0.9


@pytest.mark.soak
def test_a_signature_with_hashes_on_a_core_is_the_same() -> None:
    alone = profile.profile("bliss-sign", 2)
    beside = profile.profile("bliss-sign", 2, design=designs.load("bliss-16"), divider=20)
    assert beside.bit_exact
    assert beside.kernels["keccak"].cycles < alone.kernels["keccak"].cycles / 3
    assert beside.equal_clock < beside.cycles < 0.76 * alone.cycles


def test_a_slower_clock_counts_cycles_of_the_core_so_many_times(
    ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answered(program: object, image: bytes, size: int, *given: Any, **how: Any) -> SimulatedSoc:
        asked, memory = job.job_in(image), bytearray(image)
        assert asked.offload == 1 << TRANSFORM
        found = profile.NativeProfile(core_runs=3)
        found.total.cycles = 50_000
        transform = found.kernels[TRANSFORM]
        transform.calls, transform.work.cycles, transform.core_cycles = 3, 2000, 1000
        wanted = profile._known("newhope-server", bytes(SEED_BYTES), 0)
        asked.phase = job.DONE
        places = [
            (asked.kernels, bytes(found)),
            *zip(job.frames_in(image, asked)[-1].outputs, wanted.outputs, strict=True),
        ]
        for array, content in [*places, (job.NativeArray(PLACE), bytes(asked))]:
            memory[array.address - RAM : array.address - RAM + len(content)] = content
        return SimulatedSoc(bytes(memory), 0, 60_000, "", None)

    def slow(design: object, programs: object, image: bytes, latency: int, progress: object) -> list[float]:
        assert latency == 5  # 20 cycles of RAM and 80 of the way
        return [600.0 * (number == TRANSFORM) for number in range(len(profile.KERNELS))]

    monkeypatch.setattr(run, "prepare", lambda elf, memory, *_: bytes(PLACE - RAM) + memory.content())
    monkeypatch.setattr(run, "simulate", answered)
    monkeypatch.setattr(profile, "slow_cycles", slow)
    monkeypatch.setattr(profile, "build_soc", lambda *_, **__: (Path("model"), Path("firmware")))
    found = (
        ringside("soc", "profile", "newhope-server", "--on", "newhope", "--core-divider", "20", "--json").ends(0).json
    )
    assert found["cycles"] == 50_000 - 1000 + 20 * 600
    assert found["equal_clock"] == 50_000
    assert found["kernels"]["transform"]["cycles"] == 2000 - 1000 + 20 * 600
    assert (found["core_runs"], found["core_cycles"], found["design"], found["divider"]) == (3, 600, "newhope", 20)
    text = ringside("soc", "profile", "newhope-server", "--on", "newhope", "--core-divider", "20").out
    assert "1/20 of the processor's" in text
    assert "3 programs, 600 of its cycles" in text


def test_programs_run_again_on_the_core_alone() -> None:
    """A hash of memory: the cycles of a core with the unit SPONGE, and more of them with slower memory."""
    design = designs.load("pqc-4")
    program = profile.NativeProgram(runs=3, kernel=profile.KERNELS.index("keccak"), log_n=10)
    text = "HASH d0 d0 [p0 + 0x0] hash1 halves1 bytes384\nSTORED d0 [p1 + 0x0]\nEND"
    words = assemble(text)
    program.length, program.words[: len(words)] = len(words), words
    program.pointers[:] = [RAM, RAM + 4096, 0, 0]
    unused = profile.NativeProgram(length=1)
    near, far = (profile.slow_cycles(design, [unused, program], bytes(8192), latency, None) for latency in (5, 200))
    assert [number for number, cycles in enumerate(near) if cycles] == [profile.KERNELS.index("keccak")]
    assert 3 * 3 * 12 < sum(near) < sum(far) - 3 * 195


def test_a_core_that_cannot_do_the_transforms_is_refused(ringside: CommandLine) -> None:
    ringside("soc", "profile", "ml-kem-768-encaps", "--on", "newhope").ends(3, "NewHope")
    ringside("soc", "profile", "newhope-server", "--on", "bliss").ends(3, "2^10")
    assert ringside("soc", "profile", "newhope-server", "--on", "nothing").code == 3
    assert ringside("soc", "profile", "newhope-server", "--on", "newhope", "--core-divider", "0").code == 2


def test_other_outputs_are_told(
    ringside: CommandLine, kept: list[SimulatedSoc], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = profile._known

    def wrong(*given: Any) -> KnownCall:
        call = right(*given)
        return dataclasses.replace(call, outputs=[bytes(len(one)) for one in call.outputs])

    monkeypatch.setattr(run, "simulate", lambda *given, **how: kept[0] if kept else simulate(*given, **how))
    monkeypatch.setattr(profile, "_known", wrong)
    done = ringside("soc", "profile", "ml-kem-512-keygen").ends(1).shows("NOT the library's")
    assert "not the library's" in done.err
    assert "Keccak-f[1600]" in done.out


def test_an_unknown_operation_names_all(ringside: CommandLine) -> None:
    ringside("soc", "profile", "ml-kem-767-keygen").ends(3, "ml-kem-768-keygen")
    assert ringside("soc", "profile", "ml-kem-512-keygen", "--runs", "0").code == 2
