# SPDX-License-Identifier: Apache-2.0
"""Where a parameter set of ML-KEM or ML-DSA, or NewHope, computes, if not on this machine's processor: what a simulated core and a simulated SoC have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..errors import DeviceError
from ..native.library import CData, ffi, lib, view_of
from .buffers import BytesLike

GivenBytes = tuple[CData, int]  # bytes, and how many
# functions of the library, rs_…
KEM_KEYGEN, KEM_ENCAPS, KEM_DECAPS = (f"mlkem_device_{name}" for name in ("keygen_seed", "encaps_derand", "decaps"))
DSA_KEYGEN, DSA_SIGN, DSA_VERIFY = (f"mldsa_device_{name}" for name in ("keygen_seed", "sign_derand", "verify"))
HOPE_SERVER, HOPE_CLIENT, HOPE_SHARED = (
    f"newhope_device_{name}" for name in ("server_derand", "client_derand", "shared")
)


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

    def call(self, function: str, outputs: Sequence[GivenBytes], inputs: Sequence[GivenBytes | SchemeText]) -> int:
        """The status of a function with its arguments but the device, in the library's order: KEM_KEYGEN … DeviceError: the device failed, not the scheme."""
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
    return status in (lib.RS_ERR_DESIGN, lib.RS_ERR_DESIGN_DEGREE, lib.RS_ERR_DESIGN_WIDTH)


def is_of_device(status: int) -> bool:
    """Whether a status is about the device, not about what it was given."""
    return bool(lib.RS_ERR_DESIGN <= status <= lib.RS_ERR_DEVICE_SELFTEST or status == lib.RS_ERR_DEVICE_UNWIPED)
