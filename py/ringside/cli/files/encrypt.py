# SPDX-License-Identifier: Apache-2.0
"""`ringside encrypt`."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import numpy as np
import typer
from numpy.typing import NDArray

from ...errors import InputError, UsageError, frames_called
from ...exchange.directory import lacks_special_prime, library_named, public_key_of
from ...exchange.library import ForeignLibrary
from ...native.batch import usable_threads
from ...native.files import FileSet, is_readable_by_others
from ...objects.ckks.context import Context
from ...objects.ckks.keydir import SECRET, TENSEAL, KeyDirectory
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.csv_file import Reading
from ...objects.common.evaluation import PUBLIC_KEY, PUBLIC_KEY_DIRECT, SECRET_KEY, nominal_trouble
from ...objects.common.keys import PublicKey, SecretKey
from ...tenseal import TensealVector
from ...tenseal.context import scale_in
from ..common.device import device_facts, prepare, print_device, watched
from ..common.options import (
    FILES,
    AnyFormat,
    AnyFormatOption,
    ClockOption,
    ColumnsOption,
    CompressionOption,
    DeviceOption,
    ForceFlag,
    Format,
    HeaderOption,
    JsonFlag,
    KeysOption,
    LevelOption,
    ScaleOption,
    SeedTypeOption,
    SeparatorOption,
    ThreadsOption,
    VerboseFlag,
    VersionOption,
)
from ..common.output import counted, print_facts, print_json, progress_bar, scale_text, size_text, warn
from ..common.places import (
    STANDARD,
    Outputs,
    check_standard_output,
    messages_beside,
    not_an_input,
    only_one_standard_input,
    read_input,
    say_readings,
    write_standard_output,
)


def secret_key_of(keys: KeyDirectory) -> SecretKey:
    """The directory's secret key, with a warning if others can read its file."""
    key = keys.secret_key()
    path = keys.file(SECRET)
    if is_readable_by_others(path):
        warn(f"{path} can be read by other users; chmod 600 it.")
    return key


def warn_if_weak(keys: KeyDirectory) -> None:
    if keys.params.security < 128:
        warn("these parameters are below 128-bit security.")


SUFFIXES = (".seal", ".tenseal", ".lattigo", ".openfhe")
BATCH = 16  # ciphertexts in memory at a time
Item = TypeVar("Item")


@dataclass(frozen=True)
class Upload:
    """The values of one ciphertext, the file for it, and where that is written first."""

    source: Path
    values: NDArray[Any]
    target: Path
    staged: Path


@dataclass(frozen=True)
class Method:
    """How to encrypt, and how to write."""

    public_key: bool
    special_prime: bool
    level: int | None
    scale: float
    seed_type: str
    compression: str
    version: str
    threads: int
    tenseal: bool = False  # a file is a vector of TenSEAL's, with as many ciphertexts as it takes
    library: ForeignLibrary | None = None  # a file is that library's, and values are in its slots

    @property
    def kind(self) -> str:
        if not self.public_key:
            return SECRET_KEY
        return PUBLIC_KEY if self.special_prime else PUBLIC_KEY_DIRECT


@dataclass(frozen=True)
class Written:
    """The result of all parts. first: any of the ciphertexts, they differ in values only."""

    first: Ciphertext
    files: list[dict[str, Any]]
    is_complex: bool
    seconds: float


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Parts of at most BATCH items each."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _formats(given: Sequence[AnyFormat] | None, out: Path) -> tuple[str | None, str]:
    """The format of the values as --format says, and that of the output."""
    values = [item for item in given or () if item in get_args(Format)]
    outputs = [item for item in given or () if item not in get_args(Format)]
    for items, what in ((values, "the values"), (outputs, "the output")):
        if len(items) > 1:
            raise UsageError("USAGE", f"--format gives two formats of {what}: {', '.join(items)}.", "Give one.")
    by_name = out.suffix.removeprefix(".") if out.suffix in SUFFIXES else "seal"
    return values[0].value if values else None, outputs[0].value if outputs else by_name


def _rows(source: Path, values: NDArray[Any], slots: int, split: bool, whole: bool) -> list[NDArray[Any]]:
    """The values of each ciphertext of a file; all of them if `whole`."""
    row = values.reshape(-1)
    if row.size == 0:
        raise InputError("RS_ERR_VALUE_COUNT", f"{source} holds no values.")
    if whole:
        return [row]
    if not split and row.size > slots:
        message = f"{row.size} values need {-(-row.size // slots)} ciphertexts of {slots} slots."
        raise InputError("RS_ERR_VALUE_COUNT", message, "Pass --split to write that many files.")
    return [row[start : start + slots] for start in range(0, row.size, slots)]


