# SPDX-License-Identifier: Apache-2.0
"""A core beside a processor with a cache: nobody sees old data, nothing stops, and what the cache cannot hold goes straight to RAM."""

from __future__ import annotations

import random

import pytest
from rs_channels import Channel, Taker
from soc_bench import simulator

BASE, SIZE, SLOT_BITS = 0x8000_0000, 1 << 14, 2
BEATS, SLOTS = 8, 1 << SLOT_BITS
READ, WRITE = ("id", "addr"), ("data", "strb", "last")
# neighbours, the ends of rows of marks and of the window, and beyond both ends
LINES = [BASE + 64 * k for k in (0, 1, 63, 64, 127, 128, 255)] + [BASE - 64, BASE + SIZE]
CLEARING = SIZE // 4096


class Side:
    """One of the two ways of the core. Answers in any order, beats of different lines mixed."""

    def __init__(self, prefix: str, pace: float, chance: random.Random) -> None:
        self.ar, self.aw = Taker(f"{prefix}_ar", READ, pace, chance), Taker(f"{prefix}_aw", READ, pace, chance)
        self.w = Taker(f"{prefix}_w", WRITE, pace, chance)
        self.r, self.b = Channel(f"{prefix}_r", pace, chance), Channel(f"{prefix}_b", pace, chance)
        self.reads: list[tuple[int, int]] = []  # id, address: asked, not looked up
        self.beats: dict[int, list[int]] = {}  # id -> data to send
        self.said: list[tuple[int, int]] = []  # writes whose data are not through
        self.data: list[int] = []
        self.writes: list[tuple[int, int, int]] = []  # id, address, value: not done
        self.done: list[tuple[int, int]] = []  # id, address: not answered
        self.ports = (self.ar, self.aw, self.w, self.r, self.b)
        self.log: list[tuple[str, int]] = []


