# SPDX-License-Identifier: Apache-2.0
"""The files of `ringside encrypt`, whatever the scheme: values in, ciphertexts out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...exchange.heir.program import HeirProgram, Operand
from ...native.files import FileSet, is_readable_by_others
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.csv_file import Reading
from ...objects.common.integers import Integers
from ...objects.common.keys import SecretKey
from ...objects.keydir import SECRET, KeyDirectory
from ...tenseal import TensealVector
from ..common.output import counted, print_facts, size_text, warn
from ..common.places import (
    STANDARD,
    Outputs,
    check_standard_output,
    not_an_input,
    only_one_standard_input,
    read_input,
    say_readings,
    write_standard_output,
)

BATCH = 16  # ciphertexts in memory at a time
Item = TypeVar("Item")
Done = TypeVar("Done")


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


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Parts of at most BATCH items each."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


@dataclass(frozen=True)
class Upload:
    """The values of one ciphertext, the file for it, and where that is written first."""

    source: Path
    values: NDArray[Any]
    target: Path
    staged: Path

    def save(
        self, item: Ciphertext | TensealVector, to_bytes: Callable[[Ciphertext], bytes] | None = None, **how: Any
    ) -> dict[str, Any]:
        """Writes SEAL's or TenSEAL's file, or the bytes of another; facts for --json."""
        if to_bytes is not None:
            assert isinstance(item, Ciphertext)
            return self._write(to_bytes(item))
        if self.target == STANDARD:
            return self.told(self._piped(item.to_bytes(**how)))
        return self.told(item.save(self.staged, **how))

    def _write(self, data: bytes) -> dict[str, Any]:
        return self.told(self._piped(data) if self.target == STANDARD else self.staged.write_bytes(data))

    @staticmethod
    def _piped(data: bytes) -> int:
        write_standard_output(data)
        return len(data)

    def told(self, size: int) -> dict[str, Any]:
        return {"path": str(self.target), "values": int(self.values.size), "bytes": size}


@dataclass(frozen=True)
class Uploads:
    """The files of values, how they are read, and where their ciphertexts go."""

    sources: Sequence[Path]
    out: Path
    suffix: str
    format: str | None
    columns: Sequence[str]
    header: bool | None
    separator: str | None
    split: bool
    force: bool
    program: HeirProgram | None = None  # whose arguments the sources are

    def __post_init__(self) -> None:
        _ = self.targets  # what is wrong with names is said first

    @cached_property
    def targets(self) -> list[Path]:
        if self.program is None:
            return _targets(self.sources, self.out, self.suffix)
        wanted = self.program.encrypted
        if len(wanted) != len(self.sources):
            message = (
                f"The program encrypts {len(wanted)} arguments, and {len(self.sources)} files of values are given."
            )
            hint = f"In this order: {', '.join(f'{one.name} ({one.type})' for one in wanted)}; then a directory."
            raise UsageError("USAGE", message, hint)
        return [self.out / f"{one.name}{self.suffix}" for one in wanted]

    def _read(self, integers: Integers | None) -> tuple[list[NDArray[Any]], list[Reading]]:
        readings: list[Reading] = []
        how: Any = (self.format, self.columns, self.header, self.separator, readings.append, integers)
        values = [read_input(source, *how) for source in self.sources]
        say_readings(readings)
        return values, readings

    def run_program(
        self, encrypt: Callable[[Operand, Sequence[Upload]], Done], slots: int, integers: Integers | None
    ) -> tuple[list[Done], list[Reading]]:
        """As run, argument by argument of the program. slots: of a ciphertext."""
        assert self.program is not None
        values, readings = self._read(integers)
        done = []
        with Outputs(force=self.force) as files:
            files.folder(self.out)
            for one, target, source, given in zip(
                self.program.encrypted, self.targets, self.sources, values, strict=True
            ):
                rows = self.program.pack(one, given, slots)
                names = [_piece(target, index) for index in range(len(rows))]
                parts = [Upload(source, row, name, files.add(name)) for row, name in zip(rows, names, strict=True)]
                done.append(encrypt(one, parts))
        return done, readings

    def run(
        self,
        encrypt: Callable[[Sequence[Upload]], Done],
        slots: int,
        *,
        whole: bool = False,
        integers: Integers | None = None,
    ) -> tuple[Done, list[Reading]]:
        """Reads all values, then encrypts and writes them. slots: of a ciphertext. whole: a file takes all values of another, however many."""
        values, readings = self._read(integers)
        with Outputs(force=self.force) as files:
            if len(self.sources) > 1:
                files.folder(self.out)
            parts = _parts(self.sources, self.targets, values, slots, self.split, whole, files)
            done = encrypt(parts)
        _warn_of_earlier(self.sources, self.targets if self.split else (), parts)
        return done, readings


def check_arguments(paths: Sequence[Path], json: bool, split: bool, public_key: bool, no_special_prime: bool) -> None:
    if len(paths) < 2:
        raise UsageError("USAGE", "Give at least one file of values and the output.")
    *sources, out = paths
    if no_special_prime and not public_key:
        raise UsageError("USAGE", "--no-special-prime applies to --public-key only.")
    only_one_standard_input(sources)
    if out == STANDARD and (split or len(sources) > 1):
        message = "Standard output takes one ciphertext only."
        raise UsageError("USAGE", message, "Name a file or directory instead of -.")
    check_standard_output(out, json)


def print_files(files: Sequence[dict[str, Any]], seconds: float, verbose: bool) -> None:
    """What was written: a line for each file, or the sums."""
    if verbose or len(files) == 1:
        print_facts([(f["path"], f"{counted(f['values'], 'value')}, {size_text(f['bytes'])}") for f in files])
    if len(files) > 1:
        values, size = (sum(f[key] for f in files) for key in ("values", "bytes"))
        print(f"{len(files)} files, {values} values, {size_text(size)}, in {seconds:.1f} s")


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
