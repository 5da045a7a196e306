# SPDX-License-Identifier: Apache-2.0
"""`ringside encrypt`."""

from __future__ import annotations

import contextlib
import math
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from .. import precision
from .._files import is_readable_by_others
from ..ciphertext import Ciphertext
from ..errors import InputError, UsageError
from ..keydir import SECRET, KeyDirectory
from ..keys import PublicKey, SecretKey
from ..values import read_values
from .device import device_facts, prepare, print_device
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


def _parts(values: NDArray[Any], slots: int, split: bool) -> list[NDArray[Any]]:
    row = values.reshape(-1)
    if row.size == 0:
        raise InputError("RS_ERR_VALUE_COUNT", "The input holds no values.")
    needed = -(-row.size // slots)
    if needed > 1 and not split:
        message = f"{row.size} values need {needed} ciphertexts of {slots} slots."
        raise InputError("RS_ERR_VALUE_COUNT", message, "Pass --split to write that many files.")
    return [row[start : start + slots] for start in range(0, row.size, slots)]


def _targets(out: Path, count: int, split: bool) -> list[Path]:
    if not split:
        return [out]
    return [out.with_name(f"{out.stem}-{index}{out.suffix}") for index in range(count)]


def encrypt(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Values: .npy, .csv or .png.")],
    out: Annotated[Path, typer.Argument(metavar="OUT.seal", help="The ciphertext.")],
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
    json: JsonFlag = False,
) -> None:
    """Encrypt the values of a file.

    With the secret key the ciphertext is seeded: half the size, least noise. A PNG becomes grey
    levels in [0, 1], row after row. All files are Microsoft SEAL's.

    Example: ringside encrypt --keys keys photo.png photo.seal
    """
    if no_special_prime and not public_key:
        raise UsageError("USAGE", "--no-special-prime applies to --public-key only.")
    if out.exists() and source.exists() and out.samefile(source):
        raise UsageError("USAGE", "IN and OUT are the same file.")
    prepare(device)
    directory = KeyDirectory(keys, device)
    context = directory.context
    warn_if_weak(directory)
    parts = _parts(read_values(source), context.slots, split)
    targets = _targets(out, len(parts), split)
    scale = context.params.default_scale if scale is None else scale
    kind = precision.SECRET_KEY
    if public_key:
        kind = precision.PUBLIC_KEY_DIRECT if no_special_prime else precision.PUBLIC_KEY
    start = time.perf_counter()
    files: list[dict[str, Any]] = []
    with contextlib.ExitStack() as stack:
        key: SecretKey | PublicKey
        if public_key:
            key = directory.public_key()
        else:
            key = stack.enter_context(secret_key_of(directory))
        progress = stack.enter_context(progress_bar("Encrypting"))
        ciphertext: Ciphertext
        try:
            for part, target in zip(parts, targets, strict=True):
                ciphertext = context.encrypt(
                    part,
                    key,
                    scale=scale,
                    level=level,
                    special_prime=not no_special_prime,
                    seed_type=seed_type.value,
                )
                size = ciphertext.save(target, compression=compression.value, version=seal_version.value)
                files.append({"path": str(target), "values": int(part.size), "bytes": size})
                if progress is not None:
                    progress(len(files), len(parts))
        except BaseException:
            if split:  # all parts or none
                for file in files:
                    Path(file["path"]).unlink(missing_ok=True)
            raise
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
        "complex": bool(np.iscomplexobj(parts[0])),
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
