# SPDX-License-Identifier: Apache-2.0
"""Every set of a scheme on the device that a module names."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from ringside import pqc


@pytest.fixture(scope="module")
def kems(request: pytest.FixtureRequest) -> Iterator[dict[str, pqc.MLKEM]]:
    with ExitStack() as opened:
        device = request.module.DEVICE
        yield {name: opened.enter_context(closing(pqc.MLKEM(name, device=device))) for name in pqc.KEM_SETS}


@pytest.fixture(scope="module")
def signers(request: pytest.FixtureRequest) -> Iterator[dict[str, pqc.MLDSA]]:
    with ExitStack() as opened:
        device = request.module.DEVICE
        yield {name: opened.enter_context(closing(pqc.MLDSA(name, device=device))) for name in pqc.SIGNATURE_SETS}
