# SPDX-License-Identifier: Apache-2.0
"""A wheel that installs on other Linux systems without a compiler: `make wheel`.

    wheel.py [--evaluator] [--arm64] [--out FOLDER]

zlib and zstd are linked in from their static libraries, hidden, so that the library needs the C library alone. auditwheel checks that and names the
wheel after the oldest glibc that has every symbol it uses (manylinux_2_34 when it is built on Debian 12). It is for the kind of processor that it was made
on, or with --arm64 for 64-bit Arm, by Debian's cross compiler and with Debian's zlib and zstd for arm64. With --evaluator it is that of the evaluator, which
needs the first one at run time.
"""

import argparse
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from common import BUILD, LOGS, PYTHON, ROOT, VENV, StopError, finish, run_quiet, say, step
from releasing import arm64
from setup import EVALUATOR, lock, setup

OUT = BUILD / "dist"
WORK = BUILD / "wheel-static"  # CMake's, apart from that of `pip install .`, and the wheel before it is renamed
STATIC = {"ZLIB_LIBRARY": "libz.a", "zstd_LIBRARY": "libzstd.a"}
LICENCES = tuple(f"share/doc/{package}/copyright" for package in arm64.LIBRARIES)  # these ask to go with them
TOOLCHAIN = ROOT / "lib" / "cmake" / "aarch64-linux-gnu.cmake"


def static_library(name: str) -> str:
    """Where the compiler finds a static library."""
    asked = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True)
    path = Path(asked.stdout.strip())
    if not path.is_absolute() or not path.exists():
        raise StopError(f"The static library {name} is missing. Debian has it in zlib1g-dev or libzstd-dev.")
    return str(path)


def settings_of(source: Path, for_arm64: bool) -> list[str]:
    """CMake's, for pip."""
    defines = {"CMAKE_TOOLCHAIN_FILE": str(TOOLCHAIN)} if for_arm64 else {}
    if source == ROOT:
        here = {name: static_library(file) for name, file in STATIC.items()} if not for_arm64 else {}
        defines |= here or arm64.library_settings()
        usr = arm64.libraries() if for_arm64 else Path("/usr")
        if missing := [name for name in LICENCES if not (usr / name).is_file()]:
            raise StopError(f"{usr / missing[0]} is missing: what is linked in goes with its licence.")
        defines["RS_LINKED_LICENCES"] = ";".join(str(usr / name) for name in LICENCES)
    # what is in the static libraries is not to be seen, or overridden, from outside
    defines["CMAKE_SHARED_LINKER_FLAGS"] = "-Wl,--exclude-libs,ALL"
    return [part for name, value in defines.items() for part in ("--config-settings", f"cmake.define.{name}={value}")]


def build(out: Path, source: Path = ROOT, for_arm64: bool = False) -> Path:
    """The wheel of a source folder. Those of an earlier build in `out` stay."""
    settings = settings_of(source, for_arm64)
    # pip and the build take the name of the machine from Python, which takes it from here
    machine: list[str | Path] = ["env", "_PYTHON_HOST_PLATFORM=linux-aarch64"] if for_arm64 else []
    # as deep in the tree as the release, so that ccache has its objects
    folder = WORK.with_name(f"{WORK.name}-{source.name}" + "-arm64" * for_arm64)
    raw = WORK / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    with step("wheel: C library and Python package"):
        command = [*machine, PYTHON, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", raw]
        run_quiet([*command, "--config-settings", f"build-dir={folder}", *settings, source], "wheel")
    (made,) = raw.glob("*.whl")
    repaired = WORK / "repaired"
    shutil.rmtree(repaired, ignore_errors=True)
    with step("wheel: auditwheel"):
        run_quiet([VENV / "bin" / "auditwheel", "repair", "--plat", "auto", "-w", repaired, made], "auditwheel")
    found = list(repaired.glob("*.whl"))
    if len(found) != 1:
        raise StopError(
            f"auditwheel made {len(found)} wheels; its output is in {LOGS.relative_to(ROOT)}/auditwheel.log."
        )
    with zipfile.ZipFile(found[0]) as archive:
        grafted = [name for name in archive.namelist() if ".libs/" in name]
    if grafted:
        raise StopError(f"The library needs others beside it ({', '.join(grafted)}): they should be linked in.")
    out.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(found[0], out))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluator", action="store_true", help="the wheel of papers/evaluator/, ringside-ltv")
    parser.add_argument("--arm64", action="store_true", help="for 64-bit Arm, by a cross compiler")
    parser.add_argument("--out", type=Path, default=OUT, help="default build/dist")
    options = parser.parse_args()
    if sys.platform != "linux":
        raise StopError(f"Wheels are made on Linux, this is {platform.system()}: use `pip install .` here.")
    setup("wheel-arm64" if options.arm64 else "wheel")
    with lock():
        wheel = build(options.out.resolve(), EVALUATOR if options.evaluator else ROOT, options.arm64)
    say(f"{wheel}: {wheel.stat().st_size / 2**20:.1f} MiB; install it with `pip install {wheel.name}`")
    return 0


if __name__ == "__main__":
    finish(main)
