# SPDX-License-Identifier: Apache-2.0
"""`ringside heir`, and what --program is to keygen, encrypt and decrypt."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from ...errors import UsageError
from ...exchange.directory import LATTIGO_FILES, library_of_file, read_parameters_of
from ...exchange.heir.program import OPENFHE, HeirProgram, Operand
from ...exchange.heir.reading import read_program
from ...exchange.heir.stubs import files_of_program
from ...exchange.library import ForeignLibrary
from ...native.files import read_file
from ..common import options as opt
from ..common.output import print_facts, print_json, size_text
from ..common.places import Outputs

MANIFEST = "manifest.json"

ProgramOption = Annotated[
    Path | None,
    typer.Option(
        "--program", metavar="MANIFEST", help="The program that a server runs: manifest.json of `ringside heir`."
    ),
]
ResultOption = Annotated[
    int,
    typer.Option(
        "--result",
        min=0,
        metavar="NUMBER",
        help="Number of the result that the ciphertexts are, of a --program. Default: 0, the first.",
    ),
]


def load(path: Path) -> HeirProgram:
    """InputError: it is no manifest."""
    return HeirProgram.of_text(read_file(path), str(path))


def refuse_with_program(options: Mapping[str, object]) -> None:
    """UsageError for the first option that is given: a manifest says the same."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError("USAGE", f"{name} is said by the manifest of --program.", "Leave it out.")


def keys_for(path: Path, params: str | None, others: Mapping[str, object]) -> tuple[str, bool, list[int] | None]:
    """The file of parameters to make keys for, whether products need one, and rotations. MismatchError: the file is of another program."""
    refuse_with_program(others)
    program = load(path)
    if program.library == OPENFHE and params is None:
        message = "The primes of a program for OpenFHE are those of its server's context."
        raise UsageError("USAGE", message, "Let the server write its CryptoContext, and name that file by --params.")
    found = Path(params) if params is not None else path.parent / LATTIGO_FILES["params"]
    program.check(library_of_file(found), read_parameters_of(read_file(found)))
    return str(found), program.relin, [*program.rotations] or None


def for_encryption(path: Path | None, kind: str, others: Mapping[str, object]) -> tuple[HeirProgram | None, str]:
    """The program, if there is one, and the format of its ciphertexts. kind: the format that is said."""
    if path is None:
        return None, kind
    found = load(path)
    refuse_with_program({**others, "--format": kind not in ("seal", found.library)})
    return found, found.library


def check_keys(program: HeirProgram, library: ForeignLibrary | None) -> None:
    """library: of the keys' directory. MismatchError: they are for another program."""
    program.check(program.library, getattr(library, "parameters", None))


def result_of(program: HeirProgram, number: int, files: int) -> Operand:
    """UsageError: there is no such result, or it has another number of ciphertexts."""
    if number >= len(program.results):
        message = f"The program has {len(program.results)} results; there is no number {number}."
        raise UsageError("USAGE", message, "Results are counted from 0.")
    found = program.results[number]
    if files != found.ciphertexts:
        message = f"{found.name} is in {found.ciphertexts} ciphertexts; {files} are given."
        raise UsageError("USAGE", message, "Name all of them, in order, then the file of values.")
    return found


def _said(one: Operand) -> str:
    if not one.ciphertexts:
        return f"{one.type}, in the clear, for the server"
    level = "" if one.level is None else f", level {one.level}"
    scale = "" if one.log_scale is None else f", scale 2^{one.log_scale}"
    return f"{one.type}, {one.ciphertexts} ciphertext{'s' * (one.ciphertexts > 1)}, {len(one.runs)} runs{level}{scale}"


def heir(
    source: Annotated[Path, typer.Argument(metavar="PROGRAM.mlir", help="Text that heir-opt printed after --scheme-to-lattigo or --scheme-to-openfhe.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Directory for the manifest, parameters, key plan and stubs.")],
    security: opt.SecurityOption = "128",
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:  # fmt: skip
    """Read a program that HEIR compiled, and write what its client needs.

    The manifest has arguments and results with their places in slots, parameters and keys; beside it are stubs
    in C, Python and JavaScript, and for Lattigo its parameters and a plan of the rotation keys. `keygen`,
    `encrypt` and `decrypt` take it by --program. The package islpy is needed here alone.

    Example: ringside heir program.mlir --out client
    """
    bits = opt.security_bits(security)
    program = read_program(bytes(read_file(source)), str(source), bits)
    sizes = {}
    with Outputs(force=force) as files:
        files.folder(out)
        for name, text in files_of_program(program, bits).items():
            sizes[name] = files.add(out / name).write_bytes(text.encode())
    if json:
        print_json({"files": {name: {"path": str(out / name), "bytes": size} for name, size in sizes.items()}})
        return
    keys = ["relinearisation"] * program.relin + [f"rotations {', '.join(map(str, program.rotations))}"] * bool(
        program.rotations
    )
    print(
        f"{program.function}: {program.scheme.upper()} for {program.library}, {program.slots} slots, keys: {'; '.join(keys) or 'none'}"
    )
    print_facts([(one.name, _said(one)) for one in program.operands])
    print_facts([(str(out / name), size_text(size)) for name, size in sizes.items()])
