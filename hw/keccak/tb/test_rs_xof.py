# SPDX-License-Identifier: Apache-2.0
"""rs_xof compared with rs_private_stream and hashlib: both streams alone, and with shared cores at once; their cycles; wiping."""

import random
from pathlib import Path

import cocotb
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings, whole

WHOLE, RATE = 64, 136
PUBLIC_BLOCK = 4096
SOURCES = [*whole("rs_xof"), *(Path(__file__).with_name(f"{name}.sv") for name in ("rs_seed_rows", "rs_xof_bench"))]
NAMES = "Slices KeccakCores PublicWords Shared"
CASES = [(64, 3, 2, 1), (32, 1, 1, 1), *soak((64, 1, 1, 0), (16, 1, 1, 1))]
test_xof = Block("rs_xof_bench", NAMES, SOURCES).runs(__file__, CASES, inside=True)
BLOCK = Block("rs_xof", NAMES)
SHAPES = [(64, 1, 1, 0), (64, 3, 2, 1), (32, 1, 1, 1), (16, 1, 1, 1), (64, 4, 4, 0)]
test_xof_lint = BLOCK.lints([*SHAPES, {"HasPublic": 0}, {"HasPrivate": 0}, {"Slices": 8}])
test_xof_illegal = BLOCK.refuses(
    *("PublicWords must be at most KeccakCores", (64, 2, 4, 1)),
    *("KeccakCores and PublicWords must be 1", (32, 2, 1, 1)),
    *("Slices must be 8, 16 or 32", (12, 1, 1, 1)),
    *("BlockBits 1 to 56", {"PrivateBits": 57}),
    *("BlockBits 1 to 64", {"PublicBits": 65}),
    *("PublicBits 1 to 64", {"Slices": 32, "PublicBits": 65}),
)


