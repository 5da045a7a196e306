# SPDX-License-Identifier: Apache-2.0
"""rs_poly_memory: every unit finds what another unit wrote, in the row and bank that docs/core.md states; wiping; collisions."""

from contextlib import closing
from functools import cache
from itertools import product

import numpy as np
import pytest
from compute_bench import places
from rs_block import Block
from rs_cocotb import whole
from rs_orders import orders

from ringside.sim import SimulationError, Simulator, build
from ringside.sim.verilate import pack, unpack

LOG_LANES, LOG_N, GROUPS, CHUNK, WIDTH = 1, 7, 3, 4, 32
LANES, N = 1 << LOG_LANES, 1 << LOG_N
SOURCES = whole("rs_poly_memory")
# writers of chunks, pairs and words; all but the first one count by the index in SEAL's array
WORDS = (CHUNK, CHUNK, 2, 1)
PARAMETERS = {"W": WIDTH, "LogNMin": 6, "LogNMax": 8, "LogLanes": LOG_LANES, "Groups": GROUPS, "ChunkWords": CHUNK}
PARAMETERS |= {"Writers": len(WORDS), "Readers": 3, "WriterReversed": 0b1110}
PARAMETERS["WriterWords"] = sum(words << 8 * w for w, words in enumerate(WORDS))
# memories of two ports: a bank each, or for chunks of two words two banks
DUAL = {"Dual": 1}
STACKED = {"Stacked": 1, "ChunkWords": 2, "WriterWords": sum(min(words, 2) << 8 * w for w, words in enumerate(WORDS))}
FORMS = {"banks": {}, "dual": DUAL, "stacked": STACKED}

# lanes and words of PIPE
FIXED = [
    (lanes, words)
    for lanes, words in product((2, 4, 8, 16, 32), (2, 4, 8))
    if words <= 4 * lanes and lanes * words > 16
]


@cache
def library(**changes):
    return build("rs_poly_memory", SOURCES, PARAMETERS | changes)


class Memory:
    def __init__(self, **changes):
        self.stacked = bool(changes.get("Stacked"))
        self.chunk = changes.get("ChunkWords", CHUNK)
        self.words = [min(words, self.chunk) for words in WORDS]
        self.reader_words = changes.get("ReaderWords", self.chunk)
        self.sim = Simulator(library(**changes))
        self.sim.set(log_n_i=LOG_N)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(2)

    def write(self, writer, group, values, ntt=0):
        """A polynomial in memory order; a writer that counts by index brings the same words in another order."""
        words = self.words[writer]
        count = N // words
        chunks = np.zeros((count, self.chunk), np.uint64)
        chunks[:, :words] = np.asarray(values, np.uint64).reshape(count, words)
        at = np.arange(count, dtype=np.uint64)
        if writer:
            chunks = chunks[orders(count)]
        else:
            at *= words
        self.sim.set(writer_valid_i=1 << writer, writer_group_i=group << 4 * writer, writer_ntt_i=ntt << writer)
        position = (at << np.uint64(8 * writer)).astype(np.uint32)
        self.sim.play({"writer_pos_i": position, "writer_data_i": self.at(writer, pack(chunks, WIDTH))})
        self.sim.set(writer_valid_i=0)
        self.sim.step(2)

    @staticmethod
    def at(writer, data):
        """Data in the place of a writer."""
        out = np.zeros((len(data), len(WORDS) * data.shape[1]), data.dtype)
        out[:, writer * data.shape[1] : (writer + 1) * data.shape[1]] = data
        return out

    def read(self, reader, group, ntt=0):
        """Two cycles later."""
        at = np.append(np.arange(0, N, self.reader_words, dtype=np.uint32), np.zeros(2, np.uint32))
        self.sim.set(reader_req_i=1 << reader, reader_group_i=group << 4 * reader, reader_ntt_i=ntt << reader)
        taken = self.sim.play({"reader_pos_i": at << 8 * reader}, ["reader_data_o"])["reader_data_o"]
        self.sim.set(reader_req_i=0)
        self.sim.step(2)
        return unpack(taken[2:], WIDTH, self.reader_words).ravel()

    def banks(self, group, row):
        """A row as the lanes see it, by {g, h, lane}."""
        self.sim.set(lanes_read_i=1, lanes_read_groups_i=1 << group, lanes_read_addr_i=row)
        halves = []
        for half in (0, 1):
            self.sim.set(lanes_read_half_i=half)
            self.sim.step(2)
            words = self.sim.get("lanes_data_o").to_bytes(GROUPS * 4 * LANES * 4, "little")
            groups = np.frombuffer(words, "<u4").reshape(GROUPS, 2, 2 * LANES)
            halves.append(groups[group, half])
        self.sim.set(lanes_read_i=0)
        self.sim.step()
        return np.concatenate(halves)


