# SPDX-License-Identifier: Apache-2.0
"""Encrypted values."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arguments import checks_arguments
from ...errors import InputError
from ...native.library import (
    SEED_BYTES,
    SEED_TYPE_NAMES,
    CData,
    aligned,
    check,
    fail,
    ffi,
    get_bytes,
    lib,
    seed_type_number,
    u32,
    words_of,
)
from ...native.streams import Reader, WireObject, WireOptions, file_bytes
from ...notebook import facts_html, power_of_two
from .arrays import as_array
from .params import BFV, CKKS, Parameters
from .seal_object import LevelledObject
from .tables import Tables

FORMS = ("ntt", "coef")


@checks_arguments
class Ciphertext(LevelledObject):
    """A ciphertext at a level, of CKKS at a scale. Make it with encrypt of a Context or an ExactContext, or load it.

    `data` is the memory that the library works on, not a copy. A seeded ciphertext stores only its
    first polynomial and the 64-byte seed that SEAL expands to the second: half the size.
    """

    def __init__(self, context: Tables, native: CData, data: NDArray[np.uint64]) -> None:
        self.context = context
        self._native = native
        self._data = data

    @classmethod
    def _new(cls, context: Tables, limbs: int, seeded: bool, seed_type: str) -> Ciphertext:
        """Fresh memory for an encryption at `limbs` limbs."""
        native = ffi.new("rs_ciphertext_t *")
        native.poly_count, native.limb_count = 2, limbs
        native.seeded, native.seed_type = int(seeded), seed_type_number(seed_type)
        return cls._attach(context, native)

    @classmethod
    def _attach(cls, context: Tables, native: CData) -> Ciphertext:
        """Gives a descriptor whose counts are set its memory."""
        stored = 1 if native.seeded else int(native.poly_count)
        data = aligned((stored, int(native.limb_count), context.n))
        native.data = ffi.cast("uint64_t *", words_of(data))
        made = object.__new__(cls)  # its constructor checks what users pass
        made.context, made._native, made._data = context, native, data
        return made

    @classmethod
    def from_data(
        cls,
        context: Tables,
        data: ArrayLike,
        *,
        scale: float = 1.0,
        seed: bytes | None = None,
        seed_type: str = "shake256",
        form: str = "ntt",
        correction_factor: int | None = None,
    ) -> Ciphertext:
        """A ciphertext from residues made elsewhere, without a copy where possible.

        data: uint64 [poly, limb, N] in SEAL's NTT order, or with form="coef" coefficients, as BFV has them; with a seed [1, limb, N].
        scale: of CKKS. correction_factor: of BGV, default 1.
        WireError if a residue is not below its modulus, MismatchError for other shapes.
        """
        array = as_array(data)
        if array.dtype.kind not in "iu":
            message = f"Residues are whole numbers, not dtype {array.dtype}."
            raise InputError("VALUE_TYPE", message, "Pass an array of uint64.")
        words = np.ascontiguousarray(array, dtype=np.uint64)
        shape_fits = words.ndim == 3 and words.shape[2] == context.n
        if not shape_fits or words.shape[0] < (2 if seed is None else 1):
            fail(lib.RS_ERR_MISMATCH, f"shape {words.shape}, expected [poly, limb, {context.n}]")
        polys, limbs, _ = words.shape
        if polys > lib.RS_POLYS_MAX or (seed is not None and polys != 1):
            fail(lib.RS_ERR_POLY_COUNT, f"{polys} polynomials")
        level = limbs - 1
        context.params.limbs_at(level)
        moduli = np.array(context.params.moduli[:limbs], dtype=np.uint64)
        if bool((words >= moduli[None, :, None]).any()):
            fail(lib.RS_ERR_RESIDUE)
        if not (math.isfinite(scale) and scale > 0):
            fail(lib.RS_ERR_SCALE, f"got {scale}")
        if form not in FORMS or (form == "coef" and context.params.scheme != BFV):
            message = f"Residues of {context.params.scheme.upper()} have no form {form!r}."
            raise InputError("RS_ERR_FORM", message, 'Use "ntt" or, in BFV, "coef".')
        native = ffi.new("rs_ciphertext_t *")
        native.parms_id = bytes.fromhex(context.params.parms_id(level))
        native.poly_count, native.limb_count, native.scale = max(polys, 2), limbs, float(scale)
        native.form = lib.RS_FORM_COEF if form == "coef" else lib.RS_FORM_NTT
        if context.params.scheme != CKKS:
            native.correction_factor = u32(
                1 if correction_factor is None else correction_factor, lib.RS_ERR_CORRECTION, 64
            )
        if seed is not None:
            if len(seed) != SEED_BYTES:
                fail(lib.RS_ERR_SEED_TYPE, f"the seed has {len(seed)} bytes, not {SEED_BYTES}")
            native.seeded, native.seed_type = 1, seed_type_number(seed_type)
            native.seed.bytes = seed
        native.data = ffi.cast("uint64_t *", words_of(words))
        return cls(context, native, words)

    # ---- properties ----------------------------------------------------------------------------
    @property
    def data(self) -> NDArray[np.uint64]:
        """The residues, uint64 [poly, limb, N], in `form`; [1, limb, N] while seeded."""
        return self._data

    @property
    def form(self) -> str:
        """ "ntt", or "coef" in BFV."""
        return "coef" if self._native.form else "ntt"

    @property
    def correction_factor(self) -> int | None:
        """What a server's level switches have multiplied the message by, modulo the plain modulus: of BGV; 1 in BFV, None in CKKS."""
        return int(self._native.correction_factor) or None

    @property
    def poly_count(self) -> int:
        """2, or more if a server multiplied without relinearising."""
        return int(self._native.poly_count)

    @property
    def seeded(self) -> bool:
        """Whether the second polynomial is a seed of 64 bytes."""
        return bool(self._native.seeded)

    @property
    def seed(self) -> bytes | None:
        """The 64 bytes that the second polynomial expands from (public)."""
        return get_bytes(self._native.seed.bytes, SEED_BYTES) if self.seeded else None

    @property
    def seed_type(self) -> str | None:
        """ "shake256" or "blake2xb"; None if not seeded."""
        return SEED_TYPE_NAMES[int(self._native.seed_type)] if self.seeded else None

    @property
    def nbytes(self) -> int:
        """Bytes of the residues in memory."""
        return self._data.nbytes

    def expand(self) -> Ciphertext:
        """The same ciphertext with its second polynomial written out; itself if it has one."""
        if not self.seeded:
            return self
        native = ffi.new("rs_ciphertext_t *")
        native[0] = self._native[0]
        data = aligned((2, self.level + 1, self.context.n))
        data[0] = self._data[0]
        native.data = ffi.cast("uint64_t *", words_of(data))
        check(lib.rs_expand(self.context._pointer, native))
        return Ciphertext(self.context, native, data)

    # ---- SEAL files ----------------------------------------------------------------------------
    @classmethod
    def _read(cls, context: Tables, reader: Reader) -> Ciphertext:
        native = ffi.new("rs_ciphertext_t *")
        target = context._begin(reader, lib.RS_WIRE_CIPHERTEXT, native)
        ciphertext = cls._attach(context, native)
        reader.words(target)
        return ciphertext

    def _written(self) -> WireObject:
        return {"kind": lib.RS_WIRE_CIPHERTEXT, "context": self.context._pointer, "ciphertext": self._native}

    def _repr_html_(self) -> str:
        facts: list[tuple[str, object]] = [
            ("N", self.context.n),
            ("polynomials", self.poly_count),
            ("level", self.level),
        ]
        facts += [("scheme", self.context.params.scheme)] * (self.correction_factor is not None)
        facts += [self._size_of_message, ("bytes", f"{self.nbytes:,}")]
        facts += [("half of it", f"a seed of {self.seed_type}")] * self.seeded
        return facts_html("Ciphertext", [*facts, ("parms_id", self.parms_id)])

    @property
    def _size_of_message(self) -> tuple[str, str]:
        """The scale, or the form."""
        return ("scale", power_of_two(self.scale)) if self.correction_factor is None else ("form", self.form)

    def __repr__(self) -> str:
        kind = f", seeded {self.seed_type}" if self.seeded else ""
        scheme = f"{self.context.params.scheme}, " if self.correction_factor else ""
        name, value = self._size_of_message if scheme else ("scale", f"2^{np.log2(self.scale):.4g}")
        return f"Ciphertext({scheme}n={self.context.n}, polynomials={self.poly_count}, level={self.level}, {name}={value}{kind})"


def ciphertext_bytes(params: Parameters, limbs: int, seeded: bool) -> int:
    """Bytes of an uncompressed file: known exactly from SEAL's layout."""
    native = ffi.new("rs_ciphertext_t *", {"poly_count": 2, "limb_count": limbs, "seeded": seeded})
    native.correction_factor = int(params.scheme != CKKS)
    what = {"kind": lib.RS_WIRE_CIPHERTEXT, "params": params._native, "ciphertext": native}
    return file_bytes(what, WireOptions("none"))
