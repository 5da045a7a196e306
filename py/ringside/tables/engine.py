# SPDX-License-Identifier: Apache-2.0
"""Who encrypts the parts of a table: this process, or workers of Dask that see the same files. Workers get the public key alone."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any

from ..errors import DeviceError, RingsideError, UsageError
from ..hints import install
from ..native.batch import threads_of
from .part import TablePart, encrypt_part

Engine = Callable[
    [Sequence[TablePart], Callable[[TablePart], None]], None
]  # each of the parts, and told(what encrypt_part gave) after it

# What a cluster for tables may be started with (dask.config.set): parts take seconds, so nothing has to be looked at many times in each of them.
DASK_SETTINGS = {
    "distributed.worker.profile.enabled": False,  # samples the stack of a task 100 times a second
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.client.scheduler-info-interval": "10s",
}
RETRIES = 3  # attempts at a part whose worker was lost or failed; each draws its own randomness
TIMEOUT_SECONDS = 10


def on_this_machine() -> Engine:
    """Parts side by side on the threads of their method, which are told in order; of fewer parts the rows are encrypted on several, too."""

    def run(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        threads = threads_of(parts[0].method.threads if parts else None)
        at_once, stopped = min(threads, len(parts)), Event()
        if at_once <= 1:
            for part in parts:
                told(encrypt_part(part))
            return
        with ThreadPoolExecutor(at_once) as pool:
            each = max(1, threads // at_once)
            work = [replace(part, method=replace(part.method, threads=each)) for part in parts]
            try:
                for future in [pool.submit(encrypt_part, part, stopped.is_set) for part in work]:
                    told(future.result())
            except BaseException:
                stopped.set()  # those that are at work end with their next rows
                pool.shutdown(cancel_futures=True)
                raise

    return run


def on_dask(client: Any) -> Engine:
    """Parts as tasks of a dask.distributed.Client, or of the scheduler at an address. A part of a lost worker is encrypted by another one.

    DeviceError: no scheduler answers. UsageError: dask.distributed is not installed.
    """

    def run(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        distributed = _distributed()
        own = isinstance(client, str)
        used = _connected(distributed, client) if own else client
        try:
            waiting = {used.submit(encrypt_part, part, pure=False, retries=RETRIES): part for part in parts}
            for future in distributed.as_completed(list(waiting)):
                # forgotten at once: Dask does again what it remembers of a worker that is lost
                part = waiting.pop(future)
                _check(future, part)
                done = future.result()
                future.release()
                told(done)
        finally:
            if own:
                used.close()

    return run


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError("TABLES", "Dask is not installed.", install("cluster", "test")) from error


def _connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=TIMEOUT_SECONDS)
    except (OSError, ValueError) as error:
        message = f"No scheduler of Dask answers at {address}: {error}."
        raise DeviceError("CLUSTER", message, "Start one: `dask scheduler`.") from error


def _check(future: Any, part: TablePart) -> None:
    """Raises what a part failed with."""
    error = future.exception()
    if isinstance(error, RingsideError):
        raise error
    if error is not None:
        message = f"Rows {part.first} to {part.first + part.rows - 1} failed: {type(error).__name__}: {error}."
        raise DeviceError("CLUSTER", message, "Look at the workers' logs; another run goes on with what is missing.")
