# SPDX-License-Identifier: Apache-2.0
"""The ring of descriptors: programs that follow each other without the host, its accesses between them, faults, and rings that go round."""

import struct
from dataclasses import replace

import numpy as np
import pytest
from rs_cocotb import ROOT
from test_rs_core import faults, registers

from ringside import designs
from ringside.sim.asm import assemble
from ringside.sim.core import Core, Memory, library
from ringside.sim.verilate import SimulationError

SIZE, BASE, Q, LOG_N = 1 << 17, 1 << 32, 2147352577, 8
CONTEXT, DATA, RING = 0x100, 0x400, 0x1_0000  # in memory; array i at DATA + 1024 i
TWICE = "CONSTANTS ctx0 [p0 + 0x0]\nLOAD g0 ctx0 [p1 + 0x0]\nADD g0 g0 ctx0\nSTORE g0 [p2 + 0x0]\nEND"
COPY = "CONSTANTS ctx0 [p0 + 0x0]\nLOAD g0 ctx0 [p1 + 0x0]\nSTORE g0 [p2 + 0x0]\nEND"
REG = registers()


class Ring:
    def __init__(self, **memory):
        design = replace(
            designs.load(str(ROOT / "designs" / "doroz2015.toml")),
            name="doroz-2",
            lanes=2,
            log_n_min=8,
            log_n_max=9,
            bus_bits=128,
            outstanding=16,
        )
        self.core = Core(library(design), Memory(size=SIZE, address=BASE, wait_cycles=100_000, **memory))
        while self.core.read(REG["STATUS"]) >> REG["STATUS_ZEROIZING_SHIFT"] & 1:
            pass
        words = [assemble(text) for text in (TWICE, COPY)]
        self.starts = {TWICE: 0, COPY: len(words[0])}
        self.core.write(REG["PROGRAM_INDEX"], 0)
        for word in words[0] + words[1]:
            self.core.write(REG["PROGRAM_LO"], word & 0xFFFFFFFF)
            self.core.write(REG["PROGRAM_HI"], word >> 32)
        big = (1 << 64) - 1
        self.put(CONTEXT, struct.pack("<8Q", Q, 0, 0, 0, (1 << 64) // Q, big - big % Q - 1, 0, 0))
        self.rng, self.arrays = np.random.default_rng(1), {}

    def put(self, offset, data):
        self.core.memory[offset : offset + len(data)] = np.frombuffer(data, np.uint8)

    def array(self, number):
        return self.core.memory[DATA + 1024 * number :][:1024].view("<u4").astype(np.uint64)

    def fill(self, number):
        self.put(DATA + 1024 * number, self.rng.integers(0, Q, 256).astype("<u4").tobytes())

    def descriptor(self, index, size, program, source, target, first=DATA):
        start = self.starts[program]
        low = [LOG_N, start & 63, start >> 6 & 63, start >> 12]
        places = [CONTEXT, first + 1024 * source, DATA + 1024 * target, 0]
        pointers = [BASE + place | bits for place, bits in zip(places, low, strict=True)] + [0] * 4
        self.put(RING + 64 * (index % (1 << size)), struct.pack("<8Q", *pointers))

    def enable(self, size, base=BASE + RING):
        self.control(0)
        for name, value in (("LO", base & 0xFFFFFFFF), ("HI", base >> 32)):
            self.core.write(REG[f"RING_BASE_{name}"], value)
        self.core.write(REG["RING_SIZE"], size)
        self.control(3)

    def control(self, value):
        self.core.write(REG["RING_CONTROL"], value)

    @property
    def head(self):
        return self.core.read(REG["RING_HEAD"])

    @property
    def state(self):
        return {
            name: self.core.read(REG["RING_CONTROL"]) >> REG[f"RING_CONTROL_{name}_SHIFT"] & 1
            for name in ("ENABLE", "IRQ", "ERROR", "BUSY")
        }

    def run(self, tail):
        """To the interrupt, and clears it."""
        self.core.write(REG["RING_TAIL"], tail)
        self.core.wait()
        self.control(3 | 1 << REG["RING_CONTROL_IRQ_SHIFT"])


@pytest.fixture(autouse=True)
def _quick_models(monkeypatch):
    monkeypatch.setenv("RINGSIDE_SIM_LEVEL", "1")


@pytest.mark.parametrize("memory", [{"latency": 3}, {"latency": 80, "stall": 100}], ids=str)
def test_programs_follow_each_other(memory):
    """A ring of four that goes round twice; two programs by the index of their first instruction."""
    ring, done = Ring(**memory), 0
    for number in range(8):
        ring.fill(number)
    ring.enable(2)
    for count in (3, 4, 1):
        for index in range(done, done + count):
            ring.descriptor(index, 2, COPY if index % 3 == 1 else TWICE, index, 8 + index)
        done += count
        ring.run(done)
        assert ring.head == done
        assert ring.state == {"ENABLE": 1, "IRQ": 0, "ERROR": 0, "BUSY": 0}
    for index in range(8):
        wanted = ring.array(index) if index % 3 == 1 else 2 * ring.array(index) % Q
        assert np.array_equal(ring.array(8 + index), wanted)


def test_host_looks_on():
    """Accesses of the host pass by between those of the ring, and none is lost."""
    ring = Ring(latency=20)
    for number in range(6):
        ring.fill(number)
    ring.enable(3)
    for index in range(6):
        ring.descriptor(index, 3, TWICE, index, 8 + index)
    ring.core.write(REG["RING_TAIL"], 6)
    heads, polls = [], 0
    while not ring.state["IRQ"]:
        heads.append(ring.head)
        assert ring.core.read(REG["LANES"]) == 2
        ring.core.write(
            REG["WATCHDOG"], 100_000 + polls
        )  # held while a program runs: ignored then, never lost otherwise
        polls += 1
        assert polls < 2000
    assert heads == sorted(heads)
    assert ring.head == 6
    for index in range(6):
        assert np.array_equal(ring.array(8 + index), 2 * ring.array(index) % Q)


def test_fault_ends_the_ring():
    ring = Ring()
    for number in range(4):
        ring.fill(number)
    ring.enable(2)
    for index in range(4):
        ring.descriptor(index, 2, TWICE, index, 8 + index, first=SIZE if index == 2 else DATA)  # outside of memory
    ring.run(4)
    assert ring.head == 2
    assert ring.state == {"ENABLE": 1, "IRQ": 0, "ERROR": 1, "BUSY": 0}
    assert faults()[ring.core.read(REG["STATUS"]) >> REG["STATUS_CAUSE_SHIFT"] & 15] == "BUS_READ"
    before = ring.array(11)
    ring.core.write(REG["RING_TAIL"], 5)  # nothing more is taken
    for _ in range(50):
        ring.core.read(REG["STATUS"])
    assert ring.head == 2
    assert np.array_equal(ring.array(11), before)
    # it begins anew
    ring.enable(2)
    assert ring.state["ERROR"] == 0
    ring.descriptor(0, 2, TWICE, 3, 11)
    ring.run(1)
    assert np.array_equal(ring.array(11), 2 * ring.array(3) % Q)


def test_descriptor_that_cannot_be_read():
    ring = Ring()
    ring.enable(0, base=BASE + 2 * SIZE)
    ring.run(1)
    assert (ring.head, ring.state["ERROR"]) == (0, 1)


@pytest.mark.parametrize(("pointer", "bits"), [(0, 32), (3, 16), (3, 32), (4, 1), (7, 32)])
def test_bits_that_say_nothing_are_zero(pointer, bits):
    ring = Ring()
    ring.fill(0)
    ring.enable(1)
    ring.descriptor(0, 1, COPY, 0, 8)
    ring.descriptor(1, 1, COPY, 0, 9)
    ring.core.memory[RING + 64 + 8 * pointer] |= bits
    ring.run(2)
    assert (ring.head, ring.state["ERROR"]) == (1, 1)
    assert np.array_equal(ring.array(8), ring.array(0))
    assert not ring.array(9).any()


def test_zeroize_ends_the_ring():
    """Whatever it is at: what runs is aborted, and nothing starts after it, until the host enables it."""
    disabled = {"ENABLE": 0, "IRQ": 0, "ERROR": 0, "BUSY": 0}
    ended = set()
    for wait in range(0, 700, 35):
        ring = Ring(latency=30)
        ring.fill(0)
        ring.enable(2)
        for index in range(4):
            ring.descriptor(index, 2, COPY, 0, 8 + index)
        ring.core.write(REG["RING_TAIL"], 4)
        for _ in range(wait):
            ring.core.read(REG["ID"])
        ring.core.write(REG["CONTROL"], 1 << REG["CONTROL_ZEROIZE_SHIFT"])
        head = ring.head
        for _ in range(1500):
            ring.core.read(REG["STATUS"])
        assert ring.head == head
        state = ring.state
        assert state | {"IRQ": 0, "ERROR": 0} == disabled
        ended.add((head, state["ERROR"]))
        ring.control(1 << REG["RING_CONTROL_IRQ_SHIFT"])
        ring.enable(2)
        assert ring.state == disabled | {"ENABLE": 1}
        ring.descriptor(0, 2, COPY, 0, 8)
        ring.run(1)
        assert np.array_equal(ring.array(8), ring.array(0))
    assert len(ended) > 2, ended


def test_disabled_ring_is_none():
    """The host's own programs, with its own pointers and interrupt."""
    ring = Ring()
    ring.fill(0)
    ring.enable(0)
    ring.descriptor(0, 0, COPY, 0, 8)
    ring.run(1)
    ring.control(0)
    core = ring.core
    for i, place in enumerate((CONTEXT, DATA, DATA + 9 * 1024)):
        core.write(REG["POINTER"] + 8 * i, BASE + place & 0xFFFFFFFF)
        core.write(REG["POINTER"] + 8 * i + 4, 1)
    core.write(REG["LOG_N"], LOG_N)
    core.write(REG["CONTROL"], 1 << REG["CONTROL_CLEAR_IRQ_SHIFT"] | 1 << REG["CONTROL_IRQ_ENABLE_SHIFT"])
    core.write(REG["CONTROL"], 1 << REG["CONTROL_START_SHIFT"] | 1 << REG["CONTROL_IRQ_ENABLE_SHIFT"])
    core.wait()
    assert np.array_equal(
        ring.array(9), 2 * ring.array(0) % Q
    )  # from instruction 0 on, whatever the last descriptor said


def test_registers():
    ring = Ring()
    assert ring.core.read(REG["FEATURES"]) >> REG["FEATURES_STREAM_LANES_SHIFT"] & 0xFF == 96  # with short words
    for name, value, kept in (
        ("RING_BASE_LO", 0x1234567F, 0x12345640),
        ("RING_BASE_HI", 0xABCD, 0xABCD),
        ("RING_SIZE", 31, 15),
        ("RING_TAIL", 0, 0),
    ):
        ring.core.write(REG[name], value)
        assert ring.core.read(REG[name]) == kept
    for offset in (0x418, 0x7FC, 0x3FC):
        with pytest.raises(SimulationError):
            ring.core.read(offset)
        with pytest.raises(SimulationError):
            ring.core.write(offset, 0)
