# SPDX-License-Identifier: Apache-2.0
"""Files are written whole or left as they were, whatever happens."""

import errno
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ringside as rs
from asserting import contents, raiser, raises, written
from cli_runner import python
from ringside.native.files import move_without_clobber, replace_file, write_bytes


def listing(path: Path) -> list[str]:
    return sorted(item.name for item in path.iterdir())


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Stands in for a full disk: no file may grow beyond `size` bytes."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)


def test_error_keeps_the_old_file(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"old")

    def fail() -> None:
        with replace_file(path) as fd:
            os.write(fd, b"new")
            raise RuntimeError

    raises(RuntimeError, None, fail)
    assert path.read_bytes() == b"old"
    assert listing(tmp_path) == ["file"]


def test_no_overwrite_even_in_a_race(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def write() -> None:
        with replace_file(path, private=True, overwrite=False) as fd:
            os.write(fd, b"mine")
            path.write_bytes(b"theirs")  # appears after the check at the start

    assert raises(rs.FileError, None, write).code == "FILE_EXISTS"
    assert path.read_bytes() == b"theirs"
    assert listing(tmp_path) == ["file"]


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_link = raiser(OSError(errno.EPERM, "no links"))
    monkeypatch.setattr(Path, "hardlink_to", no_link)
    monkeypatch.setattr(os, "link", no_link)
    path = tmp_path / "file"
    write_bytes(path, b"one", private=True, overwrite=False)
    assert path.read_bytes() == b"one"
    raises(FileExistsError, None, move_without_clobber, written(tmp_path / "other", b"two"), path)
    assert path.read_bytes() == b"one"


def test_symbolic_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("size", [0, 100, 40000])
def test_full_disk(tmp_path: Path, context: rs.Context, secret: rs.SecretKey, size: int) -> None:
    path = written(tmp_path / "ciphertext.seal", b"old")
    ciphertext = context.encrypt([1.0], secret)
    for compression in ("none", "zlib", "zstd"):
        with largest_file(size), pytest.raises(rs.FileError) as error:
            ciphertext.save(path, compression=compression)
        assert error.value.code == "RS_ERR_DISK_FULL"
        assert str(path) in error.value.message
        assert path.read_bytes() == b"old"
        assert listing(tmp_path) == ["ciphertext.seal"]


def test_full_disk_while_streaming_keys(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    with largest_file(200_000), pytest.raises(rs.FileError) as error:
        context.write_galois_keys(secret, tmp_path / "galois.key", "pow2")
    assert error.value.code == "RS_ERR_DISK_FULL"
    assert listing(tmp_path) == []


def test_full_disk_while_making_a_directory(tmp_path: Path) -> None:
    path, params = tmp_path / "keys", rs.Parameters.named("lee-12")
    rs.make_keys(params, path)
    before = contents(path)
    with largest_file(150_000), pytest.raises(rs.FileError):
        rs.make_keys(params, path, rs.KeySpec(relin=True), overwrite=True)
    assert contents(path) == before


def test_device_without_space(context: rs.Context, secret: rs.SecretKey) -> None:
    assert Path("/dev/full").exists(), "this system has no /dev/full to test with"
    error = raises(rs.FileError, None, context.encrypt([1.0], secret).save, "/dev/full", compression="none")
    assert error.code == "RS_ERR_DISK_FULL"
    assert "no space is left" in error.message


def test_unwritable_places(tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertext = context.encrypt([1.0], secret)
    for path in (tmp_path, tmp_path / "none" / "file.seal"):
        assert raises(rs.FileError, None, ciphertext.save, path).code == "RS_ERR_IO"
    raises(rs.FileError, None, secret.save, "/dev/null")


def test_a_killed_writer_leaves_the_old_file(tmp_path: Path) -> None:
    path = written(tmp_path / "file", b"old")
    code = """
import os, signal, sys
from ringside.native.files import replace_file
with replace_file(sys.argv[1]) as fd:
    os.write(fd, b'new')
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert python(code, path).returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
