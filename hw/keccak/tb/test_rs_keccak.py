# SPDX-License-Identifier: Apache-2.0
"""rs_keccak compared with rs_keccak_f1600, NIST's SHAKE256 examples and hashlib; its latency for every RoundsPerCycle."""

import hashlib
import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge, Timer
from rs_block import Block, soak
from rs_cocotb import settings

RATE = 136

# NIST, Cryptographic Standards and Guidelines, example values of SHAKE256: 0 bits, and 1600 bits; the first 32 of 512 bytes
NIST = [
    (b"", "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"),
    (b"\xa3" * 200, "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"),
]


BLOCK = Block("rs_keccak", "RoundsPerCycle")
# cases differ in how often one loop is unrolled
test_keccak = BLOCK.runs(__file__, [1, 4, 24, *soak(2, 3, 6, 8, 12)])
test_keccak_lint = BLOCK.lints([1, 2, 3, 4, 6, 8, 12, 24])
test_keccak_illegal = BLOCK.refuses("must divide 24", 5, 16, 48)
test_keccak_round_lint = Block("rs_keccak_round").lints()


def model(state):
    from ringside.native._cdef import ffi
    from ringside.native.library import lib

    lanes = ffi.new("uint64_t[25]", [state >> 64 * i & (2**64 - 1) for i in range(25)])
    lib.rs_keccak_f1600(lanes)
    return sum(int(lane) << 64 * i for i, lane in enumerate(lanes))


class Core:
    """Inputs change and outputs are read at falling edges: a cycle is what lies between two of them. state_i is noise but when it is taken."""

    def __init__(self, dut):
        self.dut = dut
        self.latency = 24 // settings()["parameters"]["RoundsPerCycle"]
        self.message = None

    def drive(self, state):
        """start_i in the present cycle. With None the core continues from the state that it holds."""
        self.loads = int(state is not None)
        self.message = state
        self.dut.start_i.value = 1
        self.dut.load_i.value = self.loads

    async def step(self):
        """To the next cycle."""
        await FallingEdge(self.dut.clk_i)
        self.dut.start_i.value = 0
        self.dut.load_i.value = random.getrandbits(1)
        self.dut.state_i.value = random.getrandbits(1600) if self.message is None else self.message
        self.message = None

    async def finish(self):
        """Runs to the cycle of done_o, which must come exactly on time."""
        dut = self.dut
        latency = 1 + self.latency + self.loads
        for cycle in range(1, latency + 1):
            await self.step()
            done = cycle == latency
            assert int(dut.done_o.value) == int(done), cycle
            assert int(dut.busy_o.value) == int(not done) or cycle == 1, cycle
        return int(dut.state_o.value)

    async def permute(self, state):
        self.drive(state)
        return await self.finish()

    async def shake256(self, message, size):
        padded = bytearray(message) + b"\x1f"
        padded += bytes(-len(padded) % RATE)
        padded[-1] ^= 0x80
        state = 0
        for at in range(0, len(padded), RATE):
            state = await self.permute(state ^ int.from_bytes(padded[at : at + RATE], "little"))
        out = b""
        while True:
            out += (state % 2 ** (8 * RATE)).to_bytes(RATE, "little")
            if len(out) >= size:
                return out[:size]
            state = await self.permute(None)


@bench.test
async def random_states_without_a_gap(dut):
    core = Core(dut)
    for state in [0, 2**1600 - 1, *(random.getrandbits(1600) for _ in range(20))]:
        assert await core.permute(state) == model(state)  # the next one starts in the cycle of done_o


@bench.test
async def chained_and_held(dut):
    core = Core(dut)
    state = random.getrandbits(1600)
    got = await core.permute(state)
    for _ in range(10):
        state = model(state)
        assert got == state
        for _ in range(random.randrange(3)):
            await core.step()
            assert int(dut.done_o.value) == 0
            assert int(dut.state_o.value) == state
        got = await core.permute(None)


@bench.test
async def nist_examples(dut):
    core = Core(dut)
    for message, answer in NIST:
        assert (await core.shake256(message, 32)).hex() == answer
    for size in (1, 72, 135, 136, 137, 300):
        message = random.randbytes(size)
        assert await core.shake256(message, 2 * size) == hashlib.shake_256(message).digest(2 * size)


@bench.test
async def taken_while_the_next_one_is_loaded(dut):
    """next_o with last_o, which soon_o announces; held back for a while or not; then a permutation per 24 / RoundsPerCycle cycles."""
    core = Core(dut)
    before, state = None, random.getrandbits(1600)
    core.drive(state)
    for held in (0, 0, 3, 1, 0, 0):
        for cycle in range(1, core.latency + held + 1):
            await core.step()
            dut.hold_i.value = int(core.latency <= cycle < core.latency + held)
            await Timer(1, "ns")
            assert int(dut.soon_o.value) == int(cycle >= core.latency)
            assert int(dut.last_o.value) == int(cycle > core.latency or (cycle == 1 and before is not None))
            if cycle == 1 and before is not None:
                assert int(dut.next_o.value) == model(before)
        before, state = state, random.getrandbits(1600)
        core.drive(state)


@bench.test
async def restarted_and_cleared(dut):
    core = Core(dut)
    first, second = random.getrandbits(1600), random.getrandbits(1600)
    for cut in range(1, core.latency + 1):
        core.drive(first)
        for _ in range(cut):
            await core.step()
        assert await core.permute(second) == model(second)
    for pause in range(2):  # a start in the same cycle is lost, too
        core.drive(first)
        for _ in range(pause):
            await core.step()
        dut.clear_i.value = 1
        await core.step()
        dut.clear_i.value = 0
        await core.step()
        for _ in range(core.latency + 2):
            assert (int(dut.state_o.value), int(dut.busy_o.value), int(dut.done_o.value)) == (0, 0, 0)
            await core.step()
