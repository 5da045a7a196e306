# SPDX-License-Identifier: Apache-2.0
"""The command line in this process, for tests, and Python in processes of its own."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ringside.cli import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """stdout, which must be JSON and nothing else."""
        return json.loads(self.out)

    def ends(self, code: int, *words: str) -> "Outcome":
        """This one. It has this exit code, and these words on stderr."""
        assert self.code == code, self.err
        for word in words:
            assert word in self.err, self.err
        return self

    def shows(self, *words: str) -> "Outcome":
        """This one. It has these words on stdout."""
        for word in words:
            assert word in self.out, self.out
        return self

    def refused(self, code: int, *words: str) -> None:
        """One sentence on stderr, nothing on stdout, the documented exit code."""
        assert self.ends(code, *words).out == ""
        assert self.err.startswith("ringside: ")
        assert len(self.err.splitlines()) <= 2


CommandLine = Callable[..., Outcome]


def python(code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own. Its output is kept."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def piped(*arguments: object, given: bytes | None = None, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """A command of `ringside` in a process of its own, with pipes."""
    command = [sys.executable, "-m", "ringside", *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, **options)


def output(done: subprocess.CompletedProcess[bytes]) -> bytes:
    """What it printed. It must have succeeded."""
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture
def ringside(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs a command: ringside("params", "lee-12") -> Outcome."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
