# SPDX-License-Identifier: Apache-2.0
"""Ringside: the client side of CKKS, BFV and BGV, wire-compatible with Microsoft SEAL.

import ringside as rs

context = rs.Context(rs.Parameters.named("lee-14"))
with context.keygen() as secret:
    ciphertext = context.encrypt([1.5, -2.0, 3.25], secret)
    values = context.decrypt_values(ciphertext, secret, count=3)
"""

import importlib
import importlib.util
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from .devices.names import DEVICES
    from .exchange.heir.program import HeirProgram
    from .exchange.lattigo import Lattigo
    from .exchange.openfhe import OpenFHE
    from .objects.ckks.context import Context
    from .objects.ckks.inspection import FileInfo, convert, inspect
    from .objects.ckks.precision import measured_precision
    from .objects.common.ciphertext import Ciphertext
    from .objects.common.keys import PublicKey, SecretKey
    from .objects.common.params import NamedSet, Parameters, SecurityTable, named_sets
    from .objects.common.plaintext import Plaintext
    from .objects.exact.context import ExactContext
    from .objects.keydir import KeyDirectory, KeySpec, make_keys
    from .tenseal import TensealContext, TensealVector, from_tenseal, secret_key_from_tenseal, to_tenseal

    __version__: str

__all__ = [
    "DEVICES", "ArgumentError", "Ciphertext", "Context", "DeviceError", "ExactContext", "FileError", "FileInfo", "HeirProgram",
    "InputError", "InternalError", "KeyDirectory", "KeySpec", "Lattigo", "MismatchError", "NamedSet", "OpenFHE",
    "ParameterError", "Parameters", "Plaintext", "PublicKey", "RingsideError", "SecretKey", "SecretKeyError",
    "SecurityTable", "TensealContext", "TensealVector", "UsageError", "WireError", "convert", "from_tenseal", "inspect",
    "make_keys", "measured_precision", "named_sets", "secret_key_from_tenseal", "to_tenseal",
]  # fmt: skip

# Where the names are that load the C library and NumPy. They are loaded when they are first asked for, so that a command's help costs neither.
_PLACES = {
    "exchange.lattigo": "Lattigo",
    "exchange.openfhe": "OpenFHE",
    "exchange.heir.program": "HeirProgram",
    "devices.names": "DEVICES",
    "objects.ckks.context": "Context",
    "objects.ckks.inspection": "FileInfo convert inspect",
    "objects.keydir": "KeyDirectory KeySpec make_keys",
    "objects.common.plaintext": "Plaintext",
    "objects.ckks.precision": "measured_precision",
    "objects.common.ciphertext": "Ciphertext",
    "objects.common.keys": "PublicKey SecretKey",
    "objects.common.params": "NamedSet Parameters SecurityTable named_sets",
    "objects.exact.context": "ExactContext",
    "tenseal": "TensealContext TensealVector from_tenseal secret_key_from_tenseal to_tenseal",
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names.split()}


def _late(name: str) -> object:
    if name == "__version__":
        from .native.library import native_version

        value: object = native_version()
    elif name in _PLACE_OF:
        value = getattr(importlib.import_module(f".{_PLACE_OF[name]}", __name__), name)
    else:
        value = _module(name)
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # type checkers are to tell names that there are not
    __getattr__ = _late


def _module(name: str) -> object:
    """A room of the package, so that `ringside.designs` needs no import of its own."""
    found = None if name.startswith("_") else importlib.util.find_spec(f"{__name__}.{name}")
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(found.name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACE_OF, "__version__"})
