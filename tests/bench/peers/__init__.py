# SPDX-License-Identifier: Apache-2.0
"""The peers: who is measured, and how each becomes a program. One folder each, with its worker and, in peer.py, what builds it.

To add one: a folder with a worker that speaks the protocol of docs/benchmarks.md and a `peer.py` with a PEER, named here.
"""

from bench.peers.base import Peer
from bench.peers.lattigo.peer import PEER as LATTIGO
from bench.peers.node.peer import PEER as NODE
from bench.peers.openfhe.peer import PEER as OPENFHE
from bench.peers.ringside_c.peer import PEER as RINGSIDE
from bench.peers.ringside_c.peer import PEER_AVX2 as RINGSIDE_AVX2
from bench.peers.ringside_c.peer import PEER_PORTABLE as RINGSIDE_PORTABLE
from bench.peers.ringside_py.peer import PEER as RINGSIDE_PYTHON
from bench.peers.ringside_wasm.peer import PEER as RINGSIDE_WASM
from bench.peers.seal.peer import PEER as SEAL
from bench.peers.seal.peer import PEER_AVX2 as SEAL_AVX2
from bench.peers.seal_python.peer import PEER as SEAL_44
from bench.peers.tenseal.peer import PEER as TENSEAL
from bench.peers.tfhe_ntt.peer import PEER as TFHE_NTT

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        RINGSIDE,
        RINGSIDE_PYTHON,
        SEAL,
        RINGSIDE_AVX2,
        SEAL_AVX2,
        RINGSIDE_PORTABLE,
        TENSEAL,
        SEAL_44,
        RINGSIDE_WASM,
        NODE,
        OPENFHE,
        LATTIGO,
        TFHE_NTT,
    )
}
