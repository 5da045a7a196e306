# SPDX-License-Identifier: Apache-2.0
"""rs_trivium compared with its specification and a vector of eSTREAM; rs_mask_source's seeds, its times and its
alert."""

import random

import numpy as np
import pytest
from rs_block import Block
from rs_cocotb import whole

from ringside.sim.verilate import Simulator, build

test_trivium_illegal = Block("rs_trivium", "Width").refuses("divide 1152", 0, 5, 128)
test_source_illegal = Block("rs_mask_source", "Width LogLife").refuses("LogLife at least 5", (0, 20), (64, 4))
test_source_lint = Block("rs_mask_source", "Width").lints([1, 64, 100])


def trivium(key: int, iv: int, bits: int) -> int:
    """s[i - 1] is s_i of the specification; the first bit of the stream lowest."""
    s = [key >> i & 1 for i in range(80)] + [0] * 13 + [iv >> i & 1 for i in range(80)] + [0] * 112 + [1, 1, 1]
    stream = 0
    for step in range(1152 + bits):
        t = [s[65] ^ s[92], s[161] ^ s[176], s[242] ^ s[287]]
        if step >= 1152:
            stream |= (t[0] ^ t[1] ^ t[2]) << step - 1152
        a, b, c = t[0] ^ s[90] & s[91] ^ s[170], t[1] ^ s[174] & s[175] ^ s[263], t[2] ^ s[285] & s[286] ^ s[68]
        s = [c, *s[:92], a, *s[93:176], b, *s[177:287]]
    return stream


def test_the_model_is_trivium():
    """eSTREAM, set 1, vector 0: key 80 00 ... 00, IV zeros. Bytes of a key come last first, each with its highest
    bit first: the one is K73."""
    assert trivium(1 << 72, 0, 64).to_bytes(8, "little").hex() == "38eb86ff730d7a9c"


@pytest.mark.parametrize("width", [1, 64])
def test_stream(width):
    with Simulator(build("rs_trivium", whole("rs_trivium"), {"Width": width})) as sim:
        for key, iv in [(1 << 72, 0), (random.getrandbits(80), random.getrandbits(80))]:
            sim.set(rst_ni=1, seed_i=1, key_i=key, iv_i=iv, enable_i=1)
            sim.step()
            sim.set(seed_i=0)
            assert sim.wait("valid_o") == 1152 // width + 1
            words = sim.play({"enable_i": np.ones((512 // width, 1), np.uint32)}, ["stream_o"])["stream_o"]
            got = sum(int(word) << min(width, 32) * k for k, word in enumerate(words.reshape(-1)))
            # the cycle of wait has passed too
            assert got == trivium(key, iv, 512 + width) >> width


class Source(Simulator):
    def __init__(self, width: int, life: int = 20) -> None:
        super().__init__(build("rs_mask_source", whole("rs_mask_source"), {"Width": width, "LogLife": life}))
        self.set(rst_ni=0)
        self.step(2)
        self.set(rst_ni=1)

    def seed(self, words: list[int]) -> None:
        for word in words:
            assert self.get("entropy_ready_o") == 1
            self.set(entropy_i=word, entropy_valid_i=1)
            self.step()
        self.set(entropy_valid_i=0)

    def taken(self) -> int:
        value = self.get("rand_o")
        self.set(enable_i=1)
        self.step()
        self.set(enable_i=0)
        return value


def words() -> list[int]:
    return random.sample(range(2**32), 5)


def test_source():
    width = 100
    with Source(width) as source:
        for _ in range(3):
            given = words()
            source.seed(given)
            assert source.get("entropy_ready_o") == 0
            source.step()  # until now a seed of before serves
            assert source.wait("valid_o") == 19
            seed = sum(word << 32 * k for k, word in enumerate(given))
            streams = [trivium(seed & 2**80 - 1, seed >> 80 ^ k, 64 * 4) for k in range(2)]
            for step in range(4):
                source.step(step)  # without enable_i it stands still
                want = sum((stream >> 64 * step & 2**64 - 1) << 64 * k for k, stream in enumerate(streams))
                assert source.taken() == want & 2**width - 1
            source.set(reseed_i=1)
            source.step()
            source.set(reseed_i=0)
            assert source.get("valid_o") == 1  # until the words are there


def test_it_asks_by_itself():
    with Source(64, 6) as source:
        source.seed(words())
        assert source.wait("entropy_ready_o") == 2**6 + 2
        assert source.get("valid_o") == 1


def test_before_a_seed_there_is_nothing():
    with Source(64) as source:
        source.step(100)
        assert (source.get("valid_o"), source.get("entropy_ready_o")) == (0, 1)


@pytest.mark.parametrize("stuck", range(1, 5))
def test_a_stuck_source_is_an_alert(stuck):
    with Source(64) as source:
        given = words()
        given[stuck] = given[stuck - 1]
        source.seed(given[: stuck + 1])
        source.step(100)
        assert source.get("alert_o") == 1
        assert (source.get("valid_o"), source.get("entropy_ready_o")) == (0, 0)
        source.set(rst_ni=0)
        source.step()
        source.set(rst_ni=1)
        assert source.get("alert_o") == 0
        source.seed(words())
        assert source.wait("valid_o") == 20
