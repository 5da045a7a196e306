# SPDX-License-Identifier: Apache-2.0
"""The library for Windows and macOS: both are compiled with every warning an error; for Windows Wine runs what depends on the system.

Nobody has run it on real machines.
"""

import shutil
import sys
from pathlib import Path

import pytest

from builds import HANGS, ROOT, cmake, output_of

HERE = Path(__file__).resolve().parent
TOOLCHAINS = ROOT / "lib" / "cmake" / "toolchains"
BUILD = ROOT / "build" / "machines"
WINE = Path("/usr/lib/wine/wine64")  # Debian has it nowhere else
MINGW = "x86_64-w64-mingw32-gcc"
MISSING = "there is no {}: `python3 scripts/setup.py cross` installs it"

# every line that check.c prints; which back ends there are depends on the processor
ALWAYS = ("portable", "chosen", "randomness", "threads", "files")
X86 = ("fma", "avx2", "avx512", "avx512ifma")


def built(toolchain: str, *options: str) -> Path:
    return cmake(HERE, BUILD / toolchain, "--toolchain", str(TOOLCHAINS / f"{toolchain}.cmake"), *options)


def told(output: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in output.splitlines() if ": RS_" in line)


def check_lines(output: str) -> None:
    lines = told(output)
    assert set(ALWAYS) <= set(lines) <= {*ALWAYS, *X86}, output
    assert set(lines.values()) == {"RS_OK"}, output


@pytest.mark.soak
def test_here(tmp_path: Path) -> None:
    """The check itself, on the machine of the tests."""
    check_lines(output_of(cmake(HERE, BUILD / "here") / "check", tmp_path / "file"))


@pytest.mark.soak
@pytest.mark.parametrize("backend", ["", "portable"])
def test_windows(backend: str, tmp_path: Path) -> None:
    if not shutil.which(MINGW):
        pytest.skip(MISSING.format(MINGW))
    place = built("windows-x86_64")
    if not WINE.exists():
        pytest.skip(MISSING.format("Wine"))
    environment = {"WINEPREFIX": str(BUILD / "wine"), "WINEDEBUG": "-all", "RINGSIDE_BACKEND": backend}
    check_lines(output_of(WINE, place / "check.exe", tmp_path / "file", seconds=HANGS, **environment))


@pytest.mark.soak
@pytest.mark.parametrize("toolchain", ["macos-arm64", "macos-x86_64"])
def test_macos_compiles(toolchain: str) -> None:
    zig = next(Path(sys.prefix).glob("lib/python3*/site-packages/ziglang/zig"), None)
    if zig is None:
        pytest.skip(MISSING.format("zig"))
    library = next(built(toolchain, f"-DRS_ZIG={zig}").rglob("libringside*.dylib")).resolve().read_bytes()
    # Mach-O of 64 bits, and the processor's number in the next word
    processor = {"macos-arm64": 0x0100000C, "macos-x86_64": 0x01000007}[toolchain]
    assert library[:8] == (0xFEEDFACF).to_bytes(4, "little") + processor.to_bytes(4, "little")