class Private:
    """The consumer of the private stream. Whole blocks come the cycle after one for which it is ready, pieces in that cycle."""

    def __init__(self, dut, room=lambda: True):
        self.dut, self.room, self.granted, self.data, self.trace = dut, room, False, b"", []
        self.pieces = settings()["parameters"]["Slices"] != WHOLE

    def cycle(self):
        """Once per cycle."""
        ready = bool(self.room())
        self.dut.private_ready_i.value = int(ready)
        valid = bool(int(self.dut.private_valid_o.value))
        if not self.pieces:
            assert self.granted or not valid
        taken = valid and (ready or not self.pieces)
        self.granted = ready
        if taken:
            word = int(self.dut.private_data_sec_o.value)
            self.data += word.to_bytes(len(self.dut.private_data_sec_o) // 8, "little")
        self.trace.append(taken)


class Public:
    """The consumer of the public stream: `go` lets words leave, `ready` in this cycle."""

    def __init__(self, dut, go=lambda: True, ready=lambda: True):
        self.dut, self.go, self.ready, self.rows, self.lasts = dut, go, ready, [], 0

    def cycle(self):
        self.dut.public_go_i.value = int(self.go())
        self.dut.public_ready_i.value = int(self.ready())

    def settled(self):
        words = settings()["parameters"]["PublicWords"]
        self.lasts += int(self.dut.public_last_o.value)
        if int(self.dut.public_valid_o.value):
            row = int(self.dut.public_word_o.value)
            self.rows.append([row >> 64 * j & 2**64 - 1 for j in range(words)])


def public_words(seed, block, skip, count):
    from hashlib import shake_256

    data = b""
    while len(data) < 8 * (skip + count):
        data += shake_256(seed + block.to_bytes(8, "little")).digest(PUBLIC_BLOCK)
        block += 1
    return [int.from_bytes(data[8 * i : 8 * i + 8], "little") for i in range(skip, skip + count)]


async def draw(dut, seed, domain, count, room=lambda: True):
    """The first blocks of the private stream, and in which cycles after the start something came; then it is wiped."""
    dut.private_seed_sec_i.value = int.from_bytes(seed, "little")
    dut.private_domain_i.value = domain
    dut.private_limit_i.value = count
    await bench.pulse(dut, "private_start_i")
    private = Private(dut, room)
    while len(private.data) < count * RATE:
        private.cycle()
        await FallingEdge(dut.clk_i)
        assert len(private.trace) < 200_000
    cycles = [index + 1 for index, taken in enumerate(private.trace) if taken]
    for _ in range(30):  # nothing beyond the limit
        private.cycle()
        await FallingEdge(dut.clk_i)
    assert len(private.data) == count * RATE
    await bench.pulse(dut, "private_clear_i")
    return private.data, cycles


async def expand(dut, seed, block, skip, count, stride=0, go=lambda: True, ready=lambda: True):
    """So many rows of words, from the request for the cores until they are given back; how often a block ended."""
    dut.public_seed_i.value = int.from_bytes(seed, "little")
    dut.public_block_i.value = block
    dut.public_skip_i.value = skip
    dut.public_stride_i.value = stride
    dut.public_own_i.value = 1
    await FallingEdge(dut.clk_i)
    await bench.pulse(dut, "public_start_i")
    public = Public(dut, go, ready)
    cycles = 0
    while len(public.rows) < count:
        public.cycle()
        await bench.settle()
        public.settled()
        await FallingEdge(dut.clk_i)
        cycles += 1
        assert cycles < 200_000
    dut.public_own_i.value = 0
    dut.public_go_i.value = 0
    await FallingEdge(dut.clk_i)
    return public.rows, public.lasts, cycles


@bench.test
async def private_bytes(dut):
    for trial, count in enumerate((1, 2, 9, 5, 300)):  # block numbers of two bytes, too
        if count > 9 and settings()["parameters"]["Slices"] < 32:
            continue
        seed, domain = random.randbytes(64), random.randrange(256)
        chance = (1, 0.5, 0.05, 1, 1)[trial]
        data, _ = await draw(dut, seed, domain, count, bench.sometimes(chance, trial))
        assert data == bench.private_stream(count * RATE, seed, domain)


@bench.test
async def on_time(dut):
    parameters = settings()["parameters"]
    cores, slices = parameters["KeccakCores"], parameters["Slices"]
    _, cycles = await draw(dut, bytes(64), 1, 5 * cores)
    if slices == WHOLE:
        period = 24
        wait = int(bool(parameters["Shared"]))  # until the cores are its own; a cycle earlier begun than decided
        for k in range(5 * cores):
            assert cycles[k] == 2 + wait + period + k // cores * max(period, cores) + k % cores
    else:
        steps = 64 // slices
        pieces = RATE * 8 // slices
        for k in range(5):  # a piece per cycle, when the permutation is over
            first = cycles[k * pieces]
            assert cycles[k * pieces : (k + 1) * pieces] == list(range(first, first + pieces))
            assert first == cycles[0] + k * 25 * steps
        assert cycles[0] == 4 + 26 * steps  # wiped first


@bench.test
async def same_time_for_all_seeds(dut):
    seeds = [bytes(64), b"\xff" * 64, random.randbytes(64)]
    for chance in (1, 0.3):
        times = [(await draw(dut, seed, 2, 6, bench.sometimes(chance, 7)))[1] for seed in seeds]
        assert times[0] == times[1] == times[2]


@bench.test
async def limit_may_grow(dut):
    seed = random.randbytes(64)
    dut.private_seed_sec_i.value = int.from_bytes(seed, "little")
    dut.private_domain_i.value = 3
    dut.private_limit_i.value = 4
    await bench.pulse(dut, "private_start_i")
    private = Private(dut)
    for limit in (4, 5, 9):
        dut.private_limit_i.value = limit
        for _ in range(140 * limit):
            private.cycle()
            await FallingEdge(dut.clk_i)
        assert private.data == bench.private_stream(limit * RATE, seed, 3)


@bench.test
async def public_words_of_blocks(dut):
    words = settings()["parameters"]["PublicWords"]
    for trial, (skip, count) in enumerate(((0, 600), (511, 3), (170, 400), (17, 1))):
        seed, block, stride = random.randbytes(64), random.choice((0, 254, 70_000)), random.randrange(9)
        ready = bench.sometimes((1, 1, 0.3, 1)[trial], trial)
        rows, lasts, _ = await expand(dut, seed, block, skip, count, stride, ready=ready)
        for j in range(words):
            assert [row[j] for row in rows] == public_words(seed, block + j * stride, skip, count)
        assert lasts >= (skip + count) // 512 - 1


@bench.test
async def public_restarts(dut):
    """A new start at any time: no older word comes any more."""
    dut.public_own_i.value = 1
    seed = random.randbytes(64)
    dut.public_seed_i.value = int.from_bytes(seed, "little")
    for _ in range(6):
        block = random.randrange(1000)
        dut.public_block_i.value = block
        dut.public_skip_i.value = 0
        await bench.pulse(dut, "public_start_i")
        public = Public(dut)
        for _ in range(random.randrange(400)):
            public.cycle()
            await bench.settle()
            public.settled()
            await FallingEdge(dut.clk_i)
        got = [row[0] for row in public.rows]
        assert got == public_words(seed, block, 0, len(got))


@bench.test
async def both_at_once(dut):
    """Random requests of both: each gets its stream, and when the private one gets its bytes does not depend on its seed."""
    count = 3

    async def privately(seeds, results):
        for index, seed in enumerate(seeds):
            for _ in range(37 * index % 200):
                await FallingEdge(dut.clk_i)
            results.append(await draw(dut, seed, index, count))
            assert results[-1][0] == bench.private_stream(count * RATE, seed, index)

    traces = []
    public_seeds = [random.randbytes(64) for _ in range(4)]
    for _ in range(2):
        results: list = []
        task = cocotb.start_soon(privately([random.randbytes(64) for _ in range(6)], results))
        for index, seed in enumerate(public_seeds):
            rows, _, _ = await expand(dut, seed, index, 0, 40)
            assert [row[0] for row in rows] == public_words(seed, index, 0, 40)
            for _ in range(91 * index % 300):
                await FallingEdge(dut.clk_i)
        await task
        traces.append([cycles for _, cycles in results])
        for _ in range(40):
            await FallingEdge(dut.clk_i)
    assert traces[0] == traces[1]


@bench.test
async def cleared_at_any_time(dut):
    for _ in range(5):
        dut.private_limit_i.value = 60
        await bench.pulse(dut, "private_start_i")
        private = Private(dut)
        for _ in range(random.randrange(1, 200)):
            private.cycle()
            await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "private_clear_i")
        for _ in range(10):
            assert not int(dut.private_valid_o.value)
            await FallingEdge(dut.clk_i)
        seed = random.randbytes(64)
        assert (await draw(dut, seed, 9, 1))[0] == bench.private_stream(RATE, seed, 9)


@bench.test
async def nothing_private_stays(dut):
    """After the end of a private stream what the cores hold does not depend on its seed."""
    parameters = settings()["parameters"]
    found = []
    for _ in range(3):
        dut.private_limit_i.value = 60
        dut.private_seed_sec_i.value = random.getrandbits(512)
        await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "private_start_i")
        private = Private(dut)
        for _ in range(150):
            private.cycle()
            await FallingEdge(dut.clk_i)
        assert private.data
        await bench.pulse(dut, "private_clear_i")
        for _ in range(10):
            await FallingEdge(dut.clk_i)
        if parameters["Slices"] == WHOLE:
            cores = dut.u_xof.gen_whole.gen_cores.gen_core
            found.append([int(cores[i].u_keccak.state_q.value) for i in range(parameters["KeccakCores"])])
        else:
            fold, steps = dut.u_xof.gen_fold.u_fold, 64 // parameters["Slices"]
            rows = [fold.result_q[step] for step in range(steps)]
            rows += [fold.u_keccak.gen_distance[d].mem_q[step] for d in range(steps) for step in range(steps)]
            # the rows move on with every pass, so in no order
            found.append([sorted(int(row.value) for row in rows), int(fold.piece_q.value)])
    assert found[0] == found[1] == found[2]
