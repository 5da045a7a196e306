# SPDX-License-Identifier: Apache-2.0
"""Encoded values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import checks_arguments
from ...errors import MismatchError
from ...native.library import CData, aligned, check, fail, ffi, lib, secret_doubles, secret_words, words_of, workspace
from ...native.rng import message_digest
from ...native.streams import Reader, WireObject
from ...notebook import facts_html, power_of_two
from .seal_object import LevelledObject
from .tables import Tables


@checks_arguments
class Plaintext(LevelledObject):
    """An encoded polynomial at a level and a scale. Make it with encode of a context or Context.decrypt.

    form "coef": N integer-valued doubles in natural order (from encode); in BFV and BGV N integers from 0 to t - 1, of no level;
    form "ntt": uint64 residues [limb, N] in SEAL's bit-reversed NTT order (from decrypt or a file).
    The memory is wiped when the object and all views of its `data` are gone, or by close().
    """

    _private_files = True

    def __init__(self, context: Tables, native: CData, owner: CData, data: NDArray[Any]) -> None:
        self.context = context
        self._native = native
        self._owner = owner
        self._data: NDArray[Any] | None = data

    @classmethod
    def _new_coef(cls, context: Tables) -> Plaintext:
        native = ffi.new("rs_plaintext_t *")
        pointer, data = secret_doubles(context.n)
        native.form, native.message = lib.RS_FORM_COEF, pointer
        return cls(context, native, pointer, data)

    @classmethod
    def _new_ntt(cls, context: Tables, limbs: int, native: CData | None = None) -> Plaintext:
        if native is None:
            native = ffi.new("rs_plaintext_t *")
        pointer, words = secret_words(limbs * context.n)
        native.ntt = pointer
        return cls(context, native, pointer, words.reshape(limbs, context.n))

    @classmethod
    def _new_words(cls, context: Tables, native: CData | None = None) -> Plaintext:
        """Memory for coefficients modulo the plain modulus, all 0."""
        if native is None:
            native = ffi.new("rs_plaintext_t *")
        native.message, words = secret_words(context.n)
        return cls(context, native, native.message, words)

    # ---- properties ----------------------------------------------------------------------------
    @property
    def data(self) -> NDArray[Any]:
        """View of the memory: float64 [N], in BFV and BGV uint64 (form coef), or uint64 [limb, N] (form ntt)."""
        if self._data is None:
            raise MismatchError("CLOSED", "This plaintext was closed.")
        return self._data

    @property
    def form(self) -> str:
        """ "coef" or "ntt"."""
        return "ntt" if self._native.form == lib.RS_FORM_NTT else "coef"

    def _digest(self) -> bytes:
        """A hash of what is encoded here, for the sub-seed of its encryption."""
        return message_digest(self.data, self.level + 1, self.scale)

    def limb(self, index: int) -> NDArray[np.uint64]:
        """One limb in NTT form, as SEAL stores it: a new array of N residues."""
        _ = self.data
        if not 0 <= index <= self.level:
            fail(lib.RS_ERR_LEVEL, f"limb {index}; the plaintext has limbs 0 to {self.level}")
        out = aligned(self.context.n)
        pointer = self.context._pointer
        check(lib.rs_plaintext_limb(pointer, self._native, index, words_of(out)), f"limb {index}")
        return out

    def _as_ntt(self, *, copy: bool) -> Plaintext:
        """This plaintext in NTT form; itself if it is so already and `copy` is not set."""
        if self.form == "ntt" and not copy:
            return self
        limbs = self.level + 1
        native = ffi.new("rs_plaintext_t *")
        native[0] = self._native[0]
        native.form, native.message = lib.RS_FORM_NTT, ffi.NULL
        other = Plaintext._new_ntt(self.context, limbs, native)
        if self.form == "ntt":
            other.data[:] = self.data
            return other
        _ = self.data
        for limb in range(limbs):
            out = words_of(other.data[limb])
            check(lib.rs_plaintext_limb(self.context._pointer, self._native, limb, out))
        return other

    # ---- SEAL files ----------------------------------------------------------------------------
    @classmethod
    def _read(cls, context: Tables, reader: Reader) -> Plaintext:
        native = ffi.new("rs_plaintext_t *")
        target = reader.begin(context._pointer, lib.RS_WIRE_PLAINTEXT, native)
        if native.form == lib.RS_FORM_WORDS:
            plaintext = cls._new_words(context, native)
        else:
            plaintext = cls._new_ntt(context, int(native.limb_count), native)
        reader.words(target)
        return plaintext

    def _written(self) -> WireObject:
        _ = self.data
        pointer, scratch = self.context._pointer, workspace(8 * self.context.n)
        return {"kind": lib.RS_WIRE_PLAINTEXT, "context": pointer, "plaintext": self._native, "workspace": scratch}

    # ---- end -----------------------------------------------------------------------------------
    def close(self) -> None:
        """Wipes the memory now; views of `data` then read zero."""
        if self._data is not None:
            lib.rs_zeroize(ffi.from_buffer(self._data), self._data.nbytes)
            self._data = None

    def __enter__(self) -> Plaintext:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        facts = [("N", self.context.n), ("form", self.form), ("level", self.level)]
        return facts_html("Plaintext", [*facts, ("scale", power_of_two(self.scale))])

    def __repr__(self) -> str:
        scale = f"2^{np.log2(self.scale):.4g}"
        return f"Plaintext(form={self.form!r}, n={self.context.n}, level={self.level}, scale={scale})"
