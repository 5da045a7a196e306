# SPDX-License-Identifier: Apache-2.0
"""Secret and public keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

import numpy as np
from numpy.typing import NDArray

from ...arguments import checks_arguments
from ...errors import ArgumentError, MismatchError
from ...native.files import StrPath
from ...native.handles import PublicHandle, SecretHandle
from ...native.library import (
    PARMS_ID_BYTES,
    SEED_TYPE_NAMES,
    CData,
    check,
    ffi,
    get_bytes,
    lib,
    seed_type_number,
    span,
    workspace,
)
from ...native.rng import Randomness, keygen
from ...native.streams import (
    DEFAULT_COMPRESSION,
    DEFAULT_VERSION,
    Reader,
    WireObject,
    WireOptions,
    open_file,
    secret_image,
    write_file,
)
from ...notebook import facts_html
from .params import CKKS
from .seal_object import SealObject
from .tables import Tables


@checks_arguments
class SecretKey:
    """The ternary secret s. Make it with Context.keygen, or load it.

    Use it in a `with` block or close() it: the memory is wiped then, at the latest when the object
    goes away. It has no view of its words; it leaves the process only through save().
    Threads may share it; close() waits for those that are using it.
    """

    def __init__(self, context: Tables, native: CData) -> None:
        self.context = context
        self._handle = SecretHandle(context._handle, native)

    @classmethod
    def _generate(cls, context: Tables, randomness: Randomness) -> SecretKey:
        key = cls(context, ffi.new("rs_secret_key_t *"))
        rng = randomness.of_keys("secret key", context.params.parms_id())
        check(lib.rs_keygen_secret(context._pointer, key._handle.native, rng.pointer))
        return key

    def _borrow(self) -> AbstractContextManager[CData]:
        """The descriptor, safe from close() for the time of the block."""
        return self._handle.borrow()

    @property
    def parms_id(self) -> str:
        """SEAL's parms_id of the key level, 64 hex digits."""
        return get_bytes(self._handle.native.parms_id, PARMS_ID_BYTES).hex()

    @property
    def closed(self) -> bool:
        """Whether the key is wiped."""
        return self._handle.closed

    # ---- SEAL files ----------------------------------------------------------------------------
    @classmethod
    def load(cls, context: Tables, path: StrPath) -> SecretKey:
        """Reads SEAL's SecretKey and checks that it is ternary.

        FileError, WireError, MismatchError (other parameters), SecretKeyError (not ternary).
        """
        with open_file(path) as reader:
            return cls._read(context, reader)

    @classmethod
    def _read(cls, context: Tables, reader: Reader) -> SecretKey:
        native, pointer = ffi.new("rs_secret_key_t *"), context._pointer
        target = context._begin(reader, lib.RS_WIRE_SECRET_KEY, native)
        key = cls(context, native)
        reader.words(target)
        reader.check(lib.rs_key_check(pointer, native, ffi.NULL, span(workspace(16 * context.n))))
        return key

    def save(
        self,
        path: StrPath,
        *,
        compression: str = DEFAULT_COMPRESSION,
        version: str = DEFAULT_VERSION,
        overwrite: bool = False,
    ) -> int:
        """Writes a file (mode 0600) that SEAL's SecretKey::load reads; returns its bytes.

        An existing file is kept, and FileError raised, unless overwrite is True.
        """
        with self._borrow() as native:
            options = WireOptions(compression, version)
            return write_file(path, self._written(native), options, private=True, overwrite=overwrite)

    def _written(self, native: CData) -> WireObject:
        return {"kind": lib.RS_WIRE_SECRET_KEY, "context": self.context._pointer, "secret_key": native}

    def _modulo(self, context: Tables) -> SecretKey:
        """The same secret for a context whose moduli are among this one's."""
        found = SecretKey(context, ffi.new("rs_secret_key_t *"))
        places = [self.context.params.moduli.index(modulus) for modulus in context.params.moduli]
        with self._borrow() as native, found._borrow() as own:
            for limb, place in enumerate(places):
                ffi.memmove(own.ntt + limb * context.n, native.ntt + place * context.n, 8 * context.n)
            ffi.memmove(own.parms_id, bytes.fromhex(context.params.parms_id()), PARMS_ID_BYTES)
        return found

    @contextmanager
    def _image(self) -> Iterator[memoryview]:
        """The bytes that save writes, in memory that is wiped at the end of the block: a part of a file of another format."""
        with self._borrow() as native, secret_image(self._written(native), WireOptions()) as image:
            yield image

    # ---- end -----------------------------------------------------------------------------------
    def close(self) -> None:
        """Wipes the key as soon as no thread uses it any more."""
        self._handle.close()

    def __enter__(self) -> SecretKey:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """Nothing of the key."""
        return facts_html("Secret key", [("N", self.context.n), ("state", "closed" if self.closed else "open")])

    def __repr__(self) -> str:
        return f"SecretKey(n={self.context.n}{', closed' if self.closed else ''})"

    def __reduce__(self) -> str | tuple[object, ...]:
        message = "A secret key is not pickled or copied, so that it does not travel by itself."
        hint = "save() writes it to a file of mode 0600, SecretKey.load reads it where it is needed."
        raise ArgumentError("PICKLE", message, hint)


