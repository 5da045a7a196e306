# SPDX-License-Identifier: Apache-2.0
"""What every reader's journey has: clients, each with a folder of keys, and stock servers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli_runner import CommandLine
from interop.judges import lattigo, openfhe
from interop.peers import SealNative
from journeys.client import Client

__all__ = ["lattigo", "openfhe"]


@pytest.fixture
def client(ringside: CommandLine, tmp_path: Path) -> Callable[[str], Client]:
    return lambda name: Client(ringside, tmp_path / name)


@pytest.fixture(scope="module")
def seal() -> SealNative:
    return SealNative()
