# SPDX-License-Identifier: Apache-2.0
"""What the schemes that devices compute have in common: the same bytes on the processor, a core and a SoC."""

from __future__ import annotations

from ..devices.calls import DeviceSet, SchemeCall, SchemeText
from ..devices.device import AnyDevice
from ..devices.names import open_device
from ..native.library import CData


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
