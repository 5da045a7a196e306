# SPDX-License-Identifier: Apache-2.0
"""`ringside keygen`."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ...devices.names import parse
from ...errors import InputError, ParameterError, UsageError
from ...exchange.directory import is_parameters, keep_parameters, library_of_file, params_of
from ...exchange.lattigo import parameters_of
from ...native.files import read_file
from ...native.library import seed_type_number
from ...objects.ckks.inspection import describe
from ...objects.common.evaluation import (
    ROTATION_COARSE,
    ROTATION_RUINS,
    USEFUL_BITS,
    best_scale,
    depth,
    nominal_trouble,
)
from ...objects.common.evaluation_keys import OTHER_GENERATOR, SEAL_GENERATOR, stream_bytes, stream_keys_for
from ...objects.common.params import CKKS, Parameters, check_security, named_sets, twin
from ...objects.key_plan import KeyPlan
from ...objects.keydir import (
    LATTIGO_PARAMS,
    NAMES,
    OPENFHE_CONTEXT,
    KeyDirectory,
    KeySpec,
    context_for,
    make_keys,
    refuse_key_files,
)
from ...tenseal import TensealContext
from ...tenseal.context import check_scheme
from ...tenseal.files import add_context, is_tenseal
from ..common import options as opt
from ..common.output import note, print_facts, print_json, progress_bar, scale_text, security_text, size_text, warn
from ..common.places import STANDARD, check_standard_output, say_removed, standard_output
from ..common.security import note_security, slots_text
from . import programs
from .exchange import check_kind
from .uploads import secret_key_of


def chosen_parameters(
    name: str | None, bits: Any, scheme: str | None, plain_modulus: Any, security: int
) -> tuple[Parameters, float | None]:
    """What --params or --bits names, and the scale that goes with it, if a file says one."""
    if (name is None) == (bits is None):
        message = "Give either --params or --bits."
        raise UsageError("USAGE", message, "For example --params lee-14, or --bits 8192:60,40,40,60.")
    if name is not None:
        if scheme is not None:
            message = "--scheme goes with --bits: a set has its own."
            raise UsageError("USAGE", message, "`ringside params` lists the sets.")
        if plain_modulus is not None and Path(name).is_file() and not _is_set(name):
            message = f"--plain-modulus goes with a named set or --bits; {name} has its own parameters."
            raise UsageError("USAGE", message, "Leave it out.")
        if is_parameters(name):
            return params_of(name, security=security), None
        if Path(name).is_file() and not _is_set(name):
            if is_tenseal(Path(name)):
                theirs = TensealContext.read(Path(name), security=security)
                return theirs.params, theirs.scale
            return Parameters.load(name, security=security), None
        return Parameters.named(name, plain_modulus=plain_modulus, security=security), None
    own: Any = {"scheme": scheme or CKKS, "plain_modulus": plain_modulus}
    return Parameters.from_bits(bits[0], bits[1], security=security, **own), None


def _is_set(name: str) -> bool:
    return name in [known.name for known in named_sets(None)]


def _check_exact(params: Parameters, rotates: bool, format_: str, options: dict[str, bool]) -> None:
    """UsageError for an option that BFV and BGV do not have; a warning where there is nothing to rotate. ParameterError: of the format's library."""
    if format_ == "lattigo":
        parameters_of(params)
    if format_ == "tenseal":
        check_scheme(params)
    for name, is_given in options.items():
        if is_given:
            message = f"{name} is for CKKS, and these are parameters of {params.scheme.upper()}."
            raise UsageError("USAGE", message, "Leave it out.")
    if rotates and not params.batching:
        warn("this plain modulus has no slots to rotate: rotation keys serve permutations of coefficients alone.")


def _instead(params: Parameters) -> str:
    """A set to take instead, as half a sentence."""
    other = twin(params)
    return f"Take {other}, made for it" if other else "Take a special prime that is larger than the others"


def _check_rotations(params: Parameters, scale: float, coarse: bool, level: int | None) -> float | None:
    """The error of one rotation; a warning or ParameterError if it spoils the values."""
    error = params.rotation_error(scale=scale, level=level)
    if error is None or error <= ROTATION_COARSE:
        return error
    text = f"a rotation is off by about {error:.2g} in the worst slot, at scale {scale_text(scale)}"
    if error > ROTATION_RUINS and not coarse:
        hint = f"{_instead(params)}; or say a larger --scale, if you encrypt at it; --coarse makes these keys."
        raise ParameterError("ROTATION", f"With these parameters {text}.", hint)
    warn(f"{text}. {_instead(params)}, or a larger --scale.")
    return error


