# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's messages in `ringside inspect` and `ringside convert`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ...objects.ckks.inspection import describe
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.evaluation import nominal_trouble
from ...objects.common.params import CKKS
from ...objects.keydir import GALOIS, PARAMS, PUBLIC, RELIN, SECRET, KeyDirectory
from ...tenseal import TensealContext, TensealVector, secret_key_from_tenseal
from ...tenseal.files import TensealInfo, context_of_keys, is_context
from ...tenseal.source import Source, contents
from ..common.output import print_facts, print_json, size_text, warn
from ..common.places import STANDARD, Outputs, messages_beside, write_standard_output
from .exchange import write_keys_to


def show(info: TensealInfo, parameter_facts: list[tuple[str, str]], json: bool) -> None:
    """Prints what `inspect` says of a message."""
    if json:
        print_json(info.as_dict())
        return
    facts = [
        ("file", info.path),
        ("kind", info.kind),
        ("size", f"{size_text(info.file_bytes)} ({info.file_bytes} bytes)"),
    ]
    for name, value in info.members.items():
        if name == "trouble":
            if value:
                warn(value)
            continue
        if value is None:
            continue
        if isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, list):
            value = ", ".join(map(str, value))
        elif name == "scale_log2":
            name, value = "scale", f"2^{value:.6g}"
        facts.append((name.replace("_", " "), str(value)))
    print_facts([*facts, *parameter_facts])


@dataclass(frozen=True)
class Wanted:
    """A task of `convert`."""

    source: Source
    out: Path
    keys: Path | None
    count: int | None
    secret_key: bool
    compression: str
    version: str
    force: bool
    json: bool

    @property
    def is_directory(self) -> bool:
        return isinstance(self.source, Path) and self.source.is_dir()


def to_message(wanted: Wanted) -> None:
    """A directory of keys becomes a context, a ciphertext a vector."""
    if wanted.is_directory:
        _write_context(wanted)
        return
    if wanted.secret_key:
        raise UsageError("USAGE", "--secret-key is for a directory of keys.", "A ciphertext holds none.")
    context = _directory(wanted, "the ciphertext").context
    source = wanted.source
    load: Callable[..., Ciphertext] = Ciphertext.load if isinstance(source, Path) else Ciphertext.from_bytes
    vector = TensealVector.of([load(context, source)], wanted.count)
    if context.params.scheme == CKKS and (trouble := nominal_trouble(context.params, vector.scale)):
        warn(trouble)
    data = vector.to_bytes(compression=wanted.compression, version=wanted.version)
    if wanted.out == STANDARD:
        write_standard_output(data)
    else:
        with Outputs(force=wanted.force) as files:
            files.add(wanted.out).write_bytes(data)
    _tell(wanted, f"TenSEAL {vector.name}", {str(wanted.out): len(data)})


def _write_context(wanted: Wanted) -> None:
    assert isinstance(wanted.source, Path)
    directory = KeyDirectory(wanted.source)
    context = context_of_keys(directory)
    if context.trouble:
        warn(context.trouble)
    if wanted.out == STANDARD:
        if wanted.secret_key:
            raise UsageError("USAGE", "A secret key is not written to standard output.", "Name a file.")
        data = context.to_bytes()
        write_standard_output(data)
        size = len(data)
    else:
        with Outputs(force=wanted.force) as files:
            staged = files.add(wanted.out, private=wanted.secret_key)
            if wanted.secret_key:
                with directory.secret_key() as key:
                    size = context.save(staged, secret_key=key, overwrite=True)
            else:
                size = context.save(staged)
    kind = "TenSEAL context with secret key" if wanted.secret_key else "TenSEAL context"
    _tell(wanted, kind, {str(wanted.out): size})


def from_message(wanted: Wanted) -> None:
    """A context becomes a directory of keys, a vector a ciphertext or several."""
    data = contents(wanted.source, "context or vector")
    if is_context(data):
        _write_keys(wanted, data)
        return
    if wanted.secret_key:
        raise UsageError("USAGE", "--secret-key is for a context.", "A vector holds none.")
    vector = TensealVector.read(_directory(wanted, "the vector").context, data)
    if vector.trouble:
        warn(vector.trouble)
    how: Any = {"compression": wanted.compression, "version": wanted.version}
    if wanted.out == STANDARD:
        if len(vector.ciphertexts) > 1:
            raise UsageError("USAGE", f"The vector has {len(vector.ciphertexts)} ciphertexts.", "Name a file, not -.")
        write_standard_output(vector.ciphertexts[0].to_bytes(**how))
        return
    out, sizes = wanted.out, {}
    with Outputs(force=wanted.force) as files:
        for index, ciphertext in enumerate(vector.ciphertexts):
            name = out if len(vector.ciphertexts) == 1 else out.with_name(f"{out.stem}-{index}{out.suffix}")
            sizes[str(name)] = ciphertext.save(files.add(name), **how)
    _tell(wanted, f"{sum(vector.sizes)} values", sizes)


def _write_keys(wanted: Wanted, data: memoryview) -> None:
    if wanted.out == STANDARD:
        raise UsageError("USAGE", "A context becomes a directory of keys.", "Name a directory, not -.")
    context = TensealContext.read(data, security=0)
    if context.trouble:
        warn(context.trouble)
    how: Any = {"compression": wanted.compression, "version": wanted.version}

    def write(folder: Path) -> dict[str, int]:
        sizes = {PARAMS: context.params.save(folder / PARAMS, **how)}
        if context.public_key is not None:
            sizes[PUBLIC] = context.public_key.save(folder / PUBLIC, **how)
        for name, keys in ((RELIN, context.relin_keys), (GALOIS, context.galois_keys)):
            if isinstance(keys, bytes):
                sizes[name] = (folder / name).write_bytes(keys)
        if wanted.secret_key:
            with secret_key_from_tenseal(data, security=0) as key:
                sizes[SECRET] = key.save(folder / SECRET, **how)
        return sizes

    sizes = write_keys_to(wanted.out, write, None, force=wanted.force)
    if wanted.json:
        print_json({"files": sizes, "parameters": describe(context.params)})
    else:
        _tell(wanted, "keys", sizes)


def _directory(wanted: Wanted, what: str) -> KeyDirectory:
    if wanted.keys is None:
        raise UsageError("USAGE", f"The parameters of {what} are needed.", "Pass --keys DIR.")
    return KeyDirectory(wanted.keys)


def _tell(wanted: Wanted, kind: str, sizes: dict[str, int]) -> None:
    with messages_beside(wanted.out):
        if wanted.json:
            print_json({"kind": kind, "files": sizes})
            return
        print_facts([(name, f"{kind}, {size_text(size)}") for name, size in sizes.items()])
