# SPDX-License-Identifier: Apache-2.0
"""What the time of instructions follows from: designs as arrays, and formulas of the units' READMEs for one ring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...designs.design import WHOLE_ROUNDS
from ...designs.limits import words_per_cycle
from ...designs.rules import WLM_STEP_BITS

# rs_pkg: a multiplier is of tiles of 17 times 24 bits; word-level Montgomery takes WLM_STEP_BITS a step
TILE_A, TILE_B = 17, 24
LINE, BURST = 64, 1024  # bytes
BLOCK, CBD_BYTES = 136, 6  # bytes of SHAKE256 per permutation; of a coefficient of the centred binomial distribution
ROUNDS, STATE_BITS, RATE_BITS = 24, 1600, 1536
STREAM_BLOCK = 512  # words of the public stream
STREAM_PERMUTATIONS = 31  # permutations of such a block
SERIAL_BITS = (
    17  # bits of a quotient at a time, where EXPAND shares a folded core and divides without multipliers of its own
)


def up(a: Any, b: Any) -> Any:
    """a / b, rounded up."""
    return -(-a // b)


def log2_up(a: Any) -> Any:
    return np.ceil(np.log2(np.maximum(a, 1))).astype(np.int32)


def _product(a: Any, b: Any) -> Any:
    """Registers of a product of a times b bits: one in front, one behind each row of tiles, a tree of adders."""
    return 2 + up(b, TILE_B) + log2_up(up(a, TILE_A))


def multiplier_latency(word_bits: Any, wlm: Any) -> Any:
    """rs_modmul, by width and reduction (hw/reduce/README.md)."""
    w = word_bits
    barrett = _product(w, w) + 1 + _product(w + 2, w + 2) + _product(w, w) + 2
    split = np.where(w > 2 * TILE_A, TILE_A << np.maximum(log2_up(up(w, TILE_A)) - 1, 0), w)
    product = _product(split, w) + (split < w)
    begins = np.where(product < 5, 3, product - 2)
    steps = up(WLM_STEP_BITS * up(w, WLM_STEP_BITS), min(2 * WLM_STEP_BITS, TILE_A))
    late = up(w - WLM_STEP_BITS, TILE_B) - 1
    return np.where(wlm, begins + 3 * steps + late + 1, barrett)


class Columns:
    """Designs as arrays of one length, for a ring of 2^log_n coefficients and a modulus of so many bits."""

    def __init__(self, fields: Mapping[str, Any], log_n: int, modulus_bits: int) -> None:
        """fields: of designs, and `latency` of the memory."""

        def whole(name: str) -> Any:
            return np.asarray(fields[name]).astype(np.int32)

        self.fields, self._sized = fields, dict[int, Columns]()
        self.n, self.log_n, self.modulus_bits = 1 << log_n, log_n, modulus_bits
        self.lanes, self.word_bits, self.latency = whole("lanes"), whole("word_bits"), whole("latency")
        self.wlm = np.equal(fields["reduction"], "wlm")
        self.on_the_fly = np.equal(fields["twiddles"], "on_the_fly")
        self.encode = np.asarray(fields["encode"], bool)
        self.bus = whole("bus_bits") // 8
        self.outstanding, self.reducers = whole("outstanding"), whole("reducers")
        self.sample_lanes, self.ternary_bytes = whole("sample_lanes"), whole("ternary_bytes")
        self.keccak_cores, self.slices = np.maximum(whole("keccak_cores"), 1), whole("keccak_slices")
        self.expand_words, self.expand_steps = whole("expand_words"), whole("expand_steps")
        self.stream_lanes, self.ports = whole("stream_lanes"), np.maximum(whole("ports"), 1)
        self.log_n_max = whole("log_n_max")
        self.has_fields = np.asarray(fields["fields"]).astype(
            np.int32
        )  # a cycle more to memory, which LOAD and STORE share then
        self.field_rounds, self.field_words = np.maximum(whole("field_rounds"), 1), np.maximum(whole("field_words"), 1)
        self.shared = np.equal(fields["keccak"], "shared")
        self.folded = self.slices != WHOLE_ROUNDS
        self.word_bytes = np.where(self.word_bits > 32, 8, 4).astype(np.int32)
        self.chunk = Plain(bus_bits=8 * self.bus, word_bits=self.word_bits, lanes=self.lanes).chunk
        arrays = [x for x in vars(self).values() if isinstance(x, np.ndarray)]
        self.shape = np.broadcast_shapes(*map(np.shape, arrays))
        self.chunks = up(self.n, self.chunk)
        self.beats = up(self.n * self.word_bytes, self.bus)
        self._transforms()

    def _transforms(self) -> None:
        """docs/ntt_schedule.md"""
        multiplier = multiplier_latency(self.word_bits, self.wlm)
        self.lane = 1 + multiplier + 2
        self.log_lanes = np.log2(self.lanes).astype(np.int32)
        wide_reorder = (self.log_lanes > 0) & (self.lane + 8 <= 33)
        self.lag = (3 + self.lane + np.where(wide_reorder, 5, 3)) | 1
        self.twiddle = 1 + (self.log_lanes + 2) // 3 + np.where(self.on_the_fly, 4 + multiplier, 0)
        quarter = self.n // (4 * self.lanes)
        pause = np.where(self.lag <= quarter + 1, 0, up(self.lag - quarter - 1, 4) * 4)
        self.stage = self.n // (2 * self.lanes) + pause
        whole = self.log_n * (self.n // (2 * self.lanes)) + (self.log_n - 1) * pause
        self.transform = whole + self.lag + 3 + np.maximum(0, self.twiddle - 3)
        # the transforms of encode and decode: stages of two lanes each, with four cycles more between read and write
        lag = self.lag + 4
        address = self.log_n - 2 - self.log_lanes - (self.lanes == 1)
        slack = (2 << np.maximum(address, 0)) + np.where(self.log_lanes == 1, 1, 3)
        block = np.where(self.lanes == 1, 16, 8)
        wait = np.where(lag > slack, up(lag - slack, block) * block // 2, 0)
        self.fixed_transform = (self.n // self.lanes + wait) * (self.log_n - 1) + lag

    def sized(self, log_size: int) -> Columns:
        """For polynomials of another size; 0: this one."""
        if log_size in (0, self.log_n):
            return self
        if log_size not in self._sized:
            self._sized[log_size] = Columns(self.fields, log_size, self.modulus_bits)
        return self._sized[log_size]

    def transform_of(self, slices: int) -> Any:
        """Of so many polynomials by one instruction: a stage takes them one after the other."""
        if slices == 1:
            return self.transform
        half = self.n // (2 * self.lanes)
        distance = slices * half - self.n // (4 * self.lanes)
        pause = np.where(self.lag <= distance + 1, 0, up(self.lag - distance - 1, 4) * 4)
        return self.log_n * slices * half + (self.log_n - 1) * pause + self.lag + 3 + np.maximum(0, self.twiddle - 3)

    def twiddle_words(self) -> Any:
        """Of a context: all of a table, or rows of seeds for each lane."""
        rows = up(32 + 16, self.lanes) + 3
        return np.where(self.on_the_fly, 2 * rows * self.lanes, self.n)

    def reduced_ahead(self) -> Any:
        """Cycles of the words that rs_transpose and the reducers in front of it hold."""
        held = sum(np.where(self.chunk == words, number, 0) for words, number in HELD.items())
        return held // np.maximum(self.reducers, 1)

    def in_flight(self, beats: Any, more: int, after: Any = 0) -> Any:
        """Cycles of so many beats, if no more bursts may be under way than the design keeps account of: a round of them per round trip.
        after: of how many bursts of the round before these are the next, 0: of none.

        Bursts are single lines, but long ones where an array is one stream (hw/axi/README.md).
        """
        burst, bursts, trip = self._bursts(beats, more)
        rounds = (after + bursts - 1) // self.outstanding
        bound = rounds * trip + (bursts - rounds * self.outstanding) * burst
        return np.where(self.outstanding * burst < trip, np.maximum(bound, beats), beats)

    def round_after(self, beats: Any, after: Any) -> Any:
        """How many bursts the last round has then, 1 to all."""
        return (after + self._bursts(beats, 0)[1] - 1) % self.outstanding + 1

    def _bursts(self, beats: Any, more: int) -> tuple[Any, Any, Any]:
        """Beats of a burst, bursts, and cycles from an answer to that of the burst that it lets go."""
        burst = np.where(self.chunk == 1, BURST, LINE) // self.bus
        return burst, up(beats, burst), self.latency + burst + more

    # ---- the streaming unit (hw/pipe/README.md, rs_stream_pkg)
    def stream(self, limbs: int, more: int, *, behind: bool) -> Any:
        """Cycles of a frame. behind: another one with the same key, whose limbs' contexts are here."""
        lanes = np.maximum(self.stream_lanes, 1)
        tokens = limbs * self.n // lanes + self.latency + more
        lines = limbs * self.n * STREAM_WORDS // LINE
        # each port keeps account of its own lines: with two ports, one brings a key's half and all parts of the message but every fourth
        share = np.where(self.ports == 1, 3, 2 - 1 / np.maximum(lanes, 4))
        trip = self.latency + up(LINE, self.bus) + READ_TRIP
        if behind:
            read = lines * share / self.outstanding * trip + self.latency / 2
        else:
            half = 1 << up(self.log_n_max, 2)  # words of low twiddles (hw/stream/README.md, Twiddle image)
            tokens = tokens + 2 * half // lanes + self.n // half + TABLE_MORE
            read = (lines * share - AHEAD) / self.outstanding * trip
        return np.maximum(tokens, read).astype(np.int32)

    def stream_latency(self) -> Any:
        """Of the last limb, from its last token to its last line in memory."""
        lanes = np.maximum(self.stream_lanes, 1)
        multiplier = multiplier_latency(self.word_bits, self.wlm)
        log_lanes = np.log2(lanes).astype(np.int32)
        stages = self.log_n * (multiplier + ADD_SUB) + self.log_n - log_lanes
        return self.n // lanes - 1 + stages + 2 * multiplier + STREAM_AROUND + self.latency

    def sample(self, ternary: bool) -> Any:
        """hw/sampler/README.md: blocks come as fast as Keccak makes them and as the sampler takes them."""
        permutation = ROUNDS * WHOLE_ROUNDS // self.slices
        made = np.where(self.folded, STATE_BITS // self.slices, permutation) / self.keccak_cores
        if ternary:
            # the budget of rs_sample_ternary_bytes: a byte is five values, 13 of 256 are dropped, and a margin
            needed = up(self.n, 5)
            blocks = up(needed + needed // 12 + 96, BLOCK)
            beat = np.maximum(
                self.slices // 8, 1
            )  # bytes of a folded core, whose values leave before the next ones come
            values = np.where(self.folded, up(5 * beat, self.sample_lanes) / beat, 5 / self.sample_lanes)
            taken = BLOCK * np.maximum(1 / self.ternary_bytes, values)
            return np.ceil(blocks * np.maximum(made, taken) + permutation).astype(np.int32) + TERNARY_MORE
        blocks = up(CBD_BYTES * self.n, BLOCK)
        beat = CBD_BYTES * self.sample_lanes
        taken = np.where(self.folded, 8 * BLOCK / self.slices + BLOCK / beat, up(BLOCK, beat))
        last = up(CBD_BYTES * self.n - (blocks - 1) * BLOCK, beat)  # the last block is not read to its end
        more = np.where(self.folded, FOLDED_MORE, CBD_MORE + last)
        return np.ceil((blocks - 1) * np.maximum(made, taken) + permutation + more).astype(np.int32)

    def expand(self) -> Any:
        words = np.where(self.n >= STREAM_BLOCK * self.expand_words, self.expand_words, 1)
        blocks = up(self.n, STREAM_BLOCK * words)
        whole = 1 + max(STREAM_BLOCK - 2 + ROUNDS, STREAM_PERMUTATIONS * ROUNDS)
        fold = np.maximum(STREAM_PERMUTATIONS * (RATE_BITS // self.slices) + 1, STREAM_BLOCK + 1)
        quotient = np.where(self.expand_steps > 0, np.maximum(self.expand_steps, 1), SERIAL_BITS)
        divides = (self.expand_steps > 0) | self.folded
        serial = np.where(divides, self.n * np.maximum(1, up(64 - self.modulus_bits, quotient)), 0)
        first = np.where(divides & ~self.folded, FIRST_WORDS, 0)
        return np.maximum(blocks * np.where(self.folded, fold, whole), serial + first) + EXPAND_MORE


class Plain:
    """The fields that words_per_cycle reads."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)
        self.chunk = words_per_cycle(self)


# a line of a key lasts so many words; lines that wait in front of the first token; cycles from an answer to the next request; of loading tables,
# of a butterfly behind its product, and of the way through queues to memory: traces of stream-12
STREAM_WORDS, AHEAD, READ_TRIP, TABLE_MORE, ADD_SUB, STREAM_AROUND = 8, 128, 2, 3, 2, 20
# cycles around the work of SAMPLE and EXPAND, from traces of rise-1, rise-4 and aloha-he
TERNARY_MORE, CBD_MORE, FOLDED_MORE, EXPAND_MORE = 14, 10, 30, 25
HELD = {1: 19, 2: 27, 4: 38, 8: 106, 16: 104}  # words behind the reducers, by those of a chunk
FIRST_WORDS = 121  # until a divider behind a whole core has work
