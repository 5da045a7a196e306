# SPDX-License-Identifier: Apache-2.0
"""The Python package, as set-up has installed it."""

from pathlib import Path

from bench.peers.base import PYTHON, Peer
from bench.plan import LEE

WORKER = Path(__file__).resolve().with_name("worker.py")
PEER = Peer("ringside-py", "Ringside, Python package", LEE, lambda: [PYTHON, WORKER])
