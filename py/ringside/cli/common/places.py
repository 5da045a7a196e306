# SPDX-License-Identifier: Apache-2.0
"""Where commands read and write: files, `-` for standard input and output, and the key files that nothing may take the place of."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, get_args

from numpy.typing import NDArray

from ...errors import FileError, InternalError, UsageError
from ...native.files import FileSet
from ...objects.common.csv_file import CsvTable, Reading
from ...objects.common.integers import Integers
from ...objects.common.values import TEXT, format_of, parse_values, read_values
from ...objects.keydir import refuse_key_files
from .options import Format
from .output import note, size_text

STANDARD = Path("-")  # as a file's name; a file of that name is ./-
STDIN_NAME = "standard input"
PICTURES = (".svg", ".png")  # that drawings are written as


# ---- formats ----------------------------------------------------------------------------------------
def value_format(path: Path, given: str | None) -> str:
    """The format of a file of values: as --format says, else as the file's name does."""
    if given is not None:
        return given
    if path == STANDARD:
        known = ", ".join(f"--format {item}" for item in get_args(Format))
        raise UsageError("USAGE", "- has no name that tells its format.", f"Add one of: {known}.")
    return format_of(path)


# ---- input ------------------------------------------------------------------------------------------
def read_standard_input(wanted: str) -> bytes:
    """All of it. wanted: what it should be, for the message if there is nothing."""
    data = _whole(sys.stdin.buffer)
    if not data:
        raise UsageError("USAGE", f"Standard input is empty; {wanted} was expected there.", "Pipe or redirect it.")
    return data


def _whole(stream: BinaryIO) -> bytes:
    """All of a stream. MemoryError: it is larger than this machine's memory, which its name does not tell."""
    data = io.BytesIO()
    while piece := stream.read(1 << 20):
        data.write(piece)
        if data.tell() > memory_bytes():
            raise MemoryError
    return data.getvalue()


def only_one_standard_input(paths: Sequence[Path]) -> None:
    """UsageError if several inputs are `-`."""
    if paths.count(STANDARD) > 1:
        raise UsageError("USAGE", "- is given twice: standard input can be read only once.")


def not_an_input(out: Path, sources: Sequence[Path]) -> None:
    """UsageError if the output is one of the inputs."""
    if any(source.exists() and out.exists() and out.samefile(source) for source in sources):
        raise UsageError("USAGE", "IN and OUT are the same file.", "Choose another name for OUT.")


def read_input(
    path: Path,
    given: str | None,
    columns: Sequence[str] = (),
    header: bool | None = None,
    separator: str | None = None,
    told: Callable[[Reading], None] = lambda reading: say_readings([reading]),
    integers: Integers | None = None,
) -> NDArray[Any]:
    """The values of a file or of standard input. told: is called with how a CSV file was read. integers: what they have to be."""
    kind = value_format(path, given)
    wants_table = bool(columns) or header is not None or separator is not None
    table = CsvTable(header, columns, separator, told) if kind == "csv" or wants_table else None
    try:
        if path == STANDARD:
            return parse_values(STDIN_NAME, read_standard_input(f"values as {kind}"), kind, table, integers)
        if path.is_fifo():
            with path.open("rb") as stream:
                return parse_values(path, _whole(stream), kind, table, integers)
        if path.is_file() and path.stat().st_size > memory_bytes():
            raise MemoryError
        return read_values(path, kind, table, integers)
    except MemoryError as error:
        size = f" ({size_text(path.stat().st_size)})" if path.is_file() else ""
        name = STDIN_NAME if path == STANDARD else f"{path}{size}"
        message = f"There is not enough memory for {name}: a file of values is read whole."
        hint = "Split it; or write it as Parquet, which `ringside table encrypt` reads a part after the other, whatever its size."
        raise InternalError("RS_ERR_NO_MEMORY", message, hint) from error


def memory_bytes() -> int:
    """The memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def say_readings(readings: Sequence[Reading]) -> None:
    """Notes how CSV files were read, one line for those that are alike."""
    alike: dict[Reading, list[str]] = {}
    for reading in readings:
        alike.setdefault(replace(reading, name=""), []).append(reading.name)
    for reading, names in alike.items():
        said = [f"columns are separated by {reading.separator}s"] if reading.separator else []
        if reading.header:
            said.append(f"line {reading.line} is taken for a header ({', '.join(reading.header)})")
        if said:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            note(f"{names[0]}{more}: {', '.join(said)}.")


# ---- output -----------------------------------------------------------------------------------------
def _check_open() -> None:
    """FileError: the output is `-`, and the shell has closed that (>&-): its number leads nowhere then."""
    if sys.__stdout__ is None:
        hint = "Leave >&- out, or name a file instead of -."
        raise FileError("RS_ERR_IO", "Cannot write to standard output: it is closed.", hint)


def check_standard_output(out: Path, json: bool, *, binary: bool = True) -> None:
    """UsageError if `-` cannot be the output: the result of --json goes there too, or it is a terminal and the data are binary."""
    if out != STANDARD:
        return
    _check_open()
    if json:
        raise UsageError("USAGE", "--json and the output - would both write to standard output.", "Name a file.")
    if binary and os.isatty(1):
        raise UsageError("USAGE", "The output is binary and would go to the terminal.", "Redirect it, or name a file.")


def is_text(kind: str) -> bool:
    """Whether a format can be shown on a terminal."""
    return kind in TEXT


def standard_output() -> int:
    """Its descriptor, for what goes past Python's buffer."""
    _check_open()
    sys.stdout.flush()
    return 1


def write_standard_output(data: bytes) -> None:
    """All of it: errors of the system are raised here."""
    fd = standard_output()
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


class Outputs(FileSet):
    """The files of one command: all of them are written or none, and none takes the place of a key unless `force` is set."""

    def __init__(self, *, force: bool) -> None:
        super().__init__(overwrite=True if force else None)
        self._force = force

    def add(self, path: str | os.PathLike[str], *, private: bool = False) -> Path:
        refuse_key_files(path, force=self._force)
        return super().add(path, private=private)


@contextlib.contextmanager
def output(path: Path, *, force: bool, suffixes: Sequence[str] = ()) -> Iterator[Callable[[bytes], object]]:
    """A function that writes one file, or standard output. The block begins before work that takes long: a file that cannot be written is refused then, and is there at the end.

    suffixes: what its name may end in. UsageError: it ends in something else. FileError: it cannot be written, or would take the place of a key.
    """
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageError("USAGE", f"{path} must end in {' or '.join(suffixes)}.")
    if path == STANDARD:
        _check_open()
        yield write_standard_output
        return
    with Outputs(force=force) as files:
        yield files.add(path).write_bytes


def say_removed(folder: Path) -> None:
    """Says that a hidden directory of keys, which was left behind, is removed."""
    note(f"{folder} was removed: keys that a killed run had left there half made.")


@contextlib.contextmanager
def messages_beside(out: Path) -> Iterator[None]:
    """Text that is printed in the block goes to stderr if the output itself is on stdout."""
    with contextlib.redirect_stdout(sys.stderr) if out == STANDARD else contextlib.nullcontext():
        yield
