# SPDX-License-Identifier: Apache-2.0
"""A parameter set of ML-KEM or ML-DSA on a simulated core, `device="sim:pqc-4"`, or on a simulated SoC, `device="soc:pqc-4"`: the same bytes as on the
processor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..errors import DeviceError
from ..executors.accelerator import Accelerator
from ..executors.cpu import CPU
from ..executors.names import SIM, SOC, check_device
from ..native.library import CData, ffi, lib, view_of
from ..progress import Progress
from ..sim.options import Simulated, parse_chip, parse_simulated
from .buffers import BytesLike

Call = Callable[[CData], int]  # a function of the library with its device still to come: the status
Memory = tuple[CData, int]  # bytes, and how many
# of the library, rs_…
KEM_KEYGEN, KEM_ENCAPS, KEM_DECAPS = (f"mlkem_device_{name}" for name in ("keygen_seed", "encaps_derand", "decaps"))
DSA_KEYGEN, DSA_SIGN, DSA_VERIFY = (f"mldsa_device_{name}" for name in ("keygen_seed", "sign_derand", "verify"))


@dataclass(frozen=True)
class SchemeText:
    """A message, or its digest by `prehash`: rs_mldsa_text_t. form: RS_MLDSA_MESSAGE …"""

    form: int
    message: BytesLike
    prehash: int = 0
    context: BytesLike = b""

    def native(self) -> tuple[CData, object]:
        """And what has to live as long as it."""
        views = view_of(self.context), view_of(self.message)
        sizes = memoryview(self.context).nbytes, memoryview(self.message).nbytes
        fields = dict(zip(("context", "bytes", "context_bytes", "count"), (*views, *sizes), strict=True))
        text = ffi.new("rs_mldsa_text_t *", {"form": self.form} | fields)
        if self.prehash:
            text.hash = self.prehash
        return text, views


class SchemePlace(Protocol):
    """Where a set computes, if not on this machine's processor."""

    def call(self, function: str, outputs: Sequence[Memory], inputs: Sequence[Memory | SchemeText]) -> int:
        """The status of a function with its arguments but the device, in the library's order: KEM_KEYGEN … DeviceError: the device failed, not the scheme."""
        ...

    def close(self) -> None:
        """Wipes and leaves it."""
        ...


def cannot(name: str) -> DeviceError:
    """The core has no units for these schemes, or is too small for the set."""
    message = f"{name} cannot compute ML-KEM and ML-DSA."
    return DeviceError("DESIGN", message, "Take a design with [fields] and enough slices, such as pqc-4.")


def is_refusal(status: int) -> bool:
    """Whether a set-up says that."""
    return status in (lib.RS_ERR_DESIGN, lib.RS_ERR_DESIGN_DEGREE, lib.RS_ERR_DESIGN_WIDTH)


def is_of_device(status: int) -> bool:
    """Whether a status is about the device, not about what it was given."""
    return bool(lib.RS_ERR_DESIGN <= status <= lib.RS_ERR_DEVICE_SELFTEST or status == lib.RS_ERR_DEVICE_UNWIPED)


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
        if is_of_device(status):
            self.device.check(status)
        return status

    def call(self, function: str, outputs: Sequence[Memory], inputs: Sequence[Memory | SchemeText]) -> int:
        """As SchemePlace says."""
        arguments: list[object] = [part for memory in outputs for part in memory]
        kept = []
        for given in inputs:
            if isinstance(given, SchemeText):
                text, views = given.native()
                arguments.append(text)
                kept.append(views)
            else:
                arguments += given
        arguments += [ffi.NULL] * (function == DSA_SIGN)  # rounds
        status = self.run(lambda core: getattr(lib, f"rs_{function}")(core, *arguments))
        del kept
        return status

    def close(self) -> None:
        """Wipes core and memory."""
        self.device.close()


def place_for(name: str, number: int, prepare: Call, progress: Progress | None = None) -> SchemePlace | None:
    """The place of a device's name, None for the processor; number: of the set. Builds the model if it is not in the cache. DeviceError."""
    check_device(name)
    if name == CPU.name:
        return None
    if name.startswith(SOC):
        from .on_chip import SchemeChip

        return SchemeChip(name, parse_chip(name.removeprefix(SOC)), number, progress)
    return SchemeCore(_simulated(parse_simulated(name.removeprefix(SIM)), progress), prepare)


def _simulated(wanted: Simulated, progress: Progress | None) -> Accelerator:
    from ..executors.simulated import open_simulated  # simulation is loaded where it is asked for

    return open_simulated(wanted, progress=progress)
