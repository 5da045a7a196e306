# SPDX-License-Identifier: Apache-2.0
"""A processor's way to registers: bursts to single accesses, slaves by address, the board's ROM, console, end and clock."""

from __future__ import annotations

import random

import pytest
from rs_channels import DECERR, OKAY, SLVERR, Channel, Taker
from soc_bench import simulator

PACES = [1.0, 0.5]
READ, WRITE_ANSWER = ("data", "resp"), ("resp",)


def answer_of(address: int) -> int:
    """An error beyond 4 KiB, and before it for one half of some pairs of words."""
    return SLVERR if address >> 12 or address % 32 in (8, 20) else OKAY


class Registers:
    """8 KiB behind AXI4-Lite, and the accesses in order."""

    def __init__(self, pace: float, chance: random.Random) -> None:
        self.m_ar = Taker("m_ar", ("addr",), pace, chance)
        self.m_aw, self.m_w = Taker("m_aw", ("addr",), pace, chance), Taker("m_w", ("data", "strb"), pace, chance)
        self.m_r, self.m_b = Channel("m_r", pace, chance), Channel("m_b", pace, chance)
        self.words = {address: chance.getrandbits(32) for address in range(0, 1 << 13, 4)}
        self.log: list[tuple[str, int, int]] = []
        self.address: int | None = None
        self.data: dict[str, int] | None = None

    def drive(self, sim) -> None:
        for port in (self.m_ar, self.m_aw, self.m_w, self.m_r, self.m_b):
            port.drive(sim)

    def sample(self, sim) -> None:
        self.m_r.sample(sim)
        self.m_b.sample(sim)
        if asked := self.m_ar.sample(sim):
            address = asked["addr"]
            self.log.append(("read", address, 0))
            self.m_r.queue.append({"data": self.words[address], "resp": answer_of(address)})
        if given := self.m_aw.sample(sim):
            assert self.address is None
            self.address = given["addr"]
        if given := self.m_w.sample(sim):
            assert self.data is None
            self.data = given
        if self.address is not None and self.data is not None:
            old, new, strobes = self.words[self.address], self.data["data"], self.data["strb"]
            mask = sum(255 << 8 * i for i in range(4) if strobes >> i & 1)
            self.words[self.address] = old & ~mask | new & mask
            self.log.append(("write", self.address, strobes))
            self.m_b.queue.append({"resp": answer_of(self.address)})
            self.address = self.data = None


@pytest.mark.parametrize("pace", PACES)
def test_axi_lite(pace: float) -> None:
    """Reads and writes of every size, single and in bursts: the accesses that they become, the data, the worst response."""
    chance = random.Random(7)
    sim = simulator("rs_soc_axi_lite")
    registers = Registers(pace, chance)
    ar, aw, w = (Channel(f"s_{name}", pace, chance) for name in ("ar", "aw", "w"))
    r, b = Taker("s_r", ("id", "data", "resp", "last"), pace, chance), Taker("s_b", ("id", "resp"), pace, chance)

    def run(done) -> None:
        for _ in range(5000):
            if done():
                return
            for port in (ar, aw, w, r, b):
                port.drive(sim)
            registers.drive(sim)
            for port in (ar, aw, w):
                port.sample(sim)
            if beat := r.sample(sim):
                beats.append(beat)
            if answer := b.sample(sim):
                answers.append(answer)
            registers.sample(sim)
            sim.step()
        raise AssertionError("never done")

    def check(done) -> None:
        run(done)
        assert registers.log == wanted_log

    for number in range(32):
        beats: list[dict[str, int]] = []
        answers: list[dict[str, int]] = []
        registers.log.clear()
        size, count = chance.choice([2, 2, 3, 3, 0, 1]), chance.choice([1, 1, 2, 8])
        address = chance.choice([0x100, 0x1100, 0xFF8 if count > 1 else 0x40]) + (1 << size) * chance.randrange(2)
        places = [address + i * (1 << size) for i in range(count)]
        name = chance.randrange(16)
        wanted_log: list[tuple[str, int, int]] = []
        if number % 2:
            ar.queue.append({"id": name, "addr": address, "len": count - 1, "size": size})
            wanted = []
            for i, place in enumerate(places):
                low = place & ~7 if size == 3 else place & ~3
                parts = [low, low + 4] if size == 3 else [low]
                wanted_log += [("read", part, 0) for part in parts]
                halves = [registers.words[part] for part in parts]
                data = halves[0] | halves[-1] << 32
                resp = max(map(answer_of, parts))
                wanted.append({"id": name, "data": data, "resp": resp, "last": int(i == count - 1)})
            check(lambda: len(beats) == count)  # noqa: B023
            assert beats == wanted
            continue
        aw.queue.append({"id": name, "addr": address, "size": size})
        resp, memory = OKAY, dict(registers.words)
        for i, place in enumerate(places):
            data = chance.getrandbits(64)
            strobes = ((1 << (1 << size)) - 1) << place % 8 & (255 if size == 3 else chance.choice([255, 255, 0]))
            w.queue.append({"data": data, "strb": strobes, "last": int(i == count - 1)})
            for half in (0, 1):
                part, bits = (place & ~7) + 4 * half, strobes >> 4 * half & 15
                if not bits:
                    continue
                wanted_log.append(("write", part, bits))
                mask = sum(255 << 8 * k for k in range(4) if bits >> k & 1)
                memory[part] = memory[part] & ~mask | data >> 32 * half & mask
                resp |= answer_of(part)
        check(lambda: answers)  # noqa: B023
        assert answers == [{"id": name, "resp": resp}]
        assert registers.words == memory


