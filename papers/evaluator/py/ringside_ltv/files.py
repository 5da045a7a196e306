# SPDX-License-Identifier: Apache-2.0
"""Files of keys, ciphertexts and checkpoints.

    RINGSIDE-LTV 1
    one line of JSON: label, kind, parameters and their digest, shape and type of the data, SHA3-256 of the data, more for a kind
    SHA3-256 of that line
    zeros up to a multiple of 64 bytes, and the data: little-endian words or bytes

They are written beside their place and renamed. Whatever is wrong with one that is read is said in a sentence.
"""

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ringside.errors import MismatchError, WireError
from ringside.native.files import read_error, replace_file
from ringside.native.library import aligned

from . import LABEL
from .scheme import LtvParameters, Scheme

MAGIC = b"RINGSIDE-LTV 1\n"
HEADER_MAX = 4096
PARAMETER_MAX = 1 << 17  # m is the largest one; sums of two fit C's words
ALIGNMENT = 64
TYPES = {"uint32": np.uint32, "uint8": np.uint8}

Data = NDArray[Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Stored:
    """An object of a file. facts: what a kind has beside its data, such as the round of a checkpoint."""

    kind: str
    parameters: LtvParameters
    digest: str
    data: Data
    facts: Mapping[str, Any] = field(default_factory=dict)
    sum: str = ""  # SHA3-256 of the data


def _sum(data: bytes | memoryview) -> str:
    return hashlib.sha3_256(data).hexdigest()


def sum_of(data: Data) -> str:
    return _sum(data.data.cast("B"))


def write(path: Path, kind: str, scheme: Scheme, data: Data, *, private: bool = False, **facts: Any) -> str:
    """Writes an object, and gives the sum of its data."""
    found = sum_of(data)
    header = {
        "label": LABEL, "kind": kind, "parameters": asdict(scheme.parameters), "digest": scheme.digest,
        "shape": list(data.shape), "type": data.dtype.name, "sum": found, "facts": facts,
    }  # fmt: skip
    line = json.dumps(header, sort_keys=True).encode() + b"\n"
    head = MAGIC + line + _sum(line).encode() + b"\n"
    head += bytes(-len(head) % ALIGNMENT)
    with replace_file(path, private=private) as fd, os.fdopen(os.dup(fd), "wb") as file:
        file.write(head)
        file.write(data.data.cast("B"))
    return found


def _damaged(path: Path, what: str) -> WireError:
    return WireError("LTV_FILE", f"{path} is damaged: {what}.", "Copy it again, or make it again.")


def _header(path: Path, start: bytes) -> tuple[dict[str, Any], int]:
    """The header, and where the data begin."""
    if not start.startswith(MAGIC):
        raise WireError("LTV_MAGIC", f"{path} is no file of `ringside ltv`.", "Check its name.")
    end = start.find(b"\n", len(MAGIC)) + 1
    line, told = start[len(MAGIC) : end], start[end : end + 64]
    if not end or _sum(line).encode() != told:
        raise _damaged(path, "its header is not what was written")
    try:
        header: dict[str, Any] = json.loads(line)
        is_whole = _is_header(header)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        is_whole = False
    if not is_whole:
        raise _damaged(path, "its header does not say what such a file has to say")
    head = end + 65
    return header, head + -head % ALIGNMENT


def _is_header(header: dict[str, Any]) -> bool:
    """Whether a header can be worked with: its hash says that it is what was written, not that it was written by us."""
    texts = [header[name] for name in ("kind", "digest", "sum")]
    parameters = asdict(LtvParameters(**header["parameters"])).values()
    return (
        all(isinstance(text, str) for text in texts)
        and all(type(number) is int and 0 <= number < PARAMETER_MAX for number in parameters)
        and all(type(size) is int and 0 <= size < 1 << 32 for size in header["shape"])
        and header["type"] in TYPES
        and isinstance(header["facts"], dict)
    )


def _size(header: Mapping[str, Any]) -> int:
    """Bytes of the data."""
    return math.prod(map(int, header["shape"])) * np.dtype(TYPES[header["type"]]).itemsize


def fact(path: Path, facts: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """What a kind of files has beside its data. WireError: it is not there, or no such thing."""
    found = facts.get(name)
    if type(found) is not kind:
        raise _damaged(path, f"its header has no {name}")
    return found


def read(path: Path, kind: str, scheme: Scheme | None = None) -> Stored:
    """Reads an object of a kind, of the scheme's parameters if there is one. WireError, MismatchError, FileError."""
    try:
        with path.open("rb") as file:
            header, begin = _header(path, file.read(HEADER_MAX))
            if header["kind"] != kind:
                raise WireError("LTV_KIND", f"{path} holds a {header['kind']}, not a {kind}.", "Check the names.")
            if scheme and header["digest"] != scheme.digest:
                message = f"{path} belongs to other parameters: {_said(header)}."
                raise MismatchError("LTV_PARAMETERS", message, "Use keys and ciphertexts of one `ringside ltv keygen`.")
            if scheme and header["parameters"] != asdict(scheme.parameters):
                raise _damaged(path, "its header says other parameters than the digest in it")
            size, there = _size(header), max(0, os.fstat(file.fileno()).st_size - begin)
            if size != there:  # before memory is taken for what a header says
                raise _damaged(path, f"{size} bytes of data should follow its header, and there are {there}")
            data = aligned(tuple(header["shape"]), TYPES[header["type"]])
            file.seek(begin)
            got = file.readinto(data.data.cast("B")) if size else 0
    except OSError as error:
        raise read_error(path, error) from error
    if got != size:
        raise _damaged(path, f"it was cut while it was read, after {got} bytes of data")
    if sum_of(data) != header["sum"]:
        raise _damaged(path, "its data have another SHA3-256 than its header says")
    parameters = LtvParameters(**header["parameters"])
    return Stored(kind, parameters, header["digest"], data, header["facts"], header["sum"])


@dataclass(frozen=True)
class StoredHeader:
    """What a header says. sum: SHA3-256 of the data, which have not been read."""

    kind: str
    parameters: LtvParameters
    facts: Mapping[str, Any]
    sum: str


def peek(path: Path) -> StoredHeader:
    """Without the data."""
    try:
        with path.open("rb") as file:
            header, _ = _header(path, file.read(HEADER_MAX))
    except OSError as error:
        raise read_error(path, error) from error
    return StoredHeader(header["kind"], LtvParameters(**header["parameters"]), header["facts"], header["sum"])


def _said(header: Mapping[str, Any]) -> str:
    p = LtvParameters(**header["parameters"])
    return f"ring {p.m}, S-box of depth {p.sbox_depth}, {p.switching}"


def expect_shape(path: Path, stored: Stored, *shape: int) -> None:
    """WireError unless the data have this shape, which is what C takes them for."""
    if stored.data.shape != shape or stored.data.size != math.prod(shape):
        raise _damaged(path, f"its data have the shape {stored.data.shape} instead of {shape}")
