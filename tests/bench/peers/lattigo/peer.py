# SPDX-License-Identifier: Apache-2.0
"""Lattigo through Go modules, at the versions of go.mod and go.sum."""

import re
from pathlib import Path

from bench.peers.base import PLACE, AbsentError, Peer, built, run, tool, version_of
from bench.plan import EXACT, LEE, NTT

HERE = Path(__file__).resolve().parent
GO_VERSION = (1, 24)  # what Lattigo 6.2.0 asks for


def new_go() -> tuple[str, str]:
    """Go and what it says of its version. AbsentError if there is none that is new enough."""
    go = tool("go", hint="Go 1.24 or newer; Debian 12 has 1.19")
    version = version_of(go, "version")
    found = re.search(r"go(\d+)\.(\d+)", version)
    if not found or tuple(map(int, found.groups())) < GO_VERSION:
        raise AbsentError(f"Go 1.24 or newer is needed, this is: {version or 'none that runs'}")
    return go, version


def go_program(name: str, source: Path, program: str) -> Path:
    """A program of a Go module, built."""
    go, version = new_go()
    with built(name, f"Go modules and {program}", [source], version) as place:
        if place:
            command: list[str | Path] = [go, "build", "-p", "2", "-o", place / program, "."]
            run(name, command, cwd=source, GOTOOLCHAIN="local", GOFLAGS="-buildvcs=false")
    return PLACE / name / program


def prepare() -> list[Path]:
    return [go_program("lattigo", HERE, "worker")]


PEER = Peer("lattigo", "Lattigo", (*LEE, *NTT, *EXACT), prepare)
