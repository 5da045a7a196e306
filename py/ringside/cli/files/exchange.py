# SPDX-License-Identifier: Apache-2.0
"""Files of Lattigo and OpenFHE in `ringside convert`."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from ...errors import InputError, MismatchError, UsageError
from ...exchange.directory import (
    export_keys,
    files_of,
    import_keys,
    is_parameters,
    library_in,
    library_of,
    library_of_file,
    read_parameters_of,
)
from ...exchange.library import LibraryName
from ...formats.openfhe import OpenFheParameters
from ...native.files import read_file
from ...objects.common.evaluation import scale_trouble
from ...objects.keydir import KeyDirectory, KeyFiles, write_key_files
from ..common.output import print_facts, print_json, size_text, warn
from ..common.places import STANDARD, Outputs, messages_beside, say_removed, write_standard_output
from .answers import read_ciphertext

TITLES = {"lattigo": "Lattigo", "openfhe": "OpenFHE"}


@dataclass(frozen=True)
class Conversion:
    """A task of `convert`. how: compression and version of SEAL's files. count: of values, for a vector of TenSEAL.
    bootstrapping: a file of the Galois elements that OpenFHE's bootstrapping needs."""

    source: bytes | Path
    out: Path
    keys: Path | None
    format: str | None
    secret_key: bool
    how: dict[str, Any]
    force: bool
    json: bool
    count: int | None = None
    bootstrapping: Path | None = None

    @property
    def is_directory(self) -> bool:
        return isinstance(self.source, Path) and self.source.is_dir()

    @property
    def target(self) -> LibraryName | None:
        known: dict[str | None, LibraryName] = {"lattigo": "lattigo", "openfhe": "openfhe"}
        return known.get(self.format)

    def directory(self, what: str = "ciphertext") -> KeyDirectory:
        if self.keys is None:
            raise UsageError("USAGE", f"The parameters of the {what} are needed.", "Pass --keys DIR.")
        return KeyDirectory(self.keys)

    def write(self, data: bytes, kind: str) -> None:
        """The whole result, and what it is."""
        if self.out == STANDARD:
            write_standard_output(data)
        else:
            with Outputs(force=self.force) as files:
                files.add(self.out).write_bytes(data)
        self.tell(kind, {str(self.out): len(data)})

    def tell(self, kind: str, sizes: dict[str, int]) -> None:
        with messages_beside(self.out):
            if self.json:
                print_json({"kind": kind, "files": sizes})
                return
            print_facts([(name, f"{kind}, {size_text(size)}") for name, size in sizes.items()])


def is_foreign(source: bytes | Path) -> bool:
    """Whether a file or directory is one of Lattigo's or OpenFHE's."""
    return _origin(source) is not None


def _origin(source: bytes | Path) -> LibraryName | None:
    if isinstance(source, Path) and source.is_dir():
        return library_in(source)
    return library_of_file(source)


def show(source: bytes | Path, keys: Path | None, json: bool, bits: int | None = None) -> None:
    """Prints what `inspect` says of parameters, or with their key directory of a ciphertext. bits: its noise budget."""
    origin = _origin(source)
    assert origin is not None
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    facts: dict[str, Any] = {"path": "-" if isinstance(source, bytes) else str(source), "file_bytes": size}
    if is_parameters(source):
        data = source if isinstance(source, bytes) else read_file(source)
        found = read_parameters_of(data)
        facts |= {"kind": f"parameters of {TITLES[origin]}", "n": found.n, "q_bits": [q.bit_length() for q in found.q]}
        facts |= {"p_bits": [p.bit_length() for p in found.p], "key_digits": found.digits}
        if found.plain_modulus:
            facts["plain_modulus"] = found.plain_modulus
            facts |= {"scheme": found.scheme} if isinstance(found, OpenFheParameters) else {}
    elif keys is None:
        raise UsageError("USAGE", f"This is a file of {TITLES[origin]}.", "Name its parameters by --keys DIR.")
    else:
        ciphertext = library_of(KeyDirectory(keys), origin).read_ciphertext(source)
        facts |= {"kind": f"ciphertext of {TITLES[origin]}", "n": ciphertext.context.n, "level": ciphertext.level}
        facts["polynomials"] = ciphertext.poly_count
        if (factor := ciphertext.correction_factor) is not None:
            params = ciphertext.context.params
            facts |= {"scheme": params.scheme, "plain_modulus": params.plain_modulus, "correction_factor": factor}
            facts |= {} if bits is None else {"noise_budget_bits": bits}
        else:
            facts["scale_log2"] = math.log2(ciphertext.scale)
        if factor is None and (trouble := scale_trouble(ciphertext.context.params, ciphertext.scale, ciphertext.level)):
            warn(trouble)
            facts["trouble"] = trouble
    if json:
        print_json(facts)
        return
    print_facts([(name.replace("_", " "), _text(value)) for name, value in facts.items() if name != "trouble"])


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def convert(task: Conversion) -> None:
    origin = _origin(task.source)
    if origin is not None and task.format != "seal":
        title = TITLES[origin]
        message = f"{task.source if isinstance(task.source, Path) else '-'} is {title}'s."
        raise UsageError("USAGE", message, "--format seal makes files of SEAL of it.")
    if task.bootstrapping is not None and not (task.is_directory and task.target == "openfhe"):
        hint = "Lattigo's bootstrapping keys are made if the directory has its bootstrapping.Parameters."
        raise UsageError("USAGE", "--bootstrapping is for a directory of keys that becomes one of OpenFHE.", hint)
    if task.is_directory and task.out == STANDARD:
        raise UsageError("USAGE", "A directory of keys becomes a directory.", "Name one, not -.")
    if task.is_directory:
        _convert_directory(task, origin)
        return
    if task.secret_key:
        raise UsageError("USAGE", "--secret-key is for a directory of keys.", "A ciphertext holds none.")
    if origin is None:
        _to_library(task)
    elif is_parameters(task.source):
        hint = "`ringside keygen --params FILE --out DIR` makes keys for them."
        raise UsageError("USAGE", f"These are parameters of {TITLES[origin]}.", hint)
    else:
        _from_library(task, origin)


