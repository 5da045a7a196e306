# SPDX-License-Identifier: Apache-2.0
"""Files that are either written whole or left as they were."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from ..errors import FileError

StrPath = str | os.PathLike[str]

_NO_SPACE = {errno.ENOSPC: "no space is left on the device", errno.EDQUOT: "the disk quota is used up"}
_NO_SPACE[errno.EFBIG] = "the file would exceed the allowed file size"


def write_error(path: StrPath, number: int) -> FileError:
    """The exception for an errno met while writing `path`."""
    if number in _NO_SPACE:
        hint = "Nothing was changed; free some space or choose another place."
        return FileError("RS_ERR_DISK_FULL", f"Cannot write {os.fspath(path)}: {_NO_SPACE[number]}.", hint)
    reason = os.strerror(number) if number else "the system reports an error without a reason"
    return FileError("RS_ERR_IO", f"Cannot write {os.fspath(path)}: {reason}.")


def read_error(path: StrPath, error: OSError) -> FileError:
    """The exception for an error met while opening or reading `path`."""
    code = "FILE_MISSING" if isinstance(error, FileNotFoundError) else "RS_ERR_IO"
    return FileError(code, f"Cannot read {os.fspath(path)}: {os.strerror(error.errno or errno.EIO)}.")


def exists_error(path: StrPath, private: bool) -> FileError:
    kind = " and may hold a secret" if private else ""
    return FileError(
        "FILE_EXISTS",
        f"{os.fspath(path)} exists already{kind}.",
        "Pass overwrite=True (--force) to replace it.",
    )


def _sync_directory(folder: Path) -> None:
    with contextlib.suppress(OSError):  # some file systems cannot
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def move_without_clobber(source: Path, target: Path) -> None:
    """Renames `source` to `target` unless `target` exists (FileExistsError)."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:  # no hard links here: hold the name with an empty file, then replace that
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        os.replace(source, target)
    else:
        os.unlink(source)


@contextlib.contextmanager
def _open_special(path: Path) -> Iterator[int]:
    """Devices and pipes cannot be replaced: write straight into them."""
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


@contextlib.contextmanager
def replace_file(path: StrPath, *, private: bool = False, overwrite: bool = True) -> Iterator[int]:
    """Yields the descriptor of a new file that takes the place of `path` when the block ends without an exception.

    The data go to a temporary file in the same directory, are flushed to the disk, then renamed. After any error the temporary
    file is gone and an older `path` is as it was. private: mode 0600. overwrite False: FileError if `path` exists,
    even if another process creates it meanwhile. Raises FileError for every error of the operating system.
    """
    target = Path(os.path.realpath(path))
    temporary: Path | None = None
    try:
        if target.exists() and not target.is_file():
            if target.is_dir() or private:
                raise FileError("RS_ERR_IO", f"Cannot write {os.fspath(path)}: it is not a regular file.")
            with _open_special(target) as fd:
                yield fd
            return
        if not overwrite and target.exists():
            raise exists_error(path, private)
        temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}.tmp")
        fd = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if private else 0o666)
        try:
            yield fd
            os.fsync(fd)
        finally:
            os.close(fd)
        if overwrite:
            os.replace(temporary, target)
        else:
            move_without_clobber(temporary, target)
        temporary = None
        _sync_directory(target.parent)
    except FileExistsError as error:
        raise exists_error(path, private) from error
    except OSError as error:
        raise write_error(path, error.errno or 0) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def write_bytes(path: StrPath, data: bytes | memoryview, *, private: bool = False, overwrite: bool = True) -> None:
    """Writes a whole file the safe way."""
    with replace_file(path, private=private, overwrite=overwrite) as fd, open(fd, "wb", closefd=False) as file:
        file.write(data)


def is_readable_by_others(path: StrPath) -> bool:
    """Whether group or others may read the file."""
    try:
        return bool(stat.S_IMODE(os.stat(path).st_mode) & 0o077)
    except OSError:
        return False
