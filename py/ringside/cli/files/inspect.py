# SPDX-License-Identifier: Apache-2.0
"""`ringside inspect` and `ringside convert`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ...errors import UsageError, WireError
from ...exchange.packed import from_packed, is_packed
from ...native.files import read_file
from ...objects.ckks.inspection import FileInfo, convert_bytes
from ...objects.ckks.inspection import convert as convert_file
from ...objects.ckks.inspection import inspect as inspect_file
from ...objects.common.params import CKKS, Parameters
from ...objects.keydir import KeyDirectory, refuse_key_files
from ...tenseal.files import inspect_tenseal, is_tenseal
from ..common.options import CompressionOption, ForceFlag, JsonFlag, PackedFormatOption, VersionOption
from ..common.output import print_facts, print_json, scale_text, size_text, warn
from ..common.places import STANDARD, check_standard_output, messages_beside, read_standard_input, write_standard_output
from ..common.security import security_facts, slots_text
from . import exact, exchange, packed, tenseal


def _parameter_facts(params: Parameters) -> list[tuple[str, str]]:
    bits = ", ".join(str(q.bit_length()) for q in params.moduli)
    return [
        ("set", params.name or "no named one"),
        ("N", slots_text(params)),
        ("moduli", f"{params.limb_count}: {bits} bits, {params.total_bits} in all"),
        ("levels", f"0 to {params.max_level}"),
        *security_facts(params),
    ]


def _facts(info: FileInfo) -> list[tuple[str, str]]:
    facts = [
        ("file", info.path),
        ("kind", info.kind),
        ("size", f"{size_text(info.file_bytes)} ({info.file_bytes} bytes)"),
        ("SEAL version", info.version),
        ("compression", info.compression),
    ]
    own = info.scheme or "not said" + "; --keys or --params can tell" * (info.belongs is None)
    is_exact = info.kind == "ciphertext" and info.scheme in ("BFV", "BGV")
    known: list[tuple[str, Any, Callable[[Any], str]]] = [
        ("scheme", own, str),
        ("plain modulus", info.plain_modulus, str),
        ("batching", None if info.plain_modulus is None else bool(info.batching), lambda has: "yes" if has else "no"),
        ("form", info.ntt if is_exact else None, lambda ntt: "NTT" if ntt else "coefficients"),
        ("correction factor", info.correction_factor, str),
        ("level", info.level, str),
        ("limbs", info.limbs, str),
        ("polynomials", info.polynomials, str),
        ("seeded", info.seeded, lambda is_so: f"yes {info.seed_type or ''}".strip() if is_so else "no"),
        ("scale", info.scale if info.scheme in (None, "CKKS") else None, scale_text),
        ("entries", info.entries, str),
        ("Galois elements", info.elements, lambda elements: ", ".join(map(str, elements))),
        ("parms_id", info.parms_id, str),
        ("set", info.named if info.parameters is None else None, str),
    ]
    facts += [(name, text(value)) for name, value, text in known if value is not None]
    if info.parameters is not None:
        facts += _parameter_facts(info.parameters)
    elif info.n is not None:
        facts.append(("N", str(info.n)))
    if info.belongs is False:
        facts.append(("parameters", "not those given"))
    if info.checked:
        facts.append(("check", "complete, every residue below its modulus"))
    return facts


OTHERS = {  # first bytes
    b"RSPK": "It is a packed ciphertext: `ringside convert FILE OUT --format seal --keys DIR` makes one of SEAL of it.",
    b"RSKP": "It is a file of packed keys: `ringside unpack FILE OUT --keys DIR` makes one of SEAL of it.",
    b"-----BEGIN": "It is a key in PEM, for `ringside kem` or `ringside sign`.",
    b"\x93NUMPY": "It is an array of NumPy: `ringside encrypt` takes those.",
    b"\x89PNG": "It is a picture: `ringside encrypt` takes those.",
    b"PAR1": "It is a table of Parquet: `ringside table encrypt` takes those.",
}


def _what_else(source: bytes | Path) -> str:
    """A hint on a file that is none of SEAL's."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            source = file.read(max(map(len, OTHERS)))
    found = (hint for start, hint in OTHERS.items() if source.startswith(start))
    return next(found, "Name a file that SEAL, TenSEAL, Lattigo, OpenFHE or Ringside wrote.")


