# SPDX-License-Identifier: Apache-2.0
"""How far a long task is."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]  # parts done, parts in all
Say = Callable[[str], None]  # called with what is done now


@contextmanager
def repeated(seconds: float, tell: Callable[[], object]) -> Iterator[None]:
    """Calls `tell` time and again, in a thread of its own, while the block runs."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(seconds):
            tell()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
