# SPDX-License-Identifier: Apache-2.0
"""Contexts compute through one interface: whatever has its methods can take the processor's place."""

import pickle
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from ringside.devices import calls
from ringside.devices.accelerator import Accelerator
from ringside.devices.cpu import CPU, Cpu
from ringside.devices.device import AnyDevice
from ringside.devices.names import open_device
from ringside.devices.on_chip import SystemOnChip
from ringside.native.library import ffi
from ringside.native.rng import Rng

SEED = bytes(range(64))
VALUES = np.linspace(-1, 1, 100)
CALLS = {
    (calls.Encryption, calls.Plaintexts): "encrypt",
    (calls.Encryption, calls.Rows): "encrypt rows",
    (calls.Decryption, calls.Plaintexts): "decrypt",
    (calls.Decryption, calls.Rows): "decrypt rows",
}


class Counting(Cpu):
    """The processor, which counts what it is asked for."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def run(self, call: calls.Call) -> None:
        assert isinstance(call, calls.Encryption | calls.Decryption)
        self.calls[CALLS[type(call), type(call.messages)]] += 1
        super().run(call)


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def context(counting: Counting) -> rs.Context:
    return rs.Context(rs.Parameters.from_bits(1024, [27], security=0)).on(counting)


def test_every_operation_goes_through_the_device(context: rs.Context, counting: Counting) -> None:
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
    assert context.on(CPU)._device is CPU


def test_a_context_never_changes_its_device(context: rs.Context, counting: Counting) -> None:
    """Threads share contexts: one of them once gave all others its device, and what was unpickled came to it too."""
    for name in ("accelerator", "device", "params", "counting"):
        raises(AttributeError, None, setattr, context, name, None)
    plain = rs.Context.shared(context.params)
    other = plain.on(counting)
    assert other is not plain
    assert (other.device, plain.device) == (counting.name, "cpu:")
    assert plain._device is CPU
    with plain.keygen() as secret:
        ciphertext = other.encrypt(VALUES, secret, scale=2.0**15)
        counting.calls.clear()
        copy = pickle.loads(pickle.dumps(ciphertext))
        assert copy.context._device is CPU
        rs.Context.shared(context.params).decrypt(copy, secret).close()
        assert not counting.calls


def test_threads_keep_to_their_own_devices(context: rs.Context, counting: Counting) -> None:
    """One set of tables, a context for each device, many threads: each device gets its own calls and no others."""
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
def test_all_devices_have_the_whole_interface(kind: type[AnyDevice]) -> None:
    assert not kind.__abstractmethods__
    wanted = {name for name in vars(AnyDevice) if not name.startswith("_")}
    assert wanted >= {"fixed_bits", "run", "compute", "prepare", "close"}
    assert wanted <= set(dir(kind))


NO_SCHEME = calls.DeviceSet("mlkem", 768)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda fixed: fixed, "does not encode"),
        (lambda fixed: calls.Program([0], [], 10), "runs no programs"),
        (lambda fixed: calls.SchemeCall(NO_SCHEME, "seal", {}, {}, {"seed": 64}, sealed=True), "keeps no keys"),
    ],
)
@pytest.mark.parametrize("device", [CPU, SystemOnChip("soc:none", None, Path(), Path(), {})])
def test_a_call_that_a_device_cannot_make_is_refused_before_anything_is_drawn(
    context: rs.Context,
    device: AnyDevice,
    call: Callable[[calls.Encryption], calls.Call],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ringside.devices.calls.drawn", pytest.fail)
    rng = Rng()
    rng.pointer.fill = ffi.NULL
    slots = [calls.Slots(context._fixed[54], np.zeros(4, np.int8), 0, 8)]
    with context.keygen() as key:
        fixed = calls.Encryption(context._handle, key._handle, calls.FixedRows(slots), [ffi.NULL], 0, 1, rng)
        raises(rs.DeviceError, f"{device.name} {words}", device.run, call(fixed))
