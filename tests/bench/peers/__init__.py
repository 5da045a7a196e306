# SPDX-License-Identifier: Apache-2.0
"""The peers: who is measured, and how each becomes a program. One folder each, with its worker and, in peer.py, what builds it.

To add one: a folder with a worker that speaks this protocol and a `peer.py` with a PEER, named here. A worker answers each line of JSON with one line:

    {"op": "start", "set": "lee-14", "n": 16384, "moduli": [...], "scale": 1099511627776.0, "special": 1, "direct": 0}
        {"version": "...", ...}                facts for the report; "overhead": {operation: operation whose time is taken off}
    {"op": "check"}  or  {"op": "check_ntt"}
        {"value": largest error of a decrypted value, "digest": "of the transforms"}
    {"op": "encode_encrypt_pk", "runs": 5, "batch": 2}
        {"cpu": [5 numbers], "wall": [5 numbers], "bytes": 0}      ns per call; size of what was saved
    {"op": "session", ...}                     once, in a process of its own, instead of the others

`{"absent": "why"}` says that the peer lacks the operation, `{"error": "what"}` that something failed. `special`: the last modulus is the special prime;
`direct`: encrypt without it. End of input ends the worker. All use the same values (worker.h).
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

ORDER = (RINGSIDE, RINGSIDE_PYTHON, SEAL, RINGSIDE_AVX2, SEAL_AVX2, RINGSIDE_PORTABLE, TENSEAL, SEAL_44)
PEERS: dict[str, Peer] = {peer.name: peer for peer in (*ORDER, RINGSIDE_WASM, NODE, OPENFHE, LATTIGO, TFHE_NTT)}
