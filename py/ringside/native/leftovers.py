# SPDX-License-Identifier: Apache-2.0
"""Hidden directories with secrets that a killed process has left behind. Who writes into one holds a lock on it, which ends with the process."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import FileError

_HIDDEN = re.compile(r"\..+\.[0-9a-f]{12}\.new", re.DOTALL)  # files.hidden_name makes it
_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{12}\.tmp", re.DOTALL)


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """This process holds the directory while the block runs, whatever its name is then; before it writes into it."""
    fd = -1
    try:
        with contextlib.suppress(OSError):  # a file system without locks, or a directory that cannot be read
            fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        if fd >= 0:
            os.close(fd)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """This process alone works in the directory while the block runs. FileError: another one does."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"Another run is at work in {folder}."
            raise FileError("FILE_EXISTS", message, "Wait for its end, or name another folder.") from error
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(fd)


def remove_leftovers(place: Path, is_ours: Callable[[str], bool]) -> list[Path]:
    """Removes hidden directories in `place` that this user's processes have left behind; those that were removed.

    is_ours: whether a file may be in such a directory, by its name. One that is empty, holds anything else, or has a living owner stays.
    """
    removed = []
    with contextlib.suppress(OSError):
        for folder in sorted(place.iterdir()):
            if _HIDDEN.fullmatch(folder.name) and _is_left(folder, is_ours):
                removed.append(folder)
    return removed


def _is_left(folder: Path, is_ours: Callable[[str], bool]) -> bool:
    """Whether it was one, and is gone now."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with os.scandir(fd) as entries:
            names = {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}
        own = os.fstat(fd).st_uid == os.geteuid()
        # a new one is empty until its owner has the lock
        if not own or not names or not all(is_file and _of(name, is_ours) for name, is_file in names.items()):
            return False
        shutil.rmtree(folder)
        return True
    except OSError:
        return False
    finally:
        os.close(fd)


def _of(name: str, is_ours: Callable[[str], bool]) -> bool:
    """Whether it is a file of ours, or one that was being written."""
    found = _TEMPORARY.fullmatch(name)
    return is_ours(found[1] if found else name)
