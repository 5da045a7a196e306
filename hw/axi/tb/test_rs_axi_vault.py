# SPDX-License-Identifier: Apache-2.0
"""The vault on its port: what is inside never comes out, what is outside never gets in, in the master's order; words of a program; wipes at any time."""

import random

import pytest
from axi_memory import LINE, SLAVES, Port
from rs_channels import Bundled, Channel, Steps, Taker
from rs_cocotb import whole

from ringside.sim import verilate

SIZE, BYTES, PROGRAM = 1 << 13, 1024, 256  # outside, inside
INSIDE = 1 << 63


class Bench(Steps):
    def __init__(self, bus_bits: int, slave: str, pace: float, seed: int, latency: int = 0) -> None:
        parameters = {"BusBits": bus_bits, "Bytes": BYTES, "ProgramByte": PROGRAM}
        self.sim = sim = Bundled(verilate.build("rs_axi_vault", whole("rs_axi_vault"), parameters, assertions=True))
        self.random = chance = random.Random(seed)
        self.bytes = bus_bits // 8
        self.outside, self.inside = bytearray(chance.randbytes(SIZE)), bytearray(BYTES)
        self.masters = {name: Channel(f"s_{name}", pace, chance) for name in ("ar", "aw", "w")}
        self.r = Taker("s_r", ("id", "data", "resp", "last"), pace, chance)
        self.b = Taker("s_b", ("id", "resp"), pace, chance)
        self.port = Port(self.outside, self.bytes, slave, pace, chance, latency)
        self.got: list[dict[str, int]] = []
        self.said: list[dict[str, int]] = []
        self.wiped = False  # since an offer to the master may have changed
        sim.set(rst_ni=0, units_rst_ni=0, wipe_i=0, word_we_i=0, idle_i=1, m_rvalid=0, m_bvalid=0)
        for name in ("ar", "aw", "w"):
            sim.set(**{f"s_{name}valid": 0})
        sim.step(2)
        sim.set(rst_ni=1, units_rst_ni=1)
        self.wipe()
        self.run(lambda: not sim.get("wiping_o"))

    def cycle(self) -> None:
        sim = self.sim
        for channel in (*self.masters.values(), self.r, self.b):
            channel.drive(sim)
        self.port.drive(sim)
        for channel in self.masters.values():
            channel.sample(sim)
        if sim.get("wiping_o"):
            self.r.waiting = None  # a beat of what was inside is no longer there
        if beat := self.r.sample(sim):
            self.got.append(beat)
        if answer := self.b.sample(sim):
            self.said.append(answer)
        self.port.sample(sim)
        # nothing of the inside is on the port, and no address either
        for name in ("ar", "aw"):
            assert not (sim.get(f"m_{name}valid") and sim.get(f"m_{name}addr") & INSIDE)
        sim.step()

    def word(self, index: int, value: int) -> None:
        self.sim.set(word_we_i=1, word_index_i=index, word_i=value)
        self.cycle()
        self.sim.set(word_we_i=0)
        self.inside[PROGRAM + 8 * index : PROGRAM + 8 * index + 8] = value.to_bytes(8, "little")

    def wipe(self) -> None:
        self.sim.set(wipe_i=1)
        self.cycle()
        self.sim.set(wipe_i=0)

    def read(self, address: int, count: int, name: int = 1) -> list[dict[str, int]]:
        """Asks for it. What comes, as memory is now."""
        self.masters["ar"].queue.append({"id": name, "addr": address, "len": count // self.bytes - 1})
        memory = self.inside if address & INSIDE else self.outside
        parts = range(address & ~INSIDE, (address & ~INSIDE) + count, self.bytes)
        data = [int.from_bytes(memory[at : at + self.bytes], "little") for at in parts]
        return [{"id": name, "data": word, "resp": 0, "last": int(k == len(data) - 1)} for k, word in enumerate(data)]

    def write(self, address: int, data: bytes, name: int = 2) -> None:
        self.masters["aw"].queue.append({"id": name, "addr": address, "len": len(data) // self.bytes - 1})
        for at in range(0, len(data), self.bytes):
            word = int.from_bytes(data[at : at + self.bytes], "little")
            self.masters["w"].queue.append({"data": word, "last": int(at + self.bytes == len(data))})

    def fill(self, data: bytes) -> None:
        self.write(INSIDE, data)
        self.run(lambda: bool(self.said))
        self.inside[:] = data
        assert self.vault() == data
        self.said.clear()
        self.got.clear()

    def vault(self) -> bytes:
        """All of it, by reads."""
        self.run(lambda: not self.masters["ar"].queue)
        start = len(self.got)
        count = BYTES // self.bytes
        self.read(INSIDE, BYTES)
        self.r.pace = 1.0
        self.run(lambda: len(self.got) >= start + count and self.got[-1]["last"])
        return b"".join(beat["data"].to_bytes(self.bytes, "little") for beat in self.got[-count:])


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.parametrize(("bus_bits", "pace"), [(128, 0.7), pytest.param(512, 1.0, marks=pytest.mark.soak), (64, 1.0)])
def test_inside_and_outside(bus_bits: int, pace: float, slave: str) -> None:
    """Bursts there and outside in any order, both ways at once, words of a program beside them."""
    bench = Bench(bus_bits, slave, pace, bus_bits, latency=5)
    chance = bench.random
    bench.fill(chance.randbytes(BYTES))
    wanted, count = [], 40
    after = bytearray(bench.inside), bytearray(bench.outside)
    for _ in range(count):
        lines = chance.randrange(1, 4)
        where = chance.randrange(2)
        size = (BYTES // 2, SIZE // 2)[where]
        base = (INSIDE, 0)[where]
        # reads in the lower half, writes in the upper one
        wanted += bench.read(base + LINE * chance.randrange(size // LINE - lines + 1), LINE * lines)
        at, data = size + LINE * chance.randrange(size // LINE - lines + 1), chance.randbytes(LINE * lines)
        bench.write(base + at, data, name=where)
        after[where][at : at + len(data)] = data
    bench.run(lambda: len(bench.got) == len(wanted) and len(bench.said) == count)
    assert bench.got == wanted
    assert bench.outside == after[1]
    assert bench.vault() == after[0]


def test_words_of_a_program() -> None:
    """None is lost, though the memory is read and written in every cycle."""
    bench = Bench(128, "any", 1.0, 3)
    bench.fill(bench.random.randbytes(BYTES))
    words = [bench.random.getrandbits(64) for _ in range(32)]
    reads = [beat for _ in range(6) for beat in bench.read(INSIDE + 512, 512)]
    bench.write(INSIDE + 512, bytes(bench.inside[512:]))
    for index, word in enumerate(words):
        bench.word(index, word)
        for _ in range(bench.random.randrange(3)):
            bench.cycle()
    bench.run(lambda: len(bench.got) == len(reads))
    assert bench.got == reads
    assert bench.vault() == bench.inside
    assert bench.inside[PROGRAM : PROGRAM + 256] == b"".join(word.to_bytes(8, "little") for word in words)


@pytest.mark.parametrize("latency", [1, 30, 200])
@pytest.mark.parametrize("wait", [0, 1, 2, 7, 24, 61])
def test_a_wipe_leaves_nothing(latency: int, wait: int) -> None:
    """Reads and writes are under way inside and wait behind slow ones outside; the wipe takes a cycle per row all the same, and nothing comes after it."""
    bench = Bench(128, "any", 1.0, wait, latency)
    secret = bytes([0xA5]) * BYTES
    bench.fill(secret)
    bench.read(INSIDE, BYTES // 2)
    bench.write(INSIDE + BYTES // 2, secret[: BYTES // 2])
    for _ in range(3):
        bench.read(64, 64, name=3)
        bench.read(INSIDE, BYTES)
        bench.write(0, bytes(64))
        bench.write(INSIDE, secret)
    bench.sim.set(idle_i=0)
    for _ in range(wait):
        bench.cycle()
    before = len(bench.got)
    bench.wipe()
    assert bench.run(lambda: not bench.sim.get("wiping_o")) == BYTES // bench.bytes + 1
    bench.run(lambda: len(bench.said) == 7 and not bench.masters["ar"].queue and bench.got[-1]["last"], limit=4000)
    bench.run(lambda: len(bench.got) == (BYTES // 2 + 3 * (64 + BYTES)) // bench.bytes, limit=4000)
    late = [
        beat["data"] for beat in bench.got[before + 2 :] if beat["id"] == 1
    ]  # but for one on offer, one behind the memory
    assert late == [0] * len(late)
    assert bench.vault() == bytes(BYTES)
    # and what a program writes then is kept
    bench.sim.set(idle_i=1)
    bench.cycle()
    bench.write(INSIDE, secret)
    bench.run(lambda: len(bench.said) == 8)
    assert bench.vault() == secret


def test_a_reset_of_the_units_is_no_end_of_a_wipe() -> None:
    bench = Bench(128, "any", 1.0, 1)
    bench.fill(bytes([1]) * BYTES)
    bench.wipe()
    bench.sim.set(units_rst_ni=0)
    bench.cycle()
    bench.sim.set(units_rst_ni=1)
    bench.run(lambda: not bench.sim.get("wiping_o"))
    assert bench.vault() == bytes(BYTES)
