# SPDX-License-Identifier: Apache-2.0
"""tfhe-ntt, a Rust crate, at its best: for this processor, with link-time optimisation."""

import shutil
from pathlib import Path

from bench.peers.base import PLACE, Peer, built, processor, run, tool, version_of
from bench.plan import NTT, TFHE

HERE = Path(__file__).resolve().parent


def prepare() -> list[Path]:
    cargo = tool("cargo", hint="Rust 1.89 or newer; Debian 12's is in cargo-web and rustc-web")
    with built("tfhe_ntt", "Rust crates and worker", [HERE], version_of(cargo, "--version"), processor()) as place:
        if place:
            source = place / "source"  # cargo writes beside its manifest
            source.mkdir()
            for name in ("Cargo.toml", "worker.rs"):
                shutil.copy(HERE / name, source)
            run("tfhe-ntt", [cargo, "build", "--release", "-j", "2"], cwd=source, RUSTFLAGS="-C target-cpu=native")
    return [PLACE / "tfhe_ntt" / "source" / "target" / "release" / "worker"]


PEER = Peer(TFHE, "tfhe-ntt", NTT, prepare)