def _targets(sources: Sequence[Path], out: Path, suffix: str) -> list[Path]:
    """OUT for one source, else a file in the directory OUT for each."""
    if len(sources) == 1:
        targets = [out]
    elif out.exists() and not out.is_dir():
        raise UsageError("USAGE", f"{out} is not a directory.", "Several inputs are written into a directory.")
    else:
        targets = [out / f"{'stdin' if source == STANDARD else source.stem}{suffix}" for source in sources]
    for target in targets:
        if targets.count(target) > 1:
            raise UsageError("USAGE", f"Two inputs would both become {target}.", "Rename one of them.")
    for target in targets:
        not_an_input(target, sources)
    return targets


def _check_arguments(paths: Sequence[Path], json: bool, split: bool, public_key: bool, no_special_prime: bool) -> None:
    if len(paths) < 2:
        raise UsageError("USAGE", "Give at least one file of values and the output.")
    *sources, out = paths
    if no_special_prime and not public_key:
        raise UsageError("USAGE", "--no-special-prime applies to --public-key only.")
    only_one_standard_input(sources)
    if out == STANDARD and (split or len(sources) > 1):
        raise UsageError(
            "USAGE", "Standard output takes one ciphertext only.", "Name a file or directory instead of -."
        )
    check_standard_output(out, json)


def _piece(target: Path, index: int) -> Path:
    """The name of a part of --split."""
    return target.with_name(f"{target.stem}-{index}{target.suffix}")


def _parts(
    sources: Sequence[Path],
    targets: Sequence[Path],
    values: Sequence[NDArray[Any]],
    slots: int,
    split: bool,
    whole: bool,
    files: FileSet,
) -> list[Upload]:
    parts = []
    for source, target, all_values in zip(sources, targets, values, strict=True):
        for index, row in enumerate(_rows(source, all_values, slots, split, whole)):
            name = _piece(target, index) if split else target
            parts.append(Upload(source, row, name, name if name == STANDARD else files.add(name)))
    return parts


def _warn_of_earlier(sources: Sequence[Path], targets: Sequence[Path], parts: Sequence[Upload]) -> None:
    """A longer file that was split before has left parts, which would be taken for this one's."""
    for source, target in zip(sources, targets, strict=False):
        next_one = _piece(target, sum(part.source == source for part in parts))
        if next_one.exists():
            warn(f"{next_one} is of an earlier run: it does not belong to this one's files.")


def _save(part: Upload, item: Ciphertext | TensealVector, method: Method) -> dict[str, Any]:
    how: Any = {"compression": method.compression, "version": method.version}
    if method.library is not None:
        assert isinstance(item, Ciphertext)
        data = method.library.ciphertext_to_bytes(item)
        if part.target == STANDARD:
            write_standard_output(data)
        else:
            part.staged.write_bytes(data)
        size = len(data)
    elif part.target == STANDARD:
        data = item.to_bytes(**how)
        write_standard_output(data)
        size = len(data)
    else:
        size = item.save(part.staged, **how)
    return {"path": str(part.target), "values": int(part.values.size), "bytes": size}


def _in_slots(values: NDArray[Any], library: ForeignLibrary | None) -> NDArray[Any]:
    return values if library is None else library.to_seal_slots(values)


