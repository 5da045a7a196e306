# SPDX-License-Identifier: Apache-2.0
"""One context, one set of keys, many threads: the same bits as one thread."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import ringside as rs

THREADS = 8


def work(context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey, task: int) -> tuple[Any, ...]:
    values = np.random.default_rng(task).normal(size=context.slots)
    seed = task.to_bytes(64, "little")
    key = public if task % 2 else secret
    ciphertext = context.encrypt(values, key, insecure_deterministic_seed=seed, level=task % 3 % 2)
    data = ciphertext.to_bytes(compression="zstd")
    return data, context.decrypt_values(rs.Ciphertext.from_bytes(context, data), secret).tobytes()


def test_bit_identical(context: rs.Context, secret: rs.SecretKey) -> None:
    tasks = range(32)
    alone = [work(context, secret, context.public_key(secret, insecure_deterministic_seed=bytes(64)), t) for t in tasks]
    # not yet expanded: the threads race for the first use
    public = context.public_key(secret, insecure_deterministic_seed=bytes(64))
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(lambda task: work(context, secret, public, task), tasks))
    assert together == alone


@pytest.mark.slow
def test_bit_identical_for_long() -> None:
    context = rs.Context(rs.Parameters.named("lee-14"))
    with context.keygen() as secret:
        public = context.public_key(secret)
        tasks = range(100)
        alone = [work(context, secret, public, task) for task in tasks]
        with ThreadPoolExecutor(THREADS) as pool:
            for _ in range(3):
                assert list(pool.map(lambda task: work(context, secret, public, task), tasks)) == alone