def _elements_in(path: Path) -> list[int]:
    """Numbers, as GetExistingEvalAutomorphismKeyIndices gives them. InputError: it holds something else."""
    text = read_file(path).decode("utf-8", errors="replace")
    words = re.sub(r"[\[\](){},;]", " ", text).split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) < 10 for word in words):
        message = f"{path} holds no list of Galois elements."
        hint = "Write what cc.GetExistingEvalAutomorphismKeyIndices(tag) gives on the server after EvalBootstrapKeyGen: numbers such as 5, 25, 8191."
        raise InputError("RS_ERR_GALOIS", message, hint)
    return sorted({int(word) for word in words})


def _convert_directory(task: Conversion, origin: LibraryName | None) -> None:
    assert isinstance(task.source, Path)
    source, out = task.source, task.out
    elements = None if task.bootstrapping is None else _elements_in(task.bootstrapping)

    def write(folder: Path) -> dict[str, int]:
        if origin is None:
            assert task.target is not None
            more: Any = {"secret_key": task.secret_key, "bootstrapping": elements}
            names = export_keys(KeyDirectory(source), task.target, folder, **more)
        else:
            names = import_keys(source, origin, folder, secret_key=task.secret_key, how=task.how)
        return {name: (folder / name).stat().st_size for name in names}

    sizes = write_keys_to(out, write, task.target, force=task.force)
    task.tell(f"keys for {TITLES[task.target]}" if task.target else "keys", sizes)


def write_keys_to(
    out: Path, write: Callable[[Path], dict[str, int]], target: LibraryName | None, *, force: bool
) -> dict[str, int]:
    """A directory of keys for a library, whole; sizes by path."""
    kind = check_kind(out, target)
    sizes = write_key_files(out, write, kind, overwrite=force, removed=say_removed)
    return {str(out / name): size for name, size in sizes.items()}


def check_kind(out: Path, target: LibraryName | None) -> KeyFiles:
    """The files of a directory of keys. UsageError: it holds those of another library, for whose directory it would be taken."""
    kind = files_of(target)
    others = {name for other in (None, *get_args(LibraryName)) for name in files_of(other).names} - {*kind.names}
    for name in sorted(others):
        if os.path.lexists(out / name):
            message = f"{out} holds keys of another kind: {name}."
            raise UsageError("USAGE", message, "Name another directory.")
    return kind


def _to_library(task: Conversion) -> None:
    assert task.target is not None
    library = library_of(task.directory(), task.target)
    data = library.ciphertext_to_bytes(read_ciphertext(library.context, task.source))
    task.write(data, f"ciphertext of {TITLES[task.target]}")


def _from_library(task: Conversion, origin: LibraryName) -> None:
    library = library_of(task.directory(), origin)
    found = library.read_ciphertext(task.source)
    if found.context.params.scheme != library.context.params.scheme:
        message = f"Ciphertexts of {TITLES[origin]} have a scale, for which SEAL's of BFV have no place."
        hint = "`ringside decrypt` takes them as they are; keys of `keygen --scheme bgv` have a place for it."
        raise MismatchError("RS_ERR_SCHEME", message, hint)
    task.write(found.to_bytes(**task.how), "ciphertext")
