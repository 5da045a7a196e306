# SPDX-License-Identifier: Apache-2.0
"""What the schemes that devices compute have in common: the same bytes on the processor, a core and a SoC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from ..devices.calls import DeviceSet, SchemeCall, SchemeText
from ..devices.device import AnyDevice
from ..devices.names import open_device
from ..native.library import BytesLike, CData, lib
from .buffers import given, known_sizes
from .names import SchemeSet, named


class OnDevice:
    """A parameter set and the device that computes it."""

    device: str
    _scheme: DeviceSet
    _device: AnyDevice

    def _open(self, scheme: DeviceSet, device: str) -> None:
        """DeviceError: there is no such device, or it cannot."""
        self._scheme = scheme
        self._move(open_device(device))
        self.device = device

    def _move(self, device: AnyDevice) -> None:
        """To one that is open already."""
        device.prepare(self._scheme)
        self._device, self.device = device, device.name

    def close(self) -> None:
        """Wipes and leaves the device, if it is a core. There is nothing to do on a processor."""
        self._device.close()

    def _run(
        self,
        function: str,
        inputs: dict[str, CData | SchemeText],
        outputs: dict[str, CData],
        drawn: dict[str, tuple[CData | None, int]] | None = None,
        *,
        sealed: bool = False,
    ) -> None:
        """A function of the scheme, see SchemeCall. drawn: bytes that are given for a test, or None and how many are drawn."""
        wanted = drawn or {}
        given = {name: memory for name, (memory, _) in wanted.items() if memory is not None}
        random = {name: size for name, (memory, size) in wanted.items() if memory is None}
        self._device.run(SchemeCall(self._scheme, function, inputs | given, outputs, random, sealed))


class StandardScheme(OnDevice):
    """One of a standard's parameter sets."""

    name: str
    seed_bytes: int

    def __init__(self, name: str, sets: Mapping[str, SchemeSet], library: str, device: str) -> None:
        chosen = named(sets, name, next(iter(sets)).rpartition("-")[0])
        self.name, self.oid, self.category, self._set = chosen.name, chosen.oid, chosen.category, chosen.number
        self._sizes = known_sizes(getattr(lib, f"rs_{library}_sizes")(self._set), name)
        self._open(DeviceSet(library, self._set), device)

    @classmethod
    def _on(cls, name: str, device: AnyDevice) -> Self:
        """On a device that is open already."""
        scheme = cls(name)  # type: ignore[call-arg]  # a scheme knows its sets
        scheme._move(device)
        return scheme

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def _seed(self, call: str, seed: BytesLike | None) -> tuple[CData | None, int]:
        """For _run."""
        if seed is None:
            return None, self.seed_bytes
        what = f"a seed of {self.name}"
        return given(f"{type(self).__name__}.{call}", "seed", seed, self.seed_bytes, what), self.seed_bytes