def lite(sim, *, read: int | None = None, write: int | None = None, limit: int = 20):
    """One access at a slave port: (data, resp) or resp."""
    if read is not None:
        sim.set(s_arvalid=1, s_araddr=read, s_rready=1)
        for _ in range(limit):
            taken, done = sim.get("s_arready"), sim.get("s_rvalid")
            found = sim.get("s_rdata"), sim.get("s_rresp")
            sim.step()
            if taken:
                sim.set(s_arvalid=0)
            if done:
                return found
        raise AssertionError("no answer")
    assert write is not None
    sim.set(s_awvalid=1, s_wvalid=1, s_awaddr=write, s_bready=1)
    for _ in range(limit):
        address, data, done = sim.get("s_awready"), sim.get("s_wready"), sim.get("s_bvalid")
        resp = sim.get("s_bresp")
        sim.step()
        if address:
            sim.set(s_awvalid=0)
        if data:
            sim.set(s_wvalid=0)
        if done:
            return resp
    raise AssertionError("no answer")


def test_split() -> None:
    """An access goes to the slave of its address and to no other; where there is none it ends in DECERR, and the next one works."""
    bases, masks = (0x4000_0000, 0x1000_0000), (0x7FFF_F000, 0x7FFF_E000)

    def packed(values: tuple[int, int]) -> str:
        return f"62'h{values[0] << 31 | values[1]:x}"

    parameters = {"Slaves": 2, "Bases": packed(bases), "Masks": packed(masks)}
    sim = simulator("rs_soc_lite_split", parameters, ["rs_soc_lite_error"])
    sim.set(m_rdata=0xAAAA_AAAA << 32 | 0xBBBB_BBBB, m_rresp=0b1000, m_bresp=0b1000)
    for address, slave in (
        (0x1000_0000, 0),
        (0x1000_1FFF, 0),
        (0x4000_0FFC, 1),
        (0x4000_1000, None),
        (0x1000_2000, None),
        (0, None),
    ):
        mine = 0 if slave is None else 1 << slave
        sim.set(m_arready=mine, m_rvalid=0)
        sim.set(s_arvalid=1, s_araddr=address, s_rready=1)
        sim.step()
        assert sim.get("m_arvalid") == mine
        sim.set(s_arvalid=0, m_rvalid=mine ^ 3 if slave is not None else 3)  # answers of others do not count
        if slave is not None:
            assert not sim.get("s_rvalid")
            sim.set(m_rvalid=mine)
            assert (sim.get("s_rvalid"), sim.get("s_rdata")) == (1, (0xBBBB_BBBB, 0xAAAA_AAAA)[slave])
            assert sim.get("s_rresp") == (OKAY, SLVERR)[slave]
            assert sim.get("m_rready") == mine
            sim.step()
        else:
            sim.set(m_rvalid=0)
            assert lite(sim, read=address) == (0, DECERR)
        sim.set(m_rvalid=0)
    sim.set(m_awready=0, m_wready=0, m_bvalid=0)
    assert lite(sim, write=0x2000_0000) == DECERR
    sim.set(s_awvalid=1, s_awaddr=0x4000_0010, s_wvalid=1, s_bready=1)
    sim.step()
    assert (sim.get("m_awvalid"), sim.get("m_wvalid")) == (2, 2)
    sim.set(m_awready=2, m_wready=2)
    sim.step()
    sim.set(s_awvalid=0, s_wvalid=0, m_awready=0, m_wready=0, m_bvalid=2)
    assert (sim.get("s_bvalid"), sim.get("s_bresp")) == (1, SLVERR)