def _encrypt_parts(directory: KeyDirectory, parts: Sequence[Upload], method: Method) -> Written:
    """Encrypts and writes every part, BATCH at a time."""
    start = time.perf_counter()
    files: list[dict[str, Any]] = []
    with contextlib.ExitStack() as stack:
        key: SecretKey | PublicKey
        if method.public_key:
            key = directory.public_key() if method.library is None else public_key_of(directory, method.library)
        else:
            key = stack.enter_context(secret_key_of(directory))
        progress = stack.enter_context(progress_bar("Encrypting"))
        pool = stack.enter_context(ThreadPoolExecutor(method.threads))
        how: Any = {
            "threads": method.threads,
            "scale": method.scale,
            "level": method.level,
            "special_prime": method.special_prime,
            "seed_type": method.seed_type,
        }
        counts = [-(-part.values.size // directory.context.slots) for part in parts]  # numbers of ciphertexts
        done = 0

        def beyond(count: int, _: int) -> None:
            progress(done + count, sum(counts))

        for part, count in zip(parts, counts, strict=True) if method.tenseal else ():
            with frames_called([part.source] * count):
                vector = TensealVector.encrypt(directory.context, part.values, key, progress=beyond, **how)
            ciphertexts = list(vector.ciphertexts)
            files.append(_save(part, vector, method))
            done += count
        for some in () if method.tenseal else batches(parts):
            with frames_called([part.source for part in some]):
                values = [_in_slots(part.values, method.library) for part in some]
                ciphertexts = directory.context.encrypt_batch(values, key, progress=beyond, **how)
            files += pool.map(lambda part, ciphertext: _save(part, ciphertext, method), some, ciphertexts)
            done += len(some)
    is_complex = any(np.iscomplexobj(part.values) for part in parts)
    return Written(ciphertexts[0], files, is_complex, time.perf_counter() - start)


def _tell(
    written: Written,
    readings: Sequence[Reading],
    context: Context,
    method: Method,
    clock: float,
    *,
    verbose: bool,
    json: bool,
) -> None:
    first, scale = written.first, method.scale
    predicted = context.predicted_precision(scale=scale, kind=method.kind, level=method.level)
    if predicted < 1:
        warn(f"the scale {scale_text(scale)} is so small that noise covers the values.")
    computed = device_facts(context.counting, clock)
    if json:
        result = {
            "files": written.files,
            "encryption": method.kind,
            "level": first.level,
            "scale": scale,
            "scale_log2": math.log2(scale),
            "seeded": first.seeded,
            "n": context.n,
            "complex": written.is_complex,
            "predicted_precision_bits": predicted,
            "seconds": written.seconds,
        }
        if readings:
            result["csv"] = [asdict(reading) for reading in readings]
        print_json(result if computed is None else result | {"device": computed})
        return
    seeded = f", seeded ({first.seed_type})" if first.seeded else ""
    print(f"{method.kind} encryption{seeded}, level {first.level}, scale {scale_text(scale)}, ", end="")
    print(f"predicted precision {predicted:.1f} bits")
    if verbose or len(written.files) == 1:
        print_facts([(f["path"], f"{counted(f['values'], 'value')}, {size_text(f['bytes'])}") for f in written.files])
    if len(written.files) > 1:
        values, size = (sum(f[key] for f in written.files) for key in ("values", "bytes"))
        print(f"{len(written.files)} files, {values} values, {size_text(size)}, in {written.seconds:.1f} s")
    print_device(computed)


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
_Split = Annotated[
    bool,
    typer.Option(
        "--split",
        help="Write OUT-0.seal, OUT-1.seal, … for more values than one ciphertext holds.",
        rich_help_panel=FILES,
    ),
]


def encrypt(
    paths: _Paths,
    keys: KeysOption,
    public_key: _PublicKey = False,
    no_special_prime: _NoSpecialPrime = False,
    level: LevelOption = None,
    scale: ScaleOption = None,
    split: _Split = False,
    seed_type: SeedTypeOption = "shake256",
    compression: CompressionOption = "zstd",
    seal_version: VersionOption = "3.6",
    format_: AnyFormatOption = None,
    header: HeaderOption = None,
    columns: ColumnsOption = None,
    separator: SeparatorOption = None,
    force: ForceFlag = False,
    device: DeviceOption = "cpu:",
    clock: ClockOption = 500,
    threads: ThreadsOption = None,
    verbose: VerboseFlag = False,
    json: JsonFlag = False,
) -> None:
    """Encrypt the values of a file, or of many.

    With the secret key the ciphertext is seeded: half the size, least noise. A PNG becomes grey
    levels in [0, 1], row after row. Files are Microsoft SEAL's, or with --format tenseal vectors for
    `tenseal.ckks_vector_from`, or with --format lattigo or openfhe ciphertexts of these libraries, with
    the values in the order of their slots. Either all outputs are written or none, and no key is written over
    unless --force is given.

    Examples: ringside encrypt --keys keys photo.png photo.seal;
    ringside encrypt --keys keys monday.npy tuesday.npy uploads;
    ringside encrypt --keys keys --format csv --columns price - - < table.csv > price.seal
    """
    _check_arguments(paths, json, split, public_key, no_special_prime)
    *sources, out = paths
    values_format, kind = _formats(format_, out)
    tenseal = kind == "tenseal"
    if tenseal and split:
        raise UsageError(
            "USAGE", "--split is not for TenSEAL's vectors.", "Leave it out: one holds any number of values."
        )
    targets = _targets(sources, out, f".{kind}")
    prepare(device)
    directory = KeyDirectory(keys, device)
    context = directory.context
    watched(context._device)
    warn_if_weak(directory)
    library = library_named(directory, kind)
    if scale is None:
        server = scale_in(directory.file(TENSEAL)) if tenseal else None
        scale = server or (context.params.default_scale if library is None else library.default_scale)
    if tenseal and (trouble := nominal_trouble(context.params, scale)):
        warn(trouble)
    method = Method(
        public_key,
        not (no_special_prime or lacks_special_prime(directory, library)),
        level,
        scale,
        seed_type,
        compression,
        seal_version,
        threads or usable_threads(),
        tenseal,
        library,
    )
    readings: list[Reading] = []
    values = [
        read_input(source, values_format, columns or (), header, separator, readings.append) for source in sources
    ]
    say_readings(readings)
    with Outputs(force=force) as files:
        if len(sources) > 1:
            files.folder(out)
        parts = _parts(sources, targets, values, context.slots, split, tenseal, files)
        written = _encrypt_parts(directory, parts, method)
    _warn_of_earlier(sources, targets if split else (), parts)
    with messages_beside(out):
        _tell(written, readings, context, method, clock, verbose=verbose, json=json)
