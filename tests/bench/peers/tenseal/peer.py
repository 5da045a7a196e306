# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's build of SEAL, from the wheel that set-up has installed (requirements/demo.txt)."""

from pathlib import Path

from bench.peers.base import PYTHON, Peer
from bench.plan import LEE, TENSEAL

WORKER = Path(__file__).resolve().with_name("worker.py")
PEER = Peer(TENSEAL, "SEAL of TenSEAL, without HEXL", LEE, lambda: [PYTHON, WORKER])