def inspect(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Any file of SEAL or TenSEAL, parameters or a ciphertext of Lattigo or OpenFHE; - is standard input.",
        ),
    ],
    keys: Annotated[
        Path | None, typer.Option("--keys", metavar="DIR", help="Key directory whose parameters are used.")
    ] = None,
    params: Annotated[Path | None, typer.Option("--params", metavar="FILE", help="Parameter file to use.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Read and check all of it (needs the parameters).")] = False,
    budget: Annotated[
        bool,
        typer.Option(
            "--budget",
            help="Tell the noise budget of a ciphertext of BFV or BGV, by the secret key in --keys DIR. For its owner alone.",
        ),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Tell what a file of SEAL, TenSEAL, Lattigo or OpenFHE holds.

    Works without parameters; with them, keys can be distinguished from ciphertexts and plaintexts.

    Examples: ringside inspect result.seal --keys keys;
    ringside inspect answer.seal --keys keys --budget
    """
    if keys is not None and params is not None:
        raise UsageError("USAGE", "Give either --keys or --params, not both.")
    if full and keys is None and params is None:
        raise UsageError("USAGE", "--full needs --keys or --params.")
    if budget and keys is None:
        raise UsageError("USAGE", "--budget needs the secret key.", "Pass --keys DIR.")
    known: Parameters | None = None
    if keys is not None:
        directory = KeyDirectory(keys)
        known = directory.params
        if known.scheme == CKKS:
            exact.refuse_options(directory, {"--budget": budget})
    elif params is not None:
        known = Parameters.load(params, security=0)
    source = read_standard_input("a file of SEAL") if file == STANDARD else file
    if not (isinstance(source, Path) and source.is_dir()) and exchange.is_foreign(source):
        exchange.show(source, keys, json, exact.noise_budget(directory, source) if budget else None)
        return
    if is_tenseal(source):
        if budget:
            hint = "`ringside convert --format seal` makes one of it."
            raise UsageError("USAGE", "--budget is for ciphertexts, not for vectors of TenSEAL.", hint)
        message = inspect_tenseal(source, known)
        tenseal.show(message, [] if message.parameters is None else _parameter_facts(message.parameters), json)
        return
    try:
        info = inspect_file(source, known, full=full)
    except WireError as error:
        if error.code != "RS_ERR_MAGIC":
            raise
        raise WireError(error.code, error.message, _what_else(source)) from error
    if info.file_bytes != info.declared_bytes:
        warn(f"the header says {info.declared_bytes} bytes, the file has {info.file_bytes}.")
    if info.trouble:
        warn(info.trouble)
    bits = exact.noise_budget(directory, source) if budget else None
    if json:
        print_json(info.as_dict() | ({} if bits is None else {"noise_budget_bits": bits}))
        return
    print_facts(_facts(info) + ([] if bits is None else [("noise budget", f"{bits} bits")]))


_Bootstrapping = Annotated[
    Path | None,
    typer.Option(
        "--bootstrapping",
        metavar="FILE",
        help="Galois elements that OpenFHE's bootstrapping needs, for --format openfhe: key-eval-bootstrapping.txt is made too.",
    ),
]
_Keys = Annotated[
    Path | None,
    typer.Option(
        "--keys",
        metavar="DIR",
        help="Key directory with the parameters of a ciphertext or vector, for a copy from one library to another.",
    ),
]


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN",
            help="Any file of SEAL or TenSEAL, a ciphertext of Lattigo or OpenFHE, or a directory of keys; - is standard input.",
        ),
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The copy; - is standard output.")],
    compression: CompressionOption = "zstd",
    seal_version: VersionOption = "3.6",
    format_: PackedFormatOption = None,
    keys: _Keys = None,
    count: Annotated[
        int | None, typer.Option("--count", help="Values in the ciphertext, for a copy to TenSEAL. Default: all slots.")
    ] = None,
    secret_key: Annotated[
        bool, typer.Option("--secret-key", help="Copy the secret key too, from one library to another.")
    ] = False,
    bootstrapping: _Bootstrapping = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Copy a SEAL file under another version or compression, or between SEAL and TenSEAL, Lattigo or OpenFHE.

    Needs no parameters or keys. For readers that refuse newer files: --seal-version 3.6 is read by
    SEAL 3.6 to 4.4, node-seal and TenSEAL. No key is written over unless --force is given.

    --format tenseal makes a context of a directory of keys, without the secret key, and a vector of a
    ciphertext; --format seal the reverse. --format lattigo or openfhe makes a directory of that library's
    files of a directory of keys, and its ciphertext of a ciphertext (--keys DIR); --format seal the reverse. --format
    packed makes the smallest file of a ciphertext of CKKS, or of a file of relinearisation or rotation keys (--keys DIR).

    Examples: ringside convert result.seal result-36.seal --seal-version 3.6 --compression none;
    ringside convert - - --compression none < result.seal > copy.seal;
    ringside convert keys context.tenseal --format tenseal;
    ringside convert answer.tenseal answer.seal --format seal --keys keys;
    ringside convert keys server --format lattigo;
    ringside convert upload.seal upload.lattigo --format lattigo --keys keys
    """
    check_standard_output(out, json)
    how: Any = {"compression": compression, "version": seal_version}
    given = read_standard_input("a file of SEAL or TenSEAL") if source == STANDARD else source
    task = exchange.Conversion(given, out, keys, format_, secret_key, how, force, json, count, bootstrapping)
    if format_ == "packed":
        packed.pack(task)
        return
    if format_ == "seal" and is_packed(given):
        task.write(from_packed(task.directory().ckks_context(), given).to_bytes(**how), "ciphertext")
        return
    if format_ in ("lattigo", "openfhe") or exchange.is_foreign(given):
        exchange.convert(task)
        return
    is_message = is_tenseal(given)
    if is_message or format_ == "tenseal":
        if is_message and format_ != "seal":
            raise UsageError("USAGE", f"{source} is a file of TenSEAL.", "--format seal makes files of SEAL of it.")
        (tenseal.from_message if is_message else tenseal.to_message)(task)
        return
    if keys is not None or count is not None or secret_key or bootstrapping is not None:
        message = "--keys, --count, --secret-key and --bootstrapping are for copies from one library to another."
        raise UsageError("USAGE", message, "--format tenseal, lattigo, openfhe or seal names the other one.")
    if isinstance(given, Path) and given.is_dir():
        hint = "Name one of its files, or give --format: tenseal, lattigo and openfhe take a directory of keys."
        raise UsageError("USAGE", f"{source} is a directory.", hint)
    if out == STANDARD:
        copy = convert_bytes(given if isinstance(given, bytes) else read_file(given), **how)
        write_standard_output(copy)
        info = inspect_file(copy)
    else:
        refuse_key_files(out, force=force)
        info = convert_file(given, out, **how, overwrite=force)
    if json:
        print_json(info.as_dict())
        return
    with messages_beside(out):
        print(f"{out}: {info.kind}, SEAL {info.version}, {info.compression}, ", end="")
        print(size_text(info.file_bytes))
