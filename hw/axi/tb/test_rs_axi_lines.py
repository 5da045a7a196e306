# SPDX-License-Identifier: Apache-2.0
"""Bursts become lines with IDs of their own; answers in any order come back in the units'; waits and errors in every place."""

import random
from collections import deque

import pytest
from axi_memory import LINE, SLAVES, readies
from rs_channels import DECERR, OKAY, SLVERR, Bundled, Channel, Steps, Taker
from rs_cocotb import whole

from ringside.sim import verilate

SIZE = 1 << 14
READ = ("id", "data", "resp", "last")
ADDRESS = ("id", "addr", "len")


class Bench(Steps):
    """The units on one side; on the other a port that answers lines in any order, beats of different lines mixed."""

    def __init__(
        self, bus_bits: int, port_bits: int, lines: int, seed: int, pace: float, slave: str = "address_first"
    ) -> None:
        parameters = {"BusBits": bus_bits, "PortBits": port_bits, "Lines": lines}
        self.sim = Bundled(verilate.build("rs_axi_lines", whole("rs_axi_lines"), parameters))
        self.slave = slave
        self.sim.set(rst_ni=0)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.random = chance = random.Random(seed)
        self.bus_bytes, self.port_bytes, self.lines = bus_bits // 8, port_bits // 8, lines
        self.beats = LINE // self.port_bytes  # beats of a line
        self.memory = bytearray(chance.randbytes(SIZE))
        self.errors: dict[int, int] = {}  # by address of 8 bytes
        self.ar, self.aw, self.w = (Channel(f"s_{name}", pace, chance) for name in ("ar", "aw", "w"))
        self.r, self.b = Taker("s_r", READ, pace, chance), Taker("s_b", ("id", "resp"), pace, chance)
        self.m_ar, self.m_aw = (Taker(f"m_{name}", ADDRESS, pace, chance) for name in ("ar", "aw"))
        self.m_w = Taker("m_w", ("data", "last"), pace, chance)
        self.m_r, self.m_b = Channel("m_r", pace, chance), Channel("m_b", pace, chance)
        self.reading: dict[int, tuple[int, int]] = {}  # id -> address of the next beat, beats left
        self.writing: list[list[int]] = []  # id, address, beats left, response
        self.early: deque[dict[str, int]] = deque()  # beats that were taken before their address
        self.written: dict[int, int] = {}  # id -> response, not answered yet
        self.peak = 0
        self.got: list[dict[str, int]] = []
        self.answers: list[dict[str, int]] = []

    def respond(self) -> None:
        if not self.m_r.queue and self.reading and self.random.random() < 0.9:
            name = self.random.choice(list(self.reading))
            address, left = self.reading.pop(name)
            if left > 1:
                self.reading[name] = address + self.port_bytes, left - 1
            data = int.from_bytes(self.memory[address : address + self.port_bytes], "little")
            self.m_r.queue.append(
                {"id": name, "data": data, "resp": self.response(address, self.port_bytes), "last": int(left == 1)}
            )
        if not self.m_b.queue and self.written and self.random.random() < 0.5:
            name = self.random.choice(list(self.written))
            self.m_b.queue.append({"id": name, "resp": self.written.pop(name)})

    def cycle(self) -> None:
        sim = self.sim
        self.respond()
        for port in (self.ar, self.aw, self.w, self.r, self.b, self.m_ar, self.m_aw, self.m_w, self.m_r, self.m_b):
            port.drive(sim)
        self.m_aw.ready, self.m_w.ready = readies(
            self.slave,
            self.m_aw.ready,
            self.m_w.ready,
            both=bool(sim.get("m_awvalid") and sim.get("m_wvalid")),
            begun=bool(self.writing),
            whole=any(beat["last"] for beat in self.early),
        )
        sim.set(m_awready=int(self.m_aw.ready), m_wready=int(self.m_w.ready))
        for port in (self.ar, self.aw, self.w, self.m_r, self.m_b):
            port.sample(sim)
        if beat := self.r.sample(sim):
            self.got.append(beat)
        if answer := self.b.sample(sim):
            self.answers.append(answer)
        if line := self.m_ar.sample(sim):
            self.check_line(line)
            assert line["id"] not in self.reading
            self.reading[line["id"]] = line["addr"], self.beats
            self.peak = max(self.peak, len(self.reading))
        if beat := self.m_w.sample(sim):
            self.early.append(beat)
        if line := self.m_aw.sample(sim):
            self.check_line(line)
            self.writing.append([line["id"], line["addr"], self.beats, OKAY])
        while self.writing and self.early:
            self.write(self.early.popleft())
        sim.step()

    def check_line(self, line: dict[str, int]) -> None:
        assert line["len"] == self.beats - 1
        assert line["addr"] % LINE == 0
        assert line["id"] < self.lines

    def write(self, beat: dict[str, int]) -> None:
        name, address, left, _ = line = self.writing[0]
        self.memory[address : address + self.port_bytes] = beat["data"].to_bytes(self.port_bytes, "little")
        line[1], line[2] = address + self.port_bytes, left - 1
        line[3] |= self.response(address, self.port_bytes)
        assert beat["last"] == (left == 1)
        if left == 1:
            assert name not in self.written
            self.written[name] = line[3]
            self.writing.pop(0)

    def response(self, address: int, size: int) -> int:
        found = OKAY
        for part in range(address, address + size, 8):
            found |= self.errors.get(part, OKAY)
        return found

    def burst(self, lines: int) -> tuple[int, int, int]:
        """id, address, beats; not across 4 KiB."""
        page = self.random.randrange(SIZE // 4096)
        address = 4096 * page + LINE * self.random.randrange(4096 // LINE - lines + 1)
        return self.random.randrange(16), address, lines * LINE // self.bus_bytes

    def expected(self, name: int, address: int, beats: int, memory: bytes) -> list[dict[str, int]]:
        found = []
        for i in range(beats):
            at = address + i * self.bus_bytes
            resp = self.response(at, self.bus_bytes)
            data = int.from_bytes(memory[at : at + self.bus_bytes], "little")
            found.append({"id": name, "data": data, "resp": resp, "last": int(i == beats - 1)})
        return found


# one width and others, a line in one beat and in several, no waits and many
CASES = [
    (64, 64, 8, 1.0), (64, 64, 8, 0.6), (512, 64, 16, 0.8), (128, 128, 2, 0.5),
    pytest.param(512, 512, 4, 0.7, marks=pytest.mark.soak), pytest.param(256, 128, 8, 0.7, marks=pytest.mark.soak),
]  # fmt: skip
SIZES = ("bus_bits", "port_bits", "lines", "pace")


@pytest.mark.parametrize(SIZES, CASES, ids=str)
def test_reads(bus_bits: int, port_bits: int, lines: int, pace: float) -> None:
    bench = Bench(bus_bits, port_bits, lines, bus_bits + lines, pace)
    bench.errors = {8 * bench.random.randrange(SIZE // 8): bench.random.choice([SLVERR, DECERR]) for _ in range(40)}
    wanted = []
    for count in (1, 2, 16, 1, 7, 3):
        name, address, beats = bench.burst(count)
        bench.ar.queue.append({"id": name, "addr": address, "len": beats - 1})
        wanted += bench.expected(name, address, beats, bench.memory)
    bench.run(lambda: len(bench.got) == len(wanted))
    assert bench.got == wanted
    assert any(beat["resp"] for beat in wanted)
    if pace == 1:
        assert bench.peak == lines, "lines are not under way together"


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.parametrize(SIZES, CASES, ids=str)
def test_writes(bus_bits: int, port_bits: int, lines: int, pace: float, slave: str) -> None:
    bench = Bench(bus_bits, port_bits, lines, bus_bits + lines, pace, slave)
    bench.errors = {8 * bench.random.randrange(SIZE // 8): bench.random.choice([SLVERR, DECERR]) for _ in range(40)}
    if pace < 1:
        bench.b.pace = 0.1  # the unit is slow to take answers, while those of later bursts come
    wanted, memory = [], bytearray(bench.memory)
    for count in (1, 1, 1, 16, 2, 1, 1, 5, 3):
        name, address, beats = bench.burst(count)
        bench.aw.queue.append({"id": name, "addr": address, "len": beats - 1})
        resp = 0
        for i in range(beats):
            at = address + i * bench.bus_bytes
            memory[at : at + bench.bus_bytes] = data = bench.random.randbytes(bench.bus_bytes)
            bench.w.queue.append({"data": int.from_bytes(data, "little"), "last": int(i == beats - 1)})
            resp |= bench.response(at, bench.bus_bytes)
        wanted.append({"id": name, "resp": resp})
    bench.run(lambda: len(bench.answers) == len(wanted))
    assert bench.answers == wanted
    assert bench.memory == memory
    assert {answer["resp"] for answer in wanted} > {OKAY}


def test_reads_and_writes_do_not_wait_for_each_other() -> None:
    bench = Bench(64, 64, 8, 3, 0.7)
    _, address, beats = bench.burst(4)
    bench.ar.queue.append({"id": 5, "addr": address, "len": beats - 1})
    wanted = bench.expected(5, address, beats, bench.memory)
    other = (address + 4096) % SIZE
    bench.aw.queue.append({"id": 6, "addr": other, "len": beats - 1})  # and its data never come
    bench.run(lambda: len(bench.got) == beats)
    assert bench.got == wanted
    assert bench.answers == []


def test_one_beat_each_cycle() -> None:
    """A full-speed port: a page in little more cycles than beats."""
    bench = Bench(64, 64, 8, 1, 1.0)
    bench.respond = lambda: None  # type: ignore[method-assign]
    bench.ar.queue.append({"id": 0, "addr": 0, "len": 255})
    bench.ar.queue.append({"id": 0, "addr": 4096, "len": 255})
    cycles, order = 0, []
    while len(bench.got) < 512:
        order += [name for name in bench.reading if name not in order]
        if order and not bench.m_r.queue:
            address, left = bench.reading.pop(order[0])
            data = int.from_bytes(bench.memory[address : address + 8], "little")
            bench.m_r.queue.append({"id": order[0], "data": data, "resp": 0, "last": int(left == 1)})
            if left > 1:
                bench.reading[order[0]] = address + 8, left - 1
            else:
                order.pop(0)
        bench.cycle()
        cycles += 1
    assert cycles <= 512 + 20


def test_answers_that_are_wrong() -> None:
    """Another ID, or RLAST at another place: the units get an error."""
    bench = Bench(64, 64, 8, 5, 1.0)
    respond, count = bench.respond, 0

    def lie() -> None:
        nonlocal count
        respond()
        if bench.m_r.queue and not bench.m_r.offered:
            count += 1
            beat = bench.m_r.queue[0]
            beat["last"] ^= count == 9
            beat["id"] |= 8 * (count == 20)

    bench.respond = lie  # type: ignore[method-assign]
    bench.ar.queue.append({"id": 0, "addr": 0, "len": 31})
    bench.run(lambda: len(bench.got) == 32)
    assert sum(beat["resp"] != OKAY for beat in bench.got) == 2
