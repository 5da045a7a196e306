# SPDX-License-Identifier: Apache-2.0
"""What a streaming build is made of, its latencies as in rs_stream_pkg, and what it loads, from the library."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rs_cocotb import whole
from rs_residues import montgomery_radix

from ringside.native.library import ffi, lib
from ringside.sim.verilate import pack

WORD_BITS = 11  # rs_pkg::WlmWordBits
CONTEXTS = 4
COMMUTATOR = 1  # rs_stream_pkg::CommutatorLatency


def sources():
    return whole("rs_stream_unit")


@dataclass(frozen=True)
class Design:
    lanes: int
    log_n_max: int
    width: int
    bits: tuple[int, ...]  # bits of the moduli
    chunk: int = 8

    def __str__(self):
        return f"P{self.lanes}-N{1 << self.log_n_max}-W{self.width}"

    @property
    def parameters(self):
        return {
            "W": self.width, "P": self.lanes, "LogNMax": self.log_n_max, "Contexts": CONTEXTS,
            "ChunkWords": self.chunk,
        }  # fmt: skip

    @property
    def log_lanes(self):
        return self.lanes.bit_length() - 1

    @property
    def pairs(self):
        return self.lanes // 2

    @property
    def modmul(self):
        """rs_pkg::modmul_latency"""

        def mul(a, b):
            return 2 + -(-b // 24) + (-(-a // 17) - 1).bit_length()

        width = self.width
        split = min(width, 34)
        start = max(3, mul(split, width) + (split < width) - 2)
        steps = -(-(WORD_BITS * -(-width // WORD_BITS)) // 17)
        return start + 3 * steps + -(-(width - WORD_BITS) // 24)

    @property
    def butterfly(self):
        """rs_stream_pkg::butterfly_latency"""
        return self.modmul + 2

    def latency(self, log_n):
        """rs_stream_pkg::latency"""
        return (1 << (log_n - self.log_lanes)) - 1 + self.in_flight(log_n)

    def in_flight(self, log_n):
        """rs_stream_pkg::in_flight"""
        return log_n * self.butterfly + (log_n - self.log_lanes) * COMMUTATOR

    @cached_property
    def library(self):
        design = ffi.new("rs_design_t *")
        design.lanes, design.word_bits, design.log_n_min, design.log_n_max = 4, self.width, 10, self.log_n_max
        return design

    def radix(self, q):
        return montgomery_radix(self.width, WORD_BITS) % q

    def constants(self, moduli):
        """The port with the moduli of all contexts."""
        return {"q_i": sum(modulus << self.width * context for context, modulus in enumerate(moduli))}

    def load(self, sim, context, model, limb):
        """Loads the tables of a limb: cycles of it. What is behind the image is not read."""
        image = np.zeros(lib.rs_design_stream_bytes(self.library, model.log_n), np.uint8)
        lib.rs_device_image_stream(self.library, model.pointer, limb, ffi.from_buffer("uint8_t[]", image))
        words = image.view(np.uint64 if self.width > 32 else np.uint32).astype(np.uint64)
        none = (1 << self.width) - 1
        words[(1 << self.log_n_max // 2) + (1 << (model.log_n - self.log_n_max // 2)) :] = none
        words = np.concatenate([words, np.full(-len(words) % self.chunk, none, np.uint64)])
        sim.set(load_ctx_i=context, load_start_i=1)
        sim.step()
        sim.set(load_start_i=0, load_valid_i=1)
        cycles = done = 0
        for chunk in pack(words.reshape(-1, self.chunk), self.width):
            sim.set(load_i=int.from_bytes(chunk.tobytes(), "little"))
            while not done:
                cycles, ready, done = cycles + 1, sim.get("load_ready_o"), sim.get("load_done_o")
                sim.step()
                if ready:
                    break
        sim.set(load_valid_i=0)
        assert done
        assert not sim.get("load_ready_o")
        return cycles
