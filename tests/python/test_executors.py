# SPDX-License-Identifier: Apache-2.0
"""Contexts compute through one interface: whatever has its methods can take the processor's place."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import ringside as rs
from ringside.executors.accelerator import Accelerator
from ringside.executors.cpu import CPU, Cpu
from ringside.executors.interface import Executor
from ringside.executors.names import open_device

SEED = bytes(range(64))
VALUES = np.linspace(-1, 1, 100)
METHODS = {"encrypt", "decrypt", "encrypt_frames", "decrypt_frames"}


class Counting(Cpu):
    """The processor, which counts what it is asked for."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def __getattribute__(self, name: str) -> Any:
        if name in METHODS:
            self.calls[name] += 1
        return super().__getattribute__(name)


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def context(counting: Counting) -> rs.Context:
    made = rs.Context(rs.Parameters.from_bits(1024, [27], security=0))
    made._executor = counting
    return made


def test_every_operation_goes_through_the_executor(context: rs.Context, counting: Counting) -> None:
    plain = rs.Context(context.params)
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        public = context.public_key(secret)
        assert not counting.calls
        options = {"scale": 2.0**15, "insecure_deterministic_seed": SEED}
        for key in (secret, public):
            got, wanted = (one.encrypt(VALUES, key, **options) for one in (context, plain))
            assert got.to_bytes() == wanted.to_bytes()
            batches = [one.encrypt_batch([VALUES, VALUES], key, **options) for one in (context, plain)]
            assert [one.to_bytes() for one in batches[0]] == [one.to_bytes() for one in batches[1]]
        assert counting.calls == {"encrypt": 2, "encrypt_frames": 2}
        context.decrypt(got, secret).close()
        context.decrypt_values(got, secret)
        assert np.array_equal(context.decrypt_batch(batches[0], secret), plain.decrypt_batch(batches[1], secret))
        assert counting.calls == {"encrypt": 2, "encrypt_frames": 2, "decrypt": 2, "decrypt_frames": 1}


def test_the_processor_is_no_accelerator(context: rs.Context) -> None:
    assert open_device("cpu:", context.params._native) is CPU
    assert context.accelerator is None
    context.accelerator = None
    assert context._executor is CPU


@pytest.mark.parametrize("kind", [Cpu, Accelerator])
def test_both_rooms_have_the_whole_interface(kind: type) -> None:
    wanted = {name for name in vars(Executor) if not name.startswith("_")} - {"name"}
    assert wanted == METHODS | {"close"}
    assert wanted <= {name for name in dir(kind) if callable(getattr(kind, name))}
