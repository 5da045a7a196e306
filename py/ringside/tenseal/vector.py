# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's ckks_vector and bfv_vector: numbers in one ciphertext or several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import checks_arguments
from ..errors import InputError, MismatchError
from ..native.files import StrPath, write_bytes
from ..native.streams import DEFAULT_COMPRESSION, DEFAULT_VERSION
from ..objects.ckks.context import Context
from ..objects.common.arrays import as_array
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.evaluation import nominal_trouble
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import CKKS
from ..objects.exact.context import ExactContext
from . import protobuf
from .context import SCALE_HINT, TensealContext, check_scheme, shared_context
from .protobuf import MessageField, Piece, WireKind, malformed
from .source import Source, contents

NAME, EXACT_NAME = "ckks_vector", "bfv_vector"
FIELDS = (
    MessageField(1, "sizes", WireKind.UINT32, repeated=True),
    MessageField(2, "ciphertexts", WireKind.BYTES, repeated=True),
    MessageField(3, "scale", WireKind.DOUBLE),
)


@checks_arguments
@dataclass(frozen=True)
class TensealVector:
    """The contents of a ckks_vector, or of a bfv_vector, which holds integers. Make it with encrypt, of or read.

    sizes: values of each ciphertext. scale: that values were encoded with; TenSEAL writes it into a ciphertext again after
    each rescaling, whatever the dropped prime was; 1 in BFV.
    """

    ciphertexts: tuple[Ciphertext, ...]
    sizes: tuple[int, ...]
    scale: float

    def __post_init__(self) -> None:
        if not self.ciphertexts or len(self.ciphertexts) != len(self.sizes):
            counts = f"{len(self.ciphertexts)} ciphertexts and {len(self.sizes)} sizes"
            hint = "TensealVector.of makes one of ciphertexts."
            message = f"A vector has one size for each of its ciphertexts, not {counts}."
            raise InputError("RS_ERR_VALUE_COUNT", message, hint)
        context = self.ciphertexts[0].context
        check_scheme(context.params)
        if context.params.scheme != CKKS and any(item.form != "coef" for item in self.ciphertexts):
            hint = "Encrypt without `form`: a server of TenSEAL transforms nothing."
            raise InputError("RS_ERR_FORM", "A bfv_vector has ciphertexts in coefficient form.", hint)
        slots = context.slots
        for size in self.sizes:
            if not 1 <= size <= slots:
                message = f"A ciphertext with {slots} slots cannot hold {size} values."
                raise InputError("RS_ERR_VALUE_COUNT", message, f"Its size is 1 to {slots}.")
        if not (math.isfinite(self.scale) and self.scale > 0):
            message = f"The scale of a vector is a positive number, not {self.scale}."
            raise InputError("RS_ERR_SCALE", message, SCALE_HINT)

    @classmethod
    def of(cls, ciphertexts: Sequence[Ciphertext], count: int | None = None) -> Self:
        """Ciphertexts made otherwise, in order. count: values in all, default all slots.

        TenSEAL repeats the values of a vector until the slots are full, and its rotations rely on it: what `encrypt` of a
        Context made, with zeros behind the values, can be added and multiplied, but not by a matrix.
        """
        if not ciphertexts:
            raise InputError("RS_ERR_VALUE_COUNT", "A vector has at least one ciphertext.", "Pass one or more.")
        context, scale = ciphertexts[0].context, ciphertexts[0].scale
        for index, ciphertext in enumerate(ciphertexts):
            if ciphertext.context.params != context.params or ciphertext.scale != scale:
                message = f"Ciphertext {index} has other parameters or another scale than the first."
                raise MismatchError("RS_ERR_MISMATCH", message)
        slots = context.slots
        count = slots * len(ciphertexts) if count is None else count
        if not slots * (len(ciphertexts) - 1) < count <= slots * len(ciphertexts):
            message = f"{count} values do not fill {len(ciphertexts)} ciphertexts of {slots} slots."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Leave the count out for all slots.")
        sizes = [min(slots, count - start) for start in range(0, count, slots)]
        return cls(tuple(ciphertexts), tuple(sizes), scale)

    @classmethod
    def encrypt(
        cls,
        context: Context | ExactContext | TensealContext,
        values: ArrayLike,
        key: SecretKey | PublicKey,
        *,
        scale: float | None = None,
        **options: Any,
    ) -> Self:
        """Encrypts as TenSEAL does: the values repeated until the slots are full, and as many ciphertexts as it takes.

        scale: of CKKS, default the TensealContext's, or the parameters' own. options: as for encrypt_batch of the context.
        """
        if isinstance(context, TensealContext):
            scale = context.scale if scale is None else scale
            context = context.context
        row = as_array(values).reshape(-1)
        if row.size == 0:
            raise InputError("RS_ERR_VALUE_COUNT", "A vector has at least one value.", "Pass one or more.")
        slots = context.slots
        chunks = [row[start : start + slots] for start in range(0, row.size, slots)]
        full = [np.resize(chunk, slots) for chunk in chunks]  # np.resize repeats
        options |= {} if scale is None else {"scale": scale}
        ciphertexts = context.encrypt_batch(full, key, **options)
        return cls(tuple(ciphertexts), tuple(chunk.size for chunk in chunks), ciphertexts[0].scale)

    def decrypt_values(self, secret_key: SecretKey, **options: Any) -> NDArray[Any]:
        """The values, in CKKS real parts or complex. options: as for decrypt_batch of the context."""
        tables = secret_key.context
        context = tables if isinstance(tables, Context | ExactContext) else shared_context(tables.params)
        rows = context.decrypt_batch(self.ciphertexts, secret_key, **options)
        return np.concatenate([row[:size] for row, size in zip(rows, self.sizes, strict=True)])

    @property
    def name(self) -> str:
        """As TenSEAL calls it, "ckks_vector" or "bfv_vector"."""
        return NAME if self.ciphertexts[0].context.params.scheme == CKKS else EXACT_NAME

    @property
    def trouble(self) -> str:
        """A sentence if TenSEAL has multiplied and the scale is not of the primes' size, so that values are wrong; else ''."""
        params = self.ciphertexts[0].context.params
        used = params.scheme == CKKS and any(item.level < params.max_level for item in self.ciphertexts)
        return nominal_trouble(params, self.scale) if used else ""

    # ---- messages ---------------------------------------------------------------------------------------------------
    @classmethod
    def read(cls, context: Context | ExactContext | TensealContext, source: Source) -> Self:
        """From bytes, or from the file of that name. FileError, WireError, MismatchError (other parameters)."""
        if isinstance(context, TensealContext):
            context = context.context
        name, fields = (NAME, FIELDS) if context.params.scheme == CKKS else (EXACT_NAME, FIELDS[:2])
        message = protobuf.read(contents(source, name), name, fields)
        views, sizes = message.bytes.get("ciphertexts", []), message.numbers.get("sizes", [])
        if not views or len(views) != len(sizes):
            raise malformed(name, f"it has {len(views)} ciphertexts and {len(sizes)} sizes")
        scale = message.doubles.get("scale", 0.0) if name == NAME else 1.0
        if not (math.isfinite(scale) and scale > 0):
            raise malformed(name, f"its scale is {scale}")
        for size in sizes:
            if not 1 <= size <= context.slots:
                raise malformed(name, f"a ciphertext with {context.slots} slots cannot hold {size} values")
        ciphertexts = tuple(Ciphertext.from_bytes(context, view) for view in views)
        return cls(ciphertexts, tuple(sizes), scale)

    def to_bytes(self, *, compression: str = DEFAULT_COMPRESSION, version: str = DEFAULT_VERSION) -> bytes:
        """What `tenseal.ckks_vector_from` or `bfv_vector_from` reads. compression, version: of its ciphertexts, as for Ciphertext.to_bytes."""
        parts: list[Piece] = protobuf.packed_field(1, self.sizes)
        for ciphertext in self.ciphertexts:
            parts += protobuf.bytes_field(2, [ciphertext.to_bytes(compression=compression, version=version)])
        parts += protobuf.double_field(3, self.scale) if self.name == NAME else []
        protobuf.check_size(parts)
        return b"".join(protobuf.pieces(parts))

    def save(
        self,
        path: StrPath,
        *,
        compression: str = DEFAULT_COMPRESSION,
        version: str = DEFAULT_VERSION,
        overwrite: bool | None = None,
    ) -> int:
        """The same to a file; its bytes."""
        data = self.to_bytes(compression=compression, version=version)
        write_bytes(path, data, overwrite=overwrite)
        return len(data)
