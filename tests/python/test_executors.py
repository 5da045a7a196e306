# SPDX-License-Identifier: Apache-2.0
"""Contexts compute through one interface: whatever has its methods can take the processor's place."""

import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import ringside as rs
from ringside.devices.accelerator import Accelerator
from ringside.devices.cpu import CPU, Cpu
from ringside.devices.calls import Decryption, Encryption, Executor, Job, Plaintexts, Rows
from ringside.devices.names import open_device
from ringside.devices.on_chip import SystemOnChip

SEED = bytes(range(64))
VALUES = np.linspace(-1, 1, 100)
JOBS = {
    (Encryption, Plaintexts): "encrypt",
    (Encryption, Rows): "encrypt rows",
    (Decryption, Plaintexts): "decrypt",
    (Decryption, Rows): "decrypt rows",
}


class Counting(Cpu):
    """The processor, which counts what it is asked for."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def run(self, job: Job) -> None:
        self.calls[JOBS[type(job), type(job.messages)]] += 1
        super().run(job)


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def context(counting: Counting) -> rs.Context:
    return rs.Context(rs.Parameters.from_bits(1024, [27], security=0)).on(counting)


def test_every_operation_goes_through_the_executor(context: rs.Context, counting: Counting) -> None:
    plain = rs.Context(context.params)
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        public = context.public_key(secret)
        assert not counting.calls
        options: dict[str, Any] = {"scale": 2.0**15, "insecure_deterministic_seed": SEED}
        for key in (secret, public):
            got, wanted = (one.encrypt(VALUES, key, **options) for one in (context, plain))
            assert got.to_bytes() == wanted.to_bytes()
            batches = [one.encrypt_batch([VALUES, VALUES], key, **options) for one in (context, plain)]
            assert [one.to_bytes() for one in batches[0]] == [one.to_bytes() for one in batches[1]]
        assert counting.calls == {"encrypt": 2, "encrypt rows": 2}
        context.decrypt(got, secret).close()
        context.decrypt_values(got, secret)
        assert np.array_equal(context.decrypt_batch(batches[0], secret), plain.decrypt_batch(batches[1], secret))
        assert counting.calls == {"encrypt": 2, "encrypt rows": 2, "decrypt": 2, "decrypt rows": 1}


def test_the_processor_is_no_accelerator(context: rs.Context) -> None:
    assert open_device("cpu:", context.params._native) is CPU
    assert context.accelerator is None
    assert context.on(CPU)._executor is CPU


def test_a_context_never_changes_its_executor(context: rs.Context, counting: Counting) -> None:
    """Threads share contexts: one of them once gave all others its device, and what was unpickled came to it too."""
    for name in ("accelerator", "device", "params", "counting"):
        with pytest.raises(AttributeError):
            setattr(context, name, None)
    plain = rs.Context.shared(context.params)
    other = plain.on(counting)
    assert other is not plain
    assert (other.device, plain.device) == (counting.name, "cpu:")
    assert plain._executor is CPU
    with plain.keygen() as secret:
        ciphertext = other.encrypt(VALUES, secret, scale=2.0**15)
        counting.calls.clear()
        copy = pickle.loads(pickle.dumps(ciphertext))
        assert copy.context._executor is CPU
        rs.Context.shared(context.params).decrypt(copy, secret).close()
        assert not counting.calls


def test_threads_keep_to_their_own_executors(context: rs.Context, counting: Counting) -> None:
    """One set of tables, a context for each executor, many threads: each executor gets its own calls and no others."""
    plain = rs.Context(context.params)
    contexts = [plain, plain.on(counting), plain.on(other := Counting())]
    with plain.keygen(insecure_deterministic_seed=SEED) as secret:

        def work(task: int) -> bytes:
            mine = contexts[task % 3]
            ciphertext = mine.encrypt(VALUES, secret, scale=2.0**15, insecure_deterministic_seed=SEED)
            mine.decrypt(pickle.loads(pickle.dumps(ciphertext)), secret).close()
            return ciphertext.to_bytes()

        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(work, range(90)))
    assert len(found) == 1
    assert counting.calls == other.calls == {"encrypt": 30, "decrypt": 30}


@pytest.mark.parametrize("kind", [Cpu, Accelerator, SystemOnChip])
def test_all_executors_have_the_whole_interface(kind: type) -> None:
    wanted = {name for name in vars(Executor) if not name.startswith("_")}
    assert wanted == {"name", "fixed_bits", "run", "close"}
    assert wanted - {"name"} <= set(dir(kind))
