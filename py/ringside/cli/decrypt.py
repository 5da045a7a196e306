# SPDX-License-Identifier: Apache-2.0
"""`ringside decrypt`."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from ..errors import InputError, UsageError, frames_called
from ..native.batch import usable_threads
from ..objects.ciphertext import Ciphertext
from ..objects.keydir import KeyDirectory
from ..objects.precision import measured_precision
from ..objects.values import check_suffix, read_values, write_values
from .device_option import device_facts, prepare, print_device
from .encrypt import batches, secret_key_of
from .options import ClockOption, DeviceOption, JsonFlag, KeysOption, ThreadsOption, parse_number, parse_shape
from .output import print_json, progress_bar


def _decrypt_all(
    directory: KeyDirectory, sources: list[Path], count: int | None, real: bool, max_abs: Any, threads: int
) -> NDArray[Any]:
    context = directory.context
    capacity = context.slots * len(sources)
    if count is not None and not 0 < count <= capacity:
        message = f"{count} values asked for, {len(sources)} ciphertexts hold {capacity}."
        raise InputError("RS_ERR_VALUE_COUNT", message)
    parts: list[NDArray[Any]] = []
    with (
        secret_key_of(directory) as secret,
        ThreadPoolExecutor(threads) as pool,
        progress_bar("Decrypting") as progress,
    ):
        for some in batches(sources):
            ciphertexts = list(pool.map(lambda source: Ciphertext.load(context, source), some))
            with frames_called(some):
                parts.extend(context.decrypt_batch(ciphertexts, secret, threads=threads, real=real, max_abs=max_abs))
            if progress is not None:
                progress(len(parts), len(sources))
    return np.concatenate(parts)[:count]


def decrypt(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="IN.seal… OUT", help="Ciphertexts in order, then OUT: .npy, .csv or .png."),
    ],
    keys: KeysOption,
    count: Annotated[int | None, typer.Option("--count", help="Values to write; default all slots.")] = None,
    complex_: Annotated[bool, typer.Option("--complex", help="Write complex values; default real parts.")] = False,
    max_abs: Annotated[
        Any,
        typer.Option(
            "--max-abs",
            metavar="X",
            parser=parse_number,
            help="No value is larger than this: decrypts only as many limbs as needed.",
        ),
    ] = None,
    shape: Annotated[
        Any,
        typer.Option("--shape", metavar="ROWSxCOLUMNS", parser=parse_shape, help="Shape of the output."),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option("--truth", metavar="FILE", help="Compare with these: prints precision bits."),
    ] = None,
    device: DeviceOption = "cpu:",
    clock: ClockOption = 500,
    threads: ThreadsOption = None,
    json: JsonFlag = False,
) -> None:
    """Decrypt ciphertexts to a file of values.

    Examples: ringside decrypt --keys keys result.seal result.npy --count 100;
    ringside decrypt --keys keys photo.seal photo.png --shape 64x64 --truth original.png
    """
    if len(files) < 2:
        raise UsageError("USAGE", "Give at least one ciphertext and the output file.")
    *sources, out = files
    check_suffix(out)
    start = time.perf_counter()
    truth_values = None if truth is None else read_values(truth)
    if truth_values is not None and truth_values.size == 0:
        raise InputError("RS_ERR_VALUE_COUNT", f"{truth} holds no values.")
    if shape is not None and count is None:
        count = int(np.prod(shape))
    if truth_values is not None and count is None:
        count = truth_values.size
        shape = truth_values.shape if out.suffix.lower() == ".png" else None
    prepare(device)
    directory = KeyDirectory(keys, device)
    values = _decrypt_all(directory, sources, count, not complex_, max_abs, threads or usable_threads())
    write_values(out, values, shape)
    result: dict[str, Any] = {
        "file": str(out),
        "values": int(values.size),
        "complex": complex_,
        "ciphertexts": len(sources),
    }
    if truth_values is not None:
        compared = min(values.size, truth_values.size)
        truth_row = truth_values.reshape(-1)[:compared]
        result["compared"] = compared
        result["measured_precision_bits"] = measured_precision(values[:compared], truth_row)
    result["seconds"] = time.perf_counter() - start
    computed = device_facts(directory.context.accelerator, clock)
    if computed is not None:
        result["device"] = computed
    if json:
        print_json(result)
        return
    print(f"{out}: {values.size} {'complex' if complex_ else 'real'} values")
    print_device(computed)
    if truth_values is not None:
        bits = result["measured_precision_bits"]
        print(f"measured precision {bits:.1f} bits over {result['compared']} values")
