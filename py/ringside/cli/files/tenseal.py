# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's messages in `ringside inspect` and `ringside convert`."""

from __future__ import annotations

from pathlib import Path

from ...errors import UsageError
from ...objects.ckks.inspection import describe
from ...objects.common.evaluation import nominal_trouble
from ...objects.common.params import CKKS
from ...objects.keydir import GALOIS, PARAMS, PUBLIC, RELIN, SECRET, KeyDirectory
from ...tenseal import TensealContext, TensealVector, secret_key_from_tenseal
from ...tenseal.files import TensealInfo, context_of_keys, is_context
from ...tenseal.source import contents
from ..common.output import print_facts, print_json, size_text, warn
from ..common.places import STANDARD, Outputs, write_standard_output
from .answers import read_ciphertext
from .exchange import Conversion, write_keys_to


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


def to_message(task: Conversion) -> None:
    """A directory of keys becomes a context, a ciphertext a vector."""
    if task.is_directory:
        _write_context(task)
        return
    if task.secret_key:
        raise UsageError("USAGE", "--secret-key is for a directory of keys.", "A ciphertext holds none.")
    context = task.directory().context
    vector = TensealVector.of([read_ciphertext(context, task.source)], task.count)
    if context.params.scheme == CKKS and (trouble := nominal_trouble(context.params, vector.scale)):
        warn(trouble)
    task.write(vector.to_bytes(**task.how), f"TenSEAL {vector.name}")


def _write_context(task: Conversion) -> None:
    assert isinstance(task.source, Path)
    directory = KeyDirectory(task.source)
    context = context_of_keys(directory)
    if context.trouble:
        warn(context.trouble)
    if task.out == STANDARD:
        if task.secret_key:
            raise UsageError("USAGE", "A secret key is not written to standard output.", "Name a file.")
        data = context.to_bytes()
        write_standard_output(data)
        size = len(data)
    else:
        with Outputs(force=task.force) as files:
            staged = files.add(task.out, private=task.secret_key)
            if task.secret_key:
                with directory.secret_key() as key:
                    size = context.save(staged, secret_key=key, overwrite=True)
            else:
                size = context.save(staged)
    kind = "TenSEAL context with secret key" if task.secret_key else "TenSEAL context"
    task.tell(kind, {str(task.out): size})


def from_message(task: Conversion) -> None:
    """A context becomes a directory of keys, a vector a ciphertext or several."""
    data = contents(task.source, "context or vector")
    if is_context(data):
        _write_keys(task, data)
        return
    if task.secret_key:
        raise UsageError("USAGE", "--secret-key is for a context.", "A vector holds none.")
    vector = TensealVector.read(task.directory("vector").context, data)
    if vector.trouble:
        warn(vector.trouble)
    if task.out == STANDARD:
        if len(vector.ciphertexts) > 1:
            raise UsageError("USAGE", f"The vector has {len(vector.ciphertexts)} ciphertexts.", "Name a file, not -.")
        write_standard_output(vector.ciphertexts[0].to_bytes(**task.how))
        return
    out, sizes = task.out, {}
    with Outputs(force=task.force) as files:
        for index, ciphertext in enumerate(vector.ciphertexts):
            name = out if len(vector.ciphertexts) == 1 else out.with_name(f"{out.stem}-{index}{out.suffix}")
            sizes[str(name)] = ciphertext.save(files.add(name), **task.how)
    task.tell(f"{sum(vector.sizes)} values", sizes)


def _write_keys(task: Conversion, data: memoryview) -> None:
    if task.out == STANDARD:
        raise UsageError("USAGE", "A context becomes a directory of keys.", "Name a directory, not -.")
    context = TensealContext.read(data, security=0)
    if context.trouble:
        warn(context.trouble)

    def write(folder: Path) -> dict[str, int]:
        sizes = {PARAMS: context.params.save(folder / PARAMS, **task.how)}
        if context.public_key is not None:
            sizes[PUBLIC] = context.public_key.save(folder / PUBLIC, **task.how)
        for name, keys in ((RELIN, context.relin_keys), (GALOIS, context.galois_keys)):
            if isinstance(keys, bytes):
                sizes[name] = (folder / name).write_bytes(keys)
        if task.secret_key:
            with secret_key_from_tenseal(data, security=0) as key:
                sizes[SECRET] = key.save(folder / SECRET, **task.how)
        return sizes

    sizes = write_keys_to(task.out, write, None, force=task.force)
    if task.json:
        print_json({"files": sizes, "parameters": describe(context.params)})
    else:
        task.tell("keys", sizes)
