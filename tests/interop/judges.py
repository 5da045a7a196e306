# SPDX-License-Identifier: Apache-2.0
"""Lattigo and OpenFHE as programs that are asked line by line. Objects are files."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.peers.base import PLACE, PYTHON, AbsentError, built, run, tool, version_of
from bench.peers.openfhe.peer import python310
from exclusive import exclusive
from line_process import LineProcess

HERE = Path(__file__).resolve().parent
GO_SOURCE = HERE / "lattigo"
OPENFHE_PINS = HERE.parent / "bench" / "peers" / "openfhe" / "requirements.txt"
GO_VERSION = (1, 24)  # what Lattigo 6.2.0 asks for


NO_JUDGE = "no judge: "  # by which the summary of `make test` finds it (scripts/plugins/ringside_stages.py)


def skip_without(name: str, error: AbsentError) -> NoReturn:
    """Skips what needs a library that this machine cannot run."""
    pytest.skip(f"{NO_JUDGE}{name}: {error}")


def lattigo() -> LineProcess:
    """AbsentError if there is no Go that is new enough."""
    go = tool("go", hint="Go 1.24 or newer; Debian 12 has 1.19")
    version = version_of(go, "version")
    found = re.search(r"go(\d+)\.(\d+)", version)
    if not found or tuple(map(int, found.groups())) < GO_VERSION:
        raise AbsentError(f"Go 1.24 or newer is needed, this is: {version or 'none that runs'}")
    with (
        exclusive(PLACE / "locks" / "lattigo"),
        built("lattigo-judge", "Go modules and judge", [GO_SOURCE], version) as place,
    ):
        if place:
            command: list[str | Path] = [go, "build", "-p", "2", "-o", place / "judge", "."]
            run("lattigo-judge", command, cwd=GO_SOURCE, GOTOOLCHAIN="local", GOFLAGS="-buildvcs=false")
    return LineProcess([PLACE / "lattigo-judge" / "judge"])


def openfhe_python() -> tuple[Path, Path]:
    """A Python 3.10, for which the wheel is made, and the folder of OpenFHE's packages. AbsentError if there is none."""
    python = python310()
    with (
        exclusive(PLACE / "locks" / "openfhe"),
        built("openfhe-wheels", "wheels", [OPENFHE_PINS], version_of(python, "--version")) as place,
    ):
        if place:
            # without an environment of its own, which takes ten times as long
            options: list[str | Path] = [
                "--no-deps", "--no-compile", "--only-binary", ":all:", "--python-version", "3.10",
            ]  # fmt: skip
            command = [PYTHON, "-m", "pip", "install", *options, "--target", place / "packages", "-r", OPENFHE_PINS]
            run("openfhe-wheels", command)
    return python, PLACE / "openfhe-wheels" / "packages"


def openfhe() -> LineProcess:
    python, packages = openfhe_python()
    return LineProcess([python, HERE / "openfhe_judge.py"], env=os.environ | {"PYTHONPATH": str(packages)})


def running(name: str, start: Callable[[], LineProcess]) -> Iterator[LineProcess]:
    """A judge for as long as a fixture lives; without it its tests are skipped, and the summary says so."""
    try:
        process = start()
    except AbsentError as error:
        skip_without(name, error)
    yield process
    process.close()


# ---- values ---------------------------------------------------------------------------------------------------------
def random_values(draw: random.Random, count: int) -> NDArray[np.complex128]:
    generator = np.random.default_rng(draw.getrandbits(64))
    return generator.uniform(-1, 1, count) + 1j * generator.uniform(-1, 1, count)


def write_values(path: Path, values: NDArray[np.complex128]) -> Path:
    values.astype("<c16").tofile(path)
    return path


def read_values(path: Path) -> NDArray[np.complex128]:
    return np.fromfile(path, dtype="<c16")
