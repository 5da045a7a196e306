# SPDX-License-Identifier: Apache-2.0
"""A parameter set of ML-KEM or ML-DSA on a simulated core, `device="sim:pqc-4"`: the same bytes as on the processor."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..errors import DeviceError
from ..devices.accelerator import Accelerator
from ..native.library import CData, lib, request
from .place import Member, SchemePlace, SchemeText, cannot, is_of_device, is_refusal

Call = Callable[[CData], int]  # a function of the library with its device still to come: the status


class SchemeCore:
    """A core that a set has prepared. Threads take turns."""

    def __init__(self, device: Accelerator, prepare: Call) -> None:
        """DeviceError: the core has no units for these schemes, or is too small for the set."""
        self.device = device
        self._lock = threading.Lock()
        status = prepare(device._device)
        if is_refusal(status):
            raise cannot(device.name)
        device.check(status)

    def run(self, call: Call) -> int:
        """The status of a call. DeviceError: the device failed, not the scheme."""
        with self._lock:
            status = call(self.device._device)
        if status != lib.RS_ERR_DEVICE_NOT_LOADED and is_of_device(status):
            self.device.check(status)
        return status

    @property
    def is_sealed(self) -> bool:
        """Whether it has slots for keys."""
        features = int(self.device.design.features)
        return bool(features & lib.RS_FEATURE_FIELDS and features & lib.RS_FEATURE_SEALED)

    def call(self, name: str, **members: Member) -> int:
        """As SchemePlace says."""
        given = {key: value.native() if isinstance(value, SchemeText) else value for key, value in members.items()}
        asked = request(f"rs_{name}_request_t", **given)
        return self.run(lambda core: getattr(lib, f"rs_device_{name}")(core, asked, lib.RS_DEVICE_RUN))

    def seal(self, scheme: str, **members: Member) -> int:
        """Key generation of "mlkem" or "mldsa" whose private half stays in the core."""
        asked = request(f"rs_{scheme}_keygen_request_t", **members)
        return self.run(lambda core: getattr(lib, f"rs_device_{scheme}_seal")(core, asked))

    def close(self) -> None:
        """Wipes core and memory."""
        self.device.close()


def sealed_core(core: SchemePlace | None, device: str) -> SchemeCore:
    """A core that keeps keys. DeviceError: a processor, or a core that is not sealed."""
    if not isinstance(core, SchemeCore) or not core.is_sealed:
        message = f"{device} keeps no keys."
        raise DeviceError("DESIGN", message, 'Take a core with [fields] mode = "sealed", such as sim:pqc-4s.')
    return core


def no_sealed_key(device: str) -> DeviceError:
    return DeviceError("DEVICE", f"{device} has no sealed key.", "Put one into it with seal().")
