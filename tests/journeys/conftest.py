# SPDX-License-Identifier: Apache-2.0
"""What every reader's journey has: clients, each with a folder of keys, and stock servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli_runner import CommandLine
from interop import judges
from interop.peers import SealNative
from journeys.client import Client
from line_process import LineProcess


@pytest.fixture
def client(ringside: CommandLine, tmp_path: Path) -> Callable[[str], Client]:
    return lambda name: Client(ringside, tmp_path / name)


@pytest.fixture(scope="module")
def seal() -> SealNative:
    return SealNative()


@pytest.fixture(scope="module")
def lattigo() -> Iterator[LineProcess]:
    yield from judges.running("Lattigo", judges.lattigo)


@pytest.fixture(scope="module")
def openfhe() -> Iterator[LineProcess]:
    yield from judges.running("OpenFHE", judges.openfhe)
