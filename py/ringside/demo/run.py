# SPDX-License-Identifier: Apache-2.0
"""One run of the demo: camera, cloud, camera; measured and checked."""

import contextlib
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import hints
from ..devices.device import Watch
from ..devices.names import word_bits
from ..errors import FileError
from ..native.files import (
    FileSet,
    hidden_name,
    make_directories,
    remove_directories,
    replace_directory,
    write_bytes,
    write_error,
)
from ..native.secret_files import may_hold_secret_key
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.evaluation import encryption_name
from ..objects.common.params import Parameters
from ..objects.keydir import NAMES, refuse_key_files
from . import frame as frames
from .client import DEFAULT_BITS, DEFAULT_NAME, NARROW_NAME, Camera, Clock, choose_parameters, measure
from .frame import DemoError, Image2d, Tiling
from .outcome import CLOUD, DemoFrame, Error, Outcome, Size, Stage
from .outcome import DemoParameters as ParameterFacts
from .page import render
from .pictures import Picture, Pixels, Sheet, grey, heat, noise

SERVER = Path(__file__).with_name("server.py")
SERVER_SECONDS = 600
FOLDERS = ("to-cloud", "from-cloud")
MARKS = ("job.json", "server.json")  # the files that tell such a folder
SUFFIXES = (".seal", ".json", ".bin")  # suffixes of all files in them
REPORT = "report.html"
SHEET = "sheet.png"

ENCRYPTION_NAMES = {
    "secret-key": "the secret key, second half as a seed",
    "public-key": "the public key, rounded by a prime",
    "public-key-direct": "the public key, without special prime",
}


@dataclass(frozen=True)
class Options:
    image: Path | None = None
    size: str = "qqvga"
    with_public_key: bool = False
    special_prime: bool = True
    params: str | None = None
    device: str = "cpu:"
    encode: str | None = None  # "device" or "cpu"; None: the device, if it can
    watch: Watch | None = None  # shows how far a simulated SoC is
    clock_mhz: float = 500
    threads: int = 1
    out: Path = Path("ringside-demo")
    command: str = "ringside demo"


Tell = Callable[[str], None]


def check_place(out: Path) -> None:
    """FileError if the demo would write into a directory of something else, or replace something that is not an earlier run's."""
    ours = any((out / name / mark).exists() for name in FOLDERS for mark in MARKS)
    keys = any(os.path.lexists(out / name) for name in NAMES)  # a demo's own are in FOLDERS
    if keys or (not ours and out.is_dir() and any(out.iterdir())):
        what = "is a directory of keys" if keys else "holds other files, and no earlier demo"
        message = f"{out} {what}."
        raise FileError("FILE_EXISTS", message, "Give --out another folder: a new or empty one, or an earlier demo's.")
    for name in FOLDERS:
        place = out / name
        if not os.path.lexists(place):
            continue
        files = list(place.iterdir()) if place.is_dir() else [place]
        foreign = [file for file in files if file.is_dir() or file.suffix not in SUFFIXES or may_hold_secret_key(file)]
        if foreign or (files and not any((place / mark).exists() for mark in MARKS)):
            reason = f"{foreign[0]} is not the demo's" if foreign else "it is not the demo's"
            raise FileError("FILE_EXISTS", f"{place} would be replaced, but {reason}.", "Give --out another folder.")
    for name in (REPORT, SHEET):
        refuse_key_files(out / name, force=False)


@contextlib.contextmanager
def staging(out: Path) -> Iterator[Path]:
    """A hidden folder in `out`. What is in it takes its place at the end of the block: all of it, or nothing."""
    made: list[Path] = []
    work = hidden_name(out / "demo", "new")
    try:
        made = make_directories(out)
        work.mkdir()
    except OSError as error:
        remove_directories(made)
        raise write_error(out, error.errno or 0) from error
    try:
        yield work
        install(work, out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        remove_directories(made)  # those that hold nothing


def install(work: Path, out: Path) -> None:
    """Moves the finished demo into place."""
    swapped: list[tuple[Path, Path | None]] = []
    try:
        with FileSet() as files:
            for name in FOLDERS:
                swapped.append((out / name, replace_directory(work / name, out / name)))
            for name in (REPORT, SHEET):
                (work / name).rename(files.add(out / name))
    except BaseException as error:
        for place, old in swapped:
            with contextlib.suppress(OSError):
                if old is None:
                    shutil.rmtree(place)
                else:
                    replace_directory(old, place)
        if isinstance(error, OSError):
            raise write_error(out, error.errno or 0) from error
        raise
    for _, old in swapped:
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)


