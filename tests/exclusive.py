# SPDX-License-Identifier: Apache-2.0
"""A directory for one process at a time: the workers of pytest-xdist share what tests build below build/."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(place: Path) -> Iterator[None]:
    """Makes the directory where needed. Others that ask for it meanwhile wait."""
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
