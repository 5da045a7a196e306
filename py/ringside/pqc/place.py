# SPDX-License-Identifier: Apache-2.0
"""Where a parameter set of ML-KEM or ML-DSA, or NewHope, computes, if not on this machine's processor: what a simulated core and a simulated SoC have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..errors import DeviceError
from ..native.library import CData, lib, view_of
from .buffers import BytesLike

# What a call reads and what it writes, by the names of its request (rs_mlkem_keygen_request_t), in the order of the SoC's jobs (soc/firmware/job.h).
CALLS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mlkem_keygen": (("seed",), ("ek", "dk")),
    "mlkem_encaps": (("ek", "m"), ("ct", "shared")),
    "mlkem_decaps": (("dk", "ct"), ("shared",)),
    "mldsa_keygen": (("seed",), ("pk", "sk")),
    "mldsa_sign": (("sk", "message", "rnd"), ("signature",)),
    "mldsa_verify": (("pk", "message", "signature"), ()),
    "newhope_server": (("seed", "noise_seed"), ("message", "secret")),
    "newhope_client": (("server_message", "noise_seed"), ("message", "shared")),
    "newhope_shared": (("client_message", "secret"), ("shared",)),
}


@dataclass(frozen=True)
class SchemeText:
    """A message, or its digest by `prehash`: rs_mldsa_message_t. form: RS_MLDSA_PURE …"""

    form: int
    message: BytesLike
    prehash: int = 0
    context: BytesLike = b""

    def native(self) -> dict[str, object]:
        """For a request, which keeps what it points to alive."""
        spans = {
            name: {"p": view_of(data), "n": memoryview(data).nbytes}
            for name, data in (("bytes", self.message), ("context", self.context))
        }
        return {"form": self.form, "hash": self.prehash, **spans}


Member = CData | SchemeText | int


class SchemePlace(Protocol):
    """Where a set computes, if not on this machine's processor."""

    def call(self, name: str, **members: Member) -> int:
        """The status of a call of CALLS. members: of its request, whole arrays. DeviceError: the device failed, not the scheme."""
        ...

    def close(self) -> None:
        """Wipes and leaves it."""
        ...


def cannot(name: str) -> DeviceError:
    """The core has no units for these schemes, or is too small for the set."""
    message = f"{name} cannot compute ML-KEM, ML-DSA and NewHope."
    return DeviceError("DESIGN", message, "Take a design with [fields] and enough slices, such as pqc-4.")


def is_refusal(status: int) -> bool:
    """Whether a set-up says that."""
    return status in (lib.RS_ERR_DESIGN, lib.RS_ERR_DESIGN_DEGREE, lib.RS_ERR_DESIGN_MODULUS)


def is_of_device(status: int) -> bool:
    """Whether a status is about the device, not about what it was given."""
    return bool(lib.RS_ERR_DESIGN <= status <= lib.RS_ERR_DEVICE_SELFTEST or status == lib.RS_ERR_DEVICE_UNWIPED)
