# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's context: parameters, keys and switches of a computation."""

from __future__ import annotations

import math
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ..arguments import checked, checks_arguments
from ..errors import InputError, MismatchError, ParameterError, SecretKeyError, WireError
from ..native.files import StrPath, write_pieces
from ..native.library import PARMS_ID_BYTES, fail, get_bytes, lib
from ..native.streams import open_file, open_memory
from ..objects.ckks.context import Context
from ..objects.common.evaluation import nominal_trouble
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import BGV, CKKS, Parameters
from ..objects.exact.context import ExactContext
from . import protobuf
from .protobuf import Message, MessageField, Piece, WireKind, malformed
from .source import Source, contents

NAME = "context"
FIELDS = (
    MessageField(1, "encryption_parameters", WireKind.BYTES),
    MessageField(2, "public_context", WireKind.BYTES),
    MessageField(3, "private_context", WireKind.BYTES),
    MessageField(4, "encryption_type", WireKind.UINT32),
)
PUBLIC_FIELDS = (
    MessageField(1, "public_key", WireKind.BYTES),
    MessageField(2, "auto_flags", WireKind.UINT32),
    MessageField(3, "scale", WireKind.DOUBLE),
    MessageField(4, "relin_keys", WireKind.BYTES),
    MessageField(5, "galois_keys", WireKind.BYTES),
)
PRIVATE_FIELDS = (
    MessageField(1, "secret_key", WireKind.BYTES),
    MessageField(2, "relin_keys_generated", WireKind.BOOL),
    MessageField(3, "galois_keys_generated", WireKind.BOOL),
)
ASYMMETRIC, SYMMETRIC = 0, 1  # encryption_type
AUTO_RELIN, AUTO_RESCALE, AUTO_MOD_SWITCH = 1, 2, 4  # bits of auto_flags
SCALE_HINT = "Pass a number such as 2.0**40."
NO_SCALE = -1.0  # the scale of a context without one

KeyFile = bytes | StrPath  # SEAL's RelinKeys or GaloisKeys, or the file of that name


