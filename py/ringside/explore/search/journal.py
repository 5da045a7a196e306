# SPDX-License-Identifier: Apache-2.0
"""Answers of simulations and syntheses, a line each, appended as they come: a process that is killed loses the line that it was writing at most."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import FileError
from ...native.files import write_error

NO_PART = ("name", "source", "status", "clock_mhz")  # keys of a design that are no part of what its hardware is


def key_of(kind: str, design: Mapping[str, Any], about: Mapping[str, Any], made_from: str) -> str:
    """about: workload and system; made_from: hash of the sources."""
    hardware = {name: value for name, value in design.items() if name not in NO_PART}
    text = json.dumps([kind, hardware, about, made_from], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Journal:
    """One file, of one process at a time. rows: answers by key; a second answer to one question is not taken."""

    def __init__(self, path: Path, *, anew: bool = False) -> None:
        """anew: without the answers that it has. FileError: it cannot be written, or another process has it, which loses nothing then."""
        self.path = path
        self.rows: dict[str, dict[str, Any]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)  # what was not written is not tried again when it is closed
        except OSError as error:
            raise write_error(path, error.errno or 0) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            hint = "Wait for it, or give another folder."
            raise FileError("JOURNAL", f"{path} is written by another run at the moment.", hint) from None
        if anew:
            self._file.truncate(0)
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        for line in text[:whole].splitlines():
            self._take(line)
        if whole < len(text):  # the line that a killed process was writing
            self._file.truncate(whole)

    def _take(self, line: bytes) -> None:
        try:
            row = json.loads(line)
            if "error" not in self.rows.get(row["key"], {"error": ""}):
                return  # it was answered before
            self.rows[row["key"]] = row
        except (ValueError, KeyError, TypeError):
            return  # a damaged line is asked again

    def put(self, row: dict[str, Any]) -> None:
        """FileError: it cannot be written, and the file is as it was."""
        if row["key"] in self.rows:
            return
        line, end = json.dumps(row).encode() + b"\n", self._file.seek(0, os.SEEK_END)
        try:
            if self._file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(end)
            raise write_error(self.path, error.errno or 0) from error
        self.rows[row["key"]] = row

    def forget_errors(self) -> None:
        """Failed answers are asked again; the file keeps their lines, and later lines of one key count."""
        self.rows = {key: row for key, row in self.rows.items() if "error" not in row}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows.values())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
