# SPDX-License-Identifier: Apache-2.0
"""OpenFHE from its wheel, which holds modules for Python 3.10 only."""

import os
from pathlib import Path

from bench.peers.base import PLACE, PYTHON, AbsentError, Peer, built, run, version_of
from bench.plan import EXACT, LEE

HERE = Path(__file__).resolve().parent
OPENFHE_ENV = {"PYTHONPATH": str(PLACE / "openfhe-wheels" / "packages")}


def python310() -> Path:
    """A python3.10 that runs: any on PATH, where pyenv's may be that only say that they are not chosen, or in a folder of pyenv or uv."""
    home = Path.home()
    folders = [Path(folder) for folder in os.get_exec_path()]
    for place in (Path(os.environ.get("PYENV_ROOT") or home / ".pyenv"), home / ".pyenv"):
        folders += sorted(place.glob("versions/3.10*/bin"))
    folders += sorted((home / ".local" / "share" / "uv" / "python").glob("cpython-3.10*/bin"))
    for folder in folders:
        candidate = folder / "python3.10"
        if version_of(candidate, "--version").startswith("Python 3.10"):
            return candidate
    raise AbsentError("no Python 3.10 on PATH or in pyenv, and the wheel has modules for no other (Debian 12 has 3.11)")


def python_with_openfhe() -> Path:
    """A Python 3.10 that, with OPENFHE_ENV, has OpenFHE's packages. AbsentError if there is none."""
    python, pins = python310(), HERE / "requirements.txt"
    with built("openfhe-wheels", "wheels", [pins], version_of(python, "--version")) as place:
        if place:
            # without an environment of its own, which takes ten times as long
            options: list[str | Path] = [
                "--no-deps", "--no-compile", "--only-binary", ":all:", "--python-version", "3.10",
            ]  # fmt: skip
            command = [PYTHON, "-m", "pip", "install", *options, "--target", place / "packages", "-r", pins]
            run("openfhe-wheels", command)
    return python


def prepare() -> list[Path]:
    return [python_with_openfhe(), HERE / "worker.py"]


PEER = Peer("openfhe", "OpenFHE, Python wheel", (*LEE, *EXACT), prepare, env=OPENFHE_ENV)
