# SPDX-License-Identifier: Apache-2.0
"""Tables at scale: a table is encrypted by two workers of Dask, one of which is killed in the middle, and every row is decrypted.

tables.py [--rows 20000] [--width 2048] [--part-rows 1024] [--place DIR] [--json]
tables.py --pairs N [--rows 4000] [--part-rows 500] ...

Without --pairs there are three runs with the same parts: on a plain pool of two processes, on a LocalCluster of two workers, and there with a kill.
It tells wall-clock time and processor time (user and system) of all processes of each, from the first part to the last one, what it takes to start
them, and the most memory that they had at a time. Ends with 1 if a row is lost, doubled or wrong.

--pairs tells what a cluster takes above the pool: N times, after one that does not count, the pool, a cluster with tables.DASK_SETTINGS and one as
Dask sets it do the same work in turn, each started before, and each median is given with its quartiles and its range. A cluster takes some time in every
second without work, for its heartbeats, so that on a busy machine, where the same work lasts longer, it takes more; this share is measured for some seconds
before, and what the cluster with the settings would take on an idle machine is printed beside. Ends with 1 if that is above 10 % of processor time.

Files of a run, which are removed after it, take 100 kB for each row, and the table 8 bytes for each number.
"""

import argparse
import json
import logging
import multiprocessing
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
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
ONE, POOL, CLUSTER, KILL, DEFAULTS = "one", "pool", "cluster", "kill", "cluster as it is"
BAR = 0.1  # what a cluster may take above the pool
KINDS = ("of processor time", "by the clock", IF_IDLE := "of processor time on an idle machine")
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


def pooled(pool: ProcessPoolExecutor) -> Engine:
    """What the cluster is compared with: the standard library's pool, one part after the other for each of its processes."""

    def run(parts: Sequence[TablePart], told: Callable[[TablePart], None]) -> None:
        for done in as_completed([pool.submit(encrypt_part, part) for part in parts]):
            told(done.result())

    return run


