# SPDX-License-Identifier: Apache-2.0
"""What both groups of commands share: options, key files, files of bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from ...errors import FileError, MismatchError, RingsideError, SecretKeyError, UsageError, WireError
from ...native.files import FileSet, read_file
from ...pqc import (
    MLDSA,
    MLKEM,
    StoredPrivateKey,
    StoredPublicKey,
    decode_private_key,
    decode_public_key,
    encode_private_key,
    encode_public_key,
    new_private_key,
)
from ...pqc.key_files import Encoding, PrivateForm
from ..common.device import prepare, watched
from ..common.output import print_facts, print_json, print_table, size_text
from ..common.places import (
    STANDARD,
    Outputs,
    check_standard_output,
    messages_beside,
    not_an_input,
    only_one_standard_input,
    read_standard_input,
    write_standard_output,
)

KemSet = Literal["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]
SignatureSet = Literal["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]
Scheme = TypeVar("Scheme", MLKEM, MLDSA)

NewKeyArgument = Annotated[Path, typer.Argument(metavar="KEY", help="File for the private key; it gets mode 0600.")]
NewPublicArgument = Annotated[Path, typer.Argument(metavar="PUBLIC", help="File for the public key.")]
KeyArgument = Annotated[Path, typer.Argument(metavar="KEY", help="File of the private key; - is standard input.")]
PublicArgument = Annotated[Path, typer.Argument(metavar="PUBLIC", help="File of the public key; - is standard input.")]
RawFlag = Annotated[
    bool,
    typer.Option(
        "--raw", help="Key files are the bytes of the key and nothing else, as in the standard; name the set."
    ),
]
DerFlag = Annotated[bool, typer.Option("--der", help="Write DER in place of PEM.")]
FormOption = Annotated[
    PrivateForm,
    typer.Option(
        "--form",
        help="Form of the private key: its seed, from which the rest is computed, the expanded key of the standard, or both.",
    ),
]
ReplaceFlag = Annotated[bool, typer.Option("--force", help="Replace files that exist, private keys too.")]


def on_device(kind: type[Scheme], set_: str, device: str) -> Scheme:
    """A parameter set on a device, whose model is built first."""
    prepare(device)
    scheme = kind(set_, device)
    watched(scheme._device)
    return scheme


def encoding_of(raw: bool, der: bool) -> Encoding:
    if raw and der:
        raise UsageError("USAGE", "Give either --raw or --der, not both.")
    return "raw" if raw else "der" if der else "pem"


def show_sets(sizes: Sequence[dict[str, Any]], json: bool) -> None:
    """A table of parameter sets: their names, then numbers."""
    if json:
        print_json(list(sizes))
        return
    columns = [name.removesuffix("_bytes").replace("_", " ") for name in sizes[0]]
    print_table(columns, [[str(value) for value in row.values()] for row in sizes], "Sizes in bytes")


# ---- reading ---------------------------------------------------------------------------------------------------------
def read(path: Path, wanted: str) -> bytes:
    """A file, or standard input for `-`."""
    return read_standard_input(wanted) if path == STANDARD else read_file(path)


def read_sized(path: Path, size: int, wanted: str) -> bytes:
    """A file of so many bytes. WireError: it has others."""
    data = read(path, wanted)
    if len(data) != size:
        message = f"{path} has {len(data)} byte{'s' * (len(data) != 1)}; {wanted} has {size}."
        raise WireError("BYTES", message, "Name another file, or a key of the set that it was made with.")
    return data


@contextmanager
def of_file(path: Path) -> Iterator[None]:
    """Errors of what a file holds say which file."""
    try:
        yield
    except FileError:  # its message has the name
        raise
    except RingsideError as error:
        raise type(error)(error.code, f"{path}: {error.message}", error.hint) from error


def _raw_scheme(kind: type[Scheme], set_: str | None, raw: bool) -> Scheme | None:
    if raw and set_ is None:
        raise UsageError("USAGE", "--raw needs --set: bytes alone do not say which set they belong to.")
    return kind(set_) if raw and set_ is not None else None


def _of_kind(kind: type[Scheme], key: StoredPublicKey | StoredPrivateKey, set_: str | None) -> Scheme:
    """The key's scheme. WireError: it is no key of this kind. MismatchError: of another set than --set names."""
    if not isinstance(key.scheme, kind):
        other, hint = ("ML-DSA", "`ringside kem`") if kind is MLDSA else ("ML-KEM", "`ringside sign`")
        message = f"This is a key of {key.scheme.name}, and one of {other} was expected."
        raise WireError("KEY_FILE", message, f"Keys of that kind are used by {hint}.")
    if set_ is not None and key.scheme.name != set_:
        raise MismatchError("SET", f"This is a key of {key.scheme.name}, and not of {set_}.", "Leave --set out.")
    return key.scheme


