# SPDX-License-Identifier: Apache-2.0
"""The back ends of AArch64 under QEMU's user emulation: bits, and instructions, because nobody's time counts there.

The kernels and their tables are built without zlib and zstd, which are in no cross compiler's package. `make soak` also builds the whole library
with Debian's static libraries for arm64 and runs its C tests.
"""

import subprocess
from pathlib import Path

import pytest

from builds import ROOT, cmake, need, output_of, run
from exclusive import exclusive
from tree_scripts import script

arm64 = script("releasing.arm64")

BUILD = ROOT / "build" / "arm64"
SOURCE, TESTS = ROOT / "lib" / "src", ROOT / "lib" / "tests"
ROOMS = ("base", "hash", "arith", "encoding", "sampling", "fma", "arm", "backend")
SCHEMES = ("mlkem", "mldsa")
COMPILER, QEMU = "aarch64-linux-gnu-gcc", "qemu-aarch64"
NEEDED = {COMPILER: "gcc-aarch64-linux-gnu", QEMU: "qemu-user"}
FLAGS = ("-std=c11", "-O3", "-ffp-contract=off", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Werror")
NEOVERSE, PLAIN = "max", "cortex-a72"  # with and without FEAT_SHA3
LOG_N = 10


def program(name: str) -> Path:
    """One program of lib/tests with the rooms of the kernels."""
    need(NEEDED)
    place = BUILD / "kernels"
    objects, out = place / "kernels.o", place / name
    options = (*FLAGS, "-DRS_BACKENDS", f"-I{SOURCE}", f"-I{ROOT / 'lib' / 'include'}", f"-I{TESTS}")
    newest = max(path.stat().st_mtime for path in (ROOT / "lib").rglob("*.[ch]"))
    with exclusive(place):
        if not objects.exists() or objects.stat().st_mtime < newest:
            sources = [path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.c"))]
            sources += [path for scheme in SCHEMES for path in sorted((SOURCE / scheme).glob("*.c"))]
            output_of(COMPILER, *options, "-r", *sources, "-o", objects)
        if not out.exists() or out.stat().st_mtime < objects.stat().st_mtime:
            output_of(COMPILER, *options, "-static", TESTS / f"{name}.c", objects, "-lm", "-o", out)
    return out


@pytest.mark.parametrize("processor", [NEOVERSE, PLAIN])
def test_the_bits_of_the_portable_back_end(processor: str) -> None:
    """All steps of all rings, in all rounding modes."""
    done = run(QEMU, "-cpu", processor, program("test_lifted"), RS_TEST_LOG_N=str(LOG_N))
    assert done.returncode == 0, done.stdout
    assert "no neon)" not in done.stdout
    assert ("no neonsha3)" in done.stdout) == (processor == PLAIN)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_schemes_on_vectors(scheme: str) -> None:
    """ML-KEM and ML-DSA with NEON: transforms and products against definitions, at their bounds; keys and signatures."""
    done = run(QEMU, "-cpu", PLAIN, program(f"test_{scheme}"))
    assert done.returncode == 0, done.stdout
    assert ", 0 failed" in done.stdout


def instructions(name: str, *words: str | int) -> int:
    """Instructions of one operation of a program: QEMU logs each instruction, and a second operation adds so many."""

    def logged(times: int) -> int:
        log = [QEMU, "-singlestep", "-d", "exec,nochain", "-D", "/dev/stdout", str(program(name))]
        lines = 0
        with subprocess.Popen([*log, *map(str, words), str(times)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            while block := process.stdout.read(1 << 20):
                lines += block.count(b"\n")
        assert process.returncode == 0
        return lines

    return logged(2) - logged(1)


def test_a_transform_takes_few_instructions() -> None:
    """A transform of 48 bits, with all that is not butterflies, per butterfly; the portable one takes 13.1."""
    assert 4 < (instructions("run_ntt", "neon48", "forward", LOG_N) / (LOG_N << (LOG_N - 1))) <= 7.4


def test_an_encapsulation_takes_few_instructions() -> None:
    """Of ML-KEM-768, on a processor with FEAT_SHA3; with portable transforms it takes 177,899."""
    assert 100_000 < instructions("run_schemes", "mlkem", "encaps") <= 150_000


@pytest.mark.soak
def test_a_signature_takes_few_instructions() -> None:
    """Of ML-DSA-65, one of several rounds, on a processor with FEAT_SHA3; with portable transforms it takes 3,533,908."""
    assert 1_000_000 < instructions("run_schemes", "mldsa", "sign") <= 2_400_000


@pytest.mark.soak
def test_instructions_of_a_butterfly() -> None:
    """Four transforms of N/4 and a pass are one of N, so a pass is what it takes more; it does one butterfly per number."""
    for direction in ("forward", "inverse"):
        large, small = (instructions("run_ntt", "neon48", direction, log_n) for log_n in (12, 10))
        assert (large - 4 * small) / (1 << 12) <= 6.2
        assert large * 1.7 <= instructions("run_ntt", "portable", direction, 12)


def whole(folder: str, *more: str) -> Path:
    """The whole library for arm64."""
    need(NEEDED)
    options = [f"-D{name}={place}" for name, place in arm64.library_settings().items()]
    toolchain = ROOT / "lib" / "cmake" / "aarch64-linux-gnu.cmake"
    return cmake(ROOT, BUILD / folder, "--toolchain", str(toolchain), "-DCMAKE_BUILD_TYPE=Release", *options, *more)


@pytest.mark.soak
def test_the_whole_library() -> None:
    """Its C tests, but for those that look for remains in memory or take long when emulated."""
    place = (
        whole("whole", "-DRS_BUILD_TESTS=ON", "-DRS_WERROR=ON", "-DCMAKE_EXE_LINKER_FLAGS=-static") / "lib" / "tests"
    )
    for name in ("backend", "ring", "ckks", "codec", "wire", "mlkem", "mldsa", "plan"):
        output_of(QEMU, "-cpu", NEOVERSE, place / f"test_{name}")