@contextmanager
def engine(name: str) -> Iterator[tuple[Engine, list[int]]]:
    """Who encrypts, started and warm, and the processes that do it."""
    if name in (ONE, POOL):
        workers = 1 if name == ONE else WORKERS
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield pooled(pool), list(pool.map(ready, range(4 * workers)))
        return
    import dask
    import distributed

    with (
        dask.config.set(tables.DASK_SETTINGS if name != DEFAULTS else {}),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield tables.on_dask(client), list(client.run(ready).values())


def serve(name: str, place: Path, part_rows: int) -> None:
    """Starts one engine, says which share of a processor it takes without work, and encrypts into each folder whose name it reads."""
    context = Context(Parameters.named(SET))
    public = PublicKey.load(context, place / "public.key")
    wanted = tables.TableEncryption(keep=("row",), part_rows=part_rows, method=tables.TableMethod(threads=1))
    victim: list[int] = []

    def told(done: int, rows: int) -> None:
        if name == KILL and done >= rows // 2 and not victim:
            victim.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    with engine(name) as (chosen, pids):
        print(json.dumps({"idle": idle_share()}), flush=True)
        for folder in sys.stdin:
            start, spent = time.perf_counter(), processor_time()
            facts = tables.encrypt_table(
                place / "in.parquet", place / folder.strip(), public, context, wanted, engine=chosen, progress=told
            )
            seconds, spent = time.perf_counter() - start, processor_time() - spent
            said = {"rows": facts.rows, "killed": bool(victim), "seconds": seconds, "spent": spent}
            print(json.dumps(said), flush=True)


def idle_share() -> float:
    """Processors that this process and all below it take without work."""
    start, spent = time.perf_counter(), processor_time()
    time.sleep(IDLE_SECONDS)
    return (processor_time() - spent) / (time.perf_counter() - start)


def processor_time() -> float:
    """The time of this process and all below it, in seconds. A process that was killed in between takes its own with it."""
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


class Served:
    """An engine in a process of its own, with memory and processor time of all processes below it."""

    def __init__(self, name: str, place: Path, part_rows: int, *, watched: bool) -> None:
        """watched: its memory is looked at, which takes processor time."""
        words = [sys.executable, __file__, "--part-rows", str(part_rows), "--place", str(place), "--run", name]
        self.name = name
        self._before = _children_time()
        self._running = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._most, self._spent = 0, 0.0
        if watched:
            threading.Thread(target=self._watch, daemon=True).start()
        self.idle = float(self._answer()["idle"])

    def _watch(self) -> None:
        while self._running.poll() is None:
            self._most = max(self._most, memory(self._running.pid))
            time.sleep(SAMPLE_SECONDS)

    def _answer(self) -> dict[str, Any]:
        assert self._running.stdout is not None
        line = self._running.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name}: ended with {self._running.wait()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def run(self, folder: str) -> Run:
        assert self._running.stdin is not None
        self._running.stdin.write(f"{folder}\n")
        self._running.stdin.flush()
        said = self._answer()
        self._spent += said["spent"]
        return Run(
            self.name, said["rows"], said["spent"], said["seconds"], 0, self.idle, self._most / 2**20,
            bool(said["killed"]),
        )  # fmt: skip

    def close(self) -> float:
        """Processor time before the first run and after the last one."""
        assert self._running.stdin is not None
        self._running.stdin.close()
        if self._running.wait():
            raise SystemExit(f"{self.name}: ended with {self._running.returncode}")
        return _children_time() - self._before - self._spent - self.idle * IDLE_SECONDS


def _children_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def overheads(pool: Run, cluster: Run) -> tuple[float, float, float]:
    """What the cluster takes above the pool, as a share: of its processor time, of its time by the clock, and of its processor time if the work had lasted
    only as long as it keeps two processors busy."""
    extra = cluster.processor_seconds - pool.processor_seconds
    waited = cluster.wall_seconds - pool.processor_seconds / WORKERS
    clock = cluster.wall_seconds / pool.wall_seconds - 1
    return (
        extra / pool.processor_seconds,
        clock,
        (extra - cluster.idle_share * max(waited, 0)) / pool.processor_seconds,
    )


# ---- all of it -------------------------------------------------------------------------------------------------------
@contextmanager
def table(place: Path, rows: int, width: int) -> Iterator[tuple[Context, SecretKey]]:
    """The keys and the table."""
    context = Context(Parameters.named(SET))
    with context.keygen() as secret:
        context.public_key(secret).save(place / "public.key")
        write_table(place / "in.parquet", rows, width)
        yield context, secret


def measure(place: Path, rows: int, width: int, part_rows: int) -> tuple[dict[str, Run], dict[str, list[str]]]:
    runs, wrong = {}, {}
    with table(place, rows, width) as (context, secret):
        for name in (POOL, CLUSTER, KILL):
            served = Served(name, place, part_rows, watched=True)
            runs[name] = replace(served.run(name), start_seconds=served.close())
            wrong[name] = check(place / name, rows, width, secret, context)
            shutil.rmtree(place / name)
    return runs, wrong


def in_turn(
    place: Path, rows: int, width: int, part_rows: int, pairs: int, names: Sequence[str] = (POOL, CLUSTER, DEFAULTS),
    beside: Callable[[], object] = lambda: None,
) -> dict[str, list[Run]]:  # fmt: skip
    """So many runs of each, one after the other, after one that does not count. beside: done between them, each time."""
    runs: dict[str, list[Run]] = {name: [] for name in names}
    with table(place, rows, width), ExitStack() as ends:
        served = {name: Served(name, place, part_rows, watched=False) for name in runs}
        for one in served.values():
            ends.callback(one.close)
        for count in range(pairs + 1):
            beside()
            for name, one in served.items():
                run = one.run(f"{name}-{count}")
                shutil.rmtree(place / f"{name}-{count}")
                runs[name] += [run] if count else []
    return runs


def spread(values: Sequence[float]) -> dict[str, float]:
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": middle, "low": low, "high": high, "least": min(values), "most": max(values)}


def compared(runs: dict[str, list[Run]], chosen: argparse.Namespace) -> int:
    """Prints what in_turn has found."""
    told: dict[str, Any] = {"rows": chosen.rows, "width": chosen.width, "pairs": chosen.pairs, "bar": BAR}
    for name in (CLUSTER, DEFAULTS):
        found = [overheads(*pair) for pair in zip(runs[POOL], runs[name], strict=True)]
        # a cluster as Dask sets it misses ticks of its clocks on a busy machine: what it would take on an idle one is not known from there
        kinds = KINDS if name == CLUSTER else KINDS[:2]
        told[name] = {kind: spread([one[index] for one in found]) for index, kind in enumerate(kinds)}
        told[name]["idle_share"] = runs[name][0].idle_share
    above = [kind for kind in KINDS if told[CLUSTER][kind]["median"] > BAR]
    if chosen.json:
        print(json.dumps({**told, "runs": {name: [vars(run) for run in some] for name, some in runs.items()}}))
        return int(IF_IDLE in above)
    for name, some in runs.items():
        processor, clock = (
            spread([getattr(run, kind) for run in some]) for kind in ("processor_seconds", "wall_seconds")
        )
        print(
            f"{name:16} {chosen.rows} rows, {len(some)} runs: {processor['median']:.2f} s of processor time ({processor['least']:.2f} to "
            f"{processor['most']:.2f}), {clock['median']:.2f} s by the clock ({clock['least']:.2f} to {clock['most']:.2f})"
        )
    for name in (CLUSTER, DEFAULTS):
        parts = [
            f"{100 * one['median']:+.1f} % {kind} (half of the pairs {100 * one['low']:+.1f} to {100 * one['high']:+.1f})"
            for kind in KINDS
            if (one := told[name].get(kind))
        ]
        print(
            f"{name} above the pool: {', '.join(parts)}; without work {100 * told[name]['idle_share']:.1f} % of a processor"
        )
    print(f"bar: {100 * BAR:.0f} %: {'kept in all' if not above else 'above it ' + ' and '.join(above)}")
    return int(IF_IDLE in above)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--width", type=int, default=2048, help="numbers in a row")
    parser.add_argument("--part-rows", type=int)
    parser.add_argument("--pairs", type=int, help="how often to compare; 2 or more")
    parser.add_argument("--place", type=Path, help="folder for the files; default: a temporary one")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--run", choices=(ONE, POOL, CLUSTER, KILL, DEFAULTS), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.run:
        serve(chosen.run, chosen.place, chosen.part_rows)
        return 0
    chosen.rows = chosen.rows or (4000 if chosen.pairs else 20_000)
    chosen.part_rows = chosen.part_rows or (500 if chosen.pairs else 1024)
    with tempfile.TemporaryDirectory(dir=chosen.place) as folder:
        place = Path(folder)
        if chosen.pairs:
            return compared(in_turn(place, chosen.rows, chosen.width, chosen.part_rows, chosen.pairs), chosen)
        runs, wrong = measure(place, chosen.rows, chosen.width, chosen.part_rows)
    if chosen.json:
        print(json.dumps({"runs": {name: vars(run) for name, run in runs.items()}, "wrong": wrong}))
        return int(any(wrong.values()))
    for name, run in runs.items():
        told = "one worker killed, " if run.killed else ""
        print(
            f"{name:8} {run.rows} rows, {told}{run.processor_seconds:.1f} s of processor time in {run.wall_seconds:.1f} s "
            f"(start and end: {run.start_seconds:.1f} s), at most {run.mebibytes:.0f} MiB; lost, doubled or wrong: {len(wrong[name])}"
        )
    print("\n".join(line for found in wrong.values() for line in found[:10]), end="")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
