# SPDX-License-Identifier: Apache-2.0
"""What is computed, as data: a call knows no device. All devices give the same bits for the same seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from ..native.encoding import SLOTS
from ..native.fixed import FixedHandle
from ..native.handles import ContextHandle, KeyHandle, SecretHandle
from ..native.library import BytesLike, CData, lib, request, view_of
from ..native.rng import Rng, drawn
from ..progress import Progress


@dataclass(frozen=True)
class Slots:
    """Numbers to encode in fixed point, or room for those that are decoded: rs_fixed_layout_t, and what rs_encode wants besides."""

    fixed: FixedHandle
    values: NDArray[Any]
    exponent: int
    bound: int
    scale: float = 1.0
    limbs: int = 1


@dataclass(frozen=True)
class Plaintexts:
    """rs_plaintext_t of each frame: nothing is encoded or decoded."""

    natives: Sequence[CData]

    def __getitem__(self, part: slice) -> Plaintexts:
        return Plaintexts(self.natives[part])


@dataclass(frozen=True)
class Rows:
    """Numbers to encode, contiguous rows of float64 or complex128 at one scale, or rows of complex128 for all N/2 slots that are decoded. Of BFV and BGV rows
    of int64 or uint64; packing: SLOTS or COEFFICIENTS (native.encoding)."""

    values: Sequence[NDArray[Any]] | NDArray[Any]
    scale: float = 0.0
    packing: int = SLOTS

    def __getitem__(self, part: slice) -> Rows:
        return replace(self, values=self.values[part])


@dataclass(frozen=True)
class FixedRows:
    """Slots that the core itself encodes or decodes, of one layout, scale and level: for devices with fixed_bits."""

    slots: Sequence[Slots]

    def __getitem__(self, part: slice) -> FixedRows:
        return FixedRows(self.slots[part])


Messages = Plaintexts | Rows | FixedRows


@dataclass(frozen=True, repr=False, eq=False)
class Encryption:
    """Messages that become ciphertexts. kind: rs_encryption_t, RS_ENCRYPT_SK for a secret key and one of the others for a public one. ciphertexts:
    rs_ciphertext_t of each with memory for the result. limbs: of each. threads: None, as many as there are processors. progress: frames done;
    the device is given them in parts then. ntt: BFV in NTT form."""

    context: ContextHandle
    key: KeyHandle
    messages: Messages
    ciphertexts: Sequence[CData]
    kind: int
    limbs: int
    rng: Rng
    threads: int | None = 1
    progress: Progress | None = None
    ntt: bool = False

    def __getitem__(self, part: slice) -> Encryption:
        return replace(self, messages=self.messages[part], ciphertexts=self.ciphertexts[part])


@dataclass(frozen=True, repr=False, eq=False)
class Decryption:
    """Ciphertexts that become messages, each from its first limbs. threads, progress: as of Encryption. margin_bits: of BFV and BGV (client.h)."""

    context: ContextHandle
    key: SecretHandle
    messages: Messages
    ciphertexts: Sequence[CData]
    limbs: Sequence[int]
    threads: int | None = 1
    progress: Progress | None = None
    margin_bits: int = 0

    def __getitem__(self, part: slice) -> Decryption:
        limbs, ciphertexts = self.limbs[part], self.ciphertexts[part]
        return replace(self, messages=self.messages[part], ciphertexts=ciphertexts, limbs=limbs)


@dataclass(frozen=True)
class Transform:
    """rs_plan_forward or rs_plan_inverse of N words, in place."""

    context: ContextHandle
    limb: int
    words: CData
    inverse: bool


@dataclass(frozen=True)
class Program:
    """Words of a program of a core, what its pointers are, as the core addresses its memory, and log2 of N. Its data are in Accelerator.memory."""

    words: Sequence[int]
    pointers: Sequence[int]
    log_n: int


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


@dataclass(frozen=True)
class DeviceSet:
    """A parameter set. name: "mlkem", "mldsa" or "newhope", as the library's functions have it; number: of the set, or NewHope's rule of Parse;
    newhope: rs_newhope_t."""

    name: str
    number: int
    newhope: CData = field(default=None, compare=False, repr=False)

    @property
    def n(self) -> int:
        """Coefficients of its ring."""
        return 1024 if self.name == "newhope" else 256


@dataclass(frozen=True, repr=False, eq=False)
class SchemeCall:
    """A function of a scheme: "keygen", "encaps" … inputs, outputs: whole arrays, by the names of the library's requests (rs_mlkem_keygen_request_t).
    random: bytes of what is drawn, by name, as soon as it is certain that the device can make the call.

    sealed: the private key is the one that a core keeps: "seal" is a key generation that puts it there.
    """

    scheme: DeviceSet
    function: str
    inputs: Mapping[str, CData | SchemeText]
    outputs: Mapping[str, CData]
    random: Mapping[str, int] = field(default_factory=dict)
    sealed: bool = False

    @property
    def name(self) -> str:
        """As the library's functions have it."""
        return f"{self.scheme.name}_{self.function}"

    def drawn(self) -> SchemeCall:
        """With the bytes that this machine's processor draws for a device."""
        return replace(
            self, inputs={**self.inputs, **{name: drawn(size) for name, size in self.random.items()}}, random={}
        )

    def request(self, **members: Any) -> CData:
        """Its request. members: more of them."""
        kind = "keygen" if self.function == "seal" else self.function
        for name, value in self.inputs.items():
            members[name] = value.native() if isinstance(value, SchemeText) else value
        if "rnd" in members:
            members["mode"] = lib.RS_MLDSA_GIVEN
        return request(f"rs_{self.scheme.name}_{kind}_request_t", **members, **self.outputs)


@dataclass(frozen=True, repr=False, eq=False)
class SwitchRow:
    """Row `index` of the key that switches from s(X^element), or s^2 (element 0), to s. row: rs_ciphertext_t with memory, which says how it is seeded."""

    context: ContextHandle
    key: SecretHandle
    element: int
    index: int
    row: CData
    rng: Rng

    @property
    def members(self) -> dict[str, int]:
        """Of rs_keygen_request_t."""
        seeds = {"seeded": int(self.row.seeded), "seed_type": int(self.row.seed_type)}
        return {"kind": int(lib.RS_KEY_SWITCH), "element": self.element, "index": self.index, **seeds}


Call = Encryption | Decryption | SwitchRow | Transform | Program | SchemeCall


def is_exact(call: Encryption | Decryption) -> bool:
    """Whether its messages are integers, of BFV or BGV."""
    return int(call.context.params.scheme) != int(lib.RS_SCHEME_CKKS)
