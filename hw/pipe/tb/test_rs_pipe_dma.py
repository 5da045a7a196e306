# SPDX-License-Identifier: Apache-2.0
"""Lines of several streams between buffers and a memory that follows AXI4: every line in its place, whatever pauses, errors, clear_i."""

import random
from collections import deque

import pytest
from axi_memory import SLAVES, SLVERR, Memory
from rs_channels import Bundled, Steps
from rs_cocotb import whole

from ringside.sim import verilate

BASE, SIZE, LINE = 1 << 20, 1 << 15, 64
LINES_BITS, ADDR_BITS = 18, 64


class Bench(Steps):
    """Jobs and lines of all streams, as queues; `taken` or `given` lines in the order of their stream."""

    def __init__(self, name: str, streams: int, seed: int, pace: float, **memory: object) -> None:
        self.reads, self.streams, self.pace = name == "rs_pipe_read", streams, pace
        parameters = {"Streams": streams, "Depth": 8, "Outstanding": 16}
        self.sim = Bundled(verilate.build(name, whole(name), parameters))
        self.random = random.Random(seed)
        self.memory = Memory(8 * LINE, BASE, SIZE, pace=pace, seed=seed, outstanding=16, **memory)
        self.memory.data[:] = self.random.randbytes(SIZE)
        self.jobs: list[deque[tuple[int, int]]] = [deque() for _ in range(streams)]
        self.lines: list[list[bytes]] = [[] for _ in range(streams)]  # read; or to be written
        self.given = [0] * streams
        self.errors, self.lie = 0, {}
        if self.reads:
            self.sim.set(wipe_i=0)
        self.sim.set(rst_ni=0, clear_i=0, job_valid_i=0, **({"line_ready_i": 0} if self.reads else {"line_valid_i": 0}))
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.offer = [False] * streams
        self.feed = pace  # pace of lines that are to be written

    def chance(self) -> bool:
        return self.pace >= 1 or self.random.random() < self.pace

    def packed(self, values: list[int], bits: int) -> int:
        return sum((value & (1 << bits) - 1) << bits * s for s, value in enumerate(values))

    def cycle(self, clear: bool = False) -> None:
        sim, streams = self.sim, range(self.streams)
        sim.set(clear_i=int(clear))
        jobs = [queue[0] if queue else (0, 0) for queue in self.jobs]
        sim.set(job_valid_i=self.packed([int(bool(queue)) for queue in self.jobs], 1))
        sim.set(job_addr_i=self.packed([at for at, _ in jobs], ADDR_BITS))
        sim.set(job_lines_i=self.packed([count for _, count in jobs], LINES_BITS))
        if self.reads:
            ready = [self.chance() for _ in streams]
            sim.set(line_ready_i=self.packed([int(r) for r in ready], 1))
            self.memory.drive_read(sim)
            sim.set(rid_i=0)
        else:
            self.offer = [
                self.given[s] < len(self.lines[s]) and (self.offer[s] or self.random.random() < self.feed)
                for s in streams
            ]
            heads = [self.lines[s][self.given[s]] if self.offer[s] else b"" for s in streams]
            sim.set(line_valid_i=self.packed([int(o) for o in self.offer], 1))
            sim.set(line_i=self.packed([int.from_bytes(head, "little") for head in heads], 8 * LINE))
            self.memory.drive_write(sim)
            sim.set(bid_i=0)
        if self.memory.inputs.get("rvalid_i" if self.reads else "bvalid_i") and self.random.random() < 0.2:
            sim.set(**self.lie)
            self.lie = {}
        job_ready = sim.get("job_ready_o")
        for s in streams:
            if self.jobs[s] and job_ready >> s & 1:
                self.jobs[s].popleft()
        if self.reads:
            valid, lines = sim.get("line_valid_o"), sim.get("line_o")
            for s in streams:
                if ready[s] and valid >> s & 1:
                    self.lines[s].append((lines >> 8 * LINE * s & (1 << 8 * LINE) - 1).to_bytes(LINE, "little"))
        else:
            taken = sim.get("line_ready_o")
            for s in streams:
                if self.offer[s] and taken >> s & 1:
                    self.given[s] += 1
                    self.offer[s] = False
        self.errors += sim.get("error_o")
        if self.reads:
            self.memory.sample_read(sim)
        else:
            self.memory.sample_write(sim)
        sim.step()

    def idle(self) -> bool:
        return bool(self.sim.get("idle_o")) and not any(self.jobs)

    def order(self, stream: int, jobs: int) -> list[tuple[int, int]]:
        """Random jobs of a stream, in a part of memory of its own."""
        part = SIZE // self.streams // LINE
        at, found = part * stream, []
        for k in range(jobs):
            count = self.random.choice([1, 1, 2, 3, 9, 20])
            count = min(count, part * (stream + 1) - at - (jobs - k))
            found.append((BASE + LINE * at, count))
            at += count + self.random.randrange(2) * (part * (stream + 1) - at - count > 30 * (jobs - k))
        self.jobs[stream].extend(found)
        return found

    def bytes_of(self, jobs: list[tuple[int, int]]) -> list[bytes]:
        return [
            bytes(self.memory.data[self.memory.part(at + LINE * i, LINE)]) for at, count in jobs for i in range(count)
        ]


