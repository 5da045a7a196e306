# SPDX-License-Identifier: Apache-2.0
"""The larger rings. Noise has another size there: a ring of 255 hides what is wrong with it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from asserting import raises
from ringside.errors import MismatchError
from ringside_ltv import client, server
from ringside_ltv.demonstration import CIPHER, KEY, PLAIN, make_all_keys
from ringside_ltv.scheme import BLOCK, LtvParameters, Scheme, Words, encrypt_plain

SEED = bytes(range(32))
FULL = LtvParameters.default(65535)


def silent(done: int, total: int) -> None:
    """Shows no progress."""


def state_after(scheme: Scheme, rounds: int) -> Words:
    make_all_keys(scheme, SEED)
    sent = client.prepare(scheme.info.slots, KEY, None, PLAIN)

    def key(number: int) -> Words:
        return scheme.encrypt_round_key(SEED, number, KEY)

    def start() -> tuple[int, Words]:
        return server.begin(scheme, key, sent.blocks)

    return server.evaluate(scheme, start, key, progress=silent, rounds=rounds).state


def all_right(scheme: Scheme, state: Words) -> None:
    blocks, noise = scheme.decrypt_state(state)
    assert np.all(blocks == np.frombuffer(CIPHER, np.uint8))
    assert blocks.shape == (scheme.info.slots, BLOCK)
    assert noise < scheme.parameters.prime_bits - 8


@pytest.fixture
def scheme(request: pytest.FixtureRequest) -> Iterator[Scheme]:
    with Scheme(request.param, threads=0) as one:
        yield one


def test_plain_aes() -> None:
    assert encrypt_plain(KEY, np.frombuffer(PLAIN, np.uint8).reshape(1, BLOCK)).tobytes() == CIPHER


@pytest.mark.soak  # a third of a minute
@pytest.mark.parametrize("scheme", [LtvParameters.default(4369), LtvParameters.default(4369, 4, False)], indirect=True)
def test_256_blocks(scheme: Scheme) -> None:
    all_right(scheme, state_after(scheme, 10))


@pytest.mark.soak  # one to three minutes on two cores, five to ten by windows; 4 GB
@pytest.mark.parametrize(
    "scheme", [LtvParameters.default(21845), FULL, LtvParameters.default(65535, 4, False)], indirect=True
)
def test_all_blocks(scheme: Scheme) -> None:
    all_right(scheme, state_after(scheme, 10))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("scheme", "is_right"),
    [(FULL, True), (replace(FULL, prime_bits=27), False), (replace(FULL, key_power=2), False)],
    indirect=["scheme"],
)
def test_small_primes_and_the_papers_keys_fail_at_full_size(scheme: Scheme, is_right: bool) -> None:
    """27 bits a level, or evaluation keys of f^2 as the paper prints them: every slot is lost in the second round."""
    state = state_after(scheme, 2)
    if is_right:
        assert scheme.decrypt_state(state)[1] < 20
        return
    raises(MismatchError, "no vector of bits", scheme.decrypt_state, state)


@pytest.mark.parametrize("change", [{"prime_bits": 27}, {"key_power": 2}])
def test_and_pass_on_the_smallest_ring(change: dict[str, int]) -> None:
    """Why the tests above are needed."""
    with Scheme(replace(LtvParameters.default(255), **change), threads=1) as one:
        assert np.all(one.decrypt_state(state_after(one, 10))[0] == np.frombuffer(CIPHER, np.uint8))
