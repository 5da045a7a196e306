# SPDX-License-Identifier: Apache-2.0
"""A parameter set with its tables: what keys, plaintexts and ciphertexts belong to."""

from __future__ import annotations

import threading
import weakref
from contextlib import suppress
from typing import Any, Self

from ...arguments import checks_arguments
from ...errors import ArgumentError, MismatchError, ParameterError
from ...native.handles import ContextHandle
from ...native.library import CData, error_of, lib
from ...native.streams import Reader
from .params import CKKS, SCHEMES, Parameters

# Contexts on the processor that are in use, and the last one that was made for something unpickled: a worker that takes one
# ciphertext after the other keeps its tables in between.
_shared: weakref.WeakValueDictionary[tuple[type[Tables], Parameters], Tables] = weakref.WeakValueDictionary()
_shared_lock = threading.Lock()
PLAIN_MODULUS = 65537  # the named sets have it
_newest: Tables | None = None


@checks_arguments
class Tables:
    """Everything precomputed from a parameter set. A Context is one that can also compute."""

    def __init__(self, params: Parameters) -> None:
        self._params = params
        # The security level was checked, or waived by name, when `params` was made.
        self._handle = ContextHandle(params._native)
        self._variances: dict[
            tuple[str, int | None], float
        ] = {}  # by kind of encryption and level, once asked for (noise.py)

    @property
    def params(self) -> Parameters:
        """The parameter set."""
        return self._params

    @property
    def _pointer(self) -> CData:
        """rs_context_t."""
        return self._handle.pointer

    @property
    def n(self) -> int:
        """Ring degree N."""
        return self.params.n

    @property
    def slots(self) -> int:
        """Values per ciphertext, N/2."""
        return self.params.slots

    @property
    def max_level(self) -> int:
        """Level of a fresh ciphertext."""
        return self.params.max_level

    @property
    def nbytes(self) -> int:
        """Bytes of precomputed tables."""
        return self._handle.nbytes

    def _share(self) -> None:
        with _shared_lock:
            _shared.setdefault((type(self), self.params), self)

    @classmethod
    def shared(cls, params: Parameters) -> Self:
        """A context of these parameters on the processor: one that this process has already, else a new one.

        What is unpickled gets its context here: a thousand ciphertexts share one set of tables.
        """
        global _newest
        with _shared_lock:
            found = _shared.get((cls, params))
        if not isinstance(found, cls):
            found = _newest = cls(params)
        return found

    def _begin(self, reader: Reader, kind: int, native: CData) -> CData:
        """Begins to read an object of these parameters (Reader.begin). MismatchError: it is of others, which are named if only the scheme is another."""
        try:
            return reader.begin(self._pointer, kind, native)
        except MismatchError as error:
            found = self._other_scheme(bytes(reader.info().parms_id).hex())
            if error.code != "RS_ERR_MISMATCH" or found is None:
                raise
            message = f"{reader.name} is of {found.upper()}, and the parameters are of {self.params.scheme.upper()}, with the same moduli."
            raise MismatchError("RS_ERR_SCHEME", message, "Use the keys and parameters of one directory.") from error

    def _other_scheme(self, parms_id: str) -> str | None:
        """The scheme in which these moduli have that parms_id; None: in none."""
        for scheme in SCHEMES:
            t = None if scheme == CKKS else self.params.plain_modulus or PLAIN_MODULUS
            with suppress(ParameterError):
                one = Parameters.from_moduli(self.n, self.params.moduli, scheme=scheme, plain_modulus=t, security=0)
                if parms_id in [one.parms_id(level) for level in (None, *range(one.max_level + 1))]:
                    return scheme
        return None

    def _same(self, item: Any, *kinds: type[Any]) -> None:
        """ArgumentError or MismatchError unless the object is of a kind and of these parameters."""
        if not isinstance(item, kinds):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise ArgumentError("ARGUMENT", f"expected {wanted}, got {type(item).__name__}.", f"Pass a {wanted}.")
        if item.context is not self and item.context.params != self.params:
            raise error_of(lib.RS_ERR_MISMATCH, f"{item.context.params!r} instead of {self.params!r}")
