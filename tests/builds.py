# SPDX-License-Identifier: Apache-2.0
"""Programs and CMake projects, built and run by tests."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from exclusive import exclusive
from ringside.processors import usable_processors

ROOT = Path(__file__).resolve().parents[1]

HANGS = 3600  # seconds after which a command is taken to hang; on a busy machine one takes ten times as long as on an idle one


def run(*command: str | Path, seconds: int = HANGS, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the tree with more environment variables; its output is kept."""
    words = [str(word) for word in command]
    environment: Mapping[str, str] = os.environ | variables
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=seconds, env=environment)


def output_of(*command: str | Path, seconds: int = HANGS, **variables: str) -> str:
    """What a command prints. It must succeed."""
    done = run(*command, seconds=seconds, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def need(packages: Mapping[str, str]) -> None:
    """Fail unless all tools are there; `packages` says which Debian package brings each."""
    missing = [tool for tool in packages if not shutil.which(tool)]
    names = " ".join(packages[tool] for tool in missing)
    assert not missing, f"missing: {', '.join(missing)}; `make test` installs the packages {names}"


def cmake(source: Path, build: Path, *options: str | Path, targets: Sequence[str] = ()) -> Path:
    """Configure and build a CMake project, or some of its targets, as far as they are not built yet. Returns its build directory."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    build.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(build):
        output_of("cmake", "-S", source, "-B", build, *generator, *options)
        wanted = ["--target", *targets] if targets else []
        output_of("cmake", "--build", build, "--parallel", str(usable_processors()), *wanted)
    return build


def board_firmware(place: Path, toolchain: str, megabytes: int, values: Mapping[str, int]) -> Path:
    """The firmware that brings boards up, for a memory map and so much RAM. Returns its build directory."""
    lines = [f"#define BOARD_{name} {value:#x}u" for name, value in values.items()]
    (place / "litex.h").write_text("\n".join([*lines, ""]), encoding="utf-8")
    memory = f"MEMORY {{ ram (rwx) : ORIGIN = {values['RAM']:#x}, LENGTH = {megabytes}M }}\n"
    (place / "litex.ld").write_text(memory, encoding="utf-8")
    options = (f"-DRS_PROJECT={place}", "--toolchain", ROOT / f"soc/firmware/{toolchain}.cmake")
    return cmake(ROOT / "soc/boards/firmware", place / "build", *options)


def exports(library: Path) -> set[str]:
    """Names that a shared library gives to others."""
    return {line.split()[-1] for line in output_of("nm", "--dynamic", "--defined-only", library).splitlines()}
