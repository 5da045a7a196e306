# SPDX-License-Identifier: Apache-2.0
"""Lattigo through Go modules, at the versions of go.mod and go.sum."""

import re
from pathlib import Path

from bench.peers.base import PLACE, AbsentError, Peer, built, run, tool, version_of
from bench.plan import EXACT, LEE, NTT

HERE = Path(__file__).resolve().parent
GO_VERSION = (1, 24)  # what Lattigo 6.2.0 asks for


def prepare() -> list[Path]:
    go = tool("go", hint="Go 1.24 or newer; Debian 12 has 1.19")
    version = version_of(go, "version")
    found = re.search(r"go(\d+)\.(\d+)", version)
    if not found or tuple(map(int, found.groups())) < GO_VERSION:
        raise AbsentError(f"Go 1.24 or newer is needed, this is: {version or 'none that runs'}")
    with built("lattigo", "Go modules and worker", [HERE], version) as place:
        if place:
            run(
                "lattigo", [go, "build", "-o", place / "worker", "."], cwd=HERE, GOTOOLCHAIN="local",
                GOFLAGS="-buildvcs=false",
            )  # fmt: skip
    return [PLACE / "lattigo" / "worker"]


PEER = Peer("lattigo", "Lattigo", (*LEE, *NTT, *EXACT), prepare)