def test_a_slave_that_does_not_answer() -> None:
    """It gets its time, then the access ends with DECERR, whatever of it was taken; so do all later ones; the other slave works on."""
    patience = 12
    bases, masks = (0x1000_0000, 0x4000_0000), (0x7FFF_E000, 0x7FFF_F000)
    parameters: dict[str, object] = {"Slaves": 2, "Patience": patience}
    parameters |= {name: f"62'h{low | high << 31:x}" for name, (low, high) in (("Bases", bases), ("Masks", masks))}
    for taken in range(4):  # a bit for the address of a write, one for its data
        sim = simulator("rs_soc_lite_split", parameters, ["rs_soc_lite_error"])
        sim.set(m_awready=2 * (taken & 1), m_wready=taken & 2)
        sim.set(s_awvalid=1, s_wvalid=1, s_awaddr=0x4000_0000, s_bready=1)
        cycles, answer = 0, None
        while answer is None:
            address, data = sim.get("s_awready"), sim.get("s_wready")
            answer = sim.get("s_bresp") if sim.get("s_bvalid") else None
            sim.step()
            cycles += 1
            assert cycles < patience + 8
            sim.set(s_awvalid=int(sim.get("s_awvalid") and not address), s_wvalid=int(sim.get("s_wvalid") and not data))
        assert answer == DECERR
        assert cycles >= patience
        sim.set(m_awready=0, m_wready=0, m_bvalid=2, m_arready=1, m_rvalid=1)  # the late answer is nobody's
        sim.step()
        assert not sim.get("s_bvalid")
        assert lite(sim, write=0x4000_0000) == DECERR
        assert lite(sim, read=0x4000_0000)[1] == DECERR
        assert lite(sim, read=0x1000_0000)[1] == OKAY
    for taken in (0, 2):
        sim = simulator("rs_soc_lite_split", parameters, ["rs_soc_lite_error"])
        sim.set(m_arready=taken)
        assert lite(sim, read=0x4000_0000, limit=patience + 8)[1] == DECERR
        sim.set(m_awready=1, m_wready=1, m_bvalid=1)
        assert lite(sim, write=0x4000_0000) == DECERR
        assert lite(sim, write=0x1000_0000) == OKAY


def test_board() -> None:
    """The ROM jumps to the entry without a sign that RV64 would extend; the console and the end show for one cycle; the clock counts."""
    sim = simulator("rs_soc_board", {"Entry": "32'h80002000"})
    words = [lite(sim, read=4 * i)[0] for i in range(5)]
    lui, slli, jr = words[:3]
    assert lui & 0xFFF == 0x2B7
    assert (lui >> 12 << 12) < 1 << 31
    assert (lui >> 12 << 12) << 1 == 0x8000_2000
    assert (slli, jr, words[3], words[4]) == (0x0012_9293, 0x0002_8067, 0x6F, 0x6F)
    low = lite(sim, read=0x1008)
    sim.step(100)
    again = lite(sim, read=0x1008)
    assert 100 < again[0] - low[0] < 110
    assert lite(sim, read=0x100C) == (0, OKAY)
    assert lite(sim, read=0x1010) == (1, OKAY)
    sim.set(rst_ni=0)
    sim.step(2)
    sim.set(rst_ni=1)
    sim.step()
    assert lite(sim, read=0x1010) == (2, OKAY)
    for address, name, value in ((0x1000, "console", ord("a")), (0x1004, "end", 0x1234_5678)):
        sim.set(s_awvalid=1, s_wvalid=1, s_awaddr=address, s_wdata=value, s_bready=1)
        assert (sim.get(f"{name}_valid_o"), sim.get(f"{name}_o")) == (1, value)
        sim.step()
        assert not sim.get(f"{name}_valid_o")
        sim.set(s_awvalid=0, s_wvalid=0)
        sim.step(3)
        assert not sim.get("console_valid_o")
        assert not sim.get("end_valid_o")
