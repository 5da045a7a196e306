# SPDX-License-Identifier: Apache-2.0
"""Two masters on one port: each gets its own answers, data follow their addresses, and neither holds the other up for ever."""

import random

import pytest
from axi_memory import LINE, SLAVES, Port
from rs_channels import Bundled, Channel, Steps, Taker
from rs_cocotb import whole

from ringside.sim import verilate

SIZE, ADDRESS_BITS, ID_BITS = 1 << 13, 64, 4


class Shared(Bundled):
    """The data of reads pass the module by."""

    rdata = 0

    def set(self, **values: int) -> None:
        self.rdata = values.pop("m_rdata", self.rdata)
        super().set(**values)

    def get(self, name: str) -> int:
        return self.rdata if name == "s_rdata" else super().get(name)


class Side:
    """One bit of each of the module's ports: what a master of two sees."""

    def __init__(self, sim: Shared, number: int, widths: dict[str, int]) -> None:
        self.sim, self.number, self.widths = sim, number, widths

    def set(self, **values: int) -> None:
        for name, value in values.items():
            width = self.widths.get(name, 1)
            mask = (1 << width) - 1
            whole = self.sim.driven.get(name, 0) & ~(mask << width * self.number)
            self.sim.driven[name] = whole | (value & mask) << width * self.number
            self.sim.set(**{name: self.sim.driven[name]})

    def get(self, name: str) -> int:
        found = self.sim.get(name)
        if name == "s_rdata":  # one for both
            return found
        width = self.widths.get(name, 1)
        return found >> width * self.number & (1 << width) - 1


class Bench(Steps):
    def __init__(self, bus_bits: int, slave: str, pace: float, seed: int, reads: int = 2) -> None:
        parameters = {"BusBits": bus_bits, "Writes": 4, "Reads": reads}
        self.sim = Shared(verilate.build("rs_axi_share", whole("rs_axi_share"), parameters))
        self.random = chance = random.Random(seed)
        self.bytes = bus_bits // 8
        self.beats = LINE // self.bytes
        widths = {
            f"s_{ch}{name}": bits
            for ch in ("ar", "aw")
            for name, bits in (("id", ID_BITS), ("addr", ADDRESS_BITS), ("len", 8))
        }
        widths |= {"s_wdata": bus_bits, "s_rid": ID_BITS, "s_bid": ID_BITS, "s_rresp": 2, "s_bresp": 2}
        self.sides = [Side(self.sim, i, widths) for i in range(2)]
        for name in ("ar", "aw", "w"):
            self.sim.set(**{f"s_{name}valid": 0})
        self.sim.set(rst_ni=0, m_rvalid=0, m_bvalid=0)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.memory = bytearray(chance.randbytes(SIZE))
        self.masters = [{name: Channel(f"s_{name}", pace, chance) for name in ("ar", "aw", "w")} for _ in range(2)]
        self.takers = [
            {
                "r": Taker("s_r", ("id", "data", "resp", "last"), pace, chance),
                "b": Taker("s_b", ("id", "resp"), pace, chance),
            }
            for _ in range(2)
        ]
        self.port = Port(self.memory, self.bytes, slave, pace, chance)
        self.got: list[list[dict[str, int]]] = [[], []]
        self.said: list[list[dict[str, int]]] = [[], []]

    def cycle(self) -> None:
        sim = self.sim
        for side, master, taker in zip(self.sides, self.masters, self.takers, strict=True):
            for channel in (*master.values(), *taker.values()):
                channel.drive(side)
        self.port.drive(sim)
        for side, master, taker, got, said in zip(
            self.sides, self.masters, self.takers, self.got, self.said, strict=True
        ):
            for channel in master.values():
                channel.sample(side)
            if beat := taker["r"].sample(side):
                got.append(beat)
            if answer := taker["b"].sample(side):
                said.append(answer)
        self.port.sample(sim)
        sim.step()


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.parametrize(("bus_bits", "pace"), [(512, 1.0), (128, 0.6), pytest.param(64, 0.8, marks=pytest.mark.soak)])
def test_two_masters(bus_bits: int, pace: float, slave: str) -> None:
    bench = Bench(bus_bits, slave, pace, bus_bits)
    chance = bench.random
    half = SIZE // 2
    bench.port.bad = {LINE * chance.randrange(SIZE // LINE) for _ in range(20)}
    before, memory = bytes(bench.memory), bytearray(bench.memory)
    reads: list[list[dict[str, int]]] = [[], []]
    writes: list[list[dict[str, int]]] = [[], []]
    for i in range(2):
        master = bench.masters[i]
        for at in range(LINE * i, half, 2 * LINE):
            master["ar"].queue.append({"id": i, "addr": at, "len": bench.beats - 1})
            for k in range(bench.beats):
                part = at + bench.bytes * k
                data = int.from_bytes(before[part : part + bench.bytes], "little")
                reads[i].append(
                    {"id": i, "data": data, "resp": bench.port.resp(part), "last": int(k == bench.beats - 1)}
                )
        for at in range(half + LINE * i, SIZE, 2 * LINE):
            master["aw"].queue.append({"id": 2 + i, "addr": at, "len": bench.beats - 1})
            line = chance.randbytes(LINE)
            memory[at : at + LINE] = line
            for k in range(bench.beats):
                data = int.from_bytes(line[bench.bytes * k : bench.bytes * (k + 1)], "little")
                last = int(k == bench.beats - 1)
                master["w"].queue.append({"data": data, "last": last})
            writes[i].append({"id": 2 + i, "resp": bench.port.resp(at)})
    bench.run(lambda: bench.got == reads and bench.said == writes)
    assert bench.memory == memory


def test_a_master_that_gives_no_data_holds_up_no_reads() -> None:
    bench = Bench(512, "any", 1.0, 1)
    bench.masters[0]["aw"].queue.append({"id": 0, "addr": 0, "len": 0})
    bench.masters[1]["ar"].queue.extend({"id": 1, "addr": LINE * k, "len": 0} for k in range(8))
    bench.run(lambda: len(bench.got[1]) == 8, limit=100)
    assert not bench.said[0]


@pytest.mark.parametrize("reads", [2, 4])
def test_turns(reads: int) -> None:
    """Two masters always want: the first gets one address of so many."""
    bench = Bench(512, "any", 1.0, 2, reads)
    for i in range(2):
        bench.masters[i]["ar"].queue.extend({"id": 0, "addr": LINE * k, "len": 0} for k in range(100))
    first, second = (bench.masters[i]["ar"].queue for i in range(2))
    bench.run(lambda: len(first) == 80, limit=200)
    assert 20 * (reads - 1) - reads <= 100 - len(second) <= 20 * (reads - 1)
