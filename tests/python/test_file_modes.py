# SPDX-License-Identifier: Apache-2.0
"""Who may read a file that Ringside writes (once, replacing a file of mode 0600 left one of 0644)."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import created, mode, raises, written
from cli_runner import CommandLine
from ringside.native import files as native_files
from ringside.native.files import FileSet, replace_file, staged_file, write_bytes


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    old = os.umask(0o022)
    yield
    os.umask(old)


def by_write_bytes(path: Path) -> None:
    write_bytes(path, b"new")


def by_file_set(path: Path) -> None:
    with FileSet() as files:
        files.add(path).write_bytes(b"new")


def by_file_set_and_save(path: Path) -> None:
    with FileSet() as files:
        write_bytes(files.add(path), b"new")


def by_renaming(path: Path) -> None:
    made = path.with_name("made")
    made.write_bytes(b"new")
    with FileSet() as files:
        made.rename(files.add(path))


WRITERS = [by_write_bytes, by_file_set, by_file_set_and_save, by_renaming]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("old", [0o600, 0o640, 0o664, 0o400, 0o755])
def test_a_replaced_file_keeps_its_mode(tmp_path: Path, write: Callable[[Path], None], old: int) -> None:
    path = written(tmp_path / "file", b"old")
    path.chmod(old)
    write(path)
    assert path.read_bytes() == b"new"
    assert mode(path) == old
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("write", WRITERS)
def test_a_new_file_has_the_usual_mode(tmp_path: Path, write: Callable[[Path], None]) -> None:
    write(tmp_path / "file")
    assert mode(tmp_path / "file") == 0o644


def test_private_files_are_private_whatever_they_replace(tmp_path: Path, secret: rs.SecretKey) -> None:
    writers: dict[str, Callable[[Path], object]] = {
        "bytes": lambda path: write_bytes(path, b"new", private=True),
        "key": lambda path: secret.save(path, overwrite=True),
    }
    for name, write in writers.items():
        path = written(tmp_path / name, b"old")
        path.chmod(0o666)
        write(path)
        assert mode(path) == 0o600


@pytest.mark.parametrize("write", [by_write_bytes, by_file_set, by_file_set_and_save])
def test_never_a_moment_readable_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], None]
) -> None:
    path = written(tmp_path / "file", b"old")
    path.chmod(0o600)
    seen = created(monkeypatch)
    write(path)
    assert {found for _, found in seen} == {0o600}


def test_a_key_is_never_a_moment_readable_by_others(
    tmp_path: Path, secret: rs.SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = created(monkeypatch)
    os.umask(0)
    secret.save(tmp_path / "new.key")
    (tmp_path / "old.key").write_bytes(b"old")
    (tmp_path / "old.key").chmod(0o666)
    secret.save(tmp_path / "old.key", overwrite=True)
    rs.make_keys(secret.context.params, tmp_path / "keys")
    with replace_file(tmp_path / "other.key", private=True) as fd:
        assert stat.S_IMODE(os.fstat(fd).st_mode) == 0o600
    assert [found for _, found in seen].count(0o600) >= 4
    for path in (tmp_path / "new.key", tmp_path / "old.key", tmp_path / "keys" / "secret.key"):
        assert mode(path) == 0o600


@pytest.mark.parametrize("inner", [False, True])
def test_new_keys_keep_modes_but_for_the_secret(tmp_path: Path, inner: bool) -> None:
    """By swapping directories, and (with a directory within) file by file."""
    keys, params = tmp_path / "keys", rs.Parameters.named("lee-12")
    rs.make_keys(params, keys)
    if inner:
        (keys / "inner").mkdir()
    (keys / "public.key").chmod(0o600)
    (keys / "secret.key").chmod(0o644)
    rs.make_keys(params, keys, overwrite=True)
    assert mode(keys / "public.key") == 0o600
    assert mode(keys / "secret.key") == 0o600


def test_commands_keep_modes(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    values, out, back = tmp_path / "in.npy", tmp_path / "out.seal", tmp_path / "back.npy"
    np.save(values, np.ones(4))
    for _ in range(2):
        assert ringside("encrypt", "--keys", keys, values, out).code == 0
        assert ringside("decrypt", "--keys", keys, out, back, "--count", 4).code == 0
        for path in (out, back):
            path.chmod(0o600)
    assert (mode(out), mode(back)) == (0o600, 0o600)
    context = tmp_path / "context.tenseal"
    assert ringside("convert", "--secret-key", keys, context, "--format", "tenseal").code == 0
    assert mode(context) == 0o600
    other = tmp_path / "other"
    assert ringside("convert", "--secret-key", context, other, "--format", "seal").code == 0
    assert mode(other / "secret.key") == 0o600


# ---- names in messages -------------------------------------------------------------------------------------------
def test_errors_name_the_file_that_was_given(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    """Not the hidden one that it is first written to."""
    values = tmp_path / "in.npy"
    np.save(values, np.ones(4))
    missing = tmp_path / "nodir" / "o.seal"
    ringside("encrypt", "--keys", keys, values, missing).ends(4, f"Cannot write {missing}: No such file or directory.")

    def fails() -> None:
        with FileSet() as files:
            raise native_files.write_error(files.add(tmp_path / "b"), errno.EISDIR)

    raises(rs.FileError, r"^Cannot write .*/b: Is a directory\. Name a file", fails)
    for name in ("a\0b", "\ud800"):
        raises(rs.FileError, "not a file name", write_bytes, name, b"")
        raises(rs.FileError, "not a file name", rs.inspect, name)


# ---- caches ------------------------------------------------------------------------------------------------------
def test_writers_of_one_cache_entry_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Each works on a file of its own: the entry is one of theirs, whole, at any moment."""
    target = tmp_path / "entry"
    with staged_file(target) as one, staged_file(target) as other:
        assert one != other
        one.write_bytes(b"1" * 100)
        other.write_bytes(b"2" * 100)
    assert target.read_bytes() == b"1" * 100

    def fails() -> None:
        with staged_file(target) as new:
            new.write_bytes(b"half")
            raise RuntimeError

    raises(RuntimeError, None, fails)
    assert target.read_bytes() == b"1" * 100
    assert [item.name for item in tmp_path.iterdir()] == ["entry"]


def test_many_processes_write_one_file(tmp_path: Path) -> None:
    """The name of the hidden file was fixed once: of two writers one found it gone."""
    path = tmp_path / "file"
    code = """
import sys
from ringside.native.files import write_bytes
for _ in range(200):
    write_bytes(sys.argv[1], sys.argv[2].encode() * 1000)
"""
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), letter]) for letter in "abcd"]
    while any(writer.poll() is None for writer in writers):
        if path.exists():
            found = path.read_bytes()
            assert len(found) == 1000
            assert len(set(found)) == 1
    assert [writer.returncode for writer in writers] == [0] * 4
