# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's own files, both ways: contexts, ckks_vectors and bfv_vectors (docs/wire-format.md, "TenSEAL's messages")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from ..arguments import checked
from ..objects.ckks.context import Context
from ..objects.common.ciphertext import Ciphertext
from ..objects.exact.context import ExactContext
from ..objects.keydir import KeyDirectory
from .context import TensealContext, secret_key_from_tenseal
from .files import context_of_keys
from .source import Source
from .vector import TensealVector

__all__ = ["TensealContext", "TensealVector", "from_tenseal", "secret_key_from_tenseal", "to_tenseal"]


@overload
def from_tenseal(source: Source, context: None = None, *, security: int = 128) -> TensealContext: ...
@overload
def from_tenseal(source: Source, context: Context | ExactContext | TensealContext) -> TensealVector: ...
@checked
def from_tenseal(
    source: Source, context: Context | ExactContext | TensealContext | None = None, *, security: int = 128
) -> TensealContext | TensealVector:
    """A message that TenSEAL's `serialize` wrote, from bytes or from the file of that name.

    Without `context` a context, else a vector that belongs to `context`. security: as for Parameters. A secret key in the
    data is left there; secret_key_from_tenseal reads it.
    FileError, WireError, ParameterError; MismatchError for a vector of another context.
    """
    if context is None:
        return TensealContext.read(source, security=security)
    return TensealVector.read(context, source)


@overload
def to_tenseal(item: Context | ExactContext, **members: Any) -> bytes: ...
@overload
def to_tenseal(item: TensealContext | TensealVector) -> bytes: ...
@overload
def to_tenseal(item: KeyDirectory, *, scale: float | None = None) -> bytes: ...
@overload
def to_tenseal(item: Ciphertext | Sequence[Ciphertext], *, count: int | None = None) -> bytes: ...
@checked
def to_tenseal(item: Any, *, count: int | None = None, **members: Any) -> bytes:
    """Bytes that `tenseal.context_from`, `ckks_vector_from` or `bfv_vector_from` reads.

    A Context and, by name, the members of TensealContext (public_key, relin_keys, galois_keys, scale …), but no secret key:
    TensealContext.save writes one. Or the public part of a KeyDirectory. Or ciphertexts of one vector in order; count: how many values it has, default all slots.
    """
    if isinstance(item, TensealContext | TensealVector):
        return item.to_bytes()
    if isinstance(item, KeyDirectory):
        return context_of_keys(item, **members).to_bytes()
    if isinstance(item, Context | ExactContext):
        return TensealContext(item, **members).to_bytes()
    return TensealVector.of([item] if isinstance(item, Ciphertext) else item, count).to_bytes()
