# SPDX-License-Identifier: Apache-2.0
"""The STORE unit with a memory: the data that are written, their time, faults, aborts."""

import pytest
from axi_memory import DECERR, SLAVES, SLVERR
from dma_bench import BUS_WRITE, CONFIGURATIONS, LOG_N_MAX, NONE, SOURCES, STORE, Bench, wides
from rs_cocotb import elaborate

from ringside.sim.asm import instruction

pytestmark = pytest.mark.alike(4, by="configuration")

PACES = [(1.0, 1), (0.6, 7), (0.9, 40)]  # pace of the memory, latency


class Store(Bench):
    def __init__(self, configuration, seed=1, **memory):
        super().__init__("rs_dma_store", configuration, seed, **memory)
        self.asked = [None, None]  # by the last two cycles

    def cycle(self):
        """One cycle; the fault if it is the last, or None."""
        sim, memory = self.sim, self.memory
        memory.drive_write(sim)
        # data two cycles after the request, and only there
        pos = self.asked.pop(0)
        chunk = self.random.getrandbits(self.w * self.v)
        if pos is not None:
            chunk = sum(value << self.w * i for i, value in enumerate(self.by_position[pos]))
        sim.set(chunk_data_i=chunk)
        self.asked.append(sim.get("chunk_pos_o") if sim.get("chunk_req_o") else None)
        done = sim.get("fault_o") if sim.get("done_o") else None
        memory.sample_write(sim)
        sim.step()
        return done

    def begin(self, address, log_n, wide=0, clear=0, **flags):
        self.values = self.words(1 << log_n)
        self.by_position = self.chunks_of(self.values)
        self.memory.bursts.clear()
        self.memory.peak = 0
        self.sim.set(instr_i=instruction(STORE, a=1, wide=wide, **flags), addr_i=address, log_n_i=log_n)
        self.sim.set(start_i=1, clear_i=clear)
        assert self.cycle() is None
        self.sim.set(start_i=0, clear_i=0)

    def run(self, address, log_n, wide=0):
        """As finish, and checks all of the memory."""
        before = bytes(self.memory.data)
        self.begin(address, log_n, wide)
        result = self.finish()
        data = self.image(self.values, wide)
        at = address - self.base
        assert bytes(self.memory.data) == before[:at] + data + before[at + len(data) :]
        if self.burst_lines == 1:
            self.memory.check_transfer(address, len(data), self.v, self.word_bytes(wide) // 4)
        return result


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_polynomials(configuration, pace, latency):
    bench = Store(configuration, pace=pace, latency=latency)
    for wide in wides(configuration):
        for log_n in (LOG_N_MAX - 1, 9, bench.log_n_min):
            count = bench.word_bytes(wide) << log_n
            cycles, fault = bench.run(bench.address(count), log_n, wide)
            assert fault == NONE
            if pace == 1 and latency == 1:
                bench.check_cycles(cycles, 1 << log_n, wide, 26)


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::4], ids=str)
@pytest.mark.parametrize("accepts", [1, 8])
@pytest.mark.parametrize("slave", SLAVES)
def test_slaves(configuration, slave, accepts):
    """Whatever a slave waits for before it takes an address or a beat, every write ends."""
    for pace in (1.0, 0.5):
        bench = Store(configuration, pace=pace, latency=2, slave=slave, accepts=accepts)
        wide = wides(configuration)[-1]
        for log_n in (8, bench.log_n_min):
            count = bench.word_bytes(wide) << log_n
            assert bench.run(bench.address(count), log_n, wide)[1] == NONE


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::3], ids=str)
def test_outstanding_bursts_hide_the_latency(configuration):
    bench = Store(configuration, latency=40)
    count = bench.word_bytes(0) << LOG_N_MAX
    cycles, fault = bench.run(bench.address(count), LOG_N_MAX)
    assert fault == NONE
    assert 2 <= bench.memory.peak <= bench.outstanding
    assert cycles <= max(count // bench.memory.beat_bytes, (1 << LOG_N_MAX) // bench.v) + 40 + 26


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::2], ids=str)
@pytest.mark.parametrize("answer", [1, SLVERR, DECERR])
def test_bus_errors(configuration, answer):
    bench = Store(configuration, pace=0.8, latency=3)
    beat = bench.memory.beat_bytes
    for _ in range(3):
        count = bench.word_bytes(0) << bench.log_n_min
        address = bench.address(count)
        bench.memory.errors = {address + bench.random.randrange(count // beat) * beat: answer}
        assert bench.run(address, bench.log_n_min)[1] == BUS_WRITE
        bench.memory.errors = {}
        assert bench.run(address, bench.log_n_min)[1] == NONE


@pytest.mark.parametrize("configuration", CONFIGURATIONS[1::3], ids=str)
@pytest.mark.parametrize("held", [1, 5])
@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.alike(5)
def test_clear(configuration, held, slave):
    bench = Store(configuration, pace=0.5, latency=9, slave=slave)
    wide = wides(configuration)[-1]
    cut = 0
    for when in [0, 1, 2, 3, *(bench.random.randrange(4, 160) for _ in range(12))]:
        count = bench.word_bytes(wide) << LOG_N_MAX
        address = bench.address(count)
        bench.begin(address, LOG_N_MAX, wide, clear=int(when == 0))
        at = bench.memory.part(address, count)
        bench.memory.data[at] = bytes([0xEE]) * count
        for _ in range(when):
            assert bench.cycle() is None
        before = len(bench.memory.bursts)
        early = []
        if when:
            bench.sim.set(clear_i=1)
            early = [bench.cycle() for _ in range(held)]
            bench.sim.set(clear_i=0)
        if all(fault is None for fault in early):
            bench.finish(limit=4000)
        # an address that was on the bus when the clear came stays
        assert len(bench.memory.bursts) <= before + (when > 0)
        bench.memory.check_drained()
        # the polynomial as far as it came, zeros to the end of the last burst, nothing beyond
        beat = bench.memory.beat_bytes
        memory, image = bytes(bench.memory.data[at]), bench.image(bench.values, wide)
        beats = [start - address + i for start, size in bench.memory.bursts for i in range(0, size, beat)]
        came = [memory[i : i + beat] == image[i : i + beat] for i in beats]
        same = came.index(False) if False in came else len(came)
        assert not any(any(memory[i : i + beat]) for i in beats[same:])
        rest = set(range(0, count, beat)) - set(beats)
        assert all(memory[i : i + beat] == bytes([0xEE]) * beat for i in rest)
        cut += bool(rest) and same < len(beats)
        least = bench.log_n_min
        assert bench.run(bench.address(bench.word_bytes(wide) << least), least, wide)[1] == NONE
    assert cut >= 4


def test_start_with_clear_announces_nothing():
    bench = Store((128, 28, 2))
    bench.begin(bench.base, 6, clear=1)
    assert bench.finish() == (2, NONE)
    assert not bench.memory.bursts


def test_illegal_parameters():
    assert "BusBits must be" in elaborate("rs_dma_store", SOURCES, {"BusBits": 1024})
    assert "W must be" in elaborate("rs_pack", SOURCES, {"W": 60})
