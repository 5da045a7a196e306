# SPDX-License-Identifier: Apache-2.0
"""The library and its constant-time program, compiled as released but for debug information and marks of secrets."""

import shutil
import subprocess
from pathlib import Path

import pytest

from exclusive import exclusive
from ringside.processors import usable_processors

ROOT = Path(__file__).resolve().parents[2]


# a library by clang takes half a minute, and releases are gcc's
@pytest.fixture(scope="module", params=["gcc", pytest.param("clang-14", marks=pytest.mark.soak)])
def program(request: pytest.FixtureRequest) -> Path:
    compiler: str = request.param
    for tool in ("valgrind", "cmake", compiler):
        if not shutil.which(tool):
            pytest.fail(f"{tool} is missing; `make test` installs it")
    build = ROOT / "build" / "ctgrind" / compiler
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DRS_BUILD_TESTS=ON", "-DRS_CTGRIND=ON", "-DRS_WERROR=ON"]
    # the newest debug format that valgrind 3.19 reads from clang; scripts/test.py compiles wheel and release with it too
    options += [f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_C_FLAGS=-gdwarf-4"]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    jobs = str(usable_processors())
    with exclusive(build):
        for command in (
            ["cmake", "-S", ROOT, "-B", build, *generator, *options],
            ["cmake", "--build", build, "--target", "test_constant_time", "--parallel", jobs],
        ):
            done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
    return build / "lib" / "tests" / "test_constant_time"
