# SPDX-License-Identifier: Apache-2.0
"""SEAL 4.4.0, the newest that a registry has, in the build of the Python module `seal-python`: x86-64 code for every processor, without HEXL.

Its source archive lacks SEAL's own sources, so HEXL cannot be added, nor the options of our compiler.
"""

from pathlib import Path

from bench.peers.base import PYTHON, Peer
from bench.plan import LEE, SEAL_44

WORKER = Path(__file__).resolve().with_name("worker.py")
ORIGIN = "the wheel of seal-python: a generic x86-64 build without HEXL, called through its Python binding"
PEER = Peer(SEAL_44, "SEAL 4.4 of seal-python, without HEXL", LEE, lambda: [PYTHON, WORKER], ORIGIN)
