# SPDX-License-Identifier: Apache-2.0
"""Both SEALs choose the same primes and compute the same parms_ids."""

from __future__ import annotations

from pathlib import Path

import pytest

import ringside
from asserting import raises
from interop import oracle
from interop.peers import Peer, PeerError
from interop.settings import Setting, random_bits
from oracle import reference

pytestmark = pytest.mark.alike(3, by="setting")

SIZES = [
    (512, [30, 40, 14, 60]),
    (1024, [27]),
    (4096, [36, 36, 37]),
    (8192, [30, 20, 20, 20, 20, 20, 30]),
    (8192, [36, 32, 32, 32, 40]),
    (16384, [60, 48, 48, 48, 48, 48, 48, 60]),
    *(random_bits(f"primes {number}") for number in range(8)),
]


@pytest.mark.parametrize(("n", "bits"), SIZES)
def test_primes(any_peer: Peer, n: int, bits: list[int]) -> None:
    ours = list(ringside.Parameters.from_bits(n, bits, security=0).moduli)
    assert ours == any_peer.create_primes(n, bits) == reference.coeff_modulus(n, bits)


def test_parms_ids(peer: Peer, setting: Setting) -> None:
    """The parms_id of every level; `peer` loaded the parameters from our file."""
    params = setting.params
    ours = [params.parms_id()]
    ours += [params.parms_id(level) for level in range(params.max_level, -1, -1)]
    assert ours == peer.parms_ids()
    chain = setting.moduli
    assert ours == [reference.parms_id(setting.n, chain[:count]).hex() for count in range(len(chain), 0, -1)]


def test_single_limb(any_peer: Peer, tmp_path: Path) -> None:
    """Without a special prime the key level is the only data level."""
    params = ringside.Parameters.named("seal-embedded-1024")
    path = tmp_path / "params.seal"
    params.save(path)
    any_peer.use(path)
    assert any_peer.parms_ids() == [params.parms_id()] == [params.parms_id(0)]


@pytest.mark.parametrize("compression", ["none", "zlib", "zstd"])
@pytest.mark.parametrize("version", ["3.6", "3.7", "4.0", "4.1", "4.2", "4.3", "4.4"])
def test_parameter_file(any_peer: Peer, tmp_path: Path, compression: str, version: str) -> None:
    """Versions 3.x load everywhere, 4.x only in the SEAL of that minor version."""
    params = ringside.Parameters.named("lee-13")
    path = tmp_path / "params.seal"
    params.save(path, compression=compression, version=version)
    assert oracle.file_version(path.read_bytes()) == version
    assert oracle.file_compression(path.read_bytes()) == compression
    if version[0] == "4" and version != any_peer.version:
        raises(PeerError, "incompatible version", any_peer.use, path)
        return
    any_peer.use(path)
    assert any_peer.parms_ids()[0] == params.parms_id()


def test_weak_parameters_are_refused_by_both(any_peer: Peer, tmp_path: Path) -> None:
    """The security check is the same one: 110 bits are one too many for N = 4096."""
    bits = [55, 55]
    raises(ringside.ParameterError, None, ringside.Parameters.from_bits, 4096, bits)
    path = tmp_path / "params.seal"
    ringside.Parameters.from_bits(4096, bits, security=0).save(path)
    raises(PeerError, r"security standard|refuses", any_peer.use, path, security=128)
    ringside.Parameters.from_bits(4096, [54, 55]).save(path)
    any_peer.use(path, security=128)


def taken_with_none_only(peer: Peer, params: ringside.Parameters, path: Path) -> None:
    params.save(path)
    raises(PeerError, r"security standard|refuses", peer.use, path, security=128)
    peer.use(path, security=0)
    assert peer.parms_ids() == [params.parms_id(), params.parms_id(0)]


def test_smallest_degree(any_peer: Peer, tmp_path: Path) -> None:
    """N = 512: SEAL knows no limit of security for it and takes it with `none` only."""
    raises(ringside.ParameterError, "no limit is published", ringside.Parameters.from_bits, 512, [20])
    params = ringside.Parameters.from_bits(512, [30, 30], security=0)
    assert (params.security, params.seal_security) == (0, "none")
    taken_with_none_only(any_peer, params, tmp_path / "params.seal")


def test_above_the_standard_a_server_must_pass_none(any_peer: Peer, tmp_path: Path) -> None:
    """N = 65536 is secure by the guidelines of 2024; stock SEAL has no row for it, whatever the moduli."""
    params = ringside.Parameters.from_bits(65536, [30, 30])
    assert params.seal_security == ringside.Parameters.named("lee-16").seal_security == "none"
    taken_with_none_only(any_peer, params, tmp_path / "params.seal")


def test_their_parameters(any_peer: Peer, setting: Setting, tmp_path: Path) -> None:
    path = tmp_path / "params.seal"
    any_peer.make_parameters(setting.n, setting.moduli, path)
    assert oracle.file_version(path.read_bytes()) == any_peer.version
    assert ringside.Parameters.load(path, security=0) == setting.params
