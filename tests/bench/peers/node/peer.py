# SPDX-License-Identifier: Apache-2.0
"""node-seal in the Node.js of the venv: what the interop tests use (tests/interop/node)."""

from pathlib import Path

from bench.peers.base import BUILD, VENV, AbsentError, Peer
from bench.plan import NODE_SEAL, WASM_SETS

HERE = Path(__file__).resolve().parent


def prepare() -> list[Path]:
    node = VENV / "bin" / "node"
    module = BUILD / "node" / "node_modules" / "node-seal" / "dist" / "index_throws.js"
    for path in (node, module):
        if not path.exists():
            raise AbsentError(f"build/{path.relative_to(BUILD)} is missing (`make bench` without --quick installs it)")
    return [node, HERE / "worker.mjs", module]


# with lee-16, set-up and one context took it more than three minutes
PEER = Peer(NODE_SEAL, "SEAL of node-seal, WebAssembly", WASM_SETS, prepare)
