# SPDX-License-Identifier: Apache-2.0
"""SHAKE256, BLAKE2b, BLAKE2Xb and SEAL's seed blocks against hashlib and published vectors."""

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from oracle import core, reference

DATA = bytes(range(256)) * 5
SIZES = [0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 135, 136, 137, 255, 256, 257, 271, 272, 273, 1000]


# ---- SHAKE256 -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("out", [1, 31, 136, 137, 272, 4096])
def test_shake256_is_hashlibs(size: int, out: int) -> None:
    assert core.shake256(out, DATA[:size]) == hashlib.shake_256(DATA[:size]).digest(out)


def test_shake256_of_nothing() -> None:
    # NIST, "SHAKE256 Message of 0 bits" (cryptographic standards examples), first 64 bytes
    want = (
        "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
        "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"
    )
    assert core.shake256(64, b"").hex() == want


def test_shake256_of_1600_bits() -> None:
    # NIST, "SHAKE256 Message of 1600 bits": 200 bytes of a3, first 64 bytes
    want = (
        "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"
        "2d700caae7396ece96604440577da4f3aa22aeb8857f961c4cd8e06f0ae6610b"
    )
    assert core.shake256(64, b"\xa3" * 200).hex() == want


# ---- sponges --------------------------------------------------------------------------------------------------------
DIGESTS: dict[str, Callable[[bytes], bytes]] = {
    "SHAKE128": lambda data: hashlib.shake_128(data).digest(700),
    "SHAKE256": lambda data: hashlib.shake_256(data).digest(700),
    "SHA3_256": lambda data: hashlib.sha3_256(data).digest(),
    "SHA3_512": lambda data: hashlib.sha3_512(data).digest(),
}


@pytest.mark.parametrize("kind", DIGESTS)
@pytest.mark.parametrize("size", [*SIZES, 71, 72, 73, 167, 168, 169, 336])
def test_sponges_are_hashlibs_in_any_pieces(kind: str, size: int) -> None:
    """Absorbed and squeezed in pieces of every length from 1 on, and all at once."""
    want = DIGESTS[kind](DATA[:size])
    assert core.sponge_hash(kind, len(want), DATA[:size]) == want
    for piece in (1, 3, 8, 13, 72, 136, 168, 500):
        assert core.sponge(kind, len(want), DATA[:size], piece) == want


# ---- BLAKE2b --------------------------------------------------------------------------------------------------------
def test_blake2b_of_abc() -> None:
    # RFC 7693, appendix A
    want = (
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    )
    assert core.blake2b(64, b"abc").hex() == want


def test_blake2b_self_test() -> None:
    # RFC 7693, appendix E: a hash over hashes of many lengths, keyed and not, of this sequence
    def sequence(size: int, seed: int) -> bytes:
        a, b = 0xDEAD4BAD * seed & 0xFFFFFFFF, 1
        out = bytearray()
        for _ in range(size):
            a, b = b, (a + b) & 0xFFFFFFFF
            out.append(b >> 24)
        return bytes(out)

    total = b""
    for out in (20, 32, 48, 64):
        for size in (0, 3, 128, 129, 255, 1024):
            data = sequence(size, size)
            total += core.blake2b(out, data) + core.blake2b(out, data, sequence(out, out))
    want = "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475"
    assert core.blake2b(32, total).hex() == want


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key_size", [0, 1, 32, 64])
def test_blake2b_is_hashlibs(size: int, key_size: int) -> None:
    key = DATA[100 : 100 + key_size]
    for out in (1, 20, 32, 63, 64):
        want = hashlib.blake2b(DATA[:size], digest_size=out, key=key).digest()
        assert core.blake2b(out, DATA[:size], key) == want


# ---- BLAKE2Xb -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("out", [1, 2, 32, 63, 64, 65, 127, 128, 129, 1000, 4096])
@pytest.mark.parametrize("size", [0, 8, 128, 256])
@pytest.mark.parametrize("key_size", [0, 1, 64])
def test_blake2xb_is_a_tree_of_blake2b(out: int, size: int, key_size: int) -> None:
    key = DATA[:key_size]
    assert core.blake2xb(out, DATA[:size], key) == reference.blake2xb(out, DATA[:size], key)


def test_blake2xb_known_answers() -> None:
    # blake2xb in the BLAKE2 authors' blake2-kat.json: input 00 … ff, without key and with key 00 … 3f; the shortest outputs
    data, key = bytes(range(256)), bytes(range(64))
    plain = ["f0", "b5aa", "bc38f1", "57624fb2"]
    keyed = ["64", "f457", "e8c045", "a74c6d0d", "eb02ae482a", "be65b981275e", "8540ccd083a455"]
    assert [core.blake2xb(i + 1, data).hex() for i in range(len(plain))] == plain
    assert [core.blake2xb(i + 1, data, key).hex() for i in range(len(keyed))] == keyed


@pytest.mark.parametrize("size", [0, 1, 64, 127, 128])
def test_reference_blake2b_is_hashlibs(size: int) -> None:
    """The compression function that the leaves of the reference are made with."""
    params = np.zeros((8, 2), np.uint64)
    params[0] = [64 | 1 << 16 | 1 << 24, 32 | 1 << 16 | 1 << 24]
    got = reference.blake2b_last_block(params, DATA[:size]).T.astype("<u8")
    assert got[0].tobytes() == hashlib.blake2b(DATA[:size]).digest()
    assert got[1].tobytes()[:32] == hashlib.blake2b(DATA[:size], digest_size=32).digest()


@pytest.mark.parametrize("kind", [core.BLAKE2XB, core.SHAKE256])
@pytest.mark.parametrize("counter", [0, 1, 255, 2**32 + 5, 2**64 - 1])
def test_seed_block(kind: int, counter: int) -> None:
    seed = DATA[7:71]
    assert core.seed_block(kind, seed, counter) == reference.seed_block(kind, seed, counter)


# ---- private stream -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("domain", [1, 2, 3, 4, 5])
def test_private_stream(domain: int) -> None:
    seed = DATA[3:67]
    whole = reference.private_stream(1000, seed, domain)
    assert core.private_stream(1000, seed, domain) == whole
    for offset in (0, 1, 64, 135, 136, 137, 500):
        for size in (0, 1, 64, 136, 137, 300):
            assert core.private_stream(size, seed, domain, offset) == whole[offset : offset + size]


def test_private_streams_differ() -> None:
    seeds = [bytes(64), bytes(63) + b"\1"]
    assert len({core.private_stream(64, seed, domain) for seed in seeds for domain in range(1, 6)}) == 10
