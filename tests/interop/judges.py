# SPDX-License-Identifier: Apache-2.0
"""Lattigo and OpenFHE as programs that are asked line by line. Objects are files."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
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


def _lattigo() -> LineProcess:
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


def _openfhe() -> LineProcess:
    python, packages = openfhe_python()
    return LineProcess([python, HERE / "openfhe_judge.py"], env=os.environ | {"PYTHONPATH": str(packages)})


def _running(name: str, start: Callable[[], LineProcess]) -> Iterator[LineProcess]:
    """A judge for as long as a fixture lives; without it its tests are skipped, and the summary says so."""
    try:
        process = start()
    except AbsentError as error:
        skip_without(name, error)
    yield process
    process.close()


@pytest.fixture(scope="module")
def lattigo() -> Iterator[LineProcess]:
    yield from _running("Lattigo", _lattigo)


@pytest.fixture(scope="module")
def openfhe() -> Iterator[LineProcess]:
    yield from _running("OpenFHE", _openfhe)


@pytest.fixture(scope="module")
def judge(request: pytest.FixtureRequest) -> Any:
    """Of a module whose name says which."""
    return request.getfixturevalue("openfhe" if "openfhe" in request.module.__name__ else "lattigo")


# ---- keys there and back are the same files -------------------------------------------------------------------------
def same_secret_and_public(server: Any, key: rs.SecretKey, public: rs.PublicKey, folder: Path) -> None:
    server.save_secret_key(key, folder / "secret.again")
    assert (folder / "secret.again").read_bytes() == (folder / "secret").read_bytes()
    assert server.public_key_to_bytes(public) == (folder / "public").read_bytes()


def same_evaluation_keys_of_lattigo(server: rs.Lattigo, folder: Path) -> None:
    files: Any = {"relin_keys": folder / "relin.seal", "galois_keys": folder / "galois.seal"}
    server.read_evaluation_keys(folder / "evaluation", **files)
    server.convert_evaluation_keys(folder / "again", **files)
    assert (folder / "again").read_bytes() == (folder / "evaluation").read_bytes()


def same_evaluation_keys_of_openfhe(server: rs.OpenFHE, folder: Path) -> None:
    for name, read, convert in (
        ("relin", server.read_relin_keys, server.convert_relin_keys),
        ("galois", server.read_rotation_keys, server.convert_rotation_keys),
    ):
        read(folder / name, folder / f"{name}.seal")
        convert(folder / f"{name}.seal", folder / f"{name}.again")
        assert (folder / f"{name}.again").read_bytes() == (folder / name).read_bytes()


# ---- values ---------------------------------------------------------------------------------------------------------
def random_values(draw: random.Random, count: int) -> NDArray[np.complex128]:
    generator = np.random.default_rng(draw.getrandbits(64))
    return generator.uniform(-1, 1, count) + 1j * generator.uniform(-1, 1, count)


def write_values(path: Path, values: NDArray[np.complex128]) -> Path:
    values.astype("<c16").tofile(path)
    return path


def read_values(path: Path) -> NDArray[np.complex128]:
    return np.fromfile(path, dtype="<c16")