CASES = [
    (2, 1.0), (5, 0.6), (3, 0.7), pytest.param(1, 0.8, marks=pytest.mark.soak),
    pytest.param(6, 0.5, marks=pytest.mark.soak),
]  # fmt: skip


@pytest.mark.parametrize(("streams", "pace"), CASES)
@pytest.mark.alike(3, by="streams")
def test_reads(streams: int, pace: float) -> None:
    bench = Bench("rs_pipe_read", streams, streams, pace, latency=9)
    jobs = [bench.order(s, 6) for s in range(streams)]
    wanted = [bench.bytes_of(found) for found in jobs]
    bench.memory.errors[jobs[-1][2][0]] = SLVERR
    bench.run(lambda: bench.lines == wanted and bench.idle())
    assert bench.errors == 1
    bench.memory.check_drained()


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.parametrize(("streams", "pace"), CASES)
@pytest.mark.alike(3, by="streams")
def test_writes(streams: int, pace: float, slave: str) -> None:
    bench = Bench("rs_pipe_write", streams, streams, pace, latency=9, slave=slave)
    bench.feed = 0.2 if slave == "any" else 1  # lines are rare, or memory is slow
    jobs = [bench.order(s, 5) for s in range(streams)]
    memory = bytearray(bench.memory.data)
    for s in range(streams):
        for at, count in jobs[s]:
            for i in range(count):
                line = bench.random.randbytes(LINE)
                bench.lines[s].append(line)
                memory[at - BASE + LINE * i : at - BASE + LINE * (i + 1)] = line
    bench.memory.errors[jobs[0][1][0]] = SLVERR
    bench.run(lambda: bench.given == [len(lines) for lines in bench.lines] and bench.idle())
    assert bench.memory.data == memory
    assert bench.errors == 1
    bench.memory.check_drained()


@pytest.mark.parametrize(
    ("name", "lie"), [("rs_pipe_read", {"rid_i": 4}), ("rs_pipe_read", {"rlast_i": 0}), ("rs_pipe_write", {"bid_i": 8})]
)
def test_a_wrong_answer(name: str, lie: dict[str, int]) -> None:
    bench = Bench(name, 2, 3, 1.0, latency=5)
    jobs = [bench.order(s, 4) for s in range(2)]
    if not bench.reads:
        bench.lines = [[bench.random.randbytes(LINE) for _ in range(sum(n for _, n in found))] for found in jobs]
    bench.lie = lie
    bench.run(bench.idle)
    assert not bench.lie
    assert bench.errors == 1


