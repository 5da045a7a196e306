# SPDX-License-Identifier: Apache-2.0
"""Tables at scale: a table is encrypted by two workers of Dask, one of which is killed in the middle, and every row is decrypted.

tables.py [--rows 20000] [--width 2048] [--part-rows 1024] [--place DIR] [--json]

Three runs with the same parts, each in a process of its own: on a plain pool of two processes, on a LocalCluster of two workers, and there with
a kill. It tells wall-clock time and processor time of each from the first part to the last one, what it takes to start them, the most memory that
all processes of a run had at a time, and what the cluster takes above the pool: of processor time as it was, and as it would be on an idle machine. A
cluster takes some time in every second without work, for its clocks and heartbeats, so that on a busy machine, where the same work lasts longer, it
takes more; what it takes is measured for some seconds before. Ends with 1 if a row is lost, doubled or wrong. Files of a run, which are removed
after it, take 100 kB for each row, and the table 8 bytes for each number.
"""

import argparse
import json
import logging
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ringside import Context, Parameters, PublicKey, SecretKey, tables
from ringside.tables.engine import Engine
from ringside.tables.part import TablePart, encrypt_part

SET = "lee-12"
WORKERS = 2
POOL, CLUSTER, KILL = "pool", "cluster", "kill"
ROWS_AT_ONCE = 500
# at the small scale of the set: encryption's noise and encoding's; the numbers of rows are told apart at 0.5
TOLERANCE = 0.01
DIGIT = 256  # the first two values of a row are its number
SAMPLE_SECONDS = 0.05
IDLE_SECONDS = 5


@dataclass(frozen=True)
class Run:
    """processor_seconds, wall_seconds: from the first part to the last one, of all processes; start_seconds: processor time before and after.
    idle_share: processors that they take without work. mebibytes: the most memory of all processes at a time."""

    name: str
    rows: int
    processor_seconds: float
    wall_seconds: float
    start_seconds: float
    idle_share: float
    mebibytes: float
    killed: bool


# ---- the table -------------------------------------------------------------------------------------------------------
def rows_of(first: int, count: int, width: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numbers of rows, the same whenever they are asked for."""
    values = np.random.default_rng([width, first]).normal(size=(count, width))
    numbers = np.arange(first, first + count)
    values[:, 0], values[:, 1] = numbers // DIGIT, numbers % DIGIT
    return values


def write_table(place: Path, rows: int, width: int) -> None:
    schema = pa.schema([("row", pa.int64()), ("values", pa.list_(pa.float64(), width))])
    with pq.ParquetWriter(place, schema, compression="none", use_dictionary=False) as writer:
        for first in range(0, rows, ROWS_AT_ONCE):
            values = rows_of(first, min(ROWS_AT_ONCE, rows - first), width)
            lists = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), width)
            numbers = pa.array(np.arange(first, first + len(values)))
            writer.write_table(pa.table({"row": numbers, "values": lists}, schema=schema))


def check(folder: Path, rows: int, width: int, secret: SecretKey, context: Context) -> list[str]:
    """What is wrong with the rows of a folder: by the number that nobody encrypted, and by what decryption gives."""
    out = folder.with_suffix(".decrypted.parquet")
    tables.decrypt_table(folder, out, secret, context)
    file = pq.ParquetFile(out)
    seen: Counter[int] = Counter()
    wrong = []
    for batch in file.iter_batches(ROWS_AT_ONCE):
        numbers = batch.column("row").to_numpy()
        seen.update(numbers.tolist())
        found = np.array(batch.column("values").to_pylist())
        wanted = np.concatenate([_row(int(number), rows, width) for number in numbers])
        off = np.abs(found - wanted).max(axis=1) if found.shape == wanted.shape else np.ones(len(numbers))
        wrong += [f"row {number}: off by {by:.3g}" for number, by in zip(numbers, off, strict=True) if by > TOLERANCE]
    out.unlink()
    lost = sorted(set(range(rows)) - set(seen))
    doubled = sorted(number for number, count in seen.items() if count > 1)
    return [*wrong, *(f"row {number}: lost" for number in lost), *(f"row {number}: twice" for number in doubled)]


def _row(number: int, rows: int, width: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    first = number - number % ROWS_AT_ONCE
    if first not in _cached:
        _cached.clear()
        _cached[first] = rows_of(first, min(ROWS_AT_ONCE, rows - first), width)
    return _cached[first][number - first : number - first + 1]


_cached: dict[int, np.ndarray[Any, np.dtype[np.float64]]] = {}


# ---- a run, in a process of its own ----------------------------------------------------------------------------------
def ready(_: Any = None) -> int:
    """Has a worker import what it needs before the clock starts."""
    for name in ("pyarrow.parquet", "ringside.tables.part"):
        import_module(name)
    time.sleep(0.2)  # so that each worker gets one
    return os.getpid()


def pooled(pool: Any) -> Engine:
    """What the cluster is compared with: the standard library's pool, one part after the other for each of its processes."""

    def run(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        for part in pool.imap_unordered(encrypt_part, parts):
            told(part)

    return run


@contextmanager
def engine(name: str) -> Iterator[tuple[Engine, list[int]]]:
    """Who encrypts, started and warm, and the processes that do it."""
    if name == POOL:
        with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
            pids = pool.map(ready, range(4 * WORKERS), chunksize=1)
            yield pooled(pool), pids
            pool.close()
            pool.join()
        return
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield tables.on_dask(client), list(client.run(ready).values())


def encrypt(name: str, place: Path, part_rows: int) -> dict[str, Any]:
    """One of the three runs; gives what it saw itself."""
    context = Context(Parameters.named(SET))
    public = PublicKey.load(context, place / "public.key")
    wanted = tables.TableEncryption(keep=("row",), part_rows=part_rows, method=tables.TableMethod(threads=1))
    victim: list[int] = []

    def told(done: int, rows: int) -> None:
        if name == KILL and done >= rows // 2 and not victim:
            victim.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    with engine(name) as (chosen, pids):
        idle = idle_share()
        start, spent = time.perf_counter(), processor_time()
        facts = tables.encrypt_table(
            place / "in.parquet", place / name, public, context, wanted, engine=chosen, progress=told
        )
        seconds, spent = time.perf_counter() - start, processor_time() - spent
    return {"rows": facts.rows, "killed": bool(victim), "seconds": seconds, "spent": spent, "idle": idle}


def idle_share() -> float:
    """Processors that this process and all below it take without work."""
    start, spent = time.perf_counter(), processor_time()
    time.sleep(IDLE_SECONDS)
    return (processor_time() - spent) / (time.perf_counter() - start)


def processor_time() -> float:
    """Of this process and all below it, in seconds. A process that was killed in between takes its own with it."""
    ticks = 0
    for pid in descendants(os.getpid()):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))  # utime, stime, and those of children that were waited for
    return ticks / os.sysconf("SC_CLK_TCK")


