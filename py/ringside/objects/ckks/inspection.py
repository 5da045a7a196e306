# SPDX-License-Identifier: Apache-2.0
"""Facts of a SEAL file, and copies of it under another version or compression."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...arguments import checked
from ...errors import FileError, ParameterError, SecretKeyError, WireError
from ...native.files import StrPath, named_to_read, read_error, replace_file
from ...native.library import (
    PARMS_ID_BYTES,
    SEED_TYPE_NAMES,
    CData,
    aligned,
    ffi,
    get_bytes,
    lib,
    secret_words,
    words_of,
)
from ...native.secret_files import may_be_secret_key
from ...native.streams import (
    COMPRESSION_NAMES,
    DEFAULT_COMPRESSION,
    DEFAULT_VERSION,
    FileSink,
    Reader,
    WireOptions,
    open_descriptor,
    open_file,
    open_memory,
    version_of,
)
from ...notebook import facts_html, power_of_two
from ..common.ciphertext import Ciphertext
from ..common.evaluation import depth, products, scale_trouble
from ..common.keys import PublicKey, SecretKey
from ..common.params import CKKS, Parameters, named_sets
from ..common.plaintext import Plaintext
from ..common.tables import Tables

KINDS = {
    lib.RS_WIRE_UNKNOWN: "unknown",
    lib.RS_WIRE_PARAMS: "parameters",
    lib.RS_WIRE_PLAINTEXT: "plaintext or secret key",
    lib.RS_WIRE_SECRET_KEY: "secret key",
    lib.RS_WIRE_CIPHERTEXT: "ciphertext or public key",
    lib.RS_WIRE_PUBLIC_KEY: "public key",
    lib.RS_WIRE_RELIN_KEYS: "relinearisation keys",
    lib.RS_WIRE_GALOIS_KEYS: "Galois keys",
}
SCHEMES = {0: "none", 1: "BFV", 2: "CKKS", 3: "BGV"}
_BUFFER_BYTES = 1 << 20


@dataclass(frozen=True)
class FileInfo:
    """Facts that a file has about itself. None: the file does not say, or only with its parameters.

    kind: one of KINDS' values, or "plaintext", "ciphertext". file_bytes: on the disk; declared_bytes: as the header says.
    scheme: "CKKS", "BFV", "BGV", or "BFV or BGV". named: the named set whose parms_id the object has. level: of a ciphertext or
    plaintext. ntt: whether in NTT form; of BFV and BGV: correction_factor of a ciphertext, plain_modulus and batching (whether there are slots) of the parameters.
    parameters: of a parameter file, or those passed in if the object belongs to them. elements: Galois elements present (read only by a full check).
    checked: every byte was read and every residue is below its modulus.
    """

    path: str
    kind: str
    version: str
    compression: str
    file_bytes: int
    declared_bytes: int
    scheme: str | None = None
    named: str | None = None
    n: int | None = None
    limbs: int | None = None
    level: int | None = None
    polynomials: int | None = None
    ntt: bool | None = None
    seeded: bool | None = None
    seed_type: str | None = None
    correction_factor: int | None = None
    plain_modulus: int | None = None
    batching: bool | None = None
    scale: float | None = None
    parms_id: str | None = None
    entries: int | None = None
    elements: tuple[int, ...] | None = None
    parameters: Parameters | None = None
    belongs: bool | None = None
    checked: bool = False

    @property
    def trouble(self) -> str:
        """A sentence if the scale of a ciphertext or plaintext has left its range, else ''. Needs parameters, or those of a named set."""
        params = self.parameters or (Parameters.named(self.named, security=0) if self.named else None)
        if params is None or params.scheme != CKKS or self.scale is None or self.level is None:
            return ""
        return scale_trouble(params, self.scale, self.level)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON; members that are None are left out."""
        result: dict[str, Any] = {"trouble": self.trouble} if self.trouble else {}
        result |= {k: v for k, v in self.__dict__.items() if v is not None and k != "parameters"}
        if self.scale is not None and self.scale > 0 and math.isfinite(self.scale):
            result["scale_log2"] = math.log2(self.scale)
        if self.parameters is not None:
            result["parameters"] = describe(self.parameters)
        return result

    def _repr_html_(self) -> str:
        facts = {
            name: value for name, value in self.as_dict().items() if name not in ("parameters", "scale_log2", "scale")
        }
        if self.scale is not None and self.scale > 0 and math.isfinite(self.scale):
            facts["scale"] = power_of_two(self.scale)
        return facts_html("File", [(name.replace("_", " "), value) for name, value in facts.items()])


