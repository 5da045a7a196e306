# SPDX-License-Identifier: Apache-2.0
"""The command line, for tests of `ringside kem` and `ringside sign`."""

import pytest

from cli_runner import CommandLine, in_this_process


@pytest.fixture
def ringside(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs the command line in this process: ringside("kem", "--help") -> Outcome."""
    return in_this_process(capfd)
