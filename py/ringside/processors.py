# SPDX-License-Identifier: Apache-2.0
"""How many processors this process may use, and processes of its own on them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


def usable_processors() -> int:
    """Processors that this process may run on: fewer than the machine has in a container, or under taskset."""
    if not hasattr(os, "sched_getaffinity"):  # macOS binds no process
        return os.cpu_count() or 1
    return len(os.sched_getaffinity(0))


@contextmanager
def worker_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes for jobs of minutes. Where the block fails or is interrupted, what has not begun is not begun: it can be hours. They end with
    this process, however it ends."""
    from concurrent.futures import ProcessPoolExecutor  # most commands need none
    from multiprocessing import get_context

    # a fork would copy locks that threads of this process hold
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)
    try:
        yield pool
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _end_with_parent() -> None:
    """In a worker: nobody would hear its answers after the parent was killed, and it would wait for jobs for ever."""
    from multiprocessing import parent_process

    def watch() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
