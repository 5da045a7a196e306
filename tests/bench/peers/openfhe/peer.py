# SPDX-License-Identifier: Apache-2.0
"""OpenFHE from its wheel. The wheel holds modules for Python 3.10 only, so it gets a venv of its own."""

import os
from pathlib import Path

from bench.peers.base import PLACE, AbsentError, Peer, built, run, version_of
from bench.plan import EXACT, LEE

HERE = Path(__file__).resolve().parent


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


def prepare() -> list[Path]:
    python = python310()
    pins = HERE / "requirements.txt"
    with built("openfhe", "virtual environment", [pins], version_of(python, "--version"), str(python)) as place:
        if place:
            run("openfhe", [python, "-m", "venv", place / "venv"])
            options: list[str | Path] = ["--no-deps", "--only-binary", ":all:", "-r", pins]
            run("openfhe", [place / "venv" / "bin" / "python", "-m", "pip", "install", *options])
    return [PLACE / "openfhe" / "venv" / "bin" / "python", HERE / "worker.py"]


PEER = Peer("openfhe", "OpenFHE, Python wheel", (*LEE, *EXACT), prepare)