def descendants(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text(encoding="ascii").split()
        except OSError:  # the thread has ended
            continue
        for child in children:
            yield from descendants(int(child))


def memory(pid: int) -> int:
    """Bytes of a process and all below it; what several share is counted once."""
    total = 0
    for one in descendants(pid):
        try:
            text = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")
        except OSError:  # it has ended
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) * 1024
    return total


def watched(name: str, place: Path, part_rows: int) -> Run:
    """A run in a process, its processor time and memory with those of all processes below it."""
    command = [sys.executable, __file__, "--part-rows", str(part_rows), "--place", str(place), "--run", name]
    before, most = resource.getrusage(resource.RUSAGE_CHILDREN), 0
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:
        with subprocess.Popen(command, stdout=answer, text=True) as running:
            while running.poll() is None:
                most = max(most, memory(running.pid))
                time.sleep(SAMPLE_SECONDS)
        if running.returncode:
            raise SystemExit(f"{name}: ended with {running.returncode}")
        answer.seek(0)
        said = json.loads(answer.read().splitlines()[-1])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    spent, idle = said["spent"], said["idle"]
    around = whole - spent - idle * IDLE_SECONDS
    return Run(name, said["rows"], spent, said["seconds"], around, idle, most / 2**20, bool(said["killed"]))


def overheads(pool: Run, cluster: Run) -> tuple[float, float]:
    """What the cluster takes above the pool, of the pool's processor time: as it was, and if the work had lasted only as long as it keeps two
    processors busy."""
    extra = cluster.processor_seconds - pool.processor_seconds
    waited = cluster.wall_seconds - pool.processor_seconds / WORKERS
    return extra / pool.processor_seconds, (extra - cluster.idle_share * max(waited, 0)) / pool.processor_seconds


# ---- all of it -------------------------------------------------------------------------------------------------------
def measure(place: Path, rows: int, width: int, part_rows: int) -> tuple[dict[str, Run], dict[str, list[str]]]:
    context = Context(Parameters.named(SET))
    runs, wrong = {}, {}
    with context.keygen() as secret:
        context.public_key(secret).save(place / "public.key")
        write_table(place / "in.parquet", rows, width)
        for name in (POOL, CLUSTER, KILL):
            runs[name] = watched(name, place, part_rows)
            wrong[name] = check(place / name, rows, width, secret, context)
            for file in (place / name).iterdir():
                file.unlink()
    return runs, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--width", type=int, default=2048, help="numbers in a row")
    parser.add_argument("--part-rows", type=int, default=1024)
    parser.add_argument("--place", type=Path, help="folder for the files; default: a temporary one")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--run", choices=(POOL, CLUSTER, KILL), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.run:
        print(json.dumps(encrypt(chosen.run, chosen.place, chosen.part_rows)))
        return 0
    with tempfile.TemporaryDirectory(dir=chosen.place) as folder:
        runs, wrong = measure(Path(folder), chosen.rows, chosen.width, chosen.part_rows)
    seen, alone = overheads(runs[POOL], runs[CLUSTER])
    if chosen.json:
        found = {"runs": {name: vars(run) for name, run in runs.items()}, "wrong": wrong}
        print(json.dumps({**found, "overhead": seen, "overhead_on_an_idle_machine": alone}))
        return int(any(wrong.values()))
    for name, run in runs.items():
        told = "one worker killed, " if run.killed else ""
        print(
            f"{name:8} {run.rows} rows, {told}{run.processor_seconds:.1f} s of processor time in {run.wall_seconds:.1f} s "
            f"(start and end: {run.start_seconds:.1f} s), at most {run.mebibytes:.0f} MiB; lost, doubled or wrong: {len(wrong[name])}"
        )
    print(
        f"the cluster takes {100 * seen:+.1f} % of processor time beside the pool; {100 * alone:+.1f} % without what it takes while it waits, "
        f"{100 * runs[CLUSTER].idle_share:.1f} % of a processor"
    )
    print("\n".join(line for found in wrong.values() for line in found[:10]), end="")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
