# SPDX-License-Identifier: Apache-2.0
"""Fixtures: the two SEALs, and parameter sets with Ringside's keys made under them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from interop.judges import judge, lattigo, openfhe
from interop.peers import Peer, SealNative, SealWasm
from interop.settings import NAMED_SETS, RANDOM_SETS, SMALLEST_SET, SOAK_SETS, Setting

__all__ = ["judge", "lattigo", "openfhe"]

PEERS = ("tenseal", "node-seal")


@pytest.fixture(scope="session")
def peers() -> Iterator[dict[str, Peer]]:
    node = SealWasm()
    yield {"tenseal": SealNative(), "node-seal": node}
    node.close()


@pytest.fixture(scope="session")
def get_setting(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Setting]:
    """Settings by name; the last few are kept."""
    kept: dict[str, Setting] = {}

    def get(name: str) -> Setting:
        if name not in kept:
            while len(kept) >= 4:
                kept.pop(next(iter(kept)))
            kept[name] = Setting(name, tmp_path_factory.mktemp(name))
        return kept[name]

    return get


@pytest.fixture(
    scope="session",  # so that pytest runs all tests of a set together: contexts are slow to make
    params=[
        *NAMED_SETS,
        *RANDOM_SETS,
        SMALLEST_SET,
        *(pytest.param(name, marks=pytest.mark.soak) for name in SOAK_SETS),
    ],
)
def setting(request: pytest.FixtureRequest, get_setting: Callable[[str], Setting]) -> Setting:
    """Every parameter set in turn."""
    return get_setting(request.param)


@pytest.fixture
def small(get_setting: Callable[[str], Setting]) -> Setting:
    """One small set, for what does not depend on the parameters."""
    return get_setting("lee-12")


@pytest.fixture(scope="session", params=PEERS)
def any_peer(request: pytest.FixtureRequest, peers: dict[str, Peer]) -> Peer:
    return peers[request.param]


@pytest.fixture
def peer(any_peer: Peer, setting: Setting) -> Peer:
    """Each SEAL in turn, with the setting's parameters, which it loads from Ringside's file."""
    setting.enter(any_peer)
    return any_peer


@pytest.fixture
def small_peer(any_peer: Peer, small: Setting) -> Peer:
    small.enter(any_peer)
    return any_peer