@pytest.mark.parametrize("name", ["rs_pipe_read", "rs_pipe_write"])
def test_a_line_per_cycle(name: str) -> None:
    """Jobs that follow each other, a memory far away: no cycle without a line once the first is there."""
    bench = Bench(name, 2, 1, 1.0, latency=12)
    count = 100
    for s in range(2):
        bench.jobs[s].extend((BASE + LINE * (200 * s + 25 * k), 25) for k in range(4))
        if not bench.reads:
            bench.lines[s] = [bench.random.randbytes(LINE) for _ in range(count)]
    cycles = bench.run(
        lambda: bench.idle() and (not bench.reads or [len(lines) for lines in bench.lines] == [count] * 2)
    )
    assert 2 * count <= cycles <= 2 * count + 30


@pytest.mark.parametrize("after", [0, 3, 11, 40])
@pytest.mark.parametrize("name", ["rs_pipe_read", "rs_pipe_write"])
def test_clear(name: str, after: int) -> None:
    """What was under way drains by itself, nothing of it comes later, and the next jobs are right."""
    bench = Bench(name, 3, after, 0.7, latency=15)
    for s in range(3):
        bench.order(s, 5)
        if not bench.reads:
            bench.lines[s] = [bench.random.randbytes(LINE) for _ in range(80)]
    bench.run(lambda: bench.memory.time == after)
    announced = len(bench.memory.bursts) + bench.sim.get("arvalid_o" if bench.reads else "awvalid_o")
    for queue in bench.jobs:
        queue.clear()
    if not bench.reads:
        bench.lines, bench.given, bench.offer = [[] for _ in range(3)], [0] * 3, [False] * 3
    bench.cycle(clear=True)
    assert bench.run(bench.idle) < 300
    assert len(bench.memory.bursts) <= announced
    bench.memory.check_drained()
    bench.lines = [[] for _ in range(3)]
    jobs = [bench.order(s, 3) for s in range(3)]
    if bench.reads:
        wanted = [bench.bytes_of(found) for found in jobs]
        bench.run(lambda: bench.lines == wanted and bench.idle())
    else:
        bench.lines = [[bench.random.randbytes(LINE) for _ in range(sum(n for _, n in found))] for found in jobs]
        bench.run(lambda: bench.given == [len(lines) for lines in bench.lines] and bench.idle())
        assert [bench.bytes_of(found) for found in jobs] == bench.lines


def test_wipe() -> None:
    """What a buffer shows when it is empty is what its rows keep: lines that were taken, and after a wipe zeros."""
    bench = Bench("rs_pipe_read", 2, 1, 1.0, latency=3)
    for s in range(2):
        bench.order(s, 4)
    bench.run(lambda: bench.idle() and not bench.sim.get("line_valid_o"))
    assert bench.sim.get("line_o")
    bench.sim.set(wipe_i=1)
    bench.sim.step(8)
    bench.sim.set(wipe_i=0)
    for _ in range(8):  # every row of each
        assert not bench.sim.get("line_o")
        for s in range(2):
            bench.jobs[s].append((BASE + LINE * (s + 1), 1))
        bench.memory.data[:] = bytes(SIZE)
        bench.run(lambda: bench.idle() and not bench.sim.get("line_valid_o"))


def test_lines_that_come_after_a_wipe_leave_nothing() -> None:
    bench = Bench("rs_pipe_read", 2, 1, 1.0, latency=30)
    for s in range(2):
        bench.order(s, 4)
    bench.run(lambda: len(bench.memory.bursts) > 8)
    for queue in bench.jobs:
        queue.clear()
    bench.cycle(clear=True)
    bench.sim.set(wipe_i=1)
    for _ in range(8):
        bench.cycle()
    bench.sim.set(wipe_i=0)
    assert bench.memory.without_answer
    bench.run(bench.idle)
    assert not bench.sim.get("line_o")
