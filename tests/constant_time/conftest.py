# SPDX-License-Identifier: Apache-2.0
"""The library and its constant-time program, compiled as released but for debug information and marks of secrets."""

from pathlib import Path

import pytest

from builds import ROOT, cmake, need


# a library by clang takes half a minute, and releases are gcc's
@pytest.fixture(scope="module", params=["gcc", pytest.param("clang-14", marks=pytest.mark.soak)])
def program(request: pytest.FixtureRequest) -> Path:
    compiler: str = request.param
    need({"valgrind": "valgrind", "cmake": "cmake", compiler: compiler})
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DRS_BUILD_TESTS=ON", "-DRS_CTGRIND=ON", "-DRS_WERROR=ON"]
    # the newest debug format that valgrind 3.19 reads from clang; scripts/test.py compiles wheel and release with it too
    options += [f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_C_FLAGS=-gdwarf-4 -g1"]
    # as deep in the tree as the release, so that ccache has its objects
    build = cmake(ROOT, ROOT / "build" / f"ctgrind-{compiler}", *options, targets=["test_constant_time"])
    return build / "lib" / "tests" / "test_constant_time"
