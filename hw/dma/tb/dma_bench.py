# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of both units: configurations, words in memory, instructions."""

import numpy as np
import pytest
from axi_memory import Unit
from rs_cocotb import whole
from rs_orders import by_position

from ringside.sim import verilate

LOAD, STORE, CONTEXT, STREAM, LOADS, STORES, ROOTS, CONSTANTS, TWIDDLES = 1, 2, 3, 4, 23, 24, 25, 30, 31
NONE, ILLEGAL, BUS_READ, BUS_WRITE, RESIDUE, CONTEXT_BAD, VALUE = 0, 1, 7, 8, 9, 10, 15
LOG_N_MAX = 11
SOURCES = whole("rs_dma_load", "rs_dma_store")

# BusBits, W, Lanes: every bus, one to four chunks per beat, and two beats per chunk where wide. Each is a model of its own, so half of them are the
# night's; every other or third one, which some tests take, has such as are not.
CONFIGURATIONS = [
    (64, 32, 1), pytest.param((64, 54, 1), marks=pytest.mark.soak), (128, 28, 2),
    pytest.param((128, 64, 1), marks=pytest.mark.soak), (256, 32, 1), (256, 60, 4),
    pytest.param((512, 32, 4), marks=pytest.mark.soak), pytest.param((512, 32, 1), marks=pytest.mark.soak),
    pytest.param((512, 64, 2), marks=pytest.mark.soak), (512, 54, 1),
]  # fmt: skip


class Bench(Unit):
    """One of the units."""

    def __init__(
        self, top, configuration, seed=1, reducers=0, encode=False, burst_lines=1, short=False, slot_words=1, **memory
    ):
        self.bus_bits, self.w, lanes = configuration
        self.v = min(self.bus_bits // (32 if self.w <= 32 else 64), 4 * lanes)
        # the smallest polynomial: a line of 4-byte words, or two lines, of each stream
        self.burst_lines = burst_lines
        self.log_n_min = 4 + (self.v * burst_lines).bit_length() - 1
        if encode:
            self.log_n_min = max(8, lanes.bit_length() + 3)
        self.outstanding = self.bus_bits // 8  # lines, which are 64 beats
        memory = {"outstanding": self.outstanding} | memory
        parameters = {"BusBits": self.bus_bits, "W": self.w, "Lanes": lanes, "LogNMax": LOG_N_MAX}
        parameters["Outstanding"] = self.outstanding
        if reducers:
            parameters["Reducers"] = reducers
        if burst_lines > 1:
            parameters |= {"BurstLines": burst_lines, "Short": int(short)}
        if encode:
            parameters |= {"Encode": 1, "LogNMin": self.log_n_min}
        if slot_words > 1:
            parameters["SlotWords"] = slot_words
        super().__init__(verilate.build(top, SOURCES, parameters), self.bus_bits, 1 << 15, seed, **memory)
        self.q = (1 << self.w) - (self.random.randrange(1, 1000) << 11) + 1
        self.sim.step(2)
        self.sim.set(rst_ni=1, q_i=self.q) if top == "rs_dma_load" else self.sim.set(rst_ni=1)
        self.sim.step()

    def word_bytes(self, wide):
        return 8 if wide or self.w > 32 else 4

    def words(self, count):
        """Residues, the least and the greatest among them."""
        values = [self.random.randrange(self.q) for _ in range(count)]
        values[self.random.randrange(count)] = 0
        values[self.random.randrange(count)] = self.q - 1
        return values

    def check_cycles(self, cycles, count, wide, overhead):
        """At the full rate of the bus or of the banks. What comes on top does not depend on N: at N = 4096 it is 5 % at most.

        But not for 16 words of 4 bytes in a beat: all of them belong to one bank, so 16 of 256 beats come on top in any design.
        """
        rate = max(1 / self.v, self.word_bytes(wide) / self.memory.beat_bytes)
        assert cycles <= count * rate + overhead
        assert cycles - count * rate <= 0.05 * 4096 * rate or rate == 1 / 16

    def chunks_of(self, values):
        """An array in chunks, by their positions: position k holds word brv(k)."""
        words = by_position(values)
        return {k: words[k : k + self.v] for k in range(0, len(words), self.v)}

    def image(self, values, wide):
        return np.array(values, np.uint64 if self.word_bytes(wide) == 8 else np.uint32).tobytes()


def wides(configuration):
    """The values of the flag that a configuration allows."""
    return (0, 1) if configuration[1] <= 32 else (1,)
