# SPDX-License-Identifier: Apache-2.0
"""The LOAD unit with a memory: the data that arrive, their order and time, faults, aborts."""

import pytest
from axi_memory import DECERR, SLVERR
from dma_bench import (
    BUS_READ,
    CONFIGURATIONS,
    CONSTANTS,
    CONTEXT,
    CONTEXT_BAD,
    LOAD,
    LOG_N_MAX,
    NONE,
    RESIDUE,
    ROOTS,
    SOURCES,
    STREAM,
    TWIDDLES,
    Bench,
    wides,
)
from rs_cocotb import elaborate
from rs_orders import reverse

from ringside.sim.asm import instruction

pytestmark = pytest.mark.alike(4, by="configuration")

PACES = [(1.0, 1), (0.6, 7), (0.9, 40)]  # pace of memory and streams, latency


class Load(Bench):
    part = 0  # the part of twiddles, in a sequence

    def __init__(self, configuration, seed=1, **options):
        super().__init__("rs_dma_load", configuration, seed, **options)
        self.waiting = {}
        self.twiddles, self.words_wanted, self.storing, self.ntt = [], 0, False, 0
        self.header = [b""] * (64 // self.memory.beat_bytes)  # what came last in the place of each beat

    def split(self, chunk):
        return [chunk >> self.w * i & (1 << self.w) - 1 for i in range(self.v)]

    def cycle(self):
        """One cycle; the fault if it is the last, or None."""
        sim, memory = self.sim, self.memory
        memory.drive_read(sim)
        ready = {name: int(memory.chance()) for name in ("stream", "twiddle")}
        ready["twiddle"] &= len(self.twiddles) < self.words_wanted  # nobody takes padding
        sim.set(**{f"{name}_ready_i": value for name, value in ready.items()})
        # the twiddles are stored in the cycle after the last one was taken, or the header if there are none
        stored = self.storing and len(self.headers) == self.contexts and len(self.twiddles) >= self.words_wanted
        self.storing = self.storing and not stored
        sim.set(twiddles_done_i=int(stored))
        if sim.get("chunk_valid_o"):
            pos = sim.get("chunk_pos_o")
            assert pos % self.v == 0
            self.chunks.append((pos, self.split(sim.get("chunk_data_o"))))
            self.placed.append((sim.get("chunk_group_o"), *self.chunks[-1]))
            assert sim.get("chunk_ntt_o") == self.ntt
        for name, taken in (("stream", self.stream), ("twiddle", self.twiddles)):
            valid = sim.get(f"{name}_valid_o")
            offer = sim.get(f"{name}_o") if valid else None
            assert self.waiting.pop(name, offer) == offer, f"{name} changed while it waited"
            if valid and ready[name]:
                taken.extend(self.split(offer))
            elif valid:
                self.waiting[name] = offer
        if sim.get("header_valid_o"):
            assert len(self.twiddles) == self.words_before[len(self.headers)]
            self.headers.append(b"".join(self.header))
        for i in range(64 // memory.beat_bytes):
            if sim.get("header_write_o") >> i & 1:
                self.header[i] = sim.get("header_beat_o").to_bytes(memory.beat_bytes, "little")
        done = sim.get("fault_o") if sim.get("done_o") else None
        memory.sample_read(sim)
        sim.step()
        return done

    def begin_sequence(self):
        self.chunks, self.stream, self.twiddles, self.headers, self.placed = [], [], [], [], []
        self.words_wanted, self.storing, self.ntt, self.contexts, self.words_before = 0, False, 1, 0, []
        self.padded = -(-self.twiddle_count // self.v) * self.v
        self.waiting.clear()

    def begin(self, op, address, log_n, wide=0, twiddles=0, clear=0, **flags):
        self.chunks, self.stream, self.twiddles, self.headers = [], [], [], []
        self.storing, self.ntt, self.contexts = op in (CONTEXT, ROOTS, TWIDDLES), 0, int(op != TWIDDLES)
        self.words_wanted, self.padded, self.words_before = twiddles, -(-twiddles // self.v) * self.v, [0]
        self.placed = []
        self.waiting.clear()
        self.memory.bursts.clear()
        self.memory.peak = 0
        self.sim.set(
            instr_i=instruction(op, dst=1, wide=wide, **flags),
            addr_i=address,
            log_n_i=log_n,
            twiddle_words_i=twiddles << (op == ROOTS),
        )
        self.sim.step()
        self.sim.set(start_i=1, clear_i=clear)
        assert self.cycle() is None
        self.sim.set(start_i=0, clear_i=0)

    def polynomial(self, log_n, wide):
        """Residues and where they are in memory."""
        values = self.words(1 << log_n)
        data = self.image(values, wide)
        address = self.address(len(data))
        self.put(address, data)
        return values, address, len(data)

    def check(self, op, values):
        """The chunks of an array: one of its words after the other, and with it the words at the same place of other streams."""
        chunks = self.chunks_of(values)
        bits = len(values).bit_length() - 1
        order = [reverse(i, bits) for i in range(len(chunks))]
        if op == LOAD:
            assert (self.chunks, self.stream) == ([(pos, chunks[pos]) for pos in order], [])
        else:
            assert (self.chunks, self.stream) == ([], [word for pos in order for word in chunks[pos]])

    def check_transfer(self, address, count, wide):
        self.memory.check_transfer(address, count, self.v, self.word_bytes(wide) // 4)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_polynomials(configuration, pace, latency):
    bench = Load(configuration, pace=pace, latency=latency)
    for wide in wides(configuration):
        for op, log_n in ((LOAD, LOG_N_MAX - 1), (STREAM, 9), (LOAD, bench.log_n_min)):
            values, address, count = bench.polynomial(log_n, wide)
            cycles, fault = bench.run(op, address, log_n, wide)
            assert fault == NONE
            bench.check(op, values)
            assert not bench.headers
            assert not bench.twiddles
            bench.check_transfer(address, count, wide)
            if pace == 1 and latency == 1:
                bench.check_cycles(cycles, 1 << log_n, wide, 24)


PIECES = {CONTEXT, CONSTANTS, TWIDDLES}  # what brings a context, or a part of it


class Item:
    """An instruction of a sequence, and what has to come of it."""

    def __init__(self, bench, number, op, wide, qs, trouble):
        self.op, self.wide, self.number = op, wide, number
        self.ctx = bench.random.randrange(2)
        self.fault = NONE
        log_n = bench.log_n
        if op in PIECES:
            size = bench.word_bytes(0)
            header = bench.q.to_bytes(8, "little") + bench.random.randbytes(56)
            image = bench.random.randbytes(-(-bench.twiddle_count * size // 64) * 64)
            self.twiddles = [
                int.from_bytes(image[size * i :][:size], "little") % (1 << bench.w) for i in range(bench.twiddle_count)
            ]
            self.header, data = header, {CONTEXT: header + image, CONSTANTS: header, TWIDDLES: image}[op]
        else:
            values = [bench.random.randrange(min(qs)) for _ in range(1 << log_n)]
            if trouble == "bad":
                values[bench.random.randrange(len(values))] = qs[self.ctx]
                self.fault = RESIDUE
            self.values, data = values, bench.image(values, wide)
        self.address = bench.base + 64 * bench.room
        bench.room += len(data) // 64
        bench.put(self.address, data)
        if trouble == "bus":
            beat = bench.memory.beat_bytes
            bench.memory.errors[self.address + bench.random.randrange(len(data) // beat) * beat] = SLVERR
            self.fault = BUS_READ

    def beside(self, other):
        """docs/core.md, Scoreboard."""
        return self.wide == other.wide and not {self.op, other.op} <= PIECES


def run_sequence(bench, items, qs, pause=4):
    """Starts each as soon as it may, after a pause; the cycles in all."""
    sim, running, left, ends, ctx, gap = bench.sim, [], list(items), [], 0, pause
    bench.begin_sequence()
    for cycle in range(100_000):
        sim.set(q_i=qs[ctx & 1])
        ctx = sim.get("ctx_o")
        gap += 1
        fits = left and gap >= pause and len(running) < 3 and sim.get("room_o")
        start = fits and all(left[0].beside(other) for other in running)
        if start:
            item = left.pop(0)
            fields = {"dst": item.number % 16, "ctx": item.ctx, "ntt": item.op == LOAD}
            fields |= {"wide": item.wide} if item.op in (LOAD, STREAM) else {}
            if item.op in (CONTEXT, CONSTANTS):
                bench.words_before.append(bench.words_wanted)
            if item.op in PIECES:
                fields["part"] = bench.part
            sim.set(instr_i=instruction(item.op, **fields), addr_i=item.address)
            bench.words_wanted += bench.padded * (item.op in (CONTEXT, TWIDDLES))
            bench.storing |= item.op in (CONTEXT, TWIDDLES)
            bench.contexts += item.op in (CONTEXT, CONSTANTS)
            running.append(item)
            gap = 0
        sim.set(start_i=int(bool(start)))
        fault = bench.cycle()
        if fault is not None:
            ends.append((running.pop(0), fault))
        if not left and not running:
            assert [item.number for item, _ in ends] == [item.number for item in items]
            assert [fault for _, fault in ends] == [item.fault for item in items]
            return cycle + 1
    raise AssertionError("never done")


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_several_at_a_time(configuration, pace, latency):
    """Instructions that follow each other at once: each one's data and faults, and no time but that of the beats."""
    bench = Load(configuration, pace=pace, latency=latency)
    qs = (bench.q, (bench.q >> 1) - 2 | 1)
    bench.twiddle_count, bench.log_n = 40, max(bench.log_n_min, 7)
    wide = wides(configuration)
    bench.sim.set(log_n_i=bench.log_n, twiddle_words_i=bench.twiddle_count)
    kinds = [LOAD, LOAD, LOAD, CONTEXT, LOAD, STREAM, STREAM, LOAD, CONTEXT, CONTEXT, STREAM, LOAD, CONTEXT, LOAD]
    check_sequences(bench, kinds, qs, wide)
    check_sequences(
        bench,
        [CONSTANTS, LOAD, CONSTANTS, CONSTANTS, STREAM, LOAD, CONTEXT, CONSTANTS, LOAD, LOAD, CONSTANTS],
        qs,
        wide,
    )


@pytest.mark.parametrize(("pace", "latency"), PACES)
def test_a_context_in_pieces(pace, latency):
    bench = Load((128, 28, 2), encode=True, pace=pace, latency=latency)
    bench.log_n = bench.log_n_min
    for words, bench.part in ((16, 0), (64, 0), (32, 1), (16, 2), (64, 3)):
        bench.twiddle_count = words
        bench.sim.set(log_n_i=bench.log_n, twiddle_words_i=words << min(bench.part, 2))
        bench.sim.step()
        kinds = [
            CONSTANTS, LOAD, TWIDDLES, LOAD, TWIDDLES, TWIDDLES, CONSTANTS, TWIDDLES, LOAD, CONTEXT, TWIDDLES, LOAD,
        ]  # fmt: skip
        check_sequences(bench, kinds, (bench.q, (bench.q >> 1) - 2 | 1), wides((128, 28, 2)))


def test_twiddles_have_no_modulus():
    """A header that nobody may use is a fault of its own instruction alone."""
    bench = Load((128, 28, 2), encode=True)
    for q, fault in ((4, CONTEXT_BAD), (1, CONTEXT_BAD), ((1 << 27) + (1 << 11) + 1, NONE)):
        address = bench.address(128)
        bench.put(address, q.to_bytes(8, "little") + bench.random.randbytes(120))
        assert bench.run(CONSTANTS, address, LOG_N_MAX, twiddles=0)[1] == fault
        assert len(bench.headers) == 1
        assert not bench.twiddles
        assert bench.run(TWIDDLES, address, LOG_N_MAX, twiddles=16)[1] == NONE
        assert len(bench.twiddles) == 16
        assert not bench.headers
        bench.memory.errors = {address: SLVERR}
        assert bench.run(TWIDDLES, address, LOG_N_MAX, twiddles=16)[1] == BUS_READ
        bench.memory.errors = {}


def check_sequences(bench, kinds, qs, wide):
    """Without trouble, and with faults of some that are no context."""
    for troubles in ({}, {1: "bad", 5: "bus", 7: "bad", 10: "bus"}):
        bench.room, bench.memory.errors = 0, {}
        items = []
        for i, op in enumerate(kinds):
            is_wide = int(len(wide) == 1 or (i > 9 and op not in PIECES))
            trouble = troubles.get(i)
            items.append(Item(bench, i, op, is_wide, qs, None if op in PIECES and trouble == "bad" else trouble))
        run_sequence(bench, items, qs)
        columns, rows = [], []
        for item in items:
            if item.op in PIECES:
                continue
            chunks = bench.chunks_of([value % (1 << bench.w) for value in item.values])
            bits = len(item.values).bit_length() - 1
            for k in range(len(item.values)):
                if (pos := reverse(k, bits)) in chunks:
                    (columns if item.op == LOAD else rows).append((item.number, pos, chunks[pos]))
        assert [(number, pos, chunk) for number, pos, chunk in bench.placed] == columns
        assert bench.stream == [word for _, _, chunk in rows for word in chunk]
        assert bench.headers == [item.header for item in items if item.op in (CONTEXT, CONSTANTS)]
        brought = [item.twiddles for item in items if item.op in (CONTEXT, TWIDDLES)]
        assert [bench.twiddles[bench.padded * i :][: bench.twiddle_count] for i in range(len(brought))] == brought


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
@pytest.mark.parametrize("latency", [1, 20])
def test_loads_in_a_row_take_their_beats(configuration, latency):
    """At N = 4096, 5 % more than the beats would be 12 cycles for each at the least; a row of loads needs four."""
    bench = Load(configuration, latency=latency)
    bench.twiddle_count, bench.log_n, bench.room = 0, LOG_N_MAX, 0
    bench.sim.set(log_n_i=bench.log_n)
    for wide in wides(configuration):
        bench.room = 0
        item = Item(bench, 0, LOAD, wide, (bench.q, bench.q), "")
        cycles = run_sequence(bench, 8 * [item], (bench.q, bench.q))
        rate = max(1 / bench.v, bench.word_bytes(wide) / bench.memory.beat_bytes)
        assert cycles <= 8 * ((1 << LOG_N_MAX) * rate + 4) + 24 + latency


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::3], ids=str)
def test_a_short_context_between_two_loads(configuration):
    """It costs its beats, although the memory's latency is longer: the next instruction's addresses are out before it is done."""
    latency = 30
    bench = Load(configuration, latency=latency)
    bench.twiddle_count, bench.log_n, bench.room = 16, LOG_N_MAX - 1, 0
    bench.sim.set(log_n_i=bench.log_n, twiddle_words_i=bench.twiddle_count)
    qs, wide = (bench.q, bench.q), wides(configuration)[0]
    one, between = Item(bench, 0, LOAD, wide, qs, ""), Item(bench, 1, CONTEXT, wide, qs, "")
    cycles = run_sequence(bench, [one, between, one, between, one], qs)
    beats = max(1 / bench.v, bench.word_bytes(wide) / bench.memory.beat_bytes) * (1 << bench.log_n)
    header = 512 // bench.bus_bits
    image = -(-16 * bench.word_bytes(0) // 64) * 64 // bench.memory.beat_bytes
    short = max(image, 16 // bench.v)
    assert cycles <= 3 * (beats + 4) + 2 * (header + short + 4) + 24 + latency


def test_sequence_after_a_clear():
    """What was cleared has no beats to come: a context that starts when the beats of a polynomial are in is a context."""
    for pause in range(4, 60, 3):
        bench = Load((128, 28, 2))
        bench.twiddle_count, bench.log_n, bench.room = 16, 7, 0
        _, address, _ = bench.polynomial(7, 0)
        bench.begin(LOAD, address, 7)
        bench.cycle()
        bench.sim.set(clear_i=1)
        bench.cycle()
        bench.sim.set(clear_i=0)
        bench.finish(limit=4000)
        bench.sim.set(log_n_i=7, twiddle_words_i=16)
        qs = (bench.q, bench.q)
        # the third one has the number of the one that was cleared
        items = [Item(bench, i, op, 0, qs, "") for i, op in enumerate((LOAD, LOAD, CONTEXT, LOAD))]
        run_sequence(bench, items, qs, pause)
        assert bench.headers == [items[2].header]


@pytest.mark.parametrize("pace", [1.0, 0.5])
def test_one_burst_at_a_time(pace):
    bench = Load((128, 28, 2), pace=pace, latency=3, accepts=1)
    values, address, count = bench.polynomial(8, 0)
    assert bench.run(LOAD, address, 8)[1] == NONE
    bench.check(LOAD, values)
    bench.check_transfer(address, count, 0)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
@pytest.mark.parametrize(("pace", "latency"), PACES[:2])
def test_contexts(configuration, pace, latency):
    bench = Load(configuration, pace=pace, latency=latency)
    for words, wide in ((0, 0), (1, 1), (16, 1), (333, 0), (340, 0), (1 << LOG_N_MAX, 0)):
        size = bench.word_bytes(0)
        padded = -(-words * size // 64) * 64
        header = bench.q.to_bytes(8, "little") + bench.random.randbytes(56)
        # any words will do, and padding that is none
        image = bench.random.randbytes(padded)
        twiddles = [int.from_bytes(image[size * i :][:size], "little") % (1 << bench.w) for i in range(words)]
        address = bench.address(64 + padded)
        bench.put(address, header + image)
        cycles, fault = bench.run(CONTEXT, address, LOG_N_MAX, wide, twiddles=words)
        assert fault == NONE
        assert bench.headers == [header]
        assert bench.twiddles[:words] == twiddles
        assert len(bench.twiddles) == -(-words // bench.v) * bench.v, "padding was offered"
        assert not bench.chunks
        assert not bench.stream
        bench.memory.check_transfer(address, 64 + padded)
        if pace == 1 and latency == 1:
            beats = (64 + padded) // bench.memory.beat_bytes
            assert cycles <= max(beats, 512 // bench.bus_bits + padded // size // bench.v) + 6


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::3], ids=str)
def test_outstanding_bursts_hide_the_latency(configuration):
    bench = Load(configuration, latency=40)
    values, address, count = bench.polynomial(LOG_N_MAX, 0)
    cycles, fault = bench.run(LOAD, address, LOG_N_MAX, 0)
    assert fault == NONE
    bench.check(LOAD, values)
    assert 2 <= bench.memory.peak <= bench.outstanding
    beats = count // bench.memory.beat_bytes
    assert cycles <= max(beats, len(values) // bench.v) + 40 + 24


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_residues(configuration):
    bench = Load(configuration)
    size_bits = {wide: 8 * bench.word_bytes(wide) for wide in wides(configuration)}
    for wide, bits in size_bits.items():
        bad = [bench.q, (1 << bits) - 1, *(1 << bit for bit in range(bench.w, bits))]
        for op in (LOAD, STREAM):
            for value in bad:
                values, address, _ = bench.polynomial(bench.log_n_min, wide)
                at = bench.random.randrange(len(values))
                values[at] = value
                bench.put(address, bench.image(values, wide))
                cycles, fault = bench.run(op, address, bench.log_n_min, wide)
                assert fault == RESIDUE, f"{value:x} at {at}"
                bench.check(op, [word % (1 << bench.w) for word in values])
                # a secret, or an error from memory, makes no fault; the time is the same
                for flags in ({"secret": 1}, {"error": 1})[: 2 if op == LOAD else 1]:
                    hidden = bench.run(op, address, bench.log_n_min, wide, **flags)
                    assert hidden == (cycles, NONE), f"{value:x} at {at}, {flags}"
        values, address, _ = bench.polynomial(bench.log_n_min, wide)
        assert bench.run(LOAD, address, bench.log_n_min, wide)[1] == NONE


# two reducers for four words, one for two, as many as there are
MESSAGES = [((128, 28, 2), 2), ((64, 32, 1), 1), ((512, 54, 1), 4)]


@pytest.mark.parametrize(("configuration", "reducers"), MESSAGES, ids=str)
def test_messages(configuration, reducers):
    """Signed words of 64 bits modulo q, also after a clear, and in the time of the bus or of the reducers."""
    for pace, latency in PACES[:2]:
        bench = Load(configuration, reducers=reducers, pace=pace, latency=latency)
        corners = [0, 1, -1, -(1 << 63), (1 << 63) - 1, 1 << 62]
        for trial, log_n in enumerate((bench.log_n_min, 9, 9)):
            q = (bench.q, 3 << bench.w - 2 | 1, (1 << 17) - 1)[trial]
            bench.sim.set(q_i=q, ratio64_i=(1 << 64) // q)
            near = [sign * (k * q + d) for sign in (1, -1) for k in (1, 2, 12345) for d in (-1, 0, 1)]
            signed = [bench.random.getrandbits(64) - (1 << 63) for _ in range(1 << log_n)]
            for place, value in zip(bench.random.sample(range(1 << log_n), 24), corners + near, strict=True):
                signed[place] = value if -(1 << 63) <= value < 1 << 63 else 0
            data = b"".join(value.to_bytes(8, "little", signed=True) for value in signed)
            address = bench.address(len(data))
            bench.put(address, data)
            if trial == 1:
                bench.begin(STREAM, address, log_n, 1, signed=1)
                for _ in range(40):
                    bench.cycle()
                bench.sim.set(clear_i=1)
                bench.cycle()
                bench.waiting.clear()
                bench.sim.set(clear_i=0)
                bench.finish(limit=4000)
            cycles, fault = bench.run(STREAM, address, log_n, 1, signed=1)
            assert fault == NONE
            bench.check(STREAM, [value % q for value in signed])
            bench.check_transfer(address, len(data), 1)
            if pace == 1:
                beats = len(data) // bench.memory.beat_bytes
                assert cycles <= max(beats, (1 << log_n) // reducers) + 24 + 26
        values, address, _ = bench.polynomial(bench.log_n_min, 0)
        bench.sim.set(q_i=bench.q)
        assert bench.run(LOAD, address, bench.log_n_min)[1] == NONE
        bench.check(LOAD, values)


def test_moduli():
    """Moduli that no multiplier of the build can use."""
    bench = Load((128, 28, 2))
    good = (1 << 27) + (1 << 11) + 1
    cases = {
        good: NONE, 0: CONTEXT_BAD, good - 1: CONTEXT_BAD, good + (1 << 28): CONTEXT_BAD,
        good + (1 << 63): CONTEXT_BAD,
    }  # fmt: skip
    cases |= {good + (1 << bit): CONTEXT_BAD for bit in range(1, 11)} | {good + (1 << 12): NONE}
    for q, fault in cases.items():
        address = bench.address(128)
        bench.put(address, q.to_bytes(8, "little") + bench.random.randbytes(120))
        assert bench.run(CONTEXT, address, LOG_N_MAX, twiddles=16)[1] == fault, f"{q:x}"
        assert len(bench.twiddles) == 16


def test_roots_have_the_modulus_one_and_no_other_context_has_it():
    bench = Load((128, 28, 2), encode=True)
    good = (1 << 27) + (1 << 11) + 1
    cases = {(ROOTS, 1): NONE, (CONTEXT, good): NONE}
    cases |= {
        (CONTEXT, 1): CONTEXT_BAD,
        (ROOTS, good): CONTEXT_BAD,
        (ROOTS, 0): CONTEXT_BAD,
        (ROOTS, 1 + (1 << 63)): CONTEXT_BAD,
    }
    for (op, q), fault in cases.items():
        address = bench.address(128)
        bench.put(address, q.to_bytes(8, "little") + bench.random.randbytes(120))
        assert bench.run(op, address, LOG_N_MAX, twiddles=16)[1] == fault, f"{op} {q:x}"
        assert len(bench.twiddles) == 16
        assert bench.sim.get("roots_o") == (op == ROOTS)


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::2], ids=str)
@pytest.mark.parametrize("answer", [1, SLVERR, DECERR])
def test_bus_errors(configuration, answer):
    bench = Load(configuration, pace=0.8, latency=3)
    beat = bench.memory.beat_bytes
    for trial, op in enumerate((LOAD, STREAM, CONTEXT)):
        values, address, count = bench.polynomial(bench.log_n_min, 0)
        values[trial] = bench.q  # the bus comes first
        bench.put(address, bench.image(values, 0))
        end = 64 + -(-100 * bench.word_bytes(0) // 64) * 64 if op == CONTEXT else count
        bench.memory.errors = {address + bench.random.randrange(end // beat) * beat: answer}
        assert bench.run(op, address, bench.log_n_min, 0, twiddles=100)[1] == BUS_READ
        if op == CONTEXT:
            bench.memory.check_transfer(address, end)
        else:
            bench.check_transfer(address, end, 0)
        bench.memory.errors = {}
        values, address, _ = bench.polynomial(bench.log_n_min, 0)
        assert bench.run(LOAD, address, bench.log_n_min, 0)[1] == NONE
        bench.check(LOAD, values)


@pytest.mark.parametrize("configuration", CONFIGURATIONS[1::3], ids=str)
@pytest.mark.parametrize("held", [1, 5])
def test_clear(configuration, held):
    bench = Load(configuration, pace=0.5, latency=9)
    wide = wides(configuration)[-1]
    cut = 0
    for when in [0, 1, 2, 3, *(bench.random.randrange(4, 160) for _ in range(12))]:
        op = (LOAD, STREAM, CONTEXT)[when % 3]
        values, address, count = bench.polynomial(LOG_N_MAX, wide)
        bench.begin(op, address, LOG_N_MAX, wide, twiddles=1 << LOG_N_MAX, clear=int(when == 0))
        for _ in range(when):
            assert bench.cycle() is None
        before = len(bench.memory.bursts)
        if when:
            bench.sim.set(clear_i=1)
            early = [bench.cycle()]
            bench.waiting.clear()  # to the units at the other end, which are cleared too
            early += [bench.cycle() for _ in range(held - 1)]
            bench.sim.set(clear_i=0)
        arrived = [len(part) for part in (bench.chunks, bench.stream, bench.twiddles)]
        if not when or all(fault is None for fault in early):
            bench.finish(limit=4000)
        # an address that was on the bus when the clear came stays
        assert len(bench.memory.bursts) <= before + (when > 0)
        assert [len(part) for part in (bench.chunks, bench.stream, bench.twiddles)] == arrived
        bench.memory.check_drained()
        cut += sum(size for _, size in bench.memory.bursts) < count
        values, address, count = bench.polynomial(bench.log_n_min, wide)
        assert bench.run(LOAD, address, bench.log_n_min, wide)[1] == NONE
        bench.check(LOAD, values)
        bench.check_transfer(address, count, wide)
    assert cut >= 4


def test_secrets_are_wiped():
    bench = Load((128, 28, 2))
    _, address, _ = bench.polynomial(6, 0)
    assert bench.run(LOAD, address, 6)[1] == NONE
    assert bench.sim.get("chunk_data_o") == 0
    bench.begin(STREAM, address, 6)
    while not bench.stream:
        bench.cycle()
    bench.sim.set(clear_i=1)
    bench.cycle()
    bench.sim.set(clear_i=0)
    bench.cycle()
    assert bench.sim.get("stream_o") == 0


def test_illegal_parameters():
    assert "BusBits must be" in elaborate("rs_dma_load", SOURCES, {"BusBits": 96})
    assert "MaxBurstBytes must be" in elaborate("rs_dma_load", SOURCES, {"MaxBurstBytes": 64})
    assert "Outstanding must be" in elaborate("rs_dma_load", SOURCES, {"Outstanding": 3})
    assert "W must be" in elaborate("rs_unpack", SOURCES, {"V": 8})
