# SPDX-License-Identifier: Apache-2.0
"""A memory with AXI4 ports for a simulator that is driven cycle by cycle. It can be slow, and it checks its master.

Slaves differ in how they take the address and the data of a write. AXI4 allows all of these (IHI 0022, dependencies between
the channels), so a master must get along with each:
    address_first  a beat is taken only when the address of its burst was
    any            every channel takes what comes, whatever happens on the others
    together       an address is taken only in the cycle in which the first beat of its burst is
    data_first     an address is taken only when all beats of its burst were
"""

import random
from collections import deque

from rs_channels import Bundled, Channel, Taker

from ringside.sim.verilate import Simulator

PAGE, LINE = 4096, 64
OKAY, SLVERR, DECERR = 0, 2, 3
SLAVES = ("address_first", "any", "together", "data_first")


def readies(slave: str, address: bool, data: bool, *, both: bool, begun: bool, whole: bool) -> tuple[bool, bool]:
    """AWREADY and WREADY of a kind of slave. address, data: whether it would take any now. both: an address and a beat are on offer. begun: an address
    was taken whose beats are not all there; whole: all beats of a burst were, but not its address."""
    if slave == "address_first":
        return address, data and begun
    if slave == "data_first":
        return address and whole, data and not whole
    if slave == "together":
        both = both and address and data and not begun
        return both, both or (begun and data)
    return address, data


