# SPDX-License-Identifier: Apache-2.0
"""The Python package, as set-up has installed it."""

from pathlib import Path

from bench.peers.base import PYTHON, Peer
from bench.plan import LEE

HERE = Path(__file__).resolve().parent


def prepare() -> list[Path]:
    return [PYTHON, HERE / "worker.py"]


PEER = Peer("ringside-py", "Ringside, Python package", LEE, prepare)
