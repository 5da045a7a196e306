# SPDX-License-Identifier: Apache-2.0
"""What a command line did, for tests."""

import json
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


CommandLine = Callable[..., Outcome]


def in_this_process(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs the command line here: run("params", "lee-12") -> Outcome."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
