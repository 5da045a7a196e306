# SPDX-License-Identifier: Apache-2.0
"""Does a file hold a secret key? Told from its first bytes, without parameters."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import BinaryIO

from .library import CData, fd_stream, ffi, get_bytes, lib

SECRET_KEY_SCALE = 1.0  # SEAL stores a secret key as a plaintext of this scale


def may_be_secret_key(info: CData) -> bool:
    """SEAL does not mark secret keys. They are plaintexts with parameters and of scale 1, which no encoded plaintext of use has."""
    if info.kind == lib.RS_WIRE_SECRET_KEY:
        return True
    has_parameters = any(get_bytes(info.parms_id, len(info.parms_id)))
    return bool(info.kind == lib.RS_WIRE_PLAINTEXT and has_parameters and info.scale == SECRET_KEY_SCALE)


_CONTEXT_FIELD = b"\x0a"  # protobuf: field 1, bytes; a TenSEAL context begins with its parameters
_PRIVATE_FIELD = 3  # a field of a TenSEAL context: the secret key and what belongs to it
_BYTES = 2  # protobuf's type of fields with a length
_FIELDS_MAX = 8  # more than a context has


def _varint(file: BinaryIO) -> int:
    value = 0
    for shift in range(0, 64, 7):
        byte = file.read(1)
        if not byte:
            raise EOFError
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
    raise EOFError


def _is_private_context(file: BinaryIO) -> bool:
    """Whether a file is a TenSEAL context with a private part; the heads of its fields show it."""
    if file.read(1) != _CONTEXT_FIELD:
        return False
    file.seek(0)
    try:
        for _ in range(_FIELDS_MAX):
            field, kind = divmod(_varint(file), 8)
            length = _varint(file)
            if (field, kind) == (_PRIVATE_FIELD, _BYTES):
                return length > 0
            if kind == _BYTES:
                file.seek(length, os.SEEK_CUR)
    except (EOFError, OSError, OverflowError, ValueError):
        pass
    return False


_PEM_MARK = re.compile(rb"^-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----", re.MULTILINE)
_HEAD_BYTES = 4096  # text may stand before a block of PEM
# OneAsymmetricKey in DER: a SEQUENCE with its length in any number of bytes, version 0 or 1, the SEQUENCE of the algorithm
_DER_MARK = re.compile(rb"\x30(?:[\x00-\x7f]|\x81.|\x82..|\x83...)\x02\x01[\x00\x01]\x30", re.DOTALL)


def _is_private_key(file: BinaryIO) -> bool:
    """Whether a file is a private key of any algorithm in PEM, or in DER (RFC 5958). One of bare bytes cannot be told from others."""
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    return _PEM_MARK.search(head) is not None or _DER_MARK.match(head) is not None


def _is_secret_key(fd: int) -> bool:
    state, source = fd_stream(), ffi.new("rs_source_t *")
    reader, info = ffi.new("rs_wire_reader_t *"), ffi.new("rs_wire_info_t *")
    lib.rs_source_from_fd(source, state, fd)
    status = lib.rs_wire_open(reader, source, lib.rs_host_codec())
    if status == 0:
        status = lib.rs_wire_info(reader, ffi.NULL, info)
    lib.rs_wire_close(reader, 0)
    return status == 0 and may_be_secret_key(info)


def may_hold_secret_key(path: Path) -> bool:
    """Whether the regular file `path` may be a secret key of SEAL's format, a TenSEAL context with one, or a private key in PEM or DER.

    True also if it cannot be read: nobody knows then.
    """
    try:
        with open(path, "rb", buffering=0) as file:
            found = _is_private_context(file) or _is_private_key(file)
            return found or (file.seek(0) == 0 and _is_secret_key(file.fileno()))
    except FileNotFoundError:
        return False
    except OSError:
        return True
