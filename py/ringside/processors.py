# SPDX-License-Identifier: Apache-2.0
"""How many processors this process may use, and processes of its own on them."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.synchronize import Event


def processor_name() -> str:
    """What the processor says it is: a speed is of one."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


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

    class Pool(ProcessPoolExecutor):
        def submit(self, job: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
            return super().submit(_unless_failed, job, *arguments, **named)

    # a fork would copy locks that threads of this process hold
    context = get_context("spawn")
    failed = context.Event()
    pool = Pool(jobs, mp_context=context, initializer=_begin, initargs=(failed,))
    try:
        yield pool
    except BaseException:
        failed.set()  # also for the jobs that are on their way to a worker, which nobody can cancel
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


_failed: Event | None = None  # in a worker


def _begin(failed: Event) -> None:
    """In a worker. Nobody would hear its answers after the parent was killed, and it would wait for jobs for ever: it ends with it."""
    global _failed
    from multiprocessing import parent_process

    _failed = failed

    def watch() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _unless_failed(job: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
    if _failed is not None and _failed.is_set():
        raise InterruptedError("the run has ended")
    return job(*arguments, **named)
