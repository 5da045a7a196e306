# SPDX-License-Identifier: Apache-2.0
"""`ringside encrypt` and `decrypt` with keys of BFV or BGV: integers modulo the plain modulus t."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...devices.cpu import CPU
from ...errors import UsageError, frames_called, in_frame, without_frame
from ...exchange.directory import library_of, library_of_file, public_key_of
from ...exchange.library import ForeignLibrary
from ...native.batch import usable_threads
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.csv_file import Reading
from ...objects.common.evaluation import PUBLIC_KEY, PUBLIC_KEY_DIRECT, SECRET_KEY
from ...objects.common.integers import Integers
from ...objects.common.keys import SecretKey
from ...objects.common.params import CKKS
from ...objects.common.values import format_values
from ...objects.exact.context import ExactContext
from ...objects.exact.options import SLOTS
from ...objects.keydir import KeyDirectory
from ...tenseal import TensealVector
from ...tenseal.context import check_scheme
from ...tenseal.files import is_tenseal
from ..common.device import device_facts, print_device, watched
from ..common.output import counted, print_json, progress_bar, warn
from ..common.places import STANDARD, messages_beside, output, read_standard_input
from .answers import Answers, WantedCount
from .uploads import Upload, Uploads, batches, print_files, secret_key_of, warn_if_weak


def is_exact(directory: KeyDirectory, options: Mapping[str, object]) -> bool:
    """Whether the keys are BFV's or BGV's. UsageError: they are CKKS's, and one of these options is given, which CKKS does not have."""
    if directory.params.scheme != CKKS:
        return True
    refuse_options(directory, options)
    return False


def refuse_options(directory: KeyDirectory, options: Mapping[str, object]) -> None:
    """UsageError for the first option that is given: the scheme of the keys does not have it."""
    scheme = directory.params.scheme
    for name, value in options.items():
        if value is not None and value is not False:
            other = "BFV and BGV" if scheme == CKKS else "CKKS"
            hint = f"Leave it out, or name keys of {other.replace('and', 'or')} by --keys."
            raise UsageError(
                "USAGE", f"{name} is for {other}, and {directory.path} has keys of {scheme.upper()}.", hint
            )


def context_of(directory: KeyDirectory) -> ExactContext:
    context = directory.context
    assert isinstance(context, ExactContext)
    return context


