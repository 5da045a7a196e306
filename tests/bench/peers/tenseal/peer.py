# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's build of SEAL, from the wheel that set-up has installed (requirements/demo.txt)."""

from pathlib import Path

from bench.peers.base import PYTHON, Peer
from bench.plan import LEE, TENSEAL

HERE = Path(__file__).resolve().parent


def prepare() -> list[Path]:
    return [PYTHON, HERE / "worker.py"]


PEER = Peer(TENSEAL, "SEAL of TenSEAL, without HEXL", LEE, prepare)