@checks_arguments
class PublicKey(SealObject):
    """A public key (b, a) with b = -(a s + e) over all moduli. Threads may share it."""

    def __init__(self, context: Tables, native: CData) -> None:
        """Takes a descriptor whose counts are set and gives it memory for both polynomials."""
        self.context = context
        self._handle = PublicHandle(context._handle, native)
        self._native = native
        self._data_only = False

    @classmethod
    def _from_words(cls, context: Tables, polys: Sequence[NDArray[np.uint64]], *, data_only: bool) -> PublicKey:
        """From residues (b, a), each [limb, N]. data_only: without those of the special prime, whose limb is not used."""
        native = ffi.new("rs_ciphertext_t *")
        native.parms_id = bytes.fromhex(context.params.parms_id())
        native.poly_count, native.limb_count, native.scale = 2, context.params.limb_count, 1.0
        native.correction_factor = int(context.params.scheme != CKKS)
        key = cls(context, native)
        key._handle.data[0], key._handle.data[1] = polys
        key._data_only = data_only
        return key

    @classmethod
    def _generate(
        cls, context: Tables, secret: SecretKey, randomness: Randomness, seeded: bool, seed_type: str
    ) -> PublicKey:
        key, number = cls(context, ffi.new("rs_ciphertext_t *")), seed_type_number(seed_type)
        with secret._borrow() as secret_native:
            label = f"public key {seed_type}"
            rng = randomness.of_keys(label, context.params.parms_id(), secret_native.ntt, context.n)
            keygen(context._pointer, secret_native, key._native, rng, seeded=int(seeded), seed_type=number)
        return key

    def check(self, secret: SecretKey) -> None:
        """Checks that this key belongs to `secret`: b + a s must be a small error over all moduli. SecretKeyError if not.

        Keys are made without this check, which takes about a third as long. make_keys and `ringside keygen` include it, because what they
        write is used for a long time and by others.
        """
        room = workspace(16 * self.context.n)
        self._refuse_data_only("be checked against a secret key")
        with secret._borrow() as secret_native:
            check(lib.rs_key_check(self.context._pointer, secret_native, self._native, span(room)))

    @property
    def data(self) -> NDArray[np.uint64]:
        """View of the residues (b, a): uint64 [2, limb, N], NTT form."""
        self._handle.expanded()
        return self._handle.data

    @property
    def seeded(self) -> bool:
        """Whether files hold a seed instead of the second polynomial."""
        return bool(self._native.seeded)

    @property
    def data_only(self) -> bool:
        """Whether the key lacks the special prime, as keys of OpenFHE do. It encrypts without rounding (about 4 bits more noise)."""
        return self._data_only

    def _refuse_data_only(self, what: str) -> None:
        if self._data_only:
            message = f"This public key has no residues of the special prime, so it cannot {what}."
            raise MismatchError("DATA_ONLY_KEY", message, "Keep it in its own file; it encrypts like any other key.")

    @property
    def seed_type(self) -> str | None:
        """How a seeded key is expanded: "shake256" or "blake2xb"."""
        return SEED_TYPE_NAMES[int(self._native.seed_type)] if self.seeded else None

    # ---- SEAL files ----------------------------------------------------------------------------
    @classmethod
    def _read(cls, context: Tables, reader: Reader) -> PublicKey:
        native = ffi.new("rs_ciphertext_t *")
        target = context._begin(reader, lib.RS_WIRE_PUBLIC_KEY, native)
        key = cls(context, native)
        reader.words(target)
        return key

    def _written(self) -> WireObject:
        self._refuse_data_only("be written as a file of SEAL")
        return {"kind": lib.RS_WIRE_PUBLIC_KEY, "context": self.context._pointer, "ciphertext": self._native}

    def _repr_html_(self) -> str:
        facts = [("N", self.context.n), ("half of it", f"a seed of {self.seed_type}" if self.seeded else "no seed")]
        return facts_html("Public key", [*facts, ("parms_id", self.parms_id)])

    def __repr__(self) -> str:
        kind = f", seeded {self.seed_type}" if self.seeded else ""
        return f"PublicKey(n={self.context.n}{kind})"


def encryption_kind(key: SecretKey | PublicKey, special_prime: bool) -> int:
    """rs_encryption_t."""
    if isinstance(key, SecretKey):
        return int(lib.RS_ENCRYPT_SK)
    return int(lib.RS_ENCRYPT_PK if special_prime and not key.data_only else lib.RS_ENCRYPT_PK_DIRECT)
