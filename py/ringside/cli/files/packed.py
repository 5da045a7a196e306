# SPDX-License-Identifier: Apache-2.0
"""`ringside unpack` and `ringside shrink`, and packed files in `ringside convert`."""

from __future__ import annotations

import math
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ...errors import InputError, UsageError
from ...exchange.directory import export_keys, library_of, library_of_file
from ...exchange.library import LibraryName
from ...exchange.packed import check_answer, dropped_bits, is_packed, precision_after, to_packed, values_in
from ...exchange.packed_keys import kind_in, pack_keys, unpack_keys
from ...objects.ckks.inspection import inspect as inspect_file
from ...objects.ckks.noise import limbs_for
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.tables import Tables
from ...objects.keydir import GALOIS, NAMES, RELIN, SECRET, KeyDirectory, context_for
from ..common import options as opt
from ..common.output import print_facts, print_json, progress_bar, size_text
from ..common.places import STANDARD, Outputs, check_standard_output, messages_beside, output, read_standard_input
from .answers import read_ciphertext
from .exchange import TITLES, Conversion, write_keys_to

_KEYS = {"relinearisation keys": RELIN, "Galois keys": GALOIS}


def _context_of(directory: KeyDirectory, parms_id: str | None) -> Tables:
    """The context of the keys in a file: that of the directory, or of rotation keys that have others."""
    rotations = directory.rotation_params
    return context_for(rotations) if rotations.parms_id() == parms_id else directory.context


# ---- convert --format packed --------------------------------------------------------------------------------------------
def pack(task: Conversion) -> None:
    """A ciphertext or keys for key switching become a packed file."""
    directory, source = task.directory("file"), task.source
    if task.is_directory and isinstance(source, Path):
        hint = f"Name one of its files, such as {source}/{GALOIS}."
        raise UsageError("USAGE", f"{source} is a directory.", hint)
    foreign = library_of_file(source) is not None
    found = None if foreign else inspect_file(source, directory.params)
    if found is None or found.kind not in _KEYS:
        task.write(to_packed(*_answer(directory, source)), "packed ciphertext")
        return
    if not isinstance(source, Path) or task.out == STANDARD:
        raise UsageError("USAGE", "Keys are packed from a file to a file.", "Name both, not -.")
    with Outputs(force=task.force) as files:
        size = pack_keys(_context_of(directory, found.parms_id), source, files.add(task.out), overwrite=True)
    task.tell(f"packed {found.kind}", {str(task.out): size})


# ---- unpack -------------------------------------------------------------------------------------------------------------
_Packed = Annotated[
    list[Path],
    typer.Argument(metavar="IN… OUT", help="Packed keys; then the file of SEAL, or a directory for a library's."),
]
_Gateway = Annotated[
    Path, typer.Option("--keys", metavar="DIR", help="Directory with the parameters. No key is needed in it.")
]


