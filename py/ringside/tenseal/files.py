# SPDX-License-Identifier: Apache-2.0
"""Files of TenSEAL beside files of SEAL: telling them apart, describing them, and the keys of a directory as a context."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..native.streams import open_memory, version_of
from ..objects.ckks.inspection import describe, named_by_id
from ..objects.common.evaluation import nominal_trouble, scale_trouble
from ..objects.common.params import Parameters
from ..objects.keydir import GALOIS, PUBLIC, RELIN, TENSEAL, KeyDirectory
from . import protobuf
from .context import TensealContext, scale_in
from .source import Source, contents
from .vector import EXACT_NAME as EXACT_VECTOR
from .vector import FIELDS as VECTOR_FIELDS
from .vector import NAME as VECTOR

_SEAL_HEADER = b"\x5e\xa1\x10"  # magic and size of the header
_FIRST_FIELD = b"\x0a"  # number 1, bytes: the parameters of a context, the sizes of a vector


def is_tenseal(source: Source) -> bool:
    """Whether a file, or bytes, begin as TenSEAL's do. False for a file that cannot be read: the function that reads it says why."""
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source[:1]) == _FIRST_FIELD
    try:
        with open(source, "rb", buffering=0) as file:
            return file.read(1) == _FIRST_FIELD
    except OSError:
        return False


def is_context(data: memoryview) -> bool:
    """The kind of one of TenSEAL's messages: a context begins with SEAL's parameters, a vector with sizes."""
    return bytes(protobuf.first_block(data)[: len(_SEAL_HEADER)]) == _SEAL_HEADER


@dataclass(frozen=True)
class TensealInfo:
    """Facts of a file of TenSEAL. members: plain values for JSON, in the order in which they are shown."""

    path: str
    kind: str  # "TenSEAL context", "TenSEAL ckks_vector" or "TenSEAL bfv_vector"
    file_bytes: int
    parameters: Parameters | None
    members: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        described = {} if self.parameters is None else {"parameters": describe(self.parameters)}
        members = {name: value for name, value in self.members.items() if (name, value) != ("trouble", "")}
        return {"path": self.path, "kind": self.kind, "file_bytes": self.file_bytes} | members | described


def inspect_tenseal(source: Source, params: Parameters | None = None) -> TensealInfo:
    """Describes a context or a vector, from bytes or the file of that name; a secret key is not read.

    params: those that a vector may belong to; a named set's are known.
    FileError, WireError, ParameterError.
    """
    path = "-" if isinstance(source, bytes | bytearray | memoryview) else os.fspath(source)
    data = contents(source, "context or vector")
    if is_context(data):
        context = TensealContext.read(data, security=0)
        return TensealInfo(path, "TenSEAL context", len(data), context.params, _of_context(context))
    members = _of_vector(data, params)
    kind = VECTOR if "scale_log2" in members else EXACT_VECTOR
    return TensealInfo(path, f"TenSEAL {kind}", len(data), None, members)


def _of_context(context: TensealContext) -> dict[str, Any]:
    automatic = {"relin": context.auto_relin, "rescale": context.auto_rescale, "mod_switch": context.auto_mod_switch}
    t = context.params.plain_modulus
    return {
        **({} if t is None else {"scheme": context.params.scheme.upper(), "plain_modulus": t}),
        "encryption": "secret key" if context.symmetric else "public key",
        "public_key": context.public_key is not None,
        "relin_keys": context.relin_keys is not None,
        "galois_keys": context.galois_keys is not None,
        "secret_key": context.has_secret_key,
        "scale_log2": None if context.scale is None else math.log2(context.scale),
        "trouble": context.trouble,
        "automatic": [name for name, is_on in automatic.items() if is_on],
    }


def _of_vector(data: memoryview, params: Parameters | None) -> dict[str, Any]:
    message = protobuf.read(data, VECTOR, VECTOR_FIELDS)
    views, sizes = message.bytes.get("ciphertexts", []), message.numbers.get("sizes", [])
    scale = message.doubles.get("scale")
    if not views or len(views) != len(sizes) or not (scale is None or (math.isfinite(scale) and scale > 0)):
        reason = f"it has {len(views)} ciphertexts, {len(sizes)} sizes and scale {scale}"
        raise protobuf.malformed(VECTOR, reason)
    with open_memory(views[0], check_end=False) as reader:
        info = reader.info()
    level, parms_id = int(info.limb_count) - 1, bytes(info.parms_id).hex()
    if params is None or not 0 <= level <= params.max_level or params.parms_id(level) != parms_id:
        params = named_by_id(parms_id)
    trouble = "" if params is None or scale is None else scale_trouble(params, scale, level)
    if params is not None and scale is not None and level < params.max_level:
        trouble = trouble or nominal_trouble(params, scale)
    return {
        "trouble": trouble,
        "values": sum(sizes),
        "sizes": sizes,
        **({} if scale is None else {"scale_log2": math.log2(scale)}),
        "version": version_of(info),
        "n": int(info.n),
        "level": level,
        "polynomials": int(info.poly_count),
        "parms_id": parms_id,
    }


def context_of_keys(directory: KeyDirectory, *, scale: float | None = None) -> TensealContext:
    """The public part of a key directory: parameters, public key, and relinearisation and Galois keys if they are there.

    scale: default that of a context which is there already, else the parameters' own.
    """
    scale = scale_in(directory.file(TENSEAL)) if scale is None else scale
    relin, galois = (directory.file(name) if directory.file(name).exists() else None for name in (RELIN, GALOIS))
    public = directory.public_key() if directory.file(PUBLIC).exists() else None
    return TensealContext(directory.context, public, relin, galois, scale)


def add_context(folder: Path, *, scale: float | None = None) -> dict[str, int]:
    """Writes context_of_keys into the key directory itself; its name and bytes."""
    return {TENSEAL: context_of_keys(KeyDirectory(folder), scale=scale).save(folder / TENSEAL)}
