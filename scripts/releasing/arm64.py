# SPDX-License-Identifier: Apache-2.0
"""Debian's packages for 64-bit Arm, unpacked: what wheels are linked with, and a Python that QEMU runs."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import BUILD, StopError, run_quiet, step

PLACE = BUILD / "arm64"
LIBRARIES = ("zlib1g-dev", "libzstd-dev")
# an interpreter with what its own modules load: nothing of it is installed on this machine
INTERPRETER = (
    *("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libc6", "libgcc-s1", "libstdc++6"),
    *("zlib1g", "libexpat1", "libffi8", "libssl3", "libbz2-1.0", "liblzma5", "libuuid1"),
)
HINT = "If the network was at fault, run again."


def unpacked(name: str, packages: Sequence[str]) -> Path:
    """The root folder of these packages, fetched once."""
    root = PLACE / name
    PLACE.mkdir(parents=True, exist_ok=True)
    with (PLACE / ".lock").open("w") as lock:  # tests run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "usr").is_dir():
            _fetch(root, packages)
    return root


def _fetch(root: Path, packages: Sequence[str]) -> None:
    """apt's own lists stay as they are."""
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise StopError(f"There is no {tool}: Debian's packages for arm64 are fetched on Debian alone.")
    lists, debs = PLACE / "lists", root.with_suffix(".debs")
    for folder in (lists / "partial", debs):
        folder.mkdir(parents=True, exist_ok=True)
    options = [word for machine in ("amd64", "arm64") for word in ("-o", f"APT::Architectures::={machine}")]
    options += ["-o", f"Dir::State::lists={lists}", "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="]
    with step(f"Debian packages for arm64: {' '.join(packages)}"):
        run_quiet(["apt-get", *options, "-o", "Debug::NoLocking=1", "update"], "arm64", HINT)
        wanted = [f"{package}:arm64" for package in packages]
        run_quiet(["apt-get", *options, "download", *wanted], "arm64", HINT, cwd=debs)
        staged = root.with_suffix(".new")
        shutil.rmtree(staged, ignore_errors=True)
        for package in sorted(debs.glob("*.deb")):
            run_quiet(["dpkg-deb", "-x", package, staged], "arm64")
        staged.rename(root)


def libraries() -> Path:
    """zlib and zstd as static libraries: a folder like /usr."""
    return unpacked("libraries", LIBRARIES) / "usr"


def library_settings() -> dict[str, str]:
    """What CMake needs to find them."""
    usr = libraries()
    places = {"ZLIB_LIBRARY": "lib/aarch64-linux-gnu/libz.a", "zstd_LIBRARY": "lib/aarch64-linux-gnu/libzstd.a"}
    places |= {"ZLIB_INCLUDE_DIR": "include", "zstd_INCLUDE_DIR": "include"}
    return {name: os.fspath(usr / place) for name, place in places.items()}


def python() -> list[str]:
    """The command that runs Debian's Python for arm64 in QEMU."""
    root = unpacked("python", INTERPRETER)
    command = ["qemu-aarch64", "-L", os.fspath(root), os.fspath(root / "usr" / "bin" / "python3.11")]
    answer = subprocess.run(
        [*command, "-c", "import platform; print(platform.machine())"], capture_output=True, text=True
    )
    if answer.stdout.strip() != "aarch64":
        raise StopError(f"The Python for arm64 does not run: {answer.stderr.strip()}\nDelete {root}, and run again.")
    return command
