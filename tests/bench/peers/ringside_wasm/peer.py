# SPDX-License-Identifier: Apache-2.0
"""Ringside's npm package in the Node.js of the venv, beside node-seal. clang-16 compiles it (js/package.py)."""

import shutil
from pathlib import Path

from bench.peers.base import PLACE, PYTHON, ROOT, VENV, AbsentError, Peer, built, run, version_of
from bench.plan import WASM_SETS

HERE = Path(__file__).resolve().parent
SCRIPT = ROOT / "js" / "package.py"
COMPILER = "clang-16"
SOURCES = [ROOT / "js", ROOT / "lib" / "src", ROOT / "lib" / "include", ROOT / "lib" / "sources.cmake"]


def prepare() -> list[Path]:
    node = VENV / "bin" / "node"
    if not node.exists():
        raise AbsentError("build/venv/bin/node is missing (`make bench` without --quick installs it)")
    if not shutil.which(COMPILER):
        raise AbsentError(f"no {COMPILER} on PATH (Debian's clang-16, lld-16 and wasi-libc)")
    package = PLACE / "ringside-wasm" / "package"
    with built("ringside-wasm", "WebAssembly", SOURCES, version_of(COMPILER, "--version")) as place:
        if place:
            options: list[str | Path] = ["--no-setup", "--no-archive", "--work", place / "objects", "--out", package]
            run("ringside-wasm", [PYTHON, SCRIPT, *options])
    return [node, HERE / "worker.mjs", package]


PEER = Peer("ringside-wasm", "Ringside, WebAssembly", WASM_SETS, prepare)
