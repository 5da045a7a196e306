# SPDX-License-Identifier: Apache-2.0
"""Lattigo and OpenFHE as programs that are asked line by line. Objects are files."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from bench.peers.base import AbsentError
from bench.peers.lattigo.peer import go_program
from bench.peers.openfhe.peer import OPENFHE_ENV, python_with_openfhe
from line_process import LineProcess

HERE = Path(__file__).resolve().parent
NO_JUDGE = "no judge: "  # by which the summary of `make test` finds it (scripts/plugins/ringside_stages.py)


def skip_without(name: str, error: AbsentError) -> NoReturn:
    """Skips what needs a library that this machine cannot run."""
    pytest.skip(f"{NO_JUDGE}{name}: {error}")


def _lattigo() -> LineProcess:
    return LineProcess([go_program("lattigo-judge", HERE / "lattigo", "judge")])


def _openfhe() -> LineProcess:
    return LineProcess([python_with_openfhe(), HERE / "openfhe_judge.py"], env=os.environ | OPENFHE_ENV)


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