@pytest.fixture(params=FORMS.values(), ids=FORMS)
def memory(request):
    dut = Memory(**request.param)
    yield dut
    dut.sim.close()


def polynomial(seed):
    return np.random.default_rng(seed).integers(0, 1 << 32, N, np.uint64)


@pytest.mark.parametrize("ntt", [0, 1])
def test_chunks_come_back_and_lie_where_the_lanes_look(memory, ntt):
    values = [polynomial(group) for group in range(GROUPS)]
    for group in range(GROUPS):
        memory.write(0, group, values[group], ntt)
    for group in range(GROUPS):
        np.testing.assert_array_equal(memory.read(0, group, ntt), values[group])
    by_index = values[1][orders(N)]
    row, word = places(LOG_N, LANES, bool(ntt))
    for address in range(N // (4 * LANES)):
        found = memory.banks(1, address)
        for index in np.flatnonzero(row == address):
            lane, g, h = word[index] >> 2, word[index] >> 1 & 1, word[index] & 1
            assert found[g * 2 * LANES + h * LANES + lane] == by_index[index]


@pytest.mark.parametrize("writer", range(len(WORDS)))
@pytest.mark.parametrize("ntt", [0, 1])
def test_every_reader_finds_what_every_writer_wrote(memory, writer, ntt):
    values = polynomial(writer)
    memory.write(writer, 2, values, ntt)
    for reader in range(3):
        np.testing.assert_array_equal(memory.read(reader, 2, ntt), values)


def test_a_reader_of_fewer_words():
    dut = Memory(ReaderWords=2)
    values = polynomial(7)
    dut.write(1, 0, values)
    np.testing.assert_array_equal(dut.read(1, 0), values)
    dut.sim.close()


@pytest.mark.parametrize("changes", FORMS.values(), ids=FORMS)
def test_words_alone_and_real_ones(changes):
    """A word at any position; a real one brings its imaginary part, half a row behind it. What is beside them stays."""
    dut = Memory(Pairs=1, **changes)
    values = polynomial(9)
    want = values.copy()
    dut.write(0, 1, values)
    dut.sim.set(writer_group_i=1, writer_word_i=1)
    rng = np.random.default_rng(9)
    for position in rng.permutation(N)[: N // 3]:
        word = int(rng.integers(1 << WIDTH))
        real = position % (4 * LANES) < 2 * LANES and rng.random() < 0.5
        other = int(rng.integers(1 << WIDTH))
        data = sum(word << WIDTH * i for i in range(dut.chunk))
        dut.sim.set(writer_valid_i=1, writer_real_i=int(real), writer_pos_i=int(position), writer_data_i=data)
        dut.sim.set(writer_other_i=other)
        dut.sim.step()
        want[position] = word
        if real:
            want[position + 2 * LANES] = other
    dut.sim.set(writer_valid_i=0, writer_word_i=0, writer_real_i=0)
    dut.sim.step(2)
    np.testing.assert_array_equal(dut.read(0, 1), want)
    dut.write(0, 1, values)  # chunks as ever
    np.testing.assert_array_equal(dut.read(0, 1), values)
    dut.sim.close()


@pytest.mark.parametrize(
    ("requests", "ready"), [(0b000, 0b111), (0b001, 0b001), (0b010, 0b011), (0b110, 0b011), (0b111, 0b001)]
)
def test_the_first_reader_goes_first(memory, requests, ready):
    """Each has a group of its own; the data are those of whoever went first."""
    values = [polynomial(group) for group in range(GROUPS)]
    for group in range(GROUPS):
        memory.write(0, group, values[group])
    memory.sim.set(reader_req_i=requests, reader_group_i=0x210, reader_pos_i=8 << 16 | 4 << 8)
    memory.sim.step()
    assert memory.sim.get("reader_ready_o") == ready
    memory.sim.set(reader_req_i=0)
    memory.sim.step()
    if requests:
        first = (requests & -requests).bit_length() - 1
        data = memory.sim.get("reader_data_o").to_bytes(memory.chunk * 4, "little")
        np.testing.assert_array_equal(np.frombuffer(data, "<u4"), values[first][4 * first : 4 * first + memory.chunk])


def word_place(k, log_n, log_lanes):
    """Where the word of coefficient brv(k) of a group in fixed point is: position(r, c) of docs/core.md."""
    i = int(f"{k:0{log_n}b}"[::-1], 2)
    c, point = divmod(i, 1 << log_n - 1)
    r = int(f"{point:0{log_n - 1}b}"[::-1], 2)
    high, low = divmod(r, 1 << log_lanes + 1)
    return (high << log_lanes + 2) + (c << log_lanes + 1) + low


@pytest.mark.parametrize(
    ("lanes", "words"),
    [(2, 2), (4, 2), (4, 4), *(pytest.param(lanes, words, marks=pytest.mark.slow) for lanes, words in FIXED)],
)
@pytest.mark.alike(6)
def test_pipe_reads_words_in_fixed_point(lanes, words):
    """Of one group, at any size, beside a group in coefficient form: consecutive positions of coefficient form."""
    log_lanes, chunk = lanes.bit_length() - 1, max(words, 4)
    least = max(6, log_lanes + 4)
    changes = {"LogLanes": log_lanes, "LogNMin": least, "LogNMax": least + 2, "Pairs": 1, "PipeWords": words}
    changes |= {"ChunkWords": chunk, "WriterWords": chunk | chunk << 8 | 0x01020000}
    with closing(Simulator(library(**changes))) as sim:
        sim.step(2)
        sim.set(rst_ni=1)
        for log_n in range(least, least + 3):
            n = 1 << log_n
            values = np.random.default_rng(log_n).integers(0, 1 << WIDTH, n, np.uint64)
            stored = np.zeros(n, np.uint64)
            stored[[word_place(k, log_n, log_lanes) for k in range(n)]] = values
            sim.set(log_n_i=log_n)
            sim.step(2)
            at = np.arange(0, n, chunk, dtype=np.uint32)
            for group, written in (1, stored), (2, values):
                data = np.zeros((n // chunk, len(WORDS), chunk), np.uint64)
                data[:, 0] = written.reshape(-1, chunk)
                sim.set(writer_valid_i=1, writer_group_i=group)
                wide = np.pad(at[:, None], ((0, 0), (0, (len(WORDS) * (least + 2) - 1) // 32)))  # the first writer's
                sim.play({"writer_pos_i": wide, "writer_data_i": pack(data.reshape(n // chunk, -1), WIDTH)})
                sim.set(writer_valid_i=0)
                sim.step(2)
            # one after the other, and from one kind to the other without a gap
            at = np.arange(0, n, words, dtype=np.uint32)
            fixed = np.resize([1, 1, 0], len(at)).astype(np.uint8)
            late = np.zeros(2, np.uint32)
            sim.set(pipe_req_i=1)
            given = {"pipe_pos_i": np.append(at, late), "pipe_fixed_i": np.append(fixed, late).astype(np.uint8)}
            given["pipe_group_i"] = np.append(np.where(fixed, 0x11, 0x22), late).astype(np.uint8)
            data = sim.play(given, ["pipe_data_o"])["pipe_data_o"][2:]
            sim.set(pipe_req_i=0)
            sim.step(2)
            found = unpack(data, WIDTH, 2 * words).reshape(-1, 2, words)
            for index in range(2):
                np.testing.assert_array_equal(found[:, index].ravel(), values)


def wipe(memory):
    memory.sim.set(wipe_i=1)
    for half in range(1 + memory.stacked):
        memory.sim.set(wipe_half_i=half)
        memory.sim.play({"wipe_addr_i": np.arange(N // (4 * LANES), dtype=np.uint32)})
    memory.sim.set(wipe_i=0)


def test_wipe_leaves_zeros_everywhere(memory):
    for group in range(GROUPS):
        memory.write(0, group, polynomial(group))
    wipe(memory)
    for group in range(GROUPS):
        assert not memory.read(0, group).any()


def test_what_the_lanes_have_read_is_rinsed(memory):
    """Their port has words in its register that are zero in the memory, until it reads zeros."""
    for group in range(GROUPS):
        memory.write(0, group, polynomial(group))
        memory.banks(group, 3)
    wipe(memory)
    assert memory.sim.get("lanes_data_o")
    memory.sim.set(rinse_i=1)
    memory.sim.step()
    assert memory.sim.get("lanes_data_o") == 0


@pytest.mark.parametrize("users", [{"writer_valid_i": 1, "reader_req_i": 1}, {"writer_valid_i": 0b101}])
def test_two_users_of_a_group_stop_the_simulation(memory, users):
    memory.sim.set(**users, writer_group_i=0x1111, reader_group_i=0x111)
    with pytest.raises(SimulationError, match="two ports"):
        memory.sim.step(3)


def test_the_lanes_read_a_half_and_write_the_other_one(memory):
    """In the same group and cycle, as in a transform: first the upper halves of all rows become their complement, then the lower ones."""
    rows, words = N // (4 * LANES), 2 * LANES
    values = polynomial(11)
    memory.write(0, 0, values)
    ones = np.uint64(0xFFFFFFFF)
    # by half, row and {h, lane}
    halves = values.reshape(rows, LANES, 2, 2).transpose(2, 0, 3, 1).reshape(2, rows, words)
    steps = [(half, row) for half in (0, 1) for row in range(rows)]
    found = []
    for cycle in range(len(steps) + 2):
        on = cycle < len(steps)
        half, row = steps[cycle] if on else (0, 0)
        memory.sim.set(lanes_read_i=on, lanes_read_groups_i=1, lanes_read_half_i=half, lanes_read_addr_i=row)
        memory.sim.set(lanes_write_i=on, lanes_write_groups_i=1, lanes_write_half_i=1 - half, lanes_write_addr_i=row)
        if 1 <= cycle <= len(steps):  # data of a write come one cycle after it
            half, row = steps[cycle - 1]
            memory.sim.set(
                lanes_data_i=int.from_bytes((halves[1 - half, row] ^ ones).astype("<u4").tobytes(), "little")
            )
        if cycle >= 2:
            data = memory.sim.get("lanes_data_o").to_bytes(GROUPS * 2 * words * 4, "little")
            found.append(np.frombuffer(data, "<u4").reshape(GROUPS, 2, words)[0, steps[cycle - 2][0]])
        memory.sim.step()
    np.testing.assert_array_equal(found[:rows], halves[0])
    np.testing.assert_array_equal(found[rows:], halves[1] ^ ones)
    np.testing.assert_array_equal(memory.read(0, 0), values ^ ones)


def test_different_groups_do_not_collide(memory):
    memory.write(0, 1, polynomial(5))
    memory.sim.set(writer_valid_i=2, writer_group_i=0)
    np.testing.assert_array_equal(memory.read(0, 1), polynomial(5))


test_illegal_parameters = Block("rs_poly_memory").refuses(
    *("%Error", {"ChunkWords": 3}, {"ChunkWords": 16, "LogLanes": 1}, {"LogNMax": 18}, {"LogNMin": 5}),
    *({"WriterWords": 0x030404}, {"ReaderWords": 32}, {"Stacked": 1}, STACKED | DUAL),
    {"LogLanes": 0, "Pairs": 1, "PipeWords": 2, "ChunkWords": 4},
)
