# SPDX-License-Identifier: Apache-2.0
"""rs_sponge_unit with a memory and a group: hashes of hashlib, digests to and from memory, polynomials of the standards' loops, faults, aborts, wipe,
equal handshakes."""

import hashlib
import random

import pytest
import test_rs_parse_uniform as public
import test_rs_sample_small as private
from axi_memory import SLAVES, SLVERR
from field_unit import LOG_N, LOG_N_MAX, OLD, FieldUnit
from rs_block import Block, soak
from test_rs_store_fields import DILITHIUM

HASH, LOADD, STORED, DRAW = 34, 35, 36, 37
NONE, BUS_READ, BUS_WRITE = 0, 7, 8
HASHES = ("shake_128", "shake_256", "sha3_256", "sha3_384", "sha3_512")
WORDS = 4
PLACES = {
    "dst": 8, "a": 12, "draw": 12, "seed": 16, "ctx": 20, "skip": 24, "long": 24, "append": 25, "number_bytes": 25,
    "high": 27, "form": 6,
}  # fmt: skip
PLACES |= {"hash": 28, "log_size": 28, "halves": 32, "first": 32, "count": 44, "bytes": 48, "number": 48}
PORTS = ("put_valid_o", "arvalid_o", "rready_o", "awvalid_o", "wvalid_o", "bready_o", "active_o", "done_o")

# W, BusBits, RoundsPerCycle
BLOCK = Block("rs_sponge_unit", "W BusBits RoundsPerCycle", LogNMax=LOG_N_MAX, Words=WORDS)
SHAPES = [(24, 128, 2), *soak((32, 256, 1), (54, 512, 2))]
test_sponge_unit_lint = BLOCK.lints(SHAPES)
test_sponge_unit_illegal = BLOCK.refuses("must be", (24, 64, 1), (24, 128, 3))


class Sponge(FieldUnit):
    """With digests as they should be."""

    def __init__(self, case=SHAPES[0], seed=1, **memory):
        super().__init__(BLOCK, case, PLACES, PORTS, WORDS, None, seed, outstanding=4, **memory)
        self.wipe()

    def wipe(self):
        self.sim.set(wipe_i=1)
        self.cycle()
        self.sim.set(wipe_i=0)
        while self.sim.get("wiping_o"):
            assert len(self.trace) < 1000
            self.cycle()

    def load(self, first, data):
        """Digests first, first + 1."""
        address = self.address(64)
        self.put(address, data)
        assert self.run(LOADD, address, dst=first)[1] == NONE
        self.reads.check_transfer(address, 64)

    def digests(self):
        """All of them, by STORED."""
        found = b""
        for first in range(0, 8, 2):
            address = self.address(64)
            assert self.run(STORED, address, a=first)[1] == NONE
            self.writes.check_transfer(address, 64)
            found += bytes(self.reads.data[self.reads.part(address, 64)])
        return found


def digest_of(kind, message, count):
    made = getattr(hashlib, HASHES[kind])(message)
    return made.digest(count) if kind < 2 else made.digest()[:count]


@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_digests(case):
    bench = Sponge(case, pace=0.8, latency=3)
    held = bytearray(256)
    for first in (2, 0, 6, 4, 2):
        data = bench.random.randbytes(64)
        bench.load(first, data)
        held[32 * first : 32 * first + 64] = data
        assert bench.digests() == held


