# SPDX-License-Identifier: Apache-2.0
"""`ringside encrypt`."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
import typer
from numpy.typing import NDArray

from ...devices.names import parse
from ...errors import UsageError, frames_called
from ...exchange.bootstrap_upload import BootstrapUpload
from ...exchange.directory import lacks_special_prime, library_named, library_of, public_key_of
from ...exchange.heir.program import Operand
from ...exchange.library import ForeignLibrary, LibraryName
from ...exchange.packed import to_packed
from ...native.batch import usable_threads
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.csv_file import Reading
from ...objects.common.evaluation import encryption_name, nominal_trouble
from ...objects.exact.options import SLOTS
from ...objects.keydir import TENSEAL, KeyDirectory
from ...tenseal import TensealVector
from ...tenseal.context import scale_in
from ..common import options as opt
from ..common.device import device_facts, prepare, print_device, watched
from ..common.output import print_json, progress_bar, scale_text, warn
from ..common.places import messages_beside
from . import exact, programs
from .uploads import Upload, Uploads, batches, check_arguments, print_files, secret_key_of, warn_if_weak

SUFFIXES = (".seal", ".tenseal", ".lattigo", ".openfhe", ".packed")


@dataclass(frozen=True)
class Reals:
    """What of an encryption is the scheme's. Here real or complex numbers, of CKKS; exact.Whole has the same of integers."""

    scale: float
    more_bits: float = 0.0  # by which values are more precise than in slots
    integers = None

    @property
    def options(self) -> dict[str, Any]:
        """Of encrypt_batch."""
        return {"scale": self.scale}

    def row(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values as encrypt_batch takes them."""
        return values

    def facts(self, method: Method, written: Written) -> dict[str, Any]:
        """For --json."""
        context: Any = written.first.context
        level = written.first.level
        predicted = context.predicted_precision(scale=self.scale, kind=method.kind, level=level) + self.more_bits
        if predicted < 1:
            warn(f"the scale {scale_text(self.scale)} is so small that noise covers the values.")
        return {
            "scale": self.scale,
            "scale_log2": math.log2(self.scale),
            "complex": written.is_complex,
            "predicted_precision_bits": predicted,
        }

    def words(self, facts: dict[str, Any]) -> tuple[str, str]:
        """The same for people: of which scheme, and as what."""
        predicted = facts["predicted_precision_bits"]
        return "", f"scale {scale_text(self.scale)}, predicted precision {predicted:.1f} bits"


@dataclass(frozen=True)
class Method:
    """How to encrypt, and how to write."""

    numbers: Reals | exact.Whole
    public_key: bool
    special_prime: bool
    level: int | None
    seed_type: str
    compression: str
    version: str
    threads: int
    tenseal: bool = False  # a file is a vector of TenSEAL's, with as many ciphertexts as it takes
    library: ForeignLibrary | None = None  # values are in its slots
    upload: BootstrapUpload | None = None  # and are encrypted like this
    to_bytes: Callable[[Ciphertext], bytes] | None = None  # makes a file; None: SEAL's

    def run(self, context: Any, frames: Sequence[Any], key: Any, **how: Any) -> list[Ciphertext]:
        """encrypt_batch of these numbers."""
        found: list[Ciphertext]
        if self.library is not None and self.upload is not None:
            found = self.library._bootstrap_batch(self.upload, frames, key, **how)
        else:
            batch: Any = context.encrypt_batch if self.library is None else self.library._encrypt_batch
            found = batch(frames, key, level=self.level, **self.numbers.options, **how)
        return found

    @property
    def kind(self) -> str:
        return encryption_name(self.public_key, self.special_prime)


@dataclass(frozen=True)
class Written:
    """The result of all parts. first: any of the ciphertexts, they differ in values only."""

    first: Ciphertext
    files: list[dict[str, Any]]
    is_complex: bool
    seconds: float


def _formats(given: Sequence[opt.AnyFormat] | None, out: Path, split: bool) -> tuple[str | None, str]:
    """The format of the values as --format says, and that of the output."""
    values = [item for item in given or () if item in get_args(opt.Format)]
    outputs = [item for item in given or () if item not in get_args(opt.Format)]
    for items, what in ((values, "the values"), (outputs, "the output")):
        if len(items) > 1:
            raise UsageError("USAGE", f"--format gives two formats of {what}: {', '.join(items)}.", "Give one.")
    by_name = out.suffix.removeprefix(".") if out.suffix in SUFFIXES else "seal"
    kind = outputs[0].value if outputs else by_name
    if kind == "tenseal" and split:
        hint = "Leave it out: one holds any number of values."
        raise UsageError("USAGE", "--split is not for TenSEAL's vectors.", hint)
    return values[0].value if values else None, kind


def _encrypt_parts(directory: KeyDirectory, method: Method, parts: Sequence[Upload]) -> Written:
    """Encrypts and writes every part, BATCH at a time."""
    start = time.perf_counter()
    context, numbers = directory.context, method.numbers
    files: list[dict[str, Any]] = []
    with contextlib.ExitStack() as stack:
        key = (
            public_key_of(directory, method.library)
            if method.public_key
            else stack.enter_context(secret_key_of(directory))
        )
        progress = stack.enter_context(progress_bar("Encrypting"))
        pool = stack.enter_context(ThreadPoolExecutor(method.threads))
        how: Any = {"threads": method.threads, "special_prime": method.special_prime, "seed_type": method.seed_type}
        wire: Any = {"compression": method.compression, "version": method.version}
        counts = [
            -(-part.values.size // context.slots) if method.tenseal else 1 for part in parts
        ]  # numbers of ciphertexts
        done = 0

        def beyond(count: int, _: int) -> None:
            progress(done + count, sum(counts))

        for part, count in zip(parts, counts, strict=True) if method.tenseal else ():
            with frames_called([part.source] * count):
                options: Any = {"level": method.level, **numbers.options, **how}
                vector = TensealVector.encrypt(context, numbers.row(part.values), key, progress=beyond, **options)
            ciphertexts = list(vector.ciphertexts)
            files.append(part.save(vector, **wire))
            done += count
        for some in () if method.tenseal else batches(parts):
            with frames_called([part.source for part in some]):
                rows = [numbers.row(part.values) for part in some]
                ciphertexts = method.run(context, rows, key, progress=beyond, **how)
            files += pool.map(lambda part, found: part.save(found, method.to_bytes, **wire), some, ciphertexts)
            done += len(some)
    is_complex = any(np.iscomplexobj(part.values) for part in parts)
    return Written(ciphertexts[0], files, is_complex, time.perf_counter() - start)


def _run(task: Uploads, directory: KeyDirectory, method: Method) -> tuple[Written, list[Reading]]:
    """All files of values, or all arguments of a program."""
    integers = method.numbers.integers
    slots = directory.context.slots if method.upload is None else method.upload.capacity
    if task.program is None:
        run = partial(_encrypt_parts, directory, method)
        return task.run(run, slots, integers=integers, whole=method.tenseal)
    each, readings = task.run_program(partial(_encrypt_argument, directory, method), slots, integers)
    files, seconds = [file for one in each for file in one.files], sum(one.seconds for one in each)
    return replace(each[0], files=files, seconds=seconds), readings


def _encrypt_argument(directory: KeyDirectory, method: Method, one: Operand, parts: Sequence[Upload]) -> Written:
    """The ciphertexts of an argument of a program, at its level and scale."""
    numbers = method.numbers if one.log_scale is None else Reals(2.0**one.log_scale)
    return _encrypt_parts(directory, replace(method, numbers=numbers, level=one.level), parts)


def _tell(
    written: Written,
    readings: Sequence[Reading],
    method: Method,
    computed: dict[str, Any] | None,
    *,
    verbose: bool,
    json: bool,
) -> None:
    first, facts = written.first, method.numbers.facts(method, written)
    if json:
        result = {"files": written.files, "encryption": method.kind, **facts, "level": first.level}
        result |= {"seeded": first.seeded, "n": first.context.n, "seconds": written.seconds}
        if readings:
            result["csv"] = [asdict(reading) for reading in readings]
        print_json(result if computed is None else result | {"device": computed})
        return
    seeded = f", seeded ({first.seed_type})" if first.seeded else ""
    of, words = method.numbers.words(facts)
    print(f"{method.kind} encryption{of}{seeded}, level {first.level}, {words}")
    print_files(written.files, written.seconds, verbose)
    print_device(computed)


def _reals(
    directory: KeyDirectory,
    scale: float | None,
    kind: str,
    library: ForeignLibrary | None,
    upload: BootstrapUpload | None,
) -> Reals:
    """scale: what is asked for, else what the server's library takes."""
    if upload is not None:
        return Reals(upload.scale, upload.precision_gain_bits)
    params = directory.params
    if scale is None:
        server = scale_in(directory.file(TENSEAL)) if kind == "tenseal" else None
        scale = server or (params.default_scale if library is None else library.default_scale)
    if kind == "tenseal" and (trouble := nominal_trouble(params, scale)):
        warn(trouble)
    return Reals(scale)


UploadTarget = tuple[ForeignLibrary | None, BootstrapUpload | None, Callable[[Ciphertext], bytes] | None]


def _target(
    directory: KeyDirectory, kind: str, server: LibraryName | None, level: int | None, **how: Any
) -> UploadTarget:
    """The last members of a Method, of a file of this kind. server: of --for-bootstrapping. how: scale and packing."""
    if server is None:
        library = library_named(directory, kind)
        return (
            library,
            None,
            to_packed if kind == "packed" else None if library is None else library.ciphertext_to_bytes,
        )
    if level is not None:
        raise UsageError("USAGE", "--for-bootstrapping chooses the level.", "Leave --level out.")
    if kind not in ("packed", server):
        hint = f"Name OUT upload.packed, or upload.{server}."
        raise UsageError("USAGE", f"A file of {kind} does not say that its values are in {server}'s slots.", hint)
    library = library_of(directory, server)
    packed = partial(to_packed, slots=server, packing=how["packing"])
    return library, library.bootstrap_upload(**how), packed if kind == "packed" else library.ciphertext_to_bytes


_Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="IN… OUT",
        help="Files of values (.npy, .csv, .png), then the ciphertext; with several inputs OUT is a directory, and a.npy becomes OUT/a.seal. "
        "- is standard input or output.",
    ),
]
_PublicKey = Annotated[bool, typer.Option("--public-key", help="Encrypt with public.key; secret.key is not needed.")]
_NoSpecialPrime = Annotated[
    bool,
    typer.Option(
        "--no-special-prime", help="Leave out the rounding of --public-key: faster, with about 4 bits more noise."
    ),
]
_Unsigned = Annotated[
    bool, opt.integer_option("--unsigned", help="Take values from 0 to t - 1. Default: from -t/2 to t/2.")
]
_Wrap = Annotated[bool, opt.integer_option("--wrap", help="Take values modulo t, whatever their size.")]
_Form = Annotated[
    Literal["coef", "ntt"] | None,
    opt.integer_option(
        "--form",
        help="Form of a BFV ciphertext: coef, or ntt for a server that transforms it, or multiplies it by plaintexts alone. Default: coef.",
    ),
]
_ForBootstrapping = Annotated[
    LibraryName | None,
    typer.Option(
        "--for-bootstrapping",
        help="Encrypt with as few limbs as this library's bootstrapping takes: one for lattigo, two for openfhe; values are in its slots. "
        "OUT may be packed, with as many bits to a word as its modulus has: `ringside convert` makes the server's file of it.",
    ),
]
_Split = Annotated[
    bool, opt.file_option("--split", help="Write OUT-0.seal, OUT-1.seal, … for more values than one ciphertext holds.")
]