@checks_arguments
@dataclass(frozen=True)
class TensealContext:
    """The contents of a TenSEAL context, but for a secret key.

    public_key: encrypts there. relin_keys, galois_keys: SEAL's objects of these names as bytes, or the files that
    Context.write_relin_keys and write_galois_keys wrote. scale: TenSEAL's global_scale; default the parameters' own. TenSEAL takes the primes that it
    drops for the scale: `trouble` says if its products come out wrong.
    symmetric: the server encrypts by a secret key only. auto_…: what TenSEAL does by itself after each multiplication. In BFV there is no scale, and
    auto_relin alone; TenSEAL has no BGV.
    has_secret_key: there is one in what was read (secret_key_from_tenseal).
    """

    context: Context | ExactContext
    public_key: PublicKey | None = None
    relin_keys: KeyFile | None = None
    galois_keys: KeyFile | None = None
    scale: float | None = None
    symmetric: bool = False
    auto_relin: bool = True
    auto_rescale: bool = True
    auto_mod_switch: bool = True
    has_secret_key: bool = False

    def __post_init__(self) -> None:
        if self.params.scheme != CKKS:
            check_scheme(self.params)
            if self.scale is not None:
                raise InputError("RS_ERR_SCHEME", "A context of BFV has no scale.", "Leave out `scale`.")
            for name in ("auto_rescale", "auto_mod_switch"):
                object.__setattr__(self, name, False)
        elif self.scale is None:
            object.__setattr__(self, "scale", self.params.default_scale)
        elif not (math.isfinite(self.scale) and self.scale > 0):
            message = f"The scale of a context is a positive number, not {self.scale}."
            raise InputError("RS_ERR_SCALE", message, SCALE_HINT)
        if self.public_key is not None:
            self.context._same(self.public_key, PublicKey)

    @property
    def params(self) -> Parameters:
        """The parameters of its context."""
        return self.context.params

    @property
    def trouble(self) -> str:
        """A sentence if products that TenSEAL makes come out wrong, since the scale is not of the primes' size; else ''."""
        return "" if self.scale is None else nominal_trouble(self.params, self.scale)

    # ---- reading ----------------------------------------------------------------------------------------------------
    @classmethod
    def read(cls, source: Source, *, security: int = 128) -> Self:
        """From bytes, or from the file of that name. FileError, WireError, ParameterError (also: too weak)."""
        message, public, private = _messages(contents(source, NAME))
        context = shared_context(_parameters(message, security))
        flags, scale = public.number("auto_flags"), public.doubles.get("scale", 0.0)
        if flags > AUTO_RELIN | AUTO_RESCALE | AUTO_MOD_SWITCH:
            raise malformed(NAME, f"its auto_flags are {flags}")
        if not math.isfinite(scale) or (scale < 0 and scale != NO_SCALE):
            raise malformed(NAME, f"its scale is {scale}")
        encryption = message.number("encryption_type")
        if encryption not in (ASYMMETRIC, SYMMETRIC):
            raise malformed(NAME, f"its encryption_type is {encryption}")
        key, relin, galois = (public.data(name) for name in ("public_key", "relin_keys", "galois_keys"))
        for data, kind in ((relin, lib.RS_WIRE_RELIN_KEYS), (galois, lib.RS_WIRE_GALOIS_KEYS)):
            if data is not None:
                _check_keys(context, data, kind)
        return cls(
            context,
            None if key is None else PublicKey.from_bytes(context, key),
            None if relin is None else bytes(relin),
            None if galois is None else bytes(galois),
            scale if scale > 0 and context.params.scheme == CKKS else None,
            encryption == SYMMETRIC,
            bool(flags & AUTO_RELIN),
            bool(flags & AUTO_RESCALE),
            bool(flags & AUTO_MOD_SWITCH),
            private is not None and private.data("secret_key") is not None,
        )

    # ---- writing ----------------------------------------------------------------------------------------------------
    def _parts(self, secret: memoryview | None) -> list[Piece]:
        public: list[Piece] = []
        if self.public_key is not None:
            public += protobuf.bytes_field(1, [self.public_key.to_bytes()])
        flags = AUTO_RELIN * self.auto_relin | AUTO_RESCALE * self.auto_rescale | AUTO_MOD_SWITCH * self.auto_mod_switch
        public += protobuf.number_field(2, flags)
        public += protobuf.double_field(3, self.scale or NO_SCALE)
        private: list[Piece] = []
        for number, kind, keys in (
            (4, lib.RS_WIRE_RELIN_KEYS, self.relin_keys),
            (5, lib.RS_WIRE_GALOIS_KEYS, self.galois_keys),
        ):
            if keys is None:
                continue
            part: Piece = keys if isinstance(keys, bytes) else Path(keys)
            _check_keys(self.context, part, kind)
            if secret is None:
                public += protobuf.bytes_field(number, [part])
            else:  # TenSEAL makes them again then, and reads none
                private += protobuf.number_field(number - 2, 1)
        parts = protobuf.bytes_field(1, [self.params.to_bytes()])
        parts += protobuf.bytes_field(2, public)
        if secret is not None:
            parts += protobuf.bytes_field(3, [*protobuf.bytes_field(1, [secret]), *private])
        parts += protobuf.number_field(4, SYMMETRIC if self.symmetric else ASYMMETRIC)
        protobuf.check_size(parts)
        return parts

    def to_bytes(self) -> bytes:
        """The message that `tenseal.context_from` reads, without a secret key."""
        return b"".join(protobuf.pieces(self._parts(None)))

    def save(self, path: StrPath, *, secret_key: SecretKey | None = None, overwrite: bool | None = None) -> int:
        """The same to a file; its bytes.

        secret_key: write it too. The file then has mode 0600, and replaces an existing one only if overwrite is True.
        """
        if secret_key is None:
            return self._save(path, None, private=False, overwrite=overwrite)
        self.context._same(secret_key, SecretKey)
        with secret_key._image() as image:
            return self._save(path, image, private=True, overwrite=overwrite is True)

    def _save(self, path: StrPath, secret: memoryview | None, *, private: bool, overwrite: bool | None) -> int:
        parts = self._parts(secret)
        size = protobuf.check_size(parts)

        def whole() -> Iterator[bytes | memoryview]:
            left = size
            for piece in protobuf.pieces(parts):
                left -= len(piece)
                yield piece
            if left:
                raise WireError("TENSEAL_SIZE", "A key file changed while it was copied.", "Run the command again.")

        return write_pieces(path, whole(), private=private, overwrite=overwrite)


