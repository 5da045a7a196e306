# SPDX-License-Identifier: Apache-2.0
"""rs_lift_unit with lists in place of slots, groups and the stream; its cycles do not depend on their contents."""

import random

import cocotb
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block
from rs_cocotb import settings
from rs_orders import reverse

from ringside.sim.asm import instruction

BLOCK = Block("rs_lift_unit", "W ChunkWords LogNMax Encode Onto")
test_lift_unit = BLOCK.runs(__file__, [(32, 8, 11, 0, 1), (64, 1, 11, 0, 1), (32, 8, 11, 1, 1), (32, 8, 11, 0, 0)])
test_lift_unit_lint = BLOCK.lints([{}, (64, 1, 17), (60, 16, 11, 1, 1)])
test_lift_unit_illegal = BLOCK.refuses("ChunkWords must be", {"ChunkWords": 3})
test_lift_lane_lint, test_lift_onto_lint, test_round_bit_lint = (
    Block(top).lints() for top in ("rs_lift_lane", "rs_lift_onto", "rs_round_bit")
)
LIFT, ROUND, LIFTON = 15, 16, 41
LIFT_LAG, ROUND_LAG, LIFTON_LAG = 5, 5, 7
LOG_N = 9
N = 1 << LOG_N


class Surroundings:
    """A slot, the polynomial that ROUND or LIFTON reads, and the stream, with noise on inputs that the unit must ignore."""

    def __init__(self, dut, slot, slot_number, group=(), stream=(), offer=None, ready=None):
        self.dut = dut
        parameters = settings()["parameters"]
        self.width, self.chunk = parameters["W"], parameters["ChunkWords"]
        self.slot, self.slot_number = list(slot), slot_number
        self.group, self.stream, self.offer = list(group), list(stream), offer or bench.always
        self.ready = ready or bench.always
        self.out = [None] * len(slot)
        self.trace = []
        self.read, self.requests, self.taken, self.offered = None, [None, None], 0, False

    def part(self, values, row, bits):
        """A row of values as a word; noise for none."""
        if row is None:
            return random.getrandbits(bits * self.chunk)
        return bench.fields(values[self.chunk * row : self.chunk * (row + 1)], bits)

    async def cycle(self):
        """One cycle; whether it was that of done_o."""
        dut, chunk = self.dut, self.chunk
        self.offered = self.taken * chunk < len(self.stream) and (self.offered or self.offer())
        dut.stream_valid_i.value = int(self.offered)
        # a polynomial in natural order: its chunks come in bit-reversed order
        rows = len(self.slot) // chunk
        row = reverse(self.taken, rows.bit_length() - 1) if self.offered else None
        dut.stream_i.value = self.part(self.stream, row, self.width)
        dut.slot_rdata_sec_i.value = self.part(self.slot, self.read, 6)
        dut.chunk_data_i.value = self.part(self.group, self.requests.pop(0), self.width)
        ready = self.ready()
        dut.chunk_ready_i.value = int(ready)
        await bench.settle()
        seen = {
            name: int(getattr(dut, name).value)
            for name in ("done_o", "stream_ready_o", "chunk_valid_o", "chunk_req_o", "slot_req_o", "slot_we_o")
        }
        if seen["slot_req_o"]:
            seen["row"] = int(dut.slot_row_o.value)
            assert int(dut.slot_o.value) == self.slot_number
        self.read = seen["row"] if seen["slot_req_o"] and not seen["slot_we_o"] else None
        if seen["slot_we_o"]:
            written = bench.signed_fields(int(dut.slot_wdata_sec_o.value), chunk, 6)
            self.slot[chunk * seen["row"] : chunk * (seen["row"] + 1)] = written
        if seen["chunk_req_o"]:
            seen["rpos"] = int(dut.chunk_rpos_o.value)
        self.requests.append(seen["rpos"] // chunk if seen["chunk_req_o"] and ready else None)
        if seen["chunk_valid_o"]:
            seen["pos"] = position = int(dut.chunk_pos_o.value)
            word, mask = int(dut.chunk_data_o.value), (1 << self.width) - 1
            assert self.out[position] is None, "written twice"
            self.out[position : position + chunk] = [word >> self.width * i & mask for i in range(chunk)]
        self.taken += self.offered and seen["stream_ready_o"]
        self.offered = self.offered and not seen["stream_ready_o"]
        self.trace.append(seen)
        await FallingEdge(dut.clk_i)
        return seen["done_o"]

    async def begin(self, q, factor, word):
        dut = self.dut
        dut.q_i.value = q
        dut.factor_i.value = factor
        dut.log_n_i.value = len(self.slot).bit_length() - 1
        dut.instr_i.value = word
        dut.start_i.value = 1
        await self.cycle()
        dut.start_i.value = 0

    async def run(self, q, factor, word):
        await self.begin(q, factor, word)
        while not await self.cycle():
            assert len(self.trace) < 20 * len(self.slot)
        return self


def moduli():
    width = settings()["parameters"]["W"]
    return [67, (1 << width) - 1, random.randrange(1 << width - 2, 1 << width) | 1]


def small(bound):
    """All values first."""
    values = list(range(-bound, bound + 1))
    return values + [random.choice(values) for _ in range(N - len(values))]


def residues(q):
    corners = [0, 1, q // 2 - 1, q // 2, q // 2 + 1, q - 2, q - 1]
    return [random.choice((random.choice(corners), random.randrange(q))) for _ in range(N)]


async def lift(dut, q, slot, scaled, stream=(), offer=None, factor=1):

    number = random.randrange(16)
    given = instruction(LIFT, dst=random.randrange(16), a=number, add=int(bool(stream)), factor=scaled)
    return await Surroundings(dut, slot, number, (), stream, offer).run(q, factor, given)


async def rounded(dut, q, slot, group, ready=None):

    number = random.randrange(16)
    given = instruction(ROUND, dst=number, a=random.randrange(16))
    return await Surroundings(dut, slot, number, group, ready=ready).run(q, 1, given)


async def lifted_onto(dut, q, slot, group, stream=(), offer=None, ready=None):

    number = random.randrange(16)
    given = instruction(LIFTON, dst=random.randrange(16), a=number, b=random.randrange(16), add=int(bool(stream)))
    return await Surroundings(dut, slot, number, group, stream, offer, ready).run(q, 1, given)


def has_onto():
    return bool(settings()["parameters"]["Onto"])


@bench.test
async def lifts(dut):
    for q in moduli():
        factor = random.randrange(1, q)
        for scaled, slot in ((0, small(21)), (0, [random.randrange(-32, 32) for _ in range(2 * N)]), (1, small(1))):
            values = [value * (factor if scaled else 1) for value in slot]
            assert (await lift(dut, q, slot, scaled, factor=factor)).out == [value % q for value in values]
            stream = residues(q) * (len(slot) // N)
            for chance in (1, 0.4):
                got = (await lift(dut, q, slot, scaled, stream, bench.sometimes(chance, 1), factor)).out
                assert got == [(value + word) % q for value, word in zip(values, stream, strict=True)]


@bench.test
async def lifts_onto(dut):
    """Whatever keeps it waiting: the stream, another reader, both."""
    for q in moduli() if has_onto() else ():
        slot, group, stream = small(21), residues(q), residues(q)
        # each edge of both sums
        group[:43] = [(q - value - random.randrange(2)) % q for value in slot[:43]]
        for words in ((), stream):
            want = [sum(words) % q for words in zip(slot, group, words or [0] * N, strict=True)]
            for offer, ready in ((1, 1), (0.4, 1), (1, 0.3), (0.5, 0.7)):
                around = await lifted_onto(
                    dut, q, slot, group, words, bench.sometimes(offer, 1), bench.sometimes(ready, 2)
                )
                assert around.out == want


@bench.test
async def rounds(dut):
    """The remainder of the library, d = v + e - q wrap, is the centred one. Also when another reader goes first at times."""
    for q in moduli():
        errors, values = small(21), residues(q)
        # around the limit
        values[:43] = [(q + 1) // 2 - error - random.randrange(2) for error in errors[:43]]
        got = (await rounded(dut, q, errors, values)).slot
        assert got == [int(v + e + q // 2 >= q) for v, e in zip(values, errors, strict=True)]
        for chance in (0.3, 0.8):
            assert (await rounded(dut, q, errors, values, bench.sometimes(chance, 1))).slot == got
        assert all(2 * abs(v + e - q * bit) < q for v, e, bit in zip(values, errors, got, strict=True))


@cocotb.test()
async def same_remainder_as_library(dut):
    """rs_pk_remainder leaves the residue v in its scratch: d = v + e - q wrap."""
    import numpy as np
    from rs_cocotb import Model

    await bench.reset(dut)
    model = Model(N, (27,))
    q, errors, ternary = model.moduli[0], small(21), small(1)
    key, residue, remainder = (np.array(residues(q), np.uint64) for _ in range(3))
    given = [model.ffi.new("int8_t[]", values) for values in (ternary, errors)]
    out = model.ffi.from_buffer("int64_t[]", remainder)
    model.lib.rs_pk_remainder(model.pointer, 0, out, model.at(key), *given, model.at(residue))
    wraps = (await rounded(dut, q, errors, residue.tolist())).slot
    got = [v + e - q * wrap for v, e, wrap in zip(residue.tolist(), errors, wraps, strict=True)]
    assert got == remainder.view(np.int64).tolist()
    assert 0 < sum(wraps) < N


@bench.test
async def same_time_for_all_data(dut):
    rows = N // settings()["parameters"]["ChunkWords"]
    q = moduli()[2]
    contents = [([-1] * N, [0] * N), ([0] * N, [q - 1] * N), (small(1), residues(q))]
    for chance in (1, 0.4):
        runs = [await lift(dut, q, s, 1, g, bench.sometimes(chance, 2), q - 1) for s, g in contents]
        assert all(entry.trace == runs[0].trace for entry in runs)
        if chance == 1:
            assert len(runs[0].trace) == 1 + rows + LIFT_LAG, "a chunk per cycle"
    for chance in (0.6, 1) if has_onto() else ():
        runs = [
            await lifted_onto(dut, q, s, g, g, bench.sometimes(chance, 2), bench.sometimes(chance, 3))
            for s, g in contents
        ]
        assert all(entry.trace == runs[0].trace for entry in runs)
        if chance == 1:
            assert len(runs[0].trace) == 1 + rows + LIFTON_LAG
    for chance in (0.6, 1):
        runs = [await rounded(dut, q, slot, group, bench.sometimes(chance, 2)) for slot, group in contents]
        assert all(entry.trace == runs[0].trace for entry in runs)
    assert len(runs[0].trace) == 1 + 2 * rows - 1 + ROUND_LAG


@bench.test
async def back_to_back(dut):
    """An instruction in the cycle after the previous done_o finds no trace of the previous one."""
    q = moduli()[2]
    for _ in range(3):
        errors, values = small(21), residues(q)
        bits = (await rounded(dut, q, errors, values)).slot
        if has_onto():
            await lifted_onto(dut, q, errors, values, values)
        assert (await lift(dut, q, bits, 0)).out == bits
        if has_onto():
            assert (await lifted_onto(dut, q, bits, bits)).out == [2 * bit for bit in bits]


@bench.test
async def cleared_in_between(dut):
    q = moduli()[2]
    onto = [instruction(LIFTON, a=2, add=1)] * has_onto()
    for given in (instruction(LIFT, a=2, add=1), instruction(ROUND, dst=2), *onto):
        around = Surroundings(dut, small(21), 2, residues(q), residues(q))
        await around.begin(q, 1, given)
        for _ in range(random.randrange(5, 60)):
            await around.cycle()
        dut.clear_i.value = 1
        await around.cycle()
        dut.clear_i.value = 0
        around.trace.clear()
        for _ in range(20):
            await around.cycle()
            if len(around.trace) > (LIFTON_LAG if has_onto() else LIFT_LAG):
                assert (int(dut.chunk_data_o.value), int(dut.slot_wdata_sec_o.value)) == (0, 0)
        assert not any(any(seen.values()) for seen in around.trace)
        errors, values = small(21), residues(q)
        assert (await lift(dut, q, errors, 0)).out == [error % q for error in errors]
        got = (await rounded(dut, q, errors, values)).slot
        assert got == [int(v + e + q // 2 >= q) for v, e in zip(values, errors, strict=True)]