def run_server(inbox: Path, outbox: Path) -> tuple[dict[str, Any], float]:
    """The cloud's own report, and the seconds from starting its process to its end."""
    if importlib.util.find_spec("tenseal") is None:
        message = f"Run {hints.install('demo', 'demo')}."
        raise DemoError("The cloud's SEAL comes with the package tenseal, which is not installed.", message)
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(SERVER), str(inbox), str(outbox)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SERVER_SECONDS,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired as error:
        raise DemoError(f"The cloud did not answer within {SERVER_SECONDS} s.") from error
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise DemoError(f"The cloud's process failed:\n{done.stderr.strip()}")
    report: dict[str, Any] = json.loads((outbox / "server.json").read_text(encoding="utf-8"))
    return report, seconds


def cloud_stages(report: dict[str, Any], seconds: float) -> list[Stage]:
    stages = [Stage(CLOUD, name, value, report["calls"][name]) for name, value in report["seconds"].items()]
    rest = seconds - sum(stage.seconds for stage in stages)
    return [*stages, Stage(CLOUD, "process start, rest", max(rest, 0.0))]


def bits(error: float) -> float:
    """-log2, with 64 for no error at all."""
    return -math.log2(error) if error > 0 else 64.0


def compare(result: Image2d, expected: Image2d, bound_bits: int) -> tuple[Error, Image2d]:
    difference = np.abs(result - expected)
    largest, rms = float(difference.max()), float(np.sqrt(np.mean(difference**2)))
    return Error(bits(largest), bits(rms), bound_bits, largest <= 2.0**-bound_bits), difference


def upload_sizes(
    camera: Camera, ciphertexts: list[Ciphertext], tiles: list[Image2d], frame: Image2d, sent_bytes: int, folder: Path
) -> list[Size]:
    """The frame in every form, each written and measured."""
    path = folder / "frame"
    full = [ciphertext.expand() for ciphertext in ciphertexts]
    seeded = ciphertexts
    with_secret_key = ciphertexts[0].seeded
    if not with_secret_key:
        seeded = camera.context.encrypt_batch(tiles, camera.secret_key, scale=camera.scale, level=camera.level)
    path.write_bytes(grey(frame).tobytes())
    count = len(ciphertexts)
    rows = [
        ("Full ciphertexts", f"{count} files, no compression", measure(full, path, "none"), False),
        ("Full, zstd", "both halves, as SEAL saves them by default", measure(full, path, "zstd"), not with_secret_key),
        ("Seeded", "half of it is 64 bytes; no compression", measure(seeded, path, "none"), False),
        ("Seeded, zlib", "", measure(seeded, path, "zlib"), False),
        ("Seeded, zstd", "", measure(seeded, path, "zstd"), with_secret_key),
    ]
    sizes = [Size(name, note, sent_bytes if sent else size, sent) for name, note, size, sent in rows]
    bare = path.write_bytes(grey(frame).tobytes())
    return [*sizes, Size("The picture itself", "8 bits per pixel, not encrypted", bare, False)]


def download_sizes(camera: Camera, paths: list[Path], folder: Path) -> list[Size]:
    results = [Ciphertext.load(camera.context, path) for path in paths]
    sent = sum(path.stat().st_size for path in paths)
    full = measure(results, folder / "result", "none")
    count, limbs = len(paths), results[0].level + 1
    of_limbs = "one limb" if limbs == 1 else f"{limbs} limbs"
    return [
        Size("Results", f"{count} files of {of_limbs}, no compression", full, False),
        Size("Results, zstd", "as SEAL saved them", sent, True),
    ]


def describe_parameters(params: Parameters, camera: Camera, kind: str) -> ParameterFacts:
    sizes = [q.bit_length() for q in params.moduli]
    return ParameterFacts(
        name=params.name or (DEFAULT_NAME if sizes == list(DEFAULT_BITS) else NARROW_NAME),
        n=params.n,
        prime_bits=sizes[:-1],
        special_bits=sizes[-1],
        total_bits=params.total_bits,
        security=params.security,
        scale_bits=round(math.log2(camera.scale)),
        encryption=ENCRYPTION_NAMES[kind],
        fresh_bits=camera.context.predicted_precision(scale=camera.scale, kind=kind, level=camera.level),
    )


def make_pictures(
    frame: Image2d, seen: Pixels, result: Image2d, expected: Image2d, difference: Image2d, error: Error
) -> list[Picture]:
    height, width = frame.shape
    top = float(difference.max())
    caption = f"largest 2^-{error.max_bits:.1f}, RMS 2^-{error.rms_bits:.1f}"
    return [
        Picture("original", "Original", f"{width}x{height} pixels, 8 bits", grey(frame)),
        Picture("cloud", "What the cloud sees", "ciphertext words, one per pixel", seen),
        Picture("result", "Result, decrypted", "unsharp mask, contrast curve", grey(result)),
        Picture("expected", "The same in NumPy", "computed on the open picture", grey(expected)),
        Picture("error", "Difference of the two", caption, heat(difference, top)),
    ]


