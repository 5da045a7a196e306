# SPDX-License-Identifier: Apache-2.0
"""Commands that write several files write all or none (once a failed batch deleted older outputs, and keygen --force was not atomic)."""

import errno
import fcntl
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import contents, raiser, raises, some
from cli_runner import CommandLine, python
from ringside.native import files as native_files
from ringside.native.files import FileSet, replace_directory
from ringside.objects.keydir import NAMES

LEE = rs.Parameters.named("lee-12")


@pytest.fixture
def days(tmp_path: Path) -> list[Path]:
    """Twenty inputs: more than a batch of 16."""
    paths = [tmp_path / f"day-{day:02d}.npy" for day in range(20)]
    for day, path in enumerate(paths):
        np.save(path, np.full(3, day))
    return paths


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> Iterator[None]:
    """Call `number` (from 1) of os.`name` fails, as for a disk that has gone."""
    real, calls = getattr(os, name), iter(range(1, 1 << 30))

    def call(*arguments: Any, **options: Any) -> Any:
        if next(calls) == number:
            raise OSError(errno.EIO, "Input/output error")
        return real(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, call)
        yield


# ---- a batch of ciphertexts ----------------------------------------------------------------------
def test_failed_batch_keeps_older_outputs(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    """20 inputs, the last one NaN: what an earlier run wrote is still there."""
    out = tmp_path / "out"
    assert ringside("encrypt", "--keys", keys, *days, out).code == 0
    before = contents(out)
    np.save(days[-1], np.array([1.0, np.nan]))
    assert ringside("encrypt", "--keys", keys, *days, out).code == 3
    assert contents(out) == before


@pytest.mark.parametrize("number", [1, 7, 20])
def test_failed_renaming_restores(
    tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path], monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """One of the last steps fails: those before it are undone, for old files and for new ones."""
    out = tmp_path / "out"
    assert ringside("encrypt", "--keys", keys, *days[:10], out).code == 0
    before = contents(out)
    saves = 20  # each output is renamed once to its hidden name, then to its own
    with failing(monkeypatch, "replace", saves + number):
        done = ringside("encrypt", "--keys", keys, *days, out, "--threads", 1)
    assert done.code == 4, done.err
    assert contents(out) == before


def test_directory_in_the_way(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    out = tmp_path / "out"
    (out / "day-19.seal").mkdir(parents=True)
    ringside("encrypt", "--keys", keys, *days, out).ends(4, "day-19.seal")
    assert [path.name for path in out.iterdir()] == ["day-19.seal"]


def test_split_output_is_all_or_none(
    tmp_path: Path, ringside: CommandLine, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "big.npy", tmp_path / "big.seal"
    np.save(source, np.arange(5000.0))
    assert ringside("encrypt", "--keys", keys, "--split", source, out).code == 0
    before = contents(tmp_path)
    with failing(monkeypatch, "replace", 3 + 2):
        assert ringside("encrypt", "--keys", keys, "--split", source, out).code == 4
    assert contents(tmp_path) == before


def test_killed_batch_keeps_older_outputs(tmp_path: Path, keys: Path, days: list[Path]) -> None:
    """kill -9 while outputs are written."""
    out = tmp_path / "out"
    out.mkdir()
    for day in days:
        (out / f"{day.stem}.seal").write_bytes(b"old")
    code = """
import os, signal, sys
from ringside.cli import main
from ringside.cli.files.uploads import Upload
save, left = Upload.save, iter(range(17))
def killed(*arguments, **more):
    next(left, None) is None and os.kill(os.getpid(), signal.SIGKILL)
    return save(*arguments, **more)
Upload.save = killed
main(sys.argv[1:])
"""
    assert python(code, "encrypt", "--keys", keys, *days, out).returncode == -signal.SIGKILL
    for day in days:
        assert (out / f"{day.stem}.seal").read_bytes() == b"old"


def test_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems without them keep old files by renaming."""
    monkeypatch.setattr(os, "link", raiser(OSError(errno.EPERM, "no links")))
    for name in "ab":
        (tmp_path / name).write_bytes(b"old")

    def write() -> None:
        with FileSet() as files:
            for name in "abc":
                files.add(tmp_path / name).write_bytes(b"new")

    with failing(monkeypatch, "replace", 3), pytest.raises(rs.FileError):
        write()
    assert contents(tmp_path) == {"a": b"old", "b": b"old"}
    write()
    assert contents(tmp_path) == {"a": b"new", "b": b"new", "c": b"new"}


def test_one_file_twice(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with FileSet() as files:
        files.add(tmp_path / "file").write_bytes(b"new")
        raises(rs.UsageError, None, files.add, tmp_path / "link")


def test_files_of_two_processes_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one set takes its names, no other one does: the files are all of the one or all of the other."""
    refused = []

    def tried(_path: Path) -> None:
        fd = os.open(tmp_path, os.O_RDONLY)  # as another process opens it
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refused.append(True)
        finally:
            os.close(fd)

    monkeypatch.setattr(native_files, "_sync_file", tried)
    for _ in range(2):  # the first one lets it go
        with FileSet() as files:
            for name in "ab":
                files.add(tmp_path / name).write_bytes(b"new")
    assert refused == [True] * 4


# ---- key directories -----------------------------------------------------------------------------
@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A key directory with a file of the user's beside the keys."""
    path = tmp_path / "keys"
    rs.make_keys(LEE, path, rs.KeySpec(relin=True))
    (path / "notes.txt").write_text("mine")
    return path


def test_force_swaps_the_directory(directory: Path, ringside: CommandLine) -> None:
    before, inode = contents(directory), directory.stat().st_ino
    directory.chmod(0o750)
    assert ringside("keygen", "--params", "lee-12", "--out", directory, "--force").code == 0
    after = contents(directory)
    assert set(after) == {"params.seal", "secret.key", "public.key", "notes.txt"}  # relin.key was of the old secret
    assert after["secret.key"] != before["secret.key"]
    assert after["notes.txt"] == b"mine"
    assert directory.stat().st_ino != inode  # another directory: swapped in one step
    assert directory.stat().st_mode & 0o777 == 0o750
    assert [path.name for path in directory.parent.iterdir()] == ["keys"]


@pytest.mark.parametrize("blocked", ["public.key", "galois.key"])
def test_blocked_key_leaves_the_directory(directory: Path, ringside: CommandLine, blocked: str) -> None:
    """public.key cannot be replaced, secret.key used to be."""
    (directory / blocked).unlink(missing_ok=True)
    (directory / blocked / "inside").mkdir(parents=True)
    before = contents(directory)
    ringside("keygen", "--params", "lee-12", "--out", directory, "--force").ends(4, blocked)
    assert contents(directory) == before
    assert (directory / blocked / "inside").is_dir()


@pytest.mark.parametrize("number", range(1, 6))
def test_failed_force_without_swap_restores(directory: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Where directories cannot be swapped files are replaced one by one, and given back if one fails."""
    (directory / "more").mkdir()  # cannot be carried along
    before = contents(directory)

    writes = 2  # writes of params.seal and public.key, under hidden names
    with failing(monkeypatch, "replace", writes + number):
        if number <= 3:
            raises(rs.FileError, None, rs.make_keys, LEE, directory, overwrite=True)
            assert contents(directory) == before
        else:
            rs.make_keys(LEE, directory, overwrite=True)
            assert set(contents(directory)) == {"params.seal", "secret.key", "public.key", "notes.txt"}
    assert [path.name for path in directory.parent.iterdir()] == ["keys"]


def test_failed_swap_leaves_the_directory(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exchange fails, and so does everything after it."""
    before = contents(directory)
    monkeypatch.setattr(native_files, "_exchange", raiser(OSError(errno.EIO, "Input/output error")))
    with failing(monkeypatch, "replace", 3), pytest.raises(rs.FileError):
        rs.make_keys(LEE, directory, overwrite=True)
    assert contents(directory) == before
    assert [path.name for path in directory.parent.iterdir()] == ["keys"]


def test_parent_that_cannot_be_written(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mounted volume: staging happens inside of it."""
    real = Path.mkdir

    def mkdir(self: Path, *arguments: Any, **options: Any) -> None:
        if self.parent == directory.parent:
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        real(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    before = contents(directory)
    rs.make_keys(LEE, directory, overwrite=True)
    after = contents(directory)
    assert after["secret.key"] != before["secret.key"]
    assert set(after) == {"params.seal", "secret.key", "public.key", "notes.txt"}


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_force_leaves_one_whole_directory(directory: Path, moment: str) -> None:
    """kill -9 just before or after the swap: the keys in the directory belong together."""
    code = f"""
import os, signal, sys
import ringside as rs
from ringside.native import files
exchange = files._exchange
def killed(one, other):
    {"exchange(one, other)" if moment == "after" else "pass"}
    os.kill(os.getpid(), signal.SIGKILL)
files._exchange = killed
rs.make_keys(rs.Parameters.named('lee-13'), sys.argv[1], overwrite=True)
"""
    before = contents(directory)
    assert python(code, directory).returncode == -signal.SIGKILL
    found = rs.KeyDirectory(directory)
    assert found.params.name == ("lee-13" if moment == "after" else "lee-12")
    with found.secret_key() as secret:
        ciphertext = found.context.encrypt([1.0], found.public_key())
        assert np.allclose(found.context.decrypt_values(ciphertext, secret, 1), [1], atol=0.05)
    if moment == "before":
        assert contents(directory) == before


def test_new_directory_appears_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a failure leaves nothing, not even the directories above it."""
    path = tmp_path / "deep" / "er" / "keys"
    with failing(monkeypatch, "replace", 2), pytest.raises(rs.FileError):
        rs.make_keys(LEE, path)
    assert list(tmp_path.iterdir()) == []
    rs.make_keys(LEE, path)
    assert {item.name for item in path.iterdir()} == {"params.seal", "secret.key", "public.key"}
    assert path.stat().st_mode & 0o777 == 0o700


def test_keys_added_to_a_directory_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    rs.make_keys(LEE, tmp_path)
    assert {item.name for item in tmp_path.iterdir()} == {"params.seal", "secret.key", "public.key", "mine"}
    for name in NAMES[:3]:
        raises(rs.FileError, "--force", rs.make_keys, LEE, tmp_path)
        (tmp_path / name).unlink()


# ---- directories ---------------------------------------------------------------------------------
@pytest.mark.parametrize("number", [errno.ENOSYS, 0])
def test_replace_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """In one step, or in two where the system has no exchange of names."""
    if number:
        monkeypatch.setattr(native_files, "_exchange", raiser(OSError(number, "not here")))
    place, new = tmp_path / "place", tmp_path / "new"
    for path in (place, new):
        path.mkdir()
        (path / "file").write_text(path.name)
    old = some(replace_directory(new, place))
    assert (place / "file").read_text() == "new"
    assert (old / "file").read_text() == "place"
    shutil.rmtree(old)
    assert replace_directory(place, tmp_path / "moved") is None


def test_an_interrupt_while_the_hidden_directory_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C can come when the directory is there and the call that made it has not returned."""
    made = []
    mkdir = Path.mkdir

    def make_and_stop(path: Path, *arguments: Any, **options: Any) -> None:
        mkdir(path, *arguments, **options)
        made.append(path)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "mkdir", make_and_stop)
    raises(KeyboardInterrupt, None, rs.make_keys, LEE, tmp_path / "keys")
    assert len(made) == 1
    assert list(tmp_path.iterdir()) == []
