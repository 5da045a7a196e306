# SPDX-License-Identifier: Apache-2.0
"""The C core under valgrind with its secrets marked (lib/tests/test_constant_time.c), compiled as it is released, by gcc and clang."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOUND = 99  # valgrind's exit code if it reported anything
CONTROLS = ["control_branch", "control_index", "control_library"]


def run(*command: str | Path, backend: str = "") -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    environment = {**os.environ, "RINGSIDE_BACKEND": backend}
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=environment)


@pytest.fixture(scope="module", params=["gcc", "clang-14"])
def program(request: pytest.FixtureRequest) -> Path:
    compiler: str = request.param
    for tool in ("valgrind", "cmake", compiler):
        if not shutil.which(tool):
            pytest.fail(f"{tool} is missing; `make test` installs it")
    build = ROOT / "build" / "ctgrind" / compiler
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DRS_BUILD_TESTS=ON", "-DRS_CTGRIND=ON"]
    # the newest debug format that valgrind 3.19 reads from clang
    options += [f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_C_FLAGS=-gdwarf-4"]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    jobs = str(os.cpu_count() or 1)
    for command in (
        ["cmake", "-S", ROOT, "-B", build, *generator, *options],
        ["cmake", "--build", build, "--target", "test_constant_time", "--parallel", jobs],
    ):
        done = run(*command)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "lib" / "tests" / "test_constant_time"


def valgrind(program: Path, *tests: str, backend: str = "") -> subprocess.CompletedProcess[str]:
    options = ["--quiet", f"--error-exitcode={FOUND}", "--error-limit=no", "--leak-check=full"]
    return run("valgrind", *options, program, *tests, backend=backend)


# "": the best that valgrind knows, avx2 where the machine has it
@pytest.mark.parametrize("backend", ["portable", ""])
def test_no_branch_or_index_depends_on_a_secret(program: Path, backend: str) -> None:
    names = run(program, "--list").stdout.split()
    assert set(CONTROLS) < set(names)
    operations = [name for name in names if name not in CONTROLS]
    assert len(operations) >= 9
    done = valgrind(program, *operations, backend=backend)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(operations)} tests, 0 failed" in done.stdout
    assert done.stderr == ""


def test_vector_keccak_is_straight_line_code(program: Path) -> None:
    """valgrind cannot run AVX-512: its machine code has one jump at most, the loop over rounds."""
    if platform.machine() != "x86_64":
        pytest.skip("no vector back ends here")
    for function in ("rs_keccak_avx2", "rs_keccak_avx512"):
        code = run("objdump", "-d", f"--disassemble={function}", program).stdout
        assert len(re.findall(r"\tv\w+ ", code)) > 100
        assert len(re.findall(r"\tj\w+ ", code)) <= 1, code
        assert not re.search(r"\tv\w*(gather|scatter)", code)


@pytest.mark.parametrize("control", CONTROLS)
def test_a_leak_would_be_reported(program: Path, control: str) -> None:
    """Code that leaks on purpose: valgrind must object, with the very options of the test above."""
    done = valgrind(program, control)
    assert done.returncode == FOUND, done.stdout + done.stderr
    assert "depends on uninitialised value" in done.stderr or "Use of uninit" in done.stderr
    assert f"{control}: ok" in done.stdout


def test_marks_need_valgrind(program: Path) -> None:
    """Outside valgrind the program fails instead of passing without having tested anything."""
    assert run(program, "keygen").returncode != 0
