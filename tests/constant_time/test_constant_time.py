# SPDX-License-Identifier: Apache-2.0
"""The C core under valgrind with its secrets marked (lib/tests/test_constant_time.c), compiled as it is released, by gcc and clang."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOUND = 99  # valgrind's exit code if it reported anything
CONTROLS = ["control_branch", "control_index", "control_library"]


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


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


def valgrind(program: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    options = ["--quiet", f"--error-exitcode={FOUND}", "--error-limit=no", "--leak-check=full"]
    return run("valgrind", *options, program, *tests)


def test_no_branch_or_index_depends_on_a_secret(program: Path) -> None:
    names = run(program, "--list").stdout.split()
    assert set(CONTROLS) < set(names)
    operations = [name for name in names if name not in CONTROLS]
    assert len(operations) >= 9
    done = valgrind(program, *operations)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(operations)} tests, 0 failed" in done.stdout
    assert done.stderr == ""


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
