# SPDX-License-Identifier: Apache-2.0
"""Files that are either written whole or left as they were, and never in place of a secret key by mistake.

`overwrite` means the same everywhere. None, the default: an existing file is replaced unless it holds a secret key. True: whatever is
there is replaced. False: nothing is replaced.

A file keeps the mode of the one that it replaces; a private one has mode 0600. Both from its first byte on.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import FileError, UsageError
from ..interrupt import tidying
from .leftovers import held
from .secret_files import may_hold_secret_key

StrPath = str | os.PathLike[str]

_NO_SPACE = {errno.ENOSPC: "no space is left on the device", errno.EDQUOT: "the disk quota is used up"}
_NO_SPACE[errno.EFBIG] = "the file would exceed the allowed file size"
_HINTS = {
    errno.ENOENT: "Check the path: the file or a directory above it is missing.",
    errno.ENOTDIR: "Check the path: a file stands where it names a directory.",
    errno.EISDIR: "Name a file in it.",
    errno.EACCES: "Check the permissions of the file and of its directory.",
    errno.EPERM: "Check the permissions of the file and of its directory.",
}


# ---- errors -----------------------------------------------------------------------------------------
def write_error(path: StrPath, number: int) -> FileError:
    """The exception for an errno met while writing `path`."""
    if number in _NO_SPACE:
        hint = "Nothing was changed; free some space or choose another place."
        return FileError("RS_ERR_DISK_FULL", f"Cannot write {os.fspath(path)}: {_NO_SPACE[number]}.", hint)
    reason = os.strerror(number) if number else "the system reports an error without a reason"
    return FileError("RS_ERR_IO", f"Cannot write {os.fspath(path)}: {reason}.", _HINTS.get(number, ""))


def _named(path: StrPath, verb: str) -> StrPath:
    """The path, if it can be a file's name at all: one without a NUL, whose characters the file system can store. FileError."""
    try:
        if b"\0" not in os.fsencode(path):
            return path
    except UnicodeEncodeError:
        pass
    raise FileError("RS_ERR_IO", f"Cannot {verb} {os.fspath(path)!r}: that is not a file name.", "Choose another name.")


def named_to_read(path: StrPath) -> StrPath:
    """The path. FileError if it cannot be a file's name."""
    return _named(path, "read")


def resolved(path: StrPath) -> Path:
    """Where to write: `path` with its links followed."""
    return Path(os.path.realpath(_named(path, "write")))


def read_error(path: StrPath, error: OSError) -> FileError:
    """The exception for an error met while opening or reading `path`."""
    code = "FILE_MISSING" if isinstance(error, FileNotFoundError) else "RS_ERR_IO"
    number = error.errno or errno.EIO
    return FileError(code, f"Cannot read {os.fspath(path)}: {os.strerror(number)}.", _HINTS.get(number, ""))


def exists_error(path: StrPath, private: bool) -> FileError:
    kind = " and may hold a secret" if private else ""
    message = f"{os.fspath(path)} exists already{kind}."
    return FileError("FILE_EXISTS", message, "Pass overwrite=True (--force) to replace it.")


def _not_regular(path: StrPath) -> FileError:
    reason = "it is a directory" if os.path.isdir(path) else "it is not a regular file"
    return FileError("RS_ERR_IO", f"Cannot write {os.fspath(path)}: {reason}.", "Choose another name.")


def _refuse_replacing(path: StrPath, target: Path, overwrite: bool | None, private: bool) -> None:
    """FileError if `overwrite` forbids to replace the regular file `target`, which `path` leads to."""
    if overwrite is False:
        raise exists_error(path, private)
    if overwrite is None and may_hold_secret_key(target):
        raise FileError(
            "FILE_EXISTS",
            f"{os.fspath(path)} holds a secret key: without it nothing that was encrypted for it can be read again.",
            "Choose another name, or pass overwrite=True (--force) to replace it.",
        )