def describe(params: Parameters) -> dict[str, Any]:
    """A parameter set in plain values for JSON."""
    if params.scheme == CKKS:
        own = {"default_scale_log2": math.log2(params.default_scale), "evaluation": _evaluation(params)}
    else:
        own = {"plain_modulus": params.plain_modulus, "batching": params.batching}
    return {
        "name": params.name,
        "scheme": params.scheme,
        "slots": params.slots,
        "moduli": list(params.moduli),
        "total_bits": params.total_bits,
        "max_level": params.max_level,
        **params._security_facts(),
        **own,
        "parms_id": params.parms_id(),
        "parms_ids": [params.parms_id(level) for level in range(params.max_level + 1)],
    }


def _evaluation(params: Parameters) -> dict[str, Any]:
    """What a server's operations leave at the default scale. nominal: on TenSEAL and OpenFHE."""
    scale, error = params.default_scale, params.rotation_error()
    steps = {nominal: list(products(params, scale, nominal=nominal)) if error else [] for nominal in (False, True)}
    return {
        "depth": depth(params, scale),
        "precision_bits": [found.precision_bits for found in steps[False]],
        "nominal_precision_bits": [found.precision_bits for found in steps[True]],
        "rotation_error_log2": None if error is None else math.log2(error),
    }


@checked
def inspect(source: StrPath | bytes, params: Parameters | None = None, *, full: bool = False) -> FileInfo:
    """Describes any SEAL object from its first bytes. source: a file's path, or the object itself.

    params: those it may belong to; they tell keys from ciphertexts and plaintexts.
    full: read and check everything (a check of residues needs `params`).
    FileError, WireError; MismatchError with `full` and parameters that are not the object's.
    """
    check_end = full and params is not None
    if isinstance(source, bytes):
        with open_memory(source, check_end=check_end) as reader:
            return _describe("-", len(source), reader, params, full)
    try:
        if Path(named_to_read(source)).is_dir():
            raise _is_directory(Path(source))
        file_bytes = Path(source).stat().st_size
    except OSError as error:
        raise read_error(source, error) from error
    with open_file(source, check_end=check_end) as reader:
        return _describe(os.fspath(source), file_bytes, reader, params, full)


def _is_directory(path: Path) -> FileError:
    files = sorted(item.name for item in path.iterdir() if item.is_file())
    hint = f"Name one of its files: {', '.join(files[:5])}{' …' if len(files) > 5 else ''}." if files else ""
    return FileError("RS_ERR_IO", f"{path} is a directory, not a file.", hint)


def _describe(name: str, size: int, reader: Reader, params: Parameters | None, full: bool) -> FileInfo:
    context = Tables(params) if params is not None else None
    native = reader.info(context._pointer if context else None)
    members = _members(native, params)
    if native.kind == lib.RS_WIRE_PARAMS:
        with suppress(ParameterError):  # SEAL's, which may be empty, or too large or small for Ringside
            members["parameters"] = Parameters._read(reader, 0)
            members |= _of_scheme(members["parameters"])
    elif full and context is not None:
        members |= _read_all(reader, context, native)
        members["checked"] = True
    return FileInfo(path=name, file_bytes=size, **members)


def _members(native: CData, params: Parameters | None) -> dict[str, Any]:
    kind = int(native.kind)
    members: dict[str, Any] = {
        "kind": KINDS.get(kind, "unknown"),
        "version": version_of(native),
        "compression": COMPRESSION_NAMES.get(int(native.compression), "unknown"),
        "declared_bytes": int(native.total_bytes),
    }
    members["n"] = int(native.n) or None
    members["limbs"] = int(native.limb_count) or None
    if kind == lib.RS_WIRE_PARAMS:
        members["scheme"] = SCHEMES.get(int(native.scheme), "unknown")
        return members
    parms_id = get_bytes(native.parms_id, PARMS_ID_BYTES)
    if any(parms_id):
        members["parms_id"] = parms_id.hex()
        members["belongs"] = _belongs(parms_id.hex(), params)
        if params is not None and members["belongs"]:
            members |= {"parameters": params, **_of_scheme(params)}
    found = _named_ids().get(parms_id.hex())
    if found:
        members |= {"named": found.name, "n": found.n, "limbs": found.limbs}
        members |= _of_scheme(Parameters.named(found.name, security=0))
    if kind in (lib.RS_WIRE_RELIN_KEYS, lib.RS_WIRE_GALOIS_KEYS):
        members["entries"] = int(native.entries)
    elif kind != lib.RS_WIRE_UNKNOWN:
        members |= _data_members(native, members, found, params)
    return members