def read_public(kind: type[Scheme], path: Path, set_: str | None, raw: bool) -> tuple[Scheme, bytes]:
    """The scheme and the key of a public key's file."""
    scheme = _raw_scheme(kind, set_, raw)
    with of_file(path):
        key = decode_public_key(read(path, "a public key"), scheme)
        return _of_kind(kind, key, set_), key.public


def read_private(
    kind: type[Scheme], path: Path, set_: str | None, raw: bool, *, sealed: bool = False
) -> tuple[Scheme, bytes]:
    """The scheme and the expanded key of a private key's file, for a sealed core its seed. SecretKeyError: the file has the expanded key alone."""
    scheme = _raw_scheme(kind, set_, raw)
    with of_file(path):
        key = decode_private_key(read(path, "a private key"), scheme)
        secret = key.seed if sealed else key.expanded
        if secret is None:
            message = "The file has the expanded key alone, and a sealed core takes seeds."
            hint = "Make the pair with --form seed or --form both, or compute on a processor."
            raise SecretKeyError("KEY_FORM", message, hint)
        return _of_kind(kind, key, set_), secret


# ---- writing ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class NewFile:
    """A result on its way into a file. private: nobody else may read it, from its first byte on."""

    path: Path
    what: str
    data: bytes
    private: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {"path": str(self.path), "bytes": len(self.data)}

    def fact(self) -> tuple[str, str]:
        return str(self.path), f"{self.what}, {size_text(len(self.data))}"


def check_places(inputs: Sequence[Path], outputs: Sequence[Path], json: bool, *, text: bool = False) -> None:
    """UsageError: `-` is given twice on one side, or an output is an input, or is `-` where --json prints. text: the output is no binary."""
    only_one_standard_input(inputs)
    if outputs.count(STANDARD) > 1:
        raise UsageError("USAGE", "- is given for both outputs: standard output can hold only one.")
    for out in outputs:
        check_standard_output(out, json, binary=not text)
        if out != STANDARD:
            not_an_input(out, [path for path in inputs if path != STANDARD])


def write_all(results: Sequence[NewFile], *, force: bool, replace: bool = False) -> None:
    """All files, or none. Without force none that exists is replaced; with `replace` only keys are kept, and files of key directories."""
    with Outputs(force=force) if replace else FileSet(overwrite=force) as files:
        for result in results:
            if result.path != STANDARD:
                files.add(result.path, private=result.private).write_bytes(result.data)
    for result in results:
        if result.path == STANDARD:
            write_standard_output(result.data)


def tell(name: str, files: Mapping[str, NewFile], json: bool, **facts: object) -> None:
    """Say what was written, beside standard output if a file went there. files: by their names in JSON, where `facts` come before them."""
    if json:
        print_json({"set": name, **facts, **{role: one.as_dict() for role, one in files.items()}})
        return
    paths = [one.path for one in files.values()]
    with messages_beside(STANDARD if STANDARD in paths else paths[0]):
        print(name)
        print_facts([one.fact() for one in files.values()])


def make_pair(
    scheme: MLKEM | MLDSA, key: Path, public: Path, encoding: Encoding, form: PrivateForm, force: bool, json: bool
) -> None:
    """Write a fresh pair of keys to two files, and say so."""
    check_places([], [key, public], json, text=encoding == "pem")
    pair = new_private_key(scheme)
    files = {
        "key": NewFile(key, "private key", encode_private_key(pair, encoding, form), private=True),
        "public": NewFile(public, "public key", encode_public_key(scheme, pair.public, encoding)),
    }
    write_all(list(files.values()), force=force)
    tell(scheme.name, files, json, form=form, encoding=encoding)