def unpack(
    files: _Packed,
    keys: _Gateway,
    format_: Annotated[
        Literal["seal", "lattigo", "openfhe"],
        typer.Option("--format", help="Whose files to make: seal, lattigo or openfhe."),
    ] = "seal",
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Make a server's keys of packed ones, at a gateway.

    `ringside convert galois.key galois.rkp --format packed --keys keys` packs them: as many bits to a word as its modulus has,
    and a seed in place of half. A gateway needs params.seal, and for the libraries params.lattigo or context.openfhe.

    Examples: ringside unpack galois.rkp galois.key --keys gateway;
    ringside unpack relin.rkp galois.rkp for-the-server --keys gateway --format lattigo
    """
    *sources, out = files
    if not sources:
        raise UsageError("USAGE", "Give packed keys, and the file to make of them.")
    directory = KeyDirectory(keys)
    if format_ == "seal":
        if len(sources) > 1 or out == STANDARD:
            raise UsageError("USAGE", "A file of packed keys becomes a file.", "Unpack one at a time, to a name.")
        with Outputs(force=force) as made:
            kind = _unpacked(directory, sources[0], made.add(out))
        sizes = {str(out): out.stat().st_size}
    else:
        kind = f"keys for {TITLES[format_]}"
        library: LibraryName = format_
        sizes = write_keys_to(
            out, lambda folder: _for_library(directory, sources, library, folder), library, force=force
        )
    if json:
        print_json({"kind": kind, "files": sizes})
        return
    print_facts([(name, f"{kind}, {size_text(size)}") for name, size in sizes.items()])


def _unpacked(directory: KeyDirectory, source: Path, path: Path) -> str:
    """Makes SEAL's file; the kind of its keys."""
    kind, parms_id = kind_in(source)
    with progress_bar("Unpacking keys") as progress:
        unpack_keys(_context_of(directory, parms_id), source, path, overwrite=True, progress=progress)
    return kind


def _for_library(directory: KeyDirectory, sources: list[Path], library: LibraryName, folder: Path) -> dict[str, int]:
    """The library's files, made of a directory with the gateway's parameters and the keys of SEAL."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        gateway = KeyDirectory(name)
        for known in {*NAMES} - {SECRET, *_KEYS.values()}:
            if directory.file(known).exists():
                shutil.copyfile(directory.file(known), gateway.file(known))
        for source in sources:
            path = gateway.file(_KEYS[kind_in(source)[0]])
            if path.exists():
                raise UsageError(
                    "USAGE", f"{source} holds {kind_in(source)[0]}, as another file does.", "Give one of each."
                )
            _unpacked(directory, source, path)
        names = export_keys(gateway, library, folder, secret_key=False)
    return {name: (folder / name).stat().st_size for name in names}


# ---- shrink -------------------------------------------------------------------------------------------------------------
def _answer(directory: KeyDirectory, given: bytes | Path) -> tuple[Ciphertext, LibraryName | None]:
    """A ciphertext, and in whose slots its values are."""
    name = library_of_file(given)
    if name is not None:
        return library_of(directory, name).read_ciphertext(given), name
    return read_ciphertext(directory.ckks_context(), given), values_in(given)[0] if is_packed(given) else None


def shrink(
    source: Annotated[Path, typer.Argument(metavar="IN", help="An answer: a ciphertext of CKKS; - is standard input.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The smaller file; - is standard output.")],
    keys: _Gateway,
    max_abs: Annotated[
        Any,
        typer.Option(
            "--max-abs",
            metavar="X",
            parser=opt.parse_number,
            help="Bound on the values of an answer that is above level 0.",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="BITS",
            help="Precision that is enough: what is below it is dropped. Default: a quarter of the error that a rescaling leaves.",
        ),
    ] = None,
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Make an answer smaller before it is sent. No key is needed.

    One modulus is left, and of each coefficient the bits that count. `ringside decrypt` reads the file, with --real or
    --complex where few bits are left; at a gateway `ringside convert` makes a ciphertext of a library of it.

    Examples: ringside shrink answer.seal answer.packed --keys gateway --max-abs 1;
    ringside shrink answer.seal answer.packed --keys gateway --precision 16
    """
    check_standard_output(out, json)
    directory = KeyDirectory(keys)
    context = directory.ckks_context()
    answer, slots = _answer(directory, read_standard_input("a ciphertext") if source == STANDARD else source)
    check_answer(answer)
    if answer.level and max_abs is None:
        message = f"The answer is at level {answer.level}, and one modulus is enough for small values alone."
        raise InputError("RS_ERR_LEVEL", message, "Say how large the values are, such as --max-abs 1.")
    if answer.level and (limbs := limbs_for(context, answer, None, max_abs)) > 1:
        message = f"Values up to {max_abs:g} need {limbs} moduli at the answer's scale."
        raise InputError("RS_ERR_OVERFLOW", message, "Let the server rescale it, or say a smaller --max-abs.")
    dropped = dropped_bits(context, answer.scale, precision)
    data = to_packed(answer, slots, dropped=dropped)
    with output(out, force=force) as write:
        write(data)
    left = precision_after(context, answer.scale, dropped)
    with messages_beside(out):
        if json:
            bits = {} if left == math.inf else {"precision_bits": left}
            print_json({"file": str(out), "bytes": len(data), "dropped_bits": list(dropped)} | bits)
            return
        print(f"{out}: {size_text(len(data))}, {dropped[0]} and {dropped[1]} bits of a coefficient dropped; ", end="")
        print(f"that alone leaves {left:.1f} bits of precision")