class Bench:
    """truth: of each line, the values since it began, with the cycle. A line's value is in all of its words."""

    def __init__(self, seed: int, pace: float) -> None:
        self.sim = simulator("rs_soc_filter", {"Base": BASE, "Bytes": SIZE, "SlotBits": SLOT_BITS})
        self.random = chance = random.Random(seed)
        self.time = self.value = 0
        self.ram = dict.fromkeys(LINES, 0)
        self.truth: dict[int, list[tuple[int, int]]] = {line: [(-1, 0)] for line in LINES}
        self.cache: dict[int, int] = {}
        self.shared: set[int] = set()  # lines in it that are read only
        self.c_ar = Channel("c_ar", pace, chance)
        self.whose: list[int | None] = []  # owners of what is in its queue
        self.c_aw = Channel("c_aw", pace, chance)
        self.backs: dict[int, int] = {}  # lines that are written back, and what
        self.back_done: list[dict[str, int]] = []
        self.back_said: list[dict[str, int]] = []
        self.fetching: list[tuple[int, int | None]] = []  # address, and for which read of the port
        self.port, self.direct = Side("p", pace, chance), Side("d", pace, chance)
        self.ar, self.aw, self.w = (Channel(f"s_{name}", pace, chance) for name in ("ar", "aw", "w"))
        self.r, self.b = Taker("s_r", ("id", "data", "last"), pace, chance), Taker("s_b", ("id",), pace, chance)
        self.reading: dict[int, tuple[int, int, list[int]]] = {}  # id -> address, when asked, beats
        self.writing: dict[int, int] = {}
        self.ended = 0

    # ---- the processor ----
    def fetch(self, line: int) -> None:
        """To change it."""
        if (line not in self.cache or line in self.shared) and not self.under_way(line):
            self.c_ar.queue.append({"addr": line})
            self.whose.append(None)

    def under_way(self, line: int) -> bool:
        """The processor's own read or write."""
        waiting = [(read["addr"], who) for read, who in zip(self.c_ar.queue, self.whose, strict=True)]
        return line in self.backs or (line, None) in self.fetching or (line, None) in waiting

    def modify(self, line: int) -> None:
        if line in self.cache and line not in self.shared:
            self.cache[line] = self.fresh(line)

    def evict(self, line: int) -> None:
        if line in self.cache and not self.under_way(line):
            value = self.cache.pop(line)
            if line not in self.shared:
                self.backs[line] = value
                self.c_aw.queue.append({"id": self.random.randrange(3), "addr": line})
            self.shared.discard(line)

    def fresh(self, line: int) -> int:
        self.value += 1
        self.truth[line].append((self.time, self.value))
        return self.value

    def waits(self) -> bool:
        return self.c_ar.offered

    # ---- what both ways do ----
    def respond(self, side: Side) -> None:
        coherent = side is self.port
        free = [k for k, (_, line) in enumerate(side.reads) if not coherent or not self.under_way(line)]
        # a processor whose read waits answers nothing else: the worst case
        if free and self.random.random() < 0.3 and not (coherent and self.waits()):
            name, line = side.reads.pop(self.random.choice(free))
            if not coherent:
                side.beats[name] = [self.ram[line]] * BEATS
            else:  # what is changed goes to RAM, and from there it is read
                if line in self.cache:
                    self.ram[line] = self.cache[line]
                    self.shared.add(line)
                self.c_ar.queue.append({"addr": line})
                self.whose.append(name)
        free = [k for k, (_, line, _) in enumerate(side.writes) if not coherent or not self.under_way(line)]
        if free and self.random.random() < 0.3 and not (coherent and self.waits()):
            name, line, value = side.writes.pop(self.random.choice(free))
            if coherent:
                self.cache.pop(line, None)
                self.shared.discard(line)
            self.ram[line] = value
            self.truth[line].append((self.time, value))
            side.done.append((name, line))
        if not side.r.queue and side.beats:
            name = self.random.choice(list(side.beats))
            data = side.beats[name].pop()
            side.r.queue.append({"id": name, "data": data, "last": int(not side.beats[name]), "resp": 0})
            if not side.beats[name]:
                del side.beats[name]
        if not side.b.queue and side.done and self.random.random() < 0.5:
            side.b.queue.append({"id": side.done.pop(0)[0], "resp": 0})

    def take(self, side: Side) -> None:
        side.r.sample(self.sim)
        side.b.sample(self.sim)
        if asked := side.ar.sample(self.sim):
            side.reads.append((asked["id"], asked["addr"]))
            side.log.append(("read", asked["addr"]))
        if beat := side.w.sample(self.sim):
            assert side.said, "data before their address was taken"
            assert beat["strb"] == 255
            side.data.append(beat["data"])
            assert beat["last"] == (len(side.data) == BEATS)
            if beat["last"]:
                name, line = side.said.pop(0)
                assert len(set(side.data)) == 1, "data of different writes are mixed"
                side.writes.append((name, line, side.data[0]))
                side.data = []
        if said := side.aw.sample(self.sim):
            side.said.append((said["id"], said["addr"]))
            side.log.append(("write", said["addr"]))

    # ---- the core ----
    def read(self, line: int) -> None:
        name = next(k for k in range(SLOTS) if k not in self.reading)
        self.reading[name] = (line, self.time, [])
        self.ar.queue.append({"id": name, "addr": line})

    def write(self, line: int) -> None:
        name = next(k for k in range(SLOTS) if k not in self.writing)
        self.writing[name] = line
        self.value += 1
        self.aw.queue.append({"id": name, "addr": line})
        self.w.queue += [{"data": self.value, "strb": 255, "last": int(i == BEATS - 1)} for i in range(BEATS)]

    def check(self, line: int, since: int, found: int) -> None:
        values = self.truth[line]
        current = max(k for k, (when, _) in enumerate(values) if when < since or k == 0)
        assert found in {value for _, value in values[current:]}, f"{line:#x}: old data, {found} of {values}"

    def write_back(self) -> None:
        """RAM has the line some time after its address, and answers later still, each ID in its order."""
        sim, ready = self.sim, self.random.random() < 0.7
        if self.back_said and self.random.random() < 0.2:
            said = self.back_said.pop(0)
            self.ram[said["addr"]] = self.backs.pop(said["addr"])
            self.back_done.append(said)
        sim.set(c_awready=int(ready), c_bvalid=0)
        if self.back_done and self.random.random() < 0.3:
            done = self.back_done.pop(0)
            sim.set(c_bvalid=1, c_bready=1, c_bid=done["id"])
        self.c_aw.drive(sim)
        if self.c_aw.offered and ready:
            self.c_aw.offered = False
            self.back_said.append(self.c_aw.queue.pop(0))

    # ---- all ----
    def cycle(self) -> None:
        sim = self.sim
        self.respond(self.port)
        self.respond(self.direct)
        if self.fetching and self.random.random() < 0.3:
            line, reader = self.fetching.pop(0)
            if reader is None:
                self.cache.setdefault(line, self.ram[line])
                self.shared.discard(line)
            else:
                self.port.beats[reader] = [self.ram[line]] * BEATS
        ready = self.random.random() < 0.7
        sim.set(c_arready=int(ready))
        self.c_ar.drive(sim)
        self.write_back()
        own = (self.ar, self.aw, self.w, self.r, self.b)
        for port in (*own, *self.port.ports, *self.direct.ports):
            port.drive(sim)
        if self.c_ar.offered and ready and not sim.get("hold_o"):
            self.c_ar.offered = False
            self.fetching.append((self.c_ar.queue.pop(0)["addr"], self.whose.pop(0)))
        for channel in (self.ar, self.aw, self.w):
            channel.sample(sim)
        if beat := self.r.sample(sim):
            line, since, beats = self.reading[beat["id"]]
            beats.append(beat["data"])
            assert beat["last"] == (len(beats) == BEATS)
            if beat["last"]:
                assert len(set(beats)) == 1
                self.check(line, since, beats[0])
                del self.reading[beat["id"]]
                self.ended += 1
        if answer := self.b.sample(sim):
            del self.writing[answer["id"]]
            self.ended += 1
        self.take(self.port)
        self.take(self.direct)
        for line, value in self.cache.items():
            assert value == self.truth[line][-1][1], f"{line:#x}: the cache holds old data"
        sim.step()
        self.time += 1

    def until(self, done, limit: int = 3000) -> None:
        for _ in range(limit):
            if done():
                return
            self.cycle()
        raise AssertionError("it stopped")

    def quiet(self) -> bool:
        busy = self.reading or self.writing or self.c_ar.queue or self.fetching
        return not (busy or self.backs or self.back_done)


