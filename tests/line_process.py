# SPDX-License-Identifier: Apache-2.0
"""A program that answers a line of JSON with a line of JSON: what it found is `ok`, or it says an `error`."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def plain(value: Any) -> Any:
    """Bytes are hexadecimal, and a path is text."""
    return value.hex() if isinstance(value, bytes) else str(value) if isinstance(value, Path) else value


class LineProcess:
    def __init__(self, command: Sequence[str | Path], error: type[Exception] = AssertionError, **options: Any) -> None:
        pipe = subprocess.PIPE
        self._error = error
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", **options)

    def ask(self, do: str, /, **request: Any) -> Any:
        """What is None is left out."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = {"do": do} | {key: plain(value) for key, value in request.items() if value is not None}
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        if not (line := self._process.stdout.readline()):
            raise self._error(f"{self._process.args!r} has ended with code {self._process.wait()} at {do}")
        answer = json.loads(line)
        if "ok" not in answer:
            raise self._error(answer["error"])
        return answer["ok"]

    def close(self) -> None:
        self._process.communicate(timeout=1200)