def _of_scheme(params: Parameters) -> dict[str, Any]:
    """The scheme that an object has from its parameters, and what only BFV and BGV have."""
    members: dict[str, Any] = {"scheme": params.scheme.upper()}
    if params.scheme != CKKS:
        members |= {"plain_modulus": params.plain_modulus, "batching": params.batching}
    return members


_KEY_OF = {lib.RS_WIRE_PLAINTEXT: lib.RS_WIRE_SECRET_KEY, lib.RS_WIRE_CIPHERTEXT: lib.RS_WIRE_PUBLIC_KEY}
_DATA = {lib.RS_WIRE_PLAINTEXT: "plaintext", lib.RS_WIRE_CIPHERTEXT: "ciphertext"}


def _data_members(
    native: CData, members: dict[str, Any], found: _NamedId | None, params: Parameters | None
) -> dict[str, Any]:
    """Facts of plaintexts, ciphertexts, and the keys that look like them.

    Keys have scale 1 and are in NTT form, as all of CKKS; its data have other scales. A plaintext in coefficients, which has no
    parms_id, is BFV's or BGV's, a ciphertext in coefficients is BFV's, one with a factor other than 1 is BGV's.
    """
    kind, scale, ntt = int(native.kind), float(native.scale), bool(native.ntt)
    more: dict[str, Any] = {"ntt": ntt, "scale": scale}
    if kind in (lib.RS_WIRE_CIPHERTEXT, lib.RS_WIRE_PUBLIC_KEY):
        more["polynomials"] = int(native.poly_count)
        more["seeded"] = bool(native.seeded)
    if kind not in _DATA:
        return more
    plain = not ntt and bool(native.words)  # in coefficients
    factor = int(native.correction_factor)
    switched = kind == lib.RS_WIRE_CIPHERTEXT and factor != 1
    is_data = (
        bool(members.get("belongs")) or scale != 1 or plain or switched or (found is not None and not found.is_key)
    )
    if is_data:
        more["kind"] = _DATA[kind]
    elif found:
        more["kind"] = KINDS[_KEY_OF[kind]]
    scheme = members.get("scheme") or _scheme_of(kind, scale, plain, switched)
    if scheme is not None:
        more["scheme"] = scheme
    if scheme == "BGV" and is_data and kind == lib.RS_WIRE_CIPHERTEXT:
        more["correction_factor"] = factor
    # without parameters, scale 1 may mean a key, which has no level
    if members["limbs"] and (is_data or params is not None):
        more["level"] = members["limbs"] - 1
    return more


def _scheme_of(kind: int, scale: float, plain: bool, switched: bool) -> str | None:
    """The scheme of data, as far as they tell it themselves."""
    if switched:
        return "BGV"
    if plain:
        return "BFV" if kind == lib.RS_WIRE_CIPHERTEXT else "BFV or BGV"
    return "CKKS" if scale != 1 else None


@dataclass(frozen=True)
class _NamedId:
    """The meaning of a parms_id of a named set. is_key: only keys have it."""

    name: str
    n: int
    limbs: int
    is_key: bool


@cache
def _named_ids() -> dict[str, _NamedId]:
    found = {}
    for item in named_sets(None):
        params = Parameters.named(item.name, security=0)
        for level in range(params.max_level + 1):
            found[params.parms_id(level)] = _NamedId(item.name, params.n, level + 1, is_key=False)
        if params.special_prime is not None:
            found[params.parms_id()] = _NamedId(item.name, params.n, params.limb_count, is_key=True)
    return found


def named_by_id(parms_id: str) -> Parameters | None:
    """The named set one of whose levels, or whose keys, have that parms_id."""
    found = _named_ids().get(parms_id)
    return Parameters.named(found.name, security=0) if found else None


def _belongs(parms_id: str, params: Parameters | None) -> bool | None:
    if params is None:
        return None
    levels = [None, *range(params.max_level + 1)]
    return parms_id in {params.parms_id(level) for level in levels}


def _read_all(reader: Reader, context: Tables, native: CData) -> dict[str, Any]:
    kind = int(native.kind)
    if kind == lib.RS_WIRE_SECRET_KEY:
        SecretKey._read(context, reader).close()
    elif kind == lib.RS_WIRE_PLAINTEXT and context.params.scheme == CKKS:
        Plaintext._read(context, reader).close()
    elif kind == lib.RS_WIRE_PLAINTEXT:
        _read_integers(reader, context)
    elif kind == lib.RS_WIRE_PUBLIC_KEY:
        return {"seed_type": PublicKey._read(context, reader).seed_type}
    elif kind == lib.RS_WIRE_CIPHERTEXT:
        return {"seed_type": Ciphertext._read(context, reader).seed_type}
    elif kind in (lib.RS_WIRE_RELIN_KEYS, lib.RS_WIRE_GALOIS_KEYS):
        return _read_switch_keys(reader, context, kind)
    else:
        raise WireError("RS_ERR_KIND", f"{reader.name} is of a kind that cannot be checked.")
    return {}