# ---- one file ---------------------------------------------------------------------------------------
def sync_directory(folder: Path) -> None:
    """Flushes names to the disk."""
    with contextlib.suppress(OSError):  # some file systems cannot
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _sync_file(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def hidden_name(path: Path, kind: str) -> Path:
    """A name beside `path` that nobody else uses."""
    return path.with_name(f".{path.name[:200]}.{secrets.token_hex(6)}.{kind}")


_PERMISSIONS = 0o777


def _mode_at(target: Path, private: bool) -> int | None:
    """Mode of a file that takes the place of `target`. None: there is none yet, the process's umask says."""
    if private:
        return 0o600
    try:
        return stat.S_IMODE(target.stat().st_mode) & _PERMISSIONS
    except FileNotFoundError:
        return None


def _create(path: Path, mode: int | None) -> int:
    """A descriptor of a new file. It never has more permissions than `mode`, at no moment."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    if mode is None:
        return os.open(path, flags, 0o666)
    fd = os.open(path, flags, mode & 0o600)
    try:
        os.fchmod(fd, mode)
    except BaseException:
        os.close(fd)
        path.unlink(missing_ok=True)
        raise
    return fd


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
def replace_file(path: StrPath, *, private: bool = False, overwrite: bool | None = None) -> Iterator[int]:
    """Yields the descriptor of a new file that takes the place of `path` when the block ends without an exception.

    The data go to a temporary file in the same directory, are flushed to the disk, then renamed. After any error the temporary
    file is gone and an older `path` is as it was. private: mode 0600, else the mode of the older `path`, if there is one. overwrite:
    see the module; False holds even if another process creates `path` meanwhile. Raises FileError for every error of the operating
    system.
    """
    with tidying() if private else contextlib.nullcontext(), _replaced(path, private, overwrite) as fd:
        yield fd


@contextlib.contextmanager
def _replaced(path: StrPath, private: bool, overwrite: bool | None) -> Iterator[int]:
    target = resolved(path)
    temporary: Path | None = None
    try:
        if target.exists() and not target.is_file():
            if target.is_dir() or private:
                raise _not_regular(path)
            with _open_special(target) as fd:
                yield fd
            return
        if target.exists():
            _refuse_replacing(path, target, overwrite, private)
        temporary = hidden_name(target, "tmp")
        fd = _create(temporary, _mode_at(target, private))
        try:
            yield fd
            os.fsync(fd)
        finally:
            os.close(fd)
        if overwrite is False:
            move_without_clobber(temporary, target)
        else:
            os.replace(temporary, target)
        temporary = None
        sync_directory(target.parent)
    except FileExistsError as error:
        raise exists_error(path, private) from error
    except OSError as error:
        raise write_error(path, error.errno or 0) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


_COMPARED_BYTES = 4096  # at begin and end of a file that is gone on with


def begun_bytes(path: StrPath, whole: int, again: Callable[[int, int], bytes]) -> int:
    """How many bytes a file has of one that has `whole`, 0 if it does not exist. again: makes bytes of the whole one, from one on, so many.
    FileError: it has others at its begin or end, or more."""
    try:
        with open(_named(path, "read"), "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            known = min(size, _COMPARED_BYTES)
            for place in {0, size - known} if 0 < size <= whole else ():
                file.seek(place)
                if file.read(known) != again(place, known):
                    size = whole + 1
                    break
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise read_error(path, error) from error
    if size > whole:
        message = f"{os.fspath(path)} is not the beginning of this file."
        hint = "Name another file, or the keys and options that it was begun with."
        raise FileError("FILE_EXISTS", message, hint)
    return size


@contextlib.contextmanager
def append_file(path: StrPath) -> Iterator[int]:
    """A descriptor behind the end of a file, which is made if it is missing. What was written stays after an error, too. FileError."""
    try:
        fd = os.open(resolved(path), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            yield fd
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise write_error(path, error.errno or 0) from error


def read_file(path: StrPath) -> bytes:
    """The whole content. FileError: it cannot be read."""
    try:
        return Path(named_to_read(path)).read_bytes()
    except OSError as error:
        raise read_error(path, error) from error


def write_bytes(
    path: StrPath, data: bytes | memoryview, *, private: bool = False, overwrite: bool | None = None
) -> None:
    """Writes a whole file the safe way."""
    with replace_file(path, private=private, overwrite=overwrite) as fd, open(fd, "wb", closefd=False) as file:
        file.write(data)


def write_pieces(
    path: StrPath, pieces: Iterable[bytes | memoryview], *, private: bool = False, overwrite: bool | None = None
) -> int:
    """A file of these pieces, whole or not at all; its bytes. Nothing of them stays in a buffer of Python's."""
    written = 0
    with (
        replace_file(path, private=private, overwrite=overwrite) as fd,
        open(fd, "wb", buffering=0, closefd=False) as file,
    ):
        for piece in pieces:
            view = memoryview(piece)
            while view:
                count = file.write(view) or 0
                view, written = view[count:], written + count
    return written


@contextlib.contextmanager
def staged_file(target: Path) -> Iterator[Path]:
    """A name beside `target` for a tool to write to. At the end of the block it becomes `target`; after an exception there is nothing.

    For caches: several processes may do this at a time, and the last one wins. OSError.
    """
    staged = hidden_name(target, "new")
    try:
        yield staged
        os.replace(staged, target)
    finally:
        with contextlib.suppress(OSError):
            staged.unlink(missing_ok=True)


# ---- several files ----------------------------------------------------------------------------------
@dataclass
class _Move:
    path: StrPath  # as the caller named it
    target: Path
    staged: Path | None  # None: the target is to go
    private: bool = False
    old: Path | None = None  # where the target is kept until all have moved
    done: bool = False


class FileSet:
    """Files that take their names together: all of them, or none.

    Each is written under a hidden name in the directory where it belongs. At the end of the `with` block all are renamed; if one
    cannot be, those before it get their old content back. After an exception in the block nothing has changed. A process that is
    killed before the renaming leaves all old files, in the middle of it a mixture of whole ones; hidden files stay behind then.
    """

    def __init__(self, *, overwrite: bool | None = None) -> None:
        self._overwrite = overwrite
        self._moves: list[_Move] = []
        self._targets: set[Path] = set()
        self._folders: list[Path] = []  # made by this set
        self._ending = contextlib.ExitStack()  # the end of what is done while secrets stand under hidden names

    def folder(self, path: Path) -> None:
        """A directory, made if it is missing, with those above it; gone again if the block fails."""
        try:
            self._folders += make_directories(path)
        except OSError as error:
            raise write_error(path, error.errno or 0) from error

    def add(self, path: StrPath, *, private: bool = False) -> Path:
        """Where to write the content of `path`: an empty file with the mode that `path` will have (private: 0600).

        A device or pipe is written straight into. FileError: it must not be replaced, or there is no way to write there.
        """
        target = resolved(path)
        if target in self._targets:
            raise UsageError("USAGE", f"Two outputs would both become {target}.", "Give each a name of its own.")
        if target.exists():
            if target.is_dir():
                raise _not_regular(path)
            if not target.is_file():
                return target
            _refuse_replacing(path, target, self._overwrite, private)
        self._targets.add(target)
        staged = hidden_name(target, "new")
        if private:
            self._ending.enter_context(tidying())
        try:
            os.close(_create(staged, _mode_at(target, private)))
        except OSError as error:
            raise write_error(path, error.errno or 0) from error
        self._moves.append(_Move(path, target, staged, private))
        return staged

    def remove(self, path: Path) -> None:
        """An existing file goes together with the renaming of the others."""
        self._moves.append(_Move(path, path, None))

    def __enter__(self) -> FileSet:
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        with self._ending:
            if kind is None:
                with contextlib.ExitStack() as alone:  # one of two sets of one name is there, and no mixture
                    for folder in sorted({move.target.parent for move in self._moves}):
                        alone.enter_context(held(folder))
                    self._commit()
                return
            self._discard()
            if isinstance(error, FileError):
                self._raise_with_own_name(error)

    def _raise_with_own_name(self, error: FileError) -> None:
        """Errors of hidden files are reported as those of the files that the caller knows."""
        for move in self._moves:
            if move.staged is not None and os.fspath(move.staged) in error.message:
                message = error.message.replace(os.fspath(move.staged), os.fspath(move.path))
                raise type(error)(error.code, message, error.hint) from error

    def _commit(self) -> None:
        move = None
        try:
            for move in self._moves:
                _keep_old(move)
                if move.staged is not None:
                    _set_mode(move)
                    _sync_file(move.staged)
                    os.replace(move.staged, move.target)
                elif move.old is not None:
                    move.target.unlink(missing_ok=True)
                move.done = True
        except BaseException as error:
            self._restore()
            if isinstance(error, OSError) and move is not None:
                raise write_error(move.path, error.errno or 0) from error
            raise
        for move in self._moves:
            if move.old is not None:
                with contextlib.suppress(OSError):
                    move.old.unlink()
        for folder in {move.target.parent for move in self._moves}:
            sync_directory(folder)

    def _restore(self) -> None:
        for move in reversed(self._moves):
            with contextlib.suppress(OSError):
                if move.old is not None:
                    os.replace(move.old, move.target)
                    move.old.unlink(missing_ok=True)  # two names of one file: replace leaves both
                elif move.done:
                    move.target.unlink(missing_ok=True)
        self._discard()

    def _discard(self) -> None:
        for move in self._moves:
            if move.staged is not None:
                with contextlib.suppress(OSError):
                    move.staged.unlink(missing_ok=True)
        remove_directories(self._folders)


def _set_mode(move: _Move) -> None:
    """Sets the mode of a file that came to its hidden name by renaming: it may take permissions, never give what the old one did not have."""
    assert move.staged is not None
    mode = _mode_at(move.old or move.target, move.private)
    if mode is not None:
        os.chmod(move.staged, mode)


def _keep_old(move: _Move) -> None:
    """A second name for the content that is about to be replaced."""
    if not move.target.exists() and not move.target.is_symlink():
        return
    old = hidden_name(move.target, "old")
    try:
        os.link(move.target, old, follow_symlinks=False)
    except OSError:  # no hard links here
        os.rename(move.target, old)
    move.old = old


# ---- directories ------------------------------------------------------------------------------------
def make_directories(path: Path, mode: int = 0o777) -> list[Path]:
    """Makes a directory and what is missing above it (the last with `mode`); those that were made, from the top."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    made: list[Path] = []
    try:
        for folder in reversed(missing):
            folder.mkdir(mode=mode if folder == path else 0o777)
            made.append(folder)
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), os.fspath(path))
    except OSError:
        remove_directories(made)
        raise
    return made


def check_directory(place: Path) -> None:
    """FileError unless a directory can be made at `place`, or beside it to take its place: one is, and goes again. For what takes long."""
    try:
        remove_directories(make_directories(hidden_name(resolved(place), "new")))
    except OSError as error:
        raise write_error(place, error.errno or 0) from error


def remove_directories(folders: list[Path]) -> None:
    """Removes those that are empty, the last one first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


_RENAME_EXCHANGE = 2  # linux/fs.h
_AT_FDCWD = -100


def _exchange(one: Path, other: Path) -> None:
    """Two names change places in one step. OSError where the system cannot (ENOSYS, EINVAL) or must not."""
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    names = os.fsencode(one), os.fsencode(other)
    if function(_AT_FDCWD, names[0], _AT_FDCWD, names[1], ctypes.c_uint(_RENAME_EXCHANGE)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), os.fspath(other))


def replace_directory(new: Path, place: Path) -> Path | None:
    """`new`, a directory beside `place`, takes its name. Returns where the old one is now, for the caller to delete; None: there was none.

    On Linux the two change places in one step: even if the process is killed, `place` is whole at any moment. Elsewhere there is a moment
    without it. OSError: `place` is as it was.
    """
    old: Path | None = None
    if not place.exists():
        new.rename(place)
    else:
        try:
            _exchange(new, place)
            old = new
        except OSError as error:
            if error.errno not in (errno.ENOSYS, errno.EINVAL):
                raise
            old = hidden_name(place, "old")
            place.rename(old)
            try:
                new.rename(place)
            except BaseException:
                old.rename(place)
                raise
    sync_directory(place.parent)
    return old


def write_directory(place: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """A directory of these files, by their paths in it, or what was there before. FileError: it cannot be written."""
    place = resolved(place)
    new = hidden_name(place, "new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        for name, content in files:
            file = new / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        old = replace_directory(new, place)
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise write_error(place, error.errno or 0) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def is_readable_by_others(path: StrPath) -> bool:
    """Whether group or others may read the file."""
    try:
        return bool(stat.S_IMODE(os.stat(path).st_mode) & 0o077)
    except OSError:
        return False
