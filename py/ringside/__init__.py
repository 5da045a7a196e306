# SPDX-License-Identifier: Apache-2.0
"""Ringside: the client side of CKKS, wire-compatible with Microsoft SEAL.

import ringside as rs

context = rs.Context(rs.Parameters.named("lee-14"))
with context.keygen() as secret:
    ciphertext = context.encrypt([1.5, -2.0, 3.25], secret)
    values = context.decrypt_values(ciphertext, secret, count=3)
"""

from . import interrupt as interrupt  # first: see there
from .errors import (
    ArgumentError,
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
from .exchange.lattigo import Lattigo
from .exchange.openfhe import OpenFHE
from .executors.names import DEVICES
from .native.library import native_version
from .objects.ckks.ciphertext import Ciphertext
from .objects.ckks.context import Context
from .objects.ckks.inspection import FileInfo, convert, inspect
from .objects.ckks.keydir import KeyDirectory, KeySpec, make_keys
from .objects.ckks.plaintext import Plaintext
from .objects.ckks.precision import measured_precision
from .objects.common.keys import PublicKey, SecretKey
from .objects.common.params import NamedSet, Parameters, SecurityTable, named_sets
from .tenseal import TensealContext, TensealVector, from_tenseal, secret_key_from_tenseal, to_tenseal

__version__ = native_version()

__all__ = [
    "DEVICES",
    "ArgumentError",
    "Ciphertext",
    "Context",
    "DeviceError",
    "FileError",
    "FileInfo",
    "InputError",
    "InternalError",
    "KeyDirectory",
    "KeySpec",
    "Lattigo",
    "MismatchError",
    "NamedSet",
    "OpenFHE",
    "ParameterError",
    "Parameters",
    "Plaintext",
    "PublicKey",
    "RingsideError",
    "SecretKey",
    "SecretKeyError",
    "SecurityTable",
    "TensealContext",
    "TensealVector",
    "UsageError",
    "WireError",
    "convert",
    "from_tenseal",
    "inspect",
    "make_keys",
    "measured_precision",
    "named_sets",
    "secret_key_from_tenseal",
    "to_tenseal",
]