@pytest.mark.parametrize("pace", [1.0, 0.4])
def test_nobody_sees_old_data(pace: float) -> None:
    """Accesses of both at random, often to the same line, and none waits for ever."""
    bench = Bench(11, pace)
    chance = bench.random
    for _ in range(6000):
        line = chance.choice(LINES[:4] if chance.random() < 0.7 else LINES)
        what = chance.random()
        if what < 0.1:
            bench.fetch(line)
        elif what < 0.3:
            bench.modify(line)
        elif what < 0.4:
            bench.evict(line)
        elif what < 0.6 and len(bench.reading) < 4:
            bench.read(line)
        elif what < 0.8 and len(bench.writing) < SLOTS and line not in bench.writing.values():
            bench.write(line)
        bench.cycle()
    bench.until(bench.quiet)
    assert bench.ended > 200
    for side in (bench.port, bench.direct):
        assert {kind for kind, _ in side.log} == {"read", "write"}


def test_what_no_cache_holds_goes_to_ram() -> None:
    bench = Bench(3, 1.0)
    inside = LINES[:-2]
    for line in LINES[-2:]:  # their marks would be those of the first and the last
        bench.fetch(line)
        bench.until(bench.quiet)
    for line in inside:
        bench.read(line)
        bench.until(bench.quiet)
        bench.write(line)
        bench.until(bench.quiet)
    assert bench.port.log == []
    assert bench.direct.log == [(kind, line) for line in inside for kind in ("read", "write")]


def test_marks_come_and_go() -> None:
    """A read through the port leaves a line that is not changed, a write one that is in no cache, until the processor reads it again."""
    bench = Bench(5, 1.0)
    line, other = LINES[1], LINES[0]

    def do(*steps: tuple[str, int]) -> None:
        bench.port.log.clear()
        bench.direct.log.clear()
        for what, where in steps:
            getattr(bench, what)(where)
            bench.until(bench.quiet)
            for _ in range(4):
                bench.cycle()

    do(("fetch", line), ("modify", line), ("read", line), ("read", line), ("read", line))
    assert (bench.port.log, bench.direct.log) == ([("read", line)], [("read", line)] * 2)
    do(("write", line), ("read", line), ("write", line))
    assert (bench.port.log, bench.direct.log) == ([("write", line)], [("read", line), ("write", line)])
    do(("fetch", line), ("read", line), ("fetch", line), ("modify", line), ("read", line), ("write", other))
    assert (bench.port.log, bench.direct.log) == ([("read", line)] * 2, [("write", other)])
    do(("fetch", line), ("modify", line), ("evict", line), ("read", line), ("write", line))
    assert (bench.port.log, bench.direct.log) == ([("write", line)], [("read", line)])


