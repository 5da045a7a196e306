# SPDX-License-Identifier: Apache-2.0
"""`ringside encrypt`."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
import typer
from numpy.typing import NDArray

from ..errors import InputError, UsageError, frames_called
from ..native.batch import usable_threads
from ..native.files import is_readable_by_others, write_error
from ..objects import precision
from ..objects.ciphertext import Ciphertext
from ..objects.keydir import SECRET, KeyDirectory
from ..objects.keys import PublicKey, SecretKey
from ..objects.values import read_values
from .device_option import device_facts, prepare, print_device
from .options import (
    ClockOption,
    Compression,
    CompressionOption,
    DeviceOption,
    JsonFlag,
    KeysOption,
    SealVersion,
    SeedType,
    SeedTypeOption,
    ThreadsOption,
    VersionOption,
    parse_number,
)
from .output import print_facts, print_json, progress_bar, scale_text, size_text, warn


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


BATCH = 16  # ciphertexts in memory at a time
Item = TypeVar("Item")


@dataclass(frozen=True)
class Part:
    """The values of one ciphertext, and the file for it."""

    source: Path
    values: NDArray[Any]
    target: Path


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """At most BATCH of them at a time."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _parts(source: Path, target: Path, slots: int, split: bool) -> list[Part]:
    row = read_values(source).reshape(-1)
    if row.size == 0:
        raise InputError("RS_ERR_VALUE_COUNT", f"{source} holds no values.")
    if not split and row.size > slots:
        message = f"{row.size} values need {-(-row.size // slots)} ciphertexts of {slots} slots."
        raise InputError("RS_ERR_VALUE_COUNT", message, "Pass --split to write that many files.")
    rows = [row[start : start + slots] for start in range(0, row.size, slots)]
    if not split:
        return [Part(source, row, target)]
    return [
        Part(source, values, target.with_name(f"{target.stem}-{index}{target.suffix}"))
        for index, values in enumerate(rows)
    ]


def _targets(sources: Sequence[Path], out: Path) -> list[Path]:
    """OUT for one source, else a file in the directory OUT for each."""
    if len(sources) == 1:
        return [out]
    if out.exists() and not out.is_dir():
        raise UsageError("USAGE", f"{out} is not a directory.", "Several inputs are written into a directory.")
    targets = [out / f"{source.stem}.seal" for source in sources]
    for target in targets:
        if targets.count(target) > 1:
            raise UsageError("USAGE", f"Two inputs would both become {target}.", "Rename one of them.")
    return targets


def encrypt(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="IN… OUT",
            help="Values: .npy, .csv or .png; then the ciphertext, or for several inputs a directory: a.npy becomes OUT/a.seal.",
        ),
    ],
    keys: KeysOption,
    public_key: Annotated[bool, typer.Option("--public-key", help="Use public.key; secret.key is not needed.")] = False,
    no_special_prime: Annotated[
        bool,
        typer.Option("--no-special-prime", help="With --public-key: faster, about 4 bits more noise."),
    ] = False,
    level: Annotated[int | None, typer.Option("--level", help="Limbs minus one; default the highest.")] = None,
    scale: Annotated[
        Any,
        typer.Option(
            "--scale",
            metavar="2^40",
            parser=parse_number,
            help="Values are multiplied by this; default what suits the set.",
        ),
    ] = None,
    split: Annotated[bool, typer.Option("--split", help="Write OUT-0.seal, OUT-1.seal … if one is too small.")] = False,
    seed_type: SeedTypeOption = SeedType.shake256,
    compression: CompressionOption = Compression.zstd,
    seal_version: VersionOption = SealVersion.v3_6,
    device: DeviceOption = "cpu:",
    clock: ClockOption = 500,
    threads: ThreadsOption = None,
    json: JsonFlag = False,
) -> None:
    """Encrypt the values of a file, or of many.

    With the secret key the ciphertext is seeded: half the size, least noise. A PNG becomes grey
    levels in [0, 1], row after row. All files are Microsoft SEAL's.

    Examples: ringside encrypt --keys keys photo.png photo.seal;
    ringside encrypt --keys keys monday.npy tuesday.npy uploads
    """
    if len(paths) < 2:
        raise UsageError("USAGE", "Give at least one file of values and the output.")
    *sources, out = paths
    if no_special_prime and not public_key:
        raise UsageError("USAGE", "--no-special-prime applies to --public-key only.")
    targets = _targets(sources, out)
    for source in sources:
        if source.exists() and any(target.exists() and target.samefile(source) for target in targets):
            raise UsageError("USAGE", "IN and OUT are the same file.")
    prepare(device)
    directory = KeyDirectory(keys, device)
    context = directory.context
    warn_if_weak(directory)
    parts = [
        part
        for source, target in zip(sources, targets, strict=True)
        for part in _parts(source, target, context.slots, split)
    ]
    if len(sources) > 1:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(out, error.errno or 0) from error
    scale = context.params.default_scale if scale is None else scale
    kind = precision.SECRET_KEY
    if public_key:
        kind = precision.PUBLIC_KEY_DIRECT if no_special_prime else precision.PUBLIC_KEY
    threads = threads or usable_threads()
    start = time.perf_counter()
    files: list[dict[str, Any]] = []
    with contextlib.ExitStack() as stack:
        key: SecretKey | PublicKey
        if public_key:
            key = directory.public_key()
        else:
            key = stack.enter_context(secret_key_of(directory))
        progress = stack.enter_context(progress_bar("Encrypting"))
        pool = stack.enter_context(ThreadPoolExecutor(threads))
        written: list[Path] = []

        def save(part: Part, ciphertext: Ciphertext) -> dict[str, Any]:
            size = ciphertext.save(part.target, compression=compression.value, version=seal_version.value)
            written.append(part.target)
            return {"path": str(part.target), "values": int(part.values.size), "bytes": size}

        try:
            for some in batches(parts):
                with frames_called([part.source for part in some]):
                    ciphertexts = context.encrypt_batch(
                        [part.values for part in some],
                        key,
                        threads=threads,
                        scale=scale,
                        level=level,
                        special_prime=not no_special_prime,
                        seed_type=seed_type.value,
                    )
                files += pool.map(save, some, ciphertexts)
                if progress is not None:
                    progress(len(files), len(parts))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            if len(sources) > 1 or split:  # all files or none
                for path in written:
                    path.unlink(missing_ok=True)
            raise
    ciphertext = ciphertexts[0]
    predicted = context.predicted_precision(scale=scale, kind=kind, level=level)
    if predicted < 1:
        warn(f"the scale {scale_text(scale)} is so small that noise covers the values.")
    result = {
        "files": files,
        "encryption": kind,
        "level": ciphertext.level,
        "scale": scale,
        "scale_log2": math.log2(scale),
        "seeded": ciphertext.seeded,
        "n": context.n,
        "complex": any(np.iscomplexobj(part.values) for part in parts),
        "predicted_precision_bits": predicted,
        "seconds": time.perf_counter() - start,
    }
    computed = device_facts(context.accelerator, clock)
    if computed is not None:
        result["device"] = computed
    if json:
        print_json(result)
        return
    seeded = f", seeded ({ciphertext.seed_type})" if ciphertext.seeded else ""
    print(f"{kind} encryption{seeded}, level {ciphertext.level}, scale {scale_text(scale)}, ", end="")
    print(f"predicted precision {predicted:.1f} bits")
    print_facts([(f["path"], f"{f['values']} values, {size_text(f['bytes'])}") for f in files])
    print_device(computed)
