# SPDX-License-Identifier: Apache-2.0
"""A parameter set of ML-KEM or ML-DSA on a simulated core, `device="sim:pqc-4"`: the same bytes as on the processor."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..errors import DeviceError
from ..executors.accelerator import Accelerator
from ..executors.cpu import CPU
from ..executors.names import SIM, check_device
from ..native.library import CData, lib
from ..progress import Progress
from ..sim.options import parse_simulated

Call = Callable[[CData], int]  # a function of the library with its device still to come: the status


class SchemeCore:
    """A core that a set has prepared. Threads take turns."""

    def __init__(self, device: Accelerator, prepare: Call) -> None:
        """DeviceError: the core has no units for these schemes, or is too small for the set."""
        self.device = device
        self._lock = threading.Lock()
        status = prepare(device._device)
        if status in (lib.RS_ERR_DESIGN, lib.RS_ERR_DESIGN_DEGREE, lib.RS_ERR_DESIGN_WIDTH):
            message = f"{device.name} cannot compute ML-KEM and ML-DSA."
            raise DeviceError("DESIGN", message, "Take a design with [fields] and enough slices, such as pqc-4.")
        device.check(status)

    def run(self, call: Call) -> int:
        """The status of a call. DeviceError: the device failed, not the scheme."""
        with self._lock:
            status = call(self.device._device)
        if status == lib.RS_ERR_DEVICE_EMPTY:
            return status
        if lib.RS_ERR_DESIGN <= status <= lib.RS_ERR_DEVICE_SELFTEST or status == lib.RS_ERR_DEVICE_UNWIPED:
            self.device.check(status)
        return status

    @property
    def is_sealed(self) -> bool:
        """Whether it has slots for keys."""
        features = int(self.device.design.features)
        return bool(features & lib.RS_FEATURE_FIELDS and features & lib.RS_FEATURE_SEALED)

    def close(self) -> None:
        """Wipes core and memory."""
        self.device.close()


def core_for(name: str, prepare: Call, progress: Progress | None = None) -> SchemeCore | None:
    """The core of a device's name, None for the processor. Builds the model if it is not in the cache. DeviceError."""
    check_device(name)
    if name == CPU.name:
        return None
    if not name.startswith(SIM):
        message = f"Post-quantum schemes do not run on {name!r}."
        raise DeviceError("DEVICE", message, "Take cpu: or a simulated core, such as sim:pqc-4.")
    from ..executors.simulated import open_simulated  # simulation is loaded where it is asked for

    return SchemeCore(open_simulated(parse_simulated(name.removeprefix(SIM)), progress=progress), prepare)