def test_a_line_read_again_at_any_time_keeps_its_mark() -> None:
    """Before, while and after the core reads or writes it through the port, or the processor writes it back."""
    bench = Bench(8, 1.0)
    line = LINES[2]
    for delay in range(90):
        bench.fetch(line)
        bench.until(bench.quiet)
        bench.modify(line)
        (bench.write, bench.read, bench.evict)[delay % 3](line)
        for _ in range(delay // 3):
            bench.cycle()
        bench.until(lambda: line not in bench.backs)
        bench.fetch(line)
        bench.until(bench.quiet)
        bench.modify(line)
        bench.read(line)
        bench.until(bench.quiet)


def test_other_memory_goes_through_the_port() -> None:
    bench = Bench(6, 1.0)
    for line in LINES[-2:]:
        bench.read(line)
        bench.until(bench.quiet)
        bench.write(line)
        bench.until(bench.quiet)
    assert bench.direct.log == []
    assert len(bench.port.log) == 4


def test_nothing_passes_while_marks_are_cleared() -> None:
    bench = Bench(7, 1.0)
    bench.sim.set(c_arvalid=1, c_araddr=LINES[0], c_arready=1, s_arvalid=1, s_awvalid=1)
    held = 0
    while bench.sim.get("hold_o"):
        assert not bench.sim.get("s_arready")
        assert not bench.sim.get("s_awready")
        bench.sim.step()
        held += 1
    assert 1 <= held <= CLEARING


# ---- two masters at one RAM -----------------------------------------------------------------------------------------
def test_two_masters_at_one_ram() -> None:
    """Each gets its own answers under its own IDs; data follow the order of addresses; what RAM is offered stays."""
    chance = random.Random(9)
    sim = simulator("rs_soc_ram", {"IdBits": 4, "Depth": 4})
    fields = ("id", "addr", "len")
    m_ar, m_aw = Taker("m_ar", fields, 0.6, chance), Taker("m_aw", fields, 0.6, chance)
    m_w = Taker("m_w", ("data", "last"), 0.6, chance)
    m_r, m_b = Channel("m_r", 0.7, chance), Channel("m_b", 0.7, chance)
    width = {"id": 8, "addr": 32, "len": 8, "data": 64, "strb": 8, "last": 1}
    queues: dict[tuple[str, int], list[dict[str, int]]] = {
        (name, who): [] for name in ("ar", "aw", "w") for who in (0, 1)
    }
    offered = dict.fromkeys(queues, False)
    wanted_reads: list[list[tuple[int, int]]] = [[], []]
    wanted_writes: list[list[int]] = [[], []]
    order: list[tuple[int, int]] = []  # who, beats left
    for who in (0, 1):
        for k in range(40):
            length = chance.randrange(4)
            read = {"id": chance.randrange(16), "addr": who << 20 | k << 6, "len": length}
            queues["ar", who].append(read)
            wanted_reads[who] += [(read["id"], read["addr"] + i) for i in range(length + 1)]
            write = read | {"id": chance.randrange(16)}
            queues["aw", who].append(write)
            queues["w", who] += [
                {"data": who << 32 | k << 8 | i, "strb": 255, "last": int(i == length)} for i in range(length + 1)
            ]
            wanted_writes[who].append(write["id"])
    got_reads: list[list[tuple[int, int]]] = [[], []]
    got_writes: list[list[int]] = [[], []]
    data: list[list[int]] = [[], []]
    for _ in range(6000):
        for name in ("ar", "aw", "w"):
            values = dict.fromkeys(("valid", *(queues[name, 0] or queues[name, 1] or [{}])[0]), 0)
            for who in (0, 1):
                queue = queues[name, who]
                offered[name, who] |= bool(queue) and chance.random() < 0.5
                if offered[name, who]:
                    values["valid"] |= 1 << who
                    for field, value in queue[0].items():
                        values[field] |= value << who * width[field]
            sim.set(**{f"s_{name}{field}": value for field, value in values.items()})
        ready = {name: chance.getrandbits(2) for name in ("r", "b")}
        sim.set(s_rready=ready["r"], s_bready=ready["b"])
        for port in (m_ar, m_aw, m_w, m_r, m_b):
            port.drive(sim)
        for name in ("ar", "aw", "w"):
            taken = sim.get(f"s_{name}ready")
            for who in (0, 1):
                if offered[name, who] and taken >> who & 1:
                    offered[name, who] = False
                    queues[name, who].pop(0)
        for name, got in (("r", got_reads), ("b", got_writes)):
            seen = sim.get(f"s_{name}valid") & ready[name]
            for who in (0, 1):
                if seen >> who & 1:
                    number = sim.get(f"s_{name}id") >> 8 * who & 255
                    got[who].append((number, sim.get("s_rdata") & (1 << 64) - 1) if name == "r" else number)  # type: ignore[arg-type]
        m_r.sample(sim)
        m_b.sample(sim)
        if asked := m_ar.sample(sim):
            beats = [
                {"id": asked["id"], "data": asked["addr"] + i, "last": int(i == asked["len"]), "resp": 0}
                for i in range(asked["len"] + 1)
            ]
            m_r.queue += beats
        if beat := m_w.sample(sim):
            who, left = order[0]
            data[who].append(beat["data"])
            assert beat["data"] >> 32 == who, "data of the other master"
            assert beat["last"] == (left == 1)
            order[0] = (who, left - 1)
            if left == 1:
                order.pop(0)
        if said := m_aw.sample(sim):
            order.append((said["id"] >> 4, said["len"] + 1))
            m_b.queue.append({"id": said["id"], "resp": 0})
        sim.step()
    assert got_reads == wanted_reads
    assert got_writes == wanted_writes
    assert [len(one) for one in data] == [len(one) for one in wanted_reads]
    assert all(one == sorted(one) for one in data)
