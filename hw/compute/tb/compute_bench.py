# SPDX-License-Identifier: Apache-2.0
"""rs_compute_bench in simulation: polynomials in and out, instructions, cycles."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from rs_cocotb import whole
from rs_orders import reverse
from twiddle_image import image

from ringside.native.library import ffi, lib
from ringside.sim import Simulator
from ringside.sim import build as verilate
from ringside.sim.asm import instruction
from ringside.sim.verilate import pack, unpack

WORD_BITS = 11  # rs_pkg::WlmWordBits
DONE_LEAD = 4  # rs_ntt_pkg::DoneLead
NEXT_START = 3  # cycles from done_o to the next start_i at the earliest (hw/sequencer/README.md)


def bound(log_n: int, lanes: int) -> int:
    """The cycles if every lane computed a butterfly in every cycle."""
    return (log_n << log_n) // (2 * lanes)


def mul_latency(width_a: int, width_b: int) -> int:
    """rs_pkg::mul_latency: a cycle for each tile of 24 bits, and for each level of the tree over rows of 17."""
    return 2 + -(-width_b // 24) + (-(-width_a // 17) - 1).bit_length()


def montgomery_latency(width: int) -> int:
    """rs_pkg::modmul_latency: from the product's low bits on, steps of at most 17 bits, 3 cycles each."""
    split = width if width <= 34 else 34
    start = max(3, mul_latency(split, width) + (split < width) - 2)
    steps = -(-WORD_BITS * -(-width // WORD_BITS) // 17)
    return start + 3 * steps + -(-(width - WORD_BITS) // 24)


@dataclass(frozen=True)
class Build:
    lanes: int
    log_n_max: int
    width: int = 32
    on_the_fly: bool = False
    groups: int = 3
    encode: bool = False
    sliced: bool = False

    def __str__(self) -> str:
        mode = (
            ("-fly" if self.on_the_fly else "")
            + ("-encode" if self.encode else "")
            + ("-slices" if self.sliced else "")
        )
        return f"P{self.lanes}-N{1 << self.log_n_max}-W{self.width}{mode}"

    @property
    def radix(self) -> int:
        """The number that stored factors are multiplied by."""
        return 1 << WORD_BITS * -(-self.width // WORD_BITS)

    @property
    def lane_latency(self) -> int:
        """rs_pkg::lane_latency."""
        return 3 + montgomery_latency(self.width)

    @property
    def lag(self) -> int:
        """rs_ntt_pkg::write_lag."""
        return (self.lane_latency + (8 if self.lanes > 1 and self.lane_latency <= 25 else 6)) | 1

    def cycles(self, log_n: int, stages: int = 0, slices: int = 1) -> int:
        """The cycles of a transform, by the formula of docs/ntt_schedule.md. stages: of a part of it. slices: so many transforms."""
        stages = stages or log_n
        p = self.lanes.bit_length() - 1
        lag = self.lag
        rows = (1 << log_n) // (4 * self.lanes)
        busy = slices * 2 * rows
        slack = busy - rows + 1
        pause = (lag - slack + 3) // 4 * 4 if lag > slack else 0
        twiddle = 1 + (p + 2) // 3 + (self.lane_latency + 1 if self.on_the_fly else 0)
        return stages * busy + (stages - 1) * pause + lag + 3 + max(0, twiddle - 3)

    def fft_cycles(self, log_n: int) -> int:
        """The cycles of an FFT or IFFT, by the formula of docs/ntt_schedule.md: from the first read to the last write, both included."""
        p = self.lanes.bit_length() - 1
        slots = (1 << log_n) // (2 * self.lanes)
        lag, block = self.lag + 4, 16 if p == 0 else 8
        pause = block * -(-max(0, lag - slots - (1 if p == 1 else 3)) // block)
        return 2 * slots * (log_n - 1) + (log_n - 2) * pause + lag - 1

    def sources(self) -> list[Path]:
        """Packages first."""
        return [*whole("rs_compute", "rs_poly_memory"), Path(__file__).with_name("rs_compute_bench.sv")]

    def library(self, files: list[Path] | None = None, cache: Path | None = None) -> Path:
        parameters = {
            "W": self.width, "LogNMax": self.log_n_max, "Lanes": self.lanes, "Groups": self.groups,
            "OnTheFly": self.on_the_fly, "Encode": self.encode, "Sliced": self.sliced,
        }  # fmt: skip
        return verilate("rs_compute_bench", files or self.sources(), parameters, cache=cache)


def places(log_n: int, lanes: int, transformed: bool):
    """(row, word of the row) of every element: docs/core.md."""
    address_bits = log_n - 2 - (lanes.bit_length() - 1)
    position = np.array([reverse(i, log_n) for i in range(1 << log_n)])
    row, word = np.divmod(position, 4 * lanes)
    if transformed:
        turn = log_n % address_bits
        row = (row << turn | row >> (address_bits - turn)) & ((1 << address_bits) - 1)
    return row, word


def point_places(log_n: int, lanes: int, slots: bool):
    """(row, word of the row) of both components of every point: docs/core.md, "Order of coefficients"."""
    position_bits = max(lanes.bit_length() - 1, 1) + 1
    address_bits = log_n - 2 - (lanes.bit_length() - 1)
    r = np.array([reverse(i, log_n - 1) for i in range(1 << (log_n - 1))])
    near = r & ((1 << position_bits) - 1)
    position = np.stack([r >> position_bits << (position_bits + 1) | c << position_bits | near for c in range(2)])
    row, word = np.divmod(position, 4 * lanes)
    if slots:
        kept = int(lanes == 1)  # bit 0: the component
        bits = address_bits - kept
        turn, high = (log_n - 1) % bits, row >> kept
        high = (high << turn | high >> (bits - turn)) & ((1 << bits) - 1)
        row = high << kept | (row & kept)
    return row, word


def root_image(log_n: int, lanes: int, roots):
    """The words of a context of roots, made of rs_fixed_roots: docs/ntt_schedule.md, "Roots"."""
    pair_bits = max(lanes.bit_length() - 2, 0)
    low = (1 << (log_n - 1)) // (4 * lanes)  # words of a bank for each value of the two upper bits
    words = []
    for k in range(1 << (log_n - 1)):
        row, bank = divmod(k, lanes)
        part, column = divmod(row, low)
        if lanes == 1:
            column, component = divmod(column, 2)
            entry = part * (low // 2) + column
        else:
            component, pair = divmod(bank, lanes // 2)
            entry = (part << pair_bits | reverse(pair, pair_bits)) * low + column
        words.append(int(roots[2 * entry + component]))
    return words


class Fixed:
    """rs_fixed_t, with its transforms on arrays of two rows: re, im."""

    def __init__(self, log_n, width):
        self.log_n, self.width = log_n, width
        size = lib.rs_fixed_size(log_n)
        self.memory = np.zeros(size // 8, np.uint64)
        out = ffi.new("rs_fixed_t const **")
        assert not lib.rs_fixed_init(out, ffi.from_buffer("uint64_t[]", self.memory), size, log_n, width)
        self.pointer = out[0]
        self.roots = np.frombuffer(ffi.buffer(lib.rs_fixed_roots(self.pointer), 4 << log_n), np.uint64)

    def transform(self, points, inverse):
        """(what comes out, whether something was out of range); words wrap, as the lanes' do."""
        out = np.array(points)
        re, im = (ffi.from_buffer("int64_t[]", row) for row in out)
        stages = range(self.log_n - 1)
        stage = lib.rs_fixed_stage_inverse if inverse else lib.rs_fixed_stage_forward
        over = [stage(self.pointer, s, re, im) for s in (reversed(stages) if inverse else stages)]
        return out, any(over)


def times(words, factor, width):
    """(words times a factor by rs_fixed_times, whether something was out of range)"""
    over = ffi.new("uint32_t *")
    out = [lib.rs_fixed_times(width, int(word), factor, over) for word in words.reshape(-1)]
    return np.array(out, np.int64).reshape(words.shape), bool(over[0])


def added(old, words, factor, width):
    """(old words plus words times a factor by rs_fixed_sum, whether something was out of range); sums wrap, as the lanes' do."""
    over = ffi.new("uint32_t *")
    products, out_of_range = times(words, factor, width)
    pairs = zip(old.reshape(-1), products.reshape(-1), strict=True)
    out = [lib.rs_fixed_sum(width, int(x), int(y), over) for x, y in pairs]
    return np.array(out, np.int64).reshape(words.shape), out_of_range or bool(over[0])


@cache
def fixed_of(log_n, width):
    return Fixed(log_n, width)


class Bench:
    def __init__(self, build: Build, files: list[Path] | None = None, cache: Path | None = None) -> None:
        self.build = build
        self.sim = Simulator(build.library(files, cache))
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(2)

    def close(self) -> None:
        self.sim.close()

    def set_modulus(self, log_n: int, q: int, psi: int) -> None:
        """Constants and twiddles."""
        self.log_n = log_n
        self.sim.set(q_i=q, log_n_i=log_n, twiddle_start_i=1)
        self.sim.step()
        self.sim.set(twiddle_start_i=0)
        words = image(log_n, self.build.lanes, q, psi, self.build.radix, self.build.on_the_fly)
        assert len(words) == self.sim.get("twiddle_words_o")
        self.load_words(words)

    def set_part(self, part: int, words: list[int]) -> None:
        """Twiddles of a part of an INTT, or all."""
        self.sim.set(twiddle_start_i=1, twiddle_part_i=part)
        self.sim.step()
        self.sim.set(twiddle_start_i=0)
        self.load_words(words)
        self.sim.set(twiddle_part_i=0)

    def set_roots(self, log_n: int, roots) -> None:
        """The context of an FFT or IFFT."""
        self.log_n = log_n
        self.sim.set(q_i=1, log_n_i=log_n, twiddle_start_i=1, twiddle_roots_i=1)
        self.sim.step()
        self.sim.set(twiddle_start_i=0)
        self.load_words(root_image(log_n, self.build.lanes, roots))
        self.sim.set(twiddle_roots_i=0)

    def load_words(self, words: list[int]) -> None:
        width, lanes = self.build.width, self.build.lanes
        words += [0] * (-len(words) % (4 * lanes))
        chunks = pack(np.array(words, np.uint64).reshape(-1, 4 * lanes), width)
        for chunk in chunks:
            self.sim.set(twiddle_valid_i=1, twiddle_i=int.from_bytes(chunk.tobytes(), "little"))
            while not self.sim.get("twiddle_ready_o"):
                self.sim.step()
            self.sim.step()
        self.sim.set(twiddle_valid_i=0)
        self.sim.step(4 * lanes)  # the last chunk on its way into the memory

    def load(self, group: int, values, *, transformed: bool = False) -> None:
        self.put(group, values, *places(self.log_n, self.build.lanes, transformed))

    def put(self, group: int, values, row, word) -> None:
        rows = np.zeros((values.size // (4 * self.build.lanes), 4 * self.build.lanes), np.uint64)
        rows[row, word] = values
        self.sim.set(row_groups_i=1 << group, row_we_i=1)
        self.sim.play({"row_addr_i": np.arange(len(rows), dtype=np.uint32), "row_data_i": pack(rows, self.build.width)})
        self.sim.set(row_groups_i=0, row_we_i=0)

    def store(self, group: int, *, transformed: bool = False):
        return self.take(group, *places(self.log_n, self.build.lanes, transformed))

    def take(self, group: int, row, word):
        lanes, width = self.build.lanes, self.build.width
        count = (1 << self.log_n) // (4 * lanes)
        self.sim.set(row_groups_i=1 << group)
        rows = np.append(np.arange(count, dtype=np.uint32), np.uint32(0))
        taken = self.sim.play({"row_addr_i": rows}, ["row_data_o"])["row_data_o"]
        self.sim.set(row_groups_i=0)
        words = unpack(taken[1:], width, 4 * lanes * self.build.groups)[:, 4 * lanes * group :][:, : 4 * lanes]
        return np.array(words[row, word])

    def start(self, name: str, dst: int, a: int = 0, b: int = 0, part: int = 0) -> None:
        self.sim.set(instr_i=instruction(name, dst=dst, a=a, b=b, part=part), start_i=1)
        self.sim.step()
        self.sim.set(start_i=0)

    def run(self, name: str, dst: int, a: int = 0, b: int = 0) -> int:
        """Cycles from the one after start_i to that of the last write."""
        self.start(name, dst, a, b)
        cycles = self.wait()
        lead = 0 if name in ("FFT", "IFFT", "MACW") else DONE_LEAD
        self.sim.step(lead)
        return cycles + lead

    def wait(self) -> int:
        """Cycles to done_o."""
        return self.sim.wait("done_o", 1, 64 * bound(self.log_n, self.build.lanes) + 4096)