def _read_integers(reader: Reader, context: Tables) -> None:
    """A plaintext of BFV or BGV: coefficients modulo the plain modulus."""
    plaintext = ffi.new("rs_plaintext_t *")
    target = reader.begin(context._pointer, lib.RS_WIRE_PLAINTEXT, plaintext)
    plaintext.message, _words = secret_words(context.n)
    reader.words(target)


def _read_switch_keys(reader: Reader, context: Tables, kind: int) -> dict[str, Any]:
    pointer, params = context._pointer, context.params
    component = ffi.new("rs_ciphertext_t *")
    words = aligned(2 * params.limb_count * context.n)
    elements, seeds = [], set()
    for entry, count in reader.entries(pointer, kind):
        if count:
            elements.append(2 * entry + 1)
        for _ in range(count):
            target = reader.begin(pointer, kind, component)
            component.data = ffi.cast("uint64_t *", words_of(words))
            reader.words(target)
            seeds.add(SEED_TYPE_NAMES[int(component.seed_type)] if component.seeded else "")
    members: dict[str, Any] = {"seeded": seeds != {""}}
    if len(seeds) == 1 and seeds != {""}:
        members["seed_type"] = seeds.pop()
    if kind == lib.RS_WIRE_GALOIS_KEYS:
        members["elements"] = tuple(elements)
    return members


@checked
def convert(
    source: StrPath | bytes,
    target: StrPath,
    *,
    compression: str = DEFAULT_COMPRESSION,
    version: str = DEFAULT_VERSION,
    overwrite: bool = False,
) -> FileInfo:
    """Copies one SEAL object of any kind, a file's or the bytes given, under another version or compression.

    Needs no parameters; the structure is checked, residues are passed through. Unless overwrite is
    True no file that holds a secret key is replaced, and what may be a secret key, whose copy gets
    mode 0600, replaces no file at all.
    """
    options = WireOptions(compression, version)
    with open_memory(source) if isinstance(source, bytes) else open_file(source) as reader:
        private = int(reader.info().kind) in (lib.RS_WIRE_PLAINTEXT, lib.RS_WIRE_SECRET_KEY)
        with replace_file(target, private=private, overwrite=overwrite or (False if private else None)) as fd:
            _copy(reader, FileSink(target, fd), options)
            return _describe_copy(fd, target, reader.name)


def _describe_copy(fd: int, target: StrPath, source: str) -> FileInfo:
    """The copy before it takes its place: what cannot be described is refused. source: what an error names."""
    os.lseek(fd, 0, os.SEEK_SET)
    with open_descriptor(fd, source, check_end=False) as reader:
        return _describe(os.fspath(target), os.fstat(fd).st_size, reader, None, False)


def convert_bytes(data: bytes, *, compression: str = DEFAULT_COMPRESSION, version: str = DEFAULT_VERSION) -> bytes:
    """The same in memory. SecretKeyError for what may be a secret key: it leaves a process only into a file of mode 0600."""
    options = WireOptions(compression, version)
    with open_memory(data) as reader:
        if may_be_secret_key(reader.info()):
            message = "This may be a secret key, which is not written to a pipe or terminal."
            raise SecretKeyError("SECRET_KEY_PIPE", message, "Name a file for the output: it gets mode 0600.")
        with open(os.memfd_create("ringside", os.MFD_CLOEXEC), "r+b") as file:  # a sink that can be patched
            _copy(reader, FileSink("memory", file.fileno()), options)
            file.seek(0)
            return file.read()


def _copy(reader: Reader, sink: FileSink, options: WireOptions) -> None:
    """The one object of the reader, to its end."""
    pointer, _ = secret_words(_BUFFER_BYTES // 8)
    buffer = {"p": pointer, "n": _BUFFER_BYTES}
    status = lib.rs_wire_convert(reader.pointer, sink.pointer, options.native(), buffer)
    factor = int(reader.info().correction_factor)
    if status == lib.RS_ERR_VERSION and factor not in (0, 1) and options.version < "4":
        message = f"{reader.name} has the correction factor {factor}, which files before SEAL 4.0 do not have."
        raise WireError("RS_ERR_VERSION", message, "Pass --seal-version 4.0 or a later one.")
    if status not in (lib.RS_ERR_IO, lib.RS_ERR_DISK_FULL):
        reader.check(status)
    sink.check(status)
    sink.flush()
    reader.close(True)  # nothing may follow: before the copy takes its place
