# SPDX-License-Identifier: Apache-2.0
"""Calls that have to fail, calls that do, values that have to be there, files."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
E = TypeVar("E", bound=BaseException)
T = TypeVar("T")


def raises(
    kind: type[E] | tuple[type[E], ...], words: str | None, call: Callable[P, object], /, *args: P.args, **kw: P.kwargs
) -> E:
    """The error that a call ends with. words: a pattern that is found in its text."""
    with pytest.raises(kind, match=words) as caught:
        call(*args, **kw)
    return caught.value


def some(value: T | None) -> T:
    """A value that is there."""
    assert value is not None
    return value


def raiser(error: BaseException) -> Callable[..., Any]:
    """What ends with this error, whatever it is called with."""

    def call(*_: object, **__: object) -> Any:
        raise error

    return call


def contents(place: Path) -> dict[str, bytes]:
    """Of all files below it."""
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def created(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Name and mode of every file that the package creates from now on, at the moment when it does."""
    seen: list[tuple[str, int]] = []
    real = os.open

    def opened(path: object, flags: int, given: int = 0o777, **rest: object) -> int:
        fd = real(path, flags, given, **rest)  # type: ignore[arg-type]
        if flags & os.O_CREAT:
            seen.append((os.path.basename(str(path)), stat.S_IMODE(os.fstat(fd).st_mode)))
        return fd

    monkeypatch.setattr("ringside.native.files.os.open", opened)
    return seen


def flipped(data: bytes | bytearray, at: int, bits: int = 1) -> bytes:
    """Data with some bits of one byte turned."""
    copy = bytearray(data)
    copy[at] ^= bits
    return bytes(copy)


def written(path: Path, content: str | bytes | bytearray) -> Path:
    """A file that has this content, in folders that are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