class Memory:
    """`size` bytes from `base`. A handshake happens with probability `pace`, answers come `latency` cycles later.

    `errors`: address of a beat -> its answer (of a write: the answer of its burst). slave: one of SLAVES. accepts: bursts of a
    direction that it takes before it has answered them. outstanding: bursts that the master may have without an answer.
    """

    def __init__(
        self,
        bus_bits,
        base,
        size,
        *,
        pace=1.0,
        latency=1,
        seed=1,
        outstanding=8,
        burst_bytes=1024,
        slave="address_first",
        accepts=None,
    ):
        assert slave in SLAVES
        self.beat_bytes = bus_bits // 8
        self.base = base
        self.data = bytearray(size)
        self.pace = pace
        self.latency = latency
        self.outstanding = outstanding
        self.accepts = accepts or outstanding
        self.slave = slave
        self.beats_max = min(256, burst_bytes // self.beat_bytes)
        self.errors: dict[int, int] = {}
        self.random = random.Random(seed)
        self.time = 0
        self.bursts: list[tuple[int, int]] = []  # announced: address, bytes
        self.under_way: deque[list[int]] = deque()  # address of the next beat, beats left, time of the answer
        self.beats: deque[tuple[int, int]] = deque()  # written, whose address is not there yet: data, last
        self.whole = 0  # bursts of which all beats were taken, but not the address
        self.middle = False  # the last beat that was taken is not the last of its burst
        self.answers: deque[tuple[int, int]] = deque()  # time, answer of a write
        self.without_answer = 0  # bursts
        self.peak = 0  # the most of them
        self.answer = OKAY  # answer of the burst that is being written
        self.offered: dict[str, tuple[int, ...]] = {}  # by the master, not taken
        self.inputs: dict[str, int] = {}  # what the memory drives

    def chance(self):
        return self.pace >= 1 or self.random.random() < self.pace

    def part(self, address, count):
        at = address - self.base
        assert 0 <= at <= len(self.data) - count, f"{address:x} is not in this memory"
        return slice(at, at + count)

    # ---- one cycle: drive, then sample -----------------------------------------------------------------------------
    def drive_read(self, sim: Simulator) -> None:
        last = self.inputs
        if not (last.get("rvalid_i") and not last["rready"]):  # what was offered stays until it is taken
            last = {"rvalid_i": 0, "rlast_i": self.random.getrandbits(1), "rresp_i": self.random.getrandbits(2)}
            last["rdata_i"] = self.random.getrandbits(8 * self.beat_bytes)
            if self.under_way and self.under_way[0][2] <= self.time and self.chance():
                address, left, _ = self.under_way[0]
                last["rvalid_i"] = 1
                last["rdata_i"] = int.from_bytes(self.data[self.part(address, self.beat_bytes)], "little")
                last["rresp_i"] = self.errors.get(address, OKAY)
                last["rlast_i"] = int(left == 1)
        self.inputs = last
        self.arready = self.chance() and self.without_answer < self.accepts
        sim.set(arready_i=int(self.arready), **{name: value for name, value in last.items() if name != "rready"})

    def sample_read(self, sim: Simulator) -> None:
        self.inputs["rready"] = sim.get("rready_o")
        if self.inputs["rvalid_i"] and self.inputs["rready"]:
            burst = self.under_way[0]
            burst[0] += self.beat_bytes
            burst[1] -= 1
            if not burst[1]:
                self.under_way.popleft()
                self.without_answer -= 1
        self.address(sim, "ar", self.arready)
        self.time += 1

    def drive_write(self, sim: Simulator) -> None:
        last = self.inputs
        if not (last.get("bvalid_i") and not last["bready"]):
            last = {"bvalid_i": 0, "bresp_i": self.random.getrandbits(2)}
            if self.answers and self.answers[0][0] <= self.time and self.chance():
                last = {"bvalid_i": 1, "bresp_i": self.answers[0][1]}
        self.inputs = last
        self.awready, self.wready = self.readies(sim)
        sim.set(awready_i=int(self.awready), wready_i=int(self.wready))
        sim.set(bvalid_i=last["bvalid_i"], bresp_i=last["bresp_i"])

    def readies(self, sim: Simulator) -> tuple[bool, bool]:
        """AWREADY and WREADY. A slave may look at the valids first: a master's valid must not depend on a ready."""
        address = self.chance() and self.without_answer < self.accepts
        both = bool(sim.get("awvalid_o") and sim.get("wvalid_o"))
        begun = self.middle if self.slave == "together" else bool(self.under_way)
        return readies(self.slave, address, self.chance(), both=both, begun=begun, whole=self.whole > 0)

    def sample_write(self, sim: Simulator) -> None:
        self.inputs["bready"] = sim.get("bready_o")
        if self.inputs["bvalid_i"] and self.inputs["bready"]:
            self.answers.popleft()
            self.without_answer -= 1
        if self.handshake(sim, "w", ("data", "last"), self.wready):
            self.beats.append((sim.get("wdata_o"), sim.get("wlast_o")))
            self.middle = not sim.get("wlast_o")
            self.whole += not self.middle
        self.address(sim, "aw", self.awready)
        while self.under_way and self.beats:
            self.write_beat(*self.beats.popleft())
        # beats may lead, but only those of the burst that is on offer
        ahead = self.offered["aw"][1] + 1 if "aw" in self.offered else 0
        assert len(self.beats) <= ahead, "data of a burst that is not on offer"
        self.time += 1

    def write_beat(self, data, last) -> None:
        burst = self.under_way[0]
        address = burst[0]
        self.data[self.part(address, self.beat_bytes)] = data.to_bytes(self.beat_bytes, "little")
        self.answer = max(self.answer, self.errors.get(address, OKAY))
        burst[0] += self.beat_bytes
        burst[1] -= 1
        assert last == (burst[1] == 0), "WLAST is not where AWLEN says"
        if last:
            self.whole -= 1
            self.under_way.popleft()
            self.answers.append((self.time + self.latency, self.answer))
            self.answer = OKAY

    # ---- rules -----------------------------------------------------------------------------------------------------
    def handshake(self, sim: Simulator, channel, payload, ready) -> bool:
        """Whether the master's offer is taken. An offer that was not taken before must still be there, unchanged."""
        valid = sim.get(f"{channel}valid_o")
        offer = tuple(sim.get(f"{channel}{name}_o") for name in payload) if valid else ()
        if channel in self.offered:
            assert valid, f"{channel} was withdrawn"
            assert offer == self.offered.pop(channel), f"{channel} changed while it waited"
        if valid and not ready:
            self.offered[channel] = offer
        return bool(valid and ready)

    def address(self, sim: Simulator, channel, ready) -> None:
        if not self.handshake(sim, channel, ("addr", "len", "id"), ready):
            return
        address, length, name = (sim.get(f"{channel}{field}_o") for field in ("addr", "len", "id"))
        count = (length + 1) * self.beat_bytes
        assert name == 0
        assert address % 64 == 0
        assert count % 64 == 0
        assert length + 1 <= self.beats_max
        assert address // PAGE == (address + count - 1) // PAGE, f"{address:x} + {count} crosses 4 KiB"
        self.part(address, count)
        self.bursts.append((address, count))
        self.under_way.append([address, length + 1, self.time + self.latency])
        self.without_answer += 1
        self.peak = max(self.peak, self.without_answer)
        assert self.without_answer <= self.outstanding

    def check_transfer(self, address, count, streams=1, lines=1, burst=1) -> None:
        """All bursts so far are exactly these bytes, in order, and answered. Of streams `lines` lines each, in turns, `burst` of them at a time."""
        if streams == 1:
            for start, size in self.bursts:
                assert start == address
                address += size
                count -= size
            assert count == 0
        else:
            part = count // streams
            blocks = range(address, address + part, 64 * lines)
            starts = [b + s * part + 64 * i for b in blocks for s in range(streams) for i in range(0, lines, burst)]
            assert self.bursts == [(start, 64 * burst) for start in starts]
        self.check_drained()

    def check_drained(self) -> None:
        assert not self.without_answer
        assert not self.offered
        assert not self.under_way
        assert not self.beats


class Unit:
    """A unit at a memory, cycle by cycle from start_i to done_o. Subclasses say how an instruction begins, and what happens in a cycle."""

    def __init__(self, library, bus_bits, size, seed=1, **memory):
        self.sim = Bundled(library)
        self.random = random.Random(seed)
        # around a multiple of 4 KiB, beyond 32 bits
        self.base = 0xC_0000_0000 + LINE * self.random.randrange(1 << 20)
        self.memory = Memory(bus_bits, self.base, size, seed=seed, **memory)

    def begin(self, *arguments, **options):
        raise NotImplementedError

    def cycle(self):
        """One cycle; the fault if it is the last, or None."""
        raise NotImplementedError

    def finish(self, limit=100_000):
        """Cycles until done, from that after start_i, and the fault."""
        for cycles in range(1, limit):
            fault = self.cycle()
            if fault is not None:
                assert [self.cycle() for _ in range(4)] == [None] * 4
                assert "idle_o" not in self.sim.bits or self.sim.get("idle_o")
                return cycles, fault
        raise AssertionError("never done")

    def run(self, *arguments, **options):
        self.begin(*arguments, **options)
        return self.finish()

    def address(self, count):
        """Somewhere in memory, with room for `count` bytes."""
        return self.base + LINE * self.random.randrange((len(self.memory.data) - count) // LINE)

    def put(self, address, data):
        self.memory.data[self.memory.part(address, len(data))] = data


class Port:
    """A memory behind the port `m_` of a module, whose bursts have IDs: those of one in order, of others in any. bad: lines that answer with an error.
    latency: cycles from an address, or from the last beat of a write, to its answer."""

    def __init__(
        self, memory: bytearray, beat_bytes: int, slave: str, pace: float, chance: random.Random, latency: int = 0
    ) -> None:
        assert slave in SLAVES
        self.memory, self.bytes, self.slave, self.random, self.latency = memory, beat_bytes, slave, chance, latency
        fields = ("id", "addr", "len")
        self.ar, self.aw = Taker("m_ar", fields, pace, chance), Taker("m_aw", fields, pace, chance)
        self.w = Taker("m_w", ("data", "last"), pace, chance)
        self.r, self.b = Channel("m_r", pace, chance), Channel("m_b", pace, chance)
        self.reading: list[list[int]] = []  # id, address, beats left, time, whether it has begun
        self.writing: deque[list[int]] = deque()  # id, address, beats left, response
        self.early: deque[dict[str, int]] = deque()  # beats that were taken before their address
        self.answers: deque[tuple[int, dict[str, int]]] = deque()
        self.bad: set[int] = set()
        self.time = 0

    def resp(self, address: int) -> int:
        return SLVERR if address // LINE * LINE in self.bad else OKAY

    def serve(self) -> None:
        if self.reading and not self.r.queue:
            # bursts of different IDs may come in any order
            first = {burst[0]: k for k, burst in reversed(list(enumerate(self.reading)))}
            begun = [k for k, burst in enumerate(self.reading) if burst[4]]
            burst = self.reading[begun[0] if begun else self.random.choice(list(first.values()))]
            name, address, left, due, _ = burst
            if due <= self.time:
                data = int.from_bytes(self.memory[address : address + self.bytes], "little")
                self.r.queue.append({"id": name, "data": data, "resp": self.resp(address), "last": int(left == 1)})
                burst[1:] = address + self.bytes, left - 1, due, left > 1
                if left == 1:
                    self.reading.remove(burst)
        while self.writing and self.early:
            burst, beat = self.writing[0], self.early.popleft()
            name, address, left, resp = burst
            assert beat["last"] == (left == 1)
            self.memory[address : address + self.bytes] = beat["data"].to_bytes(self.bytes, "little")
            burst[1:] = address + self.bytes, left - 1, max(resp, self.resp(address))
            if left == 1:
                self.writing.popleft()
                self.answers.append((self.time + self.latency, {"id": name, "resp": burst[3]}))
        if self.answers and not self.b.queue and self.answers[0][0] <= self.time:
            self.b.queue.append(self.answers.popleft()[1])

    def drive(self, sim: Simulator) -> None:
        """Behind all that the masters drive."""
        self.serve()
        for channel in (self.ar, self.aw, self.w, self.r, self.b):
            channel.drive(sim)
        self.aw.ready, self.w.ready = readies(
            self.slave,
            self.aw.ready,
            self.w.ready,
            both=bool(sim.get("m_awvalid") and sim.get("m_wvalid")),
            begun=bool(self.writing),
            whole=any(beat["last"] for beat in self.early),
        )
        sim.set(m_awready=int(self.aw.ready), m_wready=int(self.w.ready))

    def sample(self, sim: Simulator) -> None:
        for channel in (self.r, self.b):
            channel.sample(sim)
        if burst := self.ar.sample(sim):
            self.reading.append([burst["id"], burst["addr"], burst["len"] + 1, self.time + self.latency, 0])
        if beat := self.w.sample(sim):
            self.early.append(beat)
        if burst := self.aw.sample(sim):
            self.writing.append([burst["id"], burst["addr"], burst["len"] + 1, OKAY])
        self.time += 1