def run(options: Options, tell: Tell = lambda text: None) -> Outcome:
    """The whole demo. DemoError if it cannot run; an Outcome that did not pass if pixels are off.

    An earlier run's files stay until this one's are complete.
    """
    check_place(options.out)
    with staging(options.out) as work:
        return _run(options, work, tell)


def _run(options: Options, work: Path, tell: Tell) -> Outcome:
    start = time.perf_counter()
    clock = Clock()
    inbox, outbox = (work / name for name in FOLDERS)
    for folder in (inbox, outbox):
        folder.mkdir()

    source = options.image or frames.default_image()
    size = frames.parse_size(options.size)
    frame = frames.load_frame(source, size)
    params = choose_parameters(options.params, word_bits(options.device))
    tiling = frames.plan_tiles(size, params.slots)
    tiles = tiling.cut(frame)

    tell(f"camera: keys, then {len(tiles)} ciphertexts for {frame.size:,} pixels")
    camera = Camera(params, clock, options.device, options.threads, options.encode, options.watch)
    with camera.secret_key:
        stride = tiling.stride
        keys = camera.write_keys(inbox, [1, -1, stride, -stride])
        ciphertexts = camera.encrypt(tiles, options.with_public_key, options.special_prime)
        names, sent_bytes = camera.save(ciphertexts, inbox)
        write_job(inbox / "job.json", tiling, names, camera.weigh_bits)
        camera_before = clock.stages()

        tell("cloud: a process of its own, stock SEAL")
        report, cloud_seconds = run_server(inbox, outbox)

        tell("camera: decryption")
        results = [outbox / f"result-{number:02d}.seal" for number in range(len(names))]
        result = tiling.join(camera.decrypt(results, tiling.slots))
        expected = frames.filter_frame(frame)
        kind = encryption_name(options.with_public_key, options.special_prime)
        error, difference = compare(result, expected, camera.error_bits(kind, frame.size))
        total_seconds = time.perf_counter() - start
        device = camera.device(len(tiles), options.clock_mhz)

        tell("sizes of other forms, pictures, report")
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            upload = upload_sizes(camera, ciphertexts, tiles, frame, sent_bytes, folder)
            download = download_sizes(camera, results, folder)
            keys += camera.other_keys(folder, options.with_public_key)
        facts = describe_parameters(params, camera, kind)

    camera_after = clock.stages()[len(camera_before) :]
    outcome = Outcome(
        frame=DemoFrame(
            source.name, tiles=len(tiling.origins), **asdict(tiling), slots_used=tiling.slots, slots=params.slots
        ),
        parameters=facts,
        error=error,
        stages=[*camera_before, *cloud_stages(report, cloud_seconds), *camera_after],
        upload=upload,
        download=download,
        keys=keys,
        total_seconds=total_seconds,
        server=f"Microsoft SEAL {report['seal_version']}",
        command=options.command,
        report=str(options.out / REPORT),
        sheet=str(options.out / SHEET),
        device=device,
        threads=options.threads if device is None else 1,
    )
    words = read_seen(outbox / "seen.bin", tiling)
    seen = noise(words, params.moduli[0])
    pictures = make_pictures(frame, seen, result, expected, difference, error)
    write_bytes(work / REPORT, render(outcome, pictures, difference).encode())
    write_bytes(work / SHEET, Sheet(outcome, pictures).paint())
    return outcome


def write_job(path: Path, tiling: Tiling, names: list[str], weigh_bits: int) -> None:
    """Writes what the cloud has to know besides the ciphertexts; nothing of it depends on the picture."""
    shown = [tiling.inside(origin) for origin in tiling.origins]
    job = {
        "tiles": names,
        "stride": tiling.stride,
        "amount": frames.AMOUNT,
        "gain": frames.GAIN,
        "cubic": frames.CUBIC,
        "weigh_bits": weigh_bits,
        "seen_words": [(y.stop - y.start) * (x.stop - x.start) for y, x in shown],
    }
    path.write_text(json.dumps(job), encoding="utf-8")


def read_seen(path: Path, tiling: Tiling) -> Any:
    """The words that the cloud saw, tile by tile, in the frame's shape."""
    words = np.fromfile(path, dtype="<u8")
    image = np.zeros((tiling.height, tiling.width), dtype=np.uint64)
    start = 0
    for origin in tiling.origins:
        rows, columns = tiling.inside(origin)
        shape = rows.stop - rows.start, columns.stop - columns.start
        count = shape[0] * shape[1]
        image[rows, columns] = words[start : start + count].reshape(shape)
        start += count
    return image
