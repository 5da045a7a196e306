# SPDX-License-Identifier: Apache-2.0
"""The C library of this tree, built for release with the default compiler, as it is shipped."""

from pathlib import Path

from bench.peers.base import PLACE, Peer, run
from bench.plan import AVX2, CLIENT, EXACT, NTT, OURS, OURS_AVX2, OURS_PORTABLE, PORTABLE

HERE = Path(__file__).resolve().parent


def prepare() -> list[Path]:
    build = PLACE / "ringside"
    run(OURS, ["cmake", "-S", HERE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"])
    run(OURS, ["cmake", "--build", build, "-j", "2"])
    return [build / "worker"]


PEER = Peer(OURS, "Ringside, C library", (*CLIENT, *EXACT, *NTT), prepare)
PEER_AVX2 = Peer(OURS_AVX2, "Ringside, AVX2 back end", AVX2, prepare, env={"RINGSIDE_BACKEND": "avx2"})
PEER_PORTABLE = Peer(OURS_PORTABLE, "Ringside, plain C", PORTABLE, prepare, env={"RINGSIDE_BACKEND": "portable"})