def encrypt(
    paths: _Paths,
    keys: opt.KeysOption,
    program: programs.ProgramOption = None,
    public_key: _PublicKey = False,
    no_special_prime: _NoSpecialPrime = False,
    level: opt.LevelOption = None,
    scale: opt.ScaleOption = None,
    for_bootstrapping: _ForBootstrapping = None,
    split: _Split = False,
    seed_type: opt.SeedTypeOption = "shake256",
    compression: opt.CompressionOption = "zstd",
    seal_version: opt.VersionOption = "3.6",
    format_: opt.AnyFormatOption = None,
    header: opt.HeaderOption = None,
    columns: opt.ColumnsOption = None,
    separator: opt.SeparatorOption = None,
    packing: opt.PackingOption = None,
    unsigned: _Unsigned = False,
    wrap: _Wrap = False,
    form: _Form = None,
    force: opt.ForceFlag = False,
    device: opt.DeviceOption = "cpu:",
    clock: opt.ClockOption = 500,
    threads: opt.ThreadsOption = None,
    verbose: opt.VerboseFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Encrypt the values of a file, or of many.

    With the secret key the ciphertext is seeded: half the size, least noise. A PNG becomes grey
    levels in [0, 1], row after row. Keys of BFV and BGV take integers, which have to be in range. Files are
    Microsoft SEAL's, or with --format tenseal vectors of TenSEAL, or with --format lattigo or openfhe ciphertexts of these libraries, with
    the values in the order of their slots. With --program they are the encrypted arguments of a program that HEIR
    compiled, one file of values each, and OUT is a directory (docs/tutorials/heir.md). Either all outputs are written
    or none, and no key is written over unless --force is given.

    Examples: ringside encrypt --keys keys photo.png photo.seal;
    ringside encrypt --keys keys monday.npy tuesday.npy uploads;
    ringside encrypt --keys keys --format csv --columns price - - < table.csv > price.seal
    """
    check_arguments(paths, json, split, public_key, no_special_prime)
    *sources, out = paths
    values_format, kind = _formats(format_, out, split)
    others = {"--split": split, "--level": level, "--scale": scale, "--packing": packing, "--form": form}
    others["--for-bootstrapping"] = for_bootstrapping
    compiled, kind = programs.for_encryption(program, kind, others)
    tenseal = kind == "tenseal"
    task = Uploads(sources, out, f".{kind}", values_format, columns or (), header, separator, split, force, compiled)
    parse(device)  # before files are read
    directory = KeyDirectory(keys, device)
    in_slots = packing if for_bootstrapping is None else None  # else coefficients hold real numbers, too
    whole = exact.is_exact(directory, {"--packing": in_slots, "--unsigned": unsigned, "--wrap": wrap, "--form": form})
    if whole:
        exact.refuse_options(directory, {"--scale": scale, "--for-bootstrapping": for_bootstrapping})
    prepare(device)
    context = directory.context
    watched(context._device)
    warn_if_weak(directory)
    how: Any = {"scale": scale, "packing": packing or SLOTS}
    library, upload, _ = target = _target(directory, kind, for_bootstrapping, level, **how)
    if compiled is not None:
        programs.check_keys(compiled, library)
    method = Method(
        exact.Whole.of(context.params, kind, packing, unsigned, wrap, form)
        if whole
        else _reals(directory, scale, kind, library, upload),
        public_key,
        not (no_special_prime or lacks_special_prime(directory, library)),
        level,
        seed_type,
        compression,
        seal_version,
        threads or usable_threads(),
        tenseal,
        *target,
    )
    written, readings = _run(task, directory, method)
    with messages_beside(out):
        _tell(written, readings, method, device_facts(context.counting, clock), verbose=verbose, json=json)