def _planned(path: Path | None, params: Parameters, galois: Any, library: str | None, security: int) -> KeyPlan | None:
    """UsageError, ParameterError: it does not go with the other options."""
    if path is None:
        return None
    if galois is not None:
        raise UsageError("USAGE", "A plan says which rotation keys to make.", "Give either --plan or --galois.")
    found = KeyPlan.of_text(read_file(path), str(path))
    found.check(params)
    if found.target != library:
        message = f"This plan is for servers of {found.target}, not for {library}."
        raise UsageError("USAGE", message, "`ringside plan-keys --target` says for which; --format goes with it.")
    check_security(params.n, found.ring(params).moduli, security)
    return found


def _library(own: Path | None, format_: str) -> str | None:
    """Whose keys are made. own: parameters of a library. UsageError: OpenFHE's are missing."""
    library = format_ if own is None or format_ in ("lattigo", "openfhe") else library_of_file(own)
    if library == "openfhe" and (own is None or library_of_file(own) != "openfhe"):
        hint = "Name the file of its CryptoContext by --params."
        raise UsageError("USAGE", "Keys for OpenFHE are made for a context that OpenFHE made.", hint)
    return library


def _warn_of_products(params: Parameters, scale: float) -> None:
    """If levels are left when products leave no precision."""
    count, levels = depth(params, scale), params.max_level
    if params.special_prime is None:
        return  # there are no such keys, which is an error
    if levels == 0:
        warn("no level is left for a product: a server cannot rescale with these parameters.")
        return
    if count == levels:
        return
    better, found = best_scale(params, levels)
    what = f"at scale {scale_text(scale)} {count} of {levels} products one after another leave {USEFUL_BITS:.0f} bits"
    if found.precision_bits >= USEFUL_BITS:
        warn(f"{what}. Encrypt with --scale {scale_text(better)}: {levels} leave {found.precision_bits:.1f}.")
    else:
        note(f"{what}.")


_Params = Annotated[
    str | None,
    typer.Option(
        "--params",
        metavar="SET",
        help="A named parameter set (`ringside params` lists them), or a file of parameters: SEAL's, Lattigo's, or a context of TenSEAL or OpenFHE.",
        autocompletion=opt.named_parameters,
    ),
]
Bits = Annotated[
    Any,
    typer.Option(
        "--bits",
        metavar="N:BITS,…",
        parser=opt.parse_bits,
        help="Ring degree and the bits of each modulus, the special prime last.",
    ),
]
_Scheme = Annotated[
    Literal["ckks", "bfv", "bgv"] | None,
    typer.Option("--scheme", help="Scheme of --bits: ckks for real numbers, bfv or bgv for integers. Default: ckks."),
]
_PlainModulus = Annotated[
    Any,
    typer.Option(
        "--plain-modulus",
        metavar="T",
        parser=opt.parse_plain_modulus,
        help="Modulus t of the integers of BFV and BGV: a number, or batching:BITS for the largest prime of so many bits that has slots. "
        "Default: the set's own.",
    ),
]
_Scale = Annotated[
    Any,
    typer.Option(
        "--scale",
        metavar="SCALE",
        parser=opt.parse_number,
        help="Scale that values will have, such as 2^40: of a context for TenSEAL, and for what is said of products and rotations. Default: the set's own.",
    ),
]
_Galois = Annotated[
    Any,
    typer.Option(
        "--galois",
        metavar="STEPS",
        parser=opt.parse_rotations,
        help="Make rotation keys too: pow2, or steps such as 1,-1,8 (0: conjugation; in BFV and BGV the rows change places).",
    ),
]
_Plan = Annotated[
    Path | None,
    typer.Option("--plan", metavar="PLAN", help="Make the rotation keys of a plan, as `ringside plan-keys` writes it."),
]
_Coarse = Annotated[bool, typer.Option("--coarse", help="Make rotation keys also where one rotation ruins the values.")]
_Stream = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Make relin.key and galois.key in the memory of few moduli, without compression; `ringside stream-keys` makes them, or parts, again.",
    ),
]
_Format = Annotated[
    opt.ObjectFormat,
    typer.Option(
        "--format",
        help="Files to write: seal; tenseal to add a context file for a server that runs TenSEAL; lattigo or openfhe for rotation keys in the order of their slots.",
    ),
]


