# SPDX-License-Identifier: Apache-2.0
"""Ringside: the client side of CKKS, wire-compatible with Microsoft SEAL.

import ringside as rs

context = rs.Context(rs.Parameters.named("lee-14"))
with context.keygen() as secret:
    ciphertext = context.encrypt([1.5, -2.0, 3.25], secret)
    values = context.decrypt_values(ciphertext, secret, count=3)
"""

from ._native import native_version
from .ciphertext import Ciphertext
from .context import Context
from .devices import DEVICES
from .errors import (
    DeviceError,
    FileError,
    InputError,
    InternalError,
    MismatchError,
    ParameterError,
    RingsideError,
    SecretKeyError,
    UsageError,
    WireError,
)
from .inspection import FileInfo, convert, inspect
from .keydir import KeyDirectory, KeySpec, make_keys
from .keys import PublicKey, SecretKey
from .params import NamedSet, Parameters, named_sets
from .plaintext import Plaintext
from .precision import measured_precision

__version__ = native_version()

__all__ = [
    "DEVICES",
    "Ciphertext",
    "Context",
    "DeviceError",
    "FileError",
    "FileInfo",
    "InputError",
    "InternalError",
    "KeyDirectory",
    "KeySpec",
    "MismatchError",
    "NamedSet",
    "ParameterError",
    "Parameters",
    "Plaintext",
    "PublicKey",
    "RingsideError",
    "SecretKey",
    "SecretKeyError",
    "UsageError",
    "WireError",
    "convert",
    "inspect",
    "make_keys",
    "measured_precision",
    "named_sets",
]