@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_hash(case):
    """Each kind, lengths around lanes, beats, lines and blocks, from a half of a line on, with a digest behind; nothing else changes."""
    bench = Sponge(case, pace=0.9, latency=2)
    held = bytearray(bench.random.randbytes(256))
    for first in range(0, 8, 2):
        bench.load(first, held[32 * first : 32 * first + 64])
    lengths = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 71, 72, 135, 136, 137, 167, 168, 169, 200, 1184, 2400]
    cases = [(kind, length, 0) for kind in range(5) for length in lengths[kind % 2 :: 2]]
    cases += [(kind, 32 * blocks, 1) for kind in (1, 2, 4) for blocks in (0, 1, 2, 5, 49)]
    for kind, length, append in cases:
        skip = bench.random.getrandbits(1)
        most = (8, 8, 1, 1, 2)[kind]
        halves = bench.random.randrange(1, most + 1)
        dst, a = bench.random.randrange(9 - halves), bench.random.randrange(8) if append else 0
        address = bench.address(length + 64)
        message = bench.random.randbytes(length)
        bench.put(address + 32 * skip, message)
        appended = bytes(held[32 * a : 32 * a + 32]) if append else b""
        fields = {
            "hash": kind, "bytes": length, "skip": skip, "halves": halves - 1, "dst": dst, "a": a, "append": append,
        }  # fmt: skip
        assert bench.run(HASH, address, **fields)[1] == NONE
        if length:
            bench.reads.check_transfer(address, -(-(length + 32 * skip) // 64) * 64)
        held[32 * dst : 32 * (dst + halves)] = digest_of(kind, message + appended, 32 * halves)
        assert bench.digests() == held, fields


def polynomials():
    """For each kind: its number, q, log2 of its size, stream, loop, bytes of the number and of the seed."""
    numbers = {"ML-KEM": 2, "ML-DSA": 2, "NewHope, 14 bits": 0, "NewHope, 16 bits": 0, "Falcon-512": 0, "psi16": 1}
    moduli = {"ML-KEM": 3329 * 769, "CBD2": 3329 * 769, "CBD3": 3329 * 769}
    for name, (code, stream, coefs, loop) in public.KINDS.items():
        size = 64 if name == "Falcon-512" else 32
        q = moduli.get(name, DILITHIUM if name == "ML-DSA" else 12289)
        yield name, code, q, coefs.bit_length() - 1, stream, loop, numbers[name], size
    for name, (code, _, coefs, loop) in private.KINDS.items():
        size = 64 if name.startswith("Expand") else 32
        q = moduli.get(name, 12289 if name == "psi16" else DILITHIUM)
        yield name, 8 + code, q, coefs.bit_length() - 1, "shake_256", loop, 2 if size == 64 else 1, size


@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_draw(case):
    """Each kind: one polynomial and several, at any place of the group, which else stays."""
    bench = Sponge(case)
    form = 0
    for name, code, q, log_size, stream, loop, number_bytes, size in polynomials():
        room = 1 << LOG_N - log_size
        for count in {1, min(3, room), 1 if log_size > 8 else room}:
            first, number = bench.random.randrange(room - count + 1), bench.random.randrange(1 << 16)
            seed, high = bench.random.randbytes(64), bench.random.getrandbits(1)
            half = 2 * bench.random.randrange(4)
            bench.load(half, seed)
            half += 0 if size == 64 else bench.random.getrandbits(1)
            seed = seed[32:] if half % 2 else seed[:size]
            bench.group = [None] * (1 << LOG_N_MAX)
            form = (form + 1) % 3
            fields = {"draw": code, "seed": half, "long": int(size == 64), "number_bytes": number_bytes, "high": high}
            fields |= {
                "log_size": log_size, "first": first, "count": count - 1, "number": number, "dst": 5, "form": form,
            }  # fmt: skip
            bench.q = q
            bench.begin(DRAW, **fields)
            told = [bench.sim.get(name) for name in ("group_o", "ntt_o", "size_o")]
            assert told == [5, int(form > 0), log_size - (form == 2)]
            assert bench.finish()[1] == NONE
            for k in range(count):
                at = number + k * (256 if high else 1) & 0xFFFF
                message = seed + at.to_bytes(2, "little")[:number_bytes]
                want = loop(getattr(hashlib, stream)(message).digest(1 << 13))[: 1 << log_size]
                assert bench.poly(log_size, first + k) == [value % q for value in want], (name, k)
            begin, end = first << log_size, first + count << log_size
            assert {*bench.group[:begin], *bench.group[end:]} <= {None}


def test_draw_of_a_whole_group():
    """log_size 0: LOG_N, which may be less than the group has room for; sixteen polynomials."""
    bench = Sponge()
    seed = bytes(range(64))
    bench.load(0, seed)
    bench.sim.set(log_n_i=8)
    assert bench.run(DRAW, draw=1, number_bytes=2)[1] == NONE
    want = public.KINDS["ML-DSA"][3](hashlib.shake_128(seed[:32] + bytes(2)).digest(2000))[:256]
    assert bench.poly(8, 0) == want
    bench.sim.set(log_n_i=LOG_N)
    assert bench.run(DRAW, draw=8, number_bytes=1, log_size=7, count=15)[1] == NONE
    for k in range(16):
        want = private.KINDS["CBD2"][3](hashlib.shake_256(seed[:32] + bytes([k])).digest(136))[:128]
        assert bench.poly(7, k) == [value % DILITHIUM for value in want]


def test_bus_errors():
    """An error of any beat that is read, also behind the message, and of a write. The next instruction is as always."""
    bench = Sponge(pace=0.8, latency=3)
    data = bench.random.randbytes(64)
    for beat in range(4):
        bench.reads.errors = {bench.base + 16 * at: SLVERR for at in range(beat, 1 << 12, 4)}
        assert bench.run(HASH, bench.address(64), hash=2, bytes=20)[1] == BUS_READ
        assert bench.run(LOADD, bench.address(64))[1] == BUS_READ
        bench.reads.errors = {}
        bench.load(0, data)
        bench.writes.errors = {bench.base + 16 * at: SLVERR for at in range(beat, 1 << 12, 4)}
        assert bench.run(STORED, bench.address(64))[1] == BUS_WRITE
        bench.writes.errors = {}
        assert bench.digests()[:64] == data


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.alike(4, by="slave")
def test_clear(slave):
    """At any time: the unit drains, a line has been written or is zeros or as before, beat by beat, and the next instruction is as always."""
    bench = Sponge(pace=0.6, latency=6, slave=slave)
    for when in [0, 1, 2, 3, 4, *(bench.random.randrange(5, 160) for _ in range(24))]:
        op = bench.random.choice([HASH, LOADD, STORED, STORED, DRAW])
        address = bench.address(2048)
        data = bench.random.randbytes(64)
        bench.load(0, data)
        at = bench.reads.part(address, 64)
        bench.put(address, bytes([OLD] * 64))
        fields = {HASH: {"bytes": 1500, "hash": 1, "dst": 4}, DRAW: {"draw": 1, "log_size": 8, "count": 3}}.get(op, {})
        bench.begin(op, address, clear=int(when == 0), **fields)
        bench.clear(when, bench.sim.get("idle_o") or None)
        if op == STORED:
            bench.check_beats(at, data)
        bench.load(6, data)
        assert bench.digests()[192:] == data
        bench.put(address, data)
        assert bench.run(HASH, address, hash=2, bytes=64, dst=3)[1] == NONE
        assert bench.digests()[96:128] == hashlib.sha3_256(data).digest()


@pytest.mark.parametrize("slave", SLAVES)
@pytest.mark.alike(4, by="slave")
def test_slaves(slave):
    bench = Sponge(pace=0.4, latency=9, slave=slave)
    data = bench.random.randbytes(64)
    bench.load(2, data)
    assert bench.digests()[64:128] == data


def test_wipe():
    """Digests are zero, and are there until then: reset alone leaves them to the wipe."""
    bench = Sponge()
    for first in range(0, 8, 2):
        bench.load(first, bench.random.randbytes(64))
    assert 0 not in [int.from_bytes(bench.digests()[at : at + 8], "little") for at in range(0, 256, 8)]
    bench.trace = []
    bench.wipe()
    assert bench.digests() == bytes(256)


def test_equal_handshakes():
    """Messages, digests and private seeds of one length: the same cycles at all ports."""
    traces = {HASH: [], LOADD: [], STORED: [], DRAW: []}
    for trial in range(4):
        bench = Sponge(seed=7)
        chosen = random.Random(trial)
        data = (bytes(64), bytes([255] * 64), chosen.randbytes(64), chosen.randbytes(64))[trial]
        bench.load(0, data)
        bench.load(2, chosen.randbytes(64))
        address = bench.address(512)
        bench.put(address, chosen.randbytes(320))
        for op, fields in (
            (HASH, {"bytes": 288, "hash": 1, "append": 1, "halves": 2, "dst": 5}),
            (LOADD, {"dst": 2}),
            (STORED, {"a": 2}),
            (DRAW, {"draw": 8, "number_bytes": 1, "log_size": 8, "count": 2, "number": trial}),
            (DRAW, {"draw": 13, "number_bytes": 2, "log_size": 8, "count": 1, "long": 1}),
        ):
            assert bench.run(op, address, **fields)[1] == NONE
            traces[op].append(tuple(bench.trace))
        traces[DRAW].append(traces[DRAW].pop() + traces[DRAW].pop())
    assert [len(set(found)) for found in traces.values()] == [1] * 4


@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_cycles(case):
    """From start_i to done_o with a memory that answers at once: those of README.md."""
    bench = Sponge(case)
    lanes = rounds = case[2]
    address = bench.address(4096)
    block = 24 // rounds
    assert bench.run(LOADD, address)[0] <= 64 // 8 + 16
    assert bench.run(STORED, address)[0] <= 64 // 8 + 64 * 8 // case[1] + 12
    # ML-KEM-768's encapsulation key: nine blocks of 136 bytes
    assert bench.run(HASH, address, hash=2, bytes=1184)[0] <= 9 * max(block, -(-17 // lanes) + 1) + block + 40
    one = bench.run(DRAW, draw=0, number_bytes=2, log_size=8)[0]
    row = bench.run(DRAW, draw=0, number_bytes=2, log_size=8, count=7)[0]
    assert one <= 5 * block + 100
    assert (row - one) / 7 <= max(4 * block, 64) + 8