def keygen(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Directory for the keys.")],
    params: _Params = None,
    program: programs.ProgramOption = None,
    bits: Bits = None,
    scheme: _Scheme = None,
    plain_modulus: _PlainModulus = None,
    scale: _Scale = None,
    relin: Annotated[bool, typer.Option("--relin", help="Make relinearisation keys too.")] = False,
    galois: _Galois = None,
    plan: _Plan = None,
    coarse: _Coarse = False,
    stream: _Stream = False,
    security: opt.SecurityOption = "128",
    seed_type: opt.SeedTypeOption = "shake256",
    compression: opt.CompressionOption = "zstd",
    seal_version: opt.VersionOption = "3.6",
    format_: _Format = "seal",
    device: opt.DeviceOption = "cpu:",
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Make parameters and keys in a directory.

    Writes params.seal, secret.key (mode 0600, stays here) and public.key; with --relin and --galois
    also relin.key and galois.key for the server. All are files of Microsoft SEAL. With --format
    tenseal also context.tenseal: the parameters and all keys but the secret one, as
    `tenseal.context_from` reads them. --params takes a server's own parameters, too. For a server that
    runs Lattigo or OpenFHE, `ringside convert keys OUT --format lattigo` (or openfhe) then writes the
    keys in its formats. --program makes the keys of a program that HEIR compiled (`ringside heir`). Sets of BFV and BGV are for integers modulo --plain-modulus (docs/exact.md).

    Examples: ringside keygen --params lee-14 --out keys --relin --galois pow2;
    ringside keygen --params bfv-13 --plain-modulus batching:20 --out keys --relin;
    ringside keygen --bits 8192:43,43,44,44,44 --scheme bgv --plain-modulus 65537 --out keys;
    ringside keygen --params cryptocontext.txt --out keys --relin --galois 1,-1
    """
    if program is not None:
        others = {"--galois": galois, "--relin": relin, "--plan": plan, "--bits": bits, "--format": format_ != "seal"}
        params, relin, galois = programs.keys_for(program, params, others | {"--scale": scale})
    chosen, told_scale = chosen_parameters(params, bits, scheme, plain_modulus, opt.security_bits(security))
    if chosen.scheme != CKKS:
        _check_exact(chosen, galois is not None, format_, {"--scale": scale is not None, "--coarse": coarse})
    scale = scale or told_scale or chosen.default_scale
    own = Path(params) if params is not None and is_parameters(params) else None
    library = _library(own, format_)
    planned = _planned(plan, chosen, galois, library, opt.security_bits(security))
    galois, level, ring = (planned.sent, planned.level, planned.ring(chosen)) if planned else (galois, None, None)
    generator = OTHER_GENERATOR if library in ("lattigo", "openfhe") else SEAL_GENERATOR
    check_kind(out, None)
    spec = KeySpec(relin, galois, generator, ring, seed_type, compression, seal_version, stream=stream)
    if parse(device) is not None:
        note("keys are made on this machine's processor, whatever the device.")
    error, start = None, time.perf_counter()
    if own is None and chosen.scheme == CKKS:  # else the server's library decides on scale and special primes
        error = _check_rotations(chosen, scale, coarse, level) if galois is not None else None
        if relin:
            _warn_of_products(chosen, scale)
    if format_ == "tenseal" and chosen.scheme == CKKS and (trouble := nominal_trouble(chosen, scale)):
        warn(f"{trouble} Take primes of one size, and their --scale.")

    def more(folder: Path) -> dict[str, int]:
        files = add_context(folder, scale=scale if chosen.scheme == CKKS else None) if format_ == "tenseal" else {}
        return files if own is None else files | keep_parameters(own, folder)

    with progress_bar("Making keys") as progress:
        made: Any = {"progress": progress, "more": more, "removed": say_removed}
        sizes = make_keys(chosen, out, spec, device=device, overwrite=force, **made)
    if json:
        files = {name: {"path": str(out / name), "bytes": size} for name, size in sizes.items()}
        rotation = {} if error is None else {"rotation_error_log2": math.log2(error)}
        print_json({"files": files, "parameters": describe(chosen), "seconds": time.perf_counter() - start} | rotation)
        return
    title = chosen.name or "own bits"
    integers = f"{chosen.scheme.upper()} modulo {chosen.plain_modulus}, " if chosen.plain_modulus else ""
    print(f"{title}: N = {slots_text(chosen)}, {integers}levels 0 to {chosen.max_level}, ", end="")
    print(f"security {security_text(chosen.security)}")
    note_security([(title, chosen)])
    print_facts([(str(out / name), size_text(sizes[name])) for name in NAMES if name in sizes])
    if error is not None:
        print(f"one rotation at scale {scale_text(scale)}: off by about 2^{math.log2(error):.1f} in the worst slot")


# ---- stream-keys ---------------------------------------------------------------------------------------------------------
def _parse_range(text: str) -> tuple[int | None, int | None]:
    """`100-199`, `100-` or `-100`, as in HTTP."""
    first, dash, last = text.strip().removeprefix("bytes=").partition("-")
    if not dash or not (first or last) or not (first + last).isdecimal() or not (first + last).isascii():
        raise typer.BadParameter(f"{text!r} is no range of bytes such as 0-1023, 1024- or -512")
    return int(first) if first else None, int(last) if last else None


def _range_of(wanted: tuple[int | None, int | None], whole: int) -> tuple[int, int]:
    """First byte and number of bytes. InputError: the file has none of them."""
    first, last = wanted
    if first is None:
        assert last is not None
        first, last = max(0, whole - last), whole - 1
    last = whole - 1 if last is None else min(last, whole - 1)
    if first > last:
        raise InputError(
            "RS_ERR_LENGTH", f"The range has no byte of the file's {whole}.", "Ask for one that begins in it."
        )
    return first, last - first + 1


def stream_keys(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The key file, or the part of it; - is standard output.")],
    keys: opt.KeysOption,
    relin: Annotated[bool, typer.Option("--relin", help="Make the relinearisation key.")] = False,
    galois: _Galois = None,
    range_: Annotated[
        Any,
        typer.Option(
            "--range",
            metavar="FIRST-LAST",
            parser=_parse_range,
            help="Make these bytes of the file alone, counted from 0; FIRST- is to the end, -COUNT the last ones, as in HTTP.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with OUT where it ends; it stays there when the command is stopped.")
    ] = False,
    seed_type: opt.SeedTypeOption = "shake256",
    seal_version: opt.VersionOption = "3.6",
    format_: _Format = "seal",
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Make a server's keys, or any bytes of their file again.

    The file follows from secret.key and master.seed of the directory, which `ringside keygen --stream` leaves there and this
    command makes if it is missing, and from the options. It is that of `keygen --stream` with the same options. Keep master.seed
    as secret as the key.

    Examples: ringside stream-keys galois.key --keys keys --galois pow2 --resume;
    ringside stream-keys - --keys keys --galois 1,2 --range 1048576-2097151 > part
    """
    check_standard_output(out, json)
    if relin == (galois is not None):
        raise UsageError("USAGE", "Give either --relin or --galois.", "For example --galois pow2.")
    if resume and (range_ is not None or out == STANDARD):
        raise UsageError("USAGE", "--resume goes on where a file ends.", "Leave --range out, and name a file.")
    directory = KeyDirectory(keys)
    ring = directory.rotation_params if galois is not None else directory.params
    if set(ring.moduli) - set(directory.params.moduli):
        message = "The rotation keys of this directory have a prime that its secret key lacks."
        raise ParameterError("KEY_PLAN", message, "Make them by `ringside keygen --plan`.")
    others = [directory.file(name).exists() for name in (LATTIGO_PARAMS, OPENFHE_CONTEXT)]
    generator = OTHER_GENERATOR if any(others) or format_ in ("lattigo", "openfhe") else SEAL_GENERATOR
    context = context_for(ring)
    elements = None if galois is None else context.galois_elements(galois, generator)
    whole = stream_bytes(context, None if elements is None else len(elements), seal_version)
    first, count = (0, None) if range_ is None else _range_of(range_, whole)
    if not resume or not out.exists():
        refuse_key_files(out, force=force)
    how = {"index": 0, "first": first, "bytes": count, "seed_type": seed_type_number(seed_type)}
    master = directory.master_seed()
    with secret_key_of(directory) as key, key._modulo(context) as secret, progress_bar("Making keys") as progress:
        target = standard_output() if out == STANDARD else out
        more: Any = {"overwrite": True if force else None, "resume": resume, "progress": progress}
        size = stream_keys_for(secret, target, elements, master, seal_version, how, **more)
    if out == STANDARD:
        return
    if json:
        print_json({"file": str(out), "first": whole - size if resume else first, "bytes": size, "file_bytes": whole})
        return
    print(f"{out}: {size_text(size)} of {size_text(whole)}")
