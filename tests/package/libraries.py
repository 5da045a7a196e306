# SPDX-License-Identifier: Apache-2.0
"""The C library, built in several kinds and installed."""

import shutil
from pathlib import Path

from builds import ROOT, cmake, need, output_of

# How the library is built: with the options of the release stage and of the wheel (scripts/test.py), so that ccache has the objects;
# the core with none.
RELEASE = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS=-gdwarf-4 -g1", "-DRS_WERROR=ON", "-DRS_BUILD_TESTS=OFF"]
KINDS = {
    "static": (ROOT, RELEASE),
    "plain": (ROOT, [*RELEASE, "-DRS_EVALUATOR=OFF", "-DRS_CODEC=OFF"]),  # all objects but one are those of "static"
    "shared": (ROOT, [*RELEASE, "-DRS_EVALUATOR=OFF", "-DBUILD_SHARED_LIBS=ON"]),
    "core": (ROOT, ["-DCMAKE_BUILD_TYPE=None", "-DRS_CORE_ONLY=ON"]),
}


def build_of(name: str) -> Path:
    """A folder as deep in the tree as those of the release stage and of the wheel: ccache knows a file by its relative path."""
    return ROOT / "build" / f"package-{name}"


def installed(kind: str, place: Path) -> Path:
    """Where it is installed. The prefix is given at installation: nothing of the build's paths may be in it."""
    need({"pkg-config": "pkgconf", "g++": "g++", "cmake": "cmake"})
    source, options = KINDS[kind]
    built = cmake(source, build_of(kind), *options)
    # moved after installation, so that whatever remembers its place shows
    output_of("cmake", "--install", built, "--component", "library", "--prefix", place / "first")
    shutil.move(place / "first", place / "moved")
    return place / "moved"
