# SPDX-License-Identifier: Apache-2.0
"""A context's device: where it encrypts and decrypts."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Self

from ...arguments import checks_arguments
from ...devices.accelerator import Accelerator, core_of
from ...devices.calls import Encryption, Messages
from ...devices.cpu import CPU
from ...devices.device import AnyDevice, Counting
from ...devices.names import open_device
from ...errors import ArgumentError
from ...native.rng import Randomness
from ...notebook import facts_html
from ...progress import Progress
from .ciphertext import Ciphertext
from .key_maker import KeyMaker
from .keys import PublicKey, SecretKey, encryption_kind
from .params import Parameters


@checks_arguments
class DeviceTables(KeyMaker):
    """Tables that make keys, and a device. See Context."""

    _name: str
    _device: AnyDevice

    def _open(self, device: str) -> None:
        self._name = device
        self._device = open_device(device, self.params._native)
        weakref.finalize(self, self._device.close)
        if device == CPU.name:
            self._share()

    def on(self, executor: AnyDevice) -> Self:
        """Another context with the same tables, which encrypts and decrypts on a device that the caller has opened, and closes.

        This one stays as it is. ringside.devices.names opens devices; ringside.devices.device says what one is.
        """
        if not isinstance(getattr(executor, "name", None), str):
            message = f"A {type(executor).__name__} is no device."
            raise ArgumentError("ARGUMENT", message, "ringside.devices.names.open_device opens one.")
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._name, other._device = executor.name, executor
        return other

    def _encrypted(
        self,
        messages: Messages,
        count: int,
        limbs: int,
        key: SecretKey | PublicKey,
        options: Any,
        randomness: Randomness,
        digests: Sequence[bytes],
        threads: int | None = 1,
        progress: Progress | None = None,
        *,
        ntt: bool = False,
    ) -> list[Ciphertext]:
        """Encryptions of so many messages, by the device. options: those that all encryptions have; digests: of plaintexts, for tests. ntt: of BFV."""
        seeded, seed_type = isinstance(key, SecretKey) and options["seeded"] is not False, options["seed_type"]
        found = [Ciphertext._new(self, limbs, seeded, seed_type) for _ in range(count)]
        kind = encryption_kind(key, options["special_prime"])
        # the same a, read in two forms, with the same error would give s away
        label = f"{seed_type} ntt" if ntt else seed_type
        rng = randomness.of_ciphertexts(kind, label, key._handle, (self.n, self.params.limb_count), digests)
        natives, handles = [one._native for one in found], (self._handle, key._handle)
        self._device.run(Encryption(*handles, messages, natives, kind, limbs, rng, threads, progress, ntt=ntt))
        return found

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as parameters and the device's name: a worker process makes its own tables, once."""
        if self.device == CPU.name:
            return type(self).shared, (self.params,)
        return _made, (type(self), self.params, self.device)

    def __copy__(self) -> Self:
        return self  # immutable

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def _repr_html_(self) -> str:
        return facts_html(type(self).__name__, [("device", self.device)]) + self.params._repr_html_()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.params!r}, device={self.device!r})"

    @property
    def device(self) -> str:
        """Where encryption and decryption run, by name."""
        return self._name

    @property
    def accelerator(self) -> Accelerator | None:
        """The core that encrypts and decrypts; None: there is none, or it is behind another processor (`soc:`)."""
        return core_of(self._device)

    @property
    def counting(self) -> Counting | None:
        """The device that counts its cycles; None on the processor."""
        return self._device.counting


def _made(kind: type[DeviceTables], params: Parameters, device: str) -> DeviceTables:
    return kind(params, device=device)  # type: ignore[call-arg]  # each of them has it