@checked
def secret_key_from_tenseal(source: Source, *, security: int = 128) -> SecretKey:
    """The secret key in a TenSEAL context that was saved with save_secret_key=True. Its `context` has the parameters.

    Give the file's name rather than bytes: memory that a file is read into is wiped.
    SecretKeyError if there is none. FileError, WireError, ParameterError as for from_tenseal.
    """
    message, _, private = _messages(contents(source, NAME))
    data = None if private is None else private.data("secret_key")
    if data is None:
        hint = "TenSEAL writes one by `serialize(save_secret_key=True)`."
        raise SecretKeyError("NO_SECRET_KEY", "This TenSEAL context holds no secret key.", hint)
    context = shared_context(_parameters(message, security))
    with open_memory(data) as reader:
        return SecretKey._read(context, reader)


def scale_in(path: StrPath) -> float | None:
    """The scale of the context in a file, of which nothing else is read; None: it has none, or there is no such file."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            view = memoryview(data)
            public = _messages(view)[1]
            scale = public.doubles.get("scale", NO_SCALE)
            del public
            view.release()
    except (OSError, ValueError):  # mmap: of an empty file
        return None
    return scale if math.isfinite(scale) and scale > 0 else None


def _messages(data: memoryview) -> tuple[Message, Message, Message | None]:
    """The context, its public part, and its private part if there is one."""
    message = protobuf.read(data, NAME, FIELDS)
    public = protobuf.read(message.data("public_context") or memoryview(b""), NAME, PUBLIC_FIELDS)
    inner = message.data("private_context")
    return message, public, None if inner is None else protobuf.read(inner, NAME, PRIVATE_FIELDS)


def _parameters(message: Message, security: int) -> Parameters:
    data = message.data("encryption_parameters")
    if data is None:
        raise malformed(NAME, "it has no parameters")
    found = Parameters.from_bytes(data, security=security)
    check_scheme(found)
    return found


def check_scheme(params: Parameters) -> None:
    """ParameterError: parameters that TenSEAL does not have, or whose vectors it cannot encode."""
    if params.scheme == BGV:
        raise ParameterError("RS_ERR_SCHEME", "TenSEAL has no BGV.", "Use parameters of BFV, or SEAL's own files.")
    if params.scheme != CKKS and not params.batching:
        fail(lib.RS_ERR_BATCHING, "TenSEAL's vectors are in slots")


def shared_context(params: Parameters) -> Context | ExactContext:
    """A context of the parameters' scheme, see Tables.shared."""
    return Context.shared(params) if params.scheme == CKKS else ExactContext.shared(params)


def _check_keys(context: Context | ExactContext, part: Piece, kind: int) -> None:
    """WireError or MismatchError unless the part is SEAL's object of that kind and of these parameters. Its residues are not read."""
    with open_file(part, check_end=False) if isinstance(part, Path) else open_memory(part, check_end=False) as reader:
        info = reader.info(context._pointer)
        if int(info.kind) != kind:
            wanted = "relinearisation" if kind == lib.RS_WIRE_RELIN_KEYS else "Galois"
            raise WireError("RS_ERR_KIND", f"{reader.name} does not hold {wanted} keys.")
        if get_bytes(info.parms_id, PARMS_ID_BYTES).hex() != context.params.parms_id():
            hint = "Use the keys that were made with the context's parameters."
            raise MismatchError("RS_ERR_MISMATCH", f"{reader.name} was made with other parameters.", hint)
        if int(info.total_bytes) != protobuf.size_of(part):
            raise WireError("RS_ERR_TRUNCATED", f"{reader.name} is not as long as its header says.")