# ---- encrypt ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Sealing:
    """How to encrypt, and how to write."""

    public_key: bool
    special_prime: bool
    level: int | None
    seed_type: str
    compression: str
    version: str
    packing: str | None
    unsigned: bool
    wrap: bool
    form: str | None
    format: str = "seal"  # or the name of another library
    library: ForeignLibrary | None = None  # a file is that library's, and values are in its slots

    def __post_init__(self) -> None:
        others = {"--form": self.form is not None, f"--packing {self.packing}": self.packing not in (None, SLOTS)}
        for name in [name for name, is_given in others.items() if is_given and self.format == "tenseal"]:
            raise UsageError("USAGE", f"{name} is not for vectors of TenSEAL.", "Leave it out.")

    @property
    def kind(self) -> str:
        if not self.public_key:
            return SECRET_KEY
        return PUBLIC_KEY if self.special_prime else PUBLIC_KEY_DIRECT

    def integers(self, t: int) -> Integers:
        """The integers that are taken."""
        span = (0, t - 1) if self.unsigned else (-(t // 2), t // 2)
        hint = f"--wrap takes values modulo {t}; `ringside keygen --plain-modulus` makes room for larger ones."
        if not self.unsigned:
            hint = f"--unsigned takes values from 0 to {t - 1}, {hint}"
        return Integers(None if self.wrap else span, hint)


def encrypt(
    directory: KeyDirectory,
    task: Uploads,
    method: Sealing,
    threads: int | None,
    *,
    clock: float,
    verbose: bool,
    json: bool,
) -> None:
    """The rest of `ringside encrypt`."""
    context = context_of(directory)
    if method.format == "tenseal":
        check_scheme(context.params)
    warn_if_weak(directory)
    start = time.perf_counter()
    run = partial(_encrypt_parts, directory, method, threads or usable_threads())
    integers, whole = method.integers(context.plain_modulus), method.format == "tenseal"
    (files, first), readings = task.run(run, context.n, integers=integers, whole=whole)
    with messages_beside(task.out):
        computed = device_facts(context.counting, clock)
        _tell_encrypted(
            files, first, readings, method, time.perf_counter() - start, computed, verbose=verbose, json=json
        )


def _encrypt_parts(
    directory: KeyDirectory, method: Sealing, threads: int, parts: Sequence[Upload]
) -> tuple[list[dict[str, Any]], Ciphertext]:
    """Encrypts and writes every part; facts of the files, and one of the ciphertexts."""
    context, files = context_of(directory), list[dict[str, Any]]()
    how: Any = {"packing": method.packing or SLOTS, "wrap": method.wrap, "level": method.level, "form": method.form}
    how |= {"special_prime": method.special_prime, "seed_type": method.seed_type, "threads": threads}
    wire: Any = {"compression": method.compression, "version": method.version}
    unsigned = method.unsigned and not method.wrap
    with contextlib.ExitStack() as stack:
        library = method.library
        run = context.encrypt_batch if library is None else library._encrypt_integers
        key = public_key_of(directory, library) if method.public_key else stack.enter_context(secret_key_of(directory))
        progress = stack.enter_context(progress_bar("Encrypting"))
        pool = stack.enter_context(ThreadPoolExecutor(threads))
        if method.format == "tenseal":
            for part in parts:
                values = part.values.astype(np.uint64) if unsigned else part.values
                with frames_called([part.source] * -(-values.size // context.n)):
                    vector = TensealVector.encrypt(context, values, key, **how)
                files.append(part.save(vector, **wire))
                progress(len(files), len(parts))
            return files, vector.ciphertexts[0]
        for some in batches(parts):
            done = len(files)
            rows = [part.values.astype(np.uint64) if unsigned else part.values for part in some]
            with frames_called([part.source for part in some]):
                made = run(rows, key, progress=lambda count, _: progress(done + count, len(parts)), **how)  # noqa: B023
            files += pool.map(lambda part, ciphertext: part.save(ciphertext, library, **wire), some, made)
    return files, made[0]


def _tell_encrypted(
    files: Sequence[dict[str, Any]],
    first: Ciphertext,
    readings: Sequence[Reading],
    method: Sealing,
    seconds: float,
    computed: dict[str, Any] | None,
    *,
    verbose: bool,
    json: bool,
) -> None:
    params, packing = first.context.params, method.packing or SLOTS
    if json:
        result = {
            "files": files,
            "encryption": method.kind,
            "scheme": params.scheme,
            "plain_modulus": params.plain_modulus,
            "packing": packing,
            "form": first.form,
            "level": first.level,
            "seeded": first.seeded,
            "n": params.n,
            "seconds": seconds,
        }
        more: dict[str, Any] = {"csv": [asdict(reading) for reading in readings]} if readings else {}
        print_json(result | more | ({} if computed is None else {"device": computed}))
        return
    seeded = f", seeded ({first.seed_type})" if first.seeded else ""
    print(f"{method.kind} encryption of {params.scheme.upper()}{seeded}, level {first.level}, ", end="")
    print(f"integers modulo {params.plain_modulus} in {packing}")
    print_files(files, seconds, verbose)
    print_device(computed)


# ---- decrypt ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Opening:
    """How to decrypt."""

    packing: str | None
    unsigned: bool
    margin: int | None


def decrypt(
    directory: KeyDirectory, task: Answers, method: Opening, threads: int | None, *, clock: float, json: bool
) -> None:
    """The rest of `ringside decrypt`."""
    start = time.perf_counter()
    expected = task.expected(Integers())
    context = context_of(directory)
    watched(context._device)
    with output(task.out, force=task.force) as write:
        values = _decrypt_all(directory, task.sources, task.wanted(expected), method, threads or usable_threads())
        write(format_values(values, task.kind, task.shape))
    result: dict[str, Any] = {
        "file": str(task.out),
        "values": int(values.size),
        "ciphertexts": len(task.sources),
        "scheme": context.params.scheme,
        "plain_modulus": context.plain_modulus,
        "packing": method.packing or SLOTS,
        "margin_bits": method.margin,
    }
    if expected is not None:
        result |= _compared(values, expected.reshape(-1))
    result["seconds"] = time.perf_counter() - start
    computed = device_facts(context.counting, clock)
    if computed is not None:
        result["device"] = computed
    with messages_beside(task.out):
        if json:
            print_json(result)
        else:
            _tell_decrypted(result)
            print_device(computed)


def _decrypt_all(
    directory: KeyDirectory, sources: Sequence[Path], wanted: WantedCount, method: Opening, threads: int
) -> NDArray[Any]:
    context = context_of(directory)
    if STANDARD not in sources and not any(map(is_tenseal, sources)):
        wanted.check(len(sources), context.n * len(sources))  # a vector says itself how much it holds
    options: Any = {"packing": method.packing or SLOTS, "unsigned": method.unsigned, "margin_bits": method.margin}
    rows: list[NDArray[Any]] = []
    with (
        secret_key_of(directory) as secret,
        ThreadPoolExecutor(threads if directory.device == CPU.name else 1) as pool,
        progress_bar("Decrypting") as progress,
    ):
        for some in batches(sources):
            with frames_called(some):
                rows += pool.map(partial(_open, directory, secret, options), some, range(len(some)))
            progress(len(rows), len(sources))
    values = np.concatenate(rows)
    wanted.check(len(sources), values.size)
    return values[: wanted.number]


def _open(
    directory: KeyDirectory, secret: SecretKey, options: dict[str, Any], source: Path, index: int
) -> NDArray[Any]:
    """The values of a file of SEAL, TenSEAL or another library. index: for errors."""
    given = read_standard_input("a ciphertext") if source == STANDARD else source
    if is_tenseal(given):
        vector = TensealVector.read(context_of(directory), given)
        with in_frame(index), without_frame():
            return vector.decrypt_values(secret, threads=1, **options)
    ciphertext, opener = _load(directory, given)
    with in_frame(index):
        values: NDArray[Any] = opener.decrypt_values(ciphertext, secret, **options)
        return values


def _load(directory: KeyDirectory, given: bytes | Path) -> tuple[Ciphertext, ExactContext | ForeignLibrary]:
    """A ciphertext, and what decrypts it."""
    context = context_of(directory)
    if (name := library_of_file(given)) is not None:
        library = library_of(directory, name)
        return library.read_ciphertext(given), library
    load: Any = Ciphertext.from_bytes if isinstance(given, bytes) else Ciphertext.load
    return load(context, given), context


def _compared(values: NDArray[Any], expected: NDArray[Any]) -> dict[str, Any]:
    """How many values are not those that are expected, and the first of them."""
    compared = min(values.size, expected.size)
    wrong = np.flatnonzero(values[:compared].astype(object) != expected[:compared].astype(object))
    found: dict[str, Any] = {"compared": compared, "wrong": int(wrong.size)}
    if wrong.size:
        at = int(wrong[0])
        found["first_wrong"] = {"index": at, "value": int(values[at]), "expected": int(expected[at])}
    return found


def _tell_decrypted(result: dict[str, Any]) -> None:
    print(f"{result['file']}: {counted(result['values'], 'integer')} modulo {result['plain_modulus']}")
    if "compared" not in result:
        return
    print(f"{result['wrong']} of {counted(result['compared'], 'value')} wrong", end="")
    if first := result.get("first_wrong"):
        print(f", the first at index {first['index']}: {first['value']} instead of {first['expected']}", end="")
    print()


# ---- noise --------------------------------------------------------------------------------------------
def noise_budget(directory: KeyDirectory, source: bytes | Path) -> int:
    """The noise budget of a ciphertext in bits, with a warning that it is for the owner of the key."""
    ciphertext, opener = _load(directory, source)
    with secret_key_of(directory) as secret:
        bits = opener.noise_budget(ciphertext, secret, consent="owner")
    warn("the noise budget is for the owner of the key: it tells others about the noise, and so about the key.")
    return bits
