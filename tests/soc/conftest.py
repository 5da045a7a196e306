# SPDX-License-Identifier: Apache-2.0
"""The command line, in this process."""

import pytest

from cli_runner import CommandLine, in_this_process


@pytest.fixture
def ringside(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    return in_this_process(capfd)
